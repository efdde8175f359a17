extends AudioStreamPlayer3D
## A sound that waits between its turns. `relicast` in the metadata has all that the game knows of it.

## Seconds between two turns, and how many may be added by chance.
@export var pause := 0.0
@export var chance := 0.0


func _ready() -> void:
	finished.connect(_again)
	if not playing:
		play()


func _again() -> void:
	await get_tree().create_timer(maxf(pause + randf() * chance, 0.01)).timeout
	play()

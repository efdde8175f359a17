extends AudioStreamPlayer3D
## A sound with pauses. The metadata `relicast` has all of the game's data.

## Pause in seconds, and the maximum random addition.
@export var pause := 0.0
@export var chance := 0.0
## Radius in which the position varies.
@export var scatter := 0.0

var _home := Vector3.ZERO


func _ready() -> void:
	_home = position
	finished.connect(_again)
	if not playing:
		_turn()


func _again() -> void:
	await get_tree().create_timer(maxf(pause + randf() * chance, 0.01)).timeout
	_turn()


func _turn() -> void:
	if scatter > 0.0:
		var angle := randf() * TAU
		position = _home + Vector3(cos(angle), 0.0, sin(angle)) * scatter * sqrt(randf())
	play()

extends AudioStreamPlayer
## A sound that plays at full volume within a radius of its position.

@export var place := Vector3.ZERO
@export var radius := 0.0


func _ready() -> void:
	finished.connect(func(): if _is_near(): play())
	var timer := Timer.new()
	timer.wait_time = 0.25
	timer.autostart = true
	timer.timeout.connect(_look)
	add_child(timer)


func _is_near() -> bool:
	var camera := get_viewport().get_camera_3d()
	return camera != null and camera.global_position.distance_to(get_parent().global_transform * place) <= radius


func _look() -> void:
	if _is_near() != playing:
		playing = not playing

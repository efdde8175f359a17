class_name RelicastWalker
extends CharacterBody3D
## Walks or flies: WASD or arrows, mouse, Shift runs, Space jumps, F flies, Escape frees the mouse.

@export var speed := 6.0
@export var jump := 6.0
@export var gravity := 16.0
@export var flying := false

@onready var eyes: Camera3D = $Eyes


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseMotion and Input.mouse_mode == Input.MOUSE_MODE_CAPTURED:
		rotate_y(-event.relative.x * 0.003)
		eyes.rotation.x = clampf(eyes.rotation.x - event.relative.y * 0.003, -1.5, 1.5)
	elif event is InputEventMouseButton and event.pressed and DisplayServer.get_name() != "headless":
		Input.mouse_mode = Input.MOUSE_MODE_CAPTURED
	elif event is InputEventKey and event.pressed and not event.echo and event.physical_keycode == KEY_F:
		flying = not flying


func _down(first: Key, second: Key) -> float:
	return float(Input.is_physical_key_pressed(first) or Input.is_physical_key_pressed(second))


func _physics_process(delta: float) -> void:
	var way := Vector3(_down(KEY_D, KEY_RIGHT) - _down(KEY_A, KEY_LEFT), 0.0, _down(KEY_S, KEY_DOWN) - _down(KEY_W, KEY_UP))
	var fast := speed * (4.0 if Input.is_physical_key_pressed(KEY_SHIFT) else 1.0)
	if flying:
		velocity = eyes.global_basis * way.limit_length() * fast * 3.0
	else:
		var flat := global_basis * way.limit_length() * fast
		velocity = Vector3(flat.x, velocity.y - gravity * delta, flat.z)
		if is_on_floor() and Input.is_physical_key_pressed(KEY_SPACE):
			velocity.y = jump
	move_and_slide()

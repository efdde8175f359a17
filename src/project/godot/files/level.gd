extends Node3D
## A level: the world with its sounds, clips and start. Scenes of your own inherit from this one or contain it.

## Sounds of the game by name: paths below res://.
@export var sounds: Dictionary = {}
## Clips that start with the level.
@export var running: PackedStringArray = []
## Start position; the player is put on the ground below.
@export var start := Transform3D.IDENTITY
## Bounds of the level.
@export var bounds := AABB()
## Number of EverQuest's visible sky.
@export var sky := 1
## Height in meters below which the player has fallen out of the level.
@export var bottom := -1000.0

var _sky: Array[Node3D] = []
var _has_own_air := false


func _ready() -> void:
	for node in find_children("*", "Node3D", true, false):
		if node.is_in_group("relicast_sky"):
			var layer = node.get_meta("extras", {}).get("everquest", {}).get("layer")
			if layer is Dictionary and int(layer.get("sky", sky)) != sky:
				node.visible = false
				continue
			_sky.append(node)
			for shown: MeshInstance3D in node.find_children("*", "MeshInstance3D", true, false) + ([node] if node is MeshInstance3D else []):
				shown.custom_aabb = AABB(Vector3.ONE * -1e5, Vector3.ONE * 2e5)
				shown.cast_shadow = GeometryInstance3D.SHADOW_CASTING_SETTING_OFF
	var world := get_node_or_null("World")
	if world and world.has_signal("happened"):
		world.happened.connect(_on_happened)
		for clip in running:
			world.play(clip)


func _process(_delta: float) -> void:
	var camera := get_viewport().get_camera_3d()
	if camera == null:
		return
	for node in _sky:
		node.global_position = camera.global_position


## Returns the nearest position with ground below, in growing rings around `start`. Waits until physics runs.
func ground() -> Transform3D:
	for frame in 3:
		await get_tree().physics_frame
		# The user may have opened another level meanwhile.
		if not is_inside_tree():
			return start
	var space := get_world_3d().direct_space_state
	# The walkers themselves are not ground.
	var walkers: Array[RID] = []
	for walker: CharacterBody3D in get_tree().root.find_children("*", "CharacterBody3D", true, false):
		walkers.append(walker.get_rid())
	var step := maxf(maxf(bounds.size.x, bounds.size.z) / 24.0, 0.5)
	for ring in 12:
		for turn in maxi(ring * 8, 1):
			var place := start.translated(Vector3(ring * step, 0.0, 0.0).rotated(Vector3.UP, TAU * turn / maxi(ring * 8, 1)))
			for top: float in [place.origin.y + 2.0, bounds.end.y + 1.0]:
				var from := Vector3(place.origin.x, top, place.origin.z)
				var ray := PhysicsRayQueryParameters3D.create(global_transform * from, global_transform * Vector3(from.x, bottom, from.z))
				ray.exclude = walkers
				var hit := space.intersect_ray(ray)
				if not hit.is_empty() and hit.normal.y > 0.8 and _has_room(space, hit.position, walkers):
					place.origin = global_transform.affine_inverse() * hit.position + Vector3(0.0, 0.1, 0.0)
					return place
	return start


## Returns true if there is room for a player at a point of the ground.
func _has_room(space: PhysicsDirectSpaceState3D, at: Vector3, walkers: Array[RID]) -> bool:
	var body := CapsuleShape3D.new()
	body.radius = 0.4
	body.height = 1.8
	var query := PhysicsShapeQueryParameters3D.new()
	query.shape = body
	query.transform = Transform3D(Basis.IDENTITY, at + Vector3.UP * 1.2)
	query.exclude = walkers
	return space.intersect_shape(query, 1).is_empty()


## Shows or hides a node by its name, with its solid bodies.
func reveal(called: String, shown := true) -> bool:
	var node := find_child(called, true, false) as Node3D
	if node:
		node.visible = shown
	return node != null


func _on_happened(what: String, facts: Dictionary) -> void:
	match what:
		"fog_state":
			_fog(facts)
		"sound", "sound_node":
			_sound(what, facts)


## Applies the fog of a clip; missing values stay. Exponential fog and height layers are only in the signal.
func _fog(facts: Dictionary) -> void:
	var world := get_node_or_null("Air") as WorldEnvironment
	if world == null or world.environment == null:
		return
	# Otherwise two instances of the scene would share it.
	if not _has_own_air:
		world.environment = world.environment.duplicate()
		_has_own_air = true
	var air := world.environment
	if facts.get("range") is Dictionary:
		air.fog_depth_begin = float(facts.range.get("min", 0.0))
		air.fog_depth_end = float(facts.range.get("max", 0.0))
		air.fog_depth_curve = 1.0
	if facts.get("color") is Dictionary:
		air.fog_light_color = Color(facts.color.get("r", 0.0), facts.color.get("g", 0.0), facts.color.get("b", 0.0))
	match facts.get("kind"):
		"off":
			air.fog_enabled = false
		"linear":
			air.fog_enabled = true
			air.fog_mode = Environment.FOG_MODE_DEPTH
			air.fog_density = 1.0
			air.fog_sky_affect = 0.0


func _sound(what: String, facts: Dictionary) -> void:
	var sound = facts.get("sound", {})
	var called := str(sound.get("name", "") if sound is Dictionary else sound).to_lower()
	if not sounds.has(called):
		return
	var at := self as Node3D
	if facts.get("atNode") is Dictionary:
		var node := find_child(str(facts.atNode.get("name", "")).validate_node_name(), true, false)
		at = node if node is Node3D else self
	if what == "sound_node" and not facts.get("on", true):
		var running_sound := at.get_node_or_null("Sound_" + called.validate_node_name())
		if running_sound:
			running_sound.queue_free()
		return
	var player := AudioStreamPlayer3D.new()
	player.name = "Sound_" + called.validate_node_name()
	player.stream = load(sounds[called])
	player.attenuation_filter_cutoff_hz = 20500.0
	player.unit_size = 10.0
	player.finished.connect(player.queue_free)
	at.add_child(player)
	player.play()

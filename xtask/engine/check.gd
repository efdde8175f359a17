extends SceneTree
## Opens every scene of a project like a player, and compares it with `user/expected.json`, which was made from the glTF files
## without the engine. The last line is CHECK and a JSON document.

var passed := 0
var failed: Array[String] = []


func want(what: String, is_so: bool) -> void:
	if is_so:
		passed += 1
	else:
		failed.append(what)


func near(first: float, second: float) -> bool:
	return absf(first - second) <= 1e-3 * maxf(1.0, absf(second))


func _initialize() -> void:
	await _look()
	print("CHECK ", JSON.stringify({"passed": passed, "failed": failed}))
	await process_frame
	quit(0 if failed.is_empty() else 1)


func _look() -> void:
	var expected: Dictionary = JSON.parse_string(FileAccess.get_file_as_string("res://user/expected.json"))
	var main: Node3D = load("res://main.tscn").instantiate()
	root.add_child(main)
	for frame in 3:
		await physics_frame
	for path: String in expected.levels:
		await _level(main, path, expected.levels[path])
	for path: String in expected.missions:
		await _mission(main, path, expected.missions[path])
	for path: String in expected.models:
		await _model(path, expected.models[path])
	for path: String in expected.loops:
		var sound: AudioStreamWAV = load("res://" + path)
		want("%s loops" % path, sound.loop_mode != AudioStreamWAV.LOOP_DISABLED)
		var part: Array = expected.loops[path]
		want("%s loops from %d to %d, not %d to %d" % [path, part[0], part[1], sound.loop_begin, sound.loop_end], sound.loop_begin == int(part[0]) and sound.loop_end == int(part[1]))
	main.queue_free()
	await process_frame


func _level(main: Node3D, path: String, wanted: Dictionary) -> void:
	var level: Node3D = main.open("res://" + path)
	var walker: CharacterBody3D = main.walker
	var is_down := false
	for frame in 240:
		await physics_frame
		if walker.is_physics_processing() and walker.is_on_floor():
			is_down = true
			break
	want("%s: a player comes to rest on the ground" % path, is_down or not wanted.hasGround)
	for frame in 60:
		await physics_frame
	want("%s: the player stays on the ground, at %s" % [path, walker.global_position], not wanted.hasGround or (walker.is_on_floor() and walker.global_position.y > level.bottom))
	_air(path, level, wanted.air)
	await _clips(path, level.get_node("World"), wanted.clips)
	_fog_of_a_clip(path, level)
	for name: String in wanted.solid:
		var node := level.get_node("World").find_child(name, true, false)
		var shape: Shape3D = node.get_node("Body/Shape").shape if node and node.has_node("Body/Shape") else null
		var faces := 0
		if shape is ConcavePolygonShape3D:
			faces = shape.get_faces().size() / 3
		want("%s: %s has %d solid faces, not %d" % [path, name, wanted.solid[name], faces], faces == int(wanted.solid[name]))
	for name: String in wanted.open:
		var node := level.get_node("World").find_child(name, true, false)
		want("%s: nothing of %s is solid" % [path, name], node != null and not node.has_node("Body"))
	for group: String in wanted.areas:
		var count := 0
		for area in level.find_children("*", "Area3D", true, false):
			count += int(area.is_in_group(group))
		want("%s: %d areas of %s" % [path, wanted.areas[group], group], count == int(wanted.areas[group]))
	for name: String in wanted.hidden:
		var node: Node3D = level.get_node("World").find_child(name, true, false)
		want("%s: %s is hidden" % [path, name], node != null and not node.visible)
		if node:
			level.reveal(name)
			want("%s: %s can be shown" % [path, name], node.visible)
			level.reveal(name, false)
	await _rays(path, level, wanted)
	# Last, because these clips change much of the level.
	var world := level.get_node("World")
	for clip: String in wanted.clips:
		if world.has_method("play"):
			await _changes("%s: %s" % [path, clip], world, clip, wanted.clips[clip].changes)


## Checks that rays straight down through the middle of solid triangles hit them, or a surface above.
func _rays(path: String, level: Node3D, wanted: Dictionary) -> void:
	for frame in 30:
		await physics_frame
	var space := level.get_world_3d().direct_space_state
	for place: Array in wanted.rays:
		var at := Vector3(place[0], place[1], place[2])
		var ray := PhysicsRayQueryParameters3D.create(at + Vector3.UP * 0.5, at + Vector3.DOWN * 0.5)
		want("%s: a ray hits the ground at %s" % [path, at], not space.intersect_ray(ray).is_empty())


func _air(path: String, level: Node3D, wanted: Dictionary) -> void:
	var air: Environment = level.get_node("Air").environment
	want("%s: fog or none" % path, air.fog_enabled == wanted.has("fog"))
	if wanted.has("fog"):
		want("%s: fog begins" % path, near(air.fog_depth_begin, wanted.fog.near))
		want("%s: fog ends" % path, near(air.fog_depth_end, wanted.fog.far))
		var color := Color(wanted.fog.color[0], wanted.fog.color[1], wanted.fog.color[2])
		want("%s: color of the fog" % path, air.fog_light_color.is_equal_approx(color))
	if wanted.has("clearColor"):
		var color := Color(wanted.clearColor[0], wanted.clearColor[1], wanted.clearColor[2])
		want("%s: clear color" % path, air.background_color.is_equal_approx(color))


## Checks that the fog of a clip appears and disappears.
func _fog_of_a_clip(path: String, level: Node3D) -> void:
	var world := level.get_node("World")
	if not world.has_method("event"):
		return
	world.event("fog_state", {"kind": "linear", "color": {"r": 0.25, "g": 0.5, "b": 0.75}, "range": {"min": 12.0, "max": 345.0}})
	var air: Environment = level.get_node("Air").environment
	want("%s: fog of a clip appears" % path, air.fog_enabled and near(air.fog_depth_begin, 12.0) and near(air.fog_depth_end, 345.0) and near(air.fog_light_color.b, 0.75))
	world.event("fog_state", {"kind": "off"})
	want("%s: fog of a clip disappears" % path, not level.get_node("Air").environment.fog_enabled)


func _clips(path: String, node: Node, wanted: Dictionary) -> void:
	var players := node.find_children("*", "AnimationPlayer", true, false).filter(func(player): return player.owner != null)
	want("%s: clips or none" % path, (players.size() > 0) == (wanted.size() > 0))
	if players.is_empty():
		return
	var player: AnimationPlayer = players[0]
	want("%s: %d clips" % [path, wanted.size()], player.get_animation_list().size() == wanted.size())
	for clip: String in wanted:
		if not player.has_animation(clip):
			want("%s: clip %s" % [path, clip], false)
			continue
		var animation := player.get_animation(clip)
		var goes_round := animation.loop_mode == Animation.LOOP_LINEAR
		want("%s: clip %s loops or not as stored" % [path, clip], goes_round == wanted[clip].loops)
		for track in animation.get_track_count():
			var target := str(animation.track_get_path(track)).get_slice(":", 0)
			want("%s: clip %s: nothing at %s" % [path, clip, target], player.get_node(player.root_node).get_node_or_null(target) != null)
		var events := 0
		for track in animation.get_track_count():
			if animation.track_get_type(track) == Animation.TYPE_METHOD:
				events += animation.track_get_key_count(track)
		want("%s: clip %s has %d events" % [path, clip, wanted[clip].events], events == int(wanted[clip].events))
	# A clip plays when it is called.
	if node.has_method("play") and wanted.size() > 0:
		var clip: String = wanted.keys()[0]
		var heard := []
		node.happened.connect(func(what, facts): heard.append(what))
		var playing: AnimationPlayer = node.play(clip)
		want("%s: %s plays" % [path, clip], playing != null and playing.is_playing())
		if playing:
			playing.advance(playing.get_animation(clip).length + 0.01)
			# Calls are executed after all players have moved.
			await process_frame
			want("%s: %s wanted what happens" % [path, clip], heard.size() >= int(wanted[clip].events))
			node.stop(clip)


func _changes(what: String, node: Node, clip: String, wanted: Dictionary) -> void:
	if wanted.lights.is_empty() and wanted.fog == null:
		return
	var playing: AnimationPlayer = node.play(clip)
	playing.advance(playing.get_animation(clip).length + 0.01)
	for frame in 2:
		await process_frame
	for called: String in wanted.lights:
		var mark: Dictionary = wanted.lights[called]
		var light: Light3D = node._lights.find(clip, called)
		want("%s: light %s" % [what, called], light != null)
		if light == null:
			continue
		want("%s: light %s is on or off" % [what, called], light.visible == mark.on)
		if mark.get("range") is Dictionary and light is OmniLight3D:
			want("%s: light %s shines %f m, not %f" % [what, called, mark.range.max, light.omni_range], near(light.omni_range, mark.range.max))
		if mark.get("color") is Dictionary:
			var color := light.light_color.srgb_to_linear()
			want("%s: color of light %s" % [what, called], near(color.r, mark.color.r) and near(color.g, mark.color.g) and near(color.b, mark.color.b))
		if mark.get("offset") is Dictionary:
			var at: Node3D = node.find_child(str(mark.atNode.name).validate_node_name(), true, false)
			# Both may move.
			want("%s: light %s goes with its node" % [what, called], at == null or light.get_parent() == at)
	if wanted.fog != null and node.get_parent().has_node("Air"):
		var air: Environment = node.get_parent().get_node("Air").environment
		match wanted.fog.get("kind"):
			"off":
				want("%s: fog ends" % what, not air.fog_enabled)
			"linear":
				want("%s: fog begins" % what, air.fog_enabled)
		if wanted.fog.get("range") is Dictionary:
			want("%s: range of the fog" % what, near(air.fog_depth_begin, wanted.fog.range.min) and near(air.fog_depth_end, wanted.fog.range.max))
	node.stop(clip)


func _mission(main: Node3D, path: String, wanted: Dictionary) -> void:
	var level: Node3D = main.open("res://" + path)
	for frame in 5:
		await physics_frame
	_air(path, level, wanted.air)
	# Before any clip runs.
	var still: Node3D = load("res://" + path).instantiate()
	for name: String in wanted.hidden:
		var node: Node3D = still.get_node("World").find_child(name, true, false)
		want("%s: %s is hidden" % [path, name], node != null and not node.visible)
	for name: String in wanted.places:
		var node: Node3D = still.get_node("World").find_child(name, true, false)
		var at: Array = wanted.places[name]
		want("%s: %s has its position" % [path, name], node != null and node.position.is_equal_approx(Vector3(at[0], at[1], at[2])))
	for kind: String in wanted.placed:
		var count := 0
		for node in level.find_children("*", "Node3D", true, false):
			# The actor may be a node of the world itself.
			var meta: Variant = node.get_meta("relicast") if node.has_meta("relicast") else null
			var is_actor: bool = meta is Dictionary and meta.get("kind", "") == kind
			count += int(node.is_in_group(kind) and (is_actor or node.get_parent().name == "Placed"))
		want("%s: %d of %s" % [path, wanted.placed[kind], kind], count == int(wanted.placed[kind]))
	still.free()
	want("%s: %d paths" % [path, wanted.paths], level.find_children("*", "Path3D", true, false).size() == int(wanted.paths))


func _model(path: String, wanted: Dictionary) -> void:
	var scene: PackedScene = load("res://" + path)
	var model := scene.instantiate()
	root.add_child(model)
	await process_frame
	await _clips(path, model, wanted.clips)
	if wanted.skins.size() > 0:
		want("%s: has skins" % path, "skins" in model and model.skins.size() == wanted.skins.size())
		for skin: String in wanted.skins:
			model.skin = skin
			var changed := 0
			for shown: MeshInstance3D in model.find_children("*", "MeshInstance3D", true, false):
				for surface in shown.get_surface_override_material_count():
					changed += int(shown.get_surface_override_material(surface) != null)
			want("%s: skin %s changes %d surfaces, not %d" % [path, skin, wanted.skins[skin], changed], changed == int(wanted.skins[skin]))
		model.skin = ""
	model.queue_free()
	await process_frame

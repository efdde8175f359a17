extends RefCounted
## Lights that clips switch on, place and change. A clip's light is the node of that name, or one made for the clip: a white point
## light with the range 32 to 64 meters, as in the games.

## Factor from the games' light strength to Godot's energy, as the target "godot" has it for lights of scenes.
const SCALE := 1.0 / PI

## Root of the searched nodes.
var _root: Node3D
var _made := {}


func _init(root: Node3D) -> void:
	_root = root


## Returns the light of a clip by its name; null before the clip sets it.
func find(clip: String, called: String) -> Light3D:
	if is_instance_valid(_made.get([clip, called])):
		return _made[[clip, called]]
	for name: String in [called.validate_node_name(), "light_" + called.validate_node_name()]:
		var node := _root.find_child(name, true, false)
		if node is Light3D:
			return node
	return null


## Applies LIGHT_STATE; missing values stay.
func set_state(clip: String, facts: Dictionary) -> void:
	var called := _name(facts.get("light"))
	var light := find(clip, called)
	if light == null:
		light = OmniLight3D.new() if str(facts.get("kind", "point")) == "point" else DirectionalLight3D.new()
		light.name = "light_" + called.validate_node_name()
		_root.add_child(light)
		_made[[clip, called]] = light
	_rest(light)
	var state := _state(light)
	for key: String in ["ambient", "diffuse"]:
		if facts.has(key):
			state[key] = float(facts[key])
	if facts.get("range") is Dictionary:
		state.near = float(facts.range.get("min", 0.0))
		state.far = float(facts.range.get("max", 0.0))
	if facts.get("color") is Dictionary:
		state.color = _triple(facts.color, ["r", "g", "b"])
	_place(light, facts)
	light.visible = facts.get("on", true)
	_show(light, state)


## Applies LIGHT_ANIMATION: changes a second, for some seconds.
func change(clip: String, facts: Dictionary) -> void:
	var light := find(clip, _name(facts.get("light")))
	var seconds := float(facts.get("runTime", 0.0))
	if light == null or seconds <= 0.0:
		return
	var range_rate: Dictionary = facts.get("rangePerSecond", {})
	var color_rate := _triple(facts.get("colorPerSecond", {}), ["r", "g", "b"])
	var done := [0.0]
	var step := func(time: float) -> void:
		var passed: float = time - done[0]
		done[0] = time
		var state := _state(light)
		state.near += float(range_rate.get("min", 0.0)) * passed
		state.far += float(range_rate.get("max", 0.0)) * passed
		state.color = (state.color + color_rate * passed).clamp(Vector3.ZERO, Vector3.ONE)
		_show(light, state)
	var tween := light.create_tween()
	tween.tween_method(step, 0.0, seconds, seconds)
	var running: Array = light.get_meta("relicast_changes", [])
	running = running.filter(func(one): return one.is_valid())
	running.append(tween)
	light.set_meta("relicast_changes", running)


## Ends all changes of a light.
func _rest(light: Light3D) -> void:
	for tween: Tween in light.get_meta("relicast_changes", []):
		tween.kill()
	light.remove_meta("relicast_changes")


func _place(light: Light3D, facts: Dictionary) -> void:
	if facts.get("position") is Dictionary:
		light.reparent(_root, false)
		light.position = _triple(facts.position, ["x", "y", "z"])
	elif facts.has("atNode"):
		var node := _root.find_child(_name(facts.atNode).validate_node_name(), true, false) as Node3D
		if node == null:
			node = _root
		light.reparent(node, false)
		if light.is_inside_tree():
			light.global_position = node.global_position + _triple(facts.get("offset", {}), ["x", "y", "z"])


## Returns the game's data of a light; lights of a scene start with the values of the file.
func _state(light: Light3D) -> Dictionary:
	if not light.has_meta("relicast_state"):
		var entry: Dictionary = light.get_meta("relicast_light", {})
		var color: Array = entry.get("color", [1.0, 1.0, 1.0])
		light.set_meta("relicast_state", {
			"near": float(entry.get("near", 32.0)),
			"far": float(entry.get("far", 64.0)),
			"ambient": float(entry.get("ambient", 1.0)),
			"diffuse": float(entry.get("diffuse", 0.0)),
			"color": Vector3(color[0], color[1], color[2]),
		})
	return light.get_meta("relicast_state")


func _show(light: Light3D, state: Dictionary) -> void:
	var color: Vector3 = state.color
	light.light_color = Color(color.x, color.y, color.z).linear_to_srgb()
	if light is DirectionalLight3D:
		light.light_energy = state.diffuse * PI * SCALE
		return
	var far := maxf(state.far, 0.001)
	light.light_energy = far * far * 0.25 * minf(state.diffuse + state.ambient, 1.0) * SCALE
	if light is OmniLight3D:
		light.omni_range = far
		light.omni_attenuation = 2.0
	elif light is SpotLight3D:
		light.spot_range = far
		light.spot_attenuation = 2.0


func _name(entry: Variant) -> String:
	return str(entry.get("name", "")) if entry is Dictionary else str(entry)


func _triple(entry: Dictionary, keys: Array) -> Vector3:
	return Vector3(float(entry.get(keys[0], 0.0)), float(entry.get(keys[1], 0.0)), float(entry.get(keys[2], 0.0)))

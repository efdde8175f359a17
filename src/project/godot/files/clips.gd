extends Node3D
## The clips of a world: animation definitions of the game. Several run at once, each with its own player. Events for lights and
## other clips are executed. Events that the game decides at run time (conditions, chance, weapons) are only emitted as the signal
## and logged.

## Emitted for events of a clip other than movement. `facts` are those of the file, and `clip`. A level handles sounds and fog.
signal happened(what: String, facts: Dictionary)
signal started(clip: String)

const Lights := preload("res://relicast/lights.gd")

var _players := {}
var _lights := Lights.new(self)


## The definitions: trigger, node, and assumed outcome of conditions.
func definitions() -> Dictionary:
	return get_meta("relicast_definitions", {})


func play(clip: String) -> AnimationPlayer:
	var shared: AnimationPlayer = $AnimationPlayer
	if not shared.has_animation(clip):
		push_warning("relicast: no clip %s" % clip)
		return null
	if not _players.has(clip):
		var player := AnimationPlayer.new()
		for library in shared.get_animation_library_list():
			player.add_animation_library(library, shared.get_animation_library(library))
		add_child(player)
		player.root_node = player.get_path_to(self)
		_players[clip] = player
	_players[clip].play(clip)
	started.emit(clip)
	return _players[clip]


func stop(clip: String) -> void:
	if _players.has(clip):
		_players[clip].stop()


## Plays the clips that the game starts when this happens to a node or to one below it: "weapon_hit", "collide_hit", "on_startup" …
func trigger(activation: String, node: Node = null) -> Array[String]:
	var played: Array[String] = []
	for clip: String in definitions():
		var facts: Dictionary = definitions()[clip]
		var entry := str(facts.get("activation", ""))
		var is_meant := entry == activation or (entry == "weapon_or_collide_hit" and activation.ends_with("_hit"))
		if is_meant and (node == null or _is_below(node, str(facts.get("root", "")))):
			play(clip)
			played.append(clip)
	return played


func _is_below(node: Node, root: String) -> bool:
	while node and node != self:
		if str(node.name) == root.validate_node_name():
			return true
		node = node.get_parent()
	return false


## Called by the clips at their times.
func event(what: String, facts: Dictionary) -> void:
	match what:
		"light_state":
			_lights.set_state(str(facts.get("clip", "")), facts)
		"light_animation":
			_lights.change(str(facts.get("clip", "")), facts)
		"call_animation":
			var name := str(facts.get("animation", facts.get("name", "")))
			if $AnimationPlayer.has_animation(name) and not Engine.is_editor_hint():
				play(name)
		"stop_animation", "reset_animation":
			stop(str(facts.get("animation", facts.get("name", ""))))
	if OS.is_stdout_verbose():
		print("relicast: ", what, " ", facts)
	happened.emit(what, facts)

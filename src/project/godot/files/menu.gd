extends Node3D
## The start scene: a list of levels and models, a walker, and buttons for clips, skins and missions.
## M opens and closes the list.

@export var levels: PackedStringArray = []
@export var missions: PackedStringArray = []
@export var models: PackedStringArray = []

var stage: Node3D
var _menu: Control
var _tree: Tree
var _clips: ItemList
var _home := Transform3D.IDENTITY

@onready var walker: RelicastWalker = $Walker


func _ready() -> void:
	_build()
	if not levels.is_empty():
		open(levels[0])
	_show_menu(DisplayServer.get_name() != "headless")


func _build() -> void:
	var layer := CanvasLayer.new()
	add_child(layer)
	_menu = HBoxContainer.new()
	_menu.set_anchors_preset(Control.PRESET_LEFT_WIDE)
	_menu.offset_right = 520
	layer.add_child(_menu)
	_tree = Tree.new()
	_tree.custom_minimum_size.x = 300
	_tree.hide_root = true
	_menu.add_child(_tree)
	var root := _tree.create_item()
	for group in [["Levels", levels], ["Missions", missions], ["Models", models]]:
		if group[1].is_empty():
			continue
		var head := _tree.create_item(root)
		head.set_text(0, "%s (%d)" % [group[0], group[1].size()])
		head.set_selectable(0, false)
		head.collapsed = group[1].size() > 40
		for path in group[1]:
			var item := _tree.create_item(head)
			item.set_text(0, _title(path))
			item.set_metadata(0, path)
	_tree.item_selected.connect(func(): open(_tree.get_selected().get_metadata(0)))
	_clips = ItemList.new()
	_clips.custom_minimum_size.x = 200
	_clips.item_selected.connect(_on_clip)
	_menu.add_child(_clips)


func _title(path: String) -> String:
	return path.trim_prefix("res://").get_basename().trim_prefix("worlds/").trim_prefix("missions/").trim_prefix("models/")


func _show_menu(shown: bool) -> void:
	_menu.visible = shown
	if shown:
		Input.mouse_mode = Input.MOUSE_MODE_VISIBLE


func _unhandled_key_input(event: InputEvent) -> void:
	if event is InputEventKey and event.pressed and not event.echo:
		if event.physical_keycode == KEY_M:
			_show_menu(not _menu.visible)
		elif event.physical_keycode == KEY_ESCAPE:
			_show_menu(true)


## Shows a scene, and puts the walker at its start.
func open(path: String) -> Node3D:
	if stage:
		remove_child(stage)
		stage.queue_free()
	stage = (load(path) as PackedScene).instantiate()
	add_child(stage)
	var is_level := "start" in stage
	$Light.visible = not is_level
	var start := Transform3D(Basis.IDENTITY, Vector3(0.0, 1.0, 4.0))
	if is_level:
		start = stage.global_transform * stage.start
	elif stage:
		var size := _size(stage)
		start.origin = size.get_center() + Vector3(0.0, 0.0, maxf(size.size.length(), 0.5)) - Vector3(0.0, 1.6, 0.0)
	walker.global_transform = start
	walker.velocity = Vector3.ZERO
	walker.flying = not is_level
	walker.set_physics_process(not is_level)
	walker.reset_physics_interpolation()
	_fill_clips()
	if is_level:
		_land(stage)
	return stage


## Puts the walker on the ground as soon as it is loaded.
func _land(level: Node3D) -> void:
	walker.set_physics_process(false)
	var place: Transform3D = await level.ground()
	if level == stage:
		walker.global_transform = Transform3D(place.basis.orthonormalized(), level.to_global(place.origin))
		walker.reset_physics_interpolation()
		_home = walker.global_transform
		walker.set_physics_process(true)


func _size(node: Node) -> AABB:
	var whole := AABB()
	for shown: VisualInstance3D in node.find_children("*", "VisualInstance3D", true, false):
		if shown is GeometryInstance3D and shown.is_visible_in_tree():
			var box := shown.global_transform * shown.get_aabb()
			whole = box if whole.size == Vector3.ZERO else whole.merge(box)
	return whole


func _players() -> Array[Node]:
	# Sound players that were added at run time belong to no scene.
	return stage.find_children("*", "AnimationPlayer", true, false).filter(func(player): return player.owner != null)


func _fill_clips() -> void:
	_clips.clear()
	for player: AnimationPlayer in _players():
		for clip in player.get_animation_list():
			_clips.set_item_metadata(_clips.add_item(clip), [player, clip])
	if "skins" in stage:
		for skin in [""] + stage.skins.keys():
			_clips.set_item_metadata(_clips.add_item("skin: " + (skin if skin else "as stored")), [stage, skin])


func _on_clip(index: int) -> void:
	var chosen: Array = _clips.get_item_metadata(index)
	if chosen[0] is AnimationPlayer:
		var world: Node = chosen[0].get_parent()
		if world.has_method("play"):
			world.play(chosen[1])
		else:
			chosen[0].play(chosen[1])
	else:
		chosen[0].skin = chosen[1]


func _physics_process(_delta: float) -> void:
	# A walker that falls out of a level starts again.
	if stage and "bottom" in stage and walker.is_physics_processing() and walker.global_position.y < stage.bottom:
		walker.global_transform = _home
		walker.velocity = Vector3.ZERO

@tool
extends Node3D
## Skins of a model: the materials that replace those of single surfaces, as NODE:SURFACE. The empty name is the original
## model.

@export var skins: Dictionary = {}
@export var skin := "":
	set(chosen):
		skin = chosen
		if is_node_ready():
			_apply_skin()


func _ready() -> void:
	_apply_skin()


func _apply_skin() -> void:
	for all: Dictionary in skins.values():
		for place: String in all:
			_put(place, null)
	var chosen: Dictionary = skins.get(skin, {})
	for place: String in chosen:
		_put(place, chosen[place])


func _put(place: String, material: Material) -> void:
	var parts := place.rsplit(":", true, 1)
	var node := find_child(parts[0], true, false) as MeshInstance3D
	if node and node.mesh and int(parts[1]) < node.mesh.get_surface_count():
		node.set_surface_override_material(int(parts[1]), material)

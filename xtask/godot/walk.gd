# Loads every scene of scenes.txt and writes its contents to walked.json, in the order of the list; xtask/src/godot/compare.rs
# compares them with the files.

extends SceneTree

func _init():
	var list = File.new()
	list.open("res://scenes.txt", File.READ)
	var found = []
	for path in list.get_as_text().split("\n", false):
		found.append(describe(path))
	list.close()
	var out = File.new()
	out.open("res://walked.json", File.WRITE)
	out.store_string(JSON.print(found))
	out.close()
	quit()

func describe(path):
	var packed = load("res://" + path)
	if packed == null:
		return {"path": path, "loaded": false}
	var root = packed.instance()
	var animations = []
	var nodes = walk(root, animations)
	root.free()
	return {"path": path, "loaded": true, "tree": nodes, "animations": animations}

func walk(node, animations):
	var about = {"name": node.name, "class": node.get_class(), "surfaces": null, "children": []}
	if node is MeshInstance and node.mesh != null:
		about.surfaces = []
		for index in node.mesh.get_surface_count():
			about.surfaces.append(surface(node.mesh, index))
	if node is Skeleton:
		about.bones = []
		for index in node.get_bone_count():
			about.bones.append(node.get_bone_name(index))
	for child in node.get_children():
		if child is AnimationPlayer:
			for name in child.get_animation_list():
				var clip = child.get_animation(name)
				animations.append({"name": name, "length": clip.length, "tracks": clip.get_track_count()})
		else:
			about.children.append(walk(child, animations))
	return about

func surface(mesh, index):
	var arrays = mesh.surface_get_arrays(index)
	var indices = arrays[Mesh.ARRAY_INDEX]
	var vertices = arrays[Mesh.ARRAY_VERTEX]
	var material = mesh.surface_get_material(index)
	return {
		"corners": vertices.size() if indices == null or indices.size() == 0 else indices.size(),
		"primitive": mesh.surface_get_primitive_type(index),
		"material": null if material == null else material.resource_name,
		"textured": material is SpatialMaterial and material.albedo_texture != null,
	}

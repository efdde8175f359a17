@tool
extends EditorScenePostImport
## Runs when Godot imports a glTF file of this project, and converts the game's data in `extras` to objects of the engine.
## Godot gives scripts no extras of scenes, clips and primitives, so they are read from the file itself.

## Minimum number of siblings that only show one mesh and become one MultiMeshInstance3D.
const MANY := 8
## Maximum number of pictures of a surface in its shader.
const FRAMES := 12
## Number of cells of static geometry along the longer side of a world …
const CELLS := 4
## … or fewer, to limit all of it to about this many draw calls.
const CALLS := 400.0
## Maximum number of surfaces of a mesh in the engine.
const SURFACES := 256

var _gltf := {}
## Bytes of the first buffer.
var _bin := PackedByteArray()
## glTF nodes by their names in the scene.
var _nodes := {}
## glTF materials by name.
var _materials := {}
var _made := {}
var _shaders := {}
var _shapes := {}
## Nodes that clips move, show or hide.
var _played := {}
## Indices of nodes that differ in another scene of the file, the start of a mission.
var _changed := {}
var _is_world := false


func _post_import(scene: Node) -> Object:
	_gltf = _read(get_source_file())
	_bin = PackedByteArray()
	_is_world = get_source_file().begins_with("res://worlds/")
	for material: Dictionary in _gltf.get("materials", []):
		_materials[material.get("name", "")] = material
	var first: Dictionary = _list("scenes")[int(_gltf.get("scene", 0))] if not _list("scenes").is_empty() else {}
	for index in first.get("nodes", []):
		_collect(int(index))
	_compare(first)
	var player: AnimationPlayer = null
	for found: AnimationPlayer in scene.find_children("*", "AnimationPlayer", true, false):
		player = found
	if player:
		_clips(scene, player)
	_replace_materials(scene)
	for node: Node3D in scene.find_children("*", "Node3D", true, false):
		if is_instance_valid(node) and not node.is_queued_for_deletion():
			_node(node, scene)
	_many_below(scene, scene)
	if _is_world:
		_merge(scene)
	var entry: Dictionary = first.get("extras", {})
	scene.set_meta("relicast", entry)
	return scene


func _list(name: String) -> Array:
	return _gltf.get(name, [])


## Reads the JSON of a .gltf or .glb file.
func _read(path: String) -> Dictionary:
	var bytes := FileAccess.get_file_as_bytes(path)
	if bytes.slice(0, 4).get_string_from_ascii() == "glTF":
		bytes = bytes.slice(20, 20 + bytes.decode_u32(12))
	var document = JSON.parse_string(bytes.get_string_from_utf8())
	return document if document is Dictionary else {}


func _collect(index: int) -> void:
	var node: Dictionary = _list("nodes")[index]
	_nodes[str(node.get("name", "")).validate_node_name()] = node
	for child in node.get("children", []):
		_collect(int(child))


## Returns the game's data of an object of the file.
func _facts(part: Dictionary) -> Dictionary:
	var extras = part.get("extras", {})
	if not extras is Dictionary:
		return {}
	return extras.get("zipper", extras.get("everquest", {}))


# ---- Surfaces ----------------------------------------------------------------------------------------------------

func _replace_materials(scene: Node) -> void:
	var asset: Dictionary = _gltf.get("asset", {}).get("extras", {}).get("relicast", {})
	var is_srgb: bool = asset.get("vertexColors", "") == "srgb"
	for shown: MeshInstance3D in scene.find_children("*", "MeshInstance3D", true, false):
		if shown.mesh == null:
			continue
		var sky := _sky_of(shown)
		var drift := _drift_of(shown)
		for surface in shown.mesh.get_surface_count():
			var old: Material = shown.mesh.surface_get_material(surface)
			if not old is BaseMaterial3D:
				continue
			if old.vertex_color_use_as_albedo:
				old.vertex_color_is_srgb = is_srgb
			# The games have one picture of 8 bits and no specular light.
			old.metallic_specular = 0.0
			var key := [old, sky, drift]
			if not _made.has(key):
				_made[key] = _material(old, sky, drift)
			shown.mesh.surface_set_material(surface, _made[key])


## Position of a sky in the drawing order, from -120; 0 is no sky.
func _sky_of(node: Node) -> int:
	while node:
		var facts := _facts(_nodes.get(str(node.name), {}))
		if facts.has("sky"):
			return -100
		if facts.has("layer") and facts.layer is Dictionary and facts.layer.has("drawOrder"):
			return -120 + int(facts.layer.drawOrder)
		node = node.get_parent()
	return 0


## Speed of the pictures of a sky layer.
func _drift_of(node: Node) -> Vector2:
	var layer = _facts(_nodes.get(str(node.name), {})).get("layer")
	if layer is Dictionary and float(layer.get("secondsPerUv", 0.0)) > 0.0:
		return Vector2(1.0 / float(layer.secondsPerUv), 0.0)
	return Vector2.ZERO


func _material(old: BaseMaterial3D, sky: int, drift: Vector2) -> Material:
	var material: Dictionary = _materials.get(old.resource_name, {})
	var facts := _facts(material)
	var is_additive: bool = "additive" in [facts.get("eqBlend", ""), facts.get("blend", "")]
	var frames := _frames(material, facts)
	var scroll := drift + _scroll(facts)
	if frames.get("pictures", []).size() > FRAMES:
		# More than a shader can use: an animated texture.
		var changing := AnimatedTexture.new()
		changing.frames = mini(frames.pictures.size(), AnimatedTexture.MAX_FRAMES)
		for frame in changing.frames:
			changing.set_frame_texture(frame, frames.pictures[frame])
			changing.set_frame_duration(frame, 1.0 / float(frames.rate))
		old = old.duplicate()
		old.albedo_texture = changing
		frames = {}
	if sky == 0 and frames.is_empty() and scroll == Vector2.ZERO:
		if is_additive:
			old.transparency = BaseMaterial3D.TRANSPARENCY_ALPHA
			old.blend_mode = BaseMaterial3D.BLEND_MODE_ADD
			old.disable_fog = true
		return old
	var new := ShaderMaterial.new()
	new.resource_name = old.resource_name
	new.shader = _shader(old, sky != 0, is_additive, frames.get("pictures", []).size())
	new.set_shader_parameter("tint", old.albedo_color)
	new.set_shader_parameter("scroll", scroll)
	new.set_shader_parameter("cut", old.alpha_scissor_threshold)
	if old.albedo_texture:
		new.set_shader_parameter("picture", old.albedo_texture)
	if not frames.is_empty():
		for frame in frames.pictures.size():
			new.set_shader_parameter("picture%d" % frame, frames.pictures[frame])
		new.set_shader_parameter("rate", frames.rate)
	if sky != 0:
		new.render_priority = sky
	return new


func _scroll(facts: Dictionary) -> Vector2:
	var scroll = facts.get("scroll")
	if scroll is Dictionary:
		return Vector2(scroll.get("u", 0.0), scroll.get("v", 0.0))
	return Vector2.ZERO


## Pictures of a surface with changing pictures: {}, or pictures and rate (per second).
func _frames(material: Dictionary, facts: Dictionary) -> Dictionary:
	var paths := []
	var rate := 0.0
	if facts.get("textureAnimation") is Dictionary:
		for frame in facts.textureAnimation.get("frames", []):
			if frame is Dictionary and frame.get("image") is String:
				paths.append("res://" + frame.image)
		var pause := float(facts.textureAnimation.get("sleepMs", 0.0))
		rate = 1000.0 / pause if pause > 0.0 else 0.0
	elif facts.get("cycle") is Dictionary:
		var base := _picture_path(material)
		for name in facts.cycle.get("frames", []):
			paths.append(base.get_base_dir().path_join(str(name).to_lower() + ".png"))
		rate = float(facts.cycle.get("fps", 0.0))
	if paths.size() < 2 or rate <= 0.0:
		return {}
	var pictures: Array[Texture2D] = []
	for path: String in paths:
		var picture: Texture2D = load(path) if ResourceLoader.exists(path) else null
		if picture == null:
			return {}
		pictures.append(picture)
	return {"pictures": pictures, "rate": rate}


func _picture_path(material: Dictionary) -> String:
	var base: Dictionary = material.get("pbrMetallicRoughness", {}).get("baseColorTexture", {})
	if not base.has("index"):
		return ""
	var texture: Dictionary = _list("textures")[int(base.index)]
	var image: Dictionary = _list("images")[int(texture.get("source", 0))]
	var uri := str(image.get("uri", "")).uri_decode()
	return get_source_file().get_base_dir().path_join(uri).simplify_path()


## Makes a shader that draws like the material, and moves or changes the picture.
func _shader(old: BaseMaterial3D, is_sky: bool, is_additive: bool, frames: int) -> Shader:
	var modes: Array[String] = []
	if old.shading_mode == BaseMaterial3D.SHADING_MODE_UNSHADED or is_sky:
		modes.append("unshaded")
	else:
		modes.append("specular_disabled")
	modes.append("cull_disabled" if old.cull_mode == BaseMaterial3D.CULL_DISABLED or is_sky else "cull_back")
	var head := ""
	if is_additive:
		modes.append_array(["blend_add", "depth_draw_never"])
	if is_sky:
		modes.append("depth_draw_never")
	if is_sky or is_additive:
		modes.append("fog_disabled")
	if old.transparency == BaseMaterial3D.TRANSPARENCY_ALPHA_SCISSOR:
		head += "#define CUT\n"
	elif old.transparency != BaseMaterial3D.TRANSPARENCY_DISABLED or is_additive:
		head += "#define SEEN_THROUGH\n"
	if frames > 0:
		head += "#define FRAMES %d\n" % frames
		var chosen := ""
		for frame in frames:
			head += "uniform sampler2D picture%d : source_color, repeat_enable, filter_linear_mipmap;\n" % frame
			chosen += "	if (frame == %d) { return texture(picture%d, place); }\n" % [frame, frame]
		head += "vec4 at_frame(int frame, vec2 place) {\n%s	return vec4(1.0);\n}\n" % chosen
	if is_sky:
		head += "#define BEHIND_ALL\n"
	if old.vertex_color_use_as_albedo:
		head += "#define COLORED\n"
	var seen := {}
	modes = modes.filter(func(mode): return not seen.has(mode) and seen.get_or_add(mode, true))
	var code := "shader_type spatial;\nrender_mode %s;\n%s#include \"res://relicast/surface.gdshaderinc\"\n" % [", ".join(modes), head]
	if not _shaders.has(code):
		var shader := Shader.new()
		shader.code = code
		_shaders[code] = shader
	return _shaders[code]


# ---- Nodes -------------------------------------------------------------------------------------------------------

func _node(node: Node3D, scene: Node) -> void:
	var entry: Dictionary = _nodes.get(str(node.name), {})
	var facts := _facts(entry)
	if facts.get("hidden", false):
		node.visible = false
	if facts.has("sky") or facts.has("layer"):
		node.add_to_group("relicast_sky", true)
	if facts.get("lod") is Dictionary:
		for shown: MeshInstance3D in node.find_children("*", "MeshInstance3D", true, false):
			shown.visibility_range_begin = maxf(float(facts.lod.get("near", 0.0)), 0.0)
			shown.visibility_range_end = maxf(float(facts.lod.get("far", 0.0)), 0.0)
	if node is Light3D:
		node.set_meta("relicast_light", _light(entry))
	if facts.get("pickup") != null:
		node.add_to_group("pickup", true)
	if facts.get("fogVolume") is Dictionary:
		_box(node, facts.fogVolume, scene)
	if not node is MeshInstance3D or node.mesh == null:
		return
	if entry.get("extensions", {}).has("EXT_mesh_gpu_instancing"):
		_instances(node, entry.extensions.EXT_mesh_gpu_instancing, scene)
		return
	if facts.get("volume") != null:
		_volume(node, facts, scene)
	elif facts.get("collision", false) or str(node.name).ends_with("_collision"):
		_body(node, node.mesh.create_convex_shape(), scene)
		node.mesh = null
	elif _is_world and _stops(node, entry):
		var shape := _solid_shape(node.mesh, entry)
		if shape:
			_body(node, shape, scene)
		if not _is_drawn(entry):
			node.mesh = null


## Returns the game's data of a node's light.
func _light(entry: Dictionary) -> Dictionary:
	var place: Dictionary = entry.get("extensions", {}).get("KHR_lights_punctual", {})
	var lights: Array = _gltf.get("extensions", {}).get("KHR_lights_punctual", {}).get("lights", [])
	return _facts(lights[int(place.light)]) if place.has("light") else {}


## Returns true for a solid node: by its flags and those of all nodes above, except skies. In EverQuest faces decide.
func _stops(node: Node, entry: Dictionary) -> bool:
	if _sky_of(node) != 0 or node.skin != null:
		return false
	while node:
		var facts := _facts(_nodes.get(str(node.name), {}))
		if facts.get("flags") is Array and facts.get("class", "") != "world":
			if not ("altitude_surface" in facts.flags or "intersect_surface" in facts.flags):
				return false
		if facts.has("fogVolume"):
			return false
		node = node.get_parent()
	return entry.has("mesh")


func _surface(entry: Dictionary, surface: int) -> Dictionary:
	var primitives: Array = _list("meshes")[int(entry.mesh)].get("primitives", [])
	return primitives[surface] if surface < primitives.size() else {}


func _solid_shape(mesh: Mesh, entry: Dictionary) -> ConcavePolygonShape3D:
	var key := int(entry.mesh)
	if _shapes.has(key):
		return _shapes[key]
	var faces := PackedVector3Array()
	var is_thin := false
	for surface in mesh.get_surface_count():
		var primitive := _surface(entry, surface)
		if _facts(primitive).get("solid", true) == false or int(primitive.get("mode", 4)) != 4:
			continue
		var arrays := mesh.surface_get_arrays(surface)
		var vertices: PackedVector3Array = arrays[Mesh.ARRAY_VERTEX]
		var indices = arrays[Mesh.ARRAY_INDEX]
		if indices == null or indices.is_empty():
			faces.append_array(vertices)
		else:
			for index in indices:
				faces.append(vertices[index])
		if primitive.has("material"):
			is_thin = is_thin or _list("materials")[int(primitive.material)].get("doubleSided", false)
	var shape: ConcavePolygonShape3D = null
	if not faces.is_empty():
		shape = ConcavePolygonShape3D.new()
		shape.backface_collision = is_thin
		shape.set_faces(faces)
	_shapes[key] = shape
	return shape


## Returns true if a part of a mesh is drawn: EverQuest has invisible walls.
func _is_drawn(entry: Dictionary) -> bool:
	for primitive: Dictionary in _list("meshes")[int(entry.mesh)].get("primitives", []):
		if not primitive.has("material"):
			continue
		var kind = _facts(_list("materials")[int(primitive.material)]).get("surface", "")
		if not kind in ["boundary", "invisible"]:
			return true
	return false


func _body(node: Node3D, shape: Shape3D, scene: Node) -> void:
	var body := StaticBody3D.new()
	body.name = "Body"
	if _may_hide(node):
		body.set_script(load("res://relicast/solid.gd"))
	_add_shape(node, body, shape, scene)


func _may_hide(node: Node) -> bool:
	while node:
		if _played.has(str(node.name)) or _facts(_nodes.get(str(node.name), {})).get("hidden", false):
			return true
		node = node.get_parent()
	return false


func _add_shape(node: Node3D, holder: Node3D, shape: Shape3D, scene: Node) -> void:
	var place := CollisionShape3D.new()
	place.name = "Shape"
	place.shape = shape
	node.add_child(holder)
	holder.add_child(place)
	holder.owner = scene
	place.owner = scene


## Makes an area for water, lava or a zone line: in a group, with its data as metadata.
func _volume(node: MeshInstance3D, facts: Dictionary, scene: Node) -> void:
	var area := Area3D.new()
	area.name = "Area"
	area.monitorable = false
	var group := str(facts.volume)
	if facts.volume is Dictionary:
		group = str(facts.volume.get("regionType", "region")) if facts.volume.get("line") == null else "zone_line"
	area.add_to_group(group, true)
	area.set_meta("relicast", facts)
	_add_shape(node, area, node.mesh.create_convex_shape(), scene)
	node.mesh = null


func _box(node: Node3D, volume: Dictionary, scene: Node) -> void:
	var area := Area3D.new()
	area.name = "Area"
	area.monitorable = false
	area.add_to_group("fog", true)
	area.set_meta("relicast", volume)
	var low := Vector3(volume.min[0], volume.min[1], volume.min[2])
	var high := Vector3(volume.max[0], volume.max[1], volume.max[2])
	var box := BoxShape3D.new()
	box.size = (high - low).abs()
	_add_shape(node, area, box, scene)
	area.position = (low + high) / 2.0


## Merges placed objects that only show a mesh into one node with a list of positions.
func _many_below(parent: Node, scene: Node) -> void:
	var by_mesh := {}
	for child in parent.get_children():
		_many_below(child, scene)
		if not child is MeshInstance3D or child.mesh == null or child.skin != null or _played.has(str(child.name)):
			continue
		var facts := _facts(_nodes.get(str(child.name), {}))
		# Missions move and hide nodes of Zipper's worlds.
		if facts.has("index") and not facts.has("model"):
			continue
		by_mesh.get_or_add(child.mesh, []).append(child)
	for mesh: Mesh in by_mesh:
		var all: Array = by_mesh[mesh]
		if all.size() < MANY or mesh.get_blend_shape_count() > 0:
			continue
		var many := MultiMesh.new()
		many.transform_format = MultiMesh.TRANSFORM_3D
		many.mesh = mesh
		many.instance_count = all.size()
		# The whole buffer is set, because a headless import loses single transforms.
		var buffer := PackedFloat32Array()
		var entry := []
		for child: MeshInstance3D in all:
			var b := child.transform.basis
			var o := child.transform.origin
			buffer.append_array([b.x.x, b.y.x, b.z.x, o.x, b.x.y, b.y.y, b.z.y, o.y, b.x.z, b.y.z, b.z.z, o.z])
			entry.append({"name": str(child.name), "facts": _facts(_nodes.get(str(child.name), {}))})
			# Solid bodies stay in their positions.
			if child.get_child_count() == 0:
				parent.remove_child(child)
				child.free()
			else:
				child.mesh = null
		many.buffer = buffer
		var node := MultiMeshInstance3D.new()
		node.name = str(mesh.resource_name, "_many").validate_node_name()
		node.multimesh = many
		node.set_meta("relicast", entry)
		parent.add_child(node)
		node.owner = scene


## Reads a mesh with a list of positions, which Godot does not support.
func _instances(node: MeshInstance3D, extension: Dictionary, scene: Node) -> void:
	var attributes: Dictionary = extension.get("attributes", {})
	var places := _numbers(attributes.get("TRANSLATION", -1))
	var turns := _numbers(attributes.get("ROTATION", -1))
	var scales := _numbers(attributes.get("SCALE", -1))
	var count := maxi(places.size() / 3, maxi(turns.size() / 4, scales.size() / 3))
	var buffer := PackedFloat32Array()
	buffer.resize(count * 12)
	for at in count:
		var b := Basis.IDENTITY
		if not turns.is_empty():
			b = Basis(Quaternion(turns[at * 4], turns[at * 4 + 1], turns[at * 4 + 2], turns[at * 4 + 3]))
		if not scales.is_empty():
			b = b.scaled_local(Vector3(scales[at * 3], scales[at * 3 + 1], scales[at * 3 + 2]))
		var o := Vector3.ZERO if places.is_empty() else Vector3(places[at * 3], places[at * 3 + 1], places[at * 3 + 2])
		var row := [b.x.x, b.y.x, b.z.x, o.x, b.x.y, b.y.y, b.z.y, o.y, b.x.z, b.y.z, b.z.z, o.z]
		for part in 12:
			buffer[at * 12 + part] = row[part]
	var many := MultiMesh.new()
	many.transform_format = MultiMesh.TRANSFORM_3D
	many.mesh = node.mesh
	many.instance_count = count
	many.buffer = buffer
	var shown := MultiMeshInstance3D.new()
	shown.name = "Instances"
	shown.multimesh = many
	node.mesh = null
	node.add_child(shown)
	shown.owner = scene


## Returns the floats of an accessor, or an empty array.
func _numbers(index: int) -> PackedFloat32Array:
	if index < 0 or index >= _list("accessors").size():
		return PackedFloat32Array()
	var accessor: Dictionary = _list("accessors")[index]
	var view: Dictionary = _list("bufferViews")[int(accessor.get("bufferView", 0))]
	if int(accessor.componentType) != 5126 or view.has("byteStride"):
		push_warning("relicast: instances were skipped: their accessor is not a plain list of floats")
		return PackedFloat32Array()
	var width: int = {"VEC3": 3, "VEC4": 4}.get(accessor.type, 1)
	var start := int(view.get("byteOffset", 0)) + int(accessor.get("byteOffset", 0))
	return _binary().slice(start, start + int(accessor.count) * width * 4).to_float32_array()


## Reads the first buffer of the file.
func _binary() -> PackedByteArray:
	if _bin.is_empty():
		var buffer: Dictionary = _list("buffers")[0]
		if buffer.has("uri"):
			_bin = FileAccess.get_file_as_bytes(get_source_file().get_base_dir().path_join(str(buffer.uri).uri_decode()))
		else:
			var bytes := FileAccess.get_file_as_bytes(get_source_file())
			_bin = bytes.slice(28 + bytes.decode_u32(12))
	return _bin


## Collects the nodes that missions change.
func _compare(first: Dictionary) -> void:
	var own := {}
	_by_index(first.get("nodes", []), own)
	for scene: Dictionary in _list("scenes"):
		if is_same(scene, first):
			continue
		var other := {}
		_by_index(scene.get("nodes", []), other)
		for index in own:
			var before: Dictionary = own[index]
			var after: Dictionary = other.get(index, {})
			for key in ["translation", "rotation", "scale", "mesh"]:
				if before.get(key) != after.get(key):
					_changed[index] = true
			if _facts(before).get("hidden", false) != _facts(after).get("hidden", false):
				_changed[index] = true


func _by_index(nodes: Array, found: Dictionary) -> void:
	for number in nodes:
		var node: Dictionary = _list("nodes")[int(number)]
		if _facts(node).has("index"):
			found[_facts(node).index] = node
		_by_index(node.get("children", []), found)


## Merges static geometry: a mesh for each cell, with a surface for each material. Nodes stay, with their solid bodies. In
## Zipper's worlds this is only the ground, because everything else can be shot.
func _merge(scene: Node) -> void:
	var still: Array[MeshInstance3D] = []
	var bounds := AABB()
	for shown: MeshInstance3D in scene.find_children("*", "MeshInstance3D", true, false):
		if not _is_static(shown, scene):
			continue
		var box := _place(shown, scene) * shown.mesh.get_aabb()
		bounds = box if still.is_empty() else bounds.merge(box)
		still.append(shown)
	if still.size() < 2 * MANY:
		return
	var kinds := {}
	for shown in still:
		for surface in shown.mesh.get_surface_count():
			kinds[[shown.mesh.surface_get_material(surface), shown.mesh.surface_get_format(surface)]] = true
	var count := clampi(int(sqrt(CALLS / kinds.size())), 1, CELLS)
	var side := maxf(maxf(bounds.size.x, bounds.size.z) / count, 1.0)
	var cells := {}
	for shown in still:
		var place := _place(shown, scene)
		var middle := place * shown.mesh.get_aabb().get_center() - bounds.position
		var cell := Vector2i(int(middle.x / side), int(middle.z / side))
		for surface in shown.mesh.get_surface_count():
			var material := shown.mesh.surface_get_material(surface)
			var key := [material, shown.mesh.surface_get_format(surface)]
			var tool: SurfaceTool = cells.get_or_add(cell, {}).get_or_add(key, SurfaceTool.new())
			tool.append_from(shown.mesh, surface, place)
		shown.mesh = null
	var holder := Node3D.new()
	holder.name = "Merged"
	scene.add_child(holder)
	holder.owner = scene
	for cell: Vector2i in cells:
		var mesh := ArrayMesh.new()
		for key: Array in cells[cell]:
			if mesh.get_surface_count() == SURFACES:
				_add_cell(mesh, cell, holder, scene)
				mesh = ArrayMesh.new()
			cells[cell][key].set_material(key[0])
			cells[cell][key].commit(mesh)
		_add_cell(mesh, cell, holder, scene)


func _add_cell(mesh: ArrayMesh, cell: Vector2i, holder: Node3D, scene: Node) -> void:
	var node := MeshInstance3D.new()
	var number := holder.get_child_count()
	node.name = "cell_%d_%d_%d" % [cell.x, cell.y, number]
	node.mesh = mesh
	holder.add_child(node)
	node.owner = scene


func _place(node: Node3D, scene: Node) -> Transform3D:
	var place := node.transform
	var above := node.get_parent()
	while above and above != scene:
		if above is Node3D:
			place = above.transform * place
		above = above.get_parent()
	return place


func _is_static(shown: MeshInstance3D, scene: Node) -> bool:
	if shown.mesh == null or shown.skin != null or shown.mesh.get_blend_shape_count() > 0:
		return false
	if shown.visibility_range_end > 0.0 or shown.visibility_range_begin > 0.0 or _sky_of(shown) != 0 or _may_hide(shown):
		return false
	for surface in shown.mesh.get_surface_count():
		if shown.mesh.surface_get_primitive_type(surface) != Mesh.PRIMITIVE_TRIANGLES:
			return false
	var facts := _facts(_nodes.get(str(shown.name), {}))
	var is_ground: bool = facts.get("flags") is Array and "terrain" in facts.flags
	if facts.get("flags") is Array and not is_ground:
		return false
	var above: Node = shown
	while above and above != scene:
		if _changed.has(_facts(_nodes.get(str(above.name), {})).get("index")):
			return false
		above = above.get_parent()
	return _place(shown, scene).basis.determinant() > 0.0


# ---- Clips -------------------------------------------------------------------------------------------------------

func _clips(scene: Node, player: AnimationPlayer) -> void:
	var known := {}
	for clip: Dictionary in _list("animations"):
		known[_clip_name(str(clip.get("name", "")))] = clip
	var definitions := {}
	var has_events := false
	for name in player.get_animation_list():
		var animation := player.get_animation(name)
		var entry: Dictionary = known.get(str(name), {})
		var facts := _facts(entry)
		# Set for each clip, because Godot loops names that begin or end with "loop" or "cycle".
		animation.loop_mode = Animation.LOOP_LINEAR if _goes_round(facts) else Animation.LOOP_NONE
		for track in animation.get_track_count():
			_played[str(animation.track_get_path(track)).get_slice(":", 0).get_file()] = true
		if facts.has("activation"):
			definitions[str(name)] = facts
			has_events = _events(animation, str(name), facts) or has_events
	if not definitions.is_empty():
		scene.set_meta("relicast_definitions", definitions)
		scene.set_script(load("res://relicast/clips.gd"))


func _clip_name(name: String) -> String:
	for sign in ["/", ".", ":", ",", "["]:
		name = name.replace(sign, "_")
	return name


## Returns true for a looping clip: by the game's data, or for motions with a period.
func _goes_round(facts: Dictionary) -> bool:
	if facts.get("loop", false) is bool and facts.get("loop", false):
		return true
	if float(facts.get("loopTime", 0.0)) > 0.0:
		return true
	for entry in facts.get("loops", []):
		if entry is Dictionary and entry.get("passes", 0) == null:
			return true
	return false


## Adds calls of clips.gd for events: sounds, lights, other animations, lenses.
func _events(animation: Animation, clip: String, facts: Dictionary) -> bool:
	var marks: Array = facts.get("marks", [])
	if marks.is_empty():
		return false
	var track := animation.add_track(Animation.TYPE_METHOD)
	animation.track_set_path(track, NodePath("."))
	for mark: Dictionary in marks:
		var what := str(mark.get("event", mark.keys()[0])).to_lower()
		var time := clampf(float(mark.get("time", 0.0)), 0.0, animation.length)
		# Two keys with one time would replace each other.
		while animation.track_find_key(track, time, Animation.FIND_MODE_APPROX) >= 0:
			time += 0.0002
		var entry := mark.duplicate()
		entry.clip = clip
		animation.track_insert_key(track, time, {"method": &"event", "args": [what, entry]})
	animation.length = maxf(animation.length, animation.track_get_key_time(track, animation.track_get_key_count(track) - 1))
	return true

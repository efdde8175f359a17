"""Ordinary edits in Blender, each as the tools of Blender make it.

`EDITS` has them by name. Each gets a scene that was just imported, edits one thing, and returns a sentence about it.
"""

import json
import math
import os
import struct

import bpy
import bmesh
from mathutils import Matrix, Vector

EDITS = {}


class Absent(Exception):
    """The scene has nothing of that kind."""


class Edit:
    """An edit: the function, and options of the exporter that it needs."""

    def __init__(self, function, options):
        self.function = function
        self.options = options

    def apply(self, path):
        bpy.context.view_layer.update()
        edited = self.function(Scene(path))
        bpy.context.view_layer.update()
        return edited


def edit(name, **options):
    def register(function):
        EDITS[name] = Edit(function, options)
        return function

    return register


LIGHTS = {"export_lights": True}
CAMERAS = {"export_cameras": True}


class Scene:
    """The imported scene: what a person would choose in it."""

    def __init__(self, path):
        self.folder = os.path.dirname(path)
        document = read(path)
        # Further scenes show the starts of missions; the first one is edited.
        roots = document["scenes"][document.get("scene", 0)].get("nodes", [])
        self.names, open_nodes = set(), list(roots)
        while open_nodes:
            node = document["nodes"][open_nodes.pop()]
            self.names.add(node.get("name"))
            open_nodes += node.get("children", [])

    def objects(self, kind):
        found = [thing for thing in bpy.context.scene.objects if thing.type == kind and thing.name in self.names]
        return sorted(found, key=lambda thing: thing.name)

    def meshes(self, faces=1):
        """Objects with a mesh, those with a mesh of their own and many faces first.

        In zones of EverQuest only terrain has its shape in the archive of the zone.
        """
        found = [thing for thing in self.objects("MESH") if len(thing.data.polygons) >= faces]
        is_zone = any("everquest" in thing for thing in found)
        found.sort(key=lambda thing: (is_terrain(thing) != is_zone, thing.data.users > 2, -len(thing.data.polygons)))
        return found or absent("no mesh")

    def placed(self, at_least=1):
        """Objects that stand in the world: with a mesh, a parent, and nothing that moves them."""
        found = [thing for thing in self.objects("MESH") if thing.parent and not is_terrain(thing)]
        found = [thing for thing in found if not thing.find_armature() and not thing.animation_data]
        if len(found) < at_least:
            absent(f"fewer than {at_least} placed objects")
        # Not parts of models, and not what animations of the samples place.
        found.sort(key=lambda thing: (depth(thing) > 2, thing.name not in ("fence_01", "fence_02", "ELM"), thing.name))
        return found

    def free(self, at_least=1):
        """Placed objects that no animation of the samples names."""
        found = self.placed(at_least)
        return sorted(found, key=lambda thing: (thing.name != "lantern", thing.name != "sky"))

    def material(self, picture=None, plain=None):
        for thing in self.meshes():
            for slot in thing.material_slots:
                image = slot.material and image_node(slot.material)
                if slot.material and (picture is None or bool(image) == picture):
                    return slot.material
        absent("no such material")

    def lights(self):
        found = [thing for thing in bpy.context.scene.objects if thing.type == "LIGHT" and own(thing, self.names)]
        found.sort(key=lambda thing: (thing.data.type == "SUN", thing.name))
        return found or absent("no lights")

    def cameras(self):
        found = [thing for thing in bpy.context.scene.objects if thing.type == "CAMERA" and own(thing, self.names)]
        return sorted(found, key=lambda thing: thing.name) or absent("no cameras")

    def with_extras(self, key):
        """An object and its extras of the game, if they have a key."""
        for thing in sorted(bpy.context.scene.objects, key=lambda thing: thing.name):
            for game in ("zipper", "everquest"):
                if thing.name in self.names and game in thing and key in thing[game]:
                    return thing, thing[game]
        absent(f"no extras {key}")


def absent(why):
    raise Absent(why)


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] == b"glTF":
        return json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    return json.loads(data)


def is_terrain(thing):
    model = (thing.get("everquest") or {}).get("model", "")
    return thing.name in ("terrain", "ground_01") or model.endswith(".TER")


def own(thing, names):
    """True for a node with one of the names, or what Blender put below it."""
    return thing.name in names or (thing.parent is not None and thing.parent.name in names)


def depth(thing):
    return 1 + depth(thing.parent) if thing.parent else 0


def select(*things):
    bpy.ops.object.select_all(action="DESELECT")
    for thing in things:
        thing.select_set(True)
    bpy.context.view_layer.objects.active = things[0]


def in_edit_mode(thing, function):
    """Runs a function on the mesh in edit mode, with all of it selected."""
    select(thing)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_mode(type="FACE")
    bpy.ops.mesh.select_all(action="SELECT")
    function()
    bpy.ops.object.mode_set(mode="OBJECT")


def with_bmesh(thing, function):
    mesh = bmesh.new()
    mesh.from_mesh(thing.data)
    mesh.verts.ensure_lookup_table()
    mesh.faces.ensure_lookup_table()
    function(mesh)
    mesh.to_mesh(thing.data)
    mesh.free()
    thing.data.update()


def size(thing):
    points = [Vector(corner) for corner in thing.bound_box]
    return max(max(p[i] for p in points) - min(p[i] for p in points) for i in range(3)) or 1.0


def image_node(material):
    """The node of the picture of the base color, else of any picture."""
    nodes = material.node_tree.nodes if material.node_tree else []
    pictures = [node for node in nodes if node.type == "TEX_IMAGE" and node.image]
    sockets = [color_socket(material)] if pictures else []
    # Vertex colors are multiplied in between.
    for socket in sockets:
        for link in socket.links:
            if link.from_node in pictures:
                return link.from_node
            sockets.extend(link.from_node.inputs)
    return next(iter(pictures), None)


def color_socket(material):
    """The socket of the base color: of the surface, or of the light of an unlit one."""
    nodes = material.node_tree.nodes
    for node in nodes:
        if node.type == "BSDF_PRINCIPLED":
            return node.inputs["Base Color"]
    for node in nodes:
        if node.type in ("EMISSION", "BACKGROUND"):
            return node.inputs["Color"]
    for node in nodes:
        if node.type == "MIX_SHADER":
            return node.inputs[2]
    absent("no color")


# Placed objects.


@edit("move an object")
def move(scene):
    thing = scene.placed()[0]
    thing.location += Vector((2.0, 1.0, 0.5))
    return thing.name


@edit("move several objects")
def move_several(scene):
    things = scene.placed(2)[:2]
    for thing in things:
        thing.location += Vector((1.0, -2.0, 0.0))
    return ", ".join(thing.name for thing in things)


@edit("rotate an object")
def rotate(scene):
    thing = scene.placed()[0]
    select(thing)
    thing.matrix_world = thing.matrix_world @ Matrix.Rotation(math.radians(30), 4, "Z")
    return thing.name


@edit("scale an object")
def scale(scene):
    thing = scene.placed()[0]
    thing.scale *= 1.5
    return thing.name


@edit("scale along one axis")
def scale_one(scene):
    thing = scene.placed()[0]
    thing.scale.x *= 2
    return thing.name


@edit("duplicate an object")
def duplicate(scene):
    thing = scene.placed()[0]
    select(thing)
    bpy.ops.object.duplicate(linked=False)
    bpy.context.object.location += Vector((4.0, 0.0, 0.0))
    return bpy.context.object.name


@edit("duplicate linked")
def duplicate_linked(scene):
    thing = scene.placed()[0]
    select(thing)
    bpy.ops.object.duplicate(linked=True)
    bpy.context.object.location += Vector((0.0, 4.0, 0.0))
    return bpy.context.object.name


@edit("delete an object")
def delete(scene):
    thing = scene.free(2)[0]
    name = thing.name
    select(thing)
    bpy.ops.object.delete()
    return name


@edit("add a cube")
def add_cube(scene):
    parent, material = scene.placed()[0].parent, scene.material(picture=True)
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=(5.0, 5.0, 1.0))
    bpy.context.object.data.materials.append(material)
    bpy.context.object.parent = parent
    return f"{bpy.context.object.name} of {material.name}"


@edit("rename an object")
def rename(scene):
    thing = scene.free()[0]
    before, thing.name = thing.name, "renamed"
    return before


@edit("parent to another object")
def parent(scene):
    other, thing = scene.free(2)[:2]
    select(other, thing)
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
    return f"{thing.name} to {other.name}"


@edit("hide an object")
def hide(scene):
    thing = scene.placed()[0]
    thing.hide_set(True)
    return thing.name


@edit("apply transforms")
def apply_transforms(scene):
    thing = scene.placed()[0]
    thing.scale *= 1.25
    if thing.data.users > 1:
        thing.data = thing.data.copy()
    select(thing)
    bpy.ops.object.transform_apply(location=False, rotation=True, scale=True)
    return thing.name


@edit("apply modifiers", export_apply=True)
def apply_modifiers(scene):
    thing = scene.meshes(2)[0]
    modifier = thing.modifiers.new("Subdivision", "SUBSURF")
    modifier.subdivision_type = "SIMPLE"
    modifier.levels = 1
    return thing.name


@edit("join two objects")
def join(scene):
    one, other = scene.free(2)[:2]
    select(one, other)
    bpy.ops.object.join()
    return one.name


@edit("move the terrain")
def move_terrain(scene):
    thing = next((thing for thing in scene.objects("MESH") if is_terrain(thing)), None) or absent("no terrain")
    thing.location.z += 1.0
    return thing.name


# Meshes.


@edit("move a vertex")
def move_vertex(scene):
    thing = scene.meshes(2)[0]
    step = size(thing) / 8
    corner = thing.data.vertices[0].co.copy()
    # Corners with other texture coordinates are vertices of their own in a glTF file; Blender moves them together.
    for vertex in thing.data.vertices:
        if (vertex.co - corner).length < 1e-6:
            vertex.co.z += step
    return thing.name


@edit("move several vertices")
def move_vertices(scene):
    thing = scene.meshes(2)[0]
    middle = sum(vertex.co.x for vertex in thing.data.vertices) / len(thing.data.vertices)
    step = size(thing) / 8
    for vertex in thing.data.vertices:
        if vertex.co.x >= middle:
            vertex.co.x += step
    return thing.name


@edit("scale a mesh")
def scale_mesh(scene):
    thing = scene.meshes(2)[0]
    thing.data.transform(Matrix.Scale(1.25, 4))
    return thing.name


@edit("UV of one face")
def uv_face(scene):
    thing = next((thing for thing in scene.meshes(2) if thing.data.uv_layers), None) or absent("no UV")
    layer = thing.data.uv_layers[0].data
    for loop in thing.data.polygons[0].loop_indices:
        layer[loop].uv = layer[loop].uv + Vector((0.25, 0.125))
    return thing.name


@edit("UV of a mesh")
def uv_mesh(scene):
    thing = next((thing for thing in scene.meshes(2) if thing.data.uv_layers), None) or absent("no UV")
    for corner in thing.data.uv_layers[0].data:
        corner.uv = corner.uv * 0.5
    return thing.name


@edit("paint vertex colors")
def paint(scene):
    thing = next((thing for thing in scene.meshes(2) if thing.data.color_attributes), None) or absent("no colors")
    layer = thing.data.color_attributes[0]
    face = thing.data.polygons[0]
    places = face.loop_indices if layer.domain == "CORNER" else face.vertices
    for place in places:
        layer.data[place].color_srgb = (1.0, 0.75, 0.5, layer.data[place].color_srgb[3])
    return thing.name


@edit("delete a face")
def delete_face(scene):
    thing = scene.meshes(3)[0]
    with_bmesh(thing, lambda mesh: bmesh.ops.delete(mesh, geom=[mesh.faces[0]], context="FACES"))
    return thing.name


@edit("extrude a face")
def extrude(scene):
    thing = scene.meshes(2)[0]
    step = size(thing) / 4

    def extrude_one(mesh):
        face = mesh.faces[0]
        normal = face.normal.copy()
        made = bmesh.ops.extrude_face_region(mesh, geom=[face])["geom"]
        points = [part for part in made if isinstance(part, bmesh.types.BMVert)]
        bmesh.ops.translate(mesh, verts=points, vec=normal * step)
        bmesh.ops.delete(mesh, geom=[face], context="FACES")

    with_bmesh(thing, extrude_one)
    return thing.name


@edit("duplicate a face")
def duplicate_face(scene):
    thing = scene.meshes(2)[0]
    step = size(thing) / 4

    def duplicate_one(mesh):
        made = bmesh.ops.duplicate(mesh, geom=[mesh.faces[0]])["geom"]
        points = [part for part in made if isinstance(part, bmesh.types.BMVert)]
        bmesh.ops.translate(mesh, verts=points, vec=(0, 0, step))

    with_bmesh(thing, duplicate_one)
    return thing.name


@edit("subdivide")
def subdivide(scene):
    thing = scene.meshes(2)[0]
    in_edit_mode(thing, lambda: bpy.ops.mesh.subdivide(number_cuts=1))
    return thing.name


@edit("merge by distance")
def merge(scene):
    thing = scene.meshes(2)[0]
    in_edit_mode(thing, lambda: bpy.ops.mesh.remove_doubles(threshold=0.0001))
    return thing.name


@edit("triangles to quads")
def quads(scene):
    thing = scene.meshes(2)[0]
    in_edit_mode(thing, lambda: bpy.ops.mesh.tris_convert_to_quads())
    return thing.name


@edit("triangulate")
def triangulate(scene):
    thing = scene.meshes(2)[0]
    in_edit_mode(thing, lambda: bpy.ops.mesh.quads_convert_to_tris())
    return thing.name


@edit("separate faces")
def separate(scene):
    thing = scene.meshes(3)[0]
    select(thing)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_mode(type="FACE")
    bpy.ops.mesh.select_all(action="DESELECT")
    bpy.ops.object.mode_set(mode="OBJECT")
    thing.data.polygons[0].select = True
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.separate(type="SELECTED")
    bpy.ops.object.mode_set(mode="OBJECT")
    return thing.name


@edit("shade smooth")
def smooth(scene):
    thing = scene.meshes(4)[0]
    select(thing)
    attribute = thing.data.attributes.get("custom_normal")
    if attribute:
        thing.data.attributes.remove(attribute)
    bpy.ops.mesh.customdata_custom_splitnormals_clear()
    in_edit_mode(thing, lambda: bpy.ops.mesh.remove_doubles(threshold=0.0001))
    bpy.ops.object.shade_smooth()
    return thing.name


@edit("flip a face")
def flip(scene):
    thing = scene.meshes(2)[0]
    with_bmesh(thing, lambda mesh: bmesh.ops.reverse_faces(mesh, faces=[mesh.faces[0]]))
    return thing.name


@edit("other material of a face")
def reassign(scene):
    for thing in scene.meshes(2):
        faces, slots = thing.data.polygons, len(thing.material_slots)
        if slots > 1:
            faces[0].material_index = (faces[0].material_index + 1) % slots
            return thing.name
    thing = scene.meshes(2)[0]
    other = next((m for m in bpy.data.materials if m.users and m != thing.data.materials[0]), None)
    thing.data.materials.append(other or absent("one material"))
    thing.data.polygons[0].material_index = 1
    return f"{thing.name}: {other.name}"


# Materials.


def set_color(material, color):
    socket = color_socket(material)
    if not socket.is_linked:
        if not hasattr(socket, "default_value"):
            absent("no color")
        alpha = socket.default_value[3]
        socket.default_value = (*color, alpha)
        return
    tree = material.node_tree
    for link in tree.links:
        if link.to_socket == socket and link.from_node.type == "MIX":
            for place in link.from_node.inputs:
                if place.type == "RGBA" and not place.is_linked:
                    place.default_value = (*color, 1.0)
                    return
    source = next(link.from_socket for link in tree.links if link.to_socket == socket)
    mix = tree.nodes.new("ShaderNodeMix")
    mix.data_type, mix.blend_type = "RGBA", "MULTIPLY"
    mix.inputs["Factor"].default_value = 1.0
    tree.links.new(source, mix.inputs[6])
    mix.inputs[7].default_value = (*color, 1.0)
    tree.links.new(mix.outputs[2], socket)


@edit("color of a plain material")
def color(scene):
    material = scene.material(picture=False)
    set_color(material, (0.1, 0.6, 0.2))
    return material.name


@edit("tint of a picture")
def tint(scene):
    material = scene.material(picture=True)
    set_color(material, (1.0, 0.25, 0.25))
    return material.name


def alpha_socket(material):
    for node in material.node_tree.nodes:
        if node.type == "BSDF_PRINCIPLED":
            return node.inputs["Alpha"]
    for node in material.node_tree.nodes:
        # Of an unlit one; another such node hides it from the light.
        if node.type == "MIX_SHADER" and not any(link.from_node.type == "LIGHT_PATH" for link in node.inputs[0].links):
            return node.inputs[0]
    absent("no opacity")


@edit("opacity")
def opacity(scene):
    materials = [slot.material for thing in scene.meshes() for slot in thing.material_slots if slot.material]
    for material in materials:
        try:
            socket = alpha_socket(material)
        except Absent:
            continue
        if not socket.is_linked:
            socket.default_value = 0.5
            if hasattr(material, "blend_method"):
                material.blend_method = "BLEND"
            return material.name
    absent("no opacity")


@edit("alpha of the picture used")
def use_alpha(scene):
    for thing in scene.meshes():
        for slot in thing.material_slots:
            node = slot.material and image_node(slot.material)
            try:
                socket = node and alpha_socket(slot.material)
            except Absent:
                continue
            if node and not socket.is_linked:
                slot.material.node_tree.links.new(node.outputs["Alpha"], socket)
                if hasattr(slot.material, "blend_method"):
                    slot.material.blend_method = "BLEND"
                return slot.material.name
    absent("no opaque picture")


@edit("alpha of the picture not used")
def drop_alpha(scene):
    for thing in scene.meshes():
        for slot in thing.material_slots:
            try:
                socket = slot.material and alpha_socket(slot.material)
            except Absent:
                continue
            if socket and socket.is_linked:
                for link in list(socket.links):
                    slot.material.node_tree.links.remove(link)
                socket.default_value = 1.0
                return slot.material.name
    absent("no picture with alpha")


@edit("double sided")
def double_sided(scene):
    material = scene.material(picture=True)
    material.use_backface_culling = not material.use_backface_culling
    return material.name


@edit("other picture")
def other_picture(scene):
    material = scene.material(picture=True)
    node = image_node(material)
    others = {image_node(m).image for m in bpy.data.materials if m.users and image_node(m)} - {node.image}
    node.image = min(others, key=lambda image: image.name) if others else absent("one picture")
    return f"{material.name}: {node.image.name}"


def new_image(scene):
    image = bpy.data.images.new("fresh", 16, 16)
    image.pixels = [part for y in range(16) for x in range(16) for part in (x // 8, y // 8, 0.5, 1.0)]
    image.filepath_raw = os.path.join(scene.folder, "fresh.png")
    image.file_format = "PNG"
    image.save()
    return image


@edit("new picture")
def new_picture(scene):
    material = scene.material(picture=True)
    image_node(material).image = new_image(scene)
    return material.name


@edit("remove a picture")
def remove_picture(scene):
    material = scene.material(picture=True)
    for node in [node for node in material.node_tree.nodes if node.type == "TEX_IMAGE"]:
        material.node_tree.nodes.remove(node)
    return material.name


@edit("rename a material")
def rename_material(scene):
    material = scene.material(picture=True)
    before, material.name = material.name, "renamed"
    return before


def add_material(thing, name):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    thing.data.materials.append(material)
    thing.data.polygons[0].material_index = len(thing.data.materials) - 1
    return material


@edit("new material of a color")
def new_material(scene):
    thing = scene.meshes(2)[0]
    material = add_material(thing, "plain_new")
    color_socket(material).default_value = (0.8, 0.1, 0.1, 1.0)
    return f"{thing.name}: {material.name}"


@edit("new material with a new picture")
def new_material_picture(scene):
    thing = next((thing for thing in scene.meshes(2) if thing.data.uv_layers), None) or absent("no UV")
    material = add_material(thing, "pictured_new")
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = new_image(scene)
    material.node_tree.links.new(node.outputs["Color"], color_socket(material))
    return f"{thing.name}: {material.name}"


@edit("roughness")
def roughness(scene):
    material = scene.material()
    for node in material.node_tree.nodes:
        if node.type == "BSDF_PRINCIPLED":
            node.inputs["Roughness"].default_value = 0.2
            return material.name
    absent("the material is unlit")


# Extras.


@edit("extras of a node")
def extras_node(scene):
    try:
        thing, extras = scene.with_extras("flags")
        if isinstance(extras["flags"], int):
            absent("flags are a number")
        flags = [flag for flag in extras["flags"] if isinstance(flag, str)]
        extras["flags"] = flags[:-1] if len(flags) > 1 else [*flags, "active"]
        return f"{thing.name}: {flags}"
    except Absent:
        pass
    for thing in scene.objects("EMPTY") + scene.objects("MESH"):
        for key, value in (thing.get("everquest") or {}).items():
            if isinstance(value, float):
                thing["everquest"][key] = value * 0.5 + 0.25
                return f"{thing.name}: {key}"
    absent("no number in the extras of a node")


@edit("unknown extras of a node")
def extras_unknown(scene):
    thing = scene.meshes()[0]
    thing["note"] = "for the level designer"
    return thing.name


def change_number(extras):
    """Changes the first number with a fraction in the extras of the game, also in groups; returns its name."""
    for key, value in extras.items():
        if hasattr(value, "items"):
            changed = change_number(value)
            if changed:
                return f"{key}.{changed}"
        elif isinstance(value, float):
            extras[key] = value * 0.5 + 0.25
            return f"{key} {value}"
    return None


@edit("extras of a material")
def extras_material(scene):
    for thing in scene.meshes():
        for slot in thing.material_slots:
            extras = (slot.material.get("zipper") or slot.material.get("everquest")) if slot.material else None
            changed = extras and change_number(extras)
            if changed:
                return f"{slot.material.name}: {changed}"
    absent("no number in the extras of a material")


# Lights and cameras.


def empty_light(scene):
    """A light of EverQuest: an empty node with its values as extras."""
    for thing in scene.objects("EMPTY"):
        extras = thing.get("everquest") or {}
        if "radius" in extras and "color" in extras:
            return thing, extras
    absent("no lights")


@edit("move a light", **LIGHTS)
def move_light(scene):
    try:
        thing = scene.lights()[0]
    except Absent:
        thing = empty_light(scene)[0]
    thing.location += Vector((1.0, 2.0, 0.5))
    return thing.name


@edit("color of a light", **LIGHTS)
def color_light(scene):
    try:
        thing = scene.lights()[0]
        thing.data.color = (0.25, 0.5, 1.0)
    except Absent:
        thing, extras = empty_light(scene)
        extras["color"] = [0.25, 0.5, 1.0]
    return thing.name


@edit("radius of a light", **LIGHTS)
def radius_light(scene):
    try:
        thing = next((thing for thing in scene.lights() if thing.data.type != "SUN"), None) or absent("only suns")
        thing.data.use_custom_distance = True
        thing.data.cutoff_distance = thing.data.cutoff_distance * 0.5
    except Absent:
        thing, extras = empty_light(scene)
        extras["radius"] = extras["radius"] * 2
    return thing.name


@edit("strength of a light", **LIGHTS)
def strength_light(scene):
    thing = scene.lights()[0]
    thing.data.energy *= 0.5
    return thing.name


@edit("extras of a light", **LIGHTS)
def extras_light(scene):
    for thing in scene.lights():
        changed = change_number(thing.data.get("zipper") or {})
        if changed:
            return f"{thing.name}: {changed}"
    absent("no number in the extras of a light")


@edit("delete a light", **LIGHTS)
def delete_light(scene):
    try:
        thing = scene.lights()[0]
    except Absent:
        thing = empty_light(scene)[0]
    name = thing.name
    bpy.data.objects.remove(thing)
    return name


@edit("add a light", **LIGHTS)
def add_light(scene):
    bpy.ops.object.light_add(type="POINT", location=(4.0, 6.0, 2.0))
    thing = bpy.context.object
    thing.data.energy, thing.data.color = 400.0, (1.0, 0.5, 0.25)
    thing.data.use_custom_distance, thing.data.cutoff_distance = True, 12.0
    return thing.name


@edit("add a light without a range", **LIGHTS)
def add_plain_light(scene):
    bpy.ops.object.light_add(type="POINT", location=(4.0, 6.0, 2.0))
    return bpy.context.object.name


@edit("add a spot light", **LIGHTS)
def add_spot(scene):
    bpy.ops.object.light_add(type="SPOT", location=(4.0, 6.0, 2.0), rotation=(0.5, 0.25, 0.0))
    thing = bpy.context.object
    thing.data.use_custom_distance, thing.data.cutoff_distance = True, 12.0
    return thing.name


@edit("add a sun", **LIGHTS)
def add_sun(scene):
    bpy.ops.object.light_add(type="SUN", location=(4.0, 6.0, 2.0), rotation=(0.5, 0.25, 0.0))
    return bpy.context.object.name


def duplicated_light(scene, linked):
    try:
        thing = scene.lights()[0]
    except Absent:
        thing = empty_light(scene)[0]
    select(thing)
    bpy.ops.object.duplicate(linked=linked)
    bpy.context.object.location += Vector((3.0, 1.0, 0.5))
    return bpy.context.object.name


@edit("duplicate a light", **LIGHTS)
def duplicate_light(scene):
    return duplicated_light(scene, linked=False)


@edit("duplicate a light linked", **LIGHTS)
def duplicate_light_linked(scene):
    return duplicated_light(scene, linked=True)


@edit("move a camera", **CAMERAS)
def move_camera(scene):
    thing = scene.cameras()[0]
    thing.location += Vector((1.0, 2.0, 0.5))
    return thing.name


@edit("planes of a camera", **CAMERAS)
def planes(scene):
    thing = scene.cameras()[0]
    thing.data.clip_start *= 2
    thing.data.clip_end *= 0.5
    return thing.name


@edit("angle of a camera", **CAMERAS)
def angle(scene):
    thing = scene.cameras()[0]
    thing.data.angle *= 0.75
    return thing.name


# Clips.


def tracks():
    """Tracks of clips, by name."""
    found = []
    for thing in sorted(bpy.context.scene.objects, key=lambda thing: thing.name):
        if thing.animation_data:
            found += [(thing, track) for track in thing.animation_data.nla_tracks if track.strips]
    return found or absent("no clips")


def curves(strip):
    action = strip.action
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    bag = action.layers[0].strips[0].channelbag(strip.action_slot)
    return list(bag.fcurves) if bag else []


def rotations():
    """Curves of the rotation of one bone or object in one clip, the one that moves most."""
    best, most = None, 0.0
    for thing, track in tracks():
        found = {}
        for curve in curves(track.strips[0]):
            if curve.data_path.endswith("rotation_quaternion"):
                found.setdefault(curve.data_path, []).append(curve)
        for path, of_path in found.items():
            values = [[point.co[1] for point in curve.keyframe_points] for curve in of_path]
            moved = sum(max(v) - min(v) for v in values if v)
            if moved > most:
                best, most = (thing, track, of_path), moved
    return best or absent("no rotations")


def turn(of_path, places):
    """Turns keys of a rotation by some degrees."""
    by = Matrix.Rotation(math.radians(20), 3, "X").to_quaternion()
    for place in places:
        parts = [curve.keyframe_points[place].co[1] for curve in of_path]
        turned = by @ type(by)(parts)
        for curve, value in zip(of_path, turned):
            curve.keyframe_points[place].co[1] = value
    for curve in of_path:
        curve.update()


@edit("a key of a clip")
def key(scene):
    thing, track, of_path = rotations()
    turn(of_path, [len(of_path[0].keyframe_points) // 2])
    return f"{track.name}: {of_path[0].data_path} of {thing.name}"


@edit("all keys of a bone")
def keys(scene):
    thing, track, of_path = rotations()
    turn(of_path, range(len(of_path[0].keyframe_points)))
    return f"{track.name}: {of_path[0].data_path} of {thing.name}"


@edit("longer clip")
def longer(scene):
    name = tracks()[0][1].name
    for thing, track in tracks():
        if track.name == name:
            strip = track.strips[0]
            for curve in curves(strip):
                for point in curve.keyframe_points:
                    point.co[0] *= 2
                curve.update()
            strip.action_frame_end *= 2
            strip.frame_end_ui = strip.frame_start + strip.action_frame_end
    return name


@edit("delete a clip")
def delete_clip(scene):
    name = tracks()[-1][1].name
    for thing, track in tracks():
        if track.name == name:
            thing.animation_data.nla_tracks.remove(track)
    return name


@edit("rename a clip")
def rename_clip(scene):
    name = tracks()[0][1].name
    for thing, track in tracks():
        if track.name == name:
            track.name = "renamed"
    return name


@edit("turn a bone at rest")
def rest(scene):
    for thing in bpy.context.scene.objects:
        if thing.type == "ARMATURE":
            select(thing)
            bpy.ops.object.mode_set(mode="EDIT")
            bone = next((bone for bone in thing.data.edit_bones if bone.parent), None) or absent("one bone")
            name = bone.name
            bone.transform(Matrix.Rotation(math.radians(20), 4, "X"))
            bpy.ops.object.mode_set(mode="OBJECT")
            return name
    thing = tracks()[-1][0]
    thing.rotation_quaternion = thing.rotation_quaternion @ Matrix.Rotation(math.radians(20), 3, "X").to_quaternion()
    return thing.name


@edit("move a bone at rest")
def move_rest(scene):
    thing = next((thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE"), None) or absent("no armature")
    select(thing)
    bpy.ops.object.mode_set(mode="EDIT")
    bone = next((bone for bone in thing.data.edit_bones if bone.parent), None) or absent("one bone")
    name, by = bone.name, Vector((0.25, 0.125, 0.5))
    bone.head, bone.tail = bone.head + by, bone.tail + by
    bpy.ops.object.mode_set(mode="OBJECT")
    return name


@edit("pose a bone")
def pose(scene):
    for thing in bpy.context.scene.objects:
        if thing.type == "ARMATURE":
            bone = next((bone for bone in thing.pose.bones if bone.parent), None) or absent("one bone")
            bone.rotation_mode = "QUATERNION"
            bone.rotation_quaternion = Matrix.Rotation(math.radians(20), 3, "X").to_quaternion()
            return bone.name
    absent("no armature")

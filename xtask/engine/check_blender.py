"""Loads every level and model of a folder with its import_relicast.py and compares Blender's scene with the glTF files.

Usage: python check_blender.py FOLDER. The last line is CHECK and a JSON document of passed and failed checks.
"""

import importlib.util
import json
import os
import struct
import sys

import bpy
from mathutils import Matrix, Quaternion, Vector

SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
# Blender's conversion of the axes of a glTF file: Y up becomes Z up.
AXES = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))

passed, failed = 0, []


def want(what, is_so):
    global passed
    if is_so:
        passed += 1
    else:
        failed.append(what)


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] == b"glTF":
        return json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    return json.loads(data)


def local(node):
    if "matrix" in node:
        rows = node["matrix"]
        return Matrix([[rows[column * 4 + row] for column in range(4)] for row in range(4)])
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    return Matrix.LocRotScale(
        Vector(node.get("translation", (0, 0, 0))), Quaternion((w, x, y, z)), Vector(node.get("scale", (1, 1, 1)))
    )


def places(document, scene):
    """Positions and triangle counts of the nodes with meshes of a scene."""
    found = []
    open_nodes = [(node, Matrix.Identity(4)) for node in scene.get("nodes", [])]
    while open_nodes:
        index, above = open_nodes.pop()
        node = document["nodes"][index]
        place = above @ local(node)
        if "mesh" in node and "skin" not in node:
            triangles = 0
            for primitive in document["meshes"][node["mesh"]]["primitives"]:
                if primitive.get("mode", 4) == 4:
                    accessor = primitive.get("indices", primitive["attributes"]["POSITION"])
                    triangles += document["accessors"][accessor]["count"] // 3
            found.append(((AXES @ place).to_translation(), triangles))
        open_nodes += [(child, place) for child in node.get("children", [])]
    return found


def length(document, clip):
    return max(document["accessors"][sampler["input"]]["max"][0] for sampler in clip["samplers"])


def is_excluded(script, collection):
    layer = script.layer_of(collection)
    return layer is not None and layer.exclude


def check(script, folder, stem, path, parts):
    name = script.short(stem)
    script.main([stem])
    documents = [read(os.path.join(folder, path))]
    documents += [read(os.path.join(folder, part)) for part in parts.values()]
    bpy.context.view_layer.update()
    whole = bpy.data.collections[name]
    want(f"{stem}: a collection for each file", len(whole.children) == 1 + len(parts))
    first = whole.children[0]
    want(f"{stem}: it is shown", not is_excluded(script, first))
    for part in parts:
        holder = bpy.data.collections.get(f"{name} {part}")
        want(f"{stem}: {part} is there", holder is not None)
        want(f"{stem}: {part} is not shown", holder is not None and is_excluded(script, holder))
    for number, scene in enumerate(documents[0]["scenes"]):
        holder = first
        if len(documents[0]["scenes"]) > 1:
            holder = first.children[number]
            want(f"{stem}: of its states the first is shown", is_excluded(script, holder) == (number > 0))
        if number > 0:
            # Excluded objects have no positions until they are shown.
            continue
        meshes = [thing for thing in holder.all_objects if thing.type == "MESH" and thing.find_armature() is None]
        there = [(thing.matrix_world.to_translation(), len(thing.data.polygons)) for thing in meshes]
        # Blender drops faces without area, and duplicates.
        for place, triangles in places(documents[0], scene):
            fits = any((place - at).length < 1e-3 * max(1.0, place.length) and 0 < faces <= triangles for at, faces in there)
            want(f"{stem}: {triangles} triangles at {tuple(place)}", fits or triangles == 0)
    clips = [(document, clip) for document in documents for clip in document.get("animations", [])]
    actions = [action for action in bpy.data.actions if "relicast" in action]
    # Blender before 4.4 has an action for each object of a clip.
    named = {action.get("relicast_clip", action.name) for action in actions}
    want(f"{stem}: {len(clips)} clips, {len(named)} actions", len(clips) == len(named))
    for document, clip in clips:
        names = (clip["name"][:63], clip["name"][:59] + ".001")
        fits = [action for action in actions if action.get("relicast_clip", action.name) in names]
        want(f"{stem}: {clip['name']} is an action", bool(fits))
        for action in fits[:1]:
            frames = length(document, clip) * bpy.context.scene.render.fps
            want(f"{stem}: {clip['name']} has {frames} frames, not {action.frame_end}", abs(action.frame_end - frames) < 0.6)
            facts = (clip.get("extras") or {}).get("zipper") or (clip.get("extras") or {}).get("everquest") or {}
            want(f"{stem}: events of {clip['name']}", len(action.pose_markers) == len(facts.get("marks", [])))
            want(f"{stem}: facts of {clip['name']}", json.loads(action["relicast"]) == facts)
            want(f"{stem}: {clip['name']} goes round", not facts.get("loop") or action.use_cyclic)
    want(f"{stem}: frames of the scene", bpy.context.scene.frame_end >= max([0, *(round(a.frame_end) for a in actions)]))
    for image in bpy.data.images:
        if image.source == "FILE":
            want(f"{stem}: picture {image.name}", image.size[0] > 0)


def main():
    folder = sys.argv[1]
    place = os.path.join(folder, "import_relicast.py")
    specification = importlib.util.spec_from_file_location("import_relicast", place)
    script = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(script)
    for kind in ("worlds", "models"):
        found = script.scenes_of(kind)
        for stem, parts in script.parted(found).items():
            bpy.ops.wm.read_factory_settings(use_empty=True)
            check(script, folder, stem, found[stem], parts)
    print("CHECK", json.dumps({"passed": passed, "failed": failed}))


main()

"""Compares an edit in Blender with what the packed game shows, from glTF files alone.

Usage: python rounds_compare.py JOBS. JOBS is a JSON list of objects with four paths: `original`, the scene that was
converted; `unedited` and `edited`, as Blender exports it; `packed`, the scene of the packed game. The difference from
`unedited` to `edited` is the edit; the one from `original` to `packed` must be the same. A line COMPARED follows for
each job: `edits`, what the edit is; `lost`, what the packed scene does not show; `others`, what else changed.
"""

import copy
import functools
import hashlib
import json
import os
import re
import shutil
import struct
import sys
import tempfile
import traceback
from urllib.parse import unquote

import bpy
import numpy as np

TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

# Folder of pictures that are inside of scenes.
INSIDE = tempfile.mkdtemp()

# Smallest differences that are edits: the games store less than a glTF file.
POSITION, UV, COLOR, NORMAL, ANGLE = 0.02, 0.006, 0.02, 0.08, 0.004


class Scene:
    """The first scene of a file."""

    def __init__(self, path, rest=None):
        with open(path, "rb") as file:
            data = file.read()
        self.buffers, self.folder = [], os.path.dirname(path)
        if data[:4] == b"glTF":
            length = struct.unpack_from("<I", data, 12)[0]
            self.json = json.loads(data[20 : 20 + length])
            self.buffers.append(data[28 + length :])
        else:
            self.json = json.loads(data)
            for buffer in self.json.get("buffers", []):
                with open(os.path.join(os.path.dirname(path), unquote(buffer["uri"])), "rb") as file:
                    self.buffers.append(file.read())
        self.nodes = self.json.get("nodes", [])
        # Models in EQG format have a face for each side.
        shaders = [found.get("extras", {}).get("everquest", {}).get("shader") for found in self.json.get("materials", [])]
        self.has_sides = any(shaders)
        self.parents = {child: at for at, node in enumerate(self.nodes) for child in node.get("children", [])}
        first = self.json["scenes"][self.json.get("scene", 0)]
        self.worlds, self.order = {}, []
        open_nodes = [(root, np.eye(4)) for root in first.get("nodes", [])]
        while open_nodes:
            at, above = open_nodes.pop()
            self.order.append(at)
            self.worlds[at] = above @ local(self.nodes[at])
            open_nodes += [(child, self.worlds[at]) for child in self.nodes[at].get("children", [])]
        # Bones at rest, by name. Blender's have no scale, so its files are read with the bones of the original.
        self.rest = {node.get("name"): self.worlds[at] for at, node in enumerate(self.nodes) if at in self.worlds}
        self.rest.update(rest or {})

    def binds(self):
        """Matrices from vertices to bones, by the name of the bone."""
        found = {}
        for skin in self.json.get("skins", []):
            matrices = self.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
            found.update((self.nodes[joint].get("name"), matrix) for joint, matrix in zip(skin["joints"], matrices))
        return found

    def move_bones(self, unedited):
        """Moves bones at rest as the edit does. Returns the names of those with another place below their parents."""
        binds, before, moved = self.binds(), unedited.binds(), set()
        for name in binds.keys() & before.keys() & self.rest.keys():
            if np.abs(binds[name] - before[name]).max() > ANGLE:
                self.rest[name] = self.rest[name] @ before[name] @ np.linalg.inv(binds[name])
                at = next(at for at, node in enumerate(self.nodes) if node.get("name") == name)
                moved |= {name, *(self.nodes[child].get("name") for child in self.nodes[at].get("children", []))}
        return moved

    def others(self):
        """Names of nodes of further scenes only."""
        mine = {self.nodes[at].get("name") for at in self.order}
        return {node.get("name") for node in self.nodes} - mine

    def accessor(self, index):
        accessor = self.json["accessors"][index]
        count, kind = accessor["count"], np.dtype(TYPES[accessor["componentType"]])
        size = SIZES[accessor["type"]]
        if "bufferView" not in accessor:
            values = np.zeros((count, size), kind)
        else:
            view = self.json["bufferViews"][accessor["bufferView"]]
            start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
            stride = view.get("byteStride") or kind.itemsize * size
            data = self.buffers[view["buffer"]]
            rows = np.ndarray((count, size), kind, data, start, (stride, kind.itemsize)).copy()
            values = rows
        if accessor.get("normalized"):
            values = np.maximum(values / np.iinfo(kind).max, -1.0)
        return values if accessor["componentType"] == 5125 or kind.kind in "ui" and not accessor.get("normalized") else values.astype(float)


def facts_of(node):
    """Extras of a node, without flags that say which boxes it has: they follow from its parts."""
    facts = flat(node.get("extras", {}), "extras")
    for path, value in facts.items():
        if path.endswith(".flags") and isinstance(value, str):
            facts[path] = json.dumps([flag for flag in json.loads(value) if not str(flag).startswith("bbox_")])
    return facts


def local(node):
    if "matrix" in node:
        return np.array(node["matrix"]).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    matrix = np.eye(4)
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    matrix[:3, :3] = turn * np.array(node.get("scale", (1, 1, 1)))
    matrix[:3, 3] = node.get("translation", (0, 0, 0))
    return matrix


def base(name):
    """A name without the number at its end."""
    return re.sub(r"(\.\d\d\d|_\d+)$", "", name or "")


def stem(path):
    """The name of a picture, without what the conversion adds for some materials (.additive, .normal)."""
    return os.path.basename(unquote(path)).split(".")[0]


def image_of(scene, info):
    return scene.json["images"][scene.json["textures"][info["index"]]["source"]]


def picture(scene, info):
    if info is None:
        return None
    image = image_of(scene, info)
    if "uri" in image:
        return stem(image["uri"])
    # Inside of a scene, pictures have the names of the game's files.
    return re.sub(r"_(bmp|dds|tga|png|jpg)(_\d+)?$", "", stem(image.get("name", "")))


def image_path(scene, info):
    """The file of a picture; one inside of the scene is written to a file."""
    if info is None:
        return None
    image = image_of(scene, info)
    if "uri" in image:
        return os.path.join(scene.folder, unquote(image["uri"]))
    view = scene.json["bufferViews"][image["bufferView"]]
    start = view.get("byteOffset", 0)
    data = scene.buffers[view["buffer"]][start : start + view["byteLength"]]
    path = os.path.join(INSIDE, f"{hashlib.sha256(data).hexdigest()}.png")
    with open(path, "wb") as file:
        file.write(data)
    return path


def look(facts):
    """Texels that a material shows, with its color, opacity and alpha mode."""
    return texels_of(facts["image"], facts["factor"], facts["opacity"], facts["alpha mode"]) if facts else None


@functools.lru_cache(maxsize=64)
def texels_of(path, factor, opacity, mode):
    if path is None:
        texels = np.ones((1, 1, 4))
    else:
        image = bpy.data.images.load(path, check_existing=True)
        width, height = image.size
        texels = np.array(image.pixels[:], float).reshape(height, width, 4)
    light = np.where(texels[..., :3] <= 0.04045, texels[..., :3] / 12.92, ((texels[..., :3] + 0.055) / 1.055) ** 2.4)
    texels[..., :3] = to_srgb(light * np.array(factor))
    alpha = texels[..., 3] * opacity
    kept = {"OPAQUE": np.ones_like(alpha), "MASK": (alpha >= 0.5).astype(float)}
    texels[..., 3] = kept.get(mode, alpha)
    texels[..., :3] *= texels[..., 3:] > 0
    return texels


def looks_like(one, other):
    """True if two materials show the same texels, such as a tinted picture and one that has the tint in it."""
    one, other = look(one), look(other)
    if one is None or other is None or (one.shape != other.shape and 4 not in (one.size, other.size)):
        return False
    return np.abs(one - other).max() <= 0.03


def is_plain(picture):
    """True without a picture, and for one that holds a plain color."""
    return picture is None or re.fullmatch(r"color_[0-9a-f]{6}(_\d+)?", picture) is not None


def to_srgb(color):
    color = np.clip(np.array(color, float), 0, 1)
    return np.where(color <= 0.0031308, color * 12.92, 1.055 * color ** (1 / 2.4) - 0.055)


def material(scene, index):
    """What can be seen of a material."""
    if index is None:
        return {}
    found = scene.json["materials"][index]
    surface = found.get("pbrMetallicRoughness", {})
    factor = surface.get("baseColorFactor", [1, 1, 1, 1])
    facts = {
        "color": tuple(round(float(part), 4) for part in to_srgb(factor[:3])),
        "opacity": float(factor[3]),
        "alpha mode": found.get("alphaMode", "OPAQUE"),
        "double sided": found.get("doubleSided", False),
        "picture": picture(scene, surface.get("baseColorTexture")),
        "image": image_path(scene, surface.get("baseColorTexture")),
        "factor": tuple(factor[:3]),
        "name of the material": found.get("name"),
        "roughness": round(float(surface.get("roughnessFactor", 1.0)), 2),
        "emission": tuple(round(float(part), 3) for part in found.get("emissiveFactor", [0, 0, 0])),
    }
    facts.update(flat(found.get("extras", {}), "extras"))
    return facts


def flat(value, path):
    """Values of a document by their paths."""
    if isinstance(value, dict):
        found = {}
        for key, inner in value.items():
            found.update(flat(inner, f"{path}.{key}"))
        return found
    if isinstance(value, list) and all(isinstance(part, (int, float)) and not isinstance(part, bool) for part in value):
        return {path: tuple(value)}
    return {path: json.dumps(value, sort_keys=True) if isinstance(value, list) else value}


def same(one, other):
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return all(same(a, b) for a, b in zip(one, other))
    if isinstance(one, (int, float)) and isinstance(other, (int, float)) and not isinstance(one, bool):
        return abs(one - other) <= 0.008 * max(1.0, abs(one), abs(other))
    return one == other


class Shape:
    """The mesh of a node: corners of its triangles, and the material of each triangle."""

    def __init__(self, scene, at):
        node = scene.nodes[at]
        parts = {"corners": [], "uv": [], "color": [], "normal": [], "centers": []}
        self.materials, self.area, self.turned = [], 0.0, np.zeros(3)
        self.triangles = 0
        for primitive in scene.json["meshes"][node["mesh"]]["primitives"]:
            attributes = primitive["attributes"]
            points = scene.accessor(attributes["POSITION"])
            if "skin" in node:
                points = posed(scene, node["skin"], attributes, points)
            count = len(points)
            has = "indices" in primitive
            index = scene.accessor(primitive["indices"])[:, 0].astype(int) if has else np.arange(count)
            index = index[: len(index) // 3 * 3]
            triangles = points[index].reshape(-1, 3, 3)
            cross = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
            real = np.linalg.norm(cross, axis=1) > 1e-9
            index = index.reshape(-1, 3)[real].reshape(-1)
            triangles, cross = triangles[real], cross[real]
            facts = material(scene, primitive.get("material"))
            front = len(index)
            if scene.has_sides and facts.pop("double sided", False):
                index = np.concatenate([index, index.reshape(-1, 3)[:, ::-1].reshape(-1)])
                triangles, cross = np.concatenate([triangles, triangles[:, ::-1]]), np.concatenate([cross, -cross])
            self.triangles += len(triangles)
            self.area += float(np.linalg.norm(cross, axis=1).sum()) / 2
            self.turned = self.turned + cross.sum(axis=0) / 2
            parts["corners"].append(points[index])
            uv = scene.accessor(attributes["TEXCOORD_0"]) if "TEXCOORD_0" in attributes else np.zeros((count, 2))
            color = scene.accessor(attributes["COLOR_0"])[:, :3] if "COLOR_0" in attributes else np.ones((count, 3))
            normal = scene.accessor(attributes["NORMAL"]) if "NORMAL" in attributes else np.zeros((count, 3))
            # Pictures repeat; what the coordinates of a surface without a picture are cannot be seen.
            if is_plain(facts.get("picture")):
                uv = np.zeros((count, 2))
            parts["uv"].append(uv[index])
            parts["color"].append(to_srgb(color[index]))
            turned = np.where(np.arange(len(index)) < front, 1.0, -1.0)[:, None]
            parts["normal"].append(normal[index] * turned)
            parts["centers"].append(triangles.mean(axis=1))
            self.materials += [facts] * len(triangles)
        stacked = {name: np.concatenate(rows) if rows else np.zeros((0, 3)) for name, rows in parts.items()}
        self.centers = stacked["centers"]
        points = stacked["corners"] / POSITION
        self.rows = {
            "positions": points,
            "UV": np.hstack([points, stacked["uv"] / UV]),
            "colors": np.hstack([points, stacked["color"] / COLOR]),
            "normals": np.hstack([points, stacked["normal"] / NORMAL]),
        }


def posed(scene, skin, attributes, points):
    """Vertices of a skin at rest, where its bones are."""
    skin = scene.json["skins"][skin]
    count = len(skin["joints"])
    inverse = scene.accessor(skin["inverseBindMatrices"]).reshape(count, 4, 4).transpose(0, 2, 1)
    bones = [scene.rest.get(scene.nodes[joint].get("name"), np.eye(4)) for joint in skin["joints"]]
    matrices = np.array(bones) @ inverse
    joints = scene.accessor(attributes["JOINTS_0"]).astype(int)
    weights = scene.accessor(attributes["WEIGHTS_0"])
    full = np.hstack([points, np.ones((len(points), 1))])
    result = np.zeros((len(points), 4))
    for i in range(4):
        result += weights[:, i : i + 1] * np.einsum("nij,nj->ni", matrices[joints[:, i]], full)
    return result[:, :3]


def unmatched(rows, others):
    """Rows without an equal one among others."""
    if len(others) == 0 or len(rows) == 0:
        return rows
    rows, others = np.unique(rows, axis=0), np.unique(others, axis=0)
    left = np.ones(len(rows), bool)
    for start in range(0, len(rows), 512):
        part = rows[start : start + 512]
        far = np.abs(part[:, None, :] - others[None, :, :]).max(axis=2).min(axis=1)
        left[start : start + 512] = far > 1.0
    return rows[left]


def place_rows(place, rows):
    """Rows whose first three numbers are positions, moved."""
    moved = rows.copy()
    moved[:, :3] = (rows[:, :3] * POSITION @ place[:3, :3].T + place[:3, 3]) / POSITION
    return moved


def placed(shape, place):
    """A shape in the space of the scene."""
    there = copy.copy(shape)
    there.rows = {aspect: place_rows(place, rows) for aspect, rows in shape.rows.items()}
    there.centers = shape.centers @ place[:3, :3].T + place[:3, 3]
    corners = there.rows["positions"].reshape(-1, 3, 3) * POSITION
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    # glTF files turn the faces of mirrored nodes.
    cross = cross * (np.sign(np.linalg.det(place[:3, :3])) or 1.0)
    there.area, there.turned = float(np.linalg.norm(cross, axis=1).sum()) / 2, cross.sum(axis=0) / 2
    return there


def model_of(node):
    """The model that a placement of EverQuest shows."""
    return (node.get("extras", {}).get("everquest") or {}).get("model")


def pairs(one, other):
    """Nodes of two scenes that are the same one, nodes of the first alone, and of the second alone."""
    left, right = list(one.order), list(other.order)
    found = []

    def take(is_same):
        for at in list(left):
            for to in right:
                if is_same(one, at, other, to):
                    found.append((at, to))
                    left.remove(at)
                    right.remove(to)
                    break

    def name(scene, at):
        return scene.nodes[at].get("name")

    def place(one, at, other, to):
        return np.abs(one.worlds[at] - other.worlds[to]).max() <= POSITION

    def kind(scene, at):
        node = scene.nodes[at]
        return "mesh" in node, "camera" in node, "extensions" in node

    take(lambda a, i, b, j: name(a, i) == name(b, j) and place(a, i, b, j))
    take(lambda a, i, b, j: base(name(a, i)) == base(name(b, j)) and place(a, i, b, j) and kind(a, i) == kind(b, j))
    take(lambda a, i, b, j: name(a, i) == name(b, j))
    take(lambda a, i, b, j: "mesh" in a.nodes[i] and kind(a, i) == kind(b, j) and place(a, i, b, j))
    return found, left, right


class Comparison:
    def __init__(self, job):
        self.original = Scene(job["original"])
        others = self.original.others()
        self.unedited = Scene(job["unedited"], self.original.rest)
        self.edited = Scene(job["edited"], self.original.rest)
        self.packed = Scene(job["packed"])
        self.moved = self.edited.move_bones(self.unedited)
        for scene in (self.unedited, self.edited):
            scene.order = [at for at in scene.order if scene.nodes[at].get("name") not in others]
        self.edits, self.lost, self.others = [], [], []
        self.shapes = {}

    def shape(self, scene, at):
        key = (id(scene), at)
        if key not in self.shapes:
            self.shapes[key] = Shape(scene, at) if "mesh" in scene.nodes[at] else None
        return self.shapes[key]

    def run(self):
        """Goes by the nodes of the original: each with its nodes in the three other files."""
        by_blender, deleted, added = pairs(self.unedited, self.edited)
        to_original, _, _ = pairs(self.original, self.unedited)
        to_packed, gone, new = pairs(self.original, self.packed)
        original_of = {u: a for a, u in to_original}
        edited_of = dict(by_blender)
        packed_of = dict(to_packed)
        unedited_of = {a: u for a, u in to_original}
        for a in self.original.order:
            name = self.original.nodes[a].get("name")
            u = unedited_of.get(a)
            e = edited_of.get(u) if u is not None else None
            p = packed_of.get(a)
            if u is None:
                if p is None:
                    self.others.append(f"{name} is gone")
                else:
                    self.untouched(name, a, p)
            elif e is None:
                self.edits.append(f"{name} deleted")
                if p is not None and not sunk(self.original, a, self.packed, p):
                    self.lost.append(f"{name} is still there")
            elif p is None:
                # A group in which nothing is left.
                if set(self.edited.nodes[e]) != {"name"}:
                    self.others.append(f"{name} is gone")
            else:
                self.node(name, a, u, e, p)
        self.added(added, new)
        self.clips(original_of)
        return {"edits": self.edits, "lost": self.lost, "others": self.others}

    def untouched(self, name, a, p):
        if np.abs(self.original.worlds[a] - self.packed.worlds[p]).max() > POSITION:
            self.others.append(f"{name} moved")

    def fact(self, what, u, e, a, p):
        """A value that is compared: changed in Blender, or not."""
        if same(u, e):
            if not same(a, p):
                self.others.append(f"{what}: {a} -> {p}")
        else:
            self.edits.append(f"{what}: {u} -> {e}")
            if not same(e, p):
                self.lost.append(f"{what}: {e}, packed {p}")

    def node(self, name, a, u, e, p):
        original, unedited, edited, packed = (
            self.original.nodes[a], self.unedited.nodes[u], self.edited.nodes[e], self.packed.nodes[p]
        )
        if self.is_reworked(name, a, u, e, p) or self.has_own_model(name, a, u, e, p):
            return
        places = [scene.worlds[at] for scene, at in ((self.original, a), (self.unedited, u), (self.edited, e), (self.packed, p))]
        if np.abs(places[1] - places[2]).max() > ANGLE:
            self.edits.append(f"{name} moved")
            expected = places[0] @ np.linalg.pinv(places[1]) @ places[2]
            if np.abs(expected - places[3]).max() > 2 * POSITION and not self.is_below_equally(e, p):
                self.lost.append(f"{name} is at {list(places[3][:3, 3].round(3))}, not {list(expected[:3, 3].round(3))}")
        elif np.abs(places[0] - places[3]).max() > POSITION:
            self.others.append(f"{name} moved")
        if base(unedited.get("name")) != base(edited.get("name")):
            self.edits.append(f"{name} renamed {edited.get('name')}")
            if base(packed.get("name")).lower() != base(edited.get("name")).lower():
                self.lost.append(f"{name} has the name {packed.get('name')}")
        elif base(original.get("name")) != base(packed.get("name")):
            self.others.append(f"{name} renamed {packed.get('name')}")
        above = [
            base(scene.nodes[scene.parents[at]].get("name")) if at in scene.parents else None
            for scene, at in ((self.unedited, u), (self.edited, e), (self.original, a), (self.packed, p))
        ]
        self.fact(f"parent of {name}", *above)
        if base(unedited.get("name")) != base(edited.get("name")):
            ignored = (*IGNORED, ".name")
        else:
            ignored = IGNORED
        extras = [facts_of(node) for node in (unedited, edited, original, packed)]
        for path in sorted(set().union(*extras)):
            if not path.endswith(ignored):
                self.fact(f"{path} of {name}", *(values.get(path) for values in extras))
        self.light(name, a, u, e, p)
        self.camera(name, a, u, e, p)
        shapes = [self.shape(scene, at) for scene, at in ((self.original, a), (self.unedited, u), (self.edited, e), (self.packed, p))]
        if all(shapes):
            self.mesh(name, *shapes)
        elif shapes[1] and not shapes[2]:
            self.edits.append(f"mesh of {name} deleted")
            if shapes[3]:
                self.lost.append(f"mesh of {name} is still there")

    def is_below_equally(self, e, p):
        """True if a node is at the same place below the same parent: Blender may write the parents in the pose of a clip."""
        one, other = (local(scene.nodes[at]) for scene, at in ((self.edited, e), (self.packed, p)))
        parents = parent_of(self.edited, e), parent_of(self.packed, p)
        return parents[0] is not None and parents[0] == parents[1] and np.abs(one - other).max() <= POSITION

    def is_reworked(self, name, a, u, e, p):
        """True if both the node and its mesh have another transform, and the packed scene shows the same as the edit."""
        shapes = [self.shape(scene, at) for scene, at in ((self.unedited, u), (self.edited, e), (self.packed, p))]
        places = [scene.worlds[at] for scene, at in ((self.unedited, u), (self.edited, e), (self.packed, p))]
        if not all(shapes) or np.abs(places[0] - places[1]).max() <= ANGLE or np.abs(places[1] - places[2]).max() <= ANGLE:
            return False
        here, there, packed = (
            place_rows(place, shape.rows["UV"]) for place, shape in zip(places, shapes)
        )
        is_other = len(unmatched(shapes[0].rows["positions"], shapes[1].rows["positions"])) > 0
        if not is_other or len(here) != len(there):
            return False
        self.edits.append(f"transform of {name} applied to its mesh")
        off = len(unmatched(there, packed)) + len(unmatched(packed, there))
        if off:
            self.lost.append(f"{off} corners of {name}")
        return True

    def has_own_model(self, name, a, u, e, p):
        """True if an edited placement got a model of its own, which the packed scene shows where and as the edit does."""
        models = [model_of(scene.nodes[at]) for scene, at in ((self.original, a), (self.packed, p))]
        sides = ((self.original, a), (self.unedited, u), (self.edited, e), (self.packed, p))
        shapes = [self.shape(scene, at) for scene, at in sides]
        if models[0] == models[1] or not all(shapes):
            return False
        shapes = [placed(shape, scene.worlds[at]) for shape, (scene, at) in zip(shapes, sides)]
        known = len(self.edits)
        for aspect in ("positions", "UV", "colors"):
            before, now, packed = (shape.rows[aspect] for shape in shapes[1:])
            if len(unmatched(before, now)) + len(unmatched(now, before)):
                self.edits.append(f"{aspect} of {name}, which has a model of its own")
            off = len(unmatched(now, packed)) + len(unmatched(packed, now))
            if off:
                self.lost.append(f"{aspect} of {off} corners of {name}")
        if shapes[2].triangles != shapes[3].triangles:
            self.lost.append(f"triangles of {name}: {shapes[3].triangles}, not {shapes[2].triangles}")
        turned = np.abs(shapes[2].turned - shapes[3].turned).max()
        if turned > 6e-3 * max(shapes[2].area, shapes[3].area) + 1e-3:
            self.lost.append(f"sides of faces of {name}")
        if len(self.edits) == known:
            self.others.append(f"{name} has a model of its own")
        self.materials(name, *shapes)
        return True

    def light(self, name, a, u, e, p):
        found = []
        for scene, at in ((self.unedited, u), (self.edited, e), (self.original, a), (self.packed, p)):
            index = light_of(scene, at)
            found.append(scene.json["extensions"]["KHR_lights_punctual"]["lights"][index] if index is not None else None)
        if found[2] is None or found[0] is None:
            return
        if found[1] is None:
            self.edits.append(f"light {name} deleted")
            if found[3] is not None:
                self.lost.append(f"light {name} is still there")
            return
        if found[3] is None:
            self.others.append(f"light {name} is gone")
            return
        for key in ("color", "range"):
            values = [light.get(key) for light in found]
            self.fact(f"{key} of light {name}", *(tuple(v) if isinstance(v, list) else v for v in values))
        power = [light.get("intensity", 1.0) for light in found]
        expected = power[2] * power[1] / power[0] if power[0] else power[1]
        # The strength follows from edited values of the game, and from any edit of a light without values.
        extras = [light.get("extras") for light in found]
        is_unset = ((extras[2] or {}).get("zipper") or {}).get("unset")
        if not same(power[0], power[1]) or (extras[0] == extras[1] and not is_unset):
            self.fact(f"strength of light {name}", power[2], expected, power[2], power[3])
        extras = [flat(light.get("extras", {}), "extras") for light in found]
        for path in sorted(set().union(*extras)):
            # The values of the game follow from an edited color or strength.
            if f"light {name}" in " ".join(self.edits) and same(extras[0].get(path), extras[1].get(path)):
                continue
            self.fact(f"{path} of light {name}", *(values.get(path) for values in extras))

    def camera(self, name, a, u, e, p):
        found = []
        for scene, at in ((self.unedited, u), (self.edited, e), (self.original, a), (self.packed, p)):
            index = camera_of(scene, at)
            found.append(scene.json["cameras"][index]["perspective"] if index is not None else None)
        if all(found):
            for key in ("yfov", "znear", "zfar"):
                self.fact(f"{key} of camera {name}", *(camera.get(key) for camera in found))

    def mesh(self, name, a, u, e, p):
        known = len(self.edits)
        moved = len(unmatched(u.rows["positions"], e.rows["positions"])) + len(unmatched(e.rows["positions"], u.rows["positions"]))
        area = [shape.area for shape in (u, e, a, p)]
        reshaped = moved > 0 or abs(area[0] - area[1]) > 1e-3 * max(area)
        for aspect in u.rows:
            gone, new = unmatched(u.rows[aspect], e.rows[aspect]), unmatched(e.rows[aspect], u.rows[aspect])
            # Normals follow from a changed shape.
            if aspect == "normals" and reshaped:
                continue
            if len(new):
                self.edits.append(f"{aspect} of {len(new)} corners of {name}")
                left = unmatched(new, p.rows[aspect])
                if len(left):
                    self.lost.append(f"{aspect} of {len(left)} of {len(new)} corners of {name}")
            if len(gone) and not len(new):
                self.edits.append(f"{len(gone)} corners of {name} gone: {aspect}")
            still = unmatched(gone, unmatched(gone, p.rows[aspect])) if len(gone) else gone
            still = unmatched(still, e.rows[aspect])
            if len(still):
                self.lost.append(f"{aspect} of {len(still)} corners of {name} are still there")
            missing = unmatched(unmatched(a.rows[aspect], p.rows[aspect]), gone)
            strange = unmatched(unmatched(p.rows[aspect], a.rows[aspect]), new)
            if len(missing) + len(strange):
                self.others.append(f"{aspect} of {max(len(missing), len(strange))} corners of {name}")
        change = e.area - u.area
        step = 2e-3 * max(area) + 1e-3
        if abs(change) > step:
            self.edits.append(f"area of {name}: {u.area:.3f} -> {e.area:.3f}")
        if abs(p.area - a.area - change) > 2 * step:
            place = self.lost if abs(change) > step else self.others
            place.append(f"area of {name}: {p.area:.3f}, not {a.area + change:.3f}")
        turned = e.turned - u.turned
        if np.abs(turned).max() > step:
            self.edits.append(f"sides of faces of {name}")
        if np.abs(p.turned - a.turned - turned).max() > 3 * step:
            place = self.lost if np.abs(turned).max() > step else self.others
            place.append(f"sides of faces of {name}")
        if len(self.edits) == known:
            self.count(name, a, u, e, p)
        self.materials(name, a, u, e, p)

    def count(self, name, a, u, e, p):
        """Removed triangles whose corners others have too, in a mesh so large that its area hardly changes."""
        if u.triangles == e.triangles:
            return
        self.edits.append(f"triangles of {name}: {u.triangles} -> {e.triangles}")
        expected = a.triangles + e.triangles - u.triangles
        if p.triangles != expected:
            self.lost.append(f"triangles of {name}: {p.triangles}, not {expected}")

    def materials(self, name, a, u, e, p):
        """Materials at the centers of the triangles of the edited mesh."""
        said = set()
        known = {material.get("name") for material in self.unedited.json.get("materials", [])}
        for center, now in zip(e.centers, e.materials):
            was, before, after = (at(shape, center, now) for shape in (u, a, p))
            if was is None:
                # A new triangle.
                after = nearest(p, center, now)
                for key in ("color", "picture"):
                    if not same(now.get(key), after.get(key)) and not looks_like(now, after):
                        said.add(("lost", f"{key} of new faces of {name}: {now.get(key)}, packed {after.get(key)}"))
                continue
            if before is None or after is None:
                continue
            keys = (set(was) | set(now) | set(before) | set(after)) - {"image", "factor"}
            is_edited = any(not same(was.get(key), now.get(key)) for key in keys)
            kept = LOOK if is_edited and looks_like(now, after) else ()
            for key in sorted(keys):
                changed = not same(was.get(key), now.get(key))
                if changed:
                    said.add(("edits", f"{key} of {name}: {was.get(key)} -> {now.get(key)}"))
                    # A new material has the name of its picture or color, no gloss, and facts of its own.
                    is_new = now.get("name of the material") not in known
                    is_named = is_new and (key in ("name of the material", "roughness") or now.get(key) is None)
                    if not same(now.get(key), after.get(key)) and not is_named and key not in kept:
                        said.add(("lost", f"{key} of {name}: {now.get(key)}, packed {after.get(key)}"))
                elif not same(before.get(key), after.get(key)) and key not in kept and not (is_edited and follows(key)):
                    if key != "name of the material":
                        said.add(("others", f"material of {name}: {key} {before.get(key)} -> {after.get(key)}"))
        for where, what in sorted(said):
            getattr(self, where).append(what)

    def added(self, added, new):
        """Added objects: the packed scene has one like it at that place."""
        for e in added:
            if self.edited.nodes[e].get("name") in {self.unedited.nodes[u].get("name") for u in self.unedited.order}:
                continue
            name, place = self.edited.nodes[e].get("name"), self.edited.worlds[e]
            self.edits.append(f"{name} added")
            light = self.light_facts(self.edited, e)
            for p in new:
                off = np.abs(self.packed.worlds[p] - place)
                # Blender turns lights that shine in all directions.
                off = off[:3, 3] if light else off
                if self.is_below_equally(e, p) or off.max() <= 2 * POSITION:
                    new.remove(p)
                    shown = self.light_facts(self.packed, p)
                    for key, value in light.items():
                        if value is not None and not same(value, shown.get(key)):
                            self.lost.append(f"{key} of light {name}: {value}, packed {shown.get(key)}")
                    shape, packed = self.shape(self.edited, e), self.shape(self.packed, p)
                    if shape and not packed:
                        self.lost.append(f"mesh of {name}")
                    elif shape and len(unmatched(shape.rows["UV"], packed.rows["UV"])):
                        self.lost.append(f"shape of {name}")
                    break
            else:
                self.lost.append(f"{name} is not there")
        for p in new:
            # Children of an added one come with it.
            above = self.packed.parents.get(p)
            if not added or above is None:
                self.others.append(f"{self.packed.nodes[p].get('name')} is new")

    def light_facts(self, scene, at):
        """Range and color of the light of a node, from the light or from the values of the game."""
        index = light_of(scene, at)
        light = scene.json["extensions"]["KHR_lights_punctual"]["lights"][index] if index is not None else {}
        facts = light.get("extras") or scene.nodes[at].get("extras", {})
        facts = facts.get("everquest") or facts.get("zipper") or {}
        color = light.get("color") or facts.get("color")
        found = {"range": light.get("range", facts.get("radius")), "color": tuple(color) if color else None}
        return found if light or "radius" in facts else {}

    def clips(self, original_of):
        files = (self.unedited, self.edited, self.original, self.packed)
        clips = [{clip.get("name"): clip for clip in scene.json.get("animations", [])} for scene in files]
        for name in clips[2]:
            if name not in clips[0]:
                continue
            if name not in clips[1]:
                self.edits.append(f"clip {name} deleted")
                if name in clips[3]:
                    self.lost.append(f"clip {name} is still there")
            elif name not in clips[3]:
                self.others.append(f"clip {name} is gone")
            else:
                self.clip(name, [Clip(scene, found[name]) for scene, found in zip(files, clips)])
        for name in clips[1]:
            if name not in clips[0]:
                self.edits.append(f"clip {name} added")
                if name not in clips[3]:
                    self.lost.append(f"clip {name} is not there")

    def clip(self, name, clips):
        unedited, edited, original, packed = clips
        if abs(unedited.end - edited.end) > 0.05:
            self.edits.append(f"length of {name}: {unedited.end:.3f} -> {edited.end:.3f}")
            if abs(edited.end - packed.end) > 0.1:
                self.lost.append(f"length of {name}: {edited.end:.3f}, packed {packed.end:.3f}")
        elif abs(original.end - packed.end) > 0.05:
            self.others.append(f"length of {name}: {original.end:.3f} -> {packed.end:.3f}")
        # A bone with a scale is at another place in the game; Blender's have none.
        for channel in edited.curves:
            if channel[1] == "translation" and channel in packed.rest and channel[0] in self.moved:
                edited.shift(channel, packed.rest[channel] - edited.rest[channel])
        said = set()
        # Blender leaves out the curves of bones at rest.
        posed = [channel for channel in edited.curves if channel not in original.curves and channel in original.rest]
        for channel in [*original.curves, *posed]:
            if channel not in unedited.curves and channel not in posed:
                continue
            # The keys of the game: what is between them is not stored.
            own = original.times[channel] if channel in original.times else edited.times[channel]
            times = own if abs(unedited.end - edited.end) < 0.05 else packed.times.get(channel, [0.0])
            for time in times:
                values = [clip.at(channel, time) for clip in clips]
                if difference(values[0], values[1]) > 0.03:
                    said.add(("edits", f"{channel[1]} of {channel[0]} in {name}"))
                    # Blender samples a clip: between its samples a key is higher than they show.
                    around = edited.around(channel, time)
                    if max(difference(edited.at(channel, at), packed.at(channel, at)) for at in around) > 0.03:
                        said.add(("lost", f"{channel[1]} of {channel[0]} in {name}"))
                elif min(difference(values[at], values[3]) for at in (1, 2)) > 0.03:
                    said.add(("others", f"{channel[1]} of {channel[0]} in {name}"))
        for where, what in sorted(said):
            getattr(self, where).append(what)


class Clip:
    """The curves of a clip, by node and property."""

    def __init__(self, scene, clip):
        self.curves, self.times, self.end = {}, {}, 0.0
        self.rest = {}
        for node in scene.nodes:
            for path, value in (("translation", (0, 0, 0)), ("rotation", (0, 0, 0, 1)), ("scale", (1, 1, 1))):
                self.rest[node.get("name"), path] = np.array(node.get(path, value), float)
        for channel in clip["channels"]:
            target, sampler = channel["target"], clip["samplers"][channel["sampler"]]
            if "node" not in target:
                continue
            key = scene.nodes[target["node"]].get("name"), target["path"]
            times = scene.accessor(sampler["input"])[:, 0]
            values = scene.accessor(sampler["output"])
            if sampler.get("interpolation") == "CUBICSPLINE":
                values = values[1::3]
            if target["path"] == "weights":
                values = values.reshape(len(times), -1)
            self.times[key], self.curves[key] = times, (values, sampler.get("interpolation"))
            self.end = max(self.end, float(times[-1]))

    def shift(self, channel, by):
        values, interpolation = self.curves[channel]
        self.curves[channel] = values + by, interpolation

    def around(self, channel, time):
        """The keys before and after a time, or the one at it."""
        times = self.times.get(channel, np.array([time]))
        return [times[times <= time + 1e-4].max(initial=times[0]), times[times >= time - 1e-4].min(initial=times[-1])]

    def at(self, channel, time):
        if channel not in self.curves:
            return self.rest.get(channel)
        times, (values, interpolation) = self.times[channel], self.curves[channel]
        after = int(np.searchsorted(times, time))
        if after <= 0 or after >= len(times):
            return values[min(max(after, 0), len(times) - 1)]
        before = after - 1
        if interpolation == "STEP":
            return values[after if times[after] - time < 1e-3 else before]
        share = (time - times[before]) / (times[after] - times[before])
        one, other = values[before], values[after]
        if channel[1] == "rotation" and np.dot(one, other) < 0:
            other = -other
        value = one + (other - one) * share
        return value / np.linalg.norm(value) if channel[1] == "rotation" else value


def difference(one, other):
    if one is None or other is None or len(one) != len(other):
        return np.inf
    far = np.abs(one - other).max()
    return min(far, np.abs(one + other).max()) if len(one) == 4 else far


def at(shape, center, like):
    """The material of the triangle with that center; of several layers, the one that is most like another."""
    if len(shape.centers) == 0:
        return None
    found = np.flatnonzero(np.abs(shape.centers - center).max(axis=1) <= POSITION)
    materials = [shape.materials[place] for place in found]
    if len(materials) > 1:
        materials = [facts for facts in materials if looks_like(facts, like)] or materials
    return max(materials, key=lambda facts: sum(same(facts.get(key), like[key]) for key in like), default=None)


def nearest(shape, center, like):
    if len(shape.centers) == 0:
        return {}
    far = np.abs(shape.centers - center).max(axis=1).min()
    found = np.flatnonzero(np.abs(shape.centers - center).max(axis=1) <= far + POSITION)
    return max((shape.materials[place] for place in found), key=lambda facts: sum(same(facts.get(key), like[key]) for key in like))


def parent_of(scene, at):
    """The name of the parent of a node."""
    return base(scene.nodes[scene.parents[at]].get("name")) if at in scene.parents else None


def light_of(scene, at):
    """The light of a node, or of a node that Blender put below it."""
    found = scene.nodes[at].get("extensions", {}).get("KHR_lights_punctual", {}).get("light")
    for child in scene.nodes[at].get("children", []):
        if found is None and len(scene.nodes[child]) and "extras" not in scene.nodes[child]:
            found = scene.nodes[child].get("extensions", {}).get("KHR_lights_punctual", {}).get("light")
    return found


def camera_of(scene, at):
    found = scene.nodes[at].get("camera")
    for child in scene.nodes[at].get("children", []):
        if found is None and "extras" not in scene.nodes[child]:
            found = scene.nodes[child].get("camera")
    return found


def sunk(original, a, packed, p):
    """True for a removed placement of EverQuest, which is sunk below the world."""
    return packed.worlds[p][1, 3] < original.worlds[a][1, 3] - 1000


# Facts of a material that make its look together.
LOOK = ("color", "opacity", "picture", "alpha mode")

# Extras that follow from others.
IGNORED = (".index", ".indices", ".bounds", ".box", ".sphere", ".radiusOfModel", ".tint.color")


def follows(key):
    """True for what an edit of a material changes in others, in the words of the game."""
    return key in ("alpha mode", "roughness", "emission", "name of the material") or key.startswith("extras")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        jobs = json.load(file)
    for number, job in enumerate(jobs):
        said = {"job": number}
        try:
            said.update(Comparison(job).run())
        except Exception:
            said["error"] = traceback.format_exc(limit=-3)
        print("COMPARED", json.dumps(said), flush=True)
    shutil.rmtree(INSIDE)


main()

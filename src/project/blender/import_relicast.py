"""Imports the outputs of relicast into Blender (4.2 or later): levels, missions and models, each in its own collection.

    blender --python import_relicast.py -- --list
    blender --python import_relicast.py -- m1                      a level
    blender --python import_relicast.py -- m1 --mission m1         as a mission begins in it
    blender --background --python import_relicast.py -- m1 --save m1.blend

A name is the last component of a path, or the path without its extension. `--all` loads every level, `--models` every model.
The module `bpy` works too: python import_relicast.py -- m1 --save m1.blend

- A level is a collection with a collection for each of its files and glTF scenes. Hidden objects and missions are excluded
  from the view layer: tick them in the outliner.
- Clips are actions with their length in frames; looping clips are cyclic. Events (sounds, calls, lights) are pose markers of the
  action; the game's data is its custom property `relicast`.
- Background, ambient light and fog (as mist) of the level are those of the world `LEVEL air`.
"""

import argparse
import json
import os
import posixpath
import struct
import sys

import bpy

if bpy.app.version < (4, 2, 0):
    sys.exit(f"import_relicast.py needs Blender 4.2 or later; this is Blender {bpy.app.version_string}")

HERE = os.path.dirname(os.path.abspath(__file__))
# glTF files count time in seconds, Blender in frames.
FRAMES_A_SECOND = 30


def scenes_of(kind):
    """Returns the paths of the glTF files of a kind, by their path without extension, in order."""
    with open(os.path.join(HERE, "manifest.json"), encoding="utf-8") as file:
        outputs = json.load(file)["outputs"]
    found = {}
    for output in outputs:
        stem, ending = posixpath.splitext(output["path"])
        if output["kind"] == kind and ending in (".glb", ".gltf"):
            found[stem] = output["path"]
    return found


def parted(found):
    """Returns each main file with the files of its hidden objects and missions, by their names."""
    whole = {}
    for stem in sorted(found):
        folder, name = posixpath.split(stem)
        parts = name.split(".")
        above = [posixpath.join(folder, ".".join(parts[:end])) for end in range(1, len(parts))]
        owner = next((stem for stem in above if stem in found), None)
        if owner is None:
            whole[stem] = {}
        else:
            whole[owner][stem[len(owner) + 1 :]] = found[stem]
    return whole


def short(stem):
    """Returns the name of a level or model. All worlds of Zipper have one name, so they are named after their folder."""
    folder, name = posixpath.split(stem)
    return posixpath.basename(folder) if name == "gamez" and folder else name


def read_json(path):
    """Reads the JSON of a glTF file."""
    with open(path, "rb") as file:
        head = file.read(20)
        if head[:4] == b"glTF":
            return json.loads(file.read(struct.unpack_from("<I", head, 12)[0]))
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def facts_of(part):
    """Returns the game's data of an object in a glTF file."""
    extras = part.get("extras") or {}
    return extras.get("zipper") or extras.get("everquest") or {}


def layer_of(collection, root=None):
    """Finds a collection in the view layer."""
    root = root or bpy.context.view_layer.layer_collection
    if root.collection == collection:
        return root
    for child in root.children:
        found = layer_of(collection, child)
        if found:
            return found
    return None


def collection_in(parent, name):
    """Makes a new collection."""
    made = bpy.data.collections.new(name)
    parent.children.link(made)
    return made


def bring(path, collection):
    """Imports a file into a collection; returns its JSON and the collections of its scenes."""
    document = read_json(path)
    if not any(scene.get("nodes") for scene in document.get("scenes", [])):
        return document, []
    layer = layer_of(collection)
    layer.exclude = False
    bpy.context.view_layer.active_layer_collection = layer
    scenes, actions, objects = set(bpy.data.scenes), set(bpy.data.actions), set(bpy.data.objects)
    properties = set(bpy.context.scene.keys())
    wanted = {
        "filepath": path,
        "disable_bone_shape": True,
        "export_import_convert_lighting_mode": "COMPAT",
        "import_scene_extras": False,
        "import_scene_as_collection": True,
        "import_select_created_objects": False,
    }
    known = bpy.ops.import_scene.gltf.get_rna_type().properties.keys()
    bpy.ops.import_scene.gltf(**{key: value for key, value in wanted.items() if key in known})
    for scene in set(bpy.data.scenes) - scenes:
        bpy.data.scenes.remove(scene)
    for name in set(bpy.context.scene.keys()) - properties:
        del bpy.context.scene[name]
    if "import_scene_as_collection" in known:
        made = list(collection.children) or [collection]
    else:
        made = sort_by_scenes(document, collection, objects)
    for scene, holder in zip(document["scenes"], made):
        holder["relicast"] = json.dumps(facts_of(scene))
    clips = {clip.get("name", ""): clip for clip in document.get("animations", [])}
    new_actions = sorted(set(bpy.data.actions) - actions, key=lambda action: action.name)
    if bpy.app.version < (4, 4, 0):
        name_by_clips(new_actions, set(bpy.data.objects) - objects)
    for action in new_actions:
        # Blender adds a number to a name that exists.
        name = next((name for name in clips if action.name in (name, name[:63])), None)
        name = name or action.get("relicast_clip") or action.name.rpartition(".")[0]
        set_facts(action, facts_of(clips.get(name, {})))
    for action in new_actions:
        # Actions of one clip last as long as the clip.
        clip = action.get("relicast_clip")
        if clip:
            action.frame_end = max(one.frame_end for one in new_actions if one.get("relicast_clip") == clip)
    return document, made


def sort_by_scenes(document, collection, objects_before):
    """Moves new objects to a collection for each glTF scene: Blender before 4.5 puts all of them into the open scene."""
    scenes = document["scenes"]
    made = [collection]
    if len(scenes) > 1:
        made = [collection_in(collection, scene.get("name") or f"Scene {number}") for number, scene in enumerate(scenes)]
    loose = bpy.context.scene.collection
    objects = [thing for thing in loose.objects if thing not in objects_before]
    # Objects without a parent are in the order of the nodes. Blender adds a number to a name that exists.
    waiting = sorted({node for scene in scenes for node in scene.get("nodes", [])})
    for thing in [thing for thing in objects if thing.parent is None]:
        names = (thing.name, thing.name.rpartition(".")[0])
        same = [node for node in waiting if document["nodes"][node].get("name", "")[:59] in (name[:59] for name in names)]
        node = (same or waiting or [None])[0]
        if node is not None:
            waiting.remove(node)
        holders = [holder for scene, holder in zip(scenes, made) if node in scene.get("nodes", [])] or made[:1]
        for part in [thing, *thing.children_recursive]:
            for holder in holders:
                if part.name not in holder.objects:
                    holder.objects.link(part)
            if part.name in loose.objects:
                loose.objects.unlink(part)
    return made


def name_by_clips(actions, objects):
    """Names actions by their clips: Blender before 4.4 makes an action for each clip and object, named after both."""
    clip_of, count = {}, {}
    for thing in objects:
        shapes = getattr(thing.data, "shape_keys", None)
        for animated in (thing, shapes):
            data = animated.animation_data if animated else None
            for track in data.nla_tracks if data else ():
                for strip in track.strips:
                    clip_of[strip.action] = track.name
    for action in actions:
        if action in clip_of:
            count[clip_of[action]] = count.get(clip_of[action], 0) + 1
    for action in actions:
        clip = clip_of.get(action)
        if clip:
            action["relicast_clip"] = clip
            if count[clip] == 1:
                action.name = clip


def goes_round(facts):
    """Returns true for a looping clip."""
    endless = any(part.get("passes", 0) is None for part in facts.get("loops", []))
    return facts.get("loop") is True or (facts.get("loopTime") or 0) > 0 or endless


def set_facts(action, facts):
    """Sets the frames and the loop of an action, and its events as pose markers."""
    start, end = action.frame_range
    action.use_frame_range = True
    action.frame_start, action.frame_end = start, end
    action.use_cyclic = goes_round(facts)
    action.use_fake_user = True
    action["relicast"] = json.dumps(facts)
    for mark in facts.get("marks", []):
        what = str(mark.get("event") or next(iter(mark))).lower()
        sound = mark.get("sound")
        name = sound.get("name") if isinstance(sound, dict) else mark.get("animation")
        marker = action.pose_markers.new(f"{what} {name}"[:63] if isinstance(name, str) else what[:63])
        marker.frame = round(float(mark.get("time") or 0) * FRAMES_A_SECOND)


def air(name, facts, is_everquest):
    """Makes a Blender world of the environment of a level: background, ambient light, fog as mist."""
    world = bpy.data.worlds.new(f"{name} air")
    fog = facts.get("fog") or {}
    behind = facts.get("clearColor") or fog.get("color") or ((0.45, 0.6, 0.8) if is_everquest else (0.0, 0.0, 0.0))
    # All light of EverQuest's zones is in their vertex colors.
    ambient = 1.0 if is_everquest else float(facts.get("ambientLight", 1.0))
    world.color = behind
    if not world.node_tree:
        world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    nodes.clear()
    seen, light = nodes.new("ShaderNodeBackground"), nodes.new("ShaderNodeBackground")
    seen.inputs["Color"].default_value = (*(linear(channel) for channel in behind), 1.0)
    light.inputs["Color"].default_value = (linear(ambient), linear(ambient), linear(ambient), 1.0)
    which, mix, end = (nodes.new(f"ShaderNode{kind}") for kind in ("LightPath", "MixShader", "OutputWorld"))
    links.new(which.outputs["Is Camera Ray"], mix.inputs[0])
    links.new(light.outputs[0], mix.inputs[1])
    links.new(seen.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], end.inputs["Surface"])
    for node, place in ((which, (-400, 200)), (light, (-400, 0)), (seen, (-400, -150)), (mix, (-150, 0)), (end, (50, 0))):
        node.location = place
    if fog.get("type") == "linear" and fog["far"] > fog["near"]:
        world.mist_settings.use_mist = True
        world.mist_settings.start = fog["near"]
        world.mist_settings.depth = fog["far"] - fog["near"]
        world.mist_settings.falloff = "LINEAR"
    world["relicast"] = json.dumps(facts)
    return world


def linear(channel):
    """Converts a channel from sRGB to linear light."""
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def load(stem, path, more, mission=None, is_level=False):
    """Loads a level or a model with its hidden objects and missions; returns its collection."""
    name = short(stem)
    whole = collection_in(bpy.context.scene.collection, name)
    world = collection_in(whole, f"{name} world" if is_level else f"{name} model")
    document, made = bring(os.path.join(HERE, path), world)
    excluded, shown = [], []
    states = [scene.get("name", "") for scene in document.get("scenes", [])]
    for state, holder in zip(states, made):
        missions = facts_of(document["scenes"][states.index(state)]).get("start", {}).get("missions", [])
        if holder == world or state == states[0]:
            (excluded if mission and any(is_of(mission, other) for other in states[1:]) else shown).append(holder)
        else:
            (shown if mission and (is_of(mission, state) or mission in missions) else excluded).append(holder)
    for part, path_of in more.items():
        holder = collection_in(whole, f"{name} {part}")
        bring(os.path.join(HERE, path_of), holder)
        (shown if mission and part == mission else excluded).append(holder)
    for holder in excluded:
        layer = layer_of(holder)
        if layer and holder != world:
            layer.exclude = True
    if is_level and document.get("scenes"):
        facts = [facts_of(scene) for state, scene in zip(states, document["scenes"]) if mission and is_of(mission, state)]
        is_everquest = "everquest" in (document["scenes"][0].get("extras") or {})
        bpy.context.scene.world = air(name, (facts or [facts_of(document["scenes"][0])])[0], is_everquest)
    print(f"{name}: {len(whole.all_objects)} objects, {len(bpy.data.actions)} actions so far")
    return whole


def is_of(mission, state):
    """Returns true if a scene is the start of the mission."""
    return state.split(" ")[-1] == mission


def set_frames():
    """Sets the frames of the scene to those of the longest clip."""
    ends = [action.frame_end for action in bpy.data.actions if action.use_frame_range]
    bpy.context.scene.frame_start = 0
    bpy.context.scene.frame_end = max(1, round(max(ends, default=250)))
    bpy.context.scene.frame_set(0)


def chosen(found, names):
    """Returns the files for the names of the arguments."""
    meant = []
    for name in names:
        fits = [stem for stem in found if name in (stem, short(stem), posixpath.basename(stem))]
        if not fits:
            sys.exit(f"no level or model has the name {name}; --list prints all names")
        meant += [stem for stem in fits if stem not in meant]
    return meant


def main(arguments):
    """Runs the command line."""
    parser = argparse.ArgumentParser(prog="import_relicast.py", description="Imports the outputs of relicast into Blender.")
    parser.add_argument("names", nargs="*", help="levels and models")
    parser.add_argument("--list", action="store_true", help="list levels and models")
    parser.add_argument("--all", action="store_true", help="load every level")
    parser.add_argument("--models", action="store_true", help="load every model")
    parser.add_argument("--mission", help="show levels at the start of this mission")
    parser.add_argument("--keep", action="store_true", help="keep the objects of the open file")
    parser.add_argument("--save", metavar="FILE", help="write a .blend file")
    wanted = parser.parse_args(arguments)
    levels, models = scenes_of("worlds"), scenes_of("models")
    level_parts, model_parts = parted(levels), parted(models)
    every = list(level_parts) + [stem for stem in model_parts if stem not in level_parts]
    if wanted.list or not (wanted.names or wanted.all or wanted.models):
        for kind, parts in (("level", level_parts), ("model", model_parts)):
            for stem, more in parts.items():
                print(f"{kind}  {short(stem):24} {stem}" + (f"  ({', '.join(more)})" if more else ""))
        return
    if not wanted.keep:
        for thing in list(bpy.data.objects):
            bpy.data.objects.remove(thing)
        for holder in list(bpy.data.collections):
            bpy.data.collections.remove(holder)
    # Set before the import, which converts times to frames.
    bpy.context.scene.render.fps = FRAMES_A_SECOND
    bpy.context.scene.render.fps_base = 1.0
    # Colors as in the games.
    bpy.context.scene.view_settings.view_transform = "Standard"
    stems = chosen(every, wanted.names)
    stems += [stem for stem in level_parts if wanted.all and stem not in stems]
    stems += [stem for stem in model_parts if wanted.models and stem not in stems]
    for stem in stems:
        is_level = stem in level_parts
        found, parts = (levels, level_parts) if is_level else (models, model_parts)
        load(stem, found[stem], parts[stem], wanted.mission, is_level)
    set_frames()
    if wanted.save:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(wanted.save), compress=True)


if __name__ == "__main__":
    main(sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else [])

"""Imports scenes into Blender with the default importer and exports them over themselves, with an edit or without one.

Usage: python rounds_blender.py JOBS. JOBS is a JSON list of objects with `scene`, a .gltf or .glb file, and `edit`, a
name of rounds_edits.py; with `to`, that file is written instead; with `unedited`, only the options of the exporter are
those of the edit. For each a line follows: DONE and a JSON object with the number of the job and `error`, `absent` (the
scene has nothing to edit so) or `edited`.
"""

import json
import os
import sys
import traceback

import bpy

import rounds_edits


# What the exporter leaves out, and what it does not write beside the scene, unless asked.
UNEDITED = {"export_cameras": True, "export_lights": True, "export_keep_originals": False}


def export(path, options):
    """Exports as the pages about packing say: custom properties, and pictures as they are."""
    if path.endswith(".glb"):
        options = {**options, "export_format": "GLB", "export_keep_originals": False}
    else:
        options = {"export_format": "GLTF_SEPARATE", "export_keep_originals": True, **options}
    bpy.ops.export_scene.gltf(filepath=path, export_extras=True, **options)


def run(job):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=job["scene"])
    options, edited = UNEDITED, None
    if job.get("edit"):
        edit = rounds_edits.EDITS[job["edit"]]
        options = edit.options
        if not job.get("unedited"):
            edited = edit.apply(job["scene"])
    export(job.get("to", job["scene"]), options)
    return edited


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        jobs = json.load(file)
    # Blender's own lines would hide ours; a crash of Blender still says which job was the last.
    for number, job in enumerate(jobs):
        said = {"job": number}
        try:
            if job.get("list"):
                edits = rounds_edits.EDITS.items()
                said["edits"] = [{"name": name, "options": edit.options} for name, edit in edits]
            else:
                said["edited"] = run(job)
        except rounds_edits.Absent as why:
            said["absent"] = str(why)
        except Exception:
            said["error"] = traceback.format_exc(limit=-3)
        print("DONE", json.dumps(said), flush=True)


# The module of Python may crash when it is taken down.
main()
sys.stdout.flush()
os._exit(0)

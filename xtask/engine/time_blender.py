"""Imports a glTF file into an empty scene several times and prints the fastest time.

Usage: python time_blender.py FILE ROUNDS. The last line is TIME and a document of seconds, and of those of the processor.
"""

import json
import sys
import time

import bpy

path, rounds = sys.argv[1], int(sys.argv[2])
best = None
for _ in range(max(rounds, 1)):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    start, processor = time.perf_counter(), time.process_time()
    bpy.ops.import_scene.gltf(filepath=path)
    took = (time.perf_counter() - start, time.process_time() - processor)
    if best is None or took < best:
        best = took
print("TIME " + json.dumps({"seconds": best[0], "processor": best[1]}))

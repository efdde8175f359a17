"""Makes the edit and the pictures of docs/modding.md: moves the house of the sample in Blender, and draws a scene.

Usage: python walk.py edit SCENE.gltf, or python walk.py draw SCENE.gltf PICTURE.png.
"""

import os
import sys

import bpy
from mathutils import Vector

CAMERA, TARGET = Vector((138, -93, 11)), Vector((152, -61, 3))


def edit(scene):
    """Moves the house by five meters, and exports the scene as .glb beside its .gltf with Custom Properties."""
    bpy.data.objects["house"].location.x += 5
    place = os.path.splitext(scene)[0] + ".glb"
    bpy.ops.export_scene.gltf(filepath=place, export_format="GLB", export_extras=True)


def draw(picture):
    """Draws the first scene of the file."""
    for thing in bpy.data.objects:
        top = thing
        while top.parent:
            top = top.parent
        thing.hide_render = top.name != "world1"
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    bpy.context.collection.objects.link(camera)
    camera.location = CAMERA
    camera.rotation_euler = (TARGET - CAMERA).to_track_quat("-Z", "Y").to_euler()
    camera.data.lens, camera.data.clip_end = 32, 5000
    view = bpy.context.scene
    view.camera = camera
    view.world = bpy.data.worlds.new("world")
    view.world.color = (0.35, 0.55, 0.8)
    view.view_settings.view_transform = "Standard"
    view.render.engine, view.cycles.samples, view.cycles.use_denoising = "CYCLES", 16, False
    view.render.resolution_x, view.render.resolution_y = 640, 360
    view.render.image_settings.file_format = "PNG"
    view.render.image_settings.color_mode = "RGB"
    view.render.image_settings.compression = 100
    view.render.filepath = os.path.abspath(picture)
    bpy.ops.render.render(write_still=True)
    # 16 steps of each color make the file small.
    image = bpy.data.images.load(view.render.filepath)
    image.pixels = [round(value * 15) / 15 for value in image.pixels]
    image.save()


task, scene = sys.argv[1:3]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=os.path.abspath(scene))
edit(os.path.abspath(scene)) if task == "edit" else draw(sys.argv[3])
# The module of Python may crash when it is taken down.
sys.stdout.flush()
os._exit(0)

extends SceneTree
## Pictures of levels from fixed cameras: for each line of user/shots.txt (SCENE;FILE) one from a corner of its box.
## Prints CHECK and the draw calls.


func _initialize() -> void:
	var drawn := {}
	for line in FileAccess.get_file_as_string("res://user/shots.txt").split("\n", false):
		var parts := line.split(";")
		var level: Node3D = load("res://" + parts[0]).instantiate()
		root.add_child(level)
		var camera := Camera3D.new()
		camera.far = 20000.0
		level.add_child(camera)
		var box: AABB = level.bounds
		var middle := box.get_center()
		camera.look_at_from_position(middle + Vector3(0.6, 0.5, 0.9) * maxf(box.size.x, box.size.z) * 0.6, middle)
		camera.make_current()
		for player: AnimationPlayer in level.find_children("*", "AnimationPlayer", true, false):
			player.stop()
		await _take(parts[1])
		drawn[parts[0]] = {
			"drawCalls": RenderingServer.viewport_get_render_info(root.get_viewport_rid(), RenderingServer.VIEWPORT_RENDER_INFO_TYPE_VISIBLE, RenderingServer.VIEWPORT_RENDER_INFO_DRAW_CALLS_IN_FRAME),
			"primitives": RenderingServer.viewport_get_render_info(root.get_viewport_rid(), RenderingServer.VIEWPORT_RENDER_INFO_TYPE_VISIBLE, RenderingServer.VIEWPORT_RENDER_INFO_PRIMITIVES_IN_FRAME),
		}
		level.queue_free()
		await process_frame
	print("CHECK ", JSON.stringify(drawn))
	quit()


func _take(file: String) -> void:
	for frame in 4:
		await process_frame
	await RenderingServer.frame_post_draw
	var image := root.get_texture().get_image()
	image.resize(480, 270, Image.INTERPOLATE_LANCZOS)
	image.save_png("res://user/" + file)

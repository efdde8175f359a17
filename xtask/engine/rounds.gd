extends SceneTree
# Reads each scene of rounds.json and writes it over itself, as the editor's command Scene > Export As > glTF 2.0 Scene.

func _initialize():
	var jobs = JSON.parse_string(FileAccess.get_file_as_string("res://rounds.json"))
	for number in jobs.size():
		var path: String = "res://" + jobs[number]["scene"]
		var reader := GLTFDocument.new()
		var read := GLTFState.new()
		var error := reader.append_from_file(path, read)
		var root: Node = reader.generate_scene(read) if error == OK else null
		if error == OK and not root:
			error = ERR_CANT_CREATE
		if error == OK:
			var writer := GLTFDocument.new()
			var written := GLTFState.new()
			error = writer.append_from_scene(root, written)
			if error == OK:
				error = writer.write_to_filesystem(written, path)
			root.free()
		var said := {"job": number}
		if error != OK:
			said["error"] = error_string(error)
		print("DONE ", JSON.stringify(said))
	quit()

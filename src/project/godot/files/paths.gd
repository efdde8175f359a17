extends Node3D
## A net of paths of a mission: a Path3D for each link, and the data of its nodes as metadata.


## Returns the curves that start at the node of this name.
func paths_from(node: String) -> Array[Path3D]:
	var found: Array[Path3D] = []
	for path: Path3D in find_children("*", "Path3D", false, false):
		if path.name.begins_with(node + "_to_"):
			found.append(path)
	return found

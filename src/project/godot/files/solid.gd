extends StaticBody3D
## Is solid only while it is seen.


func _ready() -> void:
	_follow()
	visibility_changed.connect(_follow)


func _follow() -> void:
	process_mode = Node.PROCESS_MODE_INHERIT if is_visible_in_tree() else Node.PROCESS_MODE_DISABLED

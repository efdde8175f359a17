extends StaticBody3D
## A body that is solid only while it is visible.


func _ready() -> void:
	_follow()
	visibility_changed.connect(_follow)


func _follow() -> void:
	process_mode = Node.PROCESS_MODE_INHERIT if is_visible_in_tree() else Node.PROCESS_MODE_DISABLED

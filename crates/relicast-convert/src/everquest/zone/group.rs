//! Nodes that group others.

use crate::everquest::scene_builder::Layers;
use relicast_scene::model::{Node, NodeId};

/// Adds an empty node below another one.
pub(super) fn group(layers: &mut Layers<'_, '_>, name: &str, above: NodeId) -> NodeId {
    let scene = &mut layers.main.scene;
    let node = scene.add_node(Node {
        name: name.to_owned(),
        ..Node::default()
    });
    scene.add_child(above, node);
    node
}

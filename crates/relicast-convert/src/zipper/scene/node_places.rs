//! Places of the nodes of a file in its outputs, for other files that refer to them.

use std::collections::BTreeMap;

use crate::{Encoding, ItemIndex, OutputRole};
use relicast_scene::model::names::SceneNames;

use super::layer::Layer;
pub(crate) use super::nodes::FileNode;
use super::scene_builder::SceneBuilder;

/// A place of a node in the scenes of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NodePlace {
    /// Item of the file.
    pub item: ItemIndex,
    /// Scene of the item.
    pub role: OutputRole,
    /// Name that the scene's file gives to the node.
    pub name: String,
}

/// Places by the node of the file, those in the main scene first. A node that is hidden at first
/// has a place in the main scene, where it is empty, and one in the hidden scene.
pub(crate) type NodePlaces = BTreeMap<FileNode, Vec<NodePlace>>;

/// Adds the places of all nodes in the scenes of an item.
pub(crate) fn collect_places(
    builders: &BTreeMap<Layer, SceneBuilder>,
    item: ItemIndex,
    places: &mut NodePlaces,
) {
    for (&layer, builder) in builders {
        let names = SceneNames::new(&builder.scene).nodes;
        for stored in &builder.stored_nodes {
            if let Some(name) = names.get(stored.node.index()) {
                places.entry(stored.index).or_default().push(NodePlace {
                    item,
                    role: layer.role(),
                    name: name.clone(),
                });
            }
        }
    }
}

/// The path of the scene of `role`, from that of the main scene of the same item.
pub(crate) fn scene_path(main: &str, role: OutputRole) -> String {
    let wanted = crate::OutputSpec {
        role,
        encoding: Encoding::Gltf,
    };
    match main.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}{}.{extension}", wanted.infix()),
        None => main.to_owned(),
    }
}

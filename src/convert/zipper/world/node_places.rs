//! Where the nodes of a file went: for other files that speak of them.

use std::collections::BTreeMap;

use crate::config::Config;
use crate::convert::zipper::scene::hierarchy::Layer;
use crate::convert::zipper::scene::scene_builder::SceneBuilder;
use crate::convert::{Encoding, OutputRole};
use crate::scene::model::Scene;
use crate::scene::model::names::SceneNames;

use super::file::{WorldFile, role_of};

/// A place of a node in the scenes of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::convert) struct NodePlace {
    /// Part of the file.
    pub part: usize,
    /// Scene of the part.
    pub role: OutputRole,
    /// Name that the scene's file gives to the node.
    pub name: String,
}

/// Places by index of the node, those of the main part first. A node that is hidden at first stands
/// empty in the main scene, and once more in the hidden one.
pub(in crate::convert) type NodePlaces = BTreeMap<usize, Vec<NodePlace>>;

/// The index that a node of a scene has in its file.
fn stored_index(extras: &crate::scene::model::Extras) -> Option<usize> {
    let index = extras.get("zipper")?.get("index")?.as_u64()?;
    usize::try_from(index).ok()
}

fn note(scene: &Scene, part: usize, role: OutputRole, places: &mut NodePlaces) {
    let names = SceneNames::new(scene).nodes;
    for (node, name) in scene.nodes.iter().zip(names) {
        if let Some(index) = stored_index(&node.extras) {
            let found = places.entry(index).or_default();
            found.push(NodePlace { part, role, name });
        }
    }
}

/// Adds what the scenes of a part show.
pub(in crate::convert) fn collect_places(
    builders: &BTreeMap<Layer, SceneBuilder>,
    part: usize,
    places: &mut NodePlaces,
) {
    for (&layer, builder) in builders {
        note(&builder.scene, part, role_of(layer), places);
    }
}

/// The path of the scene of `role`, from that of the main one of the same part.
pub(in crate::convert) fn scene_path(main: &str, role: OutputRole) -> String {
    let wanted = crate::convert::OutputSpec {
        role,
        encoding: Encoding::Gltf,
    };
    match main.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}{}.{extension}", wanted.infix()),
        None => main.to_owned(),
    }
}

impl WorldFile<'_> {
    /// Where each node is in the outputs, as they are under `config`.
    pub(in crate::convert) fn node_places(&self, config: &Config) -> NodePlaces {
        let mut places = NodePlaces::new();
        if self.has_world() {
            collect_places(&self.assemble(None, true, config).builders, 0, &mut places);
        }
        for (place, &root) in self.templates().iter().enumerate() {
            let hierarchy = self.assemble(Some(root), true, config);
            collect_places(&hierarchy.builders, place + 1, &mut places);
        }
        places
    }
}

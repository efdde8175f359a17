//! Nodes of a world that animation definitions name.

use std::collections::BTreeMap;

use crate::zipper::scene::node_places::NodePlaces;
use relicast_formats::zipper::anim;
use relicast_formats::zipper::gamez::GameZ;

use super::bind::bind;
use super::node_lookup::NodeLookup;

/// For each node of a world that a definition of the containers is bound to, the name of the first definition. Files
/// that are no containers are skipped.
pub fn animated_nodes<'b>(
    gamez: &GameZ,
    containers: impl IntoIterator<Item = &'b [u8]>,
) -> BTreeMap<usize, String> {
    let forests = [NodeLookup::new("", gamez, NodePlaces::new(), &[])];
    let mut animated = BTreeMap::new();
    for container in containers {
        let Ok(decoded) = anim::decode(container) else {
            continue;
        };
        let container = decoded.value;
        for (definition, binding) in container.definitions.iter().zip(bind(&container, &forests)) {
            let bound = [binding.bound, binding.attached];
            for node in bound.into_iter().chain(binding.nodes) {
                if let Some(node) = node.node() {
                    let name = || definition.anim_name();
                    animated.entry(node.index).or_insert_with(name);
                }
            }
        }
    }
    animated
}

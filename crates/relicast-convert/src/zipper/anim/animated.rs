//! Nodes of a world that animation definitions name.

use std::collections::BTreeMap;

use crate::zipper::scene::node_places::NodePlaces;
use relicast_codec::FormatError;
use relicast_formats::zipper::anim;
use relicast_formats::zipper::gamez::GameZ;

use super::bind::bind;
use super::node_lookup::NodeLookup;

/// For each node of a world that a definition of a container is bound to, the name of the first definition.
///
/// # Errors
/// The file is no container.
pub fn animated_nodes(
    gamez: &GameZ,
    container: &[u8],
) -> Result<BTreeMap<usize, String>, FormatError> {
    let forests = [NodeLookup::new("", gamez, NodePlaces::new(), &[])];
    let mut animated = BTreeMap::new();
    let container = anim::decode(container)?.value;
    for (definition, binding) in container.definitions.iter().zip(bind(&container, &forests)) {
        let bound = [binding.bound, binding.attached];
        for node in bound.into_iter().chain(binding.nodes) {
            if let Some(node) = node.node() {
                let name = || definition.anim_name();
                animated.entry(node.index).or_insert_with(name);
            }
        }
    }
    Ok(animated)
}

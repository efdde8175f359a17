//! Names that no other node has, so that animations and scripts go on finding those that they found before.

use std::collections::BTreeSet;

use crate::pack::scene::zipper::tree::GameTree;
use relicast_formats::zipper::gamez::NodeName;

/// Longest name of a node.
const MAX_NAME: usize = 35;

/// The names of all nodes of a file.
pub(super) struct Names(BTreeSet<String>);

impl Names {
    pub(super) fn of(tree: &GameTree) -> Self {
        let nodes = (0..tree.count()).filter_map(|index| tree.node(index));
        Self(nodes.map(|node| key(&node.name())).collect())
    }

    /// A name that no other node has: this one with the ending, else with a number.
    pub(super) fn unique(&mut self, stored: &str, ending: Option<String>) -> Option<NodeName> {
        let numbers = (1..100_000_u32).map(|number| format!("_{number:03}"));
        for ending in std::iter::once(ending.unwrap_or_default()).chain(numbers) {
            let room = match ending.is_empty() {
                true => stored.len(),
                false => MAX_NAME.saturating_sub(ending.len()),
            };
            let stem = stored.get(..stored.len().min(room)).unwrap_or(stored);
            let name = format!("{stem}{ending}");
            if self.0.insert(key(&name)) {
                return NodeName::new(&name);
            }
        }
        None
    }
}

/// Text of a name by which the games find a node.
fn key(name: &str) -> String {
    name.strip_suffix(".flt").unwrap_or(name).to_owned()
}

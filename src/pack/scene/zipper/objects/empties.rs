//! Empty objects below levels of detail and worlds of which an edit takes the last object: in the games' own files, these
//! always have one.

use std::collections::BTreeSet;

use super::deletion::{link, settle_addresses};
use super::maker::fresh;
use super::names::Names;
use super::placing::set_boxes;
use super::slots;
use crate::pack::edited::Refusal;
use crate::pack::scene::zipper::tree::GameTree;
use relicast_formats::zipper::gamez::NodeData;

/// Puts an empty object below each of the nodes that needs one, and returns the new nodes.
///
/// # Errors
/// The game file has no place for one.
pub(super) fn add(
    before: &GameTree,
    tree: &mut GameTree,
    nodes: &BTreeSet<usize>,
) -> Result<Vec<usize>, Refusal> {
    let mut made = Vec::new();
    for &above in nodes {
        let Some(node) = tree.node(above).filter(|node| node.children.is_empty()) else {
            continue;
        };
        let needs_one = match node.data {
            NodeData::World(_) => true,
            NodeData::Lod(_) => !node.parents.is_empty(),
            _ => false,
        };
        if !needs_one {
            continue;
        }
        let name = node.name();
        let mut empty = fresh(before)?;
        empty.record.model_index = slots::no_model(tree);
        empty.record.name = Names::of(tree)
            .unique(&name, Some("_empty".to_owned()))
            .ok_or_else(|| refusal!("node {name}: an object below it would have no valid name"))?;
        let index = slots::add_node(tree, empty)?;
        set_boxes(before, tree, index, None);
        link(tree, index, above)?;
        if let Some(node) = tree.node_mut(index) {
            settle_addresses(node);
        }
        made.push(index);
    }
    Ok(made)
}

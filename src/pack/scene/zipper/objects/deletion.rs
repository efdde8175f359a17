//! Deleted nodes.
//!
//! Animations, scripts and saves refer to nodes by name or number, so a node of a world keeps its slot: it is unlinked
//! from the world and made inactive, like the templates that the games store. Nodes that pack added are freed if they
//! are the last ones. Members of model libraries have no nodes outside of their tree: there, nodes are removed.

use std::collections::{BTreeMap, BTreeSet};

use super::difference::Edge;
use super::placing::{adapt_boxes, usually_has_node_box};
use super::slots;
use crate::pack::edited::Refusal;
use crate::pack::scene::zipper::tree::GameTree;
use relicast_formats::zipper::gamez::{AreaPartition, GameZ, Node, NodeData, NodeFlags};

/// Nodes that animations name or move, with one of these in words.
pub(in crate::pack::scene::zipper) type Animated = BTreeMap<usize, String>;

/// Result of deleting nodes.
#[derive(Debug, Default)]
pub(in crate::pack::scene::zipper) struct Deleted {
    /// Nodes with other children.
    pub parents: BTreeSet<usize>,
    /// Number of objects that keep a slot.
    pub kept: usize,
}

/// Deletes nodes of a world, each from below one parent.
///
/// # Errors
/// Something refers to a node, or it is no object.
pub(in crate::pack::scene::zipper) fn delete(
    tree: &mut GameTree,
    edges: &[Edge],
    animated: &Animated,
) -> Result<Deleted, Refusal> {
    let mut deleted = Deleted::default();
    if edges.is_empty() {
        return Ok(deleted);
    }
    for &(parent, index) in edges {
        check(tree, index, animated)?;
        let node = tree.node(index).filter(|_| parent.is_none());
        if let Some(node) = node.filter(|_| !is_in_cells(tree, index)) {
            refuse!(
                "node {}: it was removed; the root of a model cannot be deleted",
                node.name()
            );
        }
    }
    let mut free = BTreeSet::new();
    let mut tops = BTreeSet::new();
    let has_own = usually_has_node_box(tree);
    for &(parent, index) in edges {
        let below = tree.below(index);
        unlink(tree, parent, index, has_own);
        deleted.parents.extend(parent);
        let node = tree.node(index);
        if node.is_some_and(|node| node.parents.is_empty()) {
            free.extend(below);
            tops.insert(index);
        }
    }
    if let GameTree::World(gamez) = tree {
        free_last(gamez, &free, &mut deleted.parents);
        deleted.kept = tops
            .iter()
            .filter(|&&top| top < gamez.nodes.used.len())
            .count();
        let count = gamez.nodes.used.len();
        deleted.parents.retain(|&parent| parent < count);
    }
    Ok(deleted)
}

fn is_in_cells(tree: &GameTree, node: usize) -> bool {
    let GameTree::World(gamez) = tree else {
        return false;
    };
    let world = gamez.nodes.world();
    let node = u32::try_from(node).ok();
    world
        .zip(node)
        .is_some_and(|((_, world), node)| world.placed().contains(&node))
}

/// Checks that a node and those below it can be deleted.
fn check(tree: &GameTree, index: usize, animated: &Animated) -> Result<(), Refusal> {
    let name = |index: usize| tree.node(index).map(Node::name).unwrap_or_default();
    let inside = |reason: String| refusal!("node {}: {reason}", name(index));
    let can_be = |node: &Node| {
        matches!(
            node.data,
            NodeData::Object3d(_) | NodeData::Lod(_) | NodeData::Light(_)
        )
    };
    if !tree.node(index).is_some_and(can_be) {
        let reason = "it was deleted, and only objects and lights can be; keep it, or move it";
        return Err(inside(reason.to_owned()));
    }
    let below = tree.below(index);
    if let Some((node, definition)) = below.iter().find_map(|it| animated.get_key_value(it)) {
        let which = match *node == index {
            true => String::new(),
            false => format!(" (by its part {})", name(*node)),
        };
        let is_light = |node: &Node| matches!(node.data, NodeData::Light(_));
        let instead = match tree.node(index).is_some_and(is_light) {
            true => "to switch it off, keep it and set its strength to 0",
            false => "to hide it, keep it and remove active from its extras.zipper.flags",
        };
        return Err(inside(format!(
            "it was deleted, but {definition} refers to it{which}; {instead}"
        )));
    }
    let followed = |node: usize| {
        let cameras = (0..tree.count()).filter_map(|index| match &tree.node(index)?.data {
            NodeData::Camera(camera) => Some([camera.focus_node_xy, camera.focus_node_xz]),
            _ => None,
        });
        let mut focus = cameras.flatten();
        focus.any(|focus| usize::try_from(focus) == Ok(node))
    };
    if let Some(&node) = below.iter().find(|node| followed(**node)) {
        return Err(inside(format!(
            "it was deleted, but a camera carries {} with it; make it smaller or move it instead",
            name(node)
        )));
    }
    Ok(())
}

/// Puts a node below another.
pub(super) fn link(tree: &mut GameTree, child: usize, parent: usize) -> Result<(), Refusal> {
    let stored = u32::try_from(child).map_err(Refusal::new)?;
    let above = u32::try_from(parent).map_err(Refusal::new)?;
    if let Some(node) = tree.node_mut(child) {
        node.record.area_partition = AreaPartition::NONE;
        node.record.virtual_partition = [0, 0];
        node.parents.push(above);
        settle_addresses(node);
    }
    if let Some(node) = tree.node_mut(parent) {
        node.children.push(stored);
        settle_addresses(node);
    }
    adapt_boxes(tree, parent, false);
    Ok(())
}

/// Takes a node from its parent, or from the cells of the world if it has none.
pub(super) fn unlink(tree: &mut GameTree, parent: Option<usize>, index: usize, has_own: bool) {
    let stored = u32::try_from(index).unwrap_or(u32::MAX);
    if let Some(parent) = parent
        && let Some(above) = tree.node_mut(parent)
    {
        let count = above.children.len();
        above.children.retain(|child| *child != stored);
        let is_emptied = count > 0 && above.children.is_empty();
        settle_addresses(above);
        if is_emptied {
            adapt_boxes(tree, parent, has_own);
        }
    }
    let above = parent.and_then(|parent| u32::try_from(parent).ok());
    let Some(node) = tree.node_mut(index) else {
        return;
    };
    node.parents.retain(|it| Some(*it) != above);
    settle_addresses(node);
    if !node.parents.is_empty() {
        return;
    }
    node.record.flags.remove(NodeFlags::ACTIVE);
    node.record.area_partition = AreaPartition::NONE;
    node.record.virtual_partition = [0, 0];
    if let GameTree::World(gamez) = tree {
        take_from_world(gamez, stored);
    }
}

/// Takes a node from the cells and the lights of the world.
fn take_from_world(gamez: &mut GameZ, stored: u32) {
    for node in &mut gamez.nodes.used {
        let NodeData::World(world) = &mut node.data else {
            continue;
        };
        world.lights.retain(|light| *light != stored);
        if world.lights.is_empty() {
            (world.record.light_nodes_ptr, world.record.light_data_ptr) = (0, 0);
        }
        for cell in &mut world.partitions {
            cell.entries.retain(|entry| entry.node != stored);
            if cell.entries.is_empty() {
                cell.record.nodes_ptr = 0;
            }
        }
    }
}

/// Frees those of the nodes that pack added, from the last slot on.
fn free_last(gamez: &mut GameZ, nodes: &BTreeSet<usize>, parents: &mut BTreeSet<usize>) {
    while let Some(last) = gamez.nodes.used.last() {
        let index = gamez.nodes.used.len().saturating_sub(1);
        let model = last.model();
        let is_free = nodes.contains(&index)
            && last.record.data_ptr == slots::ADDED
            && last
                .parents
                .iter()
                .all(|&it| nodes.contains(&(it as usize)))
            && model.is_none_or(|model| slots::can_free_model(gamez, model));
        if !is_free {
            return;
        }
        let above = last.parents.clone();
        let stored = u32::try_from(index).unwrap_or(u32::MAX);
        for parent in above {
            if let Some(above) = gamez.nodes.used.get_mut(parent as usize) {
                above.children.retain(|child| *child != stored);
                settle_addresses(above);
                parents.insert(parent as usize);
            }
        }
        if let Some(model) = model {
            slots::release_model(gamez, model);
        }
        slots::remove_last_node(gamez);
    }
}

/// Lists have an address exactly when they are not empty.
pub(super) fn settle_addresses(node: &mut Node) {
    let relations = &mut node.record.relations;
    for (address, is_empty) in [
        (&mut relations.parent_array_ptr, node.parents.is_empty()),
        (&mut relations.child_array_ptr, node.children.is_empty()),
    ] {
        *address = match (is_empty, *address) {
            (true, _) => 0,
            (false, 0) => slots::ADDED,
            (false, address) => address,
        };
    }
}

//! Objects that an edit puts below another node.
//!
//! They are compared at the top of both scenes, so that everything else about them is compared as for other nodes.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::deletion::{Animated, settle_addresses, unlink};
use super::difference::{below, edge_of, name_of, take_out};
use super::maker::NewNodes;
use super::placing::{Listings, adapt_boxes, place_in_world, usually_has_node_box};
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::game_node::{game_node, shear_of};
use crate::pack::scene::compare::matching::{Matching, index_of, match_all, shown};
use crate::pack::scene::file::SceneFile;
use crate::pack::scene::zipper::edited_scene::EditedScene;
use crate::pack::scene::zipper::tree::GameTree;
use relicast_formats::zipper::gamez::{AreaPartition, NodeData};

/// An object with another parent.
#[derive(Debug)]
pub(in crate::pack::scene) struct MovedObject {
    /// The edited node.
    node: usize,
    /// Its index in the game file.
    pub(super) index: usize,
    /// Index in the game file of the node above it before.
    from: Option<usize>,
    /// The edited node above it; `None` at the top.
    above: Option<usize>,
}

/// Finds the objects with another parent, and moves them to the top of both scenes.
///
/// # Errors
/// One is shown several times, or is part of an object that was deleted.
pub(super) fn take_moved(
    base: &mut SceneFile,
    edited: &mut SceneFile,
) -> Result<Vec<MovedObject>, Refusal> {
    let mut all = Vec::new();
    loop {
        let Matching { added, lost, .. } = match_all(base, edited)?;
        let (before, after) = (shown(base), shown(edited));
        let lost: Vec<usize> = lost
            .into_iter()
            .filter(|node| before.contains(node))
            .collect();
        let found = find_moved(base, edited, &lost, &added, &after)?;
        if found.is_empty() {
            return Ok(all);
        }
        for (old, new) in found {
            let Some((from, index)) = edge_of(base, old) else {
                continue;
            };
            let above = edited.nodes.get(new).and_then(|node| node.parent);
            if let Some((above, inner)) =
                above.and_then(|above| Some((above, shear_of(edited, above)?)))
            {
                refuse!(
                    "node {}: it was put below {}, beside a part that undoes shear; put it below {}",
                    name_of(edited, new),
                    name_of(edited, above),
                    name_of(edited, inner)
                );
            }
            put_at_top(base, old, index);
            put_at_top(edited, new, index);
            all.push(MovedObject {
                node: new,
                index,
                from,
                above,
            });
        }
    }
}

/// Pairs of an original node that is lost from its place, and the edited node that it is at another place.
fn find_moved(
    base: &SceneFile,
    edited: &SceneFile,
    lost: &[usize],
    added: &[usize],
    after: &HashSet<usize>,
) -> Result<Vec<(usize, usize)>, Refusal> {
    let mut by_index: BTreeMap<usize, usize> = BTreeMap::new();
    let mut repeated = BTreeSet::new();
    for &node in lost {
        if let Some((_, index)) = edge_of(base, node)
            && by_index.insert(index, node).is_some()
        {
            repeated.insert(index);
        }
    }
    let tops: BTreeSet<usize> = added.iter().copied().collect();
    let mut candidates: Vec<(bool, usize, usize)> = Vec::new();
    for node in below(edited, added.to_vec()) {
        let is_used = after.contains(&node) && !edited.unused.contains(&node);
        let index = edited.nodes.get(node).and_then(index_of);
        let old = index.and_then(|index| by_index.get(&index)).copied();
        let Some(old) = old.filter(|_| is_used) else {
            continue;
        };
        if index.is_some_and(|index| repeated.contains(&index)) {
            refuse!(
                "node {}: it has another parent, and the game has it at several places; leave it where it was",
                name_of(edited, node)
            );
        }
        // Parts of copies have other names.
        let is_renamed = name_of(base, old) != name_of(edited, node);
        if !is_renamed || tops.contains(&node) {
            candidates.push((is_renamed, old, node));
        }
    }
    candidates.sort_unstable();
    let mut taken = BTreeSet::new();
    candidates.retain(|(_, old, _)| taken.insert(*old));
    Ok(candidates
        .into_iter()
        .map(|(_, old, new)| (old, new))
        .collect())
}

/// Moves a node to the top of the scene, and takes those with its index out of secondary scenes.
fn put_at_top(file: &mut SceneFile, node: usize, index: usize) {
    let first = shown(file);
    let others = (0..file.nodes.len()).filter(|other| {
        *other != node
            && !first.contains(other)
            && file.nodes.get(*other).and_then(index_of) == Some(index)
    });
    let others = others.collect();
    take_out(file, &others);
    take_out(file, &BTreeSet::from([node]));
    if let Some(found) = file.nodes.get_mut(node) {
        found.parent = None;
        file.roots.push(node);
    }
}

/// Takes moved objects from their parents.
///
/// # Errors
/// One cannot be moved.
pub(super) fn unlink_all(
    tree: &mut GameTree,
    scene: &EditedScene<'_>,
    animated: &Animated,
    parents: &mut BTreeSet<usize>,
) -> Result<(), Refusal> {
    let has_own = usually_has_node_box(tree);
    for moved in &scene.objects.moved {
        let inside = |reason: String| {
            refusal!(
                "node {}: it has another parent, {reason}",
                name_of(&scene.edited, moved.node)
            )
        };
        let Some(node) = tree.node(moved.index) else {
            continue;
        };
        if !matches!(node.data, NodeData::Object3d(_) | NodeData::Lod(_)) {
            return Err(inside(
                "and only objects can; leave it where it was".to_owned(),
            ));
        }
        if node.parents.len() > 1 {
            return Err(inside(
                "but the game has it below several; add a copy of it there, and delete it here"
                    .to_owned(),
            ));
        }
        let below = tree.below(moved.index);
        if let Some(by) = below.iter().find_map(|it| animated.get(it)) {
            return Err(inside(format!(
                "but {by} names it or a part of it, and finds it below its old parent; leave it there, and move or duplicate it"
            )));
        }
        let flags = node.record.flags;
        unlink(tree, moved.from, moved.index, has_own)?;
        parents.extend(moved.from);
        if let Some(node) = tree.node_mut(moved.index) {
            // In cells it names the world as its parent in some games.
            node.parents.clear();
            node.record.flags = flags;
            settle_addresses(node);
        }
    }
    Ok(())
}

/// Puts moved objects below their new parents. Returns the indices of these.
///
/// # Errors
/// The game file has no place for one.
pub(super) fn link_all(
    before: &GameTree,
    tree: &mut GameTree,
    scene: &EditedScene<'_>,
    new: &NewNodes,
    parents: &mut BTreeSet<usize>,
) -> Result<BTreeMap<usize, Option<usize>>, Refusal> {
    let edited = &scene.edited;
    let mut all = BTreeMap::new();
    if scene.objects.moved.is_empty() {
        return Ok(all);
    }
    let listings = Listings::of(before);
    let world = match tree {
        GameTree::World(gamez) => gamez.nodes.world().map(|(index, _)| index),
        GameTree::Mech { .. } => None,
    };
    for moved in &scene.objects.moved {
        let name = name_of(edited, moved.node);
        let of_file = |above: usize| match new.get(&above) {
            Some(&index) => Some(index),
            None => game_node(edited, above).map(|(index, _)| index),
        };
        let above = moved.above.map(of_file);
        if above == Some(None) {
            refuse!(
                "node {name}: it was put below {}, which is not in the game file; put it below an object of the game",
                moved.above.map_or("", |above| name_of(edited, above))
            );
        }
        let above = above.flatten().filter(|above| Some(*above) != world);
        all.insert(moved.index, above);
        match above {
            Some(above) => {
                let takes = tree.node(above).is_some_and(|above| {
                    matches!(above.data, NodeData::Object3d(_) | NodeData::Lod(_))
                });
                if !takes || tree.below(moved.index).contains(&above) {
                    refuse!(
                        "node {name}: it was put below a node that is no object; put it below another one"
                    );
                }
                link(tree, moved.index, above)?;
                parents.insert(above);
            }
            None if world.is_some() && scene.is_world() => {
                let source =
                    Some(moved.index).filter(|_| moved.from.is_none() || moved.from == world);
                place_in_world(before, tree, moved.index, source, &listings);
                for node in [Some(moved.index), world].into_iter().flatten() {
                    if let Some(node) = tree.node_mut(node) {
                        settle_addresses(node);
                    }
                }
            }
            None => {
                refuse!(
                    "node {name}: it was put at the top of the scene; put it below a node of the model"
                );
            }
        }
    }
    Ok(all)
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

/// Checks the parents of moved objects in a packed scene, and moves them to its top.
///
/// # Errors
/// One has another parent.
pub(super) fn check(
    after: &mut SceneFile,
    scene: &EditedScene<'_>,
    parents: &BTreeMap<usize, Option<usize>>,
) -> Result<(), Refusal> {
    for moved in &scene.objects.moved {
        let first = shown(after);
        let is_it = |node: &&usize| after.nodes.get(**node).and_then(index_of) == Some(moved.index);
        let Some(&found) = first.iter().find(is_it) else {
            refuse!(
                "node {}: it has another parent, and the packed file does not show it there: its new parent or its zone hides it",
                name_of(&scene.edited, moved.node)
            );
        };
        let above = edge_of(after, found).and_then(|(above, _)| above);
        let wanted = parents.get(&moved.index).copied().flatten();
        if wanted.is_some() && above != wanted {
            refuse!(
                "node {}: the packed file has it below another node; leave it where it was",
                name_of(&scene.edited, moved.node)
            );
        }
        put_at_top(after, found, moved.index);
    }
    Ok(())
}

//! Objects that an edit puts below another node.
//!
//! They are compared at the top of both scenes, so that everything else about them is compared as for other nodes.

use std::collections::{BTreeMap, BTreeSet};

use super::deletion::{Animated, link, settle_addresses, unlink};
use super::difference::{edge_of, name_of, put_at_top};
use super::maker::NewNodes;
use super::placing::{Listings, place_in_world, usually_has_node_box};
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::game_node::game_node;
use crate::pack::scene::compare::matching::{index_of, shown};
use crate::pack::scene::file::SceneFile;
use crate::pack::scene::zipper::edited_scene::EditedScene;
use crate::pack::scene::zipper::tree::GameTree;
use relicast_formats::zipper::gamez::NodeData;

/// For each moved object the nodes of the game file below which scenes show it; `None` for the top.
pub(super) type Parents = BTreeMap<usize, Vec<Option<usize>>>;

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
        unlink(tree, moved.from, moved.index, has_own);
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

/// Puts moved objects below their new parents. Returns for each object the nodes below which scenes show it.
///
/// # Errors
/// The game file has no place for one.
pub(super) fn link_all(
    before: &GameTree,
    tree: &mut GameTree,
    scene: &EditedScene<'_>,
    new: &NewNodes,
    parents: &mut BTreeSet<usize>,
) -> Result<Parents, Refusal> {
    let edited = &scene.edited;
    let mut all = Parents::new();
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
        let shown = match above {
            Some(above) => vec![Some(above)],
            None => vec![None, world],
        };
        all.insert(moved.index, shown);
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

/// Checks the parents of moved objects in a packed scene, and moves them to its top.
///
/// # Errors
/// One has another parent.
pub(super) fn check(
    after: &mut SceneFile,
    scene: &EditedScene<'_>,
    parents: &Parents,
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
        let wanted = parents.get(&moved.index);
        if wanted.is_none_or(|wanted| !wanted.contains(&above)) {
            refuse!(
                "node {}: the packed file has it below another node; leave it where it was",
                name_of(&scene.edited, moved.node)
            );
        }
        put_at_top(after, found, moved.index);
    }
    Ok(())
}

//! Objects that an edit adds to a scene, copies, or deletes from it.
//!
//! - `difference` — the objects, taken out of the scenes so that everything else is compared without them;
//! - `maker` — new nodes; `mesh_models` — their models; `deletion` — deleted nodes;
//! - `slots` — slots of nodes and models, taken and freed; `library` — the order of nodes in model libraries;
//! - `placing` — boxes and cells of new nodes; `reparenting` — nodes with another parent;
//! - `names` — names of new nodes; `empties` — empty objects in place of last ones;
//! - `own_models` — models for nodes that no longer share one;
//! - `proof` — check that the packed scene shows new objects and no deleted ones.

pub(super) mod deletion;
pub(super) mod difference;
mod empties;
mod library;
pub(super) mod maker;
mod mesh_models;
mod names;
pub(super) mod own_models;
mod placing;
pub(super) mod proof;
pub(super) mod reparenting;
mod slots;

use std::collections::BTreeSet;

use super::edited_scene::EditedScene;
use super::tree::GameTree;
use crate::config::Config;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::matching::index_of;
use crate::pack::scene::file::SceneFile;
use deletion::Animated;
use difference::Edge;
use maker::NewNodes;
use reparenting::Parents;

/// Objects of a scene in the game file.
#[derive(Debug, Default)]
pub(super) struct MadeObjects {
    /// Indices of new nodes, by edited node.
    new: NewNodes,
    /// Objects with another parent.
    moved: Parents,
    /// Number of deleted objects whose slots stay.
    kept: usize,
    /// Empty objects in place of the last ones below levels of detail and worlds.
    empties: Vec<usize>,
    /// For each node of the packed member of a library its number before; empty where these are equal.
    pub order: Vec<usize>,
}

impl MadeObjects {
    /// Gives the nodes of a packed scene the numbers that they had before nodes were added and deleted.
    pub(super) fn number_as_before(&self, after: &mut SceneFile) {
        for node in &mut after.nodes {
            let before = index_of(node).and_then(|index| self.order.get(index));
            let place = node.extras.pointer_mut("/zipper/index");
            if let Some((before, place)) = before.zip(place) {
                *place = (*before).into();
            }
        }
    }
}

/// Puts the nodes of a tree in the order of its file, and returns for each its number before.
///
/// # Errors
/// They are no tree.
pub(super) fn put_in_order(tree: &mut GameTree) -> Result<Vec<usize>, Refusal> {
    match tree {
        GameTree::Mech { mech, .. } => library::put_in_order(mech),
        GameTree::World(_) => Ok(Vec::new()),
    }
}

/// Moves, adds and deletes the objects of a scene. Adds nodes with other children to `parents`.
///
/// # Errors
/// An object cannot be added or deleted.
pub(super) fn apply(
    before: &GameTree,
    tree: &mut GameTree,
    scene: &EditedScene<'_>,
    config: &Config,
    animated: &Animated,
    parents: &mut BTreeSet<usize>,
) -> Result<MadeObjects, Refusal> {
    reparenting::unlink_all(tree, scene, animated, parents)?;
    let edges: Vec<Edge> = scene.objects.deleted.iter().map(|it| it.edge).collect();
    let deleted = deletion::delete(tree, &edges, animated)?;
    parents.extend(deleted.parents);
    let new = maker::add(before, tree, scene, config, parents)?;
    let moved = reparenting::link_all(before, tree, scene, &new, parents)?;
    let emptied = parents.iter().chain(new.values()).copied().collect();
    Ok(MadeObjects {
        empties: empties::add(before, tree, &emptied)?,
        moved,
        new,
        kept: deleted.kept,
        order: Vec::new(),
    })
}

//! Objects that an edit adds to a scene, copies, or deletes from it.
//!
//! - `difference` — the objects, taken out of the scenes so that everything else is compared without them;
//! - `maker` — new nodes; `mesh_models` — their models; `deletion` — deleted nodes;
//! - `slots` — slots of nodes and models, taken and freed; `placing` — boxes and cells of new nodes;
//! - `proof` — check that the packed scene shows new objects and no deleted ones.

pub(super) mod deletion;
pub(super) mod difference;
pub(super) mod maker;
mod mesh_models;
mod placing;
pub(super) mod proof;
mod slots;

use std::collections::BTreeSet;

use super::edited_scene::EditedScene;
use super::tree::GameTree;
use crate::config::Config;
use crate::pack::edited::Refusal;
use deletion::Animated;
use difference::Edge;
use maker::NewNodes;

/// Objects of a scene in the game file.
#[derive(Debug, Default)]
pub(super) struct MadeObjects {
    /// Indices of new nodes, by edited node.
    new: NewNodes,
    /// Number of deleted objects whose slots stay.
    kept: usize,
}

/// Adds and deletes the objects of a scene. Adds nodes with other children to `parents`.
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
    let edges: Vec<Edge> = scene.objects.deleted.iter().map(|it| it.edge).collect();
    let deleted = deletion::delete(tree, &edges, animated)?;
    parents.extend(deleted.parents);
    Ok(MadeObjects {
        new: maker::add(before, tree, scene, config, parents)?,
        kept: deleted.kept,
    })
}

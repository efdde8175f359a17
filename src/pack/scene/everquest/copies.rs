//! Placements that an edit adds or removes: copies of placed models, and deleted models.

use std::collections::{BTreeMap, HashSet};

use glam::DMat4;

use crate::pack::edited::Refusal;
use crate::pack::scene::compare::matching::{placement_of, shown};
use crate::pack::scene::compare::tolerance::{Tolerance, is_same_place};
use crate::pack::scene::file::SceneFile;

/// Added and removed placements.
#[derive(Debug, Default)]
pub(in crate::pack::scene) struct Copies {
    /// Original nodes of removed placements.
    pub gone: Vec<usize>,
    /// New nodes of the edit, each with the original node that it copies.
    pub new: Vec<(usize, usize)>,
}

/// Key of a placement.
pub(super) type Key = (String, usize);

/// The placements that a scene shows, each with its nodes.
pub(super) fn placements(file: &SceneFile) -> BTreeMap<Key, Vec<usize>> {
    let shown = shown(file);
    let mut all: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (number, node) in file.nodes.iter().enumerate() {
        if let Some((name, index)) = placement_of(node).filter(|_| shown.contains(&number)) {
            let key = (name.to_owned(), index);
            all.entry(key).or_default().push(number);
        }
    }
    all
}

/// The transform from the parent of a node to the scene.
pub(super) fn above(file: &SceneFile, node: usize) -> DMat4 {
    let mut matrix = DMat4::IDENTITY;
    let mut at = file.nodes.get(node).and_then(|node| node.parent);
    for _ in 0..512 {
        let Some(node) = at.and_then(|at| file.nodes.get(at)) else {
            break;
        };
        matrix = node.local.to_matrix() * matrix;
        at = node.parent;
    }
    matrix
}

/// True for the model of the ground of a zone in EQG format, which is listed with the placements.
pub(in crate::pack::scene) fn is_ground(model: &str) -> bool {
    model.to_lowercase().ends_with(".ter")
}

/// Finds added and removed placements. A program that drops extras leaves none to find.
///
/// # Errors
/// A copy is below a node that was moved.
pub(super) fn find(base: &SceneFile, edited: &SceneFile) -> Result<Copies, Refusal> {
    let (before, after) = (placements(base), placements(edited));
    let mut copies = Copies::default();
    if after.is_empty() {
        return Ok(copies);
    }
    for (key, nodes) in &before {
        let [node] = &**nodes else { continue };
        // Parts of the ground are joined to it.
        let is_ground = is_ground(&key.0);
        let Some(found) = after.get(key) else {
            copies.gone.push(*node);
            continue;
        };
        let Some(old) = base.nodes.get(*node) else {
            continue;
        };
        let likeness = |&other: &usize| {
            let other = edited.nodes.get(other);
            other.map_or(0, |other| {
                let is_unmoved = is_same_place(old.local, other.local, Tolerance::FOREIGN);
                2 * u8::from(is_unmoved) + u8::from(old.name == other.name)
            })
        };
        // The first of several equal ones.
        let own = found.iter().rev().max_by_key(|other| likeness(other));
        for &other in found
            .iter()
            .filter(|&other| Some(other) != own && !is_ground)
        {
            let is_independent = [above(base, *node), above(edited, other)]
                .iter()
                .all(|matrix| matrix.abs_diff_eq(DMat4::IDENTITY, 1e-6));
            if !is_independent {
                refuse!(
                    "node {}: a copied placement must not be below a node that is moved, rotated or scaled",
                    edited.nodes.get(other).map_or("", |node| &*node.name)
                );
            }
            copies.new.push((*node, other));
        }
    }
    Ok(copies)
}

/// Drops placements of an edit that have no parent: programs that delete a node may leave it so.
pub(super) fn forget_loose(file: &mut SceneFile) {
    let shown = shown(file);
    for (number, node) in file.nodes.iter_mut().enumerate() {
        if node.parent.is_none() && !shown.contains(&number) && placement_of(node).is_some() {
            node.parent = Some(usize::MAX);
        }
    }
}

/// Removes nodes and all nodes below them from a scene.
pub(super) fn unlink(file: &mut SceneFile, nodes: impl Iterator<Item = usize>) {
    let gone: HashSet<usize> = nodes.collect();
    if gone.is_empty() {
        return;
    }
    file.roots.retain(|root| !gone.contains(root));
    for node in &mut file.nodes {
        node.children.retain(|child| !gone.contains(child));
    }
    for &node in &gone {
        if let Some(node) = file.nodes.get_mut(node) {
            // It is not a root of another scene either.
            node.parent = node.parent.or(Some(usize::MAX));
        }
    }
}

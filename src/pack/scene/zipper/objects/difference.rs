//! Objects that only an edit has, or only the original.

use std::collections::{BTreeMap, BTreeSet};

use super::reparenting::{MovedObject, take_moved};
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::game_node::{game_node, shear_of};
use crate::pack::scene::compare::matching::{Matching, index_of, match_all, shown};
use crate::pack::scene::file::{SceneFile, SceneNode};

/// An object that the edit adds.
#[derive(Debug)]
pub(in crate::pack::scene) struct AddedObject {
    /// The edited node.
    pub node: usize,
    /// Index in the game file of the node above it; `None` at the top of a scene.
    pub parent: Option<usize>,
}

/// A node of the game file below another, or at the top.
pub(in crate::pack::scene) type Edge = (Option<usize>, usize);

/// An object that the edit deletes.
#[derive(Debug)]
pub(in crate::pack::scene) struct DeletedObject {
    /// The original node.
    pub node: usize,
    /// Indices in the game file of the node above it and of itself.
    pub edge: Edge,
}

/// A mesh that some nodes have alone after an edit.
#[derive(Debug)]
pub(in crate::pack::scene) struct OwnMesh {
    /// Indices of the nodes in the game file.
    pub nodes: BTreeSet<usize>,
}

/// Objects that an edit adds and deletes.
#[derive(Debug, Default)]
pub(in crate::pack::scene) struct ObjectEdits {
    /// Objects with another parent; both scenes have them at the top.
    pub moved: Vec<MovedObject>,
    pub added: Vec<AddedObject>,
    pub deleted: Vec<DeletedObject>,
}

impl ObjectEdits {
    pub(in crate::pack::scene) fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.added.is_empty() && self.deleted.is_empty()
    }

    /// Meshes of the edit that added nodes show and that no other node shows.
    pub(in crate::pack::scene) fn added_meshes(&self, edited: &SceneFile) -> Vec<usize> {
        let tops = self.added.iter().map(|added| added.node);
        let nodes = below(edited, tops.collect());
        let mesh = |node: &SceneNode| node.mesh;
        let all = edited.nodes.iter().enumerate();
        let others = all.filter(|(number, _)| !nodes.contains(number));
        let others: BTreeSet<usize> = others.filter_map(|(_, node)| mesh(node)).collect();
        let meshes = nodes
            .iter()
            .filter_map(|&node| mesh(edited.nodes.get(node)?));
        let meshes: BTreeSet<usize> = meshes.filter(|mesh| !others.contains(mesh)).collect();
        meshes.into_iter().collect()
    }
}

/// Nodes and all nodes below them.
pub(super) fn below(file: &SceneFile, mut stack: Vec<usize>) -> BTreeSet<usize> {
    let mut all = BTreeSet::new();
    while let Some(node) = stack.pop() {
        if let Some(found) = file.nodes.get(node)
            && all.insert(node)
        {
            stack.extend(&found.children);
        }
    }
    all
}

/// The node of the game file above a node of a scene; nodes that are not in the game file are passed over.
fn parent_index(file: &SceneFile, node: usize) -> Option<usize> {
    let mut at = node;
    for _ in 0..file.nodes.len() {
        at = file.nodes.get(at)?.parent?;
        if let Some((index, _)) = game_node(file, at) {
            return Some(index);
        }
    }
    None
}

/// The place of a node in the game file.
pub(super) fn edge_of(file: &SceneFile, node: usize) -> Option<Edge> {
    let (index, outer) = game_node(file, node)?;
    Some((parent_index(file, outer), index))
}

/// Takes nodes out of the tree of a scene.
pub(super) fn take_out(file: &mut SceneFile, nodes: &BTreeSet<usize>) {
    for &number in nodes {
        let Some(node) = file.nodes.get_mut(number) else {
            continue;
        };
        // A node below itself is not a root.
        let parent = node.parent.replace(number);
        if let Some(parent) = parent.and_then(|parent| file.nodes.get_mut(parent)) {
            parent.children.retain(|child| *child != number);
        }
    }
    file.roots.retain(|root| !nodes.contains(root));
}

/// Takes the nodes at these places of the game file out of all scenes of a file.
pub(super) fn take_out_edges(file: &mut SceneFile, edges: &BTreeSet<Edge>) {
    let nodes = file.nodes.iter().enumerate();
    let nodes = nodes.filter(|(number, node)| {
        let edge = index_of(node).and_then(|_| edge_of(file, *number));
        edge.is_some_and(|edge| edges.contains(&edge))
    });
    let nodes = nodes.map(|(number, _)| number).collect();
    take_out(file, &nodes);
}

/// Finds the objects that only one of two scenes has, and takes them out of both.
///
/// # Errors
/// A node is no node of the game file.
pub(in crate::pack::scene) fn take_apart(
    base: &mut SceneFile,
    edited: &mut SceneFile,
) -> Result<ObjectEdits, Refusal> {
    let moved = take_moved(base, edited)?;
    let Matching { added, lost, .. } = match_all(base, edited)?;
    let before = shown(base);
    let lost: Vec<usize> = lost
        .into_iter()
        .filter(|node| before.contains(node))
        .collect();
    let mut edits = ObjectEdits {
        moved,
        ..ObjectEdits::default()
    };
    for node in lost {
        let Some(edge) = edge_of(base, node) else {
            refuse!(
                "node {}: it was removed; it is not an object of the game file but follows from other files, and cannot be deleted here",
                name_of(base, node)
            );
        };
        edits.deleted.push(DeletedObject { node, edge });
    }
    let after = shown(edited);
    let gone: BTreeSet<usize> = edits.deleted.iter().map(|it| it.edge.1).collect();
    let orphans = parts_of(base, &edits.deleted);
    let mut left_over = BTreeSet::new();
    for node in added {
        let moved = edited.nodes.get(node).and_then(index_of);
        let is_gone = moved.is_some_and(|index| gone.contains(&index));
        if (is_gone && !after.contains(&node)) || edited.unused.contains(&node) {
            // It is still in the file, but in no scene.
            left_over.insert(node);
            continue;
        }
        if !after.contains(&node) {
            refuse!(
                "node {}: it was added to a secondary scene, which shows the start of a mission; add it to the first scene",
                name_of(edited, node)
            );
        }
        let known = moved.and_then(|index| orphans.get(&index));
        let known = known.filter(|(part, _)| *part == name_of(edited, node));
        if let Some((part, whole)) = known {
            refuse!(
                "node {part}: {whole}, which it is a part of, was deleted, and it was not; delete it too (in Blender with Delete Hierarchy), or keep {whole} and delete its other parts"
            );
        }
        let parent = parent_of(edited, node)?;
        edits.added.push(AddedObject { node, parent });
    }
    left_over.extend(edits.added.iter().map(|it| it.node));
    take_out(edited, &left_over);
    let edges: BTreeSet<Edge> = edits.deleted.iter().map(|it| it.edge).collect();
    if !edges.is_empty() {
        take_out_edges(base, &edges);
        take_out_edges(edited, &edges);
    }
    Ok(edits)
}

/// Names of the parts below deleted nodes and of these, by the index of the part.
fn parts_of<'f>(
    base: &'f SceneFile,
    deleted: &[DeletedObject],
) -> BTreeMap<usize, (&'f str, &'f str)> {
    let mut parts = BTreeMap::new();
    for whole in deleted {
        for node in below(base, vec![whole.node]) {
            if node != whole.node
                && let Some(index) = base.nodes.get(node).and_then(index_of)
            {
                parts.insert(index, (name_of(base, node), name_of(base, whole.node)));
            }
        }
    }
    parts
}

/// The index in the game file of the node above an added one; `None` at the top of the scene.
fn parent_of(file: &SceneFile, node: usize) -> Result<Option<usize>, Refusal> {
    let above = file.nodes.get(node).and_then(|node| node.parent);
    let Some(above) = above else {
        return Ok(None);
    };
    let name = name_of(file, node);
    match (game_node(file, above), shear_of(file, above)) {
        (Some(_), Some(inner)) => Err(refusal!(
            "node {name}: it was added beside a part that undoes shear; put it below {}",
            name_of(file, inner)
        )),
        (Some((index, _)), None) => Ok(Some(index)),
        (None, _) => Err(refusal!(
            "node {name}: it was added below {}, which is not in the game file; put it below an object of the game",
            name_of(file, above)
        )),
    }
}

pub(super) fn name_of(file: &SceneFile, node: usize) -> &str {
    file.nodes.get(node).map_or("", |node| &node.name)
}

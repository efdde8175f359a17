//! Objects that only an edit has, or only the original.

use std::collections::{BTreeMap, BTreeSet, HashSet};

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

/// An object with another parent.
#[derive(Debug)]
pub(in crate::pack::scene) struct MovedObject {
    /// The edited node.
    pub(super) node: usize,
    /// Its index in the game file.
    pub(super) index: usize,
    /// Index in the game file of the node above it before.
    pub(super) from: Option<usize>,
    /// The edited node above it; `None` at the top.
    pub(super) above: Option<usize>,
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

/// Finds the objects with another parent, and moves them to the top of both scenes.
///
/// # Errors
/// One is shown several times, or is part of an object that was deleted.
fn take_moved(base: &mut SceneFile, edited: &mut SceneFile) -> Result<Vec<MovedObject>, Refusal> {
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
pub(super) fn put_at_top(file: &mut SceneFile, node: usize, index: usize) {
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

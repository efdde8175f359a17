//! Nodes whose flag `active` was edited. The flag decides in which scene they and all nodes below them are shown, so
//! the packed scene is compared without them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::Difference;
use crate::pack::scene::compare::matching::index_of;
use crate::pack::scene::file::{SceneFile, SceneNode};

/// New active flags of nodes, by their index in the game file.
pub(in crate::pack::scene) type ActiveFlags = BTreeMap<usize, bool>;

/// Active flag of a node; `None` where its extras hold only its index.
fn is_active(node: &SceneNode) -> Option<bool> {
    let facts = node.extras.get("zipper")?;
    facts.get("class")?;
    let flags = facts.get("flags");
    let mut names = flags.and_then(Value::as_array).into_iter().flatten();
    Some(names.any(|name| {
        name.as_str()
            .is_some_and(|name| name.eq_ignore_ascii_case("active"))
    }))
}

/// The nodes of an edit whose flag changed.
///
/// # Errors
/// Something below one of these nodes was edited too.
pub(in crate::pack::scene) fn of(
    base: &SceneFile,
    edited: &SceneFile,
    difference: &Difference,
) -> Result<ActiveFlags, Refusal> {
    let mut active_flags = ActiveFlags::new();
    for change in difference.nodes.iter().filter(|it| it.has_other_extras) {
        let nodes = (base.nodes.get(change.base), edited.nodes.get(change.edited));
        let (Some(old), Some(new)) = nodes else {
            continue;
        };
        let (Some(index), Some(active)) = (index_of(old), is_active(new)) else {
            continue;
        };
        if is_active(old) == Some(active) {
            continue;
        }
        active_flags.insert(index, active);
        let mut below = old.children.clone();
        let mut stack = below.clone();
        while let Some(node) = stack.pop() {
            let children = base.nodes.get(node).map(|node| &node.children);
            for child in children.into_iter().flatten() {
                below.push(*child);
                stack.push(*child);
            }
        }
        let is_below = |node: usize| below.contains(&node);
        let mut nodes = difference.nodes.iter();
        let meshes = difference.meshes.iter().map(|it| it.node);
        let mut meshes = meshes.chain(difference.remade.iter().map(|it| it.node));
        if nodes.any(|it| is_below(it.base))
            || meshes.any(|node| is_below(node) || node == change.base)
        {
            refuse!(
                "node {}: extras.zipper.flags: active decides in which scene the node and its children are, which were edited too; edit one, pack, convert again, then edit the other",
                old.name
            );
        }
    }
    Ok(active_flags)
}

/// A scene without the meshes of the nodes and without all nodes below them; without the nodes themselves if they are
/// roots.
pub(in crate::pack::scene) fn pruned<'f>(
    file: &'f SceneFile,
    active_flags: &ActiveFlags,
) -> Cow<'f, SceneFile> {
    if active_flags.is_empty() {
        return Cow::Borrowed(file);
    }
    let mut pruned = file.clone();
    for (number, node) in pruned.nodes.iter_mut().enumerate() {
        if index_of(node).is_some_and(|index| active_flags.contains_key(&index)) {
            node.children.clear();
            node.mesh = None;
            // A node below itself is not a root.
            if node.parent.is_none() {
                node.parent = Some(number);
            }
        }
    }
    let nodes = &pruned.nodes;
    pruned.roots.retain(|&root| {
        let index = nodes.get(root).and_then(index_of);
        index.is_none_or(|index| !active_flags.contains_key(&index))
    });
    Cow::Owned(pruned)
}

/// Checks that the packed file has the flags.
///
/// # Errors
/// The flags differ.
pub(in crate::pack::scene) fn check(
    after: &SceneFile,
    active_flags: &ActiveFlags,
) -> Result<(), Refusal> {
    for node in &after.nodes {
        let wanted = index_of(node).and_then(|index| active_flags.get(&index));
        if let Some(&wanted) = wanted
            && is_active(node).is_some_and(|found| found != wanted)
        {
            refuse!(
                "node {}: extras.zipper.flags: active is derived from other values",
                node.name
            );
        }
    }
    Ok(())
}

//! Which node of an edited scene is which of the scene as it was: by index in extras, else by the names on the way.

use std::collections::HashSet;

use super::file::{SceneFile, SceneNode};
use crate::pack::edited::Refusal;

/// For each node of the scene as it was the node of the edit.
pub(super) type Matches = Vec<Option<usize>>;

/// The index that a node has in its game file, by its extras.
pub(super) fn index_of(node: &SceneNode) -> Option<usize> {
    let index = node.extras.get("zipper")?.get("index")?.as_u64()?;
    usize::try_from(index).ok()
}

/// What a node is known by: its file within an archive of EverQuest, or nothing, and its index there.
fn key_of(node: &SceneNode) -> Option<(&str, usize)> {
    index_of(node)
        .map(|index| ("", index))
        .or_else(|| placement_of(node))
}

/// The file and the fragment of a placement of EverQuest.
pub(super) fn placement_of(node: &SceneNode) -> Option<(&str, usize)> {
    let facts = node.extras.get("everquest")?;
    let index = usize::try_from(facts.get("index")?.as_u64()?).ok()?;
    Some((facts.get("file")?.as_str()?, index))
}

/// A name without the number that Blender tells names apart with.
pub(super) fn plain_name(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, number))
            if number.len() >= 3 && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            stem
        }
        _ => name,
    }
}

/// Nodes below the roots of the scene that is shown.
pub(super) fn shown(file: &SceneFile) -> HashSet<usize> {
    let mut seen = HashSet::new();
    let mut stack = file.roots.clone();
    while let Some(node) = stack.pop() {
        if let Some(found) = file.nodes.get(node)
            && seen.insert(node)
        {
            stack.extend(&found.children);
        }
    }
    seen
}

/// Finds the nodes of `base` in `edited`.
///
/// # Errors
/// A node was added, taken out, or hung elsewhere.
pub(super) fn match_nodes(base: &SceneFile, edited: &SceneFile) -> Result<Matches, Refusal> {
    let mut matches: Matches = vec![None; base.nodes.len()];
    // Other scenes of a file follow; some programs show all as one.
    let tops = |file: &SceneFile| {
        let others = file.nodes.iter().enumerate();
        let others =
            others.filter(|(number, node)| node.parent.is_none() && !file.roots.contains(number));
        let mut tops = file.roots.clone();
        tops.extend(others.map(|(number, _)| number));
        tops
    };
    let mut work = vec![(tops(base), tops(edited))];
    let mut visited = 0_usize;
    while let Some((old, new)) = work.pop() {
        visited = visited.saturating_add(new.len());
        if visited > edited.nodes.len() {
            return Err(Refusal::new("the nodes of the scene go round in a ring"));
        }
        let pairs = match_siblings(base, edited, &old, &new)?;
        for (from, to) in pairs {
            if let Some(place) = matches.get_mut(from) {
                *place = Some(to);
            }
            let below = |file: &SceneFile, node: usize| {
                let node = file.nodes.get(node);
                node.map(|node| node.children.clone()).unwrap_or_default()
            };
            work.push((below(base, from), below(edited, to)));
        }
    }
    let still_shown = shown(edited);
    let is_lost = |node: &usize| {
        let found = matches.get(*node).copied().flatten();
        let is_left_out = edited.is_foreign && found.is_none() && !shows_mesh(base, *node);
        !is_left_out && !found.is_some_and(|found| still_shown.contains(&found))
    };
    let lost = shown(base).into_iter().filter(is_lost).min();
    match lost.and_then(|node| base.nodes.get(node)) {
        Some(node) => Err(Refusal::new(format_args!(
            "node {}: it is not there any more, or hangs below another node; nodes are not taken out",
            node.name
        ))),
        None => Ok(matches),
    }
}

/// Whether a node or one below it shows a mesh. Programs that leave out cameras and lights leave out the others.
fn shows_mesh(file: &SceneFile, node: usize) -> bool {
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        if let Some(found) = file.nodes.get(node) {
            if found.mesh.is_some() {
                return true;
            }
            stack.extend(&found.children);
        }
    }
    false
}

fn match_siblings(
    base: &SceneFile,
    edited: &SceneFile,
    old: &[usize],
    new: &[usize],
) -> Result<Vec<(usize, usize)>, Refusal> {
    type Test = fn(&SceneNode, &SceneNode) -> bool;
    let tests: [Test; 5] = [
        |old, new| key_of(old) == key_of(new) && old.name == new.name,
        |old, new| key_of(old).is_some() && key_of(old) == key_of(new),
        |old, new| (key_of(old).is_none() || key_of(new).is_none()) && old.name == new.name,
        |old, new| {
            (key_of(old).is_none() || key_of(new).is_none())
                && plain_name(&old.name) == plain_name(&new.name)
        },
        // Its name follows from that of the node above.
        |old, new| {
            let is_shear = |node: &SceneNode| {
                key_of(node).is_none() && plain_name(&node.name).ends_with("__shear")
            };
            is_shear(old) && is_shear(new)
        },
    ];
    let mut pairs = Vec::with_capacity(new.len());
    let mut free: Vec<usize> = old.to_vec();
    let mut left: Vec<usize> = new.to_vec();
    for test in tests {
        // Most siblings are in the order that they had.
        let mut start = 0;
        left.retain(|&to| {
            let Some(new) = edited.nodes.get(to) else {
                return false;
            };
            let fits = |from: &usize| base.nodes.get(*from).is_some_and(|old| test(old, new));
            let later = free.iter().skip(start).position(fits);
            let found = later
                .map(|place| place + start)
                .or_else(|| free.iter().take(start).position(fits));
            match found {
                Some(place) => {
                    pairs.push((free.remove(place), to));
                    start = place;
                    false
                }
                None => true,
            }
        });
    }
    match left.first().and_then(|&node| edited.nodes.get(node)) {
        None => Ok(pairs),
        Some(node) => Err(Refusal::new(format_args!(
            "node {}: it was not there, or hung below another node; nodes are not added",
            node.name
        ))),
    }
}

//! Matches nodes of an edited scene with those of the original: by index in extras, else by their paths of names.

use std::collections::{HashMap, HashSet, VecDeque};

use super::tolerance::{Tolerance, is_same_place};
use crate::pack::edited::Refusal;
use crate::pack::json::index;
use crate::pack::scene::file::{SceneFile, SceneNode};

/// For each original node the edited node.
pub(in crate::pack::scene) type Matches = Vec<Option<usize>>;

/// The index that a node has in its game file, by its extras.
pub(in crate::pack::scene) fn index_of(node: &SceneNode) -> Option<usize> {
    index(node.extras.get("zipper")?.get("index")?)
}

/// Key of a node: its file within an archive of EverQuest, or nothing, and its index there.
pub(in crate::pack::scene) fn key_of(node: &SceneNode) -> Option<(&str, usize)> {
    index_of(node)
        .map(|index| ("", index))
        .or_else(|| placement_of(node))
}

/// The file and the fragment of a placement of EverQuest; the model and the index of one in EQG format.
pub(in crate::pack::scene) fn placement_of(node: &SceneNode) -> Option<(&str, usize)> {
    let facts = node.extras.get("everquest")?;
    let index = index(facts.get("index")?)?;
    let file = facts.get("file").or_else(|| facts.get("model"))?;
    Some((file.as_str()?, index))
}

/// A name without the number that Blender adds to make names unique.
pub(in crate::pack::scene) fn plain_name(name: &str) -> &str {
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
pub(in crate::pack::scene) fn shown(file: &SceneFile) -> HashSet<usize> {
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

/// Matches the nodes of `after` with the nodes of `edited`.
///
/// # Errors
/// As for [`match_nodes`].
pub(in crate::pack::scene) fn nodes_by_edit(
    after: &SceneFile,
    edited: &SceneFile,
) -> Result<HashMap<usize, usize>, Refusal> {
    let matches = match_nodes(after, edited)?.into_iter().enumerate();
    Ok(matches
        .filter_map(|(node, edited)| Some((edited?, node)))
        .collect())
}

/// Nodes of an original that an edit has, and those that only one of them has.
#[derive(Debug, Default)]
pub(in crate::pack::scene) struct Matching {
    pub matches: Matches,
    /// Edited nodes without original, the topmost ones.
    pub added: Vec<usize>,
    /// Original nodes that the edit does not have, the topmost ones.
    pub lost: Vec<usize>,
}

/// Finds the nodes of `base` in `edited`.
///
/// # Errors
/// A node was added or removed, or has another parent.
pub(in crate::pack::scene) fn match_nodes(
    base: &SceneFile,
    edited: &SceneFile,
) -> Result<Matches, Refusal> {
    let Matching { matches, added, .. } = match_all(base, edited)?;
    if let Some(node) = added.first().and_then(|&node| edited.nodes.get(node)) {
        refuse!(
            "node {}: it was added or has another parent, which is not supported here; delete it, or leave it where it was",
            node.name
        );
    }
    let still_shown = shown(edited);
    let is_lost = |node: &usize| {
        let found = matches.get(*node).copied().flatten();
        !found.is_some_and(|found| still_shown.contains(&found))
    };
    let lost = shown(base).into_iter().filter(is_lost).min();
    match lost.and_then(|node| base.nodes.get(node)) {
        Some(node) => Err(refusal!(
            "node {}: it was removed or has another parent, which is not supported; leave it where it was, and export the whole scene (Blender: without Limit to > Selected Objects)",
            node.name
        )),
        None => Ok(matches),
    }
}

/// Finds the nodes of `base` in `edited`, and those that only one of them has.
///
/// # Errors
/// The nodes are no tree.
pub(in crate::pack::scene) fn match_all(
    base: &SceneFile,
    edited: &SceneFile,
) -> Result<Matching, Refusal> {
    let mut all = Matching {
        matches: vec![None; base.nodes.len()],
        ..Matching::default()
    };
    // Other scenes of a file follow; some programs merge all scenes into one.
    let tops = |file: &SceneFile| {
        let roots: HashSet<usize> = file.roots.iter().copied().collect();
        let others = file.nodes.iter().enumerate();
        let others =
            others.filter(|(number, node)| node.parent.is_none() && !roots.contains(number));
        let mut tops = file.roots.clone();
        tops.extend(others.map(|(number, _)| number));
        tops
    };
    let mut work = vec![(tops(base), tops(edited))];
    let mut visited = 0_usize;
    while let Some((old, new)) = work.pop() {
        visited = visited.saturating_add(new.len());
        if visited > edited.nodes.len() {
            refuse!("the node hierarchy contains a cycle");
        }
        let siblings = match_siblings(base, edited, &old, &new);
        all.added.extend(siblings.added);
        all.lost.extend(siblings.lost);
        for (from, to) in siblings.pairs {
            if let Some(place) = all.matches.get_mut(from) {
                *place = Some(to);
            }
            let below = |file: &SceneFile, node: usize| {
                let node = file.nodes.get(node);
                node.map(|node| node.children.clone()).unwrap_or_default()
            };
            work.push((below(base, from), below(edited, to)));
        }
    }
    Ok(all)
}

/// Criterion for matching siblings, the most reliable first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    IndexAndName,
    Index,
    Name,
    PlainName,
    /// Its name is derived from that of its parent.
    Shear,
}

const PASSES: [Pass; 5] = [
    Pass::IndexAndName,
    Pass::Index,
    Pass::Name,
    Pass::PlainName,
    Pass::Shear,
];

/// Value that is equal for nodes that a pass matches.
type Token<'n> = (Option<(&'n str, usize)>, Option<&'n str>);

impl Pass {
    fn token(self, node: &SceneNode) -> Option<Token<'_>> {
        match self {
            Self::IndexAndName => Some((key_of(node), Some(&*node.name))),
            Self::Index => key_of(node).map(|key| (Some(key), None)),
            Self::Name => Some((None, Some(&*node.name))),
            Self::PlainName => Some((None, Some(plain_name(&node.name)))),
            Self::Shear => {
                let is_shear =
                    key_of(node).is_none() && plain_name(&node.name).ends_with("__shear");
                is_shear.then_some((None, None))
            }
        }
    }

    /// True if the match holds only where one of the nodes has lost its index.
    fn is_a_guess(self) -> bool {
        matches!(self, Self::Name | Self::PlainName)
    }
}

/// Siblings that match, and those that only one side has.
struct Siblings {
    pairs: Vec<(usize, usize)>,
    added: Vec<usize>,
    lost: Vec<usize>,
}

fn match_siblings(base: &SceneFile, edited: &SceneFile, old: &[usize], new: &[usize]) -> Siblings {
    let mut pairs = Vec::with_capacity(new.len());
    let mut free: Vec<usize> = old.to_vec();
    let mut left: Vec<usize> = new.to_vec();
    if new.len() > old.len() {
        let in_place = unmoved(base, edited, old, new);
        free.retain(|from| !in_place.iter().any(|(known, _)| known == from));
        left.retain(|to| !in_place.iter().any(|(_, known)| known == to));
        pairs.extend(in_place);
    }
    for pass in PASSES {
        let mut known: HashMap<Token<'_>, VecDeque<usize>> = HashMap::new();
        for &from in &free {
            if let Some(token) = base.nodes.get(from).and_then(|old| pass.token(old)) {
                known.entry(token).or_default().push_back(from);
            }
        }
        let mut taken = HashSet::new();
        left.retain(|&to| {
            let Some(new) = edited.nodes.get(to) else {
                return false;
            };
            let queue = pass.token(new).and_then(|token| known.get_mut(&token));
            let fits = |from: &usize| {
                let old = base.nodes.get(*from);
                old.is_some_and(|old| {
                    !pass.is_a_guess() || key_of(old).is_none() || key_of(new).is_none()
                })
            };
            match queue.and_then(|queue| {
                queue.front().copied().filter(fits).inspect(|_| {
                    queue.pop_front();
                })
            }) {
                Some(from) => {
                    pairs.push((from, to));
                    taken.insert(from);
                    false
                }
                None => true,
            }
        });
        free.retain(|from| !taken.contains(from));
    }
    left.sort_unstable();
    Siblings {
        pairs,
        added: left,
        lost: free,
    }
}

/// Nodes with copies beside them: of a node and its copies, the one that was not moved is the node, preferably one with
/// its name.
fn unmoved(
    base: &SceneFile,
    edited: &SceneFile,
    old: &[usize],
    new: &[usize],
) -> Vec<(usize, usize)> {
    let mut by_key: HashMap<(&str, usize), Vec<usize>> = HashMap::new();
    for &to in new {
        if let Some(key) = edited.nodes.get(to).and_then(key_of) {
            by_key.entry(key).or_default().push(to);
        }
    }
    let mut pairs = Vec::new();
    for &from in old {
        let Some(node) = base.nodes.get(from) else {
            continue;
        };
        let copies = key_of(node).and_then(|key| by_key.get(&key));
        let copies = copies.filter(|copies| copies.len() > 1);
        let there = copies.into_iter().flatten().copied().filter(|to| {
            let new = edited.nodes.get(*to);
            new.is_some_and(|new| is_same_place(node.local, new.local, Tolerance::EXACT))
                && !pairs.iter().any(|(_, known)| known == to)
        });
        let rank = |to: &usize| {
            let name = edited.nodes.get(*to).map_or("", |new| &*new.name);
            (
                name != node.name,
                plain_name(name) != plain_name(&node.name),
            )
        };
        pairs.extend(there.min_by_key(rank).map(|to| (from, to)));
    }
    pairs
}

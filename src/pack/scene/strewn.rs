//! Things that are strewn over a world of Crimson Skies: they follow from the ground, the volumes of fog and their
//! templates, and no file holds them. What was packed may have them in other places, so they are compared for themselves.

use super::file::{Local, SceneFile};
use crate::pack::edited::Refusal;

/// Numbers of two places that are further apart are an edit. Other programs round.
const TOLERANCE: f64 = 0.01;

/// Takes the nodes of strewn things out of the tree of a scene.
pub(super) fn set_apart(mut file: SceneFile) -> SceneFile {
    let is_group = |node: usize| {
        let node = file.nodes.get(node);
        node.is_some_and(|node| {
            let facts = node.extras.pointer("/zipper/clutter/random");
            node.parent.is_none() && facts.is_some()
        })
    };
    let groups: Vec<usize> = (0..file.nodes.len())
        .filter(|node| is_group(*node))
        .collect();
    for group in groups {
        file.roots.retain(|root| *root != group);
        let mut stack = vec![group];
        while let Some(number) = stack.pop() {
            let Some(node) = file.nodes.get_mut(number) else {
                continue;
            };
            stack.append(&mut node.children);
            if node.mesh.take().is_some() {
                file.strewn.insert(node.name.clone(), node.local);
            }
            // Who hangs below itself is no top.
            node.parent = Some(number);
        }
    }
    file
}

/// Checks that an edit left strewn things where they were.
///
/// # Errors
/// One was moved, added or taken out.
pub(super) fn check(base: &SceneFile, edited: &SceneFile) -> Result<(), Refusal> {
    let (old, new) = (&base.strewn, &edited.strewn);
    let is_same = |one: &Local, other: &Local| {
        one == other || (one.to_matrix()).abs_diff_eq(other.to_matrix(), TOLERANCE)
    };
    let moved = old.iter().find(|(name, local)| {
        let other = new.get(*name);
        !other.is_some_and(|other| is_same(local, other))
    });
    let added = new.keys().find(|name| !old.contains_key(*name));
    match moved.map(|(name, _)| name).or(added) {
        None => Ok(()),
        Some(name) => Err(Refusal::new(format_args!(
            "node {name}: things that are strewn about follow from the ground and from templates.zrd and fogvol.zrd; edit those, or leave the things out with worlds.clutter = false"
        ))),
    }
}

//! Clutter of a world of Crimson Skies: generated from the ground, the volumes of fog and templates, and stored in no
//! file.
//! The packed scene may have it at other positions, so it is compared separately.

use super::difference::{CornerChange, OtherScenes, compare_shown};
use super::scene_pair::ScenePair;
use super::tolerance::Tolerance;
use crate::pack::edited::Refusal;
use crate::pack::scene::file::{SceneFile, Strewn};

/// Largest difference of coordinates that is not an edit, because other programs round.
const TOLERANCE: f64 = 0.01;

/// Takes the nodes of clutter out of the tree of a scene.
pub(in crate::pack::scene) fn set_apart(mut file: SceneFile) -> SceneFile {
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
            if let Some(mesh) = node.mesh.take() {
                let places = file.rest.take_of_node(&node.name);
                let local = node.local;
                let strewn = Strewn {
                    local,
                    mesh,
                    places,
                };
                file.strewn.insert(node.name.clone(), strewn);
            }
            // A node below itself is not a root.
            node.parent = Some(number);
        }
    }
    file
}

/// Checks that an edit left the clutter as it was.
///
/// # Errors
/// Clutter was moved, added or removed.
pub(in crate::pack::scene) fn check(base: &SceneFile, edited: &SceneFile) -> Result<(), Refusal> {
    let (old, new) = (&base.strewn, &edited.strewn);
    let is_same = |one: &Strewn, other: &Strewn| {
        let (from, to) = (one.local, other.local);
        let is_unmoved = from == to || from.to_matrix().abs_diff_eq(to.to_matrix(), TOLERANCE);
        is_unmoved && one.places == other.places
    };
    let is_kept = |(name, strewn): &(&String, &Strewn)| {
        let other = new.get(*name);
        other.is_some_and(|other| is_same(strewn, other))
    };
    let moved = old.iter().find(|one| !is_kept(one));
    let added = new.keys().find(|name| !old.contains_key(*name));
    match moved.map(|(name, _)| name).or(added) {
        None => check_meshes(base, edited),
        Some(name) => Err(refusal!(
            "node {name}: clutter is generated from the ground, templates.zrd and fogvol.zrd; edit these, or convert without clutter (worlds.clutter = false)"
        )),
    }
}

/// Checks that an edit left the meshes of clutter as they were, except those that nodes of the world show too, which
/// are compared there.
fn check_meshes(base: &SceneFile, edited: &SceneFile) -> Result<(), Refusal> {
    let scenes = ScenePair { base, edited };
    for (name, other) in &edited.strewn {
        let Some(strewn) = base.strewn.get(name) else {
            continue;
        };
        let is_shared = base.nodes.iter().any(|node| node.mesh == Some(strewn.mesh));
        let meshes = (base.meshes.get(strewn.mesh), edited.meshes.get(other.mesh));
        let (Some(before), Some(after)) = meshes else {
            refuse!("node {name}: mesh index out of range");
        };
        if is_shared {
            continue;
        }
        let corners = compare_shown(scenes, before, after, Tolerance::EXACT, OtherScenes::Refuse)?;
        let is_as_it_was =
            corners.is_some_and(|corners| !corners.iter().flatten().any(CornerChange::is_any));
        if !is_as_it_was {
            refuse!(
                "mesh {}: only clutter shows it here; edit it in the file of its model",
                before.name
            );
        }
    }
    Ok(())
}

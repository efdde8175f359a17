//! Checks that a packed scene shows the new objects and no deleted ones.

use std::collections::BTreeSet;

use super::MadeObjects;
use super::difference::{Edge, below, edge_of, take_out};
use super::maker::{source_of, whole_mesh, whole_place};
use super::reparenting;
use crate::pack::edited::Refusal;
use crate::pack::rounding::RoundingReport;
use crate::pack::scene::compare::matching::{index_of, shown};
use crate::pack::scene::compare::scene_pair::ScenePair;
use crate::pack::scene::compare::tolerance::{Tolerance, is_same_place};
use crate::pack::scene::compare::triangle_check::shows_all;
use crate::pack::scene::file::SceneFile;
use crate::pack::scene::zipper::edited_scene::EditedScene;
use crate::pack::scene::zipper::facts;
use crate::pack::scene::zipper::proof::shows;

/// Most names in a report.
const MOST_NAMES: usize = 4;

/// Checks the objects of a packed scene, and takes the new ones out of it.
///
/// # Errors
/// It shows something else than the edit.
pub(in crate::pack::scene::zipper) fn check(
    after: &mut SceneFile,
    scene: &EditedScene<'_>,
    made: &MadeObjects,
    report: &mut RoundingReport,
) -> Result<(), Refusal> {
    let visible = shown(after);
    for (&node, &index) in &made.new {
        let Some(edit) = scene.edited.nodes.get(node) else {
            continue;
        };
        let mut nodes = visible.iter().copied();
        let found = nodes.find(|&it| after.nodes.get(it).and_then(index_of) == Some(index));
        let Some(found) = found else {
            refuse!(
                "node {}: it was added, and the packed file does not show it here: its name, its zone or a missing active in its flags hides it",
                edit.name
            );
        };
        check_node(after, found, scene, node, made)
            .map_err(|refusal| refusal!("node {}: {refusal}", edit.name))?;
    }
    let gone: BTreeSet<Edge> = scene.objects.deleted.iter().map(|it| it.edge).collect();
    // A new object may have the slot of a deleted one.
    let mut new: BTreeSet<usize> = made.new.values().copied().collect();
    new.extend(&made.empties);
    let left = visible.iter().find(|&&node| {
        let index = after.nodes.get(node).and_then(index_of);
        index.is_some_and(|index| !new.contains(&index))
            && edge_of(after, node).is_some_and(|edge| gone.contains(&edge))
    });
    if let Some(node) = left.and_then(|&node| after.nodes.get(node)) {
        refuse!(
            "node {}: it was deleted, and the packed file still shows it",
            node.name
        );
    }
    say(after, scene, made, report);
    let nodes = after.nodes.iter().enumerate();
    let nodes = nodes.filter(|(_, node)| index_of(node).is_some_and(|it| new.contains(&it)));
    let nodes = nodes.map(|(number, _)| number).collect();
    reparenting::check(after, scene, &made.moved)?;
    take_out(after, &nodes);
    Ok(())
}

fn check_node(
    after: &SceneFile,
    found: usize,
    scene: &EditedScene<'_>,
    node: usize,
    made: &MadeObjects,
) -> Result<(), Refusal> {
    let (base, edited) = (&scene.base, &scene.edited);
    let (Some(packed), Some(edit)) = (after.nodes.get(found), edited.nodes.get(node)) else {
        return Ok(());
    };
    let (one, other) = (whole_place(after, found), whole_place(edited, node));
    let reach = other.w_axis.abs().max_element().max(1.0);
    let is_placed = is_same_place(packed.local, edit.local, Tolerance::STORED)
        || one.abs_diff_eq(other, 3e-4 * reach);
    if !is_placed {
        refuse!(
            "the packed file has it at another position; move it a little, or put it below another node"
        );
    }
    check_mesh(after, found, scene, node)?;
    let mut tops = scene.objects.added.iter();
    let wanted = match tops.find(|top| top.node == node) {
        Some(top) => top.parent,
        None => edit
            .parent
            .and_then(|parent| made.new.get(&parent).copied()),
    };
    let above = edge_of(after, found).and_then(|(above, _)| above);
    if wanted.is_some() && above != wanted {
        refuse!(
            "the packed file has it below another node; put it below another object, or at the top of the world"
        );
    }
    let old = index_of(edit).and_then(|index| source_of(base, edit, index));
    let old = old.and_then(|old| base.nodes.get(old));
    match old {
        Some(old) => facts::check_followers(&old.extras, &edit.extras, &packed.extras),
        None => Ok(()),
    }
}

fn check_mesh(
    after: &SceneFile,
    found: usize,
    scene: &EditedScene<'_>,
    node: usize,
) -> Result<(), Refusal> {
    let (base, edited) = (&scene.base, &scene.edited);
    let mesh = |file: &SceneFile, node: usize| whole_mesh(file, node);
    let (Some(mine), Some(edit)) = (mesh(after, found), mesh(edited, node)) else {
        return match (mesh(after, found), mesh(edited, node)) {
            (None, Some(edit)) if is_marker(edited, edit) => Err(refusal!(
                "it was added, and it is a single triangle without picture, which Crimson Skies uses as a marker and does not show; add another face, or give it a picture"
            )),
            (None, Some(_)) => Err(refusal!(
                "it was added, and the packed file does not show its mesh: its zone or its flags hide it"
            )),
            _ => Ok(()),
        };
    };
    let meshes = (after.meshes.get(mine), edited.meshes.get(edit));
    let (Some(mine), Some(edit)) = meshes else {
        return Ok(());
    };
    let is_plain = edit.primitives.iter().all(|part| part.is_triangles);
    if !is_plain && shows(mine, edit) {
        return Ok(());
    }
    shows_all(after, mine, ScenePair { base, edited }, edit).map(|_| ())
}

/// True for a mesh of a single triangle without picture.
fn is_marker(file: &SceneFile, mesh: usize) -> bool {
    let parts = file.meshes.get(mesh).map(|mesh| &*mesh.primitives);
    let parts = parts.unwrap_or_default();
    let corners: usize = parts.iter().map(|part| part.positions.len()).sum();
    let mut surfaces = parts
        .iter()
        .filter_map(|part| file.surfaces.get(part.material?));
    corners <= 3 && surfaces.all(|surface| surface.picture.is_none())
}

/// Reports what was added and deleted.
fn say(
    after: &SceneFile,
    scene: &EditedScene<'_>,
    made: &MadeObjects,
    report: &mut RoundingReport,
) {
    let names = |all: Vec<&str>| {
        let some: Vec<&str> = all.iter().copied().take(MOST_NAMES).collect();
        match all.len().saturating_sub(some.len()) {
            0 => some.join(", "),
            more => format!("{} and {more} more", some.join(", ")),
        }
    };
    let stored = |index: usize| {
        let mut nodes = after.nodes.iter();
        let node = nodes.find(|node| index_of(node) == Some(index));
        node.and_then(|node| node.extras.pointer("/zipper/name")?.as_str())
    };
    let moved = scene.objects.moved.iter();
    let moved: Vec<&str> = moved.filter_map(|moved| stored(moved.index)).collect();
    if !moved.is_empty() {
        report.say(format!("with another parent: {}", names(moved)));
    }
    let added = scene.objects.added.iter();
    let added: Vec<&str> = added
        .filter_map(|added| stored(*made.new.get(&added.node)?))
        .collect();
    if !added.is_empty() {
        report.say(format!("added: {}", names(added)));
    }
    let empties: Vec<&str> = made.empties.iter().filter_map(|&it| stored(it)).collect();
    if !empties.is_empty() {
        report.say(format!(
            "empty objects in place of the last ones, because levels of detail and worlds have at least one: {}",
            names(empties)
        ));
    }
    let deleted = scene.objects.deleted.iter();
    let deleted: Vec<&str> = deleted.map(|deleted| scene.name(deleted.node)).collect();
    if !deleted.is_empty() {
        report.say(format!("deleted: {}", names(deleted)));
    }
    let deleted = scene.objects.deleted.iter().map(|deleted| deleted.node);
    let gone = below(&scene.base, deleted.collect()).into_iter();
    let armed = gone.filter(|&node| {
        let node = scene.base.nodes.get(node);
        node.is_some_and(|node| node.extras.pointer("/zipper/firepoint").is_some())
    });
    let armed: Vec<&str> = armed.map(|node| scene.name(node)).collect();
    if !armed.is_empty() {
        report.say(format!(
            "the chassis names deleted nodes as fire points of weapons: {}",
            names(armed)
        ));
    }
    report.count(
        made.kept,
        [
            "deleted object keeps its slot in the file, unlinked and inactive, because animations, scripts and saves refer to nodes by number",
            "deleted objects keep their slots in the file, unlinked and inactive, because animations, scripts and saves refer to nodes by number",
        ],
    );
}

//! Transforms that a program applied to the mesh of a placement: the game draws a model as it is, so the placement takes
//! the transform back.

use std::collections::HashMap;

use glam::{DMat3, DMat4, DVec3};

use super::attach::local_of;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::matching::{Matches, placement_of};
use crate::pack::scene::compare::tolerance::{Tolerance, is_same_place};
use crate::pack::scene::exporter::edited_alone;
use crate::pack::scene::file::{Local, SceneFile, SceneMesh};

/// Largest difference of positions, relative to the size of a mesh.
const SLACK: f64 = 2e-5;

/// Gives placements whose mesh is that of their model, moved as a whole, the model again. `is_own` returns true for
/// meshes that the scene can change. Returns what it did, in words.
pub(super) fn take_back(
    base: &SceneFile,
    edited: &mut SceneFile,
    matches: &Matches,
    is_own: impl Fn(usize) -> bool,
) -> Vec<String> {
    let mut notes = Vec::new();
    for (old, new) in matches.iter().enumerate() {
        let (Some(new), Some(before)) = (*new, base.nodes.get(old)) else {
            continue;
        };
        let (Some(was), Some(after)) = (before.mesh, edited.nodes.get(new)) else {
            continue;
        };
        let meshes = base
            .meshes
            .get(was)
            .zip(after.mesh.and_then(|now| edited.meshes.get(now)));
        let Some((model, shape)) =
            meshes.filter(|_| placement_of(before).is_some() && !is_own(was))
        else {
            continue;
        };
        let Some(matrix) = moved_by(model, shape) else {
            continue;
        };
        // The mesh of another placement of the model, or one that nothing else shows.
        let twins = matches.iter().enumerate().filter_map(|(old, new)| {
            let is_twin = base.nodes.get(old)?.mesh == Some(was);
            let now = edited.nodes.get((*new).filter(|_| is_twin)?)?.mesh?;
            (after.mesh != Some(now)).then_some(now)
        });
        let twin = { twins }.find(|&now| {
            edited
                .meshes
                .get(now)
                .is_some_and(|now| is_like(model, now))
        });
        let users = edited
            .nodes
            .iter()
            .filter(|node| node.mesh == after.mesh)
            .count();
        let local = local_of(after.local.to_matrix() * matrix);
        let local = unless_same(before.local, local);
        let (mesh, model) = (after.mesh, model.clone());
        match (twin, mesh.and_then(|mesh| edited.meshes.get_mut(mesh))) {
            (None, Some(own)) if users == 1 => {
                *own = SceneMesh {
                    name: own.name.clone(),
                    ..model
                }
            }
            (Some(_), _) => {}
            _ => continue,
        }
        if let Some(after) = edited.nodes.get_mut(new) {
            after.local = local;
            after.mesh = twin.or(after.mesh);
        }
        notes.push(format!(
            "{}: its placement keeps the transform that was applied to its mesh",
            before.name
        ));
    }
    notes
}

/// A transform with the parts of another one that differ only by what was rounded.
fn unless_same(old: Local, new: Local) -> Local {
    let is_same = |mixed: Local| is_same_place(old, mixed, Tolerance::FOREIGN);
    let mut local = new;
    if old.matrix.is_none()
        && is_same(Local {
            rotation: new.rotation,
            ..old
        })
    {
        local.rotation = old.rotation;
    }
    if old.matrix.is_none()
        && is_same(Local {
            translation: new.translation,
            ..old
        })
    {
        local.translation = old.translation;
    }
    local
}

/// Checks that nodes that share a mesh in the game still show one mesh.
///
/// # Errors
/// One was edited alone.
pub(super) fn check_shared(
    base: &SceneFile,
    edited: &SceneFile,
    matches: &Matches,
) -> Result<(), Refusal> {
    let mut shown: HashMap<usize, usize> = HashMap::new();
    let pairs = matches.iter().zip(&base.nodes);
    for (now, before) in
        pairs.filter_map(|(new, node)| Some((edited.nodes.get((*new)?)?.mesh, node)))
    {
        let (Some(was), Some(now), Some(_)) = (before.mesh, now, placement_of(before)) else {
            continue;
        };
        let known = *shown.entry(was).or_insert(now);
        let meshes = edited.meshes.get(known).zip(edited.meshes.get(now));
        if known != now && meshes.is_some_and(|(one, other)| !is_like(one, other)) {
            return Err(edited_alone(&before.name));
        }
    }
    Ok(())
}

/// The corners of a mesh.
fn corners(mesh: &SceneMesh) -> impl Iterator<Item = DVec3> {
    let rows = mesh.primitives.iter().flat_map(|part| &part.positions);
    rows.map(|row| DVec3::from_array(row.map(f64::from)))
}

/// Half of the size of a mesh.
fn reach(mesh: &SceneMesh) -> f64 {
    corners(mesh)
        .map(|corner| corner.abs().max_element())
        .fold(1e-3, f64::max)
}

/// True if corners are at the same positions.
pub(super) fn is_like(one: &SceneMesh, other: &SceneMesh) -> bool {
    has_corners_of(one, other) && is_at(one, other, DMat4::IDENTITY)
}

fn has_corners_of(one: &SceneMesh, other: &SceneMesh) -> bool {
    let counts = |mesh: &SceneMesh| -> Vec<usize> {
        mesh.primitives
            .iter()
            .map(|part| part.positions.len())
            .collect()
    };
    counts(one) == counts(other)
}

/// True if a matrix moves the corners of one mesh to those of another.
fn is_at(one: &SceneMesh, other: &SceneMesh, matrix: DMat4) -> bool {
    let slack = SLACK * reach(other);
    corners(one)
        .zip(corners(other))
        .all(|(from, to)| (matrix.transform_point3(from) - to).abs().max_element() <= slack)
}

/// The matrix that moves all corners of a mesh to those of another: turns, moves and scales it evenly. `None` if there is
/// none, or it moves nothing.
fn moved_by(model: &SceneMesh, shape: &SceneMesh) -> Option<DMat4> {
    if !has_corners_of(model, shape) || is_at(model, shape, DMat4::IDENTITY) {
        return None;
    }
    let count = corners(model).count() as f64;
    let middle = |mesh: &SceneMesh| corners(mesh).sum::<DVec3>() / count;
    let (from, to) = (middle(model), middle(shape));
    // The least squares of all corners.
    let (mut spread, mut turned) = (DMat3::ZERO, DMat3::ZERO);
    for (one, other) in corners(model).zip(corners(shape)) {
        let (one, other) = (one - from, other - to);
        spread += DMat3::from_cols(one * one.x, one * one.y, one * one.z);
        turned += DMat3::from_cols(other * one.x, other * one.y, other * one.z);
    }
    let linear = turned * spread.inverse();
    let matrix =
        DMat4::from_translation(to) * DMat4::from_mat3(linear) * DMat4::from_translation(-from);
    let scales = [linear.x_axis, linear.y_axis, linear.z_axis].map(DVec3::length);
    let is_even = scales
        .iter()
        .all(|scale| (scale - scales[0]).abs() <= 1e-4 * scales[0]);
    (matrix.is_finite() && is_even && linear.determinant() > 0.0 && is_at(model, shape, matrix))
        .then_some(matrix)
}

//! Whether the archive that was packed shows the edit, corner by corner, and how far it is off.

use std::collections::HashMap;

use super::lights::{self, is_light};
use super::materials;
use super::members::{Members, Place};
use super::plan::Plan;
use super::probe::{VertexId, vertex_at};
use super::topology;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::{CornerChange, MeshChange, Tolerance, is_same_place};
use crate::pack::scene::compare::matching::{nodes_by_edit, placement_of};
use crate::pack::scene::driver::outputs::Opened;
use crate::pack::scene::driver::told::Told;
use crate::pack::scene::everquest::copies::unlink;
use crate::pack::scene::everquest::corners::off;
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::everquest::tracks;
use crate::pack::scene::file::{SceneFile, SceneMesh, SceneNode, ScenePrimitive};
use relicast_codec::shown;
use relicast_formats::everquest::wld::Body;

/// What was done, for comparison.
#[derive(Debug, Clone, Copy)]
pub(super) struct Done<'d> {
    /// The scene files as they were.
    pub members: &'d Members<'d>,
    pub plan: &'d Plan,
}

/// How far what was packed is off.
#[derive(Debug, Default)]
struct Rounding {
    places: usize,
    corners: usize,
    farthest: f32,
    uvs: usize,
    normals: usize,
    colours: usize,
    keys: usize,
    gone: usize,
    new: usize,
    recut: usize,
    recut_farthest: f32,
}

/// Compares the scene of what was packed with the edit.
///
/// # Errors
/// It shows something else.
pub(super) fn check(
    scene: &Scene<'_>,
    after: Opened,
    done: Done<'_>,
) -> Result<Option<String>, Refusal> {
    let mut rounding = Rounding {
        gone: scene.copies.gone.len(),
        new: scene.copies.new.len(),
        ..Rounding::default()
    };
    let (mut after, document) = (after.scene, &after.document);
    let numbered = done.plan.numbered.get(&scene.output.path);
    scene.check_followers(&after)?;
    take_copies(scene, &mut after, done)?;
    let after = &after;
    let of_edit = nodes_by_edit(after, &scene.edited)?;
    let nodes = |edited: usize| of_edit.get(&edited).copied();
    materials::check(scene, document)?;
    lights::check(scene, document, &nodes)?;
    rounding.keys = tracks::check(scene, (after, document), &nodes)?;
    rounding.recut = scene.recut.len();
    let far = topology::check(scene, (after, document), &nodes, &done.plan.remakes)?;
    rounding.recut_farthest = far.unwrap_or_default();
    let changes: HashMap<usize, &MeshChange> = scene
        .difference
        .meshes
        .iter()
        .filter_map(|change| {
            let node = scene.base.nodes.get(change.node)?;
            Some((node.mesh?, change))
        })
        .collect();
    for (node, edited) in scene.matches.iter().enumerate() {
        let Some(edited) = *edited else { continue };
        let found = of_edit.get(&edited).and_then(|&at| after.nodes.get(at));
        let (Some(found), Some(base), Some(edit)) = (
            found,
            scene.base.nodes.get(node),
            scene.edited.nodes.get(edited),
        ) else {
            continue;
        };
        let inside = |refusal: Refusal| refusal!("node {}: {refusal}", base.name);
        rounding.places += check_place(scene, node, [base, edit, found]).map_err(inside)?;
        let meshes = (
            base.mesh.and_then(|mesh| scene.base.meshes.get(mesh)),
            found.mesh.and_then(|mesh| after.meshes.get(mesh)),
        );
        let (Some(before), Some(now)) = meshes else {
            continue;
        };
        let mut recut = scene.recut.iter();
        if recut.any(|recut| Some(recut.base) == base.mesh) {
            continue;
        }
        let change = base.mesh.and_then(|mesh| changes.get(&mesh)).copied();
        let codes = numbered.and_then(|numbered| {
            let mesh = numbered.nodes.get(node)?.mesh?;
            numbered.meshes.get(mesh)
        });
        compare_meshes([before, now], change, codes, done, &mut rounding).map_err(inside)?;
    }
    let edits = done.plan.outcomes.iter();
    let edits = edits.filter(|(place, _)| {
        let edit = done.plan.shapes.meshes.get(*place);
        edit.is_some_and(|edit| edit.path == scene.output.path)
    });
    let rounded: usize = edits.map(|(_, outcome)| outcome.rounded).sum();
    Ok(rounding.told(rounded, scene.edited.is_foreign))
}

/// Checks where a node stands, and tells whether that is rounded.
fn check_place(
    scene: &Scene<'_>,
    node: usize,
    [base, edit, found]: [&SceneNode; 3],
) -> Result<usize, Refusal> {
    let mut moves = scene.difference.nodes.iter();
    let is_moved = moves.any(|change| change.base == node && change.is_moved);
    let mut edit_local = edit.local;
    if is_light(&scene.base_document, node) {
        // Other programs turn lights that shine to all sides.
        (edit_local.rotation, edit_local.scale) = (base.local.rotation, base.local.scale);
    }
    let wanted = if is_moved { edit_local } else { base.local };
    let stands = is_same_place(wanted, found.local, Tolerance::TOLD);
    if !stands && (is_moved || !tracks::is_rest(scene, node, found.local)) {
        refuse!(
            "what was packed has it at another place, {}: it is shown several times, or follows from other values",
            shown(found.local.translation)
        );
    }
    Ok(usize::from(
        is_moved && !is_same_place(wanted, found.local, Tolerance::EXACT),
    ))
}

/// Checks the copies of placements, and takes them out of the scene.
fn take_copies(scene: &Scene<'_>, after: &mut SceneFile, done: Done<'_>) -> Result<(), Refusal> {
    let mut copies = Vec::new();
    let own = done.plan.added.iter();
    for (_, file, index, wanted) in own.filter(|(path, ..)| *path == scene.output.path) {
        let mut nodes = after.nodes.iter().enumerate();
        let found = nodes.find(|(_, node)| {
            placement_of(node)
                .is_some_and(|(name, other)| name.eq_ignore_ascii_case(file) && other == *index)
        });
        match found {
            Some((node, found)) if is_same_place(*wanted, found.local, Tolerance::TOLD) => {
                copies.push(node);
            }
            _ => {
                refuse!("what was packed does not show a copy of a placement where it stands");
            }
        }
    }
    unlink(after, copies.into_iter());
    Ok(())
}

impl Rounding {
    fn told(&self, rounded: usize, is_foreign: bool) -> Option<String> {
        let mut told = Told::default();
        told.count(
            self.places,
            "places are rounded, by 0.0003 of the place at most",
        );
        told.count(
            self.corners,
            &format!(
                "corners are rounded to the steps that their meshes are stored in, by {} at most",
                self.farthest
            ),
        );
        told.count(
            rounded,
            "vertices that were not edited are rounded, because a mesh became too large for its steps",
        );
        told.count(self.uvs, "texture coordinates are rounded to 256ths");
        told.count(self.normals, "normals are rounded, by 0.01 at most");
        told.count(self.colours, "colours are rounded, by 0.005 at most");
        told.count(
            self.keys,
            "keys of clips are rounded, to 256ths of a unit and 16384ths of a rotation",
        );
        told.count(
            self.recut,
            &format!(
                "meshes are made anew, with corners off by {} at most; baked light of placements no longer fits where they have other corners",
                self.recut_farthest
            ),
        );
        told.count(
            self.new,
            "copies of placements have the baked light of what they are copies of",
        );
        told.count(
            self.gone,
            "placements that were taken out are sunk below the world, as the tools of the game did",
        );
        if is_foreign {
            let what = "of surfaces and lights only what extras.everquest says and places go back from another program";
            told.say(what);
        }
        told.text()
    }
}

fn compare_meshes(
    [before, now]: [&SceneMesh; 2],
    change: Option<&MeshChange>,
    codes: Option<&SceneMesh>,
    done: Done<'_>,
    rounding: &mut Rounding,
) -> Result<(), Refusal> {
    let corners = |mesh: &SceneMesh| -> Vec<usize> {
        let parts = mesh.primitives.iter();
        parts.map(|part| part.positions.len()).collect()
    };
    if corners(before) != corners(now) {
        refuse!("what was packed has other triangles");
    }
    let parts = before.primitives.iter().zip(&now.primitives).enumerate();
    for (number, (before, now)) in parts {
        let changes = change.and_then(|change| change.corners.get(number));
        let codes = codes.and_then(|codes| codes.primitives.get(number));
        for corner in 0..before.positions.len() {
            let change = changes.and_then(|changes| changes.get(corner));
            let coded = codes.and_then(|codes| codes.positions.get(corner));
            let id = coded.and_then(|&coded| vertex_at(coded, done.members));
            let allowed = Allowed {
                slack: id.map_or(0.0, |id| slack_of(id.mesh, id.vertex, done)),
                is_normal_free: id.is_some_and(|id| follows_faces(id, done)),
            };
            compare_corners([before, now], corner, change, allowed, rounding)?;
        }
    }
    Ok(())
}

/// How far the position of a vertex may be off in its scene.
fn slack_of(place: Place, vertex: usize, done: Done<'_>) -> f32 {
    let (Some(outcome), Some(edit)) = (
        done.plan.outcomes.get(&place),
        done.plan.shapes.meshes.get(&place),
    ) else {
        return 0.0;
    };
    if outcome.moved.is_empty() && outcome.rounded == 0 {
        return 0.0;
    }
    let size = edit.bones.as_ref().map_or(1.0, |bones| {
        // All axes may be off at once, and turn into one.
        let place = bones.place(vertex);
        let axes = [place.x_axis, place.y_axis, place.z_axis];
        axes.map(|axis| axis.length()).into_iter().sum::<f64>()
    });
    (outcome.slack * size) as f32
}

/// What may be otherwise at a corner.
#[derive(Debug, Clone, Copy)]
struct Allowed {
    /// How far its position may be off.
    slack: f32,
    /// Whether its normal may be any.
    is_normal_free: bool,
}

/// Whether the normal of a vertex is not stored, but that of its faces, and these were moved.
fn follows_faces(id: VertexId, done: Done<'_>) -> bool {
    let outcome = done.plan.outcomes.get(&id.mesh);
    if outcome.is_none_or(|outcome| outcome.moved.is_empty() && outcome.rounded == 0) {
        return false;
    }
    let file = done.members.files.get(id.mesh.0);
    let fragment = file.and_then(|file| file.wld.fragments.get(id.mesh.1));
    match fragment.map(|fragment| &fragment.body) {
        Some(Body::Mesh(mesh)) => mesh.normal(id.vertex).is_none(),
        Some(Body::LegacyMesh(mesh)) => {
            let normal = mesh.normals.get(id.vertex);
            normal.is_none_or(|normal| {
                let parts = normal.to_array();
                parts == [0.0; 3] || !parts.iter().all(|part| part.is_finite())
            })
        }
        _ => false,
    }
}

fn compare_corners(
    [before, now]: [&ScenePrimitive; 2],
    corner: usize,
    change: Option<&CornerChange>,
    allowed: Allowed,
    rounding: &mut Rounding,
) -> Result<(), Refusal> {
    let row = |rows: &[[f32; 3]]| rows.get(corner).copied();
    let position = change.and_then(|change| change.position);
    let wanted = position.or(row(&before.positions));
    let reach = wanted.map_or(0.0, |wanted| {
        wanted.map(f32::abs).into_iter().fold(0.0, f32::max)
    });
    let slack = match position.is_some() || allowed.slack > 0.0 {
        true => allowed.slack * 1.001 + 2e-6 * reach.max(1.0),
        false => 0.0,
    };
    let far = off("positions", (wanted, row(&now.positions)), slack)?;
    if far > 0.0 && position.is_some() {
        rounding.corners += 1;
        rounding.farthest = rounding.farthest.max(far);
    }
    let normal = change.and_then(|change| change.normal);
    let slack = match normal {
        Some(_) => 0.02,
        None if allowed.is_normal_free => f32::INFINITY,
        None => 0.0,
    };
    let pair = (normal.or(row(&before.normals)), row(&now.normals));
    let far = off("normals", pair, slack)?;
    rounding.normals += usize::from(far > 1e-6 && normal.is_some());
    let colour = change.and_then(|change| change.colour);
    let (slack, found) = match colour {
        Some(_) => (0.005, row(&now.colours).or(Some([1.0; 3]))),
        None => (0.0, row(&now.colours)),
    };
    let far = off("colours", (colour.or(row(&before.colours)), found), slack)?;
    rounding.colours += usize::from(far > 1e-5);
    for (set, rows) in before.uvs.iter().enumerate() {
        let edit = change.and_then(|change| change.uvs.get(set).copied().flatten());
        let found = now.uvs.get(set).and_then(|rows| rows.get(corner)).copied();
        let wanted = edit.or(rows.get(corner).copied());
        if wanted.is_none() || found.is_none() {
            continue;
        }
        let slack = edit.map_or(0.0, |_| 0.5 / 256.0 + 1e-5);
        let far = off("texture coordinates", (wanted, found), slack)?;
        rounding.uvs += usize::from(far > 0.0);
    }
    Ok(())
}

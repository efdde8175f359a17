//! Whether the archive that was packed shows the edit, corner by corner, and how far it is off.

use std::collections::HashMap;

use super::lamps;
use super::members::Members;
use super::placements::Added;
use super::plan::Plan;
use super::scenes::Coded;
use super::shapes::{follows_faces, vertices_of};
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::{CornerChange, MeshChange, Tolerance, is_same_place};
use crate::pack::scene::compare::matching::{nodes_by_edit, placement_of};
use crate::pack::scene::compare::shown::shows_all;
use crate::pack::scene::driver::outputs::Opened;
use crate::pack::scene::driver::told::Told;
use crate::pack::scene::everquest::copies::unlink;
use crate::pack::scene::everquest::corners::off;
use crate::pack::scene::everquest::recut::Recut;
use crate::pack::scene::everquest::tracks;
use crate::pack::scene::file::{SceneFile, SceneMesh, ScenePrimitive};
use relicast_codec::shown;

/// What was done, for comparison.
#[derive(Debug, Clone, Copy)]
pub(super) struct Done<'d> {
    /// The members as they were.
    pub members: &'d Members<'d>,
    pub plan: &'d Plan<'d, 'd>,
}

/// How far what was packed is off.
#[derive(Debug, Default)]
struct Rounding {
    places: usize,
    normals: usize,
    colours: usize,
    uvs: usize,
    keys: usize,
    recut: usize,
    /// Meshes of which other edited scenes tell the shape or the light.
    elsewhere: usize,
}

/// Compares the scene of what was packed with the edit.
///
/// # Errors
/// It shows something else.
pub(super) fn check(
    coded: &Coded<'_, '_>,
    after: Opened,
    done: Done<'_>,
) -> Result<Option<String>, Refusal> {
    let scene = coded.scene;
    let (mut after, document) = (after.scene, &after.document);
    scene.check_followers(&after)?;
    take_copies(coded, &mut after, done)?;
    let after = &after;
    let of_edit = nodes_by_edit(after, &scene.edited)?;
    let nodes = |edited: usize| of_edit.get(&edited).copied();
    lamps::check(scene, document, &nodes)?;
    done.plan.surfaces.check(coded, document, done.members)?;
    let keys = tracks::check(scene, (after, document), &nodes)?;
    let mut rounding = Rounding {
        keys,
        ..Rounding::default()
    };
    let changes: HashMap<usize, &MeshChange> = scene
        .difference
        .meshes
        .iter()
        .map(|change| (change.old, change))
        .collect();
    for (node, edited) in scene.matches.iter().enumerate() {
        let Some(edited) = *edited else { continue };
        let Some(base) = scene.base.nodes.get(node) else {
            continue;
        };
        let inside = |refusal: Refusal| refusal!("node {}: {refusal}", base.name);
        let found = nodes(edited).and_then(|at| after.nodes.get(at));
        let Some(found) = found else {
            // Programs that leave out lights leave out their nodes.
            continue;
        };
        check_place(coded, node, edited, found.local, done, &mut rounding).map_err(inside)?;
        let mut renamed = scene.difference.nodes.iter();
        let renamed = renamed.find(|change| change.base == node);
        let name = renamed.and_then(|change| change.name.as_ref());
        if *name.unwrap_or(&base.name) != found.name && name.is_some() {
            return Err(inside(refusal!("what was packed has another name")));
        }
        let mesh = base.mesh.and_then(|mesh| scene.base.meshes.get(mesh));
        let Some(before) = mesh else { continue };
        let now = found.mesh.and_then(|mesh| after.meshes.get(mesh));
        let now = now.ok_or_else(|| inside(refusal!("what was packed shows no mesh")))?;
        let mut recut = coded.recut.iter();
        if let Some(recut) = recut.find(|recut| Some(recut.base) == base.mesh) {
            check_recut((coded, recut), (after, now), &mut rounding).map_err(inside)?;
            continue;
        }
        let change = base.mesh.and_then(|mesh| changes.get(&mesh)).copied();
        let codes = coded.numbered.nodes.get(node).and_then(|node| node.mesh);
        let codes = codes.and_then(|mesh| coded.numbered.meshes.get(mesh));
        let shown = Shown {
            path: &scene.output.path,
            change,
            codes,
        };
        compare_meshes([before, now], shown, done, &mut rounding).map_err(inside)?;
    }
    Ok(rounding.told(coded))
}

/// Gives the placements of what was packed the numbers that they had, checks the copies, and takes them out.
fn take_copies(
    coded: &Coded<'_, '_>,
    after: &mut SceneFile,
    done: Done<'_>,
) -> Result<(), Refusal> {
    let scene = coded.scene;
    let Some(member) = coded.member.filter(|_| coded.is_zone) else {
        return Ok(());
    };
    let own: Vec<&Added> = done
        .plan
        .added
        .iter()
        .filter(|added| added.path == scene.output.path)
        .collect();
    let mut copies = Vec::new();
    for (number, node) in after.nodes.iter_mut().enumerate() {
        let Some((_, index)) = placement_of(node) else {
            continue;
        };
        match own.iter().find(|added| added.index == index) {
            Some(added) => {
                if !is_same_place(added.place, node.local, Tolerance::TOLD) {
                    break;
                }
                copies.push(number);
            }
            None => {
                let before = done.plan.placements.number_before(member, index);
                node.extras["everquest"]["index"] = before.into();
            }
        }
    }
    if copies.len() != own.len() {
        refuse!("what was packed does not show a copy of a placement where it stands");
    }
    unlink(after, copies.into_iter());
    Ok(())
}

fn check_place(
    coded: &Coded<'_, '_>,
    node: usize,
    edited: usize,
    found: crate::pack::scene::file::Local,
    done: Done<'_>,
    rounding: &mut Rounding,
) -> Result<(), Refusal> {
    let scene = coded.scene;
    let nodes = (scene.base.nodes.get(node), scene.edited.nodes.get(edited));
    let (Some(base), Some(edit)) = nodes else {
        return Ok(());
    };
    let mut moves = scene.difference.nodes.iter();
    let is_moved = moves.any(|change| change.base == node && change.is_moved);
    // What is not drawn follows the placement that it belongs to.
    let with_it = coded
        .placement(node)
        .and_then(|place| done.plan.placements.moved(place));
    let mut wanted = match is_moved {
        true => edit.local,
        false => with_it.unwrap_or(base.local),
    };
    if matches!(coded.code(node), Some(super::probe::Code::Lamp(_))) {
        // Other programs turn lights that shine to all sides.
        (wanted.rotation, wanted.scale) = (base.local.rotation, base.local.scale);
    }
    if !is_same_place(wanted, found, Tolerance::TOLD) {
        refuse!(
            "what was packed has it at another place, {}: it is shown several times, or follows from other values",
            shown(found.translation)
        );
    }
    rounding.places += usize::from(is_moved && !is_same_place(wanted, found, Tolerance::EXACT));
    Ok(())
}

impl Rounding {
    fn told(&self, coded: &Coded<'_, '_>) -> Option<String> {
        let scene = coded.scene;
        let mut told = Told::default();
        told.count(
            self.places,
            "places are rounded, by 0.0003 of the place at most",
        );
        told.count(self.normals, "normals are rounded, by 0.001 at most");
        told.count(
            self.uvs,
            "texture coordinates are rounded, by 0.00001 at most",
        );
        told.count(
            self.recut,
            "meshes have other triangles; their vertices keep their light, new ones have that of the nearest, and vertices that nothing shows any more stay",
        );
        told.count(self.keys, "keys of clips are rounded, by 0.0002 at most");
        told.count(self.colours, "colours are rounded, by 0.005 at most");
        told.count(
            self.elsewhere,
            "models are as other edited scenes of the archive have them",
        );
        told.count(
            scene.copies.new.len(),
            "copies of placements have the name and the baked light of what they are copies of",
        );
        told.count(
            scene.copies.gone.len(),
            "placements were taken out; their baked light stays in the archive",
        );
        if scene.edited.is_foreign {
            let what = "of surfaces and lights only what extras.everquest says and places go back from another program";
            told.say(what);
        }
        told.text()
    }
}

/// Checks that a mesh that was made anew shows the triangles of the edit. The colours of its vertices follow.
fn check_recut(
    (coded, recut): (&Coded<'_, '_>, &Recut),
    (after, now): (&SceneFile, &SceneMesh),
    rounding: &mut Rounding,
) -> Result<(), Refusal> {
    let scene = coded.scene;
    let plain = |mesh: &SceneMesh| {
        let mut mesh = mesh.clone();
        let parts = mesh.primitives.iter_mut();
        parts.for_each(|part| part.colours.clear());
        mesh
    };
    let otherwise = shows_all(
        (after, &plain(now)),
        (&scene.base, &scene.edited, &plain(&recut.mesh)),
    )?;
    rounding.recut += 1;
    rounding.normals += otherwise.normals;
    Ok(())
}

/// What is known of a mesh.
#[derive(Debug, Clone, Copy)]
struct Shown<'s> {
    /// The scene that shows it.
    path: &'s str,
    /// What is new of it.
    change: Option<&'s MeshChange>,
    /// It with numbers.
    codes: Option<&'s SceneMesh>,
}

fn compare_meshes(
    [before, now]: [&SceneMesh; 2],
    Shown {
        path,
        change,
        codes,
    }: Shown<'_>,
    done: Done<'_>,
    rounding: &mut Rounding,
) -> Result<(), Refusal> {
    let corners = |mesh: &SceneMesh| -> Vec<usize> {
        let parts = mesh.primitives.iter();
        parts.map(|part| part.positions.len()).collect()
    };
    let coded = codes.map_or(&[][..], |codes| &*codes.primitives);
    let pairs = before.primitives.iter().zip(coded);
    let mut ids = pairs.flat_map(|(before, coded)| vertices_of(before, coded, done.members));
    // Another scene makes it anew, and proves it.
    if ids.any(|id| id.is_some_and(|(member, piece, _)| done.plan.remakes.has((member, piece)))) {
        rounding.elsewhere += 1;
        return Ok(());
    }
    if corners(before) != corners(now) {
        refuse!("what was packed has other triangles");
    }
    let mut is_elsewhere = false;
    for (number, (before, now)) in before.primitives.iter().zip(&now.primitives).enumerate() {
        let changes = change.and_then(|change| change.corners.get(number));
        let codes = codes.and_then(|codes| codes.primitives.get(number));
        let ids = codes.map(|codes| vertices_of(before, codes, done.members));
        for corner in 0..before.positions.len() {
            let change = changes.and_then(|changes| changes.get(corner));
            let id = ids.as_ref().and_then(|ids| ids.get(corner).copied()?);
            let piece = id.map(|(member, piece, _)| (member, piece));
            let free = Free {
                shape: change.is_none_or(|change| !change.is_any())
                    && piece.is_some_and(|piece| done.plan.shapes.is_told_elsewhere(piece, path)),
                colour: piece.is_some_and(|piece| done.plan.shapes.is_lit_elsewhere(piece, path)),
                normal: piece.is_some_and(|piece| done.plan.shapes.has(piece))
                    && id.is_some_and(|id| follows_faces(done.members, id)),
            };
            is_elsewhere |= compare_corners([before, now], corner, change, free, rounding)?;
        }
    }
    rounding.elsewhere += usize::from(is_elsewhere);
    Ok(())
}

/// What of a corner may be anything, because it follows.
#[derive(Debug, Clone, Copy)]
struct Free {
    /// Its shape, which another scene tells and proves.
    shape: bool,
    /// Its colour, which another scene tells and proves.
    colour: bool,
    /// Its normal, which is that of its faces.
    normal: bool,
}

/// Compares one corner, and tells whether something of it is otherwise as another scene has it.
fn compare_corners(
    [before, now]: [&ScenePrimitive; 2],
    corner: usize,
    change: Option<&CornerChange>,
    free: Free,
    rounding: &mut Rounding,
) -> Result<bool, Refusal> {
    let row = |rows: &[[f32; 3]]| rows.get(corner).copied();
    let normal = change.and_then(|change| change.normal);
    let colour = change.and_then(|change| change.colour);
    let wanted = change.and_then(|change| change.position);
    let wanted = wanted.or(row(&before.positions));
    let allowed = if free.shape { f32::INFINITY } else { 0.0 };
    let mut is_elsewhere = off("positions", (wanted, row(&now.positions)), allowed)? > 0.0;
    let allowed = match (normal, free.normal || free.shape) {
        (Some(_), _) => 1e-3,
        (None, true) => f32::INFINITY,
        (None, false) => 0.0,
    };
    let pair = (normal.or(row(&before.normals)), row(&now.normals));
    let far = off("normals", pair, allowed)?;
    rounding.normals += usize::from(far > 1e-6 && normal.is_some());
    is_elsewhere |= far > 0.0 && normal.is_none() && free.shape;
    let (allowed, found) = match colour {
        Some(_) => (0.005, row(&now.colours).or(Some([1.0; 3]))),
        None if free.colour => (f32::INFINITY, row(&now.colours)),
        None => (0.0, row(&now.colours)),
    };
    let pair = (colour.or(row(&before.colours)), found);
    let far = off("colours", pair, allowed)?;
    rounding.colours += usize::from(far > 1e-5 && colour.is_some());
    is_elsewhere |= far > 0.0 && colour.is_none();
    for (set, rows) in before.uvs.iter().enumerate() {
        let edit = change.and_then(|change| change.uvs.get(set).copied().flatten());
        let found = now.uvs.get(set).and_then(|rows| rows.get(corner)).copied();
        let wanted = edit.or(rows.get(corner).copied());
        let reach = wanted.map_or(0.0, |[u, v]| u.abs().max(v.abs()));
        let allowed = match edit {
            Some(_) => 1e-6 * reach.max(1.0),
            None if free.shape => f32::INFINITY,
            None => 0.0,
        };
        // Sets that no picture needs are left out where no picture is made.
        if now.uvs.len() <= set && edit.is_none() {
            continue;
        }
        let far = off("texture coordinates", (wanted, found), allowed)?;
        rounding.uvs += usize::from(far > 0.0 && edit.is_some());
        is_elsewhere |= far > 0.0 && edit.is_none();
    }
    Ok(is_elsewhere)
}

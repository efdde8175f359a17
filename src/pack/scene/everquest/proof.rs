//! Proof that a packed archive shows an edit, corner by corner, with the rounding.

use std::collections::HashMap;

use super::clip_check;
use super::copies::unlink;
use super::corners::off;
use super::light_nodes::HasLight;
use super::new_materials::{self, Names};
use super::packed::Packed;
use super::scene::Scene;
use super::stored_lights::{self, StoredLight};

use crate::pack::edited::Refusal;
use crate::pack::rounding::{COLORS_ARE_ROUNDED, PLACES_ARE_ROUNDED, RoundingReport};
use crate::pack::scene::compare::difference::{CornerChange, MeshChange};
use crate::pack::scene::compare::matching::nodes_by_edit;
use crate::pack::scene::compare::tolerance::{Tolerance, is_same_place};
use crate::pack::scene::driver::outputs::Opened;
use crate::pack::scene::file::{Local, SceneFile, SceneMesh, ScenePrimitive};
use relicast_codec::shown;

/// Differences between an edit and the packed file.
#[derive(Debug, Default)]
pub(super) struct Rounding {
    places: usize,
    rests: usize,
    corners: usize,
    farthest: f32,
    /// Unedited vertices.
    pub vertices: usize,
    pub normals: usize,
    uvs: usize,
    colors: usize,
    keys: usize,
    /// Meshes with other triangles.
    pub recut: usize,
    pub recut_farthest: f32,
    /// Other consequences.
    pub notes: Vec<String>,
    /// Meshes whose shape or light other edited scenes set.
    elsewhere: usize,
}

/// Forms in which a family stores values of corners, and words for their rounding.
#[derive(Debug)]
pub(super) struct Forms {
    /// Largest difference of edited positions, relative to the larger of 1 and the number.
    pub position: f32,
    /// For poses of bones at rest.
    pub rest: Tolerance,
    /// For parts of normals.
    pub normal: f32,
    /// For texture coordinates.
    pub uv: f32,
    /// The same, relative to the larger of 1 and the number.
    pub uv_part: f32,
    /// Texture coordinates are omitted where no picture is converted.
    pub uvs_need_pictures: bool,
    pub normals_message: [&'static str; 2],
    pub uvs_message: [&'static str; 2],
    pub keys_message: [&'static str; 2],
    pub rests_message: [&'static str; 2],
    pub new_message: [&'static str; 2],
    pub gone_message: [&'static str; 2],
}

/// Values of a corner that may differ, because they are derived from others.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Free {
    /// Largest allowed difference of its position.
    pub slack: f32,
    /// True if another scene sets and proves its shape.
    pub shape: bool,
    /// True if another scene sets and proves its color.
    pub color: bool,
    /// True if its normal is derived from its faces.
    pub normal: bool,
    /// True if its normal is stored anew, in the space of a bone that moved at rest.
    pub turned: bool,
}

/// Parts of the proof that differ between families of files.
pub(super) trait Proof {
    const FORMS: Forms;

    /// Returns the edited scene.
    fn scene(&self) -> &Scene<'_>;

    /// Checks the copies of placements, and returns their packed nodes.
    ///
    /// # Errors
    /// One is missing.
    fn copies(&self, after: &mut SceneFile) -> Result<Vec<usize>, Refusal>;

    /// Returns the lights that were added to the files, and what is a light.
    fn new_lights(&self) -> (&[StoredLight], HasLight);

    /// Checks materials and lights.
    ///
    /// # Errors
    /// One shows something else.
    fn check_others(&self, packed: &Packed<'_>, rounding: &mut Rounding) -> Result<(), Refusal>;

    /// Returns true if an original node is a light.
    fn is_light(&self, node: usize) -> bool;

    /// Returns the required transform of an unmoved node, if it is not the original one.
    fn place(&self, node: usize) -> Option<Local>;

    /// Returns true if an unmoved node may have this transform as a consequence of other edits.
    fn follows(&self, node: usize, found: Local) -> bool;

    /// Returns true if a mesh is rebuilt, given by its original number.
    fn is_rebuilt(&self, mesh: usize) -> bool;

    /// Checks a rebuilt mesh, given by its numbers in the original and in the packed scene. Returns false if it was not
    /// rebuilt.
    ///
    /// # Errors
    /// It has other triangles.
    fn check_recut(
        &self,
        mesh: usize,
        packed: &Packed<'_>,
        now: usize,
        rounding: &mut Rounding,
    ) -> Result<bool, Refusal>;

    /// Returns the names that new materials got.
    fn new_materials(&self) -> Names;

    /// Returns the free values of each corner of the mesh of a node. `None`: another scene rebuilds the mesh, and
    /// proves it.
    fn free(&self, node: usize, change: Option<&MeshChange>) -> Option<Vec<Vec<Free>>>;

    /// Returns the report of rebuilt meshes, for one and for several.
    fn recut_message(farthest: f32) -> [String; 2];
}

/// Compares the packed scene with the edit, and reports the rounding.
///
/// # Errors
/// It shows something else.
pub(super) fn check<P: Proof>(proof: &P, after: Opened) -> Result<Option<String>, Refusal> {
    let scene = proof.scene();
    let (mut after, document) = (after.scene, after.document);
    scene.check_followers(&after, |mesh| proof.is_rebuilt(mesh))?;
    new_materials::align(&mut after, scene, &proof.new_materials());
    let copies = proof.copies(&mut after)?;
    unlink(&mut after, copies.into_iter());
    let (stored, has_light) = proof.new_lights();
    let words = stored_lights::check(scene, (&mut after, &document), stored, has_light)?;
    let packed = Packed {
        nodes: nodes_by_edit(&after, &scene.edited)?,
        scene: &after,
        document: &document,
    };
    let mut rounding = Rounding {
        notes: words,
        ..Rounding::default()
    };
    proof.check_others(&packed, &mut rounding)?;
    rounding.keys = clip_check::check(scene, &packed)?;
    let changes = scene.difference.meshes.iter();
    let changes: HashMap<usize, &MeshChange> = changes.map(|change| (change.old, change)).collect();
    for (node, edited) in scene.matches.iter().enumerate() {
        let Some(edited) = *edited else { continue };
        check_node(proof, [node, edited], &packed, &changes, &mut rounding)
            .map_err(|refusal| refusal!("node {}: {refusal}", scene.name(node)))?;
    }
    Ok(rounding.report::<P>(scene))
}

fn check_node<P: Proof>(
    proof: &P,
    [node, edited]: [usize; 2],
    packed: &Packed<'_>,
    changes: &HashMap<usize, &MeshChange>,
    rounding: &mut Rounding,
) -> Result<(), Refusal> {
    let scene = proof.scene();
    let found = packed
        .node(edited)
        .and_then(|at| packed.scene.nodes.get(at));
    let nodes = (scene.base.nodes.get(node), scene.edited.nodes.get(edited));
    // Programs that drop lights drop their nodes.
    let (Some(found), (Some(base), Some(edit))) = (found, nodes) else {
        return Ok(());
    };
    let mut moves = scene.difference.nodes.iter();
    let change = moves.find(|change| change.base == node);
    let is_moved = change.is_some_and(|change| change.is_moved);
    let mut wanted = match is_moved {
        true => edit.local,
        false => proof.place(node).unwrap_or(base.local),
    };
    if proof.is_light(node) {
        // Other programs rotate lights that shine in all directions.
        (wanted.rotation, wanted.scale) = (base.local.rotation, base.local.scale);
    }
    let tolerance = match scene.rests.contains(&node) {
        true => P::FORMS.rest,
        false => Tolerance::STORED,
    };
    let is_in_place = is_same_place(wanted, found.local, tolerance);
    if !is_in_place && (is_moved || !proof.follows(node, found.local)) {
        refuse!(
            "the packed file has it at another position, {}: it is shown several times, or is derived from other values",
            shown(found.local.translation)
        );
    }
    let is_exact = is_same_place(wanted, found.local, Tolerance::EXACT);
    let rounded = match scene.rests.contains(&node) {
        true => &mut rounding.rests,
        false => &mut rounding.places,
    };
    *rounded += usize::from(is_moved && !is_exact);
    let name = change.and_then(|change| change.name.as_ref());
    if name.is_some_and(|name| *name != found.name) {
        refuse!("it has another name in the packed file");
    }
    let mesh = base
        .mesh
        .and_then(|mesh| Some((mesh, scene.base.meshes.get(mesh)?)));
    let Some((mesh, before)) = mesh else {
        return Ok(());
    };
    let now = found
        .mesh
        .and_then(|mesh| Some((mesh, packed.scene.meshes.get(mesh)?)));
    let (number, now) = now.ok_or_else(|| refusal!("it has no mesh in the packed file"))?;
    if proof.check_recut(mesh, packed, number, rounding)? {
        return Ok(());
    }
    let change = changes.get(&mesh).copied();
    match proof.free(node, change) {
        Some(free) => compare_meshes([before, now], change, &free, &P::FORMS, rounding),
        None => {
            rounding.elsewhere += 1;
            Ok(())
        }
    }
}

fn compare_meshes(
    [before, now]: [&SceneMesh; 2],
    change: Option<&MeshChange>,
    free: &[Vec<Free>],
    forms: &Forms,
    rounding: &mut Rounding,
) -> Result<(), Refusal> {
    let corners = |mesh: &SceneMesh| -> Vec<usize> {
        let parts = mesh.primitives.iter();
        parts.map(|part| part.positions.len()).collect()
    };
    if corners(before) != corners(now) {
        refuse!("it has other triangles in the packed file");
    }
    let mut is_elsewhere = false;
    for (number, (before, now)) in before.primitives.iter().zip(&now.primitives).enumerate() {
        let changes = change.and_then(|change| change.corners.get(number));
        let free = free.get(number);
        for at in 0..before.positions.len() {
            let corner = Corner {
                before,
                now,
                at,
                change: changes.and_then(|changes| changes.get(at)),
                free: free
                    .and_then(|free| free.get(at))
                    .copied()
                    .unwrap_or_default(),
            };
            is_elsewhere |= corner.compare(forms, rounding)?;
        }
    }
    rounding.elsewhere += usize::from(is_elsewhere);
    Ok(())
}

/// An original corner and the packed one.
#[derive(Debug, Clone, Copy)]
struct Corner<'c> {
    before: &'c ScenePrimitive,
    now: &'c ScenePrimitive,
    at: usize,
    change: Option<&'c CornerChange>,
    free: Free,
}

impl Corner<'_> {
    /// Compares it with the edit. Returns true if another scene caused a difference.
    fn compare(self, forms: &Forms, rounding: &mut Rounding) -> Result<bool, Refusal> {
        let (before, now, free) = (self.before, self.now, self.free);
        let row = |rows: &[[f32; 3]]| rows.get(self.at).copied();
        let reach = |row: &[f32]| row.iter().map(|part| part.abs()).fold(1.0, f32::max);
        let anything = |is_free: bool| if is_free { f32::INFINITY } else { 0.0 };
        let position = self.change.and_then(|change| change.position);
        let wanted = position.or(row(&before.positions));
        let slack = match position.is_some() || free.slack > 0.0 {
            true => {
                let reach = wanted.map_or(1.0, |wanted| reach(&wanted));
                free.slack * 1.001 + forms.position * reach
            }
            false => 0.0,
        };
        let slack = slack.max(anything(free.shape));
        let far = off("positions", wanted, row(&now.positions), slack)?;
        if far > 0.0 && position.is_some() {
            rounding.corners += 1;
            rounding.farthest = rounding.farthest.max(far);
        }
        let mut is_elsewhere = far > 0.0 && free.shape;
        let normal = self.change.and_then(|change| change.normal);
        let slack = match normal {
            Some(_) if !free.normal => forms.normal,
            None if free.turned && !free.normal && !free.shape => forms.normal,
            _ => anything(free.normal || free.shape),
        };
        let wanted = normal.or(row(&before.normals));
        let far = off("normals", wanted, row(&now.normals), slack)?;
        rounding.normals += usize::from(far > 1e-6 && normal.is_some());
        is_elsewhere |= far > 0.0 && normal.is_none() && free.shape;
        let color = self.change.and_then(|change| change.color);
        let (slack, found) = match color {
            Some(_) => (0.005, row(&now.colors).or(Some([1.0; 3]))),
            None => (anything(free.color), row(&now.colors)),
        };
        let far = off("colors", color.or(row(&before.colors)), found, slack)?;
        rounding.colors += usize::from(far > 1e-5 && color.is_some());
        is_elsewhere |= far > 0.0 && color.is_none();
        for (set, rows) in before.uvs.iter().enumerate() {
            let edit = self.change.and_then(|change| change.uvs.get(set).copied());
            let edit = edit.flatten();
            let found = now.uvs.get(set).and_then(|rows| rows.get(self.at)).copied();
            let wanted = edit.or(rows.get(self.at).copied());
            // Sets that no picture needs are omitted where no picture is converted.
            if now.uvs.len() <= set && (edit.is_none() || forms.uvs_need_pictures) {
                continue;
            }
            let slack = match (edit, wanted) {
                (Some(_), Some(wanted)) => forms.uv + forms.uv_part * reach(&wanted),
                _ => anything(free.shape),
            };
            let far = off("texture coordinates", wanted, found, slack)?;
            rounding.uvs += usize::from(far > 0.0 && edit.is_some());
            is_elsewhere |= far > 0.0 && edit.is_none();
        }
        Ok(is_elsewhere)
    }
}

impl Rounding {
    fn report<P: Proof>(&self, scene: &Scene<'_>) -> Option<String> {
        let forms = P::FORMS;
        let mut report = RoundingReport::default();
        report.count(self.places, PLACES_ARE_ROUNDED);
        report.count(self.rests, forms.rests_message);
        report.count(
            self.corners,
            [
                &format!(
                    "corner is rounded to the step of its mesh, by at most {}",
                    self.farthest
                ),
                &format!(
                    "corners are rounded to the steps of their meshes, by at most {}",
                    self.farthest
                ),
            ],
        );
        report.count(
            self.vertices,
            [
                "unedited vertex is rounded, because a mesh became too large for its step",
                "unedited vertices are rounded, because a mesh became too large for its step",
            ],
        );
        report.count(self.normals, forms.normals_message);
        report.count(self.uvs, forms.uvs_message);
        report.count(self.colors, COLORS_ARE_ROUNDED);
        report.count(self.keys, forms.keys_message);
        let recut = P::recut_message(self.recut_farthest);
        report.count(self.recut, recut.each_ref().map(String::as_str));
        report.count(
            self.elsewhere,
            [
                "model has the values of another edited scene of the archive",
                "models have the values of other edited scenes of the archive",
            ],
        );
        self.notes.iter().for_each(|note| report.say(note));
        report.count(scene.copies.new.len(), forms.new_message);
        report.count(scene.copies.gone.len(), forms.gone_message);
        report.text()
    }
}

//! Meshes whose triangles changed, the ground of zones included. Unedited triangles stay where they are; the tables of a
//! mesh with removed or added ones are rebuilt.
//!
//! - `trace` — the faces behind the triangles of a scene; `assign` — the meshes that new triangles go to; `parts` —
//!   triangles that are parts of removed ones;
//! - `surface` — materials of triangles; `joints` — bones of their corners; `summary` — results; `rebuild`, `tables` —
//!   the tables of a mesh; `check` — check that the packed file shows the triangles.

mod assign;
mod check;
mod joints;
mod parts;
mod rebuild;
mod summary;
mod surface;
mod tables;
mod trace;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::apply::{grow_skeleton, positions};
use super::members::Members;
use super::palettes::Palettes;
use super::regions::{self, Touched};
use crate::config::EverQuest;
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::compare::difference::corner_change;
use crate::pack::scene::compare::pairing::{Triangle, Twin, pair};
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::recut::Recut;
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::file::{SceneFile, SceneMesh};
use assign::Assignment;
pub(super) use check::check;
use joints::{Joints, joint_at, joints};
use rebuild::{Corner, NewFace, Rebuild, Skeleton};
use relicast_formats::everquest::wld::Body;
use summary::Summary;
pub(super) use summary::off_by;
use surface::{Surface, surfaces};
use trace::Trace;

/// A mesh that is being rebuilt.
#[derive(Debug, Default)]
pub(super) struct Remake {
    /// The path of the first scene that changes it.
    path: String,
    /// The scenes and their original meshes that change it.
    claims: BTreeSet<(String, usize)>,
    /// Numbers of its faces that these scenes show.
    shown: HashSet<usize>,
    /// True if it is the ground of a region.
    is_ground: bool,
    rebuild: Rebuild,
}

/// Meshes to rebuild.
#[derive(Debug, Default)]
pub(super) struct Remakes(BTreeMap<Place, Remake>);

/// Adds the places of materials that lists get.
fn add_slots(
    trace: &mut Trace,
    scene: &Scene<'_>,
    wanted: &[Surface],
    palettes: &Palettes,
    members: &Members<'_>,
) {
    let places: Vec<Place> = trace.meshes.keys().copied().collect();
    for place in places {
        for surface in wanted {
            let slot = palettes.slot(members, place, &scene.output.path, surface.material);
            if let Some(slot) = slot {
                trace.add_slot(place, surface.material, slot);
            }
        }
    }
}

impl Remakes {
    /// Sums up the meshes of a scene; with `base`, of one of its original meshes.
    pub(super) fn summary(&self, path: &str, base: Option<usize>) -> Summary {
        let mut summary = Summary::default();
        for remake in self.0.values() {
            let is_own = |(own, mesh): &(String, usize)| {
                own == path && base.is_none_or(|base| *mesh == base)
            };
            if !remake.claims.iter().any(is_own) {
                continue;
            }
            let outcome = &remake.rebuild.outcome;
            let is_bound = remake.rebuild.skeleton.is_some();
            summary.objects += usize::from(!remake.is_ground && !is_bound);
            summary.ground += usize::from(remake.is_ground);
            summary.skins += usize::from(is_bound);
            summary.rounded += outcome.rounded;
            summary.relit += outcome.relit;
            summary.shared += outcome.shared;
            summary.without_area += outcome.without_area;
            summary.detail += usize::from(outcome.had_detail);
            summary.slack = summary.slack.max(outcome.slack);
            summary.has_free_normals |= outcome.has_free_normals;
        }
        summary
    }

    /// Collects a mesh of a scene with other triangles.
    ///
    /// # Errors
    /// It is of another archive, or does not allow it.
    pub(super) fn take(
        &mut self,
        scene: &Scene<'_>,
        recut: &Recut,
        numbered: &SceneFile,
        palettes: &Palettes,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        self.take_mesh(scene, recut, numbered, palettes, members)
            .map_err(|refusal| {
                let name = scene.name(recut.node);
                refusal!("mesh of node {name}: {refusal}")
            })
    }

    fn take_mesh(
        &mut self,
        scene: &Scene<'_>,
        recut: &Recut,
        numbered: &SceneFile,
        palettes: &Palettes,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let base = scene.base.meshes.get(recut.base);
        let codes = numbered
            .nodes
            .get(recut.node)
            .and_then(|node| numbered.meshes.get(node.mesh?));
        let (Some(base), Some(codes)) = (base, codes) else {
            return Err(recut.reason.clone());
        };
        let own = surfaces(scene, &scene.base, base)?;
        let mut trace = Trace::new([base, codes], &own, members)?;
        let wanted = surfaces(scene, &scene.edited, &recut.mesh)?;
        add_slots(&mut trace, scene, &wanted, palettes, members);
        let bones = [
            joints(&scene.base_document, recut.base, base)?,
            joints(&scene.edited_document, recut.edited, &recut.mesh)?,
        ];
        let fits = |old: usize, new: usize| own.get(old) == wanted.get(new);
        let (removed, added) = changes([base, &recut.mesh], &bones, &fits);
        let claim = (scene.output.path.clone(), recut.base);
        let mut changed: BTreeMap<Place, Rebuild> = BTreeMap::new();
        for triangle in &removed {
            let (place, face) = trace.face(*triangle)?;
            changed.entry(place).or_default().removed.insert(face);
        }
        let assignment = Assignment::new(&trace, base, &removed, members);
        for (triangle, twin) in added {
            let part = recut.mesh.primitives.get(triangle.primitive);
            let surface = wanted.get(triangle.primitive);
            let (Some(part), Some(&surface)) = (part, surface) else {
                continue;
            };
            if !part.is_triangles {
                refuse!("a primitive of it has no triangles");
            }
            // Faces are clockwise in the files.
            let corners = [0, 2, 1].map(|step| {
                let corner = triangle.first + step;
                let joint = joint_at(&bones[1], triangle.primitive, corner);
                Corner::new(part, corner, joint)
            });
            let twin = twin.map(|twin| trace.face(twin.triangle)).transpose()?;
            let (is_solid, slot) = (surface.is_solid, 0);
            let mut face = NewFace {
                slot,
                is_solid,
                corners,
            };
            let place = assignment.place(&face, surface, twin.map(|(place, _)| place));
            let Some((place, slot)) = place else {
                let mut meshes = trace.meshes.keys();
                if let Some(reason) = meshes.find_map(|&place| trace.fixed(place, members)) {
                    refuse!("{}: {reason}", recut.reason);
                }
                let name = scene.base.materials.get(surface.material);
                refuse!(
                    "no triangle of it had the material {}; give new triangles one of its materials",
                    name.map_or("", String::as_str)
                );
            };
            face.slot = slot;
            changed.entry(place).or_default().added.push(face);
        }
        for (place, rebuild) in changed {
            if let Some(reason) = trace.fixed(place, members) {
                refuse!("{}: {reason}", recut.reason);
            }
            let shown = trace.shown(place);
            self.add(place, claim.clone(), shown, rebuild, members)?;
            if let Some(remake) = self.0.get_mut(&place) {
                remake.rebuild.ambient = scene.ambient;
                let bones = trace.bones.remove(&place);
                remake.rebuild.skeleton = bones.map(Skeleton::new);
            }
        }
        Ok(())
    }

    /// Adds changes of a mesh to those of other scenes.
    fn add(
        &mut self,
        place: Place,
        claim: (String, usize),
        shown: HashSet<usize>,
        rebuild: Rebuild,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let remake = self.0.entry(place).or_default();
        if remake.claims.is_empty() {
            remake.path.clone_from(&claim.0);
            let file = members.files.get(place.member);
            remake.is_ground = file.is_some_and(|file| regions::is_ground(&file.body, place.index));
        } else if !remake.shown.is_disjoint(&shown) {
            refuse!("several edited scenes change it; edit it in one scene");
        }
        remake.claims.insert(claim);
        remake.shown.extend(shown);
        remake.rebuild.removed.extend(rebuild.removed);
        remake.rebuild.added.extend(rebuild.added);
        Ok(())
    }

    /// Rebuilds the meshes. Returns the new triangles of the ground.
    ///
    /// # Errors
    /// By scene, edits that the format cannot hold.
    pub(super) fn put(
        &mut self,
        members: &mut Members<'_>,
        options: &EverQuest,
    ) -> Result<BTreeMap<Place, Touched>, Refusals> {
        let mut refusals = Refusals::new();
        let mut touched = BTreeMap::new();
        for (&place, remake) in &mut self.0 {
            let Some(file) = members.edit(place.member) else {
                continue;
            };
            let fragment = file.body.fragments.get_mut(place.index);
            let Some(fragment) = fragment else { continue };
            let name = fragment.name().to_owned();
            let before = remake.rebuild.skeleton.is_some();
            let before = before.then(|| positions(&file.body, place.index));
            let Some(fragment) = file.body.fragments.get_mut(place.index) else {
                continue;
            };
            let made = match &mut fragment.body {
                Body::Mesh(mesh) => remake.rebuild.put(mesh, options),
                _ => Err(refusal!("it has the older mesh format")),
            };
            if let (Some(before), Some(skeleton)) = (before, &remake.rebuild.skeleton)
                && let Body::Mesh(mesh) = &fragment.body
            {
                let bones = skeleton.bones_of(&mesh.pieces);
                let after = positions(&file.body, place.index);
                let vertices = [(&skeleton.bones, &*before), (&bones, &*after)];
                grow_skeleton(&mut file.body, skeleton.bones.skeleton, vertices);
            }
            match made {
                Ok(Some(triangles)) if remake.is_ground => {
                    let path = remake.path.clone();
                    touched.insert(place, Touched { path, triangles });
                }
                Ok(Some(_)) => {}
                Ok(None) if remake.is_ground => regions::empty(&mut file.body, place.index),
                Ok(None) => {
                    let reason = refusal!("mesh {name}: it has no triangles left");
                    refusals.push((remake.path.clone(), reason));
                }
                Err(refusal) => {
                    let reason = refusal!("mesh {name}: {refusal}");
                    refusals.push((remake.path.clone(), reason));
                }
            }
        }
        unless_refused(touched, refusals)
    }
}

/// The removed triangles of a mesh, and the added ones, each with the removed one that it was.
fn changes(
    [base, edited]: [&SceneMesh; 2],
    bones: &[Joints; 2],
    fits: &dyn Fn(usize, usize) -> bool,
) -> (Vec<Triangle>, Vec<(Triangle, Option<Twin>)>) {
    let pairs = pair(base, edited, &[Tolerance::EXACT], fits);
    let mut removed = pairs.lost;
    let mut added: Vec<(Triangle, Option<Twin>)> = Vec::new();
    for (triangle, twin) in pairs.new {
        let is_kept = |twin: Twin| {
            is_same(base, edited, triangle, twin) && has_same_bones(bones, triangle, twin)
        };
        if twin.is_some_and(is_kept) {
            continue;
        }
        removed.extend(twin.map(|twin| twin.triangle));
        added.push((triangle, twin));
    }
    (removed, added)
}

/// True if the bones of a triangle are those of its twin.
fn has_same_bones([before, after]: &[Joints; 2], triangle: Triangle, twin: Twin) -> bool {
    (0..3).all(|step| {
        let [old, new] = [
            joint_at(before, twin.triangle.primitive, twin.corner(step)),
            joint_at(after, triangle.primitive, triangle.first + step),
        ];
        // Programs may leave out the weights.
        new.is_none_or(|new| old.is_some_and(|old| old.bone == new.bone))
    })
}

/// True if all values of a triangle are those of its twin.
fn is_same(base: &SceneMesh, edited: &SceneMesh, triangle: Triangle, twin: Twin) -> bool {
    let parts = (
        base.primitives.get(twin.triangle.primitive),
        edited.primitives.get(triangle.primitive),
    );
    let (Some(old), Some(new)) = parts else {
        return false;
    };
    (0..3).all(|step| {
        let corners = (
            old.corner(twin.corner(step)),
            new.corner(triangle.first + step),
        );
        !corner_change(corners.0, corners.1, Tolerance::EXACT).is_any()
    })
}

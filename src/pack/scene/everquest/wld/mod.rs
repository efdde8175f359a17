//! Edited scenes of EverQuest, packed into the scene files (`.wld`) of their archive.
//!
//! The original archive is converted, and once more with numbers in place of positions, which identify the vertex of
//! each corner. Only the differences of the edited scenes are changed in the fragments. Then the archive is converted
//! again and must show the edit.
//!
//! - `members` — the scene files of an archive; `probe` — numbers in place of positions;
//! - `shapes` — corners as vertices; `apply`, `meshes` — edits of fragments; `topology` — rebuilt meshes;
//! - `regions` — regions that follow their meshes; `partition` — the leaves into which these extend;
//! - `placements` — moved models; `lights`, `new_lights`, `materials` — edits of these; `palettes` — new materials;
//! - `keys` — frames of clips; `rests` — vertices of bones that are moved at rest; `own_tracks` — tracks that models get;
//! - `own_models` — models that placements get;
//! - `plan` — all edits together; `proof` — check that the packed file shows the edit.
//!
//! Not here: changed triangles of meshes that bones move, and new partitions of zones.

mod apply;
mod keys;
mod lights;
mod materials;
pub(super) mod members;
mod meshes;
mod new_lights;
mod own_models;
mod own_tracks;
mod palettes;
mod partition;
mod placements;
mod plan;
mod probe;
mod proof;
mod regions;
mod rests;
mod shapes;
mod topology;

use std::collections::BTreeSet;

use super::archive::EditedArchive;
use super::baked::{self, Stored};
use super::clips;
use super::moved::is_even;
use super::own_models::Rules;
use super::proof::check as check_proof;
use super::scene::{self, Form, Scene, TangentRule};
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::driver::error::SceneError;
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::driver::outputs::{Opened, SceneEdit};
use crate::pack::scene::driver::rerun::Rerun;
use crate::pack::scene::driver::scope::Scope;
use crate::pack::scene::driver::{SceneFamily, Unproven, Written};
use crate::pipeline::report::manifest::ManifestOutput;
use members::Members;
use own_models::OwnModels;
use own_tracks::OwnTracks;
use plan::{Numbered, Plan};
use proof::WldProof;
use relicast_formats::everquest::wld::Wld;

/// An archive with its scene files.
pub(in crate::pack::scene) type WldArchive<'j> = EditedArchive<'j, Wld<'static>>;

impl<'j> SceneFamily<'j> for WldArchive<'j> {
    type Scene = Scene<'j>;
    type Plan<'s>
        = Plan<'j>
    where
        Self: 's;

    fn open(job: Job<'j>, scope: &mut Scope) -> Result<Self, Refusal> {
        let mut archive = Self::open(job)?;
        let others = scope.sources.iter().filter(|path| *path != job.place);
        let others = others.filter(|path| path.to_lowercase().ends_with(".s3d"));
        archive.others = others.cloned().collect();
        match archive.original.files.is_empty() {
            true => Err(refusal!(
                "its archive has no readable scene file; only raw documents can be packed"
            )),
            false => Ok(archive),
        }
    }

    fn load(&self, mut edit: SceneEdit<'j>) -> Result<Scene<'j>, Refusal> {
        let baked = baked::find(
            self,
            &mut edit,
            Stored {
                color: |_| false,
                opacity: true,
            },
        )?;
        let names: BTreeSet<String> = own_models::actors(&self.original).collect();
        let form = Form {
            tangents: TangentRule::Absent,
            lights: new_lights::RULES,
            placements: Rules {
                can_place: placements::can_place,
                is_even,
                can_change: &|model, _| names.contains(&model.to_uppercase()),
            },
        };
        scene::load(edit, baked, form)
    }

    fn describe(scene: &Scene<'j>) -> Option<String> {
        scene.describe()
    }

    fn output<'s>(scene: &'s Scene<'j>) -> &'s ManifestOutput {
        scene.output
    }

    fn needs_pictures(scene: &Scene<'j>) -> bool {
        materials::has_edits(scene)
    }

    fn plan<'s>(&self, scenes: &'s [Scene<'j>], rerun: &Rerun<'_>) -> Result<Plan<'j>, SceneError>
    where
        Self: 's,
    {
        let own_models = OwnModels::find(&self.job, &self.others, scenes)?;
        let with_models = match own_models.is_empty() {
            true => None,
            false => Some(own_models.open(self.job.original)?),
        };
        let original = with_models.as_ref().unwrap_or(&self.original);
        let has_shapes = |scene: &Scene<'_>| {
            let has_meshes = !scene.difference.meshes.is_empty() || !scene.recut.is_empty();
            has_meshes || !scene.rests.is_empty() || materials::has_edits(scene)
        };
        let mut plan = Plan {
            own_tracks: OwnTracks::find(scenes, original, rerun)?,
            ..Plan::default()
        };
        let with_tracks = || {
            let mut members = own_models.open(self.job.original)?;
            plan.own_tracks.put(&mut members)?;
            Ok::<_, Refusal>(members)
        };
        let made = |is_wanted: bool, number: Numberer| {
            if !is_wanted {
                return Ok(None);
            }
            let mut members = with_tracks()?;
            number(&mut members)?;
            let written = written(&mut members, &own_models)?;
            let mut files = written.others;
            files.insert(self.job.place.to_owned(), written.bytes);
            rerun.run(Some(&files)).map(Some)
        };
        let extended = match plan.own_tracks.is_empty() {
            true => None,
            false => Some(with_tracks()?),
        };
        let numbered = Numbered {
            shapes: made(scenes.iter().any(has_shapes), number_shapes)?,
            tracks: made(scenes.iter().any(clips::has_edits), keys::number)?,
            members: extended.as_ref().unwrap_or(original),
        };
        (plan.pictures, plan.baked) = baked::members(self, scenes, rerun)?;
        let mut refusals = Refusals::new();
        for scene in scenes {
            if let Err(refusal) = plan.take(&self.job, scene, &numbered, original) {
                refusals.push((scene.output.path.clone(), refusal));
            }
        }
        plan.own_models = own_models;
        plan.with_models = with_models;
        Ok(unless_refused(plan, refusals)?)
    }

    fn put(&mut self, plan: &mut Plan<'j>) -> Result<Written, SceneError> {
        let mut parted = match plan.with_models {
            Some(_) => Some(plan.own_models.open(self.job.current)?),
            None => None,
        };
        let original = plan.with_models.as_ref().unwrap_or(&self.original);
        let current = parted.as_mut().unwrap_or(&mut self.current);
        plan.own_tracks.put(current)?;
        plan.added = plan.moves.put(current)?;
        plan.outcomes = apply::put(&plan.shapes, current, &self.job.settings.everquest)?;
        let mut touched = plan.remakes.put(current, &self.job.settings.everquest)?;
        for (place, outcome) in &mut plan.outcomes {
            let triangles = std::mem::take(&mut outcome.ground);
            let edit = plan.shapes.meshes.get(place);
            if let Some(edit) = edit.filter(|_| !triangles.is_empty()) {
                let touched = touched.entry(*place).or_default();
                touched.path.clone_from(&edit.path);
                touched.triangles.extend(triangles);
            }
        }
        plan.growths = regions::follow(current, original, &touched)?;
        plan.lights.put(current)?;
        let textures = plan.materials.put(current)?;
        keys::put(&plan.rests, current)?;
        keys::put(&plan.tracks, current)?;
        // All other edits find their fragments by the original numbers.
        plan.palettes.put(current, &textures, &mut plan.added)?;
        let palettes = &plan.palettes;
        plan.lights
            .remove(current, |place| palettes.inserted_before(place))?;
        plan.new_lights.put(current)?;
        for (file, before) in current.files.iter_mut().zip(&original.files) {
            if file.is_edited() {
                follow_largest(&mut file.body, &before.body).map_err(Refusal::new)?;
            }
        }
        current.new.clone_from(&plan.pictures);
        Ok(written(current, &plan.own_models)?)
    }

    fn prove(
        &self,
        plan: &Plan<'j>,
        _number: usize,
        scene: &Scene<'j>,
        after: Opened,
    ) -> Result<Option<String>, Unproven> {
        let proof = WldProof {
            scene,
            members: plan.with_models.as_ref().unwrap_or(&self.original),
            plan,
        };
        Ok(check_proof(&proof, after).map_err(|refusal| self.explained(refusal))?)
    }
}

/// The archive of the scenes, and those in which placements get models.
fn written(members: &mut Members<'_>, own_models: &OwnModels) -> Result<Written, Refusal> {
    let mut written = Written::default();
    let mut encoded = members.encode_all()?.into_iter();
    written.bytes = encoded.next().map(|own| own.bytes).unwrap_or_default();
    for (path, other) in own_models.paths().zip(encoded) {
        written.others.insert(path.to_owned(), other.bytes);
        written.members.insert(path.to_owned(), other.members);
    }
    Ok(written)
}

/// Updates the size of the largest fragment in a header, if it was that of the original, or is too small.
fn follow_largest(wld: &mut Wld<'_>, before: &Wld<'_>) -> relicast_codec::Result<()> {
    let largest = wld.largest_fragment()?;
    let stored = before.header.largest_fragment;
    if largest > stored || before.largest_fragment()? == stored {
        wld.header.largest_fragment = largest;
    }
    Ok(())
}

/// Replaces values by numbers.
type Numberer = fn(&mut Members<'_>) -> Result<(), Refusal>;

/// Numbers vertices and materials.
fn number_shapes(members: &mut Members<'_>) -> Result<(), Refusal> {
    probe::number(members)?;
    materials::number(members);
    Ok(())
}

//! Edited scenes of archives in EQG format, packed into the zones, models, baked light and animations of their archive
//! (`.zon`, `.ter`, `.mod`, `.mds`, `.lit`).
//!
//! - `members` — the members of an archive, decoded; `names` — texts that serve as names;
//! - `probe` — finds the stored items behind a scene by numbers in place of values; `scenes` — edited scenes with
//!   these;
//! - `placements`, `lamps`, `shapes`, `surfaces`, `keys`, `rests` — edits of these; `own_models` — models that
//!   placements get;
//! - `remake` — meshes whose triangles or surfaces changed; `vertices` — their vertices; `bones` — bones of these;
//! - `plan` — all edits together; `proof` — check that the packed file shows the edit.
//!
//! Not here: tiled zones.

mod bones;
mod keys;
mod lamps;
mod members;
mod names;
mod new_surfaces;
mod own_models;
mod placements;
mod plan;
mod probe;
mod proof;
mod remake;
mod rests;
mod scenes;
mod shapes;
mod surfaces;
mod vertices;

use super::archive::EditedArchive;
use super::baked::{self, Stored};
use super::moved::is_even;
use super::own_models::Rules;
use super::proof::check as check_proof;
use super::scene::{self, Form, Scene, TangentRule};
use crate::pack::edited::{Edited, IN_TWO_STEPS, Refusal, Refusals, unless_refused};
use crate::pack::scene::driver::error::SceneError;
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::driver::outputs::{Opened, SceneEdit};
use crate::pack::scene::driver::rerun::Rerun;
use crate::pack::scene::driver::scope::Scope;
use crate::pack::scene::driver::{SceneFamily, Unproven, Written};
use crate::pipeline::report::manifest::ManifestOutput;
use members::Body;
use own_models::OwnModels;
use plan::Plan;
use proof::EqgProof;

/// Extensions of members that scenes in EQG format are made from.
const ENDINGS: [&str; 4] = [".zon", ".ter", ".mod", ".mds"];

/// An archive in EQG format with its scenes.
pub(in crate::pack::scene) type EqgArchive<'j> = EditedArchive<'j, Body>;

impl<'j> SceneFamily<'j> for EqgArchive<'j> {
    type Scene = Scene<'j>;
    type Plan<'s>
        = Plan<'s, 'j>
    where
        Self: 's;

    fn open(job: Job<'j>, _scope: &mut Scope) -> Result<Self, Refusal> {
        Self::open(job)
    }

    fn load(&self, mut edit: SceneEdit<'j>) -> Result<Scene<'j>, Refusal> {
        let baked = baked::find(
            self,
            &mut edit,
            Stored {
                color: surfaces::stores_color,
                opacity: false,
            },
        )?;
        let form = Form {
            tangents: TangentRule::Follow,
            lights: lamps::RULES,
            placements: Rules {
                can_place: is_even,
                is_even,
                can_change: &|model, is_recut| !is_recut && self.original.find(model).is_some(),
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
        let has_shapes = !scene.difference.meshes.is_empty() || !scene.recut.is_empty();
        has_shapes || surfaces::has_edits(scene)
    }

    fn plan<'s>(
        &self,
        scenes: &'s [Scene<'j>],
        rerun: &Rerun<'_>,
    ) -> Result<Plan<'s, 'j>, SceneError>
    where
        Self: 's,
    {
        let own_models = OwnModels::find(scenes, &self.original)?;
        let with_models = match own_models.is_empty() {
            true => None,
            false => Some(own_models.open(self.job.original)?),
        };
        let original = with_models.as_ref().unwrap_or(&self.original);
        let mut members = own_models.open(self.job.original)?;
        probe::number(&mut members, self.job.settings.everquest.eqg_light_order)?;
        let numbered = rerun.run_with(members.encode()?)?;
        let mut plan = Plan::default();
        (plan.pictures, plan.baked) = baked::members(self, scenes, rerun)?;
        let mut refusals = Refusals::new();
        for scene in scenes {
            if let Err(refusal) = plan.take(&self.job, scene, &numbered, original) {
                refusals.push((scene.output.path.clone(), refusal));
            }
        }
        for (place, path) in plan.remakes.places() {
            if plan.shapes.has(place) {
                let reason = format_args!(
                    "another edited scene moves vertices of a mesh that this one rebuilds; {IN_TWO_STEPS}"
                );
                refusals.push((path.to_owned(), Refusal::new(reason)));
            }
        }
        plan.own_models = own_models;
        plan.with_models = with_models;
        Ok(unless_refused(plan, refusals)?)
    }

    fn put(&mut self, plan: &mut Plan<'_, 'j>) -> Result<Written, SceneError> {
        let mut with_models = match plan.own_models.is_empty() {
            true => None,
            false => Some(plan.own_models.open(self.job.current)?),
        };
        let current = with_models.as_mut().unwrap_or(&mut self.current);
        plan.shapes.put(current, &self.job.settings.everquest)?;
        plan.lamps.put(current)?;
        plan.surfaces.put(current)?;
        keys::put(&plan.tracks, current)?;
        plan.rests.put(current)?;
        plan.remakes.put(current, &self.job.settings.everquest)?;
        plan.new_surfaces.put(current)?;
        plan.added = plan.placements.put(current)?;
        plan.lamps.remove(current);
        plan.lamps.add(current);
        current.new.clone_from(&plan.pictures);
        Ok(Written {
            bytes: current.encode()?,
            ..Written::default()
        })
    }

    fn prove(
        &self,
        plan: &Plan<'_, 'j>,
        number: usize,
        _scene: &Scene<'j>,
        after: Opened,
    ) -> Result<Option<String>, Unproven> {
        let Some(coded) = plan.coded.get(number) else {
            return Ok(None);
        };
        let proof = EqgProof {
            coded,
            members: plan.with_models.as_ref().unwrap_or(&self.original),
            plan,
        };
        Ok(check_proof(&proof, after)?)
    }
}

impl EqgArchive<'_> {
    /// Returns true if an edit is of a scene of such an archive.
    pub(in crate::pack::scene) fn holds(edit: &Edited<'_>) -> bool {
        let member = edit.output.member.as_deref().unwrap_or_default();
        let member = member.to_lowercase();
        ENDINGS.iter().any(|ending| member.ends_with(ending))
    }
}

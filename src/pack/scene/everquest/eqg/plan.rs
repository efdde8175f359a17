//! All changes of the members of an archive in EQG format.

use std::collections::BTreeMap;

use super::keys::OfMembers;
use super::lamps::Lamps;
use super::members::Members;
use super::new_surfaces::NewSurfaces;
use super::own_models::{self, OwnModels};
use super::placements::{Added, Placements};
use super::remake::Remakes;
use super::rests::Rests;
use super::scenes::Coded;
use super::shapes::Shapes;
use super::surfaces::Surfaces;
use crate::pack::edited::Refusal;
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::driver::outputs::open_output;
use crate::pack::scene::driver::rerun::Outputs;
use crate::pack::scene::everquest::archive::NewMembers;
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::everquest::tracks::Tracks;

/// All changes, and the originals.
#[derive(Debug, Default)]
pub(in crate::pack::scene) struct Plan<'c, 'j> {
    pub(super) placements: Placements,
    pub(super) lamps: Lamps,
    pub(super) shapes: Shapes,
    pub(super) surfaces: Surfaces,
    pub(super) new_surfaces: NewSurfaces,
    pub(super) tracks: Tracks,
    pub(super) rests: Rests,
    pub(super) remakes: Remakes,
    pub(super) own_models: OwnModels,
    /// The original members with the models that placements get.
    pub(super) with_models: Option<Members<'j>>,
    /// New pictures, and words about them by scene.
    pub(super) pictures: NewMembers,
    pub(super) baked: BTreeMap<String, Vec<String>>,
    /// The scenes with their numbers.
    pub(super) coded: Vec<Coded<'c, 'j>>,
    /// Copies of placements.
    pub(super) added: Vec<Added>,
}

impl<'c, 'j> Plan<'c, 'j> {
    /// Collects the edits of a scene.
    ///
    /// # Errors
    /// The members have no place for an edit.
    pub(super) fn take(
        &mut self,
        job: &Job<'_>,
        scene: &'c Scene<'j>,
        numbered: &Outputs,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let numbered = open_output(job, &scene.output.path, numbered)?;
        let mut coded = Coded::new(scene, numbered.scene, numbered.document, members)?;
        own_models::check(&coded)?;
        self.placements.take(&coded, members)?;
        let scale = job.settings.scenes.light_scale;
        self.lamps.take(&coded, members, scale)?;
        let apart = self.shapes.take(&coded, members, &job.settings.everquest)?;
        coded.recut.extend(apart);
        self.surfaces.take(job, &coded, members)?;
        self.rests.take(&coded, members)?;
        self.tracks
            .take(scene, Some(&coded.document), &OfMembers(members))?;
        self.new_surfaces.take(job, &coded, members)?;
        self.remakes
            .take(&coded, &self.new_surfaces, members, &job.settings.everquest)?;
        self.coded.push(coded);
        Ok(())
    }
}

//! All changes of the scene files of an archive.

use std::collections::BTreeMap;

use super::keys::OfFiles;
use super::lights::Lights;
use super::materials::{self, Materials};
use super::members::Members;
use super::meshes::Outcome;
use super::new_lights::NewLights;
use super::own_models::OwnModels;
use super::own_tracks::OwnTracks;
use super::palettes::Palettes;
use super::placements::{Added, Moves};
use super::regions::Growth;
use super::rests::PosedMeshes;
use super::shapes::Shapes;
use super::topology::Remakes;
use crate::pack::edited::Refusal;
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::driver::outputs::{Opened, open_output};
use crate::pack::scene::driver::rerun::Outputs;
use crate::pack::scene::everquest::archive::NewMembers;
use crate::pack::scene::everquest::corners::APART;
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::recut::Recut;
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::everquest::tracks::Tracks;
use crate::pack::scene::file::SceneFile;

/// Scenes with numbers in place of values.
#[derive(Debug)]
pub(super) struct Numbered<'m> {
    pub shapes: Option<Outputs>,
    pub tracks: Option<Outputs>,
    /// The scene files with the tracks that were numbered.
    pub members: &'m Members<'m>,
}

/// All changes, and the originals.
#[derive(Debug, Default)]
pub(in crate::pack::scene) struct Plan<'j> {
    pub(super) moves: Moves,
    pub(super) shapes: Shapes,
    pub(super) lights: Lights,
    pub(super) new_lights: NewLights,
    pub(super) materials: Materials,
    pub(super) palettes: Palettes,
    pub(super) tracks: Tracks,
    /// Poses at rest.
    pub(super) rests: Tracks,
    pub(super) own_tracks: OwnTracks,
    pub(super) own_models: OwnModels,
    /// The original scene files with the models that placements get, and the files that have these.
    pub(super) with_models: Option<Members<'j>>,
    pub(super) remakes: Remakes,
    /// Scenes with the numbers of their vertices, by path.
    pub(super) numbered: BTreeMap<String, SceneFile>,
    /// Results of the meshes, by place.
    pub(super) outcomes: BTreeMap<Place, Outcome>,
    /// New pictures, and words about them by scene.
    pub(super) pictures: NewMembers,
    pub(super) baked: BTreeMap<String, Vec<String>>,
    /// Copies of placements.
    pub(super) added: Vec<Added>,
    /// Growth of the regions, by scene.
    pub(super) growths: BTreeMap<String, Growth>,
    /// Meshes, by scene, in which corners that shared a vertex were moved apart.
    pub(super) parted: BTreeMap<String, Vec<Recut>>,
}

impl Plan<'_> {
    /// Meshes of a scene that are rebuilt.
    pub(super) fn recuts<'p>(&'p self, scene: &'p Scene<'_>) -> impl Iterator<Item = &'p Recut> {
        let parted = self.parted.get(&scene.output.path);
        scene.recut.iter().chain(parted.into_iter().flatten())
    }

    /// Collects the edits of a scene.
    ///
    /// # Errors
    /// The files have no place for an edit.
    pub(super) fn take(
        &mut self,
        job: &Job<'_>,
        scene: &Scene<'_>,
        numbered: &Numbered<'_>,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let open = |outputs: &Option<Outputs>| {
            let outputs = outputs.as_ref();
            let opened = outputs.map(|outputs| open_output(job, &scene.output.path, outputs));
            opened.transpose()
        };
        let (shapes, tracks) = (open(&numbered.shapes)?, open(&numbered.tracks)?);
        self.moves.take(scene, members)?;
        self.lights.take(scene, members, job.settings)?;
        self.new_lights.take(scene, members, job.settings)?;
        let document = shapes.as_ref().map(|shapes| &shapes.document);
        let materials = materials::Numbered::new(document, members);
        self.materials.take(job, scene, &materials)?;
        let document = tracks.as_ref().map(|tracks| &tracks.document);
        self.tracks
            .take(scene, document, &OfFiles::new(numbered.members))?;
        let mut posed = PosedMeshes::new();
        if let Some(tracks) = tracks.as_ref().filter(|_| !scene.rests.is_empty()) {
            let mut own = Tracks::default();
            own.take_rests(scene, &tracks.scene, &OfFiles::new(numbered.members))?;
            posed = self.shapes.pose((job, scene), members, &own)?;
            self.rests.merge(own)?;
        }
        let Some(Opened { scene: codes, .. }) = &shapes else {
            return Ok(());
        };
        self.palettes.take(job, scene, &materials, codes, members)?;
        let options = &job.settings.everquest;
        for change in &scene.difference.meshes {
            let taken = self.shapes.take(scene, change, codes, members, options);
            let is_taken = taken.map_err(|refusal| {
                refusal!("mesh of node {}: {refusal}", scene.name(change.node))
            })?;
            let mesh = scene.edited.meshes.get(change.new);
            if let Some(mesh) = mesh.filter(|_| !is_taken) {
                let parted = self.parted.entry(scene.output.path.clone()).or_default();
                parted.push(Recut {
                    node: change.node,
                    base: change.old,
                    edited: change.new,
                    mesh: mesh.clone(),
                    reason: Refusal::new(APART),
                });
            }
        }
        self.shapes.follow_bones(scene, posed, members)?;
        let parted = self.parted.get(&scene.output.path);
        for recut in scene.recut.iter().chain(parted.into_iter().flatten()) {
            self.remakes
                .take(scene, recut, codes, &self.palettes, members)?;
        }
        let numbered = shapes.map(|shapes| (scene.output.path.clone(), shapes.scene));
        self.numbered.extend(numbered);
        Ok(())
    }
}

//! Scenes of EverQuest that a person edited, put back into the scene files (`.wld`) of their archive.
//!
//! The archive is converted as it was, and once more with numbers in the place of positions, which tells the vertex
//! that each corner shows. What the edited scenes say otherwise is changed in the fragments, and nothing else. Then the
//! archive is converted again and must show the edit.
//!
//! - `members` — the scene files of an archive; `probe` — numbers in the place of positions;
//! - `shapes` — corners as vertices; `apply`, `meshes` — edits put into fragments; `topology` — objects made anew;
//! - `placements` — placed models that were moved; `lights`, `materials` — edits of these;
//! - `proof` — whether what was packed shows the edit.
//!
//! Not here: other triangles in zones and in what bones move.

mod apply;
mod lights;
pub(super) mod materials;
pub(super) mod members;
mod meshes;
mod placements;
pub(super) mod probe;
mod proof;
pub(super) mod shapes;
mod topology;

use std::collections::BTreeMap;

use super::scene::{self, Scene, Wearing};
use super::tracks::{self, Tracks};
use crate::config::Unit;
use crate::pack::edited::{Content, Edited, Refusal, Refusals, refuse_all};
use crate::pack::error::PackError;
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::driver::outputs::{Scope, open_output, read_output, stem};
use crate::pack::scene::driver::rerun::{Outputs, Rerun};
use crate::pack::scene::file::SceneFile;
use lights::Lights;
use materials::Materials;
use members::Members;
use placements::Moves;
use proof::Done;
use shapes::Shapes;
use topology::Remakes;

/// Puts edited scenes into their archive. There is a rounding for each edit, in their order.
///
/// # Errors
/// A file cannot be read or written. What cannot go back is the inner error.
pub(super) fn replace(
    job: &Job<'_>,
    edits: &[Edited<'_>],
    place_of: &dyn Fn(&str) -> Result<String, PackError>,
) -> Result<Result<Content, Refusals>, PackError> {
    let all = |reason: &dyn std::fmt::Display| refuse_all(edits, reason);
    let (original, mut current) = match open(job) {
        Ok(opened) => opened,
        Err(reason) => return Ok(Err(all(&reason))),
    };
    let scope = Scope::of(job, edits, place_of)?;
    let mut rerun = Rerun {
        originals: job.originals,
        sources: &scope.sources,
        source: job.place,
        members: &scope.members,
        config: job.settings,
        with_pictures: false,
    };
    let before = match rerun.run(None)? {
        Ok(before) => before,
        Err(reason) => return Ok(Err(all(&reason))),
    };
    let scenes = match scene::load(job, edits, &before, Wearing::Fixed) {
        Ok(scenes) => scenes,
        Err(refusals) => return Ok(Err(refusals)),
    };
    drop(before);
    let mut numbered = Numbered::default();
    let has_shapes = |scene: &Scene<'_>| {
        let has_meshes = !scene.difference.meshes.is_empty() || !scene.recut.is_empty();
        has_meshes || materials::has_edits(scene)
    };
    let wanted = [
        (scenes.iter().any(has_shapes), number_shapes as Numberer),
        (scenes.iter().any(tracks::has_edits), tracks::number),
    ];
    let outputs = [&mut numbered.shapes, &mut numbered.tracks];
    for ((is_wanted, number), outputs) in wanted.into_iter().zip(outputs) {
        if !is_wanted {
            continue;
        }
        let bytes = match numbered_with(job, number) {
            Ok(bytes) => bytes,
            Err(reason) => return Ok(Err(all(&reason))),
        };
        match rerun.run_with(bytes)? {
            Ok(made) => *outputs = Some(made),
            Err(reason) => return Ok(Err(all(&reason))),
        }
    }
    let mut plan = match Plan::of(job, &scenes, &numbered, &original) {
        Ok(plan) => plan,
        Err(refusals) => return Ok(Err(refusals)),
    };
    drop(numbered);
    let put = plan.moves.put(&mut current).and_then(|added| {
        let outcomes = apply::put(&plan.shapes, &mut current, &job.settings.everquest)?;
        plan.remakes.put(&mut current)?;
        plan.lights.put(&mut current)?;
        plan.materials.put(&mut current)?;
        plan.tracks.put(&mut current)?;
        let bytes = current.encode().map_err(|refusal| all(&refusal))?;
        Ok((added, outcomes, bytes))
    });
    let (added, outcomes, bytes) = match put {
        Ok(put) => put,
        Err(refusals) => return Ok(Err(refusals)),
    };
    rerun.with_pictures = scenes.iter().any(materials::has_edits);
    let after = match rerun.run_with(bytes.clone())? {
        Ok(after) => after,
        Err(reason) => return Ok(Err(all(&reason))),
    };
    let done = Done {
        members: &original,
        shapes: &plan.shapes,
        outcomes: &outcomes,
        added: &added,
        remakes: &plan.remakes,
    };
    let mut told: BTreeMap<&str, Option<String>> = BTreeMap::new();
    let mut refusals = Refusals::new();
    for scene in &scenes {
        let path = &*scene.output.path;
        let codes = plan.numbered.get(path);
        let proven = (|| {
            let document = open_output(job, path, &after)?;
            let file = read_output(job, path, &after)?;
            proof::check(scene, (file, &document), codes, done)
        })();
        match proven {
            Ok(rounding) => {
                told.insert(stem(path), rounding);
            }
            Err(refusal) => refusals.push((path.to_owned(), refusal)),
        }
    }
    if !refusals.is_empty() {
        return Ok(Err(refusals));
    }
    let roundings = edits
        .iter()
        .map(|edit| told.get(stem(&edit.output.path)).cloned().flatten())
        .collect();
    Ok(Ok(Content { bytes, roundings }))
}

/// The archive as it was and as it is with the edits of other kinds.
fn open<'j>(job: &Job<'j>) -> Result<(Members<'j>, Members<'j>), Refusal> {
    if job.settings.everquest.scale == Unit::Metres {
        return Err(Refusal::new(
            "scenes in metres do not go back; convert in units of the files",
        ));
    }
    let original = Members::open(job.original)?;
    if original.files.is_empty() {
        return Err(Refusal::new(
            "its archive has no scene file that can be read; raw documents go back",
        ));
    }
    let current = Members::open(job.current)?;
    match current.has_files_of(&original) {
        true => Ok((original, current)),
        false => Err(Refusal::new(
            "documents of its scene files were edited too; pack one after the other, with --only",
        )),
    }
}

/// Puts numbers in the place of values.
type Numberer = fn(&mut Members<'_>) -> Result<(), Refusal>;

/// The archive with numbers in the place of values.
fn numbered_with(job: &Job<'_>, number: Numberer) -> Result<Vec<u8>, Refusal> {
    let mut members = Members::open(job.original)?;
    number(&mut members)?;
    members.encode()
}

/// Numbers vertices and materials.
fn number_shapes(members: &mut Members<'_>) -> Result<(), Refusal> {
    probe::number(members)?;
    materials::number(members);
    Ok(())
}

/// Scenes with numbers in the place of values.
#[derive(Debug, Default)]
struct Numbered {
    shapes: Option<Outputs>,
    tracks: Option<Outputs>,
}

/// All that is to be changed.
#[derive(Debug, Default)]
struct Plan {
    moves: Moves,
    shapes: Shapes,
    lights: Lights,
    materials: Materials,
    tracks: Tracks,
    remakes: Remakes,
    /// Scenes with the numbers of their vertices, by path.
    numbered: BTreeMap<String, SceneFile>,
}

impl Plan {
    fn of(
        job: &Job<'_>,
        scenes: &[Scene<'_>],
        numbered: &Numbered,
        members: &Members<'_>,
    ) -> Result<Self, Refusals> {
        let mut plan = Self::default();
        let mut refusals = Refusals::new();
        for scene in scenes {
            if let Err(refusal) = plan.take(job, scene, numbered, members) {
                refusals.push((scene.output.path.clone(), refusal));
            }
        }
        match refusals.is_empty() {
            true => Ok(plan),
            false => Err(refusals),
        }
    }

    fn take(
        &mut self,
        job: &Job<'_>,
        scene: &Scene<'_>,
        numbered: &Numbered,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let path = &scene.output.path;
        let open = |outputs: &Option<Outputs>| {
            let outputs = outputs.as_ref();
            outputs
                .map(|outputs| open_output(job, path, outputs))
                .transpose()
        };
        self.moves.take(scene, members)?;
        self.lights.take(scene, members, job.settings)?;
        self.materials
            .take(job, scene, open(&numbered.shapes)?.as_ref(), members)?;
        self.tracks
            .take(scene, open(&numbered.tracks)?.as_ref(), members)?;
        let Some(numbered) = &numbered.shapes else {
            return Ok(());
        };
        let codes = read_output(job, path, numbered)?;
        let options = &job.settings.everquest;
        for change in &scene.difference.meshes {
            let taken = self.shapes.take(scene, change, &codes, members, options);
            taken.map_err(|refusal| {
                let name = scene.name(change.node);
                Refusal::new(format_args!("mesh of node {name}: {refusal}"))
            })?;
        }
        self.remakes.take(scene, &codes, members)?;
        self.numbered.insert(scene.output.path.clone(), codes);
        Ok(())
    }
}

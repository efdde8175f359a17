//! Scenes of later archives that a person edited, put back into the zones, models, baked light and animations of their
//! archive (`.zon`, `.ter`, `.mod`, `.mds`, `.lit`).
//!
//! - `members` — the members of an archive, decoded; `names` — texts that they name things by;
//! - `probe` — numbers in the place of values, which tell where those are from; `scenes` — edited scenes with these;
//! - `placements`, `lamps`, `shapes`, `surfaces`, `keys` — edits of these;
//! - `remake` — meshes with other triangles or surfaces than they had; `vertices` — their vertices;
//! - `proof` — whether what was packed shows the edit.
//!
//! Not here: zones of tiles.

mod keys;
mod lamps;
mod members;
mod names;
mod placements;
mod probe;
mod proof;
mod remake;
mod scenes;
mod shapes;
mod surfaces;
mod vertices;

use std::collections::BTreeMap;

use super::scene::{self, Scene, Wearing};
use super::tracks::Tracks;
use crate::config::Unit;
use crate::pack::edited::{Content, Edited, Refusal, Refusals, refuse_all};
use crate::pack::error::PackError;
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::driver::outputs::{Scope, open_output, read_output, stem};
use crate::pack::scene::driver::rerun::{Outputs, Rerun};
use keys::OfMembers;
use lamps::Lamps;
use members::Members;
use placements::Placements;
use proof::Done;
use remake::Remakes;
use scenes::Coded;
use shapes::Shapes;
use surfaces::Surfaces;

/// Endings of members that scenes of later archives are made from.
const ENDINGS: [&str; 4] = [".zon", ".ter", ".mod", ".mds"];

/// How many of some edits are of scenes of later archives.
pub(super) fn count(edits: &[Edited<'_>]) -> usize {
    let is_own = |edit: &&Edited<'_>| {
        let member = edit.output.member.as_deref().unwrap_or_default();
        let member = member.to_lowercase();
        ENDINGS.iter().any(|ending| member.ends_with(ending))
    };
    edits.iter().filter(is_own).count()
}

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
    let scenes = match scene::load(job, edits, &before, Wearing::Free) {
        Ok(scenes) => scenes,
        Err(refusals) => return Ok(Err(refusals)),
    };
    drop(before);
    let numbered = match numbered(job) {
        Ok(bytes) => rerun.run_with(bytes)?,
        Err(reason) => return Ok(Err(all(&reason))),
    };
    let plan = match numbered {
        Ok(numbered) => Plan::of(job, &scenes, &numbered, &original),
        Err(reason) => Err(all(&reason)),
    };
    let plan = match plan {
        Ok(plan) => plan,
        Err(refusals) => return Ok(Err(refusals)),
    };
    let put = plan.shapes.put(&mut current, &job.settings.everquest);
    let put = put.and_then(|()| {
        plan.lamps.put(&mut current);
        plan.surfaces.put(&mut current)?;
        keys::put(&plan.tracks, &mut current)?;
        plan.remakes.put(&mut current)?;
        let added = plan.placements.put(&mut current)?;
        let bytes = current.encode().map_err(|refusal| all(&refusal))?;
        Ok((added, bytes))
    });
    let (added, bytes) = match put {
        Ok(put) => put,
        Err(refusals) => return Ok(Err(refusals)),
    };
    let needs_pictures = |scene: &Scene<'_>| {
        let has_shapes = !scene.difference.meshes.is_empty() || !scene.recut.is_empty();
        has_shapes || surfaces::has_edits(scene)
    };
    rerun.with_pictures = scenes.iter().any(needs_pictures);
    let after = match rerun.run_with(bytes.clone())? {
        Ok(after) => after,
        Err(reason) => return Ok(Err(all(&reason))),
    };
    let done = Done {
        members: &original,
        placements: &plan.placements,
        shapes: &plan.shapes,
        surfaces: &plan.surfaces,
        remakes: &plan.remakes,
        added: &added,
    };
    let told = match prove(job, &plan, &after, done) {
        Ok(told) => told,
        Err(refusals) => return Ok(Err(refusals)),
    };
    let roundings = edits.iter();
    let roundings = roundings
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
    let current = Members::open(job.current)?;
    match current.has_files_of(&original) {
        true => Ok((original, current)),
        false => Err(Refusal::new(
            "documents of its zones, models or animations were edited too; pack one after the other, with --only",
        )),
    }
}

/// The archive with numbers in the place of values.
fn numbered(job: &Job<'_>) -> Result<Vec<u8>, Refusal> {
    let mut members = Members::open(job.original)?;
    probe::number(&mut members, job.settings.everquest.eqg_light_order)?;
    members.encode()
}

/// All that is to be changed.
#[derive(Debug, Default)]
struct Plan<'c, 'j> {
    placements: Placements,
    lamps: Lamps,
    shapes: Shapes,
    surfaces: Surfaces,
    tracks: Tracks,
    remakes: Remakes,
    /// The scenes with their numbers.
    coded: Vec<Coded<'c, 'j>>,
}

impl<'c, 'j> Plan<'c, 'j> {
    fn of(
        job: &Job<'_>,
        scenes: &'c [Scene<'j>],
        numbered: &Outputs,
        members: &Members<'_>,
    ) -> Result<Self, Refusals> {
        let mut plan = Self::default();
        let mut refusals = Refusals::new();
        for scene in scenes {
            if let Err(refusal) = plan.take(job, scene, numbered, members) {
                refusals.push((scene.output.path.clone(), refusal));
            }
        }
        for (place, path) in plan.remakes.places() {
            if plan.shapes.has(place) {
                let reason = "another scene moves vertices of what this one makes anew; pack one after the other, with --only";
                refusals.push((path.to_owned(), Refusal::new(reason)));
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
        scene: &'c Scene<'j>,
        numbered: &Outputs,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let path = &scene.output.path;
        let file = read_output(job, path, numbered)?;
        let document = open_output(job, path, numbered)?;
        let mut coded = Coded::of(scene, file, document, members)?;
        self.placements.take(&coded, members)?;
        self.lamps.take(&coded)?;
        let apart = self.shapes.take(&coded, members, &job.settings.everquest)?;
        coded.recut.extend(apart);
        self.surfaces.take(job, &coded, members)?;
        self.tracks
            .take_from(scene, Some(&coded.document), &OfMembers(members))?;
        self.remakes.take(&coded, members)?;
        self.coded.push(coded);
        Ok(())
    }
}

/// Compares all scenes of what was packed with their edits. What is told of each is given by its path without ending.
fn prove<'p>(
    job: &Job<'_>,
    plan: &'p Plan<'_, '_>,
    after: &Outputs,
    done: Done<'_>,
) -> Result<BTreeMap<&'p str, Option<String>>, Refusals> {
    let mut told = BTreeMap::new();
    let mut refusals = Refusals::new();
    for coded in &plan.coded {
        let path = &*coded.scene.output.path;
        let proven = (|| {
            let document = open_output(job, path, after)?;
            let file = read_output(job, path, after)?;
            proof::check(coded, (file, &document), done)
        })();
        match proven {
            Ok(rounding) => {
                told.insert(stem(path), rounding);
            }
            Err(refusal) => refusals.push((path.to_owned(), refusal)),
        }
    }
    match refusals.is_empty() {
        true => Ok(told),
        false => Err(refusals),
    }
}

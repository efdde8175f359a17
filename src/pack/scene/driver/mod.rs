//! Packing of edited scenes, the same for every family of games.
//!
//! The original scenes of the game file are converted once more and compared with the edits. Only the differences are
//! planned and put into the file. Then its scenes are converted again, and must show the edits.
//!
//! - `job` — request and result; `error` — reasons why scenes are refused;
//! - `scope` — the items to convert again; `rerun` — their conversion;
//! - `outputs` — edited scenes and scenes that are converted again; `embedded` — pictures inside of them.

mod embedded;
pub(super) mod error;
pub(super) mod job;
pub(super) mod outputs;
pub(super) mod rerun;
pub(super) mod scope;

use std::collections::{BTreeMap, BTreeSet};

use crate::pack::edited::{Content, Edited, Refusal, Refusals, unless_refused};
use crate::pack::error::PackError;
use crate::pack::scene::exporter::Noise;
use crate::pipeline::report::manifest::ManifestOutput;
use error::SceneError;
use job::{Job, Members, Replaced};
use outputs::{Opened, SceneEdit, open_output, read, stem, whole_of};
use rerun::{Outputs, Rerun};
use scope::Scope;

/// A family of games whose edited scenes can be packed.
pub(super) trait SceneFamily<'j>: Sized {
    /// An edited scene, with all of its differences.
    type Scene;

    /// Changes that edited scenes ask for, and their results once they are applied.
    type Plan<'s>
    where
        Self: 's;

    /// Opens the game file, and narrows the scope of the conversion.
    ///
    /// # Errors
    /// Scenes of such a file cannot be packed.
    fn open(job: Job<'j>, scope: &mut Scope) -> Result<Self, Refusal>;

    /// Compares an edited scene with the original.
    ///
    /// # Errors
    /// An edit cannot be packed.
    fn load(&self, edit: SceneEdit<'j>) -> Result<Self::Scene, Refusal>;

    /// Describes the edit for people.
    fn describe(scene: &Self::Scene) -> Option<String>;

    /// The output of a scene.
    fn output(scene: &Self::Scene) -> &ManifestOutput;

    /// Returns true if a packed scene is compared with its pictures, not only by its shape.
    fn needs_pictures(scene: &Self::Scene) -> bool;

    /// Plans the changes of scenes.
    ///
    /// # Errors
    /// The file has no place for an edit.
    fn plan<'s>(
        &self,
        scenes: &'s [Self::Scene],
        rerun: &Rerun<'_>,
    ) -> Result<Self::Plan<'s>, SceneError>
    where
        Self: 's;

    /// Applies the changes to the game file.
    ///
    /// # Errors
    /// The format cannot hold them.
    fn put(&mut self, plan: &mut Self::Plan<'_>) -> Result<Written, SceneError>;

    /// Compares a packed scene with its edit. Returns the rounding. `number` is its place among the scenes.
    ///
    /// # Errors
    /// It shows something else.
    fn prove(
        &self,
        plan: &Self::Plan<'_>,
        number: usize,
        scene: &Self::Scene,
        after: Opened,
    ) -> Result<Option<String>, Unproven>;

    /// Switches to another way of packing scenes after the result did not show them. Returns false if there is none.
    fn retry(_scenes: &mut [Self::Scene], _faults: &[Option<Unproven>]) -> bool {
        false
    }
}

/// Changed game files.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// The file of the scenes.
    pub bytes: Vec<u8>,
    /// New members of others.
    pub members: Members,
    /// The other files with their new members, by path below the install.
    pub others: BTreeMap<String, Vec<u8>>,
}

/// Packed scene that differs from its edit.
#[derive(Debug)]
pub(super) struct Unproven {
    /// Reason why the edit cannot be packed this way.
    pub refusal: Refusal,
    /// Meshes of the edit that have another shape in the packed scene.
    pub meshes: BTreeSet<usize>,
}

impl From<Refusal> for Unproven {
    fn from(refusal: Refusal) -> Self {
        let meshes = BTreeSet::new();
        Self { refusal, meshes }
    }
}

/// Packs edited scenes into their game file. Returns a rounding for each edit, in their order.
///
/// # Errors
/// An edit cannot be packed, or a file cannot be read or written.
pub(super) fn replace<'j, F: SceneFamily<'j>>(
    job: Job<'j>,
    edits: &[Edited<'j>],
    place_of: &dyn Fn(&str) -> Result<String, PackError>,
) -> Result<Replaced, SceneError> {
    let edited = edits.iter().map(|edit| edit.output);
    let mut scope = Scope::new(&job, edited, place_of)?;
    let family = F::open(job, &mut scope);
    let mut rerun = Rerun {
        originals: job.originals,
        source: job.place,
        scope: &scope,
        config: job.settings,
        with_pictures: false,
        everything: false,
    };
    let read = read_all(&job, edits, &rerun.run(None)?);
    let unedited = unedited(&read);
    if unedited.len() == read.len() {
        return Ok(unchanged(&job, edits, read, unedited));
    }
    let mut family = family?;
    let (mut scenes, noises) = load(&family, read)?;
    loop {
        rerun.with_pictures = false;
        let mut plan = family.plan(&scenes, &rerun)?;
        let written = family.put(&mut plan)?;
        let mut files = written.others;
        files.insert(job.place.to_owned(), written.bytes.clone());
        rerun.with_pictures = scenes.iter().any(F::needs_pictures);
        let after = rerun.run(Some(&files))?;
        let mut reported: BTreeMap<String, Option<String>> = BTreeMap::new();
        let mut faults = Vec::with_capacity(scenes.len());
        for (number, scene) in scenes.iter().enumerate() {
            let path = &*F::output(scene).path;
            let proven = open_output(&job, path, &after)
                .map_err(Unproven::from)
                .and_then(|after| family.prove(&plan, number, scene, after));
            faults.push(proven.map_or_else(Some, |rounding| {
                let unstored = noises.get(number).and_then(Noise::unstored);
                let said: Vec<String> = unstored.into_iter().chain(rounding).collect();
                let said = (!said.is_empty()).then(|| said.join("; "));
                reported.insert(stem(path).to_owned(), said);
                None
            }));
        }
        if faults.iter().all(Option::is_none) {
            let reported =
                |edit: &Edited<'_>| reported.get(stem(&edit.output.path)).cloned().flatten();
            let described = |edit: &Edited<'_>| {
                let mut own = scenes.iter();
                let own = own.find(|scene| stem(&F::output(scene).path) == stem(&edit.output.path));
                own.and_then(F::describe)
            };
            return Ok(Replaced {
                changed: edits.iter().map(described).collect(),
                unedited,
                content: Content {
                    bytes: written.bytes,
                    roundings: edits.iter().map(reported).collect(),
                },
                members: written.members,
                noises: scenes
                    .iter()
                    .map(|scene| F::output(scene).path.clone())
                    .zip(noises)
                    .filter(|(_, noise)| !noise.is_empty())
                    .collect(),
            });
        }
        drop(plan);
        if !F::retry(&mut scenes, &faults) {
            let faults = scenes.iter().zip(faults);
            let refusals = faults
                .filter_map(|(scene, fault)| Some((F::output(scene).path.clone(), fault?.refusal)));
            return Err(SceneError::Refused(refusals.collect()));
        }
    }
}

/// The bytes of edited outputs of the game file before they were edited, converted again; `None` if that gives others.
pub(in crate::pack) fn original_outputs(
    job: Job<'_>,
    outputs: &[&ManifestOutput],
    place_of: &dyn Fn(&str) -> Result<String, PackError>,
) -> Vec<Option<Vec<u8>>> {
    let converted = || {
        let scope = Scope::new(&job, outputs.iter().copied(), place_of).ok()?;
        let rerun = Rerun {
            originals: job.originals,
            source: job.place,
            scope: &scope,
            config: job.settings,
            with_pictures: false,
            everything: true,
        };
        rerun.run(None).ok()
    };
    let converted = (!outputs.is_empty()).then(converted).flatten();
    let bytes = |output: &&ManifestOutput| outputs::as_listed(&job, output, converted.as_ref()?);
    outputs.iter().map(bytes).collect()
}

/// An edited scene with its original and the changes that its program made by itself, by path.
type Read<'j> = (&'j str, Result<(SceneEdit<'j>, Noise), Refusal>);

/// Reads each edited scene once, also if both of its files were edited.
fn read_all<'j>(job: &Job<'j>, edits: &[Edited<'j>], before: &Outputs) -> Vec<Read<'j>> {
    let mut paths: Vec<&str> = edits.iter().map(|edit| &*edit.output.path).collect();
    paths.sort_by(|one, other| stem(one).cmp(stem(other)));
    paths.dedup_by(|one, other| stem(one) == stem(other));
    let read_one = |path: &'j str| {
        let whole = whole_of(job, stem(path));
        let edit = whole
            .ok_or_else(|| refusal!("its scene is missing"))
            .and_then(|output| read(job, output, before));
        let with_noise = edit.map(|mut edit| {
            let noise = std::mem::take(&mut edit.noise);
            (edit, noise)
        });
        (whole.map_or(path, |output| &*output.path), with_noise)
    };
    paths.into_iter().map(read_one).collect()
}

/// The scenes that only their programs changed, by path without extension.
fn unedited(read: &[Read<'_>]) -> BTreeSet<String> {
    let unedited = read.iter().filter(|(_, edit)| match edit {
        Ok((edit, noise)) => edit.is_unedited() && noise.unstored().is_none(),
        Err(_) => false,
    });
    unedited.map(|(path, _)| stem(path).to_owned()).collect()
}

/// The game file as it is, because none of its scenes was edited. So it may be one whose scenes cannot be packed.
fn unchanged(
    job: &Job<'_>,
    edits: &[Edited<'_>],
    read: Vec<Read<'_>>,
    unedited: BTreeSet<String>,
) -> Replaced {
    let noises = read.into_iter().filter_map(|(path, edit)| {
        let (_, noise) = edit.ok()?;
        (!noise.is_empty()).then(|| (path.to_owned(), noise))
    });
    Replaced {
        content: Content {
            bytes: job.current.to_vec(),
            roundings: vec![None; edits.len()],
        },
        changed: vec![None; edits.len()],
        unedited,
        members: Members::new(),
        noises: noises.collect(),
    }
}

/// The differences of the edited scenes, and the changes that programs made by themselves.
fn load<'j, F: SceneFamily<'j>>(
    family: &F,
    read: Vec<Read<'j>>,
) -> Result<(Vec<F::Scene>, Vec<Noise>), Refusals> {
    let mut scenes = Vec::new();
    let mut noises = Vec::new();
    let mut refusals = Refusals::new();
    for (path, edit) in read {
        match edit.and_then(|(edit, noise)| Ok((family.load(edit)?, noise))) {
            Ok((scene, noise)) => {
                scenes.push(scene);
                noises.push(noise);
            }
            Err(refusal) => refusals.push((path.to_owned(), refusal)),
        }
    }
    unless_refused((scenes, noises), refusals)
}

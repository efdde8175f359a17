//! The way back of edited scenes, the same for every family of games.
//!
//! The scenes of the game file are made once more as they were, and compared with the edits. What differs is planned and
//! put into the file, and nothing else. Then the scenes are made of that, and must show the edits.
//!
//! - `job` — what is asked for, and what came of it; `error` — why scenes do not go back;
//! - `scope` — what has to be converted again; `rerun` — conversion of that alone;
//! - `outputs` — scenes as they were edited and as they are converted again.

pub(super) mod error;
pub(super) mod job;
pub(super) mod outputs;
pub(super) mod rerun;
pub(super) mod scope;

use std::collections::{BTreeMap, BTreeSet};

use crate::pack::edited::{Content, Edited, Refusal, Refusals, unless_refused};
use crate::pack::error::PackError;
use crate::pipeline::report::manifest::ManifestOutput;
use error::SceneError;
use job::{Job, Members, Replaced};
use outputs::{Opened, SceneEdit, open_output, read, stem, whole_of};
use rerun::{Outputs, Rerun};
use scope::Scope;

/// A family of games whose edited scenes go back into their game files.
pub(super) trait SceneFamily<'j>: Sized {
    /// An edited scene, with all that it says otherwise.
    type Scene;

    /// Changes that edited scenes ask for, and their results once they are put.
    type Plan<'s>
    where
        Self: 's;

    /// Opens the game file, and narrows what has to be converted again.
    ///
    /// # Errors
    /// Scenes of such a file do not go back.
    fn open(job: Job<'j>, scope: &mut Scope) -> Result<Self, Refusal>;

    /// Compares an edited scene with what it was.
    ///
    /// # Errors
    /// Something was edited that does not go back.
    fn load(&self, edit: SceneEdit<'j>) -> Result<Self::Scene, Refusal>;

    /// The output that a scene is of.
    fn output(scene: &Self::Scene) -> &ManifestOutput;

    /// Returns whether a packed scene is compared with its pictures, and not by its shape alone.
    fn needs_pictures(scene: &Self::Scene) -> bool;

    /// Plans the changes of scenes.
    ///
    /// # Errors
    /// Something was edited that the file has no place for.
    fn plan<'s>(
        &self,
        scenes: &'s [Self::Scene],
        rerun: &Rerun<'_>,
    ) -> Result<Self::Plan<'s>, SceneError>
    where
        Self: 's;

    /// Puts the changes into the game file.
    ///
    /// # Errors
    /// The format cannot hold them.
    fn put(&mut self, plan: &mut Self::Plan<'_>) -> Result<Written, SceneError>;

    /// Compares a scene of what was packed with its edit, and tells how far it is off. `number` is its place among the scenes.
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

    /// Lets scenes go back in another way after what they did not show. Whether there is one.
    fn retry(_scenes: &mut [Self::Scene], _faults: &[Option<Unproven>]) -> bool {
        false
    }
}

/// Game files with changes in them.
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
    /// Why the edit cannot go back so.
    pub refusal: Refusal,
    /// Meshes of the edit that have another shape in what was packed.
    pub meshes: BTreeSet<usize>,
}

impl From<Refusal> for Unproven {
    fn from(refusal: Refusal) -> Self {
        let meshes = BTreeSet::new();
        Self { refusal, meshes }
    }
}

/// Puts edited scenes into their game file. There is a rounding for each edit, in their order.
///
/// # Errors
/// An edit cannot go back, or a file cannot be read or written.
pub(super) fn replace<'j, F: SceneFamily<'j>>(
    job: Job<'j>,
    edits: &[Edited<'j>],
    place_of: &dyn Fn(&str) -> Result<String, PackError>,
) -> Result<Replaced, SceneError> {
    let mut scope = Scope::of(&job, edits, place_of)?;
    let mut family = F::open(job, &mut scope)?;
    let mut rerun = Rerun {
        originals: job.originals,
        source: job.place,
        scope: &scope,
        config: job.settings,
        with_pictures: false,
    };
    let mut scenes = load(&family, &job, edits, &rerun.run(None)?)?;
    loop {
        rerun.with_pictures = false;
        let mut plan = family.plan(&scenes, &rerun)?;
        let written = family.put(&mut plan)?;
        let mut files = written.others;
        files.insert(job.place.to_owned(), written.bytes.clone());
        rerun.with_pictures = scenes.iter().any(F::needs_pictures);
        let after = rerun.run(Some(&files))?;
        let mut told: BTreeMap<String, Option<String>> = BTreeMap::new();
        let mut faults = Vec::with_capacity(scenes.len());
        for (number, scene) in scenes.iter().enumerate() {
            let path = &*F::output(scene).path;
            let proven = open_output(&job, path, &after)
                .map_err(Unproven::from)
                .and_then(|after| family.prove(&plan, number, scene, after));
            faults.push(proven.map_or_else(Some, |rounding| {
                told.insert(stem(path).to_owned(), rounding);
                None
            }));
        }
        if faults.iter().all(Option::is_none) {
            let told = |edit: &Edited<'_>| told.get(stem(&edit.output.path)).cloned().flatten();
            return Ok(Replaced {
                content: Content {
                    bytes: written.bytes,
                    roundings: edits.iter().map(told).collect(),
                },
                members: written.members,
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

/// The edited scenes, each with what it was.
fn load<'j, F: SceneFamily<'j>>(
    family: &F,
    job: &Job<'j>,
    edits: &[Edited<'j>],
    before: &Outputs,
) -> Result<Vec<F::Scene>, Refusals> {
    let mut scenes = Vec::new();
    let mut refusals = Refusals::new();
    let mut edits: Vec<&str> = edits.iter().map(|edit| &*edit.output.path).collect();
    edits.sort_by(|one, other| stem(one).cmp(stem(other)));
    edits.dedup_by(|one, other| stem(one) == stem(other));
    for path in edits {
        let scene = whole_of(job, stem(path))
            .ok_or_else(|| refusal!("there is no scene beside it"))
            .and_then(|output| read(job, output, before))
            .and_then(|edit| family.load(edit));
        match scene {
            Ok(scene) => scenes.push(scene),
            Err(refusal) => refusals.push((path.to_owned(), refusal)),
        }
    }
    unless_refused(scenes, refusals)
}

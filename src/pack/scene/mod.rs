//! Scenes that a person edited, put back into worlds and model libraries.
//!
//! The game file is converted once more as it was. What the edited scene says otherwise is changed in the nodes and
//! models of the file, and nothing else. Then it is converted again, and must show the edit.
//!
//! - `file` — a glTF file of any program; `matching`, `triangles` — which node and corner of it is which;
//! - `difference` — what the edit says otherwise;
//! - `tree` — nodes and models of a game file; `apply` — changes put into it; `place`, `models`, `facts` — by what was
//!   changed; `bounds` — boxes and cells that follow;
//! - `rest` — what else a file says, which does not go back;
//! - `rerun` — conversion of the file alone; `proof` — whether it shows the edit;
//! - `job` — what is asked for; `holder` — the game file around a tree;
//! - `outputs` — scenes as they were edited and as they are converted again;
//! - `everquest` — scene files of EverQuest.
//!
//! Not here: clips and lights.

mod apply;
mod bounds;
mod difference;
mod everquest;
mod facts;
mod file;
mod holder;
mod job;
mod matching;
mod models;
mod outputs;
mod place;
mod proof;
mod rerun;
mod rest;
mod tree;
mod triangles;

use std::collections::{BTreeMap, BTreeSet};

use super::edited::{Content, Edited, Refusal, Refusals};
use super::error::PackError;
use crate::formats::kind::Kind;
use crate::pipeline::manifest::ManifestOutput;
use apply::EditedScene;
use difference::{OtherScenes, Tolerance, compare};
use file::SceneFile;
pub(super) use job::Job;
use outputs::{Scope, is_as_listed, read_edit, read_output, stem, whole_of};
use rerun::{Outputs, Rerun};

/// Whether an output is a scene or the buffer of one.
pub(super) fn is_scene(output: &ManifestOutput) -> bool {
    // Clips lie elsewhere.
    ["worlds/", "models/"]
        .iter()
        .any(|category| output.path.starts_with(category))
        && [".gltf", ".glb", ".bin"]
            .iter()
            .any(|ending| output.path.ends_with(ending))
}

/// A scene with its edited files.
#[derive(Debug)]
struct Scene<'j> {
    /// The output that is the scene itself.
    output: &'j ManifestOutput,
    base: SceneFile,
    edited: SceneFile,
    difference: difference::Difference,
}

/// Puts edited scenes into their game file. There is a rounding for each edit, in their order.
///
/// # Errors
/// A file cannot be read or written. What cannot go back is the inner error.
pub(super) fn replace(
    job: &Job<'_>,
    edits: &[Edited<'_>],
    place_of: &dyn Fn(&str) -> Result<String, PackError>,
) -> Result<Result<Content, Refusals>, PackError> {
    let all = |reason: &dyn std::fmt::Display| -> Refusals {
        let refuse = |edit: &Edited<'_>| (edit.output.path.clone(), Refusal::new(reason));
        edits.iter().map(refuse).collect()
    };
    if let Some(reason) = holder::refused(job.kind, job.original) {
        return Ok(Err(all(&reason)));
    }
    if job.kind == Kind::Pfs {
        return everquest::replace(job, edits, place_of);
    }
    let Scope {
        sources,
        mut members,
    } = Scope::of(job, edits, place_of)?;
    // Scenes of worlds are told apart by the converter; members of archives by their names.
    if job.kind == Kind::GameZ {
        members.clear();
    }
    let rerun = Rerun {
        originals: job.originals,
        sources: &sources,
        source: job.place,
        members: &members,
        config: job.settings,
    };
    let before = match rerun.run(None)? {
        Ok(before) => before,
        Err(reason) => return Ok(Err(all(&reason))),
    };
    let scenes = match scenes(job, edits, &before) {
        Ok(scenes) => scenes,
        Err(refusals) => return Ok(Err(refusals)),
    };
    let packed = {
        let edited: Vec<(Option<&str>, EditedScene<'_>)> = scenes
            .iter()
            .map(|scene| {
                let one = EditedScene {
                    path: &scene.output.path,
                    base: &scene.base,
                    edited: &scene.edited,
                    difference: &scene.difference,
                };
                (scene.output.member.as_deref(), one)
            })
            .collect();
        holder::replace(job, edited, job.settings)
    };
    let bytes = match packed {
        Ok(bytes) => bytes,
        Err(refusals) => return Ok(Err(refusals)),
    };
    let after = match rerun.run(Some(&bytes))? {
        Ok(after) => after,
        Err(reason) => return Ok(Err(all(&reason))),
    };
    let mut told: BTreeMap<&str, Option<String>> = BTreeMap::new();
    let mut refusals = Refusals::new();
    for scene in &scenes {
        let proven = read_output(job, &scene.output.path, &after)
            .and_then(|after| proof::check(&after, &scene.edited, &scene.difference));
        match proven {
            Ok(rounding) => {
                told.insert(stem(&scene.output.path), rounding);
            }
            Err(refusal) => refusals.push((scene.output.path.clone(), refusal)),
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

/// The edited scenes, each with what it was.
fn scenes<'j>(
    job: &Job<'j>,
    edits: &[Edited<'j>],
    before: &Outputs,
) -> Result<Vec<Scene<'j>>, Refusals> {
    let mut scenes = Vec::new();
    let mut refusals = Refusals::new();
    let stems: BTreeSet<&str> = edits.iter().map(|edit| stem(&edit.output.path)).collect();
    for name in stems {
        let whole = whole_of(job, name);
        let edit = edits.iter().find(|edit| stem(&edit.output.path) == name);
        let path = edit
            .map(|edit| edit.output.path.clone())
            .unwrap_or_default();
        let Some(output) = whole else {
            refusals.push((path, Refusal::new("there is no scene beside it")));
            continue;
        };
        let scene = (|| {
            let buffer = format!("{name}.bin");
            let buffers = job.manifest.outputs.iter();
            for listed in buffers.filter(|other| other.path == buffer).chain([output]) {
                is_as_listed(job, listed, before)?;
            }
            let base = read_output(job, &output.path, before)?;
            let edited = read_edit(job, &output.path)?;
            let tolerance = Tolerance::of(&edited);
            if !edited.is_foreign
                && let Some(other) = rest::first_difference(&base.rest, &edited.rest)
            {
                return Err(Refusal::new(format_args!(
                    "{other} was changed: places, names, flags, zones and shapes go back, nothing else of a scene"
                )));
            }
            let difference = compare(&base, &edited, tolerance, OtherScenes::Refuse)?;
            Ok(Scene {
                output,
                base,
                edited,
                difference,
            })
        })();
        match scene {
            Ok(scene) => scenes.push(scene),
            Err(refusal) => refusals.push((path, refusal)),
        }
    }
    match refusals.is_empty() {
        true => Ok(scenes),
        false => Err(refusals),
    }
}

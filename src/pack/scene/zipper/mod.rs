//! Scenes of Zipper's games that a person edited, put back into worlds and model libraries.
//!
//! - `tree` — nodes and models of a game file; `holder` — the file around a tree; `edited_scene` — an edited scene with what it was;
//! - `apply` — changes put into a tree, by what was changed: `facts` — of nodes, `lights` — lights and cameras, `geometry`, `materials`;
//! - `motion` — what is new of motions, and into their archives;
//! - `toggles` — nodes that are active or not now, which other scenes show;
//! - `proof` — whether what was packed shows the edit.
//!
//! Not here: clips of worlds.

mod apply;
mod edited_scene;
pub(super) mod facts;
mod geometry;
mod holder;
mod lights;
mod materials;
mod motion;
mod proof;
mod toggles;
mod tree;

pub(in crate::pack) use motion::table::merged;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::compare::difference::{Difference, OtherScenes, Tolerance, compare};
use super::compare::strewn;
use super::driver::job::{Job, Members, Replaced};
use super::driver::outputs::{Scope, is_as_listed, read_edit, read_output, stem, whole_of};
use super::driver::rerun::{Outputs, Rerun};
use super::file::{SceneFile, rest};
use crate::pack::edited::{Content, Edited, Refusal, Refusals, refuse_all};
use crate::pack::error::PackError;
use crate::pipeline::report::manifest::ManifestOutput;
use edited_scene::EditedScene;
use lights::ShiningChange;
use materials::chosen;
use materials::difference::{self as surface_difference, SurfaceDifference};
use materials::edits::EditedSurfaces;
use materials::proof as surface_proof;
use motion::edits::{self as motions, MotionChange};
use motion::table as motion_table;
use proof::Unproven;
use relicast_formats::kind::Kind;
use toggles::Toggles;

/// A scene with its edited files.
#[derive(Debug)]
struct Scene<'j> {
    /// The output that is the scene itself.
    output: &'j ManifestOutput,
    base: SceneFile,
    edited: SceneFile,
    difference: Difference,
    surfaces: SurfaceDifference,
    /// Names of the textures that were chosen, by the number of the change.
    pictures: BTreeMap<usize, String>,
    shining: Vec<ShiningChange>,
    motions: Vec<MotionChange>,
    toggles: Toggles,
}

impl Scene<'_> {
    fn edited(&self) -> EditedScene<'_> {
        EditedScene {
            path: &self.output.path,
            base: &self.base,
            edited: &self.edited,
            difference: &self.difference,
            shining: &self.shining,
            surfaces: EditedSurfaces {
                path: &self.output.path,
                base: &self.base,
                difference: &self.surfaces,
                pictures: &self.pictures,
            },
        }
    }
}

/// Puts edited scenes into their game file. There is a rounding for each edit, in their order.
///
/// # Errors
/// A file cannot be read or written. What cannot go back is the inner error.
pub(super) fn replace(
    job: &Job<'_>,
    edits: &[Edited<'_>],
    place_of: &dyn Fn(&str) -> Result<String, PackError>,
) -> Result<Result<Replaced, Refusals>, PackError> {
    let all = |reason: &dyn std::fmt::Display| refuse_all(edits, reason);
    if let Some(reason) = holder::refused(job.kind, job.original) {
        return Ok(Err(all(&reason)));
    }
    let Scope {
        sources,
        mut members,
    } = Scope::of(job, edits, place_of)?;
    // Scenes of worlds are told apart by the converter; members of archives by their names.
    if job.kind == Kind::GameZ {
        members.clear();
    }
    let mut rerun = Rerun {
        originals: job.originals,
        sources: &sources,
        source: job.place,
        members: &members,
        config: job.settings,
        with_pictures: false,
    };
    let before = match rerun.run(None)? {
        Ok(before) => before,
        Err(reason) => return Ok(Err(all(&reason))),
    };
    let mut scenes = match scenes(job, edits, &before) {
        Ok(scenes) => scenes,
        Err(refusals) => return Ok(Err(refusals)),
    };
    rerun.with_pictures = scenes.iter().any(|scene| !scene.surfaces.is_empty());
    loop {
        let faults = match attempt(job, edits, &scenes, &rerun)? {
            Ok(Attempt::Proven(replaced)) => return Ok(Ok(replaced)),
            Ok(Attempt::Unproven(faults)) => faults,
            Err(refusals) => return Ok(Err(refusals)),
        };
        // What the polygons cannot show others in their place may.
        let mut is_other = false;
        for (scene, fault) in scenes.iter_mut().zip(&faults) {
            if let Some(fault) = fault {
                is_other |= scene.difference.make_anew(&fault.meshes);
            }
        }
        if !is_other {
            let faults = scenes.iter().zip(faults);
            let refusals = faults
                .filter_map(|(scene, fault)| Some((scene.output.path.clone(), fault?.refusal)));
            return Ok(Err(refusals.collect()));
        }
    }
}

/// What came of putting scenes into their game file.
enum Attempt {
    /// It shows them.
    Proven(Replaced),
    /// For each scene what it does not show.
    Unproven(Vec<Option<Unproven>>),
}

/// Puts scenes into their game file, and looks whether it shows them.
///
/// # Errors
/// As of [`replace`].
fn attempt(
    job: &Job<'_>,
    edits: &[Edited<'_>],
    scenes: &[Scene<'_>],
    rerun: &Rerun<'_>,
) -> Result<Result<Attempt, Refusals>, PackError> {
    let edited: Vec<(Option<&str>, EditedScene<'_>)> = scenes
        .iter()
        .map(|scene| (scene.output.member.as_deref(), scene.edited()))
        .collect();
    let bytes = match holder::replace(job, edited, job.settings) {
        Ok(bytes) => bytes,
        Err(refusals) => return Ok(Err(refusals)),
    };
    let members = match motion_members(job, scenes)? {
        Ok(members) => members,
        Err(refusals) => return Ok(Err(refusals)),
    };
    let mut files = match other_files(job, rerun.sources, &members)? {
        Ok(files) => files,
        Err(refusal) => return Ok(Err(refuse_all(edits, &refusal))),
    };
    files.insert(job.place.to_owned(), bytes.clone());
    let after = match rerun.run(Some(&files))? {
        Ok(after) => after,
        Err(reason) => return Ok(Err(refuse_all(edits, &reason))),
    };
    let mut told: BTreeMap<&str, Option<String>> = BTreeMap::new();
    let mut faults = Vec::with_capacity(scenes.len());
    for scene in scenes {
        let proven = read_output(job, &scene.output.path, &after)
            .map_err(Unproven::from)
            .and_then(|after| prove(after, scene, job.kind));
        faults.push(match proven {
            Ok(rounding) => {
                told.insert(stem(&scene.output.path), rounding);
                None
            }
            Err(fault) => Some(fault),
        });
    }
    if faults.iter().any(Option::is_some) {
        return Ok(Ok(Attempt::Unproven(faults)));
    }
    let roundings = edits
        .iter()
        .map(|edit| told.get(stem(&edit.output.path)).cloned().flatten())
        .collect();
    Ok(Ok(Attempt::Proven(Replaced {
        content: Content { bytes, roundings },
        members,
    })))
}

/// The archives that get new members, with these.
fn other_files(
    job: &Job<'_>,
    sources: &BTreeSet<String>,
    members: &Members,
) -> Result<Result<BTreeMap<String, Vec<u8>>, Refusal>, PackError> {
    let mut files = BTreeMap::new();
    for (place, own) in members {
        if !sources.contains(place) {
            let reason = format_args!("the scene is not made from {place}");
            return Ok(Err(Refusal::new(reason)));
        }
        let original = job.originals.read(place)?;
        match merged(&original, &original, own) {
            Ok(bytes) => files.insert(place.clone(), bytes),
            Err(refusal) => return Ok(Err(refusal)),
        };
    }
    Ok(Ok(files))
}

fn motion_members(
    job: &Job<'_>,
    scenes: &[Scene<'_>],
) -> Result<Result<Members, Refusals>, PackError> {
    let changes: Vec<(&str, &[MotionChange])> = scenes
        .iter()
        .map(|scene| (&*scene.output.path, &*scene.motions))
        .collect();
    motion_table::members(job, &changes)
}

/// Compares what was packed with an edited scene, and tells how far it is off.
fn prove(mut after: SceneFile, scene: &Scene<'_>, kind: Kind) -> Result<Option<String>, Unproven> {
    toggles::check(&after, &scene.toggles)?;
    if let Cow::Owned(pruned) = toggles::pruned(&after, &scene.toggles) {
        after = pruned;
    }
    let edited = toggles::pruned(&scene.edited, &scene.toggles);
    let edited = &*edited;
    let motions = motions::check(&after, edited, &scene.motions)?;
    let settled = motions::settle(&mut after, &scene.base, &scene.edited, &scene.motions)?;
    let settled = (settled > 0)
        .then(|| format!("{settled} parts stand as the edited motion has them at its start"));
    let shape = proof::check(&after, (&scene.base, edited), &scene.difference)?;
    let surfaces = surface_proof::check(
        &after,
        (&scene.base, edited),
        &scene.surfaces,
        &scene.difference.remade,
    )?;
    let shining = lights::check(&after, &scene.base, &scene.shining)?;
    let hidden = (!scene.toggles.is_empty()).then(|| {
        "what is active or not is shown in another scene than the one that was edited".to_owned()
    });
    let shared = (kind == Kind::Archive && !scene.surfaces.surfaces.is_empty())
        .then(|| "materials of a library are shared by all its models".to_owned());
    let told = [shape, surfaces, shared, shining, motions, settled, hidden].into_iter();
    let told: Vec<String> = told.flatten().collect();
    Ok((!told.is_empty()).then(|| told.join("; ")))
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
            strewn::check(&base, &edited)?;
            let tolerance = Tolerance::of(&edited);
            let mut difference = compare(&base, &edited, tolerance, OtherScenes::Refuse)?;
            // Meshes with other triangles are read whole.
            let of_file = |file: &SceneFile| {
                let names = file.meshes.iter().map(|mesh| &*mesh.name);
                rest::labels("mesh", names)
            };
            let (old, new) = (of_file(&base), of_file(&edited));
            let remade = difference.remade.iter();
            let is_read = |key: &str| {
                let meshes = remade.clone();
                let mut meshes = meshes.flat_map(|mesh| [old.get(mesh.old), new.get(mesh.new)]);
                meshes.any(|label| label.is_some_and(|label| rest::is_of_mesh(key, label)))
            };
            let following = match edited.is_foreign {
                true => BTreeSet::new(),
                false => rest::differences(&base.rest, &edited.rest, &is_read),
            };
            difference.following_rest = following;
            let surfaces = surface_difference::compare(&base, &edited, &difference.remade)?;
            let pictures = chosen::names(job, output, &surfaces)?;
            Ok(Scene {
                motions: motions::compare(&base, &edited)?,
                toggles: toggles::of(&base, &edited, &difference)?,
                shining: lights::compare(&base, &edited)?,
                output,
                base,
                edited,
                difference,
                surfaces,
                pictures,
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

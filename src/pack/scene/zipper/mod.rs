//! Edited scenes of Zipper's games, packed into worlds and model libraries.
//!
//! - `tree` — nodes and models of a game file; `stored_tree` — reads them; `container` — the file around a tree;
//!   `edited_scene` — an edited scene with its original;
//! - `apply` — applies changes to a tree, by sort: `facts` — of nodes, `lights`, `new_lights` and `unstored_lights` — lights
//!   and cameras, `geometry`, `materials`; `objects` — objects that were added and deleted;
//! - `motion` — changes of motions, packed into their archives;
//! - `views` — cameras that follow from a node of the game file; `active_flags` — nodes whose flag `active` changed, which other scenes show;
//! - `proof` — check that the packed file shows the edit.
//!
//! Not here: clips of worlds.

mod active_flags;
mod apply;
mod container;
mod edited_scene;
pub(super) mod facts;
mod geometry;
mod lights;
mod materials;
mod motion;
mod new_lights;
mod objects;
mod proof;
mod stored_tree;
mod tree;
mod unstored_lights;
mod views;

pub(in crate::pack) use motion::table::merged;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::compare::description::describe;
use super::compare::difference::{Difference, OtherScenes, compare};
use super::compare::game_node::game_node;
use super::compare::scene_pair::ScenePair;
use super::compare::strewn;
use super::compare::tolerance::Tolerance;
use super::driver::error::SceneError;
use super::driver::job::{Job, Members};
use super::driver::outputs::{Opened, SceneEdit};
use super::driver::rerun::Rerun;
use super::driver::scope::Scope;
use super::driver::{SceneFamily, Unproven, Written};
use super::file::{SceneFile, unsupported_edits};
use crate::pack::edited::Refusal;
use crate::pack::rounding::RoundingReport;
use crate::pipeline::report::manifest::ManifestOutput;
use edited_scene::EditedScene;
use materials::difference as surface_difference;
use materials::edits::torn;
use materials::new_material_check;
use materials::new_materials;
use materials::proof as surface_proof;
use motion::edits as motions;
use motion::table as motion_table;
use objects::deletion::Animated;
use objects::{MadeObjects, own_models};
use relicast_formats::kind::Kind;

/// A world or a model library with its scenes.
#[derive(Debug)]
pub(super) struct ZipperFile<'j> {
    job: Job<'j>,
    /// Items that the scenes are made from, below the install.
    sources: BTreeSet<String>,
    /// Added and deleted objects in the game file, by the path of their scene.
    objects: BTreeMap<String, MadeObjects>,
    /// Renamed nodes that animations no longer find.
    unfound: Animated,
}

impl<'j> SceneFamily<'j> for ZipperFile<'j> {
    type Scene = EditedScene<'j>;
    /// Nothing: a scene has all its changes.
    type Plan<'s>
        = &'s [EditedScene<'j>]
    where
        Self: 's;

    fn open(job: Job<'j>, scope: &mut Scope) -> Result<Self, Refusal> {
        container::check(job.kind, job.original)?;
        // The converter distinguishes scenes of worlds; members of archives have names.
        if job.kind == Kind::GameZ {
            scope.members.clear();
        }
        let sources = scope.sources.clone();
        Ok(Self {
            job,
            sources,
            objects: BTreeMap::new(),
            unfound: Animated::new(),
        })
    }

    fn load(&self, edit: SceneEdit<'j>) -> Result<EditedScene<'j>, Refusal> {
        let (output, mut base, mut opened) = (edit.output, edit.base.scene, edit.edited);
        strewn::check(&base, &opened.scene)?;
        new_lights::check(&base, &opened.scene)?;
        let objects = objects::difference::take_apart(&mut base, &mut opened.scene)?;
        let added = objects.added_meshes(&opened.scene);
        let mut read: BTreeSet<usize> = added.iter().copied().collect();
        let own_meshes = own_models::part(&mut base, &mut opened.scene, &mut read)?;
        let tolerance = Tolerance::EXACT;
        let mut difference = compare(&base, &opened.scene, tolerance, OtherScenes::Refuse)?;
        let anew = difference.remade.iter().map(|remade| remade.new);
        let anew = anew.chain(added.iter().copied());
        let mut new_materials = new_materials::find(&self.job, output, &base, &mut opened, anew)?;
        let compared = |difference: &Difference| {
            surface_difference::compare(&base, &opened.scene, &difference.remade, &added)
        };
        let mut surfaces = compared(&difference)?;
        if !surfaces.assignments.is_empty() {
            let mut tree = stored_tree::of_output(&self.job, output)?;
            own_models::copy_models(&mut tree, &own_meshes)?;
            let torn = torn(&tree, &base, &surfaces.assignments, self.job.settings);
            if !torn.is_empty() {
                difference.remake(&base, &opened.scene, &torn)?;
                surfaces = compared(&difference)?;
            }
        }
        difference.following_rest = following_rest(&base, &opened.scene, &difference, &read);
        let pictures = new_materials::pictures(
            &self.job,
            output,
            &base,
            &mut opened,
            &mut surfaces,
            &mut new_materials,
        )?;
        let edited = opened.scene;
        let mut lights_and_cameras = lights::compare(&base, &edited)?;
        if !lights_and_cameras.is_empty() {
            let tree = stored_tree::of_output(&self.job, output)?;
            let unstored = unstored_lights::take(&tree, &base, &mut lights_and_cameras);
            surfaces.unstored.extend(unstored);
        }
        Ok(EditedScene {
            motions: motions::compare(&base, &edited)?,
            active_flags: active_flags::of(&base, &edited, &difference)?,
            lights_and_cameras,
            output,
            base,
            edited,
            objects,
            own_meshes,
            difference,
            surfaces,
            pictures,
            new_materials,
        })
    }

    fn describe(scene: &EditedScene<'j>) -> Option<String> {
        let mut report = RoundingReport::default();
        let scenes = ScenePair {
            base: &scene.base,
            edited: &scene.edited,
        };
        describe(scenes, &scene.difference, &mut report);
        surface_difference::describe(&scene.surfaces, &mut report);
        let lights_and_cameras = scene.lights_and_cameras.len();
        report.count(
            lights_and_cameras,
            ["light or camera", "lights and cameras"],
        );
        report.count(scene.motions.len(), ["motion", "motions"]);
        report.list()
    }

    fn output<'s>(scene: &'s EditedScene<'j>) -> &'s ManifestOutput {
        scene.output
    }

    fn needs_pictures(scene: &EditedScene<'j>) -> bool {
        // Without pictures, packed scenes have no texture coordinates either.
        let difference = &scene.difference;
        let mut corners = difference
            .meshes
            .iter()
            .flat_map(|mesh| mesh.corners.iter().flatten());
        !scene.surfaces.is_empty()
            || !scene.new_materials.is_empty()
            || !scene.objects.added.is_empty()
            || !difference.remade.is_empty()
            || corners.any(|corner| corner.uvs.iter().any(Option::is_some))
    }

    fn plan<'s>(
        &self,
        scenes: &'s [EditedScene<'j>],
        _rerun: &Rerun<'_>,
    ) -> Result<&'s [EditedScene<'j>], SceneError>
    where
        Self: 's,
    {
        Ok(scenes)
    }

    fn put(&mut self, scenes: &mut &[EditedScene<'j>]) -> Result<Written, SceneError> {
        let packed = container::replace(&self.job, scenes)?;
        (self.objects, self.unfound) = (packed.objects, packed.unfound);
        let mut members = motion_table::members(&self.job, scenes)?;
        new_materials::add_members(scenes, &mut members)?;
        Ok(Written {
            bytes: packed.bytes,
            others: self.other_files(&members)?,
            members,
        })
    }

    fn prove(
        &self,
        _plan: &&[EditedScene<'j>],
        _number: usize,
        scene: &EditedScene<'j>,
        after: Opened,
    ) -> Result<Option<String>, Unproven> {
        let none = MadeObjects::default();
        let made = self.objects.get(&scene.output.path).unwrap_or(&none);
        let unfound = self.unfound(scene);
        match (prove(after.scene, scene, made, self.job.kind), unfound) {
            (Ok(said), None) => Ok(said),
            (Ok(said), Some(unfound)) => {
                let said = said.into_iter().chain([unfound]);
                Ok(Some(said.collect::<Vec<_>>().join("; ")))
            }
            (Err(_), Some(unfound)) => Err(refusal!("{unfound}; give it back its name").into()),
            (Err(fault), None) => Err(fault),
        }
    }

    /// Rebuilds polygons for meshes that the old ones cannot show.
    fn retry(scenes: &mut [EditedScene<'j>], faults: &[Option<Unproven>]) -> bool {
        let mut is_other = false;
        for (scene, fault) in scenes.iter_mut().zip(faults) {
            if let Some(fault) = fault {
                is_other |= scene.difference.make_anew(&fault.meshes);
            }
        }
        is_other
    }
}

impl ZipperFile<'_> {
    /// Names a renamed node of a scene that an animation no longer finds.
    fn unfound(&self, scene: &EditedScene<'_>) -> Option<String> {
        let mut changes = scene.difference.nodes.iter();
        changes.find_map(|change| {
            let name = change.name.as_deref()?;
            let (index, _) = game_node(&scene.base, change.base)?;
            let by = self.unfound.get(&index)?;
            let old = scene.name(change.base);
            Some(format!(
                "node {name}: {by} names it {old}, and no longer finds it"
            ))
        })
    }

    /// The archives that get new members, with these.
    fn other_files(&self, members: &Members) -> Result<BTreeMap<String, Vec<u8>>, SceneError> {
        let mut files = BTreeMap::new();
        for (place, own) in members {
            if !self.sources.contains(place) {
                let reason = format_args!("the scene was not converted from {place}");
                return Err(Refusal::new(reason).into());
            }
            let original = self.job.originals.read(place)?;
            files.insert(place.clone(), merged(&original, &original, own)?);
        }
        Ok(files)
    }
}

/// Returns the other differences of an edit, by name. Meshes whose triangles changed are read completely, and so are
/// these others.
fn following_rest(
    base: &SceneFile,
    edited: &SceneFile,
    difference: &Difference,
    others: &BTreeSet<usize>,
) -> BTreeSet<String> {
    let labels = |file: &SceneFile| {
        let names = file.meshes.iter().map(|mesh| &*mesh.name);
        unsupported_edits::labels("mesh", names)
    };
    let (old, new) = (labels(base), labels(edited));
    let remade = difference.remade.iter();
    let is_read = |key: &str| {
        let meshes = remade.clone();
        let meshes = meshes.flat_map(|mesh| [old.get(mesh.old), new.get(mesh.new)]);
        let mut meshes = meshes.chain(others.iter().map(|&mesh| new.get(mesh)));
        meshes.any(|label| label.is_some_and(|label| unsupported_edits::is_of_mesh(key, label)))
    };
    unsupported_edits::differences(&base.rest, &edited.rest, &is_read)
}

/// Compares a packed scene with its edit, and reports the rounding.
fn prove(
    mut after: SceneFile,
    scene: &EditedScene<'_>,
    made: &MadeObjects,
    kind: Kind,
) -> Result<Option<String>, Unproven> {
    made.number_as_before(&mut after);
    let mut report = RoundingReport::default();
    let said = new_material_check::check(&after, &scene.edited, &scene.new_materials)?;
    said.into_iter().for_each(|what| report.say(what));
    objects::proof::check(&mut after, scene, made, &mut report)?;
    active_flags::check(&after, &scene.active_flags)?;
    if let Cow::Owned(pruned) = active_flags::pruned(&after, &scene.active_flags) {
        after = pruned;
    }
    let edited = active_flags::pruned(&scene.edited, &scene.active_flags);
    let edited = &*edited;
    let motions = motions::check(&after, edited, &scene.motions)?;
    let settled = motions::settle(&mut after, &scene.base, &scene.edited, &scene.motions)?;
    let views = views::settle(&mut after, scene)?;
    views.into_iter().for_each(|what| report.say(what));
    let scenes = ScenePair {
        base: &scene.base,
        edited,
    };
    let shape = proof::check(&after, scenes, &scene.difference)?;
    let surfaces = surface_proof::check(&after, scenes, &scene.surfaces, &scene.difference.remade)?;
    let lights_and_cameras = lights::check(&after, &scene.base, &scene.lights_and_cameras)?;
    [shape, surfaces]
        .into_iter()
        .flatten()
        .chain(scene.surfaces.unstored.iter().cloned())
        .for_each(|what| report.say(what));
    if kind == Kind::Archive && !scene.surfaces.surfaces.is_empty() {
        report.say("materials of a library are shared by all its models");
    }
    [lights_and_cameras, motions]
        .into_iter()
        .flatten()
        .for_each(|what| report.say(what));
    report.count(
        settled,
        [
            "part has the transform of the edited motion's start",
            "parts have the transforms of the edited motion's start",
        ],
    );
    report.count(
        scene.own_meshes.len(),
        [
            "model added, for objects that no longer share their mesh",
            "models added, for objects that no longer share their meshes",
        ],
    );
    if !scene.active_flags.is_empty() {
        report
            .say("nodes whose flag active changed are shown in another scene than the edited one");
    }
    Ok(report.text())
}

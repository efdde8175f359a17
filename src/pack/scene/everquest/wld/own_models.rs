//! Models that placements get: copies of theirs, in the file that has these. Edits of the shape are those of the copy.

use std::collections::{BTreeMap, BTreeSet};

use super::members::Members;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::matching::placement_of;
use crate::pack::scene::driver::error::SceneError;
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::everquest::colors::stored_light;
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::own_models::OwnModel;
use crate::pack::scene::everquest::scene::Scene;
use relicast_formats::everquest::wld::{
    ActorFlags, Bgra, Body, Fragment, FragmentRef, Instance, Name, Wld,
};

/// Ending of the names of models.
const ACTOR: &str = "_ACTORDEF";

/// Ending of the names of meshes.
const MESH: &str = "_DMSPRITEDEF";

/// Ending of the names of lists of materials.
const PALETTE: &str = "_MP";

/// The light of the sky alone.
const SKY: Bgra = Bgra {
    blue: 0,
    green: 0,
    red: 0,
    alpha: 255,
};

/// A model that placements get.
#[derive(Debug)]
struct Copy {
    placements: Vec<Place>,
    /// The model that is copied.
    twin: Place,
    /// The name of the copy, without ending.
    name: String,
    /// True if it gets a list of materials of its own.
    has_own_palette: bool,
    /// True if the light of the placements becomes that of its vertices.
    takes_light: bool,
    /// Light of its vertices if they and the placements have none.
    white: Option<Bgra>,
}

/// Models that placements get.
#[derive(Debug, Default)]
pub(super) struct OwnModels {
    copies: Vec<Copy>,
    /// Paths and bytes of the archives that have the models, besides that of the scenes.
    archives: Vec<(String, Vec<u8>)>,
    /// Words about them by scene.
    pub words: BTreeMap<String, Vec<String>>,
    /// True if one has a new material, whose picture goes into its archive too.
    has_new_materials: bool,
}

impl OwnModels {
    /// Finds the models that placements of scenes get; `others` are paths of other archives that the scenes show.
    ///
    /// # Errors
    /// A model cannot be copied, or an archive cannot be read.
    pub(super) fn find(
        job: &Job<'_>,
        others: &[String],
        scenes: &[Scene<'_>],
    ) -> Result<Self, SceneError> {
        let mut own = Self::default();
        if scenes.iter().all(|scene| scene.own_models.is_empty()) {
            return Ok(own);
        }
        let mut members = Members::open(job.original)?;
        let mut wanted = Vec::new();
        for scene in scenes {
            for model in &scene.own_models {
                let (placements, actor) = placed(scene, model, &members)?;
                if find_actor(&members, &actor).is_none() {
                    own.add_archive((job, others), &actor, &mut members)?;
                }
                wanted.push((scene, model, placements, actor));
            }
        }
        let mut taken = names(&members);
        let options = &job.settings.everquest;
        for (scene, model, placements, actor) in wanted {
            let lost = || refusal!("no archive of the scene has the model {actor}");
            let twin = find_actor(&members, &actor).ok_or_else(lost)?;
            let base = without_ending(&actor, ACTOR);
            let mut number = 2_usize;
            let mut name = format!("{base}_{number}");
            while taken.contains(&name.to_uppercase()) {
                number += 1;
                name = format!("{base}_{number}");
            }
            taken.insert(name.to_uppercase());
            let file = members.files.get(twin.member);
            let file = file.map_or("", |file| &*file.name);
            let said = own.words.entry(scene.output.path.clone()).or_default();
            let who = match placements.len() {
                1 => format!("{base} has a model of its"),
                count => format!("{count} placements of {base} have a model of their"),
            };
            said.push(format!("{who} own, {name} in {file}: {}", model.reason));
            own.copies.push(Copy {
                placements,
                twin,
                name,
                has_own_palette: model.has_other_materials,
                takes_light: model.is_shaped,
                white: match model.is_shaped && model.is_lit {
                    true => Some(stored_light(SKY, [1.0; 3], scene.ambient, options)?),
                    false => None,
                },
            });
            let count = scene.base.materials.len();
            let mut shown = scene.recut.iter().flat_map(|recut| &recut.mesh.primitives);
            own.has_new_materials |= model.has_other_materials
                && shown.any(|part| part.material.is_some_and(|it| it >= count));
        }
        Ok(own)
    }

    /// Adds the archive that has a model.
    fn add_archive(
        &mut self,
        (job, others): (&Job<'_>, &[String]),
        actor: &str,
        members: &mut Members<'_>,
    ) -> Result<(), SceneError> {
        // Archives of objects come first, as in the game.
        let mut paths: Vec<&String> = others.iter().collect();
        paths.sort_by_key(|path| !path.to_lowercase().contains("_obj"));
        for path in paths {
            if self.archives.iter().any(|(known, _)| known == path) {
                continue;
            }
            let bytes = job.originals.read(path)?;
            let Ok(other) = Members::open(&bytes) else {
                continue;
            };
            if find_actor(&other, actor).is_some() {
                members.join(&bytes)?;
                self.archives.push((path.clone(), bytes));
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns true if there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.copies.is_empty()
    }

    /// Paths of the archives of the models, besides that of the scenes, in the order in which they are joined.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.archives.iter().map(|(path, _)| &**path)
    }

    /// Opens an archive together with those of the models, and adds the models.
    ///
    /// # Errors
    /// A model cannot be copied.
    pub(super) fn open<'a>(&self, bytes: &'a [u8]) -> Result<Members<'a>, Refusal> {
        let mut members = Members::open(bytes)?;
        for (_, bytes) in &self.archives {
            members.join(bytes)?;
        }
        for copy in &self.copies {
            copy.put(&mut members)?;
        }
        members.shares_new = self.has_new_materials;
        Ok(members)
    }
}

/// The placements of a model of a scene, and the name of their actor.
fn placed(
    scene: &Scene<'_>,
    model: &OwnModel,
    members: &Members<'_>,
) -> Result<(Vec<Place>, String), Refusal> {
    let mut placements = Vec::new();
    let mut actor = None;
    for &node in &model.nodes {
        let lost = || refusal!("node {}: it is not a placement", scene.name(node));
        let place = scene.base.nodes.get(node).and_then(placement_of);
        let (file, index) = place.ok_or_else(lost)?;
        let member = members.scene_file(file)?;
        let place = Place { member, index };
        let name = actor_of(members, place).ok_or_else(lost)?;
        actor.get_or_insert(name);
        placements.push(place);
    }
    let actor = actor.ok_or_else(|| refusal!("a model of its own has no placement"))?;
    Ok((placements, actor))
}

/// The name of the actor that a placement shows.
fn actor_of(members: &Members<'_>, place: Place) -> Option<String> {
    let Body::Actor(actor) = members.body(place)? else {
        return None;
    };
    let wld = &members.files.get(place.member)?.body;
    Some(match actor.model.fragment() {
        Some(fragment) => wld.get(fragment)?.name().to_owned(),
        None => actor.model.as_str().to_owned(),
    })
}

/// The baked light of a placement.
fn light(members: &Members<'_>, place: Place) -> Option<Vec<Bgra>> {
    let Body::Actor(actor) = members.body(place)? else {
        return None;
    };
    let wld = &members.files.get(place.member)?.body;
    let Body::VertexColorsInstance(instance) = &wld.get(actor.colors?)?.body else {
        return None;
    };
    match &wld.get(instance.definition)?.body {
        Body::VertexColors(list) if !list.colors.is_empty() => Some(list.colors.to_vec()),
        _ => None,
    }
}

/// The definition of an actor.
fn find_actor(members: &Members<'_>, name: &str) -> Option<Place> {
    let definitions = members.places(|body| matches!(body, Body::ActorDefinition(_)));
    definitions.into_iter().find(|place| {
        let file = members.files.get(place.member);
        let fragment = file.and_then(|file| file.body.fragments.get(place.index));
        fragment.is_some_and(|fragment| fragment.name().eq_ignore_ascii_case(name))
    })
}

/// Names of the models of an archive, in capitals.
pub(super) fn actors(members: &Members<'_>) -> impl Iterator<Item = String> {
    let definitions = members.places(|body| matches!(body, Body::ActorDefinition(_)));
    definitions.into_iter().filter_map(|place| {
        let file = members.files.get(place.member)?;
        let name = file.body.fragments.get(place.index)?.name();
        Some(without_ending(name, ACTOR).to_uppercase())
    })
}

/// Names of fragments without endings, in capitals.
fn names(members: &Members<'_>) -> BTreeSet<String> {
    let fragments = members.files.iter().flat_map(|file| &file.body.fragments);
    let names = fragments.map(|fragment| {
        let name = fragment.name().to_uppercase();
        let endings = [ACTOR, MESH, PALETTE];
        let found = endings.iter().find_map(|ending| name.strip_suffix(ending));
        found.map(str::to_owned).unwrap_or(name)
    });
    names.collect()
}

/// A name without an ending in any case.
fn without_ending<'n>(name: &'n str, ending: &str) -> &'n str {
    let start = name.len().checked_sub(ending.len());
    let parts = start.and_then(|start| name.split_at_checked(start));
    match parts {
        Some((stem, end)) if end.eq_ignore_ascii_case(ending) => stem,
        _ => name,
    }
}

impl Copy {
    fn put(&self, members: &mut Members<'_>) -> Result<(), Refusal> {
        let lost = || refusal!("the game file no longer has the model of {}", self.name);
        let actor = format!("{}{ACTOR}", self.name);
        let light = self.placements.first().and_then(|&it| light(members, it));
        let file = members.edit(self.twin.member).ok_or_else(lost)?;
        let is_lit = self.put_model(&mut file.body, &actor, light)?;
        let files: BTreeSet<usize> = self.placements.iter().map(|place| place.member).collect();
        for member in files {
            let file = members.edit(member).ok_or_else(lost)?;
            let name = add_name(&mut file.body, &actor)?;
            let own = self.placements.iter();
            for place in own.filter(|place| place.member == member) {
                let fragment = file.body.fragments.get_mut(place.index);
                match fragment.map(|fragment| &mut fragment.body) {
                    Some(Body::Actor(placed)) => {
                        placed.model = name.clone();
                        if is_lit {
                            placed.flags.remove(ActorFlags::COLORS);
                            placed.colors = None;
                        }
                    }
                    _ => return Err(lost()),
                }
            }
        }
        Ok(())
    }

    /// Adds the model to the file that has the one that is copied, behind all other fragments. Returns true if the light
    /// of the placements is now that of its vertices.
    fn put_model(
        &self,
        wld: &mut Wld<'static>,
        actor: &str,
        light: Option<Vec<Bgra>>,
    ) -> Result<bool, Refusal> {
        let several = || {
            refusal!(
                "node {}: it cannot get a model of its own, because its model has bones or several meshes; edit the scene of the model",
                self.name
            )
        };
        let fragment = wld.fragments.get(self.twin.index);
        let Some(Body::ActorDefinition(twin)) = fragment.map(|fragment| &fragment.body) else {
            return Err(several());
        };
        let mut model = twin.clone();
        let [sprite] = &*model.sprites else {
            return Err(several());
        };
        let instance = wld.get(*sprite).cloned().ok_or_else(several)?;
        let Body::MeshInstance(shown) = &instance.body else {
            return Err(several());
        };
        let mut mesh = wld.get(shown.definition).cloned().ok_or_else(several)?;
        if self.has_own_palette {
            let palette = match &mut mesh.body {
                Body::Mesh(mesh) => &mut mesh.palette,
                Body::LegacyMesh(mesh) => &mut mesh.palette,
                _ => return Err(several()),
            };
            let list = wld.get(*palette).cloned().ok_or_else(several)?;
            *palette = self.push(wld, list, PALETTE)?;
        }
        let mut is_lit = false;
        if let Body::Mesh(mesh) = &mut mesh.body {
            let count = mesh.positions.len();
            let light = light.filter(|light| self.takes_light && light.len() == count);
            is_lit = light.is_some();
            let white = self.white.filter(|_| mesh.colors.is_empty());
            if let Some(light) = light.or_else(|| Some(vec![white?; count])) {
                mesh.colors = light.into();
            }
        }
        let definition = self.push(wld, mesh, MESH)?;
        let body = Body::MeshInstance(Instance {
            definition,
            ..shown.clone()
        });
        let instance = self.push(wld, Fragment { body, ..instance }, "")?;
        model.sprites = vec![instance];
        let name = add_name(wld, actor)?;
        wld.fragments
            .push(Fragment::new(name, Body::ActorDefinition(model)));
        Ok(is_lit)
    }

    /// Adds a copy of a fragment; it has a name if the other has.
    fn push(
        &self,
        wld: &mut Wld<'static>,
        mut fragment: Fragment<'static>,
        ending: &str,
    ) -> Result<FragmentRef, Refusal> {
        let is_named = !fragment.name().is_empty();
        if let Some(name) = fragment.name.as_mut().filter(|_| is_named) {
            *name = add_name(wld, &format!("{}{ending}", self.name))?;
        }
        let reference = FragmentRef::to(wld.fragments.len());
        wld.fragments.push(fragment);
        reference.ok_or_else(|| refusal!("its file has too many fragments"))
    }
}

/// Adds a name to a file.
fn add_name(wld: &mut Wld<'static>, name: &str) -> Result<Name, Refusal> {
    let stored = wld.strings.add(name).map_err(Refusal::new)?;
    wld.header.string_count = wld.header.string_count.saturating_add(1);
    Ok(stored)
}

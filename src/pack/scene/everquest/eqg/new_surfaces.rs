//! New materials in EQG format: at the end of the list of their model, like the material of which they are a copy, or
//! with a shader that shows a picture and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::members::{Body, Member, Members};
use super::scenes::Coded;
use super::shapes::vertices_of;
use super::surfaces::{DIFFUSE, places_of, shader_for};
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::everquest::corners::meshes_of;
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::material_leaves::list;
use crate::pack::scene::everquest::new_materials::{self, Names, NewMaterial};
use crate::pack::scene::everquest::recut::MaterialAssignment;
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::file::Document;
use relicast_formats::everquest::eqg::parts::{Material, Property, PropertyKind, Strings};

/// A new material.
#[derive(Debug, Clone)]
struct Wanted {
    /// The path of its scene, and its number there.
    key: (String, usize),
    name: String,
    source: Source,
}

/// Source of a new material.
#[derive(Debug, Clone)]
enum Source {
    /// A picture and a shader.
    Picture { picture: String, shader: String },
    /// A material of another model.
    Copy(Place),
}

/// New materials.
#[derive(Debug, Default)]
pub(super) struct NewSurfaces {
    /// By member, in the order of their list.
    wanted: BTreeMap<usize, Vec<Wanted>>,
    /// Their names by scene.
    names: BTreeMap<String, Names>,
}

/// The shader of a new material: that of a stored one of which it is a copy, or one for its opacity.
fn shader(scene: &Scene<'_>, material: &Value) -> String {
    let shader = |material: &Value| material["extras"]["everquest"]["shader"].clone();
    let copied = shader(material);
    let mut known = list(&scene.base_document, "materials").iter();
    let is_copy = known.any(|known| shader(known) == copied && mode(known) == mode(material));
    match copied.as_str().filter(|_| is_copy) {
        Some(copied) => copied.to_owned(),
        None => shader_for(mode(material), None),
    }
}

fn mode(material: &Value) -> &str {
    material["alphaMode"].as_str().unwrap_or("OPAQUE")
}

impl NewSurfaces {
    /// Collects the materials that models get by a scene.
    ///
    /// # Errors
    /// A new material cannot be stored.
    pub(super) fn take(
        &mut self,
        job: &Job<'_>,
        coded: &Coded<'_, '_>,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let scene = coded.scene;
        new_materials::check_use(scene)?;
        for new in new_materials::all(scene) {
            let wanted = Wanted {
                key: (scene.output.path.clone(), new.number),
                name: new.name().to_owned(),
                source: Source::Picture {
                    picture: new.picture(job, scene)?,
                    shader: shader(scene, new.json),
                },
            };
            for member in shown_in(coded, new, members)? {
                self.wanted.entry(member).or_default().push(wanted.clone());
            }
        }
        self.take_copies(coded, members)
    }

    /// Collects the materials of other models that models of placements get.
    fn take_copies(&mut self, coded: &Coded<'_, '_>, members: &Members<'_>) -> Result<(), Refusal> {
        let scene = coded.scene;
        let own = coded.recut.iter();
        let mut own = own.filter(|it| coded.has_own_model(it.node)).peekable();
        let places = match own.peek() {
            Some(_) => places_of(coded, members),
            None => return Ok(()),
        };
        for recut in own {
            let (base, codes) = meshes_of(scene, &coded.numbered, recut.node)?;
            let parts = base.primitives.iter().zip(&codes.primitives);
            let mut ids = parts.flat_map(|(base, codes)| vertices_of(base, codes, members));
            let Some(member) = ids.find_map(|id| Some(id?.mesh.member)) else {
                continue;
            };
            for part in &recut.mesh.primitives {
                let assigned = MaterialAssignment::new(&scene.base, &scene.edited, part)?;
                let number = assigned.material;
                let number = number.filter(|&number| number < scene.base.materials.len());
                let found = number.and_then(|number| Some((number, places.get(&number)?)));
                let Some((number, all)) = found else { continue };
                let key = (scene.output.path.clone(), number);
                let wanted = self.wanted.entry(member).or_default();
                let is_known = all.iter().any(|place| place.member == member);
                if is_known || wanted.iter().any(|known| known.key == key) {
                    continue;
                }
                let name = scene.base.materials.get(number);
                let source = all.first().map(|&place| Source::Copy(place));
                wanted.extend(name.cloned().zip(source).map(|(name, source)| Wanted {
                    key,
                    name,
                    source,
                }));
            }
        }
        Ok(())
    }

    /// The index that a new material of a scene gets in the list of a model.
    pub(super) fn slot(
        &self,
        members: &Members<'_>,
        member: usize,
        key: (&str, usize),
    ) -> Option<usize> {
        let (materials, _) = members.files.get(member)?.materials()?;
        let mut wanted = self.wanted.get(&member)?.iter();
        let place = wanted.position(|own| (&*own.key.0, own.key.1) == key)?;
        Some(materials.len() + place)
    }

    /// Names of the new materials of a scene.
    pub(super) fn names(&self, path: &str) -> Names {
        self.names.get(path).cloned().unwrap_or_default()
    }

    /// Adds the materials.
    ///
    /// # Errors
    /// By scene, materials that the format cannot hold.
    pub(super) fn put(&mut self, members: &mut Members<'_>) -> Result<(), Refusals> {
        let mut refusals = Refusals::new();
        for (&member, all) in &self.wanted {
            for wanted in all {
                let (path, number) = &wanted.key;
                match wanted.put(members, member) {
                    Ok(Some(name)) => {
                        let names = self.names.entry(path.clone()).or_default();
                        names.insert(*number, name);
                    }
                    Ok(None) => {}
                    Err(refusal) => {
                        let reason = refusal!("material {}: {refusal}", wanted.name);
                        refusals.push((path.clone(), reason));
                    }
                }
            }
        }
        unless_refused((), refusals)
    }

    /// Checks that a packed scene shows the new materials.
    ///
    /// # Errors
    /// It does not.
    pub(super) fn check(&self, coded: &Coded<'_, '_>, packed: &Document) -> Result<(), Refusal> {
        let scene = coded.scene;
        new_materials::check(
            scene,
            packed,
            &self.names(&scene.output.path),
            |new, found| mode(new.json) == mode(found),
        )
    }
}

/// The members whose meshes have a new material.
fn shown_in(
    coded: &Coded<'_, '_>,
    new: NewMaterial<'_>,
    members: &Members<'_>,
) -> Result<BTreeSet<usize>, Refusal> {
    let mut all = BTreeSet::new();
    for recut in &coded.recut {
        let mut parts = recut.mesh.primitives.iter();
        if !parts.any(|part| part.material == Some(new.number)) {
            continue;
        }
        let (base, codes) = meshes_of(coded.scene, &coded.numbered, recut.node)?;
        for (base, codes) in base.primitives.iter().zip(&codes.primitives) {
            let ids = vertices_of(base, codes, members).into_iter().flatten();
            all.extend(ids.map(|id| id.mesh.member));
        }
    }
    Ok(all)
}

impl Wanted {
    /// Adds the material to a model. Returns the name that a new one gets.
    fn put(&self, members: &mut Members<'_>, member: usize) -> Result<Option<String>, Refusal> {
        let lost = || refusal!("it is no material of a model");
        match &self.source {
            Source::Picture { picture, shader } => {
                let file = members.edit(member).ok_or_else(lost)?;
                self.put_new(file, picture, shader).map(Some)
            }
            Source::Copy(place) => {
                let from = members.files.get(place.member).and_then(Member::materials);
                let (materials, strings) = from.ok_or_else(lost)?;
                let material = materials.get(place.index).cloned().ok_or_else(lost)?;
                let strings = strings.clone();
                let file = members.edit(member).ok_or_else(lost)?;
                put_copy(file, &material, &strings).map(|()| None)
            }
        }
    }

    fn put_new(&self, file: &mut Member, picture: &str, shader: &str) -> Result<String, Refusal> {
        let (materials, strings) = lists(file)?;
        let plain = if self.name.is_empty() {
            "new"
        } else {
            &*self.name
        };
        let mut name = plain.to_owned();
        let mut number = 2_usize;
        while is_taken(materials, strings, &name) {
            name = format!("{plain}_{number}");
            number += 1;
        }
        let property = Property {
            name: stored(strings, DIFFUSE)?,
            kind: PropertyKind::Text,
            value: stored(strings, picture)?,
        };
        let diffuse = |strings: &Strings, material: &Material| {
            let mut all = material.properties.iter();
            all.position(|own| strings.text(own.name).eq_ignore_ascii_case(DIFFUSE))
        };
        let mut properties = vec![property];
        let mut models = materials.iter();
        let model = models.find(|known| strings.text(known.shader) == shader);
        if let Some((model, at)) = model.and_then(|it| Some((it, diffuse(strings, it)?))) {
            properties.clone_from(&model.properties);
            if let Some(own) = properties.get_mut(at) {
                own.value = property.value;
            }
        }
        let (name_at, shader) = (stored(strings, &name)?, stored(strings, shader)?);
        let number = next_number(materials);
        materials.push(Material {
            number,
            name: name_at,
            shader,
            properties,
        });
        Ok(name)
    }
}

/// The materials of a model, and its texts.
fn lists(file: &mut Member) -> Result<(&mut Vec<Material>, &mut Strings), Refusal> {
    match &mut file.body {
        Body::Mesh(mesh) => Ok((&mut mesh.materials, &mut mesh.strings)),
        Body::Creature(creature) => Ok((&mut creature.materials, &mut creature.strings)),
        _ => Err(refusal!("it is no material of a model")),
    }
}

fn is_taken(materials: &[Material], strings: &Strings, name: &str) -> bool {
    let mut all = materials.iter();
    all.any(|known| strings.text(known.name).eq_ignore_ascii_case(name))
}

/// The place of a text.
fn stored(strings: &mut Strings, text: &str) -> Result<u32, Refusal> {
    let offset = strings.find(text).unwrap_or_else(|| strings.add(text));
    match strings.text(offset) == text {
        true => Ok(offset),
        false => Err(refusal!(
            "the game has no names such as {text}; use Latin letters"
        )),
    }
}

fn next_number(materials: &[Material]) -> u32 {
    let numbers = materials.iter().map(|known| known.number);
    numbers.max().map_or(0, |most| most.wrapping_add(1))
}

/// Adds a material of another model, whose texts are `from`.
fn put_copy(file: &mut Member, material: &Material, from: &Strings) -> Result<(), Refusal> {
    let (materials, strings) = lists(file)?;
    let name = from.text(material.name);
    if is_taken(materials, strings, &name) {
        refuse!(
            "the model of the placement has another material of this name, so that it cannot have this one too"
        );
    }
    let mut properties = material.properties.clone();
    for property in &mut properties {
        property.name = stored(strings, &from.text(property.name))?;
        if property.kind == PropertyKind::Text {
            property.value = stored(strings, &from.text(property.value))?;
        }
    }
    let (name, shader) = (
        stored(strings, &name)?,
        stored(strings, &from.text(material.shader))?,
    );
    let number = next_number(materials);
    materials.push(Material {
        number,
        name,
        shader,
        properties,
    });
    Ok(())
}

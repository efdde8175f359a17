//! New materials in EQG format: at the end of the list of their model, like the material of which they are a copy, or
//! with a shader that shows a picture and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::members::{Body, Member, Members};
use super::scenes::Coded;
use super::shapes::vertices_of;
use super::surfaces::{DIFFUSE, shader_for};
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::everquest::corners::meshes_of;
use crate::pack::scene::everquest::material_leaves::list;
use crate::pack::scene::everquest::new_materials::{self, Names, NewMaterial};
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::file::Document;
use relicast_formats::everquest::eqg::parts::{Material, Property, PropertyKind, Strings};

/// A new material.
#[derive(Debug, Clone)]
struct Wanted {
    /// The path of its scene, and its number there.
    key: (String, usize),
    name: String,
    picture: String,
    shader: String,
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
                picture: new.picture(job, scene)?,
                shader: shader(scene, new.json),
            };
            for member in shown_in(coded, new, members)? {
                self.wanted.entry(member).or_default().push(wanted.clone());
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
            let Some(file) = members.edit(member) else {
                continue;
            };
            for wanted in all {
                let (path, number) = &wanted.key;
                match wanted.put(file) {
                    Ok(name) => {
                        let names = self.names.entry(path.clone()).or_default();
                        names.insert(*number, name);
                    }
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
    /// Adds the material to a model. Returns the name that it gets.
    fn put(&self, file: &mut Member) -> Result<String, Refusal> {
        let (materials, strings): (&mut Vec<Material>, &mut Strings) = match &mut file.body {
            Body::Mesh(mesh) => (&mut mesh.materials, &mut mesh.strings),
            Body::Creature(creature) => (&mut creature.materials, &mut creature.strings),
            _ => refuse!("it is no material of a model"),
        };
        let is_taken = |strings: &Strings, name: &str| {
            let mut all = materials.iter();
            all.any(|known| strings.text(known.name).eq_ignore_ascii_case(name))
        };
        let plain = if self.name.is_empty() {
            "new"
        } else {
            &*self.name
        };
        let mut name = plain.to_owned();
        let mut number = 2_usize;
        while is_taken(strings, &name) {
            name = format!("{plain}_{number}");
            number += 1;
        }
        let stored = |strings: &mut Strings, text: &str| {
            let offset = strings.find(text).unwrap_or_else(|| strings.add(text));
            match strings.text(offset) == text {
                true => Ok(offset),
                false => Err(refusal!(
                    "the game has no names such as {text}; use Latin letters"
                )),
            }
        };
        let property = Property {
            name: stored(strings, DIFFUSE)?,
            kind: PropertyKind::Text,
            value: stored(strings, &self.picture)?,
        };
        let diffuse = |strings: &Strings, material: &Material| {
            let mut all = material.properties.iter();
            all.position(|own| strings.text(own.name).eq_ignore_ascii_case(DIFFUSE))
        };
        let mut properties = vec![property];
        let mut models = materials.iter();
        let model = models.find(|known| strings.text(known.shader) == self.shader);
        if let Some((model, at)) = model.and_then(|it| Some((it, diffuse(strings, it)?))) {
            properties.clone_from(&model.properties);
            if let Some(own) = properties.get_mut(at) {
                own.value = property.value;
            }
        }
        let (name_at, shader) = (stored(strings, &name)?, stored(strings, &self.shader)?);
        let numbers = materials.iter().map(|known| known.number);
        let number = numbers.max().map_or(0, |most| most.wrapping_add(1));
        materials.push(Material {
            number,
            name: name_at,
            shader,
            properties,
        });
        Ok(name)
    }
}

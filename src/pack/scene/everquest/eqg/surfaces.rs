//! Materials in EQG format: their shader, their picture, and the values of their properties.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::members::{Body, Members};
use super::names::{self, Field};
use super::probe::{self, NUMBER};
use super::scenes::Coded;
use crate::pack::edited::{Refusal, Refusals};
use crate::pack::json::{index, items};
use crate::pack::picture::level;
use crate::pack::scene::compare::leaves::{Leaf, changes, single};
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::everquest::edits::{Edits, Place};
use crate::pack::scene::everquest::material_leaves::{
    self, EditedMaterial, differs, edit_of, edited, factor, file_of, for_each_edited, list,
};
use crate::pack::scene::everquest::new_materials;
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::file::Document;
use relicast_formats::everquest::eqg::parts::{Material, PropertyKind};

/// Properties from which other values of a material are derived.
pub(super) const DIFFUSE: &str = "e_TextureDiffuse0";
const NORMAL: &str = "e_TextureNormal0";
const SHININESS: &str = "e_fShininess0";
const WATER_COLOR: &str = "e_fWaterColor1";

/// Path of the properties in a material of a scene.
const PROPERTIES: &str = "extras.everquest.properties.";
const SHADER: &str = "extras.everquest.shader";

/// New value of a property.
#[derive(Debug, Clone, PartialEq)]
enum Wanted {
    Number(f32),
    Whole(i64),
    Text(String),
    /// A part of a color: red, green, blue, alpha.
    Channel(usize, u8),
}

/// Changes to a material.
#[derive(Debug, Clone, Default, PartialEq)]
struct SurfaceEdit {
    shader: Option<String>,
    properties: Vec<(String, Wanted)>,
    /// It loses its normal map.
    is_flat: bool,
}

/// Edits of materials.
#[derive(Debug, Default)]
pub(super) struct Surfaces {
    edits: Edits<SurfaceEdit>,
    /// Values that the game does not store, by scene.
    pub roundings: BTreeMap<String, Vec<String>>,
}

/// True if a scene has edited or new materials.
pub(super) fn has_edits(scene: &Scene<'_>) -> bool {
    edited(scene).next().is_some() || new_materials::all(scene).next().is_some()
}

/// True if a material has a color besides its pictures.
pub(super) fn stores_color(material: &Value) -> bool {
    material["extras"]["everquest"]["blend"] == "water"
}

/// Kinds of shaders that exist with all of the words for opacity.
const WITH_ALL_WORDS: [&str; 2] = ["MaxC1.fx", "MaxCBSG1.fx"];

/// The shader for the opacity of a material: the stored one with another word if there is such a shader, else one that
/// shows a picture and nothing else.
pub(super) fn shader_for(mode: &str, stored: Option<&str>) -> String {
    let word = match mode {
        "MASK" => "Chroma",
        "BLEND" => "Alpha",
        _ => "Opaque",
    };
    let kind = stored.map(|stored| stored.split_once('_').map_or(stored, |(_, kind)| kind));
    let kind = kind.filter(|kind| WITH_ALL_WORDS.contains(kind));
    format!("{word}_{}", kind.unwrap_or("MaxC1.fx"))
}

/// Values of a material that its file does not store, with their names.
fn unstored(material: &Value) -> Vec<(&'static str, &'static str)> {
    let mut all = vec![
        ("pbrMetallicRoughness.metallicFactor", "metalness"),
        (
            "pbrMetallicRoughness.metallicRoughnessTexture",
            "picture of the roughness",
        ),
        ("occlusionTexture", "occlusion"),
        ("wrapping", "end of the picture at its edges"),
        ("extensions.KHR_materials_", "other values of the shader"),
    ];
    if named(material, SHININESS).is_none() {
        all.push(("pbrMetallicRoughness.roughnessFactor", "roughness"));
    }
    all
}

/// For each original material of a scene the materials of the archive that it shows.
pub(super) fn places_of(
    coded: &Coded<'_, '_>,
    members: &Members<'_>,
) -> BTreeMap<usize, BTreeSet<Place>> {
    let all = probe::materials(members);
    let materials = list(&coded.document, "materials");
    let mut places: BTreeMap<usize, BTreeSet<Place>> = BTreeMap::new();
    let nodes = coded.scene.base.nodes.iter().zip(&coded.numbered.nodes);
    for (base, numbered) in nodes {
        let (Some(base), Some(numbered)) = (base.mesh, numbered.mesh) else {
            continue;
        };
        let materials_of = |json: &Value, mesh: usize| -> Vec<Option<usize>> {
            let primitives = items(&json["meshes"][mesh], "primitives").iter();
            primitives
                .map(|primitive| index(&primitive["material"]))
                .collect()
        };
        let (own, numbers) = (
            materials_of(&coded.scene.base_document.json, base),
            materials_of(&coded.document.json, numbered),
        );
        for (own, numbered) in own.into_iter().zip(numbers) {
            let facts = numbered.and_then(|numbered| materials.get(numbered));
            let facts = facts.map(|material| &material["extras"]["everquest"]["properties"]);
            let number = facts.and_then(|properties| index(&properties[NUMBER]));
            let place = number.and_then(|number| all.get(number));
            if let (Some(own), Some(&place)) = (own, place) {
                places.entry(own).or_default().insert(place);
            }
        }
    }
    places
}

impl Surfaces {
    /// Collects the edits of the materials of a scene.
    ///
    /// # Errors
    /// A material is of another archive, or one of its changes cannot be packed.
    pub(super) fn take(
        &mut self,
        job: &Job<'_>,
        coded: &Coded<'_, '_>,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let scene = coded.scene;
        let places = match has_edits(scene) {
            true => places_of(coded, members),
            false => BTreeMap::new(),
        };
        for_each_edited(scene, |material| {
            let own = places.get(&material.number);
            let own = own
                .ok_or_else(|| refusal!("it is in another archive, or is a variant of a layer"))?;
            let edit = SurfaceEdit::read(job, scene, material)?;
            let name = material.old["name"].as_str().unwrap_or_default();
            let said = self.roundings.entry(scene.output.path.clone()).or_default();
            let mut notes = material.unstored(&unstored(material.old));
            let is_derived =
                |shader: &&String| material.new["extras"]["everquest"]["shader"] != **shader;
            let derived = edit.shader.as_ref().filter(is_derived);
            notes.extend(derived.map(|shader| format!("its shader becomes {shader}")));
            said.extend(notes.into_iter().map(|it| format!("material {name}: {it}")));
            own.iter()
                .try_for_each(|&place| self.edits.add(place, scene, edit.clone()))
        })
    }

    /// Applies the edits.
    ///
    /// # Errors
    /// By scene, edits that the format cannot hold.
    pub(super) fn put(&self, members: &mut Members<'_>) -> Result<(), Refusals> {
        self.edits.put(|Place { member, index }, edit| {
            let Some(file) = members.edit(member) else {
                return Ok(());
            };
            let mut equal_materials = equal_materials(&file.body, index).into_iter();
            let put = equal_materials.try_for_each(|index| edit.put(&mut file.body, index));
            put.map_err(|refusal| refusal!("material {index} of {}: {refusal}", file.name))
        })
    }

    /// Checks that the packed materials show the edit.
    ///
    /// # Errors
    /// One does not, or an unedited one changed.
    pub(super) fn check(
        &self,
        coded: &Coded<'_, '_>,
        packed: &Document,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let scene = coded.scene;
        let places = match self.edits.is_empty() {
            true => BTreeMap::new(),
            false => places_of(coded, members),
        };
        let found = list(packed, "materials");
        let has_edits = has_edits(scene);
        for (number, old) in list(&scene.base_document, "materials").iter().enumerate() {
            let mut named = found.iter().filter(|own| own["name"] == old["name"]);
            let own = found.get(number).filter(|own| own["name"] == old["name"]);
            // Where material assignments changed, the list may be in another order, or shorter.
            let found = own.or_else(|| named.next().filter(|_| named.next().is_none()));
            let edit = edit_of(scene, number);
            let Some(found) = found else {
                let may_be_unused = !coded.recut.is_empty() || !scene.copies.gone.is_empty();
                match may_be_unused && edit.is_none() {
                    true => continue,
                    false => return Err(differs(old, "it")),
                }
            };
            let mut own = places.get(&number).into_iter().flatten();
            if own.any(|&place| {
                let known = self.edits.get(place);
                known.is_some_and(|known| known.path != scene.output.path)
            }) {
                // It follows an edit of another scene, whose proof covers it.
                continue;
            }
            if let Some(mut edit) = edit {
                // The game has one cutoff.
                edit.leaves.retain(|leaf| leaf.path != "alphaCutoff");
                material_leaves::check(&edit, packed, found, 0.005, &unstored(old))?;
                continue;
            }
            let is_compared = |leaf: &&Leaf| match has_edits {
                true => !leaf.path.contains("Texture"),
                // Pictures, and values derived from them, are not converted again if no material was edited.
                false => {
                    let is_own = leaf.path == SHADER || leaf.path.starts_with(PROPERTIES);
                    leaf.path == "name" || (is_own && !leaf.path.ends_with(".image"))
                }
            };
            if let Some(leaf) = changes(old, found, 0.0).iter().find(is_compared) {
                return Err(differs(old, &leaf.path));
            }
        }
        Ok(())
    }
}

fn materials_of(body: &Body) -> &[Material] {
    match body {
        Body::Mesh(mesh) => &mesh.materials,
        Body::Creature(creature) => &creature.materials,
        _ => &[],
    }
}

fn materials_mut(body: &mut Body) -> &mut [Material] {
    match body {
        Body::Mesh(mesh) => &mut mesh.materials,
        Body::Creature(creature) => &mut creature.materials,
        _ => &mut [],
    }
}

fn text(body: &Body, offset: u32) -> String {
    match body {
        Body::Mesh(mesh) => mesh.strings.text(offset),
        Body::Creature(creature) => creature.strings.text(offset),
        _ => String::new(),
    }
}

/// A material and its exact duplicates: the client uses the first of a name, tools may use another.
fn equal_materials(body: &Body, index: usize) -> Vec<usize> {
    let words = |material: &Material| {
        let properties = material.properties.iter().map(|property| {
            let is_text = property.kind == PropertyKind::Text;
            let value = is_text.then(|| text(body, property.value));
            let bits = if is_text { 0 } else { property.value };
            (text(body, property.name), property.kind, bits, value)
        });
        let properties: Vec<_> = properties.collect();
        (
            text(body, material.name),
            text(body, material.shader),
            properties,
        )
    };
    let materials = materials_of(body);
    let Some(own) = materials.get(index).map(words) else {
        return Vec::new();
    };
    let all = materials.iter().enumerate();
    all.filter(|(other, material)| *other == index || words(material) == own)
        .map(|(other, _)| other)
        .collect()
}

/// The name of a property of a material, as written in its file.
fn named(material: &Value, name: &str) -> Option<String> {
    let known = material["extras"]["everquest"]["properties"].as_object();
    let mut known = known.into_iter().flatten();
    let found = known.find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(known, _)| known.clone())
}

/// Reason to refuse a value that follows from others.
fn refusal_of(path: &str) -> Refusal {
    let reason = match path {
        _ if path.starts_with("alpha")
            || path.starts_with("pbrMetallicRoughness.baseColorFactor") =>
        {
            "its opacity is only used where it is blended (alphaMode BLEND)"
        }
        _ if path.starts_with("normalTexture") => {
            "its normal map is the property e_TextureNormal0; set it in the custom property everquest"
        }
        _ if path.starts_with("emissive") => {
            "its emission follows from its shader and its pictures; set these in the custom property everquest"
        }
        _ if path.starts_with("pbrMetallicRoughness.baseColorTexture") => {
            "its picture is moved, scaled, or shown by other texture coordinates, which the game does not do; change the UV map of the mesh"
        }
        other => {
            return refusal!(
                "{other} cannot be packed; only the picture, roughness, the color of water, and shader and properties of the custom property everquest can"
            );
        }
    };
    Refusal::new(reason)
}

impl SurfaceEdit {
    fn read(
        job: &Job<'_>,
        scene: &Scene<'_>,
        material: &EditedMaterial<'_>,
    ) -> Result<Self, Refusal> {
        let mut edit = Self::default();
        let mut follows = None;
        let mut has_other_opacity = false;
        for leaf in material.stored(&unstored(material.old)) {
            let path = &*leaf.path;
            if path.starts_with("alpha") {
                has_other_opacity = true;
                continue;
            }
            if path == "normalTexture" && leaf.after.is_null() {
                edit.is_flat = true;
                continue;
            }
            if let Some(name) = path.strip_prefix(PROPERTIES) {
                match Self::property(leaf, name)? {
                    Some(own) => edit.properties.push(own),
                    None => follows = Some(path),
                }
            } else if path == SHADER {
                let shader = leaf.after.as_str().filter(|shader| !shader.is_empty());
                let shader = shader.ok_or_else(|| refusal!("its shader must be a name"))?;
                edit.shader = Some(shader.to_owned());
            } else if path == "picture" {
                let name = named(material.old, DIFFUSE);
                let name = name.ok_or_else(|| refusal!("it has no property for a picture"))?;
                let file = file_of(job, scene, &leaf.after)?;
                edit.properties.push((name, Wanted::Text(file)));
            } else if !edit.read_derived(leaf, material)? {
                follows = Some(path);
            }
        }
        if edit.shader.is_none() && (has_other_opacity || edit.is_flat) {
            let mode = material.new["alphaMode"].as_str().unwrap_or("OPAQUE");
            let stored = material.old["extras"]["everquest"]["shader"].as_str();
            if named(material.old, DIFFUSE).is_none() {
                refuse!(
                    "its opacity follows from its shader, and it has no picture whose alpha could be used"
                );
            }
            edit.shader = Some(shader_for(mode, stored.filter(|_| !edit.is_flat)));
        }
        match follows {
            Some(other) if edit == Self::default() => Err(refusal_of(other)),
            _ => Ok(edit),
        }
    }

    /// Reads a value that comes from a property. Returns false for a derived value.
    fn read_derived(
        &mut self,
        leaf: &Leaf,
        material: &EditedMaterial<'_>,
    ) -> Result<bool, Refusal> {
        match &*leaf.path {
            "pbrMetallicRoughness.roughnessFactor" => {
                let Some(name) = named(material.old, SHININESS) else {
                    return Ok(false);
                };
                let rough = single(&leaf.after).unwrap_or(1.0);
                let exponent = 2.0 / (f64::from(rough) * f64::from(rough)) - 2.0;
                if !exponent.is_finite() || exponent < 0.0 {
                    refuse!("roughness must be above 0 and at most 1");
                }
                let wanted = Wanted::Number(rounded(exponent, rough));
                self.properties.push((name, wanted));
                Ok(true)
            }
            path if path.starts_with("pbrMetallicRoughness.baseColorFactor") => {
                let name = named(material.old, WATER_COLOR);
                let Some(name) = name.filter(|_| stores_color(material.old)) else {
                    // Tints are in pictures.
                    return Ok(false);
                };
                let [red, green, blue, alpha] = factor(material.new);
                let opacity = (alpha.clamp(0.0, 1.0) * 255.0).round() as u8;
                let levels = [level(red), level(green), level(blue), opacity];
                for (channel, level) in levels.into_iter().enumerate() {
                    let own = (name.clone(), Wanted::Channel(channel, level));
                    if !self.properties.contains(&own) {
                        self.properties.push(own);
                    }
                }
                Ok(true)
            }
            "name" => Err(refusal!(
                "materials are identified by their names, which cannot be changed"
            )),
            _ => Ok(false),
        }
    }

    /// The property behind a value of the edit; `None` for a derived value.
    fn property(leaf: &Leaf, path: &str) -> Result<Option<(String, Wanted)>, Refusal> {
        let refuse = |reason: &str| refusal!("{}: {reason}", leaf.path);
        if leaf.before.is_null() || leaf.after.is_null() {
            return Err(refuse("properties cannot be added or removed"));
        }
        if path.ends_with(".image") {
            return Ok(None);
        }
        if let Some(name) = path.strip_suffix(".file") {
            let file = leaf
                .after
                .as_str()
                .ok_or_else(|| refuse("it must be a name"))?;
            return Ok(Some((name.to_owned(), Wanted::Text(file.to_owned()))));
        }
        if let Some((name, channel)) = path.split_once('[') {
            let channel = channel.trim_end_matches(']').parse().ok();
            let level = leaf.after.as_u64().and_then(|it| u8::try_from(it).ok());
            let both = channel.zip(level);
            let (channel, level) =
                both.ok_or_else(|| refuse("it must be a number from 0 to 255"))?;
            return Ok(Some((name.to_owned(), Wanted::Channel(channel, level))));
        }
        let wanted = match (&leaf.after, leaf.after.as_i64()) {
            (Value::String(text), _) => Wanted::Text(text.clone()),
            (_, Some(whole)) if leaf.before.is_i64() => Wanted::Whole(whole),
            (after, _) => {
                Wanted::Number(single(after).ok_or_else(|| refuse("it must be a number"))?)
            }
        };
        Ok(Some((path.to_owned(), wanted)))
    }

    fn put(&self, body: &mut Body, index: usize) -> Result<(), Refusal> {
        if let Some(shader) = &self.shader {
            set_text(body, Field::Shader(index), shader)?;
        }
        if self.is_flat {
            let names = materials_of(body).get(index).map(|material| {
                let names = material.properties.iter();
                let names = names.map(|property| text(body, property.name));
                names.collect::<Vec<_>>()
            });
            let mut names = names.unwrap_or_default().into_iter();
            let material = materials_mut(body).get_mut(index);
            if let Some(material) = material {
                material.properties.retain(|_| {
                    names
                        .next()
                        .is_none_or(|name| !name.eq_ignore_ascii_case(NORMAL))
                });
            }
        }
        for (name, wanted) in &self.properties {
            let lost = || refusal!("it has no property {name}");
            let material = materials_of(body).get(index).ok_or_else(lost)?;
            let mut all = material.properties.iter();
            let at = all.position(|property| text(body, property.name) == *name);
            let at = at.ok_or_else(lost)?;
            if let Wanted::Text(text) = wanted {
                set_text(body, Field::Value(index, at), text)?;
                continue;
            }
            let property = materials_mut(body).get_mut(index);
            let property = property.and_then(|material| material.properties.get_mut(at));
            let property = property.ok_or_else(lost)?;
            let whole = match wanted {
                Wanted::Whole(whole) => i32::try_from(*whole).ok(),
                _ => None,
            };
            property.value = match (property.kind, wanted) {
                (PropertyKind::Float, Wanted::Number(number)) => number.to_bits(),
                (PropertyKind::Float, Wanted::Whole(whole)) => (*whole as f32).to_bits(),
                (PropertyKind::Integer, Wanted::Whole(_)) => {
                    let whole = whole.ok_or_else(|| refusal!("{name} must be a 32-bit number"))?;
                    whole.cast_unsigned()
                }
                (PropertyKind::Color, &Wanted::Channel(channel, level)) => {
                    // Blue, green, red and alpha.
                    let mut bytes = property.value.to_le_bytes();
                    let place = match channel {
                        0 => 2,
                        2 => 0,
                        other => other,
                    };
                    *bytes.get_mut(place).ok_or_else(lost)? = level;
                    u32::from_le_bytes(bytes)
                }
                _ => {
                    refuse!("{name} has a value of another type");
                }
            };
        }
        Ok(())
    }
}

fn set_text(body: &mut Body, field: Field, text: &str) -> Result<(), Refusal> {
    match body {
        Body::Mesh(mesh) => names::of_mesh(mesh).set(field, text),
        Body::Creature(creature) => names::of_creature(creature).set(field, text),
        _ => Err(refusal!("it has no materials")),
    }
}

/// The exponent for a roughness, as round as those that give the same.
fn rounded(exponent: f64, rough: f32) -> f32 {
    let comes_to = |exponent: f32| libm::sqrt(2.0 / (f64::from(exponent) + 2.0)) as f32 == rough;
    let whole = [1.0, 10.0, 100.0, 1000.0].map(|grain| ((exponent * grain).round() / grain) as f32);
    let mut whole = whole.into_iter();
    whole
        .find(|&exponent| comes_to(exponent))
        .unwrap_or(exponent as f32)
}

//! Edits of the tables of materials and textures of a game file.

use std::collections::BTreeMap;

use crate::pack::edited::{Refusal, unless_refused};
use crate::pack::scene::driver::error::SceneError;
use relicast_codec::{F32, Vec3};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::archive::Archive;
use relicast_formats::zipper::gamez::{
    GameZ, Links, Material, MaterialFlags, MaterialRecord, ModelSlot, Soil, Texture, TextureName,
};
use relicast_formats::zipper::mechlib::{self, MATERIALS_MEMBER, MechMaterial, TextureText};
use relicast_formats::zipper::texture::key_of;
use relicast_scene::space::{linear_from_srgb, srgb_from_linear};

/// A value with the scene that sets it.
pub(in crate::pack::scene) type Asked<T> = Option<(T, String)>;

/// Changes to a material.
#[derive(Debug, Clone, Default)]
pub(in crate::pack::scene) struct MaterialEdit {
    /// Linear.
    pub color: Asked<[f32; 3]>,
    pub alpha: Asked<u8>,
    /// Name of its picture.
    pub picture: Asked<String>,
    /// Asks for no picture.
    pub plain: Asked<()>,
    pub soil: Asked<Soil>,
    pub cycle: Asked<CycleEdit>,
}

/// The new cycle of pictures.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::pack::scene) struct CycleEdit {
    pub speed: f32,
    pub looping: bool,
    pub start: u32,
    /// Names of the pictures.
    pub frames: Vec<String>,
}

/// Sets a value.
///
/// # Errors
/// Another scene sets another value.
pub(in crate::pack::scene) fn set<T: PartialEq>(
    place: &mut Asked<T>,
    value: T,
    path: &str,
) -> Result<(), Refusal> {
    match place {
        Some((known, by)) if *known != value => Err(refusal!(
            "the game stores it and a material of {by} as one, and their edits differ; edit one, or both in the same way"
        )),
        _ => {
            *place = Some((value, path.to_owned()));
            Ok(())
        }
    }
}

/// Edits by material of the game file, from all of its scenes.
#[derive(Debug, Default)]
pub(in crate::pack::scene) struct MaterialEdits {
    by_material: BTreeMap<usize, MaterialEdit>,
}

impl MaterialEdits {
    /// The changes to a material, for adding to them.
    pub(in crate::pack::scene) fn edit(&mut self, material: usize) -> &mut MaterialEdit {
        self.by_material.entry(material).or_default()
    }

    /// True if no material changes.
    pub(in crate::pack::scene) fn is_empty(&self) -> bool {
        self.by_material.values().all(|edit| {
            edit.color.is_none()
                && edit.alpha.is_none()
                && edit.picture.is_none()
                && edit.plain.is_none()
                && edit.soil.is_none()
                && edit.cycle.is_none()
        })
    }

    /// Applies the edits to a world; `knows` returns true if the install has a picture of a name.
    ///
    /// # Errors
    /// By scene, the edits that cannot be packed, and the reasons.
    pub(in crate::pack::scene) fn apply_to_world(
        &self,
        gamez: &mut GameZ,
        knows: &dyn Fn(&str) -> bool,
    ) -> Result<(), Vec<(String, Refusal)>> {
        let mut refusals = Vec::new();
        for (&number, edit) in &self.by_material {
            if let Some((_, path)) = &edit.plain
                && let Err(refusal) = part_layers(gamez, number)
            {
                refusals.push((path.clone(), inside(number, &refusal)));
            }
            let Some(material) = gamez.materials.used.get_mut(number) else {
                continue;
            };
            paint(&mut material.record, edit);
            if let Some((_, path)) = &edit.plain
                && material.cycle.is_some()
            {
                let reason = refusal!(
                    "its picture is a cycle, and was removed; keep it, and edit extras.zipper.cycle.frames"
                );
                refusals.push((path.clone(), inside(number, &reason)));
            }
            if let Some((soil, _)) = edit.soil {
                material.record.soil = soil;
            }
            let like = usize::try_from(material.record.texture_index).unwrap_or_default();
            if let Some((name, path)) = &edit.picture {
                let placed = match material.cycle.is_some() {
                    true => Err(refusal!(
                        "its picture is a cycle: edit extras.zipper.cycle.frames"
                    )),
                    false => texture(&mut gamez.textures, name, like, knows),
                };
                match placed {
                    Ok(index) => material.record.texture_index = index,
                    Err(refusal) => refusals.push((path.clone(), inside(number, &refusal))),
                }
            }
            if let Some((wanted, path)) = &edit.cycle {
                let frames = wanted.frames.iter();
                let frames: Result<Vec<i32>, Refusal> = frames
                    .map(|name| texture(&mut gamez.textures, name, like, knows))
                    .collect();
                let Some(cycle) = material.cycle.as_mut() else {
                    let reason = refusal!("a cycle cannot be added or removed");
                    refusals.push((path.clone(), inside(number, &reason)));
                    continue;
                };
                match frames {
                    Ok(frames) => {
                        if cycle.textures.first() == Some(&material.record.texture_index)
                            && let Some(&first) = frames.first()
                        {
                            material.record.texture_index = first;
                        }
                        let count = i32::try_from(frames.len()).unwrap_or(i32::MAX);
                        if frames.len() != cycle.textures.len() {
                            cycle.record.tex_map_count = count;
                            cycle.record.tex_map_index = count;
                        }
                        cycle.textures = frames;
                        cycle.record.speed = F32(wanted.speed);
                        cycle.record.looping = u32::from(wanted.looping);
                        let stored = cycle.record.current_index.0;
                        if stored as u32 != wanted.start {
                            cycle.record.current_index = F32(wanted.start as f32);
                        }
                    }
                    Err(refusal) => refusals.push((path.clone(), inside(number, &refusal))),
                }
            }
        }
        unless_refused((), refusals)
    }

    /// Applies the edits to the materials of a model library.
    ///
    /// # Errors
    /// By scene, the edits that cannot be packed, and the reasons.
    pub(in crate::pack::scene) fn apply_to_library(
        &self,
        materials: &mut [MechMaterial],
    ) -> Result<(), Vec<(String, Refusal)>> {
        let mut refusals = Vec::new();
        for (&number, edit) in &self.by_material {
            let Some(material) = materials.get_mut(number) else {
                continue;
            };
            paint(&mut material.record, edit);
            if edit.plain.is_some() {
                material.texture = None;
            }
            if let Some((name, path)) = &edit.picture {
                match name.is_ascii() && !name.is_empty() {
                    true => {
                        let text = material.texture.as_ref().map(TextureText::text);
                        let ending = text.as_deref().and_then(|text| text.find('.'));
                        let ending = text.zip(ending).map(|(text, at)| text[at..].to_owned());
                        let stored = format!("{name}{}", ending.unwrap_or_default());
                        material.texture = Some(TextureText(stored.into_bytes()));
                    }
                    false => {
                        let reason = refusal!("{name} is not an ASCII name");
                        refusals.push((path.clone(), inside(number, &reason)));
                    }
                }
            }
            let other = edit.soil.as_ref().map(|(_, path)| (path, "soils"));
            let other = other.or(edit.cycle.as_ref().map(|(_, path)| (path, "cycles")));
            if let Some((path, what)) = other {
                let reason = refusal!("materials of model libraries have no {what}");
                refusals.push((path.clone(), inside(number, &reason)));
            }
        }
        unless_refused((), refusals)
    }
}

/// Gives the polygons that have a material as a further layer a copy of it, which keeps its picture.
///
/// # Errors
/// The game file has no slot for the copy.
fn part_layers(gamez: &mut GameZ, number: usize) -> Result<(), Refusal> {
    let mut copy = None;
    for slot in 0..gamez.models.slots.len() {
        let Some(ModelSlot::Used(model)) = gamez.models.slots.get(slot) else {
            continue;
        };
        let layers = model.polygons.iter();
        let mut layers = layers.flat_map(|polygon| polygon.materials.iter().skip(1));
        if !layers.any(|stored| usize::try_from(*stored) == Ok(number)) {
            continue;
        }
        let to = match copy {
            Some(to) => to,
            None => {
                let material = gamez.materials.used.get(number).cloned();
                let added = add_slot(gamez, material.unwrap_or_default())?;
                *copy.insert(i32::try_from(added).map_err(Refusal::new)?)
            }
        };
        if let Some(ModelSlot::Used(model)) = gamez.models.slots.get_mut(slot) {
            let layers = model.polygons.iter_mut();
            for layer in layers.flat_map(|polygon| polygon.materials.iter_mut().skip(1)) {
                if usize::try_from(*layer) == Ok(number) {
                    *layer = to;
                }
            }
        }
    }
    Ok(())
}

fn inside(number: usize, refusal: &Refusal) -> Refusal {
    refusal!("material {number} of the game file: {refusal}")
}

/// Color and opacity of a material without picture.
fn paint(record: &mut MaterialRecord, edit: &MaterialEdit) {
    if edit.plain.is_some() {
        record.flags.remove(MaterialFlags::TEXTURED);
        (record.texture_index, record.rgb) = (0, 0);
    }
    if let Some((wanted, _)) = edit.color {
        let mut channels = record.color.to_array();
        for (channel, wanted) in channels.iter_mut().zip(wanted) {
            // Unchanged channels keep their bits; others become whole numbers if these are near.
            if (linear_from_srgb(*channel) - wanted).abs() <= 1e-6 {
                continue;
            }
            *channel = stored_channel(wanted);
        }
        record.color = Vec3::from(channels);
    }
    if let Some((alpha, _)) = edit.alpha {
        record.alpha = alpha;
    }
}

/// An sRGB channel of 0 to 255 for a linear one: a whole number if one is near.
pub(super) fn stored_channel(wanted: f32) -> f32 {
    let exact = srgb_from_linear(wanted) * 255.0;
    let off = |channel: f32| (linear_from_srgb(channel) - wanted).abs();
    let mut simple = [1.0_f32, 2.0, 4.0, 16.0, 256.0]
        .into_iter()
        .map(|parts| (exact * parts).round() / parts);
    let whole = exact.round();
    match simple.find(|&simple| off(simple) <= 1e-6) {
        Some(simple) => simple,
        None if off(whole) <= 2e-4 => whole,
        None => exact,
    }
}

/// Most textures that a file can count.
const MAX_COUNT: usize = 4095;

/// The index of a texture in the table; the texture is added if the install has a picture of this name.
pub(super) fn texture(
    table: &mut Vec<Texture>,
    name: &str,
    like: usize,
    knows: &dyn Fn(&str) -> bool,
) -> Result<i32, Refusal> {
    let number = |place: usize| i32::try_from(place).map_err(Refusal::new);
    let exact = table.iter().position(|it| it.name.stem() == name);
    let similar = || {
        let key = key_of(name);
        let mut stems = table.iter().map(|it| key_of(&it.name.stem()));
        stems.position(|stem| stem == key)
    };
    if let Some(place) = exact.or_else(similar) {
        return number(place);
    }
    if !knows(name) {
        refuse!("the install that was converted has no texture {name}");
    }
    if table.len() >= MAX_COUNT {
        refuse!("the game file has no room for another texture; use one of its textures");
    }
    let model = table.get(like).or(table.first()).cloned();
    let model = model.unwrap_or_default();
    let stored = name
        .is_ascii()
        .then(|| TextureName::new(name, &model.name.suffix()));
    let stored = stored.flatten().filter(|_| !name.is_empty());
    let stored = stored.ok_or_else(|| {
        refusal!("{name} is not a valid texture name of a world: use 1 to 19 ASCII characters")
    })?;
    table.push(Texture {
        name: stored,
        mip_index: -1,
        ..model
    });
    number(table.len().saturating_sub(1))
}

/// Puts a material into a free slot, and returns its number.
///
/// # Errors
/// There is none.
pub(super) fn add_slot(gamez: &mut GameZ, material: Material) -> Result<usize, Refusal> {
    let materials = &mut gamez.materials;
    if materials.free.is_empty() {
        refuse!("the game file has no slot");
    }
    materials.free.remove(0);
    materials.used.push(material);
    link(gamez);
    Ok(gamez.materials.used.len().saturating_sub(1))
}

/// Links the slots of materials again.
fn link(gamez: &mut GameZ) {
    let materials = &mut gamez.materials;
    let states_used = materials.array.array_size;
    let (count, slots) = (materials.used.len(), materials.slots());
    // Some heads state the number of used slots.
    if i32::try_from(count.saturating_sub(1)) == Ok(states_used) {
        materials.array.array_size = states_used.saturating_add(1);
    }
    for (index, material) in materials.used.iter_mut().enumerate() {
        if let Some(links) = Links::used(index, count) {
            material.links = links;
        }
    }
    for (place, slot) in materials.free.iter_mut().enumerate() {
        if let Some(links) = Links::free(count.saturating_add(place), count, slots) {
            slot.links = links;
        }
    }
    let number = i32::try_from(count).unwrap_or(i32::MAX);
    materials.array.index_free = if materials.free.is_empty() {
        -1
    } else {
        number
    };
    materials.array.index_last = number.saturating_sub(1);
}

/// Changes the materials of a library.
///
/// # Errors
/// They cannot be read or written, or the change fails.
pub(in crate::pack::scene::zipper) fn edit_library(
    archive: &mut Archive<'_>,
    change: impl FnOnce(&mut Vec<MechMaterial>, ZipperGame) -> Result<(), SceneError>,
) -> Result<(), SceneError> {
    let version = mechlib::version_of(archive).map_err(Refusal::new)?;
    let mut entries = archive.entries.iter_mut();
    if let Some(entry) = entries.find(|entry| entry.name() == MATERIALS_MEMBER) {
        let decoded = mechlib::decode_materials(&entry.data, version);
        let mut materials = decoded.map_err(Refusal::new)?.value;
        change(&mut materials, version)?;
        let encoded = mechlib::encode_materials(&materials, version);
        entry.data = encoded.map_err(Refusal::new)?.into();
    }
    Ok(())
}

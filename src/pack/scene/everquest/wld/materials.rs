//! Materials: render method, picture, frame time of animated pictures.

use std::collections::BTreeMap;

use serde_json::Value;

use super::members::{Member, Members};
use crate::pack::edited::{Refusal, Refusals};
use crate::pack::scene::compare::leaves::{Leaf, changes, single};
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::everquest::edits::{Edits, Place};
use crate::pack::scene::everquest::material_leaves::{
    self, EditedMaterial, differs, edit_of, edited, factor, file_of, for_each_edited, list,
};
use crate::pack::scene::everquest::new_materials::{self, Names};
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::file::Document;
use relicast_codec::{F32, shown};
use relicast_formats::everquest::wld::{
    Body, EncodedText, FragmentRef, Material, MaterialFlags, RenderMethod, Surface, Wld,
};

/// Brightness of the first numbered material; the games use at most 1.
const FIRST: f32 = 1000.5;

/// Changes to a material.
#[derive(Debug, Default, PartialEq)]
struct MaterialEdit {
    method: Option<RenderMethod>,
    two_sided: Option<bool>,
    brightness: Option<f32>,
    scaled_ambient: Option<f32>,
    sleep: Option<u32>,
    /// File name of its picture.
    picture: Option<String>,
}

/// Edits of materials.
#[derive(Debug, Default)]
pub(super) struct Materials {
    edits: Edits<MaterialEdit>,
    /// Values that the game has instead of those of the edits, by scene.
    pub roundings: BTreeMap<String, Vec<String>>,
}

/// The materials of a scene whose brightness is a number.
#[derive(Debug)]
pub(super) struct Numbered<'d> {
    materials: &'d [Value],
    places: Vec<Place>,
}

impl<'d> Numbered<'d> {
    pub(super) fn new(numbered: Option<&'d Document>, members: &Members<'_>) -> Self {
        Self {
            materials: numbered.map_or(&[][..], |numbered| list(numbered, "materials")),
            places: places(members),
        }
    }

    /// The fragment of a material of the original scene; `None` if it is of another archive.
    pub(super) fn place(&self, number: usize) -> Option<Place> {
        let brightness = &self.materials.get(number)?["extras"]["everquest"]["brightness"];
        let number = single(brightness)? - FIRST;
        let place = self.places.get(number as usize).filter(|_| number >= 0.0);
        place.copied()
    }
}

/// All materials of an archive, in the order of their numbers.
fn places(members: &Members<'_>) -> Vec<Place> {
    members.places(|body| matches!(body, Body::Material(_)))
}

/// Replaces the brightness of materials by numbers.
pub(super) fn number(members: &mut Members<'_>) {
    for (number, place) in places(members).into_iter().enumerate() {
        if let Some(Body::Material(material)) = members.edit_body(place) {
            material.brightness = F32(FIRST + number as f32);
        }
    }
}

/// The codes of the artists' tools by render method; the first of each is used.
const METHODS: [(Surface, u32); 12] = [
    (Surface::Boundary, 0),
    (Surface::Invisible, 0x8000_0003),
    (Surface::Diffuse, 0x8000_0001),
    (Surface::Transparent25, 0x8000_0009),
    (Surface::Transparent50, 0x8000_0005),
    (Surface::Transparent75, 0x8000_000A),
    (Surface::Additive, 0x8000_0017),
    (Surface::AdditiveUnlit, 0x8000_000B),
    (Surface::Masked, 0x8000_0013),
    (Surface::SkyDiffuse, 0x8000_000D),
    (Surface::SkyTransparent, 0x8000_000F),
    (Surface::SkyAdditive, 0x8000_0010),
];

/// True if a scene has edited or new materials.
pub(super) fn has_edits(scene: &Scene<'_>) -> bool {
    edited(scene).next().is_some() || new_materials::all(scene).next().is_some()
}

impl Materials {
    /// Collects the edits of the materials of a scene.
    ///
    /// # Errors
    /// A material is of another archive, or one of its changes cannot be packed.
    pub(super) fn take(
        &mut self,
        job: &Job<'_>,
        scene: &Scene<'_>,
        numbered: &Numbered<'_>,
    ) -> Result<(), Refusal> {
        let path = &scene.output.path;
        for_each_edited(scene, |material| {
            let place = numbered.place(material.number);
            let place =
                place.ok_or_else(|| refusal!("it is in another archive, or is not a material"))?;
            let (edit, roundings) = MaterialEdit::read(job, scene, material)?;
            let name = material.old["name"].as_str().unwrap_or_default();
            let own = self.roundings.entry(path.clone()).or_default();
            own.extend(
                roundings
                    .into_iter()
                    .map(|it| format!("material {name}: {it}")),
            );
            self.edits.add(place, scene, edit)
        })
    }

    /// Applies the edits. Returns the wanted pictures, with their scenes, of materials that need a texture of their own.
    ///
    /// # Errors
    /// By scene, edits that the format cannot hold.
    pub(super) fn put(
        &self,
        members: &mut Members<'_>,
    ) -> Result<BTreeMap<Place, (String, String)>, Refusals> {
        let mut textures = BTreeMap::new();
        self.edits.put(|place, edit| {
            let Some(file) = members.edit(place.member) else {
                return Ok(());
            };
            let put = edit.put(file, place.index).map_err(|refusal| {
                let name = file.body.fragments.get(place.index);
                let name = name.map_or("", |fragment| fragment.name());
                refusal!("material {name} of {}: {refusal}", file.name)
            });
            let path = self.edits.get(place).map(|edit| edit.path.clone());
            let texture = put?.then(|| edit.picture.clone()).flatten();
            textures.extend(path.zip(texture).map(|texture| (place, texture)));
            Ok(())
        })?;
        Ok(textures)
    }
}

impl MaterialEdit {
    /// Reads an edit. Returns the values that the game has instead of those of the edit too.
    fn read(
        job: &Job<'_>,
        scene: &Scene<'_>,
        material: &EditedMaterial<'_>,
    ) -> Result<(Self, Vec<String>), Refusal> {
        let mut edit = Self::default();
        let mut roundings = material.unstored(&UNSTORED);
        let (mut is_by_alpha, mut is_unlit) = (false, false);
        for leaf in material.stored(&UNSTORED) {
            let number = || {
                let number = single(&leaf.after);
                number.ok_or_else(|| refusal!("{} must be a number", leaf.path))
            };
            match &*leaf.path {
                "extras.everquest.renderMethod" => edit.method = Some(method_of(&leaf.after)?),
                "extras.everquest.surface" if edit.method.is_none() => {
                    edit.method = Some(method_by_label(&leaf.after)?);
                }
                "extras.everquest.brightness" => edit.brightness = Some(number()?),
                "extras.everquest.scaledAmbient" => edit.scaled_ambient = Some(number()?),
                "extras.everquest.textureAnimation.sleepMs" => {
                    edit.sleep = Some(milliseconds(&leaf.after)?);
                }
                "doubleSided" => {
                    let is_plain = leaf.after.is_boolean() || leaf.after.is_null();
                    if !is_plain {
                        refuse!("doubleSided must be true or false");
                    }
                    edit.two_sided = Some(leaf.after.as_bool().unwrap_or_default());
                }
                "picture" => edit.picture = Some(file_of(job, scene, &leaf.after)?),
                "alphaMode" | "alphaCutoff" => is_by_alpha = true,
                path if path.starts_with("extensions") => is_unlit = true,
                path if path.starts_with("pbrMetallicRoughness.baseColorFactor") => {
                    // Tints are in pictures.
                    if factor(material.new)[..3] != [1.0; 3] {
                        return Err(refusal_of(path));
                    }
                    is_by_alpha = true;
                }
                "extras.everquest.surface" | "extras.everquest.eqBlend" => {}
                path => return Err(refusal_of(path)),
            }
        }
        if edit.method.is_none() && is_by_alpha {
            let (method, rounding) = method_by_alpha(material.new)?;
            roundings.extend(rounding);
            // Of several methods for one surface, the stored one stays.
            let is_other = method.surface(true) != surface_of(material.old);
            edit.method = is_other.then_some(method);
        } else if edit.method.is_none() && is_unlit {
            refuse!(
                "only fire, spells and the sky are drawn without light; set surface in the custom property everquest to additive_unlit or sky_diffuse, or use the original shader"
            );
        }
        if let Some(method) = edit.method
            && is_drawn(method.surface(true)) != is_drawn(surface_of(material.old))
        {
            refuse!(
                "invisible surfaces are in a separate scene; a material cannot change between visible and invisible"
            );
        }
        Ok((edit, roundings))
    }

    /// Applies the edit. Returns true if the picture needs a texture of its own.
    fn put(&self, file: &mut Member, index: usize) -> Result<bool, Refusal> {
        let needs_texture = match &self.picture {
            Some(picture) => !put_picture(&mut file.body, index, picture)?,
            None => false,
        };
        let texture = {
            let fragment = file.body.fragments.get_mut(index);
            let Some(Body::Material(material)) = fragment.map(|fragment| &mut fragment.body) else {
                refuse!("it is not a material");
            };
            material.render_method = self.method.unwrap_or(material.render_method);
            if let Some(two_sided) = self.two_sided {
                material.flags.set(MaterialFlags::TWO_SIDED, two_sided);
            }
            if let Some(brightness) = self.brightness {
                material.brightness = F32(brightness);
            }
            if let Some(ambient) = self.scaled_ambient {
                material.scaled_ambient = F32(ambient);
            }
            material.texture
        };
        let Some(wanted) = self.sleep else {
            return Ok(needs_texture);
        };
        let definition = definition_of(&file.body, texture);
        let fragment = definition.and_then(|index| file.body.fragments.get_mut(index));
        match fragment.map(|fragment| &mut fragment.body) {
            Some(Body::SimpleSpriteDefinition(sprite)) if sprite.sleep.is_some() => {
                sprite.sleep = Some(wanted);
                Ok(needs_texture)
            }
            _ => Err(refusal!("its texture has no frame time")),
        }
    }
}

fn method_of(value: &Value) -> Result<RenderMethod, Refusal> {
    let digits = value.as_str().and_then(|text| text.strip_prefix("0x"));
    let method = match digits {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => value.as_u64().and_then(|method| u32::try_from(method).ok()),
    };
    let method = method.ok_or_else(|| {
        refusal!("extras.everquest.renderMethod must be a 32-bit number, such as \"0x80000001\"")
    })?;
    Ok(RenderMethod(method))
}

fn surface_by_label(label: &Value) -> Option<Surface> {
    let mut all = METHODS.iter();
    let found =
        all.find(|(surface, _)| serde_json::to_value(surface).is_ok_and(|value| value == *label));
    found.map(|(surface, _)| *surface)
}

fn method_by_label(label: &Value) -> Result<RenderMethod, Refusal> {
    let surface = surface_by_label(label);
    let mut all = METHODS.iter();
    let found = surface.and_then(|surface| all.find(|(known, _)| *known == surface));
    match found {
        Some((_, method)) => Ok(RenderMethod(*method)),
        None => Err(refusal!(
            "extras.everquest.surface: {label} is not a kind of surface"
        )),
    }
}

/// Values of materials that no scene file stores, with their names.
const UNSTORED: [(&str, &str); 7] = [
    ("pbrMetallicRoughness.roughnessFactor", "roughness"),
    ("pbrMetallicRoughness.metallicFactor", "metalness"),
    (
        "pbrMetallicRoughness.metallicRoughnessTexture",
        "picture of the roughness",
    ),
    ("normalTexture", "normal map"),
    ("occlusionTexture", "occlusion"),
    ("wrapping", "end of the picture at its edges"),
    ("extensions.KHR_materials_", "other values of the shader"),
];

/// Reason to refuse a value of a material.
fn refusal_of(path: &str) -> Refusal {
    let reason = match path {
        _ if path.starts_with("pbrMetallicRoughness.baseColorFactor") => {
            "its color was changed, but the game shows pictures as they are; link the picture alone to the color, and paint the color into it"
        }
        _ if path.starts_with("pbrMetallicRoughness.baseColorTexture") => {
            "its picture is moved, scaled, or shown by other texture coordinates, which the game does not do; change the UV map of the mesh"
        }
        _ if path.starts_with("emissive") => {
            "its emission was changed, which the game does not store; for light of its own, set surface in the custom property everquest to additive_unlit"
        }
        "name" => "its name was changed, by which the game knows it; give it the old one",
        other => {
            return refusal!(
                "{other} cannot be packed; only the picture, opacity, Backface Culling, and renderMethod, surface, brightness, scaledAmbient and sleepMs of the custom property everquest can"
            );
        }
    };
    Refusal::new(reason)
}

fn is_drawn(surface: Surface) -> bool {
    !matches!(surface, Surface::Boundary | Surface::Invisible)
}

/// The surface of a material of an original scene.
fn surface_of(material: &Value) -> Surface {
    let label = &material["extras"]["everquest"]["surface"];
    surface_by_label(label).unwrap_or(Surface::Diffuse)
}

fn milliseconds(value: &Value) -> Result<u32, Refusal> {
    let sleep = value.as_u64().and_then(|sleep| u32::try_from(sleep).ok());
    let none = || refusal!("sleepMs must be a whole number of milliseconds above 0");
    sleep.filter(|&sleep| sleep > 0).ok_or_else(none)
}

/// The render method for the opacity of a material; and the opacity that it has, if the game does not have that one.
fn method_by_alpha(material: &Value) -> Result<(RenderMethod, Option<String>), Refusal> {
    let alpha = factor(material)[3];
    let (surface, rounding) = match material["alphaMode"].as_str() {
        None | Some("OPAQUE") => (Surface::Diffuse, None),
        Some("MASK") => {
            let cutoff = single(&material["alphaCutoff"]).unwrap_or(0.5);
            let other = || format!("its alpha is cut off at 0.5, not at {}", shown(cutoff));
            (Surface::Masked, (cutoff != 0.5).then(other))
        }
        Some("BLEND") if alpha == 1.0 => {
            let note = "the game does not blend by the alpha of a picture: texels are drawn from an alpha of 0.5 on";
            (Surface::Masked, Some(note.to_owned()))
        }
        Some("BLEND") => {
            let known = [
                (0.25, Surface::Transparent25),
                (0.5, Surface::Transparent50),
                (0.75, Surface::Transparent75),
            ];
            let far = |known: &(f32, Surface)| (known.0 - alpha).abs();
            let nearest = known.into_iter().min_by(|a, b| far(a).total_cmp(&far(b)));
            let (opacity, surface) = nearest.unwrap_or((1.0, Surface::Diffuse));
            let other = || format!("its opacity of {} becomes {opacity}", shown(alpha));
            (surface, (alpha != opacity).then(other))
        }
        Some(other) => refuse!(
            "alphaMode {other} does not exist; the game has opaque surfaces, masked ones (alpha through a Math node Greater Than 0.5), and opacities of 0.25, 0.5 and 0.75"
        ),
    };
    let mut all = METHODS.iter();
    let found = all.find(|(known, _)| *known == surface);
    let method = found.map_or(0x8000_0001, |(_, method)| *method);
    Ok((RenderMethod(method), rounding))
}

/// The alpha mode and the opacity of a surface in scenes.
fn opacity_of(surface: Surface) -> (&'static str, f32) {
    match surface {
        Surface::Transparent25 => ("BLEND", 0.25),
        Surface::Transparent50 | Surface::SkyTransparent => ("BLEND", 0.5),
        Surface::Transparent75 => ("BLEND", 0.75),
        Surface::Additive | Surface::AdditiveUnlit | Surface::SkyAdditive => ("BLEND", 1.0),
        Surface::Masked => ("MASK", 1.0),
        _ => ("OPAQUE", 1.0),
    }
}

/// True if a material has the opacity of a surface.
fn has_opacity(material: &Value, surface: Surface) -> bool {
    let (mode, alpha) = opacity_of(surface);
    material["alphaMode"].as_str().unwrap_or("OPAQUE") == mode && factor(material)[3] == alpha
}

/// The render method of a new material: that of the one of which it is a copy, or one for its opacity.
pub(super) fn method_of_new(material: &Value) -> Result<(RenderMethod, Option<String>), Refusal> {
    let copied = &material["extras"]["everquest"]["renderMethod"];
    let copied = (!copied.is_null()).then(|| method_of(copied)).transpose()?;
    let fits = |method: &RenderMethod| has_opacity(material, method.surface(true));
    match copied.filter(fits) {
        Some(copied) => Ok((copied, None)),
        None => method_by_alpha(material),
    }
}

/// True if a packed material has the opacity that an edit asks for.
fn shows_opacity(wanted: Result<(RenderMethod, Option<String>), Refusal>, found: &Value) -> bool {
    wanted.is_ok_and(|(method, _)| has_opacity(found, method.surface(true)))
}

/// The texture of an instance.
fn definition_of(wld: &Wld<'_>, texture: FragmentRef) -> Option<usize> {
    match &wld.get(texture)?.body {
        Body::SimpleSprite(instance) => instance.definition.index(),
        _ => None,
    }
}

/// The only bitmap of a texture.
pub(super) fn bitmap_of(wld: &Wld<'_>, texture: FragmentRef) -> Option<usize> {
    let definition = definition_of(wld, texture)?;
    match &wld.fragments.get(definition)?.body {
        Body::SimpleSpriteDefinition(sprite) => match &*sprite.frames {
            [frame] => frame.index(),
            _ => None,
        },
        _ => None,
    }
}

/// Makes a material show another picture: by renaming its bitmap, if nothing else shows it, else by another texture
/// that is stored before it. Returns false if there is none.
fn put_picture(wld: &mut Wld<'_>, index: usize, picture: &str) -> Result<bool, Refusal> {
    let texture_of = |wld: &Wld<'_>, index: usize| match &wld.fragments.get(index)?.body {
        Body::Material(Material { texture, .. }) => Some(*texture),
        _ => None,
    };
    let bitmap = texture_of(wld, index).and_then(|texture| bitmap_of(wld, texture));
    let bitmap = bitmap.ok_or_else(|| refusal!("it does not show exactly one picture"))?;
    let mut users = 0_usize;
    for (number, fragment) in wld.fragments.iter().enumerate() {
        fragment.body.references(&mut |_, reference, _| {
            let is_bitmap = reference.index() == Some(bitmap);
            let is_texture = bitmap_of(wld, reference) == Some(bitmap);
            users += usize::from(is_bitmap || (is_texture && number != index));
        });
    }
    // The texture itself is one of them.
    if users <= 1 {
        let fragment = wld.fragments.get_mut(bitmap);
        let Some(Body::BitmapInfo(info)) = fragment.map(|fragment| &mut fragment.body) else {
            refuse!("it does not show exactly one picture");
        };
        let Some(first) = info.files.first_mut() else {
            refuse!("its bitmap has no name");
        };
        let is_upper = !first.text().chars().any(char::is_lowercase);
        let name = match is_upper {
            true => picture.to_uppercase(),
            false => picture.to_owned(),
        };
        let text = EncodedText::new(&name);
        *first = text.ok_or_else(|| refusal!("the name {picture} cannot be stored"))?;
        return Ok(true);
    }
    let mut stored = (0..index).filter_map(FragmentRef::to);
    let found = stored.find(|&reference| shows(wld, reference, picture));
    let fragment = wld
        .fragments
        .get_mut(index)
        .map(|fragment| &mut fragment.body);
    if let (Some(found), Some(Body::Material(material))) = (found, fragment) {
        material.texture = found;
    }
    Ok(found.is_some())
}

/// True if a texture shows a picture alone.
pub(super) fn shows(wld: &Wld<'_>, texture: FragmentRef, picture: &str) -> bool {
    let bitmap = bitmap_of(wld, texture).and_then(|bitmap| wld.fragments.get(bitmap));
    match bitmap.map(|bitmap| &bitmap.body) {
        Some(Body::BitmapInfo(info)) => {
            matches!(&*info.files, [file] if file.text().eq_ignore_ascii_case(picture))
        }
        _ => false,
    }
}

/// Checks that the packed materials show the edit; `names` has those of the new ones. Without some triangles or
/// placements, materials may be unused.
///
/// # Errors
/// One does not, or an unedited one changed.
pub(super) fn check(
    scene: &Scene<'_>,
    packed: &Document,
    names: &Names,
    may_be_unused: bool,
) -> Result<(), Refusal> {
    let found = list(packed, "materials");
    for (number, old) in list(&scene.base_document, "materials").iter().enumerate() {
        let mut named = found.iter().filter(|own| own["name"] == old["name"]);
        let own = found.get(number).filter(|own| own["name"] == old["name"]);
        // Where material assignments changed, the list may be in another order, or shorter.
        let own = own.or_else(|| named.next().filter(|_| named.next().is_none()));
        let edit = edit_of(scene, number);
        let Some(found) = own else {
            match may_be_unused && edit.is_none() {
                true => continue,
                false => return Err(differs(old, "it")),
            }
        };
        if let Some(mut material) = edit {
            let has_method = |leaf: &Leaf| {
                leaf.path.starts_with("extras.everquest.renderMethod")
                    || leaf.path.starts_with("extras.everquest.surface")
            };
            let is_by_method = material.leaves.iter().any(has_method);
            let is_alpha = |leaf: &Leaf| {
                let path = &*leaf.path;
                path.starts_with("alpha")
                    || path.starts_with("pbrMetallicRoughness.baseColorFactor")
            };
            let is_by_alpha = !is_by_method && material.leaves.iter().any(is_alpha);
            if is_by_alpha && !shows_opacity(method_by_alpha(material.new), found) {
                return Err(differs(old, "its opacity"));
            }
            material.leaves.retain(|leaf| {
                !is_by_alpha || !(is_alpha(leaf) || leaf.path.starts_with("extensions"))
            });
            material_leaves::check(&material, packed, found, 1e-5, &UNSTORED)?;
            continue;
        }
        // Pictures are not converted again if no material was edited.
        let now = changes(old, found, 0.0);
        if let Some(leaf) = now.iter().find(|leaf| !leaf.path.contains("Texture."))
            && !leaf.path.ends_with("Texture")
        {
            return Err(differs(old, &leaf.path));
        }
    }
    new_materials::check(scene, packed, names, |new, found| {
        let is_set = |value: &Value| value["doubleSided"].as_bool().unwrap_or_default();
        is_set(new.json) == is_set(found) && shows_opacity(method_of_new(new.json), found)
    })
}

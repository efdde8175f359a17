//! Materials: render method, picture, frame time of animated pictures.

use serde_json::Value;

use super::members::{Member, Members};
use crate::pack::edited::{Refusal, Refusals};
use crate::pack::scene::compare::leaves::{changes, single};
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::everquest::edits::{Edits, Place};
use crate::pack::scene::everquest::material_leaves::{
    self, EditedMaterial, differs, edit_of, edited, file_of, for_each_edited, list,
};
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::file::Document;
use relicast_codec::F32;
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
pub(super) struct Materials(Edits<MaterialEdit>);

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

/// True if a scene has edited materials.
pub(super) fn has_edits(scene: &Scene<'_>) -> bool {
    edited(scene).next().is_some()
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
        numbered: Option<&Document>,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let places = places(members);
        let numbered = numbered.map_or(&[][..], |numbered| list(numbered, "materials"));
        for_each_edited(scene, |material| {
            let coded = numbered.get(material.number);
            let coded = coded.and_then(|coded| single(&coded["extras"]["everquest"]["brightness"]));
            let number = coded.map(|coded| coded - FIRST);
            let place = number.and_then(|it| places.get(it as usize).filter(|_| it >= 0.0));
            let place =
                *place.ok_or_else(|| refusal!("it is in another archive, or is not a material"))?;
            self.0
                .add(place, scene, MaterialEdit::read(job, scene, material)?)
        })
    }

    /// Applies the edits.
    ///
    /// # Errors
    /// By scene, edits that the format cannot hold.
    pub(super) fn put(&self, members: &mut Members<'_>) -> Result<(), Refusals> {
        self.0.put(|Place { member, index }, edit| {
            let Some(file) = members.edit(member) else {
                return Ok(());
            };
            edit.put(file, index).map_err(|refusal| {
                let name = file.body.fragments.get(index);
                let name = name.map_or("", |fragment| fragment.name());
                refusal!("material {name} of {}: {refusal}", file.name)
            })
        })
    }
}

impl MaterialEdit {
    fn read(
        job: &Job<'_>,
        scene: &Scene<'_>,
        material: &EditedMaterial<'_>,
    ) -> Result<Self, Refusal> {
        let mut edit = Self::default();
        let mut follows = None;
        for leaf in &material.leaves {
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
                    let sleep = leaf
                        .after
                        .as_u64()
                        .and_then(|sleep| u32::try_from(sleep).ok());
                    let sleep = sleep.filter(|&sleep| sleep > 0);
                    let none =
                        || refusal!("sleepMs must be a whole number of milliseconds above 0");
                    edit.sleep = Some(sleep.ok_or_else(none)?);
                }
                "doubleSided" => {
                    let is_plain = leaf.after.is_boolean() || leaf.after.is_null();
                    if !is_plain {
                        refuse!("doubleSided must be true or false");
                    }
                    edit.two_sided = Some(leaf.after.as_bool().unwrap_or_default());
                }
                "picture" => edit.picture = Some(file_of(job, scene, &leaf.after)?),
                other => {
                    let with_method = [
                        "alphaMode",
                        "alphaCutoff",
                        "pbrMetallicRoughness.baseColorFactor",
                        "extensions",
                        "extras.everquest.surface",
                        "extras.everquest.eqBlend",
                    ];
                    if !with_method.iter().any(|path| other.starts_with(path)) {
                        refuse!(
                            "{other} cannot be packed; only the render method, doubleSided, alphaMode, the picture, brightness, scaledAmbient and sleepMs can"
                        );
                    }
                    follows = Some(other);
                }
            }
        }
        if let (Some(other), None) = (follows, edit.method) {
            edit.method = Some(method_by_alpha(other, material.new)?);
        }
        if let Some(method) = edit.method {
            let is_drawn = |surface| !matches!(surface, Surface::Boundary | Surface::Invisible);
            let label = &material.old["extras"]["everquest"]["surface"];
            let was_drawn = is_drawn(surface_by_label(label).unwrap_or(Surface::Diffuse));
            if is_drawn(method.surface(true)) != was_drawn {
                refuse!(
                    "invisible surfaces are in a separate scene; a material cannot change between visible and invisible"
                );
            }
        }
        Ok(edit)
    }

    fn put(&self, file: &mut Member, index: usize) -> Result<(), Refusal> {
        if let Some(picture) = &self.picture {
            put_picture(&mut file.body, index, picture)?;
        }
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
            return Ok(());
        };
        let definition = definition_of(&file.body, texture);
        let fragment = definition.and_then(|index| file.body.fragments.get_mut(index));
        match fragment.map(|fragment| &mut fragment.body) {
            Some(Body::SimpleSpriteDefinition(sprite)) if sprite.sleep.is_some() => {
                sprite.sleep = Some(wanted);
                Ok(())
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

/// The method for an alpha mode.
fn method_by_alpha(path: &str, material: &Value) -> Result<RenderMethod, Refusal> {
    let alpha = single(&material["pbrMetallicRoughness"]["baseColorFactor"][3]).unwrap_or(1.0);
    let surface = match material["alphaMode"].as_str() {
        Some("MASK") if alpha == 1.0 => Surface::Masked,
        Some("BLEND") if alpha == 0.25 => Surface::Transparent25,
        Some("BLEND") if alpha == 0.5 => Surface::Transparent50,
        Some("BLEND") if alpha == 0.75 => Surface::Transparent75,
        None | Some("OPAQUE") if alpha == 1.0 => Surface::Diffuse,
        _ => {
            refuse!(
                "{path}: use opaque, masked, or blended by 0.25, 0.5 or 0.75; set others by extras.everquest.renderMethod"
            );
        }
    };
    let mut all = METHODS.iter();
    let found = all.find(|(known, _)| *known == surface);
    Ok(RenderMethod(
        found.map_or(0x8000_0001, |(_, method)| *method),
    ))
}

/// The texture of an instance.
fn definition_of(wld: &Wld<'_>, texture: FragmentRef) -> Option<usize> {
    match &wld.get(texture)?.body {
        Body::SimpleSprite(instance) => instance.definition.index(),
        _ => None,
    }
}

/// The only bitmap of a texture.
fn bitmap_of(wld: &Wld<'_>, texture: FragmentRef) -> Option<usize> {
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
/// that is stored before it.
fn put_picture(wld: &mut Wld<'_>, index: usize, picture: &str) -> Result<(), Refusal> {
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
        *first = text.ok_or_else(|| refusal!("its name cannot be stored"))?;
        return Ok(());
    }
    let shows = |reference: FragmentRef| {
        let bitmap = bitmap_of(wld, reference)?;
        match &wld.fragments.get(bitmap)?.body {
            Body::BitmapInfo(info) => {
                Some(info.files.first()?.text().eq_ignore_ascii_case(picture))
            }
            _ => None,
        }
    };
    let found = (0..index)
        .filter_map(FragmentRef::to)
        .find(|&reference| shows(reference) == Some(true));
    let found = found.ok_or_else(|| {
        refusal!(
            "other materials show its picture too, and no texture stored before it shows {picture}"
        )
    })?;
    if let Some(Body::Material(material)) = wld
        .fragments
        .get_mut(index)
        .map(|fragment| &mut fragment.body)
    {
        material.texture = found;
    }
    Ok(())
}

/// Checks that the packed materials show the edit.
///
/// # Errors
/// One does not, or an unedited one changed.
pub(super) fn check(
    scene: &Scene<'_>,
    packed: &Document,
    has_other_triangles: bool,
) -> Result<(), Refusal> {
    let found = list(packed, "materials");
    for (number, old) in list(&scene.base_document, "materials").iter().enumerate() {
        let named = |found: &&Value| found["name"] == old["name"];
        let own = found.get(number).filter(named);
        let Some(found) = own.or_else(|| found.iter().find(named)) else {
            // The last triangles with it may be gone.
            match has_other_triangles {
                true => continue,
                false => return Err(differs(old, "it")),
            }
        };
        if let Some(material) = edit_of(scene, number) {
            material_leaves::check(&material, packed, found, 1e-5)?;
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
    Ok(())
}

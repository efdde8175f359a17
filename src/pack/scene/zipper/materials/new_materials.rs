//! Materials that an edit adds to a scene of a world, each with a picture that may be new too.

use std::collections::{BTreeMap, BTreeSet};

use super::new_material::{NewMaterial, NewPicture};
use super::table::texture;
use super::texture_lookup;
use crate::pack::edited::Refusal;
use crate::pack::picture::package as pictures;
use crate::pack::scene::compare::matching::plain_name;
use crate::pack::scene::compare::surfaces::{self, Surface};
use crate::pack::scene::driver::job::{Job, Members};
use crate::pack::scene::driver::outputs::Opened;
use crate::pack::scene::file::SceneFile;
use crate::pack::scene::file::surface::Picture;
use crate::pack::scene::zipper::edited_scene::EditedScene;
use crate::pipeline::report::manifest::ManifestOutput;
use relicast_codec::{F32, Vec3};
use relicast_convert::zipper::{Materials, material_labels};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{
    self, GameZ, Links, Material, MaterialFlags, MaterialRecord, Soil,
};
use relicast_formats::zipper::texture::package;

/// Finds the materials of these meshes that neither the scene nor the game file has. They get the names that the packed
/// scene will have for them.
///
/// # Errors
/// A picture cannot be packed, or the package for it is unknown.
pub(in crate::pack::scene) fn find(
    job: &Job<'_>,
    output: &ManifestOutput,
    base: &SceneFile,
    edit: &mut Opened,
    meshes: impl Iterator<Item = usize>,
) -> Result<Vec<NewMaterial>, Refusal> {
    let unknown = unknown_materials(base, &edit.scene, meshes);
    if unknown.is_empty() {
        return Ok(Vec::new());
    }
    let gamez = gamez::decode(job.current).map_err(Refusal::new)?.value;
    let labels = material_labels(Materials::World(&gamez));
    let is_known = |name: &str| {
        let mut labels = labels.iter();
        labels.any(|label| label.name.eq_ignore_ascii_case(name))
    };
    let mut all: BTreeMap<String, NewMaterial> = BTreeMap::new();
    for number in unknown {
        let Some(surface) = edit.scene.surfaces.get(number) else {
            continue;
        };
        let shown = surfaces::essence(plain_name(&surface.name), &[]);
        let stem = shown.strip_suffix("_ds").unwrap_or(&shown);
        let Some(picture) = surface.picture.clone().filter(|_| !is_known(stem)) else {
            continue;
        };
        let side = if surface.is_double_sided { "_ds" } else { "" };
        let inside =
            |refusal: Refusal| refusal!("materials[{number}] ({}): {refusal}", surface.name);
        check(surface).map_err(inside)?;
        let known = texture_lookup::name(job, output, &picture);
        let name = match &known {
            Some(name) => name.clone(),
            None => new_name(&picture).map_err(inside)?,
        };
        if known.is_none() && (is_known(&name) || texture_lookup::is_known(job, &name)) {
            return Err(inside(refusal!(
                "its picture {name} is not the texture of this name that the install has; give it another name, or use that texture"
            )));
        }
        if !is_known(&name) && !all.contains_key(&name) {
            let picture = match known {
                Some(_) => None,
                None => Some(
                    new_picture(job, output, base, edit, (number, &picture, &name))
                        .map_err(inside)?,
                ),
            };
            let texture = name.clone();
            all.insert(name.clone(), NewMaterial { texture, picture });
        }
        rename(&mut edit.scene, number, &format!("{name}{side}"));
    }
    Ok(all.into_values().collect())
}

/// Materials of primitives of these meshes that the original scene does not have.
fn unknown_materials(
    base: &SceneFile,
    edited: &SceneFile,
    meshes: impl Iterator<Item = usize>,
) -> BTreeSet<usize> {
    let meshes = meshes.filter_map(|mesh| edited.meshes.get(mesh));
    let parts = meshes.flat_map(|mesh| &mesh.primitives);
    let unknown =
        parts.filter(|part| matches!(surfaces::of(base, edited, part), Surface::Unknown(_)));
    unknown
        .filter_map(|part| part.material)
        .filter(|&material| material < edited.surfaces.len())
        .collect()
}

/// Checks that a game can store a new material.
fn check(surface: &crate::pack::scene::file::surface::Surface) -> Result<(), Refusal> {
    let is_white = surface.color.iter().all(|part| *part > 0.997) && surface.opacity > 0.997;
    if !is_white {
        refuse!(
            "it is new, and colors its picture, which the game cannot store; make its base color white, and paint the picture"
        );
    }
    let facts = surface.facts.as_ref().and_then(|facts| facts.keys().next());
    if let Some(fact) = facts {
        refuse!(
            "it is new, and extras.zipper.{fact} can be set only when it exists; remove that, pack, convert again, then set it"
        );
    }
    Ok(())
}

/// The name of the texture for a new picture: that of its file.
fn new_name(picture: &Picture) -> Result<String, Refusal> {
    let path = picture
        .path
        .as_deref()
        .filter(|path| !path.starts_with("data:"));
    let file = path.map_or(&*picture.name, |path| {
        path.rsplit('/').next().unwrap_or(path)
    });
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let name = stem.to_lowercase();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if name.is_empty() || name.len() > MAX_NAME || !name.bytes().all(is_plain) {
        refuse!(
            "its picture {file} cannot become a texture: name it with 1 to {MAX_NAME} letters, digits, _ and -"
        );
    }
    Ok(name)
}

/// Longest name of a texture of a world.
const MAX_NAME: usize = 19;

fn new_picture(
    job: &Job<'_>,
    output: &ManifestOutput,
    base: &SceneFile,
    edit: &Opened,
    (number, picture, name): (usize, &Picture, &str),
) -> Result<NewPicture, Refusal> {
    let path = picture
        .path
        .as_deref()
        .filter(|path| !path.starts_with("data:"));
    let png = match path {
        Some(path) => {
            let path = texture_lookup::joined(&output.path, path)
                .ok_or_else(|| refusal!("its picture {path} is outside the output folder"))?;
            relicast_source::bytes::read_document(job.out.join(&path))
                .map_err(|error| refusal!("its picture {path}: {error}"))?
        }
        None => edit
            .document
            .embedded_picture(number)
            .ok_or_else(|| refusal!("its picture is missing"))?,
    };
    let package = package_of(job, output, base).ok_or_else(|| {
        refusal!(
            "its picture {name} is new, and the scene has no other picture whose texture package could get it; put the PNG into the folder of a package, pack it with --add, convert again, and use it then"
        )
    })?;
    let original = job.originals.read(&package).map_err(Refusal::new)?;
    let mut decoded = package::decode(&original).map_err(Refusal::new)?.value;
    let rounding = pictures::add(&mut decoded, name, &png)
        .map_err(|refusal| refusal!("its picture {name}: {refusal}"))?;
    Ok(NewPicture {
        package,
        png,
        rounding,
    })
}

/// The texture package that most pictures of a scene come from, as a path below the install.
fn package_of(job: &Job<'_>, output: &ManifestOutput, base: &SceneFile) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for picture in base
        .surfaces
        .iter()
        .filter_map(|surface| surface.picture.as_ref())
    {
        if let Some(found) = texture_lookup::output(job, output, picture) {
            *counts.entry(&*found.source).or_default() += 1;
        }
    }
    let most = counts.values().max().copied()?;
    let (source, _) = counts.into_iter().find(|(_, count)| *count == most)?;
    let prefix = job.place.strip_suffix(&*output.source)?;
    Some(format!("{prefix}{source}"))
}

/// Gives an edited material another name.
fn rename(scene: &mut SceneFile, number: usize, name: &str) {
    if let Some(stored) = scene.materials.get_mut(number) {
        name.clone_into(stored);
    }
    if let Some(surface) = scene.surfaces.get_mut(number) {
        name.clone_into(&mut surface.name);
    }
    let parts = scene
        .meshes
        .iter_mut()
        .flat_map(|mesh| &mut mesh.primitives);
    for part in parts.filter(|part| part.material == Some(number)) {
        part.surface = Some(name.to_owned());
    }
}

/// Adds the new materials of scenes to the tables of a world.
///
/// # Errors
/// The tables have no room.
pub(in crate::pack::scene) fn add(
    gamez: &mut GameZ,
    scenes: &[EditedScene<'_>],
) -> Result<(), Refusal> {
    let new: BTreeSet<&str> = scenes
        .iter()
        .flat_map(|scene| &scene.new_materials)
        .map(|material| &*material.texture)
        .collect();
    for name in new {
        let like = gamez.materials.used.iter().find_map(Material::texture);
        let index = texture(&mut gamez.textures, name, like.unwrap_or_default(), &|_| {
            true
        })?;
        let always = match gamez.version {
            ZipperGame::Recoil => MaterialFlags::empty(),
            _ => MaterialFlags::ALWAYS,
        };
        let materials = &mut gamez.materials;
        if materials.free.is_empty() {
            refuse!("the game file has no slot for another material");
        }
        materials.free.remove(0);
        materials.used.push(Material {
            record: MaterialRecord {
                alpha: 255,
                flags: always | MaterialFlags::TEXTURED,
                rgb: 0x7FFF,
                color: Vec3::from([255.0; 3]),
                texture_index: index,
                field20: F32(0.0),
                field24: F32(0.5),
                field28: F32(0.5),
                soil: Soil::Default,
                cycle_ptr: 0,
            },
            ..Material::default()
        });
        link(gamez);
    }
    Ok(())
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

/// Adds the new pictures of scenes to the members that texture packages get.
pub(in crate::pack::scene) fn add_members(scenes: &[EditedScene<'_>], members: &mut Members) {
    for material in scenes.iter().flat_map(|scene| &scene.new_materials) {
        if let Some(picture) = &material.picture {
            let own = members.entry(picture.package.clone()).or_default();
            own.insert(material.texture.clone(), picture.png.clone());
        }
    }
}

/// Checks that a packed scene shows the new materials with their pictures. Returns lines for the report.
///
/// # Errors
/// One has no picture.
pub(in crate::pack::scene) fn check_packed(
    after: &SceneFile,
    new: &[NewMaterial],
) -> Result<Vec<String>, Refusal> {
    let mut said = Vec::new();
    for material in new {
        let name = &material.texture;
        let is_it = |shown: &str| {
            let shown = surfaces::essence(shown, &after.materials);
            shown
                .strip_suffix("_ds")
                .unwrap_or(&shown)
                .eq_ignore_ascii_case(name)
        };
        let mut shown = after.surfaces.iter().filter(|surface| is_it(&surface.name));
        if !shown.any(|surface| surface.picture.is_some()) {
            refuse!("the packed file does not show the new material {name} with its picture");
        }
        said.push(match &material.picture {
            Some(picture) => format!("added: material {name}, its picture to {}", picture.package),
            None => format!("added: material {name}"),
        });
        let rounding = material
            .picture
            .as_ref()
            .and_then(|it| it.rounding.as_deref());
        said.extend(rounding.map(|rounding| format!("picture {name}: {rounding}")));
    }
    Ok(said)
}

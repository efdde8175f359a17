//! Materials that an edit adds to a scene, each with a picture that may be new too.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::difference::{SurfaceChange, SurfaceDifference, is_same_picture};
use super::new_material::{EditedMaterial, NewMaterial, NewPicture, shown_name};
use super::new_pictures::EditedPicture;
use super::painted::Paint;
use super::table::{self, texture};
use super::texture_lookup;
use super::tinted::tint_of_users;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::matching::plain_name;
use crate::pack::scene::compare::scene_pair::ScenePair;
use crate::pack::scene::compare::surfaces;
use crate::pack::scene::driver::error::SceneError;
use crate::pack::scene::driver::job::{Job, Members};
use crate::pack::scene::driver::outputs::Opened;
use crate::pack::scene::file::SceneFile;
use crate::pack::scene::file::surface::{Picture, Surface};
use crate::pack::scene::zipper::edited_scene::EditedScene;
use crate::pack::scene::zipper::stored_tree;
use crate::pack::scene::zipper::tree::GameTree;
use crate::pipeline::report::manifest::ManifestOutput;
use relicast_codec::{F32, Vec3};
use relicast_convert::zipper::{MaterialLabel, Materials, material_labels};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::archive::Archive;
use relicast_formats::zipper::gamez::{GameZ, Material, MaterialFlags, MaterialRecord, Soil};
use relicast_formats::zipper::mechlib::{MechMaterial, TextureText};
use relicast_formats::zipper::texture::key_of;

/// Finds the materials of these meshes that the scene does not have. They get the names that the packed scene will have
/// for them: of the game file's material with their picture, else that of a new one. A material without a picture is the
/// one of its name.
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
    let tree = stored_tree::of_output(job, output)?;
    let labels = material_labels(tree.materials());
    let mut all: BTreeMap<String, NewMaterial> = BTreeMap::new();
    for number in unknown {
        let Some(surface) = edit.scene.surfaces.get(number) else {
            continue;
        };
        let sources = (&tree, &*labels);
        let found = new_material(job, output, base, edit, (number, surface), sources)
            .map_err(|refusal| refusal!("materials[{number}] ({}): {refusal}", surface.name))?;
        let Some(found) = found else { continue };
        let side = if surface.is_double_sided { "_ds" } else { "" };
        let shown = format!("{}{side}", found.shown);
        match all.entry(key_of(&found.name)) {
            Entry::Vacant(place) => {
                place.insert(found);
            }
            Entry::Occupied(mut known) => {
                let known = known.get_mut();
                let pictures = (known.picture.as_ref(), found.picture.as_ref());
                if let (Some(one), Some(other)) = pictures
                    && one.png != other.png
                {
                    let first = known.edited.first().map_or("", |first| &first.name);
                    refuse!(
                        "materials[{number}] ({}): its picture {} is not that of {first}, which has this name too; give one of them another name",
                        surface.name,
                        found.name
                    );
                }
                known.edited.extend(found.edited);
            }
        }
        rename(&mut edit.scene, number, &shown);
    }
    Ok(all.into_values().collect())
}

/// A material that faces of an edit have and the scene does not have. `None`: the game file has none of its name, and it
/// has no picture.
fn new_material(
    job: &Job<'_>,
    output: &ManifestOutput,
    base: &SceneFile,
    edit: &Opened,
    (number, surface): (usize, &Surface),
    (tree, labels): (&GameTree, &[MaterialLabel]),
) -> Result<Option<NewMaterial>, Refusal> {
    let edited = || {
        let name = surface.name.clone();
        vec![EditedMaterial { number, name }]
    };
    let stored = |name: &str| {
        let mut labels = labels.iter();
        let found = labels.find(|label| key_of(&label.name) == key_of(name));
        found.map(|label| NewMaterial {
            name: label.name.clone(),
            shown: shown_name(&label.name),
            edited: edited(),
            color: None,
            is_stored: true,
            is_tinted: false,
            is_painted: false,
            picture: None,
        })
    };
    let Some(picture) = &surface.picture else {
        let shown = surfaces::essence(plain_name(&surface.name), &[]);
        let shown = shown.strip_suffix("_ds").unwrap_or(&shown);
        let mut labels = labels.iter();
        let label = labels.find(|label| shown_name(&label.name).eq_ignore_ascii_case(shown));
        let known = stored(label.map_or(shown, |label| &label.name));
        if known.is_some() {
            return Ok(known);
        }
        check_facts(surface)?;
        let tint = tint_of_users(tree, &edit.scene, number);
        let mut found = NewMaterial::of_color(surface, edited(), tint);
        found.is_stored = stored(&found.name).is_some();
        return Ok(Some(found));
    };
    let picture = EditedPicture {
        job,
        output,
        edit,
        material: number,
        picture,
    };
    let paint = Paint::of_new(surface, ignores_alpha(base, surface));
    let painted = picture.painted(base, paint, &[])?;
    let texture = picture.texture().filter(|_| painted.is_none());
    if let Some(known) = texture.as_deref().and_then(stored) {
        return Ok(Some(known));
    }
    check_facts(surface)?;
    let is_painted = painted.is_some();
    let (name, picture) = match texture {
        _ if is_painted => {
            painted.map_or_else(Default::default, |(name, picture)| (name, Some(picture)))
        }
        Some(name) => (name, None),
        None => {
            let name = picture.new_name()?;
            refuse_known(
                &name,
                stored(&name).is_some() || texture_lookup::is_known(job, &name),
            )?;
            let packed = picture.packed(base, &name)?;
            (name, Some(packed))
        }
    };
    Ok(Some(NewMaterial {
        shown: shown_name(&format!("{name}{}", ending(labels))),
        name,
        edited: edited(),
        color: None,
        is_stored: false,
        is_tinted: false,
        is_painted,
        picture,
    }))
}

/// True if a new material does not use the alpha of its picture, and no original one with the picture does so too.
fn ignores_alpha(base: &SceneFile, surface: &Surface) -> bool {
    let is_opaque = |surface: &Surface| surface.alpha.mode == "OPAQUE";
    let shows = |old: &&Surface| is_same_picture(old.picture.as_ref(), surface.picture.as_ref());
    let mut originals = base.surfaces.iter().filter(shows);
    is_opaque(surface) && !originals.any(is_opaque)
}

/// The ending of the names of textures, which those of model libraries have.
fn ending(labels: &[MaterialLabel]) -> &str {
    let textured = labels.iter().filter(|label| label.is_textured);
    let mut endings = textured.filter_map(|label| label.name.get(label.name.rfind('.')?..));
    endings.next().unwrap_or_default()
}

/// Names of textures by the number of a change.
type Textures = BTreeMap<usize, String>;

/// Finds the pictures that materials of the game get, and adds the new ones to the materials. A color, an opacity and a
/// use of alpha that the game does not draw pictures with are painted into a new picture. Returns the names of the
/// pictures by the number of the change.
///
/// # Errors
/// A picture cannot be packed, or the package for it is unknown.
pub(in crate::pack::scene) fn pictures(
    job: &Job<'_>,
    output: &ManifestOutput,
    base: &SceneFile,
    edit: &mut Opened,
    difference: &mut SurfaceDifference,
    new: &mut Vec<NewMaterial>,
) -> Result<Textures, Refusal> {
    let mut names = Textures::new();
    let SurfaceDifference {
        surfaces, unstored, ..
    } = difference;
    for (number, change) in surfaces.iter_mut().enumerate() {
        let inside = |refusal: Refusal| refusal!("materials[{}]: {refusal}", change.edited);
        let (old, shown) = (base.surfaces.get(change.base), change.edited);
        let surface = edit.scene.surfaces.get(shown).cloned();
        let (Some(old), Some(surface)) = (old, surface) else {
            continue;
        };
        let Some(wanted) = &surface.picture else {
            continue;
        };
        let picture = EditedPicture {
            job,
            output,
            edit,
            material: shown,
            picture: wanted,
        };
        if change.color.is_some() || change.opacity.is_some() || change.alpha.is_some() {
            let paint = Paint::of_edited(old, &surface).map_err(inside)?;
            let painted = picture.painted(base, paint, new).map_err(inside)?;
            if let Some((name, packed)) = painted {
                unstored.push(format!(
                    "material {}: the game draws its picture without {}, so the new picture {name} has it painted in",
                    old.name,
                    paint.words()
                ));
                push(new, &name, packed);
                show_painted(&mut edit.scene, change, old, &name);
                call(base, &mut edit.scene, change, old, &name);
                names.insert(number, name);
                continue;
            }
            unstored.push(format!(
                "material {}: not stored by the game: its alpha mode, which does not change how its picture looks",
                old.name
            ));
            (change.color, change.opacity, change.alpha) = (None, None, None);
        }
        if change.picture.is_none() {
            continue;
        }
        let name = match picture.texture() {
            Some(name) => name,
            None => {
                let name = picture.new_name().map_err(inside)?;
                refuse_known(&name, texture_lookup::is_known(job, &name)).map_err(inside)?;
                let packed = picture.packed(base, &name).map_err(inside)?;
                push(new, &name, packed);
                name
            }
        };
        call(base, &mut edit.scene, change, old, &name);
        names.insert(number, name);
    }
    Ok(names)
}

/// Gives a changed material in an edit the name that it will have after its new picture, if no other one has that.
fn call(base: &SceneFile, edit: &mut SceneFile, change: &SurfaceChange, old: &Surface, name: &str) {
    let before = old.picture.as_ref().map_or("", |picture| &*picture.name);
    let parts = old.name.split_at_checked(before.len());
    let Some((start, rest)) = parts.filter(|_| change.edited == change.base) else {
        return;
    };
    let new = format!("{name}{rest}");
    let is_free = !base.materials.contains(&new);
    if is_free
        && start.eq_ignore_ascii_case(before)
        && let Some(called) = edit.materials.get_mut(change.edited)
    {
        *called = new;
    }
}

/// Adds a new picture of a material of the game.
fn push(new: &mut Vec<NewMaterial>, name: &str, picture: NewPicture) {
    if !new.iter().any(|known| known.name == name) {
        new.push(NewMaterial {
            shown: name.to_owned(),
            name: name.to_owned(),
            edited: Vec::new(),
            color: None,
            is_stored: true,
            is_tinted: false,
            is_painted: false,
            picture: Some(picture),
        });
    }
}

/// Makes a changed material of a scene show a painted picture without color.
fn show_painted(scene: &mut SceneFile, change: &mut SurfaceChange, old: &Surface, name: &str) {
    let picture = Picture {
        path: None,
        name: name.to_owned(),
    };
    if let Some(surface) = scene.surfaces.get_mut(change.edited) {
        (surface.color, surface.opacity) = (old.color, old.opacity);
        surface.picture = Some(picture.clone());
    }
    change.picture = Some(picture);
    change.is_painted = true;
    (change.color, change.opacity, change.alpha) = (None, None, None);
}

/// Refuses a new picture with the name of a texture.
fn refuse_known(name: &str, is_known: bool) -> Result<(), Refusal> {
    match is_known {
        false => Ok(()),
        true => Err(refusal!(
            "its picture {name} is not the texture of this name that the install has; give it another name, or use that texture"
        )),
    }
}

/// Materials of primitives of these meshes that the original scene does not have.
fn unknown_materials(
    base: &SceneFile,
    edited: &SceneFile,
    meshes: impl Iterator<Item = usize>,
) -> BTreeSet<usize> {
    let meshes = meshes.filter_map(|mesh| edited.meshes.get(mesh));
    let parts = meshes.flat_map(|mesh| &mesh.primitives);
    let unknown = parts.filter(|part| surfaces::is_new(ScenePair { base, edited }, part));
    unknown
        .filter_map(|part| part.material)
        .filter(|&material| material < edited.surfaces.len())
        .collect()
}

fn check_facts(surface: &Surface) -> Result<(), Refusal> {
    let facts = surface.facts.as_ref().and_then(|facts| facts.keys().next());
    match facts {
        None => Ok(()),
        Some(fact) => Err(refusal!(
            "it is new, and extras.zipper.{fact} can be set only when it exists; remove that, pack, convert again, then set it"
        )),
    }
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

/// New materials of scenes by name, with their colors.
fn new_by_name<'s>(scenes: &'s [EditedScene<'_>]) -> BTreeMap<&'s str, Option<([f32; 3], u8)>> {
    let materials = scenes.iter().flat_map(|scene| &scene.new_materials);
    materials
        .filter(|material| !material.is_stored)
        .map(|material| (&*material.name, material.color))
        .collect()
}

/// A new material of this color, else of a texture.
fn record(version: ZipperGame, color: Option<([f32; 3], u8)>) -> MaterialRecord {
    let mut flags = match version {
        ZipperGame::Recoil => MaterialFlags::empty(),
        _ => MaterialFlags::ALWAYS,
    };
    flags.set(MaterialFlags::TEXTURED, color.is_none());
    let (channels, alpha) = color.unwrap_or(([255.0; 3], 255));
    MaterialRecord {
        alpha,
        flags,
        rgb: if color.is_some() { 0 } else { 0x7FFF },
        color: Vec3::from(channels),
        texture_index: 0,
        field20: F32(0.0),
        field24: F32(0.5),
        field28: F32(0.5),
        soil: Soil::Default,
        cycle_ptr: 0,
    }
}

/// Adds the new materials of scenes to the materials of a model library.
///
/// # Errors
/// The materials cannot be read.
pub(in crate::pack::scene) fn add_to_library(
    archive: &mut Archive<'_>,
    scenes: &[EditedScene<'_>],
) -> Result<(), SceneError> {
    let new = new_by_name(scenes);
    if new.is_empty() {
        return Ok(());
    }
    table::edit_library(archive, |materials, version| {
        let labels = material_labels(Materials::Library(materials, version));
        let ending = ending(&labels);
        for (name, color) in &new {
            let text = || format!("{name}{ending}");
            let texture = color.is_none().then(text);
            materials.push(MechMaterial {
                record: record(version, *color),
                texture: texture.map(|text| TextureText(text.into_bytes())),
            });
        }
        Ok(())
    })
}

/// Adds the new materials of scenes to the tables of a world.
///
/// # Errors
/// The tables have no room.
pub(in crate::pack::scene) fn add(
    gamez: &mut GameZ,
    scenes: &[EditedScene<'_>],
) -> Result<(), Refusal> {
    for (name, color) in new_by_name(scenes) {
        let mut record = record(gamez.version, color);
        if color.is_none() {
            let like = gamez.materials.used.iter().find_map(Material::texture);
            let like = like.unwrap_or_default();
            record.texture_index = texture(&mut gamez.textures, name, like, &|_| true)?;
        }
        let material = Material {
            record,
            ..Material::default()
        };
        table::add_slot(gamez, material).map_err(|refusal| {
            refusal!(
                "{refusal} for the new material {name}; give its faces a material of the game, or paint the picture of one"
            )
        })?;
    }
    Ok(())
}

/// Adds the new pictures of scenes to the members that texture packages get.
///
/// # Errors
/// Two scenes have different pictures of one name.
pub(in crate::pack::scene) fn add_members(
    scenes: &[EditedScene<'_>],
    members: &mut Members,
) -> Result<(), Refusal> {
    let mut known: BTreeMap<String, (&str, &[u8])> = BTreeMap::new();
    for scene in scenes {
        for material in &scene.new_materials {
            let Some(picture) = &material.picture else {
                continue;
            };
            let (first, png) = *known
                .entry(key_of(&material.name))
                .or_insert((scene.path(), &picture.png));
            if png != picture.png {
                refuse!(
                    "the new picture {} of {} is not that of {first}, which has this name too; give one of them another name",
                    material.name,
                    scene.path()
                );
            }
            let own = members.entry(picture.package.clone()).or_default();
            own.insert(material.name.clone(), picture.png.clone());
        }
    }
    Ok(())
}

//! Pictures that an edit asks for and no file has: the games store neither tints nor plain colors of materials, and show
//! pictures of their own archive only. A tinted picture, a plain color, a picture of another archive or one inside of the
//! scene becomes a new member of the archive of the scene, and the material shows it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::archive::{Content, EditedArchive, NewMembers};
use super::baked_picture::{BakedPicture, Origin};
use super::material_leaves::{factor, list, picture};
use super::scene::Scene;
use crate::pack::content;
use crate::pack::edited::{Edited, Refusal, Refusals, unless_refused};
use crate::pack::json::index;
use crate::pack::membership;
use crate::pack::palettes::Palettes;
use crate::pack::picture::{Pixels, level};
use crate::pack::scene::compare::matching::plain_name;
use crate::pack::scene::driver::error::SceneError;
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::driver::outputs::{SceneEdit, without_prefix};
use crate::pack::scene::driver::rerun::{Outputs, Rerun};
use crate::pack::scene::file::surface;
use crate::pack::unit::Unit;
use crate::pipeline::output::links::resolve;
use crate::pipeline::report::manifest::ManifestOutput;
use relicast_codec::Bytes;
use relicast_formats::asset::AssetKind;
use relicast_formats::everquest::texture::dds::{
    self, Dds, DdsHeader, PixelFormat, PixelFormatFlags,
};
use relicast_formats::kind::{ArchiveContext, sniff_pfs_entry};

/// Width and height of a picture of a plain color, in texels; a multiple of the blocks of compressed pictures.
const PLAIN_SIZE: u32 = 8;

/// Finds the pictures that the materials of an edit ask for, and makes the materials show them.
/// `stored` says which values the game stores otherwise.
///
/// # Errors
/// The archive has no picture on which a new one could be modeled.
pub(super) fn find<'j, C: Content>(
    archive: &EditedArchive<'j, C>,
    edit: &mut SceneEdit<'j>,
    stored: Stored,
) -> Result<Vec<BakedPicture<'j>>, Refusal> {
    let mut found = Vec::new();
    let count = list(&edit.edited.document, "materials").len();
    for number in 0..count {
        let Some(wanted) = Wanted::of(&archive.job, edit, number, stored) else {
            continue;
        };
        let baked = wanted.baked(archive, edit.output)?;
        show(&mut edit.edited.document.json, number, &baked, stored);
        found.push(baked);
    }
    if !found.is_empty() {
        edit.edited.scene.surfaces = surface::of(&edit.edited.document.json);
    }
    Ok(found)
}

/// Values of materials that the game stores besides pictures.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stored {
    /// True for a material that has a color.
    pub color: fn(&Value) -> bool,
    /// True if a material has an opacity; else it is the alpha of its picture.
    pub opacity: bool,
}

/// Picture and color that a material is to show.
struct Wanted<'e> {
    material: &'e str,
    from: Origin,
    /// Name of the picture.
    picture: &'e str,
    /// The output that is the picture.
    output: Option<&'e ManifestOutput>,
    tint: [f32; 4],
}

impl<'e> Wanted<'e> {
    /// `None` if the game stores it, or if it is an edit of another kind.
    fn of(job: &Job<'e>, edit: &'e SceneEdit<'_>, number: usize, stored: Stored) -> Option<Self> {
        let (base, edited) = (&edit.base.document, &edit.edited.document);
        let old = list(base, "materials").get(number);
        let new = list(edited, "materials").get(number)?;
        if (stored.color)(new) || old.is_some_and(stored.color) {
            return None;
        }
        let color = |material: &Value| {
            let [red, green, blue, alpha] = factor(material);
            let is_blended = !stored.opacity && material["alphaMode"] == "BLEND";
            [red, green, blue, if is_blended { alpha } else { 1.0 }]
        };
        let tint = color(new);
        let material = new["name"].as_str().unwrap_or_default();
        let texture = &new["pbrMetallicRoughness"]["baseColorTexture"];
        if texture.is_null() {
            let has_picture = |old: &Value| picture(base, old).is_some();
            let is_edited = old.is_none_or(|old| has_picture(old) || color(old) != tint);
            return is_edited.then_some(Self {
                material,
                from: Origin::Color,
                picture: "color",
                output: None,
                tint,
            });
        }
        // Pictures of the conversion are referred to as files.
        if let Some(bytes) = edited.embedded_picture(number) {
            let image = surface::image_of(&edited.json, number);
            let name = image.and_then(|image| image["name"].as_str());
            return Some(Self {
                material,
                from: Origin::Inside(bytes),
                picture: name.unwrap_or(material),
                output: None,
                tint,
            });
        }
        let uri = picture(edited, new)?;
        let path = resolve(&edit.output.path, uri)?;
        let listed = &job.manifest.outputs;
        let own = listed.binary_search_by(|output| output.path.as_str().cmp(&path));
        let own = own.ok().and_then(|at| listed.get(at));
        let is_elsewhere = own.is_some_and(|own| {
            (own.input, &own.source) != (edit.output.input, &edit.output.source)
        });
        let is_new_picture = old.is_none_or(|old| picture(base, old) != Some(uri));
        let is_tinted = tint != [1.0; 4] && old.is_none_or(|old| color(old) != tint);
        let main = own.and_then(|own| main_of(job, own));
        let path = main.map_or(path, |main| main.path.clone());
        (is_tinted || (is_elsewhere && is_new_picture)).then_some(Self {
            material,
            picture: uri,
            from: Origin::File(path),
            output: main,
            tint,
        })
    }

    fn baked<'j, C: Content>(
        &self,
        archive: &EditedArchive<'j, C>,
        scene: &'j ManifestOutput,
    ) -> Result<BakedPicture<'j>, Refusal> {
        let job = &archive.job;
        let is_of_archive =
            |it: &&ManifestOutput| (it.input, &it.source) == (scene.input, &scene.source);
        let mut outputs = job.manifest.outputs.iter();
        let own = self.output.and_then(|own| main_of(job, own));
        let like = own.filter(is_of_archive).or_else(|| {
            let is_picture = |it: &&ManifestOutput| {
                it.kind == AssetKind::Textures && it.member.is_some() && it.path.ends_with(".png")
            };
            let first = outputs.find(|it| is_of_archive(it) && is_picture(it));
            first.and_then(|first| main_of(job, first))
        });
        let like = like.ok_or_else(|| {
            refusal!(
                "material {}: its archive has no picture like which a new one could be stored; give it a picture of the archive",
                self.material
            )
        })?;
        let name = match &self.from {
            Origin::File(path) => membership::stem(path).to_owned(),
            Origin::Color | Origin::Inside(_) => file_stem(self.picture),
        };
        let [red, green, blue, alpha] = self.tint;
        let mut code = String::new();
        if self.from == Origin::Color || [red, green, blue] != [1.0; 3] {
            let [red, green, blue] = [red, green, blue].map(level);
            code = format!("_{red:02x}{green:02x}{blue:02x}");
        }
        if alpha != 1.0 {
            code = format!("{code}_{}", (alpha.clamp(0.0, 1.0) * 100.0).round());
        }
        let folder = scene.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut number = 1_usize;
        loop {
            let digit = match number {
                1 => String::new(),
                _ => format!("_{number}"),
            };
            let path = format!("{folder}/{name}{code}{digit}.png");
            let member = membership::name(&path, like);
            if archive.current.member(&member).is_none() {
                return Ok(BakedPicture {
                    path,
                    member,
                    from: self.from.clone(),
                    tint: self.tint,
                    like,
                    material: self.material.to_owned(),
                });
            }
            number += 1;
        }
    }
}

/// The part of a file name that a picture of this name gets: its characters that all systems allow, without an ending.
fn file_stem(name: &str) -> String {
    let name = plain_name(name);
    let allowed = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-');
    let stem: String = (membership::stem(name).chars())
        .map(|it| {
            if allowed(it) {
                it.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .collect();
    if stem.is_empty() {
        "picture".to_owned()
    } else {
        stem
    }
}

/// The main output of the member that a picture was made from; others are forms of it for one kind of material.
fn main_of<'j>(job: &Job<'j>, output: &ManifestOutput) -> Option<&'j ManifestOutput> {
    let own = job.manifest.outputs.iter().filter(|other| {
        let place = |it: &ManifestOutput| (it.input, it.range.start);
        place(other) == place(output)
            && (&other.source, &other.member) == (&output.source, &output.member)
            && other.path.ends_with(".png")
    });
    own.min_by_key(|other| other.path.len())
}

/// Makes a material of a file show a picture.
fn show(json: &mut Value, number: usize, baked: &BakedPicture<'_>, stored: Stored) {
    let mut push = |list: &str, item: Value| match json[list].as_array_mut() {
        Some(items) => {
            items.push(item);
            items.len() - 1
        }
        None => {
            json[list] = json!([item]);
            0
        }
    };
    let file = baked.path.rsplit('/').next().unwrap_or_default();
    let image = push("images", json!({"uri": file.replace('%', "%25")}));
    let new = push("textures", json!({"source": image}));
    let before = &json["materials"][number]["pbrMetallicRoughness"]["baseColorTexture"];
    let mut info = match before.is_object() {
        true => before.clone(),
        false => json!({"texCoord": 0}),
    };
    let sampler = index(&info["index"]).map(|at| json["textures"][at]["sampler"].clone());
    if let Some(sampler) = sampler.filter(|sampler| !sampler.is_null()) {
        json["textures"][new]["sampler"] = sampler;
    }
    info["index"] = json!(new);
    let alpha = match stored.opacity {
        true => factor(&json["materials"][number])[3],
        false => 1.0,
    };
    let surface = &mut json["materials"][number]["pbrMetallicRoughness"];
    surface["baseColorTexture"] = info;
    surface["baseColorFactor"] = json!([1.0, 1.0, 1.0, alpha]);
}

/// Makes the new members of all scenes of an archive. Returns words about each with the path of its scene too.
///
/// # Errors
/// A picture cannot be read or stored, by scene; or the archive cannot be converted.
pub(super) fn members<'j, C: Content>(
    archive: &EditedArchive<'j, C>,
    scenes: &[Scene<'j>],
    rerun: &Rerun<'_>,
) -> Result<(NewMembers, BTreeMap<String, Vec<String>>), SceneError> {
    let mut made: BTreeMap<String, (&BakedPicture<'_>, Option<Vec<u8>>)> = BTreeMap::new();
    let mut said: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut refusals = Refusals::new();
    if scenes.iter().all(|scene| scene.baked.is_empty()) {
        return Ok(Default::default());
    }
    let rerun = Rerun {
        with_pictures: true,
        ..*rerun
    };
    let shown = rerun.run_with(archive.job.current.to_vec())?;
    for scene in scenes {
        for baked in &scene.baked {
            let path = &scene.output.path;
            let words = said.entry(path.clone()).or_default();
            if let Some((known, bytes)) = made.get(&baked.member) {
                let is_same = (&known.from, known.tint) == (&baked.from, baked.tint);
                match (is_same, bytes) {
                    (true, _) => words.push(baked.words(None)),
                    (false, _) => refusals.push((
                        path.clone(),
                        refusal!(
                            "material {}: two pictures would be {} of the archive; save one under another name beside the scene",
                            baked.material,
                            baked.member
                        ),
                    )),
                }
                continue;
            }
            match encode(baked, archive, &shown) {
                Ok((bytes, rounding)) => {
                    words.push(baked.words(rounding));
                    made.insert(baked.member.clone(), (baked, Some(bytes)));
                }
                Err(refusal) => {
                    let reason = refusal!("material {}: {refusal}", baked.material);
                    refusals.push((path.clone(), reason));
                    made.insert(baked.member.clone(), (baked, None));
                }
            }
        }
    }
    let made = made.into_iter();
    let made = made.filter_map(|(name, (_, bytes))| Some((name, bytes?)));
    Ok(unless_refused((made.collect(), said), refusals)?)
}

/// The bytes of a picture, and how they differ from the edit, in words.
fn encode<C: Content>(
    baked: &BakedPicture<'_>,
    archive: &EditedArchive<'_, C>,
    shown: &Outputs,
) -> Result<(Vec<u8>, Option<String>), Refusal> {
    let job = &archive.job;
    let mut pixels = match &baked.from {
        Origin::Color => Pixels::white(PLAIN_SIZE),
        Origin::Inside(bytes) => Pixels::new(bytes)?,
        Origin::File(path) => {
            let converted = shown.read(&without_prefix(job, path));
            let read = || relicast_source::bytes::read_document(job.out.join(path));
            let bytes = converted.map_or_else(read, Ok);
            let bytes = bytes.map_err(|error| refusal!("{path}: {error}"))?;
            Pixels::new(&bytes)?
        }
    };
    baked.paint(&mut pixels);
    if baked.tint[3] != 1.0 {
        let bytes = dds::encode(&surface(&pixels)).map_err(Refusal::new)?;
        return Ok((bytes, None));
    }
    let output = ManifestOutput {
        path: baked.path.clone(),
        ..baked.like.clone()
    };
    let edit = Edited {
        output: &output,
        bytes: pixels.png()?,
        has_alpha_plane: false,
        palettes: Palettes::default(),
    };
    let like = baked.like.member.as_deref().unwrap_or_default();
    let lost = || refusal!("its archive has no member {like}");
    let entry = archive.current.member(like).ok_or_else(lost)?;
    let original = entry.extract().map_err(Refusal::new)?.value;
    let unit = Unit {
        kind: sniff_pfs_entry(entry),
        name: &baked.member,
        original: &original,
        siblings: &ArchiveContext::default(),
        settings: job.settings,
        edits: &[&edit],
    };
    let made = content::encode(&unit).map_err(|refusals| {
        let first = refusals.into_iter().next();
        first.map_or_else(lost, |(_, refusal)| refusal)
    })?;
    Ok((made.bytes, made.roundings.into_iter().flatten().next()))
}

/// A surface of 8 bits a channel, its first row first, as in archives in EQG format.
fn surface(pixels: &Pixels) -> Dds<'static> {
    /// The height, the width, the length of a row and the pixel format are valid, and so are the capabilities.
    const FLAGS: u32 = 0x100F;
    /// It is a texture.
    const TEXTURE: u32 = 0x1000;
    let texels = pixels.texels.iter();
    let bytes = texels.flat_map(|&[red, green, blue, alpha]| [blue, green, red, alpha]);
    Dds {
        header: DdsHeader {
            magic: Bytes(*b"DDS "),
            size: 124,
            flags: FLAGS,
            height: pixels.height,
            width: pixels.width,
            pitch: pixels.width.saturating_mul(4),
            pixel_format: PixelFormat {
                size: 32,
                flags: PixelFormatFlags::RGB | PixelFormatFlags::ALPHA,
                bits: 32,
                red: 0xFF_0000,
                green: 0xFF00,
                blue: 0xFF,
                alpha: 0xFF00_0000,
                ..PixelFormat::default()
            },
            caps: [TEXTURE, 0, 0, 0],
            ..DdsHeader::default()
        },
        data: bytes.collect::<Vec<u8>>().into(),
    }
}

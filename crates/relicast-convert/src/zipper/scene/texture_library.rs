//! Pictures looked up in texture packages.

pub(crate) use relicast_formats::zipper::texture::key_of;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::Dependency;
use crate::options::{ConvertOptions, Scenes};
use crate::zipper::texture::picture;
use relicast_codec::{Decoded, Deviations, FormatError};
use relicast_formats::kind::Kind;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::texture::package::{
    ADDITIVE, Directory, Image, decode_directory, decode_image, overlaps,
};
use relicast_scene::model::AlphaMode;
use relicast_scene::{self as scene, Pictures};

use super::alpha;
use crate::shared::atlas;

/// Minimum length of a prefix that matches a longer name, when the name may be truncated.
const SHORTEST_CUT: usize = 18;

/// Suffixes of the names of reduced pictures, with the factor of reduction.
const SMALLER: [(&str, u32); 2] = [("_1", 2), ("_2", 4)];

/// A texture package with the output paths of its pictures.
#[derive(Debug)]
struct TexturePackage<'a> {
    path: &'a str,
    bytes: &'a [u8],
    directory: Directory,
    faults: Vec<Option<FormatError>>,
    outputs: &'a [Option<String>],
    /// The first row of each name, lower case.
    rows: BTreeMap<String, usize>,
    /// Group of the package. Packages of a group hold the same pictures in several qualities.
    group: (String, Family, usize),
    version: ZipperGame,
}

/// Kinds of texture packages by their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    /// Skins of 'mechs.
    Mechs,
    /// Everything else.
    Worlds,
}

/// Group that a package is one quality of. In Crimson Skies only the best package is right, because the others
/// hold older art under the same names. So each is its own group.
fn group_of(path: &str, place: usize, version: ZipperGame) -> (String, Family, usize) {
    let path = path.to_lowercase();
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let family = if name.starts_with("rmechtex") {
        Family::Mechs
    } else {
        Family::Worlds
    };
    let alone = if version == ZipperGame::CrimsonSkies {
        place
    } else {
        0
    };
    (folder.to_owned(), family, alone)
}

impl<'a> TexturePackage<'a> {
    fn open(place: usize, dependency: &Dependency<'a>, version: ZipperGame) -> Option<Self> {
        let directory = decode_directory(dependency.bytes).ok()?.value;
        let mut rows = BTreeMap::new();
        for (index, row) in directory.rows.iter().enumerate() {
            rows.entry(row.name.text().to_lowercase()).or_insert(index);
        }
        Some(Self {
            path: dependency.path,
            bytes: dependency.bytes,
            faults: overlaps(dependency.bytes, &directory),
            directory,
            outputs: dependency.outputs,
            rows,
            group: group_of(dependency.path, place, version),
            version,
        })
    }

    /// The image of a row, if there is a picture of it.
    fn image(&self, row: usize) -> Option<Decoded<Image<'a>>> {
        if self.faults.get(row)?.is_some() {
            return None;
        }
        let image = decode_image(self.bytes, &self.directory, row).ok()?;
        (image.value.texel_count() > 0).then_some(image)
    }

    /// Output of the picture of a row. The package itself is its first item.
    fn output(&self, row: usize) -> Option<&'a str> {
        self.outputs.get(row.checked_add(1)?)?.as_deref()
    }
}

/// The packages that a file may take its pictures from, best first.
#[derive(Debug, Default)]
pub(crate) struct TextureLibrary<'a> {
    packs: Vec<TexturePackage<'a>>,
    /// Package and row of each path.
    by_output: BTreeMap<&'a str, (usize, usize)>,
}

/// Skins by their names in variants, as keys of [`key_of`].
pub(crate) type Skins<'a> = BTreeMap<String, Skin<'a>>;

/// A painted skin that is in no package.
#[derive(Debug, Clone)]
pub(crate) struct Skin<'a> {
    /// Its name.
    pub name: String,
    /// Path of its PNG below the output folder, or another unique key for one without a file.
    pub key: String,
    /// True if it has no file of its own.
    pub inside: bool,
    /// Path of its source file.
    pub source: &'a str,
    /// The texture that it replaces.
    pub replaces: String,
    /// The picture.
    pub picture: scene::Image<'static>,
}

/// A picture that was found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoundTexture<'a> {
    /// Its name in the package.
    pub name: String,
    /// Path of its PNG below the output folder.
    pub key: Cow<'a, str>,
    /// Path of its package.
    pub source: &'a str,
    /// Texels in a row, and rows.
    pub size: (u32, u32),
    /// The stored edge mode: bit 0 clamps U, bit 1 clamps V.
    pub edge_mode: u16,
    /// Use of its alpha.
    pub alpha: AlphaMode,
    /// It is blended additively, which glTF cannot express.
    pub is_additive: bool,
    /// Names of reduced pictures made by the artists, which no material uses.
    pub smaller: Vec<String>,
}

impl<'a> TextureLibrary<'a> {
    /// Opens the texture packages among the dependencies of a file.
    pub(crate) fn new(dependencies: &[Dependency<'a>], version: ZipperGame) -> Self {
        let packs: Vec<TexturePackage<'a>> = dependencies
            .iter()
            .filter(|dependency| dependency.kind == Kind::Textures)
            .enumerate()
            .filter_map(|(place, dependency)| TexturePackage::open(place, dependency, version))
            .collect();
        let mut by_output = BTreeMap::new();
        for (place, package) in packs.iter().enumerate() {
            for row in 0..package.directory.rows.len() {
                if let Some(output) = package.output(row) {
                    by_output.entry(output).or_insert((place, row));
                }
            }
        }
        Self { packs, by_output }
    }

    /// The pictures of these archives or packages, made with the settings of `options`.
    pub(crate) fn view<'l>(&'l self, options: &'l ConvertOptions) -> TextureProvider<'l, 'a> {
        TextureProvider {
            library: self,
            options,
            skins: None,
        }
    }

    /// The picture with a stored name. Packages of one folder hold the same pictures in several qualities: the
    /// largest is used, then one with true colors before one with a palette, then the first. Folders are searched
    /// in order; then again for the only name that starts with `name`, which may be truncated.
    pub(crate) fn find(&self, name: &str, options: &Scenes) -> Option<FoundTexture<'a>> {
        let key = key_of(name);
        let exact = |group: &[TexturePackage<'a>]| best(group, &key, options);
        let continued =
            |group: &[TexturePackage<'a>]| best(group, only_continuation(group, &key)?, options);
        let mut groups = self.groups();
        groups.find_map(exact).or_else(|| {
            let may_be_cut = key.len() >= SHORTEST_CUT;
            self.groups().filter(|_| may_be_cut).find_map(continued)
        })
    }

    /// The first name of a picture, except reduced ones, that starts with exactly these digits.
    pub(crate) fn numbered(&self, digits: &str) -> Option<String> {
        let mut names = self.packs.iter().flat_map(|package| {
            let after = package.rows.range(digits.to_owned()..);
            after
                .map(|(name, _)| name)
                .take_while(|name| name.starts_with(digits))
        });
        let is_whole = |name: &&String| {
            let rest = name.get(digits.len()..).unwrap_or_default();
            let more = rest.starts_with(|next: char| next.is_ascii_digit());
            !more && !SMALLER.iter().any(|(suffix, _)| name.ends_with(suffix)) && self.has(name)
        };
        names.find(is_whole).cloned()
    }

    fn groups(&self) -> impl Iterator<Item = &[TexturePackage<'a>]> {
        let same = |one: &TexturePackage<'a>, other: &TexturePackage<'a>| one.group == other.group;
        self.packs.chunk_by(same)
    }
}

/// The best picture of a name in a group.
fn best<'a>(group: &[TexturePackage<'a>], key: &str, options: &Scenes) -> Option<FoundTexture<'a>> {
    let mut best: Option<((usize, bool), &TexturePackage<'a>, usize)> = None;
    for package in group {
        let Some(&row) = package.rows.get(key) else {
            continue;
        };
        let Some(image) = package.image(row).filter(|_| package.output(row).is_some()) else {
            continue;
        };
        let has_palette = image.value.header.palette_count > 0;
        let quality = (image.value.texel_count(), !has_palette);
        if best.is_none_or(|(least, ..)| quality > least) {
            best = Some((quality, package, row));
        }
    }
    let (_, package, row) = best?;
    package.found(row, options)
}

/// The only name of a group that starts with `key`, not counting reduced pictures.
fn only_continuation<'g>(group: &'g [TexturePackage<'_>], key: &str) -> Option<&'g str> {
    let names: BTreeSet<&str> = group
        .iter()
        .flat_map(|package| {
            let after = package
                .rows
                .range(key.to_owned()..)
                .map(|(name, _)| name.as_str());
            after.take_while(|name| name.starts_with(key))
        })
        .collect();
    let is_smaller = |name: &str| {
        let base = SMALLER
            .iter()
            .find_map(|(suffix, _)| name.strip_suffix(suffix));
        base.is_some_and(|base| names.contains(base))
    };
    let mut whole = names.iter().filter(|name| !is_smaller(name));
    let only = *whole.next()?;
    whole.next().is_none().then_some(only)
}

impl TextureLibrary<'_> {
    /// True if a package has a picture of exactly this name, in lower case.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.packs.iter().any(|package| package.has(name))
    }

    /// True if the package of a picture also has the other one.
    pub(crate) fn are_siblings(&self, name: &str, other: &str) -> bool {
        let mut packs = self.packs.iter();
        let home = packs.find(|package| package.has(name));
        home.is_some_and(|package| package.has(other))
    }
}

impl<'a> TexturePackage<'a> {
    fn has(&self, name: &str) -> bool {
        let row = self.rows.get(name).copied();
        row.is_some_and(|row| self.output(row).is_some() && self.image(row).is_some())
    }

    fn found(&self, row: usize, options: &Scenes) -> Option<FoundTexture<'a>> {
        let key = Cow::Borrowed(self.output(row)?);
        let image = self.image(row)?.value;
        let name = self.directory.rows.get(row)?.name.text();
        let lower = name.to_lowercase();
        let smaller = SMALLER.iter().filter_map(|(suffix, factor)| {
            let row = *self.rows.get(&format!("{lower}{suffix}"))?;
            let small = self.image(row)?.value.header;
            let fits = u32::from(small.width) * *factor == u32::from(image.header.width)
                && u32::from(small.height) * *factor == u32::from(image.header.height);
            fits.then(|| self.output(row).map(str::to_owned))?
        });
        let is_additive =
            self.version == ZipperGame::CrimsonSkies && image.header.stretch & ADDITIVE != 0;
        Some(FoundTexture {
            key,
            source: self.path,
            size: (image.header.width.into(), image.header.height.into()),
            edge_mode: image.header.stretch,
            alpha: match is_additive {
                true => AlphaMode::Blend,
                false => alpha::mode(&image, &lower, options),
            },
            is_additive,
            smaller: smaller.collect(),
            name,
        })
    }
}

/// Archives with the settings that their pictures are made with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextureProvider<'l, 'a> {
    library: &'l TextureLibrary<'a>,
    pub(super) options: &'l ConvertOptions,
    skins: Option<&'l Skins<'a>>,
}

impl<'l, 'a> TextureProvider<'l, 'a> {
    /// Adds skins that are in no package.
    pub(crate) fn with_skins(self, skins: &'l Skins<'a>) -> Self {
        Self {
            skins: Some(skins),
            ..self
        }
    }

    /// The picture with a stored name, or the skin with its name in a variant.
    pub(crate) fn find(&self, name: &str) -> Option<FoundTexture<'a>> {
        let options = &self.options.scenes;
        match self.skins.and_then(|skins| skins.get(&key_of(name))) {
            Some(skin) => Some(self.skin_texture(skin, options)),
            None => self.library.find(name, options),
        }
    }

    /// A skin as a found picture: it is used like the texture that it replaces.
    fn skin_texture(&self, skin: &Skin<'a>, options: &Scenes) -> FoundTexture<'a> {
        let below = self.library.find(&skin.replaces, options);
        FoundTexture {
            name: skin.name.clone(),
            key: Cow::Owned(skin.key.clone()),
            source: skin.source,
            size: (skin.picture.width, skin.picture.height),
            edge_mode: below.as_ref().map_or(0, |below| below.edge_mode),
            is_additive: below.as_ref().is_some_and(|below| below.is_additive),
            alpha: match (&skin.picture.pixels, below) {
                (scene::Pixels::Rgba(_), Some(below)) => below.alpha,
                _ => AlphaMode::Opaque,
            },
            smaller: Vec::new(),
        }
    }

    /// The skin with this key.
    fn skin(&self, key: &str) -> Option<&'l Skin<'a>> {
        let mut skins = self.skins?.values();
        skins.find(|skin| skin.key == key)
    }
}

impl Pictures for TextureProvider<'_, '_> {
    fn is_inside(&self, key: &str) -> bool {
        atlas::parts(key).is_some() || self.skin(key).is_some_and(|skin| skin.inside)
    }

    fn picture(&self, key: &str) -> Option<scene::Image<'_>> {
        if let Some(frames) = atlas::parts(key) {
            let frames: Option<Vec<_>> = frames.map(|frame| self.picture(frame)).collect();
            return atlas::pack_row(&frames?);
        }
        if let Some(skin) = self.skin(key) {
            return Some(skin.picture.clone());
        }
        let &(place, row) = self.library.by_output.get(key)?;
        let package = self.library.packs.get(place)?;
        let image = package.image(row)?.value;
        let mut deviations = Deviations::default();
        let converted = picture(
            &image,
            &package.directory,
            row,
            &self.options.textures,
            &mut deviations,
        );
        converted.ok().map(scene::Image::into_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::{Blob, PaddedText};
    use relicast_formats::zipper::texture::color::Rgb565;
    use relicast_formats::zipper::texture::package::{self, Header, ImageFlags, Package, Row};

    const OUTPUTS: usize = 16;

    /// A square picture: name, edge, and true if it has a palette.
    type Square = (&'static str, u16, bool);

    /// A path and the pictures of its package.
    type TestPackage = (&'static str, &'static [Square]);

    /// A package of square pictures.
    fn package(images: &[Square]) -> Vec<u8> {
        let mut package = Package::default();
        package.directory.header.version = 1;
        let mut start = Header::SIZE + images.len() * Row::SIZE;
        for &(name, edge, has_palette) in images {
            let texels = usize::from(edge) * usize::from(edge);
            let mut image = Image::default();
            (image.header.width, image.header.height) = (edge, edge);
            image.header.flags = ImageFlags::TWO_BYTES;
            if has_palette {
                image.header.palette_count = 1;
                image.palette = vec![Rgb565(0)];
                image.texels = Blob::from(vec![0; texels]);
            } else {
                image.texels = Blob::from(vec![0; texels * 2]);
            }
            package.directory.rows.push(Row {
                name: PaddedText::new(name).unwrap(),
                start: start as u32,
                palette_index: -1,
            });
            start += image.stored_length();
            package.images.push(image);
        }
        package::encode(&package).unwrap()
    }

    /// Finds the picture of a name: the number of its package and its row.
    fn find(version: ZipperGame, packs: &[TestPackage], name: &str) -> Option<(usize, usize)> {
        let bytes: Vec<Vec<u8>> = packs.iter().map(|(_, images)| package(images)).collect();
        let outputs: Vec<Vec<Option<String>>> = (0..packs.len())
            .map(|package| {
                (0..OUTPUTS)
                    .map(|row| Some(format!("{package}/{row}")))
                    .collect()
            })
            .collect();
        let dependencies: Vec<Dependency<'_>> = packs
            .iter()
            .enumerate()
            .map(|(place, (path, _))| Dependency {
                path,
                kind: Kind::Textures,
                bytes: &bytes[place],
                digest: None,
                outputs: &outputs[place],
            })
            .collect();
        let library = TextureLibrary::new(&dependencies, version);
        let found = library.find(name, &Scenes::default())?;
        let (package, row) = found.key.split_once('/').unwrap();
        // The package itself is its first item.
        Some((package.parse().unwrap(), row.parse::<usize>().unwrap() - 1))
    }

    #[test]
    fn the_largest_picture_of_a_folder_counts_then_own_colors_then_the_order() {
        let packs: [TestPackage; 4] = [
            (
                "c1/rtexture.zbd",
                &[("Grass", 8, true), ("sand", 4, true), ("rock", 4, true)],
            ),
            (
                "c1/rtexture2.zbd",
                &[("other", 64, false), ("SAND", 8, true), ("rock", 4, false)],
            ),
            ("c1/texture.zbd", &[("grass", 8, true), ("rock", 4, false)]),
            ("rmechtex.zbd", &[("grass", 64, false), ("skin", 4, true)]),
        ];
        let find = |name| find(ZipperGame::MechWarrior3, &packs, name);
        assert_eq!(find("grass.tif"), Some((0, 0)));
        assert_eq!(find("sand..bmp"), Some((1, 1)));
        assert_eq!(find("ROCK"), Some((1, 2)));
        assert_eq!(find("skin"), Some((3, 1)));
        assert_eq!(find("gras"), None);
    }

    #[test]
    fn crimson_skies_uses_the_best_package_alone() {
        let packs: [TestPackage; 2] = [
            ("c1/rtexture12.zbd", &[("grass", 4, true)]),
            ("c1/texture.zbd", &[("grass", 8, false), ("old", 8, false)]),
        ];
        assert_eq!(
            find(ZipperGame::CrimsonSkies, &packs, "grass"),
            Some((0, 0))
        );
        assert_eq!(find(ZipperGame::CrimsonSkies, &packs, "old"), Some((1, 1)));
        assert_eq!(find(ZipperGame::Recoil, &packs, "grass"), Some((1, 0)));
    }

    #[test]
    fn cut_names_are_continued_if_only_one_way_is_open() {
        let packs: [TestPackage; 2] = [
            (
                "c1/rtexture.zbd",
                &[
                    ("dockside_warehouse_south", 8, true),
                    ("dockside_warehouse_south_1", 4, true),
                    ("dockside_warehouse_south_2", 2, true),
                    ("harbour_master_house_a", 8, true),
                    ("harbour_master_house_b", 8, true),
                ],
            ),
            ("c1/texture.zbd", &[("dockside_warehouse_south", 16, true)]),
        ];
        let find = |name| find(ZipperGame::MechWarrior3, &packs, name);
        assert_eq!(find("dockside_warehouse_"), Some((1, 0)));
        assert_eq!(
            find("dockside_warehous"),
            None,
            "too short to be a cut name"
        );
        assert_eq!(find("harbour_master_hous"), None, "two ways");
        assert_eq!(find("harbour_master_house_b"), Some((0, 4)));
    }
}

//! Pictures and scenes looked up across archives: first the archive itself, then those of its zone, then
//! those that all zones share.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::options::ConvertOptions;
use crate::shared::atlas;
use crate::{Dependency, ItemIndex, OpenContext};
use relicast_formats::kind::Kind;
use relicast_scene::{self as scene, Pictures};

use super::actor::TrackSources;
use super::archive_content::SceneFile;
use super::open_archive::{OpenArchive, PICTURE_ENDINGS};
use super::picture;

/// Replaces `.png` in the path of a picture whose alpha is its brightness.
const ADDITIVE: &str = ".additive.png";

/// Replaces `.png` in the path of a picture that is a normal map.
const NORMAL: &str = ".normal.png";

/// Between the keys of a picture and of the normal map whose blue tells where it glows; no path has it.
const GLOWS_BY: char = '\t';

/// The key of a picture where it glows by the blue of a normal map.
pub(super) fn glowing_key(picture: &str, normal: &str) -> String {
    format!("{picture}{GLOWS_BY}{normal}")
}

/// What the names of archives with creatures have in them.
const CREATURES: &str = "chr";

/// Misspelled names of pictures in retail scenes, and the names of the files.
const MISSPELLED: &[(&str, &str)] = &[("canwall1a.bmp", "canwall1.bmp")];

/// The archives that a file may take its pictures and models from, best first; the first is its own.
#[derive(Debug)]
pub(crate) struct ArchiveSet<'a> {
    archives: Vec<OpenArchive<'a>>,
    /// Archive and member of each path of a picture, listed at the first question.
    by_output: OnceLock<BTreeMap<&'a str, (usize, usize)>>,
    /// How many of the archives are of the own zone.
    siblings: usize,
}

/// A picture that was found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FoundTexture<'a> {
    /// Its name in the archive.
    pub name: String,
    /// Path of its PNG below the output folder.
    pub key: &'a str,
    /// Path of its archive.
    pub source: &'a str,
    /// It lies in the archive that was asked first.
    pub own: bool,
}

impl FoundTexture<'_> {
    /// Path of the picture as a normal map.
    pub(super) fn normal_key(&self) -> String {
        let stem = self.key.strip_suffix(".png").unwrap_or(self.key);
        format!("{stem}{NORMAL}")
    }

    /// Path of the variant of the picture whose alpha is its brightness.
    pub(super) fn additive_key(&self) -> String {
        let stem = self.key.strip_suffix(".png").unwrap_or(self.key);
        format!("{stem}{ADDITIVE}")
    }
}

impl<'a> ArchiveSet<'a> {
    /// Opens a file with the archives among its dependencies. The first dependency of a file is the file
    /// itself, for the paths of its own pictures.
    pub(crate) fn new(own: OpenArchive<'a>, context: &OpenContext<'a, '_>) -> Self {
        let archives = context
            .dependencies
            .iter()
            .skip(1)
            .filter(|dependency| dependency.kind == Kind::Pfs);
        let archives = archives.map(|dependency| {
            let Dependency {
                path,
                bytes,
                outputs,
                digest,
                ..
            } = *dependency;
            OpenArchive::new(path, bytes, outputs, context.shared, digest)
        });
        let is_shared = super::dependencies::is_shared(&own.stem());
        let archives: Vec<OpenArchive<'a>> = std::iter::once(own).chain(archives).collect();
        let of_zone = |opened: &&OpenArchive<'a>| !super::dependencies::is_shared(&opened.stem());
        Self {
            siblings: if is_shared {
                1
            } else {
                archives.iter().take_while(of_zone).count()
            },
            archives,
            by_output: OnceLock::new(),
        }
    }

    /// Archive and member of the picture that is written to a path.
    fn picture_at(&self, output: &str) -> Option<(usize, usize)> {
        let by_output = self.by_output.get_or_init(|| {
            let mut by_output = BTreeMap::new();
            for (place, opened) in self.archives.iter().enumerate() {
                for (item, output) in opened.outputs.iter().enumerate() {
                    if let (Some(member), Some(output)) = (ItemIndex(item).member(), output) {
                        by_output.entry(&**output).or_insert((place, member));
                    }
                }
            }
            by_output
        });
        by_output.get(output).copied()
    }

    /// The archives, best first.
    pub(crate) fn archives(&self) -> &[OpenArchive<'a>] {
        &self.archives
    }

    /// Files with tracks for models of the scene at `member`: first the other scenes of its archive and the
    /// creatures of its zone, then the scenes of all other archives.
    pub(super) fn tracks_beside(&self, member: usize) -> TrackSources<'_> {
        let own = self.archives.first();
        let beside = own.map_or(&[][..], OpenArchive::scenes).iter();
        let beside = beside.filter(move |scene| scene.member != member);
        let is_near = |place: usize, opened: &OpenArchive<'_>| {
            place < self.siblings && opened.stem().contains(CREATURES)
        };
        let others = move |near: bool| {
            let others = self.archives.iter().enumerate().skip(1);
            let others = others.filter(move |(place, opened)| is_near(*place, opened) == near);
            others.flat_map(|(_, opened)| opened.scenes())
        };
        TrackSources {
            near: Box::new(beside.chain(others(true)).map(SceneFile::tracks)),
            far: Box::new(others(false).map(SceneFile::tracks)),
            thorough: own.is_some_and(|own| super::dependencies::is_shared(&own.stem())),
        }
    }

    /// Files with tracks for a model of the scene at `member` of the archive at `opened`: all others, best first.
    pub(super) fn tracks_around(&self, opened: usize, member: usize) -> TrackSources<'_> {
        let archives = self.archives.iter().enumerate();
        let scenes = archives.flat_map(|(place, archive)| {
            let scenes = archive.scenes().iter();
            scenes.map(move |scene| (place, scene))
        });
        let others =
            scenes.filter(move |(place, scene)| (*place, scene.member) != (opened, member));
        TrackSources {
            near: Box::new(std::iter::empty()),
            far: Box::new(others.map(|(_, scene)| scene.tracks())),
            thorough: true,
        }
    }

    /// The archives of the own zone, the own one first.
    pub(super) fn siblings(&self) -> &[OpenArchive<'a>] {
        self.archives.get(..self.siblings).unwrap_or_default()
    }

    /// The picture with a file name, searched in the archive at `first`, then in all others in order.
    /// Pictures that cannot be decoded are passed over.
    pub(super) fn find(&self, name: &str, first: usize) -> Option<FoundTexture<'a>> {
        let name = name.to_lowercase();
        let order =
            std::iter::once(first).chain((0..self.archives.len()).filter(|&at| at != first));
        let order: Vec<usize> = order.collect();
        let exact = |name: &str| {
            order.iter().find_map(|&place| {
                let opened = self.archives.get(place)?;
                let member = opened.member(name)?;
                if !opened.is_readable(member) {
                    return None;
                }
                Some(FoundTexture {
                    name: opened.archive().entries.get(member)?.label(),
                    key: opened.output(member)?,
                    source: opened.path,
                    own: place == first,
                })
            })
        };
        if let Some(found) = exact(&name) {
            return Some(found);
        }
        let meant = MISSPELLED.iter().find(|(wrong, _)| *wrong == name);
        if let Some(found) = meant.and_then(|(_, right)| exact(right)) {
            return Some(found);
        }
        let (stem, ending) = name.rsplit_once('.')?;
        let others = PICTURE_ENDINGS.iter().filter(|other| **other != ending);
        others
            .map(|other| format!("{stem}.{other}"))
            .find_map(|name| exact(&name))
    }

    /// Archive and member of a file of the later client, searched in the archive at `first`, then in all
    /// others in order. A closing parenthesis in a name stands for an underscore.
    pub(super) fn find_member(&self, name: &str, first: usize) -> Option<(usize, usize)> {
        let name = name.to_lowercase();
        let plain = name.replace(')', "_");
        let others = (0..self.archives.len()).filter(|&place| place != first);
        std::iter::once(first).chain(others).find_map(|place| {
            let opened = self.archives.get(place)?;
            let member = opened.member(&name).or_else(|| opened.member(&plain))?;
            Some((place, member))
        })
    }

    /// Returns true for a picture that can be read and becomes several files, searched from the archive at `first` on.
    pub(super) fn has_cube_map(&self, name: &str, first: usize) -> bool {
        let found = self.find_member(name, first);
        let opened = found.and_then(|(place, _)| self.archives.get(place));
        opened.zip(found).is_some_and(|(opened, (_, member))| {
            opened.output(member).is_none() && opened.is_readable(member)
        })
    }

    /// The pictures of these archives or packages, made with the settings of `options`.
    pub(crate) fn view<'l>(&'l self, options: &'l ConvertOptions) -> TextureProvider<'l, 'a> {
        TextureProvider {
            archive_set: self,
            options,
        }
    }
}

/// Archives with the settings that their pictures are made with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextureProvider<'l, 'a> {
    pub(super) archive_set: &'l ArchiveSet<'a>,
    pub(super) options: &'l ConvertOptions,
}

impl TextureProvider<'_, '_> {
    /// Whether a masked surface uses the picture `name` (lower case) of the archive at `place`. The surface
    /// is in that archive, or in another one of the zone that lacks the picture.
    pub(super) fn is_masked(&self, place: usize, name: &str) -> bool {
        let corrections = self.options.everquest.corrections;
        let shows = |opened: &OpenArchive<'_>| opened.uses(corrections).masked.contains(name);
        let siblings = self.archive_set.siblings();
        let own = self.archive_set.archives().get(place);
        own.is_some_and(shows)
            || (place < siblings.len()
                && siblings
                    .iter()
                    .any(|opened| shows(opened) && !opened.has(name)))
    }
}

impl TextureProvider<'_, '_> {
    /// Returns the path of the file that shows a picture: the variant for additive blending if it is written, else the
    /// picture itself.
    pub(super) fn file_of<'k>(&self, key: &'k str) -> Cow<'k, str> {
        match key.strip_suffix(ADDITIVE) {
            Some(stem) if self.is_inside(key) => Cow::Owned(format!("{stem}.png")),
            _ => Cow::Borrowed(key),
        }
    }
}

impl Pictures for TextureProvider<'_, '_> {
    /// Whether no archive writes the picture to a file: it has brightness as alpha and only scenes of other
    /// archives use it, or it is a row of several pictures.
    fn is_inside(&self, key: &str) -> bool {
        if atlas::parts(key).is_some() {
            return true;
        }
        if key.contains(GLOWS_BY) {
            return true;
        }
        let additive = key.strip_suffix(ADDITIVE).map(|stem| (stem, true));
        let Some((stem, additive)) = additive.or_else(|| Some((key.strip_suffix(NORMAL)?, false)))
        else {
            return false;
        };
        let corrections = self.options.everquest.corrections;
        let output = format!("{stem}.png");
        let made = self.archive_set.picture_at(&output);
        let made = made.and_then(|(place, member)| {
            let opened = self.archive_set.archives.get(place)?;
            let name = opened.archive().entries.get(member)?.label().to_lowercase();
            let uses = opened.uses(corrections);
            let set = if additive {
                &uses.additive
            } else {
                &uses.normal
            };
            Some(set.contains(&name))
        });
        made != Some(true)
    }

    fn picture(&self, key: &str) -> Option<scene::Image<'_>> {
        if let Some(keys) = atlas::parts(key) {
            let frames: Option<Vec<_>> = keys.map(|key| self.picture(key)).collect();
            return atlas::pack_row(&frames?);
        }
        if let Some((shown, normal)) = key.split_once(GLOWS_BY) {
            let stored = |key: &str| {
                let (place, member) = self.archive_set.picture_at(key)?;
                self.archive_set.archives.get(place)?.picture(member)
            };
            return Some(picture::glowing(&stored(shown)?, &stored(normal)?));
        }
        let bent = key.strip_suffix(NORMAL).map(|stem| format!("{stem}.png"));
        if let Some(output) = bent
            && let Some((place, member)) = self.archive_set.picture_at(&output)
        {
            let stored = self.archive_set.archives.get(place)?.picture(member)?;
            return Some(picture::normal(
                &stored,
                self.options.everquest.normal_green,
            ));
        }
        let plain = key.strip_suffix(ADDITIVE).map(|stem| format!("{stem}.png"));
        let output = plain.as_deref().unwrap_or(key);
        let (place, member) = self.archive_set.picture_at(output)?;
        let opened = self.archive_set.archives.get(place)?;
        let picture = opened.picture(member)?;
        let name = opened.archive().entries.get(member)?.label().to_lowercase();
        Some(match plain {
            Some(_) => picture::additive(&picture),
            None => {
                let masked = self.is_masked(place, &name);
                picture::image(picture, &name, masked, &self.options.textures)
            }
        })
    }
}

#[cfg(test)]
mod tests;

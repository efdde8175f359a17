//! Pictures of the archives of a zone, by the paths that they are written to.

use std::borrow::Cow;

use crate::options::ConvertOptions;
use crate::shared::atlas;
use relicast_formats::everquest::texture::Picture;
use relicast_scene::{self as scene, Pictures};

use super::{Archive, ArchiveSet, FoundTexture};
use crate::everquest::picture;

/// Replaces `.png` in the path of a picture whose alpha is its brightness.
const ADDITIVE: &str = ".additive.png";

/// Replaces `.png` in the path of a picture that is a normal map.
const NORMAL: &str = ".normal.png";

/// Separator of the keys of a picture and of the normal map whose blue gives its glow; no path contains it.
const GLOWS_BY: char = '\t';

/// The key of a picture that glows by the blue of a normal map.
pub(crate) fn glowing_key(picture: &str, normal: &str) -> String {
    format!("{picture}{GLOWS_BY}{normal}")
}

/// A picture that is made from a stored one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    /// Its alpha is its brightness.
    Additive,
    /// It is a normal map.
    Normal,
}

/// The variant of a key, with the path of the picture itself.
fn variant_of(key: &str) -> Option<(Variant, String)> {
    let variants = [(Variant::Additive, ADDITIVE), (Variant::Normal, NORMAL)];
    variants.into_iter().find_map(|(variant, ending)| {
        let stem = key.strip_suffix(ending)?;
        Some((variant, format!("{stem}.png")))
    })
}

impl FoundTexture<'_> {
    /// Path of the picture as a normal map.
    pub(crate) fn normal_key(&self) -> String {
        self.key_ending(NORMAL)
    }

    /// Path of the variant of the picture whose alpha is its brightness.
    pub(crate) fn additive_key(&self) -> String {
        self.key_ending(ADDITIVE)
    }

    fn key_ending(&self, ending: &str) -> String {
        let stem = self.key.strip_suffix(".png").unwrap_or(self.key);
        format!("{stem}{ending}")
    }
}

/// Archives with the settings for their pictures.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextureProvider<'l, 'a> {
    pub(crate) archive_set: &'l ArchiveSet<'a>,
    pub(crate) options: &'l ConvertOptions,
}

impl<'a> ArchiveSet<'a> {
    /// The pictures of these archives or packages, made with the settings of `options`.
    pub(crate) fn view<'l>(&'l self, options: &'l ConvertOptions) -> TextureProvider<'l, 'a> {
        TextureProvider {
            archive_set: self,
            options,
        }
    }
}

impl TextureProvider<'_, '_> {
    /// Returns true when a masked surface uses the picture `name` (lower case) of the archive at `place`. The surface
    /// is in that archive, or in another one of the zone that lacks the picture.
    pub(crate) fn is_masked(&self, place: usize, name: &str) -> bool {
        let corrections = self.options.everquest.corrections;
        let shows = |archive: &Archive<'_>| archive.uses(corrections).masked.contains(name);
        let siblings = self.archive_set.siblings();
        self.archive_set.get(place).is_some_and(shows)
            || (place < siblings.len()
                && siblings
                    .iter()
                    .any(|archive| shows(archive) && archive.member(name).is_none()))
    }

    /// Returns the path of the file that shows a picture: the variant for additive blending if it is written, otherwise
    /// the picture itself.
    pub(crate) fn file_of<'k>(&self, key: &'k str) -> Cow<'k, str> {
        match variant_of(key) {
            Some((Variant::Additive, plain)) if self.is_inside(key) => Cow::Owned(plain),
            _ => Cow::Borrowed(key),
        }
    }

    /// The picture that is stored for an output, with the index of its archive and its name in lower case.
    fn stored(&self, output: &str) -> Option<(Picture, usize, String)> {
        let (place, member) = self.archive_set.picture_at(output)?;
        let archive = self.archive_set.get(place)?;
        Some((
            archive.picture(member)?,
            place,
            archive.label(member)?.to_lowercase(),
        ))
    }
}

impl Pictures for TextureProvider<'_, '_> {
    /// Returns true when no archive writes the picture to a file: a variant that only scenes of other archives
    /// use, or a row of several pictures.
    fn is_inside(&self, key: &str) -> bool {
        if atlas::parts(key).is_some() || key.contains(GLOWS_BY) {
            return true;
        }
        let Some((variant, output)) = variant_of(key) else {
            return false;
        };
        let is_written = || {
            let (place, member) = self.archive_set.picture_at(&output)?;
            let archive = self.archive_set.get(place)?;
            let uses = archive.uses(self.options.everquest.corrections);
            let set = match variant {
                Variant::Additive => &uses.additive,
                Variant::Normal => &uses.normal,
            };
            Some(set.contains(&archive.label(member)?.to_lowercase()))
        };
        is_written() != Some(true)
    }

    fn picture(&self, key: &str) -> Option<scene::Image<'_>> {
        if let Some(keys) = atlas::parts(key) {
            let frames: Option<Vec<_>> = keys.map(|key| self.picture(key)).collect();
            return atlas::pack_row(&frames?);
        }
        if let Some((shown, normal)) = key.split_once(GLOWS_BY) {
            let [(shown, ..), (normal, ..)] = [self.stored(shown)?, self.stored(normal)?];
            return Some(picture::glowing(&shown, &normal));
        }
        if let Some((variant, output)) = variant_of(key)
            && let Some((stored, ..)) = self.stored(&output)
        {
            return Some(match variant {
                Variant::Additive => picture::additive(&stored),
                Variant::Normal => picture::normal(&stored, self.options.everquest.normal_green),
            });
        }
        let (stored, place, name) = self.stored(key)?;
        let masked = self.is_masked(place, &name);
        Some(picture::image(
            stored,
            &name,
            masked,
            &self.options.textures,
        ))
    }
}

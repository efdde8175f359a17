//! The texels of an edited picture, and which of them were edited.

use super::opened::open;
use crate::pack::edited::Refusal;
use relicast_codec::quantity::thousands;
use relicast_formats::everquest::texture::{Key, Picture};

/// Alpha below this is transparent where the format has only opaque and transparent.
pub(super) const HALF: u8 = 128;

/// Red, green, blue, alpha.
pub(in crate::pack) type Texel = [u8; 4];

/// An edited picture.
pub(in crate::pack) struct Pixels {
    pub width: u32,
    pub height: u32,
    pub texels: Vec<Texel>,
    /// Losses when it was read, in words.
    note: Option<String>,
}

impl Pixels {
    /// Decodes the picture in a PNG, or in another file that has its name.
    ///
    /// # Errors
    /// It is not a picture that can be read.
    pub(in crate::pack) fn new(bytes: &[u8]) -> Result<Self, Refusal> {
        let opened = open(bytes)?;
        let decoded = opened.picture.into_rgba8();
        Ok(Self {
            width: decoded.width(),
            height: decoded.height(),
            texels: decoded.as_raw().as_chunks::<4>().0.to_vec(),
            note: opened.note,
        })
    }

    /// The picture.
    pub(in crate::pack) fn image(self) -> image::RgbaImage {
        let bytes = self.texels.into_flattened();
        image::RgbaImage::from_raw(self.width, self.height, bytes).unwrap_or_default()
    }

    /// The report of an edit: its note, and differences of the packed picture.
    pub(super) fn report(
        &self,
        differences: impl IntoIterator<Item = Option<String>>,
    ) -> Option<String> {
        let reports = std::iter::once(self.note.clone()).chain(differences);
        let reports: Vec<String> = reports.flatten().collect();
        (!reports.is_empty()).then(|| reports.join("; "))
    }

    /// Marks texels that differ from each of `before`, the forms in which the stored picture may have been shown; marks
    /// all of them when there are no such forms.
    pub(super) fn edited(&self, before: &[Vec<Texel>]) -> Vec<bool> {
        let texels = self.texels.iter().enumerate();
        let is_edited = |(at, texel)| !before.iter().any(|shown| shown.get(at) == Some(texel));
        texels.map(is_edited).collect()
    }
}

/// All forms in which a picture of EverQuest may have been shown: masked or not, with or without colors in
/// transparent texels.
pub(super) fn variants(picture: &Picture, key: Option<Key>) -> Vec<Vec<Texel>> {
    let plain = picture.rgba(key);
    let mut spread = relicast_scene::Image {
        width: picture.width,
        height: picture.height,
        pixels: relicast_scene::Pixels::Rgba(plain.clone()),
    };
    spread.dilate_transparent();
    vec![plain.as_chunks::<4>().0.to_vec(), spread.true_color()]
}

/// Width or height of a picture as formats store it.
///
/// # Errors
/// It does not fit into 16 bits.
pub(super) fn side(texels: u32) -> Result<u16, Refusal> {
    u16::try_from(texels).map_err(|_| {
        let texels = thousands(texels.into());
        refusal!("a side of {texels} texels; at most 65,535 can be stored")
    })
}

//! The texels of an edited picture, and which of them were edited.

use std::io::Cursor;

use image::{ImageFormat, RgbaImage};

use super::opened::open;
use crate::pack::edited::Refusal;
use relicast_codec::quantity::thousands;
use relicast_formats::everquest::texture::{Key, Picture};
use relicast_scene::space::{linear_from_srgb, srgb_from_linear};

/// The level of a part of a linear color.
pub(in crate::pack) fn level(linear: f32) -> u8 {
    (srgb_from_linear(linear) * 255.0).round() as u8
}

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

    /// A white square with sides of `size` texels.
    pub(in crate::pack) fn white(size: u32) -> Self {
        let count = size.saturating_mul(size) as usize;
        Self {
            width: size,
            height: size,
            texels: vec![[u8::MAX; 4]; count],
            note: None,
        }
    }

    /// Multiplies colors, as light, by linear factors, and replaces alphas. Returns true if a texel changed.
    pub(in crate::pack) fn paint(&mut self, color: [f32; 3], alpha: impl Fn(u8) -> u8) -> bool {
        let levels = || 0..=u8::MAX;
        let tinted = |factor: f32| {
            let light = levels().map(|stored| linear_from_srgb(f32::from(stored)) * factor);
            light.map(level).collect::<Vec<u8>>()
        };
        let [red, green, blue] = color.map(tinted);
        let tables = [red, green, blue, levels().map(alpha).collect()];
        let mut is_changed = false;
        for texel in &mut self.texels {
            for (channel, table) in texel.iter_mut().zip(&tables) {
                let new = table.get(usize::from(*channel)).copied();
                is_changed |= new != Some(*channel);
                *channel = new.unwrap_or(*channel);
            }
        }
        is_changed
    }

    /// The picture as a PNG.
    ///
    /// # Errors
    /// It is too large.
    pub(in crate::pack) fn png(self) -> Result<Vec<u8>, Refusal> {
        let texels = self.texels.into_flattened();
        let picture = RgbaImage::from_raw(self.width, self.height, texels).unwrap_or_default();
        let mut png = Cursor::new(Vec::new());
        picture
            .write_to(&mut png, ImageFormat::Png)
            .map_err(Refusal::new)?;
        Ok(png.into_inner())
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

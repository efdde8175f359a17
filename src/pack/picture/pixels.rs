//! The texels of an edited picture, and which of them were edited.

use crate::golden::diff::picture::{decode_picture, pixels_in};
use crate::pack::edited::Refusal;
use relicast_codec::quantity::thousands;
use relicast_formats::everquest::texture::{Key, Picture};
use relicast_limits as limits;

/// Alpha below this is transparent where the format has only opaque and transparent.
pub(super) const HALF: u8 = 128;

/// Bytes per pixel while a picture is read: as stored, as RGBA, and as texels.
const BYTES_OF_A_PIXEL: usize = 12;

/// Red, green, blue, alpha.
pub(in crate::pack) type Texel = [u8; 4];

/// An edited picture.
pub(in crate::pack) struct Pixels {
    pub width: u32,
    pub height: u32,
    pub texels: Vec<Texel>,
}

impl Pixels {
    /// Decodes the picture in a PNG.
    ///
    /// # Errors
    /// It is not a PNG.
    pub(in crate::pack) fn new(png: &[u8]) -> Result<Self, Refusal> {
        let no_png = |error| refusal!("not a readable PNG: {error}");
        let pixels = pixels_in(png).map_err(no_png)?;
        limits::try_reserve(pixels.saturating_mul(BYTES_OF_A_PIXEL)).map_err(Refusal::new)?;
        let decoded = decode_picture(png).map_err(no_png)?;
        let decoded = decoded.into_rgba8();
        Ok(Self {
            width: decoded.width(),
            height: decoded.height(),
            texels: decoded.as_raw().as_chunks::<4>().0.to_vec(),
        })
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

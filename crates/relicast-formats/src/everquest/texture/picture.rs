//! A decoded picture, and its color key.

use relicast_codec::{FormatError, Result};
use relicast_limits as limits;

/// Pixels of a picture, rows from top to bottom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Texels {
    /// One byte per pixel, an index into the palette. An index may be out of range.
    Indexed {
        /// Indices.
        indices: Vec<u8>,
        /// Red, green, blue.
        palette: Vec<[u8; 3]>,
    },
    /// Red, green, blue.
    Rgb(Vec<[u8; 3]>),
    /// Red, green, blue, alpha.
    Rgba(Vec<[u8; 4]>),
}

/// A picture: 8 bits per channel, display-referred, alpha not premultiplied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The pixels.
    pub texels: Texels,
}

/// Pixels of a picture that a masked material does not show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// Pixels with a palette index, regardless of its color; other indices with that color are shown.
    Index(u8),
    /// Pixels of pure magenta.
    Magenta,
}

/// Textures whose key is not index 0, by a reference implementation.
const ODD_KEYS: &[(&str, u8)] = &[
    ("clhe0004", 255),
    ("kahe0001", 255),
    ("furpile1", 250),
    ("bearrug", 47),
];

const MAGENTA: [u8; 3] = [255, 0, 255];

/// Largest width or height that is decoded; far above any texture of these games.
const SIDE_LIMIT: u32 = 1 << 14;

/// Reverses the order of rows of `width` pixels.
fn reverse_rows<T>(texels: &mut [T], width: usize) {
    texels.reverse();
    texels.chunks_mut(width.max(1)).for_each(<[T]>::reverse);
}

impl Picture {
    /// Reverses the order of the rows.
    pub fn flip_rows(&mut self) {
        let width = self.width as usize;
        match &mut self.texels {
            Texels::Indexed { indices, .. } => reverse_rows(indices, width),
            Texels::Rgb(texels) => reverse_rows(texels, width),
            Texels::Rgba(texels) => reverse_rows(texels, width),
        }
    }

    /// The key that a masked material uses: an index of palettized pictures, magenta of others, none
    /// of pictures with an alpha channel. `name` is the file's, with or without extension.
    pub fn key(&self, name: &str) -> Option<Key> {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        match self.texels {
            Texels::Indexed { .. } => {
                let odd = ODD_KEYS
                    .iter()
                    .find(|(known, _)| known.eq_ignore_ascii_case(stem));
                Some(Key::Index(odd.map_or(0, |&(_, index)| index)))
            }
            Texels::Rgb(_) => Some(Key::Magenta),
            Texels::Rgba(_) => None,
        }
    }

    /// The pixels as red, green, blue, alpha. Pixels of the key are transparent and keep their
    /// color; a palette index without a color is black.
    pub fn rgba(&self, key: Option<Key>) -> Vec<u8> {
        let pixels = (self.width as usize).saturating_mul(self.height as usize);
        limits::reserve(pixels.saturating_mul(size_of::<[u8; 4]>()));
        let alpha = |keyed: bool| if keyed { 0 } else { 255 };
        match &self.texels {
            Texels::Indexed { indices, palette } => {
                let mut table = [[0, 0, 0, 255_u8]; 256];
                for (index, entry) in (0..=255_u8).zip(&mut table) {
                    let [r, g, b] = palette.get(usize::from(index)).copied().unwrap_or_default();
                    *entry = [r, g, b, alpha(key == Some(Key::Index(index)))];
                }
                let colors = indices
                    .iter()
                    .filter_map(|&index| table.get(usize::from(index)));
                colors.flatten().copied().collect()
            }
            Texels::Rgb(colors) => colors
                .iter()
                .flat_map(|&[r, g, b]| {
                    let keyed = key == Some(Key::Magenta) && [r, g, b] == MAGENTA;
                    [r, g, b, alpha(keyed)]
                })
                .collect(),
            Texels::Rgba(colors) => colors.as_flattened().to_vec(),
        }
    }
}

/// Checks the size of a picture and returns the number of its pixels.
pub(super) fn area(width: u32, height: u32, offset: usize) -> Result<usize> {
    let sides = 1..=SIDE_LIMIT;
    if !sides.contains(&width) || !sides.contains(&height) {
        return Err(FormatError::malformed(
            "size",
            offset,
            format_args!("sides of 1 to {SIDE_LIMIT}"),
            format_args!("{width} × {height}"),
        ));
    }
    let pixels = (width as usize).saturating_mul(height as usize);
    limits::try_reserve(pixels.saturating_mul(size_of::<[u8; 4]>()))?;
    Ok(pixels)
}

/// Widens the bits of `value` under `mask` to 8 bits by repeating them; 0 for an empty mask.
pub(super) fn channel(value: u32, mask: u32) -> u8 {
    if mask == 0 {
        return 0;
    }
    let shift = mask.trailing_zeros();
    let most = u64::from(mask >> shift);
    let part = u64::from((value & mask) >> shift);
    let widened = part
        .saturating_mul(255)
        .saturating_add(most / 2)
        .checked_div(most)
        .unwrap_or_default();
    u8::try_from(widened).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_an_index_and_not_a_color() {
        let picture = Picture {
            width: 3,
            height: 1,
            texels: Texels::Indexed {
                indices: vec![0, 1, 9],
                palette: vec![[1, 2, 3], [1, 2, 3]],
            },
        };
        let key = picture.key("leaf.bmp");
        assert_eq!(key, Some(Key::Index(0)));
        assert_eq!(picture.rgba(key), [1, 2, 3, 0, 1, 2, 3, 255, 0, 0, 0, 255]);
        assert_eq!(picture.rgba(None)[3], 255);
        assert_eq!(picture.key("BearRug.bmp"), Some(Key::Index(47)));
        assert_eq!(picture.key("furpile1"), Some(Key::Index(250)));
    }

    #[test]
    fn magenta_is_the_key_of_pictures_without_a_palette() {
        let picture = Picture {
            width: 2,
            height: 1,
            texels: Texels::Rgb(vec![MAGENTA, [255, 0, 254]]),
        };
        let key = picture.key("a.bmp");
        assert_eq!(picture.rgba(key), [255, 0, 255, 0, 255, 0, 254, 255]);
        assert_eq!(picture.rgba(None), [255, 0, 255, 255, 255, 0, 254, 255]);
    }

    #[test]
    fn channels_widen_to_the_full_range() {
        assert_eq!(channel(0xF800, 0xF800), 255);
        assert_eq!(channel(0x07E0, 0x07E0), 255);
        assert_eq!(channel(0x0020, 0x07E0), 4);
        assert_eq!(channel(0x0800, 0xF800), 8);
        assert_eq!(channel(0x1234_5678, 0x00FF_0000), 0x34);
        assert_eq!(channel(u32::MAX, u32::MAX), 255);
        assert_eq!(channel(7, 0), 0);
    }
}

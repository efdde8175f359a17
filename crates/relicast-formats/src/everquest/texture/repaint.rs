//! Edited DDS pictures: only edited pixels are stored again, in each of the sizes that the file has.

use texpresso::{Format, Params};

use super::block::BlockFormat;
use super::dds::{Channels, Dds, Storage};
use super::picture::area;
use relicast_codec::{FormatError, Result};

/// A picture to store: texels row by row from the first stored row, and a flag for each edited one.
#[derive(Debug, Clone)]
struct Level {
    width: usize,
    height: usize,
    texels: Vec<[u8; 4]>,
    edited: Vec<bool>,
}

impl Level {
    /// The next smaller size: the mean of four texels.
    fn halved(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut half = Self {
            width,
            height,
            texels: Vec::with_capacity(width.saturating_mul(height)),
            edited: Vec::with_capacity(width.saturating_mul(height)),
        };
        for y in 0..height {
            for x in 0..width {
                let (right, below) = (
                    (x * 2 + 1).min(self.width.saturating_sub(1)),
                    (y * 2 + 1).min(self.height.saturating_sub(1)),
                );
                let places = [
                    (x * 2, y * 2),
                    (right, y * 2),
                    (x * 2, below),
                    (right, below),
                ];
                let places = places.map(|(x, y)| y * self.width + x);
                let mut sums = [0_u32; 4];
                for texel in places.iter().filter_map(|&at| self.texels.get(at)) {
                    for (sum, &part) in sums.iter_mut().zip(texel) {
                        *sum = sum.saturating_add(part.into());
                    }
                }
                let mean = sums.map(|sum| u8::try_from((sum + 2) / 4).unwrap_or(u8::MAX));
                half.texels.push(mean);
                half.edited
                    .push(places.iter().any(|&at| self.edited.get(at) == Some(&true)));
            }
        }
        half
    }
}

impl Dds<'_> {
    /// The pixels with an edited flat picture, for [`Dds::data`]: `texels` row by row from the first stored row, as
    /// many as the largest size has; only those that are `edited` are stored.
    ///
    /// # Errors
    /// A cube, or a pixel format other than colors in blocks or 8 bits per channel.
    pub fn repainted(&self, texels: &[[u8; 4]], edited: &[bool]) -> Result<Vec<u8>> {
        let storage = self.storage()?;
        let unsupported = |expected: &str, found: &dyn std::fmt::Display| {
            FormatError::unsupported("pixel_format", 76, expected, found)
        };
        if self.faces() > 1 {
            return Err(unsupported("a flat picture", &"a cube"));
        }
        let mut level = Level {
            width: self.header.width as usize,
            height: self.header.height as usize,
            texels: texels.to_vec(),
            edited: edited.to_vec(),
        };
        let mut data = self.data.to_vec();
        let levels = self.levels()?;
        let mut start = storage.palette_size();
        let palette = self.palette();
        for number in 0..levels {
            let length = self.level_size(storage, number);
            let stored = data
                .get_mut(start..start.saturating_add(length))
                .unwrap_or_default();
            match storage {
                Storage::Blocks(format) => blocks(&level, format, stored),
                Storage::Plain(bytes, Channels::Colors(masks, alpha)) => {
                    plain(&level, bytes, masks, alpha, stored).ok_or_else(|| {
                        unsupported("channels of 8 bits", &format_args!("{masks:x?}"))
                    })?;
                }
                Storage::Indexed => indexed(&level, &palette, stored),
                Storage::Plain(..) => return Err(unsupported("colors", &"directions")),
            }
            start = start.saturating_add(length);
            level = level.halved();
        }
        Ok(data)
    }
}

/// In [`DdsHeader::flags`](super::dds::DdsHeader::flags): the pitch is that of a row.
const ROW_PITCH: u32 = 1 << 3;

/// In the same: the pitch is the size of the whole picture.
const WHOLE_PITCH: u32 = 1 << 19;

impl Dds<'_> {
    /// A flat picture of another size, still black, in the same pixel format: with as many smaller sizes as before, or
    /// down to one pixel if it had them all.
    ///
    /// # Errors
    /// A cube, an unknown pixel format, or more pixels than a picture may have.
    pub fn resized(&self, width: u32, height: u32) -> Result<Dds<'static>> {
        if self.faces() > 1 {
            let (expected, found) = ("a flat picture", "a cube");
            return Err(FormatError::unsupported("caps", 112, expected, found));
        }
        area(width, height, 12)?;
        let storage = self.storage()?;
        let all = |width: u32, height: u32| {
            let most = width.max(height).max(1).ilog2().saturating_add(1);
            u8::try_from(most).unwrap_or(u8::MAX)
        };
        let levels = match self.levels()? {
            few @ 0..=1 => few.max(1),
            count if count >= all(self.header.width, self.header.height) => all(width, height),
            count => count.min(all(width, height)),
        };
        let mut header = self.header.clone();
        (header.width, header.height) = (width, height);
        // Some headers do not store it.
        if header.mip_count != 0 {
            header.mip_count = levels.into();
        }
        let mut resized = Dds {
            header,
            data: Vec::new().into(),
        };
        let first = resized.level_size(storage, 0);
        let row = match storage {
            Storage::Plain(bytes, _) => (width as usize).saturating_mul(bytes),
            Storage::Blocks(format) => (width as usize).div_ceil(4).saturating_mul(format.size()),
            Storage::Indexed => width as usize,
        };
        let pitch = match self.header.flags {
            flags if flags & WHOLE_PITCH != 0 => Some(first),
            flags if flags & ROW_PITCH != 0 => Some(row),
            _ => None,
        };
        if let Some(pitch) = pitch.and_then(|pitch| u32::try_from(pitch).ok()) {
            resized.header.pitch = pitch;
        }
        let sizes = (0..levels).map(|number| resized.level_size(storage, number));
        let length = sizes.fold(0, usize::saturating_add);
        let mut data = self
            .data
            .get(..storage.palette_size())
            .unwrap_or_default()
            .to_vec();
        data.resize(data.len().saturating_add(length), 0);
        resized.data = data.into();
        Ok(resized)
    }
}

/// Stores blocks with an edited texel.
fn blocks(level: &Level, format: BlockFormat, stored: &mut [u8]) {
    let across = level.width.div_ceil(4).max(1);
    let coding = match format {
        BlockFormat::Dxt1 => Format::Bc1,
        BlockFormat::Dxt3 => Format::Bc2,
        BlockFormat::Dxt5 => Format::Bc3,
    };
    for (index, block) in stored.chunks_exact_mut(format.size()).enumerate() {
        let (left, top) = (index % across * 4, index / across * 4);
        let mut texels = [[0; 4]; 16];
        let (mut mask, mut is_edited) = (0_u32, false);
        for (number, texel) in texels.iter_mut().enumerate() {
            let (x, y) = (left + number % 4, top + number / 4);
            let at = y * level.width + x;
            let seen = level
                .texels
                .get(at)
                .filter(|_| x < level.width && y < level.height);
            if let Some(seen) = seen {
                *texel = *seen;
                mask |= 1 << number;
                is_edited |= level.edited.get(at) == Some(&true);
            }
        }
        if is_edited {
            coding.compress_block_masked(texels, mask, Params::default(), block);
        }
    }
}

/// Stores edited texels as the indices of the nearest colors.
fn indexed(level: &Level, palette: &[[u8; 3]], stored: &mut [u8]) {
    let mut known = std::collections::HashMap::new();
    let texels = level.texels.iter().zip(&level.edited);
    for (index, (&[red, green, blue, _], _)) in stored
        .iter_mut()
        .zip(texels)
        .filter(|(_, (_, edited))| **edited)
    {
        let wanted = [red, green, blue];
        *index = *known.entry(wanted).or_insert_with(|| {
            let distance = |color: &[u8; 3]| -> u32 {
                let parts = color.iter().zip(wanted);
                parts
                    .map(|(&one, other)| u32::from(one.abs_diff(other)).pow(2))
                    .sum()
            };
            let nearest = (0..=u8::MAX).zip(palette);
            let nearest = nearest.min_by_key(|(_, color)| distance(color));
            nearest.map_or(0, |(index, _)| index)
        });
    }
}

/// Stores edited texels of channels that are bytes; `None` for other channels.
fn plain(
    level: &Level,
    bytes: usize,
    masks: [u32; 3],
    alpha: Option<u32>,
    stored: &mut [u8],
) -> Option<()> {
    let byte = |mask: u32| {
        let shift = mask.trailing_zeros();
        (mask.checked_shr(shift) == Some(0xFF) && shift.is_multiple_of(8))
            .then_some((shift / 8) as usize)
    };
    let [red, green, blue] = masks;
    let mut places = vec![(byte(red)?, 0), (byte(green)?, 1), (byte(blue)?, 2)];
    if let Some(alpha) = alpha {
        places.push((byte(alpha)?, 3));
    }
    let texels = level.texels.iter().zip(&level.edited);
    for (pixel, (texel, _)) in stored
        .chunks_exact_mut(bytes.max(1))
        .zip(texels)
        .filter(|(_, (_, edited))| **edited)
    {
        for &(place, channel) in &places {
            if let (Some(stored), Some(part)) = (pixel.get_mut(place), texel.get(channel)) {
                *stored = *part;
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::everquest::texture::dds::{DdsHeader, PixelFormat, PixelFormatFlags};
    use relicast_codec::Bytes;

    fn surface(code: &[u8; 4], size: usize) -> Dds<'static> {
        // 8 × 8, 4 × 4, 2 × 2 and 1 × 1 pixels.
        Dds {
            header: DdsHeader {
                magic: Bytes(*b"DDS "),
                size: 124,
                height: 8,
                width: 8,
                mip_count: 4,
                pixel_format: PixelFormat {
                    size: 32,
                    flags: PixelFormatFlags::CODE,
                    code: Bytes(*code),
                    ..PixelFormat::default()
                },
                ..DdsHeader::default()
            },
            data: vec![0x5A; size * 7].into(),
        }
    }

    #[test]
    fn edited_blocks_are_painted_in_all_sizes_and_others_keep_their_bytes() {
        for (code, size) in [(b"DXT1", 8), (b"DXT3", 16), (b"DXT5", 16)] {
            let before = surface(code, size);
            let red = [255, 0, 0, 255];
            // The first stored rows are the bottom ones: a corner block.
            let edited: Vec<bool> = (0..64).map(|at| at % 8 < 4 && at / 8 < 4).collect();
            let data = before.repainted(&[red; 64], &edited).unwrap();
            assert_eq!(data[size..size * 4], before.data[size..size * 4]);
            let after = Dds {
                data: data.into(),
                ..before.clone()
            };
            let picture = after.surface(0, 0).unwrap().rgba(None);
            // Bottom left.
            assert_eq!(picture[7 * 8 * 4..][..4], red);
            let smallest = after.surface(0, 3).unwrap().rgba(None);
            assert_eq!(smallest[..4], red);
        }
    }

    #[test]
    fn indices_are_painted_behind_the_palette() {
        let mut before = surface(b"\0\0\0\0", 1);
        before.header.pixel_format = PixelFormat {
            size: 32,
            flags: PixelFormatFlags::INDEXED,
            bits: 8,
            ..PixelFormat::default()
        };
        before.header.mip_count = 1;
        let mut data = vec![0; 1024];
        data[4..8].copy_from_slice(&[200, 100, 50, 7]);
        data[8..12].copy_from_slice(&[10, 20, 30, 7]);
        data.extend([2; 64]);
        before.data = data.into();
        let picture = before.picture().unwrap();
        assert_eq!(picture.rgba(None)[..4], [10, 20, 30, 255]);
        let mut edited = vec![false; 64];
        edited[1] = true;
        let data = before
            .repainted(&[[199, 101, 50, 255]; 64], &edited)
            .unwrap();
        assert_eq!(data[1024..1027], [2, 1, 2]);
        assert_eq!(data[..1024], before.data[..1024]);
        let larger = before.resized(16, 8).unwrap();
        assert_eq!(larger.data.len(), 1024 + 128);
        assert_eq!(larger.data[..1024], before.data[..1024]);
        let cut = Dds {
            data: vec![0; 1000].into(),
            ..before
        };
        assert!(cut.picture().is_err());
    }

    #[test]
    fn plain_channels_are_stored_where_the_masks_say() {
        let mut before = surface(b"\0\0\0\0", 1);
        before.header.pixel_format = PixelFormat {
            size: 32,
            flags: PixelFormatFlags::RGB,
            bits: 32,
            red: 0xFF_0000,
            green: 0xFF00,
            blue: 0xFF,
            ..PixelFormat::default()
        };
        before.header.mip_count = 1;
        before.data = vec![9; 256].into();
        let mut edited = vec![false; 64];
        edited[1] = true;
        let data = before.repainted(&[[1, 2, 3, 4]; 64], &edited).unwrap();
        assert_eq!(data[..12], [9, 9, 9, 9, 3, 2, 1, 9, 9, 9, 9, 9]);
    }
}

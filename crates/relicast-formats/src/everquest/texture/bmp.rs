//! Windows bitmaps: palettized or true color, not compressed.
//!
//! ```text
//! file header 14 · information header 40 (or more) · palette · pixels, bottom row first
//! ```
//!
//! The games' files have eight bits per pixel and often two zero bytes at the end. A palette may be
//! shorter than 256 colors, so only the stored offset gives the start of the pixels.

use relicast_codec::quantity::counted;
use std::borrow::Cow;

use serde::Serialize;

use super::picture::{Picture, Texels, area, channel};
use relicast_codec::{
    Blob, Bytes, Decoded, FixedSize, FormatError, Reader, Result, Stream, Walk, Writer, shown,
};

relicast_codec::record! {
    /// Start of the file, 14 bytes.
    pub struct BmpHeader[14] {
        /// Offset 0: `BM`.
        magic: Bytes<2> [must Bytes(*b"BM")],
        /// Offset 2: size of the file; not reliable.
        file_size: u32,
        /// Offset 6: 0.
        reserved: u32,
        /// Offset 10: first byte of the pixels.
        pixel_offset: u32,
    }
}

relicast_codec::open_enum! {
    /// Compression of the pixels.
    pub enum Compression: u32 {
        /// Uncompressed.
        None = 0,
        /// Run lengths of bytes.
        Rle8 = 1,
        /// Run lengths of half bytes.
        Rle4 = 2,
        /// Uncompressed, with masks for the channels.
        Bitfields = 3,
    }
}

relicast_codec::record! {
    /// The information header, its first 40 bytes.
    pub struct InfoHeader[40] {
        /// Offset 0: size of the header, 40 or more.
        header_size: u32,
        /// Offset 4: pixels in a row.
        width: i32,
        /// Offset 8: rows; negative when the top row comes first.
        height: i32,
        /// Offset 12: 1.
        planes: u16 [always 1],
        /// Offset 14: 8 in the games' own files.
        bits: u16,
        /// Offset 16: compression of the pixels.
        compression: Compression,
        /// Offset 20: bytes of the pixels, or 0.
        image_size: u32,
        /// Offset 24: pixels per meter.
        x_resolution: i32,
        /// Offset 28: pixels per meter.
        y_resolution: i32,
        /// Offset 32: colors of the palette, 0 for the maximum of the bit depth.
        colors_used: u32,
        /// Offset 36: important colors.
        colors_important: u32,
    }
}

/// A bitmap as stored in its file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bmp<'a> {
    /// Start of the file.
    pub header: BmpHeader,
    /// The information header.
    pub info: InfoHeader,
    /// The rest of a longer information header, or the three masks that follow a short one.
    pub extension: Blob<'a>,
    /// Blue, green, red, 0 of each color.
    pub palette: Vec<[u8; 4]>,
    /// Bytes between palette and pixels.
    pub gap: Blob<'a>,
    /// Rows, each filled to a multiple of four bytes.
    #[serde(skip)]
    pub rows: Blob<'a>,
    /// Bytes after the rows.
    pub trailing: Blob<'a>,
}

impl Bmp<'_> {
    /// Width, height and stride, checked.
    fn size(&self) -> Result<(u32, u32, usize)> {
        let width = u32::try_from(self.info.width).unwrap_or_default();
        let height = self.info.height.unsigned_abs();
        let pixels = area(width, height, BmpHeader::SIZE.saturating_add(4))?;
        Ok((width, height, pixels))
    }

    /// Bytes of a row.
    fn stride(&self) -> Result<usize> {
        let (width, _, _) = self.size()?;
        let bits = (width as usize).saturating_mul(usize::from(self.info.bits));
        Ok(bits.div_ceil(32).saturating_mul(4))
    }

    /// A bitmap of another size with the same palette, all its pixels 0. Rows keep their order, and headers that
    /// store sizes store the new ones.
    ///
    /// # Errors
    /// More pixels than a picture may have.
    pub fn resized(&self, width: u32, height: u32) -> Result<Bmp<'static>> {
        area(width, height, BmpHeader::SIZE.saturating_add(4))?;
        let signed = |size: u32| i32::try_from(size).unwrap_or(i32::MAX);
        let mut info = self.info.clone();
        info.width = signed(width);
        info.height = match self.info.height < 0 {
            true => -signed(height),
            false => signed(height),
        };
        let mut resized = Bmp {
            header: self.header.clone(),
            info,
            extension: self.extension.to_vec().into(),
            palette: self.palette.clone(),
            gap: self.gap.to_vec().into(),
            rows: Vec::new().into(),
            trailing: self.trailing.to_vec().into(),
        };
        let length = resized.stride()?.saturating_mul(height as usize);
        resized.rows = vec![0; length].into();
        let saturated = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
        if self.info.image_size != 0 {
            // Includes the bytes after the rows, if the header counted them.
            let more = (self.info.image_size as usize).saturating_sub(self.rows.len());
            resized.info.image_size =
                saturated(length.saturating_add(more.min(self.trailing.len())));
        }
        if self.header.file_size != 0 {
            let others = (self.header.file_size as usize).saturating_sub(self.rows.len());
            resized.header.file_size = saturated(length.saturating_add(others));
        }
        Ok(resized)
    }

    fn color_count(&self) -> usize {
        let most = match self.info.bits {
            bits @ 1..=8 => 1_usize << bits,
            _ => 0,
        };
        match self.info.colors_used as usize {
            0 => most,
            used => used,
        }
    }

    /// Masks of red, green, blue and alpha for pixels of 16 or 32 bits.
    fn masks(&self) -> [u32; 4] {
        if self.info.compression == Compression::Bitfields {
            let mask = |index: usize| {
                let bytes = self.extension.get(index.saturating_mul(4)..);
                bytes.and_then(u32::load).unwrap_or_default()
            };
            return [mask(0), mask(1), mask(2), mask(3)];
        }
        match self.info.bits {
            16 => [0x7C00, 0x03E0, 0x001F, 0],
            _ => [0x00FF_0000, 0xFF00, 0xFF, 0],
        }
    }

    /// The picture.
    ///
    /// # Errors
    /// A size, depth or compression that no known archive has.
    pub fn picture(&self) -> Result<Picture> {
        let (width, height, pixels) = self.size()?;
        let stride = self.stride()?;
        let top_first = self.info.height < 0;
        let rows = self.rows.chunks_exact(stride.max(1));
        let rows: Vec<&[u8]> = match top_first {
            true => rows.collect(),
            false => rows.rev().collect(),
        };
        let across = width as usize;
        let bits = self.info.bits;
        let texels = match bits {
            1 | 2 | 4 | 8 => {
                let mut indices = Vec::with_capacity(pixels);
                for row in rows {
                    match row.get(..across) {
                        Some(whole) if bits == 8 => indices.extend_from_slice(whole),
                        _ => indices.extend(row_indices(row, bits).take(across)),
                    }
                }
                let palette = self.palette.iter().map(|&[b, g, r, _]| [r, g, b]);
                Texels::Indexed {
                    indices,
                    palette: palette.collect(),
                }
            }
            24 => {
                let mut colors = Vec::with_capacity(pixels);
                for row in rows {
                    let row = row.as_chunks::<3>().0.iter().take(across);
                    colors.extend(row.map(|&[b, g, r]| [r, g, b]));
                }
                Texels::Rgb(colors)
            }
            _ => self.masked_texels(&rows, across),
        };
        Ok(Picture {
            width,
            height,
            texels,
        })
    }

    /// Pixels of 16 or 32 bits.
    fn masked_texels(&self, rows: &[&[u8]], across: usize) -> Texels {
        let [red, green, blue, alpha] = self.masks();
        let bytes = usize::from(self.info.bits / 8).max(1);
        let values = rows.iter().flat_map(|row| {
            row.chunks_exact(bytes).take(across).map(|pixel| {
                let wide = u16::load(pixel).map(u32::from);
                u32::load(pixel).or(wide).unwrap_or_default()
            })
        });
        let color = |value| [red, green, blue].map(|mask| channel(value, mask));
        match alpha {
            0 => Texels::Rgb(values.map(color).collect()),
            _ => Texels::Rgba(
                values
                    .map(|value| {
                        let [r, g, b] = color(value);
                        [r, g, b, channel(value, alpha)]
                    })
                    .collect(),
            ),
        }
    }

    fn check(&self) -> Result<()> {
        let offset = BmpHeader::SIZE;
        if self.info.header_size as usize != InfoHeader::SIZE.saturating_add(self.longer()) {
            return Err(FormatError::unsupported(
                "info.header_size",
                offset,
                "40 or more",
                self.info.header_size,
            ));
        }
        let fits = match self.info.compression {
            Compression::None => matches!(self.info.bits, 1 | 2 | 4 | 8 | 16 | 24 | 32),
            Compression::Bitfields => matches!(self.info.bits, 16 | 32),
            _ => false,
        };
        if !fits {
            return Err(FormatError::unsupported(
                "info.bits",
                offset.saturating_add(14),
                "1 to 32 bits without compression",
                format_args!("{} bits, {}", self.info.bits, shown(&self.info.compression)),
            ));
        }
        Ok(())
    }

    /// Number of bytes by which the information header is longer than the known one.
    fn longer(&self) -> usize {
        (self.info.header_size as usize).saturating_sub(InfoHeader::SIZE)
    }
}

/// The indices of a row, including the ones that fill its last word.
fn row_indices(row: &[u8], bits: u16) -> impl Iterator<Item = u8> {
    let bits = u32::from(bits.clamp(1, 8));
    let per_byte = 8 / bits;
    let mask = u8::MAX >> 8_u32.saturating_sub(bits);
    row.iter().flat_map(move |&byte| {
        (1..=per_byte).map(move |place| {
            let shift = 8_u32.saturating_sub(place.saturating_mul(bits));
            byte >> shift & mask
        })
    })
}

/// Decodes a bitmap.
///
/// # Errors
/// Not a bitmap, a form that no known archive has, or pixels that run past the end of the file.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Bmp<'_>>> {
    let mut reader = Reader::new(bytes);
    let mut bmp = Bmp::default();
    reader.nested("header", &mut bmp.header)?;
    reader.nested("info", &mut bmp.info)?;
    bmp.check()?;
    let masks = match (bmp.info.compression, bmp.longer()) {
        (Compression::Bitfields, 0) => 12,
        (_, longer) => longer,
    };
    reader.bytes("extension", &mut bmp.extension.0, masks)?;
    let start = reader.position();
    let pixels = bmp.header.pixel_offset as usize;
    let room = pixels.checked_sub(start).ok_or_else(|| {
        let expected = format_args!("at least {start}");
        FormatError::malformed("header.pixel_offset", 10, expected, pixels)
    })?;
    let wanted = bmp.color_count();
    let colors = wanted.min(room / 4);
    reader.values("palette", &mut bmp.palette, colors)?;
    if colors != wanted {
        reader.deviate("palette", start, format_args!("{wanted} colors"), colors);
    }
    let gap = pixels.saturating_sub(reader.position());
    reader.bytes("gap", &mut bmp.gap.0, gap)?;
    let height = bmp.size()?.1 as usize;
    let length = bmp.stride()?.saturating_mul(height);
    reader.bytes("rows", &mut bmp.rows.0, length)?;
    let rest = reader.remaining();
    let offset = reader.position();
    reader.bytes("trailing", &mut bmp.trailing.0, rest)?;
    if rest > 2 || bmp.trailing.iter().any(|&byte| byte != 0) {
        let found = counted(rest, "other byte", "other bytes");
        reader.deviate("trailing", offset, "at most two zeros", found);
    }
    Ok(reader.finish(bmp))
}

/// Encodes a bitmap. Nothing is derived: headers must fit the parts.
///
/// # Errors
/// None for a value that was decoded.
pub fn encode(bmp: &Bmp<'_>) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    bmp.header.clone().walk(&mut writer)?;
    bmp.info.clone().walk(&mut writer)?;
    let part = |field, bytes: &Blob<'_>, writer: &mut Writer| {
        let length = bytes.len();
        writer.bytes(field, &mut Cow::Borrowed(&**bytes), length)
    };
    part("extension", &bmp.extension, &mut writer)?;
    writer.values("palette", &mut bmp.palette.clone(), bmp.palette.len())?;
    part("gap", &bmp.gap, &mut writer)?;
    part("rows", &bmp.rows, &mut writer)?;
    part("trailing", &bmp.trailing, &mut writer)?;
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bmp(bits: u16, width: i32, height: i32, palette: &[[u8; 4]], rows: &[u8]) -> Bmp<'static> {
        Bmp {
            header: BmpHeader {
                magic: Bytes(*b"BM"),
                pixel_offset: (54 + palette.len() * 4) as u32,
                ..BmpHeader::default()
            },
            info: InfoHeader {
                header_size: 40,
                width,
                height,
                planes: 1,
                bits,
                colors_used: palette.len() as u32,
                ..InfoHeader::default()
            },
            palette: palette.to_vec(),
            rows: rows.to_vec().into(),
            ..Bmp::default()
        }
    }

    fn round_trip(bmp: &Bmp<'_>) -> Picture {
        let bytes = encode(bmp).unwrap();
        let decoded = decode(&bytes).unwrap();
        assert_eq!(encode(&decoded.value).unwrap(), bytes);
        assert_eq!(
            super::super::decode(&bytes).unwrap().deviations,
            decoded.deviations
        );
        decoded.value.picture().unwrap()
    }

    #[test]
    fn rows_run_upwards_and_palettes_may_be_short() {
        let palette = [[3, 2, 1, 0], [6, 5, 4, 0]];
        let mut stored = bmp(8, 3, 2, &palette, &[0, 1, 0, 9, 1, 1, 0, 9]);
        stored.trailing = vec![0, 0].into();
        let picture = round_trip(&stored);
        let Texels::Indexed { indices, palette } = picture.texels else {
            panic!("not palettised");
        };
        assert_eq!(indices, [1, 1, 0, 0, 1, 0]);
        assert_eq!(palette, [[1, 2, 3], [4, 5, 6]]);
    }

    #[test]
    fn small_indices_start_at_the_high_bits() {
        let picture = round_trip(&bmp(4, 3, 1, &[[0; 4]; 16], &[0x12, 0x30, 0, 0]));
        assert!(matches!(picture.texels, Texels::Indexed { indices, .. } if indices == [1, 2, 3]));
        let picture = round_trip(&bmp(1, 3, -1, &[[0; 4]; 2], &[0b1010_0000, 0, 0, 0]));
        assert!(matches!(picture.texels, Texels::Indexed { indices, .. } if indices == [1, 0, 1]));
    }

    #[test]
    fn true_colors_are_stored_blue_first() {
        let picture = round_trip(&bmp(24, 1, 2, &[], &[3, 2, 1, 0, 6, 5, 4, 0]));
        assert_eq!(picture.texels, Texels::Rgb(vec![[4, 5, 6], [1, 2, 3]]));
        let picture = round_trip(&bmp(32, 1, -1, &[], &[3, 2, 1, 77]));
        assert_eq!(picture.texels, Texels::Rgb(vec![[1, 2, 3]]));
        let picture = round_trip(&bmp(16, 1, 1, &[], &[0xFF, 0x7F, 0, 0]));
        assert_eq!(picture.texels, Texels::Rgb(vec![[255; 3]]));
    }

    #[test]
    fn wild_sizes_are_refused() {
        for (width, height) in [(0, 1), (1, 0), (-1, 1), (i32::MAX, i32::MIN), (20_000, 1)] {
            let bytes = encode(&bmp(8, width, height, &[], &[0; 64])).unwrap();
            assert!(decode(&bytes).is_err());
        }
        let bytes = encode(&bmp(8, 16, 16, &[], &[0; 64])).unwrap();
        assert_eq!(decode(&bytes).unwrap_err().field(), "rows");
        let bytes = encode(&bmp(9, 1, 1, &[], &[0; 64])).unwrap();
        assert_eq!(decode(&bytes).unwrap_err().field(), "info.bits");
    }
}

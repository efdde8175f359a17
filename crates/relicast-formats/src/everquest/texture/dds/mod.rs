//! DirectDraw surfaces: block compressed (DXT1 to DXT5), uncompressed, indexed, or two-channel normal maps; with
//! mipmaps and the six faces of a cube map.
//!
//! ```text
//! magic, header of 124 bytes · pixels, then their mipmaps
//! ```
//!
//! These games store the bottom row first, as their bitmaps do (by a reference implementation);
//! surfaces that other programs write start at the top, and this decoder shows them upside down.

use serde::Serialize;

use super::block::{BlockFormat, decode_block};
use super::picture::{Picture, Texels, area, channel};
use relicast_codec::{Blob, Bytes, Decoded, FormatError, Reader, Result, Stream, Walk, Writer};

bitflags::bitflags! {
    /// Components of a pixel.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct PixelFormatFlags: u32 {
        /// The alpha mask is valid.
        const ALPHA = 1 << 0;
        /// Alpha only.
        const ALPHA_ONLY = 1 << 1;
        /// A four-letter code names the format.
        const CODE = 1 << 2;
        /// Indices into a palette after the header.
        const INDEXED = 1 << 5;
        /// Red, green and blue, selected by bit masks.
        const RGB = 1 << 6;
        /// Gray, selected by the red mask.
        const LUMINANCE = 1 << 17;
        /// Signed numbers, selected by the masks of red, green and (if it is not 0) blue: a normal vector.
        const SIGNED_PAIR = 1 << 19;
        const _ = !0;
    }
}
relicast_codec::plain_flags!(PixelFormatFlags: u32);

relicast_codec::record! {
    /// Format of a pixel, 32 bytes.
    pub struct PixelFormat[32] {
        /// Offset 0: 32.
        size: u32 [always 32],
        /// Offset 4: flags of the other valid fields.
        flags: PixelFormatFlags,
        /// Offset 8: `DXT1` and so on.
        code: Bytes<4>,
        /// Offset 12: bits per pixel.
        bits: u32,
        /// Offset 16: bit mask of red.
        red: u32,
        /// Offset 20: bit mask of green.
        green: u32,
        /// Offset 24: bit mask of blue.
        blue: u32,
        /// Offset 28: bit mask of alpha.
        alpha: u32,
    }
}

/// The header, 128 bytes with its magic.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DdsHeader {
    /// Offset 0: `DDS `.
    pub magic: Bytes<4>,
    /// Offset 4: 124.
    pub size: u32,
    /// Offset 8: flags of the other valid fields.
    pub flags: u32,
    /// Offset 12: rows.
    pub height: u32,
    /// Offset 16: pixels in a row.
    pub width: u32,
    /// Offset 20: bytes of a row or of the picture; not reliable.
    pub pitch: u32,
    /// Offset 24: depth of a volume texture, in layers.
    pub depth: u32,
    /// Offset 28: number of mip levels; 0 if not stated, see [`Dds::levels_in`].
    pub mip_count: u32,
    /// Offset 32: reserved; some tools store values here.
    pub reserved: [u32; 11],
    /// Offset 76: format of a pixel.
    pub pixel_format: PixelFormat,
    /// Offset 108: capability flags.
    pub caps: [u32; 4],
    /// Offset 124: reserved; some tools store a value here.
    pub reserved2: u32,
}

impl<'a> Walk<'a> for DdsHeader {
    const SMALLEST: usize = 128;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        let offset = stream.position();
        stream.value("magic", &mut self.magic)?;
        stream.must("magic", offset, self.magic, Bytes(*b"DDS "))?;
        let offset = stream.position();
        stream.value("size", &mut self.size)?;
        stream.always("size", offset, self.size, 124);
        stream.value("flags", &mut self.flags)?;
        stream.value("height", &mut self.height)?;
        stream.value("width", &mut self.width)?;
        stream.value("pitch", &mut self.pitch)?;
        stream.value("depth", &mut self.depth)?;
        stream.value("mip_count", &mut self.mip_count)?;
        stream.value("reserved", &mut self.reserved)?;
        stream.nested("pixel_format", &mut self.pixel_format)?;
        stream.value("caps", &mut self.caps)?;
        stream.value("reserved2", &mut self.reserved2)
    }
}

/// A surface as stored in its file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dds<'a> {
    /// The header.
    pub header: DdsHeader,
    /// Pixels of the largest level, then those of its mipmaps.
    #[serde(skip)]
    pub data: Blob<'a>,
}

/// Offset of the pixel format's flags.
const FORMAT_OFFSET: usize = 80;

/// In the second word of [`DdsHeader::caps`]: six faces of a cube.
const CUBE: u32 = 1 << 9;

/// Faces of a cube, in the order in which they are stored: +X, −X, +Y, −Y, +Z, −Z.
pub const CUBE_FACES: u8 = 6;

/// Storage of the pixels of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    /// Compressed blocks.
    Blocks(BlockFormat),
    /// Uncompressed: bytes per pixel, and the meaning of its bits.
    Plain(usize, Channels),
    /// One byte per pixel, an index into the palette.
    Indexed,
}

/// Colors of a palette; each is red, green, blue, and an unused byte.
pub(super) const PALETTE: usize = 256;

impl Storage {
    /// Bytes of the palette before the pixels.
    pub(super) const fn palette_size(self) -> usize {
        match self {
            Self::Indexed => PALETTE * 4,
            Self::Blocks(_) | Self::Plain(..) => 0,
        }
    }
}

/// Meaning of the bits of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Channels {
    /// Masks of red, green and blue, and of alpha if present.
    Colors([u32; 3], Option<u32>),
    /// Masks of a signed pair, which are x and y of a direction of length 1.
    Pair([u32; 2]),
    /// Masks of three signed numbers, which are a direction.
    Direction([u32; 3]),
}

impl Channels {
    /// The pixels of a format by its number in the list of Direct3D 9, and the bytes of a pixel.
    fn numbered(number: u32) -> Option<(usize, Self)> {
        let gray = [0xFF; 3];
        Some(match number {
            20 => (3, Self::Colors([0xFF_0000, 0xFF00, 0xFF], None)),
            21 => (
                4,
                Self::Colors([0xFF_0000, 0xFF00, 0xFF], Some(0xFF00_0000)),
            ),
            22 => (4, Self::Colors([0xFF_0000, 0xFF00, 0xFF], None)),
            23 => (2, Self::Colors([0xF800, 0x07E0, 0x001F], None)),
            24 => (2, Self::Colors([0x7C00, 0x03E0, 0x001F], None)),
            25 => (2, Self::Colors([0x7C00, 0x03E0, 0x001F], Some(0x8000))),
            26 => (2, Self::Colors([0x0F00, 0x00F0, 0x000F], Some(0xF000))),
            28 => (1, Self::Colors([0; 3], Some(0xFF))),
            50 => (1, Self::Colors(gray, None)),
            51 => (2, Self::Colors(gray, Some(0xFF00))),
            60 | 117 => (2, Self::Pair([0xFF, 0xFF00])),
            63 => (4, Self::Direction([0xFF, 0xFF00, 0xFF_0000])),
            _ => return None,
        })
    }
}

/// A signed number under a mask, −1 to 1; 0 for a mask of fewer than two bits.
fn signed(value: u32, mask: u32) -> f64 {
    let bits = mask.count_ones();
    if bits < 2 {
        return 0.0;
    }
    let part = (value & mask).unbounded_shr(mask.trailing_zeros());
    let sign = 1_u32.unbounded_shl(bits.saturating_sub(1));
    let max = f64::from(sign.saturating_sub(1));
    let number = match part < sign {
        true => f64::from(part),
        false => f64::from(part) - 2.0 * f64::from(sign),
    };
    (number / max).max(-1.0)
}

/// A number from −1 to 1 as a byte.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a cast of a float saturates"
)]
fn biased(number: f64) -> u8 {
    (number * 127.5 + 127.5 + 0.5) as u8
}

impl Dds<'_> {
    /// Pixel storage by the header. If there is a four-letter code, only it is used: bits and
    /// masks next to it are often wrong.
    pub(super) fn storage(&self) -> Result<Storage> {
        let format = &self.header.pixel_format;
        let flags = format.flags;
        if flags.contains(PixelFormatFlags::CODE) {
            return match &format.code.0 {
                b"DXT1" => Ok(Storage::Blocks(BlockFormat::Dxt1)),
                b"DXT2" | b"DXT3" => Ok(Storage::Blocks(BlockFormat::Dxt3)),
                b"DXT4" | b"DXT5" => Ok(Storage::Blocks(BlockFormat::Dxt5)),
                code => {
                    let known = Channels::numbered(u32::from_le_bytes(*code));
                    let known = known.map(|(bytes, channels)| Storage::Plain(bytes, channels));
                    known.ok_or_else(|| {
                        FormatError::unsupported(
                            "pixel_format.code",
                            FORMAT_OFFSET.saturating_add(4),
                            "DXT1 to DXT5, or a supported D3DFORMAT number",
                            code.escape_ascii(),
                        )
                    })
                }
            };
        }
        if flags.contains(PixelFormatFlags::INDEXED) && format.bits == 8 {
            return Ok(Storage::Indexed);
        }
        let bytes = (format.bits / 8) as usize;
        let alpha = flags
            .intersects(PixelFormatFlags::ALPHA | PixelFormatFlags::ALPHA_ONLY)
            .then_some(format.alpha);
        let channels = if flags.contains(PixelFormatFlags::SIGNED_PAIR) {
            match format.blue {
                0 => Channels::Pair([format.red, format.green]),
                blue => Channels::Direction([format.red, format.green, blue]),
            }
        } else if flags.contains(PixelFormatFlags::LUMINANCE) {
            Channels::Colors([format.red; 3], alpha)
        } else if flags.contains(PixelFormatFlags::RGB) {
            Channels::Colors([format.red, format.green, format.blue], alpha)
        } else {
            Channels::Colors([0; 3], alpha)
        };
        let known = flags.intersects(
            PixelFormatFlags::SIGNED_PAIR
                | PixelFormatFlags::LUMINANCE
                | PixelFormatFlags::RGB
                | PixelFormatFlags::ALPHA_ONLY,
        );
        if !known || !matches!(format.bits, 8 | 16 | 24 | 32) {
            return Err(FormatError::unsupported(
                "pixel_format.flags",
                FORMAT_OFFSET,
                "colors of 8 to 32 bits",
                format_args!("{} bits, flags {:#x}", format.bits, flags.bits()),
            ));
        }
        Ok(Storage::Plain(bytes, channels))
    }

    /// Number of faces: six for a cube, otherwise one.
    pub fn faces(&self) -> u8 {
        let [_, caps, ..] = self.header.caps;
        if caps & CUBE == 0 { 1 } else { CUBE_FACES }
    }

    /// Returns width and height of a level in pixels.
    fn sides(&self, level: u8) -> (u32, u32) {
        let side = |side: u32| side.unbounded_shr(u32::from(level)).max(1);
        (side(self.header.width), side(self.header.height))
    }

    /// Returns the size of a level of a face in bytes.
    pub(super) fn level_size(&self, storage: Storage, level: u8) -> usize {
        let (width, height) = self.sides(level);
        let (width, height) = (width as usize, height as usize);
        match storage {
            Storage::Blocks(format) => width
                .div_ceil(4)
                .saturating_mul(height.div_ceil(4))
                .saturating_mul(format.size()),
            Storage::Plain(bytes, _) => width.saturating_mul(height).saturating_mul(bytes),
            Storage::Indexed => width.saturating_mul(height),
        }
    }

    /// Returns the size of the first levels of a face in bytes.
    fn levels_size(&self, storage: Storage, levels: u8) -> usize {
        let sizes = (0..levels).map(|level| self.level_size(storage, level));
        sizes.fold(0, usize::saturating_add)
    }

    /// Number of levels of a face in a file with `length` bytes of pixels. The header often says 0
    /// although there are several; then they are counted by the length.
    ///
    /// # Errors
    /// The pixel format is not supported.
    pub fn levels_in(&self, length: usize) -> Result<u8> {
        let storage = self.storage()?;
        let length = length.saturating_sub(storage.palette_size());
        let DdsHeader {
            width,
            height,
            mip_count,
            ..
        } = self.header;
        let max = 32_u32.saturating_sub(width.max(height).leading_zeros());
        let max = u8::try_from(max).unwrap_or(1).clamp(1, 32);
        let stated = u8::try_from(mip_count).unwrap_or(max).min(max);
        let faces = usize::from(self.faces());
        let fits = |levels: u8| {
            let size = self.levels_size(storage, levels).saturating_mul(faces);
            size <= length
        };
        let found = (1..=max).take_while(|&levels| fits(levels)).last();
        let found = found.unwrap_or(1);
        // Faces are consecutive, so those of a cube must end with the file.
        let exact = |levels: u8| self.levels_size(storage, levels).saturating_mul(faces) == length;
        Ok(match stated {
            0 if faces > 1 => (1..=found).rev().find(|&levels| exact(levels)).unwrap_or(1),
            0 => found,
            stated => stated.min(found),
        })
    }

    /// Number of levels of a face.
    ///
    /// # Errors
    /// The pixel format is not supported.
    pub fn levels(&self) -> Result<u8> {
        self.levels_in(self.data.len())
    }

    /// The palette before indexed pixels.
    pub(super) fn palette(&self) -> Vec<[u8; 3]> {
        let (entries, _) = self.data.as_chunks::<4>();
        let colors = entries.iter().take(PALETTE);
        colors
            .map(|&[red, green, blue, _]| [red, green, blue])
            .collect()
    }

    /// The picture at its largest size; of a cube, the first face.
    ///
    /// # Errors
    /// The size or pixel format is not supported, or the pixels run past the end.
    pub fn picture(&self) -> Result<Picture> {
        self.surface(0, 0)
    }

    /// Decodes a level of a face.
    ///
    /// # Errors
    /// The size or pixel format is not supported, or the pixels run past the end, as those of a face or level that the
    /// file does not have.
    pub fn surface(&self, face: u8, level: u8) -> Result<Picture> {
        area(self.header.width, self.header.height, 12)?;
        let storage = self.storage()?;
        let (width, height) = self.sides(level);
        let pixels = area(width, height, 12)?;
        let mut start = self.levels_size(storage, level);
        start = start.saturating_add(storage.palette_size());
        if face > 0 {
            let whole = self.levels_size(storage, self.levels()?);
            start = start.saturating_add(whole.saturating_mul(usize::from(face)));
        }
        let length = self.level_size(storage, level);
        let data = self.data.get(start..).and_then(|rest| rest.get(..length));
        let data = data.ok_or_else(|| {
            let offset = DdsHeader::SMALLEST.saturating_add(start);
            let left = self.data.len().saturating_sub(start);
            FormatError::truncated("data", offset, length, left)
        })?;
        let texels = match storage {
            Storage::Blocks(format) => Texels::Rgba(blocks(data, width, height, format, pixels)),
            Storage::Plain(bytes, channels) => plain(data, width, bytes, channels),
            Storage::Indexed => {
                // The first stored row is the bottom one.
                let rows = data.chunks_exact((width as usize).max(1)).rev();
                Texels::Indexed {
                    indices: rows.flatten().copied().collect(),
                    palette: self.palette(),
                }
            }
        };
        Ok(Picture {
            width,
            height,
            texels,
        })
    }
}

/// Decodes blocks to pixels, the top row first.
fn blocks(
    data: &[u8],
    width: u32,
    height: u32,
    format: BlockFormat,
    pixels: usize,
) -> Vec<[u8; 4]> {
    let (width, height) = (width as usize, height as usize);
    let across = width.div_ceil(4);
    let mut texels = vec![[0; 4]; pixels];
    for (index, block) in data.chunks_exact(format.size()).enumerate() {
        let left = (index % across.max(1)).saturating_mul(4);
        let top = (index / across.max(1)).saturating_mul(4);
        let decoded = decode_block(block, format);
        for (y, row) in decoded.as_chunks::<4>().0.iter().enumerate() {
            // The first stored row is the bottom one.
            let Some(y) = height.checked_sub(top.saturating_add(y).saturating_add(1)) else {
                continue;
            };
            let visible = width.saturating_sub(left).min(4);
            let start = y.saturating_mul(width).saturating_add(left);
            let target = texels.get_mut(start..start.saturating_add(visible));
            if let (Some(target), Some(source)) = (target, row.get(..visible)) {
                target.copy_from_slice(source);
            }
        }
    }
    texels
}

/// Decodes pixels whose components are under masks, the top row first.
fn plain(data: &[u8], width: u32, bytes: usize, channels: Channels) -> Texels {
    let stride = (width as usize).saturating_mul(bytes);
    let values = data
        .chunks_exact(stride.max(1))
        .rev()
        .flat_map(|row| row.chunks_exact(bytes.max(1)))
        .map(|pixel| {
            pixel
                .iter()
                .rev()
                .fold(0_u32, |word, &byte| word << 8 | u32::from(byte))
        });
    let color = |value, masks: [u32; 3]| masks.map(|mask| channel(value, mask));
    match channels {
        Channels::Colors(masks, None) => {
            Texels::Rgb(values.map(|value| color(value, masks)).collect())
        }
        Channels::Colors(masks, Some(alpha)) => Texels::Rgba(
            values
                .map(|value| {
                    let [r, g, b] = color(value, masks);
                    [r, g, b, channel(value, alpha)]
                })
                .collect(),
        ),
        Channels::Direction(masks) => Texels::Rgb(
            values
                .map(|value| masks.map(|mask| biased(signed(value, mask))))
                .collect(),
        ),
        Channels::Pair([x, y]) => {
            let pair = |value| [signed(value, x), signed(value, y)];
            let is_impossible = |[x, y]: [f64; 2]| x * x + y * y > 1.0;
            // A direction has length 1, so x and y alone are not longer. A picture without any possible direction was
            // written without signs, with 128 as zero.
            let unsigned = values.clone().all(|value| is_impossible(pair(value)));
            let texels = values.map(|value| {
                let stored = [x, y].map(|mask| channel(value, mask));
                let [x, y] = match unsigned {
                    true => stored.map(|part| (f64::from(part) - 128.0) / 127.0),
                    false => pair(value),
                };
                let z = biased(libm::sqrt((1.0 - x * x - y * y).max(0.0)));
                let [red, green] = match unsigned {
                    true => stored,
                    false => [x, y].map(biased),
                };
                [red, green, z]
            });
            Texels::Rgb(texels.collect())
        }
    }
}

/// Decodes a surface.
///
/// # Errors
/// Not a surface, or a truncated header.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Dds<'_>>> {
    let mut reader = Reader::new(bytes);
    let mut dds = Dds::default();
    reader.nested("header", &mut dds.header)?;
    let length = reader.remaining();
    reader.bytes("data", &mut dds.data.0, length)?;
    Ok(reader.finish(dds))
}

/// Encodes a surface. Nothing is derived: the header must fit the data.
///
/// # Errors
/// None at present; the writer of every format returns a `Result`.
pub fn encode(dds: &Dds<'_>) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    dds.header.clone().walk(&mut writer)?;
    writer.bytes("data", &mut dds.data.0.clone(), dds.data.len())?;
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests;

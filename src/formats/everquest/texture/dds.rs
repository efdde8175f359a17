//! DirectDraw surfaces: block compressed (DXT1, DXT3, DXT5) or plain.
//!
//! ```text
//! magic, header of 124 bytes · pixels, then smaller copies of them
//! ```
//!
//! These games store the bottom row first, as their bitmaps do (by a reference implementation);
//! surfaces of other makers start at the top.

use serde::Serialize;

use super::block::{BlockFormat, decode_block};
use super::picture::{Picture, Texels, area, channel};
use crate::formats::codec::{
    Blob, Bytes, Decoded, FormatError, Reader, Result, Stream, Walk, Writer,
};

bitflags::bitflags! {
    /// What a pixel is made of.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct PixelFormatFlags: u32 {
        /// The alpha mask is valid.
        const ALPHA = 1 << 0;
        /// A four-letter code names the format.
        const CODE = 1 << 2;
        /// Red, green and blue under masks.
        const RGB = 1 << 6;
        /// Grey under the red mask.
        const LUMINANCE = 1 << 17;
        const _ = !0;
    }
}
crate::plain_flags!(PixelFormatFlags: u32);

crate::record! {
    /// What a pixel is made of, 32 bytes.
    pub struct PixelFormat[32] {
        /// Offset 0: 32.
        size: u32 [always 32],
        /// Offset 4: which of the other fields are valid.
        flags: PixelFormatFlags,
        /// Offset 8: `DXT1` and so on.
        code: Bytes<4>,
        /// Offset 12: bits a pixel.
        bits: u32,
        /// Offset 16: bits of red.
        red: u32,
        /// Offset 20: bits of green.
        green: u32,
        /// Offset 24: bits of blue.
        blue: u32,
        /// Offset 28: bits of alpha.
        alpha: u32,
    }
}

/// The header, 128 bytes with its magic.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DdsHeader {
    /// Offset 0: `DDS `.
    pub magic: Bytes<4>,
    /// Offset 4: 124.
    pub size: u32,
    /// Offset 8: which of the other fields are valid.
    pub flags: u32,
    /// Offset 12: rows.
    pub height: u32,
    /// Offset 16: pixels in a row.
    pub width: u32,
    /// Offset 20: bytes of a row or of the picture; not reliable.
    pub pitch: u32,
    /// Offset 24: layers.
    pub depth: u32,
    /// Offset 28: number of sizes, 0 for one.
    pub mip_count: u32,
    /// Offset 32: words of the tools.
    pub reserved: [u32; 11],
    /// Offset 76: what a pixel is made of.
    pub pixel_format: PixelFormat,
    /// Offset 108: what the surface is for.
    pub caps: [u32; 4],
    /// Offset 124: a word of the tools.
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

/// A surface as it lies in its file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Dds<'a> {
    /// The header.
    pub header: DdsHeader,
    /// Pixels of the largest size, then those of the smaller ones.
    #[serde(skip)]
    pub data: Blob<'a>,
}

/// Offset of the pixel format's flags.
const FORMAT_OFFSET: usize = 80;

impl Dds<'_> {
    fn block_format(&self) -> Result<Option<BlockFormat>> {
        let format = &self.header.pixel_format;
        if !format.flags.contains(PixelFormatFlags::CODE) {
            return Ok(None);
        }
        match &format.code.0 {
            b"DXT1" => Ok(Some(BlockFormat::Dxt1)),
            b"DXT3" => Ok(Some(BlockFormat::Dxt3)),
            b"DXT5" => Ok(Some(BlockFormat::Dxt5)),
            code => Err(FormatError::unsupported(
                "pixel_format.code",
                FORMAT_OFFSET.saturating_add(4),
                "DXT1, DXT3 or DXT5",
                code.escape_ascii(),
            )),
        }
    }

    /// The picture at its largest size.
    ///
    /// # Errors
    /// A size or pixel format that no archive seen has, or pixels that run past the end.
    pub fn picture(&self) -> Result<Picture> {
        let DdsHeader { width, height, .. } = self.header;
        let pixels = area(width, height, 12)?;
        let texels = match self.block_format()? {
            Some(format) => Texels::Rgba(self.blocks(format, pixels)?),
            None => self.plain()?,
        };
        Ok(Picture {
            width,
            height,
            texels,
        })
    }

    /// The first `length` bytes of the data.
    fn data(&self, length: usize) -> Result<&[u8]> {
        self.data.get(..length).ok_or_else(|| {
            FormatError::truncated("data", DdsHeader::SMALLEST, length, self.data.len())
        })
    }

    fn blocks(&self, format: BlockFormat, pixels: usize) -> Result<Vec<[u8; 4]>> {
        let width = self.header.width as usize;
        let height = self.header.height as usize;
        let (across, down) = (width.div_ceil(4), height.div_ceil(4));
        let count = across.saturating_mul(down);
        let data = self.data(count.saturating_mul(format.size()))?;
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
        Ok(texels)
    }

    /// Pixels under masks.
    fn plain(&self) -> Result<Texels> {
        let format = &self.header.pixel_format;
        let flags = format.flags;
        let gray = flags.contains(PixelFormatFlags::LUMINANCE);
        let known = gray || flags.contains(PixelFormatFlags::RGB);
        if !known || !matches!(format.bits, 8 | 16 | 24 | 32) {
            return Err(FormatError::unsupported(
                "pixel_format.flags",
                FORMAT_OFFSET,
                "colours of 8 to 32 bits",
                format_args!("{} bits, flags {:#x}", format.bits, flags.bits()),
            ));
        }
        let bytes = (format.bits / 8) as usize;
        let stride = (self.header.width as usize).saturating_mul(bytes);
        let data = self.data(stride.saturating_mul(self.header.height as usize))?;
        let values = data
            .chunks_exact(stride.max(1))
            .rev()
            .flat_map(|row| row.chunks_exact(bytes))
            .map(|pixel| {
                pixel
                    .iter()
                    .rev()
                    .fold(0_u32, |word, &byte| word << 8 | u32::from(byte))
            });
        let masks = match gray {
            true => [format.red; 3],
            false => [format.red, format.green, format.blue],
        };
        let colour = |value| masks.map(|mask| channel(value, mask));
        Ok(match flags.contains(PixelFormatFlags::ALPHA) {
            false => Texels::Rgb(values.map(colour).collect()),
            true => Texels::Rgba(
                values
                    .map(|value| {
                        let [r, g, b] = colour(value);
                        [r, g, b, channel(value, format.alpha)]
                    })
                    .collect(),
            ),
        })
    }
}

/// Decodes a surface.
///
/// # Errors
/// Not a surface, or a header that is cut short.
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
/// None.
pub fn encode(dds: &Dds<'_>) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    dds.header.clone().walk(&mut writer)?;
    writer.bytes("data", &mut dds.data.0.clone(), dds.data.len())?;
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dds(width: u32, height: u32, format: PixelFormat, data: &[u8]) -> Vec<u8> {
        let dds = Dds {
            header: DdsHeader {
                magic: Bytes(*b"DDS "),
                size: 124,
                width,
                height,
                pixel_format: PixelFormat { size: 32, ..format },
                ..DdsHeader::default()
            },
            data: data.to_vec().into(),
        };
        let bytes = encode(&dds).unwrap();
        assert_eq!(bytes.len(), 128 + data.len());
        assert_eq!(decode(&bytes).unwrap().value, dds);
        bytes
    }

    fn picture(bytes: &[u8]) -> Result<Picture> {
        super::super::decode(bytes).map(|decoded| decoded.value)
    }

    fn code(code: [u8; 4]) -> PixelFormat {
        PixelFormat {
            flags: PixelFormatFlags::CODE,
            code: Bytes(code),
            ..PixelFormat::default()
        }
    }

    #[test]
    fn blocks_are_cut_at_the_edges_and_turned_over() {
        // Two blocks of 4 × 4 for a picture of 5 × 3; the first row of each is white.
        let block = [0xFF, 0xFF, 0, 0, 0, 0x55, 0x55, 0x55];
        let bytes = dds(5, 3, code(*b"DXT1"), &[block, block].concat());
        let Texels::Rgba(texels) = picture(&bytes).unwrap().texels else {
            panic!("not RGBA");
        };
        let rows: Vec<bool> = texels
            .chunks(5)
            .map(|row| row.iter().all(|texel| texel[0] == 255))
            .collect();
        assert_eq!(rows, [false, false, true]);
        assert_eq!(texels.len(), 15);
    }

    #[test]
    fn plain_pixels_are_read_by_their_masks() {
        let format = PixelFormat {
            flags: PixelFormatFlags::RGB | PixelFormatFlags::ALPHA,
            bits: 32,
            red: 0x00FF_0000,
            green: 0x0000_FF00,
            blue: 0x0000_00FF,
            alpha: 0xFF00_0000,
            ..PixelFormat::default()
        };
        let bytes = dds(1, 2, format, &[3, 2, 1, 4, 7, 6, 5, 8]);
        assert_eq!(
            picture(&bytes).unwrap().texels,
            Texels::Rgba(vec![[5, 6, 7, 8], [1, 2, 3, 4]])
        );
        let format = PixelFormat {
            flags: PixelFormatFlags::LUMINANCE,
            bits: 8,
            red: 0xFF,
            ..PixelFormat::default()
        };
        let bytes = dds(2, 1, format, &[9, 8]);
        assert_eq!(
            picture(&bytes).unwrap().texels,
            Texels::Rgb(vec![[9; 3], [8; 3]])
        );
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        let unknown = dds(4, 4, code(*b"DX10"), &[0; 16]);
        assert_eq!(picture(&unknown).unwrap_err().field(), "pixel_format.code");
        let short = dds(8, 4, code(*b"DXT5"), &[0; 31]);
        assert_eq!(picture(&short).unwrap_err().field(), "data");
        let wild = dds(u32::MAX, u32::MAX, code(*b"DXT1"), &[]);
        assert_eq!(picture(&wild).unwrap_err().field(), "size");
        assert_eq!(picture(b"GIF89a").unwrap_err().field(), "magic");
    }
}

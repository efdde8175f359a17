//! Writes edited pictures to TIFF files: strips of 8 bits per channel.
//!
//! ```text
//! "II*\0" or "MM\0*", u32 place of the list of fields
//! list: u16 count, count × (u16 tag, u16 type, u32 count, u32 value or place of the values), u32 place of the next
//! list
//! ```
//!
//! Uncompressed strips are changed in place. Compressed strips remain where they are; uncompressed replacements are
//! appended to the file, which every reader of TIFF files supports.

use super::targa::Canvas;
use relicast_codec::{FormatError, Result, shown};

/// Size of a field.
const FIELD: usize = 12;

/// Tags of the fields that describe a picture.
mod tag {
    pub(super) const WIDTH: u16 = 256;
    pub(super) const HEIGHT: u16 = 257;
    pub(super) const BITS: u16 = 258;
    pub(super) const COMPRESSION: u16 = 259;
    pub(super) const PHOTOMETRIC: u16 = 262;
    pub(super) const FILL_ORDER: u16 = 266;
    pub(super) const STRIP_OFFSETS: u16 = 273;
    pub(super) const SAMPLES: u16 = 277;
    pub(super) const ROWS: u16 = 278;
    pub(super) const STRIP_LENGTHS: u16 = 279;
    pub(super) const PLANAR: u16 = 284;
    pub(super) const PREDICTOR: u16 = 317;
    pub(super) const TILE_WIDTH: u16 = 322;
}

/// First field list of a file.
struct Fields<'f> {
    file: &'f [u8],
    is_big: bool,
    /// Offset of the first field.
    start: usize,
    count: usize,
}

impl<'f> Fields<'f> {
    fn new(file: &'f [u8]) -> Result<Self> {
        let is_big = match file.get(..4) {
            Some(b"II*\0") => false,
            Some(b"MM\0*") => true,
            _ => {
                return Err(FormatError::malformed(
                    "header",
                    0,
                    "a TIFF file",
                    "another",
                ));
            }
        };
        let mut fields = Self {
            file,
            is_big,
            start: 0,
            count: 0,
        };
        let list = fields.word(4)? as usize;
        fields.count = fields.half(list)?.into();
        fields.start = list.saturating_add(2);
        Ok(fields)
    }

    fn bytes<const N: usize>(&self, at: usize) -> Result<[u8; N]> {
        let bytes = self.file.get(at..).and_then(|bytes| bytes.first_chunk());
        let left = self.file.len().saturating_sub(at);
        let bytes = bytes.ok_or_else(|| FormatError::truncated("fields", at, N as u64, left))?;
        Ok(*bytes)
    }

    fn half(&self, at: usize) -> Result<u16> {
        let bytes = self.bytes(at)?;
        Ok(match self.is_big {
            true => u16::from_be_bytes(bytes),
            false => u16::from_le_bytes(bytes),
        })
    }

    fn word(&self, at: usize) -> Result<u32> {
        let bytes = self.bytes(at)?;
        Ok(match self.is_big {
            true => u32::from_be_bytes(bytes),
            false => u32::from_le_bytes(bytes),
        })
    }

    /// Offset of the field of a tag.
    fn place(&self, tag: u16) -> Option<usize> {
        let mut places =
            (0..self.count).map(|at| self.start.saturating_add(at.saturating_mul(FIELD)));
        places.find(|&at| self.half(at).is_ok_and(|own| own == tag))
    }

    /// The values of a field; empty if there is no such field.
    fn values(&self, tag: u16) -> Result<Vec<u32>> {
        let Some(place) = self.place(tag) else {
            return Ok(Vec::new());
        };
        let kind = self.half(place.saturating_add(2))?;
        let count = self.word(place.saturating_add(4))? as usize;
        let size = match kind {
            3 => 2,
            4 => 4,
            _ => {
                let expected = "words of 16 or 32 bits";
                return Err(FormatError::unsupported("type", place, expected, kind));
            }
        };
        let inline = place.saturating_add(8);
        let start = match count.saturating_mul(size) <= 4 {
            true => inline,
            false => self.word(inline)? as usize,
        };
        if count.saturating_mul(size) > self.file.len() {
            let left = self.file.len();
            let wanted = (count as u64).saturating_mul(size as u64);
            return Err(FormatError::truncated("fields", start, wanted, left));
        }
        let places = (0..count).map(|at| start.saturating_add(at.saturating_mul(size)));
        places
            .map(|at| match size {
                2 => self.half(at).map(u32::from),
                _ => self.word(at),
            })
            .collect()
    }

    fn value(&self, tag: u16, default: u32) -> Result<u32> {
        Ok(self.values(tag)?.first().copied().unwrap_or(default))
    }

    /// Replaces the values of a field by one value, if the field exists.
    fn put(&self, out: &mut [u8], tag: u16, value: Value) {
        let Some(place) = self.place(tag) else {
            return;
        };
        let half = |value: u16| match self.is_big {
            true => value.to_be_bytes(),
            false => value.to_le_bytes(),
        };
        let word = |value: u32| match self.is_big {
            true => value.to_be_bytes(),
            false => value.to_le_bytes(),
        };
        let (kind, value) = match value {
            Value::Half(value) => (half(3), [half(value), [0, 0]].concat()),
            Value::Word(value) => (half(4), word(value).to_vec()),
        };
        let field = kind.into_iter().chain(word(1)).chain(value);
        let stored = out.iter_mut().skip(place.saturating_add(2));
        for (byte, new) in stored.zip(field) {
            *byte = new;
        }
    }
}

/// A value of a field.
#[derive(Debug, Clone, Copy)]
enum Value {
    Half(u16),
    Word(u32),
}

/// Checks that a picture has a supported form, and returns its number of channels.
fn channels(fields: &Fields<'_>, canvas: &Canvas<'_>) -> Result<usize> {
    let samples = fields.value(tag::SAMPLES, 1)?;
    let photometric = fields.value(tag::PHOTOMETRIC, 0)?;
    let bits = fields.values(tag::BITS)?;
    let is_plain = fields.value(tag::PLANAR, 1)? == 1
        && fields.value(tag::FILL_ORDER, 1)? == 1
        && fields.place(tag::TILE_WIDTH).is_none()
        && !fields.values(tag::STRIP_OFFSETS)?.is_empty()
        && !fields.values(tag::STRIP_LENGTHS)?.is_empty()
        && !bits.is_empty()
        && bits.iter().all(|&bits| bits == 8);
    let channels = match (photometric, samples) {
        (1, 1) => 1,
        (2, 3) => 3,
        (2, 4) => 4,
        _ => 0,
    };
    if !is_plain || channels == 0 {
        let expected = "strips of gray, RGB or RGBA of 8 bits per channel";
        let found = format_args!(
            "channels: {samples}, bits: {}, colors: {photometric}",
            shown(&bits)
        );
        return Err(FormatError::unsupported("photometric", 0, expected, found));
    }
    let size = (fields.value(tag::WIDTH, 0)?, fields.value(tag::HEIGHT, 0)?);
    if size != (canvas.width.into(), canvas.height.into()) {
        let expected = format_args!("{} × {}, its size", size.0, size.1);
        let found = format_args!("{} × {}", canvas.width, canvas.height);
        return Err(FormatError::unencodable("width", 0, expected, found));
    }
    Ok(channels)
}

/// Encodes a texel.
fn stored(channels: usize, texel: [u8; 4]) -> [u8; 4] {
    match channels {
        1 => {
            let [red, green, blue, _] = texel.map(u32::from);
            let gray = (red * 299 + green * 587 + blue * 114 + 500) / 1000;
            [u8::try_from(gray).unwrap_or(u8::MAX); 4]
        }
        _ => texel,
    }
}

/// Writes an edited picture to a file.
///
/// # Errors
/// The file has an unsupported form or another size, or is damaged.
pub fn repainted(file: &[u8], canvas: Canvas<'_>) -> Result<Vec<u8>> {
    let fields = Fields::new(file)?;
    let channels = channels(&fields, &canvas)?;
    let texels = canvas.texels.iter().zip(canvas.edited);
    let mut out = file.to_vec();
    if fields.value(tag::COMPRESSION, 1)? != 1 {
        if !out.len().is_multiple_of(2) {
            out.push(0);
        }
        let start = out.len();
        for (&texel, _) in texels {
            out.extend(stored(channels, texel).iter().take(channels));
        }
        let length = out.len().saturating_sub(start);
        let large = |value: usize| {
            u32::try_from(value)
                .map_err(|_| FormatError::unencodable("strips", start, "at most 4 GiB", value))
        };
        for (tag, value) in [
            (tag::COMPRESSION, Value::Half(1)),
            (tag::PREDICTOR, Value::Half(1)),
            (tag::STRIP_OFFSETS, Value::Word(large(start)?)),
            (tag::STRIP_LENGTHS, Value::Word(large(length)?)),
            (tag::ROWS, Value::Word(canvas.height.into())),
        ] {
            fields.put(&mut out, tag, value);
        }
        return Ok(out);
    }
    let strips = fields.values(tag::STRIP_OFFSETS)?;
    let lengths = fields.values(tag::STRIP_LENGTHS)?;
    let rows = fields.value(tag::ROWS, u32::MAX)?.max(1) as usize;
    let width = usize::from(canvas.width).max(1);
    let cells = rows.saturating_mul(width);
    for (at, (&texel, _)) in texels.enumerate().filter(|(_, (_, edited))| **edited) {
        let within = (at % cells).saturating_mul(channels);
        let strip = at / cells;
        let room = lengths.get(strip).map_or(0, |&length| length as usize);
        let start = strips
            .get(strip)
            .filter(|_| within.saturating_add(channels) <= room);
        let place = start.map(|&start| (start as usize).saturating_add(within));
        let cell = place.and_then(|place| out.get_mut(place..place.saturating_add(channels)));
        let Some(cell) = cell else {
            let left = file.len();
            return Err(FormatError::truncated(
                "strips",
                within,
                channels as u64,
                left,
            ));
        };
        for (byte, new) in cell.iter_mut().zip(stored(channels, texel)) {
            *byte = new;
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{DynamicImage, ImageFormat};

    use super::*;

    fn shown(file: &[u8]) -> Vec<[u8; 4]> {
        let picture = image::load_from_memory_with_format(file, ImageFormat::Tiff);
        let picture = picture.unwrap().into_rgba8();
        picture.as_raw().as_chunks::<4>().0.to_vec()
    }

    fn pictures() -> [DynamicImage; 3] {
        let at = |x: u32, y: u32| (x * 40 + y * 7) as u8;
        let rgba =
            image::RgbaImage::from_fn(5, 4, |x, y| image::Rgba([at(x, y), 2, 3, 200 + x as u8]));
        [
            rgba.clone().into(),
            DynamicImage::from(rgba.clone()).into_rgb8().into(),
            DynamicImage::from(rgba).into_luma8().into(),
        ]
    }

    fn painted(file: &[u8], at: usize, color: [u8; 4]) -> Vec<u8> {
        let mut texels = shown(file);
        let mut edited = vec![false; texels.len()];
        (texels[at], edited[at]) = (color, true);
        let canvas = Canvas {
            width: 5,
            height: 4,
            texels: &texels,
            edited: &edited,
        };
        let after = repainted(file, canvas).unwrap();
        assert_eq!(shown(&after), texels);
        after
    }

    #[test]
    fn a_texel_is_painted_in_place() {
        for picture in pictures() {
            let mut file = Cursor::new(Vec::new());
            picture.write_to(&mut file, ImageFormat::Tiff).unwrap();
            let file = file.into_inner();
            for at in 0..20 {
                let alpha = if picture.color().has_alpha() { 9 } else { 255 };
                let after = painted(&file, at, [90, 90, 90, alpha]);
                assert_eq!(after.len(), file.len());
                assert_eq!(painted(&after, at, shown(&file)[at]), file);
            }
        }
    }

    /// A file of either byte order, its strips compressed by PackBits.
    fn compressed(is_big: bool) -> Vec<u8> {
        let half = |value: u16| match is_big {
            true => value.to_be_bytes(),
            false => value.to_le_bytes(),
        };
        let word = |value: u32| match is_big {
            true => value.to_be_bytes(),
            false => value.to_le_bytes(),
        };
        let mut file = if is_big {
            b"MM\0*".to_vec()
        } else {
            b"II*\0".to_vec()
        };
        file.extend(word(8 + 22));
        // Two strips of two rows of five gray texels.
        let strips: Vec<u8> = [[0xF7, 50], [0xF7, 60]].concat();
        file.extend(&strips);
        file.extend([word(8), word(10)].concat());
        file.extend([half(2), half(2)].concat());
        file.resize(30, 0);
        let fields: [(u16, u16, u32, [u8; 4]); 9] = [
            (256, 4, 1, word(5)),
            (257, 4, 1, word(4)),
            (258, 4, 1, word(8)),
            (259, 4, 1, word(32773)),
            (262, 4, 1, word(1)),
            (273, 4, 2, word(12)),
            (277, 4, 1, word(1)),
            (278, 4, 1, word(2)),
            (279, 3, 2, [half(2), half(2)].concat().try_into().unwrap()),
        ];
        file.extend(half(9));
        for (tag, kind, count, value) in fields {
            file.extend(half(tag));
            file.extend(half(kind));
            file.extend(word(count));
            file.extend(value);
        }
        file.extend(word(0));
        file
    }

    #[test]
    fn what_was_compressed_is_stored_behind() {
        for is_big in [false, true] {
            let file = compressed(is_big);
            assert_eq!(shown(&file)[12], [60, 60, 60, 255]);
            let after = painted(&file, 12, [90, 90, 90, 255]);
            assert_eq!(after[..30], file[..30]);
            assert_eq!(after.len(), file.len() + 20);
        }
    }

    #[test]
    fn damaged_files_and_other_sizes_are_refused() {
        let file = compressed(false);
        let canvas = |width| Canvas {
            width,
            height: 4,
            texels: &[[1; 4]; 20],
            edited: &[true; 20],
        };
        assert!(repainted(&file, canvas(6)).is_err());
        for length in 0..file.len() - 4 {
            assert!(repainted(&file[..length], canvas(5)).is_err(), "{length}");
        }
        for at in 0..file.len() {
            let mut changed = file.clone();
            changed[at] ^= 0xFF;
            let _ = repainted(&changed, canvas(5));
        }
    }
}

//! The file of a texture package. It has no signature; [`sniff`] detects it by its header and table.
//!
//! ```text
//! header, 24 bytes
//! table: image_count × 40 bytes
//! global palettes: count × 256 words
//! images in table order, back to back:
//!   header 16 · texels (1 or 2 bytes) · alpha plane (full alpha) · palette (unless global)
//! ```
//!
//! Rows run from top to bottom, texels from left to right. No mip levels are stored.

use relicast_codec::quantity::counted;
use serde::Serialize;

use super::color::Rgb565;
use relicast_codec::{
    Blob, Decoded, Deviations, FixedSize, FormatError, PaddedText, Reader, Result, Stream, Walk,
    Writer,
};

relicast_codec::record! {
    /// Start of the file, 24 bytes.
    pub struct Header[24] {
        /// Offset 0: 0.
        zero00: u32 [always 0],
        /// Offset 4: 1; the engine treats it as the version.
        version: u32 [must 1],
        /// Offset 8: number of global palettes.
        global_palette_count: u32,
        /// Offset 12: number of images.
        image_count: u32,
        /// Offset 16: 0.
        zero16: u32 [always 0],
        /// Offset 20: 0.
        zero20: u32 [always 0],
    }
}

relicast_codec::record! {
    /// One row of the table, 40 bytes.
    pub struct Row[40] {
        /// Offset 0: name without extension.
        name: PaddedText<32> [padded],
        /// Offset 32: first byte of the image; images are stored back to back in table order.
        start: u32,
        /// Offset 36: index of the global palette, -1 for none.
        palette_index: i32,
    }
}

bitflags::bitflags! {
    /// Contents of an image.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct ImageFlags: u32 {
        /// Set on every image, including palettized ones.
        const TWO_BYTES = 1 << 0;
        /// Some texels are transparent.
        const ALPHA = 1 << 1;
        /// All texels are opaque; never together with `ALPHA`.
        const OPAQUE = 1 << 2;
        /// An alpha plane follows the texels; only with `ALPHA`.
        const ALPHA_PLANE = 1 << 3;
        /// The palette is one of the package's; set exactly when the row names one.
        const GLOBAL_PALETTE = 1 << 4;
        /// Run-time state that leaked into the files.
        const IMAGE_LOADED = 1 << 5;
        /// Run-time state that leaked into the files.
        const ALPHA_LOADED = 1 << 6;
        /// Run-time state that leaked into the files.
        const PALETTE_LOADED = 1 << 7;
        const _ = !0;
    }
}
relicast_codec::plain_flags!(ImageFlags: u32);

/// Marking of an image's transparent texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Alpha {
    /// It has none.
    None,
    /// Color word 0x0000 is transparent, every other opaque. For palettized images (Crimson Skies only) the rule
    /// has a single source: the looked-up color decides.
    Simple,
    /// A plane of 8-bit values, 0 transparent to 255 opaque; transparent texels have real colors.
    Full,
}

relicast_codec::record! {
    /// Start of an image, 16 bytes.
    pub struct ImageHeader[16] {
        /// Offset 0.
        flags: ImageFlags,
        /// Offset 4: texels in a row; need not be a power of two.
        width: u16,
        /// Offset 6: rows.
        height: u16,
        /// Offset 8: 0.
        zero08: u32 [always 0],
        /// Offset 12: 0 for direct color, else colors in the palette, 1 to 256.
        palette_count: u16 [within 0..=256],
        /// Offset 14: edge mode. Bit 0 clamps U, bit 1 clamps V (engine evidence from Recoil; older
        /// documents read a stretch factor). 0 to 3, in Crimson Skies also 4, 7, 8: there bit 2 adds the picture to
        /// what is behind it ([`ADDITIVE`], read from the program by CSVM), and bit 3 is not known.
        stretch: u16,
    }
}

/// Bit of the edge mode of a picture of Crimson Skies that is added to what is behind it: fire, flares, lamps of
/// instruments (31 of the 881 pictures of C1, 26 of the 732 of C3, counted by CSVM).
pub const ADDITIVE: u16 = 4;

/// One image.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Image<'a> {
    /// Its header.
    pub header: ImageHeader,
    /// 5:6:5 words (little-endian), or indices into the palette when `palette_count` is not 0.
    pub texels: Blob<'a>,
    /// The alpha plane of an image with [`Alpha::Full`], one byte per texel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Blob<'a>>,
    /// Its own palette; empty when it has none or uses a global one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub palette: Vec<Rgb565>,
}

impl Image<'_> {
    /// Marking of the image's transparent texels.
    pub fn alpha_kind(&self) -> Alpha {
        let flags = self.header.flags;
        if flags.contains(ImageFlags::ALPHA | ImageFlags::ALPHA_PLANE) {
            Alpha::Full
        } else if flags.contains(ImageFlags::ALPHA) {
            Alpha::Simple
        } else {
            Alpha::None
        }
    }

    /// Bytes that the image takes in the file.
    pub fn stored_length(&self) -> usize {
        let plane = self.alpha.as_ref().map_or(0, |plane| plane.len());
        ImageHeader::SIZE
            .saturating_add(self.texels.len())
            .saturating_add(plane)
            .saturating_add(self.palette.len().saturating_mul(Rgb565::SIZE))
    }

    /// Number of texels.
    pub fn texel_count(&self) -> usize {
        usize::from(self.header.width).saturating_mul(usize::from(self.header.height))
    }
}

impl<'a> Walk<'a> for Image<'a> {
    const SMALLEST: usize = ImageHeader::SIZE;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        let offset = stream.position();
        self.header.walk(stream)?;
        let flags = self.header.flags;
        if S::READING {
            self.check_flags(stream, offset)?;
        }
        let texels = self.texel_count();
        let palettised = self.header.palette_count > 0;
        let texel_bytes = if palettised {
            texels
        } else {
            texels.saturating_mul(2)
        };
        stream.bytes("texels", &mut self.texels.0, texel_bytes)?;
        if self.alpha_kind() == Alpha::Full {
            let mut plane = self.alpha.take().unwrap_or_default();
            stream.bytes("alpha", &mut plane.0, texels)?;
            self.alpha = Some(plane);
        }
        if palettised && !flags.contains(ImageFlags::GLOBAL_PALETTE) {
            let count = usize::from(self.header.palette_count);
            stream.values("palette", &mut self.palette, count)?;
        }
        Ok(())
    }
}

impl Image<'_> {
    fn check_flags<'a, S: Stream<'a>>(&self, stream: &mut S, offset: usize) -> Result<()> {
        let flags = self.header.flags;
        if !flags.contains(ImageFlags::TWO_BYTES) {
            return Err(FormatError::unsupported(
                "flags",
                offset,
                "bit 0 (two bytes per texel)",
                format_args!("{:#x}", flags.bits()),
            ));
        }
        let alpha = flags & (ImageFlags::ALPHA | ImageFlags::OPAQUE | ImageFlags::ALPHA_PLANE);
        let known = [
            ImageFlags::OPAQUE,
            ImageFlags::ALPHA,
            ImageFlags::ALPHA | ImageFlags::ALPHA_PLANE,
        ];
        if !known.contains(&alpha) || flags.bits() > 0xFF {
            stream.deviate(
                "flags",
                offset,
                "one kind of alpha and no bit above 7",
                format_args!("{:#x}", flags.bits()),
            );
        }
        Ok(())
    }
}

/// Header, table and palettes: everything but the images.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Directory {
    /// Start of the file; the counts are recomputed when writing.
    pub header: Header,
    /// One row an image.
    pub rows: Vec<Row>,
    /// Palettes that images share, 256 colors each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub palettes: Vec<Vec<Rgb565>>,
}

impl Directory {
    /// Bytes before the first image.
    pub fn stored_length(&self) -> usize {
        Header::SIZE
            .saturating_add(self.rows.len().saturating_mul(Row::SIZE))
            .saturating_add(self.palettes.len().saturating_mul(PALETTE_SIZE))
    }
}

impl<'a> Walk<'a> for Directory {
    const SMALLEST: usize = Header::SIZE;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        if !S::READING {
            let too_many = |_| FormatError::unencodable("header", 0, "counts of 32 bits", "more");
            self.header.image_count = u32::try_from(self.rows.len()).map_err(too_many)?;
            self.header.global_palette_count =
                u32::try_from(self.palettes.len()).map_err(too_many)?;
        }
        self.header.walk(stream)?;
        stream.records("rows", &mut self.rows, self.header.image_count as usize)?;
        stream.list(
            "palettes",
            &mut self.palettes,
            self.header.global_palette_count as usize,
            PALETTE_SIZE,
            |stream, palette| stream.values("colors", palette, 256),
        )
    }
}

const PALETTE_SIZE: usize = 512;

/// The whole file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Package<'a> {
    /// Everything before the images.
    pub directory: Directory,
    /// The images, one per row.
    pub images: Vec<Image<'a>>,
    /// Bytes after the last image; none in any game.
    #[serde(skip_serializing_if = "Blob::is_blank")]
    pub trailing: Blob<'a>,
}

/// Returns true if `bytes` look like a texture package: constant words, counts that fit, and a first
/// image right after the table and the palettes.
pub fn sniff(bytes: &[u8]) -> bool {
    let word = |offset: usize| bytes.get(offset..).and_then(u32::load);
    let (Some(palettes), Some(images)) = (word(8), word(12)) else {
        return false;
    };
    let first = u64::from(images) * Row::SIZE as u64
        + u64::from(palettes) * PALETTE_SIZE as u64
        + Header::SIZE as u64;
    may_begin(bytes)
        && images > 0
        && first <= bytes.len() as u64
        && word(Header::SIZE + 32).map(u64::from) == Some(first)
}

/// Returns true if a file that begins with `first` may be a texture package: its constant words.
pub(crate) fn may_begin(first: &[u8]) -> bool {
    let word = |offset: usize| first.get(offset..).and_then(u32::load);
    let constants = [0, 4, 16, 20].map(word);
    constants == [Some(0), Some(1), Some(0), Some(0)]
}

/// Decodes header, table and palettes.
///
/// # Errors
/// Another version, or counts that do not fit the file.
pub fn decode_directory(bytes: &[u8]) -> Result<Decoded<Directory>> {
    let mut reader = Reader::new(bytes);
    let mut value = Directory::default();
    value.walk(&mut reader)?;
    Ok(Decoded {
        value,
        deviations: reader.into_deviations(),
    })
}

/// Decodes the image of row `index`, so that a damaged image does not affect the others. Offsets of its faults
/// count from the start of the file.
///
/// # Errors
/// The row points outside the file, or the image runs past its end.
pub fn decode_image<'a>(
    bytes: &'a [u8],
    directory: &Directory,
    index: usize,
) -> Result<Decoded<Image<'a>>> {
    let row = directory.rows.get(index).ok_or_else(|| {
        FormatError::malformed("rows", 0, format_args!("more than {index} rows"), "fewer")
    })?;
    let mut reader = Reader::new(bytes);
    reader.seek("start", row.start as usize)?;
    let mut value = Image::default();
    value.walk(&mut reader)?;
    check_palette(&mut reader, row, &value, directory)?;
    Ok(Decoded {
        value,
        deviations: reader.into_deviations(),
    })
}

/// A fault for each row whose image shares bytes with the directory or with an image that starts before it (or
/// earlier in the table); `None` for the others. The remaining images together hold no more bytes than the file, so
/// that a small table cannot multiply one large image.
pub fn overlaps(bytes: &[u8], directory: &Directory) -> Vec<Option<FormatError>> {
    let mut order: Vec<(usize, usize)> = (directory.rows.iter().enumerate())
        .map(|(index, row)| (row.start as usize, index))
        .collect();
    order.sort_unstable();
    let mut faults = vec![None; directory.rows.len()];
    let mut covered = directory.stored_length();
    for (start, index) in order {
        if start < covered {
            let row = index.saturating_mul(Row::SIZE).saturating_add(Header::SIZE);
            let fault = FormatError::malformed(
                "start",
                row.saturating_add(32),
                format_args!("bytes not shared with other images, from {covered} on"),
                start,
            );
            if let Some(place) = faults.get_mut(index) {
                *place = Some(fault.within("rows", index));
            }
        } else if let Ok(image) = decode_image(bytes, directory, index) {
            covered = start.saturating_add(image.value.stored_length());
        }
    }
    faults
}

/// Reports the bytes after the image that starts last, as [`decode`] does. The end of a damaged image is unknown.
pub fn check_end(bytes: &[u8], directory: &Directory, deviations: &mut Deviations) {
    let rows = directory.rows.iter().enumerate();
    let end = match rows.max_by_key(|(_, row)| row.start) {
        None => Some(directory.stored_length()),
        Some((last, row)) => decode_image(bytes, directory, last)
            .ok()
            .map(|image| (row.start as usize).saturating_add(image.value.stored_length())),
    };
    let more = end.and_then(|end| bytes.len().checked_sub(end));
    if let (Some(end), Some(more @ 1..)) = (end, more) {
        let found = counted(more, "more byte", "more bytes");
        deviations.push("trailing", end, "end of data", found);
    }
}

fn check_palette(
    reader: &mut Reader<'_>,
    row: &Row,
    image: &Image<'_>,
    directory: &Directory,
) -> Result<()> {
    let offset = row.start as usize;
    let named = usize::try_from(row.palette_index).ok();
    if image.header.flags.contains(ImageFlags::GLOBAL_PALETTE) {
        let exists = named.is_some_and(|index| index < directory.palettes.len());
        if !exists && image.header.palette_count > 0 {
            return Err(FormatError::malformed(
                "palette_index",
                offset,
                format_args!("one of {} global palettes", directory.palettes.len()),
                row.palette_index,
            ));
        }
        if image.header.palette_count > 256 {
            return Err(FormatError::malformed(
                "palette_count",
                offset.saturating_add(12),
                "at most 256",
                image.header.palette_count,
            ));
        }
    } else if named.is_some() {
        reader.deviate("palette_index", offset, -1, row.palette_index);
    }
    Ok(())
}

/// Decodes the whole file.
///
/// # Errors
/// As [`decode_directory`] and [`decode_image`]; also an image that does not start at the end of the previous one.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Package<'_>>> {
    let mut reader = Reader::new(bytes);
    let mut directory = Directory::default();
    directory.walk(&mut reader)?;
    let mut images = Vec::new();
    for (index, row) in directory.rows.iter().enumerate() {
        let position = reader.position();
        if row.start as usize != position {
            return Err(FormatError::malformed(
                "start",
                position,
                format_args!("{position}, the end of the previous image"),
                row.start,
            )
            .within("rows", index));
        }
        let mut image = Image::default();
        image
            .walk(&mut reader)
            .and_then(|()| check_palette(&mut reader, row, &image, &directory))
            .map_err(|error| error.within("images", index))?;
        images.push(image);
    }
    let mut trailing = Blob::default();
    reader.trailing(&mut trailing.0)?;
    Ok(reader.finish(Package {
        directory,
        images,
        trailing,
    }))
}

/// Encodes the whole file; starts come from the image sizes.
///
/// # Errors
/// An image whose texels, plane or palette do not fit its header, or more than 4 GiB.
pub fn encode(package: &Package<'_>) -> Result<Vec<u8>> {
    let mut directory = package.directory.clone();
    let base = directory.stored_length();
    if directory.rows.len() != package.images.len() {
        return Err(FormatError::unencodable(
            "images",
            base,
            format_args!("{} images, one per row", directory.rows.len()),
            package.images.len(),
        ));
    }
    let mut start = base;
    for (row, image) in directory.rows.iter_mut().zip(&package.images) {
        row.start = u32::try_from(start)
            .map_err(|_| FormatError::unencodable("start", start, "at most 4 GiB", "more"))?;
        start = start.saturating_add(image.stored_length());
    }
    // Packages may be large: one allocation of the full size avoids copies in memory.
    let mut writer = Writer::with_capacity(start.saturating_add(package.trailing.len()));
    directory.walk(&mut writer)?;
    for (index, image) in package.images.iter().enumerate() {
        image
            .clone()
            .walk(&mut writer)
            .map_err(|error| error.within("images", index))?;
    }
    let mut bytes = writer.into_bytes();
    bytes.extend_from_slice(&package.trailing);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, palette_index: i32) -> Row {
        Row {
            name: PaddedText::new(name).unwrap(),
            start: 0,
            palette_index,
        }
    }

    fn image<'a>(flags: u32, palette_count: u16, stretch: u16, texels: &'a [u8]) -> Image<'a> {
        Image {
            header: ImageHeader {
                flags: ImageFlags::from_bits_retain(flags),
                width: 2,
                height: 1,
                zero08: 0,
                palette_count,
                stretch,
            },
            texels: Blob::borrowed(texels),
            ..Image::default()
        }
    }

    /// A worked example: one global palette, three 2 × 1 images.
    fn example() -> Package<'static> {
        let mut global = vec![Rgb565(0); 256];
        global[1] = Rgb565(0xF800);
        let mut full = image(0x0B, 0, 1, &[0x00, 0xF8, 0xE0, 0x07]);
        full.alpha = Some(Blob::borrowed(&[0, 0xFF]));
        let mut local = image(0x05, 2, 0, &[1, 0]);
        local.palette = vec![Rgb565(0), Rgb565(0x001F)];
        Package {
            directory: Directory {
                header: Header {
                    version: 1,
                    ..Header::default()
                },
                rows: vec![row("rgb", -1), row("pal", -1), row("glob", 0)],
                palettes: vec![global],
            },
            images: vec![full, local, image(0x15, 2, 3, &[0, 1])],
            trailing: Blob::default(),
        }
    }

    #[test]
    fn example_has_the_documented_layout() {
        let bytes = encode(&example()).unwrap();
        assert_eq!(bytes.len(), 718);
        assert_eq!(&bytes[0x38..0x3C], [0x90, 2, 0, 0]);
        assert_eq!(&bytes[0x2A6..0x2AA], [5, 0, 0, 0]);
        assert_eq!(&bytes[0x2CC..], [0, 1]);
        assert!(sniff(&bytes));
        let decoded = decode(&bytes).unwrap();
        assert!(decoded.deviations.is_empty());
        assert_eq!(encode(&decoded.value).unwrap(), bytes);
        assert_eq!(decoded.value.images, example().images);
    }

    #[test]
    fn one_damaged_image_costs_only_itself() {
        let mut bytes = encode(&example()).unwrap();
        bytes[0x2A6 + 12..0x2A6 + 14].copy_from_slice(&[0xFF, 0xFF]);
        let directory = decode_directory(&bytes).unwrap().value;
        assert!(decode_image(&bytes, &directory, 0).is_ok());
        assert!(decode_image(&bytes, &directory, 1).is_err());
        assert!(decode_image(&bytes, &directory, 2).is_ok());
        assert!(decode(&bytes).is_err());
    }

    #[test]
    fn images_that_share_bytes_get_faults() {
        let mut bytes = encode(&example()).unwrap();
        let directory = decode_directory(&bytes).unwrap().value;
        assert_eq!(overlaps(&bytes, &directory), [None, None, None]);
        // The last row points to the first image, the second into the table.
        bytes[0x88..0x8C].copy_from_slice(&0x290_u32.to_le_bytes());
        bytes[0x60..0x64].copy_from_slice(&8_u32.to_le_bytes());
        let directory = decode_directory(&bytes).unwrap().value;
        let faults = overlaps(&bytes, &directory);
        assert!(faults[0].is_none());
        let facts = |index: usize| {
            let fault: &FormatError = faults[index].as_ref().unwrap();
            (fault.field().to_owned(), fault.offset())
        };
        assert_eq!(facts(1), ("rows[1].start".to_owned(), 0x60));
        assert_eq!(facts(2), ("rows[2].start".to_owned(), 0x88));
    }

    #[test]
    fn every_truncation_is_an_error() {
        let bytes = encode(&example()).unwrap();
        for length in 0..bytes.len() {
            assert!(decode(&bytes[..length]).is_err(), "cut at {length}");
        }
    }
}

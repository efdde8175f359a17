//! Adds a section to a message DLL for tables that have grown, and removes it when all of them fit into their first
//! places again.

use std::ops::Range;

use super::headers::{FileHeader, OptionalHeader, SectionHeader};
use super::image::Image;
use super::resources::{self, Resource};
use relicast_codec::{Deviations, FormatError, PaddedText, Reader, Result, Stream, Walk, Writer};

/// Name of sections that are added.
const NAME: &str = ".rsrc2";

/// Offset of the field with the offset of the PE signature.
const SIGNATURE_OFFSET: usize = 0x3C;

/// Offset of the image's size in the optional header.
const IMAGE_SIZE: usize = 56;

/// Offset of the checksum in the optional header.
pub(super) const CHECKSUM: usize = 64;

/// Initialized data that is only read.
const READ_ONLY: u32 = 0x4000_0040;

/// Address of the same table in the section of the resource tree, for a table in another section. Grown tables
/// leave their old version there.
pub(super) fn first_place(
    image: &Image<'_>,
    all: &[Resource<'_>],
    resource: &Resource<'_>,
    table: &[u8],
) -> Option<u32> {
    let tree = image.resources?;
    let home = image.sections.iter().find(|section| {
        let size = u32::try_from(section.data.len()).unwrap_or(u32::MAX);
        (section.address..section.address.saturating_add(size)).contains(&tree)
    })?;
    let inside = home.offset..home.offset.saturating_add(home.data.len());
    if inside.contains(&resource.offset) || table.is_empty() {
        return None;
    }
    let range = |other: &Resource<'_>| -> Range<usize> {
        other.offset..other.offset.saturating_add(other.data.len())
    };
    let is_taken = |place: &Range<usize>| {
        let mut others = all.iter().map(range);
        others.any(|other| other.start < place.end && place.start < other.end)
    };
    let windows = home.data.windows(table.len()).enumerate().step_by(4);
    let found = windows
        .filter(|(_, window)| *window == table)
        .map(|(at, _)| at)
        .find(|at| {
            let start = home.offset.saturating_add(*at);
            !is_taken(&(start..start.saturating_add(table.len())))
        })?;
    home.address.checked_add(u32::try_from(found).ok()?)
}

/// Points the resource tree to a table at this address.
///
/// # Errors
/// The table is too large.
pub(super) fn point(
    image: &mut [u8],
    resource: &Resource<'_>,
    address: u32,
    table: &[u8],
) -> Result<()> {
    put32(image, resource.entry, address);
    let size = length32(table.len())?;
    put32(image, resource.entry.saturating_add(4), size);
    Ok(())
}

/// Removes the last section if it was added here and no resource is in it any more.
///
/// # Errors
/// The image cannot be read.
pub(super) fn take_out_unused(image: &mut Vec<u8>) -> Result<()> {
    let headers = Headers::new(image)?;
    let sections = headers.sections(image)?;
    let Some((last, others)) = sections.split_last() else {
        return Ok(());
    };
    let start = last.raw_offset as usize;
    let is_ours = last.name == PaddedText::new(NAME).unwrap_or_default()
        && last.flags == READ_ONLY
        && start.checked_add(last.raw_size as usize) == Some(image.len());
    let parsed = Image::parse(image)?;
    let resources = resources::walk(&parsed, &mut Deviations::default())?;
    let is_used = resources
        .iter()
        .any(|resource| resource.fault.is_some() || resource.offset >= start);
    let ends = others.iter().map(SectionHeader::end);
    let alignment = headers.optional.section_alignment.max(1);
    let end = ends
        .max()
        .and_then(|end| end.checked_next_multiple_of(alignment));
    let (true, false, Some(image_size)) = (is_ours, is_used, end) else {
        return Ok(());
    };
    image.truncate(start);
    let row = headers.table_end().saturating_sub(SectionHeader::SIZE);
    put(image, row, &[0; SectionHeader::SIZE]);
    let count = headers.file.sections.saturating_sub(1);
    put(image, headers.start.saturating_add(6), &count.to_le_bytes());
    put32(
        image,
        headers.optional_start().saturating_add(IMAGE_SIZE),
        image_size,
    );
    Ok(())
}

/// Adds a section with tables, and points the resource tree there.
pub(super) fn add(image: &mut Vec<u8>, grown: &[(&Resource<'_>, Vec<u8>)]) -> Result<()> {
    let headers = Headers::new(image)?;
    let sections = headers.sections(image)?;
    let optional = &headers.optional;
    let (section_alignment, file_alignment) = (
        optional.section_alignment.max(1),
        optional.file_alignment.max(1),
    );
    let end = headers.table_end();
    let row = end..end.saturating_add(SectionHeader::SIZE);
    let first = sections
        .iter()
        .map(|section| section.raw_offset)
        .filter(|at| *at > 0)
        .min();
    let limit = first
        .unwrap_or(optional.header_size)
        .min(optional.header_size) as usize;
    let is_free = image
        .get(row.clone())
        .is_some_and(|row| row.iter().all(|&byte| byte == 0));
    if row.end > limit || !is_free {
        let found = format_args!("{limit} bytes of headers, taken up to {end}");
        return Err(FormatError::unencodable(
            "sections",
            end,
            "space for another section header",
            found,
        ));
    }
    let too_large = || FormatError::unencodable("image", end, "at most 4 GiB", "more");
    let aligned = |value: u32, alignment: u32| value.checked_next_multiple_of(alignment);
    let last = sections.iter().map(SectionHeader::end).max();
    let address = aligned(last.unwrap_or_default(), section_alignment).ok_or_else(too_large)?;
    let raw_offset = aligned(length32(image.len())?, file_alignment).ok_or_else(too_large)?;
    image.resize(raw_offset as usize, 0);
    let mut size = 0_u32;
    for (resource, table) in grown {
        let place = address.checked_add(size).ok_or_else(too_large)?;
        point(image, resource, place, table)?;
        image.extend_from_slice(table);
        let padded = length32(table.len().next_multiple_of(8))?;
        size = size.checked_add(padded).ok_or_else(too_large)?;
        image.resize((raw_offset as usize).saturating_add(size as usize), 0);
    }
    let raw_size = aligned(size, file_alignment).ok_or_else(too_large)?;
    image.resize((raw_offset as usize).saturating_add(raw_size as usize), 0);
    let mut header = SectionHeader {
        name: PaddedText::new(NAME).unwrap_or_default(),
        virtual_size: size,
        virtual_address: address,
        raw_size,
        raw_offset,
        flags: READ_ONLY,
        ..SectionHeader::default()
    };
    let mut writer = Writer::default();
    header.walk(&mut writer)?;
    if let Some(place) = image.get_mut(row) {
        place.copy_from_slice(writer.written());
    }
    let count = headers.file.sections.checked_add(1).ok_or_else(too_large)?;
    put(image, headers.start.saturating_add(6), &count.to_le_bytes());
    let end = address.checked_add(size).ok_or_else(too_large)?;
    let image_size = aligned(end, section_alignment).ok_or_else(too_large)?;
    put32(
        image,
        headers.optional_start().saturating_add(IMAGE_SIZE),
        image_size,
    );
    Ok(())
}

/// The checksum of an image, where it has one.
pub(super) fn update_checksum(image: &mut [u8]) -> Result<()> {
    let headers = Headers::new(image)?;
    if headers.optional.checksum == 0 {
        return Ok(());
    }
    let place = headers.optional_start().saturating_add(CHECKSUM);
    put32(image, place, 0);
    // The sum of all words with the carry added, and the length.
    let words = image.chunks(2).map(|word| match *word {
        [low, high] => u32::from(u16::from_le_bytes([low, high])),
        [low] => u32::from(low),
        _ => 0,
    });
    let sum = words.fold(0_u32, |sum, word| {
        let sum = sum.wrapping_add(word);
        (sum & 0xFFFF).wrapping_add(sum >> 16)
    });
    let length = length32(image.len())?;
    put32(image, place, (sum & 0xFFFF).wrapping_add(length));
    Ok(())
}

impl SectionHeader {
    /// End in memory.
    fn end(&self) -> u32 {
        let size = self.virtual_size.max(self.raw_size);
        self.virtual_address.saturating_add(size)
    }
}

/// The headers that change with a section.
pub(super) struct Headers {
    /// Offset of the PE signature.
    start: usize,
    file: FileHeader,
    pub(super) optional: OptionalHeader,
}

impl Headers {
    pub(super) fn new(image: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(image);
        let mut start = 0_u32;
        reader.seek("pe_offset", SIGNATURE_OFFSET)?;
        reader.value("pe_offset", &mut start)?;
        let start = start as usize;
        reader.seek("file_header", start.saturating_add(4))?;
        let (mut file, mut optional) = (FileHeader::default(), OptionalHeader::default());
        file.walk(&mut reader)?;
        optional.walk(&mut reader)?;
        Ok(Self {
            start,
            file,
            optional,
        })
    }

    pub(super) fn optional_start(&self) -> usize {
        self.start
            .saturating_add(4)
            .saturating_add(FileHeader::SIZE)
    }

    fn table_start(&self) -> usize {
        self.optional_start()
            .saturating_add(usize::from(self.file.optional_size))
    }

    fn table_end(&self) -> usize {
        let length = usize::from(self.file.sections).saturating_mul(SectionHeader::SIZE);
        self.table_start().saturating_add(length)
    }

    fn sections(&self, image: &[u8]) -> Result<Vec<SectionHeader>> {
        let mut reader = Reader::new(image);
        reader.seek("sections", self.table_start())?;
        let mut sections = Vec::new();
        reader.records("sections", &mut sections, usize::from(self.file.sections))?;
        Ok(sections)
    }
}

fn put(image: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(place) = image.get_mut(at..at.saturating_add(bytes.len())) {
        place.copy_from_slice(bytes);
    }
}

pub(super) fn put32(image: &mut [u8], at: usize, value: u32) {
    put(image, at, &value.to_le_bytes());
}

pub(super) fn length32(length: usize) -> Result<u32> {
    u32::try_from(length)
        .map_err(|_| FormatError::unencodable("image", length, "at most 4 GiB", length))
}

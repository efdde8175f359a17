//! Texts of a message DLL replaced: its resources are built again, everything else keeps its bytes.
//!
//! A table that has not grown stays in its place and keeps its size. One that has goes into a section of its own behind all others, since
//! nothing in an image may move; the resource tree points there.

use std::collections::BTreeMap;

use super::file::{Address, text_address};
use super::headers::{FileHeader, OptionalHeader, SectionHeader};
use super::image::Image;
use super::language::{Charset, WESTERN, code_page};
use super::resources::{self, Resource};
use super::tables::{self, Entry, Form, MessageBlock, MessageHead};
use crate::formats::codec::{
    Deviations, FixedSize, FormatError, PaddedText, Reader, Result, Stream, Walk, Writer,
};

/// New texts by language and id.
pub type Texts = BTreeMap<(u16, u32), String>;

/// Offset of the field with the offset of the PE signature.
const SIGNATURE_OFFSET: usize = 0x3C;

/// Offset of the checksum in the optional header.
const CHECKSUM: usize = 64;

/// Initialised data that is only read.
const READ_ONLY: u32 = 0x4000_0040;

/// Replaces texts of the DLL in `bytes`; line ends that close messages are added as they were.
///
/// # Errors
/// The DLL cannot be read, it lacks a text of that id, a text has no spelling in its code page or is too long, or the image
/// has no room for another section.
pub fn replace(bytes: &[u8], texts: &Texts) -> Result<Vec<u8>> {
    let image = Image::parse(bytes)?;
    let mut deviations = Deviations::default();
    let mut left: Vec<(u16, u32)> = texts.keys().copied().collect();
    let mut grown = Vec::new();
    let mut new = bytes.to_vec();
    for resource in resources::walk(&image, &mut deviations)? {
        let Some(address) = text_address(&resource) else {
            continue;
        };
        if let Some(fault) = resource.fault {
            return Err(fault);
        }
        let language = address.language_id();
        let own = |id: u32| texts.get(&(language, id));
        let data = &*resource.data;
        let entries = match address {
            Address::Table(_) => tables::decode_messages(data)?.value,
            Address::Block(_, block) => tables::decode_strings(data, block)?.value,
        };
        let touched: Vec<u32> = entries
            .iter()
            .map(|entry| entry.id)
            .filter(|id| own(*id).is_some())
            .collect();
        if touched.is_empty() {
            continue;
        }
        left.retain(|(other, id)| *other != language || !touched.contains(id));
        let page = code_page(language).unwrap_or(WESTERN);
        let table = match address {
            Address::Table(_) => messages(data, &entries, page, own)?,
            Address::Block(_, block) => strings(&entries, block, own)?,
        };
        match table.len() <= data.len() {
            true => in_place(&mut new, &resource, table),
            false => grown.push((resource, table)),
        }
    }
    if let Some((language, id)) = left.first() {
        return Err(FormatError::unencodable(
            "texts",
            0,
            format_args!("a text of language {language} in the DLL"),
            format_args!("none with id {id}"),
        ));
    }
    if !grown.is_empty() {
        add_section(&mut new, &grown)?;
    }
    sign(&mut new)?;
    Ok(new)
}

/// The stored form of a text.
fn stored(entry: &Entry<'_>, page: u16, text: &str) -> Result<Vec<u8>> {
    let charset = match entry.form {
        Form::Ansi => Charset::CodePage(page),
        Form::Wide | Form::String => Charset::Utf16,
    };
    let closed = charset.decode(entry.bytes);
    let closed = closed.trim_end_matches('\0');
    let text = match entry.form != Form::String && closed.ends_with("\r\n") {
        true => format!("{text}\r\n"),
        false => text.to_owned(),
    };
    let bytes = charset.encode(&text).ok_or_else(|| {
        let expected = format_args!("characters of code page {page}");
        FormatError::unencodable("text", entry.offset, expected, &text)
    })?;
    Ok(bytes.into_owned())
}

/// A message table with new texts; messages that have none keep their bytes.
fn messages<'t>(
    data: &[u8],
    entries: &[Entry<'_>],
    page: u16,
    own: impl Fn(u32) -> Option<&'t String>,
) -> Result<Vec<u8>> {
    let mut reader = Reader::new(data);
    let mut blocks: Vec<MessageBlock> = Vec::new();
    let count = reader.count("blocks", 0)?;
    reader.records("blocks", &mut blocks, count)?;
    let mut body = Vec::new();
    let mut left = entries.iter();
    let start = reader.position();
    for block in &mut blocks {
        block.offset = length32(start.saturating_add(body.len()))?;
        let ids = block.high_id.saturating_sub(block.low_id);
        for entry in left.by_ref().take((ids as usize).saturating_add(1)) {
            let head = entry.offset.saturating_sub(MessageHead::SIZE);
            let end = entry.offset.saturating_add(entry.bytes.len());
            let Some(text) = own(entry.id) else {
                body.extend_from_slice(data.get(head..end).unwrap_or_default());
                continue;
            };
            let mut text = stored(entry, page, text)?;
            // At least one character of NUL, as the platform's tools write.
            let nul = if entry.form == Form::Wide { 2 } else { 1 };
            let padded = text.len().saturating_add(nul).next_multiple_of(4);
            text.resize(padded, 0);
            let length = u16::try_from(padded.saturating_add(MessageHead::SIZE));
            let length = length.map_err(|_| {
                FormatError::unencodable("text", entry.offset, "at most 65528 bytes", padded)
            })?;
            let flags = data.get(head.saturating_add(2)..).and_then(u16::load);
            length.store(&mut body);
            flags.unwrap_or_default().store(&mut body);
            body.extend(text);
        }
    }
    let mut writer = Writer::default();
    let count = writer.count("blocks", blocks.len())?;
    writer.records("blocks", &mut blocks, count)?;
    let mut table = writer.into_bytes();
    table.extend(body);
    Ok(table)
}

/// A string block with new texts.
fn strings<'t>(
    entries: &[Entry<'_>],
    block: u32,
    own: impl Fn(u32) -> Option<&'t String>,
) -> Result<Vec<u8>> {
    let mut texts = Vec::new();
    for entry in entries {
        let text = match own(entry.id) {
            Some(text) => stored(entry, WESTERN, text)?,
            None => entry.bytes.to_vec(),
        };
        texts.push((entry.id, text));
    }
    let blocks = tables::encode_strings(&texts)?;
    let own = blocks.into_iter().find(|(number, _)| *number == block);
    // Sixteen empty texts.
    Ok(own.map_or_else(|| vec![0; 32], |(_, data)| data))
}

/// Puts a table in the place of the one before, and zeros behind it. Its size stays, so that longer texts find their room
/// again.
fn in_place(image: &mut [u8], resource: &Resource<'_>, mut table: Vec<u8>) {
    table.resize(resource.data.len(), 0);
    let end = resource.offset.saturating_add(table.len());
    if let Some(place) = image.get_mut(resource.offset..end) {
        place.copy_from_slice(&table);
    }
}

/// Adds a section with tables, and points the resource tree there.
fn add_section(image: &mut Vec<u8>, grown: &[(Resource<'_>, Vec<u8>)]) -> Result<()> {
    let headers = Headers::of(image)?;
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
            "room for another section",
            found,
        ));
    }
    let too_large = || FormatError::unencodable("image", end, "at most 4 GiB", "more");
    let aligned = |value: u32, alignment: u32| value.checked_next_multiple_of(alignment);
    let last = sections
        .iter()
        .map(|section| {
            section
                .virtual_address
                .saturating_add(section.virtual_size.max(section.raw_size))
        })
        .max();
    let address = aligned(last.unwrap_or_default(), section_alignment).ok_or_else(too_large)?;
    let raw_offset = aligned(length32(image.len())?, file_alignment).ok_or_else(too_large)?;
    image.resize(raw_offset as usize, 0);
    let mut size = 0_u32;
    for (resource, table) in grown {
        let place = address.checked_add(size).ok_or_else(too_large)?;
        put32(image, resource.entry, place);
        put32(
            image,
            resource.entry.saturating_add(4),
            length32(table.len())?,
        );
        image.extend_from_slice(table);
        let padded = length32(table.len().next_multiple_of(8))?;
        size = size.checked_add(padded).ok_or_else(too_large)?;
        image.resize((raw_offset as usize).saturating_add(size as usize), 0);
    }
    let raw_size = aligned(size, file_alignment).ok_or_else(too_large)?;
    image.resize((raw_offset as usize).saturating_add(raw_size as usize), 0);
    let mut header = SectionHeader {
        name: PaddedText::new(".rsrc2").unwrap_or_default(),
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
        headers.optional_start().saturating_add(56),
        image_size,
    );
    Ok(())
}

/// The checksum of an image, where it has one.
fn sign(image: &mut [u8]) -> Result<()> {
    let headers = Headers::of(image)?;
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

/// The headers that change with a section.
struct Headers {
    /// Offset of the PE signature.
    start: usize,
    file: FileHeader,
    optional: OptionalHeader,
}

impl Headers {
    fn of(image: &[u8]) -> Result<Self> {
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

    fn optional_start(&self) -> usize {
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

fn put32(image: &mut [u8], at: usize, value: u32) {
    put(image, at, &value.to_le_bytes());
}

fn length32(length: usize) -> Result<u32> {
    u32::try_from(length)
        .map_err(|_| FormatError::unencodable("image", length, "at most 4 GiB", length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::zipper::messages::write::{Flavour, Lead, MessageImage, write};
    use crate::formats::zipper::messages::{Language, Message, decode};

    fn sample(flavour: Flavour) -> Vec<u8> {
        let text = |key: &str, id, text: &str| Message {
            key: Some(key.to_owned()),
            id,
            value: Some(text.to_owned()),
            raw: None,
        };
        write(&MessageImage {
            flavour,
            lead: Lead::Short,
            export_name: Some("ZLocGetID".to_owned()),
            language: Language {
                language_id: 1031,
                code_page: 1252,
                entries: vec![
                    text("MSG_A", 3, "Zwei"),
                    text("MSG_B", 4, "Drei Ämter"),
                    text("MSG_C", 40, "Vier"),
                ],
            },
        })
        .unwrap()
    }

    fn texts(bytes: &[u8]) -> Vec<(u32, String)> {
        let decoded = decode(bytes).unwrap();
        assert!(decoded.deviations.is_empty(), "{:?}", decoded.deviations);
        let entries = decoded
            .value
            .languages
            .into_iter()
            .flat_map(|language| language.entries);
        entries
            .map(|entry| (entry.id, entry.value.unwrap()))
            .collect()
    }

    #[test]
    fn texts_grow_and_shrink_and_come_back() {
        for flavour in [Flavour::MessageTable, Flavour::StringTable] {
            let original = sample(flavour);
            for text in ["X", "Zwölf", &"lang ".repeat(900)] {
                let new = Texts::from([((1031, 4), text.to_owned())]);
                let replaced = replace(&original, &new).unwrap();
                let expected = [(3, "Zwei"), (4, text), (40, "Vier")];
                let expected = expected.map(|(id, text)| (id, text.to_owned()));
                assert_eq!(texts(&replaced), expected, "{flavour:?}");
                // The code and the keys lie where they did.
                let kept = original.len().min(0x600);
                let differing = original.iter().zip(&replaced).take(kept).skip(0x200);
                assert!(differing.clone().all(|(one, other)| one == other));
            }
            let same = Texts::from([((1031, 4), "Drei Ämter".to_owned())]);
            assert_eq!(texts(&replace(&original, &same).unwrap()), texts(&original));
            // What was made shorter has its room again.
            let zwei = |text: &str| Texts::from([((1031, 3), text.to_owned())]);
            let shorter = replace(&original, &zwei("Z")).unwrap();
            assert_ne!(shorter, original);
            let again = replace(&shorter, &zwei("Zwei")).unwrap();
            assert!(again == original, "{flavour:?}");
        }
    }

    #[test]
    fn what_cannot_be_spelled_or_found_is_refused() {
        let original = sample(Flavour::MessageTable);
        let replace = |language, id, text: &str| {
            replace(&original, &Texts::from([((language, id), text.to_owned())]))
        };
        let error = replace(1031, 3, "Пять").unwrap_err().to_string();
        assert!(error.contains("code page 1252"), "{error}");
        assert!(replace(1031, 5, "Fünf").is_err());
        assert!(replace(1033, 3, "Two").is_err());
        assert!(replace(1031, 3, &"x".repeat(70_000)).is_err());
    }

    #[test]
    fn a_checksum_is_made_again_where_there_was_one() {
        let mut original = sample(Flavour::MessageTable);
        let headers = Headers::of(&original).unwrap();
        put32(&mut original, headers.optional_start() + CHECKSUM, 1);
        sign(&mut original).unwrap();
        let first = Headers::of(&original).unwrap().optional.checksum;
        assert!(first > original.len() as u32);
        let new = Texts::from([((1031, 3), "Neun".to_owned())]);
        let replaced = replace(&original, &new).unwrap();
        let second = Headers::of(&replaced).unwrap().optional.checksum;
        assert_ne!(first, second);
        let mut again = replaced.clone();
        sign(&mut again).unwrap();
        assert_eq!(again, replaced);
    }
}

//! Replaces texts of a message DLL: rebuilds its resources and preserves all other bytes.
//!
//! A table that has not grown keeps its place and size. A grown table is stored in a new last section, because
//! nothing in an image may move. The resource tree points there until the table again equals the one at its first
//! place.

use std::collections::BTreeMap;

use super::file::{Address, text_address};
use super::image::Image;
use super::language::{Charset, WESTERN, code_page};
use super::resources::{self, Resource};
use super::sections::{self, length32};
use super::tables::{self, Entry, Form, MessageBlock, MessageHead};
use relicast_codec::{Deviations, FixedSize, FormatError, Reader, Result, Stream, Writer};

/// New texts by language and id.
pub type Texts = BTreeMap<(u16, u32), String>;

/// Replaces texts of the DLL in `bytes`; final line ends are added as before.
///
/// # Errors
/// The DLL cannot be read, it lacks a text of that id, a text has characters outside its code page or is too long,
/// or the image has no space for another section.
pub fn replace(bytes: &[u8], texts: &Texts) -> Result<Vec<u8>> {
    let image = Image::parse(bytes)?;
    let mut deviations = Deviations::default();
    let mut left: Vec<(u16, u32)> = texts.keys().copied().collect();
    let mut grown = Vec::new();
    let mut new = bytes.to_vec();
    let mut came_home = false;
    let resources = resources::walk(&image, &mut deviations)?;
    for resource in &resources {
        let Some(address) = text_address(resource) else {
            continue;
        };
        if let Some(fault) = &resource.fault {
            return Err(fault.clone());
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
        if let Some(place) = sections::first_place(&image, &resources, resource, &table) {
            sections::point(&mut new, resource, place, &table)?;
            came_home = true;
        } else if table.len() <= data.len() {
            in_place(&mut new, resource, table);
        } else {
            grown.push((resource, table));
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
        sections::add(&mut new, &grown)?;
    } else if came_home {
        sections::take_out_unused(&mut new)?;
    }
    sections::update_checksum(&mut new)?;
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

/// A message table with new texts; other messages keep their bytes.
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
            let nul = if entry.form == Form::Wide { 2 } else { 1 };
            let filled = entry.bytes.chunks(nul);
            let filled = filled
                .rev()
                .skip_while(|unit| unit.iter().all(|&byte| byte == 0));
            let padded = match filled.count().saturating_mul(nul) == text.len() {
                true => entry.bytes.len(),
                // At least one NUL character, as the platform's tools write.
                false => text.len().saturating_add(nul).next_multiple_of(4),
            };
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

/// Writes a table over the previous one, and zeros after it. Its size stays, so that longer texts fit again later.
fn in_place(image: &mut [u8], resource: &Resource<'_>, mut table: Vec<u8>) {
    table.resize(resource.data.len(), 0);
    let end = resource.offset.saturating_add(table.len());
    if let Some(place) = image.get_mut(resource.offset..end) {
        place.copy_from_slice(&table);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::messages::sections::{CHECKSUM, Headers, put32, update_checksum};
    use crate::zipper::messages::write::{Flavor, Lead, MessageImage, write};
    use crate::zipper::messages::{Language, Message, decode};

    fn sample(flavor: Flavor) -> Vec<u8> {
        let text = |key: &str, id, text: &str| Message {
            key: Some(key.to_owned()),
            id,
            value: Some(text.to_owned()),
            raw: None,
        };
        write(&MessageImage {
            flavor,
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
        for flavor in [Flavor::MessageTable, Flavor::StringTable] {
            let original = sample(flavor);
            for text in ["X", "Zwölf", &"lang ".repeat(900)] {
                let new = Texts::from([((1031, 4), text.to_owned())]);
                let replaced = replace(&original, &new).unwrap();
                let expected = [(3, "Zwei"), (4, text), (40, "Vier")];
                let expected = expected.map(|(id, text)| (id, text.to_owned()));
                assert_eq!(texts(&replaced), expected, "{flavor:?}");
                // The code and the keys have not moved.
                let kept = original.len().min(0x600);
                let differing = original.iter().zip(&replaced).take(kept).skip(0x200);
                assert!(differing.clone().all(|(one, other)| one == other));
            }
            let same = Texts::from([((1031, 4), "Drei Ämter".to_owned())]);
            assert_eq!(texts(&replace(&original, &same).unwrap()), texts(&original));
            // A shortened text can grow to its old size.
            let zwei = |text: &str| Texts::from([((1031, 3), text.to_owned())]);
            let shorter = replace(&original, &zwei("Z")).unwrap();
            assert_ne!(shorter, original);
            let again = replace(&shorter, &zwei("Zwei")).unwrap();
            assert!(again == original, "{flavor:?}");
            // A table that fits again returns to its first place.
            let longer = replace(&original, &zwei(&"Zwei".repeat(40))).unwrap();
            assert!(longer.len() > original.len());
            let again = replace(&longer, &zwei("Zwei")).unwrap();
            assert!(again == original, "{flavor:?}");
            // Other texts stay in the section that was added.
            let other = replace(&longer, &Texts::from([((1031, 4), "Fünf".to_owned())])).unwrap();
            assert_eq!(other.len(), longer.len());
        }
    }

    #[test]
    fn what_cannot_be_encoded_or_found_is_refused() {
        let original = sample(Flavor::MessageTable);
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
        let mut original = sample(Flavor::MessageTable);
        let headers = Headers::new(&original).unwrap();
        put32(&mut original, headers.optional_start() + CHECKSUM, 1);
        update_checksum(&mut original).unwrap();
        let first = Headers::new(&original).unwrap().optional.checksum;
        assert!(first > original.len() as u32);
        let new = Texts::from([((1031, 3), "Neun".to_owned())]);
        let replaced = replace(&original, &new).unwrap();
        let second = Headers::new(&replaced).unwrap().optional.checksum;
        assert_ne!(first, second);
        let mut again = replaced.clone();
        update_checksum(&mut again).unwrap();
        assert_eq!(again, replaced);
    }
}

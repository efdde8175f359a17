//! Writes small message DLLs for samples and tests, with the same parts as those of the games. Their only code is
//! one exported function that returns 0.
//!
//! ```text
//! headers | .text: the function, if exported | .rdata: export table | .data: key table | .rsrc
//! ```

use std::collections::BTreeMap;

use super::file::{Language, Message};
use super::headers::{
    FileHeader, OptionalHeader, ResourceData, ResourceDirectory, ResourceEntry, SectionHeader,
};
use super::keys::LEADS;
use super::language::Charset;
use super::tables;
use relicast_codec::{Bytes, FormatError, PaddedText, Result, Stream, Walk, Writer, shown};

/// Container of the texts in a written DLL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavor {
    /// A message table (Recoil, MechWarrior 3, Pirate's Moon).
    MessageTable,
    /// String blocks (Crimson Skies). Empty texts are missing ones.
    StringTable,
}

/// Bytes of run-time data before the key table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lead {
    /// 16 bytes, all zero (MechWarrior 3, Pirate's Moon).
    Short,
    /// 48 bytes, not all zero (Recoil, Crimson Skies).
    Long,
}

/// A message DLL to write.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageImage<'a> {
    /// Form of the texts.
    pub flavor: Flavor,
    /// Bytes before the key table.
    pub lead: Lead,
    /// Name of the exported function, if any.
    pub export_name: Option<String>,
    /// The texts and keys. `raw` is ignored. Keys are written in this order.
    pub language: Language<'a>,
}

const IMAGE_BASE: u32 = 0x1000_0000;
const FILE_ALIGNMENT: u32 = 0x200;
const SECTION_ALIGNMENT: u32 = 0x1000;
/// MZ header without a program, and the PE signature after it.
const STUB: usize = 0x40;

const CODE: u32 = 0x6000_0020;
const READ_ONLY: u32 = 0x4000_0040;
const READ_WRITE: u32 = 0xC000_0040;

struct Part {
    name: &'static str,
    flags: u32,
    address: u32,
    data: Vec<u8>,
}

/// Writes a message DLL.
///
/// # Errors
/// A text does not fit the code page or the table, two messages of one id differ, a key is not printable ASCII, or
/// the image exceeds 32 bits.
pub fn write(image: &MessageImage<'_>) -> Result<Vec<u8>> {
    let mut parts: Vec<Part> = Vec::new();
    let mut directories = [[0_u32; 2]; 16];
    let mut add = |name, flags, build: &dyn Fn(u32) -> Result<Vec<u8>>| -> Result<[u32; 2]> {
        let address = parts.last().map_or(Ok(SECTION_ALIGNMENT), |part: &Part| {
            let end = offset(part.data.len())?.checked_add(part.address);
            end.and_then(|end| end.checked_next_multiple_of(SECTION_ALIGNMENT))
                .ok_or_else(|| too_large(part.data.len()))
        })?;
        let data = build(address)?;
        let place = [address, offset(data.len())?];
        parts.push(Part {
            name,
            flags,
            address,
            data,
        });
        Ok(place)
    };
    if let Some(name) = &image.export_name {
        // xor eax, eax; ret
        let [function, _] = add(".text", CODE, &|_| Ok(vec![0x31, 0xC0, 0xC3]))?;
        let place = add(".rdata", READ_ONLY, &|address| {
            export_table(name, function, address)
        })?;
        if let Some(directory) = directories.get_mut(0) {
            *directory = place;
        }
    }
    add(".data", READ_WRITE, &|address| {
        key_table(image, IMAGE_BASE.saturating_add(address))
    })?;
    let resources = resources_of(image)?;
    let place = add(".rsrc", READ_ONLY, &|address| {
        resource_tree(&resources, image.language.language_id, address)
    })?;
    if let Some(directory) = directories.get_mut(2) {
        *directory = place;
    }
    assemble(&parts, directories)
}

fn too_large(length: usize) -> FormatError {
    FormatError::unencodable("image", length, "at most 4 GiB", "more")
}

fn offset(length: usize) -> Result<u32> {
    u32::try_from(length).map_err(|_| too_large(length))
}

/// Appends a record; writing one cannot fail, so errors only pass through.
fn put(writer: &mut Writer, mut record: impl Walk<'static>) -> Result<()> {
    record.walk(writer)
}

fn pad(bytes: &mut Vec<u8>, alignment: usize) {
    bytes.resize(bytes.len().next_multiple_of(alignment), 0);
}

fn assemble(parts: &[Part], directories: [[u32; 2]; 16]) -> Result<Vec<u8>> {
    let head = STUB
        .saturating_add(4 + FileHeader::SIZE + OptionalHeader::SIZE + 16 * 8)
        .saturating_add(parts.len().saturating_mul(SectionHeader::SIZE));
    let header_size = offset(head.next_multiple_of(FILE_ALIGNMENT as usize))?;
    let image_size = parts.last().map_or(Ok(SECTION_ALIGNMENT), |part| {
        let end = part.address.saturating_add(offset(part.data.len())?);
        Ok::<u32, FormatError>(end.next_multiple_of(SECTION_ALIGNMENT))
    })?;
    let mut writer = Writer::default();
    writer.value("magic", &mut Bytes(*b"MZ"))?;
    writer.value("stub", &mut Bytes([0; STUB - 6]))?;
    writer.value("pe_offset", &mut offset(STUB)?)?;
    writer.value("signature", &mut Bytes(*b"PE\0\0"))?;
    put(
        &mut writer,
        FileHeader {
            machine: 0x014C,
            sections: u16::try_from(parts.len()).map_err(|_| too_large(parts.len()))?,
            optional_size: 224,
            // Relocations stripped, executable, 32-bit, DLL.
            characteristics: 0x2103,
            ..FileHeader::default()
        },
    )?;
    put(
        &mut writer,
        OptionalHeader {
            magic: 0x010B,
            image_base: IMAGE_BASE,
            section_alignment: SECTION_ALIGNMENT,
            file_alignment: FILE_ALIGNMENT,
            system_version: [4, 0],
            subsystem_version: [4, 0],
            image_size,
            header_size,
            subsystem: 2,
            memory: [0x10_0000, 0x1000, 0x10_0000, 0x1000],
            directory_count: 16,
            ..OptionalHeader::default()
        },
    )?;
    writer.value("directories", &mut { directories })?;
    let mut raw_offset = header_size;
    for part in parts {
        let size = offset(part.data.len())?;
        let raw_size = size.next_multiple_of(FILE_ALIGNMENT);
        put(
            &mut writer,
            SectionHeader {
                name: PaddedText::new(part.name).unwrap_or_default(),
                virtual_size: size,
                virtual_address: part.address,
                raw_size,
                raw_offset,
                unused: Bytes([0; 12]),
                flags: part.flags,
            },
        )?;
        raw_offset = raw_offset
            .checked_add(raw_size)
            .ok_or_else(|| too_large(part.data.len()))?;
    }
    let mut bytes = writer.into_bytes();
    for part in parts {
        pad(&mut bytes, FILE_ALIGNMENT as usize);
        bytes.extend(&part.data);
    }
    pad(&mut bytes, FILE_ALIGNMENT as usize);
    Ok(bytes)
}

/// The export table of one function at address `function`.
fn export_table(name: &str, function: u32, address: u32) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    let at = |offset: u32| address.saturating_add(offset);
    let length = offset(name.len())?;
    // Directory of 40 bytes, function, name pointer, ordinal, name, name of the image.
    let mut words = [
        0,
        0,
        0,
        at(51_u32.saturating_add(length)),
        1,
        1,
        1,
        at(40),
        at(44),
        at(48),
        function,
        at(50),
    ];
    writer.value("directory", &mut words)?;
    writer.value("ordinal", &mut 0_u16)?;
    let mut bytes = writer.into_bytes();
    bytes.extend(name.bytes().chain([0]));
    bytes.extend(b"messages.dll\0");
    Ok(bytes)
}

/// The key table for a section at the absolute address `start`.
fn key_table(image: &MessageImage<'_>, start: u32) -> Result<Vec<u8>> {
    let [short, long] = LEADS;
    let mut bytes = match image.lead {
        Lead::Short => vec![0; short],
        Lead::Long => {
            let mut lead = vec![0; long];
            // Run-time data: something that is neither zero nor an address.
            lead.splice(..4, *b"\x01\0\0\0");
            lead.splice(20..24, *b"\xFF\xFF\xFF\xFF");
            lead
        }
    };
    let keys: Vec<(&str, u32)> = image
        .language
        .entries
        .iter()
        .filter_map(|message| Some((message.key.as_deref()?, message.id)))
        .collect();
    let table_end = bytes.len().saturating_add(keys.len().saturating_mul(8));
    // Texts are in reverse order, so that the first row has the highest address.
    let mut texts: Vec<u8> = Vec::new();
    let mut places: Vec<u32> = Vec::with_capacity(keys.len());
    for (key, _) in keys.iter().rev() {
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(FormatError::unencodable(
                "key",
                texts.len(),
                "printable ASCII",
                shown(&key),
            ));
        }
        let place = offset(table_end.saturating_add(texts.len()))?;
        places.push(
            start
                .checked_add(place)
                .ok_or_else(|| too_large(texts.len()))?,
        );
        texts.extend(key.bytes().chain([0]));
        pad(&mut texts, 4);
    }
    for ((_, id), place) in keys.iter().zip(places.iter().rev()) {
        bytes.extend(place.to_le_bytes());
        bytes.extend(id.to_le_bytes());
    }
    bytes.extend(texts);
    Ok(bytes)
}

/// One resource of the tree: its name and bytes.
struct Leaf {
    name: u32,
    data: Vec<u8>,
}

/// A kind of resource with its leaves by name.
struct Kind {
    kind: u32,
    code_page: u32,
    leaves: Vec<Leaf>,
}

fn resources_of(image: &MessageImage<'_>) -> Result<Kind> {
    let mut texts: BTreeMap<u32, &str> = BTreeMap::new();
    for Message { id, value, .. } in &image.language.entries {
        let Some(value) = value else { continue };
        let other = texts.insert(*id, value);
        if other.is_some_and(|other| other != value) {
            return Err(FormatError::unencodable("id", 0, "one text for an id", id));
        }
    }
    let charset = match image.flavor {
        Flavor::MessageTable => Charset::CodePage(image.language.code_page),
        Flavor::StringTable => Charset::Utf16,
    };
    let encode = |(id, text): (u32, &str)| {
        let mut bytes = charset
            .encode(text)
            .ok_or_else(|| {
                let expected = format_args!("characters of code page {}", image.language.code_page);
                FormatError::unencodable("text", 0, expected, shown(&text))
            })?
            .into_owned();
        if image.flavor == Flavor::MessageTable {
            bytes.extend(b"\r\n");
        }
        Ok((id, bytes))
    };
    let texts: Vec<(u32, Vec<u8>)> = texts.into_iter().map(encode).collect::<Result<_>>()?;
    Ok(match image.flavor {
        Flavor::MessageTable => Kind {
            kind: 11,
            code_page: 0,
            leaves: vec![Leaf {
                name: 1,
                data: tables::encode_messages(&texts)?,
            }],
        },
        Flavor::StringTable => Kind {
            kind: 6,
            code_page: 1252,
            leaves: tables::encode_strings(&texts)?
                .into_iter()
                .map(|(name, data)| Leaf { name, data })
                .collect(),
        },
    })
}

/// The resource tree: directories by level, data entries, then the data, for a section at
/// `address`.
fn resource_tree(kind: &Kind, language_id: u16, address: u32) -> Result<Vec<u8>> {
    const NODE: usize = ResourceDirectory::SIZE + ResourceEntry::SIZE;
    let count = kind.leaves.len();
    let names_at = NODE;
    let languages_at = names_at
        .saturating_add(ResourceDirectory::SIZE)
        .saturating_add(count.saturating_mul(ResourceEntry::SIZE));
    let entries_at = languages_at.saturating_add(count.saturating_mul(NODE));
    let data_at = entries_at.saturating_add(count.saturating_mul(ResourceData::SIZE));

    let directory = |numbered: u16| ResourceDirectory {
        numbered,
        ..ResourceDirectory::default()
    };
    let subdirectory = |name: u32, at: usize| -> Result<ResourceEntry> {
        let target = offset(at)? | ResourceEntry::MARK;
        Ok(ResourceEntry { name, target })
    };
    let mut writer = Writer::default();
    put(&mut writer, directory(1))?;
    put(&mut writer, subdirectory(kind.kind, names_at)?)?;
    let numbered = u16::try_from(count).map_err(|_| too_large(count))?;
    put(&mut writer, directory(numbered))?;
    for (index, leaf) in kind.leaves.iter().enumerate() {
        let at = languages_at.saturating_add(index.saturating_mul(NODE));
        put(&mut writer, subdirectory(leaf.name, at)?)?;
    }
    for index in 0..count {
        let at = entries_at.saturating_add(index.saturating_mul(ResourceData::SIZE));
        put(&mut writer, directory(1))?;
        put(
            &mut writer,
            ResourceEntry {
                name: u32::from(language_id),
                target: offset(at)?,
            },
        )?;
    }
    let mut data: Vec<u8> = Vec::new();
    for leaf in &kind.leaves {
        let at = offset(data_at.saturating_add(data.len()))?;
        put(
            &mut writer,
            ResourceData {
                address: address
                    .checked_add(at)
                    .ok_or_else(|| too_large(data.len()))?,
                size: offset(leaf.data.len())?,
                code_page: kind.code_page,
                reserved: 0,
            },
        )?;
        data.extend(&leaf.data);
        pad(&mut data, 4);
    }
    let mut bytes = writer.into_bytes();
    bytes.extend(data);
    Ok(bytes)
}

//! A message DLL as a whole: texts of each language joined with the keys.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use super::image::Image;
use super::keys::{self, KeyTable};
use super::language::{Charset, WESTERN, code_page};
use super::resources::{self, Resource, ResourceName};
use super::tables::{self, Entry, Form};
use relicast_codec::{Blob, Decoded, Deviations, FaultKind, FormatError, Result};

const STRING_BLOCK: u32 = 6;
const MESSAGE_TABLE: u32 = 11;

/// Maximum total size of the messages of all languages, as a multiple of the file's length. Keys may share a text,
/// and each language has every key; this limits the expansion by a hostile file with one long text, or with many
/// keys and languages.
const MAX_SHARING: usize = 8;

/// Source of the texts of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TextSource {
    /// The image holds no messages.
    None,
    /// Message tables (Recoil, MechWarrior 3, Pirate's Moon).
    MessageTable,
    /// String blocks (Crimson Skies).
    StringTable,
    /// Both; not seen in the games.
    Both,
}

/// A decoded message DLL.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MessageFile<'a> {
    /// Source of the texts.
    pub source: TextSource,
    /// Names of exported functions; message DLLs of the games export one, `ZLocGetID` or
    /// `ZLocGetStringID`.
    pub exports: Vec<String>,
    /// The key table; absent in plain string DLLs such as Crimson Skies' `langui.dll`.
    pub keys: Option<KeyTable>,
    /// Texts by language, in the order of the resource tree. The games have one language a file.
    pub languages: Vec<Language<'a>>,
    /// Resources that hold no messages: version, icons and so on.
    pub resources: Vec<Resource<'a>>,
}

impl MessageFile<'_> {
    /// True when the image holds any message table or string block.
    pub fn has_messages(&self) -> bool {
        self.source != TextSource::None
    }
}

/// The messages of one language.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Language<'a> {
    /// LANGID, such as 1033 for English (United States).
    pub language_id: u16,
    /// ANSI code page of the language, which message tables are encoded in; string blocks are
    /// UTF-16.
    pub code_page: u16,
    /// In the order of the key table, then messages without key by id.
    pub entries: Vec<Message<'a>>,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Message<'a> {
    /// Key; `None` for a text without a key.
    pub key: Option<String>,
    /// Id. Several keys may share one.
    pub id: u32,
    /// Text for display, without padding and the final line end; `None` for a key without text. It still has inner
    /// line ends and placeholders (`%1`).
    pub value: Option<String>,
    /// The stored text, where it cannot be restored from `value`: bytes without a character, or no final line end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<Blob<'a>>,
}

/// Decodes a message DLL.
///
/// A DLL without messages is not an error; its [`TextSource`] is `None`. Keys without text, texts without key,
/// texts outside their code page and irregularities of the resource tree are preserved and reported.
///
/// # Errors
/// The bytes are not a 32-bit PE image, its resource tree cannot be read, or a message table is damaged.
pub fn decode(bytes: &[u8]) -> Result<Decoded<MessageFile<'_>>> {
    let image = Image::parse(bytes)?;
    let mut deviations = Deviations::default();
    let mut others = Vec::new();
    let mut tables: Vec<(u16, Vec<Found<'_>>)> = Vec::new();
    let mut places: BTreeMap<u16, usize> = BTreeMap::new();
    let mut source = TextSource::None;
    for resource in resources::walk(&image, &mut deviations)? {
        let Some(address) = text_address(&resource) else {
            if matches!(
                resource.kind,
                ResourceName::Number(MESSAGE_TABLE | STRING_BLOCK)
            ) {
                let found = format_args!("{} in {}", resource.name, resource.language);
                deviations.push("resources", resource.offset, "numbered texts", found);
            }
            others.push(resource);
            continue;
        };
        let found = texts(resource, address, &mut deviations)?;
        source = match (source, address) {
            (TextSource::None | TextSource::StringTable, Address::Block(..)) => {
                TextSource::StringTable
            }
            (TextSource::None | TextSource::MessageTable, Address::Table(_)) => {
                TextSource::MessageTable
            }
            _ => TextSource::Both,
        };
        let language_id = address.language_id();
        let place = *places.entry(language_id).or_insert(tables.len());
        match tables.get_mut(place) {
            Some((_, list)) => list.extend(found),
            None => tables.push((language_id, found)),
        }
    }
    let keys = keys::find(&image, &mut deviations);
    let mut languages = Vec::with_capacity(tables.len());
    let mut left = bytes.len().saturating_mul(MAX_SHARING);
    for (language_id, found) in tables {
        languages.push(join(
            language_id,
            found,
            keys.as_ref(),
            &mut left,
            &mut deviations,
        )?);
    }
    Ok(Decoded {
        value: MessageFile {
            source,
            exports: image.exports,
            keys,
            languages,
            resources: others,
        },
        deviations,
    })
}

/// Texts and language of a resource.
#[derive(Debug, Clone, Copy)]
pub(super) enum Address {
    /// A message table in a language.
    Table(u16),
    /// A string block in a language, and its number.
    Block(u16, u32),
}

impl Address {
    /// The language.
    pub(super) fn language_id(self) -> u16 {
        match self {
            Self::Table(language_id) | Self::Block(language_id, _) => language_id,
        }
    }
}

/// Address of a resource's texts; `None` for other resources, and for blocks named by a text.
pub(super) fn text_address(resource: &Resource<'_>) -> Option<Address> {
    let language_id = u16::try_from(resource.language.number()?).ok()?;
    match (&resource.kind, &resource.name) {
        (ResourceName::Number(MESSAGE_TABLE), _) => Some(Address::Table(language_id)),
        (ResourceName::Number(STRING_BLOCK), ResourceName::Number(block)) => {
            Some(Address::Block(language_id, *block))
        }
        _ => None,
    }
}

/// A text with its place in the file.
struct Found<'a> {
    entry: Entry<'a>,
    offset: usize,
}

fn texts<'a>(
    resource: Resource<'a>,
    address: Address,
    deviations: &mut Deviations,
) -> Result<Vec<Found<'a>>> {
    if let Some(fault) = resource.fault {
        return Err(fault.inside("texts"));
    }
    let Cow::Borrowed(data) = resource.data.0 else {
        return Ok(Vec::new());
    };
    let base = resource.offset;
    let entries = match address {
        Address::Table(_) => {
            let decoded = tables::decode_messages(data);
            tables::absorb(deviations, "message_table", base, decoded)?
        }
        Address::Block(_, block) => {
            let decoded = tables::decode_strings(data, block);
            tables::absorb(deviations, "string_block", base, decoded)?
        }
    };
    Ok(entries
        .into_iter()
        .map(|entry| Found {
            offset: base.saturating_add(entry.offset),
            entry,
        })
        .collect())
}

/// A text prepared for display.
struct Shown<'a> {
    id: u32,
    offset: usize,
    value: String,
    raw: Option<Blob<'a>>,
    keyed: bool,
}

fn show<'a>(found: Found<'a>, code_page: u16, deviations: &mut Deviations) -> Shown<'a> {
    let Found { entry, offset } = found;
    let charset = match entry.form {
        Form::Ansi => Charset::CodePage(code_page),
        Form::Wide | Form::String => Charset::Utf16,
    };
    let mut value = charset.decode(entry.bytes);
    let is_faithful = charset
        .encode(&value)
        .is_some_and(|bytes| *bytes == *entry.bytes);
    if !is_faithful {
        deviations.push("text", offset, "characters of the code page", "other bytes");
    }
    let mut is_whole = true;
    if entry.form != Form::String {
        value.truncate(value.trim_end_matches('\0').len());
        match value.strip_suffix("\r\n") {
            Some(text) => value.truncate(text.len()),
            None => {
                is_whole = false;
                deviations.push("text", offset, "a line end at the end", "none");
            }
        }
    }
    Shown {
        id: entry.id,
        offset,
        value,
        raw: (!is_faithful || !is_whole).then(|| Blob::borrowed(entry.bytes)),
        keyed: false,
    }
}

fn join<'a>(
    language_id: u16,
    found: Vec<Found<'a>>,
    keys: Option<&KeyTable>,
    left: &mut usize,
    deviations: &mut Deviations,
) -> Result<Language<'a>> {
    let code_page = code_page(language_id).unwrap_or_else(|| {
        let at = found.first().map_or(0, |found| found.offset);
        deviations.push("language", at, "a known language", language_id);
        WESTERN
    });
    let mut shown: Vec<Shown<'a>> = found
        .into_iter()
        .map(|found| show(found, code_page, deviations))
        .collect();
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    for (index, text) in shown.iter().enumerate() {
        places.entry(text.id).or_insert(index);
    }
    let mut entries = Vec::new();
    for (index, key) in keys.iter().flat_map(|table| &table.keys).enumerate() {
        let text = places.get(&key.id).and_then(|&place| shown.get_mut(place));
        let at = keys.map_or(0, |table| {
            table.offset.saturating_add(index.saturating_mul(8))
        });
        let shared = text.as_ref().map_or(0, |text| text.value.len());
        let size = size_of::<Message<'_>>().saturating_add(key.key.len());
        *left = left
            .checked_sub(size.saturating_add(shared))
            .ok_or_else(|| {
                let expected =
                    format_args!("messages of at most {MAX_SHARING} times the file's length");
                FormatError::new(FaultKind::Limit, "keys", at, expected, "more")
            })?;
        let mut message = Message {
            key: Some(key.key.clone()),
            id: key.id,
            ..Message::default()
        };
        match text {
            Some(text) => {
                text.keyed = true;
                message.value = Some(text.value.clone());
                message.raw = text.raw.clone();
            }
            None => {
                let found = format_args!("no text {} for {}", key.id, key.key);
                deviations.push("keys", at, "a text for every key", found);
            }
        }
        entries.push(message);
    }
    shown.retain(|text| !text.keyed);
    shown.sort_by_key(|text| text.id);
    for text in shown {
        if keys.is_some() {
            let found = format_args!("no key for text {}", text.id);
            deviations.push("text", text.offset, "a key for every text", found);
        }
        entries.push(Message {
            key: None,
            id: text.id,
            value: Some(text.value),
            raw: text.raw,
        });
    }
    Ok(Language {
        language_id,
        code_page,
        entries,
    })
}

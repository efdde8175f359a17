//! Edited messages, in all languages of their library.

use relicast_codec::quantity::counted;
use std::collections::BTreeMap;
use std::fmt::Display;

use serde_json::Value;

use super::edited::{Content, Edited, Refusal, Refusals};
use super::json::{Shown, parse};
use super::proof;
use super::unit::Unit;
use relicast_convert::zipper::messages::document as messages_document;
use relicast_formats::zipper::messages::replace::{Texts, replace};
use relicast_formats::zipper::messages::{self, Language, Message};
use relicast_scene::Encoding;

/// The library with the texts of the edited documents.
///
/// # Errors
/// Something other than texts was edited, a text that several keys share was edited in two ways, or a text cannot be
/// stored.
pub(super) fn encode(unit: &Unit<'_, '_>) -> Result<Content, Refusals> {
    let library = messages::decode(unit.original).map_err(|error| unit.refuse(error))?;
    let mut texts = Texts::new();
    let mut refusals = Refusals::new();
    let mut documents = Vec::new();
    for edit in unit.edits {
        match read(edit, &library.value.languages, &mut texts) {
            Ok(document) => documents.push(document),
            Err(refusal) => refusals.push((edit.output.path.clone(), refusal)),
        }
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let bytes = match replace(unit.original, &texts) {
        Ok(bytes) => bytes,
        Err(error) => return Err(culprits(unit, &documents).unwrap_or_else(|| unit.refuse(error))),
    };
    let packed = messages::decode(&bytes).map_err(|error| unit.refuse(error))?;
    let mut roundings = Vec::new();
    for (document, edit) in documents.iter().zip(unit.edits) {
        match followers(document, &packed.value.languages) {
            Ok(rounding) => roundings.push(rounding),
            Err(refusal) => refusals.push((edit.output.path.clone(), refusal)),
        }
    }
    match refusals.is_empty() {
        true => Ok(Content { bytes, roundings }),
        false => Err(refusals),
    }
}

/// An edited document: its language, and its texts in order.
struct Document {
    language_id: u16,
    /// Each text, and whether it was edited.
    texts: Vec<(Option<String>, bool)>,
    /// The id of each text.
    ids: Vec<u32>,
}

/// The texts that cannot be stored even alone; empty when each of them can.
fn culprits(unit: &Unit<'_, '_>, documents: &[Document]) -> Option<Refusals> {
    let mut refusals = Refusals::new();
    for (document, edit) in documents.iter().zip(unit.edits) {
        let texts = document.texts.iter().zip(&document.ids).enumerate();
        let mut faults = texts.filter_map(|(index, ((text, is_edited), id))| {
            let text = text.as_ref().filter(|_| *is_edited)?;
            let alone = Texts::from([((document.language_id, *id), text.clone())]);
            let error = replace(unit.original, &alone).err()?;
            Some(refusal!("$.entries[{index}].value: {error}"))
        });
        if let Some(refusal) = faults.next() {
            refusals.push((edit.output.path.clone(), refusal));
        }
    }
    (!refusals.is_empty()).then_some(refusals)
}

/// Reads an edited document, and adds the texts that were edited.
fn read(
    edit: &Edited<'_>,
    languages: &[Language<'_>],
    texts: &mut Texts,
) -> Result<Document, Refusal> {
    edit.is_main(&[Encoding::Json])?;
    let document = parse(&edit.bytes)?;
    let (language, list) = language_of(&document, languages)?;
    let mut edited: BTreeMap<u32, &str> = BTreeMap::new();
    let mut all = Vec::new();
    for (index, (entry, before)) in list.iter().zip(&language.entries).enumerate() {
        let text = text_of(entry, index, before)?;
        let is_edited = text != before.value.as_deref();
        if let Some(text) = text.filter(|_| is_edited) {
            let other = edited.insert(before.id, text);
            if other.is_some_and(|other| other != text) {
                refuse!(
                    "$.entries[{index}].value: another key shares this text, but was set to a different text; make both equal"
                );
            }
        }
        all.push((text.map(str::to_owned), is_edited));
    }
    // Only texts are stored.
    let mut stored = messages_document(language).map_err(Refusal::new)?;
    for (index, (text, _)) in all.iter().enumerate() {
        if let Some(value) = stored.pointer_mut(&format!("/entries/{index}/value")) {
            *value = text.clone().map_or(Value::Null, Value::from);
        }
    }
    if let Some(difference) = proof::first_difference(&stored, &document, &mut "$".to_owned()) {
        return Err(Refusal::new(difference));
    }
    let new = edited
        .into_iter()
        .map(|(id, text)| ((language.language_id, id), text.to_owned()));
    texts.extend(new);
    Ok(Document {
        language_id: language.language_id,
        texts: all,
        ids: language.entries.iter().map(|entry| entry.id).collect(),
    })
}

fn wrong(path: &str, expected: impl Display, found: Option<&Value>) -> Refusal {
    let found = found.map_or_else(|| "nothing".to_owned(), |found| Shown(found).to_string());
    refusal!("{path}: expected {expected}, found {found}")
}

/// The language of an edited document, and its entries.
fn language_of<'d, 'l, 'a>(
    document: &'d Value,
    languages: &'l [Language<'a>],
) -> Result<(&'l Language<'a>, &'d [Value]), Refusal> {
    let id = document.get("language_id");
    let number = id.and_then(Value::as_u64);
    let mut languages = languages.iter();
    let language = languages
        .find(|language| number == Some(language.language_id.into()))
        .ok_or_else(|| wrong("$.language_id", "a language of the library", id))?;
    let entries = document.get("entries");
    let list = entries.and_then(Value::as_array);
    let expected = language.entries.len();
    match list {
        Some(list) if list.len() == expected => Ok((language, list)),
        _ => {
            let expected = format_args!("{expected} entries; entries cannot be added or removed");
            let count = list.map(|list| Value::from(list.len()));
            Err(wrong("$.entries", expected, count.as_ref().or(entries)))
        }
    }
}

/// The text of an entry of an edited document.
///
/// # Errors
/// It does not match the original entry, or a text was added or removed.
fn text_of<'d>(
    entry: &'d Value,
    index: usize,
    before: &Message<'_>,
) -> Result<Option<&'d str>, Refusal> {
    let at = |key: &str| format!("$.entries[{index}].{key}");
    let key = entry.get("key").filter(|key| !key.is_null());
    if key.and_then(Value::as_str) != before.key.as_deref() {
        let expected = before.key.as_deref().unwrap_or("no key");
        return Err(wrong(&at("key"), expected, key));
    }
    let id = entry.get("id");
    if id.and_then(Value::as_u64) != Some(before.id.into()) {
        return Err(wrong(&at("id"), before.id, id));
    }
    let value = entry.get("value").filter(|value| !value.is_null());
    let text = value.and_then(Value::as_str);
    let expected = match (value, &before.value) {
        (Some(_), _) if text.is_none() => "a text",
        (None, Some(_)) => "a text; texts cannot be removed",
        (Some(_), None) => "null; the library has no such text",
        _ => return Ok(text),
    };
    Err(wrong(&at("value"), expected, value))
}

/// Counts the texts that were not edited but changed, because they share storage with edited ones.
///
/// # Errors
/// An edited text changed again.
fn followers(document: &Document, packed: &[Language<'_>]) -> Result<Option<String>, Refusal> {
    let language = packed
        .iter()
        .find(|language| language.language_id == document.language_id);
    let entries = language.map_or(&[][..], |language| &language.entries);
    if entries.len() != document.texts.len() {
        refuse!("packing changed the number of texts");
    }
    let mut followers = 0_usize;
    for (entry, (text, is_edited)) in entries.iter().zip(&document.texts) {
        match (entry.value == *text, is_edited) {
            (true, _) => {}
            (false, false) => followers += 1,
            (false, true) => {
                refuse!(
                    "the text of {} would read {:?}",
                    entry.key.as_deref().unwrap_or_default(),
                    entry.value
                );
            }
        }
    }
    Ok((followers > 0).then(|| {
        counted(
            followers,
            "other key shares an edited text and changes with it",
            "other keys share an edited text and change with it",
        )
    }))
}

//! Edited readers, in binary and text notation.

use serde_json::Value as Json;

use super::edited::Refusal;
use super::json::Shown;
use relicast_codec::{F32, FormatError, Result};
use relicast_formats::kind::Kind;
use relicast_formats::zipper::zrd::{Text, Value, binary, text};

/// Encodes the reader that the edited document describes.
///
/// # Errors
/// The document has another shape than readers, or the notation has no form for a value.
pub(super) fn encode(
    kind: Kind,
    original: &[u8],
    edited: &Json,
) -> std::result::Result<Vec<u8>, Refusal> {
    if edited.is_object() {
        refuse!("a table of controls is a view of its reader; edit the document of the reader");
    }
    match kind {
        Kind::BinaryReader => {
            let before = binary::decode(original).map_err(Refusal::new)?.value;
            let value = value(edited, Some(&before), "$")?;
            binary::encode(&value).map_err(|error| {
                let alone = |word: &Value<'_>| binary::encode(word).err();
                named(culprit(&value, "$", &alone), error)
            })
        }
        _ => {
            let before = text::decode(original).map_err(Refusal::new)?.value;
            // A document of several values, or of none, is a list of them.
            let old = before.values().map_err(Refusal::new)?;
            let is_single = old.len() == 1;
            let is_list = !is_single && edited.is_array();
            let values = match (is_single, edited) {
                (false, Json::Array(items)) => items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| value(item, old.get(index), &format!("$[{index}]")))
                    .collect::<std::result::Result<Vec<_>, _>>()?,
                _ => vec![value(edited, old.first(), "$")?],
            };
            write_values(&before, &values).map_err(|error| {
                let alone = |word: &Value<'_>| text::write(std::slice::from_ref(word)).err();
                let mut places = values
                    .iter()
                    .enumerate()
                    .map(|(index, value)| match is_list {
                        true => culprit(value, &format!("$[{index}]"), &alone),
                        false => culprit(value, "$", &alone),
                    });
                named(places.find_map(|place| place), error)
            })
        }
    }
}

/// Path of the first word that cannot be written even alone, and the reason.
fn culprit(
    value: &Value<'_>,
    path: &str,
    alone: &dyn Fn(&Value<'_>) -> Option<FormatError>,
) -> Option<(String, FormatError)> {
    match value {
        Value::List(items) => items
            .iter()
            .enumerate()
            .find_map(|(index, item)| culprit(item, &format!("{path}[{index}]"), alone)),
        word => alone(word).map(|error| (path.to_owned(), error)),
    }
}

/// Reason why a document cannot be written: its value, if one is at fault.
fn named(culprit: Option<(String, FormatError)>, error: FormatError) -> Refusal {
    match culprit {
        Some((path, error)) => refusal!("{path}: {error}"),
        None => Refusal::new(error),
    }
}

/// The new value in place of `before`. JSON has no numbers for some floats, so documents write them as texts; a text is
/// read as a float only where the old value was such a float.
fn value(
    json: &Json,
    before: Option<&Value<'_>>,
    path: &str,
) -> std::result::Result<Value<'static>, Refusal> {
    let refuse = |expected: &str| refusal!("{path}: expected {expected}, found {}", Shown(json));
    match json {
        Json::Number(number) if number.is_f64() => {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "readers hold single floats"
            )]
            let single = number.as_f64().unwrap_or_default() as f32;
            Ok(Value::Float(F32(single)))
        }
        Json::Number(number) => {
            let number = number
                .as_i64()
                .and_then(|number| i32::try_from(number).ok());
            number
                .map(Value::Int)
                .ok_or_else(|| refuse("a 32-bit integer"))
        }
        Json::String(text) => {
            if let Some(&Value::Float(float)) = before
                && float.non_finite_text().as_ref() == Some(text)
            {
                return Ok(Value::Float(float));
            }
            let bytes: Option<Vec<u8>> = text
                .chars()
                .map(|letter| u8::try_from(letter).ok())
                .collect();
            let bytes = bytes.ok_or_else(|| refuse("a text in Latin-1"))?;
            Ok(Value::Text(Text(bytes.into())))
        }
        Json::Array(items) => {
            let items = items.iter().enumerate();
            let items = items.map(|(index, item)| {
                let before = before.and_then(Value::as_list);
                let before = before.and_then(|before| before.get(index));
                value(item, before, &format!("{path}[{index}]"))
            });
            Ok(Value::List(items.collect::<std::result::Result<_, _>>()?))
        }
        Json::Null | Json::Bool(_) | Json::Object(_) => Err(refuse("a number, a text or a list")),
    }
}

/// The values in the notation of the old document, with its comments, as far as the lists are equal; from there in new
/// notation.
fn write_values(before: &text::TextDocument<'_>, values: &[Value<'_>]) -> Result<Vec<u8>> {
    let mut words = Vec::new();
    let mut shape = Vec::new();
    for value in values {
        flatten(value, &mut shape, &mut words);
    }
    let stored: Vec<text::TokenKind> = before
        .tokens
        .iter()
        .map(|token| token.kind)
        .filter(|kind| !matches!(kind, text::TokenKind::Blank | text::TokenKind::Comment))
        .collect();
    if stored != shape {
        return text::write(values);
    }
    let mut words = words.into_iter();
    let mut out = Vec::new();
    for token in &before.tokens {
        let word = (token.kind == text::TokenKind::Word)
            .then(|| words.next())
            .flatten();
        match word {
            Some(word) if token.value().as_ref() != Some(word) => {
                let written = text::write(std::slice::from_ref(word))?;
                out.extend_from_slice(written.trim_ascii_end());
            }
            _ => out.extend_from_slice(token.source),
        }
    }
    Ok(out)
}

/// The tokens of a value without blanks, and its words.
fn flatten<'v, 'a>(
    value: &'v Value<'a>,
    shape: &mut Vec<text::TokenKind>,
    words: &mut Vec<&'v Value<'a>>,
) {
    match value {
        Value::List(items) => {
            shape.push(text::TokenKind::Open);
            for item in items {
                flatten(item, shape, words);
            }
            shape.push(text::TokenKind::Close);
        }
        word => {
            shape.push(text::TokenKind::Word);
            words.push(word);
        }
    }
}

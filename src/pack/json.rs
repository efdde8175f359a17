//! Edited documents: parsed with positions of errors, and values shown in messages.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use serde::de::{DeserializeOwned, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::edited::Refusal;
use relicast_limits as limits;

/// Estimate of the memory of a value of a document in bytes, even for 1 byte of text.
const VALUE: usize = 80;

/// Estimate of the memory of an object without its values in bytes: as JSON, and as the node or mesh made from it.
const OBJECT: usize = 1024;

/// Checks that an edited document fits the memory of an item. The estimate counts the values, separated by commas, and
/// the objects of its text.
///
/// # Errors
/// It is larger.
pub(super) fn check_size(bytes: &[u8]) -> Result<(), Refusal> {
    let (mut values, mut objects) = (1_usize, 0_usize);
    for byte in bytes {
        values += usize::from(matches!(byte, b',' | b'['));
        objects += usize::from(*byte == b'{');
    }
    let memory = values.saturating_mul(VALUE);
    let memory = memory.saturating_add(objects.saturating_mul(OBJECT));
    limits::try_reserve(memory.saturating_add(bytes.len())).map_err(Refusal::new)
}

/// Parses the JSON of an edited document, without its `$schema`.
///
/// # Errors
/// It is not JSON, with line and column; or it needs more memory than an item may.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, Refusal> {
    check_size(bytes)?;
    let mut value: Value = serde_json::from_slice(bytes)
        .map(|Unique(value)| value)
        .map_err(|error| no_json(bytes, &error))?;
    if let Some(map) = value.as_object_mut() {
        // The schema that an editor checks a document by is not part of it.
        map.shift_remove(SCHEMA);
    }
    Ok(value)
}

/// Turns a parse error into a refusal with its place in the text.
fn no_json(text: &[u8], error: &serde_json::Error) -> Refusal {
    let fault = without_place(error);
    let line = error.line();
    let row = text
        .split(|byte| *byte == b'\n')
        .nth(line.saturating_sub(1));
    let before = row.unwrap_or_default().iter().take(error.column());
    // Continuation bytes of UTF-8 are not counted.
    let column = before.filter(|byte| **byte & 0xC0 != 0x80).count();
    refusal!("line {line}, column {column}: {fault}")
}

/// The message of a parse error without its place in the text.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = text.rfind(" at line ").unwrap_or(text.len());
    text.get(..place).unwrap_or_default().to_owned()
}

/// Key of the schema's URL in a document.
const SCHEMA: &str = "$schema";

/// Replaces the `$schema` entry with spaces, without changing any line or column. This works only where converters
/// write it: as the first key. Elsewhere, a type that refuses unknown keys reports it.
fn without_schema(bytes: &[u8]) -> Cow<'_, [u8]> {
    let span = || {
        let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let inside = bytes.get(start..)?.strip_prefix(b"{")?;
        let mut keys = serde_json::Deserializer::from_slice(inside).into_iter::<String>();
        let key = keys.next()?.ok()?;
        let colon = inside.get(keys.byte_offset()..)?.trim_ascii_start();
        let behind = colon.strip_prefix(b":")?;
        let mut values = serde_json::Deserializer::from_slice(behind).into_iter::<String>();
        values.next()?.ok()?;
        let rest = behind.get(values.byte_offset()..)?.trim_ascii_start();
        let rest = rest.strip_prefix(b",").unwrap_or(rest);
        (key == SCHEMA).then(|| start + 1..bytes.len() - rest.len())
    };
    let Some(span) = span() else {
        return Cow::Borrowed(bytes);
    };
    let mut blank = bytes.to_vec();
    for byte in blank.get_mut(span).unwrap_or_default() {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
    Cow::Owned(blank)
}

/// Parses an edited document as the type that it was made from. [`check_size`] is not called: its estimate is for trees
/// of [`Value`], and typed values are smaller.
///
/// # Errors
/// It is not JSON, or has another shape; the error has line, column and path.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    let blank = &*without_schema(bytes);
    let mut deserializer = serde_json::Deserializer::from_slice(blank);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        if !error.inner().is_data() {
            return no_json(bytes, error.inner());
        }
        let path = match error.path().to_string() {
            path if path == "." => "$".to_owned(),
            path if path.starts_with('[') => format!("${path}"),
            path => format!("$.{path}"),
        };
        // Its place is that of the value of this path in the text, which may have had another notation.
        refusal!("{path}: {}", without_place(error.inner()))
    })?;
    deserializer.end().map_err(|error| no_json(bytes, &error))?;
    Ok(value)
}

/// A value without a key that occurs twice in one object: of such values all but one would be lost.
struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueKeys).map(Self)
    }
}

/// Reads a [`Unique`].
struct UniqueKeys;

impl<'de> Visitor<'de> for UniqueKeys {
    type Value = Value;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Unique(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, Unique(value))) = fields.next_entry::<String, _>()? {
            if map.contains_key(&key) {
                let fault = format_args!("the key {key} occurs twice in one object; remove one");
                return Err(A::Error::custom(fault));
            }
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

/// Returns a value that is an index.
pub(super) fn index(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

/// Returns the items of a list of an object; empty if there is no such list.
pub(super) fn items<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    let list = value.get(key).and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}

/// The beginning of a value, for messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown<'v>(pub &'v Value);

impl Display for Shown<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        match text.char_indices().nth(60) {
            Some((end, _)) => write!(formatter, "{}…", text.get(..end).unwrap_or_default()),
            None => formatter.write_str(&text),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{Refusal, parse, read};

    #[test]
    fn a_value_that_another_of_its_key_would_replace_is_refused_with_its_place() {
        for text in [
            "{\"a\": 1,\n \"a\": 2}",
            "[{\"ä\": [{\"b\": 1}],\n \"\\u00e4\": 1}]",
        ] {
            let refusal = parse(text.as_bytes()).unwrap_err().to_string();
            assert!(refusal.starts_with("line 2"), "{refusal}");
            assert!(refusal.contains("occurs twice"), "{refusal}");
        }
        let text = "[{\"a\": 1}, {\"a\": -2, \"b\": [null, true, 1.5, -0.0, \"x\"]}]";
        let plain: Value = serde_json::from_str(text).unwrap();
        assert_eq!(parse(text.as_bytes()).unwrap(), plain);
    }

    #[test]
    fn columns_are_counted_in_letters() {
        let text = "{\n  \"ä€\": 1;\n}";
        let faults: [Refusal; 2] = [
            parse(text.as_bytes()).unwrap_err(),
            read::<Value>(text.as_bytes()).unwrap_err(),
        ];
        for fault in faults {
            let fault = fault.to_string();
            assert!(fault.starts_with("line 2, column 10: "), "{fault}");
        }
    }
}

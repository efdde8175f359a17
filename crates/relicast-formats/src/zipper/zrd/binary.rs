//! The binary form of readers.
//!
//! ```text
//! u32 kind: 1 integer  i32
//!           2 float    f32
//!           3 text     u32 length, bytes without a NUL
//!           4 list     u32 items + 1, the items
//! ```
//!
//! A file is one value. The count of a list is one too large, because the engines store the count itself as the
//! first item of the list in memory.
//!
//! ```
//! use relicast_formats::zipper::zrd::binary::{decode, encode};
//!
//! let bytes = [1, 0, 0, 0, 7, 0, 0, 0];
//! let value = decode(&bytes)?.value;
//! assert_eq!(encode(&value)?, bytes);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use relicast_codec::quantity::counted;
use std::borrow::Cow;
use std::fmt::Write;
use std::slice;

use super::value::{DEEPEST, Text, Value};
use relicast_codec::{
    Decoded, F32, FaultKind, FixedSize, FormatError, Reader, Result, Stream, Walk, Writer,
};

const INT: u32 = 1;
const FLOAT: u32 = 2;
const TEXT: u32 = 3;
const LIST: u32 = 4;

/// Minimum size of a value in bytes: a kind and one word.
const SMALLEST: usize = 8;

/// A value without the items of a list. Declares the format for reading and writing.
#[derive(Debug, Clone)]
enum Head<'a> {
    Int(i32),
    Float(F32),
    Text(Cow<'a, [u8]>),
    /// Number of items, which follow.
    List(usize),
}

impl Default for Head<'_> {
    fn default() -> Self {
        Self::List(0)
    }
}

impl Head<'_> {
    fn kind(&self) -> u32 {
        match self {
            Self::Int(_) => INT,
            Self::Float(_) => FLOAT,
            Self::Text(_) => TEXT,
            Self::List(_) => LIST,
        }
    }
}

impl<'a> Walk<'a> for Head<'a> {
    const SMALLEST: usize = SMALLEST;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        let offset = stream.position();
        let mut kind = self.kind();
        stream.value("kind", &mut kind)?;
        if S::READING {
            *self = match kind {
                INT => Self::Int(0),
                FLOAT => Self::Float(F32(0.0)),
                TEXT => Self::Text(Cow::default()),
                LIST => Self::List(0),
                other => {
                    return Err(FormatError::malformed(
                        "kind",
                        offset,
                        "1 (integer), 2 (float), 3 (text) or 4 (list)",
                        other,
                    ));
                }
            };
        }
        match self {
            Self::Int(value) => stream.value("integer", value),
            Self::Float(value) => stream.value("float", value),
            Self::Text(text) => {
                let length = stream.count("length", text.len())?;
                stream.bytes("text", text, length)
            }
            Self::List(items) => {
                let offset = stream.position();
                let stored = stream.count("count", items.saturating_add(1))?;
                *items = stored.checked_sub(1).ok_or_else(|| {
                    FormatError::malformed("count", offset, "the number of items plus 1", 0)
                })?;
                Ok(())
            }
        }
    }
}

/// Returns true if `bytes` start like a binary reader: a list whose items could fit.
pub fn looks_like(bytes: &[u8]) -> bool {
    let word = |offset| bytes.get(offset..).and_then(u32::load);
    let (Some(kind), Some(count)) = (word(0), word(4)) else {
        return false;
    };
    kind == LIST && count > 0 && (count as usize) <= bytes.len() / SMALLEST
}

/// A list with unread items.
struct Open<'a> {
    items: Vec<Value<'a>>,
    count: usize,
}

/// The path of the value that is read next, as in `value[0][12]`.
fn path(open: &[Open<'_>]) -> String {
    let mut path = String::from("value");
    for list in open {
        // Writing to a string cannot fail.
        let _ = write!(path, "[{}]", list.items.len());
    }
    path
}

/// Decodes a binary reader. Retail roots are a list, mostly of exactly one list; a root that is not a list is
/// preserved and reported.
///
/// Memory stays within a small multiple of the input, because the remaining bytes must have space for every
/// announced item.
///
/// # Errors
/// The data ends early, a kind is unknown, lists nest deeper than [`DEEPEST`], or bytes follow the
/// root value.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Value<'_>>> {
    let mut reader = Reader::new(bytes);
    let mut open: Vec<Open<'_>> = Vec::new();
    // Announced values of the open lists that are not read yet.
    let mut owed = 1_usize;
    let root = 'values: loop {
        let offset = reader.position();
        let mut head = Head::default();
        head.walk(&mut reader)
            .map_err(|error| error.inside(&path(&open)))?;
        owed = owed.saturating_sub(1);
        let mut value = match head {
            Head::Int(value) => Value::Int(value),
            Head::Float(value) => Value::Float(value),
            Head::Text(bytes) => Value::Text(Text(bytes)),
            Head::List(count) => {
                if open.len() >= DEEPEST {
                    return Err(FormatError::new(
                        FaultKind::Limit,
                        "value",
                        offset,
                        format_args!("at most {DEEPEST} nested lists"),
                        "a deeper list",
                    ));
                }
                let remaining = Stream::remaining(&reader);
                if count > (remaining / SMALLEST).saturating_sub(owed) {
                    return Err(FormatError::truncated(
                        "count",
                        offset.saturating_add(4),
                        format_args!(
                            "{count} items, and {owed} after them, of at least {SMALLEST}"
                        ),
                        remaining,
                    )
                    .inside(&path(&open)));
                }
                if count > 0 {
                    owed = owed.saturating_add(count);
                    open.push(Open {
                        items: Vec::with_capacity(count),
                        count,
                    });
                    continue;
                }
                Value::List(Vec::new())
            }
        };
        while let Some(list) = open.last_mut() {
            list.items.push(value);
            if list.items.len() < list.count {
                continue 'values;
            }
            value = Value::List(std::mem::take(&mut list.items));
            open.pop();
        }
        break value;
    };
    let remaining = Stream::remaining(&reader);
    if remaining > 0 {
        return Err(FormatError::malformed(
            "end",
            reader.position(),
            "end of data after the root value",
            counted(remaining, "more byte", "more bytes"),
        ));
    }
    if root.as_list().is_none() {
        reader.deviate("value", 0, "a list", "a single value");
    }
    Ok(reader.finish(root))
}

/// Encodes a binary reader.
///
/// # Errors
/// Lists nest deeper than [`DEEPEST`], or a text or list is too long for its count.
pub fn encode(value: &Value<'_>) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    let mut open: Vec<slice::Iter<'_, Value<'_>>> = vec![slice::from_ref(value).iter()];
    while let Some(items) = open.last_mut() {
        let Some(value) = items.next() else {
            open.pop();
            continue;
        };
        let mut head = match value {
            Value::Int(value) => Head::Int(*value),
            Value::Float(value) => Head::Float(*value),
            Value::Text(text) => Head::Text(Cow::Borrowed(text.bytes())),
            Value::List(items) => Head::List(items.len()),
        };
        head.walk(&mut writer)?;
        if let Value::List(items) = value {
            // The first iterator holds the root and is not a list.
            if open.len() > DEEPEST {
                return Err(FormatError::unencodable(
                    "value",
                    writer.position(),
                    format_args!("at most {DEEPEST} nested lists"),
                    "a deeper list",
                ));
            }
            open.push(items.iter());
        }
    }
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::value::tests_support::any_value;
    use super::*;

    /// A worked example: `[["KEY", -2, 0.5]]`.
    const EXAMPLE: [u8; 43] = [
        4, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, b'K', b'E', b'Y',
        1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 2, 0, 0, 0, 0, 0, 0, 0x3F,
    ];

    fn nested(depth: usize) -> Vec<u8> {
        let mut bytes = [4, 0, 0, 0, 2, 0, 0, 0].repeat(depth - 1);
        bytes.extend([4, 0, 0, 0, 1, 0, 0, 0]);
        bytes
    }

    #[test]
    fn the_worked_example_decodes_and_encodes() {
        let decoded = decode(&EXAMPLE).unwrap();
        assert!(decoded.deviations.is_empty());
        assert_eq!(
            decoded.value,
            Value::List(vec![Value::List(vec![
                Value::text("KEY"),
                Value::Int(-2),
                Value::Float(F32(0.5)),
            ])])
        );
        assert_eq!(encode(&decoded.value).unwrap(), EXAMPLE);
        assert!(looks_like(&EXAMPLE));
        assert!(!looks_like(&EXAMPLE[..7]));
    }

    #[test]
    fn a_root_that_is_no_list_is_preserved_and_reported() {
        let deviations = |root: Value<'_>| {
            let bytes = encode(&root).unwrap();
            let decoded = decode(&bytes).unwrap();
            assert_eq!(decoded.value, root);
            decoded.deviations.total()
        };
        assert_eq!(deviations(Value::Int(7)), 1);
        assert_eq!(deviations(Value::List(vec![])), 0);
        assert_eq!(deviations(Value::List(vec![Value::Int(1)])), 0);
    }

    #[test]
    fn an_error_has_the_position_of_the_value() {
        let mut bytes = EXAMPLE;
        bytes[0x1B] = 9;
        let error = decode(&bytes).unwrap_err();
        assert_eq!(error.field(), "value[0][1].kind");
        assert_eq!(error.offset(), 0x1B);
        bytes = EXAMPLE;
        bytes[12] = 0;
        assert_eq!(decode(&bytes).unwrap_err().field(), "value[0].count");
        bytes[12] = 0xFF;
        assert_eq!(decode(&bytes).unwrap_err().kind(), FaultKind::Truncated);
    }

    #[test]
    fn bytes_after_the_root_are_an_error() {
        let mut bytes = EXAMPLE.to_vec();
        bytes.push(0);
        assert_eq!(decode(&bytes).unwrap_err().offset(), 43);
    }

    #[test]
    fn depth_is_limited_in_both_directions() {
        let deepest = nested(DEEPEST);
        let decoded = decode(&deepest).unwrap().value;
        assert_eq!(encode(&decoded).unwrap(), deepest);
        let error = decode(&nested(DEEPEST + 1)).unwrap_err();
        assert_eq!(error.kind(), FaultKind::Limit);
        assert_eq!(error.offset(), 8 * DEEPEST as u64);
        let error = encode(&Value::List(vec![decoded])).unwrap_err();
        assert_eq!(error.kind(), FaultKind::Unencodable);
        let error = decode(&nested(100_000)).unwrap_err();
        assert_eq!(error.kind(), FaultKind::Limit);
    }

    proptest! {
        #[test]
        fn any_value_survives(value in any_value(true)) {
            let bytes = encode(&value).unwrap();
            prop_assert_eq!(decode(&bytes).unwrap().value, value);
        }
    }
}

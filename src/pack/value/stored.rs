//! Places of a source that may hold a value, and what would be there instead.

use std::collections::HashSet;
use std::ops::Range;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Number, Value};

/// What may be put in the place of what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub range: Range<usize>,
    pub new: Vec<u8>,
}

/// Where a source is searched.
#[derive(Debug)]
pub(super) struct Search<'b> {
    bytes: &'b [u8],
    range: Range<usize>,
    /// About where the value should be: one of these.
    places: &'b [usize],
    is_text: bool,
}

/// Codes that are tried for a named value: those below.
const MOST_CODES: u8 = 48;

/// Most changes that are tried for a flag or a named value.
const MOST_CHANGES: usize = 1500;

impl<'b> Search<'b> {
    /// Searches `range` of a source; the value lies at about one of `places`.
    pub(super) fn new(bytes: &'b [u8], range: Range<usize>, places: &'b [usize]) -> Self {
        let within = bytes.get(range.clone()).unwrap_or_default();
        let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..);
        Self {
            bytes,
            places,
            is_text: within.iter().all(is_text),
            range,
        }
    }

    /// The same for what is no text, whatever its bytes are.
    pub(super) fn binary(self) -> Self {
        Self {
            is_text: false,
            ..self
        }
    }

    /// The place of a value that lies in one place only.
    pub(super) fn only(&self, value: &Value) -> Option<usize> {
        let pattern = match value {
            Value::Number(number) if self.is_text => number.to_string().into_bytes(),
            // Single bytes and words are everywhere.
            Value::Number(number) => spellings(number, number).into_iter().next()?.0,
            Value::String(text) => latin1(text)?,
            _ => return None,
        };
        let mut places = self.occurrences(&pattern);
        let first = places.next().filter(|_| pattern.len() > 3)?;
        places.next().is_none().then_some(first)
    }

    /// What may be changed for `old` to become `new`, the likeliest first.
    pub(super) fn changes(&self, old: &Value, new: &Value) -> Vec<Change> {
        let mut changes = match (old, new, self.is_text) {
            (Value::Number(old), Value::Number(new), true) => self.words(&|word| {
                let word = word.parse::<f64>().ok()?;
                is_near(word, old.as_f64()?).then(|| new.to_string())
            }),
            (Value::String(old), Value::String(new), true) => self.texts(old, new),
            (Value::Number(old), Value::Number(new), false) => self.numbers(old, new),
            (Value::String(old), Value::String(new), false) => {
                let mut changes = self.padded(old, new);
                changes.extend(self.spelled(old, new));
                changes
            }
            _ => Vec::new(),
        };
        // A narrow number and a wide one often say the same: the bytes that differ.
        changes.iter_mut().for_each(|change| self.trim(change));
        self.sort(&mut changes);
        let mut known = HashSet::new();
        changes.retain(|change| known.insert((change.range.clone(), change.new.clone())));
        changes
    }

    /// The nearest to where the value should be first.
    fn sort(&self, changes: &mut [Change]) {
        changes.sort_by_key(|change| {
            let places = self.places.iter();
            places
                .map(|place| change.range.start.abs_diff(*place))
                .min()
        });
    }

    /// Leaves out the bytes at the end of a change that stay as they are.
    fn trim(&self, change: &mut Change) {
        let old = self.bytes.get(change.range.clone()).unwrap_or_default();
        if old.len() != change.new.len() {
            return;
        }
        let pairs = old.iter().zip(&change.new).rev();
        let same = pairs.take_while(|(old, new)| old == new).count();
        change.range.end -= same;
        change.new.truncate(change.range.len());
    }

    /// Single bits, and bytes that become small codes: where a flag or a named value may lie, nearest first.
    pub(super) fn codes(&self, old: &Value, new: &Value) -> Vec<Change> {
        let mut changes = Vec::new();
        let is_flag = matches!((old, new), (Value::Bool(_), Value::Bool(_)));
        let is_name = match (old, new) {
            (Value::String(old), Value::String(new)) => is_code(old) && is_code(new),
            _ => false,
        };
        if self.is_text || !(is_flag || is_name) {
            return changes;
        }
        for at in self.range.clone() {
            let Some(&byte) = self.bytes.get(at) else {
                continue;
            };
            let change = |new: u8| Change {
                range: at..at.saturating_add(1),
                new: vec![new],
            };
            if is_flag {
                changes.extend((0..8).map(|bit| change(byte ^ (1 << bit))));
            } else if byte < MOST_CODES {
                let codes = (0..MOST_CODES).filter(|code| *code != byte);
                changes.extend(codes.map(change));
            }
        }
        self.sort(&mut changes);
        changes.truncate(MOST_CHANGES);
        changes
    }

    /// Numbers in binary, the widest first: a narrow one is part of many others.
    fn numbers(&self, old: &Number, new: &Number) -> Vec<Change> {
        let mut changes = Vec::new();
        for (old, new) in spellings(old, new) {
            changes.extend(self.occurrences(&old).map(|at| Change {
                range: at..at + old.len(),
                new: new.clone(),
            }));
        }
        changes
    }

    /// Texts with room behind them in binary.
    fn padded(&self, old: &str, new: &str) -> Vec<Change> {
        let (Some(old), Some(new)) = (latin1(old), latin1(new)) else {
            return Vec::new();
        };
        if old.is_empty() {
            return Vec::new();
        }
        let mut changes = Vec::new();
        for at in self.occurrences(&old) {
            let end = at + old.len();
            // A longer text takes of the zeros behind, and leaves one.
            let more = new.len().saturating_sub(old.len());
            let room = self
                .bytes
                .get(end..end.saturating_add(more).saturating_add(1));
            let has_room = more == 0 || room.is_some_and(|room| room.iter().all(|&byte| byte == 0));
            if !has_room {
                continue;
            }
            let mut padded = new.clone();
            padded.resize(new.len().max(old.len()), 0);
            changes.push(Change {
                range: at..at + padded.len(),
                new: padded,
            });
        }
        changes
    }

    /// Words of a text that become others.
    fn words(&self, become_of: &dyn Fn(&str) -> Option<String>) -> Vec<Change> {
        let is_inside =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+' | b'_');
        let mut changes = Vec::new();
        let mut at = self.range.start;
        while at < self.range.end {
            let rest = self.bytes.get(at..self.range.end).unwrap_or_default();
            let length = rest.iter().take_while(|byte| is_inside(**byte)).count();
            let word = rest
                .get(..length)
                .and_then(|word| std::str::from_utf8(word).ok());
            if let Some(new) = word.filter(|word| !word.is_empty()).and_then(become_of) {
                changes.push(Change {
                    range: at..at + length,
                    new: new.into_bytes(),
                });
            }
            at += length.max(1);
        }
        changes
    }

    /// Places of a text in a text.
    fn texts(&self, old: &str, new: &str) -> Vec<Change> {
        let spell = |text: &str| match text.is_ascii() {
            true => Some(text.as_bytes().to_vec()),
            false => latin1(text),
        };
        let (Some(old), Some(new)) = (spell(old).filter(|old| !old.is_empty()), spell(new)) else {
            return Vec::new();
        };
        let places = self.occurrences(&old);
        let change = |at: usize| Change {
            range: at..at + old.len(),
            new: new.clone(),
        };
        places.map(change).collect()
    }

    /// Places of bytes that documents spell as hexadecimal digits or in base64.
    fn spelled(&self, old: &str, new: &str) -> Vec<Change> {
        let mut changes = Vec::new();
        for bytes_of in [hexadecimal, base64] {
            let (Some(old), Some(new)) = (bytes_of(old), bytes_of(new)) else {
                continue;
            };
            let places = self.occurrences(&old).filter(|_| !old.is_empty());
            changes.extend(places.map(|at| Change {
                range: at..at + old.len(),
                new: new.clone(),
            }));
        }
        changes
    }

    fn occurrences<'p>(&self, pattern: &'p [u8]) -> impl Iterator<Item = usize> + use<'b, 'p> {
        let within = self.bytes.get(self.range.clone()).unwrap_or_default();
        let start = self.range.start;
        within
            .windows(pattern.len().max(1))
            .enumerate()
            .filter(move |(_, window)| *window == pattern)
            .map(move |(at, _)| start + at)
    }
}

/// Bytes that are spelled in hexadecimal digits, with spaces between them or none.
fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|digit| {
            char::from(digit)
                .to_digit(16)
                .and_then(|digit| u8::try_from(digit).ok())
        })
        .collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| high << 4 | low);
    rest.is_empty().then(|| bytes.collect())
}

fn base64(text: &str) -> Option<Vec<u8>> {
    BASE64_STANDARD.decode(text).ok()
}

/// Whether numbers are the same to the precision of the games' floats.
#[expect(
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "to the precision that is stored"
)]
fn is_near(one: f64, other: f64) -> bool {
    one as f32 == other as f32
}

/// Whether a text may be the name of a code, as documents spell these.
fn is_code(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    !text.is_empty() && text.bytes().all(is_part)
}

/// How files may hold an old number, and a new one in its place.
#[expect(
    clippy::cast_possible_truncation,
    reason = "to the precision that is stored"
)]
fn spellings(old: &Number, new: &Number) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut spellings = Vec::new();
    let floats = (old.as_f64(), new.as_f64());
    if let (true, (Some(old), Some(new))) = (old.is_f64(), floats) {
        let single = |number: f64| (number as f32).to_le_bytes().to_vec();
        spellings.push((single(old), single(new)));
        spellings.push((old.to_le_bytes().to_vec(), new.to_le_bytes().to_vec()));
        return spellings;
    }
    let (Some(old), Some(new)) = (whole(old), whole(new)) else {
        return spellings;
    };
    for width in [4, 2, 1, 8] {
        let (lowest, highest) = (-(1_i128 << (8 * width - 1)), (1_i128 << (8 * width)) - 1);
        if (lowest..=highest).contains(&old) && (lowest..=highest).contains(&new) {
            let spell = |number: i128| number.to_le_bytes().iter().take(width).copied().collect();
            spellings.push((spell(old), spell(new)));
        }
    }
    spellings
}

/// A number without a point; one with nothing behind the point counts.
#[expect(
    clippy::cast_possible_truncation,
    reason = "checked to be whole and small"
)]
fn whole(number: &Number) -> Option<i128> {
    let float = || {
        let float = number.as_f64()?;
        (float.trunc() == float && float.abs() < 1e15).then_some(float as i128)
    };
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
        .or_else(float)
}

/// The bytes of a text of Latin-1.
fn latin1(text: &str) -> Option<Vec<u8>> {
    text.chars()
        .map(|letter| u8::try_from(letter).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Change, Search};

    fn changes(bytes: &[u8], old: serde_json::Value, new: serde_json::Value) -> Vec<Change> {
        Search::new(bytes, 0..bytes.len(), &[0]).changes(&old, &new)
    }

    #[test]
    fn floats_and_integers_are_found_in_their_widths() {
        let bytes = [&1.5_f32.to_le_bytes()[..], &[7, 0, 0, 0]].concat();
        let float = changes(&bytes, json!(1.5), json!(-2.0));
        assert_eq!(float.len(), 1);
        assert_eq!(
            (float[0].range.clone(), &*float[0].new),
            (0..4, &(-2.0_f32).to_le_bytes()[..])
        );
        let whole: Vec<_> = changes(&bytes, json!(7), json!(300));
        let ranges: Vec<_> = whole
            .iter()
            .map(|change| (change.range.start, change.range.end))
            .collect();
        assert_eq!(
            ranges,
            [(4, 6)],
            "one byte cannot hold it; wider ones say the same"
        );
    }

    #[test]
    fn bytes_are_found_by_what_spells_them() {
        let bytes = [9, 0x14, 0x1e, 0x28, 9];
        let found = changes(&bytes, "141e 28".into(), "141e 2a".into());
        let wanted = Change {
            range: 1..4,
            new: vec![0x14, 0x1e, 0x2a],
        };
        assert_eq!(found, [wanted]);
        // "FB4o" and "FB4p".
        let found = changes(&bytes, "FB4o".into(), "FB4p".into());
        assert_eq!(found[0].new, [0x14, 0x1e, 0x29]);
        assert_eq!(changes(&bytes, "xyz".into(), "abc".into()), []);
    }

    #[test]
    fn texts_take_zeros_behind_them_but_for_one() {
        let bytes = b"\x01door\0\0\0\x02";
        let new = |text: &str| changes(bytes, json!("door"), json!(text));
        assert_eq!(new("gate")[0].new, b"gate");
        assert_eq!(new("a")[0].new, b"a\0\0\0");
        assert_eq!(new("gates1")[0].new, b"gates1");
        assert_eq!(new("gates12"), []);
    }

    #[test]
    fn flags_are_single_bits_and_names_small_codes() {
        let bytes = [1, 0x80];
        let search = Search::new(&bytes, 0..2, &[0]);
        let flags = search.codes(&json!(true), &json!(false));
        assert_eq!(flags.len(), 16);
        assert_eq!((flags[0].range.clone(), &*flags[0].new), (0..1, &[0][..]));
        let names = search.codes(&json!("on_call"), &json!("on_startup"));
        assert!(names.iter().all(|change| change.range == (0..1)) && names.len() == 47);
        assert_eq!(search.codes(&json!("A b"), &json!("on_call")), []);
    }

    #[test]
    fn words_of_texts_are_whole() {
        let found = changes(b"2, frogs.wav, 22, 2.0, -2", json!(2), json!(5));
        let places: Vec<_> = found.iter().map(|change| change.range.clone()).collect();
        assert_eq!(places, [0..1, 18..21]);
        assert_eq!(
            changes(b"name: ab", json!("ab"), json!("cde"))[0].range,
            6..8
        );
    }
}

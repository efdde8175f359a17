//! Stored forms of values, and a search for them where no decoder reports their position.

use std::ops::Range;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use relicast_codec::Encoding;
use serde_json::{Number, Value};

use super::leaf::same;

/// Most places that are tried for a value.
pub(super) const MOST_PLACES: usize = 2500;

/// A replacement of a byte range.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Change {
    pub range: Range<usize>,
    pub new: Vec<u8>,
}

impl Change {
    /// Without its unchanged bytes at the end: a narrow number and a wide one often give the same change.
    pub(super) fn trimmed(mut self, bytes: &[u8]) -> Self {
        let old = bytes.get(self.range.clone()).unwrap_or_default();
        if old.len() == self.new.len() {
            let pairs = old.iter().zip(&self.new).rev();
            let same = pairs.take_while(|(old, new)| old == new).count();
            self.range.end -= same;
            self.new.truncate(self.range.len());
        }
        self
    }
}

/// The byte range of a source that is searched.
#[derive(Debug)]
pub(super) struct Search<'b> {
    bytes: &'b [u8],
    range: Range<usize>,
    pub is_text: bool,
}

/// Largest code that is tried for a named value, exclusive.
const MAX_CODES: u8 = 48;

impl<'b> Search<'b> {
    /// Searches `range` of a source.
    pub(super) fn new(bytes: &'b [u8], range: Range<usize>) -> Self {
        let within = bytes.get(range.clone()).unwrap_or_default();
        let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..);
        Self {
            is_text: within.iter().all(is_text),
            ..Self::binary(bytes, range)
        }
    }

    /// The same for values that are not texts, in any bytes.
    pub(super) fn binary(bytes: &'b [u8], range: Range<usize>) -> Self {
        Self {
            bytes,
            range,
            is_text: false,
        }
    }

    /// Changes by which `old` becomes `new`.
    pub(super) fn changes(&self, old: &Value, new: &Value) -> Vec<Change> {
        let changes = match (old, new) {
            (Value::Number(_), Value::Number(new)) if self.is_text => self.words(old, new),
            (Value::Number(old), Value::Number(new)) => {
                let is_own = |it: &Notation| (it.encoding == Encoding::Float) == old.is_f64();
                let notations = notations(old, new).into_iter().filter(is_own);
                let changes = notations.flat_map(|it| self.replaced(&it.old, &it.new));
                changes.collect()
            }
            (Value::String(old), Value::String(new)) => self.texts(old, new),
            _ => Vec::new(),
        };
        let trimmed = |change: Change| change.trimmed(self.bytes);
        changes.into_iter().map(trimmed).collect()
    }

    /// Single bits, and bytes that become small codes: possible places of a flag or a named value, in the order of
    /// `places`.
    pub(super) fn codes(
        &self,
        places: impl Iterator<Item = usize>,
        old: &Value,
        new: &Value,
    ) -> Vec<Change> {
        let is_flag = matches!((old, new), (Value::Bool(_), Value::Bool(_)));
        let is_name = match (old, new) {
            (Value::String(old), Value::String(new)) => is_code(old) && is_code(new),
            _ => false,
        };
        if self.is_text || !(is_flag || is_name) {
            return Vec::new();
        }
        let stored = places.filter_map(|at| Some((at, *self.bytes.get(at)?)));
        let changes = stored.flat_map(|(at, byte)| {
            let new: Vec<u8> = match (is_flag, byte < MAX_CODES) {
                (true, _) => (0..8).map(|bit| byte ^ (1 << bit)).collect(),
                (false, true) => (0..MAX_CODES).filter(|code| *code != byte).collect(),
                (false, false) => Vec::new(),
            };
            new.into_iter().map(move |new| Change {
                range: at..at.saturating_add(1),
                new: vec![new],
            })
        });
        changes.take(MOST_PLACES).collect()
    }

    /// Words of a text that are a number and change.
    fn words(&self, old: &Value, new: &Number) -> Vec<Change> {
        let is_inside =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+' | b'_');
        let within = self.bytes.get(self.range.clone()).unwrap_or_default();
        let mut start = self.range.start;
        let words = within.split_inclusive(|byte| !is_inside(byte));
        let words = words.filter_map(|word| {
            let length = word.iter().take_while(|byte| is_inside(byte)).count();
            let range = start..start.saturating_add(length);
            start = start.saturating_add(word.len());
            let word = std::str::from_utf8(word.get(..length)?).ok()?;
            let number = Value::from(word.parse::<f64>().ok()?);
            let new = new.to_string().into_bytes();
            same(&number, old).then_some(Change { range, new })
        });
        words.collect()
    }

    /// Places of a text, which needs room behind it in binary files, and of bytes that a document writes as hexadecimal
    /// digits or in base64.
    pub(super) fn texts(&self, old: &str, new: &str) -> Vec<Change> {
        let mut changes = Vec::new();
        if let (Some(old), Some(new)) = (latin1(old), latin1(new)) {
            let replaced = self.replaced(&old, &new).into_iter();
            changes.extend(replaced.filter_map(|change| self.fitted(change)));
        }
        for bytes_of in [hexadecimal, base64].into_iter().filter(|_| !self.is_text) {
            if let (Some(old), Some(new)) = (bytes_of(old), bytes_of(new)) {
                changes.extend(self.replaced(&old, &new));
            }
        }
        changes
    }

    /// The change of a text, adapted to its place: in binary files a longer text uses zeros behind it, and leaves one.
    fn fitted(&self, mut change: Change) -> Option<Change> {
        if self.is_text {
            return Some(change);
        }
        let more = change.new.len().saturating_sub(change.range.len());
        let end = change.range.end;
        let room = end..end.saturating_add(more).saturating_add(1);
        let is_free = |room: &[u8]| room.iter().all(|&byte| byte == 0);
        if more > 0 && !self.bytes.get(room).is_some_and(is_free) {
            return None;
        }
        change.range.end = end.saturating_add(more);
        change.new.resize(change.range.len(), 0);
        Some(change)
    }

    /// All places of some bytes, with their replacement.
    fn replaced(&self, old: &[u8], new: &[u8]) -> Vec<Change> {
        let within = self.bytes.get(self.range.clone()).unwrap_or_default();
        let windows = within.windows(old.len().max(1)).enumerate();
        let places = windows.filter(|(_, window)| *window == old);
        let changes = places.map(|(at, _)| {
            let start = self.range.start.saturating_add(at);
            let range = start..start.saturating_add(old.len());
            let new = new.to_vec();
            Change { range, new }
        });
        changes.collect()
    }
}

/// Bytes written as hexadecimal digits, with or without spaces between them.
fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits = text.chars().filter(|digit| !digit.is_ascii_whitespace());
    let digits: Vec<u32> = digits
        .map(|digit| digit.to_digit(16))
        .collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    let bytes = pairs
        .iter()
        .map(|[high, low]| u8::try_from(high << 4 | low).ok());
    bytes.collect::<Option<_>>().filter(|_| rest.is_empty())
}

fn base64(text: &str) -> Option<Vec<u8>> {
    BASE64_STANDARD.decode(text).ok()
}

/// True if a text may be the name of a code in a document.
fn is_code(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    !text.is_empty() && text.bytes().all(is_part)
}

/// Stored forms of an old number, each with the new number in the same form.
#[derive(Debug, Clone)]
pub(super) struct Notation {
    pub encoding: Encoding,
    pub old: Vec<u8>,
    pub new: Vec<u8>,
}

/// Stored forms of an old number, each with the same form of the new number.
#[expect(
    clippy::cast_possible_truncation,
    reason = "to the precision that is stored"
)]
pub(super) fn notations(old: &Number, new: &Number) -> Vec<Notation> {
    let mut notations = Vec::new();
    let mut add = |encoding, old: &[u8], new: &[u8]| {
        let (old, new) = (old.to_vec(), new.to_vec());
        notations.push(Notation { encoding, old, new });
    };
    if let (false, Some(old), Some(new)) = (old.is_f64(), whole(old), whole(new)) {
        for width in [4, 2, 1, 8] {
            let (lowest, highest) = (-(1_i128 << (8 * width - 1)), (1_i128 << (8 * width)) - 1);
            let fit = |number| (lowest..=highest).contains(&number);
            let (stored, other) = (old.to_le_bytes(), new.to_le_bytes());
            if let (true, Some(old), Some(new)) = (
                fit(old) && fit(new),
                stored.get(..width),
                other.get(..width),
            ) {
                add(Encoding::Integer, old, new);
            }
        }
    }
    if let (Some(old), Some(new)) = (old.as_f64(), new.as_f64()) {
        let single = |number: f64| (number as f32).to_le_bytes();
        add(Encoding::Float, &single(old), &single(new));
    }
    notations
}

/// A number without a fraction; a fraction of zero counts too.
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

/// The bytes of a text in Latin-1.
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
        Search::new(bytes, 0..bytes.len()).changes(&old, &new)
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
        assert!(!whole.is_empty());
        // One byte cannot hold it; wider forms give the same change.
        assert!(
            whole.iter().all(|change| change.range == (4..6)),
            "{whole:?}"
        );
    }

    #[test]
    fn bytes_are_found_by_their_text() {
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
        let search = Search::new(&bytes, 0..2);
        let flags = search.codes(0..2, &json!(true), &json!(false));
        assert_eq!(flags.len(), 16);
        assert_eq!((flags[0].range.clone(), &*flags[0].new), (0..1, &[0][..]));
        let names = search.codes(0..2, &json!("on_call"), &json!("on_startup"));
        assert!(names.iter().all(|change| change.range == (0..1)) && names.len() == 47);
        assert_eq!(search.codes(0..2, &json!("A b"), &json!("on_call")), []);
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

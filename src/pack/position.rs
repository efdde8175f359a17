//! Finds the position in an edited document's text of the value that a refusal names by its path.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::edited::Refusal;

/// A place in a text, both numbers from 1, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Position {
    line: usize,
    column: usize,
}

/// Adds line and column of the value whose path begins the refusal. A refusal without a path, or with a line already,
/// stays as it is.
pub(super) fn located(text: &[u8], refusal: Refusal) -> Refusal {
    let message = refusal.to_string();
    if message.starts_with("line ") || message.contains(" at line ") {
        return refusal;
    }
    let Some(at) = message.strip_prefix('$').and_then(|path| find(text, path)) else {
        return refusal;
    };
    let Position { line, column } = position(text, at);
    refusal!("{message}, at line {line} column {column}")
}

fn position(text: &[u8], at: usize) -> Position {
    let before = text.get(..at).unwrap_or(text);
    let start = before.iter().rposition(|&byte| byte == b'\n');
    let row = before.get(start.map_or(0, |start| start + 1)..);
    // Continuation bytes of UTF-8 are not counted.
    let begins = |byte: &&u8| **byte & 0xC0 != 0x80;
    Position {
        line: 1 + before.iter().filter(|&&byte| byte == b'\n').count(),
        column: 1 + row.unwrap_or_default().iter().filter(begins).count(),
    }
}

/// Position of the value whose path begins a message: keys and indices are followed as far as the document has
/// them.
fn find(text: &[u8], mut message: &str) -> Option<usize> {
    let text = std::str::from_utf8(text).ok()?;
    let mut value: &RawValue = serde_json::from_str(text).ok()?;
    while let Some((inner, rest)) = field(value, message).or_else(|| item(value, message)) {
        (value, message) = (inner, rest);
    }
    Some(value.get().as_ptr().addr() - text.as_ptr().addr())
}

/// The value of the key that begins a message, and the rest of the message.
fn field<'v, 'm>(value: &'v RawValue, message: &'m str) -> Option<(&'v RawValue, &'m str)> {
    let path = message.strip_prefix('.')?;
    let fields: BTreeMap<String, &RawValue> = serde_json::from_str(value.get()).ok()?;
    // Keys may contain points: the longest key that fits wins.
    let fitting = fields.into_iter().filter_map(|(key, field)| {
        let rest = path.strip_prefix(&*key).filter(|rest| ends_key(rest))?;
        Some((key.len(), (field, rest)))
    });
    let longest = fitting.max_by_key(|(length, _)| *length);
    longest.map(|(_, found)| found)
}

/// The item whose index begins a message, and the rest of the message.
fn item<'v, 'm>(value: &'v RawValue, message: &'m str) -> Option<(&'v RawValue, &'m str)> {
    let (index, rest) = message.strip_prefix('[')?.split_once(']')?;
    let items: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
    Some((items.get(index.parse::<usize>().ok()?)?, rest))
}

/// True if the text after a key in a message can follow one.
fn ends_key(rest: &str) -> bool {
    rest.chars()
        .next()
        .is_none_or(|next| matches!(next, '.' | '[' | ':' | ' ' | ',' | ';'))
}

#[cfg(test)]
mod tests {
    use super::{Refusal, located};

    const TEXT: &str = "{\n  \"a\": [1, {\"b c\": \"ä]\", \"d.e\": [\n    true]}],\n  \"ü\": {}, \"n\": -1.5e3\n}\n";

    fn with_position(message: &str) -> String {
        located(TEXT.as_bytes(), Refusal::new(message)).to_string()
    }

    #[test]
    fn values_are_reported_with_line_and_column() {
        for (message, place) in [
            ("$: is no list", "line 1 column 1"),
            ("$.a: is long", "line 2 column 8"),
            ("$.a[0]: is small", "line 2 column 9"),
            ("$.a[1].b c: is odd", "line 2 column 20"),
            ("$.a[1].d.e[0] follows from others", "line 3 column 5"),
            ("$.ü: is empty", "line 4 column 8"),
            ("$.n: is small", "line 4 column 17"),
        ] {
            assert_eq!(with_position(message), format!("{message}, at {place}"));
        }
    }

    #[test]
    fn what_is_not_there_is_reported_by_what_it_should_be_in() {
        assert!(with_position("$.a[7]: is missing").ends_with("at line 2 column 8"));
        assert!(with_position("$.ü.x: is missing").ends_with("at line 4 column 8"));
        assert!(with_position("$.nothing: is missing").ends_with("at line 1 column 1"));
    }

    #[test]
    fn other_refusals_stay_as_they_are() {
        for message in [
            "it is no sound",
            "$.a: no number at line 2 column 5",
            "line 3, column 1: x",
        ] {
            assert_eq!(with_position(message), message);
        }
    }

    #[test]
    fn texts_that_are_no_json_have_no_position() {
        for cut in 0..TEXT.len() - 1 {
            let refusal = located(&TEXT.as_bytes()[..cut], Refusal::new("$.n: x"));
            assert_eq!(refusal.to_string(), "$.n: x", "{cut}");
        }
    }
}

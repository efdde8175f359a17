//! Checks for texts that cannot be read at all: they are errors, not empty documents.
//!
//! ```
//! use relicast_formats::everquest::readable;
//!
//! assert!(readable::map(b"P 1, 2, 3, 0, 0, 0, 2, mill\n?\n").is_ok());
//! assert!(readable::map(b"?\n").is_err());
//! assert!(readable::map(b"").is_ok());
//! ```

use super::eqg::text::{self, Text};
use super::lists::{self, Layout, map_line};
use relicast_codec::{Decoded, FormatError, Result};

/// Maximum length of a piece of a line in an error, in characters.
const SHOWN: usize = 60;

/// Requires that a line is `read`, or that all are `idle`: empty lines, comments, headings.
fn require(
    bytes: &[u8],
    expected: &str,
    is_idle: impl Fn(usize, &str) -> bool,
    is_read: impl Fn(&str) -> bool,
) -> Result<()> {
    let mut first_unread = None;
    let mut offset = 0_usize;
    let stored = bytes.split_inclusive(|&byte| byte == b'\n');
    for (number, (line, stored)) in lists::lines(bytes).zip(stored).enumerate() {
        relicast_limits::check();
        let line = line.trim();
        if !line.is_empty() && !is_idle(number, line) {
            if is_read(line) {
                return Ok(());
            }
            first_unread
                .get_or_insert_with(|| (offset, line.chars().take(SHOWN).collect::<String>()));
        }
        offset = offset.saturating_add(stored.len());
    }
    match first_unread {
        None => Ok(()),
        Some((offset, found)) => Err(FormatError::malformed("lines", offset, expected, found)),
    }
}

/// Checks the lines of a map.
///
/// # Errors
/// There are lines, but no line or point of a map.
pub fn check_map(bytes: &[u8]) -> Result<()> {
    let expected = "at least one line or point of a map";
    require(
        bytes,
        expected,
        |_, _| false,
        |line| map_line(line).is_some(),
    )
}

/// Checks the rows of the list with this file name.
///
/// # Errors
/// There are rows, but none has two cells although the list has columns.
pub fn check_list(name: &str, bytes: &[u8]) -> Result<()> {
    let Some(layout) = Layout::of(&name.to_lowercase()) else {
        return Ok(());
    };
    let expected = format!("at least one row of {} cells", layout.columns.len());
    require(
        bytes,
        &expected,
        |number, _| number < layout.headings,
        |line| layout.columns.len() < 2 || layout.cells(line).nth(1).is_some(),
    )
}

/// Checks the lines of settings.
///
/// # Errors
/// There are lines besides comments, but no section or key with a value.
pub fn check_settings(bytes: &[u8]) -> Result<()> {
    require(
        bytes,
        "at least one section or key with a value",
        |_, line| line.starts_with(['#', ';']),
        |line| line.starts_with('[') || line.contains('='),
    )
}

fn text_after(checked: Result<()>, bytes: &[u8]) -> Result<Decoded<Text>> {
    checked.and_then(|()| text::decode(bytes))
}

/// Decodes a map.
///
/// # Errors
/// As [`check_map`].
pub fn map(bytes: &[u8]) -> Result<Decoded<Text>> {
    text_after(check_map(bytes), bytes)
}

/// Decodes the list with this file name.
///
/// # Errors
/// As [`check_list`].
pub fn list(name: &str, bytes: &[u8]) -> Result<Decoded<Text>> {
    text_after(check_list(name, bytes), bytes)
}

/// Decodes settings.
///
/// # Errors
/// As [`check_settings`].
pub fn settings(bytes: &[u8]) -> Result<Decoded<Text>> {
    text_after(check_settings(bytes), bytes)
}

/// Decodes statements, or levels of detail.
///
/// # Errors
/// There are lines besides the signature, but none has a statement or a level.
pub fn statements(bytes: &[u8]) -> Result<Decoded<Text>> {
    let is_signature = |line: &str| {
        [text::ZONE, text::DETAIL]
            .into_iter()
            .any(|signature| line.as_bytes() == signature)
    };
    let is_level = |line: &str| {
        let kind = line.split_once(',').map(|(kind, _)| kind.trim());
        kind.is_some_and(|kind| {
            kind.eq_ignore_ascii_case("LOD") || kind.eq_ignore_ascii_case("COL")
        })
    };
    let checked = require(
        bytes,
        "at least one statement (a word with an asterisk) or level of detail",
        |number, line| number == 0 && is_signature(line),
        |line| is_level(line) || line.split_whitespace().any(|word| word.starts_with('*')),
    );
    text_after(checked, bytes)
}

/// Decodes emitters of the environment of a zone.
///
/// # Errors
/// There are emitters, but none has a position.
pub fn environment(bytes: &[u8]) -> Result<Decoded<Text>> {
    let decoded = text::decode(bytes)?;
    let emitters = decoded.value.emitters();
    let has_position = emitters.iter().any(|emitter| emitter.position().is_some());
    let heading = decoded.value.lines.first();
    let heading = heading.map(|line| line.text.trim()).unwrap_or_default();
    let is_heading = heading.is_empty() || heading.contains('^');
    if has_position || (emitters.is_empty() && is_heading) {
        return Ok(decoded);
    }
    let expected = "a line with the names of columns, and at least one emitter with X, Y and Z";
    let found: String = heading.chars().take(SHOWN).collect();
    Err(FormatError::malformed("lines", 0, expected, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_which_nothing_can_be_read_are_errors() {
        type Read = fn(&[u8]) -> Result<Decoded<Text>>;
        let formats: [(Read, &[u8], &[u8]); 5] = [
            (map, b"L 1, 2, 3, 4, 5, 6, 0, 0, 255", b""),
            (|bytes| list("SkillCaps.txt", bytes), b"1^0^1^10^0", b""),
            (settings, b"speed=3", b"; a comment\r\n# another\r\n"),
            (statements, b"*NAME mill", b"EQTZP\r\n"),
            (environment, b"Name^X^Y^Z\nfire^1^2^3", b"Name^X^Y^Z\n"),
        ];
        for (read, good, idle) in formats {
            let name = String::from_utf8_lossy(good).into_owned();
            assert!(
                read(good).is_ok() && read(idle).is_ok() && read(b"\r\n").is_ok(),
                "{name}"
            );
            let mut mixed = good.to_vec();
            mixed.extend(b"\n\x01\x02 garbage\n");
            assert!(read(&mixed).is_ok(), "{name}");
            for garbage in [&b"\x01\x02 garbage"[..], b"\xff\xfe\n\x03"] {
                let mut bytes = idle.to_vec();
                bytes.extend(garbage);
                let error = read(&bytes).unwrap_err();
                assert_eq!(error.field(), "lines", "{name}");
            }
        }
    }

    #[test]
    fn lists_of_whole_lines_and_headings_are_read() {
        assert!(list("mp3index.txt", b"a.mp3\nb.mp3\n").is_ok());
        assert!(list("eqstr_us.txt", b"EQST0002\n0 0\n").is_ok());
        assert!(list("eqstr_us.txt", b"EQST0002\n0 1\ngarbage\n").is_err());
        assert!(list("other.txt", b"garbage").is_ok());
    }
}

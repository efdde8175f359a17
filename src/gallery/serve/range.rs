//! Byte ranges of requests (RFC 9110, section 14).

use std::ops::Range;

/// Requested part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The whole file.
    All,
    /// One part.
    Part(Range<u64>),
    /// A part beyond the end of the file.
    Nothing,
}

/// Parses a range header for a file of `length` bytes. Other units, malformed ranges and several ranges select
/// the whole file, as the standard allows.
pub(super) fn wanted(header: &str, length: u64) -> Wanted {
    let Some((unit, set)) = header.split_once('=') else {
        return Wanted::All;
    };
    let Some((first, last)) = set.trim().split_once('-') else {
        return Wanted::All;
    };
    if !unit.trim().eq_ignore_ascii_case("bytes") || set.contains(',') {
        return Wanted::All;
    }
    match (number(first), number(last)) {
        (Some(None), Some(Some(suffix))) => match suffix.min(length) {
            0 => Wanted::Nothing,
            suffix => Wanted::Part(length - suffix..length),
        },
        (Some(Some(first)), Some(last)) => {
            if last.is_some_and(|last| last < first) {
                return Wanted::All;
            }
            let end = last.map_or(length, |last| last.saturating_add(1).min(length));
            match first < length {
                true => Wanted::Part(first..end),
                false => Wanted::Nothing,
            }
        }
        _ => Wanted::All,
    }
}

/// Parses a number, saturating. `None` for other text, `Some(None)` for empty text.
fn number(text: &str) -> Option<Option<u64>> {
    let text = text.trim();
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if text.is_empty() {
        return Some(None);
    }
    Some(Some(text.parse().unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_file_of_ten_bytes() {
        for (header, expected) in [
            ("bytes=0-3", Wanted::Part(0..4)),
            ("bytes=4-", Wanted::Part(4..10)),
            ("bytes=-3", Wanted::Part(7..10)),
            ("bytes=-99", Wanted::Part(0..10)),
            ("Bytes = 0-0", Wanted::Part(0..1)),
            ("bytes=0-99999999999999999999999999", Wanted::Part(0..10)),
            ("bytes=9-18446744073709551615", Wanted::Part(9..10)),
            ("bytes=10-", Wanted::Nothing),
            ("bytes=99999999999999999999999999-", Wanted::Nothing),
            ("bytes=-0", Wanted::Nothing),
            ("bytes=3-1", Wanted::All),
            ("bytes=0-1,3-4", Wanted::All),
            ("bytes=-", Wanted::All),
            ("bytes=a-b", Wanted::All),
            ("bytes=+1-2", Wanted::All),
            ("items=0-1", Wanted::All),
            ("bytes", Wanted::All),
            ("", Wanted::All),
        ] {
            assert_eq!(wanted(header, 10), expected, "{header}");
        }
        assert_eq!(wanted("bytes=0-", 0), Wanted::Nothing);
    }
}

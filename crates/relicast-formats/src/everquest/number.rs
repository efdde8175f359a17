//! Numbers in texts, read as the client's scanner (`atoi`, `atof`) reads them.
//!
//! ```
//! use relicast_formats::everquest::number;
//!
//! assert_eq!(number::whole("255."), Some(255));
//! assert_eq!(number::decimal(" -1.5 units"), Some(-1.5));
//! assert_eq!(number::decimal(""), Some(0.0));
//! assert_eq!(number::decimal("wind"), None);
//! ```

/// Length of the number at the start of a cell, with its sign; `None` without a digit.
fn length(cell: &str) -> Option<usize> {
    let bytes = cell.as_bytes();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let sign = usize::from(cell.starts_with(['+', '-']));
    let whole = digits(sign);
    let mut end = sign.saturating_add(whole);
    let mut fraction = 0;
    if bytes.get(end) == Some(&b'.') {
        fraction = digits(end.saturating_add(1));
        end = end.saturating_add(1).saturating_add(fraction);
    }
    if whole == 0 && fraction == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let signed = matches!(bytes.get(end.saturating_add(1)), Some(b'+' | b'-'));
        let start = end.saturating_add(1).saturating_add(usize::from(signed));
        let exponent = digits(start);
        if exponent > 0 {
            end = start.saturating_add(exponent);
        }
    }
    Some(end)
}

/// Number at the start of a cell. Text after it is ignored, and an empty cell is 0. `None` for other text, and for
/// numbers that single precision cannot hold.
pub fn decimal(cell: &str) -> Option<f32> {
    let cell = cell.trim();
    if cell.is_empty() {
        return Some(0.0);
    }
    let number: f32 = cell.get(..length(cell)?)?.parse().ok()?;
    number.is_finite().then_some(number)
}

/// Whole number at the start of a cell; a fraction is dropped. An empty cell is 0. `None` for other text, and for
/// numbers beyond 32 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a cast of a float drops the fraction, and the number is within bounds"
)]
pub fn whole(cell: &str) -> Option<i32> {
    let cell = cell.trim();
    if cell.is_empty() {
        return Some(0);
    }
    let number: f64 = cell.get(..length(cell)?)?.parse().ok()?;
    let limits = f64::from(i32::MIN)..=f64::from(i32::MAX);
    limits.contains(&number).then_some(number as i32)
}

/// True if a cell is a number and nothing else.
pub fn is_plain(cell: &str) -> bool {
    let cell = cell.trim();
    length(cell) == Some(cell.len()) && !cell.ends_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_scanned_from_the_left() {
        for (cell, expected) in [
            ("1", 1.0),
            ("-.5", -0.5),
            ("+3.", 3.0),
            ("1e2", 100.0),
            ("1e", 1.0),
            ("7 ; x", 7.0),
            ("  ", 0.0),
        ] {
            assert_eq!(decimal(cell), Some(expected), "{cell}");
        }
        for cell in ["-", ".", "x1", "e5", "nan", "inf", "1e99", "\u{e9}"] {
            assert_eq!(decimal(cell), None, "{cell}");
        }
        assert_eq!(
            (whole("-7.9"), whole("1e10"), whole("")),
            (Some(-7), None, Some(0))
        );
    }

    #[test]
    fn plain_numbers_have_nothing_behind_them() {
        assert!(["0", "-1.5", "1e5"].into_iter().all(is_plain));
        assert!(!["255.", "", "1x", "x"].into_iter().any(is_plain));
    }
}

//! Numbers and sizes for people, with thousands separators and units such as MiB.
//!
//! ```
//! use relicast_codec::quantity::{bytes, counted, thousands};
//!
//! assert_eq!(thousands(1_198_851), "1,198,851");
//! assert_eq!(bytes(40_600_000), "38.7 MiB");
//! assert_eq!(counted(1_u64, "entry", "entries"), "1 entry");
//! ```

/// Formats a number with thousands separators.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len().saturating_mul(2));
    for (place, digit) in digits.chars().enumerate() {
        let behind = digits.len().saturating_sub(place);
        if place > 0 && behind.is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number with thousands separators and its noun, in the singular for 1.
pub fn counted(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    let noun = if number == 1 { one } else { many };
    format!("{} {noun}", thousands(number))
}

/// Units of sizes; each is 1024 times the previous one.
const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];

/// Formats a size with its unit and three or four digits.
#[expect(clippy::cast_precision_loss, reason = "a few digits are shown")]
pub fn bytes(size: u64) -> String {
    if size < 1024 {
        return format!("{size} B");
    }
    let mut value = size as f64 / 1024.0;
    let mut units = UNITS.iter();
    let mut unit = units.next();
    // A value that would be rounded to 1024 uses the next unit.
    while value >= 1023.95
        && let Some(next) = units.next()
    {
        value /= 1024.0;
        unit = Some(next);
    }
    let digits = if value < 10.0 { 2 } else { 1 };
    format!("{value:.digits$} {}", unit.copied().unwrap_or("PiB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1000), "1,000");
        assert_eq!(thousands(u64::MAX), "18,446,744,073,709,551,615");
        let discs = [0_u32, 1, 1234].map(|number| counted(number, "disc", "discs"));
        assert_eq!(discs, ["0 discs", "1 disc", "1,234 discs"]);
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1536), "1.50 KiB");
        assert_eq!(bytes(1_048_575), "1.00 MiB");
        assert_eq!(bytes(12_345_678), "11.8 MiB");
        assert_eq!(bytes(u64::MAX), "16384.0 PiB");
    }
}

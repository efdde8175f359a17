//! Additional data of a scene, beyond the fields of the model.
//!
//! ```
//! use relicast_scene::model::number;
//! use serde_json::Value;
//!
//! assert_eq!(number(1.5), Value::from(1.5));
//! assert_eq!(number(f32::NAN), Value::Null);
//! ```

use std::io::Write;

use serde_json::{Map, Value};

/// Data without a field in the model, in order, written unchanged. Empty means none.
pub type Extras = Map<String, Value>;

/// The shortest digits that identify a 32-bit float, as a 64-bit float.
fn digits(value: f32) -> Option<f64> {
    let mut text = [0; MAX_LENGTH];
    let mut rest = &mut text[..];
    write!(rest, "{value:e}").ok()?;
    let left = rest.len();
    let written = text.get(..MAX_LENGTH.checked_sub(left)?)?;
    std::str::from_utf8(written).ok()?.parse().ok()
}

/// Length of sign, nine digits, point and exponent.
const MAX_LENGTH: usize = 24;

/// Whole numbers below this have the same digits as floats of 32 and of 64 bits.
const EXACT: f32 = 16_777_216.0;

/// Result of [`digits`] for floats that were compared one at a time: floats in [`USUAL`] that are not whole. The
/// fewest decimals that parse as the float are its shortest digits there.
fn decimals(value: f32) -> Option<f64> {
    let wide = f64::from(value);
    let mut power = 1.0;
    for _ in 0..MAX_DECIMALS {
        power *= 10.0;
        // Exact: 24 bits times the 28 of a power of five.
        let scaled = wide * power;
        let nearest = scaled.round_ties_even();
        let twin = nearest / power;
        if twin as f32 == value {
            let is_tie = (scaled - nearest).abs() == 0.5;
            return (!is_tie).then_some(twin);
        }
    }
    None
}

/// Magnitudes of floats whose shortest digits have no exponent and few decimals.
const USUAL: std::ops::Range<f32> = 1.0 / 1024.0..EXACT;

/// Largest number of decimals of a float in [`USUAL`].
const MAX_DECIMALS: usize = 12;

/// A number for [`Extras`] with the digits of the 32-bit float rather than those of the equal 64-bit float.
/// Null if it is not finite.
pub fn number(value: f32) -> Value {
    // Adding zero makes negative zero positive.
    let value = value + 0.0;
    let whole = value.trunc();
    let twin = match whole == value && whole.abs() < EXACT {
        true => Some(f64::from(value)),
        false if USUAL.contains(&value.abs()) => decimals(value).or_else(|| digits(value)),
        false => digits(value),
    };
    twin.and_then(serde_json::Number::from_f64)
        .map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_the_short_float() {
        let mut bits = 1_u32;
        let some = std::iter::repeat_with(|| {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from_bits(bits)
        });
        let usual = (-400..400).map(|step| step as f32 * 0.37);
        let spread = (USUAL.start.to_bits()..USUAL.end.to_bits()).step_by(14_321);
        let spread = spread.map(f32::from_bits);
        let edges = [
            0.0,
            -0.0,
            1.0,
            -7.0,
            16_777_215.0,
            16_777_216.0,
            33_554_432.0,
        ];
        for value in some.take(20_000).chain(usual).chain(spread).chain(edges) {
            let digits: Option<f64> = (value + 0.0).to_string().parse().ok();
            let expected = digits.and_then(serde_json::Number::from_f64);
            assert_eq!(
                number(value).to_string(),
                expected.map_or("null".to_owned(), |number| number.to_string())
            );
        }
    }
}

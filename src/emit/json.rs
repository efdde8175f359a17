//! Documents as JSON.
//!
//! Integers stay integers. 32-bit floats print with the fewest digits that read back to the same
//! value, always with a fraction or exponent, and keep the sign of zero. JSON has no NaN or infinity:
//! they are the strings `"nan:7fc00000"` (the bits in hexadecimal), `"inf"` and `"-inf"`. Raw bytes
//! are base64, short raw fields hexadecimal digits.

use serde::{Deserialize, Serialize};

use crate::scene::Document;

/// Layout of JSON files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Two spaces a level, one item a line.
    #[default]
    Pretty,
    /// No white space.
    Compact,
}

/// Writes a document, closed by a line feed.
///
/// # Errors
/// The value's own serialisation fails.
pub fn encode(document: &Document<'_>, style: Style) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = match style {
        Style::Pretty => serde_json::to_vec_pretty(document)?,
        Style::Compact => serde_json::to_vec(document)?,
    };
    bytes.push(b'\n');
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_read_back_to_the_same_value() {
        let values = [0.1_f32, -0.0, 1.0, 3.402_823_5e38, 1.0e-45, 16_777_216.0];
        let text = encode(&Document::new(values), Style::Compact).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with("[0.1,-0.0,1.0,3.4028235e"), "{text}");
        let back: Vec<f32> = serde_json::from_str(&text).unwrap();
        for (value, back) in values.iter().zip(&back) {
            assert_eq!(value.to_bits(), back.to_bits());
        }
    }
}

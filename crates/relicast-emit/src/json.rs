//! Documents as JSON.
//!
//! Integers stay integers. Floats, of 32 or 64 bits, are written with the fewest digits that are parsed as the same
//! value, always with a fraction or exponent, and with the sign of zero. JSON has no NaN or infinity:
//! they are the strings `"nan:7fc00000"` (the bits in hexadecimal), `"inf"` and `"-inf"`. Raw bytes
//! are base64, raw fields of a fixed size hexadecimal digits.
//!
//! ```
//! use relicast_emit::json;
//! use relicast_scene::Document;
//! use relicast_scene::document::Style;
//!
//! let bytes = json::encode(&Document::new([1, 2]), Style::Compact).unwrap();
//! assert!(bytes.starts_with(b"[1,2]"));
//! ```

use std::io::Write;

use serde::Serialize;
use serde_json::Serializer;

use relicast_limits as limits;
use relicast_scene::Document;
use relicast_scene::document::{Layout, Style};

/// Serializes a document and adds a line feed.
///
/// # Errors
/// The value's own serialization fails. The memory limit of a job is not an error of this function: it ends the job
/// (see [`limits::with_budget`]).
pub fn encode(document: &Document<'_>, style: Style) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = document.write_json_within(style, limits::reserve)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Size of a write: large enough for few system calls, small next to the memory of a job.
const PIECE_BYTES: usize = 256 << 10;

/// Serializes like [`encode`], but in pieces, so that memory does not grow with the document. Writes all complete
/// pieces to `out` and returns the last one (all of a short document), which the caller must write.
///
/// # Errors
/// The value's own serialization fails, or `out` cannot be written.
pub fn write(
    document: &Document<'_>,
    style: Style,
    out: &mut dyn Write,
) -> Result<Vec<u8>, serde_json::Error> {
    let mut end = document.write_json_to(style, limits::reserve, PIECE_BYTES, out)?;
    end.push(b'\n');
    Ok(end)
}

/// Adds the path of its schema to a document from [`encode`] as its first key. Documents that are not objects stay
/// unchanged.
pub fn with_schema(document: Vec<u8>, schema_path: &str, style: Style) -> Vec<u8> {
    let Some(rest) = document.strip_prefix(b"{") else {
        return document;
    };
    let is_empty = rest.trim_ascii_start().first() == Some(&b'}');
    let schema_path = serde_json::Value::from(schema_path);
    let key = match style {
        Style::Pretty => format!("{{\n  \"$schema\": {schema_path}"),
        Style::Compact => format!("{{\"$schema\":{schema_path}"),
    };
    let after: &[u8] = match (is_empty, style) {
        (false, _) => b",",
        (true, Style::Pretty) => b"\n",
        (true, Style::Compact) => b"",
    };
    [key.as_bytes(), after, rest].concat()
}

/// Serializes a table-like value: one item per line down to `levels` levels of lists and objects; deeper
/// levels are on the line of their row. It is shorter and faster to read than the pretty layout, and still
/// suits line-by-line comparison.
///
/// # Errors
/// The value's own serialization fails.
pub fn rows(value: &impl Serialize, levels: usize) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = Vec::with_capacity(128);
    write_rows(value, levels, &mut bytes)?;
    Ok(bytes)
}

/// Writes the whole output of [`rows`] to `out` in pieces: memory does not grow with it.
///
/// # Errors
/// The value's own serialization fails, or `out` cannot be written.
pub fn write_rows(
    value: &impl Serialize,
    levels: usize,
    out: &mut impl Write,
) -> Result<(), serde_json::Error> {
    let layout = Layout::of_rows(levels);
    value.serialize(&mut Serializer::with_formatter(&mut *out, layout))?;
    out.write_all(b"\n").map_err(serde_json::Error::io)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shallow_documents_are_laid_out_as_usual() {
        let value = serde_json::json!({
            "empty": {}, "list": [[], [1, [2, {"a": null}]], {}], "text": "x"
        });
        let mut usual = serde_json::to_vec_pretty(&value).unwrap();
        usual.push(b'\n');
        assert_eq!(
            encode(&Document::new(&value), Style::Pretty).unwrap(),
            usual
        );
    }

    #[test]
    fn documents_name_their_schema_first() {
        for value in [serde_json::json!({}), serde_json::json!({"a": [1, {}]})] {
            for style in [Style::Pretty, Style::Compact] {
                let bytes = encode(&Document::new(&value), style).unwrap();
                let linked = with_schema(bytes, "../schemas/x.json", style);
                let mut read: serde_json::Value = serde_json::from_slice(&linked).unwrap();
                let map = read.as_object_mut().unwrap();
                assert_eq!(map.keys().next().unwrap(), "$schema");
                assert_eq!(map.remove("$schema").unwrap(), "../schemas/x.json");
                assert_eq!(read, value);
            }
        }
        assert_eq!(
            with_schema(b"[1]\n".to_vec(), "x", Style::Compact),
            b"[1]\n"
        );
    }

    #[test]
    fn rows_keep_deeper_values_in_one_line() {
        let value = serde_json::json!({"a": [{"b": [1, 2], "c": {}}, {}], "d": []});
        let text = String::from_utf8(rows(&value, 2).unwrap()).unwrap();
        let expected =
            "{\n  \"a\": [\n    {\"b\": [1, 2], \"c\": {}},\n    {}\n  ],\n  \"d\": []\n}\n";
        assert_eq!(text, expected);
    }

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

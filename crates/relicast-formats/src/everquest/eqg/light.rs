//! Light baked into the vertices of one placement (`.lit`).
//!
//! ```
//! use relicast_formats::everquest::eqg::light::decode;
//!
//! // One vertex, no magic number: red, green, blue, share of daylight.
//! let light = decode(&[1, 0, 0, 0, 200, 150, 100, 255])?.value;
//! assert_eq!(light.colors, [[200, 150, 100, 255]]);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use super::parts::trailing;
use relicast_codec::{self as codec, Blob, Bytes, Decoded, Reader, Result, Walk};

/// First bytes of most files; those of zones of version 4 have none.
pub const MAGIC: Bytes<4> = Bytes(*b"EQGP");

relicast_codec::record! {
    /// A color for each vertex, in the order of the vertices.
    pub struct Light[4..] {
        /// `EQGP`, or nothing.
        #[serde(skip_serializing_if = "Option::is_none")]
        magic: Option<Bytes<4>> [if held],
        /// Number of colors.
        color_count: u32 [counts colors],
        /// Light that is added to that of the scene: red, green, blue (or blue first: references and data
        /// differ), and the share of daylight that reaches the vertex.
        colors: Vec<[u8; 4]> [count color_count],
        /// Bytes after the last field, by rule none.
        #[serde(skip_serializing_if = "Blob::is_blank")]
        trailing: Blob<'static> [by |value, stream| trailing(value, stream)],
    }
}

/// True if a file without the magic number may be baked light: its count fits its size.
pub fn looks_like(bytes: &[u8]) -> bool {
    let Some((count, colors)) = bytes.split_first_chunk() else {
        return false;
    };
    let count = u32::from_le_bytes(*count) as usize;
    count.checked_mul(4) == Some(colors.len())
}

/// Decodes baked light.
///
/// # Errors
/// A truncated file.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Light>> {
    let mut reader = Reader::new(bytes);
    let mut light = Light {
        magic: bytes.starts_with(&MAGIC.0).then_some(MAGIC),
        ..Light::default()
    };
    light.walk(&mut reader)?;
    Ok(reader.finish(light))
}

/// Encodes baked light.
///
/// # Errors
/// The value does not fit the format.
pub fn encode(light: &Light) -> Result<Vec<u8>> {
    codec::encode(light)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_come_back() {
        let colors = [1, 0, 0, 0, 9, 8, 7, 6];
        for bytes in [colors.to_vec(), [&b"EQGP"[..], &colors].concat()] {
            let decoded = decode(&bytes).unwrap();
            assert_eq!(decoded.value.colors, [[9, 8, 7, 6]]);
            assert!(decoded.deviations.is_empty());
            assert_eq!(encode(&decoded.value).unwrap(), bytes);
        }
        assert!(looks_like(&colors));
        assert!(!looks_like(&colors[..7]));
        assert!(decode(&colors[..7]).is_err());
    }
}

//! `maps/m*.zmap` of Recoil: colored outlines of the mission map.
//!
//! ```text
//! header, 32 bytes
//! features until the end of the file, no count is stored:
//!   u8 × 3 color (so all that follows is unaligned), u32 vertex count, vertices, i32 objective
//! ```
//!
//! ```
//! use relicast_formats::zipper::zmap::{Feature, Map, decode, encode};
//!
//! let mut map = Map::default();
//! map.header.version = 5;
//! map.header.unused = 3;
//! map.features.push(Feature::default());
//! assert_eq!(decode(&encode(&map)?)?.value, map);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use serde::{Deserialize, Serialize};

use relicast_codec::{Decoded, FixedSize, Reader, Result, Stream, Vec3, Walk, Writer, shown};

relicast_codec::record! {
    /// Start of the file, 32 bytes.
    pub struct Header[32] {
        /// Offset 0: 5.
        version: u32 [must 5],
        /// Offset 4: 1 to 31; the game does not use it.
        unused: u32 [within 1..=31],
        /// Offset 8: smallest corner of the world.
        min: Vec3,
        /// Offset 20: largest corner of the world.
        max: Vec3,
    }
}

/// Color of an outline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rgb {
    /// Red, 0 to 255.
    pub r: u8,
    /// Green, 0 to 255.
    pub g: u8,
    /// Blue, 0 to 255.
    pub b: u8,
}

/// One closed outline.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Feature {
    /// Its color.
    pub color: Rgb,
    /// Its corners, in the order of drawing.
    pub vertices: Vec<Vec3>,
    /// Index of the objective that it belongs to; -1 for none.
    pub objective: i32,
}

/// The whole file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Map {
    /// Start of the file.
    pub header: Header,
    /// The outlines.
    pub features: Vec<Feature>,
}

impl<'a> Walk<'a> for Feature {
    const SMALLEST: usize = 11;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("color.r", &mut self.color.r)?;
        stream.value("color.g", &mut self.color.g)?;
        stream.value("color.b", &mut self.color.b)?;
        let count = stream.count("vertex_count", self.vertices.len())?;
        stream.values("vertices", &mut self.vertices, count)?;
        stream.value("objective", &mut self.objective)
    }
}

/// Returns true if `bytes` start like a map.
pub fn looks_like(bytes: &[u8]) -> bool {
    let unused = bytes.get(4..).and_then(u32::load);
    bytes.starts_with(&[5, 0, 0, 0])
        && bytes.len() >= Header::SIZE
        && unused.is_some_and(|value| (1..=31).contains(&value))
}

/// Decodes a map.
///
/// # Errors
/// Another version, or a feature that runs past the end.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Map>> {
    let mut reader = Reader::new(bytes);
    let mut map = Map::default();
    map.header.walk(&mut reader)?;
    for (field, offset, corner) in [("min", 8, map.header.min), ("max", 20, map.header.max)] {
        if !corner.to_array().iter().all(|part| part.is_finite()) {
            let found = shown(corner.to_array());
            reader.deviate(field, offset, "finite numbers", found);
        }
    }
    while reader.remaining() > 0 {
        let mut feature = Feature::default();
        feature
            .walk(&mut reader)
            .map_err(|error| error.within("features", map.features.len()))?;
        map.features.push(feature);
    }
    Ok(reader.finish(map))
}

/// Encodes a map.
///
/// # Errors
/// A feature with 2^32 vertices or more.
pub fn encode(map: &Map) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    map.header.clone().walk(&mut writer)?;
    let count = map.features.len();
    writer.records("features", &mut map.features.clone(), count)?;
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_that_are_no_numbers_are_reported() {
        let mut bytes = encode(&Map {
            header: Header {
                version: 5,
                unused: 3,
                ..Header::default()
            },
            ..Map::default()
        })
        .unwrap();
        bytes[8..24].fill(0xFF);
        let decoded = decode(&bytes).unwrap();
        assert_eq!(decoded.deviations.total(), 2);
        assert_eq!(encode(&decoded.value).unwrap(), bytes);
    }

    #[test]
    fn example_has_the_documented_bytes() {
        let map = Map {
            header: Header {
                version: 5,
                unused: 3,
                min: Vec3::default(),
                max: [8.0, 0.0, 8.0].into(),
            },
            features: vec![Feature {
                color: Rgb {
                    r: 0xFF,
                    g: 0x80,
                    b: 0,
                },
                vertices: vec![Vec3::default(), [8.0, 0.0, 8.0].into()],
                objective: -1,
            }],
        };
        let bytes = encode(&map).unwrap();
        assert_eq!(bytes.len(), 67);
        assert_eq!(&bytes[32..39], [0xFF, 0x80, 0, 2, 0, 0, 0]);
        assert!(looks_like(&bytes));
        let decoded = decode(&bytes).unwrap();
        assert!(decoded.deviations.is_empty());
        assert_eq!(decoded.value, map);
        for length in 33..bytes.len() {
            assert!(decode(&bytes[..length]).is_err(), "cut at {length}");
        }
    }
}

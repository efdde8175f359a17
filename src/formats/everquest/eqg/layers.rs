//! Other textures of a creature (`.lay`), versions 2 to 4.
//!
//! ```
//! use relicast::formats::everquest::eqg::layers::{Layer, Layers, MAGIC, decode, encode};
//!
//! let mut layers = Layers { magic: MAGIC, version: 3, ..Layers::default() };
//! let material = layers.strings.add("skin");
//! let diffuse = layers.strings.add("skin_red.dds");
//! layers.layers.push(Layer { material, diffuse, ..Layer::default() });
//! let decoded = decode(&encode(&layers)?)?.value;
//! assert_eq!(decoded.strings.text(decoded.layers[0].diffuse), "skin_red.dds");
//! # Ok::<(), relicast::formats::codec::FormatError>(())
//! ```

use super::parts::{NO_STRING, Strings, trailing, unknown_version};
use crate::formats::codec::{self, Blob, Bytes, Decoded, F32, Field, Result, Stream};

/// First bytes of layers.
pub const MAGIC: Bytes<4> = Bytes(*b"EQGL");

/// Version of a file of layers, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LayersVersion {
    /// 2.
    Two,
    /// 3.
    Three,
    /// 4.
    Four,
}

crate::record! {
    /// Textures that a material may wear instead of its own. The n-th record of a material is its texture
    /// number n.
    pub struct Layer[64, 28, 32, 32] in LayersVersion {
        /// Offset 0: name of the material.
        material: u32,
        /// Offset 4: its picture.
        diffuse: u32,
        /// Offset 8: its normal map.
        normal: u32,
        /// Offset 12, version 2: meaning unknown.
        unk12: Bytes<52> [until Two],
        /// Offset 12, version 3: meaning unknown.
        unk12_three: Bytes<16> [since Three] [until Three],
        /// Offset 12, version 4: further pictures.
        further: [u32; 3] [since Four],
        /// Offset 24, version 4: exponent of the shine.
        shininess: F32 [since Four],
        /// Offset 28, version 4: meaning unknown.
        unk28: u32 [since Four],
    }
}

crate::record! {
    /// The layers of a creature.
    pub struct Layers[16..] {
        /// Offset 0: `EQGL`.
        magic: Bytes<4> [must MAGIC],
        /// Offset 4: 2, 3 or 4.
        version: u32 [bind],
        /// Offset 8: bytes of the strings.
        string_bytes: u32 [counts strings],
        /// Offset 12: number of records.
        layer_count: u32 [counts layers],
        /// Names.
        strings: Strings [by |value, stream| value.visit(stream, string_bytes)],
        /// The records.
        layers: Vec<Layer> [by |value, stream| layers(value, stream, layer_count, version)],
        /// What lies behind it, by rule nothing.
        #[serde(skip_serializing_if = "Blob::is_blank")]
        trailing: Blob<'static> [by |value, stream| trailing(value, stream)],
    }
}

fn layers<'a, S: Stream<'a>>(
    list: &mut Vec<Layer>,
    stream: &mut S,
    count: usize,
    version: u32,
) -> Result<()> {
    let version = match version {
        2 => LayersVersion::Two,
        3 => LayersVersion::Three,
        4 => LayersVersion::Four,
        other => return Err(unknown_version("2, 3 or 4", other)),
    };
    let size = Layer::size(version);
    stream.list("layers", list, count, size, |stream, layer| {
        layer.visit("layer", stream, version)
    })
}

/// Decodes layers.
///
/// # Errors
/// No layers, an unknown version, or a file that is cut short.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Layers>> {
    let mut decoded = codec::decode::<Layers>(bytes)?;
    let value = &decoded.value;
    for layer in &value.layers {
        for (field, offset) in [
            ("layers.material", layer.material),
            ("layers.diffuse", layer.diffuse),
            ("layers.normal", layer.normal),
        ] {
            if offset != NO_STRING {
                value.strings.check(&mut decoded.deviations, field, offset);
            }
        }
    }
    Ok(decoded)
}

/// Encodes layers.
///
/// # Errors
/// The value does not fit the format.
pub fn encode(layers: &Layers) -> Result<Vec<u8>> {
    codec::encode(layers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_version_has_its_size() {
        for (version, size) in [(2, 64), (3, 28), (4, 32)] {
            let mut layers = Layers {
                magic: MAGIC,
                version,
                layers: vec![Layer::default(); 2],
                ..Layers::default()
            };
            layers.strings.add("skin");
            let bytes = encode(&layers).unwrap();
            assert_eq!(bytes.len(), 16 + 5 + 2 * size);
            let decoded = decode(&bytes).unwrap();
            assert_eq!(decoded.value, layers);
            assert!(decoded.deviations.is_empty());
        }
        let other = Layers {
            magic: MAGIC,
            version: 5,
            ..Layers::default()
        };
        assert!(encode(&other).is_err());
    }
}

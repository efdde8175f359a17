//! PLY meshes (the Stanford polygon format), which some installs have under the names of DDS pictures
//! (`stars*.dds`): a header of text, then values as text or in either order of bytes.
//!
//! ```
//! use relicast_formats::everquest::ply::{decode, encode};
//!
//! let bytes = b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0.5\n";
//! let ply = decode(bytes)?.value;
//! assert_eq!(ply.elements[0].count, 1);
//! assert_eq!(encode(&ply)?, bytes);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use serde::Serialize;

use relicast_codec::{Blob, Decoded, Deviations, F32, FormatError, Result};
use relicast_limits as limits;

/// First bytes.
pub const MAGIC: &[u8] = b"ply";

/// Last line of a header.
const END: &[u8] = b"end_header";

/// Maximum size of a header in bytes.
const MAX_HEADER_LENGTH: usize = 1 << 16;

/// Encoding of the values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// As text.
    #[default]
    Ascii,
    /// Low byte first.
    LittleEndian,
    /// High byte first.
    BigEndian,
}

/// Type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Scalar {
    /// 8 bits, signed.
    Int8,
    /// 8 bits.
    Uint8,
    /// 16 bits, signed.
    Int16,
    /// 16 bits.
    Uint16,
    /// 32 bits, signed.
    Int32,
    /// 32 bits.
    Uint32,
    /// Single precision.
    Float32,
    /// Double precision.
    Float64,
}

impl Scalar {
    fn from_name(word: &str) -> Option<Self> {
        Some(match word {
            "char" | "int8" => Self::Int8,
            "uchar" | "uint8" => Self::Uint8,
            "short" | "int16" => Self::Int16,
            "ushort" | "uint16" => Self::Uint16,
            "int" | "int32" => Self::Int32,
            "uint" | "uint32" => Self::Uint32,
            "float" | "float32" => Self::Float32,
            "double" | "float64" => Self::Float64,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::Int8 | Self::Uint8 => 1,
            Self::Int16 | Self::Uint16 => 2,
            Self::Int32 | Self::Uint32 | Self::Float32 => 4,
            Self::Float64 => 8,
        }
    }

    /// The value of bytes in the order low byte first.
    fn value(self, low_first: [u8; 8]) -> f64 {
        let bits = u64::from_le_bytes(low_first);
        let [a, b, c, d, ..] = low_first;
        match self {
            Self::Int8 => f64::from(a.cast_signed()),
            Self::Uint8 => f64::from(a),
            Self::Int16 => f64::from(i16::from_le_bytes([a, b])),
            Self::Uint16 => f64::from(u16::from_le_bytes([a, b])),
            Self::Int32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Self::Uint32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Self::Float32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Self::Float64 => f64::from_bits(bits),
        }
    }
}

/// A property of an element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Property {
    /// Name.
    pub name: String,
    /// Type of the count before a list; `None` for a single value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<Scalar>,
    /// Type of the values.
    pub scalar: Scalar,
}

/// A kind of element, such as vertices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Element {
    /// Name.
    pub name: String,
    /// Number of elements.
    pub count: usize,
    /// Properties of each element.
    pub properties: Vec<Property>,
}

/// A file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ply<'a> {
    /// Encoding of the values.
    pub encoding: Encoding,
    /// The elements.
    pub elements: Vec<Element>,
    /// The header as stored.
    #[serde(skip)]
    pub header: Blob<'a>,
    /// The values as stored.
    #[serde(skip)]
    pub data: Blob<'a>,
}

/// The mesh of a file. Lists are as long as `positions` or empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlyMesh {
    /// Positions.
    pub positions: Vec<[F32; 3]>,
    /// Normals.
    pub normals: Vec<[F32; 3]>,
    /// Texture coordinates.
    pub uvs: Vec<[F32; 2]>,
    /// Red, green, blue.
    pub colors: Vec<[u8; 3]>,
    /// Polygons, counter-clockwise.
    pub faces: Vec<Vec<u32>>,
}

/// Reads values one after the other.
struct Values<'d> {
    data: &'d [u8],
    at: usize,
    encoding: Encoding,
    header: usize,
}

impl Values<'_> {
    fn cut_short(&self, wanted: usize) -> FormatError {
        let left = self.data.len().saturating_sub(self.at);
        let place = self.header.saturating_add(self.at);
        FormatError::truncated("data", place, wanted, left)
    }

    fn next(&mut self, scalar: Scalar) -> Result<f64> {
        let rest = self.data.get(self.at..).unwrap_or_default();
        if self.encoding == Encoding::Ascii {
            let blanks = rest
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace())
                .count();
            let word = rest.get(blanks..).unwrap_or_default();
            let length = word
                .iter()
                .take_while(|byte| !byte.is_ascii_whitespace())
                .count();
            let word = word.get(..length).unwrap_or_default();
            self.at = self.at.saturating_add(blanks).saturating_add(length);
            if word.is_empty() {
                return Err(self.cut_short(1));
            }
            let text = String::from_utf8_lossy(word);
            return text.parse().map_err(|_| {
                let place = self.header.saturating_add(self.at).saturating_sub(length);
                FormatError::malformed("data", place, "a number", text)
            });
        }
        let size = scalar.size();
        let taken = rest.get(..size).ok_or_else(|| self.cut_short(size))?;
        let mut low_first = [0; 8];
        for (place, slot) in low_first.iter_mut().enumerate().take(size) {
            let from = match self.encoding {
                Encoding::BigEndian => size.saturating_sub(place).saturating_sub(1),
                Encoding::LittleEndian | Encoding::Ascii => place,
            };
            *slot = taken.get(from).copied().unwrap_or_default();
        }
        self.at = self.at.saturating_add(size);
        Ok(scalar.value(low_first))
    }

    fn left(&self) -> usize {
        self.data.len().saturating_sub(self.at)
    }
}

impl Ply<'_> {
    /// The vertices and faces.
    ///
    /// # Errors
    /// The values are truncated, or a word is not a number.
    pub fn mesh(&self) -> Result<PlyMesh> {
        let mut mesh = PlyMesh::default();
        let mut values = Values {
            data: &self.data,
            at: 0,
            encoding: self.encoding,
            header: self.header.len(),
        };
        for element in &self.elements {
            // Elements without properties take no bytes.
            if element.properties.is_empty() {
                continue;
            }
            if element.count > values.left() {
                return Err(values.cut_short(element.count));
            }
            limits::try_reserve(element.count.saturating_mul(size_of::<[F32; 8]>()))?;
            for _ in 0..element.count {
                limits::check();
                mesh.take(element, &mut values)?;
            }
        }
        Ok(mesh)
    }
}

impl PlyMesh {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a cast of a float saturates, and turns NaN into 0"
    )]
    fn take(&mut self, element: &Element, values: &mut Values<'_>) -> Result<()> {
        let is_vertex = element.name == "vertex";
        let mut place = [F32(0.0); 3];
        let mut normal = None;
        let mut uv = None;
        let mut color = None;
        for property in &element.properties {
            if let Some(counted) = property.list {
                let count = values.next(counted)?;
                let count = count as usize;
                if count > values.left() {
                    return Err(values.cut_short(count));
                }
                let mut list = Vec::with_capacity(count);
                for _ in 0..count {
                    list.push(values.next(property.scalar)? as u32);
                }
                if matches!(&*property.name, "vertex_indices" | "vertex_index") {
                    self.faces.push(list);
                }
                continue;
            }
            let value = values.next(property.scalar)?;
            let float = F32(value as f32);
            match &*property.name {
                "x" => place[0] = float,
                "y" => place[1] = float,
                "z" => place[2] = float,
                "nx" => normal.get_or_insert([F32(0.0); 3])[0] = float,
                "ny" => normal.get_or_insert([F32(0.0); 3])[1] = float,
                "nz" => normal.get_or_insert([F32(0.0); 3])[2] = float,
                "u" | "s" | "texture_u" => uv.get_or_insert([F32(0.0); 2])[0] = float,
                "v" | "t" | "texture_v" => uv.get_or_insert([F32(0.0); 2])[1] = float,
                "red" => color.get_or_insert([0; 3])[0] = value as u8,
                "green" => color.get_or_insert([0; 3])[1] = value as u8,
                "blue" => color.get_or_insert([0; 3])[2] = value as u8,
                _ => {}
            }
        }
        if is_vertex {
            self.positions.push(place);
            self.normals.extend(normal);
            self.uvs.extend(uv);
            self.colors.extend(color);
        }
        Ok(())
    }
}

/// Decodes a file.
///
/// # Errors
/// Not a PLY file, or a header that cannot be read.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Ply<'_>>> {
    if !bytes.starts_with(MAGIC) {
        return Err(FormatError::malformed("magic", 0, "ply", "others"));
    }
    let mut ply = Ply::default();
    let mut encoding = None;
    let mut at = 0_usize;
    let start = bytes.get(..MAX_HEADER_LENGTH).unwrap_or(bytes);
    for line in start.split_inclusive(|&byte| byte == b'\n') {
        let place = at;
        at = at.saturating_add(line.len());
        let text = line.trim_ascii_end();
        if text == END {
            let (header, data) = bytes.split_at_checked(at).unwrap_or((bytes, &[]));
            ply.header = Blob::borrowed(header);
            ply.data = Blob::borrowed(data);
            ply.encoding = encoding.ok_or_else(|| {
                FormatError::malformed("format", place, "a line with the format", "none")
            })?;
            return Ok(Decoded {
                value: ply,
                deviations: Deviations::default(),
            });
        }
        let text = String::from_utf8_lossy(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        let wrong = |expected: &str| FormatError::malformed("header", place, expected, &text);
        match *words {
            ["format", name, ..] => {
                encoding = Some(match name {
                    "ascii" => Encoding::Ascii,
                    "binary_little_endian" => Encoding::LittleEndian,
                    "binary_big_endian" => Encoding::BigEndian,
                    _ => {
                        return Err(FormatError::unsupported(
                            "format",
                            place,
                            "a known format",
                            name,
                        ));
                    }
                });
            }
            ["element", name, count, ..] => ply.elements.push(Element {
                name: name.to_owned(),
                count: count.parse().map_err(|_| wrong("the number of elements"))?,
                properties: Vec::new(),
            }),
            ["property", "list", counted, scalar, name, ..] => {
                let types = Scalar::from_name(counted).zip(Scalar::from_name(scalar));
                let (counted, scalar) = types.ok_or_else(|| wrong("known types"))?;
                let element = ply.elements.last_mut();
                let element = element.ok_or_else(|| wrong("an element before its properties"))?;
                element.properties.push(Property {
                    name: name.to_owned(),
                    list: Some(counted),
                    scalar,
                });
            }
            ["property", scalar, name, ..] => {
                let scalar = Scalar::from_name(scalar).ok_or_else(|| wrong("a known type"))?;
                let element = ply.elements.last_mut();
                let element = element.ok_or_else(|| wrong("an element before its properties"))?;
                element.properties.push(Property {
                    name: name.to_owned(),
                    list: None,
                    scalar,
                });
            }
            _ => {}
        }
    }
    Err(FormatError::truncated(
        "header",
        at,
        "end_header in more",
        0,
    ))
}

/// Encodes a file: header and values as stored.
///
/// # Errors
/// None.
pub fn encode(ply: &Ply<'_>) -> Result<Vec<u8>> {
    Ok([&*ply.header, &*ply.data].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                          element face 1\nproperty list uchar int vertex_indices\nend_header\n";

    #[test]
    fn all_encodings_give_one_mesh() {
        let words = format!("ply\nformat ascii 1.0\n{HEADER}0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
        let binary = |name: &str, big: bool| {
            let mut bytes = format!("ply\nformat {name} 1.0\n{HEADER}").into_bytes();
            for value in [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
                let value = if big {
                    value.to_be_bytes()
                } else {
                    value.to_le_bytes()
                };
                bytes.extend(value);
            }
            bytes.push(3);
            for corner in [0_i32, 1, 2] {
                let corner = if big {
                    corner.to_be_bytes()
                } else {
                    corner.to_le_bytes()
                };
                bytes.extend(corner);
            }
            bytes
        };
        let files = [
            words.into_bytes(),
            binary("binary_big_endian", true),
            binary("binary_little_endian", false),
        ];
        for bytes in &files {
            let ply = decode(bytes).unwrap().value;
            let mesh = ply.mesh().unwrap();
            assert_eq!(mesh.positions[1], [1.0, 0.0, 0.0].map(F32));
            assert_eq!(mesh.faces, [[0, 1, 2]]);
            assert_eq!(encode(&ply).unwrap(), *bytes);
            let cut = decode(&bytes[..bytes.len() - 3]).unwrap().value;
            assert!(cut.mesh().is_err());
        }
    }

    #[test]
    fn counts_are_checked_against_what_is_there() {
        let bytes = b"ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty uchar x\nend_header\n1";
        assert!(decode(bytes).unwrap().value.mesh().is_err());
        let empty = b"ply\nformat ascii 1.0\nelement vertex 4000000000\nend_header\n";
        assert_eq!(
            decode(empty).unwrap().value.mesh().unwrap(),
            PlyMesh::default()
        );
        assert!(decode(b"ply\nformat ascii 1.0\n").is_err());
    }
}

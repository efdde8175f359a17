//! Named points on bones (`.pts`), version 1.
//!
//! ```
//! use relicast_codec::PaddedText;
//! use relicast_formats::everquest::eqg::points::{MAGIC, Point, Points, decode, encode};
//!
//! let point = Point { name: PaddedText::new("HEAD_POINT").unwrap_or_default(), ..Point::default() };
//! let points = Points { magic: MAGIC, version: 1, points: vec![point], ..Points::default() };
//! assert_eq!(decode(&encode(&points)?)?.value.points[0].name.text(), "HEAD_POINT");
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use super::parts::{trailing, unknown_version};
use relicast_codec::{self as codec, Blob, Bytes, Decoded, PaddedText, Result, Stream, Vec3};

/// First bytes of points.
pub const MAGIC: Bytes<4> = Bytes(*b"EQPT");

relicast_codec::record! {
    /// A point, relative to its bone, 164 bytes.
    pub struct Point[164]: FixedSize {
        /// Offset 0: name. Bytes after the NUL are arbitrary.
        name: PaddedText<64>,
        /// Offset 64: the bone.
        bone: PaddedText<64>,
        /// Offset 128: position.
        translation: Vec3,
        /// Offset 140: rotation, 512ths of a turn about x, y and z.
        rotation: Vec3,
        /// Offset 152: scale.
        scale: Vec3,
    }
}

relicast_codec::record! {
    /// The points of a model.
    pub struct Points[12..] {
        /// Offset 0: `EQPT`.
        magic: Bytes<4> [must MAGIC],
        /// Offset 4: number of points.
        point_count: u32 [counts points],
        /// Offset 8: 1.
        version: u32 [by |value, stream| version(value, stream)],
        /// The points.
        points: Vec<Point> [count point_count],
        /// Bytes after the last field, by rule none; some files have four zeros.
        #[serde(skip_serializing_if = "Blob::is_blank")]
        trailing: Blob<'static> [by |value, stream| trailing(value, stream)],
    }
}

fn version<'a, S: Stream<'a>>(value: &mut u32, stream: &mut S) -> Result<()> {
    stream.value("version", value)?;
    match (S::READING, *value) {
        (true, other) if other != 1 => Err(unknown_version("1", other)),
        _ => Ok(()),
    }
}

/// Decodes points.
///
/// # Errors
/// Not points, an unknown version, or a truncated file.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Points>> {
    codec::decode(bytes)
}

/// Encodes points.
///
/// # Errors
/// The value does not fit the format.
pub fn encode(points: &Points) -> Result<Vec<u8>> {
    codec::encode(points)
}

//! Invisible walls of zones of version 4 (`invw.dat`).
//!
//! ```
//! use relicast_formats::everquest::eqg::walls::{Wall, Walls, decode, encode};
//!
//! let wall = Wall { name: "cliff".to_owned(), ..Wall::default() };
//! let bytes = encode(&Walls { walls: vec![wall], ..Walls::default() })?;
//! assert_eq!(decode(&bytes)?.value.walls[0].name, "cliff");
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use super::parts::{terminated, trailing};
use relicast_codec::{self as codec, Blob, Decoded, Result, Vec3};

relicast_codec::record! {
    /// Invisible walls.
    pub struct Walls[4..] {
        /// Offset 0: number of walls.
        wall_count: u32 [counts walls],
        /// The walls.
        walls: Vec<Wall> [records wall_count],
        /// Bytes after the last field, by rule none.
        #[serde(skip_serializing_if = "Blob::is_blank")]
        trailing: Blob<'static> [by |value, stream| trailing(value, stream)],
    }
}

relicast_codec::record! {
    /// A wall along points, 1000 units high.
    pub struct Wall[9..] {
        /// Name.
        name: String [by |value, stream| terminated("name", value, stream)],
        /// A flag.
        flag: u32,
        /// Number of points.
        point_count: u32 [counts points],
        /// The points, in file axes.
        points: Vec<Vec3> [count point_count],
    }
}

/// Decodes walls.
///
/// # Errors
/// A truncated file.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Walls>> {
    codec::decode(bytes)
}

/// Encodes walls.
///
/// # Errors
/// The value does not fit the format.
pub fn encode(walls: &Walls) -> Result<Vec<u8>> {
    codec::encode(walls)
}

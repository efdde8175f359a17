//! Formats of Zipper Interactive's games. The documentation of a field marks uncertain facts.
//!
//! ```
//! use relicast_formats::zipper::zmap::{Map, decode, encode};
//!
//! let mut map = Map::default();
//! map.header.version = 5;
//! map.header.unused = 3;
//! assert_eq!(decode(&encode(&map)?)?.value, map);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

pub mod anim;
pub mod archive;
mod game;
pub mod gamez;
pub mod interp;
pub mod livery;
pub mod mechlib;
pub mod messages;
pub mod motion;
pub mod paint;
pub mod rof;
pub mod save;
pub mod script;
pub mod texture;
pub mod zmap;
pub mod zrd;

pub use game::ZipperGame;

//! Readers (`.zrd`): the games' configuration as nested lists of numbers and texts.
//!
//! - [`Value`]: the typed value of both forms.
//! - [`binary`]: the form inside reader archives, the same in all four games.
//! - [`text`]: the form of loose files; comments and white space are preserved.
//! - [`controls`]: control configurations, whose key codes are DirectInput scan codes.
//! - [`keys`]: the table of those codes.
//! - [`MissionCounts`]: counts of the readers of missions.
//!
//! ```
//! use relicast_formats::zipper::zrd::{binary, text};
//!
//! let document = text::decode(b"( DETAIL 3 )")?.value;
//! let values = document.values()?;
//! let bytes = binary::encode(&values[0])?;
//! assert_eq!(binary::decode(&bytes)?.value, values[0]);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

pub mod binary;
pub mod controls;
pub mod keys;
mod missions;
pub mod text;
mod value;

pub use missions::MissionCounts;
pub use value::{DEEPEST, Text, Value};

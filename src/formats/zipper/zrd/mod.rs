//! Readers (`.zrd`): the games' configuration as nested lists of numbers and texts.
//!
//! - [`Value`]: the typed value that both spellings share.
//! - [`binary`]: the spelling inside reader archives, the same in all four games.
//! - [`text`]: the spelling of loose files, with comments and white space kept.
//! - [`controls`]: control configurations, whose key open_enum are DirectInput scan open_enum.
//! - [`keys`]: the table of those open_enum.

pub mod binary;
pub mod controls;
pub mod keys;
pub mod text;
mod value;

pub use value::{DEEPEST, Text, Value};

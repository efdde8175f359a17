//! Readers (`.zrd`): the games' configuration as nested lists of numbers and texts.
//!
//! - [`Value`]: the typed value that both spellings share.
//! - [`binary`]: the spelling inside reader archives, the same in all four games.
//! - [`text`]: the spelling of loose files, with comments and white space kept.
//! - [`controls`]: control configurations, whose key codes are DirectInput scan codes.
//! - [`keys`]: the table of those codes.

pub mod binary;
pub mod controls;
pub mod keys;
pub mod text;
mod value;

pub use value::{DEEPEST, Text, Value};

//! Message DLLs: the texts that the games show, with their look-up keys.
//!
//! ```text
//! PE image, 32-bit
//!   .data   run-time data (16 or 48 bytes), key table (address of the key text, id), key texts
//!   .rsrc   resource tree: kind, name, language, then
//!             kind 11: a message table (Recoil, MechWarrior 3, Pirate's Moon)
//!             kind  6: string blocks of 16 (Crimson Skies)
//! ```
//!
//! - [`decode`] reads a DLL to a [`MessageFile`]: texts joined with their keys by id.
//! - [`replace`](mod@replace) replaces texts of a DLL.
//! - [`write`](mod@write) makes small valid DLLs for samples and tests.
//!
//! The image and its headers are public platform formats; the key table is the games' own.

mod file;
mod headers;
mod image;
mod keys;
mod language;
pub mod replace;
mod resources;
mod sections;
mod tables;
pub mod write;

pub use file::{Language, Message, MessageFile, TextSource, decode};
pub use keys::{Key, KeyTable};
pub use language::code_page;
pub use resources::{Resource, ResourceName};

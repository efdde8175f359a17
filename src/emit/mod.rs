//! Writers of modern files: an asset in, the bytes of a file out.
//!
//! - [`png`] — pictures.
//! - [`json`] — documents.
//!
//! Only [`crate::scene`] is known here, no game and no folder. Same asset and options, same bytes.

pub mod json;
pub mod png;

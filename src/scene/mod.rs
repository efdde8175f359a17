//! Engine-neutral assets: what lies between a game's files and the files that engines read.
//!
//! - [`image`] — pictures.
//! - [`document`] — structured data that becomes JSON.
//!
//! No game is known here, and no output format.

pub mod document;
pub mod image;

pub use document::Document;
pub use image::{Image, Pixels};

/// Anything that can be emitted.
#[derive(Debug)]
#[non_exhaustive]
pub enum Asset<'a> {
    /// A picture.
    Image(Image<'a>),
    /// Structured data.
    Document(Document<'a>),
}

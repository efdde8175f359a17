//! What the writers can be told.

use crate::scene::document::Style;
use crate::scene::image::Effort;

/// What the writers can be told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// How hard to compress pictures.
    pub effort: Effort,
    /// Layout of documents.
    pub style: Style,
    /// Whether many nodes with the same mesh become one with a list of places.
    pub gpu_instancing: bool,
}

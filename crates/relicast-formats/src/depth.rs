//! Depth of decoding that a caller asks for.

/// Depth of decoding. Each decoder documents what it leaves out of an outline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Depth {
    /// The whole content.
    #[default]
    Whole,
    /// Only the parts of the file and the outputs that they become.
    Outline,
}

//! How much of a file somebody asks a decoder for.

/// How much of a file is kept once it was read. What each decoder leaves out of an outline, it says itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Depth {
    /// All of it.
    #[default]
    Whole,
    /// What tells which parts the file has, and what they become.
    Outline,
}

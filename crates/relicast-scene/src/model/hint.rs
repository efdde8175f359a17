//! Name endings that engines interpret.
//!
//! ```
//! use relicast_scene::model::NameHint;
//!
//! assert!(NameHint::Loop.ending().contains("loop"));
//! ```

/// A hint for engines, written as a name ending that Godot interprets. Names that have such an
/// ending by chance lose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameHint {
    /// The clip loops.
    Loop,
    /// The node is solid.
    Solid,
}

impl NameHint {
    /// The ending.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Loop => "-loop",
            Self::Solid => "-col",
        }
    }
}

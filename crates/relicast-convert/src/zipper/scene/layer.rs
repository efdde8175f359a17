//! The files that the nodes of an item are distributed to.

use crate::OutputRole;

/// Output file of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Layer {
    /// The main scene.
    Main,
    /// Nodes that are hidden at first.
    Hidden,
    /// A level of detail, 1 for the one after the finest.
    Detail(u8),
}

impl Layer {
    /// The role of the scene of this layer.
    pub(crate) fn role(self) -> OutputRole {
        match self {
            Self::Main => OutputRole::Main,
            Self::Hidden => OutputRole::Hidden,
            Self::Detail(level) => OutputRole::Detail(level),
        }
    }
}

//! Scene of a packed archive, with the edit that it must show.

use std::collections::HashMap;

use crate::pack::scene::file::{Document, SceneFile};

/// Scene of a packed archive.
#[derive(Debug)]
pub(super) struct Packed<'p> {
    pub scene: &'p SceneFile,
    /// The same, as a file.
    pub document: &'p Document,
    /// Its nodes by edited node.
    pub nodes: HashMap<usize, usize>,
}

impl Packed<'_> {
    /// Returns the packed node for an edited one.
    pub(super) fn node(&self, edited: usize) -> Option<usize> {
        self.nodes.get(&edited).copied()
    }
}

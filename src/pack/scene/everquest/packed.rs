//! Scene of an archive that was packed, beside the edit that it must show.

use std::collections::HashMap;

use crate::pack::scene::file::{Document, SceneFile};

/// Scene of what was packed.
#[derive(Debug)]
pub(super) struct Packed<'p> {
    pub scene: &'p SceneFile,
    /// The same, as a file.
    pub document: &'p Document,
    /// Its nodes by those of the edit.
    pub nodes: HashMap<usize, usize>,
}

impl Packed<'_> {
    /// Returns the node that a node of the edit is.
    pub(super) fn node(&self, edited: usize) -> Option<usize> {
        self.nodes.get(&edited).copied()
    }
}

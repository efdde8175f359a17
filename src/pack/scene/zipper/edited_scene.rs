//! An edited scene with what it was.

use super::lights::ShiningChange;
use super::materials::edits::EditedSurfaces;
use crate::pack::scene::compare::difference::Difference;
use crate::pack::scene::file::SceneFile;

/// An edited scene with what it was.
#[derive(Debug)]
pub(in crate::pack::scene) struct EditedScene<'s> {
    /// Path of the output, for messages.
    pub path: &'s str,
    pub base: &'s SceneFile,
    pub edited: &'s SceneFile,
    pub difference: &'s Difference,
    pub surfaces: EditedSurfaces<'s>,
    pub shining: &'s [ShiningChange],
}

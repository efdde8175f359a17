//! An edited scene with what it was.

use super::difference::Difference;
use super::file::SceneFile;
use super::lights::ShiningChange;
use super::materials::EditedSurfaces;

/// An edited scene with what it was.
#[derive(Debug)]
pub(super) struct EditedScene<'s> {
    /// Path of the output, for messages.
    pub path: &'s str,
    pub base: &'s SceneFile,
    pub edited: &'s SceneFile,
    pub difference: &'s Difference,
    pub surfaces: EditedSurfaces<'s>,
    pub shining: &'s [ShiningChange],
}

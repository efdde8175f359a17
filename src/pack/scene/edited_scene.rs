//! An edited scene with what it was.

use super::difference::Difference;
use super::file::SceneFile;

/// An edited scene with what it was.
#[derive(Debug)]
pub(super) struct EditedScene<'s> {
    /// Path of the output, for messages.
    pub path: &'s str,
    pub base: &'s SceneFile,
    pub edited: &'s SceneFile,
    pub difference: &'s Difference,
}

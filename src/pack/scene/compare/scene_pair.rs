//! A scene as it was, beside its edit.

use crate::pack::scene::file::SceneFile;

/// A scene as it was, and its edit.
#[derive(Debug, Clone, Copy)]
pub(in crate::pack::scene) struct ScenePair<'s> {
    pub base: &'s SceneFile,
    pub edited: &'s SceneFile,
}

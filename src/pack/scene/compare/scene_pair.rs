//! An original scene and its edit.

use crate::pack::scene::file::SceneFile;

/// An original scene and its edit.
#[derive(Debug, Clone, Copy)]
pub(in crate::pack::scene) struct ScenePair<'s> {
    pub base: &'s SceneFile,
    pub edited: &'s SceneFile,
}

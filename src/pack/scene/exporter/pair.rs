//! The original scene and the edited one.

use super::model::Exporter;
use crate::pack::scene::file::{Document, SceneFile};

/// The original scene and the edited one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'f> {
    pub base: &'f Document,
    pub base_scene: &'f SceneFile,
    pub edited: &'f Document,
    pub edited_scene: &'f SceneFile,
    pub exporter: &'static Exporter,
}

//! Options of the writers.

use relicast_scene::document::Style;
use relicast_scene::image::Effort;

/// Options of the writers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// How hard to compress pictures.
    pub effort: Effort,
    /// Layout of documents.
    pub style: Style,
    /// Whether documents name their schema.
    pub schemas: bool,
    /// Whether many nodes with the same mesh become one node with instances.
    pub gpu_instancing: bool,
    /// Whether other looks of surfaces are left out.
    pub first_variant_only: bool,
    /// WAV files are built anew, instead of copied.
    pub clean_sounds: bool,
    /// Positions and normals take fewer bytes.
    pub quantize: bool,
    /// Pictures inside scenes are WebP where these are smaller.
    pub webp: bool,
    /// Scenes are for the import script of a Godot project.
    pub godot_extras: bool,
}

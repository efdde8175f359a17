//! Options of the writers.

use relicast_scene::document::Style;
use relicast_scene::image::Effort;

/// Options of the writers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Compression effort for pictures.
    pub effort: Effort,
    /// Layout of documents.
    pub style: Style,
    /// Writes the schema's name in documents.
    pub schemas: bool,
    /// Turns many nodes with the same mesh into one node with instances.
    pub gpu_instancing: bool,
    /// Leaves material variants out.
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

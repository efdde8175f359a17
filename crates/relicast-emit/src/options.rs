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
    /// Rebuilds WAV files instead of copying them.
    pub clean_sounds: bool,
    /// Stores positions and normals in fewer bytes.
    pub quantize: bool,
    /// Embeds pictures as WebP where these are smaller.
    pub webp: bool,
    /// Writes scenes for the import script of a Godot project.
    pub godot_extras: bool,
}

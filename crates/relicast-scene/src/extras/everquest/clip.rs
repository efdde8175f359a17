//! Extras of animations.

use crate::extras::Float;
use crate::extras::declare::facts;

facts! {
    /// A clip.
    Clip: "everquest" {
        /// Set of an EQG archive.
        set: String,
        /// File of an EQG archive.
        file: String,
        /// Code of the set, as `L01`.
        code: String,
        /// Meaning of the code, such as `walk`.
        meaning: String,
        /// Frames of the longest track.
        frames: usize,
        /// Seconds.
        seconds: Float,
        /// Starts again.
        r#loop: bool,
        /// Model that the set is borrowed from.
        model: String,
        /// Scene file of the tracks.
        source: String,
        /// Tracks of bones that the model lacks.
        tracks_without_bone: Vec<String>,
    }
}

//! Input and result of a video conversion.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::facts::Decoded;
use super::options::VideoOptions;
use super::tool::Tool;
use relicast_scene::Image;

/// A video to be converted.
#[derive(Debug)]
pub struct Job<'a> {
    /// The program.
    pub tool: &'a Tool,
    /// Options of the output.
    pub options: &'a VideoOptions,
    /// The source as a file.
    pub input: &'a Path,
    /// Path of the new file, which is overwritten; `None` to decode only.
    pub output: Option<&'a Path>,
    /// Path of the temporary file for the poster's pixels, when one is wanted.
    pub poster: Option<&'a Path>,
    /// Duration in seconds, as far as the source's headers can be trusted.
    pub duration: Option<f64>,
}

/// Cancellation and progress of a video.
pub struct Control<'a> {
    /// Stops the run when set.
    pub cancel: &'a AtomicBool,
    /// Receives the finished fraction, 0 to 1.
    pub advance: &'a dyn Fn(f64),
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Control")
            .field("cancel", &self.cancel)
            .finish_non_exhaustive()
    }
}

/// Result of encoding a video.
#[derive(Debug)]
pub struct Encoded {
    /// Content of the source.
    pub decoded: Decoded,
    /// The poster, when one was wanted and the video is long enough.
    pub poster: Option<Image<'static>>,
    /// Warnings that ffmpeg printed.
    pub complaints: Vec<String>,
}

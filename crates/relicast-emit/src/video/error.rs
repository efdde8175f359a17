//! Errors of video conversion.

use std::io;
use std::path::PathBuf;

/// Reason why a video could not be converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VideoError {
    /// ffmpeg cannot be started.
    #[error("cannot start {program}: {error}")]
    Start {
        /// The program.
        program: PathBuf,
        /// Error of the system.
        error: io::Error,
    },
    /// ffmpeg failed.
    #[error("ffmpeg failed ({status}): {line}")]
    Failed {
        /// Exit status.
        status: String,
        /// Its last error line.
        line: String,
    },
    /// ffmpeg made no progress for too long and was stopped.
    #[error("ffmpeg made no progress for {seconds} s and was stopped; its last line: {line}")]
    Stalled {
        /// Time, in seconds.
        seconds: u64,
        /// Its last line.
        line: String,
    },
    /// ffmpeg succeeded but found no frame.
    #[error("no frame could be decoded: {0}")]
    Nothing(String),
    /// The file that ffmpeg wrote cannot be read.
    #[error("cannot read ffmpeg's output: {0}")]
    Read(io::Error),
    /// The run was cancelled.
    #[error("cancelled")]
    Cancelled,
}

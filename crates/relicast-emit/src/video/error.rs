//! Why a video could not be converted.

use std::io;
use std::path::PathBuf;

/// Why a video could not be converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VideoError {
    /// ffmpeg cannot be started.
    #[error("cannot start {program}: {error}")]
    Start {
        /// The program.
        program: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// ffmpeg gave up.
    #[error("ffmpeg failed ({status}): {line}")]
    Failed {
        /// Exit status.
        status: String,
        /// Its last line of complaint.
        line: String,
    },
    /// ffmpeg did nothing for too long and was stopped.
    #[error("ffmpeg made no progress for {seconds} s and was stopped; its last line: {line}")]
    Stalled {
        /// Time, in seconds.
        seconds: u64,
        /// Its last line.
        line: String,
    },
    /// ffmpeg ended well but found no frame.
    #[error("no frame could be decoded: {0}")]
    Nothing(String),
    /// The file that ffmpeg wrote cannot be read.
    #[error("cannot read what ffmpeg wrote: {0}")]
    Read(io::Error),
    /// The run was cancelled.
    #[error("cancelled")]
    Cancelled,
}

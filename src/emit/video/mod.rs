//! Videos, through the external program ffmpeg: it decodes the games' formats and encodes a format of today.
//!
//! - [`tool`] — finds ffmpeg, or downloads it.
//! - `arguments` — its arguments.
//! - `child` — the running program: progress, cancellation, stalls, last words; `process` ends it with
//!   all that it started.
//! - `facts` — what it found in the source, with a digest of every decoded frame.
//!
//! One run of ffmpeg decodes a source once and writes the new file, the digests and the poster. It works
//! on one thread, so that its bytes do not depend on the machine; several videos run side by side.

mod arguments;
mod child;
mod facts;
mod poster;
mod process;
pub mod tool;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub use facts::{Decoded, StreamFacts};
pub use tool::Tool;

use crate::config;
use crate::scene::Image;

/// A video to be converted.
#[derive(Debug)]
pub struct Job<'a> {
    /// The program.
    pub tool: &'a Tool,
    /// What the user wants.
    pub settings: &'a config::Video,
    /// The source as a file.
    pub input: &'a Path,
    /// Where the new file goes, whatever is there; `None` to decode only.
    pub output: Option<&'a Path>,
    /// Where the poster's pixels go on their way, when one is wanted.
    pub poster: Option<&'a Path>,
    /// Seconds that the video lasts, as far as the source's headers can be trusted.
    pub duration: Option<f64>,
}

/// Cancellation and progress of a video.
pub struct Control<'a> {
    /// Set to stop.
    pub cancel: &'a AtomicBool,
    /// Receives the share that is done, 0 to 1.
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

/// What became of a video.
#[derive(Debug)]
pub struct Encoded {
    /// What the source holds.
    pub decoded: Decoded,
    /// The poster, when one was wanted and the video reaches so far.
    pub poster: Option<Image<'static>>,
    /// What ffmpeg complained of without giving up.
    pub complaints: Vec<String>,
}

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
        /// How it ended.
        status: String,
        /// Its last line of complaint.
        line: String,
    },
    /// ffmpeg did nothing for too long and was stopped.
    #[error("ffmpeg made no progress for {seconds} s and was stopped; its last line: {line}")]
    Stalled {
        /// How long.
        seconds: u64,
        /// Its last line.
        line: String,
    },
    /// ffmpeg ended well but found no frame.
    #[error("no frame could be decoded: {0}")]
    Nothing(String),
    /// What ffmpeg wrote cannot be read back.
    #[error("cannot read what ffmpeg wrote: {0}")]
    Read(io::Error),
    /// The run was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// Converts a video. What it wrote stays when it fails; the caller cleans up.
///
/// # Errors
/// ffmpeg cannot be started, fails, stalls or finds nothing; the run is cancelled.
pub fn encode(job: &Job<'_>, control: &Control<'_>) -> Result<Encoded, VideoError> {
    let stall = Duration::from_secs(u64::from(job.settings.stall_seconds.max(1)));
    let arguments = arguments::all(job);
    let outcome = child::run(job.tool, &arguments, stall, job.duration, control)?;
    if outcome.decoded.frames.is_empty() {
        return Err(VideoError::Nothing(outcome.last_line));
    }
    let poster = match job.poster {
        Some(path) => poster::read(path).map_err(VideoError::Read)?,
        None => None,
    };
    Ok(Encoded {
        decoded: outcome.decoded,
        poster,
        complaints: outcome.complaints,
    })
}

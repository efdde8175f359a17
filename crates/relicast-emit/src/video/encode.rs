//! Converts a video from its source to the new file.

use super::arguments;
use super::child;
use super::error::VideoError;
use super::job::{Control, Encoded, Job};
use super::poster;

/// Converts a video. After a failure its files remain; the caller cleans up.
///
/// # Errors
/// ffmpeg cannot be started, fails, stalls or finds nothing, or the run is cancelled.
pub fn encode(job: &Job<'_>, control: &Control<'_>) -> Result<Encoded, VideoError> {
    let arguments = arguments::all(job);
    let outcome = child::run(
        job.tool,
        &arguments,
        job.options.stall,
        job.duration,
        control,
    )?;
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

//! Videos: files for players, facts of the source, and failures of ffmpeg.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

#[cfg(unix)]
mod fake;
mod fixtures;
mod golden;
mod headers;
mod loose;
mod own;
mod support;

//! Videos: what players get, what is told of the source, and what happens when ffmpeg does not do as it
//! should.
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

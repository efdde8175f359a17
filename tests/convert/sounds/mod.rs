//! Sounds from bytes to WAV and FLAC: round trips, foreign decodes, and files with wrong headers.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panic; clippy knows test functions only"
)]

mod archives;
mod damaged;
mod reference;
mod support;
mod written;

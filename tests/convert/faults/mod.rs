//! Faults around a run: links in the output folder, full disks, folders that cannot be made, inputs that are
//! cut while they are read, are no files, or are empty.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

#[cfg(unix)]
mod bounds;
#[cfg(unix)]
mod cut;
mod inputs;
#[cfg(unix)]
mod writing;

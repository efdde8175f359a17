//! Time by stage, for the report.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Nanoseconds of processor time by stage, summed over threads.
#[derive(Debug, Default)]
pub struct StageClock {
    /// Reading and hashing sources.
    pub read: AtomicU64,
    /// Decoding and converting.
    pub convert: AtomicU64,
    /// Encoding outputs.
    pub emit: AtomicU64,
    /// Hashing and writing outputs.
    pub write: AtomicU64,
}

impl StageClock {
    /// Adds the time since `start` to a stage.
    pub fn add(stage: &AtomicU64, start: Instant) {
        let nanoseconds = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        stage.fetch_add(nanoseconds, Ordering::Relaxed);
    }
}

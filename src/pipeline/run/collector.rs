//! Collects the bytes of selected outputs in a dry run.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Collects the bytes of selected outputs within a size limit.
#[derive(Debug)]
pub(in crate::pipeline) struct Collector {
    wanted: HashSet<String>,
    kept: Mutex<HashMap<String, Vec<u8>>>,
    /// Bytes that may still be collected.
    room: AtomicU64,
}

impl Collector {
    /// Collects the `wanted` outputs, at most `room` bytes.
    pub(in crate::pipeline) fn new(wanted: HashSet<String>, room: u64) -> Self {
        Self {
            wanted,
            kept: Mutex::default(),
            room: room.into(),
        }
    }

    /// Collects the bytes of an output, if it is wanted.
    pub(in crate::pipeline) fn offer(&self, path: &str, bytes: &[u8]) {
        let size = bytes.len() as u64;
        let take = |room: u64| room.checked_sub(size);
        let (order, wanted) = (Ordering::Relaxed, self.wanted.contains(path));
        if wanted && self.room.fetch_update(order, order, take).is_ok() {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            // An item that was repeated offers its outputs again.
            if let Some(earlier) = kept.insert(path.to_owned(), bytes.to_vec()) {
                self.room.fetch_add(earlier.len() as u64, order);
            }
        }
    }

    /// The collected bytes.
    pub(in crate::pipeline) fn take(self) -> HashMap<String, Vec<u8>> {
        let kept = self.kept.into_inner();
        kept.unwrap_or_else(PoisonError::into_inner)
    }
}

//! Collects the bytes of selected outputs in a dry run.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Collects the bytes of selected outputs within a size limit.
#[derive(Debug)]
pub(in crate::pipeline) struct Collector {
    wanted: HashSet<String>,
    stored: Mutex<HashMap<String, Vec<u8>>>,
    /// Bytes that may still be collected.
    capacity: AtomicU64,
}

impl Collector {
    /// Collects the `wanted` outputs, at most `room` bytes.
    pub(in crate::pipeline) fn new(wanted: HashSet<String>, capacity: u64) -> Self {
        Self {
            wanted,
            stored: Mutex::default(),
            capacity: capacity.into(),
        }
    }

    /// Collects the bytes of an output, if it is wanted.
    pub(in crate::pipeline) fn offer(&self, path: &str, bytes: &[u8]) {
        let size = bytes.len() as u64;
        let take = |capacity: u64| capacity.checked_sub(size);
        let (order, wanted) = (Ordering::Relaxed, self.wanted.contains(path));
        if wanted && self.capacity.fetch_update(order, order, take).is_ok() {
            let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
            // An item that was repeated offers its outputs again.
            if let Some(earlier) = stored.insert(path.to_owned(), bytes.to_vec()) {
                self.capacity.fetch_add(earlier.len() as u64, order);
            }
        }
    }

    /// The collected bytes.
    pub(in crate::pipeline) fn take(self) -> HashMap<String, Vec<u8>> {
        let stored = self.stored.into_inner();
        stored.unwrap_or_else(PoisonError::into_inner)
    }
}

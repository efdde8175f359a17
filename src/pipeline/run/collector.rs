//! Takes the bytes of chosen outputs of a run that writes none.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Takes the bytes of chosen outputs, as far as there is room.
#[derive(Debug)]
pub(in crate::pipeline) struct Collector {
    wanted: HashSet<String>,
    kept: Mutex<HashMap<String, Vec<u8>>>,
    /// Bytes that may still be kept.
    room: AtomicU64,
}

impl Collector {
    /// Takes the `wanted` outputs, `room` bytes at most.
    pub(in crate::pipeline) fn new(wanted: HashSet<String>, room: u64) -> Self {
        Self {
            wanted,
            kept: Mutex::default(),
            room: room.into(),
        }
    }

    /// Keeps the bytes of an output, if they are wanted.
    pub(in crate::pipeline) fn offer(&self, path: &str, bytes: &[u8]) {
        let size = bytes.len() as u64;
        let take = |room: u64| room.checked_sub(size);
        let (order, wanted) = (Ordering::Relaxed, self.wanted.contains(path));
        if wanted && self.room.fetch_update(order, order, take).is_ok() {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            // An item that was done again offers its outputs again.
            if let Some(earlier) = kept.insert(path.to_owned(), bytes.to_vec()) {
                self.room.fetch_add(earlier.len() as u64, order);
            }
        }
    }

    /// What was kept.
    pub(in crate::pipeline) fn take(self) -> HashMap<String, Vec<u8>> {
        let kept = self.kept.into_inner();
        kept.unwrap_or_else(PoisonError::into_inner)
    }
}

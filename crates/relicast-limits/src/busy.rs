//! How many threads are at a piece of work.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Threads that are at a piece of work.
static BUSY: AtomicUsize = AtomicUsize::new(0);

/// A thread at a piece of work, until this goes.
#[derive(Debug)]
pub(super) struct Busy(());

impl Busy {
    pub(super) fn new() -> Self {
        BUSY.fetch_add(1, Ordering::Relaxed);
        Self(())
    }

    /// One more, if fewer than `most` are busy.
    pub(super) fn beside_others(most: usize) -> Option<Self> {
        let more = |busy: usize| (busy < most).then(|| busy.saturating_add(1));
        let taken = BUSY.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        taken.ok().map(|_| Self(()))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        BUSY.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_at_work_are_counted() {
        let busy = Busy::new();
        assert!(Busy::beside_others(1).is_none());
        assert!(Busy::beside_others(usize::MAX).is_some());
        drop(busy);
    }
}

//! How many threads are at a piece of work.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::cores::{self, Core};

/// How long a thread that could fill idle time waits, when there is none, before it looks again.
const PAUSE: Duration = Duration::from_millis(2);

/// Threads that are at a piece of work, without those of them that wait for others.
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

/// A [`Busy`] thread that waits for others until this goes: what nobody waits for may have its core.
#[derive(Debug)]
pub(super) struct Waiting {
    lent: Option<Core>,
    /// The core of the last one of the others.
    ended: Option<Core>,
}

impl Waiting {
    /// Of a thread that is counted.
    pub(super) fn new() -> Self {
        BUSY.fetch_sub(1, Ordering::Relaxed);
        Self {
            lent: cores::lend(),
            ended: None,
        }
    }

    /// Notes where one of the others was when it ended.
    pub(super) fn note(&mut self, ended: Option<Core>) {
        self.ended = ended;
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        BUSY.fetch_add(1, Ordering::Relaxed);
        cores::resume(self.lent, self.ended);
    }
}

/// Does a piece of work that is not held to memory: no further thread is asked for while it lasts.
pub fn at_work<T>(work: impl FnOnce() -> T) -> T {
    let _busy = Busy::new();
    work()
}

/// Whether fewer than so many threads are at a piece of work, so that what nobody waits for is in nobody's way.
pub fn has_idle(threads: usize) -> bool {
    BUSY.load(Ordering::Relaxed) < threads
}

/// Does a piece of work that nobody waits for, unless so many threads are busy; then it waits a moment. Returns what the piece
/// returned, and true after a wait.
pub fn in_idle_time(threads: usize, piece: impl FnOnce() -> bool) -> bool {
    if !has_idle(threads) {
        thread::sleep(PAUSE);
        return true;
    }
    cores::take_left();
    piece()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_at_work_are_counted() {
        let busy = Busy::new();
        assert!(Busy::beside_others(1).is_none());
        assert!(Busy::beside_others(usize::MAX).is_some());
        // Others may be busy meanwhile, so that there are more.
        assert!(!has_idle(1));
        assert!(has_idle(usize::MAX));
        drop(busy);
        assert!(!at_work(|| has_idle(1)));
    }
}

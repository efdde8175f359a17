//! Large pieces of work wait for one another instead of running side by side.
//!
//! A piece that grows beyond [`Size::Small`] needs one of a few places, and one that grows beyond
//! [`Size::Medium`] the only place of its size. Whoever waits for the larger place may hold a smaller one
//! but never the other way round, so that they cannot wait for each other in a ring. What a piece waits for
//! may itself wait for a value that this piece is about to make; so nobody waits for ever.

use std::cell::Cell;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::settings::part_memory;

/// How large a piece of work is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Size {
    /// Runs beside any number of others.
    #[default]
    Small,
    /// Runs beside a few others of its size.
    Medium,
    /// Runs beside no other of its size.
    Large,
}

impl Size {
    /// Most bytes of a piece of this size.
    pub(super) fn most(self) -> usize {
        let part = part_memory();
        match self {
            Self::Small => part / 16,
            Self::Medium => part / 4,
            Self::Large => part,
        }
    }

    /// The size of a piece that takes `bytes`.
    pub(super) fn of(bytes: usize) -> Self {
        let sizes = [Self::Small, Self::Medium];
        let fits = sizes.into_iter().find(|size| bytes <= size.most());
        fits.unwrap_or(Self::Large)
    }

    /// How many pieces of this size run at once.
    fn places(self) -> usize {
        match self {
            Self::Small => usize::MAX,
            Self::Medium => 4,
            Self::Large => 1,
        }
    }
}

/// Longest time that a piece waits for its place.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// How many places of each size above small are taken.
static TAKEN: Mutex<[usize; 2]> = Mutex::new([0; 2]);
static FREED: Condvar = Condvar::new();

thread_local! {
    /// Places that this thread has.
    static HELD: Cell<[bool; 2]> = const { Cell::new([false; 2]) };
}

fn index(size: Size) -> Option<usize> {
    match size {
        Size::Small => None,
        Size::Medium => Some(0),
        Size::Large => Some(1),
    }
}

/// Gives back, when it goes, the places that were taken since it was made.
#[derive(Debug)]
pub(super) struct Turn {
    before: [bool; 2],
}

impl Default for Turn {
    fn default() -> Self {
        Self { before: HELD.get() }
    }
}

impl Turn {
    /// Waits for a place of this size, and for those of the smaller sizes. A thread has one of each.
    pub(super) fn wait(size: Size) {
        for step in [Size::Medium, Size::Large] {
            if step <= size {
                Self::wait_for(step);
            }
        }
    }

    fn wait_for(size: Size) {
        let Some(index) = index(size) else {
            return;
        };
        let mut held = HELD.get();
        if held[index] {
            return;
        }
        let start = Instant::now();
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        while taken[index] >= size.places() {
            let Some(left) = LONGEST_WAIT.checked_sub(start.elapsed()) else {
                break;
            };
            let woken = FREED.wait_timeout(taken, left);
            taken = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        taken[index] += 1;
        held[index] = true;
        HELD.set(held);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let held = HELD.replace(self.before);
        if held == self.before {
            return;
        }
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        for (index, taken) in taken.iter_mut().enumerate() {
            if held[index] && !self.before[index] {
                *taken = taken.saturating_sub(1);
            }
        }
        FREED.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn large_pieces_run_one_after_the_other() {
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let _turn = Turn::default();
                    Turn::wait(Size::Large);
                    Turn::wait(Size::Large);
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(5));
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(most.into_inner(), 1);
        assert_eq!(*TAKEN.lock().unwrap(), [0; 2]);
    }

    #[test]
    fn sizes_follow_the_memory_of_a_part() {
        assert_eq!(Size::of(1), Size::Small);
        assert_eq!(Size::of(part_memory() / 8), Size::Medium);
        assert_eq!(Size::of(usize::MAX), Size::Large);
    }
}

//! A weighted semaphore: work acquires permits for its memory.

use std::sync::{Condvar, Mutex, PoisonError};

/// Permits with a maximum, which each request states.
#[derive(Debug)]
pub(super) struct Semaphore {
    taken: Mutex<usize>,
    freed: Condvar,
}

/// Permits that are released on drop.
#[derive(Debug)]
pub(super) struct Permit {
    of: &'static Semaphore,
    weight: usize,
}

impl Semaphore {
    pub(super) const fn new() -> Self {
        Self {
            taken: Mutex::new(0),
            freed: Condvar::new(),
        }
    }

    /// Waits until no more than `most` permits are taken, including these. The caller must not hold anything that
    /// another holder of permits may wait for. A request for more than `most` waits until no others are taken.
    pub(super) fn acquire(&'static self, weight: usize, most: usize) -> Permit {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |taken: &mut usize| !fits(*taken, weight, most);
        let waited = self.freed.wait_while(taken, is_full);
        let mut taken = waited.unwrap_or_else(PoisonError::into_inner);
        *taken = taken.saturating_add(weight);
        Permit { of: self, weight }
    }

    /// Acquires permits like [`Semaphore::acquire`], but never waits.
    pub(super) fn try_acquire(&'static self, weight: usize, most: usize) -> Option<Permit> {
        let mut permit = self.acquire(0, usize::MAX);
        permit.try_grow(weight, most).then_some(permit)
    }
}

impl Permit {
    /// Grows these permits to `weight`, if no more than `most` are taken then.
    pub(super) fn try_grow(&mut self, weight: usize, most: usize) -> bool {
        let mut taken = self.of.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let others = taken.saturating_sub(self.weight);
        let weight = weight.max(self.weight);
        let has_space = fits(others, weight, most);
        if has_space {
            *taken = others.saturating_add(weight);
            self.weight = weight;
        }
        has_space
    }
}

fn fits(others: usize, weight: usize, most: usize) -> bool {
    others == 0 || others.saturating_add(weight) <= most
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut taken = self.of.taken.lock().unwrap_or_else(PoisonError::into_inner);
        *taken = taken.saturating_sub(self.weight);
        drop(taken);
        self.of.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn no_more_permits_are_taken_than_there_are() {
        static SEMAPHORE: Semaphore = Semaphore::new();
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for weight in [3, 2, 2, 4, 1, 3] {
                let (now, most) = (&now, &most);
                scope.spawn(move || {
                    let _permit = SEMAPHORE.acquire(weight, 4);
                    most.fetch_max(
                        now.fetch_add(weight, Ordering::SeqCst) + weight,
                        Ordering::SeqCst,
                    );
                    std::thread::sleep(std::time::Duration::from_millis(5));
                    now.fetch_sub(weight, Ordering::SeqCst);
                });
            }
        });
        assert!(most.into_inner() <= 4);
        assert_eq!(*SEMAPHORE.taken.lock().unwrap(), 0);
    }

    #[test]
    fn a_request_for_more_than_all_waits_for_the_others_alone() {
        static SEMAPHORE: Semaphore = Semaphore::new();
        let small = SEMAPHORE.try_acquire(1, 4).unwrap();
        assert!(SEMAPHORE.try_acquire(9, 4).is_none());
        drop(small);
        let large = SEMAPHORE.try_acquire(9, 4).unwrap();
        assert!(SEMAPHORE.try_acquire(1, 4).is_none());
        drop(large);
        let mut small = SEMAPHORE.try_acquire(1, 4).unwrap();
        let other = SEMAPHORE.try_acquire(1, 4).unwrap();
        assert!(small.try_grow(3, 4) && !small.try_grow(4, 4));
        drop(other);
        assert!(small.try_grow(4, 4));
    }
}

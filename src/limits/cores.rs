//! Which core a thread is on.
//!
//! Linux starts and wakes a thread on the core where it was asked for, or where it was before, while all cores are busy most of
//! the time (it does not look for an idle one then), and leaves it there for some 10 to 20 ms when another one becomes idle. A
//! helper lives for little longer than that, and what fills idle time is to be in nobody's way.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Core(usize);

/// The core that a thread at work left when it began to wait for others; [`NONE`] when somebody took it.
static LEFT: AtomicUsize = AtomicUsize::new(NONE);

/// No core has this number.
const NONE: usize = usize::MAX;

/// Leaves the core of this thread to others, which it is going to wait for. Returns what is to be given to [`resume`].
pub(super) fn lend() -> Option<Core> {
    let core = current();
    LEFT.store(core.map_or(NONE, |Core(core)| core), Ordering::Relaxed);
    core
}

/// Goes where a thread at work has left its core, if nobody else went there.
pub(super) fn take_left() {
    let left = LEFT.swap(NONE, Ordering::Relaxed);
    if left != NONE && current() != Some(Core(left)) {
        go_to(Core(left));
    }
}

/// Ends what [`lend`] began: when somebody took the core meanwhile, this thread goes to that of whom it waited for.
pub(super) fn resume(lent: Option<Core>, ended: Option<Core>) {
    let Some(Core(core)) = lent else {
        return;
    };
    let back = LEFT.compare_exchange(core, NONE, Ordering::Relaxed, Ordering::Relaxed);
    if let (Err(_), Some(ended)) = (back, ended) {
        go_to(ended);
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

    use super::Core;

    /// The core that this thread is on at the moment.
    pub(in crate::limits) fn current() -> Option<Core> {
        Some(Core(sched_getcpu()))
    }

    /// Goes to another core than `taken` if this thread is on that one.
    pub(in crate::limits) fn leave(taken: Option<Core>) {
        let here = current();
        if let Some(taken) = taken.filter(|_| taken == here) {
            move_to(taken, |all, core| {
                let mut others = *all;
                others.unset(core);
                others
            });
        }
    }

    /// Goes to a core.
    pub(in crate::limits) fn go_to(core: Core) {
        move_to(core, |_, core| {
            let mut alone = CpuSet::new();
            alone.set(core);
            alone
        });
    }

    /// Goes to one of the cores that `chosen` makes of all those that this thread may be on, if `core` is one of them and not
    /// the only one. Afterwards it may be on all of them again. Where the system refuses, it is where it was.
    fn move_to(core: Core, chosen: impl FnOnce(&CpuSet, usize) -> CpuSet) {
        let Core(core) = core;
        let Ok(all) = sched_getaffinity(None) else {
            return;
        };
        if core >= CpuSet::MAX_CPU || !all.is_set(core) || all.count() < 2 {
            return;
        }
        if sched_setaffinity(None, &chosen(&all, core)).is_ok() {
            let _ = sched_setaffinity(None, &all);
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::Core;

    /// Nothing is asked of other systems.
    pub(in crate::limits) fn current() -> Option<Core> {
        None
    }

    /// See `linux`; threads are where the system has them.
    pub(in crate::limits) fn leave(_taken: Option<Core>) {}

    /// See `linux`; threads are where the system has them.
    pub(in crate::limits) fn go_to(_core: Core) {}
}

#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::{current, go_to, leave};
#[cfg(target_os = "linux")]
pub(super) use linux::{current, go_to, leave};

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    use super::*;

    #[test]
    fn a_thread_that_was_moved_may_be_everywhere_again() {
        let moved = std::thread::spawn(|| {
            let all = sched_getaffinity(None).unwrap();
            leave(current());
            assert_eq!(sched_getaffinity(None).unwrap(), all);
            for core in (0..CpuSet::MAX_CPU).filter(|&core| all.is_set(core)) {
                go_to(Core(core));
                assert_eq!(sched_getaffinity(None).unwrap(), all);
            }
            // It stays where it is when it may be nowhere else, and when nobody is there.
            let Core(here) = current().unwrap();
            let mut alone = CpuSet::new();
            alone.set(here);
            sched_setaffinity(None, &alone).unwrap();
            for other in [here, here + 1, NONE] {
                leave(Some(Core(other)));
                go_to(Core(other));
                assert_eq!(current(), Some(Core(here)));
                assert_eq!(sched_getaffinity(None).unwrap(), alone);
            }
        });
        moved.join().unwrap();
    }
}

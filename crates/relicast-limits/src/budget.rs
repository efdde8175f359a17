//! Memory budget of a unit of work, and permits for large ones.
//!
//! Work that exceeds its budget ends with [`Exceeded`]. Work that grows large acquires permits of one semaphore for its
//! memory. It never waits for them while it holds memory: if none are free, it is undone by unwinding, waits without
//! memory, and runs again, this time with its permits from the start.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::allocator::{live, set_live};
use super::permits::{Permit, Semaphore};
use super::settings::{Exceeded, Limits, current, document_memory, item_memory};

/// Permits for memory, in bytes. Small work needs none.
static MEMORY: Semaphore = Semaphore::new();

/// Permits for working threads.
pub(super) static WORKERS: Semaphore = Semaphore::new();

thread_local! {
    /// The work of this thread.
    static WORK: Cell<Option<Work>> = const { Cell::new(None) };
    /// Value of [`live`] above which the work must acquire permits; the maximum outside of work.
    static THRESHOLD: Cell<isize> = const { Cell::new(isize::MAX) };
    /// The permits of the work.
    static PERMIT: Cell<Option<Permit>> = const { Cell::new(None) };
}

/// A unit of work.
#[derive(Debug, Clone, Copy)]
struct Work {
    /// Value of [`live`] when it began.
    base: isize,
    /// Its budget in bytes.
    allowed: usize,
    /// Value of [`live`] when the outermost enclosing work began.
    outermost: isize,
    /// Bytes that the outermost work may allocate without permits.
    permitted: usize,
}

/// Payload of the panic that undoes work: the permits that it needs and could not get.
struct Wait(usize);

impl Work {
    /// Remaining bytes of the budget.
    fn left(self) -> usize {
        self.allowed.saturating_sub(since(self.base))
    }

    /// Makes it the current work of this thread.
    fn begin(self) {
        let allowed = self.base.saturating_add_unsigned(self.allowed);
        let permitted = self.outermost.saturating_add_unsigned(self.permitted);
        THRESHOLD.set(allowed.min(permitted));
        WORK.set(Some(self));
    }
}

/// Bytes allocated since [`live`] had a value.
fn since(base: isize) -> usize {
    usize::try_from(live().wrapping_sub(base)).unwrap_or_default()
}

/// Bytes that work may hold without permits.
fn small() -> usize {
    item_memory() / 16
}

/// Permits for work that holds `bytes`: a quarter of all, or all.
fn weight(bytes: usize) -> usize {
    let all = item_memory();
    if bytes <= all / 4 { all / 4 } else { all }
}

impl Exceeded {
    /// Ends the work, so that [`with_budget`] returns this error. Destructors run, no message is printed.
    pub fn unwind(self) -> ! {
        resume_unwind(Box::new(self))
    }
}

/// Runs work within a memory budget.
///
/// # Errors
/// It needs more than its budget. Other panics are propagated.
pub fn with_budget<T>(work: impl FnOnce() -> T) -> Result<T, Exceeded> {
    within(item_memory(), None, work).or_else(exceeded)
}

/// Reads a document of a run within the memory budget for documents.
///
/// # Errors
/// The errors of [`with_budget`].
pub fn with_document_budget<T>(read: impl FnOnce() -> T) -> Result<T, Exceeded> {
    within(document_memory(), None, read).or_else(exceeded)
}

/// Runs work within a memory budget, and with permits for its memory, so that large units of work run in
/// sequence. The work may be undone and repeated, so its first attempt must leave nothing behind. When it starts, it
/// must not hold a lock that other such work may wait for.
///
/// # Errors
/// The errors of [`with_budget`].
pub fn with_permits<T>(mut work: impl FnMut() -> T) -> Result<T, Exceeded> {
    if WORK.get().is_some() {
        // A waiting thread may have taken this up meanwhile. It could not wait without memory.
        return within(item_memory(), Some(usize::MAX), work).or_else(exceeded);
    }
    let mut weight = 0;
    loop {
        PERMIT.set(Some(MEMORY.acquire(weight, item_memory())));
        let done = within(item_memory(), Some(weight.max(small())), &mut work);
        drop(PERMIT.take());
        match done {
            Ok(done) => return Ok(done),
            Err(payload) => match payload.downcast::<Wait>() {
                Ok(wait) => weight = wait.0,
                Err(payload) => return exceeded(payload),
            },
        }
    }
}

fn exceeded<T>(payload: Box<dyn Any + Send>) -> Result<T, Exceeded> {
    match payload.downcast::<Exceeded>() {
        Ok(exceeded) => Err(*exceeded),
        Err(other) => resume_unwind(other),
    }
}

/// Runs work that may allocate `allowed` bytes, `permitted` of them without permits; by default the limits of the
/// enclosing work, or no limit. Nested work is limited to the remaining budget of the outer work.
fn within<T>(
    allowed: usize,
    permitted: Option<usize>,
    work: impl FnOnce() -> T,
) -> Result<T, Box<dyn Any + Send>> {
    let outer = Outer::here();
    let _worker = outer.work.is_none().then(|| WORKERS.acquire(1, usize::MAX));
    let base = live();
    let own = match outer.work {
        Some(work) => Work {
            base,
            allowed: allowed.min(work.left()),
            permitted: permitted.unwrap_or(work.permitted),
            ..work
        },
        None => Work {
            base,
            allowed,
            outermost: base,
            permitted: permitted.unwrap_or(usize::MAX),
        },
    };
    own.begin();
    catch_unwind(AssertUnwindSafe(work))
}

/// Outer work of a thread, restored on drop.
struct Outer {
    work: Option<Work>,
    threshold: isize,
}

impl Outer {
    fn here() -> Self {
        Self {
            work: WORK.get(),
            threshold: THRESHOLD.get(),
        }
    }
}

impl Drop for Outer {
    fn drop(&mut self) {
        WORK.set(self.work);
        THRESHOLD.set(self.threshold);
    }
}

/// Budget that one thread lends to others that do parts of its work.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lent {
    limits: Limits,
    left: Option<usize>,
}

/// Returns the budget that this thread can lend.
pub(super) fn lend() -> Lent {
    Lent {
        limits: current(),
        left: WORK.get().map(Work::left),
    }
}

/// Runs work for another thread within its remaining budget. Returns the bytes that it allocated, which do not count
/// here.
pub(super) fn borrowed<R>(lent: Lent, part: impl FnOnce() -> R) -> (R, isize) {
    let (_outer, base) = (Outer::here(), live());
    let made = lent.limits.scope(|| {
        if let Some(allowed) = lent.left {
            let work = Work {
                base,
                allowed,
                outermost: base,
                // The lending thread acquires the permits afterwards.
                permitted: usize::MAX,
            };
            work.begin();
        }
        part()
    });
    let taken = live().wrapping_sub(base);
    set_live(base);
    (made, taken)
}

/// Adds the allocations of other threads to the work of this one.
pub(super) fn take_over(taken: isize) {
    set_live(live().wrapping_add(taken));
    check();
}

/// Ends the work if it exceeds its budget.
#[inline]
pub fn check() {
    if live() > THRESHOLD.get()
        && let Err(exceeded) = ask(0)
    {
        exceeded.unwind();
    }
}

/// Checks that the work may allocate `bytes` more.
///
/// # Errors
/// They exceed its budget.
#[inline]
pub fn try_reserve(bytes: usize) -> Result<(), Exceeded> {
    match live().checked_add_unsigned(bytes) {
        Some(sum) if sum <= THRESHOLD.get() && bytes <= FREE_OF_CHECKS => Ok(()),
        _ => ask(bytes),
    }
}

/// Ends the work if it may not allocate `bytes` more. For code that cannot return errors.
pub fn reserve(bytes: usize) {
    if let Err(exceeded) = try_reserve(bytes)
        && WORK.get().is_some()
    {
        exceeded.unwind();
    }
}

/// Ends the work if a file that it writes in pieces, `bytes` so far, is larger than its memory budget. So data that is
/// not held in memory is bounded, too.
pub fn reserve_written(bytes: u64) {
    let allowed = item_memory();
    let written = usize::try_from(bytes).unwrap_or(usize::MAX);
    if written > allowed && WORK.get().is_some() {
        Exceeded::memory(allowed, written).unwind();
    }
}

/// Appends to a list whose length depends on a file. When a full list grows, its old and new memory are allocated at
/// the same time; so the new memory is reserved before the move instead of being noticed afterwards.
pub fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        let doubled = list.capacity().saturating_mul(2).max(4);
        reserve(doubled.saturating_mul(size_of::<T>()));
    }
    list.push(item);
}

/// Runs code whose memory does not count for the work that needs it first, because several share it.
pub fn uncounted<T>(shared: impl FnOnce() -> T) -> T {
    let before = live();
    let made = shared();
    set_live(before);
    made
}

/// Largest allocation without a check in code outside of all work.
const FREE_OF_CHECKS: usize = 1 << 24;

#[cold]
fn ask(bytes: usize) -> Result<(), Exceeded> {
    let Some(work) = WORK.get() else {
        let allowed = item_memory();
        return if bytes > allowed {
            Err(Exceeded::memory(allowed, bytes))
        } else {
            Ok(())
        };
    };
    let wanted = since(work.base).saturating_add(bytes);
    if wanted > work.allowed {
        return Err(Exceeded::memory(work.allowed, wanted));
    }
    let held = since(work.outermost).saturating_add(bytes);
    if held > work.permitted {
        let permitted = weight(held);
        let mut permit = PERMIT.take();
        let is_permitted = permit
            .as_mut()
            .is_none_or(|permit| permit.try_grow(permitted, item_memory()));
        PERMIT.set(permit);
        if !is_permitted {
            resume_unwind(Box::new(Wait(permitted)));
        }
        Work { permitted, ..work }.begin();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::allocator::count;

    /// The allocator of tests is not metered: only the size of the next move counts here.
    #[test]
    fn a_list_is_refused_before_the_move_that_has_no_room() {
        let most = item_memory() / size_of::<u64>();
        let mut list = Vec::with_capacity(most / 2 + 1);
        list.resize(most / 2, 0_u64);
        let ended = with_budget(|| {
            push(&mut list, 1);
            push(&mut list, 2);
        });
        let ended = ended.unwrap_err().to_string();
        assert!(ended.contains("limits.memory_mib"), "{ended}");
        assert_eq!(list.last(), Some(&1));
    }

    #[test]
    fn files_have_a_bound_too() {
        let most = item_memory() as u64;
        assert_eq!(with_budget(|| reserve_written(most)), Ok(()));
        let ended = with_budget(|| reserve_written(most + 1)).unwrap_err();
        assert!(ended.to_string().contains("limits.memory_mib"));
    }

    #[test]
    fn work_beyond_its_budget_ends_and_other_panics_go_on() {
        for run in [
            |bytes| with_budget(|| reserve(bytes)),
            |bytes| with_permits(|| reserve(bytes)),
        ] {
            assert!(run(1 << 40).unwrap_err().found.contains("1048576 MiB"));
            assert_eq!(run(7), Ok(()));
        }
        let beyond = try_reserve(usize::MAX).unwrap_err().to_string();
        assert!(beyond.contains("limits.memory_mib"));
        let panicked = std::panic::catch_unwind(|| with_budget(|| resume_unwind(Box::new(1))));
        assert!(panicked.is_err());
    }

    /// Work that allocates memory, and frees it when it ends or is undone.
    struct Held(usize);

    impl Held {
        fn new(bytes: usize) -> Self {
            count(bytes, 0);
            Self(bytes)
        }
    }

    impl Drop for Held {
        fn drop(&mut self) {
            count(0, self.0);
        }
    }

    #[test]
    fn large_work_runs_alone_and_is_done_again_where_it_had_to_wait() {
        let (now, most, runs) = (
            AtomicUsize::new(0),
            AtomicUsize::new(0),
            AtomicUsize::new(0),
        );
        let begun = Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut is_first = true;
                    let done = with_permits(|| {
                        if std::mem::take(&mut is_first) {
                            begun.wait();
                        }
                        runs.fetch_add(1, Ordering::SeqCst);
                        let held = Held::new(item_memory() / 2);
                        check();
                        // A part of it needs no permits of its own.
                        with_budget(check).unwrap();
                        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::sleep(std::time::Duration::from_millis(20));
                        now.fetch_sub(1, Ordering::SeqCst);
                        held.0
                    });
                    assert_eq!(done, Ok(item_memory() / 2));
                    assert_eq!(live(), 0);
                });
            }
        });
        assert_eq!(most.into_inner(), 1);
        assert!(runs.into_inner() > 4, "nobody had to wait");
    }

    #[test]
    fn shared_memory_counts_for_no_budget() {
        let done = with_budget(|| {
            uncounted(|| count(item_memory(), 0));
            try_reserve(item_memory() / 2)
        });
        assert_eq!(done, Ok(Ok(())));
    }

    #[test]
    fn limits_are_those_of_the_thread_and_of_the_part_that_they_are_set_for() {
        let tight = Limits {
            memory_mib: 64,
            ..Limits::default()
        };
        let bytes = 100 << 20;
        assert!(tight.scope(|| with_budget(|| reserve(bytes))).is_err());
        assert!(with_budget(|| reserve(bytes)).is_ok());
        let elsewhere = std::thread::spawn(move || with_budget(|| reserve(bytes)));
        assert!(tight.scope(|| elsewhere.join().unwrap()).is_ok());
        let pool = tight.thread_pool(1).unwrap();
        assert!(pool.install(|| with_budget(|| reserve(bytes))).is_err());
    }
}

//! The budget of a piece of work: what it may take, and what happens when it needs more.
//!
//! Work beyond its budget ends with [`Exceeded`]. Work that grows large takes permits of one semaphore for what it holds. It
//! never waits for them while it holds anything: where there are none, it is undone by unwinding, waits with empty hands,
//! and is done again, this time with its permits from the beginning.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::allocator::{live, set_live};
use super::permits::{Permit, Semaphore};
use super::settings::{Exceeded, Limits, current, document_memory, item_memory};

/// Permits for memory, in bytes. Small work needs none.
static MEMORY: Semaphore = Semaphore::new();

/// Permits for threads at work.
pub(super) static WORKERS: Semaphore = Semaphore::new();

thread_local! {
    /// The work of this thread.
    static WORK: Cell<Option<Work>> = const { Cell::new(None) };
    /// Value of [`live`] beyond which the work has to ask; never outside of work.
    static THRESHOLD: Cell<isize> = const { Cell::new(isize::MAX) };
    /// The permits of the work.
    static PERMIT: Cell<Option<Permit>> = const { Cell::new(None) };
}

/// A piece of work.
#[derive(Debug, Clone, Copy)]
struct Work {
    /// Value of [`live`] when it began.
    base: isize,
    /// Bytes that it may take.
    allowed: usize,
    /// Value of [`live`] when the outermost work began that it is part of.
    outermost: isize,
    /// Bytes that the outermost work may take before it asks for permits.
    permitted: usize,
}

/// The permits that work needs and could not have; the payload of a panic that undoes it.
struct Wait(usize);

impl Work {
    /// Bytes that it may take still.
    fn left(self) -> usize {
        self.allowed.saturating_sub(since(self.base))
    }

    /// Puts it at work on this thread.
    fn begin(self) {
        let allowed = self.base.saturating_add_unsigned(self.allowed);
        let permitted = self.outermost.saturating_add_unsigned(self.permitted);
        THRESHOLD.set(allowed.min(permitted));
        WORK.set(Some(self));
    }
}

/// Bytes taken since [`live`] had a value.
fn since(base: isize) -> usize {
    usize::try_from(live().wrapping_sub(base)).unwrap_or_default()
}

/// Bytes that work may hold without permits.
fn small() -> usize {
    item_memory() / 16
}

/// Permits of work that holds `bytes`: a quarter of all, or all.
fn weight(bytes: usize) -> usize {
    let all = item_memory();
    if bytes <= all / 4 { all / 4 } else { all }
}

impl Exceeded {
    /// Ends the work: [`with_budget`] returns this. Destructors run, no message is printed.
    pub fn unwind(self) -> ! {
        resume_unwind(Box::new(self))
    }
}

/// Does work within a budget of memory.
///
/// # Errors
/// It needs more than its budget. Other panics go on.
pub fn with_budget<T>(work: impl FnOnce() -> T) -> Result<T, Exceeded> {
    within(item_memory(), None, work).or_else(exceeded)
}

/// Reads a document of a run within the budget of memory for these.
///
/// # Errors
/// As of [`with_budget`].
pub fn with_document_budget<T>(read: impl FnOnce() -> T) -> Result<T, Exceeded> {
    within(document_memory(), None, read).or_else(exceeded)
}

/// Does work within a budget of memory, and with permits for what it holds, so that large pieces of work run one after the
/// other. The work may be undone and done again, and nothing of the first time may be left by then. It holds no lock when it
/// begins that other such work may wait for.
///
/// # Errors
/// As of [`with_budget`].
pub fn with_permits<T>(mut work: impl FnMut() -> T) -> Result<T, Exceeded> {
    if WORK.get().is_some() {
        // A thread that waits for others may have taken this up meanwhile. It could not wait with empty hands.
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

/// Does work that may take `allowed` bytes, `permitted` of them without permits; by default as many as the work that it is
/// part of, or all. A part of other work has no more than that has left.
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

/// Work of a thread that is restored on drop.
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

/// Budget that the work of one thread leaves to others that do parts of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lent {
    limits: Limits,
    left: Option<usize>,
}

/// Returns the budget that the work of this thread can lend.
pub(super) fn lend() -> Lent {
    Lent {
        limits: current(),
        left: WORK.get().map(Work::left),
    }
}

/// Does work of another thread within what is left of its budget. Returns the bytes that it took, which do not count here.
pub(super) fn borrowed<R>(lent: Lent, part: impl FnOnce() -> R) -> (R, isize) {
    let (_outer, base) = (Outer::here(), live());
    let made = lent.limits.scope(|| {
        if let Some(allowed) = lent.left {
            let work = Work {
                base,
                allowed,
                outermost: base,
                // The thread that lent it asks for permits when this is done.
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

/// Counts what other threads took for the work of this one.
pub(super) fn take_over(taken: isize) {
    set_live(live().wrapping_add(taken));
    check();
}

/// Ends the work when it has more memory than its budget.
#[inline]
pub fn check() {
    if live() > THRESHOLD.get()
        && let Err(exceeded) = ask(0)
    {
        exceeded.unwind();
    }
}

/// Asks whether the work may take `bytes` more.
///
/// # Errors
/// They are more than its budget.
#[inline]
pub fn try_reserve(bytes: usize) -> Result<(), Exceeded> {
    match live().checked_add_unsigned(bytes) {
        Some(sum) if sum <= THRESHOLD.get() && bytes <= FREE_OF_CHECKS => Ok(()),
        _ => ask(bytes),
    }
}

/// Ends the work when it may not take `bytes` more. For code that has no errors to return.
pub fn reserve(bytes: usize) {
    if let Err(exceeded) = try_reserve(bytes)
        && WORK.get().is_some()
    {
        exceeded.unwind();
    }
}

/// Ends the work when it has written `bytes` of one file as they came, if that is more than the memory that it may take:
/// what is not held in memory has a bound all the same.
pub fn reserve_written(bytes: u64) {
    let allowed = item_memory();
    let written = usize::try_from(bytes).unwrap_or(usize::MAX);
    if written > allowed && WORK.get().is_some() {
        Exceeded::memory(allowed, written).unwind();
    }
}

/// Appends to a list that grows with what a file says. While a full list moves, its old place and its new one are taken
/// together; so the new one is reserved before the move, and not noticed after it.
pub fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        let doubled = list.capacity().saturating_mul(2).max(4);
        reserve(doubled.saturating_mul(size_of::<T>()));
    }
    list.push(item);
}

/// Does something whose memory does not count for the work that happens to ask for it first: several share it.
pub fn uncounted<T>(shared: impl FnOnce() -> T) -> T {
    let before = live();
    let made = shared();
    set_live(before);
    made
}

/// Most bytes that code outside of all work takes at once without a check.
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

    /// Work that takes memory, and gives it back when it ends or is undone.
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

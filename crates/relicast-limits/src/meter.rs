//! How much memory each thread's work has, and where it is given up.
#![expect(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::busy::Busy;
use super::resident;
use super::settings::{Exceeded, document_memory, part_memory};
use super::turns::{Size, Turn};

thread_local! {
    /// Bytes that this thread took, less those that it gave back.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    /// Bytes that this thread ever took.
    static TAKEN: Cell<u64> = const { Cell::new(0) };
    /// The greatest value of [`LIVE`] since [`restart_peak`], as looked at with all but small requests.
    static PEAK: Cell<isize> = const { Cell::new(0) };
    /// Value of [`LIVE`] beyond which the work at hand has to ask; never outside of work.
    static THRESHOLD: Cell<isize> = const { Cell::new(isize::MAX) };
    /// The work at hand.
    static WORK: Cell<Option<Work>> = const { Cell::new(None) };
}

/// A piece of work.
#[derive(Debug, Clone, Copy)]
struct Work {
    /// Value of [`LIVE`] when it began.
    base: isize,
    /// Bytes that it may take.
    allowed: usize,
    /// Up to which size it need not ask.
    size: Size,
}

impl Work {
    /// Bytes that it may take still.
    fn left(self) -> usize {
        let used = usize::try_from(LIVE.get().wrapping_sub(self.base)).unwrap_or_default();
        self.allowed.saturating_sub(used)
    }
}

/// An allocator that counts what each thread takes.
#[derive(Debug, Default, Clone, Copy)]
pub struct Metered<A>(pub A);

/// Requests from this size on are looked at for [`PEAK`].
const NOTED: usize = 1 << 10;

/// Gives memory back before `size` more bytes are taken, if there is too much.
#[inline]
fn make_room(size: usize) {
    resident::look(TAKEN.get().wrapping_add(size as u64));
}

/// Counts a change. Sizes of layouts fit an `isize`.
#[inline]
fn count(more: usize, less: usize) {
    let live = LIVE
        .get()
        .wrapping_add_unsigned(more)
        .wrapping_sub_unsigned(less);
    LIVE.set(live);
    TAKEN.set(TAKEN.get().wrapping_add(more as u64));
    if more >= NOTED && live > PEAK.get() {
        PEAK.set(live);
    }
}

/// Counts as the allocator of the program does, for tests, whose allocator is not metered.
#[cfg(test)]
pub(super) fn count_in_test(more: usize, less: usize) {
    count(more, less);
}

/// Bytes that this thread took, less those that it gave back.
pub(super) fn live() -> isize {
    LIVE.get()
}

/// Bytes that this thread ever took.
pub(super) fn taken() -> u64 {
    TAKEN.get()
}

/// The most that this thread had at once since [`restart_peak`].
pub(super) fn peak() -> isize {
    PEAK.get().max(LIVE.get())
}

/// Forgets what the thread had before.
pub(super) fn restart_peak() {
    PEAK.set(LIVE.get());
}

// SAFETY: every call goes to the inner allocator with the arguments that came, and what it returns is
// returned as it is. The counters are thread-local cells without destructors whose initial values are
// constants: reading and setting them allocates nothing and cannot unwind. Looking at what the process has
// reads a file that is open into a place of its own, and what it calls then is the inner allocator's own way
// to give memory back, between two of its calls.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Metered<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        make_room(layout.size());
        // SAFETY: the caller keeps the rules of this very method.
        let place = unsafe { self.0.alloc(layout) };
        if !place.is_null() {
            count(layout.size(), 0);
        }
        place
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller keeps the rules of this very method, and the place is the inner allocator's.
        unsafe { self.0.dealloc(place, layout) }
        resident::freed(layout.size());
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        make_room(layout.size());
        // SAFETY: the caller keeps the rules of this very method.
        let place = unsafe { self.0.alloc_zeroed(layout) };
        if !place.is_null() {
            count(layout.size(), 0);
        }
        place
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        make_room(size);
        // SAFETY: the caller keeps the rules of this very method, and the place is the inner allocator's.
        let moved = unsafe { self.0.realloc(place, layout, size) };
        if !moved.is_null() {
            count(size, layout.size());
            resident::freed(layout.size());
        }
        moved
    }
}

impl Exceeded {
    /// Gives up the work at hand: [`guarded`] returns this. Destructors run, no message is printed.
    pub fn give_up(self) -> ! {
        resume_unwind(Box::new(self))
    }
}

/// Does a piece of work, held to its share of memory.
///
/// # Errors
/// It met a check beyond its share. Other panics go on.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Exceeded> {
    guarded_within(part_memory(), work)
}

/// Reads a document of a run, held to what it may take in memory.
///
/// # Errors
/// As of [`guarded`].
pub fn guarded_document<T>(read: impl FnOnce() -> T) -> Result<T, Exceeded> {
    guarded_within(document_memory(), read)
}

fn guarded_within<T>(mut allowed: usize, work: impl FnOnce() -> T) -> Result<T, Exceeded> {
    let outer = (WORK.get(), THRESHOLD.get());
    let busy = outer.0.is_none().then(Busy::new);
    let base = LIVE.get();
    // Work inside of other work has no more than that has left.
    if let Some(outer) = outer.0 {
        allowed = allowed.min(outer.left());
    }
    let size = outer.0.map_or(Size::Small, |outer| outer.size);
    WORK.set(Some(Work {
        base,
        allowed,
        size,
    }));
    THRESHOLD.set(base.saturating_add_unsigned(size.most().min(allowed)));
    let turn = Turn::default();
    let done = catch_unwind(AssertUnwindSafe(work));
    // What the work waited for is free again when the outermost of its kind ends.
    drop(turn);
    drop(busy);
    WORK.set(outer.0);
    THRESHOLD.set(outer.1);
    done.map_err(|payload| match payload.downcast::<Exceeded>() {
        Ok(exceeded) => *exceeded,
        Err(other) => resume_unwind(other),
    })
}

/// What the work at hand of one thread leaves to others that do parts of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lent(Option<usize>);

/// What may be lent of the work at hand.
pub(super) fn lend() -> Lent {
    Lent(WORK.get().map(Work::left))
}

/// Does work of another thread, held to what is left of that. Returns what it took, which does not count here.
pub(super) fn borrowed<R>(lent: Lent, part: impl FnOnce() -> R) -> (R, isize) {
    let Lent(lent) = lent;
    let own = Own {
        live: LIVE.get(),
        threshold: THRESHOLD.get(),
        work: WORK.get(),
    };
    WORK.set(lent.map(|allowed| Work {
        base: own.live,
        allowed,
        // The work that it is of has its place, or asks for it when this is done.
        size: Size::Large,
    }));
    THRESHOLD.set(lent.map_or(isize::MAX, |allowed| {
        own.live.saturating_add_unsigned(allowed)
    }));
    let made = part();
    let taken = LIVE.get().wrapping_sub(own.live);
    drop(own);
    (made, taken)
}

/// Counts what other threads took for the work at hand.
pub(super) fn take_over(taken: isize) {
    LIVE.set(LIVE.get().wrapping_add(taken));
    PEAK.set(PEAK.get().max(LIVE.get()));
    check();
}

/// What a thread counts for itself, which comes back when this goes.
struct Own {
    live: isize,
    threshold: isize,
    work: Option<Work>,
}

impl Drop for Own {
    fn drop(&mut self) {
        LIVE.set(self.live);
        THRESHOLD.set(self.threshold);
        WORK.set(self.work);
    }
}

/// Gives up the work at hand when it has more memory than its share.
#[inline]
pub fn check() {
    if LIVE.get() > THRESHOLD.get()
        && let Err(exceeded) = ask(0)
    {
        exceeded.give_up();
    }
}

/// Whether the work at hand may take `bytes` more.
///
/// # Errors
/// They are more than its share.
#[inline]
pub fn room(bytes: usize) -> Result<(), Exceeded> {
    match LIVE.get().checked_add_unsigned(bytes) {
        Some(sum) if sum <= THRESHOLD.get() && bytes <= FREE_OF_CHECKS => Ok(()),
        _ => ask(bytes),
    }
}

/// Gives up the work at hand when it may not take `bytes` more. For code that has no errors to return.
pub fn claim(bytes: usize) {
    if let Err(exceeded) = room(bytes)
        && WORK.get().is_some()
    {
        exceeded.give_up();
    }
}

/// Gives up the work at hand when it has written `bytes` of one file as they came, if that is more than the memory that it
/// may take: what is not kept in memory has a bound all the same.
pub fn claim_written(bytes: u64) {
    let allowed = part_memory();
    let written = usize::try_from(bytes).unwrap_or(usize::MAX);
    if written > allowed && WORK.get().is_some() {
        Exceeded::memory(allowed, written).give_up();
    }
}

/// Appends to a list that grows with what a file says. While a full list moves, its old place and its new
/// one are taken together; so the new one is asked for before the move, and not noticed after it.
pub fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        let doubled = list.capacity().saturating_mul(2).max(4);
        claim(doubled.saturating_mul(size_of::<T>()));
    }
    list.push(item);
}

/// What may be taken at once by whoever runs outside of all work.
const FREE_OF_CHECKS: usize = 1 << 24;

#[cold]
fn ask(bytes: usize) -> Result<(), Exceeded> {
    let Some(work) = WORK.get() else {
        let allowed = part_memory();
        return if bytes > allowed {
            Err(Exceeded::memory(allowed, bytes))
        } else {
            Ok(())
        };
    };
    let used = usize::try_from(LIVE.get().wrapping_sub(work.base)).unwrap_or_default();
    let wanted = used.saturating_add(bytes);
    if wanted > work.allowed {
        return Err(Exceeded::memory(work.allowed, wanted));
    }
    let size = Size::of(wanted);
    if size > work.size {
        Turn::wait(size);
        WORK.set(Some(Work { size, ..work }));
        let most = size.most().min(work.allowed);
        THRESHOLD.set(work.base.saturating_add_unsigned(most));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The allocator of tests is not metered: only the size of the next move counts here.
    #[test]
    fn a_list_is_given_up_before_the_move_that_has_no_room() {
        let most = part_memory() / size_of::<u64>();
        let mut list = Vec::with_capacity(most / 2 + 1);
        list.resize(most / 2, 0_u64);
        let given_up = guarded(|| {
            push(&mut list, 1);
            push(&mut list, 2);
        });
        let given_up = given_up.unwrap_err().to_string();
        assert!(given_up.contains("limits.memory_mib"), "{given_up}");
        assert_eq!(list.last(), Some(&1));
    }

    #[test]
    fn files_have_a_bound_too() {
        let most = part_memory() as u64;
        assert_eq!(guarded(|| claim_written(most)), Ok(()));
        let given_up = guarded(|| claim_written(most + 1)).unwrap_err();
        assert!(given_up.to_string().contains("limits.memory_mib"));
    }

    #[test]
    fn work_beyond_its_share_is_given_up_and_other_panics_go_on() {
        let given_up = guarded(|| room(1 << 40).unwrap_or_else(|exceeded| exceeded.give_up()));
        assert!(given_up.unwrap_err().found.contains("1048576 MiB"));
        assert!(
            room(usize::MAX)
                .unwrap_err()
                .to_string()
                .contains("limits.memory_mib")
        );
        assert_eq!(guarded(|| 7), Ok(7));
        let panicked =
            std::panic::catch_unwind(|| guarded(|| std::panic::resume_unwind(Box::new(1))));
        assert!(panicked.is_err());
    }
}

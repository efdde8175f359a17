//! An allocator that counts the memory of each thread.
#![expect(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;

thread_local! {
    /// Bytes that this thread took, less those that it gave back.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    /// Bytes that this thread ever took.
    static TAKEN: Cell<u64> = const { Cell::new(0) };
    /// Greatest value of [`LIVE`] since [`restart_peak`], as looked at with all but small requests.
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// An allocator that counts what each thread takes.
#[derive(Debug, Default, Clone, Copy)]
pub struct Metered<A>(pub A);

/// Requests from this size on are looked at for [`PEAK`].
const NOTED: usize = 1 << 10;

/// Counts a change. Sizes of layouts fit an `isize`.
#[inline]
pub(super) fn count(more: usize, less: usize) {
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

/// Bytes that this thread took, less those that it gave back.
#[inline]
pub(super) fn live() -> isize {
    LIVE.get()
}

/// Sets [`live`], when what another thread took is counted here or not any more.
pub(super) fn set_live(live: isize) {
    LIVE.set(live);
    PEAK.set(PEAK.get().max(live));
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

// SAFETY: every call goes to the inner allocator with the arguments that came, and what it returns is returned as it is. The
// counters are thread-local cells without destructors whose initial values are constants: reading and setting them allocates
// nothing and cannot unwind.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Metered<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
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
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the rules of this very method.
        let place = unsafe { self.0.alloc_zeroed(layout) };
        if !place.is_null() {
            count(layout.size(), 0);
        }
        place
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the rules of this very method, and the place is the inner allocator's.
        let moved = unsafe { self.0.realloc(place, layout, size) };
        if !moved.is_null() {
            count(size, layout.size());
        }
        moved
    }
}

//! An allocator that counts the memory of each thread.
#![expect(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;

thread_local! {
    /// Bytes that this thread allocated, minus those that it freed.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    /// Total bytes that this thread allocated.
    static TAKEN: Cell<u64> = const { Cell::new(0) };
    /// Greatest value of [`LIVE`] since [`restart_peak`], updated with all but small requests.
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// An allocator that counts the allocations of each thread.
#[derive(Debug, Default, Clone, Copy)]
pub struct Metered<A>(pub A);

/// Smallest request that updates [`PEAK`].
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

/// Bytes that this thread allocated, minus those that it freed.
#[inline]
pub(super) fn live() -> isize {
    LIVE.get()
}

/// Sets [`live`], when allocations of another thread start or stop counting here.
pub(super) fn set_live(live: isize) {
    LIVE.set(live);
    PEAK.set(PEAK.get().max(live));
}

/// Total bytes that this thread allocated.
pub(super) fn taken() -> u64 {
    TAKEN.get()
}

/// Peak memory of this thread since [`restart_peak`].
pub(super) fn peak() -> isize {
    PEAK.get().max(LIVE.get())
}

/// Resets the peak.
pub(super) fn restart_peak() {
    PEAK.set(LIVE.get());
}

// SAFETY: every call goes to the inner allocator with its arguments unchanged, and its result is returned unchanged.
// The counters are thread-local cells without destructors whose initial values are constants: reading and setting them
// allocates nothing and cannot unwind.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Metered<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfills the contract of this very method.
        let place = unsafe { self.0.alloc(layout) };
        if !place.is_null() {
            count(layout.size(), 0);
        }
        place
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller fulfills the contract of this very method, and the pointer is the inner allocator's.
        unsafe { self.0.dealloc(place, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfills the contract of this very method.
        let place = unsafe { self.0.alloc_zeroed(layout) };
        if !place.is_null() {
            count(layout.size(), 0);
        }
        place
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller fulfills the contract of this very method, and the pointer is the inner allocator's.
        let moved = unsafe { self.0.realloc(place, layout, size) };
        if !moved.is_null() {
            count(size, layout.size());
        }
        moved
    }
}

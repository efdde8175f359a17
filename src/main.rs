//! The `relicast` program: a thin shell around the library.
#![expect(unsafe_code, reason = "the allocator, and what becomes of one signal")]

use std::alloc::{GlobalAlloc, Layout};
use std::process::ExitCode;

use mimalloc::MiMalloc;
use relicast::limits::Metered;

/// Decoding makes and drops very many small lists: worlds convert a fifth faster than with the allocator
/// of the C library. What is taken is counted, so that no input takes more than its share.
#[global_allocator]
static ALLOCATOR: Metered<Plainly> = Metered(Plainly);

/// mimalloc, asked without an alignment where it need not be told. Told one, it takes the place of a larger size, by a longer
/// way, for all sizes that are no power of two: crate `mimalloc` always tells.
struct Plainly;

/// What mimalloc aligns all places to that are at least as large, unasked (`MI_MAX_ALIGN_SIZE` of its `types.h`); smaller ones
/// are aligned to the greatest power of two that they hold, from 8 down.
const UNASKED: usize = 16;

/// Whether a place of this size that is asked for without an alignment has this one, a power of two.
#[inline]
const fn is_plain(size: usize, alignment: usize) -> bool {
    alignment <= UNASKED && alignment <= size
}

// SAFETY: places come from one allocator, which frees and moves all of them whether an alignment was told or not. A place
// without one is aligned as C has it for every object of that size, which is what `is_plain` asks for. The calls take any
// size, return null when there is no memory, and do not unwind; what they want of `place` is what the caller promises.
unsafe impl GlobalAlloc for Plainly {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match is_plain(layout.size(), layout.align()) {
            // SAFETY: as above.
            true => unsafe { libmimalloc_sys::mi_malloc(layout.size()) }.cast(),
            // SAFETY: the caller keeps the rules of this very method.
            false => unsafe { MiMalloc.alloc(layout) },
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match is_plain(layout.size(), layout.align()) {
            // SAFETY: as above.
            true => unsafe { libmimalloc_sys::mi_zalloc(layout.size()) }.cast(),
            // SAFETY: the caller keeps the rules of this very method.
            false => unsafe { MiMalloc.alloc_zeroed(layout) },
        }
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match is_plain(size, layout.align()) {
            // SAFETY: as above; bytes up to the smaller of both sizes move along.
            true => unsafe { libmimalloc_sys::mi_realloc(place.cast(), size) }.cast(),
            // SAFETY: the caller keeps the rules of this very method.
            false => unsafe { MiMalloc.realloc(place, layout, size) },
        }
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the rules of this very method.
        unsafe { MiMalloc.dealloc(place, layout) }
    }
}

/// Number of `mi_option_purge_delay` in the enumeration of mimalloc's header, version 2 and 3 alike.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;

/// Milliseconds until freed memory goes back to the system, where nobody else sees to it. Version 3 of the
/// allocator waits a second: what a large piece of work had would then count beside what the next one takes,
/// beyond the limit of a run.
const PURGE_AFTER: std::ffi::c_long = 10;

/// As good as never, and not a negative number, which forbids to give memory back when asked.
const PURGE_WHEN_ASKED: std::ffi::c_long = 86_400_000;

/// Not even when asked. The allocator asks when the process ends: all memory goes to the system then, at once and in less time
/// than piece by piece before.
const PURGE_NEVER: std::ffi::c_long = -1;

/// Gives back what the calling thread keeps in reserve and what is free.
fn give_back() {
    // SAFETY: the call has no conditions; any thread may make it at any time outside of the allocator.
    unsafe { libmimalloc_sys::mi_collect(true) };
}

fn main() -> ExitCode {
    // Where that cannot be said, more memory is taken and nothing else differs.
    relicast::limits::use_small_pages(&*Box::new(0_u64));
    let is_watched = relicast::limits::give_back_with(give_back);
    let delay = if is_watched {
        PURGE_WHEN_ASKED
    } else {
        PURGE_AFTER
    };
    // SAFETY: the call stores two integers; "not thread safe" it is, and no other thread runs yet.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, delay) };
    #[cfg(unix)]
    // SAFETY: the call changes what becomes of one signal, to what the system itself offers. A file beyond the size that the
    // user allows is then an error of writing, as a full disk is.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN)
    };
    let code = relicast::cli::run().into();
    // SAFETY: the call stores an integer, one aligned word: a thread of a pool that is about to end reads the old value or the
    // new one, and either is right for it.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, PURGE_NEVER) };
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes around those at which allocators go other ways.
    fn sizes() -> impl Iterator<Item = usize> {
        let large = [1 << 10, 8 << 10, 64 << 10, 1 << 20, 8 << 20];
        (1..=300).chain(large.into_iter().flat_map(|size| size - 1..=size + 1))
    }

    #[test]
    fn places_have_the_alignment_that_was_asked_for_however_they_come() {
        for power in 0..=8 {
            for size in sizes() {
                let layout = Layout::from_size_align(size, 1 << power).unwrap();
                let larger = Layout::from_size_align(size + size / 2 + 1, 1 << power).unwrap();
                // SAFETY: the sizes are not 0, each place is used within its size and freed once with its last layout.
                unsafe {
                    let plain = Plainly.alloc(layout);
                    assert!(plain.addr().is_multiple_of(layout.align()), "{layout:?}");
                    plain.write_bytes(0xA5, size);
                    let zeroed = Plainly.alloc_zeroed(layout);
                    assert!(zeroed.addr().is_multiple_of(layout.align()), "{layout:?}");
                    let bytes = std::slice::from_raw_parts(zeroed, size);
                    assert!(bytes.iter().all(|&byte| byte == 0), "{layout:?}");
                    let moved = Plainly.realloc(plain, layout, larger.size());
                    assert!(moved.addr().is_multiple_of(layout.align()), "{layout:?}");
                    let bytes = std::slice::from_raw_parts(moved, size);
                    assert!(bytes.iter().all(|&byte| byte == 0xA5), "{layout:?}");
                    let back = Plainly.realloc(moved, larger, 1);
                    assert!(back.addr().is_multiple_of(layout.align()), "{layout:?}");
                    assert_eq!(back.read(), 0xA5);
                    let smallest = Layout::from_size_align(1, layout.align()).unwrap();
                    Plainly.dealloc(back, smallest);
                    Plainly.dealloc(zeroed, layout);
                }
            }
        }
    }
}

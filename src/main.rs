//! The `relicast` program: a thin shell around the library.
#![expect(unsafe_code, reason = "the allocator, and what becomes of one signal")]

use std::process::ExitCode;

use mimalloc::MiMalloc;
use relicast::limits::Metered;

/// Decoding makes and drops very many small lists: worlds convert a fifth faster than with the allocator
/// of the C library. What is taken is counted, so that no input takes more than its share.
#[global_allocator]
static ALLOCATOR: Metered<MiMalloc> = Metered(MiMalloc);

/// Number of `mi_option_purge_delay` in the enumeration of mimalloc's header, version 2 and 3 alike.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;

/// Milliseconds until freed memory goes back to the system, where nobody else sees to it. Version 3 of the
/// allocator waits a second: what a large piece of work had would then count beside what the next one takes,
/// beyond the limit of a run.
const PURGE_AFTER: std::ffi::c_long = 10;

/// As good as never, and not a negative number, which forbids to give memory back when asked.
const PURGE_WHEN_ASKED: std::ffi::c_long = 86_400_000;

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
    relicast::cli::run().into()
}

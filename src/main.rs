//! The `relicast` program: a thin shell around the library.
#![expect(unsafe_code, reason = "the allocator, and what becomes of one signal")]

use std::process::ExitCode;

use mimalloc::MiMalloc;
use relicast::limits::Metered;

/// Decoding makes and drops very many small lists: worlds convert a fifth faster than with the allocator
/// of the C library. What is taken is counted, so that no input takes more than its share.
#[global_allocator]
static ALLOCATOR: Metered<MiMalloc> = Metered(MiMalloc);

fn main() -> ExitCode {
    #[cfg(unix)]
    // SAFETY: the call changes what becomes of one signal, to what the system itself offers. A file beyond the size that the
    // user allows is then an error of writing, as a full disk is.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN)
    };
    relicast::cli::run().into()
}

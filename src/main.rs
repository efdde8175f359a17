//! The `relicast` program: a thin shell around the library.

use std::process::ExitCode;

use mimalloc::MiMalloc;
use relicast::limits::Metered;

/// Decoding makes and drops very many small lists: worlds convert a fifth faster than with the allocator
/// of the C library. What is taken is counted, so that no input takes more than its share.
#[global_allocator]
static ALLOCATOR: Metered<MiMalloc> = Metered(MiMalloc);

fn main() -> ExitCode {
    #[cfg(unix)]
    ignore_signal_of_file_size();
    relicast::cli::run().into()
}

/// Makes a file beyond the size that the user allows an error of writing, as a full disk is.
#[cfg(unix)]
#[expect(unsafe_code, reason = "the safety comment below")]
fn ignore_signal_of_file_size() {
    // SAFETY: the call changes what becomes of one signal, to what the system itself offers.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

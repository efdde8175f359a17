//! The `relicast` program, a thin layer over the library.

use std::process::ExitCode;

use mimalloc::MiMalloc;
use relicast::limits::Metered;

/// Decoding allocates very many small lists: worlds convert a fifth faster than with the allocator of the C
/// library. Allocations are counted, so that no input exceeds its memory budget.
#[global_allocator]
static ALLOCATOR: Metered<MiMalloc> = Metered(MiMalloc);

fn main() -> ExitCode {
    #[cfg(unix)]
    ignore_signal_of_file_size();
    relicast::cli::run().into()
}

/// Turns writing beyond the user's file size limit into an error, like a full disk, instead of a signal.
#[cfg(unix)]
#[expect(unsafe_code, reason = "the safety comment below")]
fn ignore_signal_of_file_size() {
    // SAFETY: the call sets the disposition of one signal to a value that the system itself offers.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

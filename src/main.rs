//! The `relicast` program: a thin shell around the library.

use std::process::ExitCode;

use mimalloc::MiMalloc;
use relicast::limits::Metered;

/// Decoding makes and drops very many small lists: worlds convert a fifth faster than with the allocator
/// of the C library. What is taken is counted, so that no input takes more than its share.
#[global_allocator]
static ALLOCATOR: Metered<MiMalloc> = Metered(MiMalloc);

fn main() -> ExitCode {
    relicast::cli::run().into()
}

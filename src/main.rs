//! The `relicast` program: a thin shell around the library.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Decoding makes and drops very many small lists: worlds convert a fifth faster than with the allocator
/// of the C library.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    relicast::cli::run().into()
}

//! The `relicast` program: a thin shell around the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    relicast::cli::run().into()
}

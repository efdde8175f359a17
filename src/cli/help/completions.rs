//! `relicast completions`: prints a completion script for a shell.

use clap_complete::Shell;

use crate::cli::terminal::exit::Exit;
use crate::cli::terminal::lines::print;

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Shell to print the script for.
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Runs `completions` for `command`, the whole command line.
pub fn run(arguments: &Arguments, mut command: clap::Command) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "relicast", &mut script);
    print(String::from_utf8_lossy(&script).trim_end());
    Exit::Success
}

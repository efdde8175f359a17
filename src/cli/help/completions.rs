//! `relicast completions`: what a shell needs to complete arguments.

use clap_complete::Shell;

use crate::cli::terminal::exit::Exit;
use crate::cli::terminal::lines::print;

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The shell.
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

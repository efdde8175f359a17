//! The command line: arguments as typed, one file a subcommand. Everything that works lives below.

pub mod config;
pub mod convert;
pub mod inspect;
mod inspect_anim;
mod inspect_disc;
mod inspect_everquest;
mod log;
pub mod prove;
pub mod verify;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::pipeline::manifest::CONVERTER;
use crate::pipeline::progress::printable;

/// How a run ended, as the process tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Everything that was asked for was done.
    Success,
    /// Wrong arguments, configuration or input.
    Usage,
    /// Done, but some sources failed or something differs.
    Failures,
    /// Stopped by the user.
    Interrupted,
}

impl Exit {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Usage => 1,
            Self::Failures => 2,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Turns installs of late-1990s games into files that today's engines read.
///
/// Games: Recoil, MechWarrior 3, Pirate's Moon, Crimson Skies, EverQuest. Point `convert` at a folder
/// that holds an install, at disc images, or at single files.
#[derive(Debug, Parser)]
#[command(name = "relicast", version = CONVERTER, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 all done; 1 usage, configuration or input error; 2 finished, \
                          but some sources failed or something differs; 130 interrupted, run the \
                          same command again to go on.";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Convert installs or single files into an output folder.
    Convert(convert::Arguments),
    /// Tell what a file is and what is in it.
    Inspect(inspect::Arguments),
    /// Compare an output folder with golden hashes, or rewrite them.
    Verify(verify::Arguments),
    /// Decode and encode every source and compare with its bytes: proof that nothing is lost.
    Prove(prove::Arguments),
    /// Print or check a configuration.
    Config(config::Arguments),
}

/// The command line's definition, for man pages and shell completions.
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Runs the program with the process's arguments.
pub fn run() -> Exit {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are no errors, and a closed pipe is nobody's fault.
            let exit = match error.use_stderr() {
                true => Exit::Usage,
                false => Exit::Success,
            };
            let _ = error.print();
            return exit;
        }
    };
    match arguments.command {
        Command::Convert(arguments) => convert::run(arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Prove(arguments) => prove::run(&arguments),
        Command::Config(arguments) => config::run(&arguments),
    }
}

/// Prints an error for people and gives the exit code of a usage error.
///
/// Line breaks of the message itself (a configuration error shows the line) stay; names in it come
/// from the user's own command line.
fn usage(error: impl std::fmt::Display) -> Exit {
    eprintln!("error: {error}");
    Exit::Usage
}

/// Prints one line to standard output; control characters are spelled out.
fn print_line(line: &str) {
    print(&printable(line));
}

/// Writes to standard output; a reader that went away (`| head`) ends the program quietly.
fn print(text: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    let written = out
        .write_all(text.as_bytes())
        .and_then(|()| out.write_all(b"\n"));
    if written.is_err() {
        std::process::exit(i32::from(Exit::Success.code()));
    }
}

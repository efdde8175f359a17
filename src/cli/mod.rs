//! The command line: arguments as typed, one file a subcommand. Everything that works lives below.

pub mod config;
pub mod convert;
pub mod inspect;
mod inspect_anim;
mod inspect_disc;
mod inspect_everquest;
mod inspect_facts;
mod log;
pub mod prove;
pub mod verify;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::{CommandFactory, Parser, Subcommand};
use tracing::level_filters::LevelFilter;

use crate::pipeline::manifest::CONVERTER;
use crate::pipeline::progress::{Mode, Progress, printable};
use log::LogFormat;

/// Exit codes of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Everything that was asked for was done.
    Success,
    /// Wrong arguments, configuration or input.
    Usage,
    /// Done, but some sources failed or something differs.
    Failures,
    /// A fault of this program.
    Internal,
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
            Self::Internal => 101,
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
                          but some sources failed or something differs; 101 a fault of relicast \
                          itself, please report it; 130 interrupted, run the same command again to \
                          go on.";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Convert installs or single files into an output folder.
    Convert(convert::Arguments),
    /// Tell what a file is and what is in it.
    Inspect(inspect::Arguments),
    /// Compare an output folder with its manifest or with golden hashes, or rewrite these.
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
    log::catch_panics();
    let exit = guarded(|| match Arguments::try_parse() {
        Ok(arguments) => dispatch(arguments),
        Err(error) => refuse(&error),
    });
    match (output_fault(), exit) {
        (Some(fault), Exit::Success) => {
            usage(format_args!("cannot write to standard output: {fault}"))
        }
        (_, exit) => exit,
    }
}

/// The exit code of `work`. A panic was logged before and has an exit code of its own.
fn guarded(work: impl FnOnce() -> Exit) -> Exit {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Exit::Internal)
}

/// Prints the error in the arguments, or the help or version that they ask for.
fn refuse(error: &clap::Error) -> Exit {
    if !error.use_stderr() {
        print(error.render().to_string().trim_end());
        return Exit::Success;
    }
    if log::asks_for_json(std::env::args_os()) {
        let progress = Progress::new(Mode::Silent);
        log::start(LevelFilter::ERROR, LogFormat::Json, &progress);
        return usage(error.render().to_string().trim_end());
    }
    // Nobody takes it when standard error is closed.
    let _ = error.print();
    Exit::Usage
}

fn dispatch(arguments: Arguments) -> Exit {
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
    log::fatal(error, Exit::Usage);
    Exit::Usage
}

/// Prints one line to standard output; control characters are spelled out.
fn print_line(line: &str) {
    print(&printable(line));
}

/// Why standard output takes nothing more, once it did not.
static OUTPUT_FAULT: OnceLock<io::Error> = OnceLock::new();

/// Writes to standard output. Errors are ignored, because they must not stop the run.
fn print(text: &str) {
    if OUTPUT_FAULT.get().is_some() {
        return;
    }
    let mut out = io::stdout().lock();
    let written = out
        .write_all(text.as_bytes())
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush());
    if let Err(fault) = written {
        // The first one tells why.
        let _ = OUTPUT_FAULT.set(fault);
    }
}

/// The error of standard output, if there was one. A closed pipe (`| head`) is no error.
fn output_fault() -> Option<&'static io::Error> {
    let fault = OUTPUT_FAULT.get()?;
    (fault.kind() != io::ErrorKind::BrokenPipe).then_some(fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_exit_code_that_the_help_tells_of() {
        assert_eq!(guarded(|| Exit::Failures), Exit::Failures);
        let exit = guarded(|| panic!("a test of what happens then"));
        assert_eq!(exit, Exit::Internal);
        assert!(EXIT_CODES.contains(&exit.code().to_string()));
    }
}

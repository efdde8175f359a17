//! The program: its arguments, and what is done for each subcommand.

use std::panic::{AssertUnwindSafe, catch_unwind};

use clap::{CommandFactory, Parser, Subcommand};
use tracing::level_filters::LevelFilter;

use super::exit::Exit;
use super::lines::{output_fault, print, usage};
use super::log::{self, LogFormat};
use super::progress::{Mode, ProgressDisplay};
use super::{
    apply, census, collection, completions, config, convert, diff, doctor, formats, gallery,
    identify, inspect, man, merge, pack, package, plan, prove, report, restore, schema, serve,
    store, verify,
};
use crate::pipeline::manifest::CONVERTER;

/// Turns installs of late-1990s games into files that today's engines read.
///
/// Games: Recoil, MechWarrior 3, Pirate's Moon, Crimson Skies, EverQuest. Point `convert` at a folder
/// that holds an install, at disc images, or at single files.
#[derive(Debug, Parser)]
#[command(name = "relicast", version = CONVERTER, long_version = LONG_VERSION, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 all done; 1 usage, configuration or input error; 2 finished, \
                          but some sources failed or something differs; 101 a fault of relicast \
                          itself, please report it; 130 interrupted, run the same command again to \
                          go on.";

/// Version, and what the program was built from.
const LONG_VERSION: &str = concat!(
    env!("RELICAST_VERSION"),
    "\ncommit: ",
    env!("RELICAST_COMMIT"),
    "\ndate:   ",
    env!("RELICAST_DATE")
);

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Convert installs or single files into an output folder.
    Convert(convert::Arguments),
    /// Cut the work of a conversion into shards for several machines.
    Plan(plan::Arguments),
    /// Join the output folders of all shards: what one run leaves.
    Merge(merge::Arguments),
    /// Tell what a file is and what is in it.
    Inspect(inspect::Arguments),
    /// Tell which edition of which game an input is, what it lacks, and what is not known of it.
    Identify(identify::Arguments),
    /// Count what an input holds, and compare the numbers with published ones.
    Census(census::Arguments),
    /// Tell what differs between two output folders, installs, disc images or files.
    Diff(diff::Arguments),
    /// Compare an output folder with its manifest or with golden hashes, or rewrite these.
    Verify(verify::Arguments),
    /// Package an output folder for a repository: BagIt, RO-Crate, PREMIS.
    Package(package::Arguments),
    /// Put what was edited in an output folder back into game files, into a folder of their own or into the install.
    Pack(pack::Arguments),
    /// Make game files from a patch that `pack` wrote.
    Apply(apply::Arguments),
    /// Undo what was packed into an install.
    Restore(restore::Arguments),
    /// Index the output folders of many discs: one page and one JSON document.
    Collection(collection::Arguments),
    /// Look after a store that runs share their outputs in.
    Store(store::Arguments),
    /// Look at an output folder in the browser.
    Serve(serve::Arguments),
    /// Write pages that show an output folder in the browser, for any web server or none.
    Gallery(gallery::Arguments),
    /// Write what a run did as one page for people.
    Report(report::Arguments),
    /// Decode and encode every source and compare with its bytes: proof that nothing is lost.
    Prove(prove::Arguments),
    /// Print or check a configuration.
    Config(config::Arguments),
    /// Tell which formats are known, by what they are told and what becomes of them.
    Formats(formats::Arguments),
    /// Print what a kind of document looks like, as JSON Schema, or list the kinds.
    Schema(schema::Arguments),
    /// Print what a shell needs to complete arguments.
    Completions(completions::Arguments),
    /// Print the manual, or write its pages.
    Man(man::Arguments),
    /// Tell what is at hand on this machine, and what is missing for what.
    Doctor(doctor::Arguments),
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
        let progress = ProgressDisplay::new(Mode::Silent);
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
        Command::Plan(arguments) => plan::run(arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Identify(arguments) => identify::run(&arguments),
        Command::Census(arguments) => census::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Prove(arguments) => prove::run(&arguments),
        Command::Config(arguments) => config::run(&arguments),
        Command::Formats(arguments) => formats::run(&arguments),
        Command::Pack(arguments) => pack::run(&arguments),
        Command::Apply(arguments) => apply::run(&arguments),
        Command::Restore(arguments) => restore::run(&arguments),
        Command::Package(arguments) => package::run(&arguments),
        Command::Collection(arguments) => collection::run(&arguments),
        Command::Store(arguments) => store::run(&arguments),
        Command::Serve(arguments) => serve::run(arguments),
        Command::Gallery(arguments) => gallery::run(arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments, command()),
        Command::Man(arguments) => man::run(&arguments, command()),
        Command::Doctor(arguments) => doctor::run(&arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples;
    use super::*;

    /// The words that a shell makes of an example, up to where its output goes.
    fn words(line: &str) -> Vec<String> {
        let words = line.split_whitespace();
        let words = words.take_while(|word| !matches!(*word, ">" | "|"));
        let words = words.map(|word| word.trim_matches('\'').to_owned());
        std::iter::once("relicast".to_owned())
            .chain(words)
            .collect()
    }

    #[test]
    fn every_subcommand_has_examples_and_they_are_command_lines() {
        for subcommand in command().get_subcommands() {
            let name = subcommand.get_name();
            let examples = examples::of(name);
            assert!(!examples.is_empty(), "{name} has no example");
            for (_, line) in examples {
                assert!(line.starts_with(name), "{line}");
                let parsed = Arguments::try_parse_from(words(line));
                assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
            }
        }
    }

    #[test]
    fn a_panic_is_an_exit_code_that_the_help_tells_of() {
        assert_eq!(guarded(|| Exit::Failures), Exit::Failures);
        let exit = guarded(|| panic!("a test of what happens then"));
        assert_eq!(exit, Exit::Internal);
        assert!(EXIT_CODES.contains(&exit.code().to_string()));
    }
}

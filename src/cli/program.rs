//! Arguments of the program, and the dispatch to subcommands.

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use clap::error::ErrorKind;
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use tracing::level_filters::LevelFilter;

use super::help::{completions, examples, formats, groups, man, schema, wrong_arguments};
use super::terminal::console::print_error_line;
use super::terminal::exit::{EXIT_CODES, Exit};
use super::terminal::lines::{output_fault, print, usage};
use super::terminal::log::{self, LogFormat};
use super::terminal::progress::{Mode, ProgressDisplay};
use super::{
    apply, census, collection, config, convert, diff, doctor, gallery, identify, inspect, merge,
    pack, package, plan, prove, report, restore, serve, store, verify,
};
use crate::pipeline::report::manifest::CONVERTER;

/// Converts installs of late-1990s games to glTF, PNG, WAV and JSON.
///
/// Games: Recoil, MechWarrior 3, Pirate's Moon, Crimson Skies, EverQuest. Run `convert` on an install folder,
/// on disc images or on single files.
#[derive(Debug, Parser)]
#[command(name = "relicast", version = CONVERTER, long_version = LONG_VERSION, max_term_width = 100, color = ColorChoice::Never)]
pub struct Arguments {
    /// Subcommand to run.
    #[command(subcommand)]
    pub command: Command,
}

/// Version, and the commit and date of the build.
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
    /// Convert an install, a disc image or files into an output folder.
    Convert(convert::Arguments),
    /// Split a conversion into shards for several machines.
    Plan(plan::Arguments),
    /// Join the output folders of shards.
    Merge(merge::Arguments),
    /// Print the kind and contents of a file.
    Inspect(inspect::Arguments),
    /// Detect the game and edition, and list missing files.
    Identify(identify::Arguments),
    /// Count the contents of an input and compare with published counts.
    Census(census::Arguments),
    /// Compare two output folders, installs, disc images or files.
    Diff(diff::Arguments),
    /// Check an output folder against its manifest or golden hashes.
    Verify(verify::Arguments),
    /// Package an output folder for a repository (BagIt, RO-Crate).
    Package(package::Arguments),
    /// Pack edited outputs into game files.
    Pack(pack::Arguments),
    /// Make game files from a patch.
    Apply(apply::Arguments),
    /// Restore the originals after `pack --in-place`.
    Restore(restore::Arguments),
    /// Index the output folders of many discs.
    Collection(collection::Arguments),
    /// Maintain a store of outputs that several runs share.
    Store(store::Arguments),
    /// Browse an output folder in a web browser.
    Serve(serve::Arguments),
    /// Write an output folder as static web pages.
    Gallery(gallery::Arguments),
    /// Write the report of a run as one HTML page.
    Report(report::Arguments),
    /// Prove lossless decoding: decode, encode and compare.
    Prove(prove::Arguments),
    /// Print or validate a configuration.
    Config(config::Arguments),
    /// List the supported formats.
    Formats(formats::Arguments),
    /// Print the JSON Schema of a kind of document.
    Schema(schema::Arguments),
    /// Print a completion script for a shell.
    Completions(completions::Arguments),
    /// Read the manual, or write its pages.
    Man(man::Arguments),
    /// Check the environment: ffmpeg, disk space, memory.
    Doctor(doctor::Arguments),
}

/// Definition of the command line: commands in groups, each with examples in its help.
pub fn command() -> clap::Command {
    let program = Arguments::command();
    let template = groups::template(&program);
    let names = program.get_subcommands().map(clap::Command::get_name);
    let names: Vec<String> = names.map(str::to_owned).collect();
    let examples = examples::help_of("relicast");
    let program = program
        .help_template(template)
        .after_help(format!("{examples}\n\n{EXIT_CODES}"));
    let with_examples = |program: clap::Command, name: &String| {
        program.mut_subcommand(name, |command| with_examples(command, name))
    };
    names.iter().fold(program, with_examples)
}

/// Adds examples to a command and its subcommands.
fn with_examples(command: clap::Command, path: &str) -> clap::Command {
    let names = command.get_subcommands().map(clap::Command::get_name);
    let names: Vec<String> = names.map(str::to_owned).collect();
    let command = command.after_help(examples::help_of(path));
    let inner = |command: clap::Command, name: &String| {
        let path = format!("{path} {name}");
        command.mut_subcommand(name, |inner| with_examples(inner, &path))
    };
    names.iter().fold(command, inner)
}

/// Arguments of the process.
fn arguments() -> Result<Arguments, clap::Error> {
    let matches = command().try_get_matches()?;
    Arguments::from_arg_matches(&matches)
}

/// Runs the program with the process's arguments.
pub fn run() -> Exit {
    log::catch_panics();
    let exit = catch_panic(|| match arguments() {
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

/// Runs `work` and returns its exit code. A panic was logged before and has an exit code of its own.
fn catch_panic(work: impl FnOnce() -> Exit) -> Exit {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Exit::Internal)
}

/// Prints the error in the arguments, or the help or version that they request.
fn refuse(error: &clap::Error) -> Exit {
    if !error.use_stderr() {
        print(error.render().to_string().trim_end());
        return Exit::Success;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        print_error_line(error.render().to_string().trim_end());
        return Exit::Usage;
    }
    if log::asks_for_json(std::env::args_os()) {
        let progress = ProgressDisplay::new(Mode::Silent);
        log::start(LevelFilter::ERROR, LogFormat::Json, &progress);
    }
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    usage(wrong_arguments::line(error, &command(), &words))
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
    use super::*;

    /// Splits an example into words as a shell does, up to a redirection.
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
            assert!((2..=3).contains(&examples.len()), "{name}");
            for (_, line) in examples {
                assert!(line.starts_with(name), "{line}");
                let parsed = Arguments::try_parse_from(words(line));
                assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
            }
        }
    }

    #[test]
    fn every_command_is_in_one_group() {
        let program = command();
        let grouped = groups::GROUPS.iter().flat_map(|(_, names)| *names);
        let mut grouped: Vec<&str> = grouped.copied().collect();
        let known = program.get_subcommands().map(clap::Command::get_name);
        let mut known: Vec<&str> = known.collect();
        grouped.sort_unstable();
        known.sort_unstable();
        assert_eq!(grouped, known);
    }

    #[test]
    fn a_panic_is_an_exit_code_that_the_help_lists() {
        assert_eq!(catch_panic(|| Exit::Failures), Exit::Failures);
        let exit = catch_panic(|| panic!("a test of what happens then"));
        assert_eq!(exit, Exit::Internal);
        assert!(EXIT_CODES.contains(&exit.code().to_string()));
    }
}

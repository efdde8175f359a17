//! `relicast apply`: makes game files from a patch.

use std::path::PathBuf;

use super::pack::{Where, print_files, print_removed};
use super::terminal::exit::Exit;
use super::terminal::lines::{print_line, usage};
use crate::pack::apply;
use relicast_codec::quantity::counted;

/// Arguments of `apply`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Patch file, made by `relicast pack --patch`.
    #[arg(value_name = "PATCH")]
    patch: PathBuf,
    /// Install that the patch was made for.
    #[arg(long, value_name = "INSTALL")]
    from: PathBuf,
    #[command(flatten)]
    destination: Where,
    /// Show what would change and write nothing.
    #[arg(long)]
    check: bool,
}

/// Runs `apply`.
pub fn run(arguments: &Arguments) -> Exit {
    let Arguments {
        patch, from, check, ..
    } = arguments;
    if let Some(problem) = arguments.destination.refusal() {
        return usage(problem);
    }
    let applied = match apply(patch, from, &arguments.destination.destination(), *check) {
        Ok(applied) => applied,
        Err(error) => return usage(error),
    };
    print_removed(&applied.removed, &arguments.destination);
    print_files(&applied.files);
    let done = match check {
        true => "would be written to",
        false => "written to",
    };
    print_line(&format!(
        "{}, {done} {}",
        counted(applied.files.len(), "game file", "game files"),
        arguments.destination.name(from)
    ));
    Exit::Success
}

//! `cargo xtask properties`: the properties of runs, tried exhaustively.

use crate::Outcome;
use crate::process::{cargo, run, shown};

/// Try the properties of runs exhaustively: takes minutes.
///
/// Every file of every sample install is replaced, damaged, removed and restored, and every setting is
/// changed; each time a second run must leave what a fresh run leaves. Then damaged worlds are read and
/// converted in more variants than the tests try, and random edits of outputs of every kind are packed and
/// undone.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only the properties whose name contains this.
    filter: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// A property does not hold, or the tests cannot be built.
pub fn run_properties(arguments: &Arguments) -> Outcome {
    let mut command = cargo();
    command.args([
        "test",
        "--package",
        "relicast-samples",
        "--release",
        "--lib",
        "--",
    ]);
    command.args(["--ignored"]).args(&arguments.filter);
    println!("{} …", shown(&command));
    run(&mut command)?;
    let mut command = cargo();
    command.args(["test", "--package", "relicast", "--release"]);
    command.args(["--test", "zipper", "--", "hostile"]);
    command.env("RELICAST_THOROUGH", "1");
    println!("{} …", shown(&command));
    run(&mut command)?;
    let mut command = cargo();
    command.args(["test", "--package", "relicast", "--release"]);
    command.args(["--test", "pack", "--", "random::edits"]);
    command.env("RELICAST_THOROUGH", "1");
    println!("{} …", shown(&command));
    run(&mut command)
}

//! `cargo xtask properties`: the properties of runs, tried exhaustively.

use crate::Outcome;
use crate::process::{cargo, run, shown};

/// Try the properties of runs exhaustively: may take hours.
///
/// Every file of every sample install is replaced, damaged, removed and restored, and every setting is
/// changed; each time a second run must leave what a fresh run leaves. Then all tests of relicast run with more rounds:
/// more damaged files, and random edits of outputs of every kind, packed and undone.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only the properties whose name contains this.
    filter: Option<String>,
}

/// Tries all properties.
///
/// # Errors
/// As [`run_properties`].
pub fn run_all() -> Outcome {
    run_properties(&Arguments { filter: None })
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
    command.args(["test", "--package", "relicast", "--release", "--tests"]);
    if let Some(filter) = &arguments.filter {
        command.args(["--", filter]);
    }
    command.env("RELICAST_THOROUGH", "1");
    println!("{} …", shown(&command));
    run(&mut command)
}

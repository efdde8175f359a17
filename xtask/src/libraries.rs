//! Builds of the libraries alone: without the program, and without the features that other crates ask for.

use std::fs;

use crate::Outcome;
use crate::process::{cargo, exit_code, workspace};
use crate::tally::Tally;

/// Checks `relicast` and each crate below it.
///
/// # Errors
/// Cargo cannot be run.
pub fn checks() -> Outcome<Tally> {
    let mut crates = vec!["relicast".to_owned()];
    for folder in fs::read_dir(workspace().join("crates"))? {
        crates.push(folder?.file_name().to_string_lossy().into_owned());
    }
    crates.sort();
    let mut tally = Tally::default();
    for name in crates {
        tally += check(&name)?;
    }
    Ok(tally)
}

/// Checks one crate.
///
/// # Errors
/// Cargo cannot be run.
pub fn check(name: &str) -> Outcome<Tally> {
    let mut check = cargo();
    check.args(["check", "--quiet", "--locked", "--package", name]);
    check.args(["--lib", "--no-default-features"]);
    let mut tally = Tally::default();
    let is_good = exit_code(&mut check)? == Some(0);
    tally.check(format!("{name} builds alone"), is_good);
    Ok(tally)
}

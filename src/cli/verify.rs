//! `relicast verify`: compares an output folder with golden hashes.

use std::path::{Path, PathBuf};

use super::{Exit, print_line, usage};
use crate::golden::{self, Golden};

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The output folder.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// The golden file.
    #[arg(long, value_name = "FILE")]
    golden: PathBuf,
    /// Rewrite the golden file from the output folder.
    #[arg(long)]
    bless: bool,
}

/// Runs `verify`.
pub fn run(arguments: &Arguments) -> Exit {
    if arguments.bless {
        return bless(&arguments.out, &arguments.golden);
    }
    compare(&arguments.out, &arguments.golden, false)
}

fn bless(out: &Path, golden: &Path) -> Exit {
    let saved = Golden::of_folder(out).and_then(|hashes| {
        hashes.save(golden)?;
        Ok(hashes.outputs.len())
    });
    match saved {
        Ok(count) => {
            print_line(&format!("{count} outputs written to {}", golden.display()));
            Exit::Success
        }
        Err(error) => usage(error),
    }
}

/// Compares the folder with the golden file and prints what differs; `quiet` leaves the rest out.
pub(super) fn compare(out: &Path, golden: &Path, quiet: bool) -> Exit {
    let expected = match Golden::load(golden) {
        Ok(expected) => expected,
        Err(error) => return usage(error),
    };
    let actual = match Golden::of_folder(out) {
        Ok(actual) => actual,
        Err(error) => return usage(error),
    };
    let comparison = golden::compare(&actual, &expected);
    for difference in &comparison.differences {
        print_line(&difference.to_string());
    }
    let (mut added, mut missing, mut different) = (0, 0, 0);
    for difference in &comparison.differences {
        match difference {
            golden::Difference::Added(_) => added += 1,
            golden::Difference::Missing(_) => missing += 1,
            golden::Difference::Different { .. } => different += 1,
        }
    }
    if !quiet {
        print_line(&format!(
            "{} equal, {added} added, {missing} missing, {different} different",
            comparison.equal
        ));
    }
    match comparison.differences.is_empty() {
        true => Exit::Success,
        false => Exit::Failures,
    }
}

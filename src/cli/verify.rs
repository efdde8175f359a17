//! `relicast verify`: compares an output folder with its manifest, or with golden hashes.

use relicast_codec::quantity::{counted, thousands};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::output_folder;
use super::terminal::exit::Exit;
use super::terminal::lines::{print, print_line, usage};
use super::terminal::log::remark;
use super::terminal::progress::with_bar;
use crate::golden::{self, Golden};
use crate::package::{bagit, digest};
use crate::pipeline::report::manifest;

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folder, or a BagIt bag.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Golden file to compare with instead of the folder's own manifest.
    #[arg(long, value_name = "FILE")]
    golden: Option<PathBuf>,
    /// Rewrite the golden file from the output folder.
    #[arg(long, requires = "golden")]
    bless: bool,
    /// Print the SHA-256 of the manifest and of every unchanged output, for `sha256sum -c` in the output
    /// folder. Problems are printed to standard error.
    #[arg(long, conflicts_with = "golden")]
    sha256: bool,
}

/// Runs `verify`.
pub fn run(arguments: &Arguments) -> Exit {
    let is_converted = arguments.golden.is_none() && !bagit::is_bag(&arguments.out);
    if is_converted && let Err(ended) = output_folder::expect(&arguments.out) {
        return ended;
    }
    match &arguments.golden {
        None if arguments.sha256 => sums(&arguments.out),
        None if bagit::is_bag(&arguments.out) => check_bag(&arguments.out),
        None => check(&arguments.out),
        Some(golden) if arguments.bless => bless(&arguments.out, golden),
        Some(golden) => compare(&arguments.out, golden, false),
    }
}

/// Compares every output with the manifest. Files that are not in it are listed but are not an error.
fn check(out: &Path) -> Exit {
    let checked = match with_bar(false, |bar| golden::check_written(out, bar)) {
        Ok(checked) => checked,
        Err(error) => return usage(error),
    };
    for fault in &checked.faults {
        print_line(&fault.to_string());
    }
    let of_manifest = checked.faults_of_manifest();
    for fault in &of_manifest {
        print_line(&fault.to_string());
    }
    for path in &checked.extra {
        print_line(&format!("extra      {path}"));
    }
    let missing = |fault: &&golden::Fault| matches!(fault, golden::Fault::Missing(_));
    let missing = checked.faults.iter().filter(missing).count();
    print_line(&format!(
        "{} as written, {} missing, {} changed, {} extra",
        thousands(checked.equal as u64),
        thousands(missing as u64),
        thousands((checked.faults.len() - missing) as u64),
        thousands(checked.extra.len() as u64)
    ));
    if !checked.complete {
        print_line("the last run was interrupted: run it again to convert the rest");
    }
    if checked.faults.is_empty() && of_manifest.is_empty() {
        Exit::Success
    } else {
        Exit::Failures
    }
}

/// Compares every file of a bag with its manifests.
fn check_bag(bag: &Path) -> Exit {
    let checked = match with_bar(false, |bar| bagit::check(bag, bar)) {
        Ok(checked) => checked,
        Err(error) => return usage(format_args!("cannot read {}: {error}", bag.display())),
    };
    checked.faults.iter().for_each(|fault| print_line(fault));
    let (equal, wrong) = (checked.equal, checked.faults.len());
    print_line(&format!(
        "bag: {} its manifests, {}",
        counted(equal, "file matches", "files match"),
        counted(wrong, "error", "errors")
    ));
    match wrong {
        0 => Exit::Success,
        _ => Exit::Failures,
    }
}

/// Prints the checksums of unchanged outputs and reports the others.
fn sums(out: &Path) -> Exit {
    let checked = match with_bar(false, |bar| golden::check_written(out, bar)) {
        Ok(checked) => checked,
        Err(error) => return usage(error),
    };
    let mut paths = checked.as_written.clone();
    paths.push(manifest::FILE_NAME.to_owned());
    paths.sort();
    let sum = |path: &String| -> Result<String, (String, io::Error)> {
        let digests =
            File::open(out.join(path)).and_then(|file| digest::copy(file, &mut io::sink()));
        let digests = digests.map_err(|fault| (path.clone(), fault))?;
        Ok(digest::sum_line(&digests.sha256, path))
    };
    let mut text = String::new();
    let of_manifest = checked.faults_of_manifest();
    let wrong = checked.faults.iter().chain(&of_manifest);
    let mut wrong: Vec<String> = wrong.map(ToString::to_string).collect();
    for sum in paths.par_iter().map(sum).collect::<Vec<_>>() {
        match sum {
            Ok(line) => text.push_str(&line),
            Err((path, fault)) => wrong.push(format!("changed    {path}: cannot be read: {fault}")),
        }
    }
    print(text.trim_end());
    wrong.iter().for_each(|line| remark("changed", line));
    match wrong.is_empty() {
        true => Exit::Success,
        false => Exit::Failures,
    }
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

/// Compares the folder with the golden file and prints the differences; `quiet` prints nothing else.
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
    if comparison.differences.is_empty() {
        Exit::Success
    } else {
        Exit::Failures
    }
}

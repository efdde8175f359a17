//! The script that folders for Blender have, run in Blender as a module of Python, and what it made compared with the
//! glTF files by `xtask/engine/check_blender.py`.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::converted_samples;
use crate::Outcome;
use crate::process::{tested_program, workspace};
use crate::python;
use crate::tally::Tally;

/// Folders of xtask/ that list the packages of each version of Blender that is promised.
pub(super) const VERSIONS: [&str; 3] = ["blender-4.2", "blender-4.5", "blender-5.0"];

/// Every level and model of a folder, or of the samples.
///
/// # Errors
/// The samples cannot be written, or the script cannot be run.
pub(super) fn checks(samples: &[String], folder: Option<&Path>) -> Outcome<Tally> {
    let mut tally = Tally::default();
    for version in VERSIONS {
        let interpreter = match python::ensure(version) {
            Ok(interpreter) => interpreter,
            Err(why) => {
                let what = format!("{version} as a module of Python 3.11");
                tally.skip(what, why.to_string());
                continue;
            }
        };
        match folder {
            Some(folder) => tally += check(&interpreter, version, "given", folder)?,
            None => tally += of_samples(&interpreter, version, &tested_program()?, samples)?,
        }
    }
    Ok(tally)
}

/// The variant of every test run: one sample, in the newest version of Blender that is installed.
pub(super) fn small(program: &Path) -> Outcome<Tally> {
    let installed = |version: &'static str| Some((version, python::installed(version)?));
    match VERSIONS.into_iter().rev().find_map(installed) {
        Some((version, interpreter)) => {
            of_samples(&interpreter, version, program, &["eq".to_owned()])
        }
        None => {
            let mut tally = Tally::default();
            tally.skip(
                "folders in Blender",
                "Blender is not installed; `cargo xtask engine blender` installs it",
            );
            Ok(tally)
        }
    }
}

fn of_samples(
    interpreter: &Path,
    version: &str,
    program: &Path,
    only: &[String],
) -> Outcome<Tally> {
    let mut tally = Tally::default();
    for (name, folder) in converted_samples(program, only, "blender")? {
        tally += check(interpreter, version, &name, &folder)?;
    }
    Ok(tally)
}

fn check(interpreter: &Path, version: &str, name: &str, folder: &Path) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let script = workspace().join("xtask/engine/check_blender.py");
    let output = Command::new(interpreter).arg(script).arg(folder).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let report = text
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("CHECK "));
    let Some(report) = report else {
        let said = String::from_utf8_lossy(&output.stderr);
        tally.check(
            format_args!("{name}: {version} ran to its end\n{text}\n{said}"),
            false,
        );
        return Ok(tally);
    };
    let report: Value = serde_json::from_str(report)?;
    let passed = report["passed"].as_u64().unwrap_or_default();
    tally.passed += passed;
    for what in report["failed"].as_array().into_iter().flatten() {
        let what = what.as_str().unwrap_or_default();
        tally.check(format_args!("{name}, {version}: {what}"), false);
    }
    println!("{name}: {passed} checks in {version} passed");
    Ok(tally)
}

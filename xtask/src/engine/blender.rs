//! The script that folders for Blender have, run in Blender as a module of Python, and what it made compared with the glTF
//! files by `xtask/engine/check_blender.py`.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::converted_samples;
use crate::Outcome;
use crate::process::{tested_program, workspace};
use crate::python;
use crate::tally::Tally;

/// Folder of xtask/ that lists the packages.
const PACKAGES: &str = "blender";

/// Every level and model of a folder, or of the samples.
///
/// # Errors
/// The samples cannot be written, or the script cannot be run.
pub(super) fn checks(samples: &[String], folder: Option<&Path>) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let interpreter = match python::ensure(PACKAGES) {
        Ok(interpreter) => interpreter,
        Err(why) => {
            tally.skip("Blender as a module of Python 3.11", why.to_string());
            return Ok(tally);
        }
    };
    match folder {
        Some(folder) => tally += check(&interpreter, "given", folder)?,
        None => tally += of_samples(&interpreter, &tested_program()?, samples)?,
    }
    Ok(tally)
}

/// The variant of every test run: where Blender was installed before.
pub(super) fn small(program: &Path) -> Outcome<Tally> {
    let mut tally = Tally::default();
    match python::installed(PACKAGES) {
        Some(interpreter) => {
            tally += of_samples(&interpreter, program, &["mw".to_owned(), "eq".to_owned()])?;
        }
        None => tally.skip(
            "folders in Blender",
            "it is not at hand; `cargo xtask engine blender` installs it",
        ),
    }
    Ok(tally)
}

fn of_samples(interpreter: &Path, program: &Path, only: &[String]) -> Outcome<Tally> {
    let mut tally = Tally::default();
    for (name, folder) in converted_samples(program, only, "blender")? {
        tally += check(interpreter, &name, &folder)?;
    }
    Ok(tally)
}

fn check(interpreter: &Path, name: &str, folder: &Path) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let script = workspace().join("xtask/engine/check_blender.py");
    let output = Command::new(interpreter).arg(script).arg(folder).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let told = text
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("CHECK "));
    let Some(told) = told else {
        let said = String::from_utf8_lossy(&output.stderr);
        tally.check(
            format_args!("{name}: Blender came to the end of it\n{text}\n{said}"),
            false,
        );
        return Ok(tally);
    };
    let told: Value = serde_json::from_str(told)?;
    let passed = told["passed"].as_u64().unwrap_or_default();
    tally.passed += passed;
    for what in told["failed"].as_array().into_iter().flatten() {
        let what = what.as_str().unwrap_or_default();
        tally.check(format_args!("{name}: {what}"), false);
    }
    println!("{name}: {passed} checks in Blender passed");
    Ok(tally)
}

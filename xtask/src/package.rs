//! Checks of packages with third-party programs: bags by the library of the Library of Congress, RO-Crates by
//! their validator, archives by the system's own tools.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::demo;
use crate::process::{exists, exit_code, remove_folder, tested_program, workspace};
use crate::tally::Tally;
use crate::{npm, python};

/// Title of the check that is made if the tools are installed.
const WHAT: &str = "packages are valid for `bagit` and `rocrate-validator`";

/// Samples whose RO-Crates are checked, which is slow: an install and a disc image.
const CRATES: [&str; 2] = ["rc", "disc"];

/// Runs the checks alone, with the program that `cargo test` built.
///
/// # Errors
/// As [`checks`], or a check failed.
pub fn run() -> Outcome {
    let tally = checks(&tested_program()?)?;
    println!("packages: {tally}");
    match tally.failed {
        0 => Ok(()),
        _ => Err("some checks failed; see above".into()),
    }
}

/// Packages the outputs of the demonstration and checks the packages; skips checks whose tools are missing.
///
/// # Errors
/// The program or a tool cannot be run.
pub fn checks(program: &Path) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let interpreter = match python::ensure("package") {
        Ok(interpreter) => interpreter,
        Err(why) => {
            tally.skip(WHAT, why);
            return Ok(tally);
        }
    };
    let context = npm::ensure("package");
    let context = context.map(|folder| folder.join("node_modules/ro-crate/lib/context.json"));
    if let Err(why) = &context {
        tally.skip("RO-Crates are valid for `rocrate-validator`", why);
    }
    let script = workspace().join("xtask/package/check.py");
    let to = demo::folder().join("packages");
    remove_folder(&to)?;
    for sample in demo::samples() {
        let (title, name) = (sample.title, sample.name);
        let out = demo::folder().join("out").join(name);
        let mut package = Command::new(program);
        package.arg("package").arg(&out).arg("--to").arg(&to);
        package.args(["--bagit", "--ro-crate", "--date", "2026-01-01"]);
        let code = exit_code(&mut package)?;
        tally.check(format!("{title}: a package"), code == Some(0));
        if code != Some(0) {
            continue;
        }
        let bag = to.join(name);
        let mut check = Command::new(&interpreter);
        check.arg(&script).arg("bag").arg(&bag);
        let is_valid = exit_code(&mut check)? == Some(0);
        tally.check(format!("{title}: a valid bag"), is_valid);
        if let Ok(context) = &context
            && CRATES.contains(&name)
        {
            let mut check = Command::new(&interpreter);
            check.arg(&script).arg("crate").arg(bag.join("data"));
            let is_valid = exit_code(check.arg(context))? == Some(0);
            tally.check(format!("{title}: a valid RO-Crate"), is_valid);
        }
    }
    if let Some(sample) = demo::samples().first() {
        archives(program, sample.name, &to, &mut tally)?;
    }
    Ok(tally)
}

/// Unpacks a tar and a zip with the tools of the system and compares them with the folder.
fn archives(program: &Path, name: &str, to: &Path, tally: &mut Tally) -> Outcome {
    let out = demo::folder().join("out").join(name);
    let unpacked = to.join("unpacked");
    for (kind, tool) in [("tar", "tar"), ("zip", "unzip")] {
        let what = format!("`{tool}` unpacks what `relicast package --{kind}` packs");
        if !exists(tool) {
            tally.skip(what, format!("`{tool}` is not installed"));
            continue;
        }
        let mut package = Command::new(program);
        package.arg("package").arg(&out).arg("--to").arg(to);
        package.args(["--bagit", "--ro-crate", "--date", "2026-01-01"]);
        let is_packed = exit_code(package.arg(format!("--{kind}")))? == Some(0);
        let archive = to.join(format!("{name}.{kind}"));
        let folder = unpacked.join(kind);
        fs::create_dir_all(&folder)?;
        let mut unpack = Command::new(tool);
        match kind {
            "tar" => unpack.arg("-xf").arg(&archive).arg("-C").arg(&folder),
            _ => unpack.arg("-q").arg(&archive).arg("-d").arg(&folder),
        };
        let is_unpacked = exit_code(&mut unpack)? == Some(0);
        let mut verify = Command::new(program);
        verify.arg("verify").arg(folder.join(name));
        let is_whole = exit_code(&mut verify)? == Some(0);
        tally.check(what, is_packed && is_unpacked && is_whole);
    }
    Ok(())
}

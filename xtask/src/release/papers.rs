//! Licenses and components of all crates that are in the program: `cargo-about` writes the licenses,
//! `cargo-cyclonedx` the list of components, `cargo-deny` checks them against deny.toml.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::archive::time_of_commit;
use crate::Outcome;
use crate::process::{cargo, exit_code, run, target, workspace};
use crate::tally::Tally;

/// Programs that write or check papers, with their versions and features.
const PROGRAMS: [(&str, &str, &str); 3] = [
    ("cargo-about", "0.9.3", "cli"),
    ("cargo-cyclonedx", "0.5.9", ""),
    ("cargo-deny", "0.20.2", ""),
];

/// Names of the files.
const LICENSES: &str = "THIRD-PARTY.html";
const COMPONENTS: &str = "relicast.cdx.json";

/// Writes the papers to `folder` and returns their paths.
///
/// # Errors
/// A program that makes them cannot be installed, or a crate has a license that is not allowed.
pub fn write(folder: &Path, tally: &mut Tally) -> Outcome<Vec<PathBuf>> {
    let programs = ensure()?;
    let licenses = folder.join(LICENSES);
    let mut about = Command::new(programs.join("cargo-about"));
    about
        .current_dir(workspace())
        .args(["generate", "--locked", "--offline", "--fail"]);
    about.args([
        "--manifest-path",
        "Cargo.toml",
        "--config",
        "xtask/release/about.toml",
    ]);
    about
        .arg("--output-file")
        .arg(&licenses)
        .arg("xtask/release/about.hbs");
    run(about.stdin(Stdio::null()))?;
    tally.check(
        "the licenses of all crates are listed",
        is_filled(&licenses),
    );

    let components = folder.join(COMPONENTS);
    fs::write(&components, bill_of_materials(&programs)?)?;
    tally.check(
        "the components of the program are listed",
        is_filled(&components),
    );

    let mut deny = Command::new(programs.join("cargo-deny"));
    deny.current_dir(workspace())
        .args(["--locked", "--offline", "check"]);
    deny.args(["--hide-inclusion-graph", "bans", "licenses", "sources"]);
    let code = exit_code(deny.stdin(Stdio::null()))?;
    tally.check(
        "crates, licenses and sources keep to deny.toml",
        code == Some(0),
    );
    let mut deny = Command::new(programs.join("cargo-deny"));
    deny.current_dir(workspace())
        .args(["--locked", "check", "advisories"]);
    let output = deny.stdin(Stdio::null()).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let what = "no crate has a known fault (RustSec)";
    match said.contains("failed to fetch advisory database")
        || said.contains("failed to load advisory database")
    {
        true => tally.skip(what, "the list of known faults cannot be fetched"),
        false => {
            tally.check(what, output.status.success());
            if !output.status.success() {
                eprintln!("{said}");
            }
        }
    }
    Ok(vec![licenses, components])
}

/// The list of components in the format of CycloneDX. `cargo-cyclonedx` writes one next to each Cargo.toml of
/// the workspace; all are removed.
fn bill_of_materials(programs: &Path) -> Outcome<Vec<u8>> {
    let name = "relicast-components";
    let mut command = Command::new(programs.join("cargo-cyclonedx"));
    command
        .arg("cyclonedx")
        .args(["--format", "json", "--spec-version", "1.5", "--quiet"]);
    command.args(["--manifest-path", "Cargo.toml", "--no-build-deps"]);
    command.args(["--target", "all", "--override-filename", name]);
    command.env("SOURCE_DATE_EPOCH", time_of_commit().to_string());
    run(command.current_dir(workspace()).stdin(Stdio::null()))?;
    let mut bytes = Vec::new();
    for folder in [
        "",
        "xtask",
        "xtask/roofline",
        "xtask/samples",
        "xtask/testing",
        "xtask/testing/macros",
    ] {
        let path = workspace().join(folder).join(format!("{name}.json"));
        if folder.is_empty() {
            bytes = fs::read(&path)?;
        }
        if path.exists() {
            fs::remove_file(path)?;
        }
    }
    // Leaves out the folder of the sources, which differs from machine to machine.
    let text = String::from_utf8(bytes)?;
    let root = workspace().to_string_lossy().into_owned();
    Ok(text.replace(&root, ".").into_bytes())
}

fn is_filled(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.len() > 1000)
}

/// The folder of the programs, which are built if they are missing.
fn ensure() -> Outcome<PathBuf> {
    let root = target().join("release-tools");
    for (name, version, features) in PROGRAMS {
        let mut install = cargo();
        install
            .args(["install", "--quiet", "--locked", "--root"])
            .arg(&root);
        install.args([name, "--version", version, "--features", features]);
        install.env(
            "CARGO_TARGET_DIR",
            target().join("release-tools").join("build"),
        );
        run(install.stdin(Stdio::null()))?;
    }
    Ok(root.join("bin"))
}

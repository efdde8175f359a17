//! `cargo xtask fuzz`: the fuzz targets, one after the other.

use std::fs;
use std::process::{Command, Stdio};

use crate::Outcome;
use crate::process::{cargo, run, shown, workspace};
use crate::tally::Tally;

/// Runs the fuzz targets of fuzz/, each for a while.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only this target.
    target: Option<String>,
    /// Seconds for each target.
    #[arg(long, default_value_t = 180)]
    seconds: u64,
}

/// Runs the command.
///
/// # Errors
/// A program is missing and cannot be installed, or a target found a fault.
pub fn run_fuzz(arguments: &Arguments) -> Outcome {
    let folder = workspace().join("fuzz");
    if !folder.join("Cargo.toml").is_file() {
        return Err("fuzz/Cargo.toml does not exist in this tree".into());
    }
    ensure()?;
    let targets = targets()?;
    let chosen: Vec<&String> = match &arguments.target {
        None => targets.iter().collect(),
        Some(name) => targets.iter().filter(|target| *target == name).collect(),
    };
    if chosen.is_empty() {
        return Err(format!("no such target; available: {}", targets.join(", ")).into());
    }
    write_seeds()?;
    let mut tally = Tally::default();
    for target in chosen {
        let mut command = nightly_fuzz();
        command.args(["run", target, "--"]);
        command.arg(format!("-max_total_time={}", arguments.seconds));
        // Low limits catch allocations by an unchecked count.
        command.args(["-rss_limit_mb=512", "-malloc_limit_mb=64", "-timeout=10"]);
        println!("{} …", shown(&command));
        tally.check(format!("fuzz target {target}"), run(&mut command).is_ok());
    }
    println!("fuzz: {tally}");
    match tally.failed {
        0 => Ok(()),
        _ => Err("faults were found; their inputs are in fuzz/artifacts".into()),
    }
}

/// `cargo fuzz` with the nightly compiler, which instrumentation needs.
fn nightly_fuzz() -> Command {
    let mut command = Command::new("cargo");
    unset_toolchain(&mut command).current_dir(workspace());
    command.args(["+nightly", "fuzz"]);
    command
}

/// Makes `cargo` the one that understands `+nightly`: the Cargo that started this program has set a toolchain
/// of its own.
fn unset_toolchain(command: &mut Command) -> &mut Command {
    for inherited in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTC", "RUSTDOC"] {
        command.env_remove(inherited);
    }
    command
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null());
    let status = quiet.stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Makes sure that cargo-fuzz and a nightly compiler are installed.
fn ensure() -> Outcome {
    let mut nightly = Command::new("cargo");
    if !succeeds(unset_toolchain(&mut nightly).args(["+nightly", "--version"])) {
        println!("no nightly compiler: rustup toolchain install nightly --profile minimal");
        let mut install = Command::new("rustup");
        install.args(["toolchain", "install", "nightly", "--profile", "minimal"]);
        run(&mut install).map_err(|error| {
            format!("fuzzing needs a nightly compiler, which could not be installed: {error}")
        })?;
    }
    if !succeeds(nightly_fuzz().arg("--version")) {
        println!("no cargo-fuzz: cargo install cargo-fuzz --locked");
        run(cargo().args(["install", "cargo-fuzz", "--locked"])).map_err(|error| {
            format!("fuzzing needs cargo-fuzz, which could not be installed: {error}")
        })?;
    }
    Ok(())
}

/// Names of the targets: the programs in fuzz/fuzz_targets.
fn targets() -> Outcome<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(workspace().join("fuzz").join("fuzz_targets"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs")
            && let Some(stem) = path.file_stem()
        {
            names.push(stem.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Writes the corpora that every target starts from, if the tree has a writer of them.
fn write_seeds() -> Outcome {
    let folder = workspace().join("fuzz");
    if !folder.join("src").join("bin").join("seeds.rs").is_file() {
        return Ok(());
    }
    let mut command = Command::new("cargo");
    unset_toolchain(&mut command).current_dir(folder);
    run(command.args(["+nightly", "run", "--release", "--bin", "seeds"]))
}

//! Folders of the workspace and programs that are run.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Outcome;

/// The root of the workspace.
pub fn workspace() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// The folder of build products.
pub fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => workspace().join(folder),
        None => workspace().join("target"),
    }
}

/// The Cargo that started this program, in the root of the workspace.
pub fn cargo() -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.current_dir(workspace());
    // Variables that Cargo set for xtask: build scripts that read them would run again each time.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// A command as one would type it.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name();
    let mut words = vec![program.unwrap_or_default().to_string_lossy()];
    words.extend(command.get_args().map(|word| word.to_string_lossy()));
    words.join(" ")
}

/// Runs a command to its end, with our standard output and error.
///
/// # Errors
/// It cannot be started, or does not succeed.
pub fn run(command: &mut Command) -> Outcome {
    match exit_code(command)? {
        Some(0) => Ok(()),
        Some(code) => Err(format!("`{}` ended with exit code {code}", shown(command)).into()),
        None => Err(format!("`{}` was killed", shown(command)).into()),
    }
}

/// Runs a command to its end and returns its exit code; `None` if a signal ended it.
///
/// # Errors
/// It cannot be started.
pub fn exit_code(command: &mut Command) -> Outcome<Option<i32>> {
    let status = command.status();
    let status = status.map_err(|error| format!("cannot run `{}`: {error}", shown(command)))?;
    Ok(status.code())
}

/// True if a program can be started.
pub fn exists(program: &str) -> bool {
    let mut command = Command::new(program);
    let quiet = command.arg("--version").stdin(Stdio::null());
    let status = quiet.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok()
}

/// Builds the program as users get it and returns its path.
///
/// # Errors
/// It does not build.
pub fn build_release() -> Outcome<PathBuf> {
    println!("building relicast (release) …");
    run(cargo().args([
        "build",
        "--release",
        "--package",
        "relicast",
        "--bin",
        "relicast",
    ]))?;
    Ok(built("release"))
}

/// Builds the program that does parts of a conversion alone, optimized, and returns its path.
///
/// # Errors
/// It does not build.
pub fn build_roofline() -> Outcome<PathBuf> {
    let name = "relicast-roofline";
    run(cargo().args(["build", "--release", "--quiet", "--package", name]))?;
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    Ok(target().join("release").join(file))
}

/// Packages of a quick build: xtask together with the program, because Cargo builds crates once more if the
/// requested packages want other features of them.
pub const QUICK: [&str; 4] = ["--package", "relicast", "--package", "xtask"];

/// Builds the program unoptimized: almost nothing is left to do, as this command is built of the same
/// library.
///
/// # Errors
/// It does not build.
pub fn build_quickly() -> Outcome<PathBuf> {
    println!("building relicast …");
    run(cargo().arg("build").args(QUICK).args(["--bin", "relicast"]))?;
    Ok(built("debug"))
}

/// The program that `cargo test` built, which needs no second build of everything.
///
/// # Errors
/// It does not exist.
pub fn tested_program() -> Outcome<PathBuf> {
    let program = built("debug");
    match program.is_file() {
        true => Ok(program),
        false => Err(format!("no {}; `cargo test` makes it", program.display()).into()),
    }
}

fn built(profile: &str) -> PathBuf {
    let name = format!("relicast{}", env::consts::EXE_SUFFIX);
    target().join(profile).join(name)
}

/// Removes a folder with everything in it; one that does not exist is fine.
///
/// # Errors
/// It cannot be removed.
pub fn remove_folder(folder: &Path) -> Outcome {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove {}: {error}", folder.display()).into())
        }
        _ => Ok(()),
    }
}

//! A Windows environment in Wine.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::process::{target, workspace};
use crate::python;
use crate::tools::WINE;

/// The folder of the Windows environment.
pub fn prefix() -> PathBuf {
    target().join("wine")
}

/// Makes a command that starts Wine use our environment, without messages of Wine itself and without windows.
/// Other commands are not affected.
pub fn settle(command: &mut Command) {
    command.env("WINEDEBUG", "-all").env_remove("DISPLAY");
    command.env("WINEPREFIX", prefix());
}

/// Makes sure that Wine is installed and can run programs in Rust, and returns the name of its program.
///
/// # Errors
/// It is not installed, or cannot run them.
pub fn ensure() -> Result<&'static str, String> {
    WINE.ensure()?;
    let folder = prefix().join("drive_c").join("windows").join("system32");
    if !folder.join("kernel32.dll").exists() {
        println!("a Windows in {} …", prefix().display());
        let mut first = Command::new(WINE.program);
        settle(&mut first);
        first.args(["cmd", "/c", "ver"]).stdin(Stdio::null());
        first.stdout(Stdio::null()).stderr(Stdio::null());
        let status = first.status().map_err(|error| error.to_string())?;
        if !status.success() || !folder.is_dir() {
            return Err("Wine cannot make its Windows".to_owned());
        }
    }
    let random = folder.join("bcryptprimitives.dll");
    if !random.exists() {
        make_random(&random)?;
    }
    Ok(WINE.program)
}

/// Makes the library for random numbers that old versions of Wine lack.
fn make_random(path: &PathBuf) -> Result<(), String> {
    let interpreter = python::ensure("release").map_err(|error| error.to_string())?;
    let products = target().join("release-tools").join("random");
    fs::create_dir_all(&products).map_err(|error| error.to_string())?;
    let made = products.join("bcryptprimitives.dll");
    let mut compiler = Command::new(interpreter);
    compiler.args([
        "-m",
        "ziglang",
        "cc",
        "-target",
        "x86_64-windows-gnu",
        "-shared",
        "-O2",
        "-o",
    ]);
    compiler
        .arg(&made)
        .arg(workspace().join("xtask/release/random.c"))
        .arg("-lbcrypt");
    let output = compiler.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!(
            "a library that this Wine lacks cannot be made: {}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    fs::copy(made, path).map_err(|error| error.to_string())?;
    Ok(())
}

//! Packages of Python that our checks use.
//!
//! The packages of a folder of xtask/ with a requirements.txt are installed in a virtual environment below
//! target/, in a folder of the same name followed by `-python`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::Outcome;
use crate::process::{exists, run, target, workspace};

/// Path of the interpreter in a virtual environment.
const INTERPRETER: &str = if cfg!(windows) {
    "Scripts/python.exe"
} else {
    "bin/python"
};

/// The interpreter of the virtual environment of a folder of xtask/, if it exists with the right packages.
pub fn installed(name: &str) -> Option<PathBuf> {
    let wanted = fs::read(
        workspace()
            .join("xtask")
            .join(name)
            .join("requirements.txt"),
    )
    .ok()?;
    let folder = target().join(format!("{name}-python"));
    let interpreter = folder.join(INTERPRETER);
    let is_there = fs::read(folder.join("requirements.txt")).is_ok_and(|there| there == wanted);
    (is_there && interpreter.is_file()).then_some(interpreter)
}

/// Makes the virtual environment of a folder of xtask/, unless it exists with the right packages, and returns
/// its interpreter.
///
/// # Errors
/// Python or its module `venv` is missing, or a package cannot be installed.
pub fn ensure(name: &str) -> Outcome<PathBuf> {
    if let Some(interpreter) = installed(name) {
        return Ok(interpreter);
    }
    let requirements = workspace()
        .join("xtask")
        .join(name)
        .join("requirements.txt");
    let wanted = fs::read(&requirements)?;
    let folder = target().join(format!("{name}-python"));
    let interpreter = folder.join(INTERPRETER);
    // Written last, so that an interrupted installation is started again.
    let installed = folder.join("requirements.txt");
    let candidates = ["python3", "python"];
    let Some(python) = candidates.into_iter().find(|program| exists(program)) else {
        return Err(format!("`python3` is not installed; xtask/{name} needs it").into());
    };
    println!("packages of Python in {} …", folder.display());
    run(Command::new(python)
        .args(["-m", "venv", "--clear"])
        .arg(&folder))?;
    let mut pip = Command::new(&interpreter);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]);
    run(pip.arg("--requirement").arg(&requirements))?;
    fs::write(installed, wanted)?;
    Ok(interpreter)
}

//! Packages of npm that our scripts for node use.
//!
//! The packages of a folder of xtask/ with a package.json and scripts are installed below target/, in a
//! folder of the same name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::Outcome;
use crate::process::{exists, run, target, workspace};

/// Installs the packages of a folder of xtask/ below target/, unless the right versions exist, and returns
/// the folder that contains `node_modules`.
///
/// # Errors
/// node or npm is missing, or a package cannot be installed.
pub fn ensure(name: &str) -> Outcome<PathBuf> {
    if !exists("node") {
        return Err(format!("`node` is not installed; xtask/{name} needs it").into());
    }
    let folder = target().join(name);
    let wanted = fs::read(workspace().join("xtask").join(name).join("package.json"))?;
    let package: Value = serde_json::from_slice(&wanted)?;
    if has_dependencies(&folder, &package) {
        return Ok(folder);
    }
    if !exists("npm") {
        return Err(
            format!("`npm` is not installed; it installs the packages of xtask/{name}").into(),
        );
    }
    println!("npm install in {} …", folder.display());
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("package.json"), wanted)?;
    let mut npm = Command::new("npm");
    npm.current_dir(&folder);
    npm.args(["install", "--silent", "--no-audit", "--no-fund"]);
    run(npm.arg("--no-package-lock"))?;
    match has_dependencies(&folder, &package) {
        true => Ok(folder),
        false => Err(format!("npm did not install the packages of xtask/{name}").into()),
    }
}

/// True if every dependency is installed in the version that the package asks for.
fn has_dependencies(folder: &Path, package: &Value) -> bool {
    let mut dependencies = package["dependencies"].as_object().into_iter().flatten();
    dependencies.all(|(name, version)| {
        let path = folder.join("node_modules").join(name).join("package.json");
        let found = fs::read(path).ok();
        let found = found.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        found.is_some_and(|found| found["version"] == *version)
    })
}

//! A project of the engine: copies of the files, imported and walked.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use relicast::emit::gltf::{chunks, decode_uri};
use serde_json::Value;

use super::Findings;
use super::compare::compare;
use crate::Outcome;
use crate::process::{remove_folder, target, workspace};
use crate::tools::GODOT;

/// Time limit of an import.
const IMPORT_LIMIT: Duration = Duration::from_secs(300);
/// Longest time that the engine may take to end after its last import. Version 3.2 often does not end at all
/// without a screen.
const END_LIMIT: Duration = Duration::from_secs(2);
const POLL: Duration = Duration::from_millis(200);

/// Imports glTF files into a fresh project and compares what the engine loads with them.
///
/// # Errors
/// The engine is missing and cannot be installed, does not import or walk, or a file of ours cannot
/// be read.
pub fn check(files: &[PathBuf]) -> Outcome<Findings> {
    GODOT.ensure()?;
    let folder = target().join("godot/project");
    remove_folder(&folder)?;
    fs::create_dir_all(&folder)?;
    let sources = workspace().join("xtask/godot");
    for name in ["project.godot", "walk.gd"] {
        fs::copy(sources.join(name), folder.join(name))?;
    }
    let scenes = copy_scenes(files, &folder)?;
    let list: Vec<&str> = scenes.iter().map(|(name, _)| name.as_str()).collect();
    fs::write(folder.join("scenes.txt"), list.join("\n"))?;
    import(&folder, &list)?;
    let walk = engine(&folder)?.args(["-s", "walk.gd"]).output()?;
    let walked = fs::read(folder.join("walked.json"))
        .map_err(|_| format!("the engine ended with {} and no result", walk.status))?;
    let walked: Vec<Value> = serde_json::from_slice(&walked)?;
    if walked.len() != scenes.len() {
        return Err("the engine did not walk every scene".into());
    }
    let mut findings = Findings::default();
    for ((name, document), walked) in scenes.iter().zip(&walked) {
        compare(name, document, walked, &mut findings);
    }
    Ok(findings)
}

/// The engine in a project, with settings and caches of its own.
fn engine(folder: &Path) -> Outcome<Command> {
    let home = std::path::absolute(target().join("godot/home"))?;
    fs::create_dir_all(&home)?;
    let mut command = Command::new(GODOT.program);
    command.arg("--path").arg(folder).stdin(Stdio::null());
    for variable in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
        command.env(variable, &home);
    }
    Ok(command)
}

/// Lets the editor import everything in the project.
fn import(folder: &Path, scenes: &[&str]) -> Outcome {
    let all_done = || scenes.iter().all(|scene| is_imported(folder, scene));
    // With `--quit`, the engine sometimes ends before it has read a project of many files. Without it, the
    // engine keeps running, and is ended when all files exist.
    for arguments in [&["--editor", "--quit"][..], &["--editor"]] {
        let mut command = engine(folder)?;
        run_until(command.args(arguments), all_done)?;
        if all_done() {
            return Ok(());
        }
    }
    let missing = scenes.iter().filter(|scene| !is_imported(folder, scene));
    let missing: Vec<&str> = missing.copied().collect();
    Err(format!("the engine did not import {}", missing.join(", ")).into())
}

/// Runs the engine until it ends, has had time to end after `is_done`, or has exceeded the limit.
fn run_until(engine: &mut Command, is_done: impl Fn() -> bool) -> Outcome {
    let mut child = engine.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let start = Instant::now();
    let mut last = None;
    while child.try_wait()?.is_none() {
        if last.is_none() && is_done() {
            last = Some(Instant::now());
        }
        let has_ended = last.is_some_and(|last| last.elapsed() > END_LIMIT);
        if has_ended || start.elapsed() > IMPORT_LIMIT {
            child.kill()?;
            child.wait()?;
            break;
        }
        sleep(POLL);
    }
    Ok(())
}

/// True if the engine is done with a scene: the checksum, which it writes last, is next to the import.
fn is_imported(folder: &Path, scene: &str) -> bool {
    let import = fs::read_to_string(folder.join(format!("{scene}.import"))).unwrap_or_default();
    let made = import
        .lines()
        .find_map(|line| line.strip_prefix("path=\"res://")?.strip_suffix(".scn\""));
    made.is_some_and(|made| folder.join(format!("{made}.md5")).is_file())
}

/// Copies scenes and the files they name into the project, with the same relative paths, and returns their
/// paths in it with their JSON.
fn copy_scenes(files: &[PathBuf], folder: &Path) -> Outcome<Vec<(String, Value)>> {
    let mut documents = Vec::new();
    let mut assets = BTreeMap::new();
    for file in files {
        let file = normal(&std::path::absolute(file)?);
        let document = document(&file)?;
        let parent = file.parent().unwrap_or(&file);
        for uri in uris(&document) {
            let path = decode_uri(uri).ok_or_else(|| format!("{uri} is no reference"))?;
            assets.insert(normal(&parent.join(path)), ());
        }
        assets.insert(file.clone(), ());
        documents.push((file, document));
    }
    let mut paths = assets.keys();
    let mut root = paths
        .next()
        .and_then(|path| path.parent())
        .unwrap_or(Path::new(""));
    while !assets.keys().all(|path| path.starts_with(root)) {
        root = root.parent().unwrap_or(Path::new(""));
    }
    for path in assets.keys() {
        let copy = folder.join(path.strip_prefix(root)?);
        fs::create_dir_all(copy.parent().unwrap_or(folder))?;
        fs::copy(path, copy).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let mut scenes = Vec::new();
    for (file, document) in documents {
        let name = file
            .strip_prefix(root)?
            .to_string_lossy()
            .replace('\\', "/");
        scenes.push((name, document));
    }
    Ok(scenes)
}

/// The JSON of a .gltf or .glb file.
fn document(file: &Path) -> Outcome<Value> {
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let json = chunks(&bytes).map(|chunks| chunks.json).unwrap_or_default();
    Ok(serde_json::from_slice(json)?)
}

/// Relative references of a document.
fn uris(document: &Value) -> Vec<&str> {
    let lists = ["buffers", "images"].map(|list| document[list].as_array());
    let items = lists.into_iter().flatten().flatten();
    let uris = items.filter_map(|item| item["uri"].as_str());
    uris.filter(|uri| !uri.starts_with("data:")).collect()
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            component => normal.push(component),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cleared() {
        let path = normal(Path::new("/a/b/./c/../../d.png"));
        assert_eq!(path, Path::new("/a/d.png"));
    }
}

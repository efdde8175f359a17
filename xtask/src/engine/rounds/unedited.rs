//! Unedited rounds: a scene that a program reads and writes over itself has no edit.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use walkdir::WalkDir;

use super::table::Table;
use super::tool::Tool;
use super::{Converted, pack};
use crate::Outcome;
use crate::tally::Tally;

/// Scenes that are exported as `.glb`: one of so many.
const GLB_EVERY: usize = 3;

/// Scenes that are read, packed and restored together.
const AT_ONCE: usize = 40;

/// A scene of a conversion.
#[derive(Debug)]
struct Scene {
    /// Path without extension.
    stem: String,
    container: &'static str,
    kind: &'static str,
}

impl Scene {
    fn files(&self) -> Vec<String> {
        let endings: &[&str] = match self.container {
            "glb" => &["glb"],
            _ => &["gltf", "bin"],
        };
        let files = endings.iter();
        files
            .map(|ending| format!("{}.{ending}", self.stem))
            .collect()
    }
}

/// Every scene of the conversions.
///
/// # Errors
/// A file cannot be read, or a program cannot be run.
pub(super) fn checks(
    program: &Path,
    tool: Tool<'_>,
    converted: &[Converted],
    only: &[String],
) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let mut table = Table::new(&["rounds", "clean", "other bytes", "refused", "failed"]);
    for converted in converted {
        for scenes in scenes(&converted.folder, only)?.chunks(AT_ONCE) {
            tally += some(program, tool, converted, scenes, &mut table)?;
        }
    }
    println!("unedited rounds in {}:\n{table}", tool.name());
    Ok(tally)
}

/// Some scenes, which are afterwards as they were converted.
fn some(
    program: &Path,
    tool: Tool<'_>,
    converted: &Converted,
    scenes: &[Scene],
    table: &mut Table<'_>,
) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let jobs = scenes.iter().map(|scene| {
        let file = format!("{}.{}", scene.stem, scene.container);
        json!({ "scene": converted.folder.join(scene.container).join(file) })
    });
    let jobs: Vec<Value> = jobs.collect();
    let originals = originals(&jobs)?;
    let beside = beside(&jobs)?;
    let answers = tool.rewrite(&jobs)?;
    let mut results = BTreeMap::new();
    for container in ["gltf", "glb"] {
        let exported = scenes.iter().zip(&answers);
        let exported = exported
            .filter(|(scene, answer)| scene.container == container && answer["error"].is_null());
        let exported: Vec<&Scene> = exported.map(|(scene, _)| scene).collect();
        settle(program, converted, &exported, &mut results)?;
    }
    for (scene, answer) in scenes.iter().zip(&answers) {
        let name = format!("{} {}", converted.name, scene.kind);
        table.add(&name, "rounds");
        let failed = || ("failed", answer["error"].to_string());
        let (result, why) = results.remove(&*scene.stem).unwrap_or_else(failed);
        table.add(&name, result);
        let what = format_args!(
            "{}, {}, {}.{}: unedited, {result}: {why}",
            tool.name(),
            converted.name,
            scene.stem,
            scene.container
        );
        tally.check(what, result == "clean");
    }
    for path in self::beside(&jobs)?.difference(&beside) {
        match path.is_dir() {
            true => fs::remove_dir_all(path)?,
            false => fs::remove_file(path)?,
        }
    }
    for (path, bytes) in originals {
        fs::write(path, bytes)?;
    }
    Ok(tally)
}

/// Everything in the folders of the scenes: programs write buffers and copies of pictures there.
fn beside(jobs: &[Value]) -> Outcome<BTreeSet<PathBuf>> {
    let scenes = jobs.iter().filter_map(|job| job["scene"].as_str());
    let folders: BTreeSet<&Path> = scenes.filter_map(|it| Path::new(it).parent()).collect();
    let mut found = BTreeSet::new();
    for folder in folders {
        for entry in fs::read_dir(folder)? {
            found.insert(entry?.path());
        }
    }
    Ok(found)
}

/// The files of the scenes.
fn originals(jobs: &[Value]) -> Outcome<Vec<(String, Vec<u8>)>> {
    let mut found = Vec::new();
    for job in jobs {
        let path = job["scene"].as_str().unwrap_or_default();
        let buffer = path.strip_suffix(".gltf").map(|stem| format!("{stem}.bin"));
        for path in [Some(path.to_owned()), buffer].into_iter().flatten() {
            if Path::new(&path).is_file() {
                let bytes = fs::read(&path)?;
                found.push((path, bytes));
            }
        }
    }
    Ok(found)
}

/// Packs scenes that Blender has written, all at once where that writes nothing, and adds the results with reasons.
fn settle<'s>(
    program: &Path,
    converted: &Converted,
    scenes: &[&'s Scene],
    results: &mut BTreeMap<&'s str, (&'static str, String)>,
) -> Outcome {
    let Some(first) = scenes.first() else {
        return Ok(());
    };
    let folder = converted.folder.join(first.container);
    let mut more = vec!["--check".to_owned()];
    for path in scenes.iter().flat_map(|scene| scene.files()) {
        if folder.join(&path).is_file() {
            more.extend(["--only".to_owned(), path.replace(['[', ']', '{', '}'], "?")]);
        }
    }
    let more: Vec<&str> = more.iter().map(|text| &**text).collect();
    let to = converted.folder.join("mod");
    let packed = pack(program, &folder, &converted.install, &to, &more)?;
    if !packed.is_refused && packed.writes_nothing {
        let clean = scenes
            .iter()
            .map(|scene| (&*scene.stem, ("clean", String::new())));
        results.extend(clean);
        return Ok(());
    }
    let is_refused = |scene: &Scene| {
        scene
            .files()
            .iter()
            .any(|file| packed.refuses(file).is_some())
    };
    let (refused, left): (Vec<&Scene>, Vec<&Scene>) =
        scenes.iter().partition(|scene| is_refused(scene));
    for scene in &refused {
        let why = scene
            .files()
            .iter()
            .find_map(|file| packed.refuses(file))
            .map(str::to_owned);
        results.insert(&scene.stem, ("refused", why.unwrap_or_default()));
    }
    match (left.as_slice(), refused.is_empty()) {
        ([only], true) => {
            let result = match packed.is_refused {
                true => "refused",
                false => "other bytes",
            };
            results.insert(&only.stem, (result, packed.reason().to_owned()));
            Ok(())
        }
        (left, true) => {
            let (one, other) = left.split_at(left.len() / 2);
            settle(program, converted, one, results)?;
            settle(program, converted, other, results)
        }
        (left, false) => settle(program, converted, left, results),
    }
}

/// Scenes below worlds/ and models/ with a mesh, or that are not hidden ones.
fn scenes(folder: &Path, only: &[String]) -> Outcome<Vec<Scene>> {
    let mut found = BTreeMap::new();
    let root = folder.join("gltf");
    for part in ["worlds", "models"] {
        for entry in WalkDir::new(root.join(part)).into_iter().flatten() {
            let path = entry.path();
            if path.extension().is_none_or(|ending| ending != "gltf") {
                continue;
            }
            let document: Value = serde_json::from_slice(&fs::read(path)?)?;
            let stem = path.strip_prefix(&root)?.with_extension("");
            let stem = stem.to_string_lossy().replace('\\', "/");
            let is_empty = document["meshes"].as_array().is_none_or(Vec::is_empty);
            let is_wanted = only.is_empty() || only.iter().any(|text| stem.contains(&**text));
            if is_wanted && !(is_empty && stem.ends_with(".hidden")) {
                found.insert(stem.clone(), kind(&stem, &document));
            }
        }
    }
    let scenes = found.into_iter().enumerate();
    let scenes = scenes.map(|(number, (stem, kind))| Scene {
        stem,
        container: match number % GLB_EVERY {
            2 => "glb",
            _ => "gltf",
        },
        kind,
    });
    Ok(scenes.collect())
}

fn kind(stem: &str, document: &Value) -> &'static str {
    let is_zipper = stem.split('/').any(|part| part == "zbd");
    let is_world = stem.starts_with("worlds/");
    match (is_zipper, is_world) {
        (true, true) => "worlds",
        (true, false) if stem.contains("/mechlib/") => "'mechs",
        (true, false) if stem.contains("/planes/") => "aircraft",
        (false, true) => "zones",
        (false, false) if document["skins"].is_array() => "creatures",
        (_, false) => "objects",
    }
}

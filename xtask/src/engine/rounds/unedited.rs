//! Unedited rounds: a scene that Blender imports and exports over itself has no edit.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use walkdir::WalkDir;

use super::table::Table;
use super::{Blender, Converted, pack};
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
    /// True for scenes of files that no edit is packed into.
    fn is_unsupported(&self) -> bool {
        // A mesh file in PLY format, loose among the archives of EverQuest.
        self.stem == "models/stars1"
    }
}

/// Every scene of the conversions.
///
/// # Errors
/// A file cannot be read, or a program cannot be run.
pub(super) fn checks(
    program: &Path,
    blender: &Blender,
    converted: &[Converted],
    only: &[String],
) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let mut table = Table::new(&["rounds", "clean", "other bytes", "refused", "failed"]);
    for converted in converted {
        for scenes in scenes(&converted.folder, only)?.chunks(AT_ONCE) {
            tally += some(program, blender, converted, scenes, &mut table)?;
        }
    }
    println!("unedited rounds in {}:\n{table}", blender.version);
    Ok(tally)
}

/// Some scenes, which are afterwards as they were converted.
fn some(
    program: &Path,
    blender: &Blender,
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
    let answers = blender.run("rounds_blender.py", "DONE ", &jobs)?;
    for (scene, answer) in scenes.iter().zip(&answers) {
        let name = format!("{} {}", converted.name, scene.kind);
        table.add(&name, "rounds");
        let (result, why) = match answer["error"].as_str() {
            Some(why) => ("failed", why.to_owned()),
            None => round(program, converted, scene)?,
        };
        table.add(&name, result);
        let what = format_args!(
            "{}, {}, {}.{}: unedited, {result}: {why}",
            blender.version, converted.name, scene.stem, scene.container
        );
        tally.check(what, result == "clean" || scene.is_unsupported());
    }
    for (path, bytes) in originals {
        fs::write(path, bytes)?;
    }
    Ok(tally)
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

/// Packs a scene that Blender has written, and returns the result with the reason.
fn round(program: &Path, converted: &Converted, scene: &Scene) -> Outcome<(&'static str, String)> {
    let folder = converted.folder.join(scene.container);
    let mut more = vec!["--check".to_owned()];
    let endings: &[&str] = match scene.container {
        "glb" => &["glb"],
        _ => &["gltf", "bin"],
    };
    for ending in endings {
        let path = format!("{}.{ending}", scene.stem);
        if folder.join(&path).is_file() {
            more.extend(["--only".to_owned(), path.replace(['[', ']', '{', '}'], "?")]);
        }
    }
    let more: Vec<&str> = more.iter().map(|text| &**text).collect();
    let packed = pack(
        program,
        &folder,
        &converted.install,
        &converted.folder.join("mod"),
        &more,
    )?;
    let result = match (packed.is_refused, packed.writes_nothing) {
        (true, _) => "refused",
        (false, true) => "clean",
        (false, false) => "other bytes",
    };
    Ok((result, packed.reason().to_owned()))
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

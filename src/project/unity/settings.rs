//! Package files: description, assemblies, scripts, `.meta` files.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::json;

/// Scripts by path.
const SCRIPTS: [(&str, &str); 13] = [
    ("Runtime/Area.cs", include_str!("files/Area.cs")),
    ("Runtime/Emitter.cs", include_str!("files/Emitter.cs")),
    (
        "Runtime/FollowCamera.cs",
        include_str!("files/FollowCamera.cs"),
    ),
    ("Runtime/Level.cs", include_str!("files/Level.cs")),
    ("Runtime/LevelClips.cs", include_str!("files/LevelClips.cs")),
    (
        "Runtime/SurfaceMotion.cs",
        include_str!("files/SurfaceMotion.cs"),
    ),
    (
        "Editor/ClipBuilder.cs",
        include_str!("files/ClipBuilder.cs"),
    ),
    (
        "Editor/ImportSettings.cs",
        include_str!("files/ImportSettings.cs"),
    ),
    (
        "Editor/LevelBuilder.cs",
        include_str!("files/LevelBuilder.cs"),
    ),
    ("Editor/LevelFile.cs", include_str!("files/LevelFile.cs")),
    (
        "Editor/ModelBuilder.cs",
        include_str!("files/ModelBuilder.cs"),
    ),
    ("Editor/Package.cs", include_str!("files/Package.cs")),
    (
        "Editor/SurfaceBuilder.cs",
        include_str!("files/SurfaceBuilder.cs"),
    ),
];

/// Compact JSON document.
pub(super) fn json(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(value).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn pretty(value: &serde_json::Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

/// Files of every package.
pub(super) fn files(title: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files: BTreeMap<String, Vec<u8>> = SCRIPTS
        .iter()
        .map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec()))
        .collect();
    let word: String = title
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_lowercase();
    let description = json!({
        "name": format!("com.relicast.{}", if word.is_empty() { "game" } else { &word }),
        "version": "1.0.0",
        "displayName": title,
        "description": "Levels and models that relicast made. Menu Relicast: build prefabs of them.",
        "unity": "2022.3",
        "dependencies": {
            "com.unity.cloud.gltfast": "6.14.1",
            "com.unity.modules.animation": "1.0.0",
            "com.unity.modules.audio": "1.0.0",
            "com.unity.modules.imageconversion": "1.0.0",
            "com.unity.modules.physics": "1.0.0",
        },
    });
    files.insert("package.json".to_owned(), pretty(&description));
    let assembly = |name: &str, needs: &[&str], platforms: &[&str]| {
        pretty(&json!({"name": name, "references": needs, "includePlatforms": platforms}))
    };
    files.insert(
        "Runtime/Relicast.asmdef".to_owned(),
        assembly("Relicast", &[], &[]),
    );
    files.insert(
        "Editor/Relicast.Editor.asmdef".to_owned(),
        assembly("Relicast.Editor", &["Relicast"], &["Editor"]),
    );
    files
}

/// Adds the `.meta` files of scripts, assemblies and their folders, so that scripts keep their identity, and
/// prefabs their references, when the package is moved.
pub(super) fn add_metas(files: &mut BTreeMap<String, Vec<u8>>) {
    let mut metas = BTreeMap::new();
    let mut folders = BTreeSet::new();
    for path in files.keys() {
        let Some((folder, _)) = path.split_once('/') else {
            continue;
        };
        let importer = match path.rsplit_once('.') {
            Some((_, "cs")) => "MonoImporter",
            Some((_, "asmdef")) => "AssemblyDefinitionImporter",
            _ => continue,
        };
        folders.insert(folder.to_owned());
        metas.insert(format!("{path}.meta"), meta(path, importer, ""));
    }
    for folder in folders {
        let text = meta(&folder, "DefaultImporter", "folderAsset: yes\n");
        metas.insert(format!("{folder}.meta"), text);
    }
    files.extend(metas);
}

/// `.meta` file with an identity derived from the path, so that it is the same in every run.
fn meta(path: &str, importer: &str, more: &str) -> Vec<u8> {
    let digest = blake3::hash(format!("relicast/{path}").as_bytes());
    let hex = digest.to_hex();
    let identity = hex.get(..32).unwrap_or_default();
    format!("fileFormatVersion: 2\nguid: {identity}\n{more}{importer}:\n  externalObjects: {{}}\n")
        .into_bytes()
}

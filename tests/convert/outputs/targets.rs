//! `--target`: outputs use nothing that the program of the target cannot read.

use relicast_testing::rounds;
use relicast_testing::test;
use std::fs;
use std::path::Path;

use relicast::asset::Game;
use relicast::config::Engine;
use serde_json::Value;

use crate::common::{convert, files, json, relicast, sample_installs};

/// The document of a scene file.
fn scene(path: &Path) -> Value {
    if path.extension().is_some_and(|ending| ending == "gltf") {
        return json(path);
    }
    let bytes = fs::read(path).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

/// Extensions that a program reads, as far as relicast writes them.
fn read_by(engine: Engine) -> &'static [&'static str] {
    match engine {
        // The project's own scripts read the places of instances; specular colors are in its materials.
        Engine::Godot => &[
            "EXT_mesh_gpu_instancing",
            "KHR_animation_pointer",
            "KHR_lights_punctual",
            "KHR_materials_specular",
            "KHR_materials_unlit",
            "KHR_node_visibility",
            "KHR_texture_transform",
        ],
        Engine::Unity | Engine::Blender | Engine::Archive => &[
            "EXT_mesh_gpu_instancing",
            "KHR_lights_punctual",
            "KHR_materials_specular",
            "KHR_materials_unlit",
            "KHR_materials_variants",
            "KHR_texture_transform",
        ],
        Engine::Web => &[
            "EXT_mesh_gpu_instancing",
            "EXT_texture_webp",
            "KHR_lights_punctual",
            "KHR_materials_specular",
            "KHR_materials_unlit",
            "KHR_materials_variants",
            "KHR_mesh_quantization",
            "KHR_texture_transform",
        ],
        Engine::None => &[],
    }
}

fn check(engine: Engine, container: &str, no_media: &[&str]) {
    let games = [Game::Mw, Game::Eq, Game::Rc, Game::Cs];
    let input = sample_installs(&games[..rounds(2, 4)]);
    let disc = relicast_samples::disc::files().unwrap();
    relicast_samples::write_files(&input.path().join("disc"), &disc).unwrap();
    let out = tempfile::tempdir().unwrap();
    let name = engine.to_string();
    let arguments = ["-q", "--target", &name];
    let ended = convert(input.path(), out.path(), &arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(0), "{name}: {said}");
    let mut scenes = 0;
    let mut required = std::collections::BTreeSet::new();
    for path in files(out.path()) {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        // No engine looks into these folders.
        let is_copied = path.starts_with("loose/") || path.starts_with("config/");
        assert!(is_copied || !no_media.contains(&ending), "{name}: {path}");
        if !matches!(ending, "gltf" | "glb") {
            continue;
        }
        assert_eq!(ending, container, "{name}: {path}");
        let document = scene(&out.path().join(&path));
        let used = document["extensionsUsed"].as_array();
        for extension in used.into_iter().flatten() {
            let extension = extension.as_str().unwrap();
            assert!(
                read_by(engine).contains(&extension),
                "{name}: {path}: {extension}"
            );
        }
        for extension in document["extensionsRequired"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let small = ["EXT_texture_webp", "KHR_mesh_quantization"];
            let is_small = small.contains(&extension.as_str().unwrap());
            assert!(
                engine == Engine::Web && is_small,
                "{name}: {path}: {extension}"
            );
            required.insert(extension.as_str().unwrap().to_owned());
        }
        scenes += 1;
    }
    assert!(scenes > 10, "{name}: {scenes}");
    let is_small = engine == Engine::Web;
    assert_eq!(required.len(), if is_small { 2 } else { 0 }, "{required:?}");
}

#[test]
fn godot_gets_what_godot_reads() {
    check(
        Engine::Godot,
        "gltf",
        &["flac", "mp4", "webm", "mkv", "csv"],
    );
}

#[test]
fn unity_gets_what_unity_reads() {
    check(Engine::Unity, "gltf", &["flac", "webm", "mkv", "ogv"]);
}

#[test]
fn blender_gets_what_blender_reads() {
    check(Engine::Blender, "glb", &["webm", "mkv", "ogv"]);
}

#[test]
fn pages_get_what_browsers_read() {
    check(Engine::Web, "glb", &["mkv", "ogv"]);
}

#[test]
fn archives_lose_nothing() {
    check(Engine::Archive, "gltf", &["mp4", "webm", "ogv"]);
}

#[test]
fn a_target_is_printed_with_its_settings() {
    let print = |arguments: &[&str]| {
        let mut command = relicast();
        command.arg("config").args(arguments);
        String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
    };
    let godot = print(&["--target", "godot"]);
    assert!(godot.contains("engine = \"godot\"") && godot.contains("profile = \"theora\""));
    // The printed settings give the same settings, for any choice.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("godot.toml");
    fs::write(&file, &godot).unwrap();
    let file = file.to_str().unwrap();
    assert_eq!(print(&["--config", file]), godot);
    relicast()
        .args(["config", "--target", "quake"])
        .assert()
        .code(1);
}

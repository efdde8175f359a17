//! The Khronos validator on scenes of all kinds.

use relicast::emit::gltf::{Container, GltfFiles};
use relicast::scene::model::specimen;
use relicast_testing::{skip, test};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::everything::everything;
use super::instances::{crowd, flip_book};
use super::views::many_meshes;
use super::{Pictures, write_with};

#[test]
fn the_khronos_validator_has_nothing_to_say() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let modules = target.join("validator");
    if !modules.join("node_modules/gltf-validator").is_dir() {
        skip("the Khronos validator is not installed; cargo xtask validate installs it");
    }
    let folder = tempfile::tempdir().unwrap();
    let textures = folder.path().join("text ures");
    std::fs::create_dir(&textures).unwrap();
    let pictures = Pictures::new();
    let mut files = Vec::new();
    for (name, scene, instancing) in [
        ("specimen", specimen::scene(), false),
        ("everything", everything(), false),
        ("crowd", crowd(), true),
        ("flip book", flip_book(), false),
        ("many meshes", many_meshes(), false),
    ] {
        for texture in &scene.textures {
            std::fs::write(textures.join(&texture.key), &pictures.png).unwrap();
        }
        let GltfFiles::Glb(glb) = write_with(&scene, Container::Glb, instancing).unwrap() else {
            panic!("asked for .glb");
        };
        let path = folder.path().join(format!("{name}.glb"));
        std::fs::write(&path, glb).unwrap();
        files.push(path);
        // Both scenes share a path of the buffer, so each has a folder of its own.
        let own = folder.path().join(name);
        std::fs::create_dir_all(own.join("text ures")).unwrap();
        for texture in &scene.textures {
            std::fs::copy(
                textures.join(&texture.key),
                own.join("text ures").join(&texture.key),
            )
            .unwrap();
        }
        let GltfFiles::Gltf { json, bin } =
            write_with(&scene, Container::Gltf, instancing).unwrap()
        else {
            panic!("asked for .gltf");
        };
        std::fs::write(own.join("a scene.bin"), bin).unwrap();
        let path = own.join(format!("{name}.gltf"));
        std::fs::write(&path, json).unwrap();
        files.push(path);
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("xtask/validator/validate.cjs");
    let mut node = Command::new("node")
        .args([&script, &modules])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = node.stdin.take().unwrap();
    for file in &files {
        writeln!(input, "{}", file.display()).unwrap();
    }
    drop(input);
    let output = node.wait_with_output().unwrap();
    let reports: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(reports.len(), files.len());
    for report in reports {
        for message in report["messages"].as_array().unwrap() {
            // A marker is a node without anything, and a material may use the second set of texture
            // coordinates alone. The validator does not know the extensions that crowds and flip-books need.
            assert_eq!(message["severity"], "info", "{report}");
            let code = message["code"].as_str().unwrap();
            let known = [
                "INCOMPLETE_EXTENSION_SUPPORT",
                "NODE_EMPTY",
                "UNSUPPORTED_EXTENSION",
                "UNUSED_OBJECT",
            ];
            assert!(known.contains(&code), "{report}");
        }
    }
}

//! Scripts of engines read only keys of extras that the types of extras have.
//!
//! Scripts are read as text, because constants for the keys would be longer than the scripts' uses of them.
//! The gallery's program has types instead (`gallery/src/three/extras.ts`), which its compiler checks.
//! Unity's scripts read no extras but those that `src/project` writes for them.

use relicast_testing::test;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::relicast;

/// Scripts that read glTF files, or extras that the engine keeps.
const SCRIPTS: [&str; 5] = [
    "crates/relicast-emit/src/gltf/post_import.gd",
    "src/project/godot/files/clips.gd",
    "src/project/godot/files/level.gd",
    "src/project/godot/files/lights.gd",
    "src/project/blender/import_relicast.py",
];

/// Variables of these scripts that hold extras or parts of them.
const VARIABLES: [&str; 6] = ["facts", "entry", "mark", "layer", "scroll", "volume"];

/// Keys of glTF itself.
#[rustfmt::skip]
const GLTF: [&str; 26] = [
    "EXT_mesh_gpu_instancing", "KHR_lights_punctual", "ROTATION", "SCALE", "TRANSLATION",
    "animations", "asset", "attributes", "baseColorTexture", "bufferView", "byteOffset",
    "byteStride", "children", "doubleSided", "extensions", "extras", "lights", "materials", "mesh",
    "nodes", "pbrMetallicRoughness", "primitives", "scene", "scenes", "textures", "uri",
];

/// Keys of others: parts of colors of events, the manifest, sockets of Blender, and keys that scripts set
/// themselves.
const OTHERS: [&str; 11] = [
    "r",
    "g",
    "b",
    "outputs",
    "path",
    "Color",
    "Surface",
    "exclude",
    "clip",
    "pictures",
    "relicast_clip",
];

/// Keys of all types of extras.
fn known() -> BTreeSet<String> {
    fn collect(schema: &Value, found: &mut BTreeSet<String>) {
        if let Some(properties) = schema["properties"].as_object() {
            found.extend(properties.keys().cloned());
        }
        match schema {
            Value::Object(members) => members.values().for_each(|one| collect(one, found)),
            Value::Array(items) => items.iter().for_each(|one| collect(one, found)),
            _ => {}
        }
    }
    let mut found = BTreeSet::from(["zipper", "everquest", "relicast"].map(str::to_owned));
    for family in ["zipper", "everquest", "relicast"] {
        let run = relicast()
            .args(["schema", &format!("extras-{family}")])
            .assert()
            .success();
        let schema = serde_json::from_slice(&run.get_output().stdout).unwrap();
        collect(&schema, &mut found);
    }
    found
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The word that a text starts with, and what follows it.
fn word(text: &str) -> (&str, &str) {
    text.split_at(text.find(|letter| !is_word(letter)).unwrap_or(text.len()))
}

/// Words with dots between them at the start of a text. A word before a parenthesis is a function, and no
/// key.
fn members(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = Some(text);
    while let Some(text) = rest {
        let (key, after) = word(text);
        if key.is_empty() || after.starts_with('(') {
            break;
        }
        found.push(key);
        rest = after.strip_prefix('.');
    }
    found
}

/// Keys that a script reads: `.get("key"`, `.has("key"`, `["key"]`, and `facts.key` of the variables.
fn keys_read(script: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for line in script
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
    {
        for start in [".get(\"", ".has(\"", "[\""] {
            for rest in line.split(start).skip(1) {
                let (key, rest) = word(rest);
                let is_key = rest.starts_with("\"]") || start != "[\"" && rest.starts_with('"');
                found.extend(is_key.then_some(key));
            }
        }
        for variable in VARIABLES {
            let dotted = format!("{variable}.");
            for (at, _) in line.match_indices(&dotted) {
                if !line[..at].ends_with(is_word) {
                    found.extend(members(&line[at + dotted.len()..]));
                }
            }
        }
    }
    found
}

#[test]
fn scripts_read_only_keys_that_extras_have() {
    let known = known();
    let mut count = 0;
    let mut odd = Vec::new();
    for path in SCRIPTS {
        let script = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        for key in keys_read(&script) {
            count += 1;
            if !known.contains(key) && !GLTF.contains(&key) && !OTHERS.contains(&key) {
                odd.push(format!("{path}: {key}"));
            }
        }
    }
    assert!(odd.is_empty(), "{}", odd.join("\n"));
    assert!(count > 100, "{count} keys");
}

#[test]
fn keys_of_scripts_are_found_in_all_ways_to_read_them() {
    let script = "x = facts.get(\"loop_time\")\n# facts.get(\"comment\")\nif mark.atNode.name.to_lower() and facts.has(\"sky\"):\n\
                  y = part[\"extras\"]; z = artifacts.other; w = [\"one\", \"two\"]\n";
    let expected = BTreeSet::from(["atNode", "extras", "loop_time", "name", "sky"]);
    assert_eq!(keys_read(script), expected);
    assert!(!known().contains("loop_time") && !known().contains("at_node"));
}

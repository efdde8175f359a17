//! Files that scenes name.

use relicast_testing::test;
use serde_json::Value;

use crate::outputs::samples::{Outputs, converted};

/// Folders whose files are named by paths below the output folder.
const FOLDERS: [&str; 4] = ["textures/", "sounds/", "models/", "worlds/"];

/// Adds the relative references of a glTF, and the paths below the output folder that its extras name.
fn references(value: &Value, is_extras: bool, found: &mut Vec<(bool, String)>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                match value {
                    Value::String(uri) if key == "uri" && !is_extras => {
                        if !uri.starts_with("data:") {
                            found.push((true, uri.clone()));
                        }
                    }
                    value => references(value, is_extras || key == "extras", found),
                }
            }
        }
        Value::Array(values) => {
            for value in values {
                references(value, is_extras, found);
            }
        }
        Value::String(text) if is_extras => {
            let is_file = text
                .rsplit('/')
                .next()
                .is_some_and(|name| name.contains('.'));
            let is_path = FOLDERS.iter().any(|folder| text.starts_with(folder));
            if is_file && is_path {
                found.push((false, text.clone()));
            }
        }
        _ => {}
    }
}

/// Percent-decodes the reference of a glTF at `path`, and makes it a path below the output folder.
fn resolved(path: &str, uri: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    let decoded = percent_decoded(uri);
    for part in decoded.split('/') {
        match part {
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits: Vec<u8> = rest.by_ref().take(2).collect();
            let digits = String::from_utf8(digits).unwrap();
            bytes.push(u8::from_str_radix(&digits, 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn every_file_that_a_scene_of_the_samples_names_is_an_output() {
    for Outputs {
        files,
        scenes: documents,
    } in converted()
    {
        let (mut scenes, mut uris, mut paths, mut missing) = (0, 0, 0, Vec::new());
        for (path, gltf) in documents {
            let mut found = Vec::new();
            references(gltf, false, &mut found);
            scenes += 1;
            for (is_uri, reference) in found {
                let named = if is_uri {
                    uris += 1;
                    resolved(path, &reference)
                } else {
                    paths += 1;
                    reference
                };
                if !files.contains(&named) {
                    missing.push(format!("{path}: {named}"));
                }
            }
        }
        assert!(missing.is_empty(), "{}", missing.join("\n"));
        assert!(
            scenes > 80 && uris > 300 && paths > 20,
            "{scenes} {uris} {paths}"
        );
    }
}

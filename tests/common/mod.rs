//! Helpers of several integration tests: fixtures, runs of the program, comparison by value.
#![allow(
    dead_code,
    unused_imports,
    clippy::unwrap_used,
    reason = "each test uses its part, and a helper that cannot go on fails its test"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use relicast::asset::Game;
pub use relicast_testing::fixtures;
use serde_json::Value;
use tempfile::TempDir;

/// The made installs of some games, each in the folder of its short name.
pub fn sample_installs(games: &[Game]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for &game in games {
        let files = relicast_samples::files(game, 1).unwrap();
        let folder = root.path().join(relicast_samples::folder(game));
        relicast_samples::write_files(&folder, &files).unwrap();
    }
    root
}

/// The program, ready for arguments.
pub fn relicast() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("relicast"))
}

/// A run of `convert` with `arguments`, from `input` into `out`.
pub fn convert(input: &Path, out: &Path, arguments: &[&str]) -> Command {
    let mut command = relicast();
    command.arg("convert").arg(input).arg("--out").arg(out);
    command.args(arguments);
    command
}

/// The files below a folder with their bytes, by path.
pub fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |path: String| (path.clone(), fs::read(folder.join(path)).unwrap());
    files(folder).into_iter().map(read).collect()
}

/// A JSON file.
pub fn json(path: &Path) -> Value {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    deserializer.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut deserializer).unwrap()
}

/// Asserts that two JSON values are equal by value: integers as integers, floats as 32 bits with the
/// sign of zero, null as the empty list.
pub fn assert_same(actual: &Value, expected: &Value, path: &str) {
    let as_list = |value: &Value| match value {
        Value::Null => Some(Vec::new()),
        Value::Array(items) => Some(items.clone()),
        _ => None,
    };
    match (actual, expected) {
        (Value::Number(actual), Value::Number(expected)) => {
            assert_eq!(actual.is_f64(), expected.is_f64(), "{path}: kind of number");
            if actual.is_f64() {
                let bits = |number: &serde_json::Number| {
                    #[expect(clippy::cast_possible_truncation, reason = "the rounding is meant")]
                    let rounded = number.as_f64().unwrap() as f32;
                    rounded.to_bits()
                };
                assert_eq!(bits(actual), bits(expected), "{path}");
            } else {
                assert_eq!(actual, expected, "{path}");
            }
        }
        (Value::Object(actual), Value::Object(expected)) => {
            for (name, expected) in expected {
                let value = actual.get(name);
                let value = value.unwrap_or_else(|| panic!("{path}.{name} is missing"));
                assert_same(value, expected, &format!("{path}.{name}"));
            }
        }
        (actual, expected) => match (as_list(actual), as_list(expected)) {
            (Some(actual), Some(expected)) => {
                assert_eq!(actual.len(), expected.len(), "{path}: length");
                for (index, (actual, expected)) in actual.iter().zip(&expected).enumerate() {
                    assert_same(actual, expected, &format!("{path}[{index}]"));
                }
            }
            _ => assert_eq!(actual, expected, "{path}"),
        },
    }
}

/// Every file below `root`, relative, with forward slashes, sorted.
pub fn files(root: &Path) -> Vec<String> {
    let mut found: Vec<String> = walkdir::WalkDir::new(root)
        .into_iter()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let relative = entry.path().strip_prefix(root).unwrap();
            relative.to_string_lossy().replace('\\', "/")
        })
        .collect();
    found.sort();
    found
}

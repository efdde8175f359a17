//! Documents that are written while they are serialized: the same bytes, and the same care for files in their
//! place.

use relicast_testing::test;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::common::{convert, files, json, relicast};

/// A reader with so many numbers that its document is longer than a piece.
const NUMBERS: usize = 120_000;

struct Long {
    root: TempDir,
}

impl Long {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let input = root.path().join("in");
        fs::create_dir(&input).unwrap();
        let numbers: Vec<String> = (0..NUMBERS).map(|number| number.to_string()).collect();
        let reader = format!("( NUMBERS ( {} ) )", numbers.join(" "));
        fs::write(input.join("long.zrd"), reader).unwrap();
        Self { root }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn convert(&self, out: &str, arguments: &[&str]) -> PathBuf {
        let out = self.path(out);
        convert(&self.path("in"), &out, arguments)
            .assert()
            .success();
        out
    }
}

/// Path of the document in an output folder.
fn document(out: &Path) -> String {
    let manifest = json(&out.join("manifest.json"));
    let outputs = manifest["outputs"].as_array().unwrap();
    assert_eq!(outputs.len(), 1);
    outputs[0]["path"].as_str().unwrap().to_owned()
}

#[test]
fn they_are_the_same_in_pieces_and_whole() {
    let long = Long::new();
    let out = long.convert("out", &[]);
    let path = document(&out);
    let bytes = fs::read(out.join(&path)).unwrap();
    assert!(bytes.len() > 3 << 18, "{}", bytes.len());
    let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let text = serde_json::to_string(&value).unwrap();
    let last = NUMBERS - 1;
    assert!(text.contains(&format!(",{last}]")));
    relicast().arg("verify").arg(&out).assert().success();
    // With a store all bytes are there before the first is written.
    let store = long.path("store");
    let whole = long.convert("whole", &["--store", store.to_str().unwrap()]);
    assert_eq!(fs::read(whole.join(&path)).unwrap(), bytes);
    let row = |out: &Path| json(&out.join("manifest.json"))["outputs"][0]["blake3"].clone();
    assert_eq!(row(&whole), row(&out));
    let before = files(&out);
    long.convert("out", &["--force"]);
    assert_eq!(files(&out), before);
    assert_eq!(fs::read(out.join(&path)).unwrap(), bytes);
}

#[test]
fn what_is_in_their_place_is_kept() {
    let long = Long::new();
    let path = document(&long.convert("first", &[]));
    let mine = long.path("out").join(&path);
    fs::create_dir_all(mine.parent().unwrap()).unwrap();
    fs::write(&mine, "mine").unwrap();
    let out = long.convert("out", &[]);
    let aside = out.join(format!("{path}.edited-1"));
    assert_eq!(fs::read_to_string(aside).unwrap(), "mine");
    let written = fs::read(out.join(&path)).unwrap();
    assert_eq!(written, fs::read(long.path("first").join(&path)).unwrap());
}

#[test]
fn what_cannot_be_written_leaves_nothing() {
    let long = Long::new();
    let path = document(&long.convert("first", &[]));
    let out = long.path("out");
    fs::create_dir_all(out.join(&path).join("mine")).unwrap();
    convert(&long.path("in"), &out, &[])
        .assert()
        .code(2)
        .stderr(predicates::str::contains(
            "a folder is at the path of the output",
        ));
    let left = files(&out);
    assert!(
        left.iter().all(|file| !file.contains("relicast-part")),
        "{left:?}"
    );
    assert!(out.join(&path).join("mine").is_dir());
}

//! `relicast identify`: games, editions, missing files and unknown files.

use std::fs::{self, File};
use std::path::Path;

use relicast::asset::Game;
use relicast::source::known::{Edition, KnownFile, table};
use relicast_testing::test;
use serde_json::Value;

use crate::cli::text;
use crate::common::{relicast, sample_installs};

fn identify(input: &Path) -> (String, Value) {
    let run = |json: bool| {
        let mut command = relicast();
        command.arg("identify").arg(input);
        if json {
            command.arg("--json");
        }
        text(&command.assert().success().get_output().stdout)
    };
    (run(false), serde_json::from_str(&run(true)).unwrap())
}

/// An edition for which only sizes are known.
fn by_size() -> &'static Edition {
    let table = table();
    let has_hash = |edition: &Edition| {
        let files = table.files().iter();
        let mut own = files.filter(|file| table.edition(file) == edition);
        own.any(|file| file.sha256.is_some())
    };
    let mut editions = table.editions().iter();
    editions
        .find(|edition| edition.game == Game::Mw && !has_hash(edition))
        .unwrap()
}

#[test]
fn a_disc_is_detected_by_the_sizes_of_its_files() {
    let edition = by_size();
    let folder = tempfile::tempdir().unwrap();
    let files = table().files().iter();
    let small = |file: &&KnownFile| file.size.is_some_and(|size| size < 100_000);
    let files: Vec<_> = files
        .filter(|file| table().edition(file) == edition)
        .filter(small)
        .collect();
    for file in &files {
        let path = folder.path().join("cd").join(file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        File::create(path)
            .unwrap()
            .set_len(file.size.unwrap())
            .unwrap();
    }
    let (lines, document) = identify(folder.path());
    let first = &document["editions"][0];
    assert_eq!(first["edition"], edition.words, "{lines}");
    assert_eq!(first["matched"], files.len());
    assert!(!first["missing"].as_array().unwrap().is_empty());
    assert!(
        lines.contains(edition.words) && lines.contains("missing:"),
        "{lines}"
    );
    assert!(document["unknown_variant"].is_null());
}

#[test]
fn an_install_of_other_files_is_an_unknown_variant() {
    let root = sample_installs(&[Game::Mw]);
    let (lines, document) = identify(&root.path().join("mw"));
    assert!(lines.starts_with("game:       MechWarrior 3 ("), "{lines}");
    assert!(lines.contains("edition:    unknown"), "{lines}");
    let text = document["unknown_variant"].as_str().unwrap();
    assert!(text.contains("zbd/c1/gamez.zbd "), "{text}");
    assert!(!text.contains(&*root.path().to_string_lossy()), "{text}");
    // Paths are printed as they are on disk, and once.
    assert_eq!(lines.matches("zbd/soundsH.zbd").count(), 1, "{lines}");
    assert!(
        lines.contains("which does not mean that they are wrong"),
        "{lines}"
    );
    let files = document["files"].as_array().unwrap();
    let gamez = files.iter().find(|file| file["path"] == "zbd/c1/gamez.zbd");
    assert_eq!(gamez.unwrap()["verdict"], "other-content");
    // The same names in an install of another game say nothing.
    let root = sample_installs(&[Game::Rc]);
    let (lines, document) = identify(&root.path().join("rc"));
    assert!(lines.starts_with("game:       Recoil ("), "{lines}");
    // Of Recoil the hashes of two files are known.
    let others = document["other_content"].as_array().into_iter().flatten();
    for other in others {
        let path = other["path"].as_str().unwrap().to_lowercase();
        let is_own = ["recoil.exe", "m1/gamez.zbd"]
            .iter()
            .any(|known| path.ends_with(known));
        assert!(is_own, "{document:#}");
    }
}

#[test]
fn a_file_and_an_empty_folder() {
    let root = sample_installs(&[Game::Pm]);
    let (lines, _) = identify(&root.path().join("pm/zbd/c1/gamez.zbd"));
    assert!(
        lines.starts_with("game:       MechWarrior 3: Pirate's Moon ("),
        "{lines}"
    );
    let empty = tempfile::tempdir().unwrap();
    relicast()
        .arg("identify")
        .arg(empty.path())
        .assert()
        .code(1);
}

#[test]
fn an_install_in_cabinets_on_a_disc_is_detected_as_one_in_a_folder() {
    let scratch = tempfile::tempdir().unwrap();
    let write = |name: &str, files: Vec<relicast_samples::SampleFile>| {
        let folder = scratch.path().join(name);
        relicast_samples::write_files(&folder, &files).unwrap();
        folder
    };
    let folder = write("folder", relicast_samples::files(Game::Mw, 1).unwrap());
    let disc = relicast_samples::cabinet::disc::mechwarrior().unwrap();
    let disc = write("disc", disc).join(relicast_samples::disc::SHEET);
    let [in_folder, on_disc] = [identify(&folder).1, identify(&disc).1];
    assert_eq!(on_disc["games"][0]["game"], "MechWarrior 3");
    let known = |document: &Value| {
        let rows = document["other_content"].as_array().unwrap().iter();
        let mut rows: Vec<(String, String)> = rows
            .map(|row| {
                let word = |key: &str| row[key].as_str().unwrap().to_lowercase();
                (word("path"), word("sha256"))
            })
            .collect();
        rows.sort();
        rows
    };
    let rows = known(&in_folder);
    assert!(rows.iter().any(|(path, _)| path == "zbd/mechlib.zbd"));
    assert_eq!(known(&on_disc), rows);
}

#[test]
fn several_inputs_are_reported_separately_with_totals() {
    let root = sample_installs(&[Game::Rc, Game::Mw, Game::Eq]);
    let at = |name: &str| root.path().join(name);
    let run = |inputs: &[&str], json: bool, code: i32| {
        let mut command = relicast();
        command.arg("identify");
        command.args(inputs.iter().map(|name| at(name)));
        if json {
            command.arg("--json");
        }
        text(&command.assert().code(code).get_output().stdout)
    };
    let reported: Value = serde_json::from_str(&run(&["rc", "mw", "eq"], true, 0)).unwrap();
    let inputs = reported["inputs"].as_array().unwrap();
    for (row, name) in inputs.iter().zip(["rc", "mw", "eq"]) {
        let alone = identify(&at(name)).1;
        for (key, value) in alone.as_object().unwrap() {
            assert_eq!(row[key], *value, "{name}: {key}");
        }
    }
    assert_eq!(reported["totals"]["inputs"], 3);
    assert_eq!(reported["totals"]["failed"], 0);
    assert_eq!(reported["totals"]["games"]["Recoil"], 1);
    let variants = inputs
        .iter()
        .filter(|row| row.get("unknown_variant").is_some());
    assert_eq!(reported["totals"]["unknown_variants"], variants.count());
    let formats = inputs[0]["formats"].as_array().unwrap();
    let files: u64 = formats
        .iter()
        .map(|row| row["files"].as_u64().unwrap())
        .sum();
    assert_eq!(
        files,
        relicast_samples::files(Game::Rc, 1).unwrap().len() as u64
    );
    let named = |row: &Value| row["pronom"].is_string() && row["media_type"].is_string();
    assert!(formats.iter().any(named), "{formats:?}");
    // One that is not there stops no other.
    let reported: Value = serde_json::from_str(&run(&["none", "rc"], true, 2)).unwrap();
    assert_eq!(reported["totals"]["failed"], 1);
    assert!(reported["inputs"][0]["error"].is_string());
    let lines = run(&["rc", "mw"], false, 0);
    assert!(lines.contains("total:      2 inputs"), "{lines}");
    run(&["none", "nothing"], true, 1);
}

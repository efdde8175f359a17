//! `relicast inspect` of containers: its list, and one definition or script by name.

use relicast_testing::test;
use std::fs;
use std::path::Path;

use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::{self};
use serde_json::Value;

use crate::common::relicast;

fn inspect(file: &Path, arguments: &[&str]) -> String {
    let mut command = relicast();
    let run = command.arg("inspect").arg(file).args(arguments);
    let output = run.assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

#[test]
fn containers_list_definitions_scripts_and_sources() {
    let folder = tempfile::tempdir().unwrap();
    for file in relicast_samples::minimal::animations::files() {
        let path = folder.path().join("anim.zbd");
        fs::write(&path, anim::encode(&file).unwrap()).unwrap();
        let said = inspect(&path, &[]);
        let count = |start: &str| said.lines().filter(|line| line.starts_with(start)).count();
        assert!(said.contains("kind:       animations"), "{said}");
        assert_eq!(count("source:"), file.sources.len(), "{said}");
        assert_eq!(count("refers to:"), file.base_files.len(), "{said}");
        assert_eq!(count("script:"), file.scripts.len(), "{said}");
        assert_eq!(count("  -door_open"), file.definitions.len(), "{said}");
    }
}

#[test]
fn one_definition_is_shown_by_its_listed_name_or_that_of_its_animation() {
    let folder = tempfile::tempdir().unwrap();
    for file in relicast_samples::minimal::animations::files() {
        let path = folder.path().join("anim.zbd");
        fs::write(&path, anim::encode(&file).unwrap()).unwrap();
        let said = inspect(&path, &["--member", "-DOOR_open"]);
        assert!(said.contains("kind:       animation definition"), "{said}");
        assert!(said.contains("animation:  door_open"), "{said}");
        assert!(said.contains("nodes:      door"), "{said}");
        let first = &file.definitions[0];
        for sequence in first.blocks_of_events() {
            let line = format!(
                "sequence:   {}, {} events",
                sequence.head.name.text(),
                sequence.events.len()
            );
            assert!(said.contains(&line), "{line} in {said}");
        }
        assert!(said.contains("  OBJECT_MOTION_SI_SCRIPT"), "{said}");
        assert!(said.contains("  unknown event 44"), "{said}");
        assert_eq!(said, inspect(&path, &["--member", "-door_open"]));

        let json = inspect(&path, &["--member", "door_open", "--json"]);
        let json: Value = serde_json::from_str(&json).unwrap();
        // The program prints what the file holds, so that is decoded again.
        let again = anim::decode(&anim::encode(&file).unwrap()).unwrap().value;
        let expected = serde_json::to_string(&again.definitions[0]).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        assert_eq!(json["value"], expected);

        relicast()
            .arg("inspect")
            .arg(&path)
            .args(["--member", "window_open"])
            .assert()
            .code(1);
    }
}

#[test]
fn one_script_is_shown_by_its_path_or_file_name() {
    let folder = tempfile::tempdir().unwrap();
    for mut file in relicast_samples::minimal::animations::files() {
        if file.version < ZipperGame::PiratesMoon {
            continue;
        }
        file.scripts[1].script_name = anim::CountedText::new("zan\\gate.zan");
        let path = folder.path().join("anim.zbd");
        fs::write(&path, anim::encode(&file).unwrap()).unwrap();
        for name in ["gate.zan", "ZAN\\gate.zan"] {
            let said = inspect(&path, &["--member", name]);
            assert!(said.contains("kind:       script"), "{said}");
            assert!(said.contains("node:       door"), "{said}");
            assert!(said.contains("frames:     3, lines"), "{said}");
            assert!(said.contains("duration:   1 s"), "{said}");
        }
        let json = inspect(&path, &["--member", "gate.zan", "--json"]);
        let json: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["value"]["frames"].as_array().unwrap().len(), 3);
    }
}

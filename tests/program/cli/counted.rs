//! `relicast census`: counts, and differences from published numbers.

use std::fs;
use std::path::Path;

use relicast::asset::Game;
use relicast::formats::everquest::{pfs, wld};
use relicast::formats::zipper::gamez::{self, ModelSlot};
use relicast_testing::test;
use serde_json::Value;

use crate::cli::text;
use crate::common::relicast;

fn census(input: &Path, code: i32) -> (String, Value) {
    let run = |json: bool| {
        let mut command = relicast();
        command.arg("census").arg(input);
        if json {
            command.arg("--json");
        }
        text(&command.assert().code(code).get_output().stdout)
    };
    (run(false), serde_json::from_str(&run(true)).unwrap())
}

/// The file of a sample install with this name.
fn sample(game: Game, name: &str) -> Vec<u8> {
    let files = relicast_samples::files(game, 1).unwrap().into_iter();
    let mut files = files.filter(|file| file.path.to_lowercase().ends_with(name));
    files.next().unwrap().bytes
}

fn put(folder: &Path, path: &str, bytes: &[u8]) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_world_is_counted_and_compared_by_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let world = sample(Game::Cs, "gamez.zbd");
    put(folder.path(), "ZBD/C1/GAMEZ.ZBD", &world);
    let (lines, document) = census(folder.path(), 2);

    let decoded = gamez::decode(&world).unwrap().value;
    let file = &document["files"][0];
    assert_eq!(file["path"], "ZBD/C1/GAMEZ.ZBD");
    let counts = &file["counts"];
    assert_eq!(counts["nodes"], decoded.nodes.used.len());
    let models = decoded.models.slots.iter();
    let models: Vec<_> = models
        .filter_map(|slot| match slot {
            ModelSlot::Used(model) => Some(model),
            ModelSlot::Free { .. } => None,
        })
        .collect();
    assert_eq!(counts["models"], models.len());
    let polygons: usize = models.iter().map(|model| model.polygons.len()).sum();
    assert_eq!(counts["polygons"], polygons);
    let classes = counts.as_object().unwrap().iter();
    let classes = classes.filter(|(row, _)| row.starts_with("nodes.") && !row.ends_with("world"));
    let sum: u64 = classes.map(|(_, number)| number.as_u64().unwrap()).sum();
    assert_eq!(counts["nodes"], sum, "every node has a class");
    let zones = counts.as_object().unwrap().iter();
    let zones = zones.filter(|(row, _)| row.starts_with("zones."));
    let sum: u64 = zones.map(|(_, number)| number.as_u64().unwrap()).sum();
    assert_eq!(counts["nodes"], sum, "every node has a zone");
    // No package is next to it.
    assert_eq!(counts["texture_names.found"], Value::Null);
    assert_eq!(
        file["missing_textures"].as_array().unwrap().len(),
        counts["texture_names.wanted"]
    );

    let edition = &document["editions"][0];
    assert!(
        edition["edition"]
            .as_str()
            .unwrap()
            .starts_with("Crimson Skies")
    );
    assert_eq!(edition["files"], 1);
    let mut differences = edition["differences"].as_array().unwrap().iter();
    let nodes = differences.find(|one| one["row"] == "nodes").unwrap();
    assert_eq!(nodes["published"], 7064);
    assert_eq!(nodes["found"], counts["nodes"]);
    assert!(lines.contains("differs: ZBD/C1/GAMEZ.ZBD"), "{lines}");
    // The result comes first, then what the rows are.
    let first = lines.lines().next().unwrap();
    assert!(
        first.starts_with("Crimson Skies") && first.contains("differ"),
        "{lines}"
    );
    let title = "Crimson Skies: totals of all files";
    assert!(lines.contains(title), "{lines}");
}

#[test]
fn members_are_counted_and_what_cannot_be_read_too() {
    let folder = tempfile::tempdir().unwrap();
    let zone = sample(Game::Eq, "dell.s3d");
    put(folder.path(), "dell.s3d", &zone);
    put(folder.path(), "cut.s3d", &zone[..zone.len() / 2]);
    let (_, document) = census(folder.path(), 0);

    let archive = pfs::decode(&zone).unwrap().value;
    let counts = &document["files"][1]["counts"];
    assert_eq!(counts["members"], archive.entries.len());
    let scenes = archive.entries.iter();
    let scenes = scenes.filter(|entry| entry.label().ends_with(".wld"));
    let fragments = scenes.map(|entry| {
        let bytes = entry.extract().unwrap().value;
        wld::decode(&bytes).unwrap().value.fragments.len()
    });
    assert_eq!(counts["fragments"], fragments.sum::<usize>());
    assert_eq!(counts["unreadable"], Value::Null);
    assert_eq!(document["files"][0]["counts"]["unreadable"], 1);
    assert_eq!(document["totals"]["EverQuest"]["files"], 2);
    assert_eq!(document["editions"], Value::Array(Vec::new()));
}

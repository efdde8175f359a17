//! The catalog of the samples.

use relicast_testing::test;
use std::collections::BTreeSet;

use serde_json::{Value, json as value};

use crate::gallery::{GALLERY, SAMPLES, details, json};

fn find<'d>(details: &'d [Value], key: &str) -> &'d Value {
    let mut found = details.iter().filter(|detail| detail["key"] == key);
    found.next().unwrap_or_else(|| panic!("no {key}"))
}

/// The ids in a relation with this word.
fn related(detail: &Value, relation: &str, word: &str) -> Vec<u64> {
    let rows = detail[relation].as_array().unwrap().iter();
    let rows = rows.filter(|row| row[1] == word);
    rows.map(|row| row[0].as_u64().unwrap()).collect()
}

#[test]
fn columns_are_as_long_as_the_index_says_and_keys_are_found_again() {
    let index = json(&GALLERY.join("data/index.json"));
    let details = details(&GALLERY);
    assert_eq!(index["assets"].as_u64().unwrap(), details.len() as u64);
    assert_eq!(index["base"], "out/");
    let mut keys = BTreeSet::new();
    let mut id = 0;
    for chunk in 0..index["list"]["count"].as_u64().unwrap() {
        let list = json(&GALLERY.join(format!("data/list/{chunk}.json")));
        let count = list["count"].as_u64().unwrap();
        for column in [
            "game", "kind", "type", "status", "world", "archive", "flags", "dir", "file", "name",
            "title", "terms", "size", "a", "b",
        ] {
            assert_eq!(
                list[column].as_array().unwrap().len() as u64,
                count,
                "{column}"
            );
        }
        for place in 0..usize::try_from(count).unwrap() {
            let dir = usize::try_from(list["dir"][place].as_u64().unwrap()).unwrap();
            let (dir, file) = (
                list["dirs"][dir].as_str().unwrap(),
                list["file"][place].as_str().unwrap(),
            );
            let key = format!("{dir}{file}");
            let detail = &details[id];
            assert_eq!(detail["key"], key);
            assert_eq!(detail["id"], id);
            assert_eq!(
                dir.starts_with(':'),
                detail.get("outputs").is_none(),
                "{key}"
            );
            assert!(keys.insert(key));
            id += 1;
        }
    }
    assert_eq!(id, details.len());
}

#[test]
fn every_output_of_the_manifest_is_of_exactly_one_asset() {
    let manifest = json(&SAMPLES.out().join("manifest.json"));
    let expected: Vec<&str> = manifest["outputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|output| output["path"].as_str().unwrap())
        .collect();
    let details = details(&GALLERY);
    let outputs = details
        .iter()
        .filter_map(|detail| detail["outputs"].as_array())
        .flatten();
    let mut found: Vec<&str> = outputs
        .map(|output| output["path"].as_str().unwrap())
        .collect();
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn a_mech_shows_its_clips_skins_textures_and_motions() {
    let details = details(&GALLERY);
    let mech = find(&details, "models/mw/zbd/mechlib/wanderer.gltf");
    let clips = mech["facts"]["clips"].as_array().unwrap();
    assert!(
        clips
            .iter()
            .any(|clip| clip["name"] == "walk" && clip["seconds"].as_f64() > Some(0.0))
    );
    assert!(mech["facts"]["variants"].as_array().unwrap().len() >= 2);
    assert!(mech["facts"]["triangles"].as_u64() > Some(10));
    let textures = related(mech, "uses", "texture");
    assert!(!textures.is_empty() && !related(mech, "uses", "motion").is_empty());
    let texture = &details[usize::try_from(textures[0]).unwrap()];
    assert!(related(texture, "usedBy", "model").contains(&mech["id"].as_u64().unwrap()));
    let roles: BTreeSet<&str> = mech["outputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|output| output["role"].as_str().unwrap())
        .collect();
    assert!(roles.is_superset(&BTreeSet::from([
        "main",
        "buffer",
        "hidden",
        "hidden-buffer"
    ])));
}

#[test]
fn sounds_show_length_loops_and_who_names_them() {
    let details = details(&GALLERY);
    let engine = find(&details, "sounds/mw/zbd/soundsh/engine_loop.wav");
    assert_eq!(engine["facts"]["seconds"], 0.2);
    assert_eq!(engine["facts"]["loops"][0]["startSample"], 64);
    assert_eq!(engine["facts"]["sound"]["name"], "engine");
    assert!(
        !related(engine, "usedBy", "definition").is_empty(),
        "sounds.zrd names it"
    );
    let embers = find(&details, "sounds/eq/snd1/embers_lp.wav");
    let users: Vec<&Value> = related(embers, "usedBy", "sound")
        .iter()
        .map(|&id| &details[usize::try_from(id).unwrap()]["key"])
        .collect();
    assert_eq!(users, [&value!("sounds/eq/dell_sounds.json")]);
}

#[test]
fn worlds_use_models_and_what_belongs_to_them_is_found() {
    let details = details(&GALLERY);
    let world = find(&details, "worlds/eq/dell.gltf");
    assert!(related(world, "uses", "model").len() >= 5, "{world}");
    let index = json(&GALLERY.join("data/index.json"));
    let names: Vec<&str> = index["worlds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|world| world["name"].as_str().unwrap())
        .collect();
    assert!(
        names.contains(&"dell") && names.contains(&"c1"),
        "{names:?}"
    );
    assert!(
        !names.iter().any(|name| name.contains("emitters")),
        "{names:?}"
    );
}

#[test]
fn what_was_skipped_is_there_with_its_reason() {
    let details = details(&GALLERY);
    let program = find(&details, ":mw/Mech3.exe");
    assert_eq!(program["status"], "skipped");
    assert_eq!(program["reason"], "program code, not game data");
}

#[test]
fn a_member_of_a_disc_shows_its_sector_and_no_command_invents_a_file() {
    let details = details(&GALLERY);
    let key = "sounds/disc/sample disc/zbd/soundsl/engine_loop.wav";
    let sound = find(&details, key);
    assert!(sound["disc"]["sector"].is_u64());
    let commands = sound["commands"].as_array().unwrap();
    assert!(!commands.iter().any(|command| command["what"] == "inspect"));
    // Places of this machine are in no file for others.
    let here = SAMPLES.folder.path().to_str().unwrap();
    assert!(
        !commands
            .iter()
            .any(|command| command["command"].as_str().unwrap().contains(here))
    );
}

#[test]
fn the_report_of_the_front_page_counts_what_the_list_counts() {
    let index = json(&GALLERY.join("data/index.json"));
    let report = json(&GALLERY.join("data/report.json"));
    for status in ["converted", "copied", "skipped"] {
        // The list leaves out a count of nothing.
        let listed = index["counts"][status].as_u64().unwrap_or_default();
        assert_eq!(report["totals"][status], listed, "{status}");
    }
    let skipped = report["skipped"].as_array().unwrap();
    let sum: u64 = skipped
        .iter()
        .map(|row| row["count"].as_u64().unwrap())
        .sum();
    assert_eq!(report["totals"]["skipped"], sum);
    assert_eq!(report["discs"][0]["badSectors"], 0);
    assert!(report.get("stages").is_none() && report["totals"].get("seconds").is_none());
    assert!(report["inputs"][0].get("path").is_none());
}

//! Tables of an install as documents: spells, text lists, maps, skies, and the paths of sound sources.

use std::path::{Path, PathBuf};

use relicast::convert::ConvertOptions;
use relicast::convert::{self, OpenContext};
use relicast::formats::decoded_file::decode;
use relicast::formats::everquest::spells::table;
use relicast::formats::kind::{ArchiveContext, Kind, sniff};
use relicast_samples::everquest::tables::{self, LISTS, MAPS};
use relicast_testing::{skip, test};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::common;
use crate::damaged::NullSink;
use crate::support::mutate;
use crate::whole::Install;

fn rows(document: &Value) -> &Vec<Value> {
    document["rows"].as_array().unwrap()
}

#[test]
fn spells_have_names_for_their_fields() {
    let install = Install::new();
    let out = install.convert("out", "");
    let document = common::json(&out.join("config/spdat.json"));
    assert_eq!(
        (&document["slots"], &document["records"]),
        (&json!(4), &json!(4))
    );
    let spells = document["spells"].as_array().unwrap();
    assert_eq!(spells.len(), 2);
    let hum = &spells[0];
    assert_eq!(
        (&hum["id"], &hum["name"]),
        (&json!(1), &json!("Hum of the Mill"))
    );
    assert_eq!(hum["levels"], json!({"cleric": 5, "shaman": 9}));
    let effect = json!([{"slot": 0, "effect": 0, "base": -12, "most": 0, "formula": 100}]);
    assert_eq!(hum["effects"], effect);
    assert_eq!(hum["components"], json!([{"item": 13, "count": 1}]));
    assert_eq!((&hum["range"], &hum["mana"]), (&json!(100.5), &json!(40)));
    // A spell is a line.
    let text = std::fs::read_to_string(out.join("config/spdat.json")).unwrap();
    assert_eq!(
        text.lines().filter(|line| line.contains("\"id\"")).count(),
        2
    );

    let sprites = common::json(&out.join("config/spells.json"));
    let effect = &sprites["effects"][0];
    assert_eq!(effect["index"], 1);
    let sprite = &effect["source"]["sprites"][0];
    assert_eq!(sprite["attachment"], "right_hand");
    assert_eq!(sprite["color"], json!([30, 20, 10, 40]));
    assert_eq!(effect["source"]["after"][0]["sprite"], "EMBER2");

    let stages = common::json(&out.join("config/spellsnew.json"));
    let emitter = &stages["effects"][1]["cast"]["emitters"][0];
    assert_eq!(
        (&emitter["emitter"], &emitter["attachment"]),
        (&json!(1), &json!(4))
    );
    assert!(emitter["name"].is_string(), "{emitter}");
}

#[test]
fn lists_have_columns_and_a_line_a_row() {
    let install = Install::new();
    let out = install.convert("out", "");
    let list = |name: &str| common::json(&out.join(format!("text/{name}.json")));
    let texts = list("dbstr_us");
    assert_eq!(texts["columns"], json!(["id", "type", "text"]));
    let expected = json!([
        [1, 1, "Hum"],
        [1, 4, "Hums, 2^3 times."],
        [12, 8, "7"],
        [12, 11, "Caf\u{e9} folk"]
    ]);
    assert_eq!(texts["rows"], expected);
    assert_eq!(
        list("eqstr_us")["rows"],
        json!([[100, "You hear %1.\\n"], [207, "Go away!"]])
    );
    assert_eq!(list("eqstr_us")["headings"], json!(["EQST0002", "0 2"]));
    assert_eq!(list("basedata")["columns"][7], "hp_factor");
    assert_eq!(rows(&list("basedata"))[0][7], json!(0.083));
    assert_eq!(rows(&list("skillcaps"))[1], json!([1, 0, 2, 15, 0]));
    let races = list("racedata");
    assert_eq!(races["columns"], json!(["race", "col1", "col2", "col3"]));
    assert_eq!(races["rows"], json!([[1, 2, 3], [2, 4, 5, "06"]]));
    let load = list("resources/globalload");
    assert_eq!(rows(&load)[1][4], "Loading a dell, and more");
    let spells = list("spells_us");
    assert_eq!(
        (&spells["columns"][9], &spells["columns"][145]),
        (&json!("range"), &json!("spellsnew_record"))
    );
    assert_eq!(
        (&rows(&spells)[0][9], &rows(&spells)[1][1]),
        (&json!(100), &json!("12"))
    );
    assert_eq!(list("mp3index")["rows"][0], json!([-1, "dusk.mp3"]));
    let text = std::fs::read_to_string(out.join("text/skillcaps.json")).unwrap();
    assert!(text.contains("\n    [1, 0, 2, 15, 0]\n"), "{text}");
}

#[test]
fn maps_and_skies_are_documents() {
    let install = Install::new();
    let out = install.convert("out", "");
    let map = common::json(&out.join("worlds/maps/dell.json"));
    assert_eq!((&map["zone"], &map["layer"]), (&json!("dell"), &json!(0)));
    let line = json!({"from": [10.5, -20.0, 0.0], "to": [30.0, 40.0, 0.0], "color": [0, 0, 255]});
    assert_eq!(map["lines"][0], line);
    let layer = common::json(&out.join("worlds/maps/dell_1.json"));
    assert_eq!(layer["layer"], 1);
    assert_eq!(layer["points"][0]["label"], "to_the_mill");
    assert_eq!(layer["points"][0]["position"], json!([-3.25, 4.0, 1.0]));

    let scene = common::json(&out.join("worlds/sky.gltf"));
    let nodes = scene["nodes"].as_array().unwrap();
    let layer = |name: &str| {
        let node = nodes.iter().find(|node| node["name"] == name).unwrap();
        node["extras"]["everquest"]["layer"].clone()
    };
    let upper = json!({"sky": 1, "part": "upper", "drawOrder": 0, "secondsPerUv": 120});
    assert_eq!(layer("LAYER11"), upper);
    assert_eq!(layer("LAYER13")["direction"], "east to west");
    let bodies = nodes
        .iter()
        .find(|node| node["extras"]["everquest"]["layer"]["part"] == "bodies");
    assert_eq!(
        bodies.unwrap()["extras"]["everquest"]["layer"]["turnSeconds"],
        4320
    );
    assert_eq!(scene["animations"].as_array().unwrap().len(), 1);
    let facts = &scene["scenes"][0]["extras"]["everquest"]["sky"];
    assert_eq!(facts["zones"]["dell"]["DefaultWeather"], "DefaultFog");

    let sky = common::json(&out.join("config/resources/sky/sky.json"));
    let dell = &sky["zones"]["dell"];
    assert_eq!(dell["DefaultWeather"], "DefaultFog");
    assert_eq!(dell["MinAngle"], json!(-0.2));
    assert_eq!(dell["TransparentAngle"], json!(0.25));
    assert_eq!(sky["zones"]["mill"]["MaxCameraZ"], json!(100.0));
}

#[test]
fn lists_of_sounds_show_where_sounds_and_songs_are() {
    let install = Install::new();
    let out = install.convert("out", "");
    let find = |name: &str| {
        let files = common::files(&out);
        files.into_iter().find(|file| file.ends_with(name)).unwrap()
    };
    let document = common::json(&out.join(find("dell_sounds.json")));
    let sound = |emitter: usize| document["emitters"][emitter]["sounds"][0].clone();
    let path = |emitter: usize| {
        let sound = sound(emitter);
        let path = sound["path"].as_str().unwrap().to_owned();
        assert!(out.join(&path).is_file(), "{path}");
        path
    };
    assert!(path(0).ends_with("snd1/embers_lp.wav"), "{}", path(0));
    assert!(path(1).ends_with("snd1/pond_lp.wav"));
    assert_eq!(path(2), "music/dell/dell-01.mid");
    // A sound of the client whose file is not there.
    assert_eq!(
        (&sound(3)["name"], &sound(3)["path"]),
        (&json!("torch_lp"), &Value::Null)
    );
    assert_eq!(path(4), "music/dusk.mp3");
    assert_eq!(sound(4)["name"], "dusk.mp3");
    assert_eq!(
        (&sound(5)["name"], &sound(5)["path"]),
        (&json!("lost.mp3"), &Value::Null)
    );
}

#[test]
fn emitters_of_the_environments_are_in_zones_of_both_clients() {
    let install = Install::new();
    let out = install.convert("out", "");
    let scene = common::json(&out.join("worlds/dell.gltf"));
    let nodes = scene["nodes"].as_array().unwrap();
    let embers = nodes.iter().find(|node| node["name"] == "embers").unwrap();
    // (y, z, x) of the file.
    assert_eq!(embers["translation"], json!([12.0, 1.5, 20.0]));
    assert_eq!(
        embers["extras"]["everquest"]["emitter"]["AlwaysVisible"],
        "0"
    );
}

/// All samples of tables: name and bytes.
fn samples() -> Vec<(String, Vec<u8>)> {
    let mut all = vec![
        ("spdat.eff", tables::spells(4).unwrap()),
        ("spdat.eff", tables::spells(12).unwrap()),
        ("spells.eff", tables::spell_sprites().unwrap()),
        ("spellsnew.eff", tables::spell_stages(68).unwrap()),
    ];
    all.extend(
        LISTS
            .iter()
            .chain(&MAPS)
            .map(|(path, bytes)| (*path, bytes.to_vec())),
    );
    let name = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    all.into_iter()
        .map(|(path, bytes)| (name(path), bytes))
        .collect()
}

/// Converts a file of a kind, with any contents, and writes it back. A text without a line that can be read
/// is refused by both.
fn survives(kind: Kind, name: &str, bytes: &[u8]) {
    let opened = convert::open(OpenContext::new(kind, name, bytes)).unwrap();
    let converted = opened.convert(0, &ConvertOptions::default(), &mut NullSink::default());
    match decode(kind, name, bytes, &ArchiveContext::default()).unwrap() {
        Ok(decoded) => {
            assert!(decoded.value.encode().unwrap().unwrap() == bytes, "{name}");
            converted.unwrap();
        }
        Err(fault) => {
            assert_eq!(fault.field(), "lines", "{name}");
            assert!(converted.is_err(), "{name}");
        }
    }
}

#[test]
fn any_bytes_are_a_table_that_is_written_back_or_a_text_without_a_line_that_can_be_read() {
    let mut kinds = std::collections::BTreeSet::new();
    for (name, bytes) in samples() {
        let kind = sniff(&bytes, &name);
        assert!(
            kind.format().outputs.starts_with("JSON"),
            "{name} is {kind:?}"
        );
        kinds.insert(kind);
        let alone = ArchiveContext::default();
        assert!(
            decode(kind, &name, &bytes, &alone).unwrap().is_ok(),
            "{name}"
        );
        survives(kind, &name, &bytes);
        let step = if bytes.len() > 1000 { 97 } else { 3 };
        mutate(&bytes, step, |bytes| survives(kind, &name, bytes));
    }
    assert_eq!(kinds.len(), 6);
    // Prose is no map, and a player's settings are nobody's business.
    assert_eq!(sniff(b"Let us meet", "notes.txt"), Kind::Foreign);
    assert_eq!(sniff(b"[a]\n", "eqclient.ini"), Kind::Foreign);
}

fn real(name: &str) -> Option<Vec<u8>> {
    let install = std::env::var_os("RELICAST_EVERQUEST").map(PathBuf::from);
    let Some(install) = install else {
        skip("RELICAST_EVERQUEST names no install");
    };
    std::fs::read(Path::new(&install).join(name)).ok()
}

#[test]
fn retail_spells_are_those_of_the_sheet() {
    let Some(bytes) = real("spdat.eff") else {
        skip("no spdat.eff");
    };
    let digest = Sha256::digest(&bytes);
    if digest[..6] != [0x35, 0x09, 0x58, 0x17, 0xe8, 0x9d] {
        skip("another spdat.eff");
    }
    let decoded = table::decode(&bytes).unwrap();
    assert!(decoded.deviations.is_empty());
    let table = decoded.value;
    assert!(table::encode(&table).unwrap() == bytes);
    assert_eq!((table.spells.len(), table.slots), (1024, 4));
    let named = table
        .spells
        .iter()
        .filter(|spell| !spell.head.name.text_bytes().is_empty());
    assert_eq!(named.count(), 795);
    let bolt = &table.spells[38];
    assert_eq!(bolt.head.name.text(), "Lightning Bolt");
    assert_eq!((bolt.head.mana, bolt.base[0], bolt.most[0]), (85, -85, 125));
    assert_eq!(
        (bolt.tail.levels[11], bolt.tail.target, bolt.tail.skill),
        (16, 1, 24)
    );
    assert_eq!((bolt.sort.resist, bolt.tail.travel_type), (1, 3));
    let wolf = &table.spells[278];
    assert_eq!((wolf.head.recast_time, wolf.head.duration), (7000, 360));
    assert_eq!(
        (&wolf.effect[..2], wolf.tail.effect_record),
        (&[3, 24][..], 7)
    );
    let heal = &table.spells[13];
    assert_eq!((heal.items.icon, heal.items.memorized_icon), (2510, 2051));
}

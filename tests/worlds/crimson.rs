//! What is Crimson Skies' alone: fonts, airframes, instruments, pictures that the game chooses, readers that hide
//! each other.

use relicast_testing::test;
use std::fs;
use std::path::{Path, PathBuf};

use relicast::asset::Game;
use relicast::formats::codec::F32;
use relicast::formats::zipper::gamez::{self, Cycle, CycleRecord, GameZ, MaterialFlags, NodeName};
use serde_json::{Value, json};

use super::chassis::{pack, reader};
use super::common::{self, convert, json as read_json};

/// The sample of Crimson Skies, converted after `change` had its way with the folder of the install.
fn converted(settings: &str, change: impl FnOnce(&Path)) -> (tempfile::TempDir, PathBuf, String) {
    let samples = common::sample_installs(&[Game::Cs]);
    let input = samples.path().join("cs");
    change(&input);
    let file = samples.path().join("settings.toml");
    fs::write(&file, settings).unwrap();
    let out = samples.path().join("out");
    let mut command = convert(&input, &out, &[]);
    command.arg("--config").arg(&file).assert().success();
    let report = fs::read_to_string(out.join("report.json")).unwrap();
    (samples, out, report)
}

/// Changes the library of aircraft.
fn with_planes(input: &Path, change: impl FnOnce(&mut GameZ)) {
    let path = input.join("ZBD/planes.zbd");
    let mut planes = gamez::decode(&fs::read(&path).unwrap()).unwrap().value;
    change(&mut planes);
    fs::write(&path, gamez::encode(&planes).unwrap()).unwrap();
}

fn rename(planes: &mut GameZ, from: &str, to: &str) {
    let node = planes
        .nodes
        .used
        .iter_mut()
        .find(|node| node.name() == from);
    node.unwrap().record.name = NodeName::new(to).unwrap();
}

#[test]
fn fonts_have_their_signs_beside_their_pictures() {
    let (_samples, out, _) = converted("", |_| {});
    let font = read_json(&out.join("textures/zbd/rimage/sample_8.font.json"));
    let signs = font["chars"].as_array().unwrap();
    assert_eq!(signs.len(), 94);
    let quote = &signs[1];
    assert_eq!(
        (&quote["char"], &quote["x"], &quote["width"]),
        (&json!("\""), &json!(2), &json!(2))
    );
    assert_eq!(quote["xadvance"], 3);
    let page = font["pages"][0].as_str().unwrap();
    assert!(
        out.join("textures/zbd/rimage").join(page).is_file(),
        "{page}"
    );
    assert!(!out.join("textures/zbd/rimage/title.font.json").exists());
}

#[test]
fn airframes_instruments_and_states_are_told() {
    let (_samples, out, report) = converted("", |input| {
        with_planes(input, |planes| {
            rename(planes, "heron", "player");
            rename(planes, "player_finch", "fury");
            // Below the second airframe, which is the first now.
            let player = planes
                .nodes
                .used
                .iter()
                .rposition(|node| node.name() == "geometry");
            planes.nodes.used[player.unwrap()].record.name =
                NodeName::new("player_pfighter").unwrap();
            rename(planes, "fin", "gungauge");
            rename(planes, "crest", "mgindicator3");
            rename(planes, "aileron_l", "mgindicator8");
        });
    });
    let player = read_json(&out.join("models/zbd/planes/player.gltf"));
    let told = &player["scenes"][0]["extras"]["zipper"]["airframe"];
    assert_eq!(
        (&told["name"], &told["number"]),
        (&json!("Devastator"), &json!(5))
    );
    assert_eq!(
        (&told["root"], &told["isPlayer"]),
        (&json!("player_pfighter"), &json!(true))
    );
    assert_eq!(told["damagePicture"], "de_damage");
    assert!(
        report.contains("player holds player_pfighter, the Devastator"),
        "{report}"
    );
    let fury = read_json(&out.join("models/zbd/planes/fury.gltf"));
    let told = &fury["scenes"][0]["extras"]["zipper"]["airframe"];
    assert_eq!(
        (&told["plainRoot"], &told["isPlayer"]),
        (&json!("fury"), &json!(false))
    );
    let facts = |name: &str| {
        let mut nodes = fury["nodes"].as_array().unwrap().iter();
        let node = nodes.find(|node| node["name"] == name);
        node.unwrap_or_else(|| panic!("no {name}"))["extras"]["zipper"].clone()
    };
    assert_eq!(facts("gungauge")["instrument"], json!({"name": "gungauge"}));
    assert_eq!(
        facts("mgindicator3")["instrument"],
        json!({"name": "mgindicator", "number": 3})
    );
    assert!(facts("mgindicator8")["instrument"].is_null());
    assert_eq!(facts("healthy")["damageState"], "healthy");
}

#[test]
fn pictures_that_the_game_chooses_are_variants() {
    for speed in [0.0, 4.0] {
        let (_samples, out, _) = converted("", |input| {
            fs::remove_dir_all(input.join("GOSDATA")).unwrap();
            with_planes(input, |planes| {
                for material in &mut planes.materials.used {
                    let Some(own) = material.texture() else {
                        continue;
                    };
                    material.record.flags |= MaterialFlags::CYCLED;
                    material.record.cycle_ptr = 0x0100_0010;
                    let textures = vec![i32::try_from(own).unwrap(), 0, 5];
                    material.cycle = Some(Cycle {
                        record: CycleRecord {
                            speed: F32(speed),
                            tex_map_index: 3,
                            tex_map_ptr: 0x0100_0010,
                            ..CycleRecord::default()
                        },
                        textures,
                    });
                }
            });
        });
        let heron = read_json(&out.join("models/zbd/planes/heron.gltf"));
        let names = heron["extensions"]["KHR_materials_variants"]["variants"].clone();
        let states = &heron["scenes"][0]["extras"]["zipper"]["pictureStates"];
        if speed == 0.0 {
            let names: Vec<&str> = names
                .as_array()
                .unwrap()
                .iter()
                .map(|name| name["name"].as_str().unwrap())
                .collect();
            assert_eq!(names, ["as stored", "state 1", "state 2"]);
            assert_eq!(states[0]["name"], "state 1");
            let textures = states[1]["textures"].as_object().unwrap();
            assert!(
                textures.values().all(|name| name == "flame"),
                "{textures:?}"
            );
        } else {
            assert!(names.is_null() && states.is_null());
        }
    }
}

#[test]
fn readers_that_hide_others_are_told() {
    let (_samples, out, report) = converted("[worlds]\nplacements = true\n", |input| {
        let path = input.join("ZBD/C1/M01/zrdr.zbd");
        let members = [
            ("aiv.zrd", reader("(player (-1 (1. 2. 3.) 0.))")),
            ("FOGVOL.zrd", reader("(distance 1.)")),
            ("player.zrd", reader("(first)")),
            ("PLAYER.ZRD", reader("(second)")),
        ];
        fs::write(path, pack(&members)).unwrap();
    });
    let mission = read_json(&out.join("worlds/zbd/c1/gamez.m01.gltf"));
    let told = &mission["scenes"][0]["extras"]["zipper"];
    assert_eq!(told["hidesReaders"], json!(["fogvol.zrd"]));
    assert!(
        report.contains("hide those of the world that are called fogvol.zrd"),
        "{report}"
    );
    let tables = common::files(&out).into_iter();
    let tables = tables.filter(|path| path.contains("c1/m01/zrdr") && path.ends_with(".json"));
    let table: Value = tables
        .map(|path| read_json(&out.join(path)))
        .find(|table: &Value| table["entries"].is_array())
        .unwrap();
    let entries = table["entries"].as_array().unwrap();
    let shadows: Vec<&Value> = entries.iter().map(|entry| &entry["shadowed_by"]).collect();
    assert_eq!(
        shadows,
        [&Value::Null, &Value::Null, &Value::Null, &json!(2)]
    );
}

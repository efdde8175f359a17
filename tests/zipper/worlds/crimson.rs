//! Features of Crimson Skies alone: fonts, airframes, instruments, pictures that the game chooses, readers
//! that hide each other.

use relicast_testing::test;
use std::fs;
use std::path::{Path, PathBuf};

use relicast::asset::Game;
use relicast::formats::codec::F32;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    self, ByGame, Cycle, CycleRecord, GameZ, MaterialFlags, ModelFlags, NodeName, ZoneId,
};
use relicast_samples::minimal::worlds;
use serde_json::{Value, json};

use super::chassis::{pack, reader};
use super::common::{self, convert, json as read_json};
use super::engine::run;

/// The sample of Crimson Skies, converted after `change` had its way with the folder of the install.
pub fn converted(
    settings: &str,
    change: impl FnOnce(&Path),
) -> (tempfile::TempDir, PathBuf, String) {
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
fn fonts_have_their_glyphs_next_to_their_pictures() {
    let (_samples, out, _) = converted("", |_| {});
    let font = read_json(&out.join("textures/zbd/rimage/sample_8.font.json"));
    let glyphs = font["chars"].as_array().unwrap();
    assert_eq!(glyphs.len(), 94);
    let quote = &glyphs[1];
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
fn airframes_instruments_and_states_are_reported() {
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
    let written = &player["scenes"][0]["extras"]["zipper"]["airframe"];
    assert_eq!(
        (&written["name"], &written["number"]),
        (&json!("Devastator"), &json!(5))
    );
    assert_eq!(
        (&written["root"], &written["isPlayer"]),
        (&json!("player_pfighter"), &json!(true))
    );
    assert_eq!(written["damagePicture"], "de_damage");
    assert!(
        report.contains("player contains player_pfighter, the Devastator"),
        "{report}"
    );
    let fury = read_json(&out.join("models/zbd/planes/fury.gltf"));
    let written = &fury["scenes"][0]["extras"]["zipper"]["airframe"];
    assert_eq!(
        (&written["plainRoot"], &written["isPlayer"]),
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
fn readers_that_hide_others_are_reported() {
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
    let written = &mission["scenes"][0]["extras"]["zipper"];
    assert_eq!(written["hidesReaders"], json!(["fogvol.zrd"]));
    assert!(
        report.contains("replace those of the world: fogvol.zrd"),
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

/// The node of a name; null without one.
fn node_of(document: &Value, name: &str) -> Value {
    let mut nodes = document["nodes"].as_array().unwrap().iter();
    nodes
        .find(|node| node["name"] == name)
        .cloned()
        .unwrap_or_default()
}

#[test]
fn zones_gate_single_nodes_and_not_what_is_below_them() {
    let shows = |version: ZipperGame, zones: [i8; 2]| {
        let mut world = worlds::gamez(version);
        for (name, zone) in ["house_near", "house_walls"].into_iter().zip(zones) {
            let mut nodes = world.nodes.used.iter_mut();
            let node = nodes.find(|node| node.name() == name).unwrap();
            node.record.zone_id = ZoneId(zone.cast_unsigned().into());
        }
        let files = [("ZBD/C1/gamez.zbd", gamez::encode(&world).unwrap())];
        let (run, said) = run(&files, "");
        let document = run.json("worlds/zbd/c1/gamez.gltf");
        let walls = node_of(&document, "house_walls");
        assert!(walls.is_object(), "its place stays: {said}");
        let hidden = run.out().join("worlds/zbd/c1/gamez.hidden.gltf");
        let mesh = |node: &Value| node["mesh"].is_u64();
        let beside = hidden.exists() && mesh(&node_of(&read_json(&hidden), "house_walls"));
        assert_ne!(mesh(&walls), beside, "{zones:?}: {said}");
        let written = walls["extras"]["zipper"].clone();
        assert_eq!(written["hiddenBy"] == "zone", beside, "{written}");
        assert_eq!(written["hidden"] == true, beside, "{written}");
        let zones = document["scenes"][0]["extras"]["zipper"]["zones"].clone();
        (mesh(&walls), zones)
    };
    for (zones, is_shown) in [
        ([-1, -1], true),
        ([-1, 0], true),
        ([-1, 1], true),
        ([-1, 2], false),
        ([1, 3], false),
        // Not inherited.
        ([2, 1], true),
    ] {
        let (shown, written) = shows(ZipperGame::CrimsonSkies, zones);
        assert_eq!(shown, is_shown, "{zones:?}");
        assert_eq!(written["shown"], json!([-1, 0, 1]));
        let [_, walls] = zones;
        assert!(
            written["nodes"][walls.to_string()].as_u64() > Some(0),
            "{written}"
        );
        let (shown, written) = shows(ZipperGame::PiratesMoon, zones);
        assert!(shown && written.is_null(), "{zones:?}");
    }
}

#[test]
fn flags_of_models_are_those_that_the_program_reads() {
    for (version, ambient, centroid) in [
        (ZipperGame::CrimsonSkies, Some(0x40), Some(0x80)),
        (ZipperGame::PiratesMoon, None, Some(0x40)),
        (ZipperGame::MechWarrior3, None, Some(0x40)),
        (ZipperGame::Recoil, None, None),
    ] {
        let word = |flag: ModelFlags| ByGame::from(flag).word(version);
        assert_eq!(word(ModelFlags::AMBIENT_ONLY), ambient, "{version:?}");
        assert_eq!(word(ModelFlags::FACADE_CENTROID), centroid, "{version:?}");
    }
}

#[test]
fn facades_are_seen_from_both_sides_and_fire_is_added_to_what_is_behind_it() {
    let (_samples, out, _) = converted("", |_| {});
    let world = read_json(&out.join("worlds/zbd/c1/gamez.gltf"));
    let fire = node_of(&world, "camp_fire");
    let mesh = &world["meshes"][fire["mesh"].as_u64().unwrap() as usize];
    assert_eq!(
        mesh["extras"]["zipper"]["facade"],
        json!({"mode": "spherical", "centroid": true})
    );
    let material = mesh["primitives"][0]["material"].as_u64().unwrap() as usize;
    let material = &world["materials"][material];
    assert_eq!(material["doubleSided"], true, "{material}");
    assert_eq!(material["alphaMode"], "BLEND");
    assert_eq!(material["extras"]["zipper"]["blend"], "additive");
    // The flip book of `spark` is on the material that the fire has, too.
    let cycle = &material["extras"]["zipper"]["cycle"];
    assert_eq!(
        (&cycle["fps"], &cycle["frames"]),
        (&json!(10.0), &json!(["flame", "tile_001", "tile_002"]))
    );
    let texture = &material["pbrMetallicRoughness"]["baseColorTexture"]["index"];
    let texture = &world["textures"][texture.as_u64().unwrap() as usize];
    assert_eq!(texture["extras"]["zipper"]["edgeMode"], 7);
    let materials = world["materials"].as_array().unwrap().iter();
    let added = materials.filter(|material| material["extras"]["zipper"]["blend"] == "additive");
    assert!(added.count() < world["materials"].as_array().unwrap().len());
}

/// The numbers of an accessor.
fn floats(world: &Value, bin: &[u8], accessor: &Value) -> Vec<f32> {
    let accessor = &world["accessors"][accessor.as_u64().unwrap() as usize];
    let width = match accessor["type"].as_str().unwrap() {
        "VEC3" => 3,
        "VEC4" => 4,
        other => panic!("{other}"),
    };
    let view = &world["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let offset = |value: &Value| value["byteOffset"].as_u64().unwrap_or(0) as usize;
    let start = offset(view) + offset(accessor);
    let count = accessor["count"].as_u64().unwrap() as usize * width;
    let words = bin[start..start + count * 4].chunks_exact(4);
    words
        .map(|word| f32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

/// Things below the group of some, each with its mesh, place and scale, and the facts of the group.
fn strewn(world: &Value, bin: &[u8], group: &str) -> (Vec<Value>, Value) {
    let group = node_of(world, group);
    let mut things = Vec::new();
    for child in group["children"].as_array().into_iter().flatten() {
        let node = &world["nodes"][child.as_u64().unwrap() as usize];
        let attributes = &node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
        let places = floats(world, bin, &attributes["TRANSLATION"]);
        let scales = match &attributes["SCALE"] {
            Value::Null => vec![1.0; places.len()],
            accessor => floats(world, bin, accessor),
        };
        for (place, scale) in places.chunks_exact(3).zip(scales.chunks_exact(3)) {
            let thing = json!({"mesh": node["mesh"], "translation": place, "scale": scale});
            things.push(thing);
        }
    }
    (things, group["extras"]["zipper"]["clutter"].clone())
}

#[test]
fn things_are_strewn_over_the_tiles_of_the_ground_and_into_volumes_of_fog() {
    let (_samples, out, report) = converted("[worlds]\nplacements = true\n", |_| {});
    for path in ["worlds/zbd/c1/gamez.gltf", "worlds/zbd/c1/gamez.m01.gltf"] {
        let world = read_json(&out.join(path));
        let bin = std::fs::read(out.join(path).with_extension("bin")).unwrap();
        let used = world["extensionsUsed"].as_array().unwrap();
        assert!(used.contains(&json!("EXT_mesh_gpu_instancing")));
        assert!(world["extensionsRequired"].is_null());
        // Four quads of ground with 16 tiles each, one of which is under a pool as well.
        let (trees, written) = strewn(&world, &bin, "clutter_wood_tree");
        assert_eq!(
            (trees.len(), &written["things"]),
            (64, &json!(64)),
            "{report}"
        );
        assert_eq!(written["texture"], "ground");
        assert_eq!(written["uv"], json!([0.25, 0.625]));
        assert_eq!(
            written["scale"],
            json!({"range": [0.5, 1.5], "certain": false})
        );
        assert_eq!(written["farFadeRange"], json!([400.0, 500.0, 600.0, 800.0]));
        let mut meshes: Vec<u64> = trees
            .iter()
            .map(|tree| tree["mesh"].as_u64().unwrap())
            .collect();
        meshes.dedup();
        assert_eq!(meshes.len(), 1, "all share a mesh");
        // What the world shows itself is there once.
        let (clouds, _) = strewn(&world, &bin, "clutter_clouds");
        for thing in trees.iter().chain(&clouds) {
            let mesh = &world["meshes"][thing["mesh"].as_u64().unwrap() as usize];
            let name = mesh["name"].as_str().unwrap();
            assert!(!name.ends_with("_2"), "{name}");
        }
        for tree in &trees {
            let [x, y, z] = [0, 1, 2].map(|axis| tree["translation"][axis].as_f64().unwrap());
            let scale = tree["scale"][0].as_f64().unwrap_or(1.0);
            assert!((0.5..1.5).contains(&scale), "{tree}");
            // A tile is a quarter of a cell wide, and half of that deep.
            let edge = f64::from(ZipperGame::CrimsonSkies.partition_edge());
            let across = (x / (edge / 4.0)).rem_euclid(1.0);
            let along = (z / (edge / 8.0)).rem_euclid(1.0);
            let is_at = |place: f64, uv: f64| {
                (place - uv).abs() < 1e-4 || (place - (1.0 - uv)).abs() < 1e-4
            };
            assert!(is_at(across, 0.25) && is_at(along, 0.625), "{tree}");
            // The card is half a meter over the ground, which rises up to 8 m.
            assert!(y >= 0.5 * scale - 1e-4 && y < 8.0 + 0.5 * scale, "{tree}");
        }
        // Six sides of a volume that is smaller than a step, each with one card at most.
        let (clouds, written) = strewn(&world, &bin, "clutter_clouds");
        assert_eq!(written["certain"], false);
        assert!((1..=6).contains(&clouds.len()), "{written}");
        assert_eq!(
            node_of(&world, "clutter")["extras"]["zipper"]["clutter"]["certain"],
            false
        );
    }
    let (_samples, out, report) = converted("[worlds]\nclutter = false\n", |_| {});
    assert!(
        report
            .to_string()
            .contains("to add them, set worlds.clutter = true")
    );
    let world = read_json(&out.join("worlds/zbd/c1/gamez.gltf"));
    assert!(node_of(&world, "clutter").is_null());
}

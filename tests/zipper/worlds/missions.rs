//! Placements and facts of missions besides vehicles and pick-ups: airships, aircraft, paths, turrets,
//! weather, fog.

use relicast_testing::test;
use std::fs;
use std::path::{Path, PathBuf};

use relicast::asset::Game;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{self, NodeData, NodeName};
use relicast_samples::minimal::worlds;
use serde_json::{Value, json};

use super::chassis::{pack, reader};
use super::common::{self, convert, json as read_json};

const PLACEMENTS: &str = "[worlds]\nplacements = true\n";

/// A converted install.
struct Converted {
    _folder: tempfile::TempDir,
    out: PathBuf,
    report: String,
}

fn converted(input: &Path, settings: &str) -> Converted {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.toml");
    fs::write(&file, settings).unwrap();
    let out = folder.path().join("out");
    let mut command = convert(input, &out, &[]);
    command.arg("--config").arg(&file).assert().success();
    let report = fs::read_to_string(out.join("report.json")).unwrap();
    Converted {
        _folder: folder,
        out,
        report,
    }
}

fn sample(game: Game, folder: &str) -> Converted {
    let samples = common::sample_installs(&[game]);
    converted(&samples.path().join(folder), PLACEMENTS)
}

/// An install of a few files.
fn made(files: &[(&str, Vec<u8>)]) -> Converted {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    converted(folder.path(), PLACEMENTS)
}

impl Converted {
    fn json(&self, path: &str) -> Value {
        read_json(&self.out.join(path))
    }
}

fn node<'v>(document: &'v Value, name: &str) -> &'v Value {
    let mut nodes = document["nodes"].as_array().unwrap().iter();
    let found = nodes.find(|node| node["name"] == name);
    found.unwrap_or_else(|| panic!("no node {name}"))
}

fn at(document: &Value, index: &Value) -> Value {
    document["nodes"][usize::try_from(index.as_u64().unwrap()).unwrap()].clone()
}

fn facts(node: &Value) -> &Value {
    &node["extras"]["zipper"]
}

/// All names at and below a node.
fn names_below(document: &Value, node: &Value) -> Vec<String> {
    let mut names = vec![node["name"].as_str().unwrap_or_default().to_owned()];
    for child in node["children"].as_array().into_iter().flatten() {
        names.extend(names_below(document, &at(document, child)));
    }
    names
}

const MISSION: &str = "worlds/zbd/c1/gamez.m01.gltf";

#[test]
fn airships_are_where_the_mission_puts_them() {
    let run = sample(Game::Cs, "cs");
    let world = run.json("worlds/zbd/c1/gamez.gltf");
    let waiting = node(&world, "samplezep");
    assert!(
        waiting["children"].is_null(),
        "it waits in the hidden scene"
    );
    let mission = run.json(MISSION);
    let ship = node(&mission, "samplezep");
    assert_eq!(ship["translation"], json!([128.0, 80.0, 64.0]));
    let turn = ship["rotation"].as_array().unwrap();
    let half = 0.5_f64.sqrt();
    for (part, expected) in turn.iter().zip([0.0, half, 0.0, half]) {
        assert!((part.as_f64().unwrap() - expected).abs() < 1e-6, "{turn:?}");
    }
    assert_eq!(
        names_below(&mission, ship),
        ["samplezep", "samplezep_hull"],
        "its hull is shown"
    );
    let written = &facts(ship)["airship"];
    assert_eq!(
        (&written["team"], &written["max_speed"]),
        (&json!("ally"), &json!(20.0))
    );
    assert_eq!(written["isDeactivated"], false);
    let scene = &facts(&mission["scenes"][0])["keys"]["airships"];
    assert_eq!(scene["yaw"], json!({"type": "angle", "unit": "degree"}));
}

#[test]
fn airships_that_are_deactivated_or_unknown_are_reported() {
    let mut world = worlds::gamez(ZipperGame::CrimsonSkies);
    let star = world
        .nodes
        .used
        .iter_mut()
        .find(|node| node.name() == "star");
    star.unwrap().record.name = NodeName::new("ghostzep").unwrap();
    let ships = "((node ghostzep position (1. 2. 3.) yaw 0. deactivated) \
                  (node lostzep position (4. 5. 6.) yaw 0.))";
    let run = made(&[
        ("ZBD/C1/gamez.zbd", gamez::encode(&world).unwrap()),
        (
            "ZBD/C1/M02/zrdr.zbd",
            pack(&[("zeppelins.zrd", reader(ships))]),
        ),
    ]);
    let mission = run.json("worlds/zbd/c1/gamez.m02.gltf");
    let ship = node(&mission, "ghostzep");
    assert!(ship["mesh"].is_null(), "it is hidden");
    assert_eq!(facts(ship)["hidden"], true);
    assert_eq!(facts(ship)["airship"]["isDeactivated"], true);
    assert!(
        run.report
            .contains("zeppelins.zrd places lostzep, but no node has this name"),
        "{}",
        run.report
    );
}

#[test]
fn aircraft_of_missions_are_those_that_vehicles_name() {
    let run = sample(Game::Cs, "cs");
    let mission = run.json(MISSION);
    for (name, root, player) in [
        ("place_player", "player_finch", true),
        ("place_wingman_1", "heron", false),
        ("place_finch_1", "player_finch", false),
    ] {
        let placed = node(&mission, name);
        let written = &facts(placed)["placement"];
        assert_eq!(written["template"], root, "{written}");
        assert_eq!(written["player"] == true, player, "{written}");
        assert_eq!(written["source"], "ZBD/planes.zbd");
        let names = names_below(&mission, placed);
        assert!(names[1].starts_with(root), "{names:?}");
        assert!(
            names.iter().any(|name| name.starts_with("wings")),
            "{names:?}"
        );
    }
    let stranger = facts(node(&mission, "place_stranger_1"))["placement"].clone();
    assert_eq!(stranger["unresolved"], true);
    // 45 degrees to the left.
    let turn = node(&mission, "place_player")["rotation"][1]
        .as_f64()
        .unwrap();
    assert!((turn - 22.5_f64.to_radians().sin()).abs() < 1e-6);
}

#[test]
fn weather_and_volumes_of_fog_are_reported() {
    let run = sample(Game::Cs, "cs");
    let mission = run.json(MISSION);
    let scene = facts(&mission["scenes"][0]);
    let zones = scene["weather"]["zones"].as_array().unwrap();
    assert_eq!(zones[0]["name"], "ZONE1");
    assert_eq!(zones[0]["fogRanges"], json!([300, 2500]));
    assert_eq!(zones[0]["sunlight"]["orientation"], json!([-25, 40, 0]));
    let color = zones[0]["fogColor"][0].as_f64().unwrap();
    assert!((color - 128.0 / 255.0).abs() < 1e-6);
    assert_eq!(zones[1]["software"], true);
    assert_eq!(scene["weather"]["record"]["PARTICLES"], 40);
    assert_eq!(
        scene["keys"]["weather"]["FOG_COLOR"]["unit"],
        "0 to 255 if a part is above 1, else 0 to 1"
    );
    for path in [MISSION, "worlds/zbd/c1/gamez.gltf"] {
        let document = run.json(path);
        let scene = facts(&document["scenes"][0]);
        assert_eq!(scene["fogVolumes"]["fog_fade_dist"], 50.0, "{path}");
        assert_eq!(scene["fogVolumes"]["clutter"]["nodes"], "camp_fire");
        let volume = facts(node(&document, "fvol01"))["fogVolume"].clone();
        assert_eq!(
            volume,
            json!({"min": [-10.0, 0.0, -8.0], "max": [10.0, 6.0, 8.0]})
        );
    }
    assert!(run.report.contains("net.zrd"), "{}", run.report);
}

#[test]
fn the_sun_of_crimson_skies_is_that_of_the_weather() {
    let run = sample(Game::Cs, "cs");
    let sun = |document: &Value| {
        let node = node(document, "sunlight");
        let light = node["extensions"]["KHR_lights_punctual"]["light"].as_u64();
        let lights = &document["extensions"]["KHR_lights_punctual"]["lights"];
        (node.clone(), lights[light.unwrap() as usize].clone())
    };
    let stored = run.json("worlds/zbd/c1/gamez.gltf");
    let (_, light) = sun(&stored);
    assert_eq!(facts(&light)["unset"], true);
    assert_eq!(light["intensity"], 0.0);
    assert!(facts(&stored["scenes"][0])["ambientLight"].is_null());
    let mission = run.json(MISSION);
    let (node, light) = sun(&mission);
    assert_eq!(light["type"], "directional");
    let intensity = light["intensity"].as_f64().unwrap();
    assert!(
        (intensity - 1.25 * std::f64::consts::PI).abs() < 1e-5,
        "{intensity}"
    );
    // 40 degrees about Y, then -25 about X, by hand.
    let turn = node["rotation"].as_array().unwrap();
    for (part, expected) in turn
        .iter()
        .zip([-0.203_387, 0.333_913, 0.074_027, 0.917_418])
    {
        assert!((part.as_f64().unwrap() - expected).abs() < 1e-5, "{turn:?}");
    }
    let scene = facts(&mission["scenes"][0]);
    assert_eq!(scene["ambientLight"], 0.25);
    assert_eq!(
        scene["weather"]["clouds"],
        json!({"top": 280.0, "bottom": 240.0, "thickness": 10.0, "zone2From": 255.0,
               "topColor": [0.5, 0.75, 1.0], "bottomColor": [1.0, 1.0, 1.0]})
    );
}

#[test]
fn paths_are_groups_with_lines_along_their_links() {
    let run = sample(Game::Rc, "rc");
    let mission = run.json("worlds/zbd/m1/gamez.m1.gltf");
    let net = node(&mission, "net_01");
    assert_eq!(facts(net)["net"]["path_width"], 12.0);
    assert_eq!(facts(net)["net"]["name"], "patrol");
    assert_eq!(net["children"].as_array().unwrap().len(), 3);
    let mesh = usize::try_from(net["mesh"].as_u64().unwrap()).unwrap();
    let lines = &mission["meshes"][mesh]["primitives"][0];
    assert_eq!(lines["mode"], 1);
    let count = |accessor: &Value| {
        let place = usize::try_from(accessor.as_u64().unwrap()).unwrap();
        mission["accessors"][place]["count"].as_u64().unwrap()
    };
    assert_eq!(count(&lines["indices"]), 4, "two links, each once");
    assert_eq!(count(&lines["attributes"]["POSITION"]), 3);
    let scene = facts(&mission["scenes"][0]);
    assert_eq!(scene["keys"]["nets"]["attack_strategy"]["default"], "HEA");
    assert_eq!(scene["keys"]["vehicles"]["heading"]["unit"], "degree");
}

#[test]
fn turrets_movers_and_things_in_the_world_are_marked() {
    let run = sample(Game::Rc, "rc");
    let mission = run.json("worlds/zbd/m1/gamez.m1.gltf");
    let turret = &facts(node(&mission, "turret_1"))["turret"];
    assert_eq!(turret["HEALTH"], 80);
    assert_eq!(turret["WEAPON"]["DETECTION_RANGE"], 150.0);
    let fire = node(&mission, "fire_point");
    assert!(fire["mesh"].is_null(), "it is switched off");
    assert_eq!(facts(fire)["switchedOffBy"], "ai.zrd");
    assert_eq!(facts(node(&mission, "banner"))["mover"], true);
    let thing = &facts(node(&mission, "pu03401"))["pickup"];
    assert_eq!(*thing, json!({"type": 34, "name": "NANITE", "amount": 60}));
    let scene = facts(&mission["scenes"][0]);
    assert_eq!(
        scene["weather"],
        json!({"TYPE": "SNOW", "PARTICLES": 60, "COLOR": [255, 255, 255]})
    );
    assert_eq!(scene["objectives"]["OBJECTIVE1"]["ACTIVE"], "lantern");
    assert_eq!(
        scene["keys"]["objectives"]["READ_TIME"],
        json!({"type": "whole number", "unit": "s", "default": 4})
    );
    // The world as stored shows what the mission switches off.
    let world = run.json("worlds/zbd/m1/gamez.gltf");
    assert!(node(&world, "fire_point")["mesh"].is_u64());
    assert!(facts(node(&world, "turret_1"))["turret"].is_null());
}

#[test]
fn vehicles_of_recoil_are_placed_without_their_supports() {
    for (support, is_shown) in [("support02", false), ("support04", true)] {
        let mut world = worlds::gamez(ZipperGame::Recoil);
        for (from, to) in [("house", "bft"), ("house_walls", support)] {
            let node = world.nodes.used.iter_mut().find(|node| node.name() == from);
            node.unwrap().record.name = NodeName::new(to).unwrap();
        }
        // The vehicle waits outside of the world.
        for node in &mut world.nodes.used {
            if let NodeData::World(world) = &mut node.data {
                for cell in &mut world.partitions {
                    cell.entries.clear();
                    cell.record.nodes_ptr = 0;
                }
            }
        }
        let run = made(&[
            ("zbd/m1/gamez.zbd", gamez::encode(&world).unwrap()),
            (
                "zbd/m1/zrdr.zbd",
                pack(&[("aiv.zrd", reader("(bft_00 (0 (1. 2. 3.) 0.))"))]),
            ),
        ]);
        let mission = run.json("worlds/zbd/m1/gamez.m1.gltf");
        let placed = node(&mission, "place_bft_00");
        assert!(names_below(&mission, placed).contains(&support.to_owned()));
        let part = node(&mission, support);
        assert_eq!(part["mesh"].is_u64(), is_shown, "{part}");
    }
}

#[test]
fn vehicles_of_recoil_whose_full_name_is_in_the_world_are_moved() {
    let mut world = worlds::gamez(ZipperGame::Recoil);
    let star = world
        .nodes
        .used
        .iter_mut()
        .find(|node| node.name() == "star");
    star.unwrap().record.name = NodeName::new("bft_07").unwrap();
    let list = "(bft_07 (3 (10. 20. 30.) 180.) bft_08 (4 (0. 0. 0.) 0.))";
    let run = made(&[
        ("zbd/m1/gamez.zbd", gamez::encode(&world).unwrap()),
        ("zbd/m1/zrdr.zbd", pack(&[("aiv.zrd", reader(list))])),
    ]);
    let mission = run.json("worlds/zbd/m1/gamez.m1.gltf");
    let moved = node(&mission, "bft_07");
    assert_eq!(moved["translation"], json!([10.0, 20.0, 30.0]));
    let written = &facts(moved)["placement"];
    assert_eq!(
        (&written["id"], &written["player"]),
        (&json!(3), &json!(true))
    );
    let mut names = mission["nodes"].as_array().unwrap().iter();
    assert!(!names.any(|node| node["name"] == "place_bft_07"));
    assert_eq!(
        facts(node(&mission, "place_bft_08"))["placement"]["unresolved"],
        true
    );
}

#[test]
fn actors_of_mechwarrior_take_the_node_of_their_full_name_or_copy_their_type() {
    for version in [ZipperGame::MechWarrior3, ZipperGame::PiratesMoon] {
        let mut world = worlds::gamez(version);
        for (from, to) in [("star", "Thor_07"), ("house_walls", "crate_05")] {
            let node = world.nodes.used.iter_mut().find(|node| node.name() == from);
            node.unwrap().record.name = NodeName::new(to).unwrap();
        }
        let list = "((Thor_07 (3 (10. 20. 30.) 180. 5) Thor_07 (3 (1. 0. 0.) 0.) \
                     crate_05 (0 (4. 5. 6.) 0.) house_02 (0 (7. 8. 9.) 0.) \
                     thor_09 (0 (0. 0. 0.) 0.)))";
        let run = made(&[
            ("zbd/c1/gamez.zbd", gamez::encode(&world).unwrap()),
            ("zbd/c1/readerm1.zbd", pack(&[("aiv.zrd", reader(list))])),
        ]);
        let mission = run.json("worlds/zbd/c1/gamez.m1.gltf");
        // The node itself, at the position of the record; a second record of its name is a copy.
        let moved = node(&mission, "Thor_07");
        assert_eq!(
            moved["translation"],
            json!([10.0, 20.0, 30.0]),
            "{version:?}"
        );
        let written = &facts(moved)["placement"];
        assert_eq!(written["net"], json!({"number": 3, "certain": false}));
        assert_eq!(
            (&written["more"], &written["player"]),
            (&json!([5]), &Value::Null)
        );
        let copy = node(&mission, "place_Thor_07");
        assert_eq!(copy["translation"], json!([1.0, 0.0, 0.0]));
        assert!(names_below(&mission, copy)[1].starts_with("Thor_07"));
        // One deeper in the world leaves its place.
        let old = node(&mission, "crate_05");
        assert_eq!(facts(old)["takenBy"], "crate_05", "{version:?}");
        assert!(old["mesh"].is_null());
        let placed = node(&mission, "place_crate_05");
        assert!(at(&mission, &placed["children"][0])["mesh"].is_u64());
        // The type may be a node anywhere in the world; names keep their case.
        let near = node(&mission, "place_house_02");
        assert_eq!(facts(near)["placement"]["template"], "house");
        assert!(facts(near)["placement"]["unresolved"].is_null());
        let lost = &facts(node(&mission, "place_thor_09"))["placement"];
        assert_eq!(lost["unresolved"], true);
        let rules = &facts(&mission["scenes"][0])["placementRules"];
        let is_guess = version == ZipperGame::PiratesMoon;
        assert_eq!(rules["certain"] == false, is_guess, "{rules}");
    }
}

#[test]
fn nets_and_valves_of_mechwarrior_are_read_and_joined() {
    let net = "(version 106 name (patrol) path_width 8. attack_strategy (CIRCLE) \
                node_10 (1 (1. 2. 3.) (11 12) valve (1 gate_open)) node_11 (0 (4. 5. 6.) (10 12)) \
                node_12 (0 (7. 8. 9.) ()) node_1 ((10 12) valve_assign (gate_open 1)))";
    let run = made(&[
        (
            "zbd/c1/gamez.zbd",
            gamez::encode(&worlds::gamez(ZipperGame::MechWarrior3)).unwrap(),
        ),
        (
            "zbd/reader.zbd",
            pack(&[(
                "maps.zrd",
                reader("(maps ((name c1 bitmap sat_c1 mpp 4.0 offset (-512. 0. 512.))))"),
            )]),
        ),
        (
            "zbd/c1/readerm1.zbd",
            pack(&[
                ("aiv.zrd", reader("(ghost_01 (0 (0. 0. 0.) 0.))")),
                ("net_00.zrd", reader(net)),
                (
                    "valves.zrd",
                    reader("(gate_open (teleport (ghost_01 (9. 8. 7.) 90. 0)))"),
                ),
            ]),
        ),
    ]);
    assert!(
        !run.report.contains("is not loaded by the game"),
        "{}",
        run.report
    );
    let mission = run.json("worlds/zbd/c1/gamez.m1.gltf");
    let net = node(&mission, "net_00");
    assert_eq!(net["children"].as_array().unwrap().len(), 3);
    assert_eq!(facts(net)["net"]["links"], 3);
    assert_eq!(
        facts(net)["net"]["edges"],
        json!([{"name": "node_1", "from": 10, "to": 12, "attributes": [
            {"key": "valve_assign", "values": ["gate_open", 1]},
        ]}])
    );
    let place = &facts(node(&mission, "place_node_10"))["placement"];
    assert_eq!(
        place["attributes"],
        json!([{"key": "valve", "values": [1, "gate_open"]}])
    );
    let scene = facts(&mission["scenes"][0]);
    assert_eq!(scene["valves"][0]["usedBy"], json!(["net_00"]));
    assert_eq!(scene["keys"]["valves"]["delayupdate"]["unit"], "s");
    assert_eq!(
        scene["maps"],
        json!([{"name": "c1", "bitmap": "sat_c1", "mpp": 4.0, "offset": [-512.0, 0.0, 512.0]}])
    );
    let later = mission["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .find(|node| facts(node)["placement"]["kind"] == "teleport");
    let later = later.unwrap();
    assert_eq!(later["translation"], json!([9.0, 8.0, 7.0]));
    assert_eq!(
        facts(later)["placement"]["heading"],
        json!({"value": 90.0, "unit": "degree", "certain": false})
    );
}

#[test]
fn hostile_documents_place_nothing_and_end() {
    let deep = format!("{}1{}", "(".repeat(200), ")".repeat(200));
    let keys = format!("({})", "node x position ".repeat(500));
    let many = format!("({})", "TURRET ".repeat(500));
    let odd = "(node () position ((((1)))) yaw x TURRET TURRET () ZONE1 ZONE1 (ZONE1 (ZONE1)))";
    let mut members = Vec::new();
    let names = [
        "zeppelins.zrd",
        "weather.zrd",
        "fogvol.zrd",
        "dzones.zrd",
        "ia.zrd",
        "ai.zrd",
        "objectives.zrd",
        "movers.zrd",
        "race.zrd",
        "net_01.zrd",
        "vehicle.zrd",
    ];
    for (game, path) in [
        (ZipperGame::CrimsonSkies, "ZBD/C1"),
        (ZipperGame::Recoil, "zbd/m1"),
    ] {
        for text in [&deep, &keys, &many, odd] {
            members.clear();
            members.extend(names.map(|name| (name, reader(text))));
            members.push(("aiv.zrd", reader("(player (1 (1. 2. 3.) 0.))")));
            let world = gamez::encode(&worlds::gamez(game)).unwrap();
            let run = made(&[
                (&format!("{path}/gamez.zbd"), world),
                (&format!("{path}/zrdr.zbd"), pack(&members)),
            ]);
            let label = path.rsplit('/').next().unwrap().to_lowercase();
            let path = path.to_lowercase();
            let mission = run.json(&format!("worlds/{path}/gamez.{label}.gltf"));
            assert_eq!(
                facts(node(&mission, "place_player"))["placement"]["player"],
                true
            );
        }
    }
}

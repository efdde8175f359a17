//! Rules of Crimson Skies' engine, each by values worked out by hand on the sample install.

use std::fs;
use std::path::{Path, PathBuf};

use relicast::formats::zipper::gamez::{self, GameZ};
use relicast_testing::test;
use serde_json::{Value, json};

use super::common::{self, json as read_json};

/// The sample of Crimson Skies, converted.
fn converted(settings: &str, change: impl FnOnce(&Path)) -> (tempfile::TempDir, PathBuf) {
    let (samples, out, _) = super::crimson::converted(settings, change);
    (samples, out)
}

fn nodes_of(file: &Path) -> GameZ {
    gamez::decode(&fs::read(file).unwrap()).unwrap().value
}

/// The indices of the nodes of a name.
fn named(file: &GameZ, name: &str) -> Vec<usize> {
    let nodes = file.nodes.used.iter().enumerate();
    let found = nodes.filter(|(_, node)| node.name() == name);
    found.map(|(index, _)| index).collect()
}

fn definition<'d>(index: &'d Value, animation: &str) -> &'d Value {
    let mut definitions = index["definitions"].as_array().unwrap().iter();
    definitions
        .find(|definition| definition["animation"] == animation)
        .unwrap_or_else(|| panic!("no {animation}"))
}

fn node<'d>(document: &'d Value, name: &str) -> &'d Value {
    let mut nodes = document["nodes"].as_array().unwrap().iter();
    let node = nodes.find(|node| node["name"] == name);
    node.unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn nodes_of_animations_are_those_of_the_stored_index() {
    let (samples, out) = converted("", |_| {});
    let zbd = samples.path().join("cs/ZBD");
    let world = nodes_of(&zbd.join("C1/gamez.zbd"));
    let aircraft = nodes_of(&zbd.join("planes.zbd"));
    let index = read_json(&out.join("animations/zbd/c1/m01/mis_anim.json"));
    // A lookup by name would find the second hangar's vent, because the higher slot wins.
    let vents = named(&world, "air_gen");
    assert_eq!(vents.len(), 2);
    let vent = definition(&index, "vent_turns");
    assert_eq!(vent["root_node"]["index"], vents[0]);
    assert_eq!(vent["bound_node"]["index"], named(&world, "healthy")[0]);
    assert_eq!(vent["nodes"][0]["index"], vents[0]);
    assert!(vent["nodes"][0]["candidates"].is_null());
    // The index of a node of an aircraft is stored as 2500 + index, because the world has fewer than 2,500 nodes.
    let propellers = named(&aircraft, "prop1");
    let starts = definition(&index, "finch_starts");
    assert_eq!(starts["nodes"][0]["index"], propellers[0]);
    assert_eq!(starts["nodes"][0]["source"], "ZBD/planes.zbd");
    let bound = &index["bound"];
    assert!(bound["by_index"].as_u64().unwrap() > 20, "{bound}");
    // Names of lights, sounds and what only the game makes have no index.
    let report = fs::read_to_string(out.join("report.json")).unwrap();
    let note = format!(
        "nodes of the tables: {} resolved by stored index, {} by name",
        bound["by_index"], bound["by_name"]
    );
    assert!(report.contains(&note), "{note}");
}

#[test]
fn an_index_whose_node_has_another_name_is_not_used() {
    let (samples, out) = converted("", |input| {
        let path = input.join("ZBD/C1/M01/mis_anim.zbd");
        let mut file = relicast::formats::zipper::anim::decode(&fs::read(&path).unwrap())
            .unwrap()
            .value;
        for definition in &mut file.definitions {
            if definition.anim_name() == "vent_turns" {
                definition.head.anim_ptr = 1;
                definition.head.anim_root_ptr = 1;
                definition.tables.nodes[1].ptr = 1;
                definition.tables.objects[1].ptr = 1;
            }
        }
        let bytes = relicast::formats::zipper::anim::encode(&file).unwrap();
        fs::write(&path, bytes).unwrap();
    });
    let world = nodes_of(&samples.path().join("cs/ZBD/C1/gamez.zbd"));
    let index = read_json(&out.join("animations/zbd/c1/m01/mis_anim.json"));
    let vent = definition(&index, "vent_turns");
    assert_eq!(vent["nodes"][0]["index"], named(&world, "air_gen")[1]);
}

#[test]
fn aircraft_begin_undamaged_with_propellers_that_turn() {
    let (_samples, out) = converted("", |_| {});
    let meshes = |file: &str| -> Vec<String> {
        let document = read_json(&out.join("models/zbd/planes").join(file));
        let nodes = document["nodes"].as_array().unwrap().iter();
        let drawn = nodes.filter(|node| !node["mesh"].is_null());
        drawn
            .map(|node| node["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let (shown, hidden) = (meshes("heron.gltf"), meshes("heron.hidden.gltf"));
    for name in ["prop1", "pdp2_h"] {
        assert!(
            shown.iter().any(|shown| shown == name),
            "{name} in {shown:?}"
        );
    }
    for name in ["prop1b", "nitroprop1", "staticprop1", "pdp2", "pdp2i"] {
        assert!(
            !shown.iter().any(|shown| shown == name),
            "{name} in {shown:?}"
        );
        assert!(
            hidden.iter().any(|hidden| hidden == name),
            "{name} in {hidden:?}"
        );
    }
    let heron = read_json(&out.join("models/zbd/planes/heron.gltf"));
    let panel = &node(&heron, "pdp2_h")["extras"]["zipper"]["damagePanel"];
    let expected = json!({"number": 2, "state": "whole", "part": "right", "tearsBelow": 0.15});
    assert_eq!(panel, &expected);
}

#[test]
fn views_from_the_cockpit_and_the_nose_are_cameras_at_the_eye() {
    let (_samples, out) = converted("", |_| {});
    let heron = read_json(&out.join("models/zbd/planes/heron.gltf"));
    for (name, degrees, view) in [("cockpit_view", 64.4, 6), ("nose_view", 46.8, 7)] {
        let eye = node(&heron, name);
        // Position below the markers at (0, 0.5, 0). The marker of the eye itself is hidden.
        assert_eq!(eye["translation"], json!([0.0, 0.25, -0.25]));
        let rotation: Vec<f64> = eye["rotation"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it.as_f64().unwrap())
            .collect();
        // Half of 4.70° down: sin(-2.35°).
        assert!((rotation[0] + 0.041).abs() < 1e-4, "{rotation:?}");
        let camera = &heron["cameras"][eye["camera"].as_u64().unwrap() as usize];
        let angle = camera["perspective"]["yfov"].as_f64().unwrap().to_degrees();
        assert!((angle - degrees).abs() < 0.05, "{name}: {angle}");
        assert_eq!(camera["extras"]["zipper"]["view"], view);
    }
}

#[test]
fn the_bars_of_a_film_hang_below_its_camera() {
    let (_samples, out) = converted("", |_| {});
    let ride = read_json(&out.join("animations/zbd/c1/cam_anim/camera1.gltf"));
    let bars = node(&ride, "letterbox");
    assert!(
        bars["translation"].is_null() && bars["rotation"].is_null(),
        "{bars}"
    );
    let nodes = ride["nodes"].as_array().unwrap();
    let place = nodes.iter().position(|node| node["name"] == "letterbox");
    let above = nodes.iter().filter(|node| {
        let mut children = node["children"].as_array().into_iter().flatten();
        children.any(|child| child.as_u64() == place.map(|place| place as u64))
    });
    let above: Vec<&Value> = above.collect();
    assert_eq!(above.len(), 1);
    assert_eq!(above[0]["name"], "camera1");
    assert!(above[0]["camera"].is_u64());
    // In the map they stay hidden.
    let world = read_json(&out.join("worlds/zbd/c1/gamez.gltf"));
    let mut nodes = world["nodes"].as_array().unwrap().iter();
    assert!(nodes.all(|node| node["name"] != "letterbox" || node["mesh"].is_null()));
}

#[test]
fn definitions_of_readers_that_no_container_holds_are_only_named() {
    // Like the clouds of C1: a reader file (`.zrd`) that no mission lists fades `cloudparent` to 0.6, which the game
    // never does.
    let (_samples, out) = converted("", |input| {
        let dead = super::chassis::reader(
            "ANIMATION_DEFINITION ( NAME ( pole ) ANIMATION_NAME ( dead_clouds ) \
             RESET_STATE ( OBJECT_OPACITY_STATE ( NAME ( pole ) STATE ( ON 0.6 ) ) ) )",
        );
        let bytes = super::chassis::pack(&[("clouds.zrd", dead)]);
        fs::write(input.join("ZBD/C1/M01/readerdead.zbd"), bytes).unwrap();
    });
    let index = read_json(&out.join("animations/zbd/c1/m01/mis_anim.json"));
    let only = index["missing"]["only_in_readers"].as_array().unwrap();
    assert!(only.iter().any(|name| name == "dead_clouds"), "{only:?}");
    let definitions = index["definitions"].as_array().unwrap();
    assert!(
        definitions
            .iter()
            .all(|one| one["animation"] != "dead_clouds")
    );
    for file in common::files(&out) {
        if file.ends_with(".gltf") {
            let text = fs::read_to_string(out.join(&file)).unwrap();
            assert!(!text.contains("dead_clouds"), "{file}");
        }
    }
}

/// The node of a mission's scene whose `placement.name` is `name`.
fn placement<'d>(document: &'d Value, name: &str) -> Option<&'d Value> {
    let mut nodes = document["nodes"].as_array().unwrap().iter();
    nodes.find(|node| node["extras"]["zipper"]["placement"]["name"] == name)
}

const PLACEMENTS: &str = "[worlds]\nplacements = true\n";

#[test]
fn templates_of_generators_are_not_placed_and_vehicles_count_their_slots() {
    let (_samples, out) = converted(PLACEMENTS, |_| {});
    let mission = read_json(&out.join("worlds/zbd/c1/gamez.m01.gltf"));
    let facts = &mission["scenes"][0]["extras"]["zipper"];
    assert_eq!(facts["generatorTemplates"], json!(["raider_1"]));
    assert!(placement(&mission, "raider_1").is_none());
    // An empty first slot: the place and the heading are those of slots 1 and 2.
    let blake = placement(&mission, "blakepeace_2_2").unwrap();
    assert!(blake["translation"].is_null(), "{blake}");
    let own = &blake["extras"]["zipper"]["placement"];
    assert_eq!(
        (&own["heading"], &own["slots"]["team"]),
        (&json!(90.0), &json!(2))
    );
    // blakepeace_2 is a kind of pfinch, which is a kind of finch.
    assert_eq!(own["template"], "player_finch");
    assert!(own["unresolved"].is_null());
}

#[test]
fn multiplayer_missions_have_spawn_points_and_all_missions_the_nets_of_their_chapter() {
    let (_samples, out) = converted(PLACEMENTS, |_| {});
    let mission = read_json(&out.join("worlds/zbd/c1/gamez.mp1.gltf"));
    let first = placement(&mission, "spawn_0_08").unwrap();
    assert_eq!(first["translation"], json!([10.0, 50.0, 90.0]));
    let team = placement(&mission, "spawn_1_00").unwrap();
    let own = &team["extras"]["zipper"]["placement"];
    assert_eq!(
        (&own["kind"], &own["team"]),
        (&json!("spawnPoint"), &json!(1))
    );
    assert!(placement(&mission, "spawn_1_01").is_none());
    for label in ["m01", "mp1"] {
        let mission = read_json(&out.join(format!("worlds/zbd/c1/gamez.{label}.gltf")));
        let net = node(&mission, "ne000107");
        assert_eq!(net["extras"]["zipper"]["net"]["links"], 2);
        assert_eq!(net["children"].as_array().unwrap().len(), 3);
        assert_eq!(
            mission["meshes"][net["mesh"].as_u64().unwrap() as usize]["primitives"][0]["mode"],
            1
        );
    }
    let campaign = read_json(&out.join("worlds/zbd/c1/gamez.m01.gltf"));
    assert!(placement(&campaign, "spawn_0_00").is_none());
    let report = fs::read_to_string(out.join("report.json")).unwrap();
    assert!(report.contains("the game reads net.zrd only in multiplayer missions"));
    // The readers of the chapter make no mission of their own.
    assert!(!out.join("worlds/zbd/c1/gamez.c1.gltf").exists());
}

#[test]
fn missions_of_the_campaign_show_their_number_and_title() {
    let (_samples, out) = converted(PLACEMENTS, |input| {
        // The seventh mission of the campaign.
        fs::rename(input.join("ZBD/C1/M01"), input.join("ZBD/C1/M02")).unwrap();
        let titles = [(3456, "Test of Titles"), (3486, "Titles")];
        fs::write(input.join("langui.dll"), super::chassis::strings(&titles)).unwrap();
    });
    let mission = read_json(&out.join("worlds/zbd/c1/gamez.m02.gltf"));
    let campaign = &mission["scenes"][0]["extras"]["zipper"]["campaign"];
    assert_eq!(campaign["number"], 7);
    assert_eq!(campaign["act"], json!({"number": 2, "name": "Northwest"}));
    assert_eq!(
        campaign["title"],
        json!({"string": 3456, "text": "Test of Titles"})
    );
    assert_eq!(
        campaign["shortTitle"],
        json!({"string": 3486, "text": "Titles"})
    );
    let other = read_json(&out.join("worlds/zbd/c1/gamez.mp1.gltf"));
    assert!(other["scenes"][0]["extras"]["zipper"]["campaign"].is_null());
}

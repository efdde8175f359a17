//! Nodes of a server's tables in scenes of zones, which belong to no game file.

use std::path::PathBuf;

use relicast::asset::Game;
use relicast::config::{Config, ServerTables};
use relicast_testing::test;
use serde_json::Value;

use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

fn with_table(config: &mut Config) {
    let table = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/pack/scenes/placements.csv"
    );
    config.everquest.placements = ServerTables(vec![PathBuf::from(table)]);
}

fn sample() -> Place {
    Place::with(&relicast_samples::files(Game::Eq, 1).unwrap(), with_table)
}

fn node(scene: &Scene, wants: impl Fn(&Value) -> bool) -> usize {
    let mut nodes = scene.nodes().iter();
    nodes
        .position(|node| wants(&node["extras"]["everquest"]))
        .unwrap()
}

#[test]
fn what_a_server_places_is_refused_with_the_line_of_its_table() {
    for (world, line) in [
        ("worlds/dell.gltf", 2),
        ("worlds/dell.gltf", 3),
        ("worlds/mill.gltf", 4),
    ] {
        let place = sample();
        let mut scene = Scene::open(&place.out(world));
        let placed = node(&scene, |facts| facts["server"]["line"] == line);
        scene.set(placed, "translation", [1.0, 2.0, 3.0]);
        scene.save();
        let refused = place.refused();
        let reason = format!("it comes from line {line} of placements.csv");
        assert!(refused[0].1.contains(&reason), "{refused:?}");
    }
}

#[test]
fn the_mesh_of_a_creature_that_only_a_server_places_is_refused() {
    let place = sample();
    let mut scene = Scene::open(&place.out("worlds/dell.gltf"));
    let creature = node(&scene, |facts| facts["server"]["line"] == 3);
    let below = scene.nodes()[creature]["children"][0].as_u64().unwrap() as usize;
    let mesh = scene.nodes()[below]["mesh"].as_u64().unwrap() as usize;
    let accessor = scene.attribute(mesh, 0, "POSITION").unwrap();
    let mut rows = scene.floats::<3>(accessor);
    rows[0][1] += 0.25;
    scene.put_floats(accessor, &rows);
    scene.save();
    let refused = place.refused();
    assert!(
        refused[0].1.contains("line 3 of placements.csv"),
        "{refused:?}"
    );
}

#[test]
fn other_edits_of_a_zone_with_nodes_of_a_server_are_packed() {
    for world in ["worlds/dell.gltf", "worlds/mill.gltf"] {
        let mut files = relicast_samples::files(Game::Eq, 1).unwrap();
        // The zone in the archive is edited, not the one beside it.
        files.retain(|file| file.path != "mill.zon");
        let place = Place::with(&files, with_table);
        let mut scene = Scene::open(&place.out(world));
        let placed = node(&scene, |facts| {
            facts["index"].as_u64() > Some(0) && facts["model"].is_string()
        });
        scene.set(placed, "translation", [4.0, 5.0, 6.0]);
        scene.save();
        place.pack();
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(world));
        assert_eq!(after.nodes().len(), scene.nodes().len());
        assert_eq!(
            after.vector(placed, "translation", [0.0; 3]),
            [4.0, 5.0, 6.0]
        );
    }
}

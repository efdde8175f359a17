//! Effects of the scripts of Crimson Skies' missions on their world, on data made here.

use relicast::formats::codec::Vec2;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{self, GameZ, NodeData, Partition, PartitionEntry};
use relicast_samples::minimal::worlds;
use relicast_testing::test;
use serde_json::{Value, json};

use super::{Files, places, readers, scene_nodes, scripts, standing, start};
use crate::worlds::engine::run;

const VERSION: ZipperGame = ZipperGame::CrimsonSkies;

/// The world at the start of a mission whose script has these lines.
fn begun(world: &GameZ, lines: &str) -> (Value, String) {
    let places = places(VERSION);
    let files: Files = vec![
        (places.world, gamez::encode(world).unwrap()),
        (
            "ZBD/interp.zbd",
            scripts(&[
                (
                    "data\\c1\\load.gw",
                    "FindNode house\nObject3DTranslate 9 9 9",
                ),
                ("support\\c2\\m01.gw", "FindNode house\nNodeSetActive off"),
                ("support\\c1\\m02.gw", "FindNode house\nNodeSetActive off"),
                ("support\\c1\\m01.gw", lines),
                (
                    "support\\c1\\adjust.gw",
                    "AddClutterTemplates templates.zrd",
                ),
            ]),
        ),
        (places.readers, readers("")),
    ];
    let (run, said) = run(&files, "");
    (run.json(places.scene), said)
}

fn house(document: &Value) -> &Value {
    standing(document, 1, VERSION, "house")
}

fn is_hidden(node: &Value) -> bool {
    node["extras"]["zipper"]["hidden"] == true
}

#[test]
fn the_script_of_the_mission_runs_and_no_other() {
    let world = worlds::gamez(VERSION);
    let (document, said) = begun(
        &world,
        "FindNode house.flt\nNodeSetActive off\nObject3DTranslate 1 2 3\nNodeSetActive on\n\
         FindNode gone\nNodeSetActive off\nQuit\nFindNode house\nNodeSetActive off",
    );
    let written = start(&document);
    assert_eq!(
        written["scripts"],
        json!(["support\\c1\\adjust.gw", "support\\c1\\m01.gw"]),
        "{said}"
    );
    assert_eq!(
        written["rules"],
        json!(["adjust.gw of the world and the mission's own script"])
    );
    // The last write wins, and a node that is not there changes nothing.
    assert_eq!(house(&document)["translation"], json!([1.0, 2.0, 3.0]));
    assert!(!is_hidden(house(&document)));
    assert!(said.contains("gone"), "{said}");
}

#[test]
fn angles_of_a_script_are_degrees_if_one_of_them_is_more_than_a_turn() {
    let world = worlds::gamez(VERSION);
    for (lines, expected) in [
        // Half of 45 degrees; then of 1 degree, beside a larger one.
        (
            "FindNode house\nObject3DRotate 0 45 0",
            22.5_f64.to_radians().sin(),
        ),
        (
            "FindNode star\nObject3DRotate 0 172 0\nFindNode house\nObject3DRotate 0 1 0",
            0.5_f64.to_radians().sin(),
        ),
        // Half of -3.144009 radians.
        (
            "FindNode house\nObject3DRotate 0 -3.144009 0",
            (-1.572_004_5_f64).sin(),
        ),
    ] {
        let (document, _) = begun(&world, lines);
        let turn = house(&document)["rotation"][1].as_f64().unwrap();
        // A rotation and its negative are the same.
        assert!(
            (turn.abs() - expected.abs()).abs() < 1e-6,
            "{lines}: {turn}"
        );
    }
}

#[test]
fn nodes_below_others_are_found_and_their_textures_move() {
    let world = worlds::gamez(VERSION);
    for lines in [
        "FindNode house\nFindSubNode house_walls\nObject3DSetScroll on 0 -0.4",
        "FindSubNodeNode house house_walls\nObject3DSetScroll on 0 -0.4",
    ] {
        let (document, said) = begun(&world, lines);
        let walls = standing(&document, 1, VERSION, "house_walls");
        let found = &walls["extras"]["zipper"]["foundBy"];
        assert_eq!(found["certain"], false, "{said}");
        let mesh = walls["mesh"].as_u64().unwrap() as usize;
        let mut scrolls = document["meshes"][mesh]["primitives"]
            .as_array()
            .unwrap()
            .iter()
            .map(|primitive| {
                let material = primitive["material"].as_u64().unwrap() as usize;
                document["materials"][material]["extras"]["zipper"]["scroll"].clone()
            });
        let expected = json!({"u": 0.0, "v": -0.4, "unit": "uv/s"});
        assert!(scrolls.all(|scroll| near(&scroll, &expected)), "{mesh}");
        // The stored scene keeps the stored speed.
        let stored = standing(&document, 0, VERSION, "house_walls");
        assert_ne!(stored["mesh"], walls["mesh"]);
    }
    // Not below the star.
    let (document, said) = begun(
        &world,
        "FindNode star\nFindSubNode house_walls\nNodeSetActive off",
    );
    assert!(!is_hidden(standing(&document, 1, VERSION, "house_walls")));
    assert!(said.contains("house_walls"), "{said}");
}

fn near(found: &Value, expected: &Value) -> bool {
    ["u", "v"].iter().all(|part| {
        let number = |value: &Value| value[*part].as_f64().unwrap_or(f64::NAN);
        (number(found) - number(expected)).abs() < 1e-6
    })
}

#[test]
fn deleted_trees_are_in_no_scene_and_nothing_finds_them() {
    let world = worlds::gamez(VERSION);
    let (document, said) = begun(
        &world,
        "FindNode house\nDeleteTree house\nNodeSetActive off\nFindNode house_walls\nNodeSetActive off",
    );
    let names: Vec<&str> = scene_nodes(&document, 1)
        .iter()
        .filter_map(|node| node["name"].as_str())
        .collect();
    assert!(
        names.iter().any(|name| name.starts_with("star")),
        "{names:?}"
    );
    assert!(
        !names.iter().any(|name| name.starts_with("house")),
        "{names:?}"
    );
    // House, level of detail, walls.
    assert_eq!(start(&document)["changed"]["deleted"], 3, "{said}");
    assert!(!is_hidden(standing(&document, 0, VERSION, "house")));
}

#[test]
fn cells_are_switched_up_to_the_last_column_and_row() {
    let mut world = worlds::gamez(VERSION);
    let edge = VERSION.partition_edge();
    let Some(NodeData::World(grid)) = world.nodes.used.first_mut().map(|node| &mut node.data)
    else {
        panic!("no world");
    };
    // Two columns and two rows; the house is in the first, the star in the last.
    grid.record.virt_partition_z_count = 2;
    grid.record.area_top = relicast::formats::codec::F32(-edge);
    let mut last = Partition::clone(&grid.partitions[1]);
    let far = grid.partitions[1].clone();
    last.record.nodes_ptr = 0x0100_0010;
    last.entries = vec![PartitionEntry {
        node: 8,
        y_range: Vec2::from([-4.0, 12.0]),
    }];
    grid.partitions.extend([far, last]);
    let corners = |x1: f32, z1: f32, x2: f32, z2: f32| {
        format!("WorldPartitionSetActive off {x1} {z1} {x2} {z2}")
    };
    // The first row is at the largest z, which is the edge of a cell.
    for (lines, hides_house) in [
        (corners(0.0, edge, 1.5 * edge, -0.5 * edge), true),
        (corners(1.5 * edge, -0.5 * edge, 0.0, edge), true),
        (
            corners(-9.0 * edge, 9.0 * edge, 9.0 * edge, -9.0 * edge),
            true,
        ),
        (corners(0.0, edge, 0.5 * edge, 0.5 * edge), false),
        (corners(1.0 * edge, edge, 1.5 * edge, -0.5 * edge), false),
    ] {
        let (document, said) = begun(&world, &lines);
        assert_eq!(is_hidden(house(&document)), hides_house, "{lines}: {said}");
        let star = standing(&document, 1, VERSION, "star");
        assert!(!is_hidden(star), "{lines}");
    }
}

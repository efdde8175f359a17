//! Worlds as missions fill them, and what waits for a place.

use relicast_testing::test;
use std::fs;

use relicast::formats::zipper::gamez::{self, NodeData};

use super::chassis::{pack, reader};
use super::common::{self, convert, json};
use super::output::{Places, load};
use super::posed::{Triangle, triangles};

/// The triangles of a file turned by a heading and moved.
fn placed(triangles: &[Triangle], degrees: f64, place: [f64; 3]) -> Vec<Triangle> {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let point = |[x, y, z]: [f64; 3]| {
        [
            x * cosine + z * sine + place[0],
            y + place[1],
            z * cosine - x * sine + place[2],
        ]
    };
    triangles
        .iter()
        .map(|triangle| triangle.map(point))
        .collect()
}

fn contains(all: &[Triangle], wanted: &Triangle) -> bool {
    let near = |one: [f64; 3], other: [f64; 3]| {
        one.iter()
            .zip(other)
            .all(|(one, other)| (one - other).abs() < 2e-3)
    };
    all.iter()
        .any(|one| (0..3).any(|turn| (0..3).all(|at| near(wanted[at], one[(at + turn) % 3]))))
}

#[test]
fn missions_fill_the_world_with_copies() {
    let root = common::fixtures("zipper");
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    fs::create_dir_all(input.join("zbd/c1")).unwrap();
    for name in [
        "mechlib.zbd",
        "motion.zbd",
        "c1/gamez.zbd",
        "c1/rtexture3.zbd",
    ] {
        fs::copy(root.join("mw/zbd").join(name), input.join("zbd").join(name)).unwrap();
    }
    let vehicles = "(
        missile_proto_00 (0 (10. 20. -30.) 0.)
        missile_proto_01 (1 (-40. 5. 6.) 90.)
        bushwhacker_01 (2 (100. 50. 25.) -135.)
        ghost_01 (3 (1. 2. 3.) 0.)
    )";
    let hard = "(madcat_01 (9 (0. 0. 0.) 0.))";
    let readers = pack(&[
        ("aiv.zrd", reader(vehicles)),
        ("aiv_hard.zrd", reader(hard)),
        ("net_00.zrd", reader("(node_00 (7 (9. 9. 9.) (1 -1 -1)))")),
        ("net_01.zrd", reader("(node_00 (7 (1. 2. 3.) (1 -1 -1)))")),
    ]);
    fs::write(input.join("zbd/c1/readerm2.zbd"), readers).unwrap();
    fs::write(
        input.join("zbd/c1/readerm3.zbd"),
        pack(&[("place.zrd", reader("(PLACE nowhere)"))]),
    )
    .unwrap();
    let settings = folder.path().join("settings.toml");
    fs::write(&settings, "[worlds]\nplacements = true\n").unwrap();
    let out = folder.path().join("out");
    let run = |arguments: &[&str]| {
        let mut command = convert(&input, &out, arguments);
        command.arg("--config").arg(&settings).assert().success()
    };
    run(&["-q"]);
    assert!(!out.join("worlds/zbd/c1/gamez.m3.gltf").exists());
    let world = triangles(&load(&out.join("worlds/zbd/c1/gamez.gltf")), None);
    let filled = load(&out.join("worlds/zbd/c1/gamez.m2.gltf"));
    let all = triangles(&filled, None);
    let missile = triangles(
        &load(&out.join("models/zbd/c1/gamez/missile_proto.gltf")),
        None,
    );
    let mech = triangles(
        &load(&out.join("models/zbd/mechlib/bushwhacker.gltf")),
        None,
    );
    assert_eq!(all.len(), world.len() + 2 * missile.len() + mech.len());
    for (model, degrees, place) in [
        (&missile, 0.0, [10.0, 20.0, -30.0]),
        (&missile, 90.0, [-40.0, 5.0, 6.0]),
        (&mech, -135.0, [100.0, 50.0, 25.0]),
    ] {
        for triangle in placed(model, degrees, place) {
            assert!(contains(&all, &triangle), "{triangle:?}");
        }
    }
    // Copies share their meshes.
    let meshes = filled.document.nodes().filter_map(|node| {
        let name = node.name().unwrap_or_default().to_owned();
        let mesh = node.mesh()?.index();
        name.starts_with("missile_proto").then_some(mesh)
    });
    let mut meshes: Vec<usize> = meshes.collect();
    meshes.dedup();
    assert!(meshes.len() <= 1, "{meshes:?}");
    let tables = json(&out.join("worlds/zbd/c1/gamez.m2.zipper.json"));
    assert_eq!(
        tables["placements"],
        serde_json::json!({
            "placed": 3,
            "empties": 1,
            "unresolved": {"ghost": 1},
            "ambiguous": {},
        })
    );
    let names: Vec<&str> = filled
        .document
        .nodes()
        .filter_map(|node| node.name())
        .collect();
    for name in ["place_ghost_01", "place_node_00", "place_bushwhacker_01"] {
        assert!(names.contains(&name), "{name}");
    }
    // No game reads the lists of a difficulty, nor the first net.
    assert!(!out.join("worlds/zbd/c1/gamez.m2_hard.gltf").exists());
    assert!(!names.contains(&"place_madcat_01"));
    // All of it is known to the next run.
    let again = run(&[]);
    let said = String::from_utf8_lossy(&again.get_output().stdout).into_owned();
    assert!(said.contains("nothing to do"), "{said}");
}

#[test]
fn actors_without_a_place_are_hidden() {
    let root = common::fixtures("zipper");
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    fs::create_dir_all(&input).unwrap();
    // A cell lists an airship that waits at the origin, in place of a building.
    let bytes = fs::read(root.join("cs/ZBD/C1/gamez.zbd")).unwrap();
    let mut value = gamez::decode(&bytes).unwrap().value;
    let index_of = |name: &str| {
        let mut nodes = value.nodes.used.iter();
        nodes.position(|node| node.name() == name).unwrap()
    };
    let (airship, marker, building) = (
        index_of("zep_courier"),
        index_of("mark_start"),
        index_of("bldg000"),
    );
    for node in &mut value.nodes.used {
        if let NodeData::World(world) = &mut node.data {
            let entries = world
                .partitions
                .iter_mut()
                .flat_map(|cell| &mut cell.entries);
            for entry in entries.filter(|entry| entry.node as usize == building) {
                entry.node = u32::try_from(airship).unwrap();
            }
        }
    }
    fs::write(input.join("gamez.zbd"), gamez::encode(&value).unwrap()).unwrap();
    for (setting, is_hidden) in [("auto", true), ("always", true), ("never", false)] {
        let settings = folder.path().join("settings.toml");
        fs::write(
            &settings,
            format!("[worlds]\nhide_unplaced = \"{setting}\"\n"),
        )
        .unwrap();
        let out = folder.path().join(setting);
        let mut command = convert(&input, &out, &["-q"]);
        command.arg("--config").arg(&settings).assert().success();
        let mut shown = Places::new();
        load(&out.join("worlds/gamez.gltf")).places(&mut shown);
        assert_eq!(shown[&airship].children.is_empty(), is_hidden, "{setting}");
        assert_eq!(shown[&marker].surfaces.is_empty(), is_hidden, "{setting}");
        let mut hidden = Places::new();
        load(&out.join("worlds/gamez.hidden.gltf")).places(&mut hidden);
        assert_eq!(hidden.contains_key(&airship), is_hidden, "{setting}");
        // The ground and the sky stand around the origin too.
        for name in ["terrain_00_01", "horizon"] {
            assert!(!hidden.values().any(|place| place.name == name), "{name}");
        }
    }
}

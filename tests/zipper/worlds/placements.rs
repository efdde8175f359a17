//! Worlds as missions fill them, and models that wait for a place.

use std::fs;

use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{self, GameZ, ModelSlot, NodeData, Object3dFlags};

use super::chassis::{pack, reader};
use super::common::{self, convert, json};
use super::output::{Places, load};
use super::posed::{Triangle, triangles};
use super::{Install, on_every_install};

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

on_every_install! {
    missions_fill_the_world_with_copies,
    actors_without_a_place_are_hidden,
}

/// The world and its pictures, and a template outside of it.
fn mission_world(from: Install) -> (Vec<(&'static str, Vec<u8>)>, &'static str) {
    match from {
        Install::Made => {
            let world = relicast_samples::world::world(ZipperGame::MechWarrior3).unwrap();
            (vec![("zbd/c1/gamez.zbd", world)], "spark")
        }
        Install::Fixture => {
            let root = common::fixtures("zipper").join("mw");
            let files = ["zbd/c1/gamez.zbd", "zbd/c1/rtexture3.zbd"];
            let files = files.map(|name| (name, fs::read(root.join(name)).unwrap()));
            (files.into(), "missile_proto")
        }
    }
}

fn missions_fill_the_world_with_copies(from: Install) {
    let mechs = from.mechs();
    let (world_files, template) = mission_world(from);
    let in_place = |text: &str| {
        text.replace("missile_proto", template)
            .replace("bushwhacker", mechs.mech)
            .replace("madcat", mechs.other)
    };
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    fs::create_dir_all(input.join("zbd/c1")).unwrap();
    for (name, bytes) in world_files.into_iter().chain(from.mech_files()) {
        fs::write(input.join(name), bytes).unwrap();
    }
    let vehicles = "(
        missile_proto_00 (0 (10. 20. -30.) 0.)
        missile_proto_01 (1 (-40. 5. 6.) 90.)
        bushwhacker_01 (2 (100. 50. 25.) -135.)
        ghost_01 (3 (1. 2. 3.) 0.)
    )";
    let hard = "(madcat_01 (9 (0. 0. 0.) 0.))";
    let readers = pack(&[
        ("aiv.zrd", reader(&in_place(vehicles))),
        ("aiv_hard.zrd", reader(&in_place(hard))),
        ("net_00.zrd", reader("(node_00 (7 (9. 9. 9.) (1 -1 -1)))")),
        ("net_01.zrd", reader("(node_00 (7 (1. 2. 3.) (1 -1 -1)))")),
    ]);
    fs::write(input.join("zbd/c1/readerm2.zbd"), readers).unwrap();
    fs::write(
        input.join("zbd/c1/readerm3.zbd"),
        pack(&[("place.zrd", reader("(PLACE missing)"))]),
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
        &load(&out.join(in_place("models/zbd/c1/gamez/missile_proto.gltf"))),
        None,
    );
    let mech = triangles(
        &load(&out.join(in_place("models/zbd/mechlib/bushwhacker.gltf"))),
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
        name.starts_with(template).then_some(mesh)
    });
    let mut meshes: Vec<usize> = meshes.collect();
    meshes.dedup();
    assert!(meshes.len() <= 1, "{meshes:?}");
    let tables = json(&out.join("worlds/zbd/c1/gamez.m2.zipper.json"));
    assert_eq!(
        tables["placements"],
        serde_json::json!({
            "placed": 3,
            "empties": 2,
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
        assert!(names.contains(&&*in_place(name)), "{name}");
    }
    // No game reads the lists of a difficulty.
    assert!(!out.join("worlds/zbd/c1/gamez.m2_hard.gltf").exists());
    assert!(!names.contains(&&*in_place("place_madcat_01")));
    // All of it is known to the next run.
    let again = run(&[]);
    let said = String::from_utf8_lossy(&again.get_output().stdout).into_owned();
    assert!(said.contains("nothing to do"), "{said}");
}

/// A world of Crimson Skies with an actor that waits at the origin and a marker, their indices, and names of
/// nodes that are around the origin for good.
fn world_with_an_actor(from: Install) -> (GameZ, [usize; 2], [&'static str; 2]) {
    let bytes = match from {
        Install::Made => relicast_samples::world::world(ZipperGame::CrimsonSkies).unwrap(),
        Install::Fixture => {
            fs::read(common::fixtures("zipper").join("cs/ZBD/C1/gamez.zbd")).unwrap()
        }
    };
    let mut value = gamez::decode(&bytes).unwrap().value;
    let index_of = |value: &GameZ, name: &str| {
        let mut nodes = value.nodes.used.iter();
        nodes.position(|node| node.name() == name).unwrap()
    };
    match from {
        Install::Made => {
            let (house, pole) = (index_of(&value, "house"), index_of(&value, "pole"));
            for index in [house, pole] {
                let NodeData::Object3d(object) = &mut value.nodes.used[index].data else {
                    panic!("both are objects");
                };
                object.flags |= Object3dFlags::TRANSFORM_INITIAL;
            }
            // A single triangle without texture.
            let slot = value.nodes.used[pole].model().unwrap();
            let ModelSlot::Used(model) = &mut value.models.slots[slot] else {
                panic!("the pole is drawn");
            };
            model.polygons.truncate(1);
            for polygon in &mut model.polygons {
                polygon.vertex_indices.truncate(3);
                polygon.normal_indices.truncate(3);
                polygon.uvs.truncate(3);
                polygon.colors.truncate(3);
            }
            (value, [house, pole], ["ground_01", "sky"])
        }
        Install::Fixture => {
            // A cell lists an airship that waits at the origin, in place of a building.
            let airship = index_of(&value, "zep_courier");
            let marker = index_of(&value, "mark_start");
            let building = index_of(&value, "bldg000");
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
            (value, [airship, marker], ["terrain_00_01", "horizon"])
        }
    }
}

fn actors_without_a_place_are_hidden(from: Install) {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    fs::create_dir_all(&input).unwrap();
    let (value, [actor, marker], standing) = world_with_an_actor(from);
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
        assert_eq!(shown[&actor].children.is_empty(), is_hidden, "{setting}");
        assert_eq!(shown[&marker].surfaces.is_empty(), is_hidden, "{setting}");
        let mut hidden = Places::new();
        load(&out.join("worlds/gamez.hidden.gltf")).places(&mut hidden);
        assert_eq!(hidden.contains_key(&actor), is_hidden, "{setting}");
        // The ground and the sky are around the origin too.
        for name in standing {
            assert!(!hidden.values().any(|place| place.name == name), "{name}");
        }
    }
}

//! Fields with a meaning that only the engines show, on data made here.

use relicast_testing::test;
use std::fs;
use std::path::{Path, PathBuf};

use relicast::formats::codec::{Box3, F32, QuatWxyz, Vec2, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    self, GameZ, ModelSlot, ModelType, NodeBounds, NodeData, NodeName,
};
use relicast::formats::zipper::mechlib::{self, MechMaterial};
use relicast::formats::zipper::motion::{self, Motion, Part, PartFlags};
use serde_json::{Value, json};

use super::chassis::{pack, reader};
use super::common::{convert, json as read_json, relicast};
use relicast_samples::minimal::worlds;

pub struct Run {
    folder: tempfile::TempDir,
}

impl Run {
    pub fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    pub fn json(&self, path: &str) -> Value {
        read_json(&self.out().join(path))
    }
}

/// Converts files. Also returns the report, in which each note is an entry of its own.
pub fn run(files: &[(&str, Vec<u8>)], settings: &str) -> (Run, String) {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    for (name, bytes) in files {
        let path = input.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let file = folder.path().join("settings.toml");
    fs::write(&file, settings).unwrap();
    let run = Run { folder };
    let mut command = convert(&input, &run.out(), &[]);
    command.arg("--config").arg(&file).assert().success();
    let written = fs::read_to_string(run.out().join("report.json")).unwrap();
    (run, written)
}

fn converted(world: &GameZ, settings: &str) -> (Run, String) {
    let bytes = gamez::encode(world).unwrap();
    run(&[("zbd/c1/gamez.zbd", bytes)], settings)
}

const WORLD: &str = "worlds/zbd/c1/gamez.gltf";

fn node<'v>(document: &'v Value, name: &str) -> &'v Value {
    let mut nodes = document["nodes"].as_array().unwrap().iter();
    let found = nodes.find(|node| node["name"] == name);
    found.unwrap_or_else(|| panic!("no node {name}"))
}

#[test]
fn worlds_that_state_their_used_material_slots_are_converted_and_proved() {
    for stated in [3, 5] {
        let mut world = worlds::gamez(ZipperGame::CrimsonSkies);
        world.materials.array.array_size = stated;
        let (run, said) = converted(&world, "");
        assert!(run.out().join(WORLD).exists());
        assert_eq!(
            said.contains("used ones; 5 are stored"),
            stated == 3,
            "{said}"
        );
        let input = run.folder.path().join("in");
        relicast().arg("prove").arg(input).assert().success();
    }
}

#[test]
fn fog_ends_at_the_first_altitude_and_is_full_at_the_second() {
    for version in ZipperGame::ALL {
        let mut world = worlds::gamez(version);
        for node in &mut world.nodes.used {
            if let NodeData::World(world) = &mut node.data {
                world.record.fog_altitude = Vec2::from([900.0, 500.0]);
            }
        }
        let (run, _) = converted(&world, "");
        let fog = &run.json(WORLD)["scenes"][0]["extras"]["zipper"]["fog"];
        assert_eq!(
            [&fog["altitudeHigh"], &fog["altitudeLow"]],
            [&json!(900.0), &json!(500.0)],
            "{version:?}: {fog}"
        );
    }
}

#[test]
fn levels_of_detail_cover_what_their_live_box_does() {
    for version in ZipperGame::ALL {
        let mut world = worlds::gamez(version);
        let first = world
            .nodes
            .used
            .iter()
            .position(|node| node.name() == "house_near");
        let first = first.unwrap();
        let bounds = Box3 {
            min: Vec3::from([-3.0, 0.0, -4.0]),
            max: Vec3::from([3.0, 0.0, 4.0]),
        };
        let record = &mut world.nodes.used[first].record;
        match version {
            ZipperGame::Recoil | ZipperGame::MechWarrior3 => {
                record.node_bbox = NodeBounds::Box(bounds);
            }
            ZipperGame::PiratesMoon | ZipperGame::CrimsonSkies => record.child_bbox = bounds,
        }
        // A coarser level beside it.
        let mut coarse = world.nodes.used[first].clone();
        coarse.record.name = NodeName::new("house_far").unwrap();
        coarse.children.clear();
        coarse.record.relations.child_array_ptr = 0;
        if let NodeData::Lod(lod) = &mut coarse.data {
            lod.range_near_sq = F32(400.0);
            lod.range_far = F32(100.0);
            lod.range_far_sq = F32(10_000.0);
        }
        let house = usize::try_from(coarse.parents[0]).unwrap();
        let index = world.nodes.used.len();
        world.nodes.used.push(coarse);
        world.nodes.used[house]
            .children
            .push(u32::try_from(index).unwrap());
        let settings = "[scenes]\nlods = \"together\"\nmsft_lod = true\n";
        let (run, _) = converted(&world, settings);
        let document = run.json(WORLD);
        let nodes = document["nodes"].as_array().unwrap();
        let mut groups = nodes
            .iter()
            .filter(|node| node["extensions"]["MSFT_lod"].is_object());
        let finest = groups.next().unwrap();
        assert_eq!(finest["name"], "house_near_LOD0");
        let shares = finest["extras"]["MSFT_screencoverage"].as_array().unwrap();
        let shares: Vec<f64> = shares.iter().map(|share| share.as_f64().unwrap()).collect();
        // A radius of 5 at 20 and at 100 units.
        for (share, expected) in shares.iter().zip([1.0 / 16.0, 1.0 / 400.0]) {
            assert!((share - expected).abs() < 1e-6, "{version:?}: {shares:?}");
        }
        assert_eq!(shares.len(), 2);
    }
}

#[test]
fn cycles_start_at_their_position_and_not_at_their_stamp() {
    for (position, speed, start) in [(0.0, 4.0, 0), (1.75, 4.0, 1), (-1.0, 4.0, 2), (5.0, 0.0, 2)] {
        let mut world = worlds::gamez(ZipperGame::MechWarrior3);
        let cycle = world.materials.used[1].cycle.as_mut().unwrap();
        cycle.record.current_frame = 2;
        cycle.record.current_index = F32(position);
        cycle.record.speed = F32(speed);
        let (run, _) = converted(&world, "");
        let document = run.json(WORLD);
        let materials = document["materials"].as_array().unwrap().iter();
        let mut cycles = materials.map(|material| &material["extras"]["zipper"]["cycle"]);
        let cycle = cycles.find(|cycle| cycle.is_object()).unwrap();
        assert_eq!(cycle["start"], start, "{position}: {cycle}");
        assert_eq!(cycle["selector"] == true, speed == 0.0);
    }
}

#[test]
fn models_of_points_that_have_polygons_are_reported() {
    let mut world = worlds::gamez(ZipperGame::PiratesMoon);
    let mut square = None;
    for slot in &mut world.models.slots {
        match slot {
            ModelSlot::Used(model) if model.record.model_type != ModelType::Points => {
                square = Some(model.clone());
            }
            ModelSlot::Used(model) => {
                let mut points = square.clone().unwrap();
                points.record.model_type = ModelType::Points;
                *model = points;
            }
            ModelSlot::Free { .. } => {}
        }
    }
    let vertices = square.unwrap().vertices.len();
    let (run, said) = converted(&world, "");
    assert!(said.contains("m1_star is drawn as points"), "{said}");
    let document = run.json(WORLD);
    let star = node(&document, "star");
    let mesh = star["mesh"].as_u64().unwrap();
    let part = &document["meshes"][usize::try_from(mesh).unwrap()]["primitives"][0];
    assert_eq!(part["mode"], 0);
    let place = part["attributes"]["POSITION"].as_u64().unwrap();
    let accessor = &document["accessors"][usize::try_from(place).unwrap()];
    assert_eq!(accessor["count"], vertices);
    let material = part["material"].as_u64().unwrap();
    let material = &document["materials"][usize::try_from(material).unwrap()];
    assert!(material["extensions"]["KHR_materials_unlit"].is_object());
    let tables = run.json("worlds/zbd/c1/gamez.zipper.json");
    assert_eq!(tables["checks"]["unfilled_models"], json!(["m1_star"]));
}

#[test]
fn pick_ups_are_where_the_engine_puts_them() {
    let mut world = worlds::gamez(ZipperGame::Recoil);
    let star = world
        .nodes
        .used
        .iter_mut()
        .find(|node| node.name() == "star");
    star.unwrap().record.name = NodeName::new("pu020").unwrap();
    let list = "((FREON_WEAPON 30 (100. 5. -200.) (0. 1.5707964 0.) 20.) \
                (NANITE 0 (1. 2. 3.) (0. 0. 0.) 0.))";
    let hard = "((NUKE_AMMO 1 (100. 5. -200.) (0. 0. 0.) 20.))";
    let readers = pack(&[
        ("puppies.zrd", reader(list)),
        ("puppies_hard.zrd", reader(hard)),
        ("aiv_easy.zrd", reader("(bft_00 (0 (1. 2. 3.) 0.))")),
    ]);
    let files = [
        ("zbd/m1/gamez.zbd", gamez::encode(&world).unwrap()),
        ("zbd/m1/zrdr.zbd", readers),
    ];
    let (run, said) = run(&files, "[worlds]\nplacements = true\n");
    for unread in ["puppies_hard.zrd", "aiv_easy.zrd"] {
        assert!(
            said.contains(&format!(
                "zbd/m1/zrdr.zbd/{unread} is not loaded by the game"
            )),
            "{said}"
        );
    }
    let scenes = fs::read_dir(run.out().join("worlds/zbd/m1")).unwrap();
    let scenes = scenes.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut scenes: Vec<String> = scenes.filter(|name| name.ends_with(".gltf")).collect();
    scenes.sort();
    assert_eq!(scenes, ["gamez.gltf", "gamez.m1.gltf"]);
    let document = run.json("worlds/zbd/m1/gamez.m1.gltf");
    let freon = node(&document, "place_FREON_WEAPON");
    assert_eq!(freon["translation"], json!([100.0, 5.0, -200.0]));
    let turn = freon["rotation"].as_array().unwrap();
    assert!(
        (turn[1].as_f64().unwrap() - 0.5_f64.sqrt()).abs() < 1e-6,
        "{turn:?}"
    );
    let written = &freon["extras"]["zipper"]["placement"];
    assert_eq!(
        (
            &written["amount"],
            &written["respawn"],
            &written["template"]
        ),
        (&json!(30), &json!(20.0), &json!("pu020"))
    );
    let copy = freon["children"][0].as_u64().unwrap();
    let copy = &document["nodes"][usize::try_from(copy).unwrap()];
    assert!(
        copy["name"].as_str().unwrap().starts_with("pu020"),
        "{copy}"
    );
    let nanite = &node(&document, "place_NANITE")["extras"]["zipper"]["placement"];
    assert_eq!(
        (&nanite["amount"], &nanite["unresolved"]),
        (&json!(60), &json!(true))
    );
}

/// A motion of some parts, turned and placed the same in all samples.
fn still_motion(parts: &[&'static str]) -> Vec<u8> {
    let part = |name: &&'static str| Part {
        name: name.as_bytes().to_vec().into(),
        flags: PartFlags::ROTATION | PartFlags::TRANSLATION,
        translations: vec![Vec3::from([1.0, 2.0, 3.0]); 3],
        rotations: vec![
            QuatWxyz {
                w: F32(0.6),
                y: F32(0.8),
                ..QuatWxyz::default()
            };
            3
        ],
    };
    let mut motion = Motion {
        parts: parts.iter().map(part).collect(),
        ..Motion::default()
    };
    motion.header.version = 4;
    motion.header.loop_time = F32(1.0);
    motion.header.frame_count = 2;
    motion.header.unk16 = F32(-1.0);
    motion.header.unk20 = F32(1.0);
    motion::encode(&motion).unwrap()
}

fn keys(document: &Value, out: &Path, accessor: &Value) -> Vec<f32> {
    let buffer = fs::read(out.with_extension("bin")).unwrap();
    super::options::floats(&buffer, document, accessor.as_u64().unwrap())
}

#[test]
fn parts_that_a_clip_leaves_alone_keep_their_pose() {
    let version = ZipperGame::MechWarrior3;
    let material = MechMaterial {
        record: worlds::material(None, version),
        texture: None,
    };
    let library = pack(&[
        ("format", 1_u32.to_le_bytes().to_vec()),
        ("version", mechlib::encode_version(version).unwrap()),
        (
            "materials",
            mechlib::encode_materials(&[material.clone(), material.clone(), material], version)
                .unwrap(),
        ),
        (
            "strider.flt",
            mechlib::encode_model(&worlds::mech(version), version).unwrap(),
        ),
    ]);
    let motions = pack(&[
        ("strider_stand", still_motion(&["hip"])),
        ("strider_kick", still_motion(&["foot"])),
    ]);
    let files = [("zbd/mechlib.zbd", library), ("zbd/motion.zbd", motions)];
    let (run, _) = run(&files, "");
    let path = "models/zbd/mechlib/strider.gltf";
    let document = run.json(path);
    let index = |name: &str| {
        let mut nodes = document["nodes"].as_array().unwrap().iter();
        nodes.position(|node| node["name"] == name).unwrap()
    };
    let clips = document["animations"].as_array().unwrap();
    assert_eq!(clips.len(), 2);
    for clip in clips {
        for part in ["hip", "foot"] {
            let own = &document["nodes"][index(part)];
            for (property, rest) in [
                ("translation", json!([0.0, 0.0, 0.0])),
                ("rotation", json!([0.0, 0.0, 0.0, 1.0])),
            ] {
                let what = format!("{property} of {part} in {}", clip["name"]);
                let mut channels = clip["channels"].as_array().unwrap().iter();
                let channel = channels.find(|channel| {
                    channel["target"]["node"] == index(part)
                        && channel["target"]["path"] == property
                });
                let channel = channel.unwrap_or_else(|| panic!("no {what}"));
                let place = channel["sampler"].as_u64().unwrap();
                let sampler = &clip["samplers"][usize::try_from(place).unwrap()];
                let values = keys(&document, &run.out().join(path), &sampler["output"]);
                let moves = (clip["name"] == "kick") == (part == "foot");
                if moves {
                    continue;
                }
                let rest = own.get(property).unwrap_or(&rest).as_array().unwrap();
                for key in values.chunks(rest.len()) {
                    for (one, other) in key.iter().zip(rest) {
                        let other = other.as_f64().unwrap();
                        assert!((f64::from(*one) - other).abs() < 1e-6, "{what}: {values:?}");
                    }
                }
            }
        }
    }
}

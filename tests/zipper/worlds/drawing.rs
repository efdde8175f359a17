//! Drawing of scenes: lights, cameras, points of light, opacities, tints and levels, by the engine's rules.

use relicast_testing::test;
use std::fs;

use relicast::formats::codec::{F32, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    self, Camera, GameZ, Light, LightFlags, Lod, MaterialFlags, ModelSlot, NodeData, Object3d,
    Object3dFlags,
};
use relicast_samples::minimal::worlds;
use serde_json::{Value, json};

use super::common::{convert, json as read_json};

/// The scene of a world, and its tables.
fn converted(world: &GameZ, settings: &str) -> (Value, Value) {
    let (scene, tables, _) = converted_with_buffer(world, settings);
    (scene, tables)
}

/// The scene of a world, its tables, and the bytes of its buffer.
fn converted_with_buffer(world: &GameZ, settings: &str) -> (Value, Value, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in/zbd/c1");
    fs::create_dir_all(&input).unwrap();
    fs::write(input.join("gamez.zbd"), gamez::encode(world).unwrap()).unwrap();
    let file = folder.path().join("settings.toml");
    fs::write(&file, settings).unwrap();
    let out = folder.path().join("out");
    let mut command = convert(&folder.path().join("in"), &out, &["-q"]);
    command.arg("--config").arg(&file).assert().success();
    let scene = read_json(&out.join("worlds/zbd/c1/gamez.gltf"));
    let tables = read_json(&out.join("worlds/zbd/c1/gamez.zipper.json"));
    let buffer = fs::read(out.join("worlds/zbd/c1/gamez.bin")).unwrap();
    (scene, tables, buffer)
}

fn scene(world: &GameZ) -> Value {
    converted(world, "").0
}

fn node<'v>(document: &'v Value, name: &str) -> &'v Value {
    let mut nodes = document["nodes"].as_array().unwrap().iter();
    let found = nodes.find(|node| node["name"] == name);
    found.unwrap_or_else(|| panic!("no node {name}"))
}

fn light_of(world: &mut GameZ) -> &mut Light {
    let lights = world
        .nodes
        .used
        .iter_mut()
        .find_map(|node| match &mut node.data {
            NodeData::Light(light) => Some(&mut **light),
            _ => None,
        });
    lights.unwrap()
}

fn camera_of(world: &mut GameZ) -> &mut Camera {
    let cameras = world
        .nodes
        .used
        .iter_mut()
        .find_map(|node| match &mut node.data {
            NodeData::Camera(camera) => Some(&mut **camera),
            _ => None,
        });
    cameras.unwrap()
}

fn object_of<'w>(world: &'w mut GameZ, name: &str) -> &'w mut Object3d {
    let mut nodes = world.nodes.used.iter_mut();
    let node = nodes.find(|node| node.name() == name).unwrap();
    match &mut node.data {
        NodeData::Object3d(object) => object,
        _ => panic!("{name} is no object"),
    }
}

fn lod_of(world: &mut GameZ) -> &mut Lod {
    let lods = world
        .nodes
        .used
        .iter_mut()
        .find_map(|node| match &mut node.data {
            NodeData::Lod(lod) => Some(&mut **lod),
            _ => None,
        });
    lods.unwrap()
}

/// Sets the flags of a light in each place where the game stores them.
fn set_flags(light: &mut Light, version: ZipperGame, flags: LightFlags) {
    let record = &mut light.record;
    if version == ZipperGame::Recoil {
        let word = |flag| u32::from(flags.contains(flag));
        record.ranged = word(LightFlags::RANGED);
        record.directional = word(LightFlags::DIRECTIONAL);
        record.directed_source = word(LightFlags::DIRECTED_SOURCE);
        record.point_source = word(LightFlags::POINT_SOURCE);
    } else {
        record.flags.known = flags;
    }
}

fn written_light(document: &Value) -> &Value {
    &document["extensions"]["KHR_lights_punctual"]["lights"][0]
}

#[test]
fn lights_are_suns_cones_and_points() {
    let ranged = LightFlags::RANGED;
    for version in ZipperGame::ALL {
        for (flags, kind) in [
            (
                LightFlags::DIRECTED_SOURCE | LightFlags::DIRECTIONAL,
                "directional",
            ),
            (LightFlags::DIRECTED_SOURCE, "directional"),
            (LightFlags::DIRECTIONAL | ranged, "spot"),
            (LightFlags::POINT_SOURCE | ranged, "point"),
        ] {
            let mut world = worlds::gamez(version);
            let light = light_of(&mut world);
            set_flags(light, version, flags);
            light.record.diffuse = F32(0.5);
            light.record.ambient = F32(0.75);
            light.record.color = Vec3::from([0.0, 0.0, 0.5]);
            let document = scene(&world);
            let light = written_light(&document);
            assert_eq!(light["type"], kind, "{version:?} {flags:?}: {light}");
            let facts = &light["extras"]["zipper"];
            assert_eq!(facts["color"], json!([0.0, 0.0, 0.5]));
            let intensity = light["intensity"].as_f64().unwrap_or(1.0);
            let ambient = &document["scenes"][0]["extras"]["zipper"]["ambientLight"];
            if kind == "directional" {
                assert!(
                    (intensity - std::f64::consts::PI / 2.0).abs() < 1e-5,
                    "{light}"
                );
                assert_eq!(
                    (ambient, &facts["ambientLight"]),
                    (&json!(0.75), &json!(0.75))
                );
                // Recoil's sun is gray, for any color of its shade.
                let expected = match version {
                    ZipperGame::Recoil => Value::Null,
                    _ => json!([0.0, 0.0, 0.5]),
                };
                let color = light.get("color").cloned().unwrap_or_default();
                let is_white = color == json!([1.0, 1.0, 1.0]);
                assert!(
                    color == expected || (is_white && expected.is_null()),
                    "{light}"
                );
            } else {
                // Half directed, three quarters from everywhere: no more than 1.
                assert!((intensity - 20.0 * 20.0 * 0.25).abs() < 1e-3, "{light}");
                assert_eq!(light["range"], 20.0);
                assert!(ambient.is_null());
            }
            if kind == "spot" {
                let outer = light["spot"]["outerConeAngle"].as_f64().unwrap();
                assert!((outer - std::f64::consts::FRAC_PI_2).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn lights_without_range_reach_everything_in_recoil() {
    for (version, range) in [
        (ZipperGame::Recoil, Value::Null),
        (ZipperGame::MechWarrior3, json!(20.0)),
    ] {
        let mut world = worlds::gamez(version);
        set_flags(light_of(&mut world), version, LightFlags::POINT_SOURCE);
        let document = scene(&world);
        assert_eq!(written_light(&document)["range"], range, "{version:?}");
    }
}

#[test]
fn lights_without_values_do_not_shine() {
    let version = ZipperGame::CrimsonSkies;
    for near in [1024.0, 900.0] {
        let mut world = worlds::gamez(version);
        let light = light_of(&mut world);
        set_flags(
            light,
            version,
            LightFlags::RECALC
                | LightFlags::POINT_SOURCE
                | LightFlags::SATURATED
                | LightFlags::LIGHT_MAP
                | LightFlags::REACHES_CELL,
        );
        light.record.diffuse = F32(0.0);
        light.record.ambient = F32(1.0);
        light.record.range_near = F32(f32::sqrt(near));
        light.record.range_near_sq = F32(near);
        let document = scene(&world);
        let light = written_light(&document);
        let is_unset = light["extras"]["zipper"]["unset"] == true;
        assert_eq!(is_unset, near == 1024.0, "{light}");
        assert_eq!(light["intensity"] == 0.0, is_unset, "{light}");
    }
}

#[test]
fn cameras_of_recoil_are_limited_as_its_engine_does() {
    for version in [ZipperGame::Recoil, ZipperGame::MechWarrior3] {
        let mut world = worlds::gamez(version);
        let camera = camera_of(&mut world);
        camera.fov_h_base = F32(2.0);
        camera.fov_v_base = F32(1.5);
        camera.clip_near = F32(0.25);
        let document = scene(&world);
        let camera = &document["cameras"][0];
        let lens = &camera["perspective"];
        let angle = lens["yfov"].as_f64().unwrap();
        let facts = &camera["extras"]["zipper"];
        if version == ZipperGame::Recoil {
            assert!((angle - 1.396).abs() < 1e-6, "{camera}");
            assert_eq!(lens["znear"], 1.0);
            assert_eq!(facts["storedVerticalAngle"], 1.5);
            assert_eq!(facts["storedNear"], 0.25);
            assert!((lens["aspectRatio"].as_f64().unwrap() - 1.0).abs() < 1e-6);
        } else {
            assert_eq!((angle, &lens["znear"]), (1.5, &json!(0.25)));
            assert!(facts.is_null());
        }
    }
}

/// Base color and emission of the first material that a node shows.
fn surface<'v>(document: &'v Value, name: &str) -> &'v Value {
    let index = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let mesh = &document["meshes"][index(&node(document, name)["mesh"])];
    &document["materials"][index(&mesh["primitives"][0]["material"])]
}

#[test]
fn the_innermost_opacity_counts_in_recoil() {
    for (version, alpha) in [
        (ZipperGame::Recoil, 0.75),
        (ZipperGame::MechWarrior3, 0.375),
    ] {
        let mut world = worlds::gamez(version);
        for (name, opacity) in [("house", 0.5), ("house_walls", 0.75)] {
            let object = object_of(&mut world, name);
            object.flags |= Object3dFlags::OPACITY;
            object.opacity = F32(opacity);
        }
        let (document, _) = converted(&world, "[scenes]\nlods = \"together\"\n");
        let mut nodes = document["nodes"].as_array().unwrap().iter();
        let walls = nodes.find(|node| node["name"] == "house_walls").unwrap();
        let index = usize::try_from(walls["mesh"].as_u64().unwrap()).unwrap();
        let parts = document["meshes"][index]["primitives"].as_array().unwrap();
        let mut alphas = parts.iter().map(|part| {
            let place = usize::try_from(part["material"].as_u64().unwrap()).unwrap();
            let material = &document["materials"][place];
            material["pbrMetallicRoughness"]["baseColorFactor"][3]
                .as_f64()
                .unwrap_or(1.0)
        });
        assert!(
            alphas.any(|found| (found - alpha).abs() < 1e-6),
            "{version:?}: {parts:?}"
        );
    }
}

#[test]
fn tints_keep_a_share_of_the_surface_and_shine_with_the_rest() {
    let version = ZipperGame::Recoil;
    let mut world = worlds::gamez(version);
    for slot in &mut world.models.slots {
        if let ModelSlot::Used(model) = slot {
            model.polygons.truncate(1);
        }
    }
    let object = object_of(&mut world, "house");
    object.flags |= Object3dFlags::COLOR;
    object.color = Vec3::from([1.0, 0.0, 0.0]);
    object.tint_weight = F32(0.25);
    let document = scene(&world);
    let material = surface(&document, "house_walls");
    let emission = material["emissiveFactor"].as_array().unwrap();
    assert!(
        (emission[0].as_f64().unwrap() - 0.25).abs() < 1e-6,
        "{material}"
    );
    assert_eq!(emission[1], 0.0);
    let plain = scene(&worlds::gamez(version));
    let before = &surface(&plain, "house_walls")["pbrMetallicRoughness"]["baseColorFactor"];
    let after = &material["pbrMetallicRoughness"]["baseColorFactor"];
    for at in 0..3 {
        let [before, after] = [before, after].map(|color| color[at].as_f64().unwrap_or(1.0));
        assert!((before * 0.75 - after).abs() < 1e-6, "{material}");
    }
    // A tint of its own takes the place of the one above, even one without weight.
    let object = object_of(&mut world, "house_walls");
    object.flags |= Object3dFlags::COLOR;
    let document = scene(&world);
    let emission = &surface(&document, "house_walls")["emissiveFactor"];
    assert_eq!(emission[0].as_f64().unwrap_or(0.0), 0.0);
}

#[test]
fn tints_of_unlit_surfaces_without_texture_are_mixed_with_their_vertex_colors() {
    // Full white at a vertex color of 0.4, tinted with 0.72 at a half: (0.4 + 0.72) / 2 = 0.56 on the screen.
    let mut world = worlds::gamez(ZipperGame::MechWarrior3);
    for slot in &mut world.models.slots {
        if let ModelSlot::Used(model) = slot {
            model.polygons.truncate(1);
            for polygon in &mut model.polygons {
                for color in &mut polygon.colors {
                    *color = Vec3::from([102.0; 3]);
                }
            }
        }
    }
    for material in &mut world.materials.used {
        material
            .record
            .flags
            .remove(MaterialFlags::TEXTURED | MaterialFlags::CYCLED);
        material.record.cycle_ptr = 0;
        material.record.color = Vec3::from([255.0; 3]);
        material.cycle = None;
    }
    let object = object_of(&mut world, "house");
    object.flags |= Object3dFlags::COLOR;
    object.color = Vec3::from([0.72; 3]);
    object.tint_weight = F32(0.5);
    let (document, _, buffer) = converted_with_buffer(&world, "");
    let index = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let mesh = &document["meshes"][index(&node(&document, "house_walls")["mesh"])];
    let primitive = &mesh["primitives"][0];
    let material = &document["materials"][index(&primitive["material"])];
    assert!(material["extensions"]["KHR_materials_unlit"].is_object());
    // The color of the material is in the vertices.
    let base = &material["pbrMetallicRoughness"]["baseColorFactor"];
    let is_white = |base: &Vec<Value>| base[..3].iter().all(|part| *part == 1.0);
    assert!(base.as_array().is_none_or(is_white), "{base}");
    let accessor = &document["accessors"][index(&primitive["attributes"]["COLOR_0"])];
    let view = &document["bufferViews"][index(&accessor["bufferView"])];
    let start = [accessor, view].map(|part| part["byteOffset"].as_u64().unwrap_or(0));
    let start = usize::try_from(start[0] + start[1]).unwrap();
    for channel in buffer[start..start + 6].chunks(2) {
        let light = f64::from(u16::from_le_bytes([channel[0], channel[1]])) / 65535.0;
        // The curve of sRGB: what a screen shows of linear light.
        let shown = 1.055 * light.powf(1.0 / 2.4) - 0.055;
        assert!((shown - 0.56).abs() < 1e-4, "{shown}");
    }
}

#[test]
fn levels_end_at_the_square_that_is_tested_and_list_their_bands() {
    let mut world = worlds::gamez(ZipperGame::Recoil);
    let lod = lod_of(&mut world);
    lod.range_far_sq = F32(900.0);
    lod.measures_distance = 0;
    lod.fade_near = [F32(3.0), F32(9.0)];
    lod.fade_far = [F32(4.0), F32(16.0)];
    lod.scale_width = [F32(5.0); 3];
    lod.scale_gate = [F32(25.0); 3];
    lod.scale_end = [F32(0.5), F32(1.0), F32(1.0)];
    lod.morph = 1;
    lod.morph_band = 7.0_f32.to_bits();
    let document = scene(&world);
    let mut nodes = document["nodes"].as_array().unwrap().iter();
    let level = nodes
        .find(|node| node["extras"]["zipper"]["lod"].is_object())
        .unwrap();
    let lod = &level["extras"]["zipper"]["lod"];
    assert_eq!((&lod["near"], &lod["far"]), (&json!(3.0), &json!(30.0)));
    assert_eq!(lod["distanceOfOther"], true);
    assert_eq!(lod["fade"], json!({"near": 3.0, "far": 4.0}));
    assert_eq!(
        lod["scale"],
        json!({"width": [5.0, 5.0, 5.0], "end": [0.5, 1.0, 1.0], "uniform": true})
    );
    assert_eq!(lod["morphBand"], 7.0);
}

#[test]
fn parts_of_a_level_that_end_earlier_leave_no_gap() {
    let mut world = worlds::gamez(ZipperGame::CrimsonSkies);
    let first = world
        .nodes
        .used
        .iter()
        .position(|node| node.name() == "house_near")
        .unwrap();
    let house = usize::try_from(world.nodes.used[first].parents[0]).unwrap();
    let set = |lod: &mut Lod, near: f32, far: f32| {
        lod.range_near_sq = F32(near * near);
        lod.range_far = F32(far);
        lod.range_far_sq = F32(far * far);
    };
    let mut ranges = [(0.0, 50.0), (0.0, 150.0), (150.0, 250.0)].into_iter();
    let template = world.nodes.used[first].clone();
    let (near, far) = ranges.next().unwrap();
    if let NodeData::Lod(lod) = &mut world.nodes.used[first].data {
        set(lod, near, far);
    }
    for (near, far) in ranges {
        let mut copy = template.clone();
        copy.children.clear();
        copy.record.relations.child_array_ptr = 0;
        if let NodeData::Lod(lod) = &mut copy.data {
            set(lod, near, far);
        }
        let index = u32::try_from(world.nodes.used.len()).unwrap();
        world.nodes.used.push(copy);
        world.nodes.used[house].children.push(index);
    }
    let (_, tables) = converted(&world, "");
    assert_eq!(tables["checks"]["detail_gaps"], 0, "{}", tables["checks"]);
    assert!(tables["checks"]["detail_groups"].as_u64().unwrap() > 0);
}

#[test]
fn points_of_light_have_the_fields_of_their_game() {
    for version in ZipperGame::ALL {
        let mut world = worlds::gamez(version);
        for slot in &mut world.models.slots {
            let ModelSlot::Used(model) = slot else {
                continue;
            };
            for light in &mut model.lights {
                let record = &mut light.record;
                record.is_chaser = 1;
                record.behavior = 1;
                record.interval_or_scale = F32(0.5);
                record.fade_from = F32(100.0);
                record.fade_to = F32(200.0);
                record.has_flare = 1;
                record.flare_full = F32(300.0);
                record.flare_gone = F32(400.0);
                record.largest_size = F32(8.0);
                if version == ZipperGame::Recoil {
                    record.depth_priority = -2;
                }
            }
        }
        let document = scene(&world);
        let point = &node(&document, "star")["extras"]["zipper"]["points"][0];
        match version {
            ZipperGame::Recoil => {
                assert_eq!(
                    (&point["mode"], &point["blink"]),
                    (&json!("chaser"), &json!(true))
                );
                assert_eq!(
                    (&point["interval"], &point["priority"]),
                    (&json!(0.5), &json!(-2))
                );
                assert_eq!(point["fade"], json!({"from": 100.0, "to": 200.0}));
                assert_eq!(point["flare"], json!({"full": 300.0, "gone": 400.0}));
                assert!(
                    point["size"].is_null() && point["flags"].is_null(),
                    "{point}"
                );
            }
            ZipperGame::CrimsonSkies => {
                assert_eq!(
                    (&point["size"], &point["seenTo"]),
                    (&json!(0.5), &json!(300.0))
                );
                assert_eq!(point["largestSize"], 8.0);
            }
            ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon => {
                assert_eq!((&point["size"], &point["flags"]), (&json!(0.5), &json!(30)));
            }
        }
    }
}

#[test]
fn bits_of_the_running_engine_are_not_reported() {
    let mut world = worlds::gamez(ZipperGame::CrimsonSkies);
    for node in &mut world.nodes.used {
        if let NodeData::World(world) = &mut node.data {
            world.record.flags = 0x3F;
        }
    }
    let document = scene(&world);
    assert!(document["scenes"][0]["extras"]["zipper"]["worldFlags"].is_null());
}

#[test]
fn the_world_of_a_demo_makes_the_scene_of_the_released_world() {
    let (released, tables, bytes) = converted_with_buffer(&worlds::gamez(ZipperGame::Recoil), "");
    let (demo, demo_tables, demo_bytes) = converted_with_buffer(&worlds::early_gamez(), "");
    assert_eq!(demo["meshes"], released["meshes"]);
    assert_eq!(demo["materials"], released["materials"]);
    assert_eq!(node(&demo, "house")["translation"], json!([5.0, 0.0, 7.0]));
    let places = |scene: &Value| -> Vec<Value> {
        let nodes = scene["nodes"].as_array().unwrap().iter();
        nodes
            .map(|node| {
                json!([
                    node["name"],
                    node["translation"],
                    node["rotation"],
                    node["scale"]
                ])
            })
            .collect()
    };
    assert_eq!(places(&demo), places(&released));
    assert_eq!(demo_bytes, bytes);
    assert_eq!(demo_tables["sky"], tables["sky"]);
}

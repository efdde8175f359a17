//! Scenes of EverQuest's EQG archives: placements, lights, shapes, baked light and surfaces.

use std::collections::BTreeMap;
use std::fs;

use relicast::config::LampLight;
use relicast::formats::everquest::eqg::zone;
use relicast::formats::everquest::pfs;
use relicast_samples::SampleFile;
use relicast_samples::minimal::eqg;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::everquest_meshes::{
    brighten, edit, members, packed_and_original, scenes, shows,
};
use crate::scenes::everquest_topology::corners;
use crate::scenes::foreign::rewrite;
use crate::scenes::near;
use crate::scenes::place::Place;
use crate::scenes::scene::{Dice, Scene};

const MILL: &str = "mill.eqg";
pub const WORLD: &str = "worlds/mill.gltf";

fn archive(members: &[eqg::Member]) -> Vec<u8> {
    let members = members
        .iter()
        .map(|(name, bytes)| (*name, bytes.as_slice()));
    let packed = pfs::pack(&members.collect::<Vec<_>>(), None, 6).unwrap();
    pfs::encode(&packed).unwrap()
}

pub fn files() -> Vec<SampleFile> {
    let files = [
        (MILL, archive(&eqg::mill())),
        ("fen.eqg", archive(&eqg::fen())),
    ];
    let files = files.map(|(path, bytes)| SampleFile {
        path: path.to_owned(),
        bytes,
    });
    files.to_vec()
}

pub fn sample() -> Place {
    Place::new(&files())
}

/// Edits a scene of the mill, and saves it.
pub fn edited(place: &Place, path: &str, edit: impl FnOnce(&mut Scene)) -> Scene {
    let mut scene = Scene::open(&place.out(path));
    edit(&mut scene);
    scene.save();
    scene
}

pub fn node(scene: &Scene, name: &str) -> usize {
    let mut nodes = scene.nodes().iter();
    nodes.position(|node| node["name"] == name).unwrap()
}

/// Packs, converts again, and returns the scene.
pub fn after(place: &Place, path: &str) -> Scene {
    place.pack();
    place.convert_packed();
    Scene::open(&place.path("after").join(path))
}

/// Undoes the edits of some scenes in a copy of the packed install: all members are what they were.
fn undone(place: &Place, paths: &[&str]) {
    let again = place.again("modded");
    place.convert("install", "before");
    for path in paths {
        for path in [(*path).to_owned(), path.replace(".gltf", ".bin")] {
            let from = place.path("before").join(&path);
            if from.exists() {
                fs::copy(from, again.out(&path)).unwrap();
            }
        }
    }
    again.pack();
    let [packed, _] = packed_and_original(&again, MILL);
    let [_, original] = packed_and_original(place, MILL);
    let names =
        |members: &BTreeMap<String, Vec<u8>>| -> Vec<String> { members.keys().cloned().collect() };
    assert_eq!(names(&packed), names(&original));
    for (name, bytes) in &original {
        assert!(packed[name] == *bytes, "{name} is as it was");
    }
}

/// Members that changed.
pub fn changed(place: &Place) -> Vec<String> {
    let [packed, original] = packed_and_original(place, MILL);
    let names = packed.keys().chain(original.keys());
    let changed = names.filter(|name| packed.get(*name) != original.get(*name));
    let mut changed: Vec<String> = changed.cloned().collect();
    changed.sort();
    changed.dedup();
    changed
}

#[test]
fn placements_move_turn_scale_and_get_other_names() {
    let place = sample();
    let scene = edited(&place, WORLD, |scene| {
        let wheel = node(scene, "WHEEL02");
        scene.set(wheel, "translation", [7.5, 3.0, -4.25]);
        // About a slanted axis: all three angles.
        scene.set(wheel, "rotation", [0.18, 0.36, 0.6, 0.691_375_44]);
        scene.set(wheel, "scale", [0.75; 3]);
        scene.json["nodes"][wheel]["name"] = "A_LONGER_SPOKE".into();
        let crow = node(scene, "CROW01");
        scene.set(crow, "translation", [1.0, 2.0, 3.0]);
    });
    let after = after(&place, WORLD);
    assert_eq!(after.nodes().len(), scene.nodes().len());
    for (found, wanted) in after.nodes().iter().zip(scene.nodes()) {
        assert_eq!(found["name"], wanted["name"]);
        assert_eq!(found["translation"], wanted["translation"]);
        assert_eq!(found["scale"], wanted["scale"]);
    }
    for node in 0..scene.nodes().len() {
        let identity = [0.0, 0.0, 0.0, 1.0];
        let wanted = scene.vector(node, "rotation", identity);
        let found = after.vector(node, "rotation", identity);
        assert!(
            near(wanted, found, 1e-6) || near(wanted.map(|part| -part), found, 1e-6),
            "{wanted:?} {found:?}"
        );
    }
    // Its baked light has its name.
    assert_eq!(
        changed(&place),
        ["a_longer_spoke.lit", "mill.zon", "wheel02.lit"]
    );
    let mesh = |scene: &Scene, name: &str| scene.nodes()[node(scene, name)]["mesh"].clone();
    assert_eq!(
        mesh(&after, "A_LONGER_SPOKE"),
        mesh(&scene, "A_LONGER_SPOKE")
    );
    undone(&place, &[WORLD]);
}

#[test]
fn placements_are_copied_and_taken_out() {
    let place = sample();
    edited(&place, WORLD, |scene| {
        let (wheel, crow) = (node(scene, "WHEEL02"), node(scene, "WHEEL01"));
        let mut copy = scene.nodes()[wheel].clone();
        copy["translation"] = json!([1.0, 2.0, 3.0]);
        let added = scene.nodes().len();
        scene.json["nodes"].as_array_mut().unwrap().push(copy);
        let objects = node(scene, "objects");
        let below = scene.json["nodes"][objects]["children"]
            .as_array_mut()
            .unwrap();
        below.retain(|node| *node != json!(crow));
        below.push(added.into());
    });
    let after = after(&place, WORLD);
    let nodes = after.nodes().iter();
    let wheels = nodes.filter(|node| node["extras"]["everquest"]["model"] == "WHEEL.MOD");
    let wheels: Vec<&Value> = wheels.collect();
    assert_eq!(wheels.len(), 2);
    assert_eq!(wheels[0]["name"], "WHEEL02");
    assert_eq!(wheels[1]["translation"], json!([1.0, 2.0, 3.0]));
    assert_eq!(
        wheels[0]["mesh"], wheels[1]["mesh"],
        "they are in one light"
    );
    assert_eq!(changed(&place), ["mill.zon"]);
    let [packed, _] = packed_and_original(&place, MILL);
    let zone = zone::decode(&packed["mill.zon"]).unwrap().value;
    assert_eq!(zone.placements.len(), 4);
}

#[test]
fn lights_survive_a_round_trip_whether_they_shine_or_not() {
    for light in [LampLight::Baked, LampLight::Placed] {
        let place = match light {
            LampLight::Placed => Place::with(&files(), |config| {
                config.everquest.light = LampLight::Placed
            }),
            _ => sample(),
        };
        let scene = edited(&place, WORLD, |scene| {
            let lamp = node(scene, "LIB_lamp");
            scene.set(lamp, "translation", [4.0, 5.0, 6.0]);
            let lights = &mut scene.json["extensions"]["KHR_lights_punctual"]["lights"];
            match lights[0].is_object() {
                true => {
                    lights[0]["range"] = json!(12.5);
                    lights[0]["color"] = json!([0.25, 0.5, 1.0]);
                }
                false => {
                    scene.json.as_object_mut().unwrap().remove("extensions");
                    let facts = &mut scene.json["nodes"][lamp]["extras"]["everquest"];
                    facts["radius"] = json!(12.5);
                    facts["color"] = json!([0.25, 0.5, 1.0]);
                }
            }
        });
        let after = after(&place, WORLD);
        let lamp = node(&after, "LIB_lamp");
        assert_eq!(after.nodes()[lamp]["translation"], json!([4.0, 5.0, 6.0]));
        let lights = |scene: &Scene| {
            scene.json["extensions"]["KHR_lights_punctual"]["lights"][0]["range"].clone()
        };
        assert_eq!(lights(&after), lights(&scene));
        let [packed, _] = packed_and_original(&place, MILL);
        let zone = zone::decode(&packed["mill.zon"]).unwrap().value;
        assert_eq!(zone.lights[0].radius.get(), 12.5);
        assert_eq!(zone.lights[0].color.to_array(), [0.25, 0.5, 1.0]);
        undone(&place, &[WORLD]);
    }
}

/// The mesh that a node shows.
pub fn mesh_of(scene: &Scene, name: &str) -> usize {
    let mesh = scene.nodes()[node(scene, name)]["mesh"].as_u64();
    mesh.unwrap() as usize
}

/// Changes second texture coordinates.
fn edit_second(scene: &mut Scene) -> usize {
    let mut edited = 0;
    for mesh in 0..scene.json["meshes"].as_array().map_or(0, Vec::len) {
        if let Some(accessor) = scene.attribute(mesh, 0, "TEXCOORD_1") {
            let rows = scene.floats::<2>(accessor);
            let rows: Vec<_> = rows.iter().map(|[u, v]| [u + 0.25, v - 0.5]).collect();
            let accessor = scene.add_floats(&rows);
            scene.json["meshes"][mesh]["primitives"][0]["attributes"]["TEXCOORD_1"] =
                accessor.into();
            edited += 1;
        }
    }
    edited
}

#[test]
fn shapes_of_models_and_terrain_survive_a_round_trip() {
    let place = sample();
    let mut dice = Dice(5);
    let mut all = Vec::new();
    let mut second = 0;
    let shown = scenes(&place, MILL).into_iter();
    for path in shown.filter(|path| !path.contains(".hidden.")) {
        let mut scene = Scene::open(&place.out(&path));
        let is_zone = path.starts_with("worlds/");
        let terrain =
            is_zone.then(|| scene.json["meshes"][mesh_or(&scene, "MILL")]["name"].clone());
        let wants = |mesh: &str| terrain.as_ref().is_none_or(|name| name == mesh);
        if edit(&mut scene, &mut dice, wants) > 0 {
            second += edit_second(&mut scene);
            scene.save();
            all.push((path, scene));
        }
    }
    assert!(all.len() >= 4, "terrain, wheel, crow and ox");
    assert!(second > 0);
    place.pack();
    place.convert_packed();
    for (path, scene) in &all {
        let after = Scene::open(&place.path("after").join(path));
        match path.starts_with("models/") {
            true => shows(&after, scene, 0.0, path),
            // Other placements there follow the models.
            false => {
                let corners = |scene: &Scene| sorted_corners(scene, mesh_of(scene, "MILL"));
                assert_eq!(corners(&after), corners(scene));
            }
        }
    }
    let changed = changed(&place);
    assert_eq!(changed, ["crow.mod", "mill.ter", "ox.mds", "wheel.mod"]);
    let paths: Vec<&str> = all.iter().map(|(path, _)| &**path).collect();
    undone(&place, &paths);
}

fn mesh_or(scene: &Scene, name: &str) -> usize {
    let found = scene.nodes().iter().find(|node| node["name"] == name);
    let mesh = found.and_then(|node| node["mesh"].as_u64());
    mesh.map_or(0, |mesh| mesh as usize)
}

#[test]
fn baked_light_of_a_placement_survives_a_round_trip() {
    let place = sample();
    let scene = edited(&place, WORLD, |scene| {
        let mesh = mesh_of(scene, "WHEEL02");
        let count = scene.json["meshes"][mesh]["primitives"]
            .as_array()
            .unwrap()
            .len();
        for primitive in 0..count {
            brighten(scene, mesh, primitive, &mut Dice(7));
        }
    });
    shows(&after(&place, WORLD), &scene, 0.0, WORLD);
    assert_eq!(changed(&place), ["wheel02.lit"]);
    undone(&place, &[WORLD]);
}

#[test]
fn what_another_program_wrote_is_packed_as_far_as_it_was_edited() {
    let place = sample();
    for path in scenes(&place, MILL) {
        let mut scene = Scene::open(&place.out(&path));
        rewrite(&mut scene, true);
        scene.save();
    }
    let packed = place.pack();
    assert!(!packed.unedited.is_empty());
    assert!(packed.files.is_empty(), "{packed:?}");
    let scene = edited(&place, WORLD, |scene| {
        let wheels = scene.nodes().iter();
        let wheel = wheels
            .enumerate()
            .find(|(_, node)| node["extras"]["everquest"]["index"] == 1);
        let wheel = wheel.unwrap().0;
        scene.set(wheel, "translation", [9.0, 8.0, 7.0]);
    });
    assert!(!scene.nodes().is_empty());
    let after = after(&place, WORLD);
    let wheel = after.vector(node(&after, "WHEEL01"), "translation", [0.0; 3]);
    assert_eq!(wheel, [9.0, 8.0, 7.0]);
    assert_eq!(changed(&place), ["mill.zon"]);
}

/// The material of a name.
pub fn material<'s>(scene: &'s mut Scene, name: &str) -> &'s mut Value {
    let materials = scene.json["materials"].as_array_mut().unwrap();
    materials
        .iter_mut()
        .find(|material| material["name"] == name)
        .unwrap()
}

#[test]
fn surfaces_survive_a_round_trip() {
    let place = sample();
    let path = "models/mill/wheel.gltf";
    edited(&place, path, |scene| {
        let wood = material(scene, "wood");
        let facts = &mut wood["extras"]["everquest"];
        facts["shader"] = json!("Opaque_MaxCB1.fx");
        facts["properties"]["e_TextureDiffuse0"]["file"] = json!("crow_c.dds");
        wood["pbrMetallicRoughness"]["roughnessFactor"] = json!(0.2);
        wood["alphaMode"] = json!("OPAQUE");
        wood.as_object_mut().unwrap().remove("alphaCutoff");
    });
    let mut after = after(&place, path);
    let wood = material(&mut after, "wood");
    let facts = &wood["extras"]["everquest"];
    assert_eq!(facts["shader"], "Opaque_MaxCB1.fx");
    assert_eq!(
        facts["properties"]["e_TextureDiffuse0"]["file"],
        "crow_c.dds"
    );
    assert_eq!(facts["properties"]["e_fShininess0"], json!(48.0));
    assert_eq!(changed(&place), ["wheel.mod"]);
    undone(&place, &[path]);
}

#[test]
fn materials_show_other_pictures_of_their_archive() {
    let place = sample();
    let path = "models/mill/wheel.gltf";
    let picture = |scene: &Scene, name: &str| -> String {
        let materials = scene.json["materials"].as_array().unwrap();
        let own = materials.iter().find(|own| own["name"] == name).unwrap();
        let texture = &own["pbrMetallicRoughness"]["baseColorTexture"]["index"];
        let texture = texture.as_u64().unwrap() as usize;
        let image = scene.json["textures"][texture]["source"].as_u64().unwrap() as usize;
        let uri = scene.json["images"][image]["uri"].as_str().unwrap();
        uri.rsplit('/')
            .next()
            .unwrap()
            .split('.')
            .next()
            .unwrap()
            .to_owned()
    };
    let scene = edited(&place, path, |scene| {
        let glow = material(scene, "glow")["pbrMetallicRoughness"]["baseColorTexture"].clone();
        material(scene, "wood")["pbrMetallicRoughness"]["baseColorTexture"]["index"] =
            glow["index"].clone();
    });
    assert_eq!(picture(&scene, "wood"), "glow_c");
    assert_eq!(picture(&after(&place, path), "wood"), "glow_c");
    assert_eq!(changed(&place), ["wheel.mod"]);
    undone(&place, &[path]);
}

/// Changes every key of a clip.
fn edit_keys(scene: &mut Scene, dice: &mut Dice) -> usize {
    let clips = scene.json["animations"].as_array().cloned();
    let mut edited = 0;
    for (number, clip) in clips.into_iter().flatten().enumerate() {
        for channel in clip["channels"].as_array().unwrap() {
            let sampler = channel["sampler"].as_u64().unwrap() as usize;
            let output = clip["samplers"][sampler]["output"].as_u64().unwrap() as usize;
            let accessor = match channel["target"]["path"].as_str().unwrap() {
                "rotation" => {
                    let rows = scene.floats::<4>(output);
                    let rows = rows.iter().map(|row| {
                        let row = row.map(|part| part + dice.part() * 0.25);
                        let length = row.iter().map(|part| part * part).sum::<f32>().sqrt();
                        row.map(|part| part / length)
                    });
                    let rows: Vec<_> = rows.collect();
                    scene.add_floats(&rows)
                }
                _ => {
                    let rows = scene.floats::<3>(output);
                    let rows = rows.iter().map(|row| row.map(|part| part + dice.part()));
                    let rows: Vec<_> = rows.collect();
                    scene.add_floats(&rows)
                }
            };
            scene.json["animations"][number]["samplers"][sampler]["output"] = accessor.into();
            edited += 1;
        }
    }
    edited
}

/// Corners of a mesh in an order of their own.
pub fn sorted_corners(scene: &Scene, mesh: usize) -> Vec<[u32; 3]> {
    let corners = corners(scene, mesh).into_iter();
    let mut all: Vec<[u32; 3]> = corners.map(|place| place.map(f32::to_bits)).collect();
    all.sort_unstable();
    all
}

#[test]
fn clips_survive_a_round_trip_key_by_key() {
    let place = sample();
    let path = "models/mill/crow.gltf";
    let scene = edited(&place, path, |scene| {
        assert!(edit_keys(scene, &mut Dice(9)) >= 4);
    });
    let after = after(&place, path);
    let values = |scene: &Scene| -> Vec<Vec<[f32; 3]>> {
        let clip = &scene.json["animations"][0];
        let moves = clip["channels"].as_array().unwrap().iter();
        let moves = moves.filter(|channel| channel["target"]["path"] == "translation");
        let outputs = moves.map(|channel| {
            let sampler = channel["sampler"].as_u64().unwrap() as usize;
            clip["samplers"][sampler]["output"].as_u64().unwrap() as usize
        });
        outputs.map(|output| scene.floats(output)).collect()
    };
    assert_eq!(values(&after), values(&scene));
    assert_eq!(changed(&place), ["stnd_ba_1_crow.ani"]);
    undone(&place, &[path]);
}

#[test]
fn facts_of_a_scene_follow_from_another_document_that_is_edited_too() {
    let (path, levels) = ("models/mill/wheel.gltf", "worlds/mill/wheel.lod.json");
    let distance = "/scenes/0/extras/everquest/levelsOfDetail/0/distance";
    let alone = |scene: &mut Scene| {
        *scene.json.pointer_mut(distance).unwrap() = json!(125.0);
    };
    let place = sample();
    edited(&place, path, alone);
    let refused = place.refused();
    assert!(refused[0].1.contains("scenes[0].extras"), "{refused:?}");
    let mut document: Value =
        serde_json::from_slice(&fs::read(place.out(levels)).unwrap()).unwrap();
    document["levels"][0]["distance"] = json!(125.0);
    fs::write(place.out(levels), document.to_string()).unwrap();
    let after = after(&place, path);
    assert_eq!(after.json.pointer(distance), Some(&json!(125.0)));
    assert_eq!(changed(&place), ["wheel.lod"]);
}

/// Archives that were made for another implementation, as installs of their own.
#[test]
fn placements_and_shapes_of_foreign_archives_survive_a_round_trip() {
    let root = crate::common::fixtures("everquest/eqg");
    for name in ["syn1a.eqg", "syn1b.eqg", "syn1c.eqg", "syn1x.eqg"] {
        if !root.join(name).exists() {
            relicast_testing::skip(format!("no {name}"));
        }
        let place = Place::new(&[SampleFile {
            path: name.to_owned(),
            bytes: fs::read(root.join(name)).unwrap(),
        }]);
        let outputs = place.manifest().outputs.into_iter();
        let paths = outputs
            .map(|output| output.path)
            .filter(|path| path.ends_with(".gltf") && !path.contains(".hidden."));
        let mut all = Vec::new();
        let mut dice = Dice(4);
        for path in paths {
            let mut scene = Scene::open(&place.out(&path));
            if path.starts_with("worlds/") {
                for node in 0..scene.nodes().len() {
                    let facts = &scene.nodes()[node]["extras"]["everquest"];
                    if facts["model"].is_string() && facts["index"] != 0 {
                        let at = scene.vector(node, "translation", [0.0; 3]);
                        scene.set(node, "translation", at.map(|part| part + 0.25));
                        scene.set(node, "rotation", [0.5, 0.5, 0.5, 0.5]);
                    }
                }
            } else if edit(&mut scene, &mut dice, |_| true) == 0 {
                continue;
            }
            scene.save();
            all.push((path, scene));
        }
        assert!(!all.is_empty(), "{name}");
        let original = fs::read(place.path("install").join(name)).unwrap();
        place.pack();
        place.convert_packed();
        for (path, scene) in &all {
            let after = Scene::open(&place.path("after").join(path));
            if path.starts_with("models/") {
                shows(&after, scene, 0.0, path);
            }
            for (found, wanted) in after.nodes().iter().zip(scene.nodes()) {
                assert_eq!(found["translation"], wanted["translation"], "{path}");
            }
        }
        let again = place.again("modded");
        place.convert("install", "before");
        for (path, _) in &all {
            for path in [path.clone(), path.replace(".gltf", ".bin")] {
                let from = place.path("before").join(&path);
                if from.exists() {
                    fs::copy(from, again.out(&path)).unwrap();
                }
            }
        }
        again.pack();
        let now = fs::read(again.path("mod").join(name)).unwrap();
        let [now, original] = [&now, &original].map(|bytes| members(bytes));
        for (member, before) in &original {
            match member.ends_with(".zon") {
                true => has_placements_of(&now[member], before),
                false => assert!(now[member] == *before, "{name}: {member} is as it was"),
            }
        }
    }
}

/// Checks that a zone is another one but for the last bits of angles, which rotations do not contain.
fn has_placements_of(now: &[u8], before: &[u8]) {
    let [mut now, before] = [now, before].map(|bytes| zone::decode(bytes).unwrap().value);
    for (now, before) in now.placements.iter_mut().zip(&before.placements) {
        let [one, other] = [&*now, before].map(|one| one.rotation.to_array());
        assert!(near(one, other, 1e-5), "{one:?} {other:?}");
        now.rotation = before.rotation;
    }
    assert_eq!(now, before);
}

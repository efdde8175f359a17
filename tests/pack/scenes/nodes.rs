//! Nodes moved, turned, scaled and renamed.

use relicast_testing::rounds;
use relicast_testing::test;
use std::fs;

use relicast::asset::Game;
use relicast::formats::zipper::gamez::{NodeData, decode};
use relicast::pack::{Request as PackRequest, pack};
use serde_json::Value;

use crate::scenes::meshes::corners;
use crate::scenes::place::Place;
use crate::scenes::scene::{Dice, Scene};
use crate::scenes::{GAMES, near};

fn turned(by: f32, [x, y, z, w]: [f32; 4]) -> [f32; 4] {
    // About y, before what was.
    let (sine, cosine) = ((by / 2.0).sin(), (by / 2.0).cos());
    [
        cosine * x + sine * z,
        cosine * y + sine * w,
        cosine * z - sine * x,
        cosine * w - sine * y,
    ]
}

#[test]
fn things_that_are_strewn_about_follow_and_are_no_edits() {
    let files = relicast_samples::files(Game::Cs, 1).unwrap();
    let place = Place::new(&files);
    let path = place.out("worlds/zbd/c1/gamez.gltf");
    let named = |scene: &Scene, name: &str| {
        let mut nodes = scene.nodes().iter();
        nodes.position(|node| node["name"] == name).unwrap()
    };
    // The house moves, and nothing else was edited.
    let mut scene = Scene::open(&path);
    let house = named(&scene, "house");
    let at = scene.vector(house, "translation", [0.0; 3]);
    scene.set(house, "translation", [at[0], at[1] + 0.5, at[2]]);
    scene.save();
    assert_eq!(place.pack().files.len(), 1);
    // Trees that are no nodes of the game cannot be packed, all together or one alone, and that is reported.
    let refuses = |what: &str| {
        fs::remove_dir_all(place.path("mod")).ok();
        let refused = place.refused();
        assert_eq!(refused.len(), 1, "{what}: {refused:?}");
        let reason = &refused[0].1;
        assert!(
            reason.contains("node clutter_wood_tree") && reason.contains("templates.zrd"),
            "{what}: {reason}"
        );
    };
    let trees = scene
        .nodes()
        .iter()
        .position(|node| {
            let name = node["name"].as_str().unwrap();
            name.starts_with("clutter_wood_tree") && !node["mesh"].is_null()
        })
        .unwrap();
    let instances = &scene.nodes()[trees]["extensions"]["EXT_mesh_gpu_instancing"];
    let accessor = instances["attributes"]["TRANSLATION"].as_u64().unwrap() as usize;
    scene.set(trees, "translation", [1.0, 2.0, 3.0]);
    scene.save();
    refuses("all together");
    scene.set(trees, "translation", [0.0; 3]);
    scene.save();
    let document: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let view = document["accessors"][accessor]["bufferView"]
        .as_u64()
        .unwrap() as usize;
    let start = document["bufferViews"][view]["byteOffset"]
        .as_u64()
        .unwrap_or(0)
        + document["accessors"][accessor]["byteOffset"]
            .as_u64()
            .unwrap_or(0);
    let bin = path.with_extension("bin");
    let mut bytes = fs::read(&bin).unwrap();
    bytes[start as usize..start as usize + 4].copy_from_slice(&77.5_f32.to_le_bytes());
    fs::write(&bin, bytes).unwrap();
    refuses("one alone");
    // Neither is their mesh, which is that of another file.
    let place = Place::new(&files);
    let mut scene = Scene::open(&place.out("worlds/zbd/c1/gamez.gltf"));
    let mesh = scene.nodes()[trees]["mesh"].as_u64().unwrap() as usize;
    assert!(scene.strewn_meshes().contains(&mesh));
    let positions = scene.attribute(mesh, 0, "POSITION").unwrap();
    let mut rows = scene.floats::<3>(positions);
    rows[0][1] += 0.25;
    scene.put_floats(positions, &rows);
    scene.save();
    let refused = place.refused();
    let reason = &refused[0].1;
    let name = scene.json["meshes"][mesh]["name"].as_str().unwrap();
    assert!(
        refused.len() == 1 && reason.contains(&format!("mesh {name}")),
        "{refused:?}"
    );
}

#[test]
fn moved_turned_and_scaled_nodes_are_packed_in_every_game() {
    for game in GAMES {
        for seed in 1..=u32::try_from(rounds(1, 2)).unwrap() {
            let place = Place::new(&relicast_samples::files(game, seed).unwrap());
            let mut dice = Dice(seed.into());
            let mut edited = Vec::new();
            for output in place.scenes() {
                let mut scene = Scene::open(&place.out(&output.path));
                for node in scene.objects() {
                    // Its middle is on the edge of a cell, and the cell that it names is another.
                    let is_ground = scene.nodes()[node]["name"]
                        .as_str()
                        .unwrap()
                        .starts_with("ground");
                    if is_ground {
                        continue;
                    }
                    if dice.roll(3) == 0 {
                        let mut at = scene.vector(node, "translation", [0.0; 3]);
                        at.iter_mut().for_each(|part| *part += dice.part());
                        scene.set(node, "translation", at);
                    }
                    if dice.roll(4) == 0 {
                        let turn = scene.vector(node, "rotation", [0.0, 0.0, 0.0, 1.0]);
                        scene.set(node, "rotation", turned(dice.part(), turn));
                    }
                    // Scale above turned nodes would shear them.
                    if dice.roll(4) == 0 {
                        let scale = scene.vector(node, "scale", [1.0; 3]);
                        let factor = 1.25 + dice.part() / 2.0;
                        scene.set(node, "scale", scale.map(|part| part * factor));
                    }
                }
                scene.save();
                edited.push((output.path, scene));
            }
            let packed = place.pack();
            assert!(!packed.edits.is_empty(), "{game:?}");
            place.convert_packed();
            for (path, scene) in edited {
                let after = Scene::open(&place.path("after").join(&path));
                assert_eq!(scene.nodes().len(), after.nodes().len(), "{path}");
                for node in scene.shown() {
                    let name = &scene.nodes()[node]["name"];
                    for key in ["translation", "scale"] {
                        let default = if key == "scale" { [1.0; 3] } else { [0.0; 3] };
                        let wanted = scene.vector(node, key, default);
                        let found = after.vector(node, key, default);
                        assert!(
                            near(wanted, found, 1e-4),
                            "{game:?} {path} {name}: {key} {wanted:?} {found:?}"
                        );
                    }
                    let identity = [0.0, 0.0, 0.0, 1.0];
                    let wanted = scene.vector(node, "rotation", identity);
                    let found = after.vector(node, "rotation", identity);
                    assert!(
                        near(wanted, found, 2e-4) || near(wanted.map(|part| -part), found, 2e-4),
                        "{game:?} {path} {name}: rotation {wanted:?} {found:?}"
                    );
                }
                assert!(
                    corners::<3>(&scene, "POSITION") == corners::<3>(&after, "POSITION"),
                    "{path}: no vertex changed"
                );
            }
        }
    }
}

/// The bytes of a game file in which a node was moved and moved back, without bounds that were computed
/// again.
#[test]
fn the_inverse_move_gives_the_scene_of_the_install() {
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        let output = place.scenes().into_iter().next().unwrap();
        round_trip(&place, &output.path, |scene| scene.objects().pop().unwrap());
    }
}

/// The original scene also moves back the place of an object that an animation sets.
#[test]
fn the_inverse_move_takes_what_follows_along() {
    let of_animation = |node: &serde_json::Value| {
        let name = &node["extras"]["zipper"]["ofAnimation"];
        name.is_string()
    };
    for game in [Game::Rc, Game::Cs] {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        let mut outputs = place.scenes().into_iter();
        let output = outputs
            .find(|output| {
                let scene = Scene::open(&place.out(&output.path));
                scene.nodes().iter().any(of_animation)
            })
            .unwrap();
        round_trip(&place, &output.path, |scene| {
            let light = scene.nodes().iter().position(of_animation).unwrap();
            let [x, _, z] = scene.vector(light, "translation", [0.0; 3]);
            let below = |node: &usize| {
                let at: [f32; 3] = scene.vector(*node, "translation", [0.0; 3]);
                (at[0], at[2]) == (x, z)
            };
            scene.objects().into_iter().find(below).unwrap()
        });
    }
}

/// Moves a node, packs, converts, replaces the result by the whole original scene, and packs again.
fn round_trip(place: &Place, output: &str, choose: impl Fn(&Scene) -> usize) {
    let original = fs::read(place.out(output)).unwrap();
    let mut scene = Scene::open(&place.out(output));
    let node = choose(&scene);
    let mut at = scene.vector(node, "translation", [0.0; 3]);
    at[1] += 0.5;
    scene.set(node, "translation", at);
    scene.save();
    place.pack();
    place.convert_packed();
    let moved = fs::read(place.path("after").join(output)).unwrap();
    assert_ne!(moved, original);
    fs::write(place.path("after").join(output), &original).unwrap();
    let back = PackRequest::new(
        &place.path("after"),
        &place.path("modded"),
        &place.path("back"),
    );
    let packed = pack(&back).unwrap();
    assert_eq!(packed.refused, []);
    for (path, _) in &packed.files {
        fs::copy(
            place.path("back").join(path),
            place.path("modded").join(path),
        )
        .unwrap();
    }
    place.convert("modded", "restored");
    let restored = fs::read(place.path("restored").join(output)).unwrap();
    assert!(restored == original, "{output}");
}

#[test]
fn renamed_nodes_are_packed() {
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        let output = place.scenes().into_iter().next().unwrap();
        let mut scene = Scene::open(&place.out(&output.path));
        let node = scene.objects().pop().unwrap();
        let index = scene.nodes()[node]["extras"]["zipper"]["index"].clone();
        scene.json["nodes"][node]["name"] = "renamed_thing".into();
        scene.save();
        place.pack();
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(&output.path));
        let facts = |node: &&Value| node["extras"]["zipper"]["index"] == index;
        let found = after.nodes().iter().find(facts).unwrap();
        assert_eq!(
            found["extras"]["zipper"]["name"], "renamed_thing",
            "{game:?}"
        );
    }
}

#[test]
fn flags_and_zones_in_extras_are_packed() {
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        let output = place.scenes().into_iter().next().unwrap();
        let mut scene = Scene::open(&place.out(&output.path));
        let node = scene.objects().pop().unwrap();
        let facts = &mut scene.json["nodes"][node]["extras"]["zipper"];
        facts["zone"] = 3.into();
        let flags = facts["flags"].as_array_mut().unwrap();
        flags.push("landmark".into());
        scene.save();
        place.pack();
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(&output.path));
        let found = &after.nodes()[node]["extras"]["zipper"];
        assert_eq!(found["zone"], 3, "{game:?}");
        assert!(
            found["flags"]
                .as_array()
                .unwrap()
                .contains(&"landmark".into())
        );
    }
}

#[test]
fn what_was_not_edited_packs_nothing() {
    let place = Place::new(&relicast_samples::files(GAMES[0], 1).unwrap());
    let packed = place.pack();
    assert!(packed.edits.is_empty() && packed.files.is_empty());
}

/// Files by others: the moved node is moved, and nothing changes but the boxes above it.
#[test]
fn a_moved_node_of_a_file_of_others_changes_itself_and_bounds_alone() {
    let root = crate::common::fixtures("zipper");
    for game in ["rc", "mw", "pm", "cs"] {
        let place = Place::copy_of(&root.join(game));
        let output = place
            .scenes()
            .into_iter()
            .find(|output| output.path.starts_with("worlds/"))
            .unwrap();
        let mut scene = Scene::open(&place.out(&output.path));
        let node = scene.objects().pop().unwrap();
        let index = scene.nodes()[node]["extras"]["zipper"]["index"].as_u64();
        let mut at = scene.vector(node, "translation", [0.0; 3]);
        at[1] += 0.25;
        scene.set(node, "translation", at);
        scene.save();
        let packed = place.pack();
        let [(path, _)] = &*packed.files else {
            panic!("{packed:?}")
        };
        let read = |folder: &str| {
            let bytes = fs::read(place.path(folder).join(path)).unwrap();
            decode(&bytes).unwrap().value
        };
        let (old, new) = (read("install"), read("mod"));
        assert_eq!(old.header.timestamp, new.header.timestamp);
        assert!(old.textures == new.textures && old.materials == new.materials);
        assert!(old.models == new.models, "{game}: no model changed");
        let mut moved = 0;
        for (number, (old, new)) in old.nodes.used.iter().zip(&new.nodes.used).enumerate() {
            let is_moved = Some(number as u64) == index;
            let is_world = matches!(old.data, NodeData::World(_));
            assert!(
                old.data == new.data || is_moved || is_world,
                "{game}: {}",
                old.name()
            );
            moved += usize::from(old.data != new.data && is_moved);
            assert_eq!(
                (&old.record.name, &old.children),
                (&new.record.name, &new.children)
            );
        }
        assert_eq!(moved, 1, "{game}");
    }
}

/// The raw document of a world contains the places of its nodes, too.
#[test]
fn a_scene_and_the_raw_document_of_its_file_are_packed_together() {
    let files = relicast_samples::files(Game::Mw, 1).unwrap();
    let place = Place::with(&files, |config| config.raw.enabled = true);
    let raw = "worlds/zbd/c1/gamez.raw.json";
    let mut scene = Scene::open(&place.out("worlds/zbd/c1/gamez.gltf"));
    let node = scene.objects().pop().unwrap();
    let name = scene.nodes()[node]["name"].clone();
    let at = scene.vector(node, "translation", [0.0; 3]);
    scene.set(node, "translation", [at[0] + 2.5, at[1], at[2]]);
    scene.save();
    let mut document = crate::common::json(&place.out(raw));
    document["header"]["node_last_free"] = 77.into();
    fs::write(place.out(raw), serde_json::to_vec(&document).unwrap()).unwrap();
    let packed = place.pack();
    let of_raw = packed.edits.iter().find(|edit| edit.output == raw).unwrap();
    let reported = of_raw.rounding.as_deref().unwrap_or_default();
    assert!(reported.contains("other edits of its file"), "{reported}");
    place.convert_packed();
    let after = crate::common::json(&place.path("after").join(raw));
    assert_eq!(after["header"]["node_last_free"], 77);
    let scene = Scene::open(&place.path("after").join("worlds/zbd/c1/gamez.gltf"));
    let mut nodes = scene.nodes().iter();
    let node = nodes.position(|node| node["name"] == name).unwrap();
    let moved = scene.vector(node, "translation", [0.0; 3]);
    assert!(near(moved, [at[0] + 2.5, at[1], at[2]], 1e-4));
}

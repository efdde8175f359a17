//! Nodes that are made active or not, which moves them to another scene.

use std::fs;

use relicast::asset::Game;
use relicast::formats::zipper::interp;
use relicast_samples::SampleFile;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::common::files;
use crate::scenes::GAMES;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

fn is_active(node: &Value) -> bool {
    let flags = node["extras"]["zipper"]["flags"].as_array();
    flags.is_some_and(|flags| flags.iter().any(|flag| flag == "active"))
}

#[test]
fn what_is_active_is_packed_and_returns_to_the_same_bytes() {
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        let output = place
            .scenes()
            .into_iter()
            .find(|output| output.path.starts_with("worlds/"))
            .unwrap();
        let mut scene = Scene::open(&place.out(&output.path));
        let node = scene.objects().into_iter().find(|&node| {
            let node = &scene.nodes()[node];
            is_active(node) && node["mesh"].is_u64() && node["children"].is_null()
        });
        let node = node.unwrap();
        let index = scene.nodes()[node]["extras"]["zipper"]["index"].clone();
        let flags = &mut scene.json["nodes"][node]["extras"]["zipper"]["flags"];
        let old = flags.clone();
        flags
            .as_array_mut()
            .unwrap()
            .retain(|flag| flag != "active");
        scene.save();
        let packed = place.pack();
        assert_eq!(packed.files.len(), 1, "{game:?}");
        assert!(
            packed.edits[0]
                .rounding
                .as_ref()
                .unwrap()
                .contains("another scene")
        );
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(&output.path));
        let find = |scene: &Scene| {
            let mut nodes = scene.nodes().iter();
            nodes.position(|node| node["extras"]["zipper"]["index"] == index)
        };
        let found = &after.nodes()[find(&after).unwrap()];
        assert!(
            !is_active(found) && found["mesh"].is_null(),
            "{game:?} {found}"
        );
        assert_eq!(found["extras"]["zipper"]["hidden"], true);
        let back = Place::copy_of(&place.path("modded"));
        let mut scene = Scene::open(&back.out(&output.path));
        let node = find(&scene).unwrap();
        scene.json["nodes"][node]["extras"]["zipper"]["flags"] = old;
        scene.save();
        back.pack();
        for path in files(&back.path("mod"))
            .iter()
            .filter(|path| path.ends_with(".zbd"))
        {
            let (one, other) = (
                back.path("mod").join(path),
                place.path("install").join(path),
            );
            assert_eq!(fs::read(one).unwrap(), fs::read(other).unwrap(), "{game:?}");
        }
    }
}

#[test]
fn what_is_below_is_not_edited_with_it() {
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        for output in place.scenes() {
            let mut scene = Scene::open(&place.out(&output.path));
            let objects = scene.objects();
            let pair = objects.iter().find_map(|&node| {
                let children = scene.nodes()[node]["children"].as_array()?;
                let child = children[0].as_u64()? as usize;
                (is_active(&scene.nodes()[node]) && objects.contains(&child))
                    .then_some((node, child))
            });
            let Some((node, child)) = pair else { continue };
            scene.json["nodes"][node]["extras"]["zipper"]["flags"] = json!([]);
            scene.set(child, "translation", [1.0, 2.0, 3.0]);
            scene.save();
            let refused = place.refused();
            assert!(
                refused[0].1.contains("its children"),
                "{game:?} {refused:?}"
            );
            return;
        }
    }
    panic!("no sample has such nodes");
}

/// The sample of Crimson Skies without the commands that change the opacity of a node in a mission.
fn without_opacity() -> Vec<SampleFile> {
    let mut files = relicast_samples::files(Game::Cs, 1).unwrap();
    for file in &mut files {
        if !file.path.to_lowercase().ends_with("interp.zbd") {
            continue;
        }
        let mut scripts = interp::decode(&file.bytes).unwrap().value;
        for script in &mut scripts.scripts {
            let is_kept = |line: &interp::Line<'_>| {
                let text = line.text.to_vec();
                let has = |word: &[u8]| text.windows(word.len()).any(|part| part == word);
                !has(b"house_glass") && !has(b"Object3DSetOpacity")
            };
            script.lines.retain(is_kept);
        }
        let bytes = interp::encode(&scripts).unwrap();
        file.bytes = bytes;
    }
    files
}

#[test]
fn zone_hides_a_mesh_in_missions_that_do_not_change_its_node() {
    let place = Place::new(&without_opacity());
    let path = world_of(&place);
    let mut scene = Scene::open(&place.out(&path));
    let node = find(&scene, "house_glass");
    scene.json["nodes"][node]["extras"]["zipper"]["zone"] = 3.into();
    scene.save();
    let packed = place.pack();
    assert_eq!(packed.files.len(), 1);
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(&path));
    let found = &after.nodes()[find(&after, "house_glass")];
    assert_eq!(found["extras"]["zipper"]["hiddenBy"], "zone");
    assert!(found["mesh"].is_null(), "{found}");
}

/// The node that its zone hides in the sample of Crimson Skies, with a zone that is shown or not.
fn gated(zone: i64) -> Place {
    let place = Place::new(&relicast_samples::files(Game::Cs, 1).unwrap());
    let output = world_of(&place);
    let mut scene = Scene::open(&place.out(&output));
    let node = find(&scene, "house_glass");
    scene.json["nodes"][node]["extras"]["zipper"]["zone"] = zone.into();
    scene.save();
    place.pack();
    place.convert_packed();
    place.again("modded")
}

fn world_of(place: &Place) -> String {
    let scenes = place.scenes().into_iter();
    let mut worlds = scenes.filter(|output| output.path.starts_with("worlds/"));
    worlds.next().unwrap().path
}

fn find(scene: &Scene, name: &str) -> usize {
    let mut nodes = scene.nodes().iter();
    let found = nodes.position(|node| node["extras"]["zipper"]["name"] == name);
    found.unwrap()
}

#[test]
fn mesh_added_to_a_node_that_its_zone_hides_is_refused() {
    let place = gated(3);
    let path = world_of(&place);
    let mut scene = Scene::open(&place.out(&path));
    let node = find(&scene, "house_glass");
    let any = scene.nodes().iter().find(|node| node["mesh"].is_u64());
    let mesh = any.unwrap()["mesh"].clone();
    let before = &mut scene.json["nodes"][node];
    assert_eq!(before["extras"]["zipper"]["hiddenBy"], "zone");
    assert!(before["mesh"].is_null());
    before["mesh"] = mesh;
    let facts = before["extras"]["zipper"].as_object_mut().unwrap();
    facts.remove("hiddenBy");
    scene.save();
    let refused = place.refused();
    assert!(refused[0].1.contains("it had no mesh"), "{refused:?}");
    // In a zone that is shown, the game file defines the mesh, and this is another one.
    scene.json["nodes"][node]["extras"]["zipper"]["zone"] = 1.into();
    scene.save();
    let refused = place.refused();
    assert!(refused[0].1.contains("house_glass"), "{refused:?}");
}

#[test]
fn zone_that_hides_a_mesh_is_not_edited_with_it() {
    let place = Place::new(&relicast_samples::files(Game::Cs, 1).unwrap());
    let path = world_of(&place);
    let mut scene = Scene::open(&place.out(&path));
    let node = find(&scene, "house_glass");
    scene.json["nodes"][node]["extras"]["zipper"]["zone"] = 3.into();
    let mesh = scene.nodes()[node]["mesh"].as_u64().unwrap() as usize;
    let positions = scene.attribute(mesh, 0, "POSITION").unwrap();
    let mut rows = scene.floats::<3>(positions);
    rows[0][0] += 0.5;
    scene.put_floats(positions, &rows);
    scene.save();
    let refused = place.refused();
    assert!(refused[0].1.contains("edit one, pack"), "{refused:?}");
}

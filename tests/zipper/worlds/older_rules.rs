//! Rules of the engines of the older games, each by values worked out by hand on the sample installs.

use std::fs;
use std::path::Path;

use relicast::asset::Game;
use relicast::formats::codec::PaddedText;
use relicast::formats::zipper::anim::event::object::ObjectTranslateState;
use relicast::formats::zipper::anim::{
    self, Activation, Bool32, Definition, Event, EventBody, NodeRef, Sequence, ShortNodeIndex,
};
use relicast::formats::zipper::gamez::{self, GameZ, NodeData, NodeName, Object3dFlags};
use relicast_testing::test;
use serde_json::{Value, json};

use super::common::{self, convert, json as read_json};

fn with_world(path: &Path, change: impl FnOnce(&mut GameZ)) {
    let mut world = gamez::decode(&fs::read(path).unwrap()).unwrap().value;
    change(&mut world);
    fs::write(path, gamez::encode(&world).unwrap()).unwrap();
}

#[test]
fn an_object_called_horizon_is_the_sky_of_recoil_and_likely_so_in_mechwarrior() {
    for (game, folder, world, facts) in [
        (Game::Rc, "rc", "zbd/m1", json!({"sky": "xyz"})),
        (
            Game::Mw,
            "mw",
            "zbd/c1",
            json!({"likelySky": {"axes": "xyz", "certain": false}}),
        ),
    ] {
        let samples = common::sample_installs(&[game]);
        let input = samples.path().join(folder);
        // No script binds it.
        fs::remove_file(input.join("zbd/interp.zbd")).unwrap();
        with_world(&input.join(world).join("gamez.zbd"), |world| {
            let mut nodes = world.nodes.used.iter_mut();
            let sky = nodes.find(|node| node.name() == "sky").unwrap();
            sky.record.name = NodeName::new("horizon").unwrap();
        });
        let out = samples.path().join("out");
        convert(&input, &out, &["-q"]).assert().success();
        let document = read_json(&out.join("worlds").join(world).join("gamez.gltf"));
        let mut nodes = document["nodes"].as_array().unwrap().iter();
        let node = nodes.find(|node| node["name"] == "horizon").unwrap();
        let own = &node["extras"]["zipper"];
        for key in ["sky", "likelySky"] {
            assert_eq!(own[key], facts[key], "{folder}: {own}");
        }
    }
}

#[test]
fn actors_of_the_older_games_are_hidden_until_an_animation_places_them() {
    let samples = common::sample_installs(&[Game::Rc]);
    let input = samples.path().join("rc");
    let path = input.join("zbd/m1/gamez.zbd");
    // Two things are at the origin; an animation gives one of them a place.
    with_world(&path, |world| {
        for node in &mut world.nodes.used {
            if ["house", "pole"].contains(&&*node.name()) {
                let NodeData::Object3d(object) = &mut node.data else {
                    panic!("both are objects");
                };
                object.flags |= Object3dFlags::TRANSFORM_INITIAL;
            }
        }
    });
    let path = input.join("zbd/m1/anim.zbd");
    let mut file = anim::decode(&fs::read(&path).unwrap()).unwrap().value;
    let mut definition = Definition::default();
    definition.head.anim_name = PaddedText::new("house_comes").unwrap();
    definition.head.name = PaddedText::new("house").unwrap();
    definition.head.anim_root_name = PaddedText::new("house").unwrap();
    definition.head.activation = Activation::OnCall;
    definition.head.two = 2;
    definition.reset_state = Some(Sequence::default());
    definition.tables.nodes = vec![
        NodeRef::default(),
        NodeRef {
            name: anim::NodeName::new("house").unwrap(),
            ..NodeRef::default()
        },
    ];
    let moved = |relative: u32, x: f32| {
        Event::new(EventBody::ObjectTranslateState(ObjectTranslateState {
            relative: Bool32(relative),
            translate: [x, 0.0, 60.0].into(),
            node: ShortNodeIndex(1),
            ..ObjectTranslateState::default()
        }))
    };
    // The first is an offset, which is no place.
    definition.sequences = vec![Sequence {
        events: vec![moved(1, 5.0), moved(0, 50.0)],
        ..Sequence::default()
    }];
    file.definitions.push(definition);
    fs::write(&path, anim::encode(&file).unwrap()).unwrap();
    for (setting, is_hidden) in [("auto", true), ("never", false)] {
        let settings = samples.path().join("settings.toml");
        let text = format!("[worlds]\nhide_unplaced = \"{setting}\"\n");
        fs::write(&settings, text).unwrap();
        let out = samples.path().join(setting);
        let mut command = convert(&input, &out, &["-q"]);
        command.arg("--config").arg(&settings).assert().success();
        let drawn = |file: &str, name: &str| {
            let document = read_json(&out.join("worlds/zbd/m1").join(file));
            let scene = &document["scenes"][0]["nodes"];
            let mut open: Vec<u64> = scene
                .as_array()
                .unwrap()
                .iter()
                .filter_map(Value::as_u64)
                .collect();
            while let Some(index) = open.pop() {
                let node = &document["nodes"][index as usize];
                if node["name"] == name {
                    return Some(node.clone());
                }
                let below = node["children"].as_array().into_iter().flatten();
                open.extend(below.filter_map(Value::as_u64));
            }
            None
        };
        assert_eq!(
            drawn("gamez.gltf", "house_walls").is_none(),
            is_hidden,
            "{setting}"
        );
        assert!(drawn("gamez.gltf", "pole").is_some(), "{setting}");
        if is_hidden {
            let house = drawn("gamez.hidden.gltf", "house").unwrap();
            let place = &house["extras"]["zipper"]["placedByAnimation"];
            let expected = json!({"animation": "house_comes", "place": [50.0, 0.0, 60.0]});
            assert_eq!(place, &expected);
        }
    }
}

#[test]
fn limbs_are_where_they_are_stored_or_where_the_motion_has_them() {
    for (setting, is_kept) in [("stored", true), ("motion", false)] {
        let samples = common::sample_installs(&[Game::Mw]);
        let settings = samples.path().join("settings.toml");
        let text = format!("[models]\nlimb_translations = \"{setting}\"\n");
        fs::write(&settings, text).unwrap();
        let out = samples.path().join("out");
        let mut command = convert(&samples.path().join("mw"), &out, &["-q"]);
        command.arg("--config").arg(&settings).assert().success();
        let folder = out.join("models/zbd/mechlib");
        let mut clips = 0;
        for file in common::files(&folder) {
            if !file.ends_with(".gltf") {
                continue;
            }
            let document = read_json(&folder.join(&file));
            let limb = document["nodes"]
                .as_array()
                .unwrap()
                .iter()
                .position(|node| node["name"] == "larm");
            let Some(limb) = limb else { continue };
            for clip in document["animations"].as_array().into_iter().flatten() {
                let is_moved = |channel: &&Value| {
                    let target = &channel["target"];
                    target["node"].as_u64() == Some(limb as u64) && target["path"] == "translation"
                };
                let channels = clip["channels"].as_array().unwrap();
                let kept = &clip["extras"]["zipper"]["keptTranslations"];
                let names_limb = kept
                    .as_array()
                    .is_some_and(|names| names.iter().any(|name| name == "larm"));
                assert_eq!(channels.iter().find(is_moved).is_none(), is_kept, "{file}");
                // A clip that does not move the arm names it neither way.
                assert!(is_kept || !names_limb, "{file}");
                clips += usize::from(names_limb || !is_kept);
            }
        }
        assert!(clips > 0);
    }
}

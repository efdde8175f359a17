//! Edits that cannot be packed are refused by name.

use std::fs;
use std::path::Path;

use relicast::asset::Game;
use relicast_testing::test;
use serde_json::json;

use crate::scenes::GAMES;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

fn refused(edit: impl Fn(&mut Scene)) -> String {
    let place = Place::new(&relicast_samples::files(GAMES[1], 1).unwrap());
    let output = place.scenes().into_iter().next().unwrap();
    let mut scene = Scene::open(&place.out(&output.path));
    edit(&mut scene);
    scene.save();
    let refused = place.refused();
    assert!(!refused.is_empty());
    refused[0].1.clone()
}

#[test]
fn roots_of_models_are_not_added_or_taken_out() {
    let reason = refused(|scene| {
        scene.json["nodes"]
            .as_array_mut()
            .unwrap()
            .push(json!({"name": "intruder"}));
        let number = scene.nodes().len() - 1;
        scene.json["scenes"][0]["nodes"]
            .as_array_mut()
            .unwrap()
            .push(number.into());
    });
    assert!(reason.contains("node intruder"), "{reason}");
    let reason = refused(|scene| {
        scene.json["scenes"][0]["nodes"]
            .as_array_mut()
            .unwrap()
            .pop();
    });
    assert!(reason.contains("removed or has another parent"), "{reason}");
}

#[test]
fn facts_that_are_not_packed_are_reported() {
    let reason = refused(|scene| {
        let node = scene.objects().pop().unwrap();
        scene.json["nodes"][node]["extras"]["zipper"]["class"] = "camera".into();
    });
    assert!(reason.contains("extras.zipper.class"), "{reason}");
    let reason = refused(|scene| {
        let node = scene.objects().pop().unwrap();
        scene.json["nodes"][node]["extras"]["zipper"]["flags"] = json!(["shiny"]);
    });
    assert!(reason.contains("shiny"), "{reason}");
}

#[test]
fn names_that_do_not_fit_are_reported() {
    let reason = refused(|scene| {
        let node = scene.objects().pop().unwrap();
        scene.json["nodes"][node]["name"] = "x".repeat(36).into();
    });
    assert!(reason.contains("1 to 35 ASCII"), "{reason}");
}

#[test]
fn broken_files_are_faults_and_never_panics() {
    for edit in [
        |scene: &mut Scene| scene.bin.truncate(8),
        |scene: &mut Scene| scene.json["accessors"][0]["count"] = u64::MAX.into(),
        |scene: &mut Scene| scene.json["accessors"][0]["bufferView"] = 999_999.into(),
        |scene: &mut Scene| scene.json["bufferViews"][0]["byteOffset"] = u64::MAX.into(),
        |scene: &mut Scene| scene.json["scenes"][0]["nodes"] = json!([4_000_000]),
        |scene: &mut Scene| scene.json["nodes"][0]["children"] = json!([0]),
        |scene: &mut Scene| {
            scene.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"])
        },
        |scene: &mut Scene| scene.json["nodes"] = "none".into(),
    ] {
        let reason = refused(edit);
        assert!(!reason.is_empty());
    }
}

#[test]
fn buffers_outside_the_folder_are_not_read() {
    let place = Place::new(&relicast_samples::files(GAMES[1], 1).unwrap());
    let output = place.scenes().into_iter().next().unwrap();
    let mut scene = Scene::open(&place.out(&output.path));
    scene.json["buffers"][0]["uri"] = "../../../../../etc/passwd".into();
    std::fs::write(place.out(&output.path), scene.json.to_string()).unwrap();
    let refused = place.refused();
    assert!(refused[0].1.contains("same folder"), "{refused:?}");
}

#[test]
fn what_else_a_scene_says_is_not_lost_unseen() {
    let reason = refused(|scene| {
        scene.json["materials"][0]["doubleSided"] = json!(true);
        scene.json["materials"][0]["name"] = json!("gold");
    });
    assert!(reason.contains("materials[0]"), "{reason}");
    let reason = refused(|scene| scene.json["extensions"]["EXT_new"] = json!(1));
    assert!(reason.contains("extensions was changed"), "{reason}");
    let reason = refused(|scene| scene.json["cameras"] = json!([{"type": "perspective"}]));
    assert!(reason.contains("cameras["), "{reason}");
}

#[test]
fn the_table_of_a_library_is_packed_with_its_models() {
    let place = Place::new(&relicast_samples::files(Game::Mw, 1).unwrap());
    let table = "models/zbd/mechlib.json";
    let mut document = crate::common::json(&place.out(table));
    document["entries"][0]["info"]["Valid"]["comment"] = "by hand".into();
    fs::write(place.out(table), serde_json::to_vec(&document).unwrap()).unwrap();
    place.pack();
    fs::remove_dir_all(place.path("mod")).unwrap();
    let mut scenes = place.scenes().into_iter();
    let model = scenes
        .find(|output| output.source.ends_with("mechlib.zbd"))
        .unwrap();
    let mut scene = Scene::open(&place.out(&model.path));
    let node = scene.objects()[0];
    scene.set(node, "translation", [1.5, 0.25, 2.0]);
    scene.save();
    assert_eq!(place.pack().files.len(), 1);
    place.convert_packed();
    let after = crate::common::json(&place.path("after").join(table));
    assert_eq!(after["entries"][0], document["entries"][0]);
}

/// Facts of scenes after the first one follow from the first: an edit of them is refused and not lost.
#[test]
fn facts_of_scenes_after_the_first_are_not_lost_unseen() {
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        // A node that is shown, and the same in another scene.
        let twins = |path: &Path| {
            let scene = Scene::open(path);
            let index = |node: usize| scene.nodes()[node]["extras"]["zipper"]["index"].as_u64();
            let shown = scene.shown();
            scene.objects().into_iter().find_map(|first| {
                let is_twin =
                    |other: &usize| !shown.contains(other) && index(*other) == index(first);
                Some((first, (0..scene.nodes().len()).find(is_twin)?))
            })
        };
        let found = place.scenes().into_iter().find_map(|output| {
            let path = place.out(&output.path);
            twins(&path).map(|(first, twin)| (path, first, twin))
        });
        let (path, first, twin) = found.unwrap();
        let zoned = |node: usize| {
            let mut scene = Scene::open(&path);
            scene.json["nodes"][node]["extras"]["zipper"]["zone"] = 3.into();
            scene
        };
        let of_first = zoned(first);
        zoned(twin).save();
        let refused = place.refused();
        assert_eq!(refused.len(), 1, "{game:?}");
        assert!(refused[0].1.contains("secondary scene"), "{refused:?}");
        of_first.save();
        assert_eq!(place.pack().files.len(), 1, "{game:?}");
    }
}

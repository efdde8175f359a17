//! Placements of EverQuest.

use std::collections::BTreeSet;

use relicast::asset::Game;
use relicast_testing::rounds;
use relicast_testing::test;

use crate::scenes::near;
use crate::scenes::place::Place;
use crate::scenes::scene::{Dice, Scene};

/// Scenes with placements from their own archive, and the nodes of these.
fn placed(place: &Place) -> Vec<(String, Scene, Vec<usize>)> {
    let outputs = place.manifest().outputs.into_iter();
    let scenes = outputs.filter(|output| {
        output.path.starts_with("worlds/")
            && output.path.ends_with(".gltf")
            && !output.path.ends_with(".hidden.gltf")
    });
    let scenes = scenes.map(|output| {
        let scene = Scene::open(&place.out(&output.path));
        let is_placed = |&node: &usize| {
            let facts = &scene.nodes()[node]["extras"]["everquest"];
            facts["file"] == "objects.wld" && facts["index"].is_u64()
        };
        let nodes = scene.shown().into_iter().filter(is_placed).collect();
        (output.path, scene, nodes)
    });
    scenes
        .filter(|(_, _, nodes): &(_, _, Vec<usize>)| !nodes.is_empty())
        .collect()
}

#[test]
fn placements_moved_turned_and_scaled_are_packed() {
    for seed in 1..=u32::try_from(rounds(1, 2)).unwrap() {
        let place = Place::new(&relicast_samples::files(Game::Eq, seed).unwrap());
        let mut dice = Dice(seed.into());
        let mut edited = Vec::new();
        for (path, mut scene, nodes) in placed(&place) {
            for node in nodes {
                let mut at = scene.vector(node, "translation", [0.0; 3]);
                at.iter_mut().for_each(|part| *part += dice.part());
                scene.set(node, "translation", at);
                // Turned about the upright axis, after what was.
                let [x, y, z, w] = scene.vector(node, "rotation", [0.0, 0.0, 0.0, 1.0]);
                let (sine, cosine) = dice.part().sin_cos();
                let turned = [
                    cosine * x + sine * z,
                    cosine * y + sine * w,
                    cosine * z - sine * x,
                    cosine * w - sine * y,
                ];
                scene.set(node, "rotation", turned);
                let scale = scene.vector(node, "scale", [1.0; 3]);
                scene.set(node, "scale", scale.map(|part| part * 1.5));
            }
            scene.save();
            edited.push((path, scene));
        }
        assert!(!edited.is_empty());
        place.pack();
        place.convert_packed();
        for (path, scene) in edited {
            let after = Scene::open(&place.path("after").join(&path));
            assert_eq!(scene.nodes().len(), after.nodes().len(), "{path}");
            for node in scene.shown() {
                let name = &scene.nodes()[node]["name"];
                for (key, default) in [("translation", [0.0; 3]), ("scale", [1.0; 3])] {
                    let (wanted, found) = (
                        scene.vector(node, key, default),
                        after.vector(node, key, default),
                    );
                    assert!(
                        near(wanted, found, 1e-4),
                        "{path} {name}: {wanted:?} {found:?}"
                    );
                }
                let identity = [0.0, 0.0, 0.0, 1.0];
                let wanted = scene.vector(node, "rotation", identity);
                let found = after.vector(node, "rotation", identity);
                assert!(
                    near(wanted, found, 2e-4) || near(wanted.map(|part| -part), found, 2e-4),
                    "{path} {name}: {wanted:?} {found:?}"
                );
            }
        }
    }
}

/// Takes a node out of the tree.
fn delete(scene: &mut Scene, node: usize) {
    for other in scene.json["nodes"].as_array_mut().unwrap() {
        if let Some(children) = other.get_mut("children").and_then(|it| it.as_array_mut()) {
            children.retain(|child| child.as_u64() != Some(node as u64));
        }
    }
}

#[test]
fn the_last_placement_of_a_model_is_deleted_with_its_materials() {
    let place = Place::new(&relicast_samples::files(Game::Eq, 1).unwrap());
    let zones = placed(&place);
    assert!(!zones.is_empty());
    for (path, scene, nodes) in zones {
        let name = |node: usize| scene.nodes()[node]["name"].as_str().unwrap().to_owned();
        let model = |node: usize| name(node).split('.').next().unwrap().to_owned();
        let models: BTreeSet<String> = nodes.iter().map(|&node| model(node)).collect();
        for gone in models {
            let (deleted, kept): (Vec<usize>, Vec<usize>) =
                nodes.iter().partition(|&&node| model(node) == gone);
            let mut edited = Scene::open(&place.out(&path));
            for &node in &deleted {
                delete(&mut edited, node);
            }
            edited.save();
            place.pack();
            place.convert_packed();
            let after = Scene::open(&place.path("after").join(&path));
            let left = after.nodes().iter();
            let left = left.filter(|node| node["extras"]["everquest"]["file"] == "objects.wld");
            assert_eq!(left.count(), kept.len(), "{path}: {gone}");
            scene.save();
        }
    }
}

#[test]
fn leaning_and_flat_placements_are_refused_by_name() {
    let edits: [fn(&mut Scene, usize); 2] = [
        // A model with bones gets none of its own.
        |scene, node| scene.set(node, "rotation", [0.3, 0.4, 0.5, 0.707_106_77]),
        |scene, node| scene.set(node, "scale", [1.0, 0.0, 1.0]),
    ];
    for ((edit, has_mesh), reason) in edits
        .into_iter()
        .zip([false, true])
        .zip(["do not roll", "equally"])
    {
        let place = Place::new(&relicast_samples::files(Game::Eq, 1).unwrap());
        let (_, mut scene, nodes) = placed(&place).remove(0);
        let mut nodes = nodes.into_iter();
        let node = nodes.find(|&node| scene.nodes()[node]["mesh"].is_u64() == has_mesh);
        edit(&mut scene, node.unwrap());
        scene.save();
        let refused = place.refused();
        assert!(refused[0].1.contains(reason), "{refused:?}");
    }
}

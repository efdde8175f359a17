//! Bones of creatures of EverQuest that an edit moves at rest.

use glam::{DMat4, DQuat, DVec3};
use relicast_testing::test;
use serde_json::Value;

use crate::scenes::everquest_eqg;
use crate::scenes::everquest_meshes::{packed_and_original, sample};
use crate::scenes::everquest_rest;
use crate::scenes::near;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

/// A creature: its sample, its scene, and a bone without children.
type Creature = (fn() -> Place, &'static str, &'static str);

const CREATURES: [Creature; 2] = [
    (sample, "models/dell_chr/frg.gltf", "FRGPE_DAG"),
    (everquest_eqg::sample, "models/mill/ox.gltf", "HEAD"),
];

fn local(scene: &Scene, node: usize) -> DMat4 {
    let rotation = scene.vector(node, "rotation", [0.0, 0.0, 0.0, 1.0]);
    DMat4::from_scale_rotation_translation(
        DVec3::from_array(scene.vector(node, "scale", [1.0; 3]).map(f64::from)),
        DQuat::from_array(rotation.map(f64::from)).normalize(),
        DVec3::from_array(scene.vector(node, "translation", [0.0; 3]).map(f64::from)),
    )
}

fn global(scene: &Scene, node: usize) -> DMat4 {
    let parent = scene.nodes().iter().position(|other| {
        let children = other["children"].as_array();
        children.is_some_and(|children| children.iter().any(|child| *child == node))
    });
    let above = parent.map_or(DMat4::IDENTITY, |parent| global(scene, parent));
    above * local(scene, node)
}

fn bone(scene: &Scene, name: &str) -> usize {
    let mut nodes = scene.nodes().iter();
    nodes.position(|node| node["name"] == name).unwrap()
}

/// Makes the matrices of all skins fit the bones, so that vertices stay where they are, as in edit mode of Blender.
fn bind(scene: &mut Scene) {
    let skins = scene.json["skins"].as_array().cloned().unwrap();
    for (number, skin) in skins.iter().enumerate() {
        let joints = skin["joints"].as_array().unwrap().iter();
        let rows: Vec<[f32; 16]> = joints
            .map(|joint| {
                let place = global(scene, joint.as_u64().unwrap() as usize);
                place.inverse().to_cols_array().map(|part| part as f32)
            })
            .collect();
        let accessor = scene.add_floats(&rows);
        scene.json["skins"][number]["inverseBindMatrices"] = accessor.into();
    }
}

/// Turns and moves a bone at rest; those below it stay where they are.
fn turn(scene: &mut Scene, name: &str) -> usize {
    let node = bone(scene, name);
    let children = scene.nodes()[node]["children"].as_array().cloned();
    let children: Vec<usize> = (children.into_iter().flatten())
        .map(|child| child.as_u64().unwrap() as usize)
        .collect();
    let places: Vec<DMat4> = children.iter().map(|&child| global(scene, child)).collect();
    let by = DMat4::from_rotation_translation(
        DQuat::from_rotation_x(0.35),
        DVec3::new(0.25, -0.125, 0.5),
    );
    put(scene, node, local(scene, node) * by);
    for (child, place) in children.into_iter().zip(places) {
        let above = global(scene, node);
        put(scene, child, above.inverse() * place);
    }
    node
}

fn put(scene: &mut Scene, node: usize, matrix: DMat4) {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    scene.set(node, "translation", translation.as_vec3().to_array());
    scene.set(node, "rotation", rotation.as_quat().to_array());
    scene.set(node, "scale", scale.as_vec3().to_array());
}

fn positions(scene: &Scene) -> Vec<[f32; 3]> {
    let mut all = Vec::new();
    for node in scene.nodes().iter().filter(|node| !node["skin"].is_null()) {
        let mesh = node["mesh"].as_u64().unwrap() as usize;
        let parts = scene.json["meshes"][mesh]["primitives"].as_array().unwrap();
        for part in 0..parts.len() {
            let accessor = scene.attribute(mesh, part, "POSITION").unwrap();
            all.extend(scene.floats::<3>(accessor));
        }
    }
    all
}

#[test]
fn a_bone_is_turned_and_moved_at_rest_and_the_model_stays_as_it_was() {
    for (sample, path, name) in CREATURES {
        let place = sample();
        let mut scene = Scene::open(&place.out(path));
        let node = turn(&mut scene, name);
        bind(&mut scene);
        scene.save();
        let after = everquest_rest::after(&place, path);
        for node in std::iter::once(node).chain(0..scene.nodes().len()) {
            let [wanted, found] = [&scene, &after].map(|scene| global(scene, node));
            assert!(wanted.abs_diff_eq(found, 0.005), "{path} {wanted} {found}");
        }
        let (wanted, found) = (positions(&scene), positions(&after));
        assert!(!wanted.is_empty() && wanted.len() == found.len());
        for (wanted, found) in wanted.into_iter().zip(found) {
            assert!(near(wanted, found, 0.05), "{path} {wanted:?} {found:?}");
        }
    }
}

#[test]
fn clips_keep_their_keys_where_the_edit_keeps_them() {
    let (sample, path, name) = CREATURES[0];
    let place = sample();
    let original = Scene::open(&place.out(path));
    let mut scene = Scene::open(&place.out(path));
    turn(&mut scene, name);
    bind(&mut scene);
    scene.save();
    let after = everquest_rest::after(&place, path);
    let values = |scene: &Scene| -> Vec<Vec<[f32; 4]>> {
        let clips = scene.json["animations"].as_array().unwrap();
        let samplers = clips.iter().flat_map(|clip| {
            let channels = clip["channels"].as_array().unwrap().iter();
            let turns = channels.filter(|it| it["target"]["path"] == "rotation");
            turns.map(|it| &clip["samplers"][it["sampler"].as_u64().unwrap() as usize])
        });
        let outputs = samplers.map(|it| it["output"].as_u64().unwrap() as usize);
        outputs.map(|output| scene.floats::<4>(output)).collect()
    };
    let (before, now) = (values(&original), values(&after));
    assert!(!before.is_empty());
    for before in &before {
        let is_kept = |now: &Vec<[f32; 4]>| {
            now.len() == before.len() && now.iter().zip(before).all(|(a, b)| near(*a, *b, 1e-3))
        };
        assert!(now.iter().any(is_kept), "{before:?}");
    }
}

#[test]
fn only_the_model_of_the_bone_changes() {
    let (sample, path, name) = CREATURES[0];
    let place = sample();
    let mut scene = Scene::open(&place.out(path));
    turn(&mut scene, name);
    bind(&mut scene);
    scene.save();
    place.pack();
    let [packed, original] = packed_and_original(&place, "dell_chr.s3d");
    let changed = original
        .keys()
        .filter(|member| packed[*member] != original[*member]);
    assert_eq!(changed.collect::<Vec<_>>(), ["dell_chr.wld"]);
    place.convert_packed();
    let folder = place.path("after").join("models/dell_chr");
    for entry in std::fs::read_dir(place.out("models/dell_chr")).unwrap() {
        let entry = entry.unwrap();
        let own = entry.file_name().to_string_lossy().into_owned();
        if own.ends_with(".bin") && !own.starts_with("frg.") {
            let [before, now] = [entry.path(), folder.join(&own)].map(std::fs::read);
            assert_eq!(before.unwrap(), now.unwrap(), "{own}");
        }
    }
}

#[test]
fn a_bone_that_moves_its_vertices_along_is_refused() {
    for (sample, path, name) in CREATURES {
        let place = sample();
        let mut scene = Scene::open(&place.out(path));
        turn(&mut scene, name);
        scene.save();
        let refused = place.refused();
        assert!(refused[0].1.contains("bones in clips"), "{refused:?}");
        let mut scene = Scene::open(&place.out(path));
        let skin: &mut Value = &mut scene.json["skins"][0];
        let joints = skin["joints"].as_array().unwrap().len();
        let accessor = scene.add_floats(&vec![[0.5_f32; 16]; joints]);
        scene.json["skins"][0]["inverseBindMatrices"] = accessor.into();
        scene.save();
        let refused = place.refused();
        assert!(refused[0].1.contains("a skin was changed"), "{refused:?}");
    }
}

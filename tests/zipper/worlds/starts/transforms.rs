//! Rotations and sizes of nodes that events and scripts set one of: negative sizes, and matrices that were set
//! directly.

use relicast::formats::codec::Vec3;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::event::object::{
    ObjectRotateState, ObjectScaleState, RotationBasis,
};
use relicast::formats::zipper::anim::{Activation, EventBody, NodeIndex, ShortNodeIndex};
use relicast::formats::zipper::gamez::{
    self, Affine, GameZ, NodeData, Object3d, Object3dFlags, Rotation,
};
use relicast_samples::minimal::worlds;
use relicast_testing::test;
use serde_json::Value;

use super::{HOUSE, container, places, readers, scripts, standing, starting};
use crate::worlds::engine::run;

fn house(world: &mut GameZ) -> &mut Object3d {
    let mut nodes = world.nodes.used.iter_mut();
    let node = nodes.find(|node| node.name() == "house").unwrap();
    match &mut node.data {
        NodeData::Object3d(object) => object,
        _ => panic!("the house is no object"),
    }
}

/// Stored angles 0.3, 2.8, -0.2 and size -1, -1, 1, and the matrix that is made of them.
fn mirrored(version: ZipperGame) -> GameZ {
    let mut world = worlds::gamez(version);
    let object = house(&mut world);
    object.flags.remove(Object3dFlags::TRANSFORM_INITIAL);
    object.rotate = Vec3::from([0.3, 2.8, -0.2]);
    object.scale = Vec3::from([-1.0, -1.0, 1.0]);
    object.transform = Affine {
        basis: Rotation(object.rotate).basis(object.scale),
        ..Affine::identity()
    };
    world
}

/// A matrix that was set directly: twice the size, turned by a quarter about the vertical. Angles of 0 and a size of 1
/// are stored beside it.
fn by_matrix() -> GameZ {
    let mut world = worlds::gamez(ZipperGame::Recoil);
    let object = house(&mut world);
    object.flags.remove(Object3dFlags::TRANSFORM_INITIAL);
    object.flags.insert(Object3dFlags::USE_MATRIX);
    object.rotate = Vec3::default();
    object.scale = Vec3::from([1.0; 3]);
    object.transform = Affine {
        basis: [[0.0, 0.0, -2.0], [0.0, 2.0, 0.0], [2.0, 0.0, 0.0]].map(Vec3::from),
        translation: Vec3::from([5.0, 6.0, 7.0]),
    };
    world
}

fn sizes(size: [f32; 3]) -> EventBody {
    EventBody::ObjectScaleState(ObjectScaleState {
        scale: Vec3::from(size),
        node: NodeIndex(i32::from(HOUSE)),
    })
}

fn turns(basis: RotationBasis, angles: [f32; 3]) -> EventBody {
    EventBody::ObjectRotateState(ObjectRotateState {
        basis,
        rotate: Vec3::from(angles),
        node: ShortNodeIndex(HOUSE),
        ..ObjectRotateState::default()
    })
}

/// The house as a mission begins in which events act on it, or a script does.
fn house_after(world: &GameZ, events: Vec<EventBody>, script: &str) -> Value {
    let version = world.version;
    let places = places(version);
    let script = script.replace("%WHERE%", &places.world.replace('/', "\\"));
    let files = [
        (places.world, gamez::encode(world).unwrap()),
        (
            places.container,
            container(
                version,
                vec![starting("first", Activation::OnStartup, events)],
            ),
        ),
        ("zbd/interp.zbd", scripts(&[(places.script, &script)])),
        (places.readers, readers("")),
    ];
    let (run, said) = run(&files, "");
    let document = run.json(places.scene);
    let scenes = document["scenes"].as_array().unwrap().len();
    assert_eq!(scenes, 2, "{version:?}: {said}");
    standing(&document, 1, version, "house").clone()
}

/// The quaternion x, y, z, w of angles: about z first, then x, then y.
fn quaternion([x, y, z]: [f64; 3]) -> [f64; 4] {
    let [(sx, cx), (sy, cy), (sz, cz)] = [x, y, z].map(|angle| (angle / 2.0).sin_cos());
    [
        cy * sx * cz + sy * cx * sz,
        sy * cx * cz - cy * sx * sz,
        cy * cx * sz - sy * sx * cz,
        cy * cx * cz + sy * sx * sz,
    ]
}

fn assert_transform(node: &Value, angles: [f64; 3], size: [f64; 3], what: &str) {
    let list = |name: &str, usual: &[f64]| -> Vec<f64> {
        let values = node[name].as_array();
        values.map_or(usual.to_vec(), |values| {
            values.iter().map(|value| value.as_f64().unwrap()).collect()
        })
    };
    let turned = list("rotation", &[0.0, 0.0, 0.0, 1.0]);
    let dot: f64 = turned
        .iter()
        .zip(quaternion(angles))
        .map(|(a, b)| a * b)
        .sum();
    assert!(dot.abs() > 1.0 - 1e-6, "{what}: turned by {turned:?}");
    let found = list("scale", &[1.0; 3]);
    for (found, size) in found.iter().zip(size) {
        assert!(
            (found - size).abs() < 1e-5,
            "{what}: {found:?} and no {size}"
        );
    }
}

#[test]
fn a_size_leaves_the_stored_turn_and_a_turn_leaves_negative_sizes() {
    let angles = [0.3, 2.8, -0.2];
    for version in [
        ZipperGame::Recoil,
        ZipperGame::MechWarrior3,
        ZipperGame::PiratesMoon,
    ] {
        let world = mirrored(version);
        let what = format!("{version:?}");
        let node = house_after(&world, vec![sizes([2.0, 3.0, 4.0])], "");
        assert_transform(&node, angles, [2.0, 3.0, 4.0], &what);
        let straight = turns(RotationBasis::Absolute, [0.0, 0.5, 0.0]);
        let node = house_after(&world, vec![straight], "");
        assert_transform(&node, [0.0, 0.5, 0.0], [-1.0, -1.0, 1.0], &what);
        // Relative angles are added to the stored ones, not to those of the matrix taken apart.
        let more = turns(RotationBasis::Relative, [0.1, 0.0, 0.0]);
        let node = house_after(&world, vec![more], "");
        assert_transform(&node, [0.4, 2.8, -0.2], [-1.0, -1.0, 1.0], &what);
        let script = "GameZReadZBDFile %WHERE%\nFindNode house\nObject3DScale 2 2 2";
        let node = house_after(&world, vec![], script);
        assert_transform(&node, angles, [2.0; 3], &what);
    }
}

#[test]
fn what_sets_a_turn_or_a_size_leaves_the_matrix_that_was_set_directly() {
    let world = by_matrix();
    let quarter = [0.0, std::f64::consts::FRAC_PI_2, 0.0];
    let place = super::puts(HOUSE, [1.0, 2.0, 3.0]);
    let node = house_after(&world, vec![place], "");
    assert_transform(&node, quarter, [2.0; 3], "a place leaves it");
    let node = house_after(&world, vec![sizes([3.0, 4.0, 5.0])], "");
    assert_transform(&node, [0.0; 3], [3.0, 4.0, 5.0], "a size");
    assert_eq!(node["translation"], serde_json::json!([5.0, 6.0, 7.0]));
    let node = house_after(
        &world,
        vec![turns(RotationBasis::Relative, [0.0, 0.25, 0.0])],
        "",
    );
    assert_transform(&node, [0.0, 0.25, 0.0], [1.0; 3], "a relative turn");
    // The second event finds the node out of matrix mode, and its size stays.
    let both = vec![
        sizes([3.0; 3]),
        turns(RotationBasis::Absolute, [0.5, 0.0, 0.0]),
    ];
    let node = house_after(&world, both, "");
    assert_transform(&node, [0.5, 0.0, 0.0], [3.0; 3], "both");
    let script = "GameZReadZBDFile %WHERE%\nFindNode house\nObject3DRotate 0 45 0";
    let node = house_after(&world, vec![], script);
    let eighth = std::f64::consts::FRAC_PI_4;
    assert_transform(&node, [0.0, eighth, 0.0], [1.0; 3], "a script");
}

#[test]
fn the_display_of_the_highest_slot_gives_the_clear_color_and_takes_the_command() {
    let version = ZipperGame::Recoil;
    let mut world = worlds::gamez(version);
    let nodes = &mut world.nodes.used;
    let display = nodes
        .iter()
        .find(|node| matches!(node.data, NodeData::Display(_)));
    let mut second = display.unwrap().clone();
    if let NodeData::Display(display) = &mut second.data {
        display.clear_color = Vec3::from([0.25, 0.5, 0.75]);
    }
    nodes.push(second);
    let places = places(version);
    let script = format!(
        "GameZReadZBDFile {}\nFindNode display\nDisplaySetClearColor 0.125 0 1",
        places.world.replace('/', "\\")
    );
    let files = [
        (places.world, gamez::encode(&world).unwrap()),
        ("zbd/interp.zbd", scripts(&[(places.script, &script)])),
        (places.readers, readers("")),
    ];
    let (run, said) = run(&files, "");
    let document = run.json(places.scene);
    let clear = |scene: usize| document["scenes"][scene]["extras"]["zipper"]["clearColor"].clone();
    assert_eq!(clear(0), serde_json::json!([0.25, 0.5, 0.75]), "{said}");
    assert_eq!(clear(1), serde_json::json!([0.125, 0.0, 1.0]), "{said}");
}

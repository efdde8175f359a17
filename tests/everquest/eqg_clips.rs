//! Clips, skins and points of models of the EQG format, posed as the fixtures expect.

use std::collections::HashMap;

use glam::{Mat4, Quat, Vec3};
use gltf::animation::util::ReadOutputs;
use relicast_testing::test;

use crate::eqg::{NEAR, at_rest, expected, fixtures, float, stem, vector, worlds};
use crate::output::{Loaded, facts, load};

/// Movement of a node at a time: keys before and after are interpolated as glTF prescribes.
fn moved(
    scene: &Loaded,
    clip: &gltf::Animation<'_>,
    seconds: f32,
) -> HashMap<usize, [Option<[f32; 4]>; 3]> {
    let mut all: HashMap<usize, [Option<[f32; 4]>; 3]> = HashMap::new();
    for channel in clip.channels() {
        let reader = channel.reader(|_| Some(scene.buffer()));
        let times: Vec<f32> = reader.read_inputs().unwrap().collect();
        let after = times.iter().position(|&time| time >= seconds - 1e-6);
        let after = after.unwrap_or(times.len() - 1);
        let before = if times[after] <= seconds + 1e-6 {
            after
        } else {
            after.saturating_sub(1)
        };
        let span = times[after] - times[before];
        let share = if span > 0.0 {
            ((seconds - times[before]) / span).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let straight = |values: Vec<[f32; 3]>| {
            let mixed =
                Vec3::from_array(values[before]).lerp(Vec3::from_array(values[after]), share);
            [mixed.x, mixed.y, mixed.z, 0.0]
        };
        let (place, value) = match reader.read_outputs().unwrap() {
            ReadOutputs::Translations(values) => (0, straight(values.collect())),
            ReadOutputs::Rotations(values) => {
                let values: Vec<[f32; 4]> = values.into_f32().collect();
                let one = Quat::from_array(values[before]);
                (
                    1,
                    one.slerp(Quat::from_array(values[after]), share).to_array(),
                )
            }
            ReadOutputs::Scales(values) => (2, straight(values.collect())),
            ReadOutputs::MorphTargetWeights(_) => panic!("no morph targets"),
        };
        all.entry(channel.target().node().index()).or_default()[place] = Some(value);
    }
    all
}

fn posed(node: &gltf::Node<'_>, moved: &HashMap<usize, [Option<[f32; 4]>; 3]>) -> Mat4 {
    let (translation, rotation, scale) = node.transform().decomposed();
    let [place, turn, size] = moved.get(&node.index()).copied().unwrap_or_default();
    let three = |value: Option<[f32; 4]>, rest: [f32; 3]| {
        value.map_or(Vec3::from_array(rest), |[x, y, z, _]| Vec3::new(x, y, z))
    };
    Mat4::from_scale_rotation_translation(
        three(size, scale),
        turn.map_or(Quat::from_array(rotation), Quat::from_array),
        three(place, translation),
    )
}

/// The vertices of the first skinned mesh, moved by its joints.
fn skinned(scene: &Loaded, worlds: &HashMap<usize, Mat4>) -> Vec<Vec3> {
    let node = scene
        .document
        .nodes()
        .find(|node| node.skin().is_some())
        .unwrap();
    let skin = node.skin().unwrap();
    let reader = skin.reader(|_| Some(scene.buffer()));
    let inverses = reader.read_inverse_bind_matrices().unwrap();
    let joints = skin.joints().zip(inverses);
    let matrices: Vec<Mat4> = joints
        .map(|(joint, inverse)| worlds[&joint.index()] * Mat4::from_cols_array_2d(&inverse))
        .collect();
    let mut all = Vec::new();
    for part in node.mesh().unwrap().primitives() {
        let reader = part.reader(|_| Some(scene.buffer()));
        let joints = reader.read_joints(0).unwrap().into_u16();
        let weights = reader.read_weights(0).unwrap().into_f32();
        let positions = reader.read_positions().unwrap();
        for ((position, joints), weights) in positions.zip(joints).zip(weights) {
            let parts = joints.into_iter().zip(weights);
            let place = parts.map(|(joint, weight)| {
                matrices[usize::from(joint)].transform_point3(Vec3::from_array(position)) * weight
            });
            all.push(place.sum());
        }
    }
    all
}

#[test]
fn clips_pose_joints_and_skins_as_expected() {
    let expected = expected("syn1x");
    fixtures(&["syn1x.eqg"], "", |out| {
        let mut checked = 0;
        for (file, clip) in expected["clips"].as_object().unwrap() {
            let model = stem(clip["model"].as_str().unwrap());
            let scene = load(&out.join(format!("models/syn1x/{model}.gltf")));
            let mut clips = scene.document.animations();
            let found = clips.find(|clip| facts(clip.extras())["file"] == file.as_str());
            let found = found.unwrap_or_else(|| panic!("no clip of {file}"));
            for pose in clip["poses"].as_array().unwrap() {
                let seconds = float(&pose["ms"]) / 1000.0;
                let moved = moved(&scene, &found, seconds);
                let worlds = worlds(&scene, |node| posed(node, &moved));
                for (joint, place) in pose["joints"].as_object().unwrap() {
                    let node = scene.node(joint);
                    let found = worlds[&node.index()].w_axis.truncate();
                    assert!(
                        (found - vector(place)).length() < NEAR * 4.0,
                        "{file} {joint} {seconds}: {found} {place}"
                    );
                }
                let wanted = pose["vertices"].as_array().unwrap();
                let found = skinned(&scene, &worlds);
                assert!(found.len() >= wanted.len());
                for (found, wanted) in found.iter().zip(wanted) {
                    assert!(
                        (*found - vector(wanted)).length() < NEAR * 8.0,
                        "{file} {seconds}: {found} {wanted}"
                    );
                }
                checked += 1;
            }
        }
        assert_eq!(checked, 9);
        let scene = load(&out.join("models/syn1x/bst.gltf"));
        let worlds = worlds(&scene, at_rest);
        for (point, place) in expected["points"].as_object().unwrap() {
            let found = worlds[&scene.node(point).index()].w_axis.truncate();
            assert!(
                (found - vector(place)).length() < NEAR * 4.0,
                "{point}: {found}"
            );
        }
        let particles = facts(scene.node("HEAD_POINT").extras())["particles"].clone();
        assert_eq!(particles[0]["emitter"], 77);
        let variants: Vec<&str> = scene
            .document
            .variants()
            .unwrap()
            .map(|one| one.name())
            .collect();
        assert_eq!(variants, ["skin01"]);
    });
}

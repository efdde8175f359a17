//! Clips of EverQuest that need other tracks than the game has: borrowed ones, longer ones, and bones without a track.

use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::everquest_eqg;
use crate::scenes::everquest_meshes::sample;
use crate::scenes::near;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

/// A creature that borrows its clip.
const FROGLOK: &str = "models/dell_chr/frg.gltf";

/// Creatures with a clip: one that borrows it, one of its own, and one of an archive in EQG format.
fn creatures() -> [(Place, &'static str); 3] {
    [
        (sample(), FROGLOK),
        (sample(), "models/dell_chr/fdr.gltf"),
        (everquest_eqg::sample(), "models/mill/crow.gltf"),
    ]
}

/// Node and property, times, and values.
type Keys = (Value, Vec<[f32; 1]>, Vec<[f32; 4]>);

/// The keys of the channels of the first clip.
fn keys(scene: &Scene) -> Vec<Keys> {
    let clip = &scene.json["animations"][0];
    let channels = clip["channels"].as_array().unwrap().iter();
    let keys = channels.map(|channel| {
        let sampler = &clip["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        let accessor = |key: &str| sampler[key].as_u64().unwrap() as usize;
        let values = match channel["target"]["path"].as_str() {
            Some("rotation") => scene.floats::<4>(accessor("output")),
            _ => {
                let rows = scene.floats::<3>(accessor("output")).into_iter();
                rows.map(|[x, y, z]| [x, y, z, 0.0]).collect()
            }
        };
        let times = scene.floats::<1>(accessor("input"));
        (channel["target"].clone(), times, values)
    });
    keys.collect()
}

/// Gives a channel of the first clip other keys.
fn put_keys(scene: &mut Scene, channel: usize, times: &[[f32; 1]], values: &[[f32; 4]]) {
    let input = scene.add_floats(times);
    let target = scene.json["animations"][0]["channels"][channel]["target"].clone();
    let output = match target["path"].as_str() {
        Some("rotation") => scene.add_floats(values),
        _ => {
            let rows: Vec<[f32; 3]> = values.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
            scene.add_floats(&rows)
        }
    };
    let clip = &mut scene.json["animations"][0];
    let samplers = clip["samplers"].as_array_mut().unwrap();
    samplers.push(json!({"input": input, "output": output, "interpolation": "LINEAR"}));
    let number = samplers.len() - 1;
    clip["channels"][channel]["sampler"] = number.into();
}

fn edited(place: &Place, path: &str, edit: impl FnOnce(&mut Scene)) -> (Scene, Scene) {
    let mut scene = Scene::open(&place.out(path));
    edit(&mut scene);
    scene.save();
    place.pack();
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(path));
    (scene, after)
}

/// The value of a curve at a time.
fn value_at(times: &[[f32; 1]], values: &[[f32; 4]], time: f32) -> [f32; 4] {
    let next = times
        .partition_point(|key| key[0] < time - 1e-4)
        .min(times.len() - 1);
    let before = next.saturating_sub(1);
    let span = times[next][0] - times[before][0];
    let part = if span > 0.0 {
        ((time - times[before][0]) / span).clamp(0.0, 1.0)
    } else {
        1.0
    };
    std::array::from_fn(|at| values[before][at] + (values[next][at] - values[before][at]) * part)
}

fn assert_same_keys(wanted: &Scene, found: &Scene) {
    let end = |scene: &Scene| {
        let times = keys(scene).into_iter().flat_map(|(_, times, _)| times);
        times.fold(0.0_f32, |end, [time]| end.max(time))
    };
    assert!(near([end(wanted)], [end(found)], 1e-4));
    let found = keys(found);
    for (target, times, values) in keys(wanted) {
        let now = found.iter().find(|(it, ..)| *it == target);
        let (_, now_times, now_values) = now.unwrap();
        for (time, one) in times.iter().zip(values) {
            let other = value_at(now_times, now_values, time[0]);
            let is_same = near(one, other, 0.003) || near(one.map(|it| -it), other, 0.003);
            assert!(is_same, "{target} at {time:?}: {one:?} {other:?}");
        }
    }
}

/// The number of a channel of the first clip that moves.
fn moving(scene: &Scene) -> usize {
    let all = keys(scene);
    let moves = |(_, times, _): &Keys| times.len() > 2;
    all.iter().position(moves).unwrap()
}

#[test]
fn a_borrowed_clip_becomes_the_creatures_own() {
    let (place, path) = (sample(), FROGLOK);
    let facts = |scene: &Scene| {
        let facts = &scene.json["animations"][0]["extras"]["everquest"];
        [&facts["model"], &facts["source"]].map(|it| it.as_str().unwrap().to_owned())
    };
    let before = Scene::open(&place.out(path));
    assert_eq!(facts(&before), ["FRO", "global_chr.wld"]);
    let (wanted, after) = edited(&place, path, |scene| {
        let channel = moving(scene);
        let (_, times, mut values) = keys(scene).swap_remove(channel);
        let place = values.len() / 2;
        values[place] = values[place - 1];
        put_keys(scene, channel, &times, &values);
    });
    assert_eq!(facts(&after), ["FRG", "dell_chr.wld"]);
    assert_same_keys(&wanted, &after);
    // The lender's file stays as it is.
    assert!(!place.path("mod").join("global_chr.s3d").exists());
}

#[test]
fn a_longer_clip_gets_more_frames() {
    for (place, path) in creatures() {
        let (wanted, after) = edited(&place, path, |scene| {
            for (channel, (_, times, values)) in keys(scene).into_iter().enumerate() {
                let [.., before, last] = &*times else {
                    continue;
                };
                // The clip twice.
                let step = last[0] - before[0];
                let end = last[0];
                let again = times.iter().skip(1).map(|time| [time[0] + end]);
                let twice: Vec<[f32; 1]> = times.iter().copied().chain(again).collect();
                assert!(step > 0.0);
                let again = values.iter().skip(1);
                let values: Vec<[f32; 4]> = values.iter().chain(again).copied().collect();
                put_keys(scene, channel, &twice, &values);
            }
        });
        assert_same_keys(&wanted, &after);
    }
}

#[test]
fn a_clip_that_is_cut_gets_fewer_frames() {
    for (place, path) in creatures() {
        let (wanted, after) = edited(&place, path, |scene| {
            for (channel, (_, times, values)) in keys(scene).into_iter().enumerate() {
                let half = times.len().div_ceil(2);
                put_keys(scene, channel, &times[..half], &values[..half]);
            }
        });
        assert_same_keys(&wanted, &after);
    }
}

#[test]
fn a_bone_without_a_track_gets_one() {
    let bones = [
        (FROGLOK, "FRGHEAD_POINT_DAG"),
        ("models/dell_chr/fdr.gltf", "FDRHEAD_POINT_DAG"),
    ];
    for (path, bone) in bones {
        let place = sample();
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let (wanted, after) = edited(&place, path, |scene| {
            let Some(node) = scene.nodes().iter().position(|node| node["name"] == bone) else {
                panic!("{path} has no {bone}");
            };
            let channels = scene.json["animations"][0]["channels"]
                .as_array_mut()
                .unwrap();
            channels.push(json!({"sampler": 0, "target": {"node": node, "path": "rotation"}}));
            let channel = channels.len() - 1;
            let turned = [half, 0.0, 0.0, half];
            put_keys(scene, channel, &[[0.0]], &[turned]);
        });
        let found = keys(&after);
        for (target, _, values) in keys(&wanted) {
            let (.., now) = found.iter().find(|(it, ..)| *it == target).unwrap();
            assert!(near(values[0], now[0], 0.003), "{target}");
        }
    }
}

#[test]
fn a_parted_mesh_with_bones_is_one_again() {
    for with_clips in [true, false] {
        let place = sample();
        let mut scene = Scene::open(&place.out(FROGLOK));
        if !with_clips {
            scene.json["asset"]["generator"] = "Khronos glTF Blender I/O v4.2.60".into();
            scene.json.as_object_mut().unwrap().remove("animations");
        }
        part(&mut scene);
        scene.save();
        let packed = place.pack();
        assert!(
            packed.refused.is_empty() && packed.files.is_empty(),
            "{packed:?}"
        );
        let said = format!("{:?}", packed.edits);
        assert!(said.contains("which is joined to"), "{said}");
    }
}

/// Gives the last surfaces of a mesh with bones a node of their own, as Blender's command "Separate" does.
fn part(scene: &mut Scene) {
    let bound = |node: &&Value| node["skin"].is_u64();
    let node = scene.nodes().iter().find(bound).unwrap().clone();
    let mesh = node["mesh"].as_u64().unwrap() as usize;
    let mut piece = scene.json["meshes"][mesh].clone();
    let taken = piece["primitives"].as_array_mut().unwrap().split_off(1);
    assert!(!taken.is_empty());
    scene.json["meshes"][mesh]["primitives"] = piece["primitives"].clone();
    piece["primitives"] = taken.into();
    let meshes = scene.json["meshes"].as_array_mut().unwrap();
    meshes.push(piece);
    let mut new = node.clone();
    new["mesh"] = (meshes.len() - 1).into();
    new["name"] = format!("{}.001", node["name"].as_str().unwrap()).into();
    let nodes = scene.json["nodes"].as_array_mut().unwrap();
    nodes.push(new);
    let number = nodes.len() - 1;
    scene.json["scenes"][0]["nodes"]
        .as_array_mut()
        .unwrap()
        .push(number.into());
}

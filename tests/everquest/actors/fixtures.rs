//! The creatures of the fixtures, joint by joint.

use relicast_testing::test;
use std::fs;

use glam::DVec3;
use relicast::formats::everquest::{pfs, wld};

use crate::actors::collect::{Model, models};
use crate::actors::expected::{Expected, scene};

/// The archive of creatures.
fn archive() -> Vec<u8> {
    fs::read(relicast_testing::fixtures("everquest").join("gfaydark_chr.s3d")).unwrap()
}

/// Compares axes and places of all joints with matrices in file axes.
fn same_joints(what: &str, model: &Model, worlds: &[glam::DMat4], expectation: &[glam::DMat4]) {
    for (index, node) in model.document.nodes().take(expectation.len()).enumerate() {
        for probe in [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z] {
            let there = worlds[index].transform_point3(scene(probe));
            let expected = scene(expectation[index].transform_point3(probe));
            assert!(
                (there - expected).length() < 1e-3,
                "{what}, {:?}: {there} and not {expected}",
                node.name()
            );
        }
    }
}

#[test]
fn creatures_of_the_fixtures_move_as_their_tracks_say() {
    let bytes = archive();
    let archive = pfs::decode(&bytes).unwrap().value;
    let member = archive.member("gfaydark_chr.wld").unwrap();
    let stored = member.extract().unwrap().value;
    let wld = wld::decode(&stored).unwrap().value;
    let mut made = models("gfaydark_chr.s3d", &bytes, &[], "gfaydark_chr.wld");
    let expectations = Expected::all(&wld);
    assert_eq!((made.len(), expectations.len()), (18, 18));
    let (mut clips, mut lefts, mut alternates, mut looks) = (0, 0, 0, 0);
    for expectation in &expectations {
        let name = &expectation.model;
        let collected = made.remove(name).unwrap();
        let model = collected.main.unwrap();
        let rest = expectation.worlds(&expectation.rest());
        let standing = model.standing();
        same_joints(name, &model, &standing, &rest);

        // What is called left is on the left of who looks along +Z: at +X.
        for (node, world) in model.document.nodes().zip(&standing) {
            let node_name = node.name().unwrap();
            let Some(other) = node_name.strip_suffix("_L_DAG") else {
                continue;
            };
            let right = format!("{other}_R_DAG");
            let mut nodes = model.document.nodes();
            if let Some(right) = nodes.find(|node| node.name() == Some(&right)) {
                let apart = world.w_axis.x - standing[right.index()].w_axis.x;
                assert!(apart > -1e-3, "{name}: {node_name} is on the right");
                lefts += usize::from(apart > 0.1);
            }
        }

        let skinned = model.skinned();
        let skins = expectation.skins();
        assert_eq!(skinned.len(), skins.len(), "{name}");
        for ((node, vertices, triangles), (mesh_name, mesh)) in skinned.iter().zip(skins) {
            assert_eq!(node, mesh_name);
            assert_eq!(*triangles, mesh.faces.len(), "{name}");
            let mut expected = expectation.vertices(mesh);
            assert_eq!(vertices.len(), expected.len(), "{name}");
            for (bone, place) in vertices {
                // The nearest, so that near neighbors do not take each other's place.
                let distances = expected.iter().enumerate().map(|(at, (other, there))| {
                    let far = if other == bone { 0.0 } else { f64::MAX };
                    (far + (*place - *there).length(), at)
                });
                let (distance, same) = distances.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
                assert!(distance < 1e-4, "{name}: no vertex at {place}");
                expected.swap_remove(same);
            }
        }

        let sets = expectation.sets();
        let mut names = model.codes();
        names.sort();
        assert!(names.iter().eq(sets.keys()), "{name}: {names:?}");
        clips += names.len();
        for (code, set) in &sets {
            let length = expectation.length(set);
            // At frames and between them, as far as no track has ended before another.
            let times: Vec<f64> = (0..2 * length - 1).map(|half| half as f64 * 0.05).collect();
            for (time, worlds) in times.iter().zip(model.moving(code, &times)) {
                let expected = expectation.worlds(&expectation.pose(set, *time));
                same_joints(
                    &format!("{name} {code} at {time}"),
                    &model,
                    &worlds,
                    &expected,
                );
            }
        }
        alternates += collected.hidden.map_or(0, |hidden| hidden.skinned().len());
        let variants = model.document.variants();
        looks += variants.map_or(0, Iterator::count);
    }
    assert!(made.is_empty());
    assert_eq!((clips, alternates, looks), (99, 5, 15));
    assert!(lefts > 60, "{lefts} pairs");
}

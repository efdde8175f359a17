//! Edits of scenes of EverQuest's EQG archives that are refused, with reasons.

use relicast_samples::SampleFile;
use relicast_samples::minimal::eqg;
use relicast_testing::test;
use serde_json::json;

use crate::scenes::everquest_eqg::{WORLD, edited, files, material, node, sample};
use crate::scenes::everquest_topology::recut;
use crate::scenes::foreign::rewrite;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

/// A scene, an edit of it, and the text of the refusal.
type Refused = (&'static str, fn(&mut Scene), &'static str);

fn assert_refused(edits: &[Refused]) {
    for (path, edit, reason) in edits {
        let place = sample();
        edited(&place, path, edit);
        let refused = place.refused();
        assert!(refused[0].1.contains(reason), "{path}: {refused:?}");
    }
}

#[test]
fn what_cannot_be_packed_is_refused_by_name() {
    let edits: [Refused; 5] = [
        (
            WORLD,
            |scene| {
                let wheel = node(scene, "WHEEL01");
                scene.set(wheel, "scale", [1.0, 0.0, 3.0]);
            },
            "equally",
        ),
        (
            WORLD,
            |scene| {
                let wheel = node(scene, "WHEEL02");
                scene.json["nodes"][wheel]["name"] = "\u{4e00}".into();
            },
            "Windows-1252",
        ),
        (
            "models/mill/crow.gltf",
            |scene| {
                let bone = node(scene, "NECK");
                scene.set(bone, "translation", [1.0, 2.0, 3.0]);
            },
            "only placed models, lights of zones, and bones",
        ),
        (
            "models/mill/wheel.gltf",
            |scene| material(scene, "wood")["emissiveFactor"] = json!([1.0, 0.5, 0.0]),
            "its emission",
        ),
        (
            "worlds/fen.gltf",
            |scene| {
                let stone = scene
                    .nodes()
                    .iter()
                    .position(|node| node["extras"]["everquest"]["model"].is_string());
                scene.set(stone.unwrap(), "translation", [1.0, 2.0, 3.0]);
            },
            "not a placement of this archive's zone",
        ),
    ];
    assert_refused(&edits);
}

#[test]
fn placements_of_a_zone_next_to_the_archive_are_refused() {
    let mut files = files();
    files.push(SampleFile {
        path: "mill.zon".to_owned(),
        bytes: eqg::loose_zone(),
    });
    let place = Place::new(&files);
    edited(&place, WORLD, |scene| {
        let wheel = node(scene, "WHEEL01");
        scene.set(wheel, "translation", [7.5, 3.0, -4.25]);
    });
    let refused = place.refused();
    assert!(refused[0].1.contains("next to the archive"), "{refused:?}");
}

#[test]
fn triangles_that_would_need_bones_are_refused() {
    let edits: [Refused; 1] = [(
        "models/mill/crow.gltf",
        |scene| {
            recut(scene, 0, 0, 1);
            rewrite(scene, false);
        },
        "has no bone",
    )];
    assert_refused(&edits);
}

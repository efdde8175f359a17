//! Shapes and surfaces of a zone and objects of a game.

use std::fs;

use relicast_testing::test;

use crate::everquest_meshes::{packed_and_original, scenes, without_bounds};
use crate::place::Place;
use crate::scene::Scene;

/// An install of a zone and its objects.
fn install() -> Place {
    let root = crate::common::fixtures("everquest");
    let folder = tempfile::tempdir().unwrap();
    for name in ["gfaydark.s3d", "gfaydark_obj.s3d"] {
        if !root.join(name).exists() {
            relicast_testing::skip(format!("no {name}"));
        }
        fs::copy(root.join(name), folder.path().join(name)).unwrap();
    }
    Place::copy_of(folder.path())
}

/// Gives a primitive other values.
fn put<const N: usize>(
    scene: &mut Scene,
    (mesh, primitive): (usize, usize),
    name: &str,
    rows: &[[f32; N]],
) {
    let accessor = scene.add_floats(rows);
    scene.json["meshes"][mesh]["primitives"][primitive]["attributes"][name] = accessor.into();
}

/// Moves each 16th vertex of an object a little; corners at one place move alike. The ground of a zone gets other texture
/// coordinates: the spheres of its regions touch their corners.
fn edit(scene: &mut Scene, is_zone: bool) -> usize {
    let mut edited = 0;
    for mesh in 0..scene.json["meshes"].as_array().map_or(0, Vec::len) {
        let name = scene.json["meshes"][mesh]["name"].as_str().unwrap();
        // What stands in the zone has its shape in the other archive.
        if is_zone && name != "terrain" {
            continue;
        }
        let count = scene.json["meshes"][mesh]["primitives"]
            .as_array()
            .unwrap()
            .len();
        for primitive in 0..count {
            if !is_zone {
                let accessor = scene.attribute(mesh, primitive, "POSITION").unwrap();
                let mut rows = scene.floats::<3>(accessor);
                for row in &mut rows {
                    let sum: u32 = row.iter().map(|part| part.to_bits() >> 12).sum();
                    if sum.is_multiple_of(16) {
                        row[1] += 0.25;
                        edited += 1;
                    }
                }
                put(scene, (mesh, primitive), "POSITION", &rows);
            } else if let Some(accessor) = scene.attribute(mesh, primitive, "TEXCOORD_0") {
                let rows = scene.floats::<2>(accessor);
                let rows: Vec<[f32; 2]> = rows.into_iter().map(|[u, v]| [u + 0.25, v]).collect();
                edited += rows.len();
                put(scene, (mesh, primitive), "TEXCOORD_0", &rows);
            }
        }
    }
    edited
}

#[test]
fn a_zone_and_objects_of_a_game_go_back_and_forth() {
    let place = install();
    place.convert("install", "before");
    let mut paths = Vec::new();
    for archive in ["gfaydark.s3d", "gfaydark_obj.s3d"] {
        for path in scenes(&place, archive) {
            // Waving flags are stored in steps of their own.
            if path.contains("flag") {
                continue;
            }
            let mut scene = Scene::open(&place.out(&path));
            if edit(&mut scene, archive == "gfaydark.s3d") > 0 {
                scene.save();
                paths.push(path);
            }
        }
    }
    place.pack();
    place.convert_packed();
    let again = Place::copy_of(&place.path("modded"));
    for path in &paths {
        for path in [path.clone(), path.replace(".gltf", ".bin")] {
            fs::copy(place.path("before").join(&path), again.out(&path)).unwrap();
        }
    }
    again.pack();
    for archive in ["gfaydark.s3d", "gfaydark_obj.s3d"] {
        let [packed, original] = packed_and_original(&place, archive);
        assert_ne!(packed, original, "{archive}");
        let [undone, _] = packed_and_original(&again, archive);
        for (name, bytes) in &original {
            let [now, before] = [&undone[name], bytes].map(|bytes| without_bounds(name, bytes));
            assert!(now == before, "{archive} {name} is as it was");
        }
    }
}

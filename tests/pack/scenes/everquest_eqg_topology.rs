//! Meshes of EQG archives with other triangles or surfaces than they had.

use relicast::formats::everquest::eqg::mesh;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::everquest_eqg::{
    WORLD, after, changed, edited, material, mesh_of, node, sample, sorted_corners,
};
use crate::scenes::everquest_meshes::packed_and_original;
use crate::scenes::everquest_topology::{bound_corners, recut, recut_skin};
use crate::scenes::foreign::rewrite;
use crate::scenes::scene::Scene;

#[test]
fn models_and_terrain_get_other_triangles() {
    for (path, name, is_foreign) in [
        ("models/mill/wheel.gltf", "wheel", false),
        ("models/mill/wheel.gltf", "wheel", true),
        (WORLD, "MILL", false),
        (WORLD, "MILL", true),
    ] {
        let place = sample();
        let mut mesh = 0;
        let mut wanted = Vec::new();
        edited(&place, path, |scene| {
            mesh = mesh_of(scene, name);
            recut(scene, mesh, 0, 1);
            wanted = sorted_corners(scene, mesh);
            if is_foreign {
                rewrite(scene, true);
            }
        });
        let packed = place.pack();
        let reported = format!("{:?}", packed.edits);
        assert!(reported.contains("other triangles"), "{reported}");
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(path));
        assert_eq!(sorted_corners(&after, mesh_of(&after, name)), wanted);
        // Lists of baked light grow with it.
        match name {
            "wheel" => assert_eq!(changed(&place), ["wheel.mod", "wheel02.lit"]),
            _ => assert_eq!(changed(&place), ["mill.ter"]),
        }
        let world = Scene::open(&place.path("after").join(WORLD));
        let meshes = ["WHEEL01", "WHEEL02"].map(|name| mesh_of(&world, name));
        assert_ne!(meshes[0], meshes[1], "the one is still in its own light");
        // What is taken out and comes back has its vertices again.
        let again = place.again("modded");
        edited(&again, path, |scene| {
            let mesh = mesh_of(scene, name);
            let indices = scene.indices(scene.attribute(mesh, 0, "indices").unwrap());
            let fewer = scene.add_indices(&indices[..3]);
            scene.json["meshes"][mesh]["primitives"][0]["indices"] = fewer.into();
        });
        again.pack();
    }
}

#[test]
fn corners_that_share_a_vertex_get_light_of_their_own() {
    for new in [[52_000_u16, 30_000, 9_000], [65_535; 3]] {
        let place = sample();
        let shown = |scene: &Scene| {
            let mesh = mesh_of(scene, "MILL");
            let colors = scene.shorts(scene.attribute(mesh, 0, "COLOR_0").unwrap());
            let indices = scene.indices(scene.attribute(mesh, 0, "indices").unwrap());
            let places = scene.floats::<3>(scene.attribute(mesh, 0, "POSITION").unwrap());
            let mut faces: Vec<_> = { indices.chunks(3) }
                .map(|face| {
                    let face = face.iter().map(|&corner| corner as usize);
                    let corners = face.map(|at| (places[at].map(f32::to_bits), colors[at]));
                    let mut corners: Vec<_> = corners.collect();
                    corners.sort_unstable();
                    corners
                })
                .collect();
            faces.sort_unstable();
            faces
        };
        let mut wanted = Vec::new();
        edited(&place, WORLD, |scene| {
            let mesh = mesh_of(scene, "MILL");
            let own = scene.attribute(mesh, 0, "indices").unwrap();
            let mut indices = scene.indices(own);
            // The first face gets corners of its own.
            let attributes = scene.json["meshes"][mesh]["primitives"][0]["attributes"].clone();
            for name in attributes.as_object().unwrap().keys() {
                let accessor = scene.attribute(mesh, 0, name).unwrap();
                let added = match &**name {
                    "COLOR_0" => {
                        let mut rows = scene.shorts(accessor);
                        rows.extend([[new[0], new[1], new[2], 65_535]; 3]);
                        scene.add_shorts(&rows)
                    }
                    "POSITION" | "NORMAL" => {
                        let mut rows = scene.floats::<3>(accessor);
                        rows.extend([0, 1, 2].map(|at| rows[indices[at] as usize]));
                        scene.add_floats(&rows)
                    }
                    "TANGENT" => {
                        let mut rows = scene.floats::<4>(accessor);
                        rows.extend([0, 1, 2].map(|at| rows[indices[at] as usize]));
                        scene.add_floats(&rows)
                    }
                    _ => {
                        let mut rows = scene.floats::<2>(accessor);
                        rows.extend([0, 1, 2].map(|at| rows[indices[at] as usize]));
                        scene.add_floats(&rows)
                    }
                };
                scene.json["meshes"][mesh]["primitives"][0]["attributes"][name] = added.into();
            }
            let count = scene
                .floats::<3>(scene.attribute(mesh, 0, "POSITION").unwrap())
                .len();
            let first = u32::try_from(count).unwrap() - 3;
            (0..3).for_each(|corner| indices[corner] = first + corner as u32);
            let indices = scene.add_indices(&indices);
            scene.json["meshes"][mesh]["primitives"][0]["indices"] = indices.into();
            wanted = shown(scene);
        });
        let after = after(&place, WORLD);
        for (wanted, found) in wanted.iter().zip(shown(&after)) {
            for ((place, color), (there, shown)) in wanted.iter().zip(found) {
                assert_eq!(*place, there);
                for (one, other) in color.iter().zip(shown) {
                    assert!(one.abs_diff(other) < 330, "{color:?} {shown:?}");
                }
            }
        }
    }
}

#[test]
fn creatures_get_other_triangles_whose_corners_keep_their_bones() {
    for (path, bone) in [
        ("models/mill/ox.gltf", None),
        ("models/mill/ox.gltf", Some(1)),
        ("models/mill/crow.gltf", None),
    ] {
        let place = sample();
        let mut wanted = Vec::new();
        edited(&place, path, |scene| {
            recut_skin(scene, 0, bone);
            wanted = bound_corners(scene, 0);
        });
        place.pack();
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(path));
        assert_eq!(bound_corners(&after, 0), wanted, "{path}");
    }
}

#[test]
fn terrain_that_was_moved_as_a_whole_is_packed() {
    let place = sample();
    let mut wanted = Vec::new();
    edited(&place, WORLD, |scene| {
        let terrain = node(scene, "MILL");
        wanted = sorted_corners(scene, mesh_of(scene, "MILL"));
        scene.set(terrain, "translation", [1.0, 2.0, 0.5]);
    });
    place.pack();
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(WORLD));
    assert_eq!(
        after.nodes()[node(&after, "MILL")]["translation"],
        serde_json::Value::Null
    );
    let found = sorted_corners(&after, mesh_of(&after, "MILL"));
    assert_eq!(found.len(), wanted.len());
    assert_ne!(found, wanted);
}

#[test]
fn double_sided_materials_get_faces_for_both_sides() {
    let place = sample();
    let path = "models/mill/wheel.gltf";
    let mut scene = Scene::open(&place.out(path));
    material(&mut scene, "wood")["doubleSided"] = json!(true);
    scene.save();
    let packed = place.pack();
    let said = packed.edits[0].rounding.clone().unwrap();
    assert!(said.contains("material wood: both sides"), "{said}");
    let [packed, original] = packed_and_original(&place, "mill.eqg");
    let [before, after] =
        [&original, &packed].map(|members| mesh::decode(&members["wheel.mod"]).unwrap().value);
    let facing = |file: &mesh::Mesh, sign: f32| {
        let mut all: Vec<_> = Vec::new();
        for triangle in file.triangles.iter().filter(|it| it.material == 0) {
            let corners = triangle.vertices.map(|at| &file.vertices[at as usize]);
            let mut places = corners.map(|it| it.position.to_array().map(|part| part.to_bits()));
            places.sort_unstable();
            let normal = corners[0]
                .normal
                .to_array()
                .map(|part| (part * sign * 100.0).round() as i32);
            all.push((places, normal));
        }
        all.sort_unstable();
        all
    };
    let mut wanted = [facing(&before, 1.0), facing(&before, -1.0)].concat();
    wanted.sort_unstable();
    assert_eq!(facing(&after, 1.0), wanted);
}

#[test]
fn triangles_get_other_materials_of_their_file() {
    for is_foreign in [false, true] {
        let place = sample();
        let path = "models/mill/wheel.gltf";
        let assigned = |scene: &Scene| -> Vec<Value> {
            let primitives = scene.json["meshes"][mesh_of(scene, "wheel")]["primitives"].clone();
            let primitives = primitives.as_array().unwrap().iter();
            let materials = primitives.map(|part| part["material"].as_u64().unwrap() as usize);
            let names = materials.map(|at| scene.json["materials"][at]["name"].clone());
            names.collect()
        };
        let heights = |scene: &Scene| -> Vec<f32> {
            let mesh = mesh_of(scene, "wheel");
            let parts = ["wood", "glow"].map(|name| {
                let part = assigned(scene)
                    .iter()
                    .position(|assigned| assigned == name)
                    .unwrap();
                let places = scene.floats::<3>(scene.attribute(mesh, part, "POSITION").unwrap());
                places[0][1]
            });
            parts.to_vec()
        };
        let mut wanted = Vec::new();
        edited(&place, path, |scene| {
            assert_eq!(assigned(scene), ["wood", "glow"]);
            let mesh = mesh_of(scene, "wheel");
            let primitives = &mut scene.json["meshes"][mesh]["primitives"];
            let first = primitives[0]["material"].clone();
            primitives[0]["material"] = primitives[1]["material"].clone();
            primitives[1]["material"] = first;
            wanted = heights(scene);
            if is_foreign {
                rewrite(scene, false);
            }
        });
        let after = after(&place, path);
        assert_eq!(heights(&after), wanted);
        assert_eq!(changed(&place), ["wheel.mod"]);
    }
}

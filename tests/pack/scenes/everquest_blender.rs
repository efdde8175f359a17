//! Edits of EverQuest's zones as Blender writes them: faces that were turned over, other materials, deleted colors, parted
//! meshes, and shapes that are smaller than the steps of a mesh.

use relicast_testing::test;
use serde_json::json;

use crate::scenes::everquest_ground::{
    Corner, Triangle, ground, primitives, round, set_triangles, triangles, zone,
};
use crate::scenes::everquest_meshes::sample;
use crate::scenes::scene::Scene;

/// Names Blender as the program that wrote a scene.
fn by_blender(scene: &mut Scene) {
    scene.json["asset"]["generator"] = "Khronos glTF Blender I/O v4.2.60".into();
}

/// A triangle with its sides exchanged.
fn turned_over([a, b, c]: Triangle) -> Triangle {
    [a, c, b].map(|corner| Corner {
        normal: corner.normal.map(|part| 0.0 - part),
        ..corner
    })
}

#[test]
fn ground_that_was_turned_over_has_its_normals_on_the_other_side() {
    for step in [1, 3] {
        let (report, _) = round(|scene, mesh| {
            by_blender(scene);
            for part in 0..primitives(scene, mesh).len() {
                let mut all = triangles(scene, mesh, part);
                for triangle in all.iter_mut().step_by(step) {
                    *triangle = turned_over(*triangle);
                }
                set_triangles(scene, mesh, part, &all);
            }
        });
        assert!(!report.contains("moved"), "{report}");
    }
}

#[test]
fn ground_with_swapped_materials_keeps_its_shape() {
    let (report, _) = round(|scene, mesh| {
        by_blender(scene);
        let own = primitives(scene, mesh);
        assert_eq!(own[0]["extras"], own[1]["extras"]);
        for (part, other) in [(0, 1), (1, 0)] {
            let material = own[other]["material"].clone();
            scene.json["meshes"][mesh]["primitives"][part]["material"] = material;
        }
    });
    assert!(!report.contains("moved"), "{report}");
}

/// Removes the colors of a mesh.
fn remove_colors(scene: &mut Scene, mesh: usize) {
    for part in 0..primitives(scene, mesh).len() {
        let attributes = &mut scene.json["meshes"][mesh]["primitives"][part]["attributes"];
        attributes.as_object_mut().unwrap().remove("COLOR_0");
    }
}

#[test]
fn colors_that_one_mesh_alone_lost_become_white() {
    let place = sample();
    let (path, mut scene, mesh) = zone(&place);
    by_blender(&mut scene);
    remove_colors(&mut scene, mesh);
    scene.save();
    let report = format!("{:?}", place.pack().edits);
    assert!(report.contains("color"), "{report}");
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(&path));
    let mesh = ground(&after);
    for part in 0..primitives(&after, mesh).len() {
        for corner in triangles(&after, mesh, part).iter().flatten() {
            assert!(corner.color.iter().all(|part| *part > 65_000), "{corner:?}");
        }
    }
}

#[test]
fn a_scene_that_was_exported_without_colors_keeps_them() {
    let place = sample();
    let (_, mut scene, _) = zone(&place);
    by_blender(&mut scene);
    for mesh in 0..scene.json["meshes"].as_array().unwrap().len() {
        remove_colors(&mut scene, mesh);
    }
    scene.save();
    let packed = place.pack();
    assert_eq!(packed.files, []);
    assert!(packed.edits.is_empty(), "{:?}", packed.edits);
}

#[test]
fn ground_that_was_parted_is_one_mesh_again() {
    let place = sample();
    let (_, mut scene, mesh) = zone(&place);
    by_blender(&mut scene);
    let mut own = primitives(&scene, mesh);
    let mut pieces = own.split_off(1);
    let count = scene.json["meshes"].as_array().unwrap().len();
    scene.json["meshes"][mesh]["primitives"] = own.into();
    let node = scene.nodes().iter().position(|it| it["name"] == "terrain");
    let node = node.unwrap();
    let is_above = |it: &serde_json::Value| {
        let children = it["children"].as_array().into_iter().flatten();
        children.into_iter().any(|child| *child == json!(node))
    };
    let parent = scene.nodes().iter().position(is_above).unwrap();
    for (number, piece) in pieces.iter_mut().enumerate() {
        // Blender drops the custom properties of parts of meshes.
        piece.as_object_mut().unwrap().remove("extras");
        let name = format!("terrain.{:03}", number + 1);
        let new = scene.nodes().len();
        let meshes = scene.json["meshes"].as_array_mut().unwrap();
        meshes.push(json!({"name": name, "primitives": [piece]}));
        let nodes = scene.json["nodes"].as_array_mut().unwrap();
        nodes.push(json!({"name": name, "mesh": count + number}));
        let children = nodes[parent]["children"].as_array_mut().unwrap();
        children.push(new.into());
    }
    scene.save();
    let packed = place.pack();
    assert_eq!(packed.files, [], "everything is where it was");
    let said = packed.edits[0].rounding.clone().unwrap();
    assert!(
        said.contains("terrain.002, which is joined to terrain"),
        "{said}"
    );
}

#[test]
fn triangles_that_are_smaller_than_the_steps_of_a_mesh_are_counted() {
    let place = sample();
    let (_, mut scene, mesh) = zone(&place);
    by_blender(&mut scene);
    let mut all = triangles(&scene, mesh, 0);
    let [first, ..] = all[..] else {
        panic!("there is ground")
    };
    for number in 0..7_u8 {
        let mut small = first;
        for (corner, way) in small.iter_mut().zip([[0.0, 0.0], [0.0, 1e-3], [1e-3, 0.0]]) {
            let [x, y, z] = first[0].position;
            let above = f32::from(number) + 1.0;
            corner.position = [x + way[0], y + above, z + way[1]];
        }
        all.push(small);
    }
    set_triangles(&mut scene, mesh, 0, &all);
    scene.save();
    let report = format!("{:?}", place.pack().edits);
    assert!(
        report.contains("7 triangles are smaller than the steps"),
        "{report}"
    );
}

//! Objects of EverQuest with other triangles than they had.

use std::collections::BTreeMap;

use relicast::pack::pack;
use relicast_testing::test;
use serde_json::json;

use crate::scenes::everquest_meshes::{packed_and_original, sample, scenes};
use crate::scenes::foreign::rewrite;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

/// The scene of an archive that has a mesh, and the number of the mesh.
pub fn scene_with(place: &Place, archive: &str, name: &str) -> (String, Scene, usize) {
    let found = scenes(place, archive).into_iter().find_map(|path| {
        let scene = Scene::open(&place.out(&path));
        let meshes = scene.json["meshes"].as_array().cloned().unwrap_or_default();
        let mesh = meshes.iter().position(|mesh| mesh["name"] == name)?;
        Some((path, scene, mesh))
    });
    found.unwrap()
}

/// Gives a primitive the triangles that it has from `from` on, and one of new corners.
pub fn recut(scene: &mut Scene, mesh: usize, primitive: usize, from: usize) {
    let accessor = |scene: &Scene, name: &str| scene.attribute(mesh, primitive, name).unwrap();
    let mut places = scene.floats::<3>(accessor(scene, "POSITION"));
    let mut normals = scene.floats::<3>(accessor(scene, "NORMAL"));
    let mut uvs = scene.floats::<2>(accessor(scene, "TEXCOORD_0"));
    let mut indices = scene
        .indices(accessor(scene, "indices"))
        .split_off(from * 3);
    for corner in [[0.5, 1.0, 0.25], [1.5, 1.0, 0.25], [0.5, 2.0, 0.25]] {
        indices.push(places.len() as u32);
        places.push(corner);
        normals.push([0.0, 0.0, 1.0]);
        uvs.push([corner[0], corner[1] * 0.5]);
    }
    let attributes = json!({
        "POSITION": scene.add_floats(&places),
        "NORMAL": scene.add_floats(&normals),
        "TEXCOORD_0": scene.add_floats(&uvs),
    });
    let indices = scene.add_indices(&indices);
    let primitive = &mut scene.json["meshes"][mesh]["primitives"][primitive];
    primitive["attributes"] = attributes;
    primitive["indices"] = indices.into();
}

/// Corners of all triangles of a mesh.
pub fn corners(scene: &Scene, mesh: usize) -> Vec<[f32; 3]> {
    let count = scene.json["meshes"][mesh]["primitives"]
        .as_array()
        .unwrap()
        .len();
    let mut all = Vec::new();
    for primitive in 0..count {
        let places = scene.floats::<3>(scene.attribute(mesh, primitive, "POSITION").unwrap());
        let indices = scene.indices(scene.attribute(mesh, primitive, "indices").unwrap());
        all.extend(indices.into_iter().map(|index| places[index as usize]));
    }
    all
}

#[test]
fn objects_get_other_triangles() {
    for (name, from) in [
        ("SIGN_DMSPRITEDEF", 0),
        ("SIGN_DMSPRITEDEF", 3),
        ("ELM_DMSPRITEDEF", 2),
    ] {
        let place = sample();
        let (path, mut scene, mesh) = scene_with(&place, "dell_obj.s3d", name);
        recut(&mut scene, mesh, 0, from);
        scene.save();
        let packed = place.pack();
        let reported = format!("{:?}", packed.edits);
        assert!(reported.contains("rebuilt"), "{reported}");
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(&path));
        let (found, wanted) = (corners(&after, mesh), corners(&scene, mesh));
        assert_eq!(found.len(), wanted.len());
        for (found, wanted) in found.into_iter().zip(wanted) {
            assert!(
                crate::scenes::near(wanted, found, 0.001),
                "{wanted:?} {found:?}"
            );
        }
        // The mesh alone changed.
        let [packed, original] = packed_and_original(&place, "dell_obj.s3d");
        let changed: Vec<&String> = original
            .keys()
            .filter(|name| packed[*name] != original[*name])
            .collect();
        assert_eq!(changed, ["dell_obj.wld"]);
    }
}

/// Removes the first triangle of a primitive with bones, and adds one with vertices like its last three, at a distance.
/// With `bone`, this one moves them.
pub fn recut_skin(scene: &mut Scene, mesh: usize, bone: Option<u16>) {
    let accessor = |scene: &Scene, name: &str| scene.attribute(mesh, 0, name).unwrap();
    let mut places = scene.floats::<3>(accessor(scene, "POSITION"));
    let mut normals = scene.floats::<3>(accessor(scene, "NORMAL"));
    let mut uvs = scene.floats::<2>(accessor(scene, "TEXCOORD_0"));
    let mut weights = scene.floats::<4>(accessor(scene, "WEIGHTS_0"));
    let mut joints = scene.shorts(accessor(scene, "JOINTS_0"));
    let mut indices = scene.indices(accessor(scene, "indices")).split_off(3);
    let last = indices.split_at(indices.len() - 3).1.to_vec();
    for vertex in last.into_iter().map(|vertex| vertex as usize) {
        indices.push(places.len() as u32);
        places.push(places[vertex].map(|part| part + 0.25));
        normals.push(normals[vertex]);
        uvs.push(uvs[vertex]);
        joints.push(bone.map_or(joints[vertex], |bone| [bone, 0, 0, 0]));
        weights.push(weights[vertex]);
    }
    let attributes = json!({
        "POSITION": scene.add_floats(&places),
        "NORMAL": scene.add_floats(&normals),
        "TEXCOORD_0": scene.add_floats(&uvs),
        "JOINTS_0": scene.add_shorts(&joints),
        "WEIGHTS_0": scene.add_floats(&weights),
    });
    let number = attributes["JOINTS_0"].as_u64().unwrap() as usize;
    scene.json["accessors"][number]["normalized"] = false.into();
    let indices = scene.add_indices(&indices);
    let primitive = &mut scene.json["meshes"][mesh]["primitives"][0];
    primitive["attributes"] = attributes;
    primitive["indices"] = indices.into();
}

/// The positions of the corners of a mesh with their bones, sorted.
pub fn bound_corners(scene: &Scene, mesh: usize) -> Vec<([i32; 3], u16)> {
    let parts = scene.json["meshes"][mesh]["primitives"].as_array().unwrap();
    let mut all = Vec::new();
    for part in 0..parts.len() {
        let attribute = |name: &str| scene.attribute(mesh, part, name).unwrap();
        let places = scene.floats::<3>(attribute("POSITION"));
        let joints = scene.shorts(attribute("JOINTS_0"));
        let indices = scene.indices(attribute("indices")).into_iter();
        all.extend(indices.map(|index| {
            let place = places[index as usize].map(|part| (part * 50.0).round() as i32);
            (place, joints[index as usize][0])
        }));
    }
    all.sort_unstable();
    all
}

#[test]
fn creatures_get_other_triangles_whose_corners_keep_their_bones() {
    for (name, bone) in [
        ("FRG_DMSPRITEDEF", None),
        ("FRG_DMSPRITEDEF", Some(1)),
        ("FDR_DMSPRITEDEF", None),
    ] {
        let place = sample();
        let (path, mut scene, mesh) = scene_with(&place, "dell_chr.s3d", name);
        recut_skin(&mut scene, mesh, bone);
        scene.save();
        let packed = place.pack();
        let reported = format!("{:?}", packed.edits);
        assert!(
            reported.contains("mesh with bones is rebuilt"),
            "{reported}"
        );
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(&path));
        assert_eq!(
            bound_corners(&after, mesh),
            bound_corners(&scene, mesh),
            "{name}"
        );
        let [packed, original] = packed_and_original(&place, "dell_chr.s3d");
        let changed = original
            .keys()
            .filter(|name| packed[*name] != original[*name]);
        assert_eq!(changed.collect::<Vec<_>>(), ["dell_chr.wld"]);
    }
}

#[test]
fn a_bone_that_the_skeleton_lacks_is_refused() {
    let place = sample();
    let (_, mut scene, mesh) = scene_with(&place, "dell_chr.s3d", "FRG_DMSPRITEDEF");
    recut_skin(&mut scene, mesh, Some(400));
    scene.save();
    let refused = place.refused();
    assert!(
        refused[0]
            .1
            .contains("a bone that its skeleton does not have"),
        "{refused:?}"
    );
}

#[test]
fn other_triangles_where_they_do_not_go_are_refused() {
    let place = sample();
    let (_, mut scene, mesh) = scene_with(&place, "dell_obj.s3d", "PENNON_DMSPRITEDEF");
    let primitive = &scene.json["meshes"][mesh]["primitives"][0];
    let indices = scene.attribute(mesh, 0, "indices").unwrap();
    assert!(primitive["mode"].as_u64().unwrap_or(4) == 4);
    let fewer = scene.indices(indices).split_off(3);
    let accessor = scene.add_indices(&fewer);
    scene.json["meshes"][mesh]["primitives"][0]["indices"] = accessor.into();
    scene.save();
    let refused = place.refused();
    assert!(refused[0].1.contains("animated"), "{refused:?}");
}

/// The places of corners by the names of the materials of their triangles.
fn assigned(scene: &Scene, mesh: usize) -> BTreeMap<String, Vec<[i32; 3]>> {
    let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let parts = scene.json["meshes"][mesh]["primitives"].as_array().unwrap();
    for (part, primitive) in parts.iter().enumerate() {
        let material = primitive["material"].as_u64().unwrap() as usize;
        let name = scene.json["materials"][material]["name"].as_str().unwrap();
        let name = name.split('.').next().unwrap().to_owned();
        let places = scene.floats::<3>(scene.attribute(mesh, part, "POSITION").unwrap());
        let indices = scene.indices(scene.attribute(mesh, part, "indices").unwrap());
        let corners = indices.into_iter().map(|index| places[index as usize]);
        let rounded = corners.map(|place| place.map(|part| (part * 50.0).round() as i32));
        all.entry(name).or_default().extend(rounded);
    }
    all.values_mut().for_each(|corners| corners.sort_unstable());
    all
}

#[test]
fn surfaces_that_another_program_swaps_are_packed_or_refused() {
    let (mut packed, mut refused) = (0, 0);
    for archive in ["dell.s3d", "dell_obj.s3d", "dell_chr.s3d"] {
        let place = sample();
        for path in scenes(&place, archive) {
            let mut scene = Scene::open(&place.out(&path));
            let files = [path.clone(), path.replace(".gltf", ".bin")].map(|path| place.out(&path));
            let before = files.clone().map(|file| std::fs::read(file).unwrap());
            let meshes = scene.json["meshes"].as_array().cloned().unwrap_or_default();
            let name = |material: &serde_json::Value| {
                let number = material.as_u64()? as usize;
                scene.json["materials"][number]["name"].as_str()
            };
            let swapped = meshes.iter().enumerate().find_map(|(mesh, own)| {
                let parts = own["primitives"].as_array()?;
                let first = name(&parts[0]["material"])?;
                let other = parts
                    .iter()
                    .position(|part| name(&part["material"]).is_some_and(|other| other != first))?;
                Some((mesh, other))
            });
            let Some((mesh, other)) = swapped else {
                continue;
            };
            rewrite(&mut scene, true);
            let parts = &mut scene.json["meshes"][mesh]["primitives"];
            let (one, two) = (
                parts[0]["material"].clone(),
                parts[other]["material"].clone(),
            );
            (parts[0]["material"], parts[other]["material"]) = (two, one);
            scene.save();
            let result = pack(&place.request()).unwrap();
            if result.refused.is_empty() {
                packed += 1;
                place.convert_packed();
                let after = Scene::open(&place.path("after").join(&path));
                assert_eq!(assigned(&after, mesh), assigned(&scene, mesh), "{path}");
                break;
            }
            refused += 1;
            for (file, bytes) in files.iter().zip(&before) {
                std::fs::write(file, bytes).unwrap();
            }
        }
    }
    assert!(
        packed + refused >= 2,
        "{packed} were packed, {refused} were refused"
    );
}

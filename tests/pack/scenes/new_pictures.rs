//! New pictures beside scenes of EverQuest: they go into the archive of the scene.

use std::fs;

use relicast::asset::Game;
use relicast::pack::{Only, pack};
use relicast_testing::test;
use serde_json::json;

use crate::common::contents;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

/// The world of the sample, and a picture that its own archive stores, by the number of its material.
fn world() -> (Place, String, usize, String) {
    let place = Place::new(&relicast_samples::files(Game::Eq, 1).unwrap());
    let path = "worlds/dell.gltf".to_owned();
    let scene = Scene::open(&place.out(&path));
    let materials = scene.json["materials"].as_array().unwrap();
    let found = (0..materials.len()).find_map(|material| {
        let uri = uri_of(&scene, material)?;
        uri.starts_with("../textures/dell/")
            .then_some((material, uri))
    });
    let (material, uri) = found.unwrap();
    (place, path, material, uri)
}

/// The path of the picture of a material, from the scene.
fn uri_of(scene: &Scene, material: usize) -> Option<String> {
    let index = |value: &serde_json::Value| Some(value.as_u64()? as usize);
    let texture = &scene.json["materials"][material]["pbrMetallicRoughness"]["baseColorTexture"];
    let image = index(&scene.json["textures"][index(&texture["index"])?]["source"])?;
    scene.json["images"][image]["uri"]
        .as_str()
        .map(str::to_owned)
}

/// Makes a material show the picture at a path from the scene.
fn show(scene: &mut Scene, material: usize, uri: &str) {
    let push = |scene: &mut Scene, list: &str, value| {
        let list = scene.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    };
    let image = push(scene, "images", json!({"uri": uri}));
    let texture = push(scene, "textures", json!({"source": image, "sampler": 0}));
    let info = &mut scene.json["materials"][material]["pbrMetallicRoughness"]["baseColorTexture"];
    info["index"] = texture.into();
}

#[test]
fn a_picture_beside_a_scene_goes_into_its_archive() {
    let (place, path, material, _) = world();
    let mut scene = Scene::open(&place.out(&path));
    show(&mut scene, material, "fresh.png");
    scene.save();
    let picture = image::RgbaImage::from_pixel(16, 16, image::Rgba([200, 10, 40, 255]));
    picture.save(place.out("worlds/fresh.png")).unwrap();
    let packed = place.pack();
    assert_eq!(packed.strangers, [""; 0]);
    let files: Vec<_> = packed.files.iter().map(|(file, _)| &**file).collect();
    assert_eq!(files, ["dell.s3d"]);

    place.convert_packed();
    let after = Scene::open(&place.path("after").join(&path));
    let uri = uri_of(&after, material).unwrap();
    assert_eq!(uri, "../textures/dell/fresh.png");
    let stored = image::open(place.path("after/textures/dell/fresh.png"));
    assert_eq!(stored.unwrap().into_rgba8(), picture);

    // It stays when something else is packed later.
    let before = contents(&place.path("mod"));
    fs::remove_file(place.out("worlds/fresh.png")).unwrap();
    let mut request = place.request();
    let only = "textures/dell_obj/*.png";
    request.only = Some(Only::new([only]).unwrap());
    assert_eq!(pack(&request).unwrap().refused, []);
    assert_eq!(contents(&place.path("mod")), before);
}

#[test]
fn a_copy_of_a_picture_beside_a_scene_is_no_new_picture() {
    let (place, path, material, uri) = world();
    let mut scene = Scene::open(&place.out(&path));
    scene.json["asset"]["generator"] = "Khronos glTF Blender I/O v4.2.60".into();
    let name = uri.rsplit('/').next().unwrap();
    show(&mut scene, material, name);
    let from = place.out(&format!("textures/dell/{name}"));
    fs::copy(from, place.out(&format!("worlds/{name}"))).unwrap();
    scene.save();
    let packed = place.pack();
    assert_eq!(packed.files, []);
    assert_eq!(packed.strangers, [""; 0]);

    // One that was painted is named.
    let picture = image::RgbaImage::from_pixel(16, 16, image::Rgba([200, 10, 40, 255]));
    picture.save(place.out(&format!("worlds/{name}"))).unwrap();
    let packed = place.pack();
    assert_eq!(packed.files, []);
    let edit = packed.edits.iter().find(|edit| edit.output == path);
    let said = edit.and_then(|edit| edit.rounding.clone()).unwrap();
    assert!(said.contains(&format!("textures/dell/{name}")), "{said}");
}

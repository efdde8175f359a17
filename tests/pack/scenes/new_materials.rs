//! Materials that an edit adds, with pictures that no texture package has yet.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use relicast::asset::Game;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::GAMES;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;
use crate::scenes::triangles::{all, candidates};

/// A picture of one color, as a PNG.
fn png(color: [u8; 4]) -> Vec<u8> {
    let picture = image::RgbaImage::from_pixel(8, 8, image::Rgba(color));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

/// A world of a game, its scene, and a mesh of it that has texture coordinates.
fn world(game: Game) -> (Place, String, usize) {
    let place = Place::new(&relicast_samples::files(game, 1).unwrap());
    let mut scenes = place.scenes().into_iter();
    let path = scenes
        .find(|it| it.path.starts_with("worlds/"))
        .unwrap()
        .path;
    let scene = Scene::open(&place.out(&path));
    let has_uvs = |mesh: &usize| scene.attribute(*mesh, 0, "TEXCOORD_0").is_some();
    let mesh = candidates(&scene).into_iter().find(has_uvs).unwrap();
    (place, path, mesh)
}

/// Adds a material with a picture to a scene and gives it to the first primitive of a mesh.
fn give(scene: &mut Scene, mesh: usize, material: &Value, image: &Value) {
    let push = |scene: &mut Scene, list: &str, value: Value| {
        let list = scene.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    };
    let image = push(scene, "images", image.clone());
    let texture = push(scene, "textures", json!({"source": image}));
    let mut material = material.clone();
    material["pbrMetallicRoughness"]["baseColorTexture"] = json!({"index": texture});
    let number = push(scene, "materials", material);
    scene.json["meshes"][mesh]["primitives"][0]["material"] = number.into();
}

/// The path of the picture of a material, below the folder of the outputs.
fn picture_of(folder: &Path, path: &str, name: &str) -> image::RgbaImage {
    let scene = Scene::open(&folder.join(path));
    let materials = scene.json["materials"].as_array().unwrap();
    let is_it = |material: &&Value| material["name"].as_str().unwrap().starts_with(name);
    let material = materials.iter().find(is_it).unwrap();
    let index = |value: &Value| value.as_u64().unwrap() as usize;
    let texture = index(&material["pbrMetallicRoughness"]["baseColorTexture"]["index"]);
    let image = index(&scene.json["textures"][texture]["source"]);
    let uri = scene.json["images"][image]["uri"].as_str().unwrap();
    let file = folder.join(path).parent().unwrap().join(uri);
    image::open(file).unwrap().into_rgba8()
}

#[test]
fn a_new_material_takes_its_picture_along() {
    for game in GAMES {
        let (place, path, mesh) = world(game);
        let mut scene = Scene::open(&place.out(&path));
        let before = all(&scene);
        let beside = place.out(&path).parent().unwrap().join("Rust.png");
        fs::write(beside, png([200, 96, 32, 255])).unwrap();
        let material = json!({"name": "rusty iron", "doubleSided": game == Game::Cs});
        give(
            &mut scene,
            mesh,
            &material,
            &json!({"uri": "Rust.png", "name": "Rust"}),
        );
        scene.save();
        let packed = place.pack();
        assert_eq!(packed.files.len(), 2, "{game:?}: {:?}", packed.files);
        let said = packed.edits[0].rounding.clone().unwrap();
        assert!(said.contains("added: material rust"), "{said}");
        place.convert_packed();
        let picture = picture_of(&place.path("after"), &path, "rust");
        let [red, green, blue, _] = picture.get_pixel(3, 3).0;
        let near = |one: u8, other: u8| one.abs_diff(other) < 9;
        assert!(
            near(red, 200) && near(green, 96) && near(blue, 32),
            "{game:?} {red} {green}"
        );
        let after = all(&Scene::open(&place.path("after").join(&path)));
        let changed = scene.json["meshes"][mesh]["name"].as_str().unwrap();
        for (name, triangles) in before {
            if name != changed {
                assert_eq!(after[&name], triangles, "{game:?} {name}");
            }
        }
    }
}

#[test]
fn a_picture_inside_the_file_is_taken_too() {
    let (place, path, mesh) = world(Game::Mw);
    let mut scene = Scene::open(&place.out(&path));
    let bytes = base64::engine::general_purpose::STANDARD.encode(png([16, 160, 240, 255]));
    let image = json!({"uri": format!("data:image/png;base64,{bytes}"), "name": "sign"});
    give(&mut scene, mesh, &json!({"name": "sign"}), &image);
    scene.json["asset"]["generator"] = "by hand".into();
    scene.save();
    place.pack();
    place.convert_packed();
    let picture = picture_of(&place.path("after"), &path, "sign");
    assert!(picture.get_pixel(0, 0).0[2] > 230);
}

#[test]
fn a_new_material_that_the_game_cannot_store_is_refused_by_name() {
    let refused = |material: Value, name: &str| {
        let (place, path, mesh) = world(Game::Pm);
        let mut scene = Scene::open(&place.out(&path));
        let beside = place.out(&path).parent().unwrap().join(name);
        fs::write(beside, png([1, 2, 3, 255])).unwrap();
        give(&mut scene, mesh, &material, &json!({"uri": name}));
        scene.save();
        let refused = place.refused();
        refused[0].1.clone()
    };
    let tinted =
        json!({"name": "new", "pbrMetallicRoughness": {"baseColorFactor": [1.0, 0.5, 0.5, 1.0]}});
    let reason = refused(tinted, "paint.png");
    assert!(reason.contains("make its base color white"), "{reason}");
    let reason = refused(json!({"name": "new"}), "a name that is too long.png");
    assert!(reason.contains("1 to 19 letters"), "{reason}");
    let known = relicast_samples::files(Game::Pm, 1).unwrap();
    assert!(!known.is_empty());
    let reason = refused(json!({"name": "new"}), "tile_001.png");
    assert!(reason.contains("the install has"), "{reason}");
}

//! Scenes that were exported as `.glb`, the default of many programs, beside the `.gltf` that was converted.

use std::fs;
use std::io::Cursor;

use relicast::asset::Game;
use relicast::config::SceneContainer;
use relicast::pack::{Destination, pack};
use relicast_testing::test;
use serde_json::json;

use crate::common::contents;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

/// Raises a node of the game file.
fn raise(scene: &mut Scene) {
    let mut shown = scene.shown().into_iter();
    let is_placed = |node: &usize| {
        let facts = &scene.nodes()[*node]["extras"];
        let eq = &facts["everquest"];
        (eq["file"] == "objects.wld" && eq["index"].is_u64())
            || (eq["index"].is_u64() && eq["file"].is_null() && facts["zipper"].is_null())
    };
    let placed = shown.find(is_placed);
    let node = placed.unwrap_or_else(|| scene.objects().pop().unwrap());
    let mut at = scene.vector(node, "translation", [0.0; 3]);
    at[1] += 2.0;
    scene.set(node, "translation", at);
}

/// A world of each kind of scenes, and its path.
fn places() -> Vec<(Place, String)> {
    let kinds = [Game::Rc, Game::Mw, Game::Pm, Game::Cs, Game::Eq];
    let places = kinds.map(|game| {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        let outputs = place.manifest().outputs.into_iter();
        let mut worlds = outputs.filter(|output| {
            output.path.starts_with("worlds/")
                && output.path.ends_with(".gltf")
                && !output.path.ends_with(".hidden.gltf")
        });
        let path = worlds.next().unwrap().path;
        (place, path)
    });
    places.into()
}

/// The game files of a pack into a folder of this name.
fn packed(place: &Place, folder: &str) -> Vec<(String, Vec<u8>)> {
    let mut request = place.request();
    request.to = Destination::Folder(place.path(folder));
    let packed = pack(&request).unwrap();
    assert_eq!(packed.refused, []);
    assert_eq!(packed.strangers, [""; 0]);
    assert_eq!(packed.missing, [""; 0]);
    if packed.files.is_empty() {
        return Vec::new();
    }
    let files = contents(&place.path(folder)).into_iter();
    files
        .filter(|(path, _)| packed.files.iter().any(|(file, _)| file == path))
        .collect()
}

#[test]
fn a_glb_beside_a_scene_is_packed_as_its_edit() {
    for (place, path) in places() {
        let text = place.out(&path);
        let original = Scene::open(&text);
        let mut edited = Scene::open(&text);
        raise(&mut edited);
        edited.save();
        let wanted = packed(&place, "wanted");
        assert_eq!(wanted.len(), 1, "{path}");

        original.save();
        let glb = text.with_extension("glb");
        fs::write(&glb, edited.to_glb()).unwrap();
        assert_eq!(packed(&place, "beside"), wanted, "{path}");

        // In place of the .gltf and its buffer.
        fs::remove_file(&text).unwrap();
        fs::remove_file(text.with_extension("bin")).unwrap();
        assert_eq!(packed(&place, "alone"), wanted, "{path}");

        // Both have edits.
        edited.save();
        let (output, reason) = place.refused().remove(0);
        assert_eq!(output, path);
        let name = glb.file_name().unwrap().to_str().unwrap();
        assert!(
            reason.contains(name) && reason.contains("delete"),
            "{reason}"
        );
    }
}

#[test]
fn pictures_inside_of_a_glb_are_those_of_the_original() {
    for (place, path) in places() {
        let text = place.out(&path);
        let mut edited = Scene::open(&text);
        edited.json["asset"]["generator"] = "Khronos glTF Blender I/O v4.2.60".into();
        edited.embed_pictures();
        let glb = text.with_extension("glb");
        fs::write(&glb, edited.to_glb()).unwrap();
        assert_eq!(packed(&place, "unedited"), [], "{path}");
        raise(&mut edited);
        fs::write(&glb, edited.to_glb()).unwrap();
        assert_eq!(packed(&place, "edited").len(), 1, "{path}");
    }
}

#[test]
fn a_gltf_beside_a_glb_is_packed_as_its_edit() {
    let files = relicast_samples::files(Game::Mw, 1).unwrap();
    let text = Place::new(&files);
    let path = text.scenes().remove(0).path;
    let mut edited = Scene::open(&text.out(&path));
    raise(&mut edited);
    edited.save();
    let wanted = packed(&text, "wanted");

    let binary = Place::with(&files, |config| {
        config.scenes.container = SceneContainer::Glb
    });
    for extension in ["gltf", "bin"] {
        let from = text.out(&path).with_extension(extension);
        fs::copy(from, binary.out(&path).with_extension(extension)).unwrap();
    }
    assert_eq!(packed(&binary, "beside"), wanted);
}

/// Gives the first pictured material of a scene another picture of the scene.
fn show_another(scene: &mut Scene) {
    let key = "/pbrMetallicRoughness/baseColorTexture/index";
    let materials = scene.json["materials"].as_array().unwrap();
    let shown: Vec<u64> = materials
        .iter()
        .filter_map(|it| it.pointer(key)?.as_u64())
        .collect();
    let images = scene.json["images"].as_array().unwrap().len() as u64;
    let source = |texture: u64| scene.json["textures"][texture as usize]["source"].clone();
    let is_other = |texture: &u64| source(*texture) != source(shown[0]);
    let other = (0..images).find(is_other).unwrap();
    let materials = scene.json["materials"].as_array_mut().unwrap();
    let mut pictured = materials.iter_mut().filter_map(|it| it.pointer_mut(key));
    *pictured.next().unwrap() = other.into();
}

#[test]
fn a_material_of_a_glb_gets_another_picture_as_one_of_a_gltf_does() {
    let kinds = [
        (Game::Rc, "worlds/zbd/m1/gamez"),
        (Game::Eq, "worlds/dell"),
        (Game::Eq, "worlds/mill"),
        (Game::Eq, "models/mill/ox"),
    ];
    for (game, scene) in kinds {
        let files = relicast_samples::files(game, 1).unwrap();
        let places = [
            Place::new(&files),
            Place::with(&files, |config| {
                config.scenes.container = SceneContainer::Glb;
            }),
        ];
        let [text, binary] = ["gltf", "glb"].map(|extension| format!("{scene}.{extension}"));
        let mut edited = Scene::open(&places[0].out(&text));
        show_another(&mut edited);
        edited.save();
        let wanted = packed(&places[0], "wanted");
        assert!(!wanted.is_empty(), "{scene}");

        let mut edited = Scene::open(&places[1].out(&binary));
        show_another(&mut edited);
        edited.save();
        assert_eq!(packed(&places[1], "packed"), wanted, "{scene}");
    }
}

/// Puts other pixels in place of the picture of the first pictured material, inside of the file.
fn paint(scene: &mut Scene) {
    let materials = scene.json["materials"].as_array().unwrap();
    let key = "/pbrMetallicRoughness/baseColorTexture/index";
    let texture = materials.iter().find_map(|it| it.pointer(key)?.as_u64());
    let image = &scene.json["textures"][texture.unwrap() as usize]["source"];
    let image = image.as_u64().unwrap() as usize;
    let mut png = Vec::new();
    let red = image::RgbImage::from_pixel(64, 64, image::Rgb([255, 32, 32]));
    red.write_to(&mut Cursor::new(&mut png), image::ImageFormat::Png)
        .unwrap();
    scene.bin.resize(scene.bin.len().next_multiple_of(4), 0);
    let views = scene.json["bufferViews"].as_array_mut().unwrap();
    views.push(json!({"buffer": 0, "byteOffset": scene.bin.len(), "byteLength": png.len()}));
    let view = views.len() - 1;
    scene.bin.extend(png);
    scene.json["images"][image]["bufferView"] = view.into();
    scene.json["buffers"][0]["byteLength"] = scene.bin.len().into();
}

#[test]
fn pixels_that_were_painted_inside_of_a_glb_are_named() {
    for (game, scene) in [
        (Game::Rc, "worlds/zbd/m1/gamez.glb"),
        (Game::Eq, "worlds/dell.glb"),
        (Game::Eq, "models/mill/ox.glb"),
    ] {
        let files = relicast_samples::files(game, 1).unwrap();
        for generator in [
            None,
            Some("Khronos glTF Blender I/O v4.2.60"),
            Some("glTF-Transform v4.5.1"),
        ] {
            let place = Place::with(&files, |config| {
                config.scenes.container = SceneContainer::Glb;
            });
            let mut edited = Scene::open(&place.out(scene));
            paint(&mut edited);
            if let Some(generator) = generator {
                edited.json["asset"]["generator"] = generator.into();
            }
            edited.save();
            let packed = place.pack();
            let said = packed.edits.iter().find_map(|edit| edit.rounding.clone());
            let said = said.unwrap_or_default();
            assert!(
                said.contains("other pixels of"),
                "{scene}, {generator:?}: {packed:?}"
            );
            assert!(said.contains("paint them in textures/"), "{said}");
        }
    }
}

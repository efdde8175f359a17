//! Materials that an edit adds, with pictures that no texture package has yet.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use relicast::asset::Game;
use relicast::pack::pack;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::GAMES;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;
use crate::scenes::triangles::{WrittenTriangle, all, candidates, read, write};

/// A picture of one color, as a PNG.
pub fn png(color: [u8; 4]) -> Vec<u8> {
    let picture = image::RgbaImage::from_pixel(8, 8, image::Rgba(color));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

/// A world of a game, its scene, and a mesh of it that has texture coordinates, with light if it has one.
fn world(game: Game) -> (Place, String, usize) {
    let place = Place::new(&relicast_samples::files(game, 1).unwrap());
    let mut scenes = place.scenes().into_iter();
    let path = scenes
        .find(|it| it.path.starts_with("worlds/"))
        .unwrap()
        .path;
    let scene = Scene::open(&place.out(&path));
    let has_uvs = |mesh: &usize| scene.attribute(*mesh, 0, "TEXCOORD_0").is_some();
    let is_lit = |mesh: &usize| {
        let material = &scene.json["meshes"][*mesh]["primitives"][0]["material"];
        let material = &scene.json["materials"][material.as_u64().unwrap() as usize];
        material["extensions"]["KHR_materials_unlit"].is_null()
    };
    let meshes: Vec<usize> = candidates(&scene).into_iter().filter(has_uvs).collect();
    let mesh = meshes.iter().copied().find(is_lit).unwrap_or(meshes[0]);
    (place, path, mesh)
}

/// Adds a material with a picture to a scene and gives it to the first primitive of a mesh.
pub fn give(scene: &mut Scene, mesh: usize, material: &Value, image: &Value) {
    let push = |scene: &mut Scene, list: &str, value: Value| {
        let list = scene.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    };
    let image = push(scene, "images", image.clone());
    let texture = push(scene, "textures", json!({"source": image}));
    let mut material = material.clone();
    material["pbrMetallicRoughness"]["baseColorTexture"]["index"] = texture.into();
    let number = push(scene, "materials", material);
    scene.json["meshes"][mesh]["primitives"][0]["material"] = number.into();
}

/// A material of a scene by the start of its name.
fn stored(scene: &Scene, name: &str) -> Value {
    let materials = scene.json["materials"].as_array().unwrap();
    let is_it = |material: &&Value| material["name"].as_str().unwrap().starts_with(name);
    materials.iter().find(is_it).unwrap().clone()
}

/// The path of the picture of a material, from the scene.
fn uri_of(scene: &Scene, material: &Value) -> String {
    let index = |value: &Value| value.as_u64().unwrap() as usize;
    let texture = index(&material["pbrMetallicRoughness"]["baseColorTexture"]["index"]);
    let image = index(&scene.json["textures"][texture]["source"]);
    let uri = scene.json["images"][image]["uri"].as_str().unwrap();
    uri.to_owned()
}

/// The picture of a material of a scene in a folder of outputs.
fn picture_of(folder: &Path, path: &str, name: &str) -> image::RgbaImage {
    let scene = Scene::open(&folder.join(path));
    let uri = uri_of(&scene, &stored(&scene, name));
    let file = folder.join(path).parent().unwrap().join(uri);
    image::open(file).unwrap().into_rgba8()
}

/// Every texel has a color, as far as 16 bits can hold it, and is opaque.
fn assert_color(picture: &image::RgbaImage, color: [u8; 3]) {
    assert_eq!(picture.dimensions(), (8, 8));
    for texel in picture.pixels() {
        let [shown @ .., alpha] = texel.0;
        let is_near = shown.iter().zip(color).all(|(a, b)| a.abs_diff(b) < 9);
        assert!(is_near && alpha == 255, "{texel:?} {color:?}");
    }
}

/// Puts a picture of one color beside a scene, perhaps in a folder.
fn put(place: &Place, path: &str, name: &str, color: [u8; 4]) {
    let file = place.out(path).parent().unwrap().join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, png(color)).unwrap();
}

/// Positions and texture coordinates, in any order.
fn corners(triangles: &[WrittenTriangle]) -> Vec<String> {
    let mut all: Vec<String> = triangles.iter().map(|it| format!("{:?}", it.1)).collect();
    all.sort();
    all
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
        assert_eq!(
            packed.strangers,
            Vec::<String>::new(),
            "the picture is packed"
        );
        let said = packed.edits[0].rounding.clone().unwrap();
        assert!(said.contains("added: material rust"), "{said}");
        place.convert_packed();
        let picture = picture_of(&place.path("after"), &path, "rust");
        assert_color(&picture, [200, 96, 32]);
        let shown = Scene::open(&place.path("after").join(&path));
        let rust = stored(&shown, "rust");
        assert_eq!(rust["doubleSided"] == true, game == Game::Cs, "{game:?}");
        let after = all(&shown);
        let changed = scene.json["meshes"][mesh]["name"].as_str().unwrap();
        assert_eq!(
            corners(&after[changed]),
            corners(&before[changed]),
            "{game:?}: same triangles"
        );
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
    assert_color(&picture, [16, 160, 240]);
}

/// The reason why a material on faces of a sample is refused, with a picture beside the scene.
fn refused(material: &Value, name: &str, color: [u8; 4]) -> String {
    let (place, path, mesh) = world(Game::Rc);
    let mut scene = Scene::open(&place.out(&path));
    put(&place, &path, name, color);
    give(&mut scene, mesh, material, &json!({"uri": name}));
    scene.save();
    let refused = place.refused();
    refused[0].1.clone()
}

#[test]
fn what_the_game_cannot_store_of_a_new_material_is_refused_by_name() {
    let opaque = [1, 2, 3, 255];
    let moved = json!({"KHR_texture_transform": {"scale": [2.0, 2.0]}});
    for (material, color, reason) in [
        (
            json!({"alphaMode": "MASK"}),
            [9, 9, 9, 99],
            "its alpha mode is MASK",
        ),
        (
            json!({"extensions": {"KHR_materials_unlit": {}}}),
            opaque,
            "KHR_materials_unlit",
        ),
        (
            json!({"emissiveFactor": [1.0, 0.0, 0.0]}),
            opaque,
            "emissiveFactor",
        ),
        (
            json!({"extensions": {"KHR_materials_clearcoat": {"clearcoatFactor": 1.0}}}),
            opaque,
            "KHR_materials_clearcoat",
        ),
        (
            json!({"extras": {"zipper": {"soil": {"id": 3}}}}),
            opaque,
            "extras.zipper.soil",
        ),
        (
            json!({"pbrMetallicRoughness": {"baseColorTexture": {"extensions": moved}}}),
            opaque,
            "move the texture coordinates",
        ),
        (
            json!({"pbrMetallicRoughness": {"baseColorTexture": {"texCoord": 1}}}),
            opaque,
            "first UV map",
        ),
    ] {
        let mut material = material;
        material["name"] = "fresh".into();
        let found = refused(&material, "paint.png", color);
        assert!(
            found.contains(reason) && found.contains("(fresh)"),
            "{material}: {found}"
        );
    }
    let long = refused(
        &json!({"name": "fresh"}),
        "a name that is too long.png",
        opaque,
    );
    assert!(long.contains("1 to 19 letters"), "{long}");
}

#[test]
fn alpha_modes_that_show_the_same_are_packed_and_what_programs_add_is_reported() {
    for (mode, color) in [
        ("BLEND", [9, 9, 9, 255]),
        ("BLEND", [9, 9, 9, 0]),
        ("MASK", [9, 9, 9, 0]),
    ] {
        let (place, path, mesh) = world(Game::Mw);
        let mut scene = Scene::open(&place.out(&path));
        put(&place, &path, "paint.png", color);
        let material = json!({
            "name": "fresh",
            "alphaMode": mode,
            "pbrMetallicRoughness": {"metallicFactor": 0.25, "roughnessFactor": 0.125},
            "extensions": {"KHR_materials_ior": {"ior": 1.25}},
        });
        give(&mut scene, mesh, &material, &json!({"uri": "paint.png"}));
        scene.save();
        let said = place.pack().edits[0].rounding.clone().unwrap();
        assert!(
            said.contains("without metalness, roughness, refraction"),
            "{mode} {said}"
        );
    }
}

/// Two materials of a world with a picture each.
fn with_two(game: Game, pictures: [(&str, [u8; 4]); 2]) -> (Place, String) {
    let (place, path, _) = world(game);
    let mut scene = Scene::open(&place.out(&path));
    let has_uvs = |mesh: &usize| scene.attribute(*mesh, 0, "TEXCOORD_0").is_some();
    let meshes: Vec<usize> = candidates(&scene).into_iter().filter(has_uvs).collect();
    for (&mesh, (name, color)) in meshes.iter().zip(pictures) {
        put(&place, &path, name, color);
        let material = json!({"name": format!("of {name}")});
        give(&mut scene, mesh, &material, &json!({"uri": name}));
    }
    scene.save();
    (place, path)
}

#[test]
fn new_pictures_of_one_name_are_refused_unless_they_are_one() {
    for game in GAMES {
        let (red, blue) = ([240, 0, 0, 255], [0, 0, 240, 255]);
        for other in ["two/rust.png", "two/Rust.PNG"] {
            let (place, _) = with_two(game, [("one/rust.png", red), (other, blue)]);
            let refused = place.refused();
            assert!(
                refused[0].1.contains("give one of them another name"),
                "{refused:?}"
            );
        }
        let (place, path) = with_two(game, [("one/rust.png", red), ("two/rust.png", red)]);
        place.pack();
        place.convert_packed();
        assert_color(
            &picture_of(&place.path("after"), &path, "rust"),
            [240, 0, 0],
        );
        let (place, path) = with_two(game, [("one/rust.png", red), ("two/gold.png", blue)]);
        place.pack();
        place.convert_packed();
        assert_color(
            &picture_of(&place.path("after"), &path, "rust"),
            [240, 0, 0],
        );
        assert_color(
            &picture_of(&place.path("after"), &path, "gold"),
            [0, 0, 240],
        );
    }
}

#[test]
fn the_picture_of_a_new_material_decides_not_its_name() {
    for game in GAMES {
        let (place, path, mesh) = world(game);
        let original = Scene::open(&place.out(&path));
        let known =
            |material: &&Value| !material["pbrMetallicRoughness"]["baseColorTexture"].is_null();
        let materials = original.json["materials"].as_array().unwrap();
        let textured: Vec<&Value> = materials.iter().filter(known).collect();
        let name = textured[0]["name"].as_str().unwrap();
        let uri = uri_of(&original, textured[0]);
        let file = uri.rsplit('/').next().unwrap();
        let bytes_of = fs::read(place.out(&path).parent().unwrap().join(&uri)).unwrap();
        // It has the name of a material, and a picture of its own.
        let own = |name: &str, image: &str, bytes: Option<&[u8]>| {
            let mut scene = Scene::open(&place.out(&path));
            let beside = place.out(&path).parent().unwrap().join(image);
            fs::write(
                &beside,
                bytes.map_or_else(|| png([8, 200, 8, 255]), <[u8]>::to_vec),
            )
            .unwrap();
            give(
                &mut scene,
                mesh,
                &json!({"name": name}),
                &json!({"uri": image}),
            );
            scene.save();
            let packed = pack(&place.request()).unwrap();
            original.save();
            packed
        };
        let packed = own(&format!("{name}.001"), "moss.png", None);
        assert_eq!(packed.refused, [], "{game:?}");
        place.convert_packed();
        assert_color(
            &picture_of(&place.path("after"), &path, "moss"),
            [8, 200, 8],
        );
        fs::remove_dir_all(place.path("mod")).unwrap();
        // Its picture has the name of a texture, and other texels.
        let packed = own("new", file, None);
        let refused = packed.refused[0].1.to_string();
        assert!(refused.contains("the install has"), "{game:?} {refused}");
        // Its picture is a copy of a texture.
        let packed = own("new", file, Some(&bytes_of));
        assert_eq!(packed.refused, [], "{game:?}");
        assert_eq!(
            packed.files.len(),
            1,
            "{game:?}: no texture package changes"
        );
    }
}

#[test]
fn a_new_material_of_a_color_is_packed() {
    for game in GAMES {
        let (place, path, mesh) = world(game);
        let mut scene = Scene::open(&place.out(&path));
        let materials = scene.json["materials"].as_array_mut().unwrap();
        materials.push(json!({
            "name": "gold",
            "pbrMetallicRoughness": {"baseColorFactor": [0.8, 0.4, 0.1, 1.0], "metallicFactor": 0.0},
        }));
        let number = materials.len() - 1;
        scene.json["meshes"][mesh]["primitives"][0]["material"] = number.into();
        scene.save();
        place.pack();
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(&path));
        let found = stored(&after, "color_e7a959");
        let color = found["pbrMetallicRoughness"]["baseColorFactor"]
            .as_array()
            .unwrap();
        for (found, wanted) in color.iter().zip([0.8, 0.4, 0.1, 1.0]) {
            assert!(
                (found.as_f64().unwrap() - wanted).abs() < 1e-3,
                "{game:?}: {color:?}"
            );
        }
    }
}

#[test]
fn a_material_of_the_game_gets_a_new_picture() {
    let picture = png([200, 40, 40, 255]);
    let bytes = base64::engine::general_purpose::STANDARD.encode(&picture);
    let inside = json!({"uri": format!("data:image/png;base64,{bytes}"), "name": "fresh"});
    let beside = json!({"uri": "fresh.png"});
    for (game, image) in GAMES
        .into_iter()
        .flat_map(|game| [(game, &beside), (game, &inside)])
    {
        let (place, path, mesh) = world(game);
        let mut scene = Scene::open(&place.out(&path));
        let number = &scene.json["meshes"][mesh]["primitives"][0]["material"];
        let number = number.as_u64().unwrap() as usize;
        let images = scene.json["images"].as_array_mut().unwrap();
        images.push(image.clone());
        let image_number = images.len() - 1;
        let info = &scene.json["materials"][number]["pbrMetallicRoughness"]["baseColorTexture"];
        let texture = info["index"].as_u64().unwrap() as usize;
        let mut texture = scene.json["textures"][texture].clone();
        texture["source"] = image_number.into();
        let textures = scene.json["textures"].as_array_mut().unwrap();
        textures.push(texture);
        let texture = textures.len() - 1;
        let surface = &mut scene.json["materials"][number]["pbrMetallicRoughness"];
        surface["baseColorTexture"]["index"] = texture.into();
        scene.save();
        if *image == beside {
            fs::write(place.out(&path).with_file_name("fresh.png"), &picture).unwrap();
        }
        let packed = place.pack();
        assert_eq!(packed.strangers, [""; 0], "{game:?}");
        assert_eq!(packed.files.len(), 2, "{game:?}: the world and a package");
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(&path));
        let uri = uri_of(&after, &stored(&after, "fresh"));
        assert!(uri.ends_with("/fresh.png"), "{game:?}: {uri}");
    }
}

/// The first texel of the only picture of a scene whose name ends so.
fn painted(place: &Place, path: &str, ending: &str) -> [u8; 4] {
    place.convert_packed();
    let after = place.path("after");
    let scene = Scene::open(&after.join(path));
    let images = scene.json["images"].as_array().unwrap();
    let mut uris = images.iter().filter_map(|image| image["uri"].as_str());
    let uri = uris.find(|uri| uri.ends_with(&format!("{ending}.png")));
    let uri = uri.unwrap_or_else(|| panic!("{ending}: {images:?}"));
    let picture = image::open(after.join(path).parent().unwrap().join(uri)).unwrap();
    picture.into_rgba8().get_pixel(0, 0).0
}

#[test]
fn the_color_of_a_picture_is_painted_into_a_new_picture() {
    for game in GAMES {
        let (place, path, mesh) = world(game);
        let mut scene = Scene::open(&place.out(&path));
        let number = &scene.json["meshes"][mesh]["primitives"][0]["material"];
        let number = number.as_u64().unwrap() as usize;
        let uri = uri_of(&scene, &scene.json["materials"][number]);
        let file = place.out(&path).parent().unwrap().join(uri);
        let [_, green, ..] = image::open(file).unwrap().into_rgba8().get_pixel(0, 0).0;
        let material = &mut scene.json["materials"][number];
        material["pbrMetallicRoughness"]["baseColorFactor"] = json!([1.0, 0.25, 1.0, 1.0]);
        scene.save();
        let packed = place.pack();
        let said = packed.edits[0].rounding.clone().unwrap();
        assert!(said.contains("without color, so the new picture"), "{said}");
        let [_, shown, ..] = painted(&place, &path, "_tff89ff");
        let light = |level: u8| relicast_scene::space::linear_from_srgb(f32::from(level));
        let wanted = relicast_scene::space::srgb_from_linear(light(green) * 0.25) * 255.0;
        assert!(
            (f32::from(shown) - wanted).abs() < 9.0,
            "{game:?}: {shown} {wanted}"
        );
    }
}

#[test]
fn a_picture_is_painted_and_its_mesh_gets_other_triangles_in_one_step() {
    for game in GAMES {
        let (place, path, mesh) = world(game);
        let mut scene = Scene::open(&place.out(&path));
        let number = &scene.json["meshes"][mesh]["primitives"][0]["material"];
        let number = number.as_u64().unwrap() as usize;
        let material = &mut scene.json["materials"][number];
        material["pbrMetallicRoughness"]["baseColorFactor"] = json!([1.0, 0.25, 1.0, 1.0]);
        let mut shape = read(&scene, mesh, 0);
        let [a, b, c] = [shape[0], shape[1], shape[2]];
        shape.extend([a, b, a.between(b).between(c)]);
        write(&mut scene, mesh, 0, &shape);
        let wanted = all(&scene);
        scene.save();
        place.pack();
        painted(&place, &path, "_tff89ff");
        let after = Scene::open(&place.path("after").join(&path));
        let [wanted, found] = [wanted, all(&after)].map(|mut all| {
            let name = scene.json["meshes"][mesh]["name"].as_str().unwrap();
            corners(&all.remove(name).unwrap())
        });
        assert_eq!(wanted, found, "{game:?}");
    }
}

#[test]
fn opacity_and_unused_alpha_are_painted_into_a_new_picture() {
    let give_new = |values: Value, color: [u8; 4], ending: &str| {
        let (place, path, mesh) = world(Game::Mw);
        let mut scene = Scene::open(&place.out(&path));
        put(&place, &path, "paint.png", color);
        give(&mut scene, mesh, &values, &json!({"uri": "paint.png"}));
        scene.save();
        place.pack();
        painted(&place, &path, ending)
    };
    let faint = json!({
        "name": "faint",
        "alphaMode": "BLEND",
        "pbrMetallicRoughness": {"baseColorFactor": [1.0, 1.0, 1.0, 0.5]},
    });
    assert_eq!(give_new(faint, [255; 4], "paint_a80"), [255, 255, 255, 128]);
    let solid = json!({"name": "solid"});
    assert_eq!(give_new(solid, [255, 255, 255, 9], "paint_o"), [255; 4]);
}

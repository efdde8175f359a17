//! Tints, plain colors and pictures of other archives, which materials of EverQuest show by new pictures.

use base64::Engine;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::everquest_eqg;
use crate::scenes::everquest_meshes::{packed_and_original, sample};
use crate::scenes::everquest_topology::scene_with;
use crate::scenes::new_materials::{give, png};
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

/// Linear red, green and blue of the tests, and the levels to which they turn white.
const TINT: [f32; 3] = [1.0, 0.25, 0.5];
const LEVELS: [u8; 3] = [255, 137, 188];

/// Most levels by which a compressed picture differs.
const SLACK: u8 = 6;

/// The path of the picture of a material of a scene, as an output.
fn picture(scene: &Scene, path: &str, name: &str) -> String {
    let materials = scene.json["materials"].as_array().unwrap();
    let material = materials.iter().find(|it| it["name"] == name).unwrap();
    let index = |value: &Value| value.as_u64().unwrap() as usize;
    let texture = index(&material["pbrMetallicRoughness"]["baseColorTexture"]["index"]);
    let image = index(&scene.json["textures"][texture]["source"]);
    let uri = scene.json["images"][image]["uri"].as_str().unwrap();
    relicast::pipeline::output::links::resolve(path, uri).unwrap()
}

fn texels(place: &Place, folder: &str, path: &str) -> image::RgbaImage {
    image::open(place.path(folder).join(path))
        .unwrap()
        .into_rgba8()
}

/// Packs an edited scene, and returns the report and the picture that the packed game shows.
fn packed(place: &Place, path: &str, material: &str) -> (String, String, image::RgbaImage) {
    let packed = place.pack();
    assert_eq!(packed.files.len(), 1, "{:?}", packed.edits);
    let said = packed.edits.iter().filter_map(|edit| edit.rounding.clone());
    let said: Vec<String> = said.collect();
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(path));
    let shown = picture(&after, path, material);
    let texels = texels(place, "after", &shown);
    (said.join("; "), shown, texels)
}

/// The level of a texel that is multiplied by a linear tint.
fn tinted(level: u8, tint: f32) -> u8 {
    let shown = f64::from(level) / 255.0;
    let linear = match shown <= 0.040_45 {
        true => shown / 12.92,
        false => ((shown + 0.055) / 1.055).powf(2.4),
    } * f64::from(tint);
    let shown = match linear <= 0.003_130_8 {
        true => linear * 12.92,
        false => 1.055 * linear.powf(1.0 / 2.4) - 0.055,
    };
    (shown * 255.0).round() as u8
}

#[test]
fn a_tint_of_a_picture_becomes_a_new_picture() {
    let zone = |place: &Place| scene_with(place, "dell.s3d", "terrain").0;
    let object = |place: &Place| scene_with(place, "dell_obj.s3d", "ELM_DMSPRITEDEF").0;
    let model = |_: &Place| "models/mill/wheel.gltf".to_owned();
    type Open<'o> = &'o dyn Fn(&Place) -> String;
    let all: [(Place, Open<'_>, &str); 4] = [
        (sample(), &zone, "GRASS_MDF"),
        (sample(), &object, "BARK_MDF"),
        (sample(), &object, "LEAVES_MDF"),
        (everquest_eqg::sample(), &model, "wood"),
    ];
    for (place, open, name) in all {
        let path = open(&place);
        let mut scene = Scene::open(&place.out(&path));
        let before = picture(&scene, &path, name);
        let materials = scene.json["materials"].as_array_mut().unwrap();
        let own = materials.iter_mut().find(|it| it["name"] == name).unwrap();
        let [red, green, blue] = TINT;
        own["pbrMetallicRoughness"]["baseColorFactor"] = json!([red, green, blue, 1.0]);
        scene.save();
        let (said, shown, after) = packed(&place, &path, name);
        assert!(
            said.contains(&format!("material {name} is tinted")),
            "{said}"
        );
        assert!(shown.contains("_ff89bc"), "{shown}");
        let before = texels(&place, "out", &before);
        assert_eq!(before.dimensions(), after.dimensions());
        for (before, after) in before.pixels().zip(after.pixels()) {
            assert_eq!(before.0[3], after.0[3]);
            let pairs = before.0.iter().zip(after.0).zip(TINT);
            for ((&before, after), tint) in pairs.filter(|_| before.0[3] > 0) {
                assert!(
                    tinted(before, tint).abs_diff(after) <= SLACK,
                    "{name} {before} {after}"
                );
            }
        }
        // Packing the same again changes nothing.
        let file = place.pack().files.remove(0).0;
        let [again, original] = packed_and_original(&place, &file);
        assert_eq!(again.len(), original.len() + 1);
    }
}

#[test]
fn plain_colors_become_small_pictures() {
    for is_new in [false, true] {
        let place = sample();
        let (path, mut scene, mesh) = scene_with(&place, "dell_obj.s3d", "SIGN_DMSPRITEDEF");
        if is_new {
            give(
                &mut scene,
                mesh,
                &json!({"name": "paint"}),
                &json!({"uri": "none.png"}),
            );
        }
        let materials = scene.json["materials"].as_array_mut().unwrap();
        let own = match is_new {
            true => materials.last_mut().unwrap(),
            false => materials.first_mut().unwrap(),
        };
        let [red, green, blue] = TINT;
        own["pbrMetallicRoughness"] = json!({"baseColorFactor": [red, green, blue, 1.0]});
        let name = match is_new {
            true => "PAINT_MDF".to_owned(),
            false => own["name"].as_str().unwrap().to_owned(),
        };
        scene.save();
        let (said, _, texels) = packed(&place, &path, &name);
        assert!(
            said.contains("has a plain color: the new picture color_ff89bc"),
            "{said}"
        );
        for texel in texels.pixels() {
            let far = texel
                .0
                .iter()
                .zip(LEVELS)
                .map(|(one, other)| one.abs_diff(other));
            assert!(far.max().unwrap() <= SLACK, "{texel:?}");
        }
    }
}

#[test]
fn a_picture_of_another_archive_is_copied() {
    let place = sample();
    let (path, mut scene, _) = scene_with(&place, "dell.s3d", "terrain");
    let before = picture(&scene, &path, "GRASS_MDF");
    scene.json["images"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .find(|image| image["uri"].as_str().unwrap().ends_with("grass.png"))
        .unwrap()["uri"] = json!("../textures/dell_obj/bark.png");
    scene.save();
    let (said, shown, after) = packed(&place, &path, "GRASS_MDF");
    assert!(
        said.contains("is a copy of textures/dell_obj/bark.png"),
        "{said}"
    );
    assert!(
        shown != before && shown.starts_with("textures/dell/"),
        "{shown}"
    );
    let bark = texels(&place, "out", "textures/dell_obj/bark.png");
    for (one, other) in bark.pixels().zip(after.pixels()) {
        let mut pairs = one.0.iter().zip(other.0);
        assert!(pairs.all(|(one, other)| one.abs_diff(other) <= SLACK));
    }
}

#[test]
fn a_new_picture_inside_of_a_scene_goes_into_its_archive() {
    let color = [200, 96, 32, 255];
    let bytes = base64::engine::general_purpose::STANDARD.encode(png(color));
    let inside =
        json!({"uri": format!("data:image/png;base64,{bytes}"), "name": "Fresh Iron.png.001"});
    let object = |place: &Place| scene_with(place, "dell_obj.s3d", "SIGN_DMSPRITEDEF");
    let model = |place: &Place| {
        let outputs = place.manifest().outputs.into_iter();
        let mut paths = outputs.map(|it| it.path);
        let path = paths.find(|it| it.ends_with("/wheel.gltf")).unwrap();
        let scene = Scene::open(&place.out(&path));
        (path, scene, 0)
    };
    for (place, is_object, material) in [
        (sample(), true, "IRON_MDF"),
        (everquest_eqg::sample(), false, "iron"),
    ] {
        let (path, mut scene, mesh) = match is_object {
            true => object(&place),
            false => model(&place),
        };
        give(&mut scene, mesh, &json!({"name": "iron"}), &inside);
        scene.save();
        let (said, shown, texels) = packed(&place, &path, material);
        assert!(said.contains("picture inside of the scene: "), "{said}");
        assert!(shown.ends_with("/fresh_iron.png"), "{shown}");
        for pixel in texels.pixels() {
            let mut pairs = pixel.0.iter().zip(color);
            assert!(pairs.all(|(one, other)| one.abs_diff(other) <= SLACK));
        }
    }
}

#[test]
fn opacity_in_eqg_format_becomes_a_shader_and_the_alpha_of_a_picture() {
    let path = "models/mill/wheel.gltf";
    for (mode, alpha, shader) in [
        ("BLEND", 0.5, "Alpha_MaxC1.fx"),
        ("BLEND", 1.0, "Alpha_MaxC1.fx"),
        ("OPAQUE", 1.0, "Opaque_MaxC1.fx"),
    ] {
        let place = everquest_eqg::sample();
        let mut scene = Scene::open(&place.out(path));
        let before = texels(&place, "out", &picture(&scene, path, "wood"));
        let own = everquest_eqg::material(&mut scene, "wood");
        own["alphaMode"] = json!(mode);
        own.as_object_mut().unwrap().remove("alphaCutoff");
        own["pbrMetallicRoughness"]["baseColorFactor"] = json!([1.0, 1.0, 1.0, alpha]);
        scene.save();
        let (said, _, after) = packed(&place, path, "wood");
        assert!(
            said.contains(&format!("its shader becomes {shader}")),
            "{said}"
        );
        let mut scene = Scene::open(&place.path("after").join(path));
        let own = everquest_eqg::material(&mut scene, "wood");
        assert_eq!(own["alphaMode"], mode);
        assert_eq!(own["extras"]["everquest"]["shader"], shader);
        for (before, after) in before.pixels().zip(after.pixels()) {
            let wanted = f64::from(before.0[3]) * if mode == "BLEND" { alpha } else { 1.0 };
            assert!(
                (wanted - f64::from(after.0[3])).abs() <= 1.0,
                "{before:?} {after:?}"
            );
            assert_eq!(before.0[..3], after.0[..3]);
        }
    }
}

#[test]
fn a_material_in_eqg_format_loses_its_normal_map() {
    let place = everquest_eqg::sample();
    let path = "models/mill/wheel.gltf";
    let mut scene = Scene::open(&place.out(path));
    let own = everquest_eqg::material(&mut scene, "wood");
    own.as_object_mut().unwrap().remove("normalTexture");
    scene.save();
    let (said, ..) = packed(&place, path, "wood");
    assert!(
        said.contains("its shader becomes Chroma_MaxC1.fx"),
        "{said}"
    );
    let mut scene = Scene::open(&place.path("after").join(path));
    let own = everquest_eqg::material(&mut scene, "wood");
    assert!(own["normalTexture"].is_null());
    assert!(own["extras"]["everquest"]["properties"]["e_TextureNormal0"].is_null());
}

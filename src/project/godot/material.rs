//! glTF material as a Godot resource, for material variants that Godot's importer does not read.

use relicast_scene::extras::MaterialExtras;
use serde_json::Value;

use super::text::{SceneText, color, number, quoted};
use crate::project::gltf::SceneFile;

/// Adds the material at `index` of a file to a scene and returns a reference to it.
pub(super) fn add(
    scene: &mut SceneText,
    file: &SceneFile,
    index: usize,
    has_colors: bool,
) -> String {
    let material = &file.list("materials")[index];
    let surface = &material["pbrMetallicRoughness"];
    let mut properties = vec![(
        "resource_name",
        quoted(material["name"].as_str().unwrap_or_default()),
    )];
    let is_additive = MaterialExtras::of(material).is_additive();
    match material["alphaMode"].as_str() {
        Some("BLEND") => properties.push((
            "transparency",
            if is_additive { "1" } else { "4" }.to_owned(),
        )),
        Some("MASK") => {
            properties.push(("transparency", "2".to_owned()));
            let cut = material["alphaCutoff"].as_f64().unwrap_or(0.5);
            properties.push(("alpha_scissor_threshold", number(cut)));
        }
        _ => {}
    }
    if is_additive {
        properties.push(("blend_mode", "1".to_owned()));
        properties.push(("disable_fog", "true".to_owned()));
    }
    if material["doubleSided"] == true {
        properties.push(("cull_mode", "2".to_owned()));
    }
    if material["extensions"]["KHR_materials_unlit"].is_object() {
        properties.push(("shading_mode", "0".to_owned()));
    }
    if has_colors {
        properties.push(("vertex_color_use_as_albedo", "true".to_owned()));
        properties.push(("vertex_color_is_srgb", "true".to_owned()));
    }
    let factor = surface["baseColorFactor"].as_array();
    let channel = |place: usize| {
        factor
            .and_then(|factor| factor.get(place)?.as_f64())
            .unwrap_or(1.0)
    };
    let drawn = |place| srgb(channel(place));
    properties.push((
        "albedo_color",
        color([drawn(0), drawn(1), drawn(2), channel(3)]),
    ));
    if let Some(picture) = picture(file, &surface["baseColorTexture"]) {
        properties.push(("albedo_texture", scene.outside("Texture2D", &picture)));
    }
    properties.push(("metallic_specular", number(0.0)));
    shine(scene, file, material, &mut properties);
    properties.push(("texture_filter", "5".to_owned()));
    scene.inside(
        "StandardMaterial3D",
        &format!("material{index}{}", if has_colors { "c" } else { "" }),
        &properties,
    )
}

/// Returns the path of the picture of a texture slot; none for pictures inside the glTF file.
fn picture(file: &SceneFile, slot: &Value) -> Option<String> {
    file.picture(slot["index"].as_u64()? as usize)
}

/// Adds roughness, normal map and emission of a material.
fn shine(
    scene: &mut SceneText,
    file: &SceneFile,
    material: &Value,
    properties: &mut Vec<(&'static str, String)>,
) {
    if let Some(roughness) = material["pbrMetallicRoughness"]["roughnessFactor"].as_f64() {
        properties.push(("roughness", number(roughness)));
    }
    if let Some(picture) = picture(file, &material["normalTexture"]) {
        properties.push(("normal_enabled", "true".to_owned()));
        properties.push(("normal_texture", scene.outside("Texture2D", &picture)));
    }
    let factor = material["emissiveFactor"].as_array();
    let light = [0, 1, 2].map(|place| {
        factor
            .and_then(|factor| factor.get(place)?.as_f64())
            .unwrap_or(0.0)
    });
    let mask = &material["emissiveTexture"];
    let glow = picture(file, mask);
    // A mask inside the glTF file has no path, and without it the whole surface would glow.
    if light.iter().any(|&light| light > 0.0) && (mask.is_null() || glow.is_some()) {
        let [red, green, blue] = light.map(srgb);
        properties.push(("emission_enabled", "true".to_owned()));
        properties.push(("emission", color([red, green, blue, 1.0])));
        if let Some(picture) = glow {
            // The factor multiplies the texture, as in glTF.
            properties.push(("emission_operator", "1".to_owned()));
            properties.push(("emission_texture", scene.outside("Texture2D", &picture)));
        }
    }
}

/// Converts a linear channel to the engine's sRGB.
pub(super) fn srgb(light: f64) -> f64 {
    f64::from(relicast_scene::space::srgb_from_linear(light as f32))
}

/// Returns whether a surface has vertex colors.
pub(super) fn has_colors(primitive: &Value) -> bool {
    !primitive["attributes"]["COLOR_0"].is_null()
}

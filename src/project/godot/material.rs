//! A material of a glTF file as a resource of the engine: for looks that Godot's importer does not read.

use serde_json::Value;

use super::text::{SceneText, colour, number, quoted};
use crate::project::gltf::{SceneFile, facts};

/// Adds the material at `index` of a file to a scene, and gives a reference to it.
pub(super) fn add(
    scene: &mut SceneText,
    file: &SceneFile,
    index: usize,
    has_colours: bool,
) -> String {
    let material = &file.list("materials")[index];
    let surface = &material["pbrMetallicRoughness"];
    let mut properties = vec![(
        "resource_name",
        quoted(material["name"].as_str().unwrap_or_default()),
    )];
    let is_additive = facts(material)["eqBlend"] == "additive";
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
    if has_colours {
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
        colour([drawn(0), drawn(1), drawn(2), channel(3)]),
    ));
    let texture = surface["baseColorTexture"]["index"].as_u64();
    if let Some(picture) = texture.and_then(|texture| file.picture(texture as usize)) {
        properties.push(("albedo_texture", scene.outside("Texture2D", &picture)));
    }
    properties.push(("metallic_specular", number(0.0)));
    properties.push(("texture_filter", "5".to_owned()));
    scene.inside(
        "StandardMaterial3D",
        &format!("material{index}{}", if has_colours { "c" } else { "" }),
        &properties,
    )
}

/// A channel as the engine's colours have it.
pub(super) fn srgb(light: f64) -> f64 {
    f64::from(crate::scene::space::srgb_from_linear(light as f32))
}

/// Whether a surface has colours at its vertices.
pub(super) fn has_colours(primitive: &Value) -> bool {
    !primitive["attributes"]["COLOR_0"].is_null()
}

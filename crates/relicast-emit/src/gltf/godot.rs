//! Additions for the import script of a Godot project, in places that the engine lets scripts see: vertex colors as
//! sRGB, variants in `extras`, and digests of the buffer and of the import script itself, because the engine imports a
//! file again only when its own bytes change.

use gltf_json as json;
use serde_json::{Map, Value};

use super::error::GltfError;
use super::values::raw_extras;
use relicast_scene::extras::{self, ObjectExtras};
use relicast_scene::space::srgb_from_linear;

/// Converts vertex colors to sRGB with 16 bits per channel. Alpha is unchanged.
pub(super) fn colors(linear: &[[u16; 4]]) -> Vec<[u16; 4]> {
    let curve = |channel: u16| {
        let drawn = srgb_from_linear(f32::from(channel) / f32::from(u16::MAX));
        (drawn * f32::from(u16::MAX) + 0.5) as u16
    };
    let row =
        |&[red, green, blue, alpha]: &[u16; 4]| [curve(red), curve(green), curve(blue), alpha];
    linear.iter().map(row).collect()
}

/// Script that Godot runs after the import of a scene; it reads what the writer stores in `extras`.
pub const POST_IMPORT: &str = include_str!("post_import.gd");

/// Moves data that the engine does not read to `extras`.
pub(super) fn restate(root: &mut json::Root, bin: &[u8]) -> Result<(), GltfError> {
    let digest = |bytes: &[u8]| blake3::hash(bytes).to_hex().to_string();
    let mut facts = extras::Asset {
        vertex_colors: Some("srgb".to_owned()),
        script: Some(digest(POST_IMPORT.as_bytes())),
        buffer: (!bin.is_empty()).then(|| digest(bin)),
        variants: None,
    };
    let extensions = root.extensions.as_mut();
    let variants = extensions.and_then(|all| all.khr_materials_variants.take());
    if let Some(variants) = variants {
        let names = variants.variants.into_iter();
        facts.variants = Some(names.map(|variant| variant.name).collect());
        let primitives = root.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
        for primitive in primitives {
            let extensions = primitive.extensions.as_mut();
            let mappings = extensions.and_then(|all| all.khr_materials_variants.take());
            let Some(mappings) = mappings else { continue };
            primitive.extensions = None;
            let mappings = serde_json::to_value(mappings.mappings)?;
            let facts = extras::MappedVariants {
                variants: serde_json::from_value(mappings)?,
            };
            let stored = primitive.extras.as_deref();
            let stored = stored.map(|stored| serde_json::from_str(stored.get()));
            let mut extras: Map<String, Value> = stored.transpose()?.unwrap_or_default();
            facts.put_below(&mut extras);
            primitive.extras = raw_extras(&extras)?;
        }
        if root
            .extensions
            .as_ref()
            .is_some_and(|all| all.khr_lights_punctual.is_none())
        {
            root.extensions = None;
        }
        root.extensions_used
            .retain(|name| name != "KHR_materials_variants");
    }
    root.asset.extras = raw_extras(&facts.extras())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_those_of_the_game_again() {
        use relicast_scene::space::linear_from_srgb;
        for byte in 0..=255_u16 {
            let linear = (linear_from_srgb(f32::from(byte)) * 65535.0 + 0.5) as u16;
            let [red, .., alpha] = colors(&[[linear, 0, 0, byte]])[0];
            assert_eq!((u32::from(red) * 255 + 32767) / 65535, u32::from(byte));
            assert_eq!(alpha, byte);
        }
    }
}

//! A scene material under construction: the effects of a stored color, of the polygons and of the kind of ground.

use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{MaterialRecord, Soil};
use relicast_scene::extras::{Float, zipper};
use relicast_scene::model::{AlphaMode, Material};
use relicast_scene::space::linear_from_srgb;

use super::material_key::{MaterialKey, Tint, Tinting};
use super::texture_library::FoundTexture;

/// A material under construction.
pub(super) struct Draft {
    pub material: Material,
    pub extras: zipper::Material,
}

/// Name of a material without texture, by its sRGB channels of 0 to 255.
pub fn color_label(color: [f32; 3]) -> String {
    let [r, g, b] = color.map(|channel| channel.clamp(0.0, 255.0) as u8);
    format!("color_{r:02x}{g:02x}{b:02x}")
}

impl Draft {
    /// Gives a material without texture its color. Returns its opacity, 0 to 1.
    pub fn apply_color(&mut self, record: &MaterialRecord) -> f32 {
        let color = record.color.to_array();
        let [red, green, blue] = color.map(linear_from_srgb);
        self.material.base_color = [red, green, blue, 1.0];
        self.material.name = color_label(color);
        f32::from(record.alpha) / 255.0
    }

    /// Applies the properties of the polygons: `opacity` of the whole, order of layers, and scrolling.
    pub fn apply_key(&mut self, key: &MaterialKey, opacity: f32) {
        let material = &mut self.material;
        if opacity < 1.0 {
            material.alpha = AlphaMode::Blend;
        }
        // The engines blend additional layers over the first by their own alpha.
        if key.overlay {
            material.alpha = AlphaMode::Blend;
            material.name.push_str("_layer");
        }
        material.base_color[3] = opacity;
        match key.tint {
            Some(Tinting::Material(tint)) => self.apply_tint(tint),
            Some(Tinting::Vertices) => {
                self.material.base_color = [1.0, 1.0, 1.0, opacity];
                self.material.name.push_str("_tint");
            }
            None => {}
        }
        let material = &mut self.material;
        for (applies, word) in [
            (key.double_sided, "_ds"),
            (material.alpha == AlphaMode::Blend, "_blend"),
            (key.unlit, "_unlit"),
        ] {
            if applies {
                material.name.push_str(word);
            }
        }
        if let Some([u, v]) = key.scroll {
            let [u, v] = [u, v].map(|bits| Some(Float(f32::from_bits(bits))));
            let unit = Some("uv/s".to_owned());
            self.extras.scroll = Some(zipper::Scroll { u, v, unit });
        }
    }

    /// Mixes a surface with a color. A lit one keeps its share, and the color becomes emissive. An unlit one of one
    /// color is mixed by display-referred values, as in the engine. An unlit picture cannot be mixed; its tint
    /// stays in the extras of the node.
    fn apply_tint(&mut self, tint: Tint) {
        let material = &mut self.material;
        if material.unlit && material.base_texture.is_some() {
            return;
        }
        material.name.push_str("_tint");
        if material.unlit {
            let [red, green, blue, alpha] = material.base_color;
            let [red, green, blue] = tint.mixed([red, green, blue]);
            material.base_color = [red, green, blue, alpha];
            return;
        }
        let weight = tint.weight();
        let color = tint.color().map(|part| linear_from_srgb(part * 255.0));
        for (at, color) in color.into_iter().enumerate() {
            let (Some(base), Some(sent)) = (
                material.base_color.get_mut(at),
                material.emissive.get_mut(at),
            ) else {
                continue;
            };
            *base *= 1.0 - weight;
            *sent = weight * color;
        }
    }

    /// Records additive blending of a picture in extras, because glTF cannot express it.
    pub fn apply_blend(&mut self, found: &FoundTexture<'_>) {
        if found.is_additive {
            self.extras.blend = Some("additive".to_owned());
        }
    }

    /// Records the kind of ground in the extras.
    pub fn apply_soil(&mut self, soil: Soil, version: ZipperGame) {
        self.extras.soil = Some(zipper::Soil {
            id: Some(soil.code().into()),
            name: soil.label(version).map(str::to_owned),
        });
    }
}

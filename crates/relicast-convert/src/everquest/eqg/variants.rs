//! Variants of a creature: the textures of its materials in each.

use std::collections::{BTreeMap, HashMap};

use relicast_codec::F32;
use relicast_formats::everquest::eqg::layers::{Layer, Layers, Role, VariantName};
use relicast_formats::everquest::eqg::parts::{NO_STRING, PropertyValue};

use super::shader_material::{
    DIFFUSE, ENVIRONMENT, ENVIRONMENT_STRENGTH, NORMAL, SHININESS, ShaderMaterial,
};

/// Textures of a material in one variant.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct VariantLayer {
    /// Texture of the color.
    pub diffuse: Option<String>,
    /// Normal map.
    pub normal: Option<String>,
    /// Texture of the environment, or of the glow.
    pub environment: Option<String>,
    /// Strength of the environment, if there is one.
    strength: Option<F32>,
    /// Specular exponent.
    shininess: Option<F32>,
}

fn text(layers: &Layers, offset: u32) -> Option<String> {
    let text = (offset != NO_STRING).then(|| layers.strings.get(offset));
    text.flatten().filter(|text| !text.trim().is_empty())
}

impl VariantLayer {
    /// Names of the textures of a record, in their order.
    pub(super) fn textures(layers: &Layers, layer: &Layer) -> Vec<String> {
        let further = layer.further.iter().filter(|_| layers.version >= 4);
        let all = layer.textures.iter().chain(further);
        all.filter_map(|&offset| text(layers, offset)).collect()
    }

    /// The variant of a record. Names of textures give their roles; of others the first is the color, and the second
    /// the normal map.
    pub(super) fn new(layers: &Layers, layer: &Layer) -> Self {
        let mut variant_layer = Self::default();
        let mut others = Vec::new();
        for name in Self::textures(layers, layer) {
            let place = match Role::from_name(&name) {
                Some(Role::Diffuse) => &mut variant_layer.diffuse,
                Some(Role::Normal) => &mut variant_layer.normal,
                Some(Role::Environment) => &mut variant_layer.environment,
                None => {
                    others.push(name);
                    continue;
                }
            };
            place.get_or_insert(name);
        }
        let mut others = others.into_iter();
        for place in [&mut variant_layer.diffuse, &mut variant_layer.normal] {
            if place.is_none() {
                *place = others.next();
            }
        }
        if layers.version >= 4 {
            let finite = |value: F32| value.get().is_finite().then_some(value);
            variant_layer.strength =
                finite(layer.environment_strength).filter(|_| variant_layer.environment.is_some());
            variant_layer.shininess =
                finite(layer.shininess).filter(|shininess| shininess.get() > 0.0);
        }
        variant_layer
    }

    /// Replaces the textures of a material.
    pub(super) fn put(&self, material: &mut ShaderMaterial) {
        let pictures = [
            (DIFFUSE, &self.diffuse),
            (NORMAL, &self.normal),
            (ENVIRONMENT, &self.environment),
        ];
        for (property, picture) in pictures {
            if let Some(picture) = picture {
                material.replace(property, PropertyValue::Text(picture.clone()));
            }
        }
        for (property, value) in [
            (ENVIRONMENT_STRENGTH, self.strength),
            (SHININESS, self.shininess),
        ] {
            if let Some(value) = value {
                material.replace(property, PropertyValue::Float(value));
            }
        }
    }
}

/// The variants of a model, by its materials.
#[derive(Debug, Default)]
pub(super) struct LayerVariants {
    /// By the index of the material in the list of the model: number of the variant, and its textures.
    by_place: BTreeMap<usize, BTreeMap<u32, VariantLayer>>,
    /// By the name of the material in lower case, in order.
    by_name: HashMap<String, Vec<VariantLayer>>,
}

impl LayerVariants {
    /// The variants of the model `stem`. Records of other models count only if none is of this one.
    pub(super) fn new(layers: &Layers, stem: &str) -> Self {
        let mut variants = Self::default();
        let names: Vec<Option<String>> = (layers.layers.iter())
            .map(|layer| text(layers, layer.material))
            .collect();
        let is_own = |name: &VariantName<'_>| name.model.eq_ignore_ascii_case(stem);
        let mut parsed = names
            .iter()
            .flatten()
            .filter_map(|name| VariantName::parse(name));
        let has_own = parsed.any(|name| is_own(&name));
        for (layer, name) in layers.layers.iter().zip(&names) {
            let Some(name) = name else { continue };
            let variant_layer = VariantLayer::new(layers, layer);
            match VariantName::parse(name) {
                Some(name) if has_own && !is_own(&name) => {}
                Some(name) => {
                    let place = variants.by_place.entry(name.material.saturating_sub(1));
                    place
                        .or_default()
                        .entry(name.variant)
                        .or_insert(variant_layer);
                }
                None => variants
                    .by_name
                    .entry(name.to_lowercase())
                    .or_default()
                    .push(variant_layer),
            }
        }
        variants
    }

    /// Returns true if there are no variants.
    pub(super) fn is_empty(&self) -> bool {
        self.by_place.is_empty() && self.by_name.is_empty()
    }

    /// Variant with a number, of the material at an index. Records with names of materials are numbered from 1.
    pub(super) fn of_number(&self, place: usize, name: &str, number: u32) -> Option<&VariantLayer> {
        let by_place = self.by_place.get(&place);
        by_place
            .and_then(|variants| variants.get(&number))
            .or_else(|| {
                let by_name = self.by_name.get(&name.to_lowercase())?;
                by_name.get(usize::try_from(number).ok()?.checked_sub(1)?)
            })
    }

    /// The variants of the material at an index, with their names.
    pub(super) fn of_material(&self, place: usize, name: &str) -> Vec<(String, VariantLayer)> {
        let by_place = self.by_place.get(&place).into_iter().flatten();
        let by_place = by_place
            .map(|(number, variant_layer)| (format!("S{number:02}"), variant_layer.clone()));
        let by_name = self.by_name.get(&name.to_lowercase());
        let by_name = (1..).zip(by_name.into_iter().flatten());
        let by_name = by_name.map(|(number, variant_layer): (usize, _)| {
            (format!("skin{number:02}"), variant_layer.clone())
        });
        by_place.chain(by_name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layers(records: &[(&str, [&str; 3])]) -> Layers {
        let mut layers = Layers {
            version: 4,
            ..Layers::default()
        };
        for (name, textures) in records {
            let material = layers.strings.add(name);
            let [first, second, third] = textures.map(|texture| match texture {
                "" => NO_STRING,
                texture => layers.strings.add(texture),
            });
            layers.layers.push(Layer {
                material,
                textures: [first, second],
                further: [third, NO_STRING, NO_STRING],
                environment_strength: F32(1.5),
                shininess: F32(40.0),
                ..Layer::default()
            });
        }
        layers
    }

    #[test]
    fn names_of_textures_determine_roles_in_any_order() {
        let layers = layers(&[
            (
                "C_DRE_S01_M01",
                ["A_S00_N.DDS", "A_S01_C.DDS", "A_S01_E.DDS"],
            ),
            ("C_DRE_S00_M01", ["plain.dds", "bent.dds", ""]),
        ]);
        let variant_layer = VariantLayer::new(&layers, &layers.layers[0]);
        assert_eq!(variant_layer.diffuse.as_deref(), Some("A_S01_C.DDS"));
        assert_eq!(variant_layer.normal.as_deref(), Some("A_S00_N.DDS"));
        assert_eq!(variant_layer.environment.as_deref(), Some("A_S01_E.DDS"));
        assert_eq!(
            (variant_layer.strength, variant_layer.shininess),
            (Some(F32(1.5)), Some(F32(40.0)))
        );
        let variant_layer = VariantLayer::new(&layers, &layers.layers[1]);
        assert_eq!(variant_layer.diffuse.as_deref(), Some("plain.dds"));
        assert_eq!(variant_layer.normal.as_deref(), Some("bent.dds"));
        assert_eq!(
            (variant_layer.environment, variant_layer.strength),
            (None, None)
        );
    }

    #[test]
    fn variants_belong_to_materials_by_their_place() {
        let layers = layers(&[
            ("C_DRE_S03_M02", ["c.dds", "", ""]),
            ("C_DRE_S00_M02", ["a.dds", "", ""]),
            ("C_TAR_S01_M02", ["b.dds", "", ""]),
            ("horn", ["d.dds", "", ""]),
        ]);
        let labels = |variants: &LayerVariants, place, name| -> Vec<String> {
            let all = variants.of_material(place, name).into_iter();
            all.map(|(label, _)| label).collect()
        };
        let variants = LayerVariants::new(&layers, "dre");
        assert_eq!(labels(&variants, 1, "Material #27"), ["S00", "S03"]);
        assert_eq!(labels(&variants, 0, "Horn"), ["skin01"]);
        assert!(labels(&variants, 2, "other").is_empty());
        // Not the model of any record: all of them apply.
        assert_eq!(
            labels(&LayerVariants::new(&layers, "bkd"), 1, ""),
            ["S00", "S01", "S03"]
        );
    }
}

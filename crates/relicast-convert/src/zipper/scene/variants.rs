//! Material variants of a model: textures that replace others.

use std::collections::BTreeMap;

use relicast_scene::extras::zipper;

use super::texture_library::key_of;

/// Index of a material variant of a model; 0 for the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct VariantIndex(pub usize);

impl VariantIndex {
    /// The variant that replaces nothing.
    pub(super) const DEFAULT: Self = Self(0);
}

/// One material variant.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct MaterialVariant {
    /// Name of the variant.
    pub name: String,
    /// Replacement textures, by the lower-case name of the replaced texture up to the first period.
    pub textures: BTreeMap<String, String>,
}

/// All variants of a model. The first is the default, which replaces nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct MaterialVariants {
    /// The variants; empty if there is only the default.
    pub variants: Vec<MaterialVariant>,
    /// Textures of variants that no package has.
    pub lost: Vec<String>,
}

impl MaterialVariants {
    /// Indices of the variants that replace a texture, after the default; empty if none does.
    pub(super) fn of(&self, texture: &str) -> Vec<VariantIndex> {
        let key = key_of(texture);
        let others = self.variants.iter().enumerate().skip(1);
        let mut changed = vec![VariantIndex::DEFAULT];
        changed.extend(
            others
                .filter(|(_, variant)| variant.textures.contains_key(&key))
                .map(|(index, _)| VariantIndex(index)),
        );
        if changed.len() < 2 {
            changed.clear();
        }
        changed
    }

    /// The texture by which a variant replaces another.
    pub(super) fn texture(&self, index: VariantIndex, texture: &str) -> Option<&str> {
        let variant = self.variants.get(index.0)?;
        variant.textures.get(&key_of(texture)).map(String::as_str)
    }

    /// Extras: the variants with the textures that they replace.
    pub(crate) fn facts(&self) -> Vec<zipper::Variant> {
        let variants = self.variants.iter().map(|variant| zipper::Variant {
            name: Some(variant.name.clone()),
            textures: (!variant.textures.is_empty()).then(|| variant.textures.clone()),
        });
        variants.collect()
    }

    /// Total number of textures that the variants replace.
    pub(crate) fn replaced(&self) -> usize {
        self.variants
            .iter()
            .map(|variant| variant.textures.len())
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_has_variants() {
        let blue = MaterialVariant {
            name: "blue".to_owned(),
            textures: BTreeMap::from([("hull".to_owned(), "hull_b".to_owned())]),
        };
        let variants = MaterialVariants {
            variants: vec![MaterialVariant::default(), blue],
            lost: Vec::new(),
        };
        assert_eq!(variants.of("HULL.tif"), [VariantIndex(0), VariantIndex(1)]);
        assert!(variants.of("leg").is_empty());
        assert_eq!(variants.texture(VariantIndex(1), "Hull"), Some("hull_b"));
        assert_eq!(variants.texture(VariantIndex(0), "hull"), None);
        assert_eq!(variants.replaced(), 1);
    }
}

//! Material variants of a model: textures that replace others.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::texture_library::key_of;

/// One material variant.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::convert) struct MaterialVariant {
    /// What it is called.
    pub name: String,
    /// Textures that take the place of others, by the lower case name of the other up to the first
    /// period.
    pub textures: BTreeMap<String, String>,
}

/// All variants of a model. The first is the default, which replaces nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::convert) struct MaterialVariants {
    /// The variants; empty if there is only the default.
    pub variants: Vec<MaterialVariant>,
    /// Textures of variants that no package has.
    pub lost: Vec<String>,
}

impl MaterialVariants {
    /// Indices of the variants that replace a texture, after the default; empty if none does.
    pub(super) fn of(&self, texture: &str) -> Vec<usize> {
        let key = key_of(texture);
        let others = self.variants.iter().enumerate().skip(1);
        let mut places = vec![0];
        places.extend(
            others
                .filter(|(_, look)| look.textures.contains_key(&key))
                .map(|(place, _)| place),
        );
        if places.len() < 2 {
            places.clear();
        }
        places
    }

    /// The texture that a variant has in place of another.
    pub(super) fn texture(&self, place: usize, texture: &str) -> Option<&str> {
        let look = self.variants.get(place)?;
        look.textures.get(&key_of(texture)).map(String::as_str)
    }

    /// Extras: the variants with the textures that they replace.
    pub(in crate::convert) fn extras(&self) -> Option<Value> {
        let variants = self.variants.iter().map(|look| {
            let mut extras = Map::new();
            extras.insert("name".to_owned(), Value::from(look.name.as_str()));
            if !look.textures.is_empty() {
                extras.insert("textures".to_owned(), json!(look.textures));
            }
            Value::Object(extras)
        });
        let variants: Vec<Value> = variants.collect();
        (!variants.is_empty()).then(|| Value::from(variants))
    }

    /// Total number of textures that the variants replace.
    pub(in crate::convert) fn replaced(&self) -> usize {
        self.variants.iter().map(|look| look.textures.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_has_looks() {
        let blue = MaterialVariant {
            name: "blue".to_owned(),
            textures: BTreeMap::from([("hull".to_owned(), "hull_b".to_owned())]),
        };
        let variants = MaterialVariants {
            variants: vec![MaterialVariant::default(), blue],
            lost: Vec::new(),
        };
        assert_eq!(variants.of("HULL.tif"), [0, 1]);
        assert!(variants.of("leg").is_empty());
        assert_eq!(variants.texture(1, "Hull"), Some("hull_b"));
        assert_eq!(variants.texture(0, "hull"), None);
        assert_eq!(variants.replaced(), 1);
    }
}

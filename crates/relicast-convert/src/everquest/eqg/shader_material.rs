//! A material of an EQG file with its properties as texts.

use relicast_formats::everquest::eqg::parts::{Material, PropertyValue, Strings};

/// Names of properties.
pub(super) const DIFFUSE: &str = "e_TextureDiffuse0";
pub(super) const NORMAL: &str = "e_TextureNormal0";
pub(super) const ENVIRONMENT: &str = "e_TextureEnvironment0";
pub(super) const ENVIRONMENT_STRENGTH: &str = "e_fEnvMapStrength0";
pub(super) const SHININESS: &str = "e_fShininess0";

/// A material with its properties as texts.
#[derive(Debug, Clone, Default)]
pub(super) struct ShaderMaterial {
    /// Name.
    pub name: String,
    /// Shader.
    pub shader: String,
    /// Properties in order.
    pub properties: Vec<(String, PropertyValue)>,
}

impl ShaderMaterial {
    pub(super) fn new(material: &Material, strings: &Strings) -> Self {
        let properties = material.properties.iter();
        Self {
            name: strings.text(material.name),
            shader: strings.text(material.shader),
            properties: properties
                .map(|property| (strings.text(property.name), property.value(strings)))
                .collect(),
        }
    }

    /// The value of a property.
    pub(super) fn property(&self, name: &str) -> Option<&PropertyValue> {
        let mut all = self.properties.iter();
        let found = all.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value)
    }

    /// The picture of a property.
    pub(super) fn picture(&self, name: &str) -> Option<&str> {
        match self.property(name)? {
            PropertyValue::Text(file) if !file.trim().is_empty() => Some(file),
            _ => None,
        }
    }

    /// The number of a property.
    pub(super) fn number(&self, name: &str) -> Option<f32> {
        match self.property(name)? {
            PropertyValue::Float(value) if value.get().is_finite() => Some(value.get()),
            _ => None,
        }
    }

    /// Replaces the value of a property.
    pub(super) fn replace(&mut self, name: &str, value: PropertyValue) {
        let mut all = self.properties.iter_mut();
        let known = all.find(|(known, _)| known.eq_ignore_ascii_case(name));
        match known {
            Some((_, known)) => *known = value,
            None => self.properties.push((name.to_owned(), value)),
        }
    }
}

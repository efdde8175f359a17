//! Extras of both families of games, for readers that accept either.

use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::Value;

use super::{everquest, read, zipper};

/// Extras below the keys of both families; a file has those of one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Both<Z, E> {
    /// Of the games of Zipper Interactive.
    pub zipper: Z,
    /// Of EverQuest.
    pub everquest: E,
}

/// Extras of a node.
pub type NodeExtras = Both<zipper::Node, everquest::Node>;
/// Extras of a scene.
pub type SceneExtras = Both<zipper::Scene, everquest::Scene>;
/// Extras of a material.
pub type MaterialExtras = Both<zipper::Material, everquest::Material>;
/// Extras of a primitive.
pub type PrimitiveExtras = Both<zipper::Primitive, everquest::Primitive>;
/// Extras of an animation.
pub type ClipExtras = Both<zipper::Clip, everquest::Clip>;

impl<Z: DeserializeOwned + Default, E: DeserializeOwned + Default> Both<Z, E> {
    /// Reads the `extras` of an object of a glTF document, skipping invalid values.
    pub fn of(object: &Value) -> Self {
        Self::from_extras(&object["extras"])
    }

    fn from_extras(extras: &Value) -> Self {
        Self {
            zipper: read(&extras["zipper"]),
            everquest: read(&extras["everquest"]),
        }
    }
}

impl<'de, Z: DeserializeOwned + Default, E: DeserializeOwned + Default> Deserialize<'de>
    for Both<Z, E>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::from_extras(&Value::deserialize(deserializer)?))
    }
}

impl NodeExtras {
    /// True if it is not drawn.
    pub fn is_hidden(&self) -> bool {
        self.zipper.hidden == Some(true) || self.everquest.hidden == Some(true)
    }
}

impl MaterialExtras {
    /// True if it is added to the background, which glTF cannot express.
    pub fn is_additive(&self) -> bool {
        let words = [
            &self.zipper.blend,
            &self.everquest.eq_blend,
            &self.everquest.blend,
        ];
        words
            .into_iter()
            .any(|word| word.as_deref() == Some("additive"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn additive_materials_are_found_in_the_words_of_both_families() {
        let is_additive = |extras| MaterialExtras::of(&json!({ "extras": extras })).is_additive();
        assert!(is_additive(json!({"zipper": {"blend": "additive"}})));
        assert!(is_additive(json!({"everquest": {"eqBlend": "additive"}})));
        assert!(!is_additive(json!({"everquest": {"blend": "water"}})));
        assert!(!is_additive(json!({})));
    }
}

//! Nodes of scenes that are lights.

use serde_json::{Value, json};

use crate::pack::json::index;
use crate::pack::scene::file::Document;

/// Returns true if the `extras.everquest` of a node without a glTF light describe a light.
pub(super) type HasLight = fn(&Value) -> bool;

/// Rules of a family of files for lights.
#[derive(Debug, Clone, Copy)]
pub(super) struct LightRules {
    pub has_light: HasLight,
    /// Returns the name that a light gets; `true` for a copy.
    pub name: fn(&str, bool) -> String,
}

/// The light of a node from its glTF light and extras; for a node without a glTF light, only its extras.
pub(super) fn light_of(document: &Document, node: usize, has_light: HasLight) -> Option<Value> {
    let node = &document.json["nodes"][node];
    let number = &node["extensions"]["KHR_lights_punctual"]["light"];
    if let Some(number) = index(number) {
        let light = &document.json["extensions"]["KHR_lights_punctual"]["lights"][number];
        return light.is_object().then(|| light.clone());
    }
    has_light(&node["extras"]["everquest"]).then(|| json!({"extras": node["extras"]}))
}

//! Values of materials that the games do not have.

use serde_json::{Map, Value};

/// Values that programs write for every material, and that the games do not have.
pub(super) const LEFT_OUT: [(&str, &str); 5] = [
    ("metallicFactor", "metalness"),
    ("roughnessFactor", "roughness"),
    ("KHR_materials_ior", "refraction"),
    ("KHR_materials_specular", "specular color"),
    ("extras", "custom properties"),
];

/// Values of a material by their keys, without groups.
pub(super) fn flat(others: &Value) -> Map<String, Value> {
    let mut all = Map::new();
    for (key, value) in others.as_object().into_iter().flatten() {
        match (&**key, value) {
            ("pbrMetallicRoughness" | "extensions", Value::Object(inner)) => {
                all.extend(inner.clone());
            }
            _ => {
                all.insert(key.clone(), value.clone());
            }
        }
    }
    all
}

/// True for values that mean the same as none.
pub(super) fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::Array(list) => list.iter().all(is_nothing),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

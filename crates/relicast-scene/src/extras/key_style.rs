//! Key style of extras, for values that documents also have with keys in snake_case.

use serde_json::{Map, Value};

/// A key in camelCase.
pub fn camel_case(key: &str) -> String {
    let mut parts = key.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut key, part| {
        let mut letters = part.chars();
        key.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        key + letters.as_str()
    })
}

/// Converts all keys of a map to camelCase, including those of nested values.
pub fn camel_case_keys(map: Map<String, Value>) -> Map<String, Value> {
    let rows = map.into_iter();
    rows.map(|(key, value)| (camel_case(&key), camel_case_within(value)))
        .collect()
}

/// Converts all keys within a value to camelCase.
pub fn camel_case_within(value: Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(camel_case_keys(map)),
        Value::Array(values) => values.into_iter().map(camel_case_within).collect(),
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_become_camel_case_and_values_stay() {
        let stored = json!({"at_node": {"name": "a_b"}, "colors": [{"unit_color": 1}], "on": null, "fov_h": 2});
        let expected =
            json!({"atNode": {"name": "a_b"}, "colors": [{"unitColor": 1}], "on": null, "fovH": 2});
        assert_eq!(camel_case_within(stored), expected);
        assert_eq!(camel_case("x"), "x");
    }
}

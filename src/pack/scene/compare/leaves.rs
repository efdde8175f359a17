//! Values of two JSON documents that differ, with their paths.

use serde_json::Value;

/// A value that changed.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::pack::scene) struct Leaf {
    /// JSON path, such as `extras.everquest.levels[0]`.
    pub path: String,
    /// Old value; null if there was none.
    pub before: Value,
    /// New value; null if there is none.
    pub after: Value,
}

/// All values that differ by more than a part of the number.
pub(in crate::pack::scene) fn changes(before: &Value, after: &Value, slack: f64) -> Vec<Leaf> {
    let mut all = Vec::new();
    compare(before, after, slack, &mut String::new(), &mut all);
    all
}

/// True if values are equal, except for notation and a part of each number.
pub(in crate::pack::scene) fn is_near(one: &Value, other: &Value, slack: f64) -> bool {
    changes(one, other, slack).is_empty()
}

fn compare(before: &Value, after: &Value, slack: f64, path: &mut String, all: &mut Vec<Leaf>) {
    let length = path.len();
    match (before, after) {
        (Value::Object(one), Value::Object(other)) => {
            let mut keys: Vec<&String> = one.keys().chain(other.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
                let null = Value::Null;
                let parts = (one.get(key), other.get(key));
                compare(
                    parts.0.unwrap_or(&null),
                    parts.1.unwrap_or(&null),
                    slack,
                    path,
                    all,
                );
                path.truncate(length);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (number, (one, other)) in one.iter().zip(other).enumerate() {
                path.push_str(&format!("[{number}]"));
                compare(one, other, slack, path, all);
                path.truncate(length);
            }
        }
        (Value::Number(one), Value::Number(other)) if is_same(one, other, slack) => {}
        // Programs without truth values write 1 and 0.
        (Value::Bool(one), Value::Number(other)) if other.as_i64() == Some(i64::from(*one)) => {}
        _ if before == after => {}
        _ => all.push(Leaf {
            path: path.clone(),
            before: before.clone(),
            after: after.clone(),
        }),
    }
}

fn is_same(one: &serde_json::Number, other: &serde_json::Number, slack: f64) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => {
            one == other || (one - other).abs() <= slack * one.abs().max(1.0)
        }
        _ => one == other,
    }
}

/// The value at a path; null if there is none.
pub(in crate::pack::scene) fn at<'v>(value: &'v Value, path: &str) -> &'v Value {
    let mut found = value;
    for part in path.split(['.', '[']).filter(|part| !part.is_empty()) {
        found = match part.strip_suffix(']') {
            Some(number) => match number.parse::<usize>() {
                Ok(number) => &found[number],
                Err(_) => &Value::Null,
            },
            None => &found[part],
        };
    }
    found
}

/// A number in single precision.
pub(in crate::pack::scene) fn single(value: &Value) -> Option<f32> {
    let number = value.as_f64()? as f32;
    number.is_finite().then_some(number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_found_by_their_paths() {
        let before = json!({"a": {"b": [1, 2.0], "c": true}, "d": "x"});
        let after = json!({"a": {"b": [1, 3.0], "c": 1}, "e": "y"});
        let found = changes(&before, &after, 0.0);
        let paths: Vec<&str> = found.iter().map(|leaf| &*leaf.path).collect();
        assert_eq!(paths, ["a.b[1]", "d", "e"]);
        for leaf in &found {
            assert_eq!(at(&before, &leaf.path), &leaf.before);
            assert_eq!(at(&after, &leaf.path), &leaf.after);
        }
        assert!(is_near(&json!([1.0]), &json!([1.000_001]), 1e-5));
    }
}

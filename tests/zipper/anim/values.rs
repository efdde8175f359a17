//! Comparison of decoded values with expected JSON.

use relicast::formats::codec::{F32, Vec3};
use relicast::formats::zipper::anim::{Color, Range};
use serde_json::{Value, json};

/// Asserts that `found` holds everything that `expected` holds. Floats are equal when they are the
/// same 32-bit float, its sign included.
pub fn assert_same(path: &str, expected: &Value, found: &Value) {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            for (key, value) in expected {
                let found = found
                    .get(key)
                    .unwrap_or_else(|| panic!("{path}.{key} is missing, expected {value}"));
                assert_same(&format!("{path}.{key}"), value, found);
            }
        }
        (Value::Array(expected), Value::Array(found)) => {
            assert_eq!(expected.len(), found.len(), "length of {path}");
            for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
                assert_same(&format!("{path}[{index}]"), expected, found);
            }
        }
        (Value::Number(left), Value::Number(right)) if left.is_f64() || right.is_f64() => {
            let [left, right] = [left, right].map(|value| value.as_f64().unwrap() as f32);
            assert_eq!(
                left.to_bits(),
                right.to_bits(),
                "{path}: {left} and {right}"
            );
        }
        _ => assert_eq!(expected, found, "{path}"),
    }
}

pub fn float(value: F32) -> Value {
    json!(f64::from(value.get()))
}

pub fn named_vector(value: Vec3) -> Value {
    json!({"x": float(value.x), "y": float(value.y), "z": float(value.z)})
}

pub fn named_range(value: Range) -> Value {
    json!({"min": float(value.min), "max": float(value.max)})
}

pub fn named_color(value: Color) -> Value {
    json!({"r": float(value.r), "g": float(value.g), "b": float(value.b)})
}

pub fn vector(value: Vec3) -> Value {
    json!([float(value.x), float(value.y), float(value.z)])
}

pub fn range(value: Range) -> Value {
    json!([float(value.min), float(value.max)])
}

pub fn color(value: Color) -> Value {
    json!([float(value.r), float(value.g), float(value.b)])
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

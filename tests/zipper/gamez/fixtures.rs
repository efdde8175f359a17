//! Finding fixtures and comparing JSON numbers.

use std::path::PathBuf;

use relicast::formats::codec::{Box3, F32, Vec2, Vec3};
use serde_json::Value;

/// Worlds among the fixtures.
pub const WORLDS: [&str; 5] = [
    "rc/zbd/m1/gamez.zbd",
    "mw/zbd/c1/gamez.zbd",
    "pm/zbd/c1/gamez.zbd",
    "cs/ZBD/C1/gamez.zbd",
    "cs/ZBD/planes.zbd",
];

/// Mechlibs among the fixtures.
pub const MECHLIBS: [&str; 2] = ["mw/zbd/mechlib.zbd", "pm/zbd/mechlib.zbd"];

fn root() -> PathBuf {
    relicast_testing::fixtures("zipper")
}

/// The bytes of a fixture.
pub fn fixture(path: &str) -> Vec<u8> {
    let file = root().join(path);
    std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// A JSON document of the expected decode of a fixture.
pub fn expected(path: &str, document: &str) -> Value {
    let file = root().join("expect").join(path).join(document);
    let text = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_slice(&text).unwrap()
}

pub fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    match &value[field] {
        Value::Null => &[],
        list => list
            .as_array()
            .unwrap_or_else(|| panic!("{field} of {value}")),
    }
}

#[track_caller]
pub fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field]
        .as_str()
        .unwrap_or_else(|| panic!("{field} of {value}"))
}

#[track_caller]
pub fn int(value: &Value, field: &str) -> i64 {
    value[field]
        .as_i64()
        .unwrap_or_else(|| panic!("{field} of {value}"))
}

#[track_caller]
pub fn ints(value: &Value, field: &str) -> Vec<i64> {
    list(value, field)
        .iter()
        .map(|item| item.as_i64().unwrap())
        .collect()
}

/// True for `true`, false for `false` and a missing field.
pub fn flag(value: &Value, field: &str) -> bool {
    value[field].as_bool().unwrap_or_default()
}

#[track_caller]
pub fn float(value: &Value) -> f32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "expected values compare as f32"
    )]
    let rounded = value.as_f64().unwrap_or_else(|| panic!("number {value}")) as f32;
    rounded
}

#[track_caller]
pub fn vec3(value: &Value) -> [f32; 3] {
    let names = if value.get("r").is_some() {
        ["r", "g", "b"]
    } else {
        ["x", "y", "z"]
    };
    names.map(|name| float(&value[name]))
}

/// Bit for bit, so that the sign of zero counts.
#[track_caller]
pub fn same_floats<const N: usize>(found: [f32; N], expected: [f32; N], what: &str) {
    assert_eq!(
        found.map(f32::to_bits),
        expected.map(f32::to_bits),
        "{what}: {found:?} {expected:?}"
    );
}

#[track_caller]
pub fn same_float(found: F32, expected: &Value, what: &str) {
    same_floats([found.0], [float(expected)], what);
}

#[track_caller]
pub fn same_vec3(found: Vec3, expected: &Value, what: &str) {
    same_floats(found.to_array(), vec3(expected), what);
}

#[track_caller]
pub fn same_vec3s(found: &[Vec3], expected: &[Value], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        same_vec3(*found, expected, what);
    }
}

#[track_caller]
pub fn same_uvs(found: &[Vec2], expected: &[Value], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        same_floats(
            found.to_array(),
            [float(&expected["u"]), float(&expected["v"])],
            what,
        );
    }
}

#[track_caller]
pub fn same_box(found: Box3, expected: &Value, what: &str) {
    same_vec3(found.min, &expected["a"], what);
    same_vec3(found.max, &expected["b"], what);
}

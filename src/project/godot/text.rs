//! Godot scenes as text (`.tscn`, format 3), and values in it. There are no uids and no `load_steps`; ids may
//! be words.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use glam::{DAffine3, DVec3};
use serde_json::Value;

/// Scene in progress.
#[derive(Debug, Default)]
pub(super) struct SceneText {
    /// Ids of external resources by type and path.
    outside: BTreeMap<(String, &'static str), usize>,
    order: Vec<(String, &'static str)>,
    inside: String,
    ids: BTreeSet<String>,
    nodes: String,
    editable: String,
}

impl SceneText {
    /// Returns a reference to a file below the project's folder.
    pub fn outside(&mut self, kind: &'static str, path: &str) -> String {
        let key = (path.to_owned(), kind);
        let next = self.order.len() + 1;
        let id = *self.outside.entry(key.clone()).or_insert(next);
        if id == next {
            self.order.push(key);
        }
        format!("ExtResource(\"{id}\")")
    }

    /// Adds an internal resource, unless one with this id exists, and returns a reference to it.
    pub fn inside(&mut self, kind: &str, id: &str, properties: &[(&str, String)]) -> String {
        if self.ids.insert(id.to_owned()) {
            let _ = writeln!(
                self.inside,
                "[sub_resource type={} id={}]",
                quoted(kind),
                quoted(id)
            );
            push_properties(&mut self.inside, properties);
        }
        format!("SubResource({})", quoted(id))
    }

    /// Adds a node; `head` is the rest of its heading: type, parent, instance, groups.
    pub fn node(&mut self, name: &str, head: &[(&str, String)], properties: &[(&str, String)]) {
        let _ = write!(self.nodes, "[node name={}", quoted(name));
        for (key, value) in head {
            let _ = write!(self.nodes, " {key}={value}");
        }
        self.nodes.push_str("]\n");
        push_properties(&mut self.nodes, properties);
    }

    /// Allows overriding nodes inside the instance at `path`.
    pub fn editable(&mut self, path: &str) {
        let _ = writeln!(self.editable, "[editable path={}]", quoted(path));
    }

    /// The file.
    pub fn finish(self) -> Vec<u8> {
        let mut text = String::from("[gd_scene format=3]\n\n");
        for (number, (path, kind)) in self.order.iter().enumerate() {
            let path = quoted(&format!("res://{path}"));
            let _ = writeln!(
                text,
                "[ext_resource type={} path={path} id=\"{}\"]",
                quoted(kind),
                number + 1
            );
        }
        if !self.order.is_empty() {
            text.push('\n');
        }
        text.push_str(&self.inside);
        text.push_str(&self.nodes);
        text.push_str(&self.editable);
        let end = text.trim_end().len();
        text.truncate(end);
        text.push('\n');
        text.into_bytes()
    }
}

fn push_properties(text: &mut String, properties: &[(&str, String)]) {
    for (key, value) in properties {
        let _ = writeln!(text, "{key} = {value}");
    }
    text.push('\n');
}

/// Quoted text.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for sign in text.chars() {
        match sign {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            sign if sign.is_control() => quoted.push(' '),
            sign => quoted.push(sign),
        }
    }
    quoted.push('"');
    quoted
}

/// Number with the fewest digits that read back.
pub(super) fn number(value: f64) -> String {
    match value.is_finite() {
        true => format!("{:?}", value as f32 + 0.0),
        false => "0.0".to_owned(),
    }
}

fn numbers(values: impl IntoIterator<Item = f64>) -> String {
    let values: Vec<String> = values.into_iter().map(number).collect();
    values.join(", ")
}

/// A vector.
pub(super) fn vector(value: DVec3) -> String {
    format!("Vector3({})", numbers(value.to_array()))
}

/// A box.
pub(super) fn aabb([low, high]: [DVec3; 2]) -> String {
    format!(
        "AABB({})",
        numbers(low.to_array().into_iter().chain((high - low).to_array()))
    )
}

/// Transform: rows of the matrix, then the origin.
pub(super) fn transform(place: DAffine3) -> String {
    let rows = place.matrix3.transpose().to_cols_array();
    format!(
        "Transform3D({})",
        numbers(rows.into_iter().chain(place.translation.to_array()))
    )
}

/// Color with sRGB channels, 0 to 1.
pub(super) fn color(channels: [f64; 4]) -> String {
    format!("Color({})", numbers(channels))
}

/// Texts as a packed array.
pub(super) fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let texts: Vec<String> = texts.into_iter().map(quoted).collect();
    format!("PackedStringArray({})", texts.join(", "))
}

/// JSON value as a value of the engine.
pub(super) fn variant(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => match value.as_i64() {
            Some(whole) => whole.to_string(),
            None => number(value.as_f64().unwrap_or_default()),
        },
        Value::String(text) => quoted(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(variant).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(key, value)| format!("{}: {}", quoted(key), variant(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_the_engine_reads_them() {
        assert_eq!(number(1.0), "1.0");
        assert_eq!(number(-0.0), "0.0");
        assert_eq!(number(0.1), "0.1");
        assert_eq!(number(f64::NAN), "0.0");
        assert_eq!(quoted("a\"b\\c\n"), r#""a\"b\\c\n""#);
        let value = serde_json::json!({"a": [1, 2.5, null, true], "b": {"c": "d"}});
        assert_eq!(
            variant(&value),
            r#"{"a": [1, 2.5, null, true], "b": {"c": "d"}}"#
        );
        let place = DAffine3::from_translation(DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(
            transform(place),
            "Transform3D(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0)"
        );
    }

    #[test]
    fn resources_are_named_once() {
        let mut scene = SceneText::default();
        let first = scene.outside("Texture2D", "a.png");
        assert_eq!(scene.outside("Texture2D", "a.png"), first);
        scene.node(
            "Root",
            &[("type", quoted("Node3D"))],
            &[("x", "1".to_owned())],
        );
        let text = String::from_utf8(scene.finish()).unwrap();
        assert_eq!(
            text,
            "[gd_scene format=3]\n\n[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1\"]\n\n\
             [node name=\"Root\" type=\"Node3D\"]\nx = 1\n"
        );
    }
}

//! JSON Schema and tables of extras, made from their types.

use std::fmt::Write;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use super::{everquest, tool, zipper};

/// Objects of a glTF file that have extras of a family, each by the name of its type, then all types below them.
type Family = (&'static str, Map<String, Value>);

fn definitions(key: &str, add: impl FnOnce(&mut SchemaGenerator)) -> Map<String, Value> {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.definitions_path = format!("/$defs/{key}").into();
    let mut generator = settings.into_generator();
    add(&mut generator);
    generator.take_definitions(true)
}

fn families() -> [Family; 3] {
    let of_zipper = |generator: &mut SchemaGenerator| {
        generator.subschema_for::<zipper::Scene>();
        generator.subschema_for::<zipper::Node>();
        generator.subschema_for::<zipper::Mesh>();
        generator.subschema_for::<zipper::Primitive>();
        generator.subschema_for::<zipper::Material>();
        generator.subschema_for::<zipper::Texture>();
        generator.subschema_for::<zipper::Light>();
        generator.subschema_for::<zipper::Camera>();
        generator.subschema_for::<zipper::Clip>();
    };
    let of_everquest = |generator: &mut SchemaGenerator| {
        generator.subschema_for::<everquest::Scene>();
        generator.subschema_for::<everquest::Node>();
        generator.subschema_for::<everquest::Mesh>();
        generator.subschema_for::<everquest::Primitive>();
        generator.subschema_for::<everquest::Material>();
        generator.subschema_for::<everquest::Light>();
        generator.subschema_for::<everquest::Clip>();
    };
    let of_tool = |generator: &mut SchemaGenerator| {
        generator.subschema_for::<tool::Asset>();
        generator.subschema_for::<tool::MappedVariants>();
        generator.subschema_for::<tool::InstancedNode>();
    };
    [
        ("zipper", definitions("zipper", of_zipper)),
        ("everquest", definitions("everquest", of_everquest)),
        ("relicast", definitions("relicast", of_tool)),
    ]
}

/// JSON Schema of all extras: `$defs/FAMILY/TYPE`.
pub fn schema() -> Value {
    let families = families().into_iter();
    let families: Map<String, Value> = families
        .map(|(key, types)| (key.to_owned(), types.into()))
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Extras of the glTF files that relicast writes",
        "$defs": families,
    })
}

/// Tables of all extras in Markdown: a heading for each type, a row for each key.
pub fn tables() -> String {
    let mut text = String::new();
    for (family, types) in families() {
        for (name, schema) in &types {
            let rows = schema["properties"].as_object();
            let Some(rows) = rows.filter(|rows| !rows.is_empty()) else {
                continue;
            };
            let about = one_line(&schema["description"]);
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "\n### {family}: {name}\n\n{about}\n\n| key | type | |\n| --- | --- | --- |"
            );
            for (key, value) in rows {
                let _ = writeln!(
                    text,
                    "| `{key}` | {} | {} |",
                    kind(value),
                    one_line(&value["description"])
                );
            }
        }
    }
    text
}

fn one_line(text: &Value) -> String {
    let text = text.as_str().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Type of a value in words.
fn kind(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let kinds = any.iter().filter(|one| one["type"] != "null").map(kind);
        return kinds.collect::<Vec<_>>().join(" or ");
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds
            .iter()
            .filter_map(Value::as_str)
            .filter(|kind| *kind != "null")
            .collect(),
        _ => return "any".to_owned(),
    };
    match (&*kinds, &schema["items"]) {
        (["array"], items @ Value::Object(_)) => {
            let count = schema["minItems"]
                .as_u64()
                .filter(|_| schema["minItems"] == schema["maxItems"]);
            match count {
                Some(count) => format!("{count} × {}", kind(items)),
                None => format!("list of {}", kind(items)),
            }
        }
        (["array"], _) => "list".to_owned(),
        _ => kinds.join(" or "),
    }
}

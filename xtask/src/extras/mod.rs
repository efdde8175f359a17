//! Outputs made from the JSON Schemas of extras: tables in docs/outputs.md, types for the gallery.

mod tables;
mod types;

use std::fs;
use std::path::Path;

use serde_json::Value;

pub use tables::with_tables;
pub use types::typescript;

use crate::Outcome;

/// Key of extras and the schema of what is below it.
type Family = (&'static str, Value);

/// Reads the schemas of extras from a folder.
///
/// # Errors
/// One of them cannot be read.
pub fn families(schemas: &Path) -> Outcome<Vec<Family>> {
    let families = ["zipper", "everquest", "relicast"].into_iter();
    let read = families.map(|family| {
        let path = schemas.join(format!("extras-{family}.schema.json"));
        Ok((family, serde_json::from_str(&fs::read_to_string(path)?)?))
    });
    read.collect()
}

/// Schemas of the objects of a glTF file that have extras of a family; the description of each is the place of the
/// objects.
fn objects(root: &Value) -> impl Iterator<Item = &Value> {
    root["anyOf"].as_array().into_iter().flatten()
}

/// The schema that a schema refers to, or itself.
fn resolved<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    let path = schema["$ref"]
        .as_str()
        .and_then(|path| path.strip_prefix('#'));
    path.and_then(|path| root.pointer(path)).unwrap_or(schema)
}

/// Choices of a schema that stands for one of several, without null.
fn choices(schema: &Value) -> Option<impl Iterator<Item = &Value>> {
    let choices = ["anyOf", "oneOf"]
        .iter()
        .find_map(|key| schema[key].as_array())?;
    Some(choices.iter().filter(|choice| choice["type"] != "null"))
}

/// Names of the types of a schema, without null.
fn type_names(schema: &Value) -> Vec<&str> {
    let names = match &schema["type"] {
        Value::String(name) => vec![&**name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    names.into_iter().filter(|name| *name != "null").collect()
}

/// Keys of an object with their schemas, but for that of the schema itself.
fn properties(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let all = object["properties"].as_object().into_iter().flatten();
    all.filter(|(key, _)| *key != "$schema")
}

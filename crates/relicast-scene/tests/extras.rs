//! The documents of extras are those of their types.

use std::fs;
use std::path::Path;

use relicast_scene::extras::describe::{schema, tables};
use serde_json::Value;

fn document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(name);
    fs::read_to_string(path)
        .unwrap_or_default()
        .replace("\r\n", "\n")
}

#[test]
fn the_page_and_the_schema_of_extras_are_those_of_the_types() {
    let page = document("extras.md");
    assert!(page.ends_with(&tables()), "run `cargo xtask docs`");
    let stored: Value = serde_json::from_str(&document("extras.schema.json")).unwrap_or_default();
    assert_eq!(stored, schema(), "run `cargo xtask docs`");
}

#[test]
fn every_type_of_extras_is_described() {
    let schema = schema();
    let families = schema["$defs"].as_object().into_iter().flatten();
    let types = families.flat_map(|(_, types)| types.as_object().into_iter().flatten());
    let mut count = 0;
    for (name, kind) in types {
        for (key, value) in kind["properties"].as_object().into_iter().flatten() {
            count += 1;
            let about = value["description"].as_str().unwrap_or_default();
            assert!(!about.is_empty(), "{name}.{key}");
        }
    }
    assert!(count > 300, "{count} keys");
}

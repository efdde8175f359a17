//! Tables of the keys of extras in docs/outputs.md, made from the JSON Schemas of extras.

use std::fmt::Write;

use serde_json::Value;

use super::{Family, choices, objects, properties, resolved, type_names};
use crate::Outcome;

/// Line before the tables in docs/outputs.md.
const BEGIN: &str = "<!-- extras: `cargo xtask docs` writes these tables -->";

/// Line after the tables.
const END: &str = "<!-- end of extras -->";

/// Maximum depth of nested objects.
const MAX_DEPTH: usize = 8;

/// `page` with the tables of the families.
///
/// # Errors
/// The page lacks the lines around the tables.
pub fn with_tables(page: &str, families: &[Family]) -> Outcome<String> {
    let parts = page.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let Some((before, after)) = parts else {
        return Err("docs/outputs.md lacks the lines around the tables of extras".into());
    };
    let mut text = String::new();
    for (family, schema) in families {
        add_family(family, schema, &mut text)?;
    }
    Ok(format!("{before}{BEGIN}\n{text}\n{END}{after}"))
}

/// Adds a table for each object that has extras of a family.
fn add_family(family: &str, schema: &Value, text: &mut String) -> Outcome {
    for object in objects(schema) {
        let place = one_line(&object["description"]);
        writeln!(
            text,
            "\n### `{family}` of {place}\n\n| key | type | |\n| --- | --- | --- |"
        )?;
        add_rows(schema, resolved(schema, object), "", 0, text)?;
    }
    Ok(())
}

/// Adds a row for each key of an object and of the objects in it.
fn add_rows(root: &Value, object: &Value, above: &str, depth: usize, text: &mut String) -> Outcome {
    for (key, value) in properties(object) {
        let path = format!("{above}{key}");
        let about = one_line(&value["description"]);
        let (kind, objects) = described(root, value);
        writeln!(text, "| `{path}` | {kind} | {about} |")?;
        for (suffix, object) in objects.into_iter().filter(|_| depth < MAX_DEPTH) {
            add_rows(root, object, &format!("{path}{suffix}."), depth + 1, text)?;
        }
    }
    Ok(())
}

/// Type of a value in words, and the objects with keys of their own in it, with what leads to them.
fn described<'s>(root: &'s Value, schema: &'s Value) -> (String, Vec<(String, &'s Value)>) {
    let schema = resolved(root, schema);
    if let Some(choices) = choices(schema) {
        let (kinds, objects): (Vec<_>, Vec<_>) =
            choices.map(|choice| described(root, choice)).unzip();
        return (kinds.join(" or "), objects.concat());
    }
    let kinds = type_names(schema);
    match *kinds {
        ["array"] => {
            let (kind, objects) = described(root, &schema["items"]);
            let lists = objects.into_iter();
            let objects = lists.map(|(suffix, object)| (format!("[]{suffix}"), object));
            let count = &schema["minItems"];
            let kind = match count.as_u64().filter(|_| *count == schema["maxItems"]) {
                Some(count) => format!("{count} × {kind}"),
                None => format!("list of {kind}"),
            };
            (kind, objects.collect())
        }
        ["object"] if schema["properties"].is_object() => {
            ("object".to_owned(), vec![(String::new(), schema)])
        }
        ["object"] => {
            let (_, objects) = described(root, &schema["additionalProperties"]);
            let values = objects.into_iter();
            let objects = values.map(|(suffix, object)| (format!(".*{suffix}"), object));
            ("object by names".to_owned(), objects.collect())
        }
        [] => ("any".to_owned(), Vec::new()),
        _ => (kinds.join(" or "), Vec::new()),
    }
}

/// A description as the cell of a table.
fn one_line(text: &Value) -> String {
    let text = text.as_str().unwrap_or_default().replace('|', "\\|");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_of_objects_in_objects_and_lists_have_rows() {
        let schema = json!({
            "anyOf": [{"$ref": "#/$defs/Node", "description": "`nodes[]`"}],
            "$defs": {
                "Node": {"type": "object", "properties": {
                    "$schema": {"type": "string"},
                    "size": {"description": "Width\nand height.", "type": ["array", "null"], "items": {"type": "number"},
                        "minItems": 2, "maxItems": 2},
                    "keys": {"anyOf": [{"$ref": "#/$defs/Key"}, {"type": "null"}]},
                    "all": {"type": "array", "items": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Key"}}},
                }},
                "Key": {"type": "object", "properties": {"name": {"description": "Name.", "type": "string"}}},
            },
        });
        let mut text = String::new();
        add_family("zipper", &schema, &mut text).unwrap();
        let rows: Vec<&str> = text.lines().skip(5).collect();
        let expected = [
            "| `size` | 2 × number | Width and height. |",
            "| `keys` | object |  |",
            "| `keys.name` | string | Name. |",
            "| `all` | list of object by names |  |",
            "| `all[].*.name` | string | Name. |",
        ];
        assert_eq!(rows, expected);
    }
}

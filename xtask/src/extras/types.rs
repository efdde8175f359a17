//! Types of extras for the gallery, so that the TypeScript compiler knows their keys.

use serde_json::Value;

use super::{Family, choices, objects, properties, resolved, type_names};

/// A file of TypeScript with an interface for each kind of object that has extras. Values that are not objects are of
/// any type, since files may be damaged.
pub fn typescript(families: &[Family]) -> String {
    let mut text = "// Keys of the extras of our glTF files. `cargo xtask docs` writes this file.\n\ntype Json = any;\n".to_owned();
    for (family, schema) in families {
        for object in objects(schema) {
            let name = object["$ref"].as_str().unwrap_or_default();
            let name = name.rsplit('/').next().unwrap_or_default();
            let body = members(schema, resolved(schema, object), 1);
            text += &format!("\nexport interface {}{name} {body}\n", capitalized(family));
        }
    }
    text
}

/// Members of an interface in braces.
fn members(root: &Value, object: &Value, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    let rows = properties(object).map(|(key, value)| {
        format!(
            "{indent}readonly {key}?: {};\n",
            type_of(root, value, depth)
        )
    });
    let mut rows: String = rows.collect();
    if object["additionalProperties"] == true {
        rows += &format!("{indent}readonly [key: string]: Json;\n");
    }
    format!("{{\n{rows}{}}}", "  ".repeat(depth - 1))
}

fn type_of(root: &Value, schema: &Value, depth: usize) -> String {
    let schema = resolved(root, schema);
    if let Some(choices) = choices(schema) {
        let mut choices = choices.map(|choice| type_of(root, choice, depth));
        return match (choices.next(), choices.next()) {
            (Some(only), None) => only,
            _ => "Json".to_owned(),
        };
    }
    match *type_names(schema) {
        ["object"] if schema["properties"].is_object() => members(root, schema, depth + 1),
        ["array"] => match type_of(root, &schema["items"], depth) {
            item if item == "Json" => item,
            item => format!("readonly {item}[]"),
        },
        _ => "Json".to_owned(),
    }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn objects_become_interfaces_and_other_values_are_of_any_type() {
        let schema = json!({
            "anyOf": [{"$ref": "#/$defs/Node"}],
            "$defs": {
                "Node": {"type": "object", "properties": {
                    "size": {"type": ["array", "null"], "items": {"type": "number"}},
                    "lod": {"anyOf": [{"$ref": "#/$defs/Lod"}, {"type": "null"}]},
                    "all": {"type": "array", "items": {"$ref": "#/$defs/Lod"}},
                }},
                "Lod": {"type": "object", "properties": {"near": {"type": "number"}}},
            },
        });
        let text = typescript(&[("zipper", schema)]);
        let expected = "export interface ZipperNode {\n  readonly size?: Json;\n  \
                        readonly lod?: {\n    readonly near?: Json;\n  };\n  \
                        readonly all?: readonly {\n    readonly near?: Json;\n  }[];\n}\n";
        assert!(text.ends_with(expected), "{text}");
    }
}

//! Lights and cameras of a glTF file as what pack compares.

use std::collections::BTreeMap;

use serde_json::Value;

/// Values of a light or a camera by their path, as `perspective.yfov`.
pub(in crate::pack::scene) type Leaves = BTreeMap<String, Value>;

/// The lights and cameras of a file.
#[derive(Debug, Clone, Default)]
pub(in crate::pack::scene) struct Shining {
    pub lights: Vec<Leaves>,
    pub cameras: Vec<Leaves>,
    /// For each node its light and its camera.
    pub of_nodes: Vec<[Option<usize>; 2]>,
}

/// Reads them.
pub(in crate::pack::scene) fn of(root: &Value) -> Shining {
    let number = |value: Option<&Value>| {
        let number = value.and_then(Value::as_u64);
        number.and_then(|number| usize::try_from(number).ok())
    };
    let punctual = |value: &Value| {
        let extensions = value.get("extensions");
        extensions
            .and_then(|all| all.get("KHR_lights_punctual"))
            .cloned()
    };
    let list = |value: Option<&Value>| -> Vec<Leaves> {
        let list = value.and_then(Value::as_array);
        list.into_iter().flatten().map(leaves).collect()
    };
    let nodes = root.get("nodes").and_then(Value::as_array);
    Shining {
        lights: list(punctual(root).as_ref().and_then(|all| all.get("lights"))),
        cameras: list(root.get("cameras")),
        of_nodes: nodes
            .into_iter()
            .flatten()
            .map(|node| {
                [
                    number(punctual(node).as_ref().and_then(|it| it.get("light"))),
                    number(node.get("camera")),
                ]
            })
            .collect(),
    }
}

fn leaves(value: &Value) -> Leaves {
    let mut all = Leaves::new();
    add(value, String::new(), &mut all);
    all
}

fn add(value: &Value, path: String, all: &mut Leaves) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let path = match path.is_empty() {
                    true => key.clone(),
                    false => format!("{path}.{key}"),
                };
                add(value, path, all);
            }
        }
        _ => {
            all.insert(path, value.clone());
        }
    }
}

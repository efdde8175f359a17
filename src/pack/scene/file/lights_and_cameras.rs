//! Lights and cameras of a glTF file in the form that pack compares.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::pack::json::{index, items};

/// Values of a light or a camera by their path, such as `perspective.yfov`.
pub(in crate::pack::scene) type Leaves = BTreeMap<String, Value>;

/// The lights and cameras of a file.
#[derive(Debug, Clone, Default)]
pub(in crate::pack::scene) struct LightsAndCameras {
    pub lights: Vec<Leaves>,
    pub cameras: Vec<Leaves>,
    /// For each node its light and its camera.
    pub of_nodes: Vec<[Option<usize>; 2]>,
}

/// Reads them.
pub(in crate::pack::scene) fn of(root: &Value) -> LightsAndCameras {
    let list = |list: &[Value]| -> Vec<Leaves> { list.iter().map(leaves).collect() };
    let nodes = items(root, "nodes").iter().map(|node| {
        let light = node.pointer("/extensions/KHR_lights_punctual/light");
        [light, node.get("camera")].map(|number| number.and_then(index))
    });
    let lights = root.pointer("/extensions/KHR_lights_punctual");
    LightsAndCameras {
        lights: list(lights.map_or(&[], |lights| items(lights, "lights"))),
        cameras: list(items(root, "cameras")),
        of_nodes: nodes.collect(),
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

//! Lights and cameras that a program wrote.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::builder::Builder;
use super::materials::merged;
use super::nodes::NodePairs;
use super::pair::Pair;
use crate::pack::json::{index, items};
use crate::pack::scene::compare::leaves::is_near;
use crate::pack::scene::compare::matching::index_of;

/// Place of the aspect ratio in a camera.
const ASPECT: &str = "/perspective/aspectRatio";

/// Puts the edited values into the lights and cameras of the original. Other scenes of a file show the same ones, and
/// follow the first. Blender stores lights in watts, so that their numbers are less exact than others.
pub(super) fn restore(pair: Pair<'_>, nodes: &NodePairs, builder: &mut Builder) {
    for (key, list) in [
        (
            "/extensions/KHR_lights_punctual/light",
            "/extensions/KHR_lights_punctual/lights",
        ),
        ("/camera", "/cameras"),
    ] {
        let of = |root: &Value, node: usize| {
            let number = index(items(root, "nodes").get(node)?.pointer(key)?)?;
            Some((number, root.pointer(list)?.get(number)?.clone()))
        };
        let mut seen = HashSet::new();
        for (old, new) in nodes.edited.iter().enumerate() {
            let Some((number, before)) = of(&pair.base.json, old) else {
                continue;
            };
            let stored = index_of(&pair.base_scene.nodes[old]);
            let is_first = stored.is_none_or(|stored| seen.insert(stored));
            let after = new.and_then(|new| of(&pair.edited.json, new));
            let place = builder.json.pointer_mut(list);
            let values = place.and_then(|list| list.get_mut(number));
            if let (true, Some((_, mut after)), Some(values)) = (is_first, after, values) {
                if pair.exporter.has_one_aspect
                    && let Some(aspect) = after.pointer_mut(ASPECT)
                    && let Some(own) = before.pointer(ASPECT)
                {
                    *aspect = own.clone();
                }
                merge(values, &before, &after, 10.0 * pair.exporter.value);
            }
        }
    }
}

/// Takes over the values that differ. A value that only one side has is a default, or a fact of the program; but another
/// type of light has values of its own.
fn merge(into: &mut Value, before: &Value, after: &Value, slack: f64) {
    let (Some(into), Some(before)) = (into.as_object_mut(), before.as_object()) else {
        return;
    };
    let is_other_type = !after["type"].is_null() && before.get("type") != after.get("type");
    for (key, was) in before {
        let default = match &**key {
            "color" => Some(json!([1.0, 1.0, 1.0])),
            "intensity" => Some(json!(1.0)),
            _ => None,
        };
        let now = after.get(key).or(default.as_ref());
        let Some(now) = now.filter(|_| key != "name") else {
            continue;
        };
        if key == "extras" {
            into.insert(key.clone(), merged(was, now));
        } else if was.is_object() {
            if let Some(inner) = into.get_mut(key) {
                merge(inner, was, now, slack);
            }
        } else if !is_near(was, now, slack) {
            into.insert(key.clone(), now.clone());
        }
    }
    let more = after.as_object().filter(|_| is_other_type);
    for (key, value) in more.into_iter().flatten() {
        into.entry(key.clone()).or_insert_with(|| value.clone());
    }
}

//! Lights and cameras that a program wrote.

use std::collections::HashSet;

use serde_json::Value;

use super::builder::Builder;
use super::materials::merged;
use super::nodes::NodePairs;
use super::pair::Pair;
use crate::pack::json::{index, items};
use crate::pack::scene::compare::leaves::is_near;
use crate::pack::scene::compare::matching::index_of;

/// Largest difference of values of lights and cameras, relative to the larger of 1 and the number. Blender stores lights
/// in watts.
const SLACK: f64 = 2e-3;

/// Puts the edited values into the lights and cameras of the original. Other scenes of a file show the same ones, and
/// follow the first.
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
            if let (true, Some((_, after)), Some(values)) = (is_first, after, values) {
                merge(values, &before, &after);
            }
        }
    }
}

/// Takes over the values that differ. Values that only one side has are defaults, or facts of the program.
fn merge(into: &mut Value, before: &Value, after: &Value) {
    let (Some(into), Some(before)) = (into.as_object_mut(), before.as_object()) else {
        return;
    };
    for (key, was) in before {
        let Some(now) = after.get(key).filter(|_| key != "name") else {
            continue;
        };
        if key == "extras" {
            into.insert(key.clone(), merged(was, now));
        } else if was.is_object() {
            if let Some(inner) = into.get_mut(key) {
                merge(inner, was, now);
            }
        } else if !is_near(was, now, SLACK) {
            into.insert(key.clone(), now.clone());
        }
    }
}

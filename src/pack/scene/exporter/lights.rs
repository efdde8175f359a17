//! Lights and cameras that a program wrote.

use super::Pair;
use super::builder::Builder;
use super::nodes::NodePairs;
use crate::pack::json::{index, items};
use crate::pack::scene::compare::leaves::is_near;

/// Largest difference of values of lights and cameras, relative to the larger of 1 and the number. Blender stores lights
/// in watts.
const SLACK: f64 = 2e-3;

/// Puts the edited values into the lights and cameras of the original.
pub(super) fn restore(pair: Pair<'_>, nodes: &NodePairs, builder: &mut Builder) {
    for (old, new) in nodes.edited.iter().enumerate() {
        let Some(new) = *new else { continue };
        let light = "/extensions/KHR_lights_punctual/light";
        for (key, list) in [
            (light, "/extensions/KHR_lights_punctual/lights"),
            ("/camera", "/cameras"),
        ] {
            let of = |root: &serde_json::Value, node: usize| {
                let number = index(items(root, "nodes").get(node)?.pointer(key)?)?;
                Some((number, root.pointer(list)?.get(number)?.clone()))
            };
            let (Some((number, before)), Some((_, after))) =
                (of(&pair.base.json, old), of(&pair.edited.json, new))
            else {
                continue;
            };
            let Some(values) = builder
                .json
                .pointer_mut(list)
                .and_then(|it| it.get_mut(number))
            else {
                continue;
            };
            merge(values, &before, &after);
        }
    }
}

/// Takes over the values that differ. Values that only one side has are defaults, or facts of the program.
fn merge(into: &mut serde_json::Value, before: &serde_json::Value, after: &serde_json::Value) {
    let (Some(into), Some(before)) = (into.as_object_mut(), before.as_object()) else {
        return;
    };
    for (key, was) in before {
        let Some(now) = after.get(key).filter(|_| key != "name" && key != "extras") else {
            continue;
        };
        if was.is_object() {
            if let Some(inner) = into.get_mut(key) {
                merge(inner, was, now);
            }
        } else if !is_near(was, now, SLACK) {
            into.insert(key.clone(), now.clone());
        }
    }
}

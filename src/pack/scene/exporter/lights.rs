//! Lights and cameras that a program wrote.

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

/// Puts the edited values into the lights and cameras of the original. Other scenes of the file show the same ones: they
/// follow an edit of one of them.
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
        let mut edits: Vec<(Option<usize>, usize, Value)> = Vec::new();
        let mut all: Vec<(Option<usize>, usize)> = Vec::new();
        for (old, new) in nodes.edited.iter().enumerate() {
            let Some((number, before)) = of(&pair.base.json, old) else {
                continue;
            };
            let stored = index_of(&pair.base_scene.nodes[old]);
            all.push((stored, number));
            let Some((_, after)) = new.and_then(|new| of(&pair.edited.json, new)) else {
                continue;
            };
            let mut edited = before.clone();
            merge(&mut edited, &before, &after);
            if edited != before {
                edits.push((stored, number, edited));
            }
        }
        for (stored, number, edited) in &edits {
            let is_edited = |number: usize| edits.iter().any(|edit| edit.1 == number);
            let follow = all.iter().filter(|(other, at)| {
                at == number || (stored.is_some() && other == stored && !is_edited(*at))
            });
            for (_, at) in follow {
                let list = builder.json.pointer_mut(list);
                if let Some(value) = list.and_then(|it| it.get_mut(*at)) {
                    *value = edited.clone();
                }
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

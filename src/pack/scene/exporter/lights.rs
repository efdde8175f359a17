//! Lights and cameras that a program wrote.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::builder::Builder;
use super::materials::{merged, merged_extras};
use super::nodes::NodePairs;
use super::noise::Noise;
use super::pair::Pair;
use crate::pack::json::{index, items};
use crate::pack::scene::compare::leaves::is_near;
use crate::pack::scene::compare::matching::index_of;

/// The extension of lights.
const LIGHTS: &str = "KHR_lights_punctual";

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

/// Lights of added nodes.
#[derive(Debug, Default)]
pub(super) struct AddedLights {
    /// Lights of the restored file by edited light.
    known: HashMap<usize, usize>,
}

impl AddedLights {
    /// The light of an added node in the restored file, by its number in the edited one. A linked copy has the light of
    /// its original; any other copy keeps the numbers that it shares with its original.
    pub(super) fn restore(
        &mut self,
        pair: Pair<'_>,
        nodes: &NodePairs,
        (node, number): (usize, usize),
        builder: &mut Builder,
        noise: &mut Noise,
    ) -> Option<usize> {
        if let Some(&known) = self.known.get(&number) {
            return Some(known);
        }
        let number_of = |root: &Value, node: usize| {
            index(&items(root, "nodes").get(node)?["extensions"][LIGHTS]["light"])
        };
        let list = |root: &Value| root["extensions"][LIGHTS]["lights"].clone();
        let (before, after) = (list(&pair.base.json), list(&pair.edited.json));
        let mut pairs = nodes.edited.iter().enumerate();
        let shared = pairs.find_map(|(old, new)| {
            let is_shared = number_of(&pair.edited.json, (*new)?) == Some(number);
            number_of(&pair.base.json, old).filter(|_| is_shared)
        });
        let made = match shared {
            Some(shared) => shared,
            None => {
                let new = after.get(number)?;
                let facts = &new["extras"];
                let mut old = before.as_array().into_iter().flatten();
                let old = old.find(|old| {
                    !facts.is_null()
                        && is_near(&old["extras"], &merged(&old["extras"], facts), SAME)
                });
                let name = &pair.edited_scene.nodes[node].name;
                let mut light = old.cloned().unwrap_or_else(|| json!({}));
                if let Some(old) = old {
                    merge(&mut light, old, new, 10.0 * pair.exporter.value);
                } else {
                    light.clone_from(new);
                    let extras = merged_extras(pair, &Value::Null, facts, noise, name);
                    let map = light.as_object_mut()?;
                    match extras.is_null() {
                        true => drop(map.shift_remove("extras")),
                        false => drop(map.insert("extras".to_owned(), extras)),
                    }
                }
                light["name"] = json!(name);
                push(&mut builder.json, light)?
            }
        };
        self.known.insert(number, made);
        Some(made)
    }
}

/// Largest difference of equal facts of a light.
const SAME: f64 = 1e-6;

/// Appends a light, and returns its number.
fn push(root: &mut Value, light: Value) -> Option<usize> {
    let root = root.as_object_mut()?;
    let used = root.entry("extensionsUsed").or_insert_with(|| json!([]));
    let used = used.as_array_mut()?;
    if !used.iter().any(|it| it == LIGHTS) {
        used.push(json!(LIGHTS));
    }
    let extensions = root.entry("extensions").or_insert_with(|| json!({}));
    let extension = extensions
        .as_object_mut()?
        .entry(LIGHTS)
        .or_insert_with(|| json!({}));
    let lights = extension.as_object_mut()?;
    let lights = lights.entry("lights").or_insert_with(|| json!([]));
    let lights = lights.as_array_mut()?;
    lights.push(light);
    Some(lights.len() - 1)
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

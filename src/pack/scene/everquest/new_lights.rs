//! Lights that an edit adds to a zone: copies of its lights, and new ones. Storing one in its file is the task of
//! `new_lights` of [`wld`](super::wld), and of `lamps` of [`eqg`](super::eqg).

use std::collections::HashSet;

use serde_json::Value;

use super::attach::global;
use super::copies::unlink;
use super::light_nodes::{HasLight, LightRules, light_of};
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::leaves::{Leaf, changes, single};
use crate::pack::scene::compare::matching::plain_name;
use crate::pack::scene::driver::outputs::Opened;
use crate::pack::scene::file::unsupported_edits::labels as labels_of;

/// A light that an edit adds.
#[derive(Debug)]
pub(in crate::pack::scene) struct NewLight {
    /// Its name in the edit.
    pub name: String,
    /// The name that the game stores.
    pub stored: String,
    /// In scene axes.
    pub position: [f32; 3],
    /// Its glTF light with extras, or only these.
    light: Value,
    /// The original node of which it is a copy, with the light of that.
    pub source: Option<(usize, Value)>,
}

/// Values of a light that is not a copy.
#[derive(Debug)]
pub(super) struct Shine {
    pub radius: f32,
    pub color: [f32; 3],
    /// Levels of its frames; one of 1 if the edit gives none.
    pub levels: Vec<f32>,
    /// Words about values that the game does not store.
    pub unstored: Vec<String>,
}

/// Largest relative difference of values that Blender stores in other units.
const SAME: f64 = 1e-4;

/// Number of characters of the longest name.
const LONGEST: usize = 40;

impl NewLight {
    /// Reads the lights of edited nodes that the original does not have, and takes them out of the edit.
    ///
    /// # Errors
    /// One shines along a direction, or has objects below it.
    pub(super) fn take_out(
        base: &Opened,
        edited: &mut Opened,
        nodes: &[usize],
        rules: LightRules,
    ) -> Result<Vec<Self>, Refusal> {
        let others = edited.scene.nodes.iter().enumerate();
        let others = others.filter(|(number, _)| !nodes.contains(number));
        let known = base.scene.nodes.iter().chain(others.map(|(_, node)| node));
        let mut names: HashSet<String> = known.map(|node| node.name.to_lowercase()).collect();
        let labels = edited.scene.nodes.iter().map(|node| &*node.name);
        let labels = labels_of("node", labels);
        let mut all = Vec::new();
        for &node in nodes {
            if let Some(label) = labels.get(node) {
                edited.scene.rest.forget_node(label);
            }
            let (Some(light), Some(found)) = (
                light_of(&edited.document, node, rules.has_light),
                edited.scene.nodes.get(node),
            ) else {
                continue;
            };
            let name = found.name.clone();
            if light["type"] == "directional" {
                refuse!(
                    "light {name}: it is a sun, and lights of zones have a position; delete it, or make it a point light"
                );
            }
            let has_objects = |&child: &usize| {
                let child = edited.scene.nodes.get(child);
                child.is_some_and(|child| {
                    child.mesh.is_some() || !child.children.is_empty() || !child.extras.is_null()
                })
            };
            if found.children.iter().any(has_objects) {
                refuse!(
                    "light {name}: it is new, and has objects below it, which the game cannot store; clear their parent (Blender: Alt+P)"
                );
            }
            let place = global(&edited.scene, node).w_axis.truncate();
            if !place.is_finite() {
                refuse!("light {name}: it has no position");
            }
            let source = source_of(base, &light, &name, rules.has_light);
            all.push(Self {
                stored: free_name(&(rules.name)(&plain(&name), source.is_some()), &mut names),
                position: place.as_vec3().to_array(),
                source,
                light,
                name,
            });
        }
        unlink(&mut edited.scene, nodes.iter().copied());
        Ok(all)
    }

    /// Values of the copy that differ from those of its original.
    pub(super) fn leaves(&self) -> Vec<Leaf> {
        let old = self.source.as_ref().map(|(_, old)| old);
        let leaves = old.map(|old| changes(old, &self.light, SAME));
        let leaves = leaves.into_iter().flatten();
        leaves.filter(|leaf| leaf.path != "name").collect()
    }

    /// Values of a light that is not a copy. `scale` is that of intensities.
    ///
    /// # Errors
    /// It has neither range nor strength.
    pub(super) fn shine(&self, scale: f32) -> Result<Shine, Refusal> {
        let (light, name) = (&self.light, &self.name);
        let facts = &light["extras"]["everquest"];
        let intensity = match light["type"].is_string() {
            true => Some(single(&light["intensity"]).unwrap_or(1.0)),
            false => None,
        };
        let range = single(&light["range"]).or(single(&facts["radius"]));
        let full = |radius: f32| radius * radius * 0.25 * scale.max(0.0);
        let mut unstored = Vec::new();
        let radius = range.or(intensity.map(|it| 2.0 * (it / scale.max(1e-6)).sqrt()));
        let Some(radius) = radius.filter(|it| it.is_finite() && *it > 0.0) else {
            refuse!(
                "light {name}: it has no range; give it one (Blender: Light > Custom Distance)"
            );
        };
        if range.is_none() {
            unstored.push(format!(
                "light {name} has no range (Blender: Custom Distance), so its radius of {radius:.1} follows from its strength"
            ));
        }
        if light["type"] == "spot" {
            unstored.push(format!(
                "not stored by the game: the cone of light {name}, which shines in all directions"
            ));
        }
        let stored = facts["levels"].as_array().into_iter().flatten();
        let mut levels: Vec<f32> = stored.filter_map(single).collect();
        if levels.is_empty() {
            let level = intensity.map_or(1.0, |it| it / full(radius));
            // No file has levels above 1.
            let is_too_strong = level.is_nan() || level > 1.0;
            if is_too_strong && range.is_some() {
                unstored.push(format!(
                    "not stored by the game: the strength of light {name} above that of its radius"
                ));
            }
            levels.push(if is_too_strong { 1.0 } else { level.max(0.0) });
        }
        let color = [&light["color"], &facts["color"]];
        let color = color.into_iter().find(|it| it.is_array());
        let color = color.map_or([1.0; 3], |color| {
            [0, 1, 2].map(|channel| single(&color[channel]).unwrap_or(1.0))
        });
        Ok(Shine {
            radius,
            color,
            levels,
            unstored,
        })
    }
}

/// The original node that has the light of which another one is a copy.
fn source_of(
    base: &Opened,
    light: &Value,
    name: &str,
    has_light: HasLight,
) -> Option<(usize, Value)> {
    let facts = |light: &Value| light["extras"]["everquest"].clone();
    let own = facts(light);
    if own.is_null() {
        return None;
    }
    let nodes = base.scene.nodes.iter().enumerate();
    let mut all = nodes.filter_map(|(number, node)| {
        let light = light_of(&base.document, number, has_light)?;
        Some((number, &*node.name, light))
    });
    // Lights of `.wld` files have the number of their fragment.
    let found = match own["index"].is_u64() {
        true => all.find(|(_, _, light)| {
            let facts = facts(light);
            facts["index"] == own["index"] && facts["light"] == own["light"]
        }),
        false => all.find(|(_, old, _)| *old == plain_name(name)),
    };
    found.map(|(number, _, light)| (number, light))
}

/// A name of letters, digits and underscores.
fn plain(name: &str) -> String {
    let plain = name.chars().take(LONGEST).map(|letter| match letter {
        letter if letter.is_ascii_alphanumeric() => letter,
        _ => '_',
    });
    let plain: String = plain.collect();
    match plain.is_empty() {
        true => "LIGHT".to_owned(),
        false => plain,
    }
}

/// A name that no other node has.
fn free_name(name: &str, names: &mut HashSet<String>) -> String {
    let numbered = (1_usize..).map(|number| format!("{name}_{number}"));
    let mut all = std::iter::once(name.to_owned()).chain(numbered);
    let found = all.find(|it| names.insert(it.to_lowercase()));
    found.unwrap_or_default()
}

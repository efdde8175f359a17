//! Lights that were added to files, and the check that packed scenes show them.

use serde_json::Value;

use super::copies::unlink;
use super::light_nodes::{HasLight, light_of};
use super::scene::Scene;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::leaves::single;
use crate::pack::scene::file::{Document, SceneFile};

/// A light that was stored, as the packed scene must show it.
#[derive(Debug)]
pub(super) struct StoredLight {
    /// The output that adds it.
    pub path: String,
    pub name: String,
    /// In scene axes.
    pub position: [f32; 3],
    pub radius: f32,
    pub color: [f32; 3],
    /// Levels of its frames; empty where the format has none.
    pub levels: Vec<f32>,
    /// Words about values that the game does not store.
    pub unstored: Vec<String>,
}

/// Checks that the packed scene shows the new lights of a scene, and takes them out of it. Returns words about them.
///
/// # Errors
/// One is missing or differs.
pub(super) fn check(
    scene: &Scene<'_>,
    (after, document): (&mut SceneFile, &Document),
    stored: &[StoredLight],
    has_light: HasLight,
) -> Result<Vec<String>, Refusal> {
    let mut found = Vec::new();
    let mut words = Vec::new();
    let own = stored.iter();
    for wanted in own.filter(|stored| stored.path == scene.output.path) {
        let name = &wanted.name;
        let mut nodes = after.nodes.iter().enumerate();
        let node = nodes.find_map(|(number, node)| {
            let light = light_of(document, number, has_light)?;
            (node.name == *name).then_some((number, node, light))
        });
        let Some((number, node, light)) = node else {
            refuse!("new light {name}: the packed file does not show it");
        };
        let facts = &light["extras"]["everquest"];
        let numbers = |value: &Value| -> Vec<f32> {
            let list = value.as_array().into_iter().flatten();
            list.filter_map(single).collect()
        };
        let shown = match light["color"].is_array() {
            true => numbers(&light["color"]),
            false => numbers(&facts["color"]),
        };
        let is_color = |(shown, wanted): (&f32, f32)| (shown.clamp(0.0, 1.0) - wanted).abs() < 1e-5;
        let is_shown = node.local.translation == wanted.position
            && single(&facts["radius"]) == Some(wanted.radius)
            && shown.len() == 3
            && shown.iter().zip(clamped(wanted.color)).all(is_color)
            && (wanted.levels.is_empty() || numbers(&facts["levels"]) == wanted.levels);
        if !is_shown {
            refuse!("new light {name}: it differs in the packed file");
        }
        found.push(number);
        words.extend(wanted.unstored.iter().cloned());
    }
    if !found.is_empty() {
        words.push("light that is baked into surfaces stays as it is".to_owned());
    }
    let had_group = |name: &str| scene.base.nodes.iter().any(|node| node.name == name);
    let groups: Vec<usize> = (found.iter())
        .filter_map(|&light| after.nodes.get(light)?.parent)
        .filter(|&group| {
            let group = after.nodes.get(group);
            group.is_some_and(|group| {
                let mut children = group.children.iter();
                children.all(|child| found.contains(child)) && !had_group(&group.name)
            })
        })
        .collect();
    unlink(after, found.into_iter().chain(groups));
    Ok(words)
}

/// A color in the range of glTF.
fn clamped(color: [f32; 3]) -> [f32; 3] {
    color.map(|part| if part > 0.0 { part.min(1.0) } else { 0.0 })
}

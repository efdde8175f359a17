//! Lights of scenes and their edits, the same for scenes of `.wld` files and of zones in EQG format. Storing a light in
//! its file is the task of [`lights`](super::wld::lights), and of `lamps` of [`eqg`](super::eqg).

use serde_json::Value;

use super::corners::to_file;
use super::light_nodes::{HasLight, light_of};
use super::packed::Packed;
use super::scene::Scene;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::leaves::{self, Leaf, changes, is_near, single};

/// Path of the place of a light in its file.
const INDEX: &str = "extras.everquest.index";

/// An edited light.
#[derive(Debug)]
pub(super) struct EditedLight {
    /// Its original node.
    pub node: usize,
    /// The original light.
    pub old: Value,
    /// Values that differ.
    pub leaves: Vec<Leaf>,
    /// In file axes, along each axis; `None`: unchanged.
    pub position: [Option<f32>; 3],
}

/// Calls `take` with each light that was edited.
///
/// # Errors
/// The first refusal, with the name of the light.
pub(super) fn for_each_edited(
    scene: &Scene<'_>,
    has_light: HasLight,
    mut take: impl FnMut(&EditedLight) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    for (node, edited, old) in lights(scene, has_light) {
        let inside = |refusal: Refusal| refusal!("light {}: {refusal}", scene.name(node));
        let light = EditedLight {
            node,
            leaves: leaves_of(scene, edited, &old, has_light).map_err(inside)?,
            position: moved(scene, node, edited),
            old,
        };
        if !light.leaves.is_empty() || light.position != [None; 3] {
            take(&light).map_err(inside)?;
        }
    }
    Ok(())
}

/// The lights that are still in the edited scene: original node, edited node, original light.
fn lights<'s>(
    scene: &'s Scene<'_>,
    has_light: HasLight,
) -> impl Iterator<Item = (usize, usize, Value)> + 's {
    let pairs = scene.matches.iter().enumerate();
    pairs.filter_map(move |(node, edited)| {
        let old = light_of(&scene.base_document, node, has_light)?;
        Some((node, (*edited)?, old))
    })
}

/// Values of a light that differ in the edit.
///
/// # Errors
/// The light was removed.
fn leaves_of(
    scene: &Scene<'_>,
    edited: usize,
    old: &Value,
    has_light: HasLight,
) -> Result<Vec<Leaf>, Refusal> {
    let new = light_of(&scene.edited_document, edited, has_light);
    let new = new.ok_or_else(|| refusal!("its light was removed"))?;
    Ok(changes(old, &new, 0.0))
}

/// The file coordinates of a node that the edit changes.
fn moved(scene: &Scene<'_>, node: usize, edited: usize) -> [Option<f32>; 3] {
    let mut moves = scene.difference.nodes.iter();
    let is_moved = moves.any(|change| change.base == node && change.is_moved);
    let nodes = (scene.base.nodes.get(node), scene.edited.nodes.get(edited));
    let (true, (Some(before), Some(after))) = (is_moved, nodes) else {
        return [None; 3];
    };
    let place = match after.local.matrix {
        Some(_) => {
            let matrix = after.local.to_matrix();
            matrix.w_axis.truncate().to_array().map(|part| part as f32)
        }
        None => after.local.translation,
    };
    let both: [(f32, f32); 3] = [0, 1, 2].map(|axis| (before.local.translation[axis], place[axis]));
    to_file(both).map(|(before, after)| (before != after).then_some(after))
}

/// New radius and color of a light.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Glow {
    pub radius: Option<f32>,
    pub color: Option<[f32; 3]>,
}

impl Glow {
    /// Reads a changed value of a light whose old values are `old`. Returns false if the value is neither radius nor
    /// color.
    ///
    /// # Errors
    /// The value is invalid for a light.
    pub(super) fn read(&mut self, leaf: &Leaf, old: &Value) -> Result<bool, Refusal> {
        let plain = without_place(leaf);
        match plain {
            "range" | "extras.everquest.radius" => {
                let radius = number(leaf)?;
                if radius <= 0.0 || self.radius.is_some_and(|known| known != radius) {
                    refuse!(
                        "range and extras.everquest.radius are the same length, above 0; edit one of them"
                    );
                }
                self.radius = Some(radius);
            }
            "color" | "extras.everquest.color" => {
                let stored = &old["extras"]["everquest"]["color"];
                let mut color = self.color.unwrap_or_else(|| {
                    [0, 1, 2].map(|channel| single(&stored[channel]).unwrap_or(1.0))
                });
                match place_of(leaf).and_then(|channel| color.get_mut(channel)) {
                    Some(part) => *part = number(leaf)?,
                    // White is omitted in files.
                    None => {
                        for (channel, part) in color.iter_mut().enumerate() {
                            *part = single(&leaf.after[channel]).unwrap_or(1.0);
                        }
                    }
                }
                self.color = Some(color);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The path of a value without its index in a list.
pub(super) fn without_place(leaf: &Leaf) -> &str {
    leaf.path.split('[').next().unwrap_or_default()
}

/// The index of a value in a list.
pub(super) fn place_of(leaf: &Leaf) -> Option<usize> {
    let place = leaf.path.strip_prefix(without_place(leaf))?;
    place.trim_matches(['[', ']']).parse().ok()
}

/// The new value as a number.
///
/// # Errors
/// It is not a number.
pub(super) fn number(leaf: &Leaf) -> Result<f32, Refusal> {
    let number = single(&leaf.after);
    number.ok_or_else(|| refusal!("{} must be a number", leaf.path))
}

/// Checks that the packed lights show the edit.
///
/// # Errors
/// One does not.
pub(super) fn check(
    scene: &Scene<'_>,
    packed: &Packed<'_>,
    has_light: HasLight,
) -> Result<(), Refusal> {
    for (node, edited, old) in lights(scene, has_light) {
        let leaves = leaves_of(scene, edited, &old, has_light)?;
        let found = packed.node(edited);
        let found = found.and_then(|node| light_of(packed.document, node, has_light));
        let other = |what: &str| {
            let name = scene.name(node);
            refusal!("light {name}: {what} differs in the packed file")
        };
        let found = found.ok_or_else(|| other("it"))?;
        for leaf in &leaves {
            if !is_near(&leaf.after, leaves::at(&found, &leaf.path), 1e-5) {
                return Err(other(&leaf.path));
            }
        }
        let others = changes(&old, &found, 0.0);
        // Its place in its file follows from lights that were removed.
        if leaves.is_empty() && others.iter().any(|leaf| leaf.path != INDEX) {
            return Err(other("a light that was not edited"));
        }
    }
    Ok(())
}

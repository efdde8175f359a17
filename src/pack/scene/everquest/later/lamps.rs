//! Lights of zones: place, colour and radius.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::members::{Body, Members, Place};
use super::probe::{Code, from_lamp_axes, lamp_axes};
use super::scenes::Coded;
use crate::formats::codec::{F32, Vec3};
use crate::pack::edited::Refusal;
use crate::pack::scene::everquest::leaves::{self, Leaf, changes, is_near, single};
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::everquest::shapes::to_file;
use crate::pack::scene::file::Document;

/// What becomes of a light.
#[derive(Debug, Clone, Default, PartialEq)]
struct LampEdit {
    path: String,
    /// In the axes of all but lights.
    position: [Option<f32>; 3],
    radius: Option<f32>,
    colour: Option<[f32; 3]>,
}

/// Edits of lights.
#[derive(Debug, Default)]
pub(super) struct Lamps(BTreeMap<Place, LampEdit>);

/// The light of a node, as the file tells of it; of a node that does not shine its extras alone.
fn lamp_of(document: &Document, node: usize) -> Option<Value> {
    let node = &document.json["nodes"][node];
    let number = &node["extensions"]["KHR_lights_punctual"]["light"];
    let number = number
        .as_u64()
        .and_then(|number| usize::try_from(number).ok());
    if let Some(number) = number {
        let light = &document.json["extensions"]["KHR_lights_punctual"]["lights"][number];
        return light.is_object().then(|| light.clone());
    }
    let is_lamp = node["extras"]["everquest"]["radius"].is_number();
    is_lamp.then(|| json!({"extras": node["extras"]}))
}

/// What the edit says otherwise of a light.
fn leaves_of(scene: &Scene<'_>, edited: usize, old: &Value) -> Result<Vec<Leaf>, Refusal> {
    // Other programs have other units of light.
    if scene.edited.is_foreign {
        return Ok(Vec::new());
    }
    let new = lamp_of(&scene.edited_document, edited);
    let new = new.ok_or_else(|| Refusal::new("it does not shine any more"))?;
    Ok(changes(old, &new, 0.0))
}

impl Lamps {
    /// Takes what became of the lights of a scene.
    ///
    /// # Errors
    /// What was changed of one does not go back.
    pub(super) fn take(&mut self, coded: &Coded<'_, '_>) -> Result<(), Refusal> {
        let scene = coded.scene;
        for (node, edited) in scene.matches.iter().enumerate() {
            let (Some(edited), Some(old)) = (*edited, lamp_of(&scene.base_document, node)) else {
                continue;
            };
            let taken = self.take_lamp(coded, (node, edited, &old));
            taken.map_err(|refusal| {
                let name = scene.name(node);
                Refusal::new(format_args!("light {name}: {refusal}"))
            })?;
        }
        Ok(())
    }

    fn take_lamp(
        &mut self,
        coded: &Coded<'_, '_>,
        (node, edited, old): (usize, usize, &Value),
    ) -> Result<(), Refusal> {
        let scene = coded.scene;
        let leaves = leaves_of(scene, edited, old)?;
        let mut changed = scene.difference.nodes.iter();
        let change = changed.find(|change| change.base == node);
        let nodes = (scene.base.nodes.get(node), scene.edited.nodes.get(edited));
        let mut edit = LampEdit {
            path: scene.output.path.clone(),
            ..LampEdit::default()
        };
        let is_moved = change.is_some_and(|change| change.is_moved);
        if let (true, (Some(before), Some(after))) = (is_moved, nodes) {
            let matrix = after.local.to_matrix();
            let place = match after.local.matrix {
                Some(_) => matrix.w_axis.truncate().to_array().map(|part| part as f32),
                None => after.local.translation,
            };
            let tolerance = if scene.edited.is_foreign { 3e-4 } else { 0.0 };
            let both: [(f32, f32); 3] =
                [0, 1, 2].map(|axis| (before.local.translation[axis], place[axis]));
            edit.position = to_file(both).map(|(before, after)| {
                let is_far = (before - after).abs() > tolerance * before.abs().max(1.0);
                is_far.then_some(after)
            });
        }
        if leaves.is_empty() && edit.position == [None; 3] {
            return Ok(());
        }
        let Some(Code::Lamp(place)) = coded.code(node) else {
            return Err(Refusal::new(
                "only lights of the zone of this archive go back",
            ));
        };
        edit.read(&leaves, old)?;
        match self.0.insert(place, edit.clone()) {
            Some(known) if known != edit => Err(Refusal::new("scenes tell of it in two ways")),
            _ => Ok(()),
        }
    }

    /// Puts the edits in.
    pub(super) fn put(&self, members: &mut Members<'_>) {
        for (&(member, index), edit) in &self.0 {
            let Some(Body::Zone(zone)) = members.edit(member).map(|file| &mut file.body) else {
                continue;
            };
            let Some(light) = zone.lights.get_mut(index) else {
                continue;
            };
            let mut place = from_lamp_axes(light.position.to_array());
            for (part, wanted) in place.iter_mut().zip(edit.position) {
                *part = wanted.unwrap_or(*part);
            }
            light.position = Vec3::from(lamp_axes(place));
            light.radius = edit.radius.map_or(light.radius, F32);
            light.colour = edit.colour.map_or(light.colour, Vec3::from);
        }
    }
}

impl LampEdit {
    /// Reads what was changed of a light.
    fn read(&mut self, leaves: &[Leaf], old: &Value) -> Result<(), Refusal> {
        let mut follows = None;
        for leaf in leaves {
            let number = || {
                let number = single(&leaf.after);
                number.ok_or_else(|| Refusal::new(format_args!("{} is no number", leaf.path)))
            };
            let plain = leaf.path.split('[').next().unwrap_or_default();
            match plain {
                "range" | "extras.everquest.radius" => {
                    let radius = number()?;
                    if radius <= 0.0 || self.radius.is_some_and(|known| known != radius) {
                        return Err(Refusal::new(
                            "range and extras.everquest.radius are one length above 0; edit one of them",
                        ));
                    }
                    self.radius = Some(radius);
                }
                "color" | "extras.everquest.colour" => {
                    let stored = &old["extras"]["everquest"]["colour"];
                    let mut colour = self.colour.unwrap_or_else(|| {
                        [0, 1, 2].map(|channel| single(&stored[channel]).unwrap_or(1.0))
                    });
                    let channel = leaf.path.strip_prefix(plain).unwrap_or_default();
                    let channel = channel.trim_matches(['[', ']']).parse::<usize>().ok();
                    match channel.and_then(|channel| colour.get_mut(channel)) {
                        Some(part) => *part = number()?,
                        // White is written as nothing.
                        None => {
                            for (channel, part) in colour.iter_mut().enumerate() {
                                *part = single(&leaf.after[channel]).unwrap_or(1.0);
                            }
                        }
                    }
                    self.colour = Some(colour);
                }
                "intensity" => follows = Some(&leaf.path),
                "extras.everquest.lightsTerrain" => {
                    return Err(Refusal::new(
                        "lightsTerrain follows from its name, whose third letter is B then",
                    ));
                }
                other => {
                    return Err(Refusal::new(format_args!(
                        "{other} does not go back; place, range and color do"
                    )));
                }
            }
        }
        match (follows, self.radius) {
            (Some(_), None) => Err(Refusal::new(
                "lights of later archives have no intensity; it follows from their range",
            )),
            _ => Ok(()),
        }
    }
}

/// Checks that the lights of what was packed show the edit; `nodes` are those of the packed scene.
///
/// # Errors
/// One does not.
pub(super) fn check(
    scene: &Scene<'_>,
    after: &Document,
    nodes: &dyn Fn(usize) -> Option<usize>,
) -> Result<(), Refusal> {
    for (node, edited) in scene.matches.iter().enumerate() {
        let (Some(edited), Some(old)) = (*edited, lamp_of(&scene.base_document, node)) else {
            continue;
        };
        let leaves = leaves_of(scene, edited, &old)?;
        let found = nodes(edited).and_then(|node| lamp_of(after, node));
        let other = |what: &str| {
            let name = scene.name(node);
            Refusal::new(format_args!(
                "light {name}: what was packed shows {what} otherwise"
            ))
        };
        let found = found.ok_or_else(|| other("it"))?;
        for leaf in &leaves {
            if !is_near(&leaf.after, leaves::at(&found, &leaf.path), 1e-5) {
                return Err(other(&leaf.path));
            }
        }
        if leaves.is_empty() && !is_near(&old, &found, 0.0) {
            return Err(other("a light that was not edited"));
        }
    }
    Ok(())
}

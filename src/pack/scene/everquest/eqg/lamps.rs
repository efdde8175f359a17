//! Lights of zones: position, color and radius.

use std::collections::BTreeSet;

use serde_json::Value;

use super::members::{Body, Members};
use super::probe::{Code, from_lamp_axes, lamp_axes};
use super::scenes::Coded;
use crate::pack::edited::{Refusal, Refusals};
use crate::pack::scene::compare::leaves::Leaf;
use crate::pack::scene::everquest::edits::{Edits, Place};
use crate::pack::scene::everquest::glow::{self, Glow};
use relicast_codec::{F32, Vec3};

/// Changes to a light.
#[derive(Debug, PartialEq)]
struct LampEdit {
    /// In the axes of everything except lights.
    position: [Option<f32>; 3],
    glow: Glow,
}

/// Edits of lights.
#[derive(Debug, Default)]
pub(super) struct Lamps {
    edits: Edits<LampEdit>,
    gone: BTreeSet<Place>,
}

/// True if the extras of a node describe a light.
pub(super) fn has_light(facts: &Value) -> bool {
    facts["radius"].is_number()
}

impl Lamps {
    /// Collects the edits of the lights of a scene.
    ///
    /// # Errors
    /// A changed value of a light cannot be packed.
    pub(super) fn take(&mut self, coded: &Coded<'_, '_>) -> Result<(), Refusal> {
        let scene = coded.scene;
        for &node in &scene.gone_lights {
            match coded.code(node) {
                Some(Code::Lamp(place)) => drop(self.gone.insert(place)),
                _ => refuse!("light {}: {OTHERS}", scene.name(node)),
            }
        }
        glow::for_each_edited(scene, has_light, |light| {
            let Some(Code::Lamp(place)) = coded.code(light.node) else {
                return Err(Refusal::new(OTHERS));
            };
            let position = light.position;
            let glow = read(&light.leaves, &light.old)?;
            self.edits.add(place, scene, LampEdit { position, glow })
        })
    }

    /// Applies the edits.
    ///
    /// # Errors
    /// None.
    pub(super) fn put(&self, members: &mut Members<'_>) -> Result<(), Refusals> {
        self.edits.put(|Place { member, index }, edit| {
            let Some(Body::Zone(zone)) = members.edit(member).map(|file| &mut file.body) else {
                return Ok(());
            };
            if let Some(light) = zone.lights.get_mut(index) {
                let mut place = from_lamp_axes(light.position.to_array());
                for (part, wanted) in place.iter_mut().zip(edit.position) {
                    *part = wanted.unwrap_or(*part);
                }
                light.position = Vec3::from(lamp_axes(place));
                light.radius = edit.glow.radius.map_or(light.radius, F32);
                light.color = edit.glow.color.map_or(light.color, Vec3::from);
            }
            Ok(())
        })
    }

    /// Removes deleted lights. All edits find lights by the original numbers, so this is the last one.
    pub(super) fn remove(&self, members: &mut Members<'_>) {
        for &Place { member, index } in self.gone.iter().rev() {
            if let Some(Body::Zone(zone)) = members.edit(member).map(|file| &mut file.body)
                && index < zone.lights.len()
            {
                zone.lights.remove(index);
            }
        }
    }
}

/// Reason why a light cannot be edited.
const OTHERS: &str = "only lights of the zone of this archive can be packed";

/// Reads the changes of a light.
fn read(leaves: &[Leaf], old: &Value) -> Result<Glow, Refusal> {
    let (mut glow, mut follows) = (Glow::default(), None);
    for leaf in leaves {
        if glow.read(leaf, old)? {
            continue;
        }
        match glow::without_place(leaf) {
            "intensity" => follows = Some(&leaf.path),
            "extras.everquest.lightsTerrain" => {
                refuse!(
                    "lightsTerrain is derived from the light's name: it is true if the third letter is B"
                );
            }
            other => {
                refuse!("{other} cannot be packed; only position, range and color can");
            }
        }
    }
    match (follows, glow.radius) {
        (Some(_), None) => Err(refusal!(
            "lights in EQG format have no intensity: it is derived from their range; edit the range"
        )),
        _ => Ok(glow),
    }
}

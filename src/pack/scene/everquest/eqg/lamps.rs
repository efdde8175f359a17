//! Lights of zones: position, color and radius.

use std::collections::BTreeSet;

use serde_json::Value;

use super::members::{Body, Members};
use super::probe::{Code, from_lamp_axes, lamp_axes};
use super::scenes::Coded;
use crate::pack::edited::{Refusal, Refusals};
use crate::pack::scene::compare::leaves::Leaf;
use crate::pack::scene::everquest::corners::{to_file, to_scene};
use crate::pack::scene::everquest::edits::{Edits, Place};
use crate::pack::scene::everquest::glow::{self, Glow};
use crate::pack::scene::everquest::light_nodes::LightRules;
use crate::pack::scene::everquest::new_lights::NewLight;
use crate::pack::scene::everquest::stored_lights::StoredLight;
use relicast_codec::{F32, Vec3};
use relicast_formats::everquest::eqg::zone::PointLight;

/// Rules of zones for lights. A new one lights terrain too, since it is not in the baked light; a copy does what its
/// original does.
pub(super) const RULES: LightRules = LightRules {
    has_light,
    name: |name, is_copy| {
        let start = name.get(..4).unwrap_or_default().to_uppercase();
        match is_copy || (start.starts_with("LI") && start.ends_with('_')) {
            true => name.to_owned(),
            false => format!("LIB_{name}"),
        }
    },
};

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
    /// New lights, each with the number of its zone.
    new: Vec<(usize, PointLight)>,
    /// The same, as scenes must show them.
    pub stored: Vec<StoredLight>,
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
    pub(super) fn take(
        &mut self,
        coded: &Coded<'_, '_>,
        members: &Members<'_>,
        scale: f32,
    ) -> Result<(), Refusal> {
        let scene = coded.scene;
        for new in &scene.new_lights {
            let Some(member) = coded.member.filter(|_| coded.is_zone) else {
                refuse!(
                    "light {}: it is new, and only zones have lights; delete it",
                    new.name
                );
            };
            let (light, unstored) = made(coded, new, members, scale)
                .map_err(|refusal| refusal!("light {}: {refusal}", new.name))?;
            self.stored.push(StoredLight {
                path: scene.output.path.clone(),
                name: new.stored.clone(),
                position: to_scene(from_lamp_axes(light.position.to_array())),
                radius: light.radius.get(),
                color: light.color.to_array(),
                levels: Vec::new(),
                unstored,
            });
            self.new.push((member, light));
        }
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

    /// Appends new lights.
    pub(super) fn add(&self, members: &mut Members<'_>) {
        for ((member, light), stored) in self.new.iter().zip(&self.stored) {
            if let Some(Body::Zone(zone)) = members.edit(*member).map(|file| &mut file.body) {
                let name = zone.strings.add(&stored.name);
                zone.lights.push(PointLight { name, ..*light });
            }
        }
    }

    /// Removes deleted lights. All edits find lights by the original numbers, so only new ones follow.
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

/// A new light without its name, and what is not stored of it.
fn made(
    coded: &Coded<'_, '_>,
    new: &NewLight,
    members: &Members<'_>,
    scale: f32,
) -> Result<(PointLight, Vec<String>), Refusal> {
    let position = Vec3::from(lamp_axes(to_file(new.position)));
    let Some((node, old)) = &new.source else {
        let mut shine = new.shine(scale)?;
        if shine.levels.iter().any(|level| *level < 0.999) {
            shine.unstored.push(format!(
                "not stored by the game: the strength of light {}, which follows from its radius",
                new.name
            ));
        }
        let light = PointLight {
            position,
            radius: F32(shine.radius),
            color: Vec3::from(shine.color),
            ..PointLight::default()
        };
        return Ok((light, shine.unstored));
    };
    let place = match coded.code(*node) {
        Some(Code::Lamp(place)) => members.files.get(place.member).zip(Some(place.index)),
        _ => None,
    };
    let source = place.and_then(|(file, index)| match &file.body {
        Body::Zone(zone) => zone.lights.get(index).cloned(),
        _ => None,
    });
    let mut light = source.ok_or_else(|| Refusal::new(OTHERS))?;
    let glow = read(&new.leaves(), old)?;
    light.position = position;
    light.radius = glow.radius.map_or(light.radius, F32);
    light.color = glow.color.map_or(light.color, Vec3::from);
    Ok((light, Vec::new()))
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

//! Lights of zones: place, colour and radius.

use std::collections::BTreeMap;

use serde_json::Value;

use super::members::{Body, Members, Place};
use super::probe::{Code, from_lamp_axes, lamp_axes};
use super::scenes::Coded;
use crate::pack::edited::Refusal;
use crate::pack::scene::everquest::glow::{self, Glow};
use crate::pack::scene::everquest::leaves::Leaf;
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::file::Document;
use relicast_codec::{F32, Vec3};

/// What becomes of a light.
#[derive(Debug, Clone, Default, PartialEq)]
struct LampEdit {
    path: String,
    /// In the axes of all but lights.
    position: [Option<f32>; 3],
    glow: Glow,
}

/// Edits of lights.
#[derive(Debug, Default)]
pub(super) struct Lamps(BTreeMap<Place, LampEdit>);

/// Whether extras of a node tell of a light.
fn tells(facts: &Value) -> bool {
    facts["radius"].is_number()
}

impl Lamps {
    /// Takes what became of the lights of a scene.
    ///
    /// # Errors
    /// What was changed of one does not go back.
    pub(super) fn take(&mut self, coded: &Coded<'_, '_>) -> Result<(), Refusal> {
        let scene = coded.scene;
        glow::for_each_light(scene, tells, |node, edited, old| {
            self.take_lamp(coded, (node, edited, old))
        })
    }

    fn take_lamp(
        &mut self,
        coded: &Coded<'_, '_>,
        (node, edited, old): (usize, usize, &Value),
    ) -> Result<(), Refusal> {
        let scene = coded.scene;
        let leaves = glow::leaves_of(scene, edited, old, tells)?;
        let mut edit = LampEdit {
            path: scene.output.path.clone(),
            position: glow::moved(scene, node, edited),
            glow: Glow::default(),
        };
        if leaves.is_empty() && edit.position == [None; 3] {
            return Ok(());
        }
        let Some(Code::Lamp(place)) = coded.code(node) else {
            refuse!("only lights of the zone of this archive go back");
        };
        edit.read(&leaves, old)?;
        match self.0.insert(place, edit.clone()) {
            Some(known) if known != edit => {
                Err(refusal!("two edited scenes set different values for it"))
            }
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
            light.radius = edit.glow.radius.map_or(light.radius, F32);
            light.colour = edit.glow.colour.map_or(light.colour, Vec3::from);
        }
    }
}

impl LampEdit {
    /// Reads what was changed of a light.
    fn read(&mut self, leaves: &[Leaf], old: &Value) -> Result<(), Refusal> {
        let mut follows = None;
        for leaf in leaves {
            if self.glow.read(leaf, old)? {
                continue;
            }
            match glow::without_place(leaf) {
                "intensity" => follows = Some(&leaf.path),
                "extras.everquest.lightsTerrain" => {
                    refuse!("lightsTerrain follows from its name, whose third letter is B then");
                }
                other => {
                    refuse!("{other} does not go back; place, range and color do");
                }
            }
        }
        match (follows, self.glow.radius) {
            (Some(_), None) => Err(refusal!(
                "lights of later archives have no intensity; it follows from their range"
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
    glow::check(scene, after, nodes, tells)
}

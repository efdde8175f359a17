//! Lights of EQG zones.

use glam::Vec3;
use serde::Serialize;

use crate::everquest::scene_builder::Layers;
use relicast_codec::F32;
use relicast_scene::extras::{Float, ObjectExtras, everquest, floats};
use relicast_scene::model::{Light, LightKind, Node, NodeId, Transform};

/// A light in scene space.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Lamp {
    /// Name.
    pub name: String,
    /// Position of the light.
    pub position: [F32; 3],
    /// Red, green, blue, 0 to 1.
    pub color: [F32; 3],
    /// Range of the light.
    pub radius: F32,
    /// Strength of the light; usually 1.
    pub strength: F32,
    /// True if it also lights terrain and the objects on it; otherwise its light there is in the baked colors.
    pub lights_terrain: bool,
}

impl Lamp {
    /// Multiplies all lengths.
    pub(super) fn scale_lengths(&mut self, factor: f32) {
        for part in self.position.iter_mut().chain([&mut self.radius]) {
            part.0 *= factor;
        }
    }

    /// Adds a node with the light, or, if settings turn lights off, a node with its facts only. The files have no
    /// intensity; a quarter of the squared radius lights a surface at half the radius, facing the light,
    /// with the light's own color. False if a value is not finite.
    pub(super) fn add(&self, above: NodeId, layers: &mut Layers<'_, '_>) -> bool {
        let options = layers.main.view().options;
        let place = Vec3::from_array(self.position.map(F32::get));
        let radius = self.radius.get();
        let scale = options.scenes.light_scale.max(0.0) * self.strength.get().max(0.0);
        let intensity = radius * radius * 0.25 * scale;
        if !place.is_finite() || !intensity.is_finite() || radius <= 0.0 {
            return false;
        }
        let color = self.color.map(F32::get);
        let facts = everquest::Light {
            radius: Some(Float(radius)),
            color: Some(floats(color)),
            lights_terrain: Some(self.lights_terrain),
            ..everquest::Light::default()
        };
        let mut node = Node {
            name: self.name.clone(),
            transform: Transform::from_translation(place),
            ..Node::default()
        };
        let scene = &mut layers.main.scene;
        if options.everquest.shines() {
            node.light = Some(scene.add_light(Light {
                name: self.name.clone(),
                kind: LightKind::Point,
                color: color.map(|part| if part > 0.0 { part.min(1.0) } else { 0.0 }),
                intensity,
                range: Some(radius),
                extras: facts.extras(),
            }));
        } else {
            node.extras = facts.extras();
        }
        let node = scene.add_node(node);
        scene.add_child(above, node);
        true
    }
}

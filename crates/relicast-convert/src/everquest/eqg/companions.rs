//! Files next to a model that share its name: layers become variants, points nodes, particles extras.

use glam::{DQuat, DVec3, Vec3};
use serde_json::{Value, json};

use crate::everquest::archive::ArchiveSet;
use crate::everquest::space;
use relicast_codec::{Decoded, FormatError, Vec3 as Stored};
use relicast_formats::everquest::eqg::layers::{self, Layers as StoredLayers};
use relicast_formats::everquest::eqg::particles::{self, Particles};
use relicast_formats::everquest::eqg::points::{self, Point, Points};
use relicast_formats::everquest::eqg::text::{self, Text};
use relicast_scene::extras::{Float, ObjectExtras, camel_case_within, everquest};
use relicast_scene::model::{Node, NodeId, Scene, Transform};

use super::variants::LayerVariants;

/// Files next to a model.
#[derive(Debug, Default)]
pub(super) struct Companions {
    /// Other textures.
    pub layers: Option<StoredLayers>,
    /// Points on bones.
    pub points: Option<Points>,
    /// Particles on points.
    pub particles: Option<Particles>,
    /// Levels of detail.
    pub levels: Option<Text>,
    /// Files that cannot be read, a line each.
    pub failed: Vec<String>,
}

impl Companions {
    /// Finds the files next to the model `stem`, in the archive at `place` or in another one.
    pub(super) fn new(set: &ArchiveSet<'_>, place: usize, stem: &str) -> Self {
        let mut failed = Vec::new();
        let read = |ending: &str| set.bytes(&format!("{stem}.{ending}"), place);
        let [layers, points, particles, levels] = ["lay", "pts", "prt", "lod"].map(read);
        fn taken<T>(
            name: &str,
            decoded: Option<Result<Decoded<T>, FormatError>>,
            failed: &mut Vec<String>,
        ) -> Option<T> {
            match decoded? {
                Ok(decoded) => Some(decoded.value),
                Err(fault) => {
                    failed.push(format!("the {name} were skipped: {fault}"));
                    None
                }
            }
        }
        let layers = layers.map(|bytes| layers::decode(&bytes));
        let points = points.map(|bytes| points::decode(&bytes));
        let particles = particles.map(|bytes| particles::decode(&bytes));
        let levels = levels.filter(|bytes| bytes.starts_with(text::DETAIL));
        let levels = levels.map(|bytes| text::decode(&bytes));
        Self {
            layers: taken("layers", layers, &mut failed),
            points: taken("points", points, &mut failed),
            particles: taken("particles", particles, &mut failed),
            levels: taken("levels of detail", levels, &mut failed),
            failed,
        }
    }

    /// The variants of the model `stem`.
    pub(super) fn variants(&self, stem: &str) -> LayerVariants {
        let layers = self.layers.as_ref();
        layers.map_or_else(LayerVariants::default, |layers| {
            LayerVariants::new(layers, stem)
        })
    }

    /// The particles on a point, or on none of these points.
    fn particles(&self, wanted: impl Fn(&str) -> bool) -> Vec<Value> {
        let stored = self.particles.iter().flat_map(|all| &all.particles);
        let wanted = stored.filter(|particle| wanted(&particle.point.text()));
        wanted
            .map(|particle| camel_case_within(json!(particle)))
            .collect()
    }

    /// Adds a node for each point below its bone; `bone` returns the node of a bone. Points of missing bones
    /// are added to `root`. Returns the number of the latter.
    pub(super) fn add_points(
        &self,
        scene: &mut Scene,
        root: NodeId,
        bone: impl Fn(&str) -> Option<NodeId>,
    ) -> usize {
        let points = self.points.iter().flat_map(|points| &points.points);
        let mut lost = 0;
        for point in points {
            let name = point.name.text();
            let parent = bone(&point.bone.text());
            lost += usize::from(parent.is_none());
            let particles = self.particles(|wanted| wanted.eq_ignore_ascii_case(&name));
            let facts = everquest::Node {
                point: Some(name.clone()),
                bone: Some(point.bone.text()),
                particles: (!particles.is_empty()).then(|| Value::from(particles)),
                ..everquest::Node::default()
            };
            let node = scene.add_node(Node {
                name,
                transform: transform(point),
                extras: facts.extras(),
                ..Node::default()
            });
            scene.add_child(parent.unwrap_or(root), node);
        }
        lost
    }

    /// Facts for the scene: particles without a point, levels of detail.
    pub(super) fn facts(&self) -> everquest::Scene {
        let points = self.points.iter().flat_map(|points| &points.points);
        let names: Vec<String> = points.map(|point| point.name.text()).collect();
        let known = |wanted: &str| names.iter().any(|name| name.eq_ignore_ascii_case(wanted));
        let particles = self.particles(|wanted| !known(wanted));
        let levels = self.levels.as_ref().map(|levels| {
            let levels = levels.levels().into_iter();
            let levels = levels.map(|level| everquest::DetailLevel {
                model: level.model,
                distance: level.distance.map(Float),
            });
            levels.collect()
        });
        everquest::Scene {
            particles: (!particles.is_empty()).then_some(particles),
            levels_of_detail: levels,
            ..everquest::Scene::default()
        }
    }
}

/// Rotations about z, y and x of the file, in radians, in scene space.
pub(in crate::everquest) fn turned([about_x, about_y, about_z]: [f64; 3]) -> DQuat {
    let turn = |axis: DVec3, angle: f64| {
        let (sine, cosine) = (libm::sin(angle / 2.0), libm::cos(angle / 2.0));
        DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
    };
    let file = turn(DVec3::Z, about_z) * turn(DVec3::Y, about_y) * turn(DVec3::X, about_x);
    space::rotation(file)
}

/// A transform in scene space; `None` when a component is not finite.
pub(super) fn placed(place: Stored, radians: [f64; 3], scale: [f32; 3]) -> Option<Transform> {
    let transform = Transform {
        translation: Vec3::from_array(space::vector(place.to_array())),
        rotation: turned(radians).normalize().as_quat(),
        scale: Vec3::from_array(space::vector(scale)),
    };
    let finite = transform.translation.is_finite()
        && transform.rotation.is_finite()
        && transform.scale.is_finite();
    finite.then_some(transform)
}

fn transform(point: &Point) -> Transform {
    let angles = point.rotation.to_array();
    let radians = angles.map(|part| f64::from(part) / 512.0 * std::f64::consts::TAU);
    placed(point.translation, radians, point.scale.to_array()).unwrap_or_default()
}

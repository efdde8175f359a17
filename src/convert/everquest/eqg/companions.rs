//! Files of a model's name beside it: layers become variants, points nodes, particles extras.

use std::collections::HashMap;

use glam::{DQuat, DVec3, Vec3};
use serde_json::{Map, Value, json};

use crate::convert::everquest::archive_set::ArchiveSet;
use crate::convert::everquest::extras::extras;
use crate::convert::everquest::space;
use crate::formats::codec::{Decoded, FormatError, Vec3 as Stored};
use crate::formats::everquest::eqg::layers::{self, Layers as StoredLayers};
use crate::formats::everquest::eqg::particles::{self, Particles};
use crate::formats::everquest::eqg::parts::NO_STRING;
use crate::formats::everquest::eqg::points::{self, Point, Points};
use crate::formats::everquest::eqg::text::{self, Text};
use crate::scene::model::{Node, NodeId, Scene, Transform, number};

/// What lies beside a model.
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
    /// What cannot be read, a line each.
    pub failed: Vec<String>,
}

impl Companions {
    /// What lies beside the model `stem` in the archive at `place`, or in another one.
    pub(super) fn of(set: &ArchiveSet<'_>, place: usize, stem: &str) -> Self {
        let mut failed = Vec::new();
        let read = |ending: &str| {
            let name = format!("{stem}.{ending}");
            let (place, member) = set.find_member(&name, place)?;
            set.archives().get(place)?.bytes(member)
        };
        let [layers, points, particles, levels] = ["lay", "pts", "prt", "lod"].map(read);
        fn taken<T>(
            name: &str,
            decoded: Option<Result<Decoded<T>, FormatError>>,
            failed: &mut Vec<String>,
        ) -> Option<T> {
            match decoded? {
                Ok(decoded) => Some(decoded.value),
                Err(fault) => {
                    failed.push(format!("the {name} are left out: {fault}"));
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

    /// Textures that materials may wear, by name in lower case: diffuse and normal map of each record, in order.
    pub(super) fn looks(&self) -> HashMap<String, Vec<[Option<String>; 2]>> {
        let mut looks: HashMap<String, Vec<[Option<String>; 2]>> = HashMap::new();
        let Some(layers) = &self.layers else {
            return looks;
        };
        let text = |offset: u32| {
            let text = (offset != NO_STRING).then(|| layers.strings.get(offset));
            text.flatten().filter(|text| !text.is_empty())
        };
        for layer in &layers.layers {
            if let Some(name) = text(layer.material) {
                let list = looks.entry(name.to_lowercase()).or_default();
                list.push([text(layer.diffuse), text(layer.normal)]);
            }
        }
        looks
    }

    /// The particles on a point, or on none of these points.
    fn particles(&self, wanted: impl Fn(&str) -> bool) -> Vec<Value> {
        let stored = self.particles.iter().flat_map(|all| &all.particles);
        let wanted = stored.filter(|particle| wanted(&particle.point.text()));
        wanted.map(|particle| json!(particle)).collect()
    }

    /// Adds a node for each point below its bone; `bone` finds the node of one. Those of bones that are not
    /// there hang on `root`. Returns how many there were of these.
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
            let mut facts = Map::new();
            facts.insert("point".to_owned(), Value::from(name.as_str()));
            facts.insert("bone".to_owned(), Value::from(point.bone.text()));
            let particles = self.particles(|wanted| wanted.eq_ignore_ascii_case(&name));
            if !particles.is_empty() {
                facts.insert("particles".to_owned(), Value::from(particles));
            }
            let node = scene.add_node(Node {
                name,
                transform: transform(point),
                extras: extras(facts),
                ..Node::default()
            });
            scene.add_child(parent.unwrap_or(root), node);
        }
        lost
    }

    /// Facts for the scene: particles without a point, levels of detail.
    pub(super) fn facts(&self) -> Map<String, Value> {
        let mut facts = Map::new();
        let points = self.points.iter().flat_map(|points| &points.points);
        let names: Vec<String> = points.map(|point| point.name.text()).collect();
        let known = |wanted: &str| names.iter().any(|name| name.eq_ignore_ascii_case(wanted));
        let particles = self.particles(|wanted| !known(wanted));
        if !particles.is_empty() {
            facts.insert("particles".to_owned(), Value::from(particles));
        }
        if let Some(levels) = &self.levels {
            let levels = levels.levels().into_iter().map(|level| {
                let distance = level.distance.map(number);
                json!({"model": level.model, "distance": distance})
            });
            facts.insert("levelsOfDetail".to_owned(), levels.collect());
        }
        facts
    }
}

/// Rotations about z, y and x of the file, in radians, in scene space.
pub(in crate::convert::everquest) fn turned([about_x, about_y, about_z]: [f64; 3]) -> DQuat {
    let turn = |axis: DVec3, angle: f64| {
        let (sine, cosine) = (libm::sin(angle / 2.0), libm::cos(angle / 2.0));
        DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
    };
    let file = turn(DVec3::Z, about_z) * turn(DVec3::Y, about_y) * turn(DVec3::X, about_x);
    space::rotation(file)
}

/// A transform in scene space; none when a part is not finite.
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

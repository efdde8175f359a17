//! Scenes read back, and their clips as an engine would show them.

use std::collections::BTreeMap;
use std::path::Path;

use gltf::animation::util::ReadOutputs;
use gltf::animation::{Interpolation, Property};
use serde_json::Value;

use super::events::Channel;

struct Sampler {
    times: Vec<f64>,
    values: Vec<Vec<f64>>,
    interpolation: Interpolation,
}

pub struct Scene {
    document: gltf::Document,
    clips: BTreeMap<String, BTreeMap<(String, Channel), Sampler>>,
}

fn kind(property: Property) -> Option<Channel> {
    match property {
        Property::Translation => Some(Channel::Translation),
        Property::Rotation => Some(Channel::Rotation),
        Property::Scale => Some(Channel::Scale),
        Property::MorphTargetWeights => None,
    }
}

fn wide<const N: usize>(value: [f32; N]) -> Vec<f64> {
    value.into_iter().map(f64::from).collect()
}

impl Scene {
    pub fn load(path: &Path) -> Self {
        let bytes =
            std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let document = gltf::Gltf::from_slice(&bytes).unwrap().document;
        let buffer = std::fs::read(path.with_extension("bin")).unwrap();
        let mut clips = BTreeMap::new();
        for animation in document.animations() {
            let mut channels = BTreeMap::new();
            for channel in animation.channels() {
                let Some(kind) = kind(channel.target().property()) else {
                    continue;
                };
                let reader = channel.reader(|_| Some(&buffer));
                let times: Vec<f64> = reader.read_inputs().unwrap().map(f64::from).collect();
                assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
                let values: Vec<Vec<f64>> = match reader.read_outputs().unwrap() {
                    ReadOutputs::Translations(values) => values.map(wide).collect(),
                    ReadOutputs::Scales(values) => values.map(wide).collect(),
                    ReadOutputs::Rotations(values) => values.into_f32().map(wide).collect(),
                    ReadOutputs::MorphTargetWeights(_) => continue,
                };
                let node = channel.target().node().name().unwrap().to_owned();
                let sampler = Sampler {
                    times,
                    values,
                    interpolation: channel.sampler().interpolation(),
                };
                channels.insert((node, kind), sampler);
            }
            clips.insert(animation.name().unwrap().to_owned(), channels);
        }
        Self { document, clips }
    }

    fn node(&self, name: &str) -> Option<gltf::Node<'_>> {
        self.document.nodes().find(|node| node.name() == Some(name))
    }

    pub fn has(&self, name: &str) -> bool {
        self.node(name).is_some()
    }

    /// Cameras by name of their node: the node's name again, and the angle from bottom to top.
    pub fn cameras(&self) -> BTreeMap<String, (String, f32)> {
        let cameras = self.document.nodes().filter_map(|node| {
            let name = node.name()?.to_owned();
            let camera = node.camera()?;
            let gltf::camera::Projection::Perspective(lens) = camera.projection() else {
                return None;
            };
            Some((name.clone(), (name, lens.yfov())))
        });
        cameras.collect()
    }

    pub fn rest(&self, name: &str, channel: Channel) -> Vec<f64> {
        let node = self.node(name).unwrap_or_else(|| panic!("no node {name}"));
        let (translation, rotation, scale) = node.transform().decomposed();
        match channel {
            Channel::Translation => wide(translation),
            Channel::Rotation => wide(rotation),
            Channel::Scale => wide(scale),
        }
    }

    pub fn extras(&self, clip: &str) -> Value {
        let mut clips = self.document.animations();
        let clip = clips.find(|it| it.name() == Some(clip)).unwrap();
        let raw = clip.extras().as_ref().unwrap().get();
        serde_json::from_str::<Value>(raw).unwrap()["zipper"].clone()
    }

    pub fn moves(&self, clip: &str, node: &str) -> bool {
        let channels = &self.clips[clip];
        channels.iter().any(|((name, _), sampler)| {
            name == node && sampler.values.windows(2).any(|pair| pair[0] != pair[1])
        })
    }

    /// The names of all clips.
    pub fn clips(&self) -> Vec<String> {
        self.clips.keys().cloned().collect()
    }

    /// Seconds of a clip, 0 if no clip has that name.
    pub fn length(&self, clip: &str) -> f64 {
        let samplers = self.clips.get(clip).into_iter().flat_map(BTreeMap::values);
        samplers
            .filter_map(|sampler| sampler.times.last().copied())
            .fold(0.0, f64::max)
    }

    /// Value that an engine shows.
    pub fn at(&self, clip: &str, node: &str, channel: Channel, time: f64) -> Vec<f64> {
        match self.clips[clip].get(&(node.to_owned(), channel)) {
            Some(sampler) => sampler.at(channel, time),
            None => self.rest(node, channel),
        }
    }
}

impl Sampler {
    fn at(&self, channel: Channel, time: f64) -> Vec<f64> {
        let Self {
            times,
            values,
            interpolation,
        } = self;
        let last = times.len() - 1;
        let per_key = values.len() / times.len();
        let value = |key: usize, part: usize| &values[key * per_key + part];
        let middle = per_key / 2;
        let next = times.iter().position(|key| *key > time);
        let (from, to) = match next {
            Some(0) => return value(0, middle).clone(),
            Some(next) => (next - 1, next),
            None => return value(last, middle).clone(),
        };
        let length = times[to] - times[from];
        let t = (time - times[from]) / length;
        let (a, b) = (value(from, middle), value(to, middle));
        match (interpolation, channel) {
            (Interpolation::Step, _) => a.clone(),
            (Interpolation::Linear, Channel::Rotation) => slerp(a, b, t),
            (Interpolation::Linear, _) => a.iter().zip(b).map(|(a, b)| a + (b - a) * t).collect(),
            (Interpolation::CubicSpline, _) => {
                let (out, into) = (value(from, 2), value(to, 0));
                (0..a.len())
                    .map(|part| {
                        (2.0 * t.powi(3) - 3.0 * t.powi(2) + 1.0) * a[part]
                            + length * (t.powi(3) - 2.0 * t.powi(2) + t) * out[part]
                            + (3.0 * t.powi(2) - 2.0 * t.powi(3)) * b[part]
                            + length * (t.powi(3) - t.powi(2)) * into[part]
                    })
                    .collect()
            }
        }
    }
}

/// As the specification's appendix has it.
fn slerp(a: &[f64], b: &[f64], t: f64) -> Vec<f64> {
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let angle = dot.abs().min(1.0).acos();
    if angle < 1e-6 {
        return a
            .iter()
            .zip(b)
            .map(|(a, b)| a + (sign * b - a) * t)
            .collect();
    }
    let weight = |part: f64| (part * angle).sin() / angle.sin();
    let (first, last) = (weight(1.0 - t), sign * weight(t));
    a.iter().zip(b).map(|(a, b)| a * first + b * last).collect()
}

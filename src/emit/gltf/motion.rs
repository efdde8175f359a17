//! Clips as animations.

use std::collections::HashSet;

use gltf_json as json;
use json::animation::{
    Channel as JsonChannel, Interpolation as Between, Property, Sampler, Target,
};
use json::validation::Checked;
use json::{Accessor, Animation, Index};

use super::binary::{Binary, Bounds, Section};
use super::check::Used;
use super::error::{GltfError, Part};
use super::hierarchy::unit_rotation;
use super::keys::times;
use super::pointer::{self, Pointer, Pointers};
use super::values::{index, raw_extras};
use crate::scene::model::{Channel, Clip, Interpolation, Scene, SceneNames, Track};

/// The clips that move anything, and their channels that need pointers.
pub(super) fn animations(
    scene: &Scene,
    names: &SceneNames,
    used: &Used,
    binary: &mut Binary,
) -> Result<(Vec<Animation>, Pointers), GltfError> {
    let mut animations = Vec::new();
    let mut pointers = Pointers::default();
    for (id, clip) in scene.clips.iter().enumerate() {
        let name = &names.clips[id];
        let (animation, more) = animation(scene, clip, name, used, binary, Part("clip", id))?;
        if !(animation.channels.is_empty() && more.is_empty()) {
            animations.push(animation);
            pointers.of_animations.push(more);
        }
    }
    pointers.textures = pointer::moving_textures(scene, names, used, binary)?;
    Ok((animations, pointers))
}

fn animation(
    scene: &Scene,
    clip: &Clip,
    name: &str,
    used: &Used,
    binary: &mut Binary,
    part: Part,
) -> Result<(Animation, Vec<Pointer>), GltfError> {
    let mut known = HashSet::new();
    let mut channels = Vec::with_capacity(clip.channels.len());
    let mut samplers = Vec::with_capacity(clip.channels.len());
    let mut pointers = Vec::new();
    for channel in &clip.channels {
        let target = Part("node", channel.node.index());
        let node = scene.nodes.get(channel.node.index());
        let node = node.ok_or(GltfError::Missing {
            holder: part,
            target,
        })?;
        let mesh = node.mesh.and_then(|mesh| scene.meshes.get(mesh.index()));
        let morphs = mesh.map_or(0, |mesh| mesh.morph_targets.len());
        let (path, property) = match channel.track {
            Track::Translation(_) => (0, Some(Property::Translation)),
            Track::Rotation(_) => (1, Some(Property::Rotation)),
            Track::Scale(_) => (2, Some(Property::Scale)),
            Track::Weights(_) => (3, Some(Property::MorphTargetWeights)),
            Track::Shown(_) => (4, None),
        };
        if !known.insert((channel.node, path)) {
            return Err(GltfError::Twice {
                holder: part,
                target,
            });
        }
        let output = values(channel, morphs, binary, part)?;
        let input = times(&channel.times, binary, part)?;
        let Some(property) = property else {
            if node.shown.is_none() {
                let (field, rule) = ("shown", "the node must say whether it is shown");
                return Err(GltfError::OutOfRange { part, field, rule });
            }
            pointers.push(Pointer {
                path: pointer::shown(channel.node.index()),
                input,
                output,
                interpolation: channel.interpolation,
            });
            continue;
        };
        channels.push(JsonChannel {
            sampler: index(samplers.len()),
            target: Target {
                extensions: None,
                extras: None,
                node: Index::new(channel.node.0),
                path: Checked::Valid(property),
            },
            extensions: None,
            extras: None,
        });
        samplers.push(Sampler {
            extensions: None,
            extras: None,
            input,
            interpolation: Checked::Valid(match channel.interpolation {
                Interpolation::Linear => Between::Linear,
                Interpolation::Step => Between::Step,
                Interpolation::Cubic => Between::CubicSpline,
            }),
            output,
        });
    }
    let mut known = HashSet::new();
    for channel in &clip.surfaces {
        let target = Part("material", channel.material.index());
        if channel.material.index() >= scene.materials.len() {
            let holder = part;
            return Err(GltfError::Missing { holder, target });
        }
        let kind = std::mem::discriminant(&channel.track);
        if !known.insert((channel.material, kind)) {
            let holder = part;
            return Err(GltfError::Twice { holder, target });
        }
        if used.materials.place(channel.material.0).is_none() {
            continue;
        }
        let input = times(&channel.times, binary, part)?;
        pointers.extend(pointer::surface(channel, used, input, binary, part)?);
    }
    let animation = Animation {
        extensions: None,
        extras: raw_extras(&clip.extras)?,
        channels,
        name: Some(name.to_owned()),
        samplers,
    };
    Ok((animation, pointers))
}

fn values(
    channel: &Channel,
    morphs: usize,
    binary: &mut Binary,
    part: Part,
) -> Result<Index<Accessor>, GltfError> {
    let keys = channel.times.len() * channel.interpolation.values_per_key();
    let refused = match (channel.interpolation, &channel.track) {
        (Interpolation::Cubic, Track::Rotation(_) | Track::Weights(_)) => {
            Some("no splines of rotations or weights")
        }
        (Interpolation::Linear | Interpolation::Cubic, Track::Shown(_)) => {
            Some("what is shown changes in steps")
        }
        _ => None,
    };
    if let Some(rule) = refused {
        let field = "interpolation";
        return Err(GltfError::OutOfRange { part, field, rule });
    }
    let length = |found: usize, expected: usize| {
        if found == expected {
            Ok(())
        } else {
            Err(GltfError::Length {
                part,
                field: "values",
                expected,
                found,
            })
        }
    };
    let of = |field| (part, field);
    match &channel.track {
        Track::Translation(rows) | Track::Scale(rows) => {
            length(rows.len(), keys)?;
            let rows: Vec<[f32; 3]> = rows.iter().map(|row| row.to_array()).collect();
            binary.floats(Section::Keys, &rows, Bounds::Absent, of("values"))
        }
        Track::Rotation(rows) => {
            length(rows.len(), keys)?;
            let rows: Option<Vec<[f32; 4]>> = rows.iter().map(|&row| unit_rotation(row)).collect();
            let rows = rows.ok_or(GltfError::NotFinite {
                part,
                field: "rotations",
            })?;
            binary.floats(Section::Keys, &rows, Bounds::Absent, of("rotations"))
        }
        Track::Weights(weights) => {
            if morphs == 0 {
                let rule = "the node must show a mesh with morph targets";
                return Err(GltfError::OutOfRange {
                    part,
                    field: "weights",
                    rule,
                });
            }
            length(weights.len(), keys * morphs)?;
            let (rows, _) = weights.as_chunks::<1>();
            binary.floats(Section::Keys, rows, Bounds::Absent, of("weights"))
        }
        Track::Shown(values) => {
            length(values.len(), keys)?;
            Ok(binary.switches(values))
        }
    }
}

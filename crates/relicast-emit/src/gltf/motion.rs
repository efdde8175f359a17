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
use relicast_scene::model::{Channel, Clip, Interpolation, Scene, SceneNames, Track};

/// Writes the clips that move anything. Returns the channels that need pointers.
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

/// The channels of a clip while it is written.
#[derive(Debug, Default)]
struct ClipChannels {
    channels: Vec<JsonChannel>,
    samplers: Vec<Sampler>,
    /// Channels of properties that core glTF cannot animate.
    pointers: Vec<Pointer>,
}

impl ClipChannels {
    /// Adds the tracks of a node.
    fn add_node(
        &mut self,
        scene: &Scene,
        channel: &Channel,
        binary: &mut Binary,
        part: Part,
    ) -> Result<(), GltfError> {
        let target = Part("node", channel.node.index());
        let node = scene.nodes.get(channel.node.index());
        let node = node.ok_or(GltfError::Missing {
            holder: part,
            target,
        })?;
        let mesh = node.mesh.and_then(|mesh| scene.meshes.get(mesh.index()));
        let morphs = mesh.map_or(0, |mesh| mesh.morph_targets.len());
        let output = values(channel, morphs, binary, part)?;
        let input = times(&channel.times, binary, part)?;
        let property = match channel.track {
            Track::Translation(_) => Property::Translation,
            Track::Rotation(_) => Property::Rotation,
            Track::Scale(_) => Property::Scale,
            Track::Weights(_) => Property::MorphTargetWeights,
            Track::Shown(_) => {
                if node.shown.is_none() {
                    let (field, rule) = ("shown", "the node must have a visibility of its own");
                    return Err(GltfError::OutOfRange { part, field, rule });
                }
                self.pointers.push(Pointer {
                    path: pointer::shown(channel.node.index()),
                    input,
                    output,
                    interpolation: channel.interpolation,
                });
                return Ok(());
            }
        };
        self.channels.push(JsonChannel {
            sampler: index(self.samplers.len()),
            target: Target {
                extensions: None,
                extras: None,
                node: Index::new(channel.node.0),
                path: Checked::Valid(property),
            },
            extensions: None,
            extras: None,
        });
        self.samplers.push(Sampler {
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
        Ok(())
    }

    /// Adds the tracks of materials.
    fn add_surfaces(
        &mut self,
        scene: &Scene,
        clip: &Clip,
        used: &Used,
        binary: &mut Binary,
        part: Part,
    ) -> Result<(), GltfError> {
        let mut known = HashSet::new();
        for channel in &clip.surfaces {
            let target = Part("material", channel.material.index());
            let holder = part;
            if channel.material.index() >= scene.materials.len() {
                return Err(GltfError::Missing { holder, target });
            }
            let kind = std::mem::discriminant(&channel.track);
            if !known.insert((channel.material, kind)) {
                return Err(GltfError::Twice { holder, target });
            }
            if used.materials.place(channel.material.0).is_none() {
                continue;
            }
            let input = times(&channel.times, binary, part)?;
            let pointers = pointer::surface(channel, used, input, binary, part)?;
            self.pointers.extend(pointers);
        }
        Ok(())
    }
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
    let mut channels = ClipChannels::default();
    for channel in &clip.channels {
        let kind = std::mem::discriminant(&channel.track);
        if channel.node.index() < scene.nodes.len() && !known.insert((channel.node, kind)) {
            return Err(GltfError::Twice {
                holder: part,
                target: Part("node", channel.node.index()),
            });
        }
        channels.add_node(scene, channel, binary, part)?;
    }
    channels.add_surfaces(scene, clip, used, binary, part)?;
    let animation = Animation {
        extensions: None,
        extras: raw_extras(&clip.extras)?,
        channels: channels.channels,
        name: Some(name.to_owned()),
        samplers: channels.samplers,
    };
    Ok((animation, channels.pointers))
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
            Some("rotations and weights cannot use cubic splines")
        }
        (Interpolation::Linear | Interpolation::Cubic, Track::Shown(_)) => {
            Some("visibility must change in steps")
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

//! Clips as animations.

use std::collections::HashSet;

use gltf_json as json;
use json::animation::{
    Channel as JsonChannel, Interpolation as Between, Property, Sampler, Target,
};
use json::validation::Checked;
use json::{Accessor, Animation, Index};
use serde_json::{Value, json};

use super::binary::{Binary, Bounds, Section};
use super::check::Used;
use super::hierarchy::unit_rotation;
use super::{GltfError, Part, index, raw_extras};
use crate::scene::model::{Channel, Clip, Interpolation, Scene, SceneNames, Track};

/// The clips that move anything.
pub(super) fn animations(
    scene: &Scene,
    names: &SceneNames,
    binary: &mut Binary,
) -> Result<Vec<Animation>, GltfError> {
    let mut animations = Vec::new();
    for (id, clip) in scene.clips.iter().enumerate() {
        if !clip.channels.is_empty() {
            animations.push(animation(
                scene,
                clip,
                &names.clips[id],
                binary,
                Part("clip", id),
            )?);
        }
    }
    Ok(animations)
}

fn animation(
    scene: &Scene,
    clip: &Clip,
    name: &str,
    binary: &mut Binary,
    part: Part,
) -> Result<Animation, GltfError> {
    let mut known = HashSet::new();
    let mut channels = Vec::with_capacity(clip.channels.len());
    let mut samplers = Vec::with_capacity(clip.channels.len());
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
            Track::Translation(_) => (0, Property::Translation),
            Track::Rotation(_) => (1, Property::Rotation),
            Track::Scale(_) => (2, Property::Scale),
            Track::Weights(_) => (3, Property::MorphTargetWeights),
        };
        if !known.insert((channel.node, path)) {
            return Err(GltfError::Twice {
                holder: part,
                target,
            });
        }
        let output = values(channel, morphs, binary, part)?;
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
            input: times(channel, binary, part)?,
            interpolation: Checked::Valid(match channel.interpolation {
                Interpolation::Linear => Between::Linear,
                Interpolation::Step => Between::Step,
                Interpolation::Cubic => Between::CubicSpline,
            }),
            output,
        });
    }
    Ok(Animation {
        extensions: None,
        extras: raw_extras(&clip.extras)?,
        channels,
        name: Some(name.to_owned()),
        samplers,
    })
}

/// Textures that move or jump, as animations that this library's types cannot express.
pub(super) fn moving_textures(
    scene: &Scene,
    names: &SceneNames,
    used: &Used,
    binary: &mut Binary,
) -> Result<Vec<Value>, GltfError> {
    let mut animations = Vec::new();
    for (id, scroll) in scene.scrolls.iter().enumerate() {
        let part = Part("scroll", id);
        let Some(place) = used.materials.place(scroll.material.0) else {
            continue;
        };
        if !(scroll.seconds > 0.0 && scroll.seconds.is_finite()) {
            let (field, rule) = ("seconds", "above 0");
            return Err(GltfError::OutOfRange { part, field, rule });
        }
        let offsets = Offsets {
            name: format!("scroll_{}", names.materials[scroll.material.index()]),
            place,
            times: &[0.0, scroll.seconds],
            offsets: &[[0.0; 2], scroll.offset],
            interpolation: "LINEAR",
        };
        animations.push(offsets.animation(part, binary)?);
    }
    for (id, book) in scene.flip_books.iter().enumerate() {
        let part = Part("flip-book", id);
        let Some(place) = used.materials.place(book.material.0) else {
            continue;
        };
        check_times(&book.times, part)?;
        if book.offsets.len() != book.times.len() {
            return Err(GltfError::Length {
                part,
                field: "offsets",
                expected: book.times.len(),
                found: book.offsets.len(),
            });
        }
        let offsets = Offsets {
            name: format!("cycle_{}", names.materials[book.material.index()]),
            place,
            times: &book.times,
            offsets: &book.offsets,
            interpolation: "STEP",
        };
        animations.push(offsets.animation(part, binary)?);
    }
    Ok(animations)
}

/// Offsets of the texture coordinates of a material over time.
struct Offsets<'s> {
    name: String,
    /// The material in the file.
    place: u32,
    times: &'s [f32],
    offsets: &'s [[f32; 2]],
    interpolation: &'static str,
}

impl Offsets<'_> {
    fn animation(&self, part: Part, binary: &mut Binary) -> Result<Value, GltfError> {
        let input = binary.times(self.times, (part, "seconds"))?;
        let rows = self.offsets;
        let output = binary.floats(Section::Keys, rows, Bounds::Absent, (part, "offset"))?;
        let pointer = format!(
            "/materials/{}/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset",
            self.place
        );
        let target = json!({
            "path": "pointer",
            "extensions": {"KHR_animation_pointer": {"pointer": pointer}},
        });
        Ok(json!({
            "name": self.name,
            "channels": [{"sampler": 0, "target": target}],
            "samplers": [{"input": input, "interpolation": self.interpolation, "output": output}],
        }))
    }
}

/// The JSON of a file with more animations.
pub(super) fn with_animations(root: &json::Root, more: Vec<Value>) -> Result<Vec<u8>, GltfError> {
    let mut file = serde_json::to_value(root)?;
    if let Value::Object(fields) = &mut file {
        let all = fields.entry("animations").or_insert_with(|| json!([]));
        if let Value::Array(all) = all {
            all.extend(more);
        }
    }
    Ok(serde_json::to_vec(&file)?)
}

fn times(channel: &Channel, binary: &mut Binary, part: Part) -> Result<Index<Accessor>, GltfError> {
    check_times(&channel.times, part)?;
    binary.times(&channel.times, (part, "key times"))
}

fn check_times(times: &[f32], part: Part) -> Result<(), GltfError> {
    let starts = times.first().is_some_and(|first| *first >= 0.0);
    if starts && times.windows(2).all(|pair| pair[0] < pair[1]) {
        return Ok(());
    }
    Err(GltfError::OutOfRange {
        part,
        field: "key times",
        rule: "growing strictly from 0 or more",
    })
}

fn values(
    channel: &Channel,
    morphs: usize,
    binary: &mut Binary,
    part: Part,
) -> Result<Index<Accessor>, GltfError> {
    let keys = channel.times.len() * channel.interpolation.values_per_key();
    if let (Interpolation::Cubic, Track::Rotation(_) | Track::Weights(_)) =
        (channel.interpolation, &channel.track)
    {
        return Err(GltfError::OutOfRange {
            part,
            field: "interpolation",
            rule: "no splines of rotations or weights",
        });
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
    }
}

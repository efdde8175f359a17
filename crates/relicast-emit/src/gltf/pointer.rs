//! Channels for materials and for the visibility of nodes. They need KHR_animation_pointer, which the types
//! of the glTF library do not support, so they are added to the JSON of the finished file.

use gltf_json as json;
use json::{Accessor, Index};
use serde_json::{Value, json};

use super::binary::{Binary, Bounds, Section};
use super::check::Used;
use super::error::{GltfError, Part};
use super::keys::times;
use relicast_scene::model::{
    Interpolation, Scene, SceneNames, Scroll, SurfaceChannel, SurfaceTrack,
};

/// A channel of an animation and its sampler.
#[derive(Debug)]
pub(super) struct Pointer {
    /// Path of the property that it animates.
    pub path: String,
    pub input: Index<Accessor>,
    pub output: Index<Accessor>,
    pub interpolation: Interpolation,
}

/// Pointer channels: a list for each animation of the file (the last may be absent), then lists for
/// animations that have no other channels.
#[derive(Debug, Default)]
pub(super) struct Pointers {
    pub of_animations: Vec<Vec<Pointer>>,
    pub textures: Vec<(String, Pointer)>,
}

impl Pointers {
    pub(super) fn is_empty(&self) -> bool {
        self.textures.is_empty() && self.of_animations.iter().all(Vec::is_empty)
    }
}

/// Creates a channel of a material; `None` if the file does not have the material.
pub(super) fn surface(
    channel: &SurfaceChannel,
    used: &Used,
    input: Index<Accessor>,
    binary: &mut Binary,
    part: Part,
) -> Result<Option<Pointer>, GltfError> {
    let Some(place) = used.materials.place(channel.material.0) else {
        return Ok(None);
    };
    let keys = channel.times.len() * channel.interpolation.values_per_key();
    let length = |found: usize| {
        if found == keys {
            Ok(())
        } else {
            Err(GltfError::Length {
                part,
                field: "values",
                expected: keys,
                found,
            })
        }
    };
    let (field, output) = match &channel.track {
        SurfaceTrack::BaseColor(rows) => {
            length(rows.len())?;
            // Tangents of splines may have any sign.
            let each = channel.interpolation.values_per_key();
            let values = rows.iter().skip(each / 2).step_by(each).flatten();
            if !values.clone().all(|value| (0.0..=1.0).contains(value)) {
                let (field, rule) = ("base color", "0 to 1");
                return Err(GltfError::OutOfRange { part, field, rule });
            }
            let of = (part, "base color");
            (
                "baseColorFactor",
                binary.floats(Section::Keys, rows, Bounds::Absent, of)?,
            )
        }
        SurfaceTrack::TextureOffset(rows) => {
            length(rows.len())?;
            let of = (part, "offset");
            (
                "baseColorTexture/extensions/KHR_texture_transform/offset",
                binary.floats(Section::Keys, rows, Bounds::Absent, of)?,
            )
        }
    };
    Ok(Some(Pointer {
        path: format!("/materials/{place}/pbrMetallicRoughness/{field}"),
        input,
        output,
        interpolation: channel.interpolation,
    }))
}

/// Pointer to the visibility of a node.
pub(super) fn shown(node: usize) -> String {
    format!("/nodes/{node}/extensions/KHR_node_visibility/visible")
}

/// Scrolling and flip-book textures, each as an animation of its own.
pub(super) fn moving_textures(
    scene: &Scene,
    names: &SceneNames,
    used: &Used,
    binary: &mut Binary,
) -> Result<Vec<(String, Pointer)>, GltfError> {
    let mut animations = Vec::new();
    let mut add = |what: &str, channel: SurfaceChannel, part: Part| -> Result<(), GltfError> {
        if used.materials.place(channel.material.0).is_none() {
            return Ok(());
        }
        let input = times(&channel.times, binary, part)?;
        if let Some(pointer) = surface(&channel, used, input, binary, part)? {
            let name = &names.materials[channel.material.index()];
            animations.push((format!("{what}_{name}"), pointer));
        }
        Ok(())
    };
    for (id, scroll) in scene.scrolls.iter().enumerate() {
        let Scroll {
            material,
            seconds,
            offset,
        } = *scroll;
        let channel = SurfaceChannel {
            material,
            times: vec![0.0, seconds],
            interpolation: Interpolation::Linear,
            track: SurfaceTrack::TextureOffset(vec![[0.0; 2], offset]),
        };
        add("scroll", channel, Part("scroll", id))?;
    }
    for (id, book) in scene.flip_books.iter().enumerate() {
        let channel = SurfaceChannel {
            material: book.material,
            times: book.times.clone(),
            interpolation: Interpolation::Step,
            track: SurfaceTrack::TextureOffset(book.offsets.clone()),
        };
        add("cycle", channel, Part("flip-book", id))?;
    }
    Ok(animations)
}

/// Writes the JSON of a file with channels that the library's types do not support.
pub(super) fn with_pointers(root: &json::Root, pointers: Pointers) -> Result<Vec<u8>, GltfError> {
    let mut file = serde_json::to_value(root)?;
    if let Value::Object(fields) = &mut file {
        let all = fields.entry("animations").or_insert_with(|| json!([]));
        if let Value::Array(all) = all {
            for (animation, pointers) in all.iter_mut().zip(&pointers.of_animations) {
                pointers.iter().for_each(|pointer| add(animation, pointer));
            }
            for (name, pointer) in &pointers.textures {
                let mut animation = json!({"name": name, "channels": [], "samplers": []});
                add(&mut animation, pointer);
                all.push(animation);
            }
        }
    }
    Ok(serde_json::to_vec(&file)?)
}

fn add(animation: &mut Value, pointer: &Pointer) {
    // The library leaves empty lists out.
    let list = |animation: &mut Value, name: &str, item: Value| {
        let Value::Object(fields) = animation else {
            return 0;
        };
        match fields.entry(name).or_insert_with(|| json!([])) {
            Value::Array(items) => {
                items.push(item);
                items.len() - 1
            }
            _ => 0,
        }
    };
    let interpolation = match pointer.interpolation {
        Interpolation::Linear => "LINEAR",
        Interpolation::Step => "STEP",
        Interpolation::Cubic => "CUBICSPLINE",
    };
    let sampler = json!({
        "input": pointer.input,
        "interpolation": interpolation,
        "output": pointer.output,
    });
    let sampler = list(animation, "samplers", sampler);
    let target = json!({
        "path": "pointer",
        "extensions": {"KHR_animation_pointer": {"pointer": pointer.path}},
    });
    list(
        animation,
        "channels",
        json!({"sampler": sampler, "target": target}),
    );
}

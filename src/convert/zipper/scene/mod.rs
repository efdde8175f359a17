//! What worlds, aircraft and 'mechs have in common: from polygons to meshes, from nodes to a hierarchy.
//!
//! - [`texture_library`] — pictures looked up in texture packages;
//! - [`alpha`] — distinguishes cut-outs from pictures with soft alpha;
//! - [`variants`] — material variants, which replace textures;
//! - [`atlas`] — pictures shown in turn;
//! - [`material`] — the materials of a file, and the surfaces made of them;
//! - [`triangulate`] — polygons and strips to triangles;
//! - [`mesh`] — models to meshes;
//! - `nodes` — the nodes of a file, and which of them are wanted;
//! - [`scene_builder`] — one scene in the making;
//! - [`hierarchy`] — trees of nodes to scenes: the main one, and others for hidden nodes;
//! - [`extras`] — the extras of nodes;
//! - [`checks`] — what is counted on the way.

pub(super) mod alpha;
pub(in crate::convert) mod atlas;
pub(super) mod checks;
pub(super) mod extras;
pub(super) mod hierarchy;
pub(super) mod material;
pub(super) mod mesh;
mod nodes;
pub(super) mod scene_builder;
pub(super) mod texture_library;
pub(super) mod triangulate;
pub(super) mod variants;

use std::collections::BTreeMap;

use glam::Quat;
use serde_json::{Map, Value};

use crate::config::{Config, SceneContainer};
use crate::convert::{Encoding, OutputRole, OutputSpec};
use crate::scene::model::binding::{Bound, bind_meshes};
use crate::scene::model::{Extras, Transform};

use checks::BoundMeshes;
use hierarchy::Layer;
use scene_builder::SceneBuilder;

/// Extras below the one key that all of them share; none stay none.
pub(super) fn zipper(facts: Map<String, Value>) -> Extras {
    let mut extras = Extras::new();
    if !facts.is_empty() {
        extras.insert("zipper".to_owned(), Value::Object(facts));
    }
    extras
}

/// Makes the scenes of a model that stands alone fit for tools, as settings want it: its meshes bound
/// as a skin, its front turned to where glTF has it.
pub(super) fn finish_model(
    builders: &mut BTreeMap<Layer, SceneBuilder>,
    config: &Config,
) -> Option<BoundMeshes> {
    let mut counts = BoundMeshes::default();
    for builder in builders.values_mut() {
        let scene = &mut builder.scene;
        if config.models.skin {
            let Bound { bound, left } = bind_meshes(scene);
            counts.bound += bound;
            counts.left += left;
        }
        if config.scenes.face_forward && !scene.roots.is_empty() {
            // Half a turn about Y.
            let turned = Transform {
                rotation: Quat::from_xyzw(0.0, 1.0, 0.0, 0.0),
                ..Transform::IDENTITY
            };
            scene.put_below("face_forward", turned);
            // The front as the games have it stays known; the file's own is the other one.
            if let Some(Value::Object(facts)) = scene.extras.get_mut("zipper") {
                facts.insert("faceForward".to_owned(), Value::from(true));
            }
        }
    }
    config.models.skin.then_some(counts)
}

/// The outputs of a scene of `role`.
pub(super) fn scene_outputs(
    role: OutputRole,
    config: &Config,
) -> impl Iterator<Item = OutputSpec> + use<> {
    let encodings: &[Encoding] = match config.scenes.container {
        SceneContainer::Gltf => &[Encoding::Gltf, Encoding::Bin],
        SceneContainer::Glb => &[Encoding::Glb],
    };
    let encodings = encodings.iter();
    encodings.map(move |&encoding| OutputSpec { role, encoding })
}

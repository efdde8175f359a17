//! The files that a scene is written to.

use crate::config::{Config, SceneContainer};
use crate::convert::{OutputRole, OutputSpec};
use crate::scene::Encoding;

/// The outputs of a scene of `role`.
pub(in crate::convert) fn scene_outputs(
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

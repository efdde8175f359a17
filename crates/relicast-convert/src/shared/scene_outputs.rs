//! The files that a scene is written to.

use crate::options::{ConvertOptions, SceneContainer};
use crate::{OutputRole, OutputSpec};
use relicast_scene::Encoding;

/// The outputs of a scene of `role`.
pub(crate) fn scene_outputs(
    role: OutputRole,
    options: &ConvertOptions,
) -> impl Iterator<Item = OutputSpec> + use<> {
    let encodings: &[Encoding] = match options.scenes.container {
        SceneContainer::Gltf => &[Encoding::Gltf, Encoding::Bin],
        SceneContainer::Glb => &[Encoding::Glb],
    };
    let encodings = encodings.iter();
    encodings.map(move |&encoding| OutputSpec { role, encoding })
}

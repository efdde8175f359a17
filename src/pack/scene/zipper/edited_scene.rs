//! An edited scene with its original.

use std::collections::BTreeMap;

use super::active_flags::ActiveFlags;
use super::lights::LightOrCameraChange;
use super::materials::difference::SurfaceDifference;
use super::materials::new_material::NewMaterial;
use super::motion::edits::MotionChange;
use super::objects::difference::{ObjectEdits, OwnMesh};
use crate::pack::scene::compare::difference::Difference;
use crate::pack::scene::file::SceneFile;
use crate::pipeline::report::manifest::ManifestOutput;
use relicast_formats::asset::AssetKind;

/// An edited scene with its original, and the differences.
#[derive(Debug)]
pub(in crate::pack::scene) struct EditedScene<'j> {
    /// The output that is the scene itself.
    pub output: &'j ManifestOutput,
    pub base: SceneFile,
    pub edited: SceneFile,
    /// Objects that were added and deleted; both scenes are without them.
    pub objects: ObjectEdits,
    /// Meshes that nodes have alone now; the original scene has copies of them too.
    pub own_meshes: Vec<OwnMesh>,
    pub difference: Difference,
    pub surfaces: SurfaceDifference,
    /// Names of the new textures, by the number of the change.
    pub pictures: BTreeMap<usize, String>,
    /// Materials that the game file does not have.
    pub new_materials: Vec<NewMaterial>,
    pub lights_and_cameras: Vec<LightOrCameraChange>,
    pub motions: Vec<MotionChange>,
    pub active_flags: ActiveFlags,
}

impl EditedScene<'_> {
    /// Path of the output, for messages.
    pub(super) fn path(&self) -> &str {
        &self.output.path
    }

    /// True for the scene of a world, false for a model.
    pub(super) fn is_world(&self) -> bool {
        self.output.kind == AssetKind::Worlds
    }

    /// The name of an original node.
    pub(super) fn name(&self, node: usize) -> &str {
        self.base.nodes.get(node).map_or("", |node| &node.name)
    }
}

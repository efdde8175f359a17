//! One scene under construction, with caches of its meshes, materials and textures.

use std::collections::HashMap;

use relicast_scene::model::{MaterialId, MeshId, NodeId, Sampler, Scene, Texture, TextureId};

use super::material_content::MaterialContent;
use super::material_key::{MaterialKey, Tint};
use super::nodes::{FileNode, ModelNumber};

/// A model with the properties of the node that shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct MeshVariantKey {
    /// The model.
    pub model: ModelNumber,
    /// Bits of the opacity.
    pub opacity: u32,
    /// The color that it is tinted with.
    pub tint: Option<Tint>,
    /// Drawn without light.
    pub unlit: bool,
    /// A shape without materials.
    pub bare: bool,
}

/// A node of a scene that represents a node of the source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StoredNode {
    /// The node of the scene.
    pub node: NodeId,
    /// The node of the file.
    pub index: FileNode,
}

/// A scene under construction.
#[derive(Debug, Default)]
pub(crate) struct SceneBuilder {
    /// The scene.
    pub scene: Scene,
    /// The nodes of the scene that are from the file, in the order of the scene.
    pub stored_nodes: Vec<StoredNode>,
    /// Meshes by key; `None` for a model without visible polygons.
    pub(super) meshes: HashMap<MeshVariantKey, Option<MeshId>>,
    textures: HashMap<(String, Sampler), TextureId>,
    pub(super) materials: HashMap<MaterialKey, MaterialId>,
    /// Materials by their content, so that no two are equal.
    pub(super) by_content: HashMap<MaterialContent, MaterialId>,
}

impl SceneBuilder {
    /// The texture of a picture and a sampler.
    pub(super) fn texture(
        &mut self,
        key: &str,
        sampler: Sampler,
        make: impl FnOnce() -> Texture,
    ) -> TextureId {
        let scene = &mut self.scene;
        let entry = self.textures.entry((key.to_owned(), sampler));
        *entry.or_insert_with(|| scene.add_texture(make()))
    }

    /// Adds a texture that no material uses.
    pub(super) fn keep(&mut self, key: &str, sampler: Sampler, make: impl FnOnce() -> Texture) {
        let texture = self.texture(key, sampler, make);
        let kept = &mut self.scene.kept_textures;
        if !kept.contains(&texture) {
            kept.push(texture);
        }
    }
}

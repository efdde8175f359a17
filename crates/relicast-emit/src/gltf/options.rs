//! Options and result of the scene writer.

use std::borrow::Cow;

/// Lookup of the pictures of textures.
pub trait ImageSource {
    /// Path of a PNG relative to the folder of the glTF file, with `/` as separator, not
    /// percent-encoded. `None` if there is no such file. Used for `.gltf`.
    fn path(&self, key: &str) -> Option<String>;

    /// Bytes of a PNG; `None` if there is no such picture. Used for `.glb`, and for pictures without
    /// a file.
    fn bytes(&self, key: &str) -> Option<Cow<'_, [u8]>>;
}

/// Kind of file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Container {
    /// JSON that refers to a separate buffer and pictures.
    #[default]
    Gltf,
    /// One binary file with buffer and pictures inside.
    Glb,
}

/// Options of a glTF file.
#[derive(Clone, Copy)]
pub struct GltfOptions<'a> {
    /// Path of the buffer relative to the folder of the glTF file, with `/` as separator, not
    /// percent-encoded. Not used for `.glb`.
    pub binary_path: &'a str,
    /// Lookup of the pictures.
    pub images: &'a dyn ImageSource,
    /// Kind of file.
    pub container: Container,
    /// Replaces 16 or more siblings that only show the same mesh by one node with a list of transforms
    /// (`EXT_mesh_gpu_instancing`).
    pub gpu_instancing: bool,
    /// Leaves material variants out (`KHR_materials_variants`).
    pub first_variant_only: bool,
    /// Stores normals, and positions where that is exact, in fewer bytes (`KHR_mesh_quantization`).
    pub quantize: bool,
    /// Embeds pictures as lossless WebP where these are smaller (`EXT_texture_webp`).
    pub webp: bool,
    /// Writes the file for the import script of a Godot project: vertex colors as sRGB, and variants and the buffer's
    /// digest in extras, because the engine checks only the `.gltf` for changes.
    pub godot_extras: bool,
}

impl std::fmt::Debug for GltfOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GltfOptions")
            .field("binary_path", &self.binary_path)
            .field("container", &self.container)
            .finish_non_exhaustive()
    }
}

/// A written scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GltfFiles {
    /// The JSON, and the buffer it refers to: empty if it refers to none.
    Gltf {
        /// The `.gltf` file.
        json: Vec<u8>,
        /// The `.bin` file.
        bin: Vec<u8>,
    },
    /// The `.glb` file.
    Glb(Vec<u8>),
}

impl GltfFiles {
    /// Total size in bytes.
    pub fn size(&self) -> u64 {
        match self {
            Self::Gltf { json, bin } => json.len() as u64 + bin.len() as u64,
            Self::Glb(bytes) => bytes.len() as u64,
        }
    }
}

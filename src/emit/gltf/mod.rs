//! Scenes as glTF 2.0: `.gltf` with `.bin` and shared pictures, or one `.glb` with everything inside.
//!
//! A file holds what the scene's nodes show and nothing else, has no empty list, names exactly the
//! extensions it uses and requires none of them. Positions come with exact bounds. Negative zeros
//! become positive; NaN, infinity and every other thing that a validator refuses is a [`GltfError`]
//! that names the part of the scene. Same scene and options, same bytes.
//!
//! - `check` — which parts of a scene are used, and whether its references are valid;
//! - `binary` — the buffer and its accessors;
//! - `geometry`, `surface`, `hierarchy`, `motion`, `pointer` — the parts of a file;
//! - `instancing` — many nodes with one mesh as one node;
//! - `container` — GLB framing; `uri` — references to other files.

use std::borrow::Cow;

use gltf_json as json;
use json::Index;
use json::validation::USize64;

use crate::scene::model::{Extras, Scene, SceneNames};

mod binary;
mod check;
mod container;
mod error;
mod geometry;
mod hierarchy;
mod instancing;
mod motion;
mod pointer;
mod surface;
mod uri;

pub use error::{GltfError, Part};
pub use uri::{encode_path, relative_path};

use binary::Binary;
use check::Used;
use instancing::Gathered;
use pointer::Pointers;

/// Name of this program in files. Without version, so that outputs stay the same between versions
/// that do not change them.
const GENERATOR: &str = concat!("relicast ", env!("CARGO_PKG_VERSION"));

/// Where the pictures of textures are.
pub trait ImageSource {
    /// Path of a PNG relative to the folder of the glTF file, `/` between its parts, not
    /// percent-encoded. None if there is no such file. Asked for `.gltf`.
    fn path(&self, key: &str) -> Option<String>;

    /// The bytes of a PNG. None if there is no such picture. Asked for `.glb`, and for pictures without
    /// a file.
    fn bytes(&self, key: &str) -> Option<Cow<'_, [u8]>>;
}

/// Kind of file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Container {
    /// JSON that refers to a buffer and pictures beside it.
    #[default]
    Gltf,
    /// One binary file with buffer and pictures inside.
    Glb,
}

/// How to write a scene.
#[derive(Clone, Copy)]
pub struct GltfOptions<'a> {
    /// Path of the buffer relative to the folder of the glTF file, `/` between its parts, not
    /// percent-encoded. Not used for `.glb`.
    pub binary_path: &'a str,
    /// Where the pictures are.
    pub images: &'a dyn ImageSource,
    /// Kind of file.
    pub container: Container,
    /// Siblings that show the same mesh and do nothing else become one node with a list of places
    /// (`EXT_mesh_gpu_instancing`) where there are 16 or more.
    pub gpu_instancing: bool,
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

/// Writes a scene.
///
/// # Errors
/// The scene has an invalid reference, a value that glTF cannot represent, or a texture without its picture.
pub fn encode(scene: &Scene, options: &GltfOptions<'_>) -> Result<GltfFiles, GltfError> {
    let gathered = options.gpu_instancing.then(|| instancing::gather(scene));
    let scene = gathered.as_ref().map_or(scene, |gathered| &gathered.scene);
    let names = SceneNames::new(scene);
    let used = Used::new(scene)?;
    let mut binary = Binary::default();
    let mut root = json::Root {
        asset: json::Asset {
            generator: Some(GENERATOR.to_owned()),
            ..json::Asset::default()
        },
        ..json::Root::default()
    };
    root.meshes = geometry::meshes(scene, &names, &used, &mut binary)?;
    root.materials = surface::materials(scene, &names, &used)?;
    let pictures = surface::Pictures::new(scene, &names, &used)?;
    root.textures = pictures.textures;
    root.samplers = pictures.samplers;
    hierarchy::write(scene, &names, &used, &mut binary, &mut root)?;
    if let Some(gathered) = &gathered {
        gathered.write(&mut root.nodes, &mut binary)?;
    }
    let (animations, pointers) = motion::animations(scene, &names, &used, &mut binary)?;
    root.animations = animations;
    for (key, name) in pictures.images {
        let image = surface::image(key, name, options, &mut binary)?;
        root.images.push(image);
    }
    let instances = gathered.as_ref().is_some_and(Gathered::is_any);
    root.extensions_used = extensions_used(scene, &used, &root, &pointers, instances);
    let bin = binary.finish(&mut root)?;
    if !bin.is_empty() {
        let uri = match options.container {
            Container::Gltf => Some(encode_path(options.binary_path)),
            Container::Glb => None,
        };
        root.buffers.push(json::Buffer {
            byte_length: USize64::from(bin.len()),
            name: None,
            uri,
            extensions: None,
            extras: None,
        });
    }
    let json = if pointers.is_empty() {
        json::serialize::to_vec(&root)?
    } else {
        pointer::with_pointers(&root, pointers)?
    };
    match options.container {
        Container::Gltf => Ok(GltfFiles::Gltf { json, bin }),
        Container::Glb => container::glb(json, &bin).map(GltfFiles::Glb),
    }
}

fn extensions_used(
    scene: &Scene,
    used: &Used,
    root: &json::Root,
    pointers: &Pointers,
    instances: bool,
) -> Vec<String> {
    let worn = |id: &u32| scene.materials.get(*id as usize);
    let mut worn_materials = used.materials.list().iter().filter_map(worn);
    let mut textures = worn_materials
        .clone()
        .flat_map(|material| material.textures());
    let extensions = root.extensions.as_ref();
    let occurs = [
        ("EXT_mesh_gpu_instancing", instances),
        ("KHR_animation_pointer", !pointers.is_empty()),
        (
            "KHR_lights_punctual",
            extensions.is_some_and(|all| all.khr_lights_punctual.is_some()),
        ),
        (
            "KHR_materials_unlit",
            worn_materials.any(|material| material.unlit),
        ),
        (
            "KHR_materials_variants",
            extensions.is_some_and(|all| all.khr_materials_variants.is_some()),
        ),
        (
            "KHR_node_visibility",
            scene.nodes.iter().any(|node| node.shown.is_some()),
        ),
        (
            "KHR_texture_transform",
            textures.any(|texture| texture.transform.is_some()),
        ),
        ("MSFT_lod", !scene.detail_groups.is_empty()),
    ];
    let present = occurs.into_iter().filter(|(_, occurs)| *occurs);
    present.map(|(name, _)| name.to_owned()).collect()
}

/// Extras as glTF has them, absent if empty.
fn raw_extras(extras: &Extras) -> Result<json::Extras, GltfError> {
    if extras.is_empty() {
        return Ok(None);
    }
    Ok(Some(serde_json::value::to_raw_value(extras)?))
}

/// A typed index. Lists are far shorter than 2³².
fn index<T>(position: usize) -> Index<T> {
    Index::new(u32::try_from(position).unwrap_or(u32::MAX))
}

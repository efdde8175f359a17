//! Writes a scene as a file.

use std::collections::BTreeSet;

use gltf_json as json;
use json::validation::USize64;

use super::binary::Binary;
use super::check::Used;
use super::error::GltfError;
use super::instancing::{self, Gathered};
use super::options::{Container, GltfFiles, GltfOptions};
use super::pointer::{self, Pointers};
use super::uri::encode_path;
use super::{container, geometry, godot, hierarchy, motion, quantize, surface, webp};
use relicast_scene::model::{Scene, SceneNames};

/// Name of this program in files, with its version.
const GENERATOR: &str = concat!("relicast ", env!("CARGO_PKG_VERSION"));

/// Approximate size of an element's JSON, in bytes.
const BYTES_A_PART: usize = 160;

/// Writes a scene.
///
/// # Errors
/// The scene has an invalid reference, a value that glTF cannot represent, or a texture without its picture.
pub fn encode(scene: &Scene, options: &GltfOptions<'_>) -> Result<GltfFiles, GltfError> {
    let gathered = instancing::gather(scene, options.gpu_instancing);
    let scene = gathered.as_ref().map_or(scene, |gathered| &gathered.scene);
    let names = SceneNames::new(scene);
    let used = Used::new(scene, !options.first_variant_only)?;
    let mut binary = Binary::default();
    let mut root = json::Root {
        asset: json::Asset {
            generator: Some(GENERATOR.to_owned()),
            ..json::Asset::default()
        },
        ..json::Root::default()
    };
    let grids = match options.quantize {
        true => quantize::grids(scene, gathered.as_ref()),
        false => Vec::new(),
    };
    root.meshes = geometry::meshes(scene, &names, &used, options, &grids, &mut binary)?;
    root.materials = surface::materials(scene, &names, &used)?;
    let pictures = surface::Pictures::new(scene, &names, &used)?;
    root.textures = pictures.textures;
    root.samplers = pictures.samplers;
    hierarchy::write(scene, &names, &used, &mut binary, &mut root)?;
    quantize::scale_nodes(scene, &grids, &mut root.nodes);
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
    if binary.is_quantized() {
        let name = "KHR_mesh_quantization";
        root.extensions_used.push(name.to_owned());
        root.extensions_used.sort();
        root.extensions_required.push(name.to_owned());
    }
    let webp: BTreeSet<usize> = (root.images.iter().enumerate())
        .filter(|(_, image)| surface::is_webp(image))
        .map(|(number, _)| number)
        .collect();
    let bin = binary.finish(&mut root)?;
    if options.godot_extras {
        godot::restate(&mut root, &bin)?;
    }
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
    let json = match pointers.is_empty() {
        true => document(&root)?,
        false => pointer::with_pointers(&root, pointers)?,
    };
    let json = match webp.is_empty() {
        true => json,
        false => webp::restate(&json, &webp)?,
    };
    match options.container {
        Container::Gltf => Ok(GltfFiles::Gltf { json, bin }),
        Container::Glb => container::glb(json, &bin).map(GltfFiles::Glb),
    }
}

/// Serializes the JSON of a file to a buffer that is large enough for most scenes.
fn document(root: &json::Root) -> Result<Vec<u8>, GltfError> {
    let primitives = root.meshes.iter().map(|mesh| mesh.primitives.len());
    let channels = root.animations.iter().map(|clip| clip.channels.len());
    let parts = root.accessors.len()
        + root.buffer_views.len()
        + root.nodes.len()
        + root.materials.len()
        + primitives.chain(channels).sum::<usize>();
    let mut document = Vec::with_capacity((parts + 1).saturating_mul(BYTES_A_PART));
    json::serialize::to_writer(&mut document, root)?;
    Ok(document)
}

fn extensions_used(
    scene: &Scene,
    used: &Used,
    root: &json::Root,
    pointers: &Pointers,
    instances: bool,
) -> Vec<String> {
    let material = |id: &u32| scene.materials.get(*id as usize);
    let mut used_materials = used.materials.list().iter().filter_map(material);
    let mut textures = used_materials
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
            "KHR_materials_specular",
            used_materials
                .clone()
                .any(|material| material.specular_texture.is_some()),
        ),
        (
            "KHR_materials_unlit",
            used_materials.any(|material| material.unlit),
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

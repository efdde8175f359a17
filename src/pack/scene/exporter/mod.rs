//! Removal of what a program changes by itself when it reads a scene and writes it again.
//!
//! The edited file is compared with the original one, and a file is made that has the structure and the numbers of the
//! original and only the edits of the person: as if a careful script had made them. A difference that the program would
//! also make in an unedited file is noise; any other difference is an edit.
//!
//! - `model` — the programs, and what each of them changes;
//! - `pieces` — parted meshes; `nodes` — pairs of nodes; `shapes` — pairs of triangles; `values` — meshes: `changes` at their corners, `vertices`
//!   and `weights`; `normals` — normals that programs make anew; `skin` — rest poses; `materials`; `clips` — curves, `fit` — sampled ones; `pictures`;
//!   `lights` — lights and cameras;
//! - `builder` — the file that is made; `noise` — the changes that were not taken for edits.

mod builder;
mod changes;
mod clips;
mod fit;
mod lights;
mod materials;
mod mesh_pair;
mod model;
mod nodes;
mod noise;
mod normals;
mod pair;
mod pictures;
mod pieces;
mod restored;
mod shapes;
mod skin;
mod values;
mod vertices;
mod weights;

use serde_json::Value;

use super::file::Document;
use crate::pack::edited::Refusal;
use crate::pack::json::{index, items};
pub use noise::Noise;
use pair::Pair;
pub(super) use pictures::Files;
use restored::Restoration;
pub(super) use restored::edited_alone;
pub(super) use skin::Weights;
pub(super) use weights::weights;

/// Removes from an edited file what the program that wrote it changes by itself. A file that relicast wrote, or that a
/// script changed in place, stays as it is. `path` is that of the scene.
///
/// # Errors
/// A number of a file cannot be read, or the file has an edit that cannot be expressed in the structure of the original.
pub(super) fn restore(
    base: &Document,
    mut edited: Document,
    path: &str,
    files: Files<'_>,
) -> Result<(Document, Noise), Refusal> {
    let joined = pieces::join(base, &mut edited)?;
    let Some(exporter) = model::of(edited.generator()) else {
        let mut noise = Noise::default();
        joined
            .into_iter()
            .for_each(|words| noise.put_unstored(words));
        return Ok((edited, noise));
    };
    if !exporter.is_supported {
        refuse!(
            "{} wrote it, and changes so much by itself that an edit cannot be separated from that; edit the original .gltf with Blender, glTF Transform or a script",
            exporter.name
        );
    }
    check_export(base, &edited)?;
    pictures::refer_to_originals(base, &mut edited, path, files);
    let (base_scene, edited_scene) = (base.scene()?, edited.scene()?);
    let pair = Pair {
        base,
        base_scene: &base_scene,
        edited: &edited,
        edited_scene: &edited_scene,
        exporter,
    };
    let (mut document, mut noise) = Restoration::new(pair)?.finish()?;
    joined
        .into_iter()
        .for_each(|words| noise.put_unstored(words));
    pictures::name_painted(pair, path, files, &mut noise);
    pictures::refer_to_files(&mut document, path, files);
    Ok((document, noise))
}

/// Checks that the file was exported with what every edit needs.
///
/// # Errors
/// It was exported with rounded positions, or without pictures.
fn check_export(base: &Document, edited: &Document) -> Result<(), Refusal> {
    let is_rounded = |document: &Document| {
        let meshes = items(&document.json, "meshes").iter();
        let mut positions = meshes
            .flat_map(|mesh| items(mesh, "primitives"))
            .filter_map(|primitive| index(&primitive["attributes"]["POSITION"]));
        positions.any(|at| document.json["accessors"][at]["componentType"] != FLOAT)
    };
    if is_rounded(edited) && !is_rounded(base) {
        refuse!(
            "its positions are quantized, so their exact values are lost; save the scene without quantization"
        );
    }
    let has_picture = |it: &&Value| !it["pbrMetallicRoughness"]["baseColorTexture"].is_null();
    // The picture of the only pictured material may have been taken out.
    let pictured = items(&base.json, "materials").iter().filter(has_picture);
    let has_none = items(&edited.json, "images").is_empty();
    if pictured.count() > 1 && has_none && !items(&edited.json, "materials").is_empty() {
        refuse!(
            "it was exported without pictures; export them (Blender: Material > Images > Automatic)"
        );
    }
    Ok(())
}

/// The component type of 32-bit floats.
const FLOAT: u32 = 5126;

//! Edited scenes, packed into game files.
//!
//! The original game file is converted once more. Only the differences of the edited scene are changed in the file.
//! Then it is converted again, and must show the edit.
//!
//! - `driver` — the request, conversion of the file alone, its outputs;
//! - `file` — a glTF file of any program; `exporter` — removal of what programs change by themselves; `compare` — the
//!   differences of an edit;
//! - `zipper` — worlds and model libraries; `everquest` — scene files of EverQuest.

mod compare;
mod driver;
mod everquest;
mod exporter;
mod file;
mod zipper;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::edited::{Edited, IN_TWO_STEPS, Refusal};
use super::error::PackError;
use super::json::{index, items};
use crate::pipeline::output::links::resolve;
use crate::pipeline::report::manifest::ManifestOutput;
use driver::error::SceneError;
pub(super) use driver::job::{Job, Members, Replaced};
pub(super) use driver::original_outputs;
pub(super) use driver::outputs::stem;
use everquest::eqg::EqgArchive;
use everquest::wld::WldArchive;
pub use exporter::Noise;
use relicast_emit::gltf::chunks;
use relicast_formats::kind::{Kind, sniff};
use zipper::ZipperFile;

/// True if an output is a scene or the buffer of one.
pub(super) fn is_scene(output: &ManifestOutput) -> bool {
    // Clips are in other folders.
    ["worlds/", "models/"]
        .iter()
        .any(|category| output.path.starts_with(category))
        && [".gltf", ".glb", ".bin"]
            .iter()
            .any(|ending| output.path.ends_with(ending))
}

/// The paths of the buffers and pictures that the scene at `path`, stored as `place`, refers to.
pub(super) fn referred(path: &str, place: &Path) -> Vec<String> {
    let root = opened(place);
    let buffers = items(&root, "buffers").iter();
    let uris = buffers.filter_map(|buffer| buffer["uri"].as_str());
    let buffers = uris.filter_map(|uri| resolve(path, uri));
    let images = items(&root, "images").iter();
    let images = images.filter_map(|image| picture(path, image));
    buffers.chain(images).collect()
}

/// The paths of the pictures that give surfaces of the scene at `path`, stored as `place`, their color. Others follow
/// from these.
pub(super) fn pictures(path: &str, place: &Path) -> Vec<String> {
    let root = opened(place);
    let materials = items(&root, "materials").iter();
    let textures =
        materials.filter_map(|it| index(&it["pbrMetallicRoughness"]["baseColorTexture"]["index"]));
    let images = textures.filter_map(|at| index(&root["textures"][at]["source"]));
    let pictures = images.filter_map(|at| picture(path, &root["images"][at]));
    pictures.collect()
}

fn opened(place: &Path) -> Value {
    let bytes = relicast_source::bytes::read_document(place).unwrap_or_default();
    let json = chunks(&bytes).map(|chunks| chunks.json);
    let root = json.and_then(|json| serde_json::from_slice(json).ok());
    root.unwrap_or_default()
}

/// The path of a picture of the scene at `path`: one inside of the scene may be beside it too, as a file of its name.
fn picture(path: &str, image: &Value) -> Option<String> {
    let uri = image["uri"].as_str();
    match uri.filter(|uri| !uri.starts_with("data:")) {
        Some(uri) => resolve(path, uri),
        None => resolve(path, &format!("{}.png", image["name"].as_str()?)),
    }
}

/// Makes an archive with new members, or members that edited scenes of other files change. `original` is the archive of
/// the install, `current` the one with other edits.
///
/// # Errors
/// A member has another edit too, or the archive cannot be written.
pub(super) fn merged(
    original: &[u8],
    current: &[u8],
    members: &BTreeMap<String, Vec<u8>>,
) -> Result<Vec<u8>, Refusal> {
    match sniff(original, "") {
        Kind::Pfs => everquest::merged(original, current, members),
        _ => zipper::merged(original, current, members),
    }
}

/// Packs edited scenes into their game file. Returns a rounding for each edit, in their order.
///
/// # Errors
/// An edit cannot be packed, or a file cannot be read or written.
pub(super) fn replace<'j>(
    job: Job<'j>,
    edits: &[Edited<'j>],
    place_of: &dyn Fn(&str) -> Result<String, PackError>,
) -> Result<Replaced, SceneError> {
    let eqg = edits.iter().filter(|edit| EqgArchive::holds(edit)).count();
    match (job.kind, eqg) {
        (Kind::Pfs, 0) => driver::replace::<WldArchive<'_>>(job, edits, place_of),
        (Kind::Pfs, eqg) if eqg == edits.len() => {
            driver::replace::<EqgArchive<'_>>(job, edits, place_of)
        }
        (Kind::Pfs, _) => {
            let reason = "scenes of .wld files and scenes in EQG format of one archive cannot be packed together";
            Err(refusal!("{reason}; {IN_TWO_STEPS}").into())
        }
        _ => driver::replace::<ZipperFile<'_>>(job, edits, place_of),
    }
}

//! Pictures inside of a scene, as the files that a conversion writes beside it, so that scenes in both containers are
//! compared in one way.

use std::collections::HashMap;

use relicast_emit::gltf::{encode_path, relative_path};
use relicast_formats::asset::AssetKind;
use serde_json::Value;

use super::rerun::Outputs;
use crate::pack::digest::hash;
use crate::pack::json::items;
use crate::pack::picture::copied::{Names, name_key};
use crate::pack::scene::file::Document;
use crate::pipeline::report::manifest::{FILE_NAME, Manifest, ManifestOutput};

/// Makes the pictures inside of the scene at `path` refer to the equal ones of a conversion.
pub(super) fn refer(path: &str, document: &mut Document, outputs: &Outputs) {
    let inside: Vec<(usize, Vec<u8>)> = items(&document.json, "images")
        .iter()
        .enumerate()
        .filter_map(|(at, image)| Some((at, document.embedded_image(image)?)))
        .collect();
    if inside.is_empty() {
        return;
    }
    let manifest = outputs.read(FILE_NAME);
    let manifest = manifest.and_then(|bytes| serde_json::from_slice::<Manifest>(&bytes).ok());
    let mut known: HashMap<&str, Vec<&ManifestOutput>> = HashMap::new();
    let written = manifest.iter().flat_map(|manifest| &manifest.outputs);
    for output in written.filter(|it| it.kind == AssetKind::Textures) {
        known.entry(&output.blake3).or_default().push(output);
    }
    for (at, bytes) in inside {
        let Some(equal) = known.get(&*hash(&bytes)) else {
            continue;
        };
        let image = &mut document.json["images"][at];
        let key = name_key(image["name"].as_str().unwrap_or_default());
        let is_named = |output: &&&ManifestOutput| {
            Names::of(&output.path, output.member.as_deref()).are_exact(&key)
        };
        let Some(output) = equal.iter().find(is_named).or_else(|| equal.first()) else {
            continue;
        };
        let uri = encode_path(&relative_path(path, &output.path));
        if let Some(image) = image.as_object_mut() {
            image.remove("bufferView");
            image.insert("uri".to_owned(), Value::from(uri));
        }
    }
}

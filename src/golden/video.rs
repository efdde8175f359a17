//! Golden values of a video: the content of its source, independent of the encoder.
//!
//! The facts are in the JSON file next to it. The manifest of the same folder shows that the video is the one that was
//! written.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;

use serde_json::Value;

use super::content_digest::HASH_LENGTH;
use super::hashes::GoldenOutput;
use crate::pipeline::report::document_file;
use crate::pipeline::report::manifest::{self, Manifest};
use relicast_scene::Container;

/// Digests of the videos that a run wrote, by path.
#[derive(Debug, Default)]
pub(super) struct Written(HashMap<String, String>);

impl Written {
    /// The videos of the manifest in `out`; empty without a manifest.
    pub(super) fn load(out: &Path) -> Self {
        let manifest = document_file::read::<Manifest>(&out.join(manifest::FILE_NAME)).ok();
        let outputs = manifest.map_or_else(Vec::new, |(manifest, _)| manifest.outputs);
        let videos = outputs.into_iter().filter(|output| is_video(&output.path));
        Self(videos.map(|output| (output.path, output.blake3)).collect())
    }
}

/// True if the output at `path` is a video.
pub(super) fn is_video(path: &str) -> bool {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension);
    extension.and_then(Container::of_extension).is_some()
}

/// Golden hashes of the video at `path`, which is stored at `location`.
///
/// # Errors
/// The video cannot be read.
pub(super) fn golden(path: &str, location: &Path, written: &Written) -> io::Result<GoldenOutput> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(std::fs::File::open(location)?)?;
    let own = hasher.finalize().to_hex();
    let mut content_digest = BTreeMap::new();
    let state = match written.0.get(path) {
        Some(blake3) if **blake3 == *own => "as written",
        Some(_) => "altered",
        None => "not in the manifest",
    };
    content_digest.insert("file".to_owned(), state.to_owned());
    let facts = relicast_source::bytes::read_document(location.with_extension("json")).ok();
    let facts: Option<Value> = facts.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let decoded = facts.as_ref().and_then(|facts| facts.get("decoded"));
    let list = |name: &str| {
        let items = decoded.and_then(|decoded| decoded.get(name)?.as_array());
        items.map_or(&[][..], Vec::as_slice)
    };
    for (index, stream) in list("streams").iter().enumerate() {
        content_digest.insert(format!("stream {index}"), words(stream));
    }
    if let Some(sound) = decoded.and_then(|decoded| decoded.get("sound")) {
        content_digest.insert("sound".to_owned(), words(sound));
    }
    let frames: Vec<String> = list("frames")
        .iter()
        .filter_map(Value::as_str)
        .map(|md5| md5.chars().take(HASH_LENGTH).collect())
        .collect();
    content_digest.insert("frames".to_owned(), frames.len().to_string());
    let mut hasher = blake3::Hasher::new();
    for text in content_digest
        .iter()
        .flat_map(|(name, value)| [name, value])
        .chain(&frames)
    {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    Ok(GoldenOutput {
        blake3: hasher.finalize().to_hex().to_string(),
        size: 0,
        content_digest,
        frames,
    })
}

/// The members of an object as words.
fn words(value: &Value) -> String {
    let members = value.as_object().into_iter().flatten();
    let members = members.map(|(name, value)| match value.as_str() {
        Some(text) => format!("{name} {text}"),
        None => format!("{name} {value}"),
    });
    members.collect::<Vec<_>>().join(", ")
}

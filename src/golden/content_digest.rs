//! Content digest of an output: hashes of the sorts of content that it holds.

use std::collections::{BTreeMap, VecDeque};
use std::io::Cursor;
use std::path::Path;

use serde_json::Value;

use relicast_formats::riff;

/// Length of a facet that is a hash.
pub(super) const HASH_LENGTH: usize = 16;

/// Most subtrees of a document that get separate hashes.
const MAX_SUBTREES: usize = 24;

type ContentDigest = BTreeMap<String, String>;

/// Content digest of the output at `path`, by its extension; empty for others and for invalid files. `folder` contains
/// a scene's buffers.
pub fn content_digest(path: &str, bytes: &[u8], folder: Option<&Path>) -> ContentDigest {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "png" => png(bytes),
        "wav" => wav(bytes),
        "flac" => flac(bytes),
        "json" => json(bytes),
        "gltf" => gltf(bytes, |uri| std::fs::read(folder?.join(uri)).ok()),
        _ => None,
    }
    .unwrap_or_default()
}

fn hash(bytes: &[u8]) -> String {
    let hex = blake3::hash(bytes).to_hex();
    hex.chars().take(HASH_LENGTH).collect()
}

fn facet(content_digest: &mut ContentDigest, name: &str, value: impl Into<String>) {
    content_digest.insert(name.to_owned(), value.into());
}

fn png(bytes: &[u8]) -> Option<ContentDigest> {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().ok()?;
    let info = reader.info();
    let mut content_digest = ContentDigest::new();
    facet(
        &mut content_digest,
        "size",
        format!("{}x{}", info.width, info.height),
    );
    facet(
        &mut content_digest,
        "color",
        format!("{:?}", info.color_type),
    );
    if let Some(palette) = &info.palette {
        facet(&mut content_digest, "palette", hash(palette));
    }
    if let Some(alphas) = &info.trns {
        facet(&mut content_digest, "palette alpha", hash(alphas));
    }
    let mut pixels = vec![0; reader.output_buffer_size()?];
    reader.next_frame(&mut pixels).ok()?;
    facet(&mut content_digest, "pixels", hash(&pixels));
    Some(content_digest)
}

fn wav(bytes: &[u8]) -> Option<ContentDigest> {
    let wave = riff::decode(bytes).ok()?.value;
    let mut content_digest = ContentDigest::new();
    for chunk in &wave.chunks {
        let name = match &chunk.id.0 {
            b"fmt " => "format".to_owned(),
            b"data" => "samples".to_owned(),
            id => format!("chunk {}", String::from_utf8_lossy(id).trim_end()),
        };
        facet(&mut content_digest, &name, hash(&chunk.payload));
    }
    Some(content_digest)
}

fn flac(bytes: &[u8]) -> Option<ContentDigest> {
    let blocks = flac_codec::metadata::BlockList::read(Cursor::new(bytes)).ok()?;
    let mut content_digest = ContentDigest::new();
    let info = blocks.streaminfo();
    facet(
        &mut content_digest,
        "format",
        format!(
            "{} channels, {} Hz, {} bits",
            info.channels, info.sample_rate, info.bits_per_sample
        ),
    );
    if let Some(md5) = info.md5 {
        facet(&mut content_digest, "samples", hash(&md5));
    }
    if let Some(tags) = blocks.get::<flac_codec::metadata::VorbisComment>() {
        facet(
            &mut content_digest,
            "tags",
            hash(tags.fields.join("\n").as_bytes()),
        );
    }
    // The header's facts about the samples are wrong if somebody changed the frames.
    facet(&mut content_digest, "frames", hash(flac_frames(bytes)?));
    Some(content_digest)
}

/// The bytes behind the metadata blocks: a bit for the last block, 7 for the type, 24 for the length.
fn flac_frames(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes.strip_prefix(b"fLaC")?;
    loop {
        let (&header, after) = rest.split_first_chunk::<4>()?;
        let [kind, length @ ..] = header;
        let length = length
            .iter()
            .fold(0_usize, |sum, &byte| sum << 8 | usize::from(byte));
        rest = after.get(length..)?;
        if kind & 0x80 != 0 {
            return Some(rest);
        }
    }
}

fn parse(bytes: &[u8]) -> Option<Value> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    deserializer.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut deserializer).ok()
}

fn json(bytes: &[u8]) -> Option<ContentDigest> {
    Some(subtrees(&parse(bytes)?))
}

/// Hashes of the root and the subtrees nearest to it.
fn subtrees(root: &Value) -> ContentDigest {
    let mut content_digest = ContentDigest::new();
    let mut queue = VecDeque::from([("$".to_owned(), root)]);
    while let Some((path, value)) = queue.pop_front() {
        if content_digest.len() >= MAX_SUBTREES {
            break;
        }
        facet(
            &mut content_digest,
            &path,
            hash(value.to_string().as_bytes()),
        );
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    queue.push_back((format!("{path}[{index}]"), item));
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    queue.push_back((format!("{path}.{name}"), member));
                }
            }
            _ => {}
        }
    }
    content_digest
}

fn gltf(bytes: &[u8], read: impl Fn(&str) -> Option<Vec<u8>>) -> Option<ContentDigest> {
    let root = parse(bytes)?;
    let mut content_digest = subtrees(&root);
    let list = |name: &str| root.get(name).and_then(Value::as_array);
    let buffers: Vec<Option<Vec<u8>>> = list("buffers")
        .into_iter()
        .flatten()
        .map(|buffer| read(buffer.get("uri")?.as_str()?))
        .collect();
    let number =
        |value: &Value, name: &str| value.get(name)?.as_u64().map(|number| number as usize);
    let views = list("bufferViews");
    for (index, accessor) in list("accessors").into_iter().flatten().enumerate() {
        let slice = || {
            let view = views?.get(number(accessor, "bufferView")?)?;
            let buffer = buffers.get(number(view, "buffer")?)?.as_ref()?;
            let start = number(view, "byteOffset").unwrap_or(0);
            let inner = number(accessor, "byteOffset").unwrap_or(0);
            let length = number(view, "byteLength")?.checked_sub(inner)?;
            let first = start.checked_add(inner)?;
            buffer.get(first..first.checked_add(length)?)
        };
        if let Some(slice) = slice() {
            facet(
                &mut content_digest,
                &format!("accessor {index}"),
                hash(slice),
            );
        }
    }
    Some(content_digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_shows_which_subtree_differs() {
        let before = json(br#"{"a":[1,2,{"b":3}],"c":null}"#).unwrap();
        let after = json(br#"{"a":[1,2,{"b":4}],"c":null}"#).unwrap();
        let differing: Vec<&String> = before
            .keys()
            .filter(|name| before.get(*name) != after.get(*name))
            .collect();
        assert_eq!(differing, ["$", "$.a", "$.a[2]", "$.a[2].b"]);
    }

    #[test]
    fn deep_documents_are_read() {
        let deep = format!("{}1{}", "[".repeat(250), "]".repeat(250));
        assert!(json(deep.as_bytes()).is_some());
    }

    #[test]
    fn a_scene_shows_which_accessor_differs() {
        let text = br#"{"buffers":[{"uri":"a.bin"}],
            "bufferViews":[{"buffer":0,"byteLength":2},{"buffer":0,"byteOffset":2,"byteLength":2}],
            "accessors":[{"bufferView":0},{"bufferView":1}]}"#;
        let before = gltf(text, |_| Some(vec![1, 2, 3, 4])).unwrap();
        let after = gltf(text, |_| Some(vec![1, 2, 3, 5])).unwrap();
        assert_eq!(before.get("accessor 0"), after.get("accessor 0"));
        assert_ne!(before.get("accessor 1"), after.get("accessor 1"));
    }

    #[test]
    fn frames_of_a_flac_follow_its_last_block() {
        let bytes = b"fLaC\x00\0\0\x02ab\x84\0\0\x01cframes";
        assert_eq!(flac_frames(bytes), Some(&b"frames"[..]));
        assert_eq!(flac_frames(b"fLaC\x80\0\0\x09a"), None);
    }

    #[test]
    fn a_sound_shows_its_chunks() {
        let bytes = b"RIFF\x26\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2b\0\0\x11\x2b\0\0\x01\0\x08\0data\x02\0\0\0\x80\x81";
        let content_digest = wav(bytes).unwrap();
        let names: Vec<&String> = content_digest.keys().collect();
        assert_eq!(names, ["format", "samples"]);
    }
}

//! Random edits of outputs, each valid for its kind of output, as a person with a program might make them.
//!
//! - [`group`] — outputs of one sort, derived from the manifest, so that new kinds of outputs get groups of their own.
//! - [`edit`] — an edit of an output by kind: `picture`, `sound`, `document`, `scene`, or bytes of copied files.

mod document;
mod picture;
mod scene;
mod sound;

use std::fs;
use std::path::Path;

use relicast::pipeline::report::manifest::ManifestOutput;

pub use document::{leaves, other_value};
pub use scene::moved;

use crate::Outcome;
use crate::random::Random;

/// An edit: the changed files, and a description.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// Paths below the output folder, and the new content.
    pub files: Vec<(String, Vec<u8>)>,
    /// Edited item.
    pub what: What,
}

/// Kinds of edits.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// Number of changed texels of a picture, or of all texels if its size changed.
    Texels(u32),
    /// Samples of a sound, with the new number of frames.
    Frames(usize),
    /// A value of a document.
    Value {
        /// Its JSON pointer.
        pointer: String,
        /// Old value.
        old: serde_json::Value,
        /// New value.
        new: serde_json::Value,
    },
    /// A moved node of a scene, by index.
    Node(usize),
    /// Moved corners of a mesh that share a position.
    Corners(usize),
    /// A byte of a copied file.
    Byte(usize),
}

impl std::fmt::Display for What {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Texels(count) => write!(formatter, "{count} texels"),
            Self::Frames(count) => write!(formatter, "samples, {count} frames"),
            Self::Value { pointer, old, new } => write!(formatter, "{pointer}: {old} to {new}"),
            Self::Node(node) => write!(formatter, "node {node} moved"),
            Self::Corners(count) => write!(formatter, "{count} corners moved"),
            Self::Byte(at) => write!(formatter, "byte {at}"),
        }
    }
}

/// Infixes between the stem and the ending of secondary outputs.
const SECONDARY: [&str; 14] = [
    "additive",
    "alpha",
    "base",
    "everquest",
    "font",
    "glow",
    "hidden",
    "mask",
    "normal",
    "overlay",
    "poster",
    "raw",
    "tables",
    "zipper",
];

/// The group of an output: its kind, ending, and container. Outputs of one group are edited in the same way.
pub fn group(output: &ManifestOutput) -> String {
    let kind = format!("{:?}", output.kind).to_lowercase();
    let name = file_name(&output.path);
    let (stem, last) = name.rsplit_once('.').unwrap_or((name, ""));
    let secondary = stem.rsplit_once('.').map(|(_, secondary)| secondary);
    let secondary = secondary.filter(|secondary| SECONDARY.contains(secondary));
    let secondary = secondary
        .map(|secondary| format!(".{secondary}"))
        .unwrap_or_default();
    let place = match &output.member {
        Some(member) => format!("{}:{}", ending(&output.source), ending(member)),
        None => ending(&output.source),
    };
    format!("{kind} {secondary}.{last} of {place}")
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Returns the ending of a name; names without an ending are of one sort.
fn ending(path: &str) -> String {
    let name = file_name(path);
    name.rsplit_once('.').map_or_else(
        || "-".to_owned(),
        |(_, ending)| format!(".{ending}").to_lowercase(),
    )
}

/// A random edit of an output in the folder `out`; `None` when nothing in it can be edited.
///
/// # Errors
/// The output cannot be read.
pub fn edit(out: &Path, output: &str, random: &mut Random) -> Outcome<Option<Edit>> {
    let bytes = fs::read(out.join(output))?;
    let last = output.rsplit('.').next().unwrap_or_default();
    let one = |edited: Option<(Vec<u8>, What)>| {
        edited.map(|(bytes, what)| Edit {
            files: vec![(output.to_owned(), bytes)],
            what,
        })
    };
    Ok(match last {
        "png" => one(picture::edit(&bytes, random)?),
        "wav" => one(sound::wav(&bytes, random)?),
        "flac" => one(sound::flac(&bytes, random)?),
        "json" => one(document::edit(&bytes, random)?),
        "gltf" => one(scene::move_node(&bytes, random)?),
        "bin" => scene::move_corners(out, output, random)?,
        _ => one(byte(bytes, random)),
    })
}

/// Changes a byte: a letter of a text stays a letter.
fn byte(mut bytes: Vec<u8>, random: &mut Random) -> Option<(Vec<u8>, What)> {
    let is_letter = |byte: &u8| byte.is_ascii_lowercase();
    let letters: Vec<usize> = (0..bytes.len())
        .filter(|&at| bytes.get(at).is_some_and(is_letter))
        .collect();
    let count = if letters.is_empty() {
        bytes.len()
    } else {
        letters.len()
    };
    let chosen = usize::try_from(random.below(count as u64)).unwrap_or(0);
    let at = letters.get(chosen).copied().unwrap_or(chosen);
    let byte = bytes.get_mut(at)?;
    *byte = match is_letter(byte) {
        true => b'a' + (*byte - b'a' + 1 + random.below(25) as u8) % 26,
        false => byte.wrapping_add(1 + random.below(255) as u8),
    };
    Some((bytes, What::Byte(at)))
}

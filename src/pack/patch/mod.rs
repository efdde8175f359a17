//! Patches: changes of game files, for people who have the game themselves.
//!
//! A patch is a ZIP file with `patch.json` and a delta for each change. It contains differences from the original, and
//! nothing of the original. Archives are stored by member, inflated: data that was compressed again around an edit is
//! not in it. [`apply`](super::apply::apply) makes the game files from it.

mod delta;

use relicast_codec::quantity::bytes;
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::container::Container;
use super::digest::hash;
use super::edited::Refusal;
use super::error::PackError;
use super::whole_file::read_regular;
use crate::pipeline::report::documents::is_output;
use crate::pipeline::report::manifest::CONVERTER;
use relicast_formats::kind::sniff;

/// Name of the document in a patch.
const FILE_NAME: &str = "patch.json";

/// Version of the document.
const VERSION: u32 = 1;

/// Most bytes of the document.
const MAX_DOCUMENT_BYTES: u64 = 64 << 20;

/// Most bytes of a game file or member that a patch makes.
const MAX_OUTPUT_BYTES: u64 = 2 << 30;

/// Bytes, named by size and hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Digest {
    /// Number of bytes.
    pub size: u64,
    /// Their BLAKE3, hexadecimal.
    pub blake3: String,
}

impl Digest {
    fn new(bytes: &[u8]) -> Self {
        Self {
            size: bytes.len() as u64,
            blake3: hash(bytes),
        }
    }

    /// True if size and hash are those of `bytes`.
    pub(super) fn is_of(&self, bytes: &[u8]) -> bool {
        self.size == bytes.len() as u64 && self.blake3 == hash(bytes)
    }
}

/// A game file that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PatchedFile {
    /// Path below the install.
    pub path: String,
    pub before: Digest,
    pub after: Digest,
    /// The changed parts: the file as a whole, or members of it.
    pub changes: Vec<Change>,
}

/// A run of bytes that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Change {
    /// Number and name of the member; none for the file as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<(usize, String)>,
    pub after: Digest,
    /// Name of the delta in the patch.
    pub delta: String,
}

/// Contents of a patch, except the deltas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Document {
    version: u32,
    /// Version of the program.
    pub converter: String,
    /// Editions of the game that the install is of, the best first.
    pub editions: Vec<String>,
    pub files: Vec<PatchedFile>,
}

/// A game file before and after.
pub(super) struct Before<'f> {
    pub path: &'f str,
    pub before: &'f [u8],
    pub after: &'f [u8],
}

/// Makes the patch that changes game files.
///
/// # Errors
/// A file is too large, or would have to be in the patch itself.
pub(super) fn encode(editions: Vec<String>, files: &[Before<'_>]) -> Result<Vec<u8>, PackError> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut listed = Vec::new();
    let mut count = 0_usize;
    for file in files {
        let fault = |reason: String| PackError::Patch {
            path: file.path.to_owned(),
            reason,
        };
        let mut changes = Vec::new();
        for (member, before, after) in parts(file).map_err(|refusal| fault(refusal.to_string()))? {
            let delta =
                delta::between(&before, &after).map_err(|error| fault(error.to_string()))?;
            let name = format!("deltas/{count:04}");
            count += 1;
            zip.start_file(&*name, stored)?;
            zip.write_all(&delta).map_err(zip::result::ZipError::from)?;
            changes.push(Change {
                member,
                after: Digest::new(&after),
                delta: name,
            });
        }
        listed.push(PatchedFile {
            path: file.path.to_owned(),
            before: Digest::new(file.before),
            after: Digest::new(file.after),
            changes,
        });
    }
    let document = Document {
        version: VERSION,
        converter: CONVERTER.to_owned(),
        editions,
        files: listed,
    };
    let mut text = serde_json::to_string_pretty(&document)?;
    text.push('\n');
    zip.start_file(FILE_NAME, stored)?;
    zip.write_all(text.as_bytes())
        .map_err(zip::result::ZipError::from)?;
    Ok(zip.finish()?.into_inner())
}

/// Checks that a patch may be written to `path`: there is no file, or another patch.
///
/// # Errors
/// Another file is there.
pub(super) fn check_place(path: &Path) -> Result<(), PackError> {
    match read_regular(path)? {
        Some(bytes) if Patch::decode(&bytes).is_err() => Err(PackError::Foreign(path.to_owned())),
        _ => Ok(()),
    }
}

/// Bytes before and after, and their member.
type Part = (Option<(usize, String)>, Vec<u8>, Vec<u8>);

/// Lists the changed parts of a game file.
fn parts(file: &Before<'_>) -> Result<Vec<Part>, Refusal> {
    let name = file.path.rsplit('/').next().unwrap_or(file.path);
    let kind = sniff(file.before, name);
    let opened = Container::open(kind, name, file.before)?;
    let (Some(before), Some(after)) = (opened, Container::open(kind, name, file.after)?) else {
        return Ok(vec![(None, file.before.to_vec(), file.after.to_vec())]);
    };
    let mut parts = Vec::new();
    if before.len() == after.len() {
        for index in 0..before.len() {
            if before.stored(index) == after.stored(index) {
                continue;
            }
            let name = before
                .place(index)
                .map(|(_, name)| name)
                .unwrap_or_default();
            let (old, new) = (before.extract(index)?, after.extract(index)?);
            parts.push((Some((index, name)), old.into_owned(), new.into_owned()));
        }
    }
    let changes: Vec<_> = parts
        .iter()
        .filter_map(|(member, _, after)| Some((member.as_ref()?.0, after.clone())))
        .collect();
    let made = with_members(before, changes)?;
    match made == file.after {
        true => Ok(parts),
        false if matches!(after, Container::Stored { .. }) => {
            Ok(vec![(None, file.before.to_vec(), file.after.to_vec())])
        }
        false => Err(refusal!(
            "members were added or removed: a patch of this archive would contain data of the game"
        )),
    }
}

fn with_members(
    mut container: Container<'_>,
    changes: Vec<(usize, Vec<u8>)>,
) -> Result<Vec<u8>, Refusal> {
    for (index, bytes) in changes {
        container.replace(index, bytes)?;
    }
    container.encode()
}

/// A patch that was read.
pub(super) struct Patch {
    pub document: Document,
    deltas: BTreeMap<String, Vec<u8>>,
}

impl Patch {
    /// Reads the patch in `bytes`.
    ///
    /// # Errors
    /// It is not a patch, is damaged, or has another version.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, PackError> {
        let mut zip = ZipArchive::new(Cursor::new(bytes))?;
        let mut text = Vec::new();
        let read = zip
            .by_name(FILE_NAME)?
            .take(MAX_DOCUMENT_BYTES)
            .read_to_end(&mut text);
        read.map_err(zip::result::ZipError::from)?;
        let document: Document = serde_json::from_slice(&text)?;
        if document.version != VERSION {
            return Err(PackError::PatchVersion(document.version));
        }
        if let Some(file) = document.files.iter().find(|file| !is_output(&file.path)) {
            return Err(PackError::Path(file.path.clone()));
        }
        let mut deltas = BTreeMap::new();
        for file in &document.files {
            for change in &file.changes {
                let mut delta = Vec::new();
                // Deltas are stored uncompressed: no more is read than the patch holds.
                let entry = zip.by_name(&change.delta)?;
                let read = entry.take(bytes.len() as u64).read_to_end(&mut delta);
                read.map_err(zip::result::ZipError::from)?;
                deltas.insert(change.delta.clone(), delta);
            }
        }
        Ok(Self { document, deltas })
    }

    /// Makes the new game file from `original`.
    ///
    /// # Errors
    /// The result does not match the patch.
    pub(super) fn make(&self, file: &PatchedFile, original: &[u8]) -> Result<Vec<u8>, PackError> {
        let fault = |reason: String| PackError::Patch {
            path: file.path.clone(),
            reason,
        };
        let made = self
            .made(file, original)
            .map_err(|refusal| fault(refusal.to_string()))?;
        match file.after.is_of(&made) {
            true => Ok(made),
            false => Err(fault(format!(
                "the result does not match the patch's checksum; the patch was made by {}, this is {CONVERTER}",
                self.document.converter
            ))),
        }
    }

    fn made(&self, file: &PatchedFile, original: &[u8]) -> Result<Vec<u8>, Refusal> {
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        if let [change] = &*file.changes
            && change.member.is_none()
        {
            return self.changed(change, original);
        }
        let opened = Container::open(sniff(original, name), name, original)?;
        let container =
            opened.ok_or_else(|| refusal!("the patch changes members, but the file has none"))?;
        let mut changes = Vec::new();
        for change in &file.changes {
            let index = match &change.member {
                Some((index, _)) => *index,
                None => {
                    return Err(refusal!(
                        "the patch changes the file both as a whole and by member"
                    ));
                }
            };
            let before = container.extract(index)?.into_owned();
            changes.push((index, self.changed(change, &before)?));
        }
        with_members(container, changes)
    }

    fn changed(&self, change: &Change, before: &[u8]) -> Result<Vec<u8>, Refusal> {
        let delta = self.deltas.get(&change.delta);
        let delta = delta.ok_or_else(|| refusal!("a delta is missing"))?;
        let size = change.after.size;
        if size > MAX_OUTPUT_BYTES {
            let [size, limit] = [size, MAX_OUTPUT_BYTES].map(bytes);
            refuse!("the patched data would have {size}; at most {limit} are possible");
        }
        let made = delta::apply(before, delta, size)
            .map_err(|error| refusal!("{} cannot be applied: {error}", change.delta))?;
        match change.after.is_of(&made) {
            true => Ok(made),
            false => Err(refusal!(
                "the result of {} does not match its checksum",
                change.delta
            )),
        }
    }
}

//! The table of a resource archive.

use crate::documents::DocumentForm;
use std::collections::HashSet;

use serde::Serialize;

use relicast_codec::FormatError;
use relicast_formats::zipper::rof::{self, Rof, Storage};

/// A neighboring archive, and precedence where both have a file.
#[derive(Debug)]
pub(super) struct Neighbor<'a> {
    /// Its path.
    path: &'a str,
    /// True if it has precedence.
    wins: bool,
    /// The paths of its files in lower case.
    files: HashSet<String>,
}

/// Stem of the archive that has precedence over others.
const PATCH: &str = "crimptch";

/// True if the archive of this name has precedence over others.
pub(super) fn is_patch(path: &str) -> bool {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let name = name.to_lowercase();
    name.strip_suffix(".rof").unwrap_or(&name) == PATCH
}

impl<'a> Neighbor<'a> {
    /// The archive at `path`, for the archive called `own`; `None` where neither has precedence, or it is damaged.
    pub(super) fn open(path: &'a str, bytes: &'a [u8], own: &str) -> Option<Self> {
        let wins = is_patch(path);
        if wins == is_patch(own) {
            return None;
        }
        let archive = rof::decode(bytes).ok()?.value;
        let files = (0..archive.entries.len()).filter(|&index| {
            let entry = archive.entries.get(index);
            entry.is_some_and(|entry| !entry.is_folder() && entry.fault.is_none())
        });
        Some(Self {
            path,
            wins,
            files: files.map(|index| folded(&archive, index)).collect(),
        })
    }
}

fn folded(archive: &Rof<'_>, index: usize) -> String {
    archive.path(index).join("/").to_lowercase()
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ResourceDocument<'a> {
    entries: Vec<EntryDocument<'a>>,
    /// Byte ranges that nothing refers to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gaps: Vec<[usize; 2]>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct EntryDocument<'a> {
    path: String,
    storage: Storage,
    start: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stored: Option<u32>,
    name_offset: u32,
    /// The archive whose file of this path the game uses instead of this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    overridden_by: Option<&'a str>,
    /// The archive whose file of this path this one replaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    overrides: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a FormatError>,
}

impl<'a> ResourceDocument<'a> {
    pub(super) fn new(archive: &'a Rof<'_>, neighbors: &'a [Neighbor<'a>]) -> Self {
        let entries = archive.entries.iter().enumerate().map(|(index, entry)| {
            let record = &entry.record;
            let is_file = !entry.is_folder();
            let key = folded(archive, index);
            let beside = neighbors
                .iter()
                .find(|other| is_file && other.files.contains(&key));
            let named = |wins: bool| beside.filter(|other| other.wins == wins);
            EntryDocument {
                path: archive.path(index).join("/"),
                storage: record.storage,
                start: record.start,
                size: is_file.then_some(record.decoded),
                stored: is_file.then_some(record.stored),
                name_offset: record.name_offset,
                overridden_by: named(true).map(|other| other.path),
                overrides: named(false).map(|other| other.path),
                error: entry.fault.as_ref(),
            }
        });
        let gaps = archive.gaps.iter();
        Self {
            entries: entries.collect(),
            gaps: gaps.map(|gap| [gap.offset, gap.bytes.len()]).collect(),
        }
    }
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<ResourceDocument<'static>>(
    "resources",
    "The table of a resource archive",
)];

//! Save games: one document with all sections in order, and names for the values of saved planes.

use crate::documents::DocumentForm;
use serde::Serialize;

use super::row_info::Info;
use crate::{ConvertError, OutputRole, Sink};
use relicast_codec::{Blob, Deviations, FormatError};
use relicast_formats::zipper::archive::{Archive, Entry, Row};
use relicast_formats::zipper::paint::{AIRFRAMES, PATTERNS};
use relicast_formats::zipper::save::crimson::PlaneRecord;
use relicast_formats::zipper::save::{self, SaveMember, SavedBy};
use relicast_scene::{Asset, Document};

/// A saved plane with names for its numbers.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct PlaneDocument<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    airframe_name: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern_name: Option<&'static str>,
    #[serde(flatten)]
    plane: &'a PlaneRecord,
}

impl<'a> PlaneDocument<'a> {
    pub(crate) fn new(plane: &'a PlaneRecord) -> Self {
        let airframe = usize::try_from(plane.airframe).ok();
        let pattern = usize::try_from(plane.pattern).ok();
        let airframe = airframe.and_then(|index| AIRFRAMES.get(index));
        let pattern = pattern.and_then(|index| PATTERNS.get(index));
        Self {
            airframe_name: airframe.map(|airframe| airframe.name),
            pattern_name: pattern.map(|pattern| pattern.folder),
            plane,
        }
    }
}

/// A whole save.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SaveDocument<'a> {
    /// The game that wrote it.
    saved_by: SavedBy,
    sections: Vec<Section<'a>>,
    /// The bytes before the table, where the sections are not consecutive.
    #[serde(skip_serializing_if = "Option::is_none")]
    scattered: Option<&'a Blob<'a>>,
}

/// A section: its name and contents.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Section<'a> {
    name: String,
    offset: usize,
    length: usize,
    #[serde(skip_serializing_if = "is_zero")]
    flags: u32,
    /// Bytes after the name, if any are set.
    #[serde(skip_serializing_if = "Option::is_none")]
    info: Option<Info>,
    #[serde(flatten)]
    content: Content<'a>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks for a reference"
)]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum Content<'a> {
    Value(Box<SaveMember<'a>>),
    Error {
        error: FormatError,
        /// The bytes of the section.
        raw: Blob<'a>,
    },
}

/// True if a row has nothing after its name.
fn is_blank(row: &Row) -> bool {
    row.comment.0.iter().all(|&byte| byte == 0) && row.filetime() == 0
}

fn section<'a>(game: SavedBy, entry: &'a Entry<'_>, deviations: &mut Deviations) -> Section<'a> {
    let name = entry.name();
    let decoded = match &entry.fault {
        Some(fault) => Err(fault.clone()),
        None => save::decode_of(game, &name, &entry.data),
    };
    let content = match decoded {
        Ok(decoded) => {
            deviations.absorb(&name, entry.offset, decoded.deviations);
            Content::Value(Box::new(decoded.value))
        }
        Err(error) => {
            // A fault of the row is a separate failure.
            if entry.fault.is_none() {
                let found = error.found().to_owned();
                deviations.push(error.field(), entry.offset, error.expected(), found);
            }
            Content::Error {
                error,
                raw: Blob::borrowed(&entry.data),
            }
        }
    };
    Section {
        name,
        offset: entry.offset,
        length: entry.data.len(),
        flags: entry.row.flags,
        info: (!is_blank(&entry.row)).then(|| Info::new(&entry.row)),
        content,
    }
}

/// Emits the document of a save. An unreadable section is reported as a deviation; the others are complete.
pub(super) fn convert(
    archive: &Archive<'_>,
    game: SavedBy,
    sink: &mut dyn Sink,
) -> Result<Deviations, ConvertError> {
    let mut deviations = Deviations::default();
    let sections = archive.entries.iter();
    let sections: Vec<Section<'_>> = sections
        .map(|entry| section(game, entry, &mut deviations))
        .collect();
    let document = SaveDocument {
        saved_by: game,
        sections,
        scattered: archive.scattered.as_ref(),
    };
    sink.take(OutputRole::Main, Asset::Document(Document::new(&document)))?;
    sink.take_raw(|| Document::new(archive))?;
    Ok(deviations)
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[
    DocumentForm::of::<SaveDocument<'static>>("save", "A save game: its sections"),
    DocumentForm::of::<PlaneDocument<'static>>("plane", "A saved plane"),
];

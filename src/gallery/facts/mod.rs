//! Facts about an asset from its files: sizes, lengths, clips, references.
//!
//! - `known` — the collected facts.
//! - `model` — glTF; `picture` — PNG; `sound` — WAV and FLAC; `video` — the facts next to a movie; `document` —
//!   JSON.
//! - `mentions` — references in JSON texts to other assets.
//! - `tables` — rows of archives with facts about their members.

mod document;
mod known;
mod mentions;
mod model;
mod picture;
mod sound;
mod tables;
mod video;

use super::entry::Entry;
use super::kinds::{Mark, Viewer, extension};
use crate::pipeline::report::converted::Converted;

pub(super) use known::Facts;
pub(super) use mentions::Places;
pub(super) use tables::Tables;

/// Reads the files of an asset with the index `own`.
pub(super) fn facts(
    converted: &Converted,
    entry: &Entry<'_>,
    own: usize,
    places: &Places<'_>,
    tables: &Tables,
) -> Facts {
    let mut facts = Facts::default();
    report_marks(entry, &mut facts);
    let Some(main) = entry.main() else {
        return facts;
    };
    match entry.viewer {
        Viewer::Model => model::read(converted, entry, places, &mut facts),
        Viewer::Picture => {
            if extension(&main.path) == "png"
                && let Some(head) = converted.head(&main.path, picture::HEAD)
            {
                picture::read(&head, &mut facts);
            }
        }
        Viewer::Sound | Viewer::Song => sound::read(converted, &main.path, &mut facts),
        Viewer::Video => video::read(converted, entry, &mut facts),
        Viewer::Document => document::read(converted, entry, places, &mut facts),
        Viewer::Text | Viewer::File | Viewer::None => {}
    }
    if let Some(row) = tables.row(entry) {
        tables::apply(row, &mut facts);
    }
    facts.mentions.remove(&own);
    let others = entry.outputs.iter().skip(1);
    let mut pictures = others.filter(|(role, _)| role == "poster");
    facts.thumb = pictures.next().map(|(_, output)| output.path.clone());
    facts
}

/// Adds marks from the report of an asset.
fn report_marks(entry: &Entry<'_>, facts: &mut Facts) {
    if let Some(item) = entry.item {
        facts.mark(Mark::Deviations, !item.deviations.is_empty());
        facts.mark(Mark::Notes, !item.notes.is_empty());
        facts.mark(Mark::Missing, !item.missing.is_empty());
    }
    let hidden = entry.outputs.iter().any(|(role, _)| role == "hidden");
    facts.mark(Mark::Hidden, hidden);
}

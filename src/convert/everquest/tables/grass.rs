//! Cards of grass of a zone, as stored.

use serde::Serialize;

use crate::convert::shared::line::Line;
use crate::formats::codec::{F32, Vec3};
use crate::formats::everquest::grass::Grass;
use crate::limits;
use crate::scene::Document;
use crate::scene::document::{DocumentForm, Style};

/// Cards in axes and units of the file.
#[derive(Debug, Serialize, schemars::JsonSchema)]
struct GrassDocument {
    count: usize,
    cards: Vec<Line<CardRow>>,
}

#[derive(Debug, Serialize, schemars::JsonSchema)]
struct CardRow {
    /// One end of the foot.
    start: Vec3,
    /// The other end of the foot.
    end: Vec3,
    height: F32,
    /// Number of the picture (a guess).
    picture: u32,
}

/// The document of the cards of a zone.
pub(super) fn document(grass: &Grass<'_>, style: Style) -> Document<'static> {
    let cards = grass.cards.iter().map(|card| {
        limits::check();
        let row = CardRow {
            start: card.start,
            end: card.end,
            height: card.height,
            picture: card.picture,
        };
        Line::new(row, style)
    });
    let cards: Vec<_> = cards.collect();
    Document::new(GrassDocument {
        count: cards.len(),
        cards,
    })
}

/// Forms of the documents.
pub(in crate::convert) const FORMS: &[DocumentForm] = &[DocumentForm::of::<GrassDocument>(
    "grass",
    "Cards of grass of a zone",
)];

//! Cards of grass of a zone, as stored.

use serde::Serialize;

use crate::documents::DocumentForm;
use crate::shared::line::Line;
use relicast_codec::{F32, Vec3};
use relicast_formats::everquest::grass::Grass;
use relicast_limits as limits;
use relicast_scene::Document;
use relicast_scene::document::Style;

/// Cards in axes and units of the file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct GrassDocument {
    count: usize,
    cards: Vec<Line<CardRow>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<GrassDocument>(
    "grass",
    "Cards of grass of a zone",
)];

//! Text lists: the names of the columns, and a list of cells for each row.

use crate::documents::DocumentForm;
use serde::{Serialize, Serializer};

use crate::shared::line::Line;
use relicast_formats::everquest::lists::{self, Layout};
use relicast_limits as limits;
use relicast_scene::Document;
use relicast_scene::document::Style;

/// The document of a list; `name` determines its columns.
pub(super) fn document<'a>(name: &str, bytes: &'a [u8], style: Style) -> Document<'a> {
    match Layout::of(&name.to_lowercase()) {
        Some(layout) => Document::new(List::new(layout, bytes, style)),
        None => Document::new(lists::lines(bytes).collect::<Vec<_>>()),
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct List<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    headings: Vec<String>,
    columns: Vec<String>,
    rows: Rows<'a>,
}

/// Rows, read when they are written.
#[derive(Debug)]
struct Rows<'a> {
    layout: &'static Layout,
    bytes: &'a [u8],
    style: Style,
}

impl<'a> List<'a> {
    fn new(layout: &'static Layout, bytes: &'a [u8], style: Style) -> Self {
        let widths = lists::lines(bytes).skip(layout.headings).map(|line| {
            limits::check();
            layout.cells(&line).count()
        });
        let width = widths.max().unwrap_or(0).max(layout.columns.len());
        let number = layout.is_numbered.then(|| "number".to_owned());
        let columns = (0..width).map(|place| layout.column(place).into_owned());
        Self {
            headings: lists::lines(bytes)
                .take(layout.headings)
                .map(|line| {
                    limits::reserve(line.len());
                    line.into_owned()
                })
                .collect(),
            columns: number.into_iter().chain(columns).collect(),
            rows: Rows {
                layout,
                bytes,
                style,
            },
        }
    }
}

relicast_codec::json_form_of!(@['a] Rows<'a> => Vec<Vec<Cell>>);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows = lists::lines(self.bytes).skip(self.layout.headings);
        let rows = (1_i64..).zip(rows).filter(|(_, line)| !line.is_empty());
        serializer.collect_seq(rows.map(|(number, line)| {
            limits::check();
            let cells: Vec<Cell> = self
                .layout
                .cells(&line)
                .enumerate()
                .map(|(place, cell)| Cell::new(cell, self.layout.is_text(place)))
                .collect();
            let number = self.layout.is_numbered.then_some(-number);
            let number = number.map(|number| Cell::Number(number.into()));
            let row: Vec<Cell> = number.into_iter().chain(cells).collect();
            Line::new(row, self.style)
        }))
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Cell {
    Number(serde_json::Number),
    Text(String),
}

impl Cell {
    fn new(cell: &str, is_text: bool) -> Self {
        let number = lists::number(cell).filter(|_| !is_text);
        number.map_or_else(
            || {
                limits::reserve(cell.len());
                Self::Text(cell.to_owned())
            },
            Self::Number,
        )
    }
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[
    DocumentForm::of::<List<'static>>("text-list", "A text list: columns and rows"),
    DocumentForm::of::<[std::borrow::Cow<'static, str>]>("lines", "Lines of a text"),
];

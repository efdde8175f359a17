//! Maps of zones: lines and named points, as stored.

use crate::documents::DocumentForm;
use serde::Serialize;

use crate::shared::line::Line;
use relicast_codec::{Deviations, F32};
use relicast_formats::everquest::lists::{self, MapLine};
use relicast_limits as limits;
use relicast_scene::Document;
use relicast_scene::document::Style;

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Map {
    /// The zone, by the name of the file.
    zone: String,
    /// Layer: 0 for the map itself, or the number after its name.
    layer: u8,
    lines: Vec<Line<Stroke>>,
    points: Vec<Line<Point>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Stroke {
    from: [F32; 3],
    to: [F32; 3],
    color: [u8; 3],
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Point {
    position: [F32; 3],
    color: [u8; 3],
    size: F32,
    label: String,
}

/// The zone and the layer of a map, by its name.
fn zone_of(name: &str) -> (String, u8) {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let stem = stem.to_lowercase();
    let layered = stem.rsplit_once('_').and_then(|(zone, layer)| {
        let layer: u8 = layer.parse().ok()?;
        Some((zone.to_owned(), layer))
    });
    layered.unwrap_or((stem, 0))
}

/// The document of a map.
pub(super) fn document(
    name: &str,
    bytes: &[u8],
    style: Style,
    deviations: &mut Deviations,
) -> Document<'static> {
    let (zone, layer) = zone_of(name);
    let (mut strokes, mut points) = (Vec::new(), Vec::new());
    let mut offset = 0_usize;
    for (stored, line) in bytes
        .split_inclusive(|&byte| byte == b'\n')
        .zip(lists::lines(bytes))
    {
        limits::check();
        let read = lists::map_line(&line);
        if read.is_some()
            && let Some(cell) = lists::odd_number(&line)
        {
            let expected = "a number, from 0 to 255 in a color";
            deviations.push("lines", offset, expected, format_args!("{cell:?}"));
        }
        match read {
            Some(MapLine::Line { ends, color }) => {
                let [from, to] = ends.map(|end| end.map(F32));
                strokes.push(Line::new(Stroke { from, to, color }, style));
            }
            Some(MapLine::Point {
                position,
                color,
                size,
                label,
            }) => {
                let point = Point {
                    position: position.map(F32),
                    color,
                    size: F32(size),
                    label: label.to_owned(),
                };
                points.push(Line::new(point, style));
            }
            None if line.trim().is_empty() => {}
            None => {
                let found: String = line.chars().take(40).collect();
                deviations.push("lines", offset, "a line or a point of a map", found);
            }
        }
        offset = offset.saturating_add(stored.len());
    }
    Document::new(Map {
        zone,
        layer,
        lines: strokes,
        points,
    })
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<Map>(
    "zone-map",
    "A map of a zone: lines and points",
)];

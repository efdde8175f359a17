//! Keyframes of SI scripts as rows of a table.

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use super::fields::Fields;
use super::names::Reference;
use crate::shared::line::Line;
use relicast_codec::{F32, QuatWxyz, Vec3};
use relicast_formats::zipper::anim::{Frame, VectorChannel};
use relicast_scene::document::Style;

/// Columns of a row; vectors are x, y, z.
const COLUMNS: &[&str] = &[
    "start",
    "end",
    "translation",
    "translation_per_second",
    "rotation_wxyz",
    "half_rotation_vector_per_second",
    "scale",
    "scale_per_second",
];

/// Further columns of scripts with splines: for x, y and z the coefficients c0 to c3 of
/// `c0 + c1 t + c2 t² + c3 t³`, t in seconds from the start of the frame.
const SPLINE_COLUMNS: &[&str] = &[
    "translation_spline",
    "half_rotation_vector_spline",
    "scale_spline",
];

/// One node moved by a script.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ScriptMotion<'d> {
    pub node: Reference<'d>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<ScriptSource<'d>>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub table: Option<Table<'d>>,
}

/// The script of the file's pool.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ScriptSource<'d> {
    /// As stored in the event.
    pub stored: u32,
    /// Index in the pool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool_index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The node that it was made for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_for: Option<String>,
    /// The definition whose document has the frames, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames_are_in: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<&'static str>,
}

/// Frames with the names of their columns.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in super::super) struct Table<'d> {
    columns: Line<Columns>,
    frames: Rows<'d>,
}

impl<'d> Table<'d> {
    pub(in super::super) fn new(frames: &'d [Frame], splines: bool, style: Style) -> Self {
        Self {
            columns: Line::new(Columns { splines }, style),
            frames: Rows {
                frames,
                splines,
                style,
            },
        }
    }
}

impl Table<'_> {
    /// Adds the table to an event's object.
    pub(super) fn put<M: Fields>(&self, map: &mut M) -> Result<(), M::Error> {
        map.put("columns", &self.columns)?;
        map.put("frames", &self.frames)
    }
}

#[derive(Debug)]
struct Columns {
    splines: bool,
}

relicast_codec::json_form_of!(Columns => Vec<String>);

impl Serialize for Columns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let more = SPLINE_COLUMNS.iter().filter(|_| self.splines);
        serializer.collect_seq(COLUMNS.iter().chain(more))
    }
}

#[derive(Debug)]
struct Rows<'d> {
    frames: &'d [Frame],
    splines: bool,
    style: Style,
}

relicast_codec::json_form_of!(@['a] Rows<'a> => Vec<Vec<serde_json::Value>>);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows = self.frames.iter().map(|frame| Row {
            frame,
            splines: self.splines,
        });
        serializer.collect_seq(rows.map(|row| Line::new(row, self.style)))
    }
}

#[derive(Debug)]
struct Row<'d> {
    frame: &'d Frame,
    splines: bool,
}

fn numbers(value: Vec3) -> [F32; 3] {
    [value.x, value.y, value.z]
}

fn scalar_first(value: QuatWxyz) -> [F32; 4] {
    [value.w, value.x, value.y, value.z]
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let frame = self.frame;
        let count = COLUMNS.len() + SPLINE_COLUMNS.len() * usize::from(self.splines);
        let mut row = serializer.serialize_seq(Some(count))?;
        let base = |channel: &Option<Box<VectorChannel>>| {
            let channel = channel.as_ref();
            channel
                .map(|channel| (numbers(channel.base), numbers(channel.delta)))
                .unzip()
        };
        let (translation, translation_rate) = base(&frame.translate);
        let (scale, scale_rate) = base(&frame.scale);
        row.serialize_element(&frame.start_time)?;
        row.serialize_element(&frame.end_time)?;
        row.serialize_element(&translation)?;
        row.serialize_element(&translation_rate)?;
        let rotate = frame.rotate.as_ref();
        row.serialize_element(&rotate.map(|rotate| scalar_first(rotate.base)))?;
        row.serialize_element(&rotate.map(|rotate| numbers(rotate.delta)))?;
        row.serialize_element(&scale)?;
        row.serialize_element(&scale_rate)?;
        if self.splines {
            let spline = |channel: &Option<Box<VectorChannel>>| {
                let channel = channel.as_ref();
                channel.map(|channel| [channel.spline_x, channel.spline_y, channel.spline_z])
            };
            row.serialize_element(&spline(&frame.translate))?;
            row.serialize_element(
                &rotate.map(|rotate| [rotate.spline_x, rotate.spline_y, rotate.spline_z]),
            )?;
            row.serialize_element(&spline(&frame.scale))?;
        }
        row.end()
    }
}

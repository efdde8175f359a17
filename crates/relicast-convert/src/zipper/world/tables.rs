//! Data without a place in a scene: the grid of cells, facts of polygons, and counts.

use crate::documents::DocumentForm;
use serde::{Serialize, Serializer};

use crate::zipper::scene::checks::Checks;
use relicast_codec::F32;

use super::placements::PlacementReport;
use relicast_formats::zipper::gamez::{GameZ, Model, Polygon, PolygonFlags, World, ZoneSet};

/// The tables of an item.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Tables<'a> {
    /// The game.
    pub game: &'static str,
    /// Counts for the report.
    pub checks: &'a Checks,
    /// Results for the objects of a mission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placements: Option<&'a PlacementReport>,
    /// Cells of the world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<Grid>,
    /// Templates outside the world, which are separate models.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub templates: Vec<NodeReference>,
    /// Unreachable nodes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "lost")]
    pub unreachable: Vec<NodeReference>,
    /// Polygons with zones or rare flags, by model and polygon.
    #[serde(skip_serializing_if = "PolygonTables::is_empty")]
    pub polygons: PolygonTables<'a>,
}

/// A node by index and name.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct NodeReference {
    pub index: usize,
    pub name: String,
}

/// Cells of the world.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Grid {
    left: F32,
    bottom: F32,
    right: F32,
    top: F32,
    columns: i32,
    rows: i32,
    cell_size: [F32; 2],
    cells: Vec<Cell>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Cell {
    x: F32,
    z: F32,
    y_range: [F32; 2],
    nodes: Vec<u32>,
}

/// Rare facts of a polygon.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PolygonFacts {
    #[serde(skip_serializing_if = "Zones::is_empty")]
    zones: Zones,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    no_clutter: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    in_out: bool,
}

impl Grid {
    pub(super) fn new(world: &World) -> Self {
        let record = &world.record;
        let cells = world.partitions.iter();
        Self {
            left: record.area_left,
            bottom: record.area_bottom,
            right: record.area_right,
            top: record.area_top,
            columns: record.virt_partition_x_count,
            rows: record.virt_partition_z_count,
            cell_size: [record.virt_partition_size.x, record.virt_partition_size.y],
            cells: cells
                .map(|cell| Cell {
                    x: cell.record.x,
                    z: cell.record.z,
                    y_range: [cell.record.min.y, cell.record.max.y],
                    nodes: cell.entries.iter().map(|entry| entry.node).collect(),
                })
                .collect(),
        }
    }
}

/// References to nodes.
pub(super) fn references(
    gamez: &GameZ,
    nodes: impl IntoIterator<Item = usize>,
) -> Vec<NodeReference> {
    let named = nodes.into_iter().filter_map(|index| {
        let name = gamez.nodes.used.get(index)?.name();
        Some(NodeReference { index, name })
    });
    named.collect()
}

impl PolygonFacts {
    /// Facts of a polygon; `None` when it has no rare ones.
    fn new(polygon: &Polygon) -> Option<Self> {
        let flags = polygon.flags();
        let facts = Self {
            zones: Zones(polygon.record.zone_set),
            no_clutter: flags.contains(PolygonFlags::UNK3),
            in_out: flags.contains(PolygonFlags::IN_OUT),
        };
        (!facts.zones.is_empty() || facts.no_clutter || facts.in_out).then_some(facts)
    }
}

/// The zones of a polygon, always as a list.
#[derive(Debug, Default)]
struct Zones(ZoneSet);

impl Zones {
    fn is_empty(&self) -> bool {
        self.0.zones().next().is_none()
    }
}

relicast_codec::json_form_of!(Zones => Vec<i8>);

impl Serialize for Zones {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.zones())
    }
}

/// Rare facts of the polygons of models, each with its index in the file. There may be as many as polygons, so they
/// are computed from the models when they are written.
#[derive(Debug, Default)]
pub(super) struct PolygonTables<'a>(Vec<(usize, PolygonTable<'a>)>);

/// The same of one model.
#[derive(Debug)]
struct PolygonTable<'a>(&'a Model);

impl<'a> PolygonTables<'a> {
    /// Facts of `models`, in their order.
    pub(super) fn new(models: impl Iterator<Item = (usize, &'a Model)>) -> Self {
        let tables = models.map(|(slot, model)| (slot, PolygonTable(model)));
        let filled = tables.filter(|(_, table)| table.rows().next().is_some());
        Self(filled.collect())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl PolygonTable<'_> {
    fn rows(&self) -> impl Iterator<Item = (usize, PolygonFacts)> {
        let polygons = self.0.polygons.iter().enumerate();
        polygons.filter_map(|(index, polygon)| Some((index, PolygonFacts::new(polygon)?)))
    }
}

relicast_codec::json_form_of!(@['a] PolygonTables<'a> => std::collections::BTreeMap<usize, std::collections::BTreeMap<usize, PolygonFacts>>);

impl Serialize for PolygonTables<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(slot, table)| (slot, table)))
    }
}

impl Serialize for PolygonTable<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.rows())
    }
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<Tables<'static>>(
    "world",
    "What glTF cannot hold of a world: placements, grid, templates, checks",
)];

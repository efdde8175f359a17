//! What has no place in a scene: the grid of cells, facts of polygons, and what was counted.

use crate::scene::document::DocumentForm;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::convert::zipper::scene::checks::Checks;
use crate::formats::codec::F32;

use super::placements::PlacementReport;
use crate::formats::zipper::gamez::{GameZ, Model, PolygonFlags, World};

/// The tables of a part.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub(super) struct Tables<'a> {
    /// The game.
    pub game: &'static str,
    /// Counts for the report.
    pub checks: &'a Checks,
    /// What became of the things of a mission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placements: Option<&'a PlacementReport>,
    /// Cells of the world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<Grid>,
    /// Templates outside the world, which are models of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub templates: Vec<NodeReference>,
    /// Nodes that nothing leads to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "lost")]
    pub unreachable: Vec<NodeReference>,
    /// Polygons with zones or rare flags, by model and polygon.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub polygons: BTreeMap<usize, BTreeMap<usize, PolygonFacts>>,
}

/// A node by index and name.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub(super) struct NodeReference {
    pub index: usize,
    pub name: String,
}

/// Cells of the world.
#[derive(Debug, Serialize, schemars::JsonSchema)]
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

#[derive(Debug, Serialize, schemars::JsonSchema)]
struct Cell {
    x: F32,
    z: F32,
    y_range: [F32; 2],
    nodes: Vec<u32>,
}

/// Rare facts of a polygon.
#[derive(Debug, Default, Serialize, schemars::JsonSchema)]
pub(super) struct PolygonFacts {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    zones: Vec<i8>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    no_clutter: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    in_out: bool,
}

impl Grid {
    pub(super) fn of(world: &World) -> Self {
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

/// Rare facts of the polygons of `models`.
pub(super) fn polygons<'m>(
    models: impl Iterator<Item = (usize, &'m Model)>,
) -> BTreeMap<usize, BTreeMap<usize, PolygonFacts>> {
    let of_model = |model: &Model| {
        let polygons = model.polygons.iter().enumerate();
        let facts = polygons.filter_map(|(index, polygon)| {
            let flags = polygon.flags();
            let facts = PolygonFacts {
                zones: polygon.record.zone_set.zones().collect(),
                no_clutter: flags.contains(PolygonFlags::UNK3),
                in_out: flags.contains(PolygonFlags::IN_OUT),
            };
            let rare = !facts.zones.is_empty() || facts.no_clutter || facts.in_out;
            rare.then_some((index, facts))
        });
        facts.collect::<BTreeMap<_, _>>()
    };
    let tables = models.map(|(slot, model)| (slot, of_model(model)));
    tables.filter(|(_, table)| !table.is_empty()).collect()
}

/// Forms of the documents.
pub(in crate::convert) const FORMS: &[DocumentForm] = &[DocumentForm::of::<Tables<'static>>(
    "world",
    "What glTF cannot hold of a world: placements, grid, templates, checks",
)];

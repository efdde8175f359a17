//! Data of the world node: extent, fog, and the grid of cells with the nodes in each.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::zipper::ZipperGame;
use relicast_codec::{F32, Field, FormatError, Result, Stream, Vec2, Vec3, shown};

use super::lists::{counted, null_iff_empty};

relicast_codec::open_enum! {
    /// Growth of fog with distance.
    pub enum FogType: u32 {
        /// No fog.
        Off = 0,
        /// Linear.
        Linear = 1,
        /// Exponential.
        Exponential = 2,
    }
}

relicast_codec::record! {
    /// Record of the world: 172 · 188 · 204 bytes.
    pub struct WorldRecord[172, 188, 204, 204] in ZipperGame {
        /// Offset 0: pending changes of the running engine; 0 except in Crimson Skies.
        flags: u32 [zero, until PiratesMoon],
        /// Offset 4: cells to be refreshed, of the running engine.
        refresh_count: i32 [zero],
        /// Offset 8: capacity for such cells: the number of cells, or one less.
        refresh_capacity: i32,
        /// Offset 12: stale address.
        refresh_ptr: u32 [nonzero],
        /// Offset 16: kind of fog.
        fog_type: FogType,
        /// Offset 20: red, green, blue, 0 to 1.
        fog_color: Vec3,
        /// Offset 32: near and far distance.
        fog_range: Vec2,
        /// Offset 40: altitudes: first the high one, at which fog ends, then the low one, below which it is full.
        /// The engine's setter takes them in reverse order.
        fog_altitude: Vec2,
        /// Offset 48: not used for drawing.
        fog_density: F32 [zero],
        /// Offset 52: smallest x.
        area_left: F32,
        /// Offset 56: largest z.
        area_bottom: F32,
        /// Offset 60: right - left.
        area_width: F32,
        /// Offset 64: top - bottom, negative.
        area_height: F32,
        /// Offset 68: largest x.
        area_right: F32,
        /// Offset 72: smallest z.
        area_top: F32,
        /// Offset - · - · 76: left, bottom, right, top, each three units further out.
        area_margin: [F32; 4] [since PiratesMoon],
        /// Offset 76 · 76 · 92: maximum number of crater pieces in a cell.
        partition_max_dec_feature_count: u32 [always 16],
        /// Offset 80 · 80 · 96: 0 or 1.
        virtual_partition: u32 [within 0..=1],
        /// Offset - · 84 · 100: column and row.
        virt_partition_min: [i32; 2] [since MechWarrior3],
        /// Offset - · 92 · 108: column and row.
        virt_partition_max: [i32; 2] [since MechWarrior3],
        /// Offset 84 · 100 · 116: edges of a cell along x and z; z is negative.
        virt_partition_size: Vec2,
        /// Offset 92 · 108 · 124: half edges.
        virt_partition_half: Vec2,
        /// Offset 100 · 116 · 132: inverse edges.
        virt_partition_inv: Vec2,
        /// Offset 108 · 124 · 140: half diagonal, negative: margin of the visibility test of a cell.
        virt_partition_diag: F32,
        /// Offset 112 · 128 · 144: distance that a node may extend beyond its cell.
        inclusion_tolerance: [F32; 2] [always [F32(3.0); 2]],
        /// Offset 120 · 136 · 152: number of columns of cells.
        virt_partition_x_count: i32,
        /// Offset 124 · 140 · 156: number of rows of cells.
        virt_partition_z_count: i32,
        /// Offset 128 · 144 · 160: stale address.
        virt_partition_ptr: u32 [nonzero],
        /// Offset 132 · 148 · 164.
        ones: [F32; 3] [always [F32(1.0); 3]],
        /// Offset 144 · 160 · 176: number of lights; recomputed when writing.
        light_count: u32,
        /// Offset 148 · 164 · 180: stale address, null without lights.
        light_nodes_ptr: u32,
        /// Offset 152 · 168 · 184: stale address, null without lights.
        light_data_ptr: u32,
        /// Offset 156 · 172 · 188: number of sounds; recomputed when writing.
        sound_count: u32,
        /// Offset 160 · 176 · 192: stale address, null without sounds.
        sound_nodes_ptr: u32,
        /// Offset 164 · 180 · 196: stale address, null without sounds.
        sound_data_ptr: u32,
        /// Offset 168 · 184 · 200: always 0.
        last: i32 [zero],
    }
}

relicast_codec::record! {
    /// Record of a cell: 64 · 72 · 88 bytes.
    pub struct PartitionRecord[64, 72, 88, 88] in ZipperGame {
        /// Offset 0.
        flags: u32 [always 0x100],
        /// Offset 4: number of an area, -1 for none.
        area: i32 [always -1],
        /// Offset 8: left edge.
        x: F32,
        /// Offset 12: bottom edge, the larger z.
        z: F32,
        /// Offset 16: smallest corner; y is that of the nodes in the cell.
        min: Vec3,
        /// Offset 28: largest corner.
        max: Vec3,
        /// Offset 40: center.
        mid: Vec3,
        /// Offset 52: half diagonal, by [`quick_root`].
        diagonal: F32,
        /// Offset 56: the high byte marks craters in the running engine.
        refresh: u16 [zero],
        /// Offset 58: number of entries; recomputed when writing.
        node_count: u16,
        /// Offset 60: stale address, null without entries.
        nodes_ptr: u32,
        /// Offset - · 64 · -.
        tail_mw: [i32; 2] [since MechWarrior3] [until MechWarrior3] [zero],
        /// Offset - · - · 64.
        tail_pm: [i32; 6] [since PiratesMoon] [zero],
    }
}

relicast_codec::record! {
    /// A node in a cell: 4 · 4 · 12 bytes.
    pub struct PartitionEntry[4, 4, 12, 12] in ZipperGame {
        /// Offset 0: index of the node.
        node: u32,
        /// Offset - · - · 4: lowest and highest y.
        y_range: Vec2 [since PiratesMoon],
    }
}

/// A cell of the world.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Partition {
    /// The record.
    pub record: PartitionRecord,
    /// Nodes in the cell; a node that overlaps several cells is in each of them.
    pub entries: Vec<PartitionEntry>,
}

/// The world.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct World {
    /// The record.
    pub record: WorldRecord,
    /// Indices of light nodes.
    pub lights: Vec<u32>,
    /// Indices of sound nodes; none in any file seen.
    pub sounds: Vec<u32>,
    /// Cells, row by row: rows from the bottom (largest z) up, cells of a row from the left.
    pub partitions: Vec<Partition>,
}

/// The engine's square root of a float, by halving its exponent.
pub fn quick_root(value: f32) -> f32 {
    let bits = value.to_bits().cast_signed() >> 1;
    f32::from_bits(bits.wrapping_add(0x1FC0_0000).cast_unsigned())
}

impl World {
    /// Columns and rows of cells.
    pub fn grid(&self) -> Option<(usize, usize)> {
        let columns = usize::try_from(self.record.virt_partition_x_count).ok()?;
        let rows = usize::try_from(self.record.virt_partition_z_count).ok()?;
        Some((columns, rows))
    }

    /// Indices of the nodes that are in any cell.
    pub fn placed(&self) -> BTreeSet<u32> {
        let entries = self.partitions.iter().flat_map(|cell| &cell.entries);
        entries.map(|entry| entry.node).collect()
    }

    fn check<'a, S: Stream<'a>>(&self, stream: &mut S, version: ZipperGame, offset: usize) {
        let record = &self.record;
        self.check_area(stream, version, offset);
        self.check_counts(stream, version, offset);
        if matches!(record.fog_type, FogType::Other(_)) {
            stream.deviate("fog_type", offset, "0 to 2", record.fog_type.code());
        }
        for (field, pointer, count) in [
            (
                "light_nodes_ptr",
                record.light_nodes_ptr,
                record.light_count,
            ),
            ("light_data_ptr", record.light_data_ptr, record.light_count),
            (
                "sound_nodes_ptr",
                record.sound_nodes_ptr,
                record.sound_count,
            ),
            ("sound_data_ptr", record.sound_data_ptr, record.sound_count),
        ] {
            null_iff_empty(stream, field, offset, pointer, count as usize);
        }
    }

    /// Checks the area and the size of its cells.
    fn check_area<'a, S: Stream<'a>>(&self, stream: &mut S, version: ZipperGame, offset: usize) {
        let record = &self.record;
        let edge = version.partition_edge();
        let (left, right) = (record.area_left.0, record.area_right.0);
        let (bottom, top) = (record.area_bottom.0, record.area_top.0);
        let mut expect = |field: &'static str, found: f32, expected: f32| {
            if found != expected {
                stream.deviate(field, offset, expected, found);
            }
        };
        expect("area_width", record.area_width.0, right - left);
        expect("area_height", record.area_height.0, top - bottom);
        expect(
            "virt_partition_size.x",
            record.virt_partition_size.x.0,
            edge,
        );
        expect(
            "virt_partition_size.z",
            record.virt_partition_size.y.0,
            -edge,
        );
        expect(
            "virt_partition_half.x",
            record.virt_partition_half.x.0,
            edge / 2.0,
        );
        expect(
            "virt_partition_half.z",
            record.virt_partition_half.y.0,
            -edge / 2.0,
        );
        expect(
            "virt_partition_inv.x",
            record.virt_partition_inv.x.0,
            1.0 / edge,
        );
        expect(
            "virt_partition_inv.z",
            record.virt_partition_inv.y.0,
            -1.0 / edge,
        );
        let diagonal = -0.5 * quick_root(2.0 * edge * edge);
        expect(
            "virt_partition_diag",
            record.virt_partition_diag.0,
            diagonal,
        );
    }

    /// Checks the numbers of cells, and the margin around the area.
    fn check_counts<'a, S: Stream<'a>>(&self, stream: &mut S, version: ZipperGame, offset: usize) {
        let record = &self.record;
        let edge = version.partition_edge();
        let (left, right) = (record.area_left.0, record.area_right.0);
        let (bottom, top) = (record.area_bottom.0, record.area_top.0);
        for (field, count, extent) in [
            (
                "virt_partition_x_count",
                record.virt_partition_x_count,
                right - left,
            ),
            (
                "virt_partition_z_count",
                record.virt_partition_z_count,
                bottom - top,
            ),
        ] {
            let expected = (extent / edge).trunc();
            if f64::from(expected) != f64::from(count) {
                stream.deviate(field, offset, expected, count);
            }
        }
        if version.since(ZipperGame::PiratesMoon) {
            let margin = [left - 3.0, bottom + 3.0, right + 3.0, top - 3.0];
            if record.area_margin.map(F32::get) != margin {
                let found = shown(&record.area_margin);
                stream.deviate("area_margin", offset, shown(&margin), found);
            }
        }
        if version != ZipperGame::Recoil {
            let counts = [record.virt_partition_x_count, record.virt_partition_z_count];
            let least = match version {
                ZipperGame::CrimsonSkies => record.virt_partition_min,
                _ => [1, 1],
            };
            let used = version != ZipperGame::PiratesMoon || record.virtual_partition != 0;
            let most = [0, 1].map(|axis: usize| match (counts.get(axis), least.get(axis)) {
                (Some(count), Some(least)) if used => count.saturating_sub(*least),
                _ => 0,
            });
            let found = (record.virt_partition_min, record.virt_partition_max);
            if found != (least, most) {
                let expected = shown((least, most));
                stream.deviate("virt_partition_min", offset, expected, shown(&found));
            }
        }
    }
}

/// Checks the cell whose left bottom corner is (`x`, `z`).
fn check_cell<'a, S: Stream<'a>>(
    cell: &PartitionRecord,
    stream: &mut S,
    offset: usize,
    edge: f32,
    x: f32,
    z: f32,
) {
    let half = edge / 2.0;
    let (low, high) = (cell.min.y.0, cell.max.y.0);
    let middle = (high + low) * 0.5;
    let place = [
        cell.x, cell.z, cell.min.x, cell.min.z, cell.max.x, cell.max.z, cell.mid.x, cell.mid.z,
    ];
    let expected = [x, z, x, z - edge, x + edge, z, x + half, z - half];
    if place.map(F32::get) != expected {
        stream.deviate("x", offset, shown(&expected), shown(&place));
    }
    // A hundred cells of one early world differ in the last digits.
    let close = (cell.mid.y.0 - middle).abs() <= 1e-4 * middle.abs().max(1.0);
    if !close {
        stream.deviate("mid.y", offset, middle, cell.mid.y);
    }
    let (h, d) = (f64::from(half), (f64::from(low) - f64::from(high)) * 0.5);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the engine rounds to single precision"
    )]
    let diagonal = quick_root((2.0 * h * h + d * d) as f32);
    if cell.diagonal != F32(diagonal) {
        stream.deviate("diagonal", offset, diagonal, cell.diagonal);
    }
    null_iff_empty(
        stream,
        "nodes_ptr",
        offset,
        cell.nodes_ptr,
        usize::from(cell.node_count),
    );
}

impl World {
    /// Visits the record and its lists.
    pub(super) fn visit<'a, S: Stream<'a>>(
        &mut self,
        name: &'static str,
        stream: &mut S,
        version: ZipperGame,
    ) -> Result<()> {
        if !S::READING {
            self.record.light_count = counted("lights", self.lights.len())?;
            self.record.sound_count = counted("sounds", self.sounds.len())?;
        }
        let offset = stream.position();
        self.record.visit(name, stream, version)?;
        let lights = self.record.light_count as usize;
        stream.values("lights", &mut self.lights, lights)?;
        let sounds = self.record.sound_count as usize;
        stream.values("sounds", &mut self.sounds, sounds)?;
        let grid = self.grid();
        let cells = grid.and_then(|(columns, rows)| columns.checked_mul(rows));
        let (Some((columns, _)), Some(cells)) = (grid, cells) else {
            let record = &self.record;
            let found = (record.virt_partition_x_count, record.virt_partition_z_count);
            return Err(FormatError::malformed(
                "virt_partition_x_count",
                offset,
                "a grid that fits the file",
                shown(&found),
            ));
        };
        if S::READING {
            self.check(stream, version, offset);
        }
        let edge = version.partition_edge();
        let (left, bottom) = (self.record.area_left.0, self.record.area_bottom.0);
        let (mut column, mut x, mut z) = (0_usize, left, bottom);
        let size = PartitionRecord::size(version);
        stream.list(
            "partitions",
            &mut self.partitions,
            cells,
            size,
            |stream, cell| {
                if !S::READING {
                    cell.record.node_count = counted("entries", cell.entries.len())?;
                }
                let offset = stream.position();
                cell.record.visit("", stream, version)?;
                if S::READING {
                    check_cell(&cell.record, stream, offset, edge, x, z);
                }
                column = column.saturating_add(1);
                x += edge;
                if column == columns {
                    (column, x, z) = (0, left, z - edge);
                }
                let count = usize::from(cell.record.node_count);
                let size = PartitionEntry::size(version);
                stream.list(
                    "entries",
                    &mut cell.entries,
                    count,
                    size,
                    |stream, entry| entry.visit("", stream, version),
                )
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_root_gives_the_documented_diagonals() {
        assert_eq!(-0.5 * quick_root(2.0 * 256.0 * 256.0), -192.0);
        assert_eq!(-0.5 * quick_root(2.0 * 1024.0 * 1024.0), -768.0);
    }
}

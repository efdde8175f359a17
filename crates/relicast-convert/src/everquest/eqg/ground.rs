//! The ground of zones of tiles: a mesh for each tile, and the height of the ground.

use std::sync::Arc;

use crate::everquest::space;
use crate::options::ByteOrder;
use relicast_formats::everquest::eqg::text::ZoneFacts;
use relicast_formats::everquest::eqg::tiles::{ORIGIN, QuadFlags, Tile};
use relicast_scene::model::Primitive;
use relicast_scene::space::vertex_color;

/// A tile of a zone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground<'t> {
    /// The tile.
    pub tile: &'t Tile,
    /// Quads along a side.
    pub quads: usize,
    /// Length of a side of a quad.
    pub unit: f32,
}

impl<'t> Ground<'t> {
    pub(super) fn new(tile: &'t Tile, facts: ZoneFacts, quads: usize) -> Self {
        Self {
            tile,
            quads,
            unit: facts.units_per_quad,
        }
    }

    /// Length of a side.
    pub(super) fn width(&self) -> f32 {
        self.quads as f32 * self.unit
    }

    /// The lowest corner of a tile at a place.
    pub(super) fn corner(&self, longitude: i64, latitude: i64) -> [f32; 2] {
        let origin = i64::from(ORIGIN);
        [longitude, latitude].map(|place| (place - origin) as f32 * self.width())
    }

    /// The lowest corner of this tile.
    pub(super) fn own_corner(&self) -> [f32; 2] {
        self.corner(self.tile.longitude.into(), self.tile.latitude.into())
    }

    /// Height of a corner; places beyond the tile have the height of its edge.
    fn height(&self, column: isize, row: isize) -> f32 {
        let most = isize::try_from(self.quads).unwrap_or(isize::MAX);
        let [column, row] = [column, row].map(|place| place.clamp(0, most).unsigned_abs());
        let index = row * (self.quads + 1) + column;
        self.tile
            .heights
            .get(index)
            .map_or(0.0, |height| height.get())
    }

    /// Height of the ground at a place of the tile.
    pub(super) fn height_at(&self, x: f32, y: f32) -> f32 {
        let width = self.width();
        let [x, y] = [x, y].map(|part| {
            let inside = part - (part / width).floor() * width;
            if inside.is_finite() {
                inside / self.unit
            } else {
                0.0
            }
        });
        let most = self.quads.saturating_sub(1);
        // A cast of a float saturates.
        let [column, row] = [x, y].map(|part| (part as usize).min(most));
        let [u, v] = [x - column as f32, y - row as f32];
        let flags = self.tile.flags.get(row * self.quads + column).copied();
        let other = flags.unwrap_or_default().contains(QuadFlags::DIAGONAL);
        let at = |dx: isize, dy: isize| {
            let place = |from: usize| isize::try_from(from).unwrap_or(isize::MAX - 1);
            self.height(place(column) + dx, place(row) + dy)
        };
        let [h00, h10, h01, h11] = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
        match other {
            false if u >= v => h00 + u * (h10 - h00) + v * (h11 - h10),
            false => h00 + v * (h01 - h00) + u * (h11 - h01),
            true if u + v <= 1.0 => h00 + u * (h10 - h00) + v * (h01 - h00),
            true => h11 + (1.0 - u) * (h01 - h11) + (1.0 - v) * (h10 - h11),
        }
    }

    /// The mesh of the tile; `repeat` is the number of repeats of the ground picture along a side.
    pub(super) fn primitive(&self, repeat: f32, order: ByteOrder, bakes: bool) -> Primitive {
        let side = self.quads + 1;
        let [left, low] = self.own_corner();
        let mut primitive = Primitive::default();
        let mut positions = Vec::new();
        let mut normals = Vec::new();
        let mut uvs = Vec::new();
        for row in 0..side {
            for column in 0..side {
                let [x, y] = [column, row].map(|place| isize::try_from(place).unwrap_or_default());
                let height = self.height(x, y);
                let height = if height.is_finite() { height } else { 0.0 };
                let place = [
                    left + column as f32 * self.unit,
                    low + row as f32 * self.unit,
                    height,
                ];
                positions.push(space::vector(place));
                let slope = |back: f32, ahead: f32| {
                    let slope = f64::from(back) - f64::from(ahead);
                    if slope.is_finite() { slope } else { 0.0 }
                };
                let normal = glam::DVec3::new(
                    slope(self.height(x - 1, y), self.height(x + 1, y)),
                    slope(self.height(x, y - 1), self.height(x, y + 1)),
                    2.0 * f64::from(self.unit),
                );
                let normal = normal.try_normalize().unwrap_or(glam::DVec3::Z);
                let normal = normal.to_array().map(|part| part as f32);
                normals.push(space::vector(normal));
                let share = |place: usize| place as f32 / self.quads.max(1) as f32 * repeat;
                uvs.push([share(column), share(row)]);
                if bakes {
                    let stored = self.tile.baked.get(row * side + column);
                    let [first, green, third, _] = stored.copied().unwrap_or([255; 4]);
                    let (red, blue) = match order {
                        ByteOrder::Rgba => (first, third),
                        ByteOrder::Bgra => (third, first),
                    };
                    let color = [red, green, blue].map(f32::from);
                    primitive.colors.push(vertex_color(color, 1.0));
                }
            }
        }
        let mut indices = Vec::new();
        for row in 0..self.quads {
            for column in 0..self.quads {
                let flags = self.tile.flags.get(row * self.quads + column);
                let flags = flags.copied().unwrap_or_default();
                if flags.contains(QuadFlags::HOLE) {
                    continue;
                }
                let at = |dx: usize, dy: usize| {
                    u32::try_from((row + dy) * side + column + dx).unwrap_or(u32::MAX)
                };
                let [a, b, c, d] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
                indices.extend(match flags.contains(QuadFlags::DIAGONAL) {
                    false => [a, b, c, a, c, d],
                    true => [a, b, d, b, c, d],
                });
            }
        }
        primitive.positions = Arc::new(positions);
        primitive.normals = Arc::new(normals);
        primitive.uvs = Arc::new(vec![uvs]);
        primitive.indices = Arc::new(indices);
        primitive
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::F32;

    #[test]
    fn heights_follow_the_diagonals() {
        let mut tile = Tile {
            longitude: ORIGIN,
            latitude: ORIGIN,
            heights: [0.0, 0.0, 0.0, 4.0].map(F32).to_vec(),
            flags: vec![QuadFlags::empty()],
            ..Tile::default()
        };
        let facts = ZoneFacts {
            units_per_quad: 8.0,
            quads_per_tile: 1,
        };
        assert_eq!(Ground::new(&tile, facts, 1).height_at(4.0, 4.0), 2.0);
        assert_eq!(Ground::new(&tile, facts, 1).height_at(12.0, -4.0), 2.0);
        tile.flags = vec![QuadFlags::DIAGONAL];
        assert_eq!(Ground::new(&tile, facts, 1).height_at(4.0, 4.0), 0.0);
        assert_eq!(Ground::new(&tile, facts, 1).height_at(6.0, 6.0), 2.0);
        tile.flags = vec![QuadFlags::HOLE];
        let none = Ground::new(&tile, facts, 1).primitive(1.0, ByteOrder::Rgba, false);
        assert_eq!(*none.indices, [0; 0]);
    }
}

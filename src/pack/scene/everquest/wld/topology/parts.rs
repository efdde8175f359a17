//! Triangles that are parts of removed ones, as after a subdivision.

use std::collections::HashMap;

use glam::DVec3;

use crate::pack::scene::everquest::edits::Place;

/// Largest distance of a part from its triangle.
const SLACK: f64 = 0.05;

/// Most cells in which a triangle is listed.
const MAX_CELLS: i64 = 256;

/// Removed triangles with their meshes.
#[derive(Debug, Default)]
pub(super) struct Parts {
    all: Vec<([DVec3; 3], Place)>,
    /// Numbers of triangles by the cells that they touch.
    cells: HashMap<[i64; 3], Vec<usize>>,
    /// Triangles that touch too many cells.
    large: Vec<usize>,
    size: f64,
}

/// The corners of the box around a triangle.
fn extent([a, b, c]: [DVec3; 3]) -> [DVec3; 2] {
    [a.min(b).min(c), a.max(b).max(c)]
}

impl Parts {
    /// Lists triangles in file axes.
    pub(super) fn new(all: Vec<([DVec3; 3], Place)>) -> Self {
        let sizes = all.iter().map(|(triangle, _)| {
            let [least, most] = extent(*triangle);
            (most - least).max_element()
        });
        let size = (sizes.sum::<f64>() / all.len().max(1) as f64).max(1.0);
        let mut parts = Self {
            size,
            ..Self::default()
        };
        for (number, (triangle, _)) in all.iter().enumerate() {
            let [least, most] = extent(*triangle);
            let [from, to] = [least - SLACK, most + SLACK].map(|at| parts.cell(at));
            let counts =
                [0, 1, 2].map(|axis| to[axis].saturating_sub(from[axis]).saturating_add(1));
            let count = counts.into_iter().fold(1_i64, i64::saturating_mul);
            if count > MAX_CELLS {
                parts.large.push(number);
                continue;
            }
            for x in from[0]..=to[0] {
                for y in from[1]..=to[1] {
                    for z in from[2]..=to[2] {
                        parts.cells.entry([x, y, z]).or_default().push(number);
                    }
                }
            }
        }
        parts.all = all;
        parts
    }

    fn cell(&self, at: DVec3) -> [i64; 3] {
        (at / self.size).floor().to_array().map(|part| part as i64)
    }

    /// The mesh of the triangle that a new one is a part of.
    pub(super) fn mesh_of(&self, part: [DVec3; 3]) -> Option<Place> {
        let [a, b, c] = part;
        let near = self.cells.get(&self.cell((a + b + c) / 3.0));
        let mut near = near.into_iter().flatten().chain(&self.large);
        near.find_map(|&number| {
            let (triangle, place) = self.all.get(number)?;
            covers(*triangle, part, SLACK).then_some(*place)
        })
    }
}

/// True if a triangle is a part of another one, except for a distance.
pub(super) fn covers([a, b, c]: [DVec3; 3], part: [DVec3; 3], slack: f64) -> bool {
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let is_inside = |point: &DVec3| {
        let mut sides = [(a, b), (b, c), (c, a)].into_iter();
        (*point - a).dot(normal).abs() <= slack
            && sides.all(|(from, to)| {
                let inwards = normal.cross(to - from).normalize_or_zero();
                (*point - from).dot(inwards) >= -slack
            })
    };
    normal != DVec3::ZERO && part.iter().all(is_inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place {
        member: 1,
        index: 2,
    };

    #[test]
    fn halves_of_a_triangle_are_its_parts_and_others_are_not() {
        for size in [0.5, 4.0, 900.0] {
            let [a, b, c] = [DVec3::ZERO, DVec3::X * size, DVec3::Y * size];
            let parts = Parts::new(vec![([a, b, c], PLACE)]);
            let middle = (b + c) / 2.0;
            assert_eq!(parts.mesh_of([a, b, middle]), Some(PLACE));
            assert_eq!(parts.mesh_of([a, middle, c]), Some(PLACE));
            assert_eq!(parts.mesh_of([a, b, middle + DVec3::Z]), None);
            assert_eq!(parts.mesh_of([a, b, b + c]), None);
        }
        assert_eq!(Parts::default().mesh_of([DVec3::ZERO; 3]), None);
    }
}

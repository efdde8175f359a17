//! Triangles that are parts of removed ones, as after a subdivision.

use std::collections::HashMap;

use glam::DVec3;

/// Most cells in which a triangle is listed.
const MAX_CELLS: i64 = 256;

/// Removed triangles, each with a value.
#[derive(Debug)]
pub(super) struct Parts<T> {
    all: Vec<([DVec3; 3], T)>,
    /// Largest distance of a part from its triangle.
    slack: f64,
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

impl<T: Copy> Parts<T> {
    /// Lists triangles in file axes. `slack` is the largest distance of a part from its triangle.
    pub(super) fn new(all: Vec<([DVec3; 3], T)>, slack: f64) -> Self {
        let sizes = all.iter().map(|(triangle, _)| {
            let [least, most] = extent(*triangle);
            (most - least).max_element()
        });
        let size = (sizes.sum::<f64>() / all.len().max(1) as f64).max(1.0);
        let mut parts = Self {
            all: Vec::new(),
            slack,
            cells: HashMap::new(),
            large: Vec::new(),
            size,
        };
        for (number, (triangle, _)) in all.iter().enumerate() {
            let [least, most] = extent(*triangle);
            let [from, to] = [least - slack, most + slack].map(|at| parts.cell(at));
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

    /// The value of the triangle that a new one is a part of.
    pub(super) fn of(&self, part: [DVec3; 3]) -> Option<T> {
        let [a, b, c] = part;
        let near = self.cells.get(&self.cell((a + b + c) / 3.0));
        let mut near = near.into_iter().flatten().chain(&self.large);
        near.find_map(|&number| {
            let (triangle, value) = self.all.get(number)?;
            covers(*triangle, part, self.slack).then_some(*value)
        })
    }
}

/// True if a triangle is a part of another one, except for a distance.
fn covers([a, b, c]: [DVec3; 3], part: [DVec3; 3], slack: f64) -> bool {
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

    #[test]
    fn halves_of_a_triangle_are_its_parts_and_others_are_not() {
        for size in [0.5, 4.0, 900.0] {
            let [a, b, c] = [DVec3::ZERO, DVec3::X * size, DVec3::Y * size];
            let parts = Parts::new(vec![([a, b, c], 7)], 0.05);
            let middle = (b + c) / 2.0;
            assert_eq!(parts.of([a, b, middle]), Some(7));
            assert_eq!(parts.of([a, middle, c]), Some(7));
            assert_eq!(parts.of([a, b, middle + DVec3::Z]), None);
            assert_eq!(parts.of([a, b, b + c]), None);
        }
        let none: Parts<i32> = Parts::new(Vec::new(), 0.05);
        assert_eq!(none.of([DVec3::ZERO; 3]), None);
    }
}

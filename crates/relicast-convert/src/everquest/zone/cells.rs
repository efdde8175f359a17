//! The space of a region: all space cut by the planes of the partition, in scene space. If no plane
//! ends it, it extends to the largest coordinate of these games.

use std::collections::HashMap;

use glam::DVec3;

use crate::everquest::space;
use relicast_formats::everquest::wld::{Body, BspTree, Wld};

/// Maximum number of planes on the path to a leaf; retail zones have about twenty.
const MAX_PLANES: usize = 256;

/// Maximum number of cells of one zone.
const MAX_CELLS: usize = 1 << 14;

/// Half extent of the space that cells are cut from. The tools that made the files moved unused objects to
/// this coordinate.
const END: f64 = 32_768.0;

/// Distance up to which a corner counts as on a plane.
const NEAR: f64 = 1e-6;

/// A plane; the remaining part of a cell is where normal · p + distance ≥ 0.
#[derive(Debug, Clone, Copy)]
struct Plane {
    normal: DVec3,
    distance: f64,
}

impl Plane {
    fn side(&self, point: DVec3) -> f64 {
        self.normal.dot(point) + self.distance
    }
}

/// A convex cell: its faces, each a polygon whose corners run counter-clockwise seen from outside.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cell {
    pub faces: Vec<Vec<DVec3>>,
}

impl Cell {
    fn of_box([least, greatest]: [DVec3; 2]) -> Self {
        let corner = |x: bool, y: bool, z: bool| {
            let pick = |high: bool, axis: usize| if high { greatest[axis] } else { least[axis] };
            DVec3::new(pick(x, 0), pick(y, 1), pick(z, 2))
        };
        let quad = |corners: [[u8; 3]; 4]| {
            let corners = corners.map(|[x, y, z]| corner(x != 0, y != 0, z != 0));
            corners.to_vec()
        };
        Self {
            faces: vec![
                quad([[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]]),
                quad([[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]]),
                quad([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]]),
                quad([[0, 1, 0], [0, 1, 1], [1, 1, 1], [1, 1, 0]]),
                quad([[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]]),
                quad([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]),
            ],
        }
    }

    /// The part in front of a plane; `None` if it is empty.
    fn cut(self, plane: Plane) -> Option<Self> {
        let mut corners = self.faces.iter().flatten();
        if corners.all(|&corner| plane.side(corner) >= -NEAR) {
            return Some(self);
        }
        let mut faces = Vec::with_capacity(self.faces.len() + 1);
        let mut rim: Vec<DVec3> = Vec::new();
        for face in &self.faces {
            let mut kept = Vec::with_capacity(face.len() + 1);
            for (place, &from) in face.iter().enumerate() {
                let to = face[(place + 1) % face.len()];
                let (here, there) = (plane.side(from), plane.side(to));
                if here >= -NEAR {
                    kept.push(from);
                    if here <= NEAR {
                        rim.push(from);
                    }
                }
                if (here > NEAR && there < -NEAR) || (here < -NEAR && there > NEAR) {
                    let crossing = from + (to - from) * (here / (here - there));
                    kept.push(crossing);
                    rim.push(crossing);
                }
            }
            if kept.len() >= 3 {
                faces.push(kept);
            }
        }
        if faces.is_empty() {
            return None;
        }
        let lid = around(&rim, plane.normal);
        if lid.len() >= 3 {
            faces.push(lid);
        }
        (faces.len() >= 4).then_some(Self { faces })
    }

    /// Smallest box around the cell.
    pub(super) fn bounds(&self) -> Option<[[f32; 3]; 2]> {
        let mut points = self.faces.iter().flatten().copied();
        let first = points.next()?;
        let (least, greatest) = points.fold((first, first), |(least, greatest), point| {
            (least.min(point), greatest.max(point))
        });
        Some([least, greatest].map(|corner| corner.to_array().map(|part| part as f32)))
    }
}

/// The corners of a convex polygon in order, counter-clockwise seen against `inwards`.
fn around(points: &[DVec3], inwards: DVec3) -> Vec<DVec3> {
    let mut distinct: Vec<DVec3> = Vec::new();
    for &point in points {
        if !distinct
            .iter()
            .any(|known| (*known - point).length() < 1e-4)
        {
            distinct.push(point);
        }
    }
    let Some(&first) = distinct.first() else {
        return distinct;
    };
    let middle = distinct.iter().sum::<DVec3>() / distinct.len() as f64;
    let along = first - middle;
    let across = (-inwards).cross(along);
    // The angle about the middle, by quadrant and slope: monotone without trigonometry.
    let turn = |point: &DVec3| {
        let offset = *point - middle;
        let (x, y) = (offset.dot(along), offset.dot(across));
        let length = x.abs() + y.abs();
        let slope = if length > 0.0 { y / length } else { 0.0 };
        match (x >= 0.0, y >= 0.0) {
            (true, true) => slope,
            (false, _) => 2.0 - slope,
            (true, false) => 4.0 + slope,
        }
    };
    distinct.sort_by(|one, other| turn(one).total_cmp(&turn(other)));
    distinct
}

/// Cuts cells out of a zone.
#[derive(Debug)]
pub(super) struct Cells<'w> {
    tree: Option<&'w BspTree<'w>>,
    /// Leaf of each region, by its number counted from 1.
    leaves: HashMap<u32, usize>,
    /// The parent of each node, and true if the node is in front of it.
    above: Vec<Option<(usize, bool)>>,
    bounds: [DVec3; 2],
    left: usize,
}

impl<'w> Cells<'w> {
    /// The cells of a zone. If terrain exceeds the end of space, `bounds`, the box around it, is the
    /// end.
    pub(super) fn new(wld: &'w Wld<'_>, bounds: Option<[[f32; 3]; 2]>) -> Self {
        let tree = wld
            .fragments
            .iter()
            .find_map(|fragment| match &fragment.body {
                Body::BspTree(tree) => Some(tree),
                _ => None,
            });
        let nodes = tree.map_or(&[][..], |tree| &tree.nodes);
        let mut leaves = HashMap::new();
        let mut above = vec![None; nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            if node.region > 0 {
                leaves.entry(node.region).or_insert(index);
                continue;
            }
            for (link, front) in [(node.front, true), (node.back, false)] {
                let below = (link as usize).checked_sub(1);
                // The root has no parent, and no node has two.
                let slot = below
                    .filter(|&below| below > 0)
                    .and_then(|index| above.get_mut(index));
                if let Some(slot @ None) = slot {
                    *slot = Some((index, front));
                }
            }
        }
        let corner = |corner: [f32; 3]| DVec3::from_array(corner.map(f64::from));
        Self {
            tree,
            leaves,
            above,
            bounds: match bounds.map(|bounds| bounds.map(corner)) {
                Some([least, greatest]) => [
                    least.min(DVec3::splat(-END)),
                    greatest.max(DVec3::splat(END)),
                ],
                None => [DVec3::splat(-END), DVec3::splat(END)],
            },
            left: MAX_CELLS,
        }
    }

    /// The cell of a region counted from 1; `None` when it has none, or the maximum of cells is reached.
    pub(super) fn cell(&mut self, region: u32) -> Option<Cell> {
        let nodes = &self.tree?.nodes;
        let mut at = *self.leaves.get(&region)?;
        self.left = self.left.checked_sub(1)?;
        let mut cell = Cell::of_box(self.bounds);
        for _ in 0..MAX_PLANES {
            let Some((index, front)) = *self.above.get(at)? else {
                return Some(cell);
            };
            let node = nodes.get(index)?;
            let normal = space::vector(node.normal.to_array()).map(f64::from);
            let sign = if front { 1.0 } else { -1.0 };
            let plane = Plane {
                normal: DVec3::from_array(normal) * sign,
                distance: f64::from(node.distance.get()) * sign,
            };
            if !plane.normal.is_finite() || !plane.distance.is_finite() {
                return None;
            }
            cell = cell.cut(plane)?;
            at = index;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit() -> Cell {
        Cell::of_box([DVec3::ZERO, DVec3::ONE])
    }

    /// Volume by the faces; positive when all corners run counter-clockwise seen from outside.
    fn volume(cell: &Cell) -> f64 {
        let fans = cell.faces.iter().flat_map(|face| {
            let pairs = face.windows(2).skip(1);
            pairs.map(|pair| face[0].dot(pair[0].cross(pair[1])))
        });
        fans.sum::<f64>() / 6.0
    }

    #[test]
    fn boxes_are_closed_and_face_outwards() {
        assert!((volume(&unit()) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn planes_keep_what_is_in_front() {
        let half = unit().cut(Plane {
            normal: DVec3::X,
            distance: -0.25,
        });
        let half = half.unwrap();
        assert!((volume(&half) - 0.75).abs() < 1e-9, "{half:?}");
        assert_eq!(half.bounds(), Some([[0.25, 0.0, 0.0], [1.0; 3]]));
        let corner = half.cut(Plane {
            normal: DVec3::new(-1.0, -1.0, -1.0).normalize(),
            distance: 0.5 / 3.0_f64.sqrt(),
        });
        // A pyramid with edges of a quarter.
        let expected = 0.25_f64.powi(3) / 6.0;
        assert!((volume(&corner.unwrap()) - expected).abs() < 1e-9);
        let nothing = unit().cut(Plane {
            normal: DVec3::Y,
            distance: -2.0,
        });
        assert_eq!(nothing, None);
        let whole = unit().cut(Plane {
            normal: DVec3::Y,
            distance: 2.0,
        });
        assert_eq!(whole, Some(unit()));
    }
}

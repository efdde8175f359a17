//! The partition (BSP) of a zone: the leaves into which triangles extend.

use std::collections::BTreeSet;

use glam::DVec3;

use relicast_formats::everquest::wld::{Body, BspTree, Wld};

/// Depth up to which a triangle does not count as extending behind a plane, in units: ground is at the planes of the
/// partition, and small edits should not change the lists of hundreds of regions.
const MIN_DEPTH: f64 = 1.0;

/// The partition of a zone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Partition<'w>(&'w BspTree<'w>);

/// Leaves into which triangles extend.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// Numbers of regions, counted from 0.
    pub leaves: BTreeSet<u32>,
    /// True if they extend into solid space.
    pub is_solid: bool,
}

impl Reached {
    /// Removes what other triangles reach too.
    pub(super) fn without(&mut self, other: &Self) {
        self.leaves.retain(|leaf| !other.leaves.contains(leaf));
        self.is_solid &= !other.is_solid;
    }

    /// True if they extend into anything.
    pub(super) fn is_any(&self) -> bool {
        self.is_solid || !self.leaves.is_empty()
    }
}

impl<'w> Partition<'w> {
    /// The partition of a file, if it has one.
    pub(super) fn new(wld: &'w Wld<'w>) -> Option<Self> {
        wld.fragments
            .iter()
            .find_map(|fragment| match &fragment.body {
                Body::BspTree(tree) if !tree.nodes.is_empty() => Some(Self(tree)),
                _ => None,
            })
    }

    /// The region that contains a point, counted from 0; `None` in solid space.
    pub(super) fn region_at(self, point: DVec3) -> Option<u32> {
        let (leaf, _) = self.0.leaf_at(point.as_vec3().to_array())?;
        self.0.nodes.get(leaf)?.region.checked_sub(1)
    }

    /// Finds the leaves into which a triangle extends.
    pub(super) fn reach(self, triangle: [DVec3; 3], reached: &mut Reached) {
        let mut open = vec![(1_u32, triangle.to_vec())];
        // Every node has one parent in a valid tree.
        for _ in 0..self.0.nodes.len() {
            let Some((number, polygon)) = open.pop() else {
                return;
            };
            let index = (number as usize).checked_sub(1);
            let Some(node) = index.and_then(|index| self.0.nodes.get(index)) else {
                continue;
            };
            if let Some(region) = node.region.checked_sub(1) {
                reached.leaves.insert(region);
                continue;
            }
            let normal = DVec3::from_array(node.normal.to_array().map(f64::from));
            let distance = f64::from(node.distance.get());
            let sides: Vec<f64> = polygon
                .iter()
                .map(|corner| normal.dot(*corner) + distance)
                .collect();
            let front = sides.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let back = sides.iter().copied().fold(f64::INFINITY, f64::min);
            let is_flat = front <= MIN_DEPTH && back >= -MIN_DEPTH;
            for (child, depth, sign) in [(node.front, front, 1.0), (node.back, -back, -1.0)] {
                if child == 0 {
                    reached.is_solid |= depth > MIN_DEPTH;
                } else if depth > MIN_DEPTH {
                    open.push((child, clipped(&polygon, &sides, sign)));
                } else if is_flat {
                    open.push((child, polygon.clone()));
                }
            }
        }
    }
}

/// The part of a polygon on one side of a plane.
fn clipped(polygon: &[DVec3], sides: &[f64], sign: f64) -> Vec<DVec3> {
    let mut part = Vec::with_capacity(polygon.len() + 1);
    let corners = || polygon.iter().zip(sides);
    for ((from, before), (to, after)) in corners().zip(corners().cycle().skip(1)) {
        let (before, after) = (before * sign, after * sign);
        if before >= 0.0 {
            part.push(*from);
        }
        if (before < 0.0) != (after < 0.0) {
            part.push(from.lerp(*to, before / (before - after)));
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::{F32, Vec3};
    use relicast_formats::everquest::wld::BspNode;

    /// Cells of 10 units along x: regions 1 to 3, and solid space before 0.
    fn row() -> BspTree<'static> {
        let plane = |x: f32, front: u32, back: u32| BspNode {
            normal: Vec3::from([1.0, 0.0, 0.0]),
            distance: F32(-x),
            front,
            back,
            ..BspNode::default()
        };
        let leaf = |region: u32| BspNode {
            region,
            ..BspNode::default()
        };
        let nodes = vec![
            plane(20.0, 2, 3),
            leaf(3),
            plane(10.0, 4, 5),
            leaf(2),
            plane(0.0, 6, 0),
            leaf(1),
        ];
        BspTree {
            nodes: nodes.into(),
        }
    }

    #[test]
    fn a_triangle_reaches_the_leaves_that_it_crosses() {
        let tree = row();
        let partition = Partition(&tree);
        for (from, to, leaves, is_solid) in [
            (1.0, 9.0, vec![0], false),
            (1.0, 13.0, vec![0, 1], false),
            (1.0, 29.0, vec![0, 1, 2], false),
            (-3.0, 5.0, vec![0], true),
            (0.0, 10.0, vec![0], false),
            (10.0, 10.0, vec![0, 1], false),
            (0.0, 0.0, vec![0], false),
        ] {
            let corner = |x: f64, y: f64| DVec3::new(x, y, 0.0);
            let mut reached = Reached::default();
            let triangle = [corner(from, 0.0), corner(to, 0.0), corner(from, 5.0)];
            partition.reach(triangle, &mut reached);
            let found: Vec<u32> = reached.leaves.iter().copied().collect();
            assert_eq!((found, reached.is_solid), (leaves, is_solid), "{from} {to}");
        }
        assert_eq!(partition.region_at(DVec3::new(12.0, 0.0, 0.0)), Some(1));
        assert_eq!(partition.region_at(DVec3::new(-2.0, 0.0, 0.0)), None);
    }
}

//! The binary space partition of a zone, which finds the region of a point.

use std::borrow::Cow;

use relicast_codec::{F32, Stream, Vec3, owned};

relicast_codec::record! {
    /// A node: a plane with two sides, or a leaf.
    pub struct BspNode[28]: FixedSize + InPlace {
        /// Unit normal of the plane; zero on leaves.
        normal: Vec3,
        /// The plane holds the points p with normal · p + distance = 0.
        distance: F32,
        /// Leaf: number of the region, counted from 1 in file order. Otherwise 0.
        region: u32,
        /// Number of the node in front of the plane, counted from 1; 0 if that side is solid.
        front: u32,
        /// Number of the node behind it.
        back: u32,
    }
}

relicast_codec::record! {
    /// The partition (kind 0x21). The first node is the root.
    pub struct BspTree<'a>[4..] {
        /// The nodes.
        nodes: Cow<'a, [BspNode]> [counted] [check Self::check],
    }
}

impl BspTree<'_> {
    /// Index of the leaf that contains a point in file axes, and the number of nodes on the path to it,
    /// itself included. `None` in solid space, and if the path is a cycle.
    pub fn leaf_at(&self, point: [f32; 3]) -> Option<(usize, usize)> {
        let mut number = 1_u32;
        for depth in 1..=self.nodes.len() {
            let index = (number as usize).checked_sub(1)?;
            let node = self.nodes.get(index)?;
            if node.region > 0 {
                return Some((index, depth));
            }
            let [nx, ny, nz] = node.normal.to_array();
            let [x, y, z] = point;
            let side = nx * x + ny * y + nz * z + node.distance.get();
            number = if side >= 0.0 { node.front } else { node.back };
        }
        None
    }

    /// This tree with owned nodes, so that it outlives the file.
    pub(super) fn into_owned(self) -> BspTree<'static> {
        BspTree {
            nodes: owned(self.nodes),
        }
    }

    /// Soft rules: links name nodes or, with 0, solid space, and no two the same node.
    fn check<'s, S: Stream<'s>>(&self, stream: &mut S, offset: usize) {
        let mut linked = vec![false; self.nodes.len()];
        let mut wrong = 0_usize;
        for node in self.nodes.iter() {
            for link in [node.front, node.back] {
                let Some(target) = (link as usize).checked_sub(1) else {
                    continue;
                };
                match linked.get_mut(target) {
                    Some(mark) if !*mark && target != 0 => *mark = true,
                    _ => wrong = wrong.saturating_add(1),
                }
            }
        }
        if wrong > 0 {
            let expected = "one link to every node except the first";
            stream.deviate(
                "nodes",
                offset,
                expected,
                format_args!("invalid links: {wrong}"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::{decode, encode};

    fn plane(front: u32, back: u32) -> BspNode {
        BspNode {
            normal: Vec3::from([1.0, 0.0, 0.0]),
            distance: F32(-5.0),
            front,
            back,
            ..BspNode::default()
        }
    }

    fn leaf(region: u32) -> BspNode {
        BspNode {
            region,
            ..BspNode::default()
        }
    }

    #[test]
    fn points_on_the_plane_are_in_front() {
        let tree = BspTree {
            nodes: vec![plane(2, 3), leaf(7), leaf(8)].into(),
        };
        assert_eq!(tree.leaf_at([5.0, 0.0, 0.0]), Some((1, 2)));
        assert_eq!(tree.leaf_at([4.9, 0.0, 0.0]), Some((2, 2)));
        let bytes = encode(&tree).unwrap();
        assert_eq!(bytes.len(), 4 + 3 * 28);
        let decoded = decode::<BspTree>(&bytes).unwrap();
        assert_eq!(decoded.value, tree);
        assert!(decoded.deviations.is_empty());
    }

    #[test]
    fn a_side_without_a_node_is_solid_and_breaks_no_rule() {
        let tree = BspTree {
            nodes: vec![plane(2, 0), leaf(1)].into(),
        };
        assert_eq!(tree.leaf_at([9.0, 0.0, 0.0]), Some((1, 2)));
        assert_eq!(tree.leaf_at([0.0, 0.0, 0.0]), None);
        let bytes = encode(&tree).unwrap();
        let decoded = decode::<BspTree>(&bytes).unwrap();
        assert!(decoded.deviations.is_empty(), "{:?}", decoded.deviations);
    }

    #[test]
    fn loops_and_links_without_a_target_end() {
        let nodes = vec![plane(2, 9), plane(1, 0)].into();
        let tree = BspTree { nodes };
        assert_eq!(tree.leaf_at([9.0, 0.0, 0.0]), None);
        assert_eq!(tree.leaf_at([0.0, 0.0, 0.0]), None);
        assert_eq!(BspTree::default().leaf_at([0.0; 3]), None);
        let bytes = encode(&tree).unwrap();
        let decoded = decode::<BspTree>(&bytes).unwrap();
        assert_eq!(decoded.deviations.total(), 1);
    }
}

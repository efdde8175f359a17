//! The ways from the roots of a hierarchy to its nodes, which must not lead in circles.

use super::nodes::DEEPEST;

/// A node that was reached, by its position in [`Ancestors`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reached(usize);

/// A node on the way from a root.
#[derive(Debug, Clone, Copy)]
struct Ancestor {
    /// Index in the file.
    index: usize,
    /// The node above.
    above: Option<Reached>,
    /// Number of nodes above.
    depth: usize,
}

/// Every node that was reached, in that order.
#[derive(Debug, Default)]
pub(super) struct Ancestors(Vec<Ancestor>);

impl Ancestors {
    /// Number of nodes above a node below `above`; `None` if it would be its own ancestor, too deep, or one
    /// of too many. `count` is the number of nodes of the file.
    pub(super) fn depth_below(
        &self,
        index: usize,
        above: Option<Reached>,
        count: usize,
    ) -> Option<usize> {
        if self.0.len() >= count.saturating_mul(4).saturating_add(1 << 12) {
            return None;
        }
        let depth = above.map_or(0, |Reached(above)| self.0[above].depth + 1);
        let mut next = above;
        while let Some(Reached(place)) = next {
            let ancestor = self.0[place];
            if ancestor.index == index {
                return None;
            }
            next = ancestor.above;
        }
        (depth < DEEPEST).then_some(depth)
    }

    /// Notes that a node was reached; `depth` is the number of nodes above it.
    pub(super) fn push(&mut self, index: usize, above: Option<Reached>, depth: usize) -> Reached {
        let reached = Reached(self.0.len());
        self.0.push(Ancestor {
            index,
            above,
            depth,
        });
        reached
    }
}

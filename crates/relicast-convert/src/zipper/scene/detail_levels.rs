//! Levels of detail: groups of siblings, and their extras.

use std::collections::BTreeMap;

use glam::Vec3;

use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::NodeData;
use relicast_scene::model::{DetailGroup, NodeId};

use super::nodes::{Nodes, StepId};

/// The position of a level of detail in its group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Detail {
    /// 0 for the finest.
    pub level: usize,
    /// Number of levels.
    pub of: usize,
}

impl Detail {
    /// True if it is not the finest level.
    pub(super) fn is_coarse(self) -> bool {
        self.level > 0
    }
}

/// The distances at which a level is visible, in world units.
#[derive(Debug, Clone, Copy)]
struct LevelRange {
    near: f32,
    far: f32,
}

fn range(nodes: &impl Nodes, index: usize) -> Option<LevelRange> {
    match &nodes.node(index)?.data {
        NodeData::Lod(lod) => {
            let (near, far) = lod.range();
            Some(LevelRange { near, far })
        }
        _ => None,
    }
}

/// The levels among siblings, finest first.
#[derive(Debug)]
pub(super) struct LevelRanges(Vec<LevelRange>);

impl LevelRanges {
    pub(super) fn new(nodes: &impl Nodes, siblings: &[usize]) -> Self {
        let mut levels: Vec<LevelRange> = siblings
            .iter()
            .filter_map(|&index| range(nodes, index))
            .collect();
        // Nodes visible from the same distance on are parts of one level, which ends with the last of them: a part
        // that ends earlier leaves no gap.
        levels.sort_by(|one, other| {
            let from = one.near.total_cmp(&other.near);
            from.then(other.far.total_cmp(&one.far))
        });
        levels.dedup_by(|next, level| next.near.total_cmp(&level.near).is_eq());
        Self(levels)
    }

    /// True if there are levels to choose from.
    pub(super) fn is_group(&self) -> bool {
        self.0.len() > 1
    }

    /// True if a level does not begin at the end of the previous one.
    pub(super) fn has_gaps(&self) -> bool {
        !self.0.windows(2).all(|pair| match pair {
            [finer, coarser] => {
                (finer.far - coarser.near).abs() <= 1e-3 * coarser.near.abs().max(1.0)
            }
            _ => true,
        })
    }

    /// The level of a sibling.
    pub(super) fn level_of(&self, nodes: &impl Nodes, index: usize) -> Option<Detail> {
        let near = range(nodes, index)?.near;
        let mut levels = self.0.iter();
        let level = levels.position(|level| level.near.total_cmp(&near).is_eq())?;
        Some(Detail {
            level,
            of: self.0.len(),
        })
    }
}

/// A level of detail in the main scene.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShownLevel {
    /// The parent of its group.
    pub above: Option<StepId>,
    /// 0 for the finest.
    pub level: usize,
    /// The node of the scene.
    pub node: NodeId,
    /// Index of the node in the file.
    pub index: usize,
}

/// Groups of levels with one node per level.
pub(super) fn groups(
    levels: Vec<ShownLevel>,
    nodes: &impl Nodes,
    version: ZipperGame,
) -> Vec<DetailGroup> {
    let mut groups: BTreeMap<Option<StepId>, Vec<ShownLevel>> = BTreeMap::new();
    for level in levels {
        groups.entry(level.above).or_default().push(level);
    }
    let groups = groups.into_values().filter_map(|mut group| {
        group.sort_unstable_by_key(|shown| shown.level);
        let is_whole = (group.iter().enumerate()).all(|(at, shown)| shown.level == at);
        let finest = group.first().filter(|_| is_whole && group.len() > 1)?.index;
        let bounds = nodes.node(finest)?.bounds(version);
        let radius = bounds.map_or(0.0, |bounds| {
            let corners = [bounds.min, bounds.max].map(|at| Vec3::from_array(at.to_array()));
            corners[0].distance(corners[1]) / 2.0
        });
        let coverage = |index: usize| {
            let share = (radius / range(nodes, index)?.far).powi(2);
            Some(if share.is_finite() {
                share.min(1.0)
            } else {
                0.0
            })
        };
        Some(DetailGroup {
            levels: group.iter().map(|shown| shown.node).collect(),
            coverage: (group.iter())
                .filter_map(|shown| coverage(shown.index))
                .collect(),
        })
    });
    groups.collect()
}

//! The layout of a hierarchy: the scene of each node of the file, and the order of the nodes.
//!
//! The planner takes the list of scenes from it; the hierarchy builder builds it.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use crate::options::{Hidden, Lods, Scenes};
use relicast_formats::zipper::gamez::{Node, NodeData, NodeFlags};

use super::checks::Checks;
use super::detail_levels::{Detail, LevelRanges};
use super::layer::Layer;
use super::nodes::{DEEPEST, NodeSubset, Nodes, StepId};

/// The place of a node in a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub layer: Layer,
    /// The parent is in another scene: the node becomes a root, with its world transform.
    pub apart: bool,
}

/// A node that was reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// Index in the file.
    pub index: usize,
    /// The parent.
    pub above: Option<StepId>,
    /// Number of ancestors.
    depth: usize,
    /// Its place; `None` for one that is left out with all descendants.
    pub spot: Option<Spot>,
    /// The place of its empty stand-in in another scene.
    pub stand_in: Option<Spot>,
    /// It is hidden.
    pub hidden: bool,
    /// Its mesh alone goes to the hidden scene.
    pub hidden_mesh: bool,
    /// It is wanted with its geometry and all descendants.
    pub whole: bool,
    /// It was reached before.
    pub is_copy: bool,
    /// Its level of detail.
    pub detail: Option<Detail>,
}

/// Trees that were added together.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub steps: Range<usize>,
    /// The node that has the roots as its children in the main scene.
    pub below: Option<usize>,
}

/// A node that is to be reached.
#[derive(Debug, Clone, Copy)]
struct Pending {
    index: usize,
    above: Option<StepId>,
    layer: Layer,
    /// An ancestor belongs to the subset with all descendants.
    inside: bool,
    detail: Option<Detail>,
}

/// Steps of a hierarchy, with rules for all nodes that are added later.
#[derive(Debug)]
pub(crate) struct Layout<'s, N> {
    pub(super) nodes: &'s N,
    hidden: Hidden,
    pub(super) lods: Lods,
    /// Nodes whose own mesh goes to the hidden scene, without their descendants.
    pub hidden_meshes: HashSet<usize>,
    /// Nodes that are hidden with all descendants, regardless of their flags.
    pub hidden_nodes: HashSet<usize>,
    /// Nodes that are shown regardless of their flags.
    pub shown_nodes: HashSet<usize>,
    /// Hidden nodes are left out, except for their places, instead of going to another scene.
    omits_hidden: bool,
    /// The nodes to add; `None` for all. With a subset, hidden nodes and coarse levels are left out.
    pub extract: Option<NodeSubset>,
    /// Scenes are built without meshes and extras, because only the names of their nodes are needed.
    pub nodes_only: bool,
    pub(super) steps: Vec<Step>,
    pub(super) groups: Vec<Group>,
    seen: HashSet<usize>,
    /// Counts for the report.
    pub checks: Checks,
}

impl<'s, N: Nodes> Layout<'s, N> {
    pub(crate) fn new(nodes: &'s N, options: &Scenes) -> Self {
        Self {
            nodes,
            hidden: options.hidden,
            lods: options.lods,
            hidden_meshes: HashSet::new(),
            hidden_nodes: HashSet::new(),
            shown_nodes: HashSet::new(),
            omits_hidden: false,
            extract: None,
            nodes_only: false,
            steps: Vec::new(),
            groups: Vec::new(),
            seen: HashSet::new(),
            checks: Checks::default(),
        }
    }

    /// The nodes that are in a scene, in the order in which they are added.
    pub(crate) fn shown(&self) -> impl Iterator<Item = usize> {
        let shown = self.steps.iter().filter(|step| step.spot.is_some());
        shown.map(|step| step.index)
    }

    /// The scenes that have nodes.
    pub(crate) fn layers(&self) -> BTreeSet<Layer> {
        let spots = self.steps.iter().flat_map(|step| {
            let spots = [step.spot, step.stand_in].into_iter().flatten();
            let mesh = step.hidden_mesh.then_some(Layer::Hidden);
            spots.map(|spot| spot.layer).chain(mesh)
        });
        spots.chain([Layer::Main]).collect()
    }

    /// Returns true for a node that is in a scene.
    pub(crate) fn has(&self, index: usize) -> bool {
        self.seen.contains(&index)
    }

    /// Leaves out nodes of files other than that of the main scene.
    pub(crate) fn stay_in_main(&mut self) {
        self.omits_hidden = true;
        if self.lods == Lods::All {
            self.lods = Lods::Nearest;
        }
    }

    /// Adds trees, in order, as roots or as children of a node that was added.
    pub(crate) fn add(&mut self, roots: &[usize], below: Option<usize>) {
        let first = self.steps.len();
        let mut stack = Vec::new();
        let like = Pending {
            index: 0,
            above: None,
            layer: Layer::Main,
            inside: false,
            detail: None,
        };
        self.push_group(roots, like, &mut stack);
        while let Some(next) = stack.pop() {
            self.reach(next, &mut stack);
        }
        self.groups.push(Group {
            steps: first..self.steps.len(),
            below,
        });
    }

    /// Pushes siblings on the stack, the first on top, with their levels of detail.
    fn push_group(&mut self, members: &[usize], like: Pending, stack: &mut Vec<Pending>) {
        let levels = LevelRanges::new(self.nodes, members);
        if levels.is_group() {
            self.checks.detail_groups += 1;
            self.checks.detail_gaps += usize::from(levels.has_gaps());
        }
        stack.extend(members.iter().rev().map(|&index| Pending {
            index,
            detail: levels.level_of(self.nodes, index),
            ..like
        }));
    }

    /// Adds the step of a node, and pushes its children on the stack.
    fn reach(&mut self, next: Pending, stack: &mut Vec<Pending>) {
        let Some(node) = self.nodes.node(next.index) else {
            self.checks.unknown_nodes += 1;
            return;
        };
        let Some(depth) = self.depth_below(next.index, next.above) else {
            self.checks.cut_nodes += 1;
            return;
        };
        let subset = self.extract.as_ref();
        let named = subset.is_some_and(|subset| subset.names(next.index));
        let whole = subset.is_none_or(|subset| next.inside || subset.whole.contains(&next.index));
        let is_coarse = next.detail.is_some_and(Detail::is_coarse);
        let is_left = is_coarse && (self.lods == Lods::Nearest || subset.is_some());
        if !named && (!whole || is_left) {
            return;
        }
        let id = StepId(self.steps.len());
        let mut step = Step {
            index: next.index,
            above: next.above,
            depth,
            spot: None,
            stand_in: None,
            hidden: self.is_hidden(next.index, node),
            hidden_mesh: false,
            whole,
            is_copy: self.seen.contains(&next.index),
            detail: next.detail,
        };
        self.choose_scene(&mut step, next.layer, named);
        self.steps.push(step);
        let Some(spot) = step.spot else {
            return;
        };
        self.seen.insert(next.index);
        self.checks.copies += usize::from(step.is_copy);
        let children: Vec<usize> = node.children.iter().map(|&child| child as usize).collect();
        let like = Pending {
            index: 0,
            above: Some(id),
            layer: spot.layer,
            inside: self.extract.is_some() && whole,
            detail: None,
        };
        self.push_group(&children, like, stack);
    }

    /// Number of ancestors of a node below `above`; `None` if it would be its own ancestor, too deep, or beyond the
    /// limit.
    fn depth_below(&self, index: usize, above: Option<StepId>) -> Option<usize> {
        let most = self.nodes.count().saturating_mul(4).saturating_add(1 << 12);
        if self.steps.len() >= most {
            return None;
        }
        let depth = above.map_or(0, |StepId(above)| self.steps[above].depth + 1);
        let mut next = above;
        while let Some(StepId(place)) = next {
            let ancestor = self.steps[place];
            if ancestor.index == index {
                return None;
            }
            next = ancestor.above;
        }
        (depth < DEEPEST).then_some(depth)
    }

    /// Moves a node to another scene than `layer`, that of its parent, if it is a coarse level or hidden and not
    /// wanted by itself.
    fn choose_scene(&self, step: &mut Step, layer: Layer, named: bool) {
        let mut spot = Spot {
            layer,
            apart: false,
        };
        let coarse = step.detail.filter(|detail| detail.is_coarse() && !named);
        if let Some(Detail { level, .. }) = coarse
            && layer == Layer::Main
            && self.lods == Lods::All
        {
            let layer = Layer::Detail(u8::try_from(level).unwrap_or(u8::MAX));
            spot = Spot { layer, apart: true };
        }
        let separates = self.hidden == Hidden::Separate;
        if step.hidden && separates && spot.layer != Layer::Hidden && !named {
            step.stand_in = Some(spot);
            if self.extract.is_some() || self.omits_hidden {
                return;
            }
            spot = Spot {
                layer: Layer::Hidden,
                apart: true,
            };
        }
        step.spot = Some(spot);
        step.hidden_mesh = separates
            && spot.layer != Layer::Hidden
            && self.extract.is_none()
            && self.hidden_meshes.contains(&step.index)
            && self.nodes.model(step.index).is_some();
    }

    fn is_hidden(&self, index: usize, node: &Node) -> bool {
        let can_be = matches!(node.data, NodeData::Object3d(_) | NodeData::Lod(_));
        let hidden = can_be && !node.flags().contains(NodeFlags::ACTIVE);
        (hidden || self.hidden_nodes.contains(&index)) && !self.shown_nodes.contains(&index)
    }
}

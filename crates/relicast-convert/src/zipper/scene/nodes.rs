//! Access to the nodes of a file, and subsets of them.

use std::collections::{BTreeSet, HashSet};

use glam::{DMat3, DMat4};

use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{
    Affine, Model, Node, NodeData, Object3d, Object3dFlags, Rotation,
};
use relicast_scene::model::{Placement, Transform};
use relicast_scene::space::matrix_from_rows;

use super::checks::Checks;
use super::material_key::Tint;

/// Maximum depth of a hierarchy.
pub(super) const DEEPEST: usize = 512;

/// Index of a node in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FileNode(pub usize);

/// Number of a model in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ModelNumber(pub usize);

/// Access to the nodes and models of a file.
pub(crate) trait Nodes {
    /// A node.
    fn node(&self, index: usize) -> Option<&Node>;

    /// The model that a node shows, with its unique number.
    fn model(&self, index: usize) -> Option<(ModelNumber, &Model)>;

    /// Number of nodes.
    fn count(&self) -> usize;
}

/// A subset of the nodes of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct NodeSubset {
    /// Nodes that are wanted with all descendants, even hidden nodes and coarse levels.
    pub whole: HashSet<usize>,
    /// Nodes that are wanted for their place only, without geometry.
    pub path: HashSet<usize>,
}

/// The first parent of a node.
pub(crate) fn parent_of(nodes: &dyn Nodes, index: usize) -> Option<usize> {
    let parent = usize::try_from(*nodes.node(index)?.parents.first()?).ok()?;
    (parent != index && parent < nodes.count()).then_some(parent)
}

impl NodeSubset {
    /// The subset of `wanted` nodes with all descendants and their ancestors, and the topmost ancestors in order.
    /// World nodes are included without their descendants, because the world has a separate file.
    pub(crate) fn around(nodes: &dyn Nodes, wanted: &BTreeSet<usize>) -> (Self, Vec<usize>) {
        let mut extract = Self::default();
        let mut tops = BTreeSet::new();
        for &index in wanted {
            let node = nodes.node(index);
            let is_world = node.is_some_and(|node| matches!(node.data, NodeData::World(_)));
            if is_world {
                extract.path.insert(index)
            } else {
                extract.whole.insert(index)
            };
            let mut top = index;
            for _ in 0..DEEPEST {
                let Some(parent) = parent_of(nodes, top) else {
                    break;
                };
                extract.path.insert(parent);
                top = parent;
            }
            tops.insert(top);
        }
        (extract, tops.into_iter().collect())
    }

    pub(super) fn names(&self, index: usize) -> bool {
        self.whole.contains(&index) || self.path.contains(&index)
    }
}

/// The opacity of a node and its descendants, 0 to 1, by its own and that of its parent. In Recoil a node's own
/// replaces the other; the rule of the later games is unknown, so both are multiplied.
pub(super) fn opacity_below(node: &Node, above: f32, version: ZipperGame) -> f32 {
    let own = match &node.data {
        NodeData::Object3d(object) => object.opacity(),
        _ => None,
    };
    let own = own.map(|own| {
        if own.is_finite() {
            own.clamp(0.0, 1.0)
        } else {
            1.0
        }
    });
    match (own, version) {
        (Some(own), ZipperGame::Recoil) => own,
        (Some(own), _) => above * own,
        (None, _) => above,
    }
}

/// The tint of a node and its descendants: its own, else that of its parent.
pub(super) fn tint_below(node: &Node, above: Option<Tint>) -> Option<Tint> {
    let NodeData::Object3d(object) = &node.data else {
        return above;
    };
    match object.color() {
        Some(color) => Tint::new(color, object.tint_weight.0),
        None => above,
    }
}

/// A stored transform.
pub(crate) fn matrix_of(transform: &Affine) -> DMat4 {
    let rows = transform.basis.map(|row| row.to_array());
    matrix_from_rows(rows, transform.translation.to_array())
}

/// Placement of a node in its parent. Unusual values are counted.
pub(super) fn placement_of(node: &Node, checks: &mut Checks) -> Placement {
    let NodeData::Object3d(object) = &node.data else {
        return Placement::Simple(Transform::IDENTITY);
    };
    if object.flags.contains(Object3dFlags::TRANSFORM_INITIAL) {
        return Placement::Simple(Transform::IDENTITY);
    }
    let matrix = matrix_of(&object.transform);
    let determinant = DMat3::from_mat4(matrix).determinant();
    checks.determinants.add(determinant);
    checks.euler_mismatches += usize::from(mismatches(object));
    Placement::from_matrix(&matrix).unwrap_or_else(|_| {
        checks.not_finite_transforms += 1;
        Placement::Simple(Transform::IDENTITY)
    })
}

/// True if the stored matrix of an object differs from its angles and scale. Objects with only a matrix never
/// differ.
fn mismatches(object: &Object3d) -> bool {
    if object.flags.contains(Object3dFlags::USE_MATRIX) {
        return false;
    }
    let angles = Rotation(object.rotate);
    let computed = Affine {
        basis: angles.basis(object.scale),
        translation: object.transform.translation,
    };
    let size = object.scale.to_array().into_iter().fold(1.0, f32::max);
    // NaN is a mismatch too.
    !matches!(
        computed
            .distance(&object.transform)
            .partial_cmp(&(1e-4 * size)),
        Some(std::cmp::Ordering::Less)
    )
}

/// A step of a layout, by its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StepId(pub usize);

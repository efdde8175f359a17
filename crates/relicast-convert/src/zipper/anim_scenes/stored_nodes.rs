//! The nodes that clips move, from the files related to a container.

use glam::{DMat3, DMat4, DVec3};

use crate::zipper::bake::curve::{Rotation, quat_of};
use crate::zipper::bake::evaluate::{Names, NodeKey, RestState, StoredParts, World};
use crate::zipper::bake::motion::vector;
use crate::zipper::scene::hierarchy::{Nodes, matrix_of, parent_of};
use relicast_formats::zipper::anim::NodeTarget;
use relicast_formats::zipper::gamez::{Node, NodeData, NodeFlags, Object3d, Object3dFlags};
use relicast_scene::model::Placement;

use crate::zipper::anim::bind::{Binding, NodeRef};

impl From<NodeRef> for NodeKey {
    fn from(node: NodeRef) -> Self {
        Self {
            lookup: node.lookup,
            index: node.index,
        }
    }
}

impl Names for Binding {
    fn node(&self, target: NodeTarget) -> Option<NodeKey> {
        let bound = match target {
            NodeTarget::Entry(place) => *self.nodes.get(place)?,
            NodeTarget::Root => self.bound,
            NodeTarget::None | NodeTarget::Input | NodeTarget::Other(_) => return None,
        };
        bound.node().map(NodeKey::from)
    }
}

/// The files with nodes, in look-up order.
pub(in crate::zipper) struct StoredNodes<'s>(pub Vec<&'s dyn Nodes>);

impl StoredNodes<'_> {
    fn node(&self, node: NodeKey) -> Option<&Node> {
        self.0.get(node.lookup)?.node(node.index)
    }
}

impl World for StoredNodes<'_> {
    fn rest(&self, node: NodeKey) -> RestState {
        let Some(stored) = self.node(node) else {
            return RestState::plain();
        };
        let mut rest = rest_of(stored);
        let model = self
            .0
            .get(node.lookup)
            .and_then(|nodes| nodes.model(node.index));
        if let Some((_, model)) = model {
            let factor = f64::from(model.record.morph_factor.0);
            rest.morph = if factor.is_finite() { factor } else { 0.0 };
        }
        rest
    }

    fn parent(&self, node: NodeKey) -> Option<NodeKey> {
        let index = parent_of(*self.0.get(node.lookup)?, node.index)?;
        Some(NodeKey { index, ..node })
    }
}

/// The rest state of a stored node.
pub(in crate::zipper) fn rest_of(node: &Node) -> RestState {
    let at = |place: DVec3, angles: DVec3| RestState {
        translation: place,
        rotation: Rotation::from_angles(angles),
        ..RestState::plain()
    };
    match &node.data {
        NodeData::Object3d(object) => RestState {
            is_active: node.flags().contains(NodeFlags::ACTIVE),
            opacity: object
                .opacity()
                .filter(|opacity| opacity.is_finite())
                .map(|opacity| f64::from(opacity.clamp(0.0, 1.0))),
            ..rest_of_object(object)
        },
        NodeData::Lod(_) => RestState {
            is_active: node.flags().contains(NodeFlags::ACTIVE),
            ..RestState::plain()
        },
        NodeData::Camera(camera) => RestState {
            is_camera: true,
            ..at(vector(camera.translate), vector(camera.rotate))
        },
        NodeData::Light(light) => at(
            vector(light.record.translate),
            vector(light.record.orientation),
        ),
        _ => RestState::plain(),
    }
}

fn rest_of_object(object: &Object3d) -> RestState {
    if object.flags.contains(Object3dFlags::TRANSFORM_INITIAL) {
        return RestState::plain();
    }
    let matrix = matrix_of(&object.transform);
    let Ok(placement) = Placement::from_matrix(&matrix) else {
        return RestState::plain();
    };
    let place = placement.outer();
    let quat = place.rotation.as_dquat();
    let angles = vector(object.rotate);
    let size = vector(object.scale);
    let is_by_matrix = object.flags.contains(Object3dFlags::USE_MATRIX);
    // The signs of sizes do not follow from a matrix: two negative ones equal a half turn. A size of 0 has no rotation.
    let is_folded = size.min_element() <= 0.0;
    let (rotation, scale) = if !is_by_matrix && is_folded && is_made_of(&matrix, angles, size) {
        (Rotation::with_angles(quat_of(angles), angles), size)
    } else if !is_by_matrix && quat_of(angles).dot(quat).abs() > 1.0 - 1e-6 {
        (Rotation::with_angles(quat, angles), place.scale.as_dvec3())
    } else {
        // A matrix that was not made from the stored angles gives other angles.
        (Rotation::from_quat(quat), place.scale.as_dvec3())
    };
    RestState {
        translation: place.translation.as_dvec3(),
        rotation,
        scale,
        stored: is_by_matrix.then(|| StoredParts {
            rotation: Rotation::from_angles(angles),
            scale: size,
        }),
        ..RestState::plain()
    }
}

/// Returns true if the linear part of a matrix is the product of stored angles and sizes, within single precision.
fn is_made_of(matrix: &DMat4, angles: DVec3, size: DVec3) -> bool {
    let made = DMat3::from_quat(quat_of(angles)) * DMat3::from_diagonal(size);
    let largest = size.abs().max_element();
    made.abs_diff_eq(DMat3::from_mat4(*matrix), 1e-4 * largest.max(1e-3))
}

//! The nodes that clips move, as the files beside a container have them.

use glam::DVec3;

use crate::convert::zipper::bake::curve::{Rotation, quat_of};
use crate::convert::zipper::bake::evaluate::{Names, NodeKey, RestState, World};
use crate::convert::zipper::bake::motion::vector;
use crate::convert::zipper::scene::hierarchy::{Nodes, matrix_of, parent_of};
use crate::formats::zipper::anim::NodeTarget;
use crate::formats::zipper::gamez::{Node, NodeData, NodeFlags, Object3d, Object3dFlags};
use crate::scene::model::Placement;

use crate::convert::zipper::anim::bind::{Binding, NodeRef};

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

/// The files with nodes, in the order in which names are looked up.
pub(in crate::convert::zipper) struct StoredNodes<'s>(pub Vec<&'s dyn Nodes>);

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
pub(in crate::convert::zipper) fn rest_of(node: &Node) -> RestState {
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
    let Ok(placement) = Placement::from_matrix(&matrix_of(&object.transform)) else {
        return RestState::plain();
    };
    let place = placement.outer();
    let quat = place.rotation.as_dquat();
    let stored = vector(object.rotate);
    // A matrix that is not made from the angles has others.
    let fits = quat_of(stored).dot(quat).abs() > 1.0 - 1e-6;
    let rotation = if fits && !object.flags.contains(Object3dFlags::USE_MATRIX) {
        Rotation::with_angles(quat, stored)
    } else {
        Rotation::from_quat(quat)
    };
    RestState {
        translation: place.translation.as_dvec3(),
        rotation,
        scale: place.scale.as_dvec3(),
        ..RestState::plain()
    }
}

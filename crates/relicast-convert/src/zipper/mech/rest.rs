//! Poses of the nodes of a 'mech at rest, and the parts whose translation motions do not change.

use glam::Vec3;

use crate::zipper::scene::hierarchy::matrix_of;
use relicast_formats::zipper::gamez::{NodeData, Object3dFlags};
use relicast_formats::zipper::mechlib::MechModel;
use relicast_scene::extras::{floats, zipper};
use relicast_scene::model::{Placement, Transform};

/// Parts that keep their own translation.
const KEEP_TRANSLATION: [&str; 13] = [
    "rarm", "larm", "rhand", "lhand", "torso", "rtoe01", "rtoe02", "rtoe03", "ltoe01", "ltoe02",
    "ltoe03", "rcalf", "lcalf",
];

/// Returns true if a part is a limb, which keeps its own translation.
pub(super) fn is_limb(part: &str) -> bool {
    KEEP_TRANSLATION.contains(&part)
}

/// Returns true if most tracks of limbs start where the limb is stored; each has its first translation and the
/// stored one.
pub(super) fn start_where_stored(tracks: impl Iterator<Item = (Vec3, Vec3)>) -> bool {
    let votes = tracks.map(|(first, at_rest)| {
        if first.abs_diff_eq(at_rest, 1e-3) {
            1
        } else {
            -1
        }
    });
    votes.sum::<i64>() > 0
}

/// The stored transform of a node.
pub(super) fn stored(mech: &MechModel, index: usize) -> Transform {
    let object = match &mech.nodes.get(index).map(|node| &node.node.data) {
        Some(NodeData::Object3d(object)) => object,
        _ => return Transform::IDENTITY,
    };
    if object.flags.contains(Object3dFlags::TRANSFORM_INITIAL) {
        return Transform::IDENTITY;
    }
    let placement = Placement::from_matrix(&matrix_of(&object.transform));
    placement.map_or(Transform::IDENTITY, |placement| placement.outer())
}

pub(super) fn facts_of(transform: &Transform) -> zipper::Rest {
    zipper::Rest {
        translation: Some(floats(transform.translation.to_array())),
        rotation: Some(floats(transform.rotation.to_array())),
        scale: Some(floats(transform.scale.to_array())),
    }
}

/// Returns true if two transforms are the same except for rounding.
pub(super) fn near(one: &Transform, other: &Transform) -> bool {
    one.translation.abs_diff_eq(other.translation, 1e-6)
        && one.rotation.dot(other.rotation).abs() > 1.0 - 1e-7
        && one.scale.abs_diff_eq(other.scale, 1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_majority_of_tracks_says_where_limbs_are() {
        let same = (Vec3::X, Vec3::X);
        let other = (Vec3::X, Vec3::Y);
        assert!(start_where_stored([same, same, other].into_iter()));
        assert!(!start_where_stored([same, other].into_iter()));
        assert!(!start_where_stored(std::iter::empty()));
    }
}

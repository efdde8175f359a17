//! Transforms, packed in the form of the games: angles, scale and the resulting matrix.

use glam::{DMat3, DMat4, DVec3};

use crate::pack::edited::Refusal;
use crate::pack::scene::compare::tolerance::{Tolerance, is_same_place};
use crate::pack::scene::compare::triangles::is_near;
use crate::pack::scene::file::Local;
use relicast_codec::{F32, Vec3};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{Node, NodeData, Object3d, Object3dFlags};
use relicast_scene::model::Placement;

/// Movement of a node.
#[derive(Debug, Clone, Copy)]
pub(in crate::pack::scene) struct Move {
    /// Its transform in the original scene; for a node that shear split in two, the transform of both.
    pub before: DMat4,
    /// Its transform in the edit.
    pub after: DMat4,
    /// Both as written, if one node represents it.
    pub plain: Option<(Local, Local)>,
    /// Differences up to this are not edits.
    pub tolerance: Tolerance,
}

impl Move {
    /// The new transform of a node whose stored transform is `stored`: the edit itself where the scene has the node as
    /// stored, else changed in the same way as the scene.
    fn target(&self, stored: &DMat4) -> Option<DMat4> {
        if is_like(stored, &self.before) {
            return Some(self.after);
        }
        let inverse = self.before.inverse();
        let target = *stored * inverse * self.after;
        (inverse.is_finite() && target.is_finite()).then_some(target)
    }
}

/// True if matrices are equal except for rounding.
pub(in crate::pack::scene) fn is_like(one: &DMat4, other: &DMat4) -> bool {
    let reach = one.w_axis.abs().max_element().max(1.0);
    let size = DMat3::from_mat4(*one).to_cols_array();
    let size = size
        .into_iter()
        .fold(1e-6_f64, |most, part| most.max(part.abs()));
    let linear = DMat3::from_mat4(*one) - DMat3::from_mat4(*other);
    linear
        .to_cols_array()
        .into_iter()
        .all(|part| part.abs() <= 1e-5 * size)
        && (one.w_axis - other.w_axis).abs().max_element() <= 1e-5 * reach
}

/// Moves a node.
///
/// # Errors
/// It has no transform, or the game has no form for the new one.
pub(in crate::pack::scene) fn move_node(
    node: &mut Node,
    change: &Move,
    version: ZipperGame,
) -> Result<(), Refusal> {
    let class = match &node.data {
        NodeData::Object3d(_) => None,
        NodeData::Lod(_) => Some("a level of detail has no transform; move its children"),
        _ => Some("it has no transform"),
    };
    if let Some(reason) = class {
        return Err(Refusal::new(reason));
    }
    let NodeData::Object3d(object) = &mut node.data else {
        return Ok(());
    };
    let stored = match object.flags.contains(Object3dFlags::TRANSFORM_INITIAL) {
        true => DMat4::IDENTITY,
        false => DMat4::from_cols_array(&object.transform.to_columns().map(f64::from)),
    };
    let target = change
        .target(&stored)
        .filter(|target| {
            target
                .to_cols_array()
                .iter()
                .all(|part| (*part as f32).is_finite())
        })
        .ok_or_else(|| {
            refusal!("its transform cannot be inverted: a scale is 0, or it is too far away")
        })?;
    let plain = change.plain.filter(|_| is_like(&stored, &change.before));
    let tolerance = change.tolerance;
    set_translation(object, &target, plain, tolerance.place);
    let is_turned = match plain {
        Some((old, new)) if old.matrix.is_none() && new.matrix.is_none() => {
            let again = Local {
                translation: old.translation,
                ..new
            };
            !is_same_place(old, again, tolerance)
        }
        _ => {
            let linear = DMat3::from_mat4(stored) - DMat3::from_mat4(target);
            let parts = linear.to_cols_array().into_iter();
            parts.fold(0.0_f64, |most, part| most.max(part.abs())) > 1e-7
        }
    };
    if is_turned {
        turn(object, &target, version)?;
    }
    object.flags.remove(Object3dFlags::TRANSFORM_INITIAL);
    Ok(())
}

/// Axes along which it was not moved keep their bits.
fn set_translation(
    object: &mut Object3d,
    target: &DMat4,
    plain: Option<(Local, Local)>,
    tolerance: f32,
) {
    let mut stored = object.transform.translation.to_array();
    let wanted = target.w_axis.truncate().to_array();
    for (axis, (stored, wanted)) in stored.iter_mut().zip(wanted).enumerate() {
        match plain {
            Some((old, new)) if old.matrix.is_none() && new.matrix.is_none() => {
                let (old, new) = (old.translation.get(axis), new.translation.get(axis));
                if let (Some(old), Some(new)) = (old, new)
                    && !is_near(&[*old], &[*new], tolerance)
                {
                    *stored = *new;
                }
            }
            _ => {
                let wanted = wanted as f32;
                if (*stored - wanted).abs() > 1e-6 * wanted.abs().max(1.0) {
                    *stored = wanted;
                }
            }
        }
    }
    let stored = Vec3::from(stored);
    if let Some(early) = &mut object.early_translation.0
        && *early == object.transform.translation
    {
        *early = stored;
    }
    object.transform.translation = stored;
}

fn turn(object: &mut Object3d, target: &DMat4, version: ZipperGame) -> Result<(), Refusal> {
    let linear = DMat3::from_mat4(*target);
    let rows = linear
        .to_cols_array_2d()
        .map(|row| Vec3::from(row.map(|part| part as f32)));
    let keeps_matrix = object.flags.contains(Object3dFlags::USE_MATRIX);
    let without_place = DMat4::from_mat3(linear);
    match Placement::from_matrix(&without_place) {
        _ if keeps_matrix => {}
        Ok(Placement::Simple(transform)) => {
            let rotation = DMat3::from_quat(transform.rotation.as_dquat().normalize());
            object.rotate = Vec3::from(angles(&rotation).to_array().map(|part| part as f32));
            object.scale = Vec3::from(transform.scale.to_array());
        }
        Ok(Placement::Sheared { .. }) if version == ZipperGame::Recoil => {
            object.flags.insert(Object3dFlags::USE_MATRIX);
            object.rotate = Vec3::default();
            object.scale = Vec3 {
                x: F32(1.0),
                y: F32(1.0),
                z: F32(1.0),
            };
        }
        Ok(Placement::Sheared { .. }) => {
            refuse!(
                "it is sheared, and this game only rotates and scales; scale the parents of rotated nodes equally along all axes"
            );
        }
        Err(_) => return Err(refusal!("its transform is not finite")),
    }
    object.transform.basis = rows;
    Ok(())
}

/// Angles about x, y and z whose rotations, z first, then x, then y, give a rotation.
pub(in crate::pack::scene) fn angles(rotation: &DMat3) -> DVec3 {
    let (x_row, y_row, z_row) = (rotation.x_axis, rotation.y_axis, rotation.z_axis);
    let sine = (-z_row.y).clamp(-1.0, 1.0);
    let x = libm::asin(sine);
    let cosine = libm::sqrt(x_row.y * x_row.y + y_row.y * y_row.y);
    if cosine < 1e-6 {
        // When it looks straight up or down, y and z turn about one axis.
        let y = libm::atan2(-x_row.z, x_row.x);
        return DVec3::new(x, y, 0.0);
    }
    let y = libm::atan2(z_row.x, z_row.z);
    let z = libm::atan2(x_row.y, y_row.y);
    // The sine is imprecise for steep angles.
    DVec3::new(libm::atan2(sine, cosine), y, z)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use relicast_formats::zipper::gamez::Rotation;

    proptest! {
        #[test]
        fn angles_make_the_rotation_again(x in -1.57_f32..1.57, y in -3.1_f32..3.1, z in -3.1_f32..3.1) {
            let rows = Rotation(Vec3::from([x, y, z])).basis(Vec3::from([1.0; 3]));
            let [a, b, c] = rows.map(|row| DVec3::from_array(row.to_array().map(f64::from)));
            let found = angles(&DMat3::from_cols(a, b, c));
            let again = Rotation(Vec3::from(found.to_array().map(|part| part as f32)));
            for (row, again) in rows.iter().zip(again.basis(Vec3::from([1.0; 3]))) {
                for (one, other) in row.to_array().into_iter().zip(again.to_array()) {
                    prop_assert!((one - other).abs() < 2e-6, "{one} {other}");
                }
            }
        }
    }
}

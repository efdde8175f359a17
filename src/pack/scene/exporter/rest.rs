//! Poses of bones at rest that an edit changes, as a program writes them: without scale.

use std::collections::{BTreeMap, HashMap};

use glam::{DMat4, DQuat, DVec3};
use serde_json::json;

use super::builder::Builder;
use crate::pack::scene::file::Local;

/// The edited pose at rest of a skin.
#[derive(Debug)]
pub(super) struct RestPose {
    /// Number of the original skin.
    skin: usize,
    /// The bones that were moved, by their original nodes.
    pub(super) bones: BTreeMap<usize, MovedBone>,
    /// Matrices from vertices to all joints.
    binds: Vec<DMat4>,
}

/// A bone that was moved at rest.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovedBone {
    /// Its new transform.
    pub(super) local: Local,
    /// Addition to its translations in clips of the program, which has no scale.
    pub(super) offset: [f32; 3],
}

/// Moved bones by their original nodes.
pub(super) type MovedBones = HashMap<usize, MovedBone>;

/// Joints of a skin as the program shows them: without scale.
#[derive(Debug)]
pub(super) struct ShownJoints<'s> {
    /// From each joint to the model, without the edit.
    pub(super) before: &'s [DMat4],
    /// The same in the edit.
    pub(super) after: &'s [DMat4],
}

/// Largest difference of parts of a pose that the edit does not change.
const SAME: f64 = 1e-4;

impl RestPose {
    /// Makes the pose of a skin with these joints (their nodes and the transforms of those) and their original poses, each
    /// with the joint above it.
    pub(super) fn new(
        skin: usize,
        joints: &[(usize, Local)],
        old: &[(Option<usize>, DMat4)],
        shown: &ShownJoints<'_>,
    ) -> Self {
        let mut wanted: Vec<DMat4> = old.iter().map(|(_, local)| *local).collect();
        // A bone is where it is in the edit, seen from its vertices.
        let places: Vec<DMat4> = composed(old, &wanted)
            .into_iter()
            .zip(shown.before.iter().zip(shown.after))
            .map(|(place, (before, after))| place * before.inverse() * *after)
            .collect();
        let below = |places: &[DMat4], number: usize| match old[number].0 {
            Some(above) => places[above].inverse() * places[number],
            None => places[number],
        };
        let mut bones = BTreeMap::new();
        for number in 0..wanted.len() {
            let (before, after) = (wanted[number], below(&places, number));
            if is_close(before, after) {
                continue;
            }
            let (node, local) = joints[number];
            let after = with_parts_of(before, after);
            // Between a joint and the one above it may be other nodes.
            let inner = local.to_matrix() * before.inverse();
            let own = inner * after;
            let (scale, rotation, translation) = own.to_scale_rotation_translation();
            let keep = |old: [f32; 3], new: DVec3| match near(old.map(f64::from).into(), new) {
                true => old,
                false => new.as_vec3().to_array(),
            };
            let new = Local {
                translation: keep(local.translation, translation),
                rotation: match turned(DQuat::from_array(local.rotation.map(f64::from)), rotation) {
                    true => rotation.as_quat().to_array(),
                    false => local.rotation,
                },
                scale: keep(local.scale, scale),
                matrix: None,
            };
            let lacks = after.w_axis.truncate() - below(shown.after, number).w_axis.truncate();
            let offset = match near(DVec3::ZERO, lacks) {
                true => DVec3::ZERO,
                false => inner.transform_vector3(lacks),
            };
            wanted[number] = inner.inverse() * new.to_matrix();
            let bone = MovedBone {
                local: new,
                offset: offset.as_vec3().to_array(),
            };
            bones.insert(node, bone);
        }
        let places = composed(old, &wanted).into_iter();
        Self {
            skin,
            bones,
            binds: places.map(|place| place.inverse()).collect(),
        }
    }

    /// Puts the pose into the restored file.
    pub(super) fn restore(&self, builder: &mut Builder) {
        let rows = self
            .binds
            .iter()
            .map(|bind| bind.to_cols_array().map(|it| it as f32));
        let rows: Vec<[f32; 16]> = rows.collect();
        let accessor = builder.rows(&rows);
        if let Some(skin) = builder.entry("skins", self.skin) {
            skin.insert("inverseBindMatrices".to_owned(), json!(accessor));
        }
        for (&node, MovedBone { local, .. }) in &self.bones {
            if let Some(map) = builder.entry("nodes", node) {
                map.shift_remove("matrix");
                map.insert("translation".to_owned(), json!(local.translation));
                map.insert("rotation".to_owned(), json!(local.rotation));
                map.insert("scale".to_owned(), json!(local.scale));
            }
        }
    }
}

fn near(old: DVec3, new: DVec3) -> bool {
    (old - new).abs().max_element() <= SAME * old.abs().max_element().max(1.0)
}

/// True if a rotation is another one.
fn turned(old: DQuat, new: DQuat) -> bool {
    old.dot(new).abs() < 1.0 - SAME * SAME
}

/// An edited pose with the parts of the original that did not change, and its scale.
fn with_parts_of(before: DMat4, after: DMat4) -> DMat4 {
    let (scale, old_rotation, old_translation) = before.to_scale_rotation_translation();
    let (_, rotation, translation) = after.to_scale_rotation_translation();
    let translation = match near(old_translation, translation) {
        true => old_translation,
        false => translation,
    };
    let rotation = match turned(old_rotation, rotation) {
        true => rotation,
        false => old_rotation,
    };
    DMat4::from_scale_rotation_translation(scale, rotation, translation)
}

/// Largest difference of parts of bind matrices, relative to the larger of 1 and the number.
const BIND: f64 = 5e-4;

/// True if matrices are equal within the rounding of programs.
pub(super) fn is_close(one: DMat4, other: DMat4) -> bool {
    let [one, other] = [one, other].map(|matrix| matrix.to_cols_array());
    let mut pairs = one.iter().zip(&other);
    pairs.all(|(a, b)| (a - b).abs() <= BIND * a.abs().max(1.0))
}

/// The transforms of bones to the model, from those to their parents. The parents are those of `parents`.
pub(super) fn composed(parents: &[(Option<usize>, DMat4)], locals: &[DMat4]) -> Vec<DMat4> {
    let mut all = Vec::with_capacity(locals.len());
    for (number, local) in locals.iter().enumerate() {
        let mut place = *local;
        let mut at = parents[number].0;
        // No more steps than bones: damaged skins may have cycles.
        for _ in 0..parents.len() {
            let Some(above) = at else { break };
            place = locals[above] * place;
            at = parents[above].0;
        }
        all.push(place);
    }
    all
}

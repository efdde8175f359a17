//! Poses of bones at rest that an edit changes, as a program writes them: without scale.

use std::collections::BTreeMap;

use glam::{DMat4, DQuat, DVec3};
use serde_json::json;

use super::builder::Builder;
use super::skin::composed;
use crate::pack::scene::file::Local;

/// The edited pose at rest of a skin.
#[derive(Debug)]
pub(super) struct RestPose {
    /// Number of the original skin.
    skin: usize,
    /// New transforms of the bones that were moved, by their original nodes.
    pub(super) locals: BTreeMap<usize, Local>,
    /// Matrices from vertices to all joints.
    binds: Vec<DMat4>,
}

/// Largest difference of parts of a pose that the edit does not change.
const SAME: f64 = 1e-4;

impl RestPose {
    /// Makes the pose of a skin with these joints (their nodes and the transforms of those) and their original poses, each
    /// with the joint above it. `moved` has the new poses of bones that the edit moves.
    pub(super) fn new(
        skin: usize,
        joints: &[(usize, Local)],
        old: &[(Option<usize>, DMat4)],
        moved: &[Option<DMat4>],
    ) -> Self {
        let mut wanted: Vec<DMat4> = old.iter().map(|(_, local)| *local).collect();
        let mut locals = BTreeMap::new();
        for (number, moved) in moved.iter().enumerate() {
            let Some(moved) = *moved else { continue };
            let before = wanted[number];
            let after = with_parts_of(before, moved);
            let (node, local) = joints[number];
            // Between a joint and the one above it may be other nodes.
            let own = local.to_matrix() * before.inverse() * after;
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
            wanted[number] = before * local.to_matrix().inverse() * new.to_matrix();
            locals.insert(node, new);
        }
        let places = composed(old, &wanted).into_iter();
        Self {
            skin,
            locals,
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
        for (&node, local) in &self.locals {
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

//! Rest poses of skins. Blender stores no scale of a bone at rest: it moves the vertices instead, by the matrices that a
//! skin has before and after.

use std::collections::HashMap;

use glam::{DMat3, DMat4, DVec3};
use serde_json::Value;

use super::nodes::NodePairs;
use super::noise::{Change, Noise};
use super::pair::Pair;
use super::rest::{RestPose, ShownJoints, composed, is_close};
use crate::pack::edited::Refusal;
use crate::pack::json::{index, items};
use crate::pack::scene::file::Document;

/// Bones of a vertex with their weights.
pub(in crate::pack::scene) type Weights = Vec<(usize, f32)>;

/// An edited skin, seen from the original one.
#[derive(Debug)]
pub(super) struct Skin {
    /// For each edited joint the original one.
    pub joints: Vec<usize>,
    /// For each original joint the matrix from original vertices to edited ones.
    matrices: Vec<DMat4>,
    /// True if vertices have the same positions in both.
    is_same: bool,
    /// The pose at rest, if the edit changes it.
    pub rest: Option<RestPose>,
}

/// The bone that Blender's exporter makes for vertices without weights.
const NEUTRAL_BONE: &str = "neutral_bone";

fn joints(skin: &Value) -> Vec<usize> {
    items(skin, "joints").iter().filter_map(index).collect()
}

/// The bind matrices of a skin, from vertices to joints.
fn inverse_binds(document: &Document, skin: &Value, count: usize) -> Result<Vec<DMat4>, Refusal> {
    let Some(accessor) = skin.get("inverseBindMatrices").and_then(index) else {
        return Ok(vec![DMat4::IDENTITY; count]);
    };
    let rows = document.rows::<16>(accessor)?;
    if rows.len() < count {
        refuse!("a skin has fewer matrices than joints");
    }
    Ok(rows.iter().map(DMat4::from_cols_array).collect())
}

/// For each joint its nearest parent that is a joint, and its transform there at rest.
fn locals(
    joints: &[usize],
    inverse_binds: &[DMat4],
    parent: impl Fn(usize) -> Option<usize>,
) -> Vec<(Option<usize>, DMat4)> {
    let numbers: HashMap<usize, usize> = joints
        .iter()
        .enumerate()
        .map(|(number, &node)| (node, number))
        .collect();
    let local = |(number, &node): (usize, &usize)| {
        let own = inverse_binds[number].inverse();
        let above = parent(node).and_then(|node| numbers.get(&node).copied());
        match above {
            Some(above) => (Some(above), inverse_binds[above] * own),
            None => (None, own),
        }
    };
    joints.iter().enumerate().map(local).collect()
}

fn without_scale(matrix: DMat4) -> DMat4 {
    let (_, rotation, translation) = matrix.to_scale_rotation_translation();
    DMat4::from_rotation_translation(rotation, translation)
}

/// The poses of the bones of a skin at rest, seen from the original ones.
struct Poses {
    /// Number of bones that lost their scale.
    changed: usize,
    /// True if the edit moves a bone.
    is_edited: bool,
    /// Poses of all bones as the program shows them without the edit.
    unmoved: Vec<DMat4>,
}

impl Poses {
    /// Compares the poses of the original joints with the edited ones, where there are any.
    ///
    /// # Errors
    /// The edit moves a bone of a game that does not store its pose.
    fn new(
        pair: Pair<'_>,
        joints: &[usize],
        [old, new]: [&[(Option<usize>, DMat4)]; 2],
        new_of_old: &[Option<usize>],
    ) -> Result<Self, Refusal> {
        let mut poses = Self {
            changed: 0,
            is_edited: false,
            unmoved: old.iter().map(|(_, local)| *local).collect(),
        };
        for (number, edited) in new_of_old.iter().enumerate() {
            let Some(edited) = *edited else { continue };
            let (before, after) = (old[number].1, new[edited].1);
            if is_close(before, after) {
                poses.unmoved[number] = after;
            } else if is_close(without_scale(before), after) {
                poses.unmoved[number] = after;
                poses.changed += 1;
            } else {
                let bone = &pair.base_scene.nodes[joints[number]];
                if !bone.extras["zipper"].is_null() {
                    refuse!(
                        "bone {}: its pose at rest changed, which this game does not store; undo the change in edit mode (or of the armature object), and move the bone in a clip",
                        bone.name
                    );
                }
                poses.is_edited = true;
                poses.unmoved[number] = without_scale(before);
            }
        }
        Ok(poses)
    }
}

impl Skin {
    /// Compares the skins of a pair of nodes. `None`: the original node has none.
    ///
    /// # Errors
    /// The skins have other bones or other poses at rest.
    pub(super) fn new(
        pair: Pair<'_>,
        nodes: &NodePairs,
        base_node: usize,
        edited_node: usize,
        noise: &mut Noise,
    ) -> Result<Option<Self>, Refusal> {
        let name = &pair.base_scene.nodes[base_node].name;
        let of = |document: &Document, node: usize| {
            let skin = index(&document.json["nodes"][node]["skin"])?;
            items(&document.json, "skins").get(skin).cloned()
        };
        let Some(before) = of(pair.base, base_node) else {
            return Ok(None);
        };
        let Some(after) = of(pair.edited, edited_node) else {
            refuse!(
                "node {name}: it lost its skin; keep the armature modifier of the mesh, and export the armature with it"
            );
        };
        let old_joints = joints(&before);
        let new_joints = joints(&after);
        let old_binds = inverse_binds(pair.base, &before, old_joints.len())?;
        let new_binds = inverse_binds(pair.edited, &after, new_joints.len())?;
        let mut matched = Vec::with_capacity(new_joints.len());
        let mut new_of_old = vec![None; old_joints.len()];
        for (number, &node) in new_joints.iter().enumerate() {
            let original = nodes.base.get(node).copied().flatten();
            let place = original.and_then(|it| old_joints.iter().position(|&old| old == it));
            let Some(place) = place else {
                let bone = pair.edited_scene.nodes.get(node).map_or("", |it| &*it.name);
                if bone == NEUTRAL_BONE {
                    refuse!(
                        "node {name}: vertices of its mesh belong to no bone; give them weights (Blender: Vertex Groups)"
                    );
                }
                refuse!(
                    "bone {bone}: the skeleton of the game does not have it; remove the bone, or give it its old name"
                );
            };
            matched.push(place);
            new_of_old[place] = Some(number);
        }
        let base_parent = |node: usize| pair.base_scene.nodes.get(node)?.parent;
        let edited_parent = |node: usize| pair.edited_scene.nodes.get(node)?.parent;
        let old_locals = locals(&old_joints, &old_binds, base_parent);
        let new_locals = locals(&new_joints, &new_binds, edited_parent);
        let poses = Poses::new(pair, &old_joints, [&old_locals, &new_locals], &new_of_old)?;
        let mut is_same = true;
        let mut matrices = vec![DMat4::IDENTITY; old_joints.len()];
        // In edit mode, vertices stay where they are.
        let shown = match poses.is_edited {
            true => composed(&old_locals, &poses.unmoved),
            false => Vec::new(),
        };
        let mut after = shown.clone();
        for (old, new) in new_of_old.iter().enumerate() {
            let Some(new) = *new else { continue };
            let place = new_binds[new].inverse();
            if let Some(after) = after.get_mut(old) {
                *after = place;
            }
            let bound = shown.get(old).copied().unwrap_or(place) * old_binds[old];
            if !is_close(bound, DMat4::IDENTITY) {
                is_same = false;
            }
            matrices[old] = bound;
        }
        noise.add(Change::RestPose, poses.changed);
        let skin = index(&pair.base.json["nodes"][base_node]["skin"]);
        let rest = skin.filter(|_| poses.is_edited).map(|skin| {
            let nodes = old_joints
                .iter()
                .map(|&node| (node, pair.base_scene.nodes[node].local));
            let shown = ShownJoints {
                before: &shown,
                after: &after,
            };
            RestPose::new(skin, &nodes.collect::<Vec<_>>(), &old_locals, &shown)
        });
        Ok(Some(Self {
            joints: matched,
            matrices,
            is_same,
            rest,
        }))
    }

    /// The matrix from the original vertices to the edited ones, for a vertex with these weights.
    fn to_edited(&self, weights: &Weights) -> DMat4 {
        let sum: f64 = weights.iter().map(|(_, weight)| f64::from(*weight)).sum();
        let parts = weights.iter().filter_map(|&(joint, weight)| {
            Some(*self.matrices.get(joint)? * (f64::from(weight) / sum))
        });
        match sum > 0.0 {
            true => parts.fold(DMat4::ZERO, |all, part| all + part),
            false => DMat4::IDENTITY,
        }
    }

    /// Moves a position and a normal of the edit to where the original has them.
    pub(super) fn to_base(
        &self,
        weights: &Weights,
        position: &mut [f32; 3],
        normal: Option<&mut [f32; 3]>,
    ) {
        if self.is_same {
            return;
        }
        let matrix = self.to_edited(weights);
        let inverse = matrix.inverse();
        if !inverse.is_finite() {
            return;
        }
        let moved = inverse.transform_point3(DVec3::from_array(position.map(f64::from)));
        *position = moved.as_vec3().to_array();
        if let Some(normal) = normal {
            let turned =
                DMat3::from_mat4(matrix).transpose() * DVec3::from_array(normal.map(f64::from));
            *normal = turned.normalize_or_zero().as_vec3().to_array();
        }
    }
}

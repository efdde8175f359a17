//! Bones and weights of the corners of a mesh.

use super::mesh_pair::MeshPair;
use super::skin::{Skin, Weights};
use crate::pack::edited::Refusal;
use crate::pack::json::{index, items};
use crate::pack::scene::file::{Document, SceneMesh};

/// Bones and weights of the corners of both meshes, with the joints of the original skin.
#[derive(Debug, Default)]
pub(super) struct SideWeights {
    pub base: Vec<Vec<Weights>>,
    pub edited: Vec<Vec<Weights>>,
}

impl SideWeights {
    pub(super) fn new(meshes: MeshPair<'_>) -> Result<Self, Refusal> {
        let Some(skin) = meshes.skin else {
            return Ok(Self::default());
        };
        let pair = meshes.pair;
        let base = &pair.base_scene.meshes[meshes.base];
        let edited = &pair.edited_scene.meshes[meshes.edited];
        Ok(Self {
            base: weights(pair.base, meshes.base, base, Some)?,
            edited: weights(pair.edited, meshes.edited, edited, |joint| {
                skin.joints.get(joint).copied()
            })?,
        })
    }

    /// The edited mesh with the vertices where the original has them.
    pub(super) fn to_base(&self, meshes: MeshPair<'_>, skin: &Skin) -> SceneMesh {
        let mut mesh = meshes.pair.edited_scene.meshes[meshes.edited].clone();
        for (part, weights) in mesh.primitives.iter_mut().zip(&self.edited) {
            let normals = &mut part.normals;
            for (corner, (position, weights)) in part.positions.iter_mut().zip(weights).enumerate()
            {
                skin.to_base(weights, position, normals.get_mut(corner));
            }
        }
        mesh
    }

    /// The edited weights of a corner, if they differ.
    pub(super) fn change(&self, from: (usize, usize), to: (usize, usize)) -> Option<Weights> {
        let old = self.base.get(from.0)?.get(from.1)?;
        // Programs may leave out the weights.
        let new = self.edited.get(to.0)?.get(to.1)?;
        if new.is_empty() {
            return None;
        }
        let weight = |all: &Weights, joint: usize| -> f32 {
            let own = all.iter().filter(|(it, _)| *it == joint);
            own.map(|(_, weight)| weight).sum()
        };
        let mut joints = old.iter().chain(new).map(|(joint, _)| *joint);
        let differs = joints.any(|joint| (weight(old, joint) - weight(new, joint)).abs() > 0.004);
        differs.then(|| new.clone())
    }
}

/// Bones and weights of the corners of a mesh, by primitive. `joint` returns the number of a bone.
///
/// # Errors
/// A list of numbers cannot be read.
pub(in crate::pack::scene) fn weights(
    document: &Document,
    mesh: usize,
    scene: &SceneMesh,
    joint: impl Fn(usize) -> Option<usize>,
) -> Result<Vec<Vec<Weights>>, Refusal> {
    let parts = items(&document.json["meshes"][mesh], "primitives");
    let mut all = Vec::with_capacity(parts.len());
    for (part, primitive) in parts.iter().zip(&scene.primitives) {
        let rows = |name: &str| match part["attributes"].get(name).and_then(index) {
            Some(accessor) => document.rows::<4>(accessor),
            None => Ok(Vec::new()),
        };
        let (joints, weights) = (rows("JOINTS_0")?, rows("WEIGHTS_0")?);
        let of = |vertex: &usize| -> Weights {
            let (Some(joints), Some(weights)) = (joints.get(*vertex), weights.get(*vertex)) else {
                return Weights::new();
            };
            let pairs = joints
                .iter()
                .zip(weights)
                .filter(|(_, weight)| **weight > 0.0);
            pairs
                .filter_map(|(it, weight)| Some((joint(*it as usize)?, *weight as f32)))
                .collect()
        };
        all.push(primitive.vertices.iter().map(of).collect());
    }
    Ok(all)
}

/// Joints and weights as rows.
pub(super) fn weight_rows(weights: &Weights) -> [(String, [f32; 4]); 2] {
    let (mut joints, mut rows) = ([0.0; 4], [0.0; 4]);
    for (at, (joint, weight)) in weights.iter().take(4).enumerate() {
        joints[at] = *joint as f32;
        rows[at] = *weight;
    }
    [
        ("JOINTS_0".to_owned(), joints),
        ("WEIGHTS_0".to_owned(), rows),
    ]
}

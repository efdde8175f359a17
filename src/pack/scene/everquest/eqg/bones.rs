//! Bones of new vertices in EQG format: up to four with weights.

use std::collections::HashMap;

use super::members::{Body, Member};
use crate::pack::edited::Refusal;
use crate::pack::scene::exporter::Weights;
use crate::pack::scene::file::SceneMesh;
use relicast_codec::F32;
use relicast_formats::everquest::eqg::parts::{Influence, VertexWeights};

/// Bones with weights of the corners of each primitive of a mesh.
pub(super) type CornerWeights = Vec<Vec<Weights>>;

/// Largest difference of weights that count as equal.
const SLACK: f32 = 0.006;

/// The bones of a corner.
pub(super) fn at(all: &CornerWeights, primitive: usize, corner: usize) -> Option<&Weights> {
    let own = all.get(primitive)?.get(corner)?;
    (!own.is_empty()).then_some(own)
}

/// True if the same bones have the same weights.
pub(super) fn is_same(one: &Weights, other: &Weights) -> bool {
    let weight = |all: &Weights, bone: usize| -> f32 {
        let own = all.iter().filter(|(it, _)| *it == bone);
        own.map(|(_, weight)| weight).sum()
    };
    let mut bones = one.iter().chain(other).map(|(bone, _)| *bone);
    bones.all(|bone| (weight(one, bone) - weight(other, bone)).abs() <= SLACK)
}

/// The stored form.
///
/// # Errors
/// There are none, or the game has no such bone.
pub(super) fn stored(weights: Option<&Weights>) -> Result<VertexWeights, Refusal> {
    let weights = weights.ok_or_else(|| {
        refusal!("a new vertex of it has no bone; assign it to the vertex group of one")
    })?;
    let mut stored = VertexWeights::default();
    for (place, (bone, weight)) in stored.influences.iter_mut().zip(weights) {
        *place = Influence {
            bone: i32::try_from(*bone).map_err(Refusal::new)?,
            weight: F32(*weight),
        };
        stored.count += 1;
    }
    Ok(stored)
}

/// True if bones move the vertices of a model.
pub(super) fn has_bones(file: &Member) -> bool {
    match &file.body {
        Body::Mesh(mesh) => !mesh.tail.bones.is_empty(),
        Body::Creature(creature) => !creature.bones.is_empty(),
        _ => false,
    }
}

/// Bones of a new vertex, if it has any, and the old vertex that it is like.
pub(super) type NewBones = (Option<VertexWeights>, usize);

/// Adds the bones of new vertices to a piece whose vertices have bones. Without bones, a vertex has those of the old one
/// that it is like.
pub(super) fn add(file: &mut Member, piece: usize, new: &[NewBones]) {
    let vertices = file.piece(piece).map_or(0, |piece| piece.vertices.len());
    let of = |old: &[VertexWeights]| -> Vec<VertexWeights> {
        let new = new.iter().map(|(weights, like)| {
            let own = weights.as_ref().or_else(|| old.get(*like));
            own.cloned().unwrap_or_default()
        });
        new.collect()
    };
    match &mut file.body {
        Body::Mesh(mesh)
            if !mesh.tail.weights.is_empty() && mesh.tail.weights.len() == vertices =>
        {
            let new = of(&mesh.tail.weights);
            mesh.tail.weights.extend(new);
        }
        Body::Creature(creature) => {
            let piece = creature.pieces.get_mut(piece);
            let is_bound =
                |weights: &[VertexWeights]| !weights.is_empty() && weights.len() == vertices;
            if let Some(piece) = piece.filter(|piece| is_bound(&piece.weights)) {
                let before = piece.weights.len();
                let new = of(&piece.weights);
                piece.weights.extend(new);
                let count = u32::try_from(piece.weights.len() - before).unwrap_or_default();
                piece.weight_count = piece.weight_count.saturating_add(count);
            }
        }
        _ => {}
    }
}

/// Checks that the corners of a packed mesh have the bones of the edit, in any order.
///
/// # Errors
/// One has others.
pub(super) fn check(
    wanted: (&SceneMesh, &CornerWeights),
    found: (&SceneMesh, &CornerWeights),
) -> Result<(), Refusal> {
    let key = |position: &[f32; 3]| position.map(|part| (part * 512.0).round() as i64);
    let mut all: HashMap<[i64; 3], Vec<&Weights>> = HashMap::new();
    for (part, weights) in found.0.primitives.iter().zip(found.1) {
        for (position, weights) in part.positions.iter().zip(weights) {
            all.entry(key(position)).or_default().push(weights);
        }
    }
    for (part, weights) in wanted.0.primitives.iter().zip(wanted.1) {
        let corners = part.positions.iter().zip(weights);
        for (position, weights) in corners.filter(|(_, weights)| !weights.is_empty()) {
            let own = all.get(&key(position)).into_iter().flatten();
            if !own.into_iter().any(|own| is_same(own, weights)) {
                refuse!("its corners have other bones in the packed file");
            }
        }
    }
    Ok(())
}

//! Bones of the corners of a mesh. The game stores one for each vertex.

use crate::pack::edited::Refusal;
use crate::pack::scene::exporter::{Weights, weights};
use crate::pack::scene::file::{Document, SceneMesh};

/// The bone of a corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Joint {
    pub bone: u16,
    /// False if others move it too.
    pub is_alone: bool,
}

impl Joint {
    /// The bone with the largest weight.
    fn new(weights: &Weights) -> Option<Self> {
        let weights = weights.iter().filter(|(_, weight)| *weight > SMALLEST);
        let (bone, _) = weights
            .clone()
            .max_by(|one, other| one.1.total_cmp(&other.1))?;
        Some(Self {
            bone: u16::try_from(*bone).ok()?,
            is_alone: weights.clone().all(|(other, _)| other == bone),
        })
    }
}

/// The bones of the corners of each primitive of a mesh.
pub(super) type Joints = Vec<Vec<Option<Joint>>>;

/// Smallest weight that counts.
const SMALLEST: f32 = 0.004;

/// The bones of a mesh of a file. `number` is that of the mesh.
///
/// # Errors
/// A list of numbers cannot be read.
pub(super) fn joints(
    document: &Document,
    number: usize,
    mesh: &SceneMesh,
) -> Result<Joints, Refusal> {
    let all = weights(document, number, mesh, Some)?.into_iter();
    let joints = |part: Vec<Weights>| part.iter().map(Joint::new).collect();
    Ok(all.map(joints).collect())
}

/// The bone of a corner of a primitive.
pub(super) fn joint_at(joints: &Joints, primitive: usize, corner: usize) -> Option<Joint> {
    joints.get(primitive)?.get(corner).copied().flatten()
}

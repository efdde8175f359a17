//! Surfaces by which triangles are assigned to groups of faces.

use crate::pack::edited::Refusal;
use crate::pack::scene::everquest::recut::MaterialAssignment;
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::file::{SceneFile, SceneMesh};

/// Key by which the triangles of a primitive are assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Surface {
    /// Number of the material in the original scene.
    pub material: usize,
    /// True if its faces stop movement.
    pub is_solid: bool,
}

/// The surfaces of the primitives of a mesh of a file, by materials of the original scene.
pub(super) fn surfaces(
    scene: &Scene<'_>,
    file: &SceneFile,
    mesh: &SceneMesh,
) -> Result<Vec<Surface>, Refusal> {
    let parts = mesh.primitives.iter();
    parts
        .map(|part| {
            let assignment = MaterialAssignment::new(&scene.base, file, part)?;
            let none = || {
                refusal!("faces of it, or of an object that joins it, have no material; assign one")
            };
            Ok(Surface {
                material: assignment.material.ok_or_else(none)?,
                is_solid: assignment.is_solid,
            })
        })
        .collect()
}

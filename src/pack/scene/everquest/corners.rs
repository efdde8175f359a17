//! Corners of scenes of EverQuest: axes, their meshes, and their rounding.

use super::edits::Place;
use super::scene::Scene;
use crate::pack::edited::Refusal;
use crate::pack::scene::file::{SceneFile, SceneMesh};

/// A vertex of a mesh or a piece of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct VertexId {
    pub mesh: Place,
    /// Its number there.
    pub vertex: usize,
}

/// A position or direction of a scene in file axes.
pub(super) fn to_file<T: Copy>([y, z, x]: [T; 3]) -> [T; 3] {
    [x, y, z]
}

/// A position or direction of a file in scene axes.
pub(super) fn to_scene<T: Copy>([x, y, z]: [T; 3]) -> [T; 3] {
    [y, z, x]
}

/// Reason to refuse corners that share a vertex and were moved apart.
pub(super) const APART: &str = "corners that share a vertex were moved apart";

/// Reason to refuse corners that share a vertex and got different baked light.
pub(super) const ONE_COLOR: &str = "its baked light has one color for each vertex; give the corners of all faces at a vertex the same color (Blender: paint without a face mask)";

/// The mesh of an original node, and the same mesh with numbers.
pub(super) fn meshes_of<'s>(
    scene: &'s Scene<'_>,
    numbered: &'s SceneFile,
    node: usize,
) -> Result<(&'s SceneMesh, &'s SceneMesh), Refusal> {
    let mesh = |file: &'s SceneFile| {
        let mesh = file.nodes.get(node).and_then(|node| node.mesh);
        mesh.and_then(|mesh| file.meshes.get(mesh))
    };
    let corners = |mesh: &SceneMesh| -> Vec<usize> {
        let parts = mesh.primitives.iter();
        parts.map(|part| part.positions.len()).collect()
    };
    match (mesh(&scene.base), mesh(numbered)) {
        (Some(base), Some(codes)) if corners(base) == corners(codes) => Ok((base, codes)),
        _ => Err(refusal!(
            "its corners cannot be traced to vertices of the file"
        )),
    }
}

/// Returns the largest distance of numbers from the wanted ones.
pub(super) fn off<const N: usize>(
    what: &str,
    wanted: Option<[f32; N]>,
    found: Option<[f32; N]>,
    allowed: f32,
) -> Result<f32, Refusal> {
    let other = || {
        refusal!(
            "the packed file shows other {what}: its model is shown several times, or its values are derived from others"
        )
    };
    let (Some(wanted), Some(found)) = (wanted, found) else {
        return match wanted == found {
            true => Ok(0.0),
            false => Err(other()),
        };
    };
    let parts = wanted.into_iter().zip(found);
    let off = parts.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    match off <= allowed {
        true => Ok(off),
        false => Err(other()),
    }
}

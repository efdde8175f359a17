//! An original mesh and the edited one.

use super::pair::Pair;
use super::skin::Skin;

/// Pair of meshes, and what is known of their surfaces.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeshPair<'f> {
    pub pair: Pair<'f>,
    pub base: usize,
    pub edited: usize,
    pub skin: Option<&'f Skin>,
    /// For each material of the edited file its index in the restored file; `None` for one of a surface without one.
    pub materials: &'f [Option<usize>],
}

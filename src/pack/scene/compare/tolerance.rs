//! Differences between numbers that count as equal.

use super::triangles::is_near;
use crate::pack::scene::file::Local;

/// Largest differences between numbers that count as equal.
#[derive(Debug, Clone, Copy)]
pub(in crate::pack::scene) struct Tolerance {
    /// For positions of nodes, relative to the larger of 1 and the number.
    pub place: f32,
    /// For positions of vertices, relative to the larger of `extent` and the number.
    pub position: f32,
    /// The number to which the differences of smaller positions are relative: 1, or the size of the mesh.
    pub extent: f32,
    /// For parts of rotations and scales.
    pub turn: f32,
    /// For texture coordinates, relative to the larger of `uv_extent` and the number.
    pub uv: f32,
    /// The number to which the differences of smaller texture coordinates are relative: 1, or the largest of the mesh.
    pub uv_extent: f32,
    /// For parts of normals.
    pub normal: f32,
    /// For linear colors, 0 to 1.
    pub color: f32,
}

impl Tolerance {
    /// Exact equality.
    pub(in crate::pack::scene) const EXACT: Self = Self {
        place: 0.0,
        position: 0.0,
        extent: 1.0,
        turn: 0.0,
        uv: 0.0,
        uv_extent: 1.0,
        normal: 0.0,
        color: 0.0,
    };

    /// Changes that programs make by reading and writing. Blender computes local transforms from world transforms in
    /// single precision.
    pub(in crate::pack::scene) const FOREIGN: Self = Self {
        place: 3e-4,
        position: 2e-6,
        extent: 1.0,
        turn: 5e-5,
        uv: 2e-6,
        uv_extent: 1.0,
        normal: 0.02,
        color: 0.003,
    };

    /// Largest changes that storing in the formats of the games may make.
    pub(in crate::pack::scene) const STORED: Self = Self {
        place: 3e-4,
        position: 1e-4,
        extent: 1.0,
        turn: 2e-4,
        uv: 1e-4,
        uv_extent: 1.0,
        normal: f32::INFINITY,
        color: 0.005,
    };
}

/// True if positions of vertices are equal.
pub(in crate::pack::scene) fn is_same_position(
    old: &[f32; 3],
    new: &[f32; 3],
    Tolerance {
        position, extent, ..
    }: Tolerance,
) -> bool {
    is_within(old, new, position, extent)
}

/// True if texture coordinates are equal.
pub(in crate::pack::scene) fn is_same_uv(
    old: &[f32; 2],
    new: &[f32; 2],
    Tolerance { uv, uv_extent, .. }: Tolerance,
) -> bool {
    is_within(old, new, uv, uv_extent)
}

/// True if rows are equal, to this part of the larger of `extent` and each number.
fn is_within<const N: usize>(old: &[f32; N], new: &[f32; N], part: f32, extent: f32) -> bool {
    let mut pairs = old.iter().zip(new);
    pairs.all(|(old, new)| old == new || (old - new).abs() <= part * old.abs().max(extent))
}

/// True if local transforms are equal.
pub(in crate::pack::scene) fn is_same_place(old: Local, new: Local, tolerance: Tolerance) -> bool {
    if old == new {
        return true;
    }
    // Programs write mirrored transforms in different ways.
    let is_mirrored = |local: Local| local.scale.iter().any(|part| *part < 0.0);
    let is_plain = !is_mirrored(old) && !is_mirrored(new);
    let has_matrix = old.matrix.is_some() || new.matrix.is_some();
    if !has_matrix && (is_plain || old.scale == new.scale) {
        // A rotation equals its negative.
        let turned: f32 = old
            .rotation
            .iter()
            .zip(new.rotation)
            .map(|(a, b)| a * b)
            .sum();
        let sign = if turned < 0.0 { -1.0 } else { 1.0 };
        return is_near(&old.translation, &new.translation, tolerance.place)
            && is_near(
                &old.rotation,
                &new.rotation.map(|part| part * sign),
                tolerance.turn,
            )
            && is_near(&old.scale, &new.scale, tolerance.turn);
    }
    let (old, new) = (old.to_matrix(), new.to_matrix());
    let columns = |matrix: glam::DMat4| matrix.to_cols_array().map(|value| value as f32);
    is_near(&columns(old), &columns(new), tolerance.turn.max(2e-6))
}

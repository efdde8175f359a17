//! Vertices whose normals Blender makes anew. It stores a normal as angles to the mean normal of the faces around a
//! vertex, which does not exist if a face there has almost no area, or if the faces cancel out, as both sides of a sheet
//! do.

use glam::DVec3;

use crate::pack::scene::compare::pairing::points;
use crate::pack::scene::file::ScenePrimitive;

/// Least area of a face, as a part of the square of its longest side.
const MIN_AREA: f64 = 1e-3;

/// Least length of the sum of normals, each times the angle of its face.
const MIN_MEAN: f64 = 0.05;

/// Least length of it as a part of the sum of angles: at the tip of a thin tail Blender changed one of 0.056.
const MIN_PART: f64 = 0.08;

/// For each vertex of a primitive true if it has no mean normal.
pub(super) fn without_mean(part: &ScenePrimitive) -> Vec<bool> {
    let count = part.vertices.iter().max().map_or(0, |most| most + 1);
    let mut means = vec![(DVec3::ZERO, 0.0_f64); count];
    let mut is_thin = vec![false; count];
    for first in (0..part.vertices.len()).step_by(3) {
        let Some(corners) = points(part, first) else {
            continue;
        };
        let sides = [0, 1, 2].map(|at: usize| corners[(at + 1) % 3] - corners[at]);
        let area = sides[0].cross(-sides[2]);
        let longest = sides
            .iter()
            .map(|side| side.length_squared())
            .fold(0.0, f64::max);
        let normal = area.normalize_or_zero();
        for (at, &vertex) in part.vertices[first..].iter().take(3).enumerate() {
            let (one, other) = (
                sides[at].normalize_or_zero(),
                -sides[(at + 2) % 3].normalize_or_zero(),
            );
            let angle = libm::acos(one.dot(other).clamp(-1.0, 1.0));
            let (mean, angles) = &mut means[vertex];
            *mean += normal * angle;
            *angles += angle;
            is_thin[vertex] |= area.length() < MIN_AREA * longest || longest == 0.0;
        }
    }
    let has_none = means
        .into_iter()
        .map(|(mean, angles)| mean.length() < MIN_MEAN.max(MIN_PART * angles));
    has_none
        .zip(is_thin)
        .map(|(none, thin)| none || thin)
        .collect()
}

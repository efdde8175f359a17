//! A polygon with valid corners, and its normals.

use glam::DVec3;

use crate::zipper::scene::triangulate::{Corners, Triangles};
use relicast_codec::Vec2;
use relicast_formats::zipper::gamez::{Model, Polygon};

/// A polygon with valid corners.
pub(super) struct Face<'m> {
    /// Its index among the polygons of the model.
    pub(super) number: usize,
    pub(super) polygon: &'m Polygon,
    /// Indices of the used corners in the polygon's lists.
    pub(super) corners: Corners<usize>,
    pub(super) points: Corners<DVec3>,
    pub(super) triangles: Triangles,
    /// Normal of the whole polygon; none for a strip or without an area.
    pub(super) normal: Option<[f32; 3]>,
}

/// The stored normal of a corner.
pub(super) fn stored_normal(model: &Model, polygon: &Polygon, corner: usize) -> Option<[f32; 3]> {
    let index = *polygon.normal_indices.get(corner)?;
    Some(model.normals.get(index as usize)?.to_array())
}

pub(super) fn uvs_of<'m>(face: &Face<'m>, layer: usize) -> &'m [Vec2] {
    let corners = face.polygon.corners();
    let start = layer.saturating_mul(corners);
    let uvs = &face.polygon.uvs;
    uvs.get(start..start.saturating_add(corners))
        .unwrap_or_default()
}

/// The normal of a whole face; none without an area.
pub(super) fn facing(face: &Face<'_>) -> Option<DVec3> {
    let sum = face
        .triangles
        .list
        .iter()
        .fold(DVec3::ZERO, |sum, triangle| {
            let [a, b, c] = triangle.map(|place| face.points[place]);
            sum + (b - a).cross(c - a)
        });
    sum.try_normalize().filter(|normal| normal.is_finite())
}

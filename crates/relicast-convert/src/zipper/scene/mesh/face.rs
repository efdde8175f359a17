//! A polygon whose corners are valid, and what is asked of it.

use glam::DVec3;

use crate::zipper::scene::triangulate::{Corners, Triangles};
use relicast_codec::Vec2;
use relicast_formats::zipper::gamez::{Model, Polygon};

/// A polygon with valid corners.
pub(super) struct Face<'m> {
    /// Its place among the polygons of the model.
    pub(super) number: usize,
    pub(super) polygon: &'m Polygon,
    /// Positions in the polygon's lists of the corners that count.
    pub(super) corners: Corners<usize>,
    pub(super) points: Corners<DVec3>,
    pub(super) triangles: Triangles,
    /// Normal of the whole polygon; none for a strip or without area.
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

/// The normal of a face seen as a whole; none without area.
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

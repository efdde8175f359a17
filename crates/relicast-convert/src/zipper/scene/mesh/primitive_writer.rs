//! Attributes of the corners of a face: normals, UVs, colors, morph targets.

use glam::DVec3;

use super::face::{Face, facing, stored_normal, uvs_of};
use crate::zipper::scene::triangulate::Corners;
use relicast_codec::Vec2;
use relicast_formats::zipper::gamez::Model;
use relicast_scene::model::{Corner, PrimitiveBuilder};
use relicast_scene::space::vertex_color;

/// Normals for corners without one, from the surrounding faces that are nearly in one plane.
pub(super) struct SmoothNormals {
    /// Minimum cosine of the angle between faces that are shaded smoothly; `None` for flat shading.
    least_cosine: Option<f64>,
    /// Normals of the faces around each vertex.
    around: Vec<Vec<DVec3>>,
}

impl SmoothNormals {
    pub(super) fn new(model: &Model, faces: &[Face<'_>], angle: f32) -> Self {
        let least_cosine = (angle > 0.0).then(|| libm::cos(f64::from(angle).to_radians()));
        let mut around = Vec::new();
        if least_cosine.is_some() {
            around.resize(model.vertices.len(), Vec::new());
            for face in faces {
                let Some(normal) = facing(face) else {
                    continue;
                };
                for &corner in &face.corners {
                    let vertex = face.polygon.vertex_indices[corner] as usize;
                    around[vertex].push(normal);
                }
            }
        }
        Self {
            least_cosine,
            around,
        }
    }

    fn normal(&self, vertex: usize, face: &Face<'_>) -> Option<[f32; 3]> {
        let least = self.least_cosine?;
        let own = facing(face)?;
        let near = self.around.get(vertex)?.iter();
        let sum: DVec3 = near.filter(|normal| normal.dot(own) >= least - 1e-9).sum();
        let normal = sum.try_normalize()?;
        Some(normal.to_array().map(|part| part as f32))
    }
}

/// Writer of the faces of a primitive.
pub(super) struct PrimitiveWriter<'m> {
    pub(super) model: &'m Model,
    pub(super) smooth: &'m SmoothNormals,
    pub(super) layer: usize,
    pub(super) uv_sets: usize,
    /// Meters above the plane; negative: below it.
    pub(super) lift: f32,
}

impl PrimitiveWriter<'_> {
    /// Adds the triangles of a face, and returns those that were not left out, as indices into its corners.
    pub(super) fn add(
        &self,
        builder: &mut PrimitiveBuilder,
        face: &Face<'_>,
    ) -> Corners<[usize; 3]> {
        let (model, polygon) = (self.model, face.polygon);
        let sets: Corners<&[Vec2]> = (0..self.uv_sets)
            .map(|set| uvs_of(face, self.layer + set))
            .collect();
        let uv =
            |set: &&[Vec2], corner: usize| set.get(corner).map_or([0.0; 2], |uv| uv.to_array());
        let corners = || face.corners.iter().copied();
        let uvs: Corners<[f32; 2]> = corners()
            .flat_map(|corner| sets.iter().map(move |set| uv(set, corner)))
            .collect();
        let vertex_of = |corner: usize| polygon.vertex_indices[corner] as usize;
        let has_morphs = !model.morphs.is_empty();
        let morphs: Corners<[f32; 3]> = corners()
            .filter(|_| has_morphs)
            .map(|corner| model.morphs.get(vertex_of(corner)))
            .map(|morph| morph.map_or([0.0; 3], |morph| morph.to_array()))
            .collect();
        let lift = facing(face).filter(|_| self.lift != 0.0);
        let lift = lift.map(|normal| (normal * f64::from(self.lift)).as_vec3().to_array());
        let filled: Corners<Corner<'_>> = corners()
            .enumerate()
            .map(|(place, corner)| {
                let vertex = vertex_of(corner);
                let color = polygon.colors.get(corner);
                let mut position = model.vertices[vertex].to_array();
                for (part, lift) in position.iter_mut().zip(lift.unwrap_or_default()) {
                    *part += lift;
                }
                Corner {
                    position,
                    normal: stored_normal(model, polygon, corner)
                        .or_else(|| self.smooth.normal(vertex, face))
                        .or(face.normal),
                    uvs: &uvs[place * self.uv_sets..][..self.uv_sets],
                    color: color.map(|color| vertex_color(color.to_array(), 1.0)),
                    morphs: morphs.get(place..=place).unwrap_or_default(),
                    ..Corner::default()
                }
            })
            .collect();
        let mut known: Corners<Option<u32>> = Corners::from_elem(None, filled.len());
        let triangles = face.triangles.list.iter().copied();
        triangles
            .filter(|&triangle| builder.triangle_of(&filled, &mut known, triangle))
            .collect()
    }
}

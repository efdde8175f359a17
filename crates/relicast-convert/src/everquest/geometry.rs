//! Meshes of both kinds as one type, in file axes, with all indices checked.

use relicast_formats::everquest::wld::{
    Bgra, Body, FaceFlags, FragmentRef, LegacyMesh, MaterialGroup, Mesh, VertexPiece, Wld,
};

use super::checks::Checks;

/// Maximum number of frames of an animation of vertices that become morph targets; retail files have 15.
const MAX_FRAMES: usize = 512;

/// Largest coordinate. Values beyond it are not positions, and their squares would overflow.
const FARTHEST: f32 = 1e15;

/// Duration of a frame without a stored one, in milliseconds.
const DEFAULT_SLEEP: u32 = 100;

/// A triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GeometryFace {
    /// Indices of its vertices, all of which exist; clockwise seen from outside.
    pub vertices: [usize; 3],
    /// Index in the palette.
    pub slot: Option<u16>,
    /// True if it stops movement.
    pub solid: bool,
}

/// A mesh in file axes. Lists of vertex data are as long as `positions` or empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Geometry {
    /// Name of the fragment.
    pub name: String,
    /// Its materials.
    pub palette: FragmentRef,
    /// Positions, all of them finite.
    pub positions: Vec<[f32; 3]>,
    /// Texture coordinates; V grows from the bottom of the picture.
    pub uvs: Vec<[f32; 2]>,
    /// Directions, pointing outwards.
    pub normals: Vec<[f32; 3]>,
    /// Baked light; alpha is the strength of the light of the sky.
    pub colors: Vec<Bgra>,
    /// Material of each vertex by the vertex groups.
    pub slots: Vec<Option<u16>>,
    /// Bone of each vertex.
    pub bones: Vec<Option<u16>>,
    /// Triangles.
    pub faces: Vec<GeometryFace>,
    /// Center that was added to the positions.
    pub center: [f32; 3],
    /// Animation of the vertices, if any.
    pub animation: FragmentRef,
    /// Collision volume, if any.
    pub collision: FragmentRef,
    /// Position of the flame relative to the center, for things that give light.
    pub light_offset: Option<[f32; 3]>,
}

/// Positions over time.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct VertexFrames {
    /// Duration of each frame in milliseconds.
    pub sleep: u32,
    /// Positions of each frame in file axes, as many as the mesh has vertices.
    pub frames: Vec<Vec<[f32; 3]>>,
}

impl Geometry {
    /// The mesh at `index` of a file; `None` if there is none.
    pub(super) fn new(wld: &Wld<'_>, index: usize, checks: &mut Checks) -> Option<Self> {
        let fragment = wld.fragments.get(index)?;
        let mut geometry = match &fragment.body {
            Body::Mesh(mesh) => Self::of_mesh(mesh, checks),
            Body::LegacyMesh(mesh) => Self::of_legacy(mesh, checks),
            _ => return None,
        };
        fragment.name().clone_into(&mut geometry.name);
        geometry.tidy(checks);
        Some(geometry)
    }

    fn of_mesh(mesh: &Mesh, checks: &mut Checks) -> Self {
        let count = mesh.positions.len();
        let mut faces = Vec::with_capacity(mesh.faces.len());
        for (of_material, slot) in mesh.faces_by_material() {
            for face in of_material {
                if let Some(vertices) = existing(face.vertices, count, checks) {
                    faces.push(GeometryFace {
                        vertices,
                        slot,
                        solid: !face.flags.contains(FaceFlags::PASSABLE),
                    });
                }
            }
        }
        let light = mesh.light_offset.to_array();
        Self {
            palette: mesh.palette,
            positions: mesh.all_positions().collect(),
            uvs: uvs(count, |at| mesh.texture_coordinates.get(at)),
            normals: (0..count)
                .map(|at| mesh.normal(at).unwrap_or_default())
                .collect(),
            colors: padded(&mesh.colors, count),
            slots: runs(&mesh.vertex_groups, count),
            bones: bones(&mesh.pieces, count),
            faces,
            center: mesh.center.to_array(),
            animation: mesh.animation,
            collision: mesh.collision,
            light_offset: (light != [0.0; 3]).then_some(light),
            ..Self::default()
        }
    }

    fn of_legacy(mesh: &LegacyMesh, checks: &mut Checks) -> Self {
        let count = mesh.positions.len();
        let groups = mesh.face_groups.iter().flatten();
        let mut grouped =
            groups.flat_map(|group| std::iter::repeat_n(group.material, usize::from(group.count)));
        let mut faces = Vec::with_capacity(mesh.faces.len());
        faces.extend(mesh.faces.iter().filter_map(|face| {
            let slot = grouped.next().unwrap_or(face.material);
            existing(face.vertices, count, checks).map(|vertices| GeometryFace {
                vertices,
                slot: Some(slot),
                solid: true,
            })
        }));
        let centered = mesh
            .flags
            .contains(relicast_formats::everquest::wld::LegacyMeshFlags::CENTER);
        Self {
            palette: mesh.palette,
            positions: (0..count)
                .map(|at| mesh.position(at).unwrap_or_default())
                .collect(),
            uvs: uvs(count, |at| {
                mesh.texture_coordinates.get(at).map(|uv| uv.to_array())
            }),
            normals: (0..count)
                .map(|at| {
                    mesh.normals
                        .get(at)
                        .map_or([0.0; 3], |normal| normal.to_array())
                })
                .collect(),
            colors: padded(mesh.colors.as_deref().unwrap_or_default(), count),
            slots: runs(mesh.vertex_groups.as_deref().unwrap_or_default(), count),
            bones: bones(mesh.pieces.as_deref().unwrap_or_default(), count),
            faces,
            center: if centered {
                mesh.center.to_array()
            } else {
                [0.0; 3]
            },
            animation: mesh.animation,
            collision: mesh.collision,
            light_offset: mesh.point.map(|point| point.to_array()),
            ..Self::default()
        }
    }

    /// Replaces values that are not finite, and missing normals by that of a face.
    fn tidy(&mut self, checks: &mut Checks) {
        let finite: Vec<bool> = self
            .positions
            .iter()
            .map(|position| position.iter().all(|part| part.abs() <= FARTHEST))
            .collect();
        if finite.contains(&false) {
            let before = self.faces.len();
            self.faces
                .retain(|face| face.vertices.iter().all(|&vertex| finite[vertex]));
            checks.not_finite_faces += before - self.faces.len();
            for (position, finite) in self.positions.iter_mut().zip(&finite) {
                if !finite {
                    *position = [0.0; 3];
                }
            }
        }
        for part in self.uvs.as_flattened_mut() {
            if !part.is_finite() {
                *part = 0.0;
                checks.replaced_values += 1;
            }
        }
        // Nearly always all vertices have a direction of their own, and those of their faces are not needed.
        let lacks = self.normals.iter().any(|normal| !has_direction(*normal));
        let mut around = match lacks {
            true => vec![[0.0_f64; 3]; self.positions.len()],
            false => Vec::new(),
        };
        for face in &self.faces {
            let outwards = self.outwards(face);
            let mut along = 0.0;
            for &vertex in &face.vertices {
                if let Some(sum) = around.get_mut(vertex) {
                    for (sum, part) in sum.iter_mut().zip(outwards) {
                        *sum += part;
                    }
                }
                let normal = self.normals[vertex].map(f64::from);
                along += dot(outwards, normal);
            }
            if along > 0.0 {
                checks.winding[0] += 1;
            } else if along < 0.0 {
                checks.winding[1] += 1;
            }
        }
        for (vertex, normal) in self.normals.iter_mut().enumerate() {
            let of_faces = || around.get(vertex).copied().and_then(unit);
            *normal = match unit(normal.map(f64::from)) {
                Some(own) => own,
                None => match of_faces() {
                    Some(face) => {
                        checks.replaced_normals += 1;
                        face
                    }
                    None => [0.0, 0.0, 1.0],
                },
            };
        }
    }

    /// Vector of twice the area of a face, towards the visible side.
    fn outwards(&self, face: &GeometryFace) -> [f64; 3] {
        let [a, b, c] = face
            .vertices
            .map(|vertex| self.positions[vertex].map(f64::from));
        let from_a = |p: [f64; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
        let (u, v) = (from_a(c), from_a(b));
        [
            u[1] * v[2] - u[2] * v[1],
            u[2] * v[0] - u[0] * v[2],
            u[0] * v[1] - u[1] * v[0],
        ]
    }

    /// The animation of the vertices; `None` without one, or if it does not fit.
    pub(super) fn frames(&self, wld: &Wld<'_>, checks: &mut Checks) -> Option<VertexFrames> {
        let instance = wld.get(self.animation)?;
        let Body::MeshAnimationInstance(instance) = &instance.body else {
            return None;
        };
        let vertices = self.positions.len();
        let center = relicast_codec::Vec3::from(self.center);
        let (sleep, frames) = match &wld.get(instance.definition)?.body {
            Body::MeshAnimation(animation) => {
                let count = usize::from(animation.frame_count).min(MAX_FRAMES + 1);
                let frame = |frame: usize| -> Vec<[f32; 3]> {
                    let position = |vertex| animation.position(frame, vertex, center);
                    (0..vertices).filter_map(position).collect()
                };
                (u32::from(animation.sleep), (0..count).map(frame).collect())
            }
            Body::LegacyMeshAnimation(animation) => {
                let frames = animation.frames().take(MAX_FRAMES + 1);
                let [x, y, z] = self.center;
                let frames = frames.map(|frame| {
                    let points = frame.iter().map(|point| point.to_array());
                    points.map(|[a, b, c]| [a + x, b + y, c + z]).collect()
                });
                (animation.sleep, frames.collect())
            }
            _ => return None,
        };
        let frames: Vec<Vec<[f32; 3]>> = frames;
        let fits = |frame: &Vec<[f32; 3]>| {
            let near = |part: &f32| part.abs() <= FARTHEST;
            frame.len() == vertices && frame.as_flattened().iter().all(near)
        };
        if frames.is_empty() || frames.len() > MAX_FRAMES || !frames.iter().all(fits) {
            checks.odd_animations += 1;
            return None;
        }
        Some(VertexFrames {
            sleep: if sleep == 0 { DEFAULT_SLEEP } else { sleep },
            frames,
        })
    }
}

fn dot(one: [f64; 3], other: [f64; 3]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// The direction with length 1, if there is one.
fn unit(direction: [f64; 3]) -> Option<[f32; 3]> {
    let length = dot(direction, direction).sqrt();
    (length.is_finite() && length > 0.0).then(|| direction.map(|part| (part / length) as f32))
}

/// True if [`unit`] finds a direction.
fn has_direction(normal: [f32; 3]) -> bool {
    let wide = normal.map(f64::from);
    let square = dot(wide, wide);
    square.is_finite() && square > 0.0
}

/// The corners of a face, if all of them exist.
fn existing(vertices: [u16; 3], count: usize, checks: &mut Checks) -> Option<[usize; 3]> {
    let vertices = vertices.map(usize::from);
    let exist = vertices.iter().all(|&vertex| vertex < count);
    checks.dropped_faces += usize::from(!exist);
    exist.then_some(vertices)
}

/// Texture coordinates of all vertices; missing ones are the origin.
fn uvs(count: usize, of: impl Fn(usize) -> Option<[f32; 2]>) -> Vec<[f32; 2]> {
    (0..count).map(|at| of(at).unwrap_or_default()).collect()
}

/// Colors of all vertices; empty when the list does not fit.
fn padded(colors: &[Bgra], count: usize) -> Vec<Bgra> {
    if colors.len() == count {
        colors.to_vec()
    } else {
        Vec::new()
    }
}

fn runs(groups: &[MaterialGroup], count: usize) -> Vec<Option<u16>> {
    let groups = groups.iter().map(|group| (group.material, group.count));
    expand_runs(groups, count)
}

fn bones(pieces: &[VertexPiece], count: usize) -> Vec<Option<u16>> {
    if pieces.is_empty() {
        return Vec::new();
    }
    let pieces = pieces.iter().map(|piece| (piece.bone, piece.count));
    expand_runs(pieces, count)
}

/// Value of each of `count` vertices, from values that are stored for runs of vertices.
fn expand_runs(runs: impl Iterator<Item = (u16, u16)>, count: usize) -> Vec<Option<u16>> {
    let mut all = Vec::with_capacity(count);
    for (value, vertices) in runs {
        let left = count.saturating_sub(all.len());
        all.resize(all.len() + left.min(usize::from(vertices)), Some(value));
    }
    all.resize(count, None);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle that faces along x, and a separate vertex, with these normals.
    fn tidied(normals: [[f32; 3]; 4]) -> (Vec<[f32; 3]>, Checks) {
        let mut geometry = Geometry {
            positions: vec![[0.0; 3], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [5.0; 3]],
            normals: normals.to_vec(),
            faces: vec![GeometryFace {
                vertices: [0, 1, 2],
                slot: None,
                solid: true,
            }],
            ..Geometry::default()
        };
        let mut checks = Checks::default();
        geometry.tidy(&mut checks);
        (geometry.normals, checks)
    }

    #[test]
    fn vertices_without_a_direction_take_that_of_their_faces() {
        let (up, along) = ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]);
        let (normals, checks) = tidied([[0.0, 0.0, 2.0], [0.0; 3], [f32::NAN; 3], [0.0; 3]]);
        assert_eq!(normals, [up, along, along, up]);
        assert_eq!(checks.replaced_normals, 2);
        let (normals, checks) = tidied([[3.0, 0.0, 0.0], along, along, [0.0, 0.0, 0.5]]);
        assert_eq!(normals, [along, along, along, up]);
        assert_eq!((checks.replaced_normals, checks.winding), (0, [1, 0]));
    }
}

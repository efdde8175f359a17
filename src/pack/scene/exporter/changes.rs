//! Changes at the corners of a mesh, without those that the program made by itself.

use std::collections::{HashMap, HashSet};

use glam::DVec3;

use super::mesh_pair::MeshPair;
use super::noise::{Change, Noise};
use super::normals::without_mean;
use super::shapes::TrianglePairs;
use super::skin::Weights;
use super::weights::SideWeights;
use crate::pack::scene::compare::difference::{CornerChange, corner_change};
use crate::pack::scene::compare::pairing::Triangle;
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::compare::triangles::is_near;
use crate::pack::scene::file::{SceneMesh, ScenePrimitive};

/// Change at a corner.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Changed {
    pub values: CornerChange,
    pub weights: Option<Weights>,
}

impl Changed {
    pub(super) fn is_any(&self) -> bool {
        self.values.is_any() || self.weights.is_some()
    }

    /// Value that is equal for equal changes.
    pub(super) fn key(&self) -> Vec<u32> {
        let mut key = Vec::new();
        let mut put = |values: Option<&[f32]>| match values {
            Some(values) => key.extend(values.iter().map(|it| (it + 0.0).to_bits())),
            None => key.push(u32::MAX),
        };
        put(self.values.position.as_ref().map(|it| &it[..]));
        put(self.values.normal.as_ref().map(|it| &it[..]));
        put(self.values.color.as_ref().map(|it| &it[..]));
        for uv in &self.values.uvs {
            put(uv.as_ref().map(|it| &it[..]));
        }
        for (joint, weight) in self.weights.iter().flatten() {
            put(Some(&[*joint as f32, *weight]));
        }
        key
    }
}

/// Changes at the corners of the original mesh, without noise.
pub(super) fn changes(
    meshes: MeshPair<'_>,
    old: &SceneMesh,
    new: &SceneMesh,
    (triangles, tolerance): (&TrianglePairs, Tolerance),
    weights: &SideWeights,
    noise: &mut Noise,
) -> Vec<Vec<Changed>> {
    let exporter = meshes.pair.exporter;
    let mut all = Vec::with_capacity(old.primitives.len());
    let mut points = new.primitives.iter().filter(|part| !part.is_triangles);
    let mut remade = 0;
    let has_lost_colors = has_lost_colors(meshes, old, new);
    for (primitive, part) in old.primitives.iter().enumerate() {
        let mut changes = vec![Changed::default(); part.positions.len()];
        if !part.is_triangles {
            // Points and lines are compared in their order; programs that do not write them leave them as they are.
            if let Some(other) = points
                .next()
                .filter(|it| it.positions.len() == changes.len())
            {
                for (corner, change) in changes.iter_mut().enumerate() {
                    change.values =
                        corner_change(part.corner(corner), other.corner(corner), tolerance);
                }
            }
            all.push(changes);
            continue;
        }
        let mut unstable: Option<Vec<bool>> = None;
        for first in (0..part.positions.len().saturating_sub(2)).step_by(3) {
            let triangle = Triangle { primitive, first };
            let Some(to) = triangles.edited.get(&triangle).copied() else {
                continue;
            };
            let Some(other) = new.primitives.get(to.triangle.primitive) else {
                continue;
            };
            for step in 0..3 {
                let (from, at) = (first + step, to.corner(step));
                let mut values = corner_change(part.corner(from), other.corner(at), tolerance);
                if let Some(color) = part.colors.get(from).filter(|_| has_lost_colors) {
                    let is_white = is_near(color, &WHITE, tolerance.color);
                    values.color = (!is_white).then_some(WHITE);
                }
                if values.normal.is_some() && exporter.remakes_normals {
                    let unstable = unstable.get_or_insert_with(|| without_mean(part));
                    let vertex = part.vertices.get(from).copied().unwrap_or_default();
                    if unstable.get(vertex) == Some(&true) {
                        values.normal = None;
                        remade += 1;
                    }
                }
                // Nobody edits the normals of a face that stays where it is in such a program.
                let stays = || triangles.unmoved.contains(&triangle);
                if values.normal.is_some() && exporter.remakes_surfaces && stays() {
                    values.normal = None;
                    remade += 1;
                }
                let weights = weights.change((primitive, from), (to.triangle.primitive, at));
                changes[from] = Changed { values, weights };
            }
        }
        if exporter.remakes_normals {
            remade += rejoin(part, primitive, triangles, &mut changes);
        }
        follow(part, primitive, triangles, &mut changes);
        all.push(changes);
    }
    noise.add(Change::Normal, remade);
    all
}

/// The color of vertices without one.
const WHITE: [f32; 3] = [1.0; 3];

/// True if the colors of a mesh were deleted. A file without any was exported without them, and Godot leaves out those of
/// some meshes.
fn has_lost_colors(meshes: MeshPair<'_>, old: &SceneMesh, new: &SceneMesh) -> bool {
    let has_colors = |mesh: &SceneMesh| mesh.primitives.iter().any(|part| !part.colors.is_empty());
    let mut others = meshes.pair.edited_scene.meshes.iter();
    has_colors(old)
        && !has_colors(new)
        && !meshes.pair.exporter.remakes_surfaces
        && others.any(has_colors)
}

/// Gives all corners of a vertex one normal where faces around it were moved: Blender turns the normal of each corner
/// with its face, so that one vertex becomes several. Returns the number of corners with another normal than the edit.
fn rejoin(
    part: &ScenePrimitive,
    primitive: usize,
    triangles: &TrianglePairs,
    changes: &mut [Changed],
) -> usize {
    let is_moved = |corner: usize| {
        let first = corner - corner % 3;
        let triangle = Triangle { primitive, first };
        !triangles.unmoved.contains(&triangle)
    };
    let mut sums: HashMap<usize, DVec3> = HashMap::new();
    for (corner, (&vertex, change)) in part.vertices.iter().zip(changes.iter()).enumerate() {
        if change.values.normal.is_some() && is_moved(corner) {
            sums.entry(vertex).or_default();
        }
    }
    for (corner, (vertex, change)) in part.vertices.iter().zip(changes.iter()).enumerate() {
        let own = change.values.normal.or(part.normals.get(corner).copied());
        if let (Some(sum), Some(own)) = (sums.get_mut(vertex), own) {
            *sum += DVec3::from_array(own.map(f64::from));
        }
    }
    let mut count = 0;
    for (vertex, change) in part.vertices.iter().zip(changes) {
        let Some(sum) = sums.get(vertex) else {
            continue;
        };
        // Where a face was turned over, its normal and those around it may cancel out; then the original one stays.
        let mean = sum.try_normalize().map(|mean| mean.as_vec3().to_array());
        let was = std::mem::replace(&mut change.values.normal, mean);
        let is_same = match (was, mean) {
            (Some(was), Some(mean)) => is_near(&was, &mean, 0.02),
            (was, mean) => was == mean,
        };
        count += usize::from(!is_same);
    }
    count
}

/// Gives the corners of triangles that the program left out the changes of their vertices.
fn follow(
    part: &ScenePrimitive,
    primitive: usize,
    triangles: &TrianglePairs,
    changes: &mut [Changed],
) {
    let own = triangles
        .left_out
        .iter()
        .filter(|it| it.primitive == primitive);
    let corners: HashSet<usize> = own.flat_map(|it| it.first..it.first + 3).collect();
    if corners.is_empty() {
        return;
    }
    let mut known: HashMap<usize, Changed> = HashMap::new();
    for (corner, (&vertex, change)) in part.vertices.iter().zip(changes.iter()).enumerate() {
        if !corners.contains(&corner) {
            known
                .entry(vertex)
                .and_modify(|known| {
                    if !change.is_any() {
                        *known = Changed::default();
                    }
                })
                .or_insert_with(|| change.clone());
        }
    }
    for corner in corners {
        let change = part
            .vertices
            .get(corner)
            .and_then(|vertex| known.get(vertex));
        if let (Some(to), Some(change)) = (changes.get_mut(corner), change) {
            *to = change.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_of_a_vertex_that_cancel_out_are_those_of_the_original() {
        let (up, down) = ([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]);
        let part = ScenePrimitive {
            vertices: vec![0, 1, 2, 1, 0, 3],
            normals: vec![up; 6],
            ..ScenePrimitive::default()
        };
        let second = Triangle {
            primitive: 0,
            first: 3,
        };
        let triangles = TrianglePairs {
            unmoved: HashSet::from([second]),
            ..TrianglePairs::default()
        };
        let mut changes = vec![Changed::default(); 6];
        for change in &mut changes[..3] {
            change.values.normal = Some(down);
        }
        assert_eq!(rejoin(&part, 0, &triangles, &mut changes), 2);
        let normals: Vec<_> = changes.iter().map(|it| it.values.normal).collect();
        assert_eq!(normals, [None, None, Some(down), None, None, None]);
    }
}

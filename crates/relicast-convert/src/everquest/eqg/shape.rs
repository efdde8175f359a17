//! Geometry of EQG files to meshes of a scene: a primitive for each material, separate for faces that
//! stop movement and faces that do not.

use std::collections::HashMap;
use std::sync::Arc;

use crate::everquest::baking::light;
use crate::everquest::mesh::primitive_extras;
use crate::everquest::scene_builder::Layers;
use crate::everquest::space;
use crate::options::ByteOrder;
use relicast_formats::everquest::eqg::parts::{TriangleFlags, VertexWeights};
use relicast_formats::everquest::wld::Bgra;
use relicast_limits as limits;
use relicast_scene::model::{Mesh, Primitive};

use super::models::{Model, Piece, is_drawn};
use super::surfaces::{Origin, Surfaces};

/// Largest coordinate. Values beyond it are not positions, and their squares would overflow.
const FARTHEST: f32 = 1e15;

/// Meshes of a piece.
#[derive(Debug, Default)]
pub(super) struct Made {
    /// Drawn part.
    pub visible: Option<Mesh>,
    /// Part that is never drawn, but solid.
    pub invisible: Option<Mesh>,
}

/// Settings of a piece.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'w> {
    /// Origin of the model.
    pub origin: Origin,
    /// Light baked into the vertices; empty for white.
    pub colors: &'w [[u8; 4]],
    /// True if the drawn part goes to the hidden scene.
    pub hidden: bool,
    /// Number of joints that move it; `None` for a piece that does not move.
    pub joints: Option<usize>,
}

/// Baked light in the byte order of the settings.
fn baked(bytes: [u8; 4], order: ByteOrder) -> Bgra {
    let [first, green, third, alpha] = bytes;
    let (red, blue) = match order {
        ByteOrder::Rgba => (first, third),
        ByteOrder::Bgra => (third, first),
    };
    Bgra {
        blue,
        green,
        red,
        alpha,
    }
}

/// The usable vertices and triangles of a piece.
struct Sound {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
}

fn cross([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> [f64; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

fn unit(vector: [f64; 3]) -> Option<[f32; 3]> {
    let length = libm::sqrt(vector.iter().map(|part| part * part).sum());
    (length.is_finite() && length > 0.0).then(|| vector.map(|part| (part / length) as f32))
}

impl Sound {
    /// Checks positions, and replaces normals without direction by those of the faces.
    fn new(piece: &Piece<'_>, faces: &[Face], layers: &mut Layers<'_, '_>) -> Self {
        let vertices = piece.vertices.iter();
        let positions: Vec<[f32; 3]> = vertices
            .map(|vertex| space::vector(vertex.position.to_array()))
            .collect();
        let mut sums = vec![[0.0_f64; 3]; positions.len()];
        let checks = &mut layers.main.checks;
        for face in faces {
            let [a, b, c] = face.corners.map(|corner| positions[corner].map(f64::from));
            let edge = |to: [f64; 3]| [0, 1, 2].map(|axis: usize| to[axis] - a[axis]);
            let outwards = cross(edge(b), edge(c));
            let mut along = 0.0;
            for corner in face.corners {
                for (sum, part) in sums[corner].iter_mut().zip(outwards) {
                    *sum += part;
                }
                let normal = space::vector(piece.vertices[corner].normal.to_array());
                let pairs = normal.into_iter().zip(outwards);
                along += pairs
                    .map(|(one, other)| f64::from(one) * other)
                    .sum::<f64>();
            }
            if along > 0.0 {
                checks.winding[0] += 1;
            } else if along < 0.0 {
                checks.winding[1] += 1;
            }
        }
        let normals = piece.vertices.iter().zip(sums).map(|(vertex, sum)| {
            let stored = space::vector(vertex.normal.to_array()).map(f64::from);
            unit(stored).unwrap_or_else(|| {
                checks.replaced_normals += 1;
                unit(sum).unwrap_or([0.0, 1.0, 0.0])
            })
        });
        let normals = normals.collect();
        Self { positions, normals }
    }
}

/// A triangle whose corners exist.
#[derive(Debug, Clone, Copy)]
struct Face {
    corners: [usize; 3],
    /// The first material with the name of its own; `None` for one that does not exist.
    material: Option<usize>,
    drawn: bool,
    passable: bool,
}

/// The triangles of a piece; `first` has for each material the first with its name.
fn faces(first: &[usize], piece: &Piece<'_>, layers: &mut Layers<'_, '_>) -> Vec<Face> {
    let checks = &mut layers.main.checks;
    let finite: Vec<bool> = piece
        .vertices
        .iter()
        .map(|vertex| {
            let parts = vertex.position.to_array();
            parts.iter().all(|part| part.abs() <= FARTHEST)
        })
        .collect();
    let mut faces = Vec::with_capacity(piece.triangles.len());
    for triangle in piece.triangles {
        let corners = triangle.vertices.map(|corner| corner as usize);
        let [a, b, c] = corners.map(|corner| finite.get(corner).copied());
        let (Some(a), Some(b), Some(c)) = (a, b, c) else {
            checks.dropped_faces += 1;
            continue;
        };
        if !(a && b && c) {
            checks.not_finite_faces += 1;
            continue;
        }
        let place = usize::try_from(triangle.material).ok();
        let material = place.and_then(|place| first.get(place).copied());
        let drawn = is_drawn(triangle, first.len());
        checks.unknown_materials += usize::from(drawn && material.is_none());
        faces.push(Face {
            corners,
            material,
            drawn,
            passable: triangle.flags.contains(TriangleFlags::PASSABLE),
        });
    }
    faces
}

/// Joints and weights of a vertex: each joint once, the strongest first, with a sum of 1.
fn bound(weights: Option<&VertexWeights>, joints: usize) -> ([u16; 4], [f32; 4]) {
    let mut all: Vec<(u16, f64)> = Vec::with_capacity(4);
    for influence in weights.into_iter().flat_map(VertexWeights::influences) {
        let bone = u16::try_from(influence.bone).ok();
        let bone = bone.filter(|&bone| usize::from(bone) < joints);
        let weight = f64::from(influence.weight.get());
        let (Some(bone), true) = (bone, weight.is_finite() && weight > 0.0) else {
            continue;
        };
        match all.iter_mut().find(|(known, _)| *known == bone) {
            Some((_, sum)) => *sum += weight,
            None => all.push((bone, weight)),
        }
    }
    all.sort_by(|one, other| other.1.total_cmp(&one.1));
    let sum: f64 = all.iter().map(|(_, weight)| weight).sum();
    let mut found = ([0; 4], [0.0; 4]);
    if all.is_empty() {
        found.1[0] = 1.0;
        return found;
    }
    let (numbers, shares) = (&mut found.0, &mut found.1);
    for ((number, share), (bone, weight)) in numbers.iter_mut().zip(shares).zip(all) {
        let part = (weight / sum) as f32;
        if part > 0.0 {
            (*number, *share) = (bone, part);
        }
    }
    let others: f32 = found.1.iter().skip(1).sum();
    found.1[0] = 1.0 - others;
    found
}

/// Key of the faces of one primitive: drawn or not, their material, passable or not.
type SurfaceKey = (bool, Option<usize>, bool);

/// The triangles of faces by their key, in the order of their first faces.
fn by_surface(faces: &[Face]) -> Vec<(SurfaceKey, Vec<[usize; 3]>)> {
    let mut groups: Vec<(SurfaceKey, Vec<[usize; 3]>)> = Vec::new();
    let mut places: HashMap<SurfaceKey, usize> = HashMap::new();
    for face in faces {
        let key = (
            face.drawn,
            face.material.filter(|_| face.drawn),
            face.passable,
        );
        let place = *places.entry(key).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(face.corners);
    }
    groups
}

/// Makes the meshes of a piece.
pub(super) fn make(
    layers: &mut Layers<'_, '_>,
    surfaces: &mut Surfaces,
    model: &Model,
    piece: &Piece<'_>,
    wanted: Wanted<'_>,
) -> Made {
    limits::check();
    let first = surfaces.first_of_name(wanted.origin, model);
    let faces = faces(&first, piece, layers);
    let sound = Sound::new(piece, &faces, layers);
    let mut made = Made::default();
    for ((drawn, material, passable), triangles) in by_surface(&faces) {
        let checks = &mut layers.main.checks;
        match drawn {
            true => checks.faces += triangles.len(),
            false => checks.invisible_faces += triangles.len(),
        }
        let surface = material
            .and_then(|place| surfaces.resolve(layers, wanted.hidden, wanted.origin, model, place));
        let keeps = surface.is_some_and(|surface| surface.lacks_picture || surface.wants_second);
        let mut primitive = Primitive {
            material: surface.map(|surface| surface.material),
            is_passable: passable,
            extras: primitive_extras(!passable),
            keep_unused_uvs: drawn && keeps,
            ..Primitive::default()
        };
        let second = drawn && surface.is_some_and(|surface| surface.wants_second);
        let wanted = match drawn {
            true => wanted,
            // Undrawn surfaces have no colors and do not move.
            false => Wanted {
                colors: &[],
                joints: None,
                ..wanted
            },
        };
        fill(
            &mut primitive,
            layers,
            model,
            piece,
            &sound,
            &triangles,
            wanted,
            second,
        );
        let bends = surface.and_then(|surface| {
            let builder = match wanted.hidden {
                true => layers.hidden(),
                false => &mut layers.main,
            };
            let material = builder.scene.materials.get(surface.material.index())?;
            material.normal_texture
        });
        if drawn && bends.is_some() {
            primitive.make_tangents();
        }
        let mesh = if drawn {
            &mut made.visible
        } else {
            &mut made.invisible
        };
        let mesh = mesh.get_or_insert_with(|| Mesh {
            name: piece.name.clone(),
            ..Mesh::default()
        });
        mesh.primitives.push(primitive);
    }
    made
}

/// Adds vertices and triangles to a primitive. Vertices keep their order.
#[expect(
    clippy::too_many_arguments,
    reason = "a vertex is made from all of them"
)]
fn fill(
    primitive: &mut Primitive,
    layers: &mut Layers<'_, '_>,
    model: &Model,
    piece: &Piece<'_>,
    sound: &Sound,
    triangles: &[[usize; 3]],
    wanted: Wanted<'_>,
    second: bool,
) {
    let mut used: Vec<usize> = triangles.as_flattened().to_vec();
    used.sort_unstable();
    used.dedup();
    let baking = layers.baking();
    let order = baking.options.eqg_light_order;
    let turned = model.is_turned();
    let bakes = baking.options.bakes() && !wanted.colors.is_empty();
    let has_second = second && used.iter().all(|&vertex| piece.second(vertex).is_some());
    let mut sets = vec![Vec::with_capacity(used.len())];
    if has_second {
        sets.push(Vec::with_capacity(used.len()));
    }
    let mut replaced = 0;
    let mut uv = |[u, v]: [f32; 2]| {
        let v = if turned { 1.0 - v } else { v };
        [u, v].map(|part| {
            replaced += usize::from(!part.is_finite());
            if part.is_finite() { part } else { 0.0 }
        })
    };
    let of_used = |list: &[[f32; 3]]| Arc::new(used.iter().map(|&vertex| list[vertex]).collect());
    primitive.positions = of_used(&sound.positions);
    primitive.normals = of_used(&sound.normals);
    for &vertex in &used {
        sets[0].push(uv(piece.vertices[vertex].uv.to_array()));
        if has_second {
            sets[1].push(uv(piece.second(vertex).unwrap_or_default()));
        }
        if bakes {
            let color = wanted
                .colors
                .get(vertex)
                .map_or([u16::MAX; 4], |&bytes| light(baked(bytes, order), baking));
            primitive.colors.push(color);
        }
        if let Some(joints) = wanted.joints {
            let (numbers, shares) = bound(piece.weights.get(vertex), joints);
            primitive.joints.push(numbers);
            primitive.weights.push(shares);
        }
    }
    primitive.uvs = Arc::new(sets);
    layers.main.checks.replaced_values += replaced;
    let place = |corner: usize| {
        let place = used.binary_search(&corner).unwrap_or_default();
        u32::try_from(place).unwrap_or(u32::MAX)
    };
    let corners = triangles.as_flattened().iter();
    primitive.indices = Arc::new(corners.map(|&corner| place(corner)).collect());
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::F32;
    use relicast_formats::everquest::eqg::parts::Influence;

    #[test]
    fn weights_sum_to_one_and_name_each_joint_once() {
        let influence = |bone, weight| Influence {
            bone,
            weight: F32(weight),
        };
        let weights = VertexWeights {
            count: 4,
            influences: [
                influence(1, 0.2),
                influence(2, 0.5),
                influence(1, 0.2),
                influence(9, 3.0),
            ],
        };
        let (joints, shares) = bound(Some(&weights), 3);
        assert_eq!(joints, [2, 1, 0, 0]);
        assert!((shares[0] - 5.0 / 9.0).abs() < 1e-6);
        assert_eq!(shares.iter().sum::<f32>(), 1.0);
        assert_eq!(bound(None, 3), ([0; 4], [1.0, 0.0, 0.0, 0.0]));
    }
}

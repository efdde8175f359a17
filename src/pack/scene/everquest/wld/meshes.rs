//! Applies edits of vertices to meshes of both kinds, with their bounds.

use std::collections::BTreeMap;

use glam::DVec3;

use super::shapes::{MeshEdit, narrow, packed_normal, put_uv};
use crate::config::EverQuest;
use crate::pack::edited::Refusal;
use crate::pack::scene::everquest::colors::stored_light;
use crate::pack::scene::everquest::vertex_edits::VertexEdit;
use relicast_codec::{F32, Vec2, Vec3};
use relicast_formats::everquest::wld::{LegacyMesh, LegacyMeshFlags, Mesh, MeshFlags};

/// Result of editing a mesh.
#[derive(Debug, Clone, Default)]
pub(super) struct Outcome {
    /// Half of the steps in which its positions are stored: the largest error.
    pub slack: f64,
    /// Unedited vertices that are rounded too, because the mesh became larger than its steps allow.
    pub rounded: usize,
    /// Moved vertices, with the difference from their old positions.
    pub moved: BTreeMap<usize, [f64; 3]>,
    /// Triangles of the ground with a moved vertex, in file axes.
    pub ground: Vec<[DVec3; 3]>,
}

/// The distance of the farthest of some positions relative to their center.
pub(super) fn reach(positions: impl Iterator<Item = [f32; 3]>) -> f32 {
    let lengths = positions.map(|[x, y, z]| x * x + y * y + z * z);
    lengths.fold(0.0_f32, f32::max).sqrt()
}

/// The box of some positions.
fn extent(positions: impl Iterator<Item = [f32; 3]>) -> [[f32; 3]; 2] {
    let start = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    positions.fold(start, |[mut least, mut greatest], position| {
        for axis in 0..3 {
            least[axis] = least[axis].min(position[axis]);
            greatest[axis] = greatest[axis].max(position[axis]);
        }
        [least, greatest]
    })
}

/// Updates a bound that followed another value, or contained it, so that it still does. `sign` is 1 for maxima and -1
/// for minima.
pub(super) fn followed(stored: f32, before: f32, after: f32, sign: f32) -> f32 {
    let is_like = (stored - before).abs() <= 1e-3 * stored.abs().max(1e-3);
    match is_like {
        _ if before == after => stored,
        true => after,
        false if (after - stored) * sign > 0.0 => after,
        false => stored,
    }
}

/// Two to the power of a small number.
fn power(exponent: u16) -> f64 {
    libm::exp2(f64::from(exponent))
}

/// Relative positions of a mesh.
fn relative(mesh: &Mesh) -> impl Iterator<Item = [f32; 3]> {
    let step = (1.0 / power(mesh.scale_exponent)) as f32;
    let positions = mesh.positions.iter();
    positions.map(move |raw| raw.map(|part| f32::from(part) * step))
}

/// Applies edits to a mesh.
///
/// # Errors
/// The format cannot hold one of them.
pub(super) fn apply(
    mesh: &mut Mesh,
    edit: &MeshEdit,
    options: &EverQuest,
) -> Result<Outcome, Refusal> {
    let before: Vec<[f32; 3]> = relative(mesh).collect();
    let mut outcome = Outcome::default();
    move_vertices(mesh, edit, &mut outcome)?;
    outcome.slack = 0.5 / power(mesh.scale_exponent);
    if !outcome.moved.is_empty() || outcome.rounded > 0 {
        let after: Vec<[f32; 3]> = relative(mesh).collect();
        let radii = [&before, &after].map(|list| reach(list.iter().copied()));
        if mesh.flags.contains(MeshFlags::RADIUS) {
            mesh.radius = F32(followed(mesh.radius.get(), radii[0], radii[1], 1.0));
        }
        if mesh.flags.contains(MeshFlags::BOX) {
            let boxes = [&before, &after].map(|list| extent(list.iter().copied()));
            let corners = [(&mut mesh.min, 0, -1.0), (&mut mesh.max, 1, 1.0)];
            for (corner, end, sign) in corners {
                let mut parts = corner.to_array();
                for (axis, part) in parts.iter_mut().enumerate() {
                    *part = followed(*part, boxes[0][end][axis], boxes[1][end][axis], sign);
                }
                *corner = Vec3::from(parts);
            }
        }
    }
    for (&vertex, edit_of_vertex) in &edit.vertices {
        if let Some(normal) = edit_of_vertex.normal {
            let stored = mesh.normals.to_mut().get_mut(vertex);
            let stored = stored.ok_or_else(|| refusal!("it has no normals in the game"))?;
            *stored = packed_normal(normal);
        }
        if edit_of_vertex.uvs[0].iter().any(Option::is_some) {
            put_uv(&mut mesh.texture_coordinates, vertex, edit_of_vertex.uvs[0])?;
        }
        if let Some(color) = edit_of_vertex.color
            && let Some(stored) = mesh.colors.to_mut().get_mut(vertex)
        {
            *stored = stored_light(*stored, color, edit.ambient, options)?;
        }
    }
    Ok(outcome)
}

/// Moves vertices; if they do not fit into 16 bits, the steps of the mesh become larger.
fn move_vertices(mesh: &mut Mesh, edit: &MeshEdit, outcome: &mut Outcome) -> Result<(), Refusal> {
    let is_moved = |edit: &VertexEdit| edit.position.iter().any(Option::is_some);
    if !edit.vertices.values().any(is_moved) {
        return Ok(());
    }
    if mesh.scale_exponent > 40 {
        refuse!("its positions are stored with a step of 0");
    }
    let center = mesh.center.to_array().map(f64::from);
    let old_step = power(mesh.scale_exponent);
    let wanted = |vertex: usize, axis: usize| {
        let edit = edit.vertices.get(&vertex)?;
        edit.position[axis].map(|wanted| wanted - center[axis])
    };
    let in_range = |part: f64| (-32768.0..=32767.0).contains(&part);
    let at = |exponent: u16| -> Option<Vec<[i16; 3]>> {
        let step = power(exponent);
        let positions = mesh.positions.iter().enumerate();
        positions
            .map(|(vertex, raw)| {
                let mut place = [0_i16; 3];
                for (axis, place) in place.iter_mut().enumerate() {
                    let part =
                        wanted(vertex, axis).unwrap_or_else(|| f64::from(raw[axis]) / old_step);
                    let rounded = (part * step).round();
                    if !in_range(rounded) {
                        return None;
                    }
                    *place = rounded as i16;
                }
                Some(place)
            })
            .collect()
    };
    let fits = (0..=mesh.scale_exponent)
        .rev()
        .find_map(|exponent| Some((exponent, at(exponent)?)));
    let (exponent, positions) = fits.ok_or_else(|| {
        refusal!("a vertex is more than 32,767 units from the center of its mesh")
    })?;
    let new_step = power(exponent);
    for (vertex, (old, new)) in mesh.positions.iter().zip(&positions).enumerate() {
        let way =
            [0, 1, 2].map(|axis| f64::from(new[axis]) / new_step - f64::from(old[axis]) / old_step);
        if way == [0.0; 3] {
            continue;
        }
        let is_edited = edit.vertices.get(&vertex).is_some_and(is_moved);
        if is_edited {
            outcome.moved.insert(vertex, way);
        } else {
            outcome.rounded += 1;
        }
    }
    mesh.positions = positions.into();
    mesh.scale_exponent = exponent;
    Ok(())
}

/// Applies edits to an older mesh.
///
/// # Errors
/// It has no place for an edit.
pub(super) fn apply_legacy(
    mesh: &mut LegacyMesh,
    edit: &MeshEdit,
    options: &EverQuest,
) -> Result<Outcome, Refusal> {
    let mut outcome = Outcome::default();
    let center = match mesh.flags.contains(LegacyMeshFlags::CENTER) {
        true => mesh.center.to_array().map(f64::from),
        false => [0.0; 3],
    };
    let places = |mesh: &LegacyMesh| -> Vec<[f32; 3]> {
        mesh.positions
            .iter()
            .map(|place| place.to_array())
            .collect()
    };
    let before = places(mesh);
    for (&vertex, edit_of_vertex) in &edit.vertices {
        if let Some(stored) = mesh.positions.get_mut(vertex) {
            let old = stored.to_array().map(f64::from);
            let mut new = old;
            for axis in 0..3 {
                if let Some(wanted) = edit_of_vertex.position[axis] {
                    new[axis] = wanted - center[axis];
                }
            }
            if new != old {
                *stored = narrow(new);
                let way = [0, 1, 2].map(|axis| new[axis] - old[axis]);
                outcome.moved.insert(vertex, way);
            }
        }
        if let Some(normal) = edit_of_vertex.normal {
            let stored = mesh.normals.get_mut(vertex);
            let stored = stored.ok_or_else(|| refusal!("it has no normals in the game"))?;
            let length = reach(std::iter::once(stored.to_array()));
            let length = if length > 0.0 { f64::from(length) } else { 1.0 };
            *stored = narrow(normal.map(|part| part * length));
        }
        if edit_of_vertex.uvs[0].iter().any(Option::is_some) {
            let stored = mesh.texture_coordinates.get_mut(vertex);
            let stored =
                stored.ok_or_else(|| refusal!("it has no texture coordinates in the game"))?;
            let mut parts = stored.to_array();
            for (part, wanted) in parts.iter_mut().zip(edit_of_vertex.uvs[0]) {
                *part = wanted.unwrap_or(*part);
            }
            *stored = Vec2::from(parts);
        }
        if let Some(color) = edit_of_vertex.color
            && let Some(stored) = mesh
                .colors
                .as_mut()
                .and_then(|colors| colors.get_mut(vertex))
        {
            *stored = stored_light(*stored, color, edit.ambient, options)?;
        }
    }
    let after = places(mesh);
    if before != after {
        let radii = [&before, &after].map(|list| reach(list.iter().copied()));
        if mesh.flags.contains(LegacyMeshFlags::RADIUS) {
            mesh.radius = F32(followed(mesh.radius.get(), radii[0], radii[1], 1.0));
        }
        if let Some(bounds) = &mut mesh.bounds {
            let boxes = [&before, &after].map(|list| extent(list.iter().copied()));
            for (end, sign) in [(0, -1.0), (1, 1.0)] {
                let mut parts = bounds[end].to_array();
                for (axis, part) in parts.iter_mut().enumerate() {
                    *part = followed(*part, boxes[0][end][axis], boxes[1][end][axis], sign);
                }
                bounds[end] = Vec3::from(parts);
            }
        }
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(vertex: usize, position: [Option<f64>; 3]) -> MeshEdit {
        let edit = VertexEdit {
            position,
            ..VertexEdit::default()
        };
        MeshEdit {
            vertices: BTreeMap::from([(vertex, edit)]),
            ..MeshEdit::default()
        }
    }

    fn mesh() -> Mesh<'static> {
        Mesh {
            flags: MeshFlags::RADIUS | MeshFlags::BOX,
            scale_exponent: 12,
            positions: vec![[4095, 0, 0], [-4096, 1, 0]].into(),
            radius: F32(1.0),
            min: Vec3::from([-1.0, 0.0, 0.0]),
            max: Vec3::from([4095.0 / 4096.0, 1.0 / 4096.0, 0.0]),
            ..Mesh::default()
        }
    }

    #[test]
    fn bounds_follow_and_other_axes_keep_their_bits() {
        let mut mesh = mesh();
        let options = EverQuest::default();
        let outcome = apply(&mut mesh, &edit(0, [Some(2.0), None, None]), &options).unwrap();
        assert_eq!(*mesh.positions, [[8192, 0, 0], [-4096, 1, 0]]);
        assert_eq!((outcome.rounded, outcome.moved.len()), (0, 1));
        assert_eq!((mesh.radius, mesh.max.x), (F32(2.0), F32(2.0)));
        assert_eq!(mesh.min, Vec3::from([-1.0, 0.0, 0.0]));
    }

    #[test]
    fn what_does_not_fit_makes_the_steps_larger() {
        let mut mesh = mesh();
        let options = EverQuest::default();
        let outcome = apply(&mut mesh, &edit(0, [Some(9.0), None, None]), &options).unwrap();
        assert_eq!(mesh.scale_exponent, 11);
        // Half a step is rounded away from zero.
        assert_eq!(*mesh.positions, [[18432, 0, 0], [-2048, 1, 0]]);
        assert_eq!(outcome.rounded, 1);
        assert!(apply(&mut mesh, &edit(0, [Some(1e5), None, None]), &options).is_err());
    }
}

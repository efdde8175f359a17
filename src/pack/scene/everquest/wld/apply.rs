//! Applies edits of shapes to the fragments of an archive: meshes, baked light, and derived values.

use std::collections::BTreeMap;

use glam::{DMat4, DVec3};

use super::members::Members;
use super::meshes::{self, Outcome};
use super::regions::is_ground;
use super::shapes::{Bones, MeshEdit, Shapes};
use crate::config::EverQuest;
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::everquest::colors::stored_light;
use crate::pack::scene::everquest::corners::to_scene;
use crate::pack::scene::everquest::edits::Place;
use relicast_codec::{F32, Vec3};
use relicast_formats::everquest::wld::{Body, MeshAnimation, Wld};

/// Applies the edits. Returns the result for each mesh.
///
/// # Errors
/// By scene, edits that the format cannot hold.
pub(super) fn put(
    shapes: &Shapes,
    members: &mut Members<'_>,
    options: &EverQuest,
) -> Result<BTreeMap<Place, Outcome>, Refusals> {
    let mut outcomes = BTreeMap::new();
    let mut refusals = Refusals::new();
    for (&place, edit) in &shapes.meshes {
        let Some(file) = members.edit(place.member) else {
            continue;
        };
        let name = file.body.fragments.get(place.index);
        let name = name.map_or("", |fragment| fragment.name()).to_owned();
        match put_mesh(&mut file.body, place.index, edit, options) {
            Ok(outcome) => {
                outcomes.insert(place, outcome);
            }
            Err(refusal) => {
                let reason = format_args!("mesh {name} of {}: {refusal}", file.name);
                refusals.push((edit.path.clone(), Refusal::new(reason)));
            }
        }
    }
    for (&place, edit) in &shapes.lists {
        let Some(Body::VertexColors(list)) = members.edit_body(place) else {
            continue;
        };
        for (&number, &color) in &edit.colors {
            if let Some(stored) = list.colors.to_mut().get_mut(number) {
                match stored_light(*stored, color, edit.ambient, options) {
                    Ok(light) => *stored = light,
                    Err(refusal) => {
                        refusals.push((edit.path.clone(), refusal));
                        break;
                    }
                }
            }
        }
    }
    unless_refused(outcomes, refusals)
}

fn put_mesh(
    wld: &mut Wld<'_>,
    index: usize,
    edit: &MeshEdit,
    options: &EverQuest,
) -> Result<Outcome, Refusal> {
    let before = positions(wld, index);
    let body = wld.fragments.get_mut(index);
    let mut outcome = match body.map(|fragment| &mut fragment.body) {
        Some(Body::Mesh(mesh)) => meshes::apply(mesh, edit, options)?,
        Some(Body::LegacyMesh(mesh)) => meshes::apply_legacy(mesh, edit, options)?,
        _ => return Err(refusal!("it is not a mesh")),
    };
    if outcome.moved.is_empty() {
        return Ok(outcome);
    }
    let after = positions(wld, index);
    if is_ground(wld, index)
        && let Some(fragment) = wld.fragments.get(index)
    {
        outcome.ground = moved_triangles(&fragment.body, &after, &outcome);
    }
    if let Some(bones) = &edit.bones {
        let vertices = [(&**bones, &*before), (&**bones, &*after)];
        grow_skeleton(wld, bones.skeleton, vertices);
    }
    move_frames(wld, index, &outcome)?;
    Ok(outcome)
}

/// The positions of a mesh in file axes.
pub(super) fn positions(wld: &Wld<'_>, index: usize) -> Vec<[f32; 3]> {
    match wld.fragments.get(index).map(|fragment| &fragment.body) {
        Some(Body::Mesh(mesh)) => (0..mesh.positions.len())
            .filter_map(|vertex| mesh.position(vertex))
            .collect(),
        Some(Body::LegacyMesh(mesh)) => (0..mesh.positions.len())
            .filter_map(|vertex| mesh.position(vertex))
            .collect(),
        _ => Vec::new(),
    }
}

/// The triangles of a mesh that have a moved vertex, in file axes.
fn moved_triangles(body: &Body<'_>, positions: &[[f32; 3]], outcome: &Outcome) -> Vec<[DVec3; 3]> {
    let triangle = |vertices: [u16; 3]| {
        let vertices = vertices.map(usize::from);
        let is_moved = vertices.iter().any(|it| outcome.moved.contains_key(it));
        let [a, b, c] = vertices.map(|vertex| {
            let position = positions.get(vertex)?;
            Some(DVec3::from_array(position.map(f64::from)))
        });
        Some([a?, b?, c?]).filter(|_| is_moved)
    };
    match body {
        Body::Mesh(mesh) => {
            let faces = mesh.faces.iter();
            faces.filter_map(|face| triangle(face.vertices)).collect()
        }
        Body::LegacyMesh(mesh) => {
            let faces = mesh.faces.iter();
            faces.filter_map(|face| triangle(face.vertices)).collect()
        }
        _ => Vec::new(),
    }
}

/// Extends the sphere of a skeleton with the vertices of a mesh, whose positions and bones are given before and after.
pub(super) fn grow_skeleton(
    wld: &mut Wld<'_>,
    skeleton: usize,
    vertices: [(&Bones, &[[f32; 3]]); 2],
) {
    let fragment = wld.fragments.get_mut(skeleton);
    let Some(Body::SkeletonDefinition(skeleton)) = fragment.map(|fragment| &mut fragment.body)
    else {
        return;
    };
    let center = skeleton.center.map_or([0.0; 3], |center| center.to_array());
    let center = DVec3::from_array(to_scene(center).map(f64::from));
    let [before, after] = vertices;
    let farthest = |positions: &[[f32; 3]], place: &dyn Fn(usize) -> DMat4| {
        let far = positions.iter().enumerate().map(|(vertex, at)| {
            let at = DVec3::from_array(to_scene(*at).map(f64::from));
            (place(vertex).transform_point3(at) - center).length()
        });
        far.fold(0.0, f64::max)
    };
    let before = farthest(before.1, &|vertex| before.0.place_before(vertex));
    let after = farthest(after.1, &|vertex| after.0.place(vertex));
    if let Some(radius) = &mut skeleton.radius
        && after > before
        && after > f64::from(radius.get())
    {
        *radius = F32(after as f32);
    }
}

/// Moves the frames of an animation of vertices together with the vertices of the mesh.
fn move_frames(wld: &mut Wld<'_>, index: usize, outcome: &Outcome) -> Result<(), Refusal> {
    let animation = |wld: &Wld<'_>, index: usize| {
        let reference = match &wld.fragments.get(index)?.body {
            Body::Mesh(mesh) => mesh.animation,
            Body::LegacyMesh(mesh) => mesh.animation,
            _ => return None,
        };
        match &wld.get(reference)?.body {
            Body::MeshAnimationInstance(instance) => instance.definition.index(),
            _ => None,
        }
    };
    let Some(definition) = animation(wld, index) else {
        return Ok(());
    };
    let users = (0..wld.fragments.len()).filter(|&at| animation(wld, at) == Some(definition));
    if users.count() > 1 {
        refuse!("its vertices are animated by frames that other meshes share");
    }
    if outcome.rounded > 0 {
        refuse!(
            "its vertices are animated, and it would become too large for the precision of the animation"
        );
    }
    match wld
        .fragments
        .get_mut(definition)
        .map(|fragment| &mut fragment.body)
    {
        Some(Body::MeshAnimation(frames)) => move_packed_frames(frames, outcome),
        Some(Body::LegacyMeshAnimation(frames)) => {
            let vertices = frames.vertex_count as usize;
            for (number, position) in frames.positions.iter_mut().enumerate() {
                let vertex = number.checked_rem(vertices).unwrap_or_default();
                if let Some(way) = outcome.moved.get(&vertex) {
                    let mut parts = position.to_array();
                    for (part, way) in parts.iter_mut().zip(way) {
                        *part = (f64::from(*part) + way) as f32;
                    }
                    *position = Vec3::from(parts);
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn move_packed_frames(frames: &mut MeshAnimation<'_>, outcome: &Outcome) -> Result<(), Refusal> {
    let vertices = usize::from(frames.vertex_count);
    let step = libm::exp2(f64::from(frames.scale_exponent.min(40)));
    for (number, raw) in frames.positions.to_mut().iter_mut().enumerate() {
        let vertex = number.checked_rem(vertices).unwrap_or_default();
        let Some(way) = outcome.moved.get(&vertex) else {
            continue;
        };
        for (part, way) in raw.iter_mut().zip(way) {
            let there = f64::from(*part) + way * step;
            let fits = (-32768.0..=32767.0).contains(&there) && there.fract() == 0.0;
            if !fits {
                refuse!(
                    "its vertices are animated, and can only move by steps of 1/{step}, at most 32,767 of them"
                );
            }
            *part = there as i16;
        }
    }
    Ok(())
}

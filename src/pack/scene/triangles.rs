//! Which corner of an edited mesh is which of the mesh as it was, whatever became of vertices and their order.

use std::collections::HashMap;

use super::file::{SceneMesh, ScenePrimitive};
use crate::pack::edited::Refusal;

/// A corner of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Place {
    pub primitive: usize,
    pub corner: usize,
}

/// Whether rows are the same, to this part of the larger of 1 and each number.
pub(super) fn is_near<const N: usize>(one: &[f32; N], other: &[f32; N], tolerance: f32) -> bool {
    one.iter()
        .zip(other)
        .all(|(a, b)| a == b || (a - b).abs() <= tolerance * a.abs().max(1.0))
}

/// For each primitive of the mesh as it was and each of its corners the corner of the edit.
///
/// Corners go by their order where that was kept, else triangles by positions and texture coordinates, then by one of
/// the two.
///
/// # Errors
/// The edit has other triangles.
pub(super) fn aligned(old: &SceneMesh, new: &SceneMesh) -> Result<Vec<Vec<Place>>, Refusal> {
    if let Some(places) = in_order(old, new) {
        return Ok(places);
    }
    let plain = |mesh: &SceneMesh| mesh.primitives.iter().all(|part| part.is_triangles);
    if !plain(old) || !plain(new) {
        return Err(Refusal::new("its points or lines are others"));
    }
    by_content(old, new)
}

/// The corners in their order, if the order was kept by the look of it.
fn in_order(old: &SceneMesh, new: &SceneMesh) -> Option<Vec<Vec<Place>>> {
    if old.primitives.len() != new.primitives.len() {
        return None;
    }
    let mut all = Vec::with_capacity(old.primitives.len());
    let (mut kept, mut count) = (0_usize, 0_usize);
    for (primitive, (old, new)) in old.primitives.iter().zip(&new.primitives).enumerate() {
        if old.positions.len() != new.positions.len() || old.is_triangles != new.is_triangles {
            return None;
        }
        let same = |corner: usize| {
            let near = |old: Option<&[f32; 2]>, new: Option<&[f32; 2]>| match (old, new) {
                (Some(old), Some(new)) => is_near(old, new, 1e-4),
                _ => false,
            };
            let place = match (old.positions.get(corner), new.positions.get(corner)) {
                (Some(old), Some(new)) => is_near(old, new, 1e-4),
                _ => false,
            };
            let (old, new) = (old.uvs.first(), new.uvs.first());
            place
                || near(
                    old.and_then(|set| set.get(corner)),
                    new.and_then(|set| set.get(corner)),
                )
        };
        kept += (0..old.positions.len())
            .filter(|&corner| same(corner))
            .count();
        count += old.positions.len();
        all.push(
            (0..old.positions.len())
                .map(|corner| Place { primitive, corner })
                .collect(),
        );
    }
    // Equal bytes of indices say that nothing was sorted anew even where all vertices were moved.
    let unsorted = kept * 2 >= count || moved_alike(old, new);
    unsorted.then_some(all)
}

/// Whether all corners that were one place still are: a mesh that was moved as a whole.
fn moved_alike(old: &SceneMesh, new: &SceneMesh) -> bool {
    let mut places: HashMap<[u32; 3], [u32; 3]> = HashMap::new();
    let bits = |row: &[f32; 3]| row.map(|part| (part + 0.0).to_bits());
    let pairs = old.primitives.iter().zip(&new.primitives);
    pairs
        .flat_map(|(old, new)| old.positions.iter().zip(&new.positions))
        .all(|(old, new)| *places.entry(bits(old)).or_insert_with(|| bits(new)) == bits(new))
}

/// What a triangle is known by, the least corner first.
type Key = Vec<i64>;

/// Primitive and first corner of a triangle, and which of its corners is the least.
type Turned = ((usize, usize), usize);

fn key(
    primitive: &ScenePrimitive,
    first: usize,
    (with_places, with_uvs): (bool, bool),
) -> (Key, usize) {
    let corner = |corner: usize| {
        let mut parts = Vec::new();
        let mut push = |values: &[f32], grain: f32| {
            parts.extend(values.iter().map(|value| (value * grain).round() as i64));
        };
        if with_places && let Some(position) = primitive.positions.get(corner) {
            push(position, 1024.0);
        }
        if with_uvs && let Some(uv) = primitive.uvs.first().and_then(|set| set.get(corner)) {
            push(uv, 4096.0);
        }
        parts
    };
    let corners = [0, 1, 2].map(|step| corner(first + step));
    let turns = [[0, 1, 2], [1, 2, 0], [2, 0, 1]];
    let turned = turns
        .into_iter()
        .enumerate()
        .map(|(turn, order)| (order.map(|at: usize| corners[at].clone()).concat(), turn));
    turned.min().unwrap_or_default()
}

fn by_content(old: &SceneMesh, new: &SceneMesh) -> Result<Vec<Vec<Place>>, Refusal> {
    let triangles = |mesh: &SceneMesh| -> Vec<(usize, usize)> {
        let parts = mesh.primitives.iter().enumerate();
        parts
            .flat_map(|(part, primitive)| {
                (0..primitive.positions.len() / 3).map(move |triangle| (part, triangle * 3))
            })
            .collect()
    };
    let (mut left, mut free) = (triangles(old), triangles(new));
    let (had, has) = (left.len(), free.len());
    let other = || {
        Refusal::new(format_args!(
            "it has other triangles, {has} in place of {had}: corners are neither added nor taken out"
        ))
    };
    if had != has {
        return Err(other());
    }
    let mut all: Vec<Vec<Place>> = old
        .primitives
        .iter()
        .map(|primitive| vec![Place::default(); primitive.positions.len()])
        .collect();
    for parts in [(true, true), (true, false), (false, true)] {
        let mut known: HashMap<Key, Vec<Turned>> = HashMap::new();
        for &(part, first) in free.iter().rev() {
            if let Some(primitive) = new.primitives.get(part) {
                let (key, turn) = key(primitive, first, parts);
                known.entry(key).or_default().push(((part, first), turn));
            }
        }
        left.retain(|&(part, first)| {
            let Some(primitive) = old.primitives.get(part) else {
                return false;
            };
            let (key, turn) = key(primitive, first, parts);
            // A key without numbers says nothing.
            let found = known
                .get_mut(&key)
                .filter(|_| !key.is_empty())
                .and_then(Vec::pop);
            let Some(((to, start), to_turn)) = found else {
                return true;
            };
            for step in 0..3 {
                let from = first + (step + turn) % 3;
                if let Some(place) = all.get_mut(part).and_then(|list| list.get_mut(from)) {
                    *place = Place {
                        primitive: to,
                        corner: start + (step + to_turn) % 3,
                    };
                }
            }
            false
        });
        free = known
            .into_values()
            .flatten()
            .map(|(triangle, _)| triangle)
            .collect();
        free.sort_unstable();
    }
    match left.is_empty() {
        true => Ok(all),
        false => Err(other()),
    }
}

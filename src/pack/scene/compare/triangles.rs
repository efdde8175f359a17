//! Matches the corners of an edited mesh with those of the original, in any order of vertices.

use std::collections::HashMap;

use crate::pack::edited::Refusal;
use crate::pack::scene::file::{SceneMesh, ScenePrimitive};

/// A corner of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::pack::scene) struct Place {
    pub primitive: usize,
    pub corner: usize,
}

/// True if rows are equal, to this part of the larger of 1 and each number.
pub(in crate::pack::scene) fn is_near<const N: usize>(
    one: &[f32; N],
    other: &[f32; N],
    tolerance: f32,
) -> bool {
    one.iter()
        .zip(other)
        .all(|(a, b)| a == b || (a - b).abs() <= tolerance * a.abs().max(1.0))
}

/// For each original primitive and each of its corners the corner of the edit.
///
/// Corners are matched by their order. Primitives may come in another order, as they do where another material is met
/// first: then those of one material match, if less differs so. With other numbers of triangles per primitive, those with
/// the same positions and texture coordinates match, then those with one of the two.
///
/// # Errors
/// The edit has other triangles.
pub(in crate::pack::scene) fn aligned(
    old: &SceneMesh,
    new: &SceneMesh,
) -> Result<Vec<Vec<Place>>, Refusal> {
    if let Some(places) = ordered(old, new) {
        return Ok(places);
    }
    let plain = |mesh: &SceneMesh| mesh.primitives.iter().all(|part| part.is_triangles);
    match plain(old) && plain(new) {
        true => by_content(old, new),
        false => Err(refusal!("its points or lines changed")),
    }
}

/// The same, by content also where the order fits, if less differs so: for packed meshes.
///
/// # Errors
/// There are other triangles.
pub(in crate::pack::scene) fn best_aligned(
    old: &SceneMesh,
    new: &SceneMesh,
) -> Result<Vec<Vec<Place>>, Refusal> {
    let by_order = aligned(old, new)?;
    let known = cost(old, new, &by_order);
    Ok(match by_content(old, new) {
        Ok(sorted) if known > 0 && cost(old, new, &sorted) < known => sorted,
        _ => by_order,
    })
}

/// Matches corners by the order of their primitives; of the two orders, the one that leaves fewer differences.
fn ordered(old: &SceneMesh, new: &SceneMesh) -> Option<Vec<Vec<Place>>> {
    if old.primitives.len() != new.primitives.len() {
        return None;
    }
    let as_they_are: Vec<usize> = (0..new.primitives.len()).collect();
    let found = in_order(old, new, &as_they_are);
    let cost_of = |places: &Vec<Vec<Place>>| cost(old, new, places);
    let known = found.as_ref().map(cost_of);
    if known == Some(0) {
        return found;
    }
    let by_surface = by_surface(old, new).filter(|order| *order != as_they_are);
    let other = by_surface.and_then(|order| in_order(old, new, &order));
    match (other, known) {
        (Some(other), Some(known)) if cost_of(&other) >= known => found,
        (Some(other), _) => Some(other),
        (None, _) => found,
    }
}

/// For each primitive the edited one with its material, if the materials are unique.
pub(in crate::pack::scene) fn by_surface(old: &SceneMesh, new: &SceneMesh) -> Option<Vec<usize>> {
    let mut places: HashMap<Option<&str>, usize> = HashMap::new();
    for (place, part) in new.primitives.iter().enumerate() {
        if places.insert(part.surface.as_deref(), place).is_some() {
            return None;
        }
    }
    let parts = old.primitives.iter();
    parts
        .map(|part| places.remove(&part.surface.as_deref()))
        .collect()
}

/// Matches the corners in their order, if the numbers are equal. `order` has the edited primitive for each original
/// one.
fn in_order(old: &SceneMesh, new: &SceneMesh, order: &[usize]) -> Option<Vec<Vec<Place>>> {
    let pairs = old.primitives.iter().zip(order);
    pairs
        .map(|(old, &primitive)| {
            let new = new.primitives.get(primitive)?;
            let corners = old.positions.len();
            let fits = corners == new.positions.len() && old.is_triangles == new.is_triangles;
            fits.then(|| {
                (0..corners)
                    .map(|corner| Place { primitive, corner })
                    .collect()
            })
        })
        .collect()
}

/// Number of positions and texture coordinates that differ.
fn cost(old: &SceneMesh, new: &SceneMesh, places: &[Vec<Place>]) -> usize {
    fn differs<const N: usize>(
        old: Option<&Vec<[f32; N]>>,
        new: Option<&Vec<[f32; N]>>,
        from: usize,
        to: usize,
    ) -> bool {
        let rows = (
            old.and_then(|rows| rows.get(from)),
            new.and_then(|rows| rows.get(to)),
        );
        matches!(rows, (Some(old), Some(new)) if !is_near(old, new, 1e-5))
    }
    let mut cost = 0_usize;
    for (primitive, places) in old.primitives.iter().zip(places) {
        for (corner, place) in places.iter().enumerate() {
            let Some(edited) = new.primitives.get(place.primitive) else {
                continue;
            };
            let (at, to) = (corner, place.corner);
            let moved = differs(Some(&primitive.positions), Some(&edited.positions), at, to);
            let mapped = differs(primitive.uvs.first(), edited.uvs.first(), at, to);
            cost += usize::from(moved) + usize::from(mapped);
        }
    }
    cost
}

/// Numbers that identify a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KnownBy {
    Both,
    Positions,
    Uvs,
}

/// Key of a triangle, the smallest corner first.
type Key = Vec<i64>;

/// Primitive and first corner of a triangle, and the number of its smallest corner.
type Turned = ((usize, usize), usize);

fn key(primitive: &ScenePrimitive, first: usize, by: KnownBy) -> (Key, usize) {
    let corner = |corner: usize| {
        let mut parts = Vec::new();
        let mut push = |values: &[f32], grain: f32| {
            parts.extend(values.iter().map(|value| (value * grain).round() as i64));
        };
        if by != KnownBy::Uvs
            && let Some(position) = primitive.positions.get(corner)
        {
            push(position, 1024.0);
        }
        if by != KnownBy::Positions
            && let Some(uv) = primitive.uvs.first().and_then(|set| set.get(corner))
        {
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
        refusal!(
            "its triangles changed ({had} before, {has} now); only positions and values of corners can be edited here"
        )
    };
    if had != has {
        return Err(other());
    }
    let mut all: Vec<Vec<Place>> = old
        .primitives
        .iter()
        .map(|primitive| vec![Place::default(); primitive.positions.len()])
        .collect();
    for by in [KnownBy::Both, KnownBy::Positions, KnownBy::Uvs] {
        let mut known: HashMap<Key, Vec<Turned>> = HashMap::new();
        for &(part, first) in free.iter().rev() {
            if let Some(primitive) = new.primitives.get(part) {
                let (key, turn) = key(primitive, first, by);
                known.entry(key).or_default().push(((part, first), turn));
            }
        }
        left.retain(|&(part, first)| {
            let Some(primitive) = old.primitives.get(part) else {
                return false;
            };
            let (key, turn) = key(primitive, first, by);
            // A key without numbers identifies nothing.
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

//! Corners of polygons that were moved and are therefore triangulated along another diagonal.
//!
//! The diagonal depends on the positions of the corners. An edit that moves them back still has the triangles of the
//! other diagonal: its corners, in their order, do not match the original polygon. Both triangulations have the ring
//! around the
//! polygon in common.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::pack::scene::compare::difference::{CornerChange, corner_change};
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::compare::triangles::is_near;
use crate::pack::scene::file::ScenePrimitive;
use relicast_convert::zipper::CornerSource;

/// Changes at the corners of a primitive whose polygons are triangulated differently; `None` if none of them is.
pub(super) fn changes(
    sources: &[CornerSource],
    old: &ScenePrimitive,
    new: &ScenePrimitive,
    ordered: &[CornerChange],
    tolerance: Tolerance,
) -> Option<Vec<CornerChange>> {
    let is_equal = old.positions.len() == new.positions.len()
        && [sources.len(), ordered.len()] == [old.positions.len(); 2];
    if !is_equal {
        return None;
    }
    let mut all: Option<Vec<CornerChange>> = None;
    for range in polygons(sources) {
        let cuts = (cut(old, &range), cut(new, &range));
        if cuts.0 == cuts.1 {
            continue;
        }
        let Some(places) = aligned(old, new, &range) else {
            continue;
        };
        let all = all.get_or_insert_with(|| ordered.to_vec());
        for (corner, place) in range.zip(places) {
            if let Some(change) = all.get_mut(corner) {
                *change = corner_change(old.corner(corner), new.corner(place), tolerance);
            }
        }
    }
    all
}

/// The corners of each polygon.
fn polygons(sources: &[CornerSource]) -> Vec<Range<usize>> {
    let mut start = 0;
    let runs = sources.chunk_by(|one, other| one.polygon == other.polygon);
    runs.map(|run| {
        let range = start..start + run.len();
        start = range.end;
        range
    })
    .collect()
}

/// Corners of the triangles that are one vertex.
fn cut(primitive: &ScenePrimitive, range: &Range<usize>) -> Vec<usize> {
    let vertices = primitive.vertices.get(range.clone()).unwrap_or_default();
    let mut known = HashMap::new();
    vertices
        .iter()
        .map(|vertex| {
            let next = known.len();
            *known.entry(vertex).or_insert(next)
        })
        .collect()
}

/// A corner of each vertex around the triangles; `None` if they do not form one ring.
fn ring(primitive: &ScenePrimitive, range: &Range<usize>) -> Option<Vec<usize>> {
    let vertices = primitive.vertices.get(range.clone())?;
    let edges = || {
        let triangles = vertices.chunks_exact(3);
        triangles.flat_map(|triangle| match *triangle {
            [a, b, c] => [(a, b), (b, c), (c, a)],
            _ => [(0, 0); 3],
        })
    };
    let known: HashSet<_> = edges().collect();
    let outer = edges().filter(|&(from, to)| !known.contains(&(to, from)));
    let next: HashMap<usize, usize> = outer.collect();
    let count = vertices.iter().collect::<HashSet<_>>().len();
    let first = *vertices.first()?;
    let mut around = Vec::with_capacity(count);
    let mut at = first;
    for _ in 0..count {
        let corner = vertices.iter().position(|&vertex| vertex == at)?;
        around.push(range.start + corner);
        at = *next.get(&at)?;
    }
    (at == first && next.len() == count).then_some(around)
}

/// For each corner of a polygon the edited corner: rings are rotated so that the fewest corners move.
fn aligned(old: &ScenePrimitive, new: &ScenePrimitive, range: &Range<usize>) -> Option<Vec<usize>> {
    let (before, after) = (ring(old, range)?, ring(new, range)?);
    if before.len() != after.len() {
        return None;
    }
    let moved = |turn: usize| {
        let turned = after.iter().cycle().skip(turn);
        let pairs = before.iter().zip(turned);
        let differing = pairs.filter(|(from, to)| {
            let places = (old.positions.get(**from), new.positions.get(**to));
            !matches!(places, (Some(one), Some(other)) if is_near(one, other, 0.0))
        });
        differing.count()
    };
    let turn = (0..after.len()).min_by_key(|&turn| moved(turn))?;
    let turned = after.iter().cycle().skip(turn);
    let of_vertex: HashMap<usize, usize> = before
        .iter()
        .zip(turned)
        .filter_map(|(from, to)| Some((*old.vertices.get(*from)?, *to)))
        .collect();
    let vertices = old.vertices.get(range.clone())?;
    vertices
        .iter()
        .map(|vertex| of_vertex.get(vertex).copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f32; 3]; 4] = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
    ];

    fn primitive(corners: &[usize], places: [[f32; 3]; 4]) -> ScenePrimitive {
        ScenePrimitive {
            is_triangles: true,
            positions: corners.iter().map(|&corner| places[corner]).collect(),
            vertices: corners.to_vec(),
            ..ScenePrimitive::default()
        }
    }

    fn sources() -> Vec<CornerSource> {
        let source = |corner| CornerSource {
            polygon: 0,
            corner,
            layer: 0,
        };
        [1, 2, 3, 1, 3, 0].map(source).to_vec()
    }

    #[test]
    fn a_corner_that_is_moved_back_is_the_only_one_that_is_moved() {
        let mut dented = SQUARE;
        dented[2] = [0.25, 0.25, 0.0];
        // Cut through the corners 0 and 2, as the dent requires.
        let old = primitive(&[2, 3, 0, 1, 2, 0], dented);
        let new = primitive(&[0, 1, 2, 0, 2, 3], SQUARE);
        let ordered = vec![CornerChange::default(); 6];
        let changes = changes(&sources(), &old, &new, &ordered, Tolerance::EXACT).unwrap();
        let moved: Vec<Option<[f32; 3]>> = changes.iter().map(|change| change.position).collect();
        let back = Some(SQUARE[2]);
        assert_eq!(moved, [back, None, None, None, back, None]);
    }

    #[test]
    fn polygons_that_are_cut_as_before_are_left_alone() {
        let old = primitive(&[0, 1, 2, 0, 2, 3], SQUARE);
        let mut moved = SQUARE;
        moved[3] = [0.0, 2.0, 0.0];
        let new = primitive(&[0, 1, 2, 0, 2, 3], moved);
        let ordered = vec![CornerChange::default(); 6];
        assert!(changes(&sources(), &old, &new, &ordered, Tolerance::EXACT).is_none());
    }
}

//! Pairs of triangles of an original mesh and of the edited one.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::model::Exporter;
use super::turned::{self, Match};
use crate::pack::scene::compare::pairing::{self, Triangle};
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::file::{SceneMesh, ScenePrimitive};

/// Pairs of triangles.
#[derive(Debug, Default)]
pub(super) struct TrianglePairs {
    /// For each original triangle the edited one.
    pub edited: BTreeMap<Triangle, Match>,
    /// Original triangles that have the same positions in the edit.
    pub unmoved: HashSet<Triangle>,
    /// Original triangles that the program left out.
    pub left_out: Vec<Triangle>,
    /// Original triangles that were removed.
    pub removed: Vec<Triangle>,
    /// Edited triangles that were added.
    pub added: Vec<Triangle>,
    /// For each of them that is where an original one was, turned over or with another material, that one.
    pub recovered: BTreeMap<Triangle, Match>,
}

/// Pairs triangles: those with equal corners, then those that were turned over or have another material, then moved
/// ones by their order. `fits` returns true if an original and an edited primitive have the same material.
pub(super) fn pair_triangles(
    old: &SceneMesh,
    new: &SceneMesh,
    exporter: &Exporter,
    tolerance: Tolerance,
    fits: &dyn Fn(usize, usize) -> bool,
) -> TrianglePairs {
    let mut pairs = TrianglePairs::default();
    let is_shape = |from: usize, to: usize| {
        old.primitives[from].is_triangles && new.primitives[to].is_triangles
    };
    let fits = &|from: usize, to: usize| is_shape(from, to) && fits(from, to);
    let found = pairing::pair(old, new, &[tolerance], fits);
    let mut open = Vec::new();
    for (triangle, twin) in found.new {
        match twin {
            Some(twin) => {
                pairs.unmoved.insert(twin.triangle);
                let edited = Match {
                    triangle,
                    turn: twin.turn,
                    is_turned_over: false,
                };
                pairs.edited.insert(twin.triangle, edited);
            }
            None if new.primitives[triangle.primitive].is_triangles => open.push(triangle),
            None => {}
        }
    }
    let is_drawn = |triangle: &Triangle| {
        let part = old.primitives.get(triangle.primitive);
        part.is_some_and(|part| part.is_triangles)
    };
    let lost: Vec<Triangle> = found.lost.into_iter().filter(is_drawn).collect();
    // Programs that keep all numbers keep all faces.
    let (left_out, lost) = match exporter.frames {
        Some(_) => left_out(old, &pairs, lost),
        None => (Vec::new(), lost),
    };
    pairs.left_out = left_out;
    let (lost, open) = in_place((old, new), &mut pairs, (lost, open), tolerance, fits);
    by_order(old, new, &mut pairs, lost, open, fits);
    pairs
}

/// True for an original and an edited primitive whose triangles may be the same.
type Fits<'f> = &'f dyn Fn(usize, usize) -> bool;

/// Pairs triangles that stay where they are and were turned over, or have another material. Without this their order
/// would pair them with neighbors of the same texture coordinates, as if their vertices had been moved. Returns the
/// others.
fn in_place(
    (old, new): (&SceneMesh, &SceneMesh),
    pairs: &mut TrianglePairs,
    (mut lost, mut open): (Vec<Triangle>, Vec<Triangle>),
    tolerance: Tolerance,
    fits: &dyn Fn(usize, usize) -> bool,
) -> (Vec<Triangle>, Vec<Triangle>) {
    let is_drawn = |from: usize, to: usize| {
        old.primitives[from].is_triangles && new.primitives[to].is_triangles
    };
    let passes: [(bool, Fits<'_>); 3] = [(true, fits), (false, &is_drawn), (true, &is_drawn)];
    for (is_turned_over, fits) in passes {
        if lost.is_empty() || open.is_empty() {
            break;
        }
        let sides = [(old, &*lost), (new, &*open)];
        let found = turned::pair(sides, tolerance, fits, is_turned_over);
        for (&from, &to) in &found {
            pairs.removed.push(from);
            pairs.added.push(to.triangle);
            pairs.recovered.insert(to.triangle, to.of(from));
        }
        let taken: HashSet<Triangle> = found.values().map(|to| to.triangle).collect();
        lost.retain(|triangle| !found.contains_key(triangle));
        open.retain(|triangle| !taken.contains(triangle));
    }
    (lost, open)
}

/// Splits lost triangles into those that programs leave out, and others: a triangle with a repeated vertex, and a
/// second one with the same vertices.
fn left_out(
    old: &SceneMesh,
    pairs: &TrianglePairs,
    lost: Vec<Triangle>,
) -> (Vec<Triangle>, Vec<Triangle>) {
    let vertices = |triangle: &Triangle| {
        let part = old.primitives.get(triangle.primitive);
        let corners = part.and_then(|part| part.vertices.get(triangle.first..triangle.first + 3));
        let mut corners = corners.unwrap_or_default().to_vec();
        corners.sort_unstable();
        (triangle.primitive, corners)
    };
    let mut known: HashSet<_> = pairs.edited.keys().map(vertices).collect();
    lost.into_iter().partition(|triangle| {
        let (primitive, corners) = vertices(triangle);
        let repeats = corners.windows(2).any(|two| two[0] == two[1]);
        repeats || !known.insert((primitive, corners))
    })
}

/// A vertex of the original mesh: its primitive and its index there.
type Vertex = (usize, usize);

/// Most triangles with the same texture coordinates that are tried.
const MAX_TRIED: usize = 256;

/// Pairs the rest by the order of triangles with the same material and texture coordinates. A pair counts only if every
/// vertex has one new position in all of its triangles; otherwise the triangles were removed and added.
fn by_order(
    old: &SceneMesh,
    new: &SceneMesh,
    pairs: &mut TrianglePairs,
    lost: Vec<Triangle>,
    open: Vec<Triangle>,
    fits: &dyn Fn(usize, usize) -> bool,
) {
    let mut places = Places::default();
    for (triangle, found) in &pairs.edited {
        places.put(old, new, *triangle, *found);
    }
    let accepts = |places: &Places, from: Triangle, to: Triangle| {
        fits(from.primitive, to.primitive) && places.agree(old, new, from, to)
    };
    let mut accept = |places: &mut Places, from: Triangle, triangle: Triangle| {
        let found = Match::in_order(triangle);
        places.put(old, new, from, found);
        pairs.edited.insert(from, found);
    };
    let mut open_by_uvs: HashMap<Vec<u32>, Vec<Triangle>> = HashMap::new();
    for &triangle in open.iter().rev() {
        let key = uvs(new, triangle);
        open_by_uvs.entry(key).or_default().push(triangle);
    }
    let mut taken: HashSet<Triangle> = HashSet::new();
    let mut rest = Vec::new();
    for triangle in lost {
        let candidates = open_by_uvs.get_mut(&uvs(old, triangle));
        let found = candidates.and_then(|list| {
            let mut last = list.iter().rev().take(MAX_TRIED);
            let behind = last.position(|other| accepts(&places, triangle, *other))?;
            Some(list.remove(list.len() - 1 - behind))
        });
        match found {
            Some(other) => {
                taken.insert(other);
                accept(&mut places, triangle, other);
            }
            None => rest.push(triangle),
        }
    }
    // Texture coordinates were edited, too: the order decides.
    let mut open = open.into_iter().filter(|it| !taken.contains(it)).peekable();
    let is_one_to_one = rest.len() == open.clone().count();
    for triangle in rest {
        let other = open.next_if(|other| is_one_to_one && accepts(&places, triangle, *other));
        match other {
            Some(other) => accept(&mut places, triangle, other),
            None => pairs.removed.push(triangle),
        }
    }
    pairs.added.extend(open);
}

/// The first texture coordinates of a triangle, as bits.
fn uvs(mesh: &SceneMesh, triangle: Triangle) -> Vec<u32> {
    let set = mesh
        .primitives
        .get(triangle.primitive)
        .and_then(|part| part.uvs.first());
    let rows = set.and_then(|set| set.get(triangle.first..triangle.first + 3));
    let parts = rows.unwrap_or_default().iter().flatten();
    // Steps of 1/4096, without the sign of zero.
    parts
        .map(|part| (part * 4096.0).round() as i32 as u32)
        .collect()
}

/// New positions of the original vertices.
#[derive(Debug, Default)]
struct Places(HashMap<Vertex, [u32; 3]>);

impl Places {
    fn corners<'m>(
        old: &'m SceneMesh,
        new: &'m SceneMesh,
        from: Triangle,
        found: Match,
    ) -> impl Iterator<Item = (Vertex, [u32; 3])> + use<'m> {
        let parts = old
            .primitives
            .get(from.primitive)
            .zip(new.primitives.get(found.triangle.primitive));
        let corner = move |step: usize, old: &ScenePrimitive, new: &ScenePrimitive| {
            let vertex = *old.vertices.get(from.first + step)?;
            let position = new.positions.get(found.corner(step))?;
            Some((
                (from.primitive, vertex),
                position.map(|it| (it + 0.0).to_bits()),
            ))
        };
        (0..3).filter_map(move |step| parts.and_then(|(old, new)| corner(step, old, new)))
    }

    /// True if no vertex would have two positions.
    fn agree(&self, old: &SceneMesh, new: &SceneMesh, from: Triangle, to: Triangle) -> bool {
        Self::corners(old, new, from, Match::in_order(to)).all(|(vertex, place)| {
            self.0
                .get(&vertex)
                .is_none_or(|known| is_one(known, &place))
        })
    }

    fn put(&mut self, old: &SceneMesh, new: &SceneMesh, from: Triangle, to: Match) {
        for (vertex, place) in Self::corners(old, new, from, to) {
            self.0.entry(vertex).or_insert(place);
        }
    }
}

/// True if positions are equal, except for rounding.
fn is_one(one: &[u32; 3], other: &[u32; 3]) -> bool {
    let mut parts = one.iter().zip(other);
    parts.all(|(one, other)| {
        let (one, other) = (f32::from_bits(*one), f32::from_bits(*other));
        one == other || (one - other).abs() <= 1e-5 * one.abs().max(1.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLENDER: &str = "Khronos glTF Blender I/O v4.2.57";

    /// A sheet of squares of two triangles each, with texture coordinates.
    fn sheet(width: usize) -> SceneMesh {
        let mut part = ScenePrimitive {
            is_triangles: true,
            uvs: vec![Vec::new()],
            ..ScenePrimitive::default()
        };
        for square in 0..width * width {
            let (x, y) = (square % width, square / width);
            for (a, b) in [(0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)] {
                let (x, y) = (x + a, y + b);
                part.vertices.push(y * (width + 1) + x);
                let place = [x as f32, y as f32, (x * y % 3) as f32];
                part.positions.push(place);
                part.uvs[0].push([place[0] / 8.0, place[1] / 8.0]);
            }
        }
        SceneMesh {
            name: "sheet".to_owned(),
            primitives: vec![part],
        }
    }

    fn pairs(old: &SceneMesh, new: &SceneMesh) -> TrianglePairs {
        let exporter = super::super::model::of(BLENDER).unwrap();
        pair_triangles(
            old,
            new,
            exporter,
            exporter.tolerance(old, false),
            &|_, _| true,
        )
    }

    fn without(mesh: &SceneMesh, first: usize) -> SceneMesh {
        let mut mesh = mesh.clone();
        let part = &mut mesh.primitives[0];
        let corners = first..first + 3;
        part.positions.drain(corners.clone());
        part.vertices.drain(corners.clone());
        part.uvs[0].drain(corners);
        mesh
    }

    #[test]
    fn a_moved_vertex_removes_and_adds_no_triangle() {
        let old = sheet(6);
        for vertex in 0..49 {
            let mut new = old.clone();
            let part = &mut new.primitives[0];
            for (at, corner) in part.vertices.iter().zip(&mut part.positions) {
                if *at == vertex {
                    corner[2] += 0.75;
                }
            }
            let pairs = pairs(&old, &new);
            assert_eq!(pairs.edited.len(), 72);
            assert!(pairs.added.is_empty() && pairs.removed.is_empty());
            for (from, to) in &pairs.edited {
                assert_eq!((*from, 0), (to.triangle, to.turn));
            }
        }
    }

    #[test]
    fn faces_that_were_turned_over_move_no_vertex() {
        let old = sheet(6);
        for turned_over in [0..72, 0..1, 9..40] {
            let mut new = old.clone();
            let part = &mut new.primitives[0];
            for triangle in turned_over.clone() {
                let (one, other) = (triangle * 3 + 1, triangle * 3 + 2);
                part.positions.swap(one, other);
                part.vertices.swap(one, other);
                part.uvs[0].swap(one, other);
            }
            let pairs = pairs(&old, &new);
            let count = turned_over.len();
            assert_eq!((pairs.added.len(), pairs.removed.len()), (count, count));
            assert_eq!(pairs.edited.len() + count, 72);
            assert_eq!(pairs.unmoved.len(), pairs.edited.len());
            for (to, from) in &pairs.recovered {
                assert!(turned_over.contains(&(to.first / 3)));
                assert_eq!((*to, true), (from.triangle, from.is_turned_over));
                for step in 0..3 {
                    let (old, new) = (&old.primitives[0], &new.primitives[0]);
                    let corner = from.corner(step);
                    assert_eq!(old.positions[corner], new.positions[to.first + step]);
                }
            }
            assert_eq!(pairs.recovered.len(), count);
        }
    }

    #[test]
    fn faces_whose_materials_were_swapped_are_those_that_were_there() {
        let whole = sheet(6).primitives.remove(0);
        let half = |rest: usize| {
            let mut part = ScenePrimitive {
                is_triangles: true,
                uvs: vec![Vec::new()],
                ..ScenePrimitive::default()
            };
            for corner in (0..216).filter(|corner| corner / 6 % 2 == rest) {
                part.positions.push(whole.positions[corner]);
                part.vertices.push(whole.vertices[corner]);
                // All squares show the whole picture.
                part.uvs[0].push(whole.uvs[0][corner % 6]);
            }
            part
        };
        let mesh = |primitives| SceneMesh {
            name: "sheet".to_owned(),
            primitives,
        };
        let old = mesh(vec![half(0), half(1)]);
        let new = mesh(vec![half(1), half(0)]);
        let exporter = super::super::model::of(BLENDER).unwrap();
        let tolerance = exporter.tolerance(&old, false);
        let pairs = pair_triangles(&old, &new, exporter, tolerance, &|from, to| from == to);
        assert!(pairs.edited.is_empty());
        assert_eq!((pairs.removed.len(), pairs.added.len()), (72, 72));
        assert_eq!(pairs.recovered.len(), 72);
        for (to, from) in &pairs.recovered {
            let (old, new) = (
                &old.primitives[from.triangle.primitive],
                &new.primitives[to.primitive],
            );
            for step in 0..3 {
                let corner = from.corner(step);
                assert_eq!(old.positions[corner], new.positions[to.first + step]);
            }
        }
    }

    #[test]
    fn a_face_with_a_repeated_vertex_or_a_second_one_is_left_out_not_removed() {
        let mut old = sheet(3);
        let part = &mut old.primitives[0];
        for corners in [[0, 0, 1], [0, 1, 2]] {
            for corner in corners {
                part.vertices.push(part.vertices[corner]);
                part.positions.push(part.positions[corner]);
                part.uvs[0].push([0.5, 0.5]);
            }
        }
        let new = without(&without(&old, 57), 54);
        let pairs = pairs(&old, &new);
        assert_eq!((pairs.left_out.len(), pairs.removed.len()), (2, 0));
    }

    #[test]
    fn a_deleted_face_is_removed_and_a_new_one_added() {
        let old = sheet(4);
        for first in (0..96).step_by(3) {
            let pairs = pairs(&old, &without(&old, first));
            let gone = Triangle {
                primitive: 0,
                first,
            };
            assert_eq!((pairs.removed, pairs.added.len()), (vec![gone], 0));
            let pairs = self::pairs(&without(&old, first), &old);
            assert_eq!((pairs.removed.len(), pairs.added), (0, vec![gone]));
        }
    }
}

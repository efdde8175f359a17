//! Triangles that two meshes have in common, in any order, among others.

use glam::DVec3;

use super::tolerance::{Tolerance, is_same_position, is_same_uv};
use crate::pack::scene::file::{PrimitiveTriangle, SceneMesh, ScenePrimitive};

/// Half of the least length of the cross product of two sides of a visible triangle.
const MIN_AREA: f64 = 1e-12;

/// Most triangles with the same projection that are tried.
const MAX_TRIED: usize = 4096;

/// A direction along no edge of typical models, so that few triangles have the same projection.
const DIRECTION: DVec3 = DVec3::new(0.754_877_666, 0.569_840_291, 0.324_717_957);

/// A triangle of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::pack::scene) struct Triangle {
    pub primitive: usize,
    /// Its first corner.
    pub first: usize,
}

/// A triangle of the old mesh and its equal in the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pack::scene) struct Twin {
    pub triangle: Triangle,
    /// Corner `k` of the old one is corner `k + turn` of the new one, cyclically.
    pub turn: usize,
}

impl Twin {
    /// The corner of the old triangle that matches a corner of the new one, 0 to 2.
    pub(in crate::pack::scene) fn corner(self, of_new: usize) -> usize {
        self.triangle.first + (of_new + 3 - self.turn) % 3
    }
}

/// Triangles that two meshes have in common.
#[derive(Debug, Default)]
pub(in crate::pack::scene) struct Pairs {
    /// Triangles of the new mesh in their order, each with its equal in the old one.
    pub new: Vec<(Triangle, Option<Twin>)>,
    /// Triangles of the old mesh that the new one does not have.
    pub lost: Vec<Triangle>,
}

/// The triangles of a mesh in their order.
fn triangles(mesh: &SceneMesh) -> impl Iterator<Item = Triangle> {
    let parts = mesh.primitives.iter().enumerate();
    parts.flat_map(|(primitive, part)| {
        (0..part.positions.len() / 3).map(move |number| Triangle {
            primitive,
            first: number * 3,
        })
    })
}

/// The corners of a triangle.
pub(in crate::pack::scene) fn points(
    primitive: &ScenePrimitive,
    first: usize,
) -> Option<[DVec3; 3]> {
    let at = |step: usize| {
        let position = primitive.positions.get(first.checked_add(step)?)?;
        Some(DVec3::from_array(position.map(f64::from)))
    };
    Some([at(0)?, at(1)?, at(2)?])
}

/// True if conversion shows a triangle with these corners.
pub(in crate::pack::scene) fn has_area([a, b, c]: [DVec3; 3]) -> bool {
    (b - a).cross(c - a).length() >= MIN_AREA * 2.0
}

/// True if a triangle of a mesh is visible.
pub(in crate::pack::scene) fn is_seen(mesh: &SceneMesh, triangle: Triangle) -> bool {
    let part = mesh.primitives.get(triangle.primitive);
    part.and_then(|part| points(part, triangle.first))
        .is_some_and(has_area)
}

fn along(mesh: &SceneMesh, triangle: Triangle) -> f64 {
    let part = mesh.primitives.get(triangle.primitive);
    let corners = part.and_then(|part| points(part, triangle.first));
    corners.map_or(0.0, |[a, b, c]| (a + b + c).dot(DIRECTION) / 3.0)
}

fn reach(mesh: &SceneMesh) -> f64 {
    let positions = mesh.primitives.iter().flat_map(|part| &part.positions);
    positions
        .flatten()
        .fold(1.0, |most, part| f64::from(part.abs()).max(most))
}

/// The rotation of corners by which a triangle equals another.
fn turn_between(
    from: PrimitiveTriangle<'_>,
    to: PrimitiveTriangle<'_>,
    tolerance: Tolerance,
    with_uvs: bool,
) -> Option<usize> {
    let (old, new) = (from.primitive, to.primitive);
    (0..3).find(|turn| {
        (0..3).all(|step| {
            let (from, to) = (from.first + step, to.first + (step + turn) % 3);
            let places = old.positions.get(from).zip(new.positions.get(to));
            let is_there = places.is_some_and(|(old, new)| is_same_position(old, new, tolerance));
            let mut sets = old.uvs.iter().zip(&new.uvs);
            let mut is_mapped = || {
                sets.all(|(old, new)| {
                    let uvs = old.get(from).zip(new.get(to));
                    uvs.is_some_and(|(old, new)| is_same_uv(old, new, tolerance))
                })
            };
            is_there && (!with_uvs || is_mapped())
        })
    })
}

/// The old triangles, sorted by their projection, with marks for those that are taken.
struct Shelf<'m> {
    mesh: &'m SceneMesh,
    rows: Vec<(f64, Triangle)>,
    /// For each row the next free one, or a row on the way to it.
    next: Vec<usize>,
    slack: f64,
}

impl Shelf<'_> {
    fn free(&mut self, mut at: usize) -> usize {
        while self.next[at] != at {
            self.next[at] = self.next[self.next[at]];
            at = self.next[at];
        }
        at
    }

    /// Takes the first old triangle, in the order of the mesh, that equals the new one.
    fn take(
        &mut self,
        new: &SceneMesh,
        triangle: Triangle,
        tolerance: Tolerance,
        fits: impl Fn(usize) -> bool,
        with_uvs: bool,
    ) -> Option<Twin> {
        let part = new.primitives.get(triangle.primitive)?;
        let at = along(new, triangle);
        let start = at - self.slack;
        let mut row = self.rows.partition_point(|(along, _)| *along < start);
        let mut best: Option<(Triangle, usize, usize)> = None;
        for _ in 0..MAX_TRIED {
            row = self.free(row);
            let Some(&(along, old)) = self.rows.get(row) else {
                break;
            };
            if along > at + self.slack {
                break;
            }
            if best.is_none_or(|(known, ..)| old < known)
                && fits(old.primitive)
                && let Some(from) = self.mesh.primitives.get(old.primitive)
                && let Some(turn) = turn_between(
                    from.triangle(old.first),
                    part.triangle(triangle.first),
                    tolerance,
                    with_uvs,
                )
            {
                best = Some((old, turn, row));
            }
            row += 1;
        }
        let (triangle, turn, row) = best?;
        self.next[row] = row + 1;
        Some(Twin { triangle, turn })
    }
}

/// Finds the triangles of `old` in `new`, those with the same texture coordinates first. Tries each of the tolerances
/// in turn, of which the last is the widest. `fits` returns true if a primitive of the old mesh and one of the new have
/// the same surface.
pub(in crate::pack::scene) fn pair(
    old: &SceneMesh,
    new: &SceneMesh,
    tolerances: &[Tolerance],
    fits: &dyn Fn(usize, usize) -> bool,
) -> Pairs {
    let mut rows: Vec<(f64, Triangle)> = triangles(old)
        .map(|triangle| (along(old, triangle), triangle))
        .collect();
    rows.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let reach = reach(old).max(reach(new));
    let widest = tolerances
        .last()
        .map_or(0.0, |last| f64::from(last.position));
    let mut shelf = Shelf {
        mesh: old,
        next: (0..=rows.len()).collect(),
        rows,
        slack: reach * (2.0 * widest + 1e-12),
    };
    let mut found: Vec<(Triangle, Option<Twin>)> =
        triangles(new).map(|triangle| (triangle, None)).collect();
    let passes = [true, false].into_iter().flat_map(|with_uvs| {
        let tolerances = tolerances.iter();
        tolerances.map(move |tolerance| (*tolerance, with_uvs))
    });
    for (tolerance, with_uvs) in passes {
        for (triangle, twin) in &mut found {
            if twin.is_none() {
                let fits = |old: usize| fits(old, triangle.primitive);
                *twin = shelf.take(new, *triangle, tolerance, fits, with_uvs);
            }
        }
    }
    let rows = shelf.rows.iter().zip(&shelf.next).enumerate();
    let mut lost: Vec<Triangle> = rows
        .filter(|(row, (_, next))| *row == **next)
        .map(|(_, ((_, triangle), _))| *triangle)
        .collect();
    lost.sort_unstable();
    Pairs { new: found, lost }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mesh(triangles: &[[[f32; 3]; 3]]) -> SceneMesh {
        let primitive = ScenePrimitive {
            is_triangles: true,
            positions: triangles.concat(),
            ..ScenePrimitive::default()
        };
        SceneMesh {
            name: String::new(),
            primitives: vec![primitive],
        }
    }

    proptest! {
        #[test]
        fn every_triangle_is_found_in_any_order_and_turn(
            seeds in prop::collection::vec(prop::array::uniform9(-4_i8..4), 1..40),
            turns in prop::collection::vec(0_usize..3, 40),
            gone in 0_usize..40,
        ) {
            let triangles: Vec<[[f32; 3]; 3]> = seeds
                .iter()
                .map(|row| {
                    let at = |from: usize| [0, 1, 2].map(|axis| f32::from(row[from * 3 + axis]));
                    [at(0), at(1), at(2)]
                })
                .collect();
            let mut turned = triangles.clone();
            for (triangle, turn) in turned.iter_mut().zip(&turns) {
                triangle.rotate_left(*turn);
            }
            turned.reverse();
            if turned.len() > 1 {
                turned.remove(gone % turned.len());
            }
            let (old, new) = (mesh(&triangles), mesh(&turned));
            let pairs = pair(&old, &new, &[Tolerance::EXACT], &|_, _| true);
            prop_assert_eq!(pairs.new.len(), turned.len());
            prop_assert_eq!(pairs.lost.len(), triangles.len() - turned.len());
            for (triangle, twin) in pairs.new {
                let twin = twin.unwrap();
                for step in 0..3 {
                    prop_assert_eq!(
                        old.primitives[0].positions[twin.corner(step)],
                        new.primitives[0].positions[triangle.first + step]
                    );
                }
            }
        }
    }

    #[test]
    fn many_equal_triangles_are_matched_in_any_order() {
        let same = vec![[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]; 20_000];
        let pairs = pair(&mesh(&same), &mesh(&same), &[Tolerance::STORED], &|_, _| {
            true
        });
        assert!(pairs.lost.is_empty());
        assert_eq!(pairs.new.first().unwrap().1.unwrap().triangle.first, 0);
    }
}

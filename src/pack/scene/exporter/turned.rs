//! Triangles that stay where they are, and were turned over or have another material.

use std::collections::BTreeMap;

use super::normals::without_mean;
use crate::pack::scene::compare::difference::corner_change;
use crate::pack::scene::compare::pairing::{self, Triangle};
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::file::{SceneMesh, ScenePrimitive};

/// A triangle that another one became or was, and how their corners match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    pub triangle: Triangle,
    /// Corner `k` of the other one is corner `k + turn` of this one, cyclically; `turn - k` if it was turned over.
    pub turn: usize,
    /// True if its front is where the back of the other one is.
    pub is_turned_over: bool,
}

impl Match {
    /// A triangle whose corners have the order of those of the other one.
    pub(super) fn in_order(triangle: Triangle) -> Self {
        Self {
            triangle,
            turn: 0,
            is_turned_over: false,
        }
    }

    /// The corner of this triangle that matches a corner of the other one, 0 to 2.
    pub(super) fn corner(self, step: usize) -> usize {
        let step = match self.is_turned_over {
            true => self.turn + 3 - step,
            false => self.turn + step,
        };
        self.triangle.first + step % 3
    }

    /// The match the other way round.
    pub(super) fn of(self, triangle: Triangle) -> Self {
        let turn = match self.is_turned_over {
            true => self.turn,
            false => (3 - self.turn) % 3,
        };
        Self {
            triangle,
            turn,
            ..self
        }
    }
}

/// Finds some triangles of an original mesh among some of the edited one, in the same places; with `is_turned_over`
/// those whose sides were exchanged. `fits` returns true for primitives whose triangles may be the same.
pub(super) fn pair(
    [(old, lost), (new, open)]: [(&SceneMesh, &[Triangle]); 2],
    tolerance: Tolerance,
    fits: &dyn Fn(usize, usize) -> bool,
    is_turned_over: bool,
) -> BTreeMap<Triangle, Match> {
    let (old, from) = selected(old, lost, false);
    let (new, to) = selected(new, open, is_turned_over);
    let found = pairing::pair(&old, &new, &[tolerance], fits)
        .new
        .into_iter();
    let found = found.filter_map(|(triangle, twin)| {
        let twin = twin?;
        let one =
            |all: &[Vec<Triangle>], at: Triangle| all.get(at.primitive)?.get(at.first / 3).copied();
        let (from, triangle) = (one(&from, twin.triangle)?, one(&to, triangle)?);
        let turn = match is_turned_over {
            true => (3 - twin.turn) % 3,
            false => twin.turn,
        };
        let to = Match {
            triangle,
            turn,
            is_turned_over,
        };
        Some((from, to))
    });
    found.collect()
}

/// A mesh of some triangles of another one, and for each of its primitives the triangles there. Where they are turned
/// over, the first corner stays.
fn selected(
    mesh: &SceneMesh,
    triangles: &[Triangle],
    is_turned_over: bool,
) -> (SceneMesh, Vec<Vec<Triangle>>) {
    let mut places = vec![Vec::new(); mesh.primitives.len()];
    for &triangle in triangles {
        if let Some(own) = places.get_mut(triangle.primitive) {
            own.push(triangle);
        }
    }
    let order = match is_turned_over {
        true => [0, 2, 1],
        false => [0, 1, 2],
    };
    let parts = mesh.primitives.iter().zip(&places);
    let parts = parts.map(|(part, places): (&ScenePrimitive, &Vec<Triangle>)| {
        let corners = || {
            let places = places.iter();
            places.flat_map(|place| order.map(|step| place.first + step))
        };
        let uvs = part.uvs.iter();
        let uvs = uvs.map(|rows| corners().filter_map(|at| rows.get(at).copied()).collect());
        let positions = corners().filter_map(|at| part.positions.get(at).copied());
        ScenePrimitive {
            is_triangles: part.is_triangles,
            positions: positions.collect(),
            uvs: uvs.collect(),
            ..ScenePrimitive::default()
        }
    });
    let selected = SceneMesh {
        name: mesh.name.clone(),
        primitives: parts.collect(),
    };
    (selected, places)
}

/// Gives the corners of edited triangles the values of the original ones that they were, except for those that were
/// edited. Where the program makes normals anew, these are no edits.
pub(super) fn take_original(
    old: &SceneMesh,
    new: &mut SceneMesh,
    pairs: &BTreeMap<Triangle, Match>,
    tolerance: Tolerance,
    remakes_normals: bool,
) {
    fn copy<T: Copy>(from: &[T], corner: usize, to: &mut [T], at: usize) {
        if let (Some(own), Some(place)) = (from.get(corner), to.get_mut(at)) {
            *place = *own;
        }
    }
    let mut unstable: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
    for (to, from) in pairs {
        let parts = old.primitives.get(from.triangle.primitive);
        let parts = parts.zip(new.primitives.get_mut(to.primitive));
        let Some((old, new)) = parts else { continue };
        let unstable = unstable
            .entry(from.triangle.primitive)
            .or_insert_with(|| without_mean(old));
        for step in 0..3 {
            let (from_corner, at) = (from.corner(step), to.first + step);
            let change = corner_change(old.corner(from_corner), new.corner(at), tolerance);
            if change.position.is_none() {
                copy(&old.positions, from_corner, &mut new.positions, at);
            }
            let vertex = old.vertices.get(from_corner).copied().unwrap_or_default();
            let is_remade = remakes_normals && unstable.get(vertex) == Some(&true);
            if change.normal.is_none() || is_remade {
                copy(&old.normals, from_corner, &mut new.normals, at);
                if let Some(normal) = new.normals.get_mut(at)
                    && from.is_turned_over
                    && is_remade
                {
                    *normal = normal.map(|part| 0.0 - part);
                }
            }
            if change.color.is_none() {
                copy(&old.colors, from_corner, &mut new.colors, at);
            }
            let sets = old.uvs.iter().zip(&mut new.uvs).zip(&change.uvs);
            for ((old, new), _) in sets.filter(|(_, change)| change.is_none()) {
                copy(old, from_corner, new, at);
            }
        }
    }
}

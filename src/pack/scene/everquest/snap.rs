//! Corners of new shapes that are corners of the original: a program that parts a mesh rounds their values.

use std::collections::HashMap;

use crate::pack::scene::compare::difference::corner_change;
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::file::{SceneMesh, ScenePrimitive};

/// Steps of the grid in which corners are found, in one unit.
const GRID: f32 = 256.0;

/// Gives corners the values of an original corner that are equal but for what programs round.
pub(super) fn snap(base: &SceneMesh, new: &mut SceneMesh) {
    let cell = |position: &[f32; 3]| position.map(|part| (part * GRID).round() as i64);
    let mut cells: HashMap<[i64; 3], Vec<(usize, usize)>> = HashMap::new();
    for (number, part) in base.primitives.iter().enumerate() {
        for (corner, position) in part.positions.iter().enumerate() {
            let own = cells.entry(cell(position)).or_default();
            own.push((number, corner));
        }
    }
    for part in &mut new.primitives {
        for at in 0..part.positions.len() {
            let Some(middle) = part.positions.get(at).map(cell) else {
                continue;
            };
            let around = (0..27_i64).map(|step| [step / 9 - 1, step / 3 % 3 - 1, step % 3 - 1]);
            let near = around
                .filter_map(|[x, y, z]| cells.get(&[middle[0] + x, middle[1] + y, middle[2] + z]));
            let found = near.flatten().filter_map(|&(number, corner)| {
                let from = base.primitives.get(number)?;
                let (old, new) = (from.corner(corner), part.corner(at));
                let mut change = corner_change(old, new, Tolerance::FOREIGN);
                // Programs compute normals at the rims of a part anew.
                let has_normal = change.normal.take().is_none();
                (!change.is_any()).then_some((has_normal, from, corner))
            });
            if let Some((has_normal, from, corner)) =
                found.max_by_key(|(has_normal, ..)| *has_normal)
            {
                take(from, corner, part, at, has_normal);
            }
        }
    }
}

fn take(
    from: &ScenePrimitive,
    corner: usize,
    part: &mut ScenePrimitive,
    at: usize,
    has_normal: bool,
) {
    fn copy<T: Copy>(from: &[T], corner: usize, to: &mut [T], at: usize) {
        if let (Some(own), Some(place)) = (from.get(corner), to.get_mut(at)) {
            *place = *own;
        }
    }
    copy(&from.positions, corner, &mut part.positions, at);
    if has_normal {
        copy(&from.normals, corner, &mut part.normals, at);
    }
    copy(&from.colors, corner, &mut part.colors, at);
    for (from, to) in from.uvs.iter().zip(&mut part.uvs) {
        copy(from, corner, to, at);
    }
}

//! Polygons and strips to triangles, as indices into the list of corners. The winding is preserved.

use glam::{DVec2, DVec3};
use smallvec::SmallVec;

/// Maximum number of corners for ear clipping; the games have at most 124 corners.
const MAX_LENGTH: usize = 128;

/// A list with a value for each corner of a polygon. Nearly all have three or four, and there are very many.
pub(super) type Corners<T> = SmallVec<[T; 4]>;

/// The triangles of a polygon.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Triangles {
    /// Three indices each.
    pub list: Corners<[usize; 3]>,
    /// The outline crosses itself or is too long, so the triangles may overlap.
    pub guessed: bool,
}

/// Twice the area of a polygon in each plane: its normal, not of length 1.
pub(super) fn newell(points: &[DVec3]) -> DVec3 {
    let next = points.iter().skip(1).chain(points.first());
    points
        .iter()
        .zip(next)
        .fold(DVec3::ZERO, |sum, (one, other)| sum + one.cross(*other))
}

/// Triangle `i` of a strip is corners `i`, `i + 1`, `i + 2`; every other one is flipped.
pub(super) fn strip(corners: usize) -> Triangles {
    let list = (2..corners).map(|last| match last % 2 {
        0 => [last - 2, last - 1, last],
        _ => [last - 1, last - 2, last],
    });
    Triangles {
        list: list.collect(),
        guessed: false,
    }
}

/// The triangles of an outline. A convex one is a fan from its last corner, as in the games; others are
/// triangulated by ear clipping, in order.
pub(super) fn outline(points: &[DVec3]) -> Triangles {
    let count = points.len();
    let fan = |guessed| Triangles {
        list: (2..count).map(|at| [count - 1, at - 2, at - 1]).collect(),
        guessed,
    };
    if count <= 3 {
        return Triangles {
            list: (2..count).map(|_| [0, 1, 2]).collect(),
            guessed: false,
        };
    }
    // Differences preserve precision far from the origin.
    let origin = points.first().copied().unwrap_or_default();
    let near: Corners<DVec3> = points.iter().map(|point| *point - origin).collect();
    let normal = newell(&near);
    if !normal.is_finite() || normal == DVec3::ZERO {
        return fan(true);
    }
    let flat: Corners<DVec2> = near.iter().map(|point| flatten(*point, normal)).collect();
    if is_convex(&flat) {
        return fan(false);
    }
    if count > MAX_LENGTH {
        return fan(true);
    }
    match cut_ears(&flat) {
        Some(list) => Triangles {
            list,
            guessed: false,
        },
        None => fan(true),
    }
}

/// Projects along the main axis of the normal, such that the polygon is counter-clockwise.
fn flatten(point: DVec3, normal: DVec3) -> DVec2 {
    let size = normal.abs();
    let (flat, facing) = if size.x >= size.y && size.x >= size.z {
        (DVec2::new(point.y, point.z), normal.x)
    } else if size.y >= size.z {
        (DVec2::new(point.z, point.x), normal.y)
    } else {
        (DVec2::new(point.x, point.y), normal.z)
    };
    if facing < 0.0 {
        DVec2::new(-flat.x, flat.y)
    } else {
        flat
    }
}

fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - b)
}

/// True if the outline turns left or goes straight everywhere, and winds only once.
fn is_convex(points: &[DVec2]) -> bool {
    let &[.., before, end] = points else {
        return true;
    };
    let extent = points
        .iter()
        .fold(0.0_f64, |most, point| most.max(point.abs().max_element()));
    let slack = 1e-9 * extent * extent;
    let (mut one, mut two) = (before, end);
    for &three in points {
        // NaN is not a left turn.
        let turns_left = turn(one, two, three) >= -slack;
        if !turns_left {
            return false;
        }
        (one, two) = (two, three);
    }
    let mut changes = 0;
    let mut last = 0.0;
    let first = points.first();
    let mut from = first.map_or(0.0, |point| point.x);
    for to in points.iter().skip(1).chain(points).chain(first) {
        let way = to.x - from;
        from = to.x;
        if way != 0.0 {
            changes += usize::from(way * last < 0.0);
            last = way;
        }
    }
    changes <= 4
}

fn cut_ears(points: &[DVec2]) -> Option<Corners<[usize; 3]>> {
    let mut left: Vec<usize> = (0..points.len()).collect();
    let mut triangles = Corners::with_capacity(points.len() - 2);
    while left.len() > 3 {
        let count = left.len();
        let ear = (0..count).find(|&at| is_ear(points, &left, at))?;
        let corner = |step: usize| left[(ear + count - 1 + step) % count];
        triangles.push([corner(0), corner(1), corner(2)]);
        left.remove(ear);
    }
    triangles.push([left[0], left[1], left[2]]);
    Some(triangles)
}

fn is_ear(points: &[DVec2], left: &[usize], at: usize) -> bool {
    let count = left.len();
    let corner = |step: usize| points[left[(at + count - 1 + step) % count]];
    let (a, b, c) = (corner(0), corner(1), corner(2));
    if turn(a, b, c) <= 0.0 {
        return false;
    }
    let inside = |point: DVec2| {
        point != a
            && point != b
            && point != c
            && turn(a, b, point) >= 0.0
            && turn(b, c, point) >= 0.0
            && turn(c, a, point) >= 0.0
    };
    !(0..count).any(|step| {
        let other = points[left[(at + step) % count]];
        inside(other)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn area(points: &[DVec3], triangles: &[[usize; 3]]) -> f64 {
        let of =
            |&[a, b, c]: &[usize; 3]| (points[b] - points[a]).cross(points[c] - points[a]).z / 2.0;
        assert!(triangles.iter().all(|triangle| of(triangle) >= -1e-9));
        triangles.iter().map(of).sum()
    }

    fn flat(points: &[[f64; 2]]) -> Vec<DVec3> {
        let points = points.iter();
        points.map(|&[x, y]| DVec3::new(x, y, 0.0)).collect()
    }

    #[test]
    fn strips_turn_every_other_triangle() {
        assert_eq!(strip(5).list[..], [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
        assert!(strip(2).list.is_empty());
    }

    #[test]
    fn convex_polygons_are_fans_from_the_last_corner() {
        let square = flat(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        assert_eq!(outline(&square).list[..], [[3, 0, 1], [3, 1, 2]]);
    }

    #[test]
    fn dents_are_not_filled() {
        let arrow = flat(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [3.0, 1.0]]);
        let outlined = outline(&arrow);
        assert!(!outlined.guessed);
        assert!((area(&arrow, &outlined.list) - newell(&arrow).z / 2.0).abs() < 1e-9);
    }

    #[test]
    fn crossing_outlines_are_guessed() {
        let star = flat(&[
            [0.0, 3.0],
            [-2.0, -3.0],
            [3.0, 1.0],
            [-3.0, 1.0],
            [2.0, -3.0],
        ]);
        assert_eq!(outline(&star).list.len(), 3);
        assert!(outline(&flat(&[[1.0, 1.0]; 5])).guessed);
        assert!(outline(&[DVec3::NAN; 4]).guessed);
    }

    proptest! {
        #[test]
        fn stars_around_a_point_are_covered_exactly(
            radii in prop::collection::vec(0.5..4.0_f64, 4..20), tilt in 0..3_usize, turned in any::<bool>(),
        ) {
            let count = radii.len() as f64;
            let plain: Vec<DVec3> = radii.iter().enumerate().map(|(index, radius)| {
                let angle = index as f64 / count * std::f64::consts::TAU;
                DVec3::new(angle.cos(), angle.sin(), 0.0) * *radius
            }).collect();
            let mut points: Vec<DVec3> = plain.iter().map(|point| match tilt {
                0 => *point,
                1 => DVec3::new(point.y, point.z, point.x),
                _ => DVec3::new(point.z, point.x, point.y),
            }).collect();
            if turned {
                points.reverse();
            }
            let outlined = outline(&points);
            prop_assert!(!outlined.guessed);
            prop_assert_eq!(outlined.list.len(), points.len() - 2);
            let mut sum = DVec3::ZERO;
            let normal = newell(&points).normalize();
            for [a, b, c] in outlined.list {
                let part = (points[b] - points[a]).cross(points[c] - points[a]);
                prop_assert!(part.dot(normal) >= -1e-9);
                sum += part;
            }
            prop_assert!(sum.abs_diff_eq(newell(&points), 1e-6));
        }
    }
}

//! Places of ground clutter, by the texture of the ground.

use glam::{DVec2, DVec3};

use relicast_limits as limits;

/// Maximum number of tiles of a texture over the box around one triangle.
const MAX_TILES: f64 = 65_536.0;

/// A triangle of the ground with its texture coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct GroundTriangle {
    pub points: [DVec3; 3],
    pub uvs: [DVec2; 3],
}

/// Texture coordinates, wrapped to the first tile.
pub(super) fn wrapped(uv: DVec2) -> DVec2 {
    uv - uv.floor()
}

/// Texture coordinates of a triangle at a point, by its x and z; `None` without an area.
pub(super) fn uv_at(triangle: &GroundTriangle, point: DVec3) -> Option<DVec2> {
    let flat = |at: DVec3| DVec2::new(at.x, at.z);
    let weights = weights(triangle.points.map(flat), flat(point))?;
    let [a, b, c] = triangle.uvs;
    let [x, y, z] = weights;
    Some(a * x + b * y + c * z)
}

/// Weights of the corners of a triangle at a point of its plane; `None` without an area.
fn weights([a, b, c]: [DVec2; 3], at: DVec2) -> Option<[f64; 3]> {
    let area = (b - a).perp_dot(c - a);
    let second = (at - a).perp_dot(c - a) / area;
    let third = (b - a).perp_dot(at - a) / area;
    let found = [1.0 - second - third, second, third];
    (area.abs() > f64::EPSILON && found.iter().all(|part| part.is_finite())).then_some(found)
}

/// Calls `visitor` with the points of a triangle at which a tile of its texture has the coordinates `uv`, relative
/// to the tile. Points on an edge are excluded. Returns false if there are too many tiles.
pub(super) fn visit(triangle: &GroundTriangle, uv: DVec2, mut visitor: impl FnMut(DVec3)) -> bool {
    let [a, b, c] = triangle.points;
    if (b - a).cross(c - a).length_squared() <= f64::EPSILON {
        return true;
    }
    let [first, second, third] = triangle.uvs;
    let least = (first.min(second).min(third) - uv).ceil();
    let most = (first.max(second).max(third) - uv).floor();
    let tiles = (most - least + 1.0).max(DVec2::ZERO);
    if !tiles.is_finite() || tiles.x * tiles.y > MAX_TILES {
        return false;
    }
    for column in 0..tiles.x as u32 {
        limits::check();
        for row in 0..tiles.y as u32 {
            let at = uv + least + DVec2::new(f64::from(column), f64::from(row));
            let Some([x, y, z]) = weights(triangle.uvs, at) else {
                return true;
            };
            if x > 0.0 && y > 0.0 && z > 0.0 {
                visitor(a * x + b * y + c * z);
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half of a square of 100 m over 2 × 2 tiles, which rises by 10 m along x.
    fn slope() -> GroundTriangle {
        GroundTriangle {
            points: [
                DVec3::ZERO,
                DVec3::new(100.0, 10.0, 0.0),
                DVec3::new(0.0, 0.0, 100.0),
            ],
            uvs: [DVec2::ZERO, DVec2::new(2.0, 0.0), DVec2::new(0.0, 2.0)],
        }
    }

    fn points(triangle: &GroundTriangle, uv: [f64; 2]) -> Vec<DVec3> {
        let mut found = Vec::new();
        assert!(visit(triangle, uv.into(), |point| found.push(point)));
        found
    }

    #[test]
    fn each_tile_has_its_point_strictly_inside_the_triangle() {
        // By hand: a tile is 50 m wide; of (0.25, 0.5) three tiles have theirs in the half.
        assert_eq!(
            points(&slope(), [0.25, 0.5]),
            [
                DVec3::new(12.5, 1.25, 25.0),
                DVec3::new(12.5, 1.25, 75.0),
                DVec3::new(62.5, 6.25, 25.0),
            ]
        );
        // On the edges of the triangle; only the first tile has (0.5, 0.5).
        assert_eq!(points(&slope(), [0.0, 0.0]), [DVec3::ZERO; 0]);
        assert_eq!(points(&slope(), [0.5, 0.5]).len(), 1);
    }

    #[test]
    fn triangles_without_an_area_have_no_places_and_endless_ones_are_left_out() {
        let mut flat = slope();
        flat.uvs = [DVec2::ZERO, DVec2::ONE, DVec2::splat(2.0)];
        assert!(points(&flat, [0.25, 0.5]).is_empty());
        let mut thin = slope();
        thin.points[2] = DVec3::new(50.0, 5.0, 0.0);
        assert!(points(&thin, [0.25, 0.5]).is_empty());
        let mut endless = slope();
        endless.uvs[1].x = 1e9;
        assert!(!visit(&endless, DVec2::ZERO, |_| {}));
        endless.uvs[1].x = f64::NAN;
        let _ = visit(&endless, DVec2::ZERO, |_| {});
    }

    #[test]
    fn coordinates_are_those_of_the_plane_of_a_quad_and_of_the_first_tile() {
        let uv = uv_at(&slope(), DVec3::new(175.0, 0.0, -25.0)).unwrap();
        assert_eq!(uv, DVec2::new(3.5, -0.5));
        assert_eq!(wrapped(uv), DVec2::new(0.5, 0.5));
    }
}

//! Tangents for normal maps: the direction in which U of the first texture coordinates grows, and the side that is
//! up in the picture.

use glam::DVec3;

use super::{Primitive, Topology};

impl Primitive {
    /// Computes tangents from the first texture coordinates and the normals. Without either, and without triangles,
    /// nothing changes. A vertex whose triangles have no direction of U gets any direction in its plane.
    pub fn make_tangents(&mut self) {
        let count = self.positions.len();
        let Some(uvs) = self.uvs.first().filter(|uvs| uvs.len() == count) else {
            return;
        };
        if self.normals.len() != count || self.topology != Topology::Triangles {
            return;
        }
        let mut along = vec![DVec3::ZERO; count];
        let mut upwards = vec![DVec3::ZERO; count];
        for corners in self.indices.as_chunks::<3>().0 {
            let [a, b, c] = corners.map(|corner| corner as usize);
            let place = |at: usize| {
                let position = self.positions.get(at)?;
                let uv = uvs.get(at)?;
                Some((
                    DVec3::from_array(position.map(f64::from)),
                    uv.map(f64::from),
                ))
            };
            let (Some(first), Some(second), Some(third)) = (place(a), place(b), place(c)) else {
                continue;
            };
            let (edge, other) = (second.0 - first.0, third.0 - first.0);
            let [u, v] = [second.1[0] - first.1[0], second.1[1] - first.1[1]];
            let [s, t] = [third.1[0] - first.1[0], third.1[1] - first.1[1]];
            let area = u * t - s * v;
            if area == 0.0 || !area.is_finite() {
                continue;
            }
            let sign = area.signum();
            // V grows down the picture.
            let tangent = (edge * t - other * v) * sign;
            let up = (edge * s - other * u) * sign;
            for corner in [a, b, c] {
                if let (Some(sum), Some(rise)) = (along.get_mut(corner), upwards.get_mut(corner)) {
                    *sum += tangent;
                    *rise += up;
                }
            }
        }
        let sums = along.into_iter().zip(upwards);
        let tangents = self.normals.iter().zip(sums).map(|(normal, (along, up))| {
            let normal = DVec3::from_array(normal.map(f64::from));
            let flat = (along - normal * normal.dot(along)).try_normalize();
            let tangent = flat.unwrap_or_else(|| any_across(normal));
            let side = match normal.cross(tangent).dot(up) < 0.0 {
                true => -1.0,
                false => 1.0,
            };
            let [x, y, z] = tangent.to_array().map(|part| part as f32 + 0.0);
            [x, y, z, side]
        });
        self.tangents = tangents.collect();
    }
}

/// Any direction perpendicular to another one.
fn any_across(normal: DVec3) -> DVec3 {
    let axis = if normal.x.abs() < 0.9 {
        DVec3::X
    } else {
        DVec3::Y
    };
    let across = axis - normal * normal.dot(axis);
    across.try_normalize().unwrap_or(DVec3::X)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square that faces +Z, with an upright or mirrored picture.
    fn square(mirrored: bool) -> Primitive {
        let uvs = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
        let turn = |[u, v]: [f32; 2]| [if mirrored { 1.0 - u } else { u }, v];
        Primitive {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]].into(),
            normals: vec![[0.0, 0.0, 1.0]; 4].into(),
            uvs: vec![uvs.map(turn).to_vec()].into(),
            indices: vec![0, 1, 2, 0, 2, 3].into(),
            ..Primitive::default()
        }
    }

    #[test]
    fn tangents_point_where_u_grows() {
        let mut upright = square(false);
        upright.make_tangents();
        assert_eq!(upright.tangents, [[1.0, 0.0, 0.0, 1.0]; 4]);
        let mut mirrored = square(true);
        mirrored.make_tangents();
        assert_eq!(mirrored.tangents, [[-1.0, 0.0, 0.0, -1.0]; 4]);
        let mut flat = square(false);
        flat.uvs = vec![vec![[0.5; 2]; 4]].into();
        flat.make_tangents();
        assert_eq!(flat.tangents, [[1.0, 0.0, 0.0, 1.0]; 4]);
    }
}

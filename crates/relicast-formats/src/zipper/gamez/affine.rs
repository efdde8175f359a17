//! Transforms of nodes.

use serde::Serialize;

use relicast_codec::{FixedSize, NumericEq, Vec3};

/// An affine transform, 48 bytes: three basis rows and the translation row. Row-vector convention:
/// `p' = p * M`, world = local * parent. With 0, 0, 0, 1 appended to the rows it is, in file order,
/// the column-major matrix of glTF.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Affine {
    /// Images of the x, y and z axes.
    pub basis: [Vec3; 3],
    /// Image of the origin.
    pub translation: Vec3,
}

impl Affine {
    /// The identity.
    pub fn identity() -> Self {
        Self {
            basis: [
                Vec3::from([1.0, 0.0, 0.0]),
                Vec3::from([0.0, 1.0, 0.0]),
                Vec3::from([0.0, 0.0, 1.0]),
            ],
            translation: Vec3::default(),
        }
    }

    /// The sixteen numbers of the matrix in file order, which is column-major for column vectors.
    pub fn to_columns(self) -> [f32; 16] {
        let [x, y, z] = self.basis;
        let t = self.translation;
        [
            x.x.0, x.y.0, x.z.0, 0.0, y.x.0, y.y.0, y.z.0, 0.0, z.x.0, z.y.0, z.z.0, 0.0, t.x.0,
            t.y.0, t.z.0, 1.0,
        ]
    }

    /// Largest difference to another transform, component by component; NaN when one holds a NaN.
    pub fn distance(&self, other: &Self) -> f32 {
        self.to_columns()
            .into_iter()
            .zip(other.to_columns())
            .map(|(left, right)| (left - right).abs())
            .fold(0.0, |most, next| {
                if next.is_nan() || next > most {
                    next
                } else {
                    most
                }
            })
    }
}

impl FixedSize for Affine {
    const SIZE: usize = 48;

    #[inline]
    fn load(bytes: &[u8]) -> Option<Self> {
        let (basis, translation) = bytes.split_at_checked(36)?;
        Some(Self {
            basis: FixedSize::load(basis)?,
            translation: FixedSize::load(translation)?,
        })
    }

    #[inline]
    fn store(self, out: &mut Vec<u8>) {
        self.basis.store(out);
        self.translation.store(out);
    }
}

impl NumericEq for Affine {
    fn same(&self, other: &Self) -> bool {
        self.basis.same(&other.basis) && self.translation.same(&other.translation)
    }
}

/// Euler angles in radians. About z first, then x, then y: as column-vector matrices
/// `Ry * Rx * Rz`. The order is verified on retail files of all four games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rotation(pub Vec3);

impl Rotation {
    /// The rows of the rotation, each scaled by its component of `scale`, as the engine computes
    /// them in single precision. Sine and cosine may differ from the engine's in the last bit, so
    /// for drawing the stored matrix is the one to use.
    pub fn basis(self, scale: Vec3) -> [Vec3; 3] {
        let [(sx, cx), (sy, cy), (sz, cz)] = self.0.to_array().map(f32::sin_cos);
        let rows = [
            [sy * sx * sz + cy * cz, cx * sz, cy * sx * sz - sy * cz],
            [sy * sx * cz - cy * sz, cx * cz, cy * sx * cz + sy * sz],
            [sy * cx, -sx, cy * cx],
        ];
        let [x, y, z] = rows;
        let [scale_x, scale_y, scale_z] = scale.to_array();
        [(x, scale_x), (y, scale_y), (z, scale_z)]
            .map(|(row, factor)| Vec3::from(row.map(|value| value * factor)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaw_is_applied_after_pitch_and_roll() {
        let quarter = std::f32::consts::FRAC_PI_2;
        let one = Vec3::from([1.0, 1.0, 1.0]);
        // Rolled by a quarter turn, x points along y; the pitch that follows turns it to z; the yaw turns z to x.
        let [x, _, _] = Rotation(Vec3::from([quarter; 3])).basis(one);
        let [a, b, c] = x.to_array();
        assert!((a - 1.0).abs() < 1e-6 && b.abs() < 1e-6 && c.abs() < 1e-6);
    }

    #[test]
    fn scale_multiplies_rows() {
        let basis = Rotation(Vec3::default()).basis(Vec3::from([2.0, 3.0, 4.0]));
        let affine = Affine {
            basis,
            ..Affine::identity()
        };
        let columns = affine.to_columns();
        assert_eq!([columns[0], columns[5], columns[10]], [2.0, 3.0, 4.0]);
        assert_eq!(affine.distance(&Affine::identity()), 3.0);
    }
}

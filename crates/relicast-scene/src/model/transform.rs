//! Transforms, and decomposition of matrices into them.
//!
//! Formats store matrices, but engines move nodes by translation, rotation and scale. A matrix without
//! shear is one such triple. With shear it is a singular value decomposition: a rotation and a scale
//! along the new axes, within which a second rotation follows. Everything is computed in 64 bits with
//! the basic operations and square roots only, so results are the same on every machine.
//!
//! ```
//! use glam::Vec3;
//! use relicast_scene::model::{Placement, Transform};
//!
//! let moved = Transform::from_translation(Vec3::new(1.0, 2.0, 3.0));
//! let placement = Placement::from_matrix(&moved.to_matrix())?;
//! assert_eq!(placement.outer().translation, moved.translation);
//! # Ok::<(), relicast_scene::model::NotFinite>(())
//! ```

use glam::{DMat3, DMat4, DQuat, DVec3, Quat, Vec3};

/// Axes whose directions have a cosine up to this count as orthogonal.
const ORTHOGONAL: f64 = 1e-4;

/// Scales this close to 1 are 1, within single precision.
const UNIT_SCALE: f64 = 1e-6;

/// Scale, then rotation, then translation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// Meters, added last.
    pub translation: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
    /// Along the node's own axes, applied first.
    pub scale: Vec3,
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Transform {
    /// Identity transform.
    pub const IDENTITY: Self = Self {
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
    };

    /// Translation only.
    pub fn from_translation(translation: Vec3) -> Self {
        Self {
            translation,
            ..Self::IDENTITY
        }
    }

    /// The transform as a matrix that acts on column vectors.
    pub fn to_matrix(&self) -> DMat4 {
        DMat4::from_scale_rotation_translation(
            self.scale.as_dvec3(),
            self.rotation.as_dquat().normalize(),
            self.translation.as_dvec3(),
        )
    }
}

/// A decomposed matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Placement {
    /// Without shear.
    Simple(Transform),
    /// With shear: `outer` is the parent of `inner`, which is the parent of the object.
    Sheared {
        /// Translation, rotation and scale of the parent's node.
        outer: Transform,
        /// Rotation within it.
        inner: Transform,
    },
}

/// A matrix holds NaN or infinity, or becomes infinite when it is decomposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is not finite")]
pub struct NotFinite;

impl Placement {
    /// The transform of the outermost node.
    pub fn outer(&self) -> Transform {
        match *self {
            Self::Simple(outer) | Self::Sheared { outer, .. } => outer,
        }
    }

    /// Product of both transforms.
    pub fn to_matrix(&self) -> DMat4 {
        match self {
            Self::Simple(transform) => transform.to_matrix(),
            Self::Sheared { outer, inner } => outer.to_matrix() * inner.to_matrix(),
        }
    }

    /// Decomposes an affine matrix for column vectors; [`matrix_from_rows`] makes one of rows.
    ///
    /// A mirroring matrix gets a negative scale on the axis that leaves the least rotation. Flat
    /// matrices have scales of 0.
    ///
    /// [`matrix_from_rows`]: crate::space::matrix_from_rows
    ///
    /// # Errors
    /// The matrix is not finite, or too large for single precision.
    pub fn from_matrix(matrix: &DMat4) -> Result<Self, NotFinite> {
        if !matrix.is_finite() {
            return Err(NotFinite);
        }
        let linear = DMat3::from_mat4(*matrix);
        let translation = matrix.w_axis.truncate();
        let placement = match orthogonal(&linear) {
            Some((rotation, scale)) => {
                let (rotation, scale) = unmirror(rotation, scale);
                Self::Simple(transform(translation, rotation, scale))
            }
            None => {
                let (left, scale, right) = singular_values(&linear);
                Self::Sheared {
                    outer: transform(translation, left, scale),
                    inner: transform(DVec3::ZERO, right.transpose(), DVec3::ONE),
                }
            }
        };
        let outer = placement.outer();
        if outer.translation.is_finite() && outer.scale.is_finite() {
            Ok(placement)
        } else {
            Err(NotFinite)
        }
    }
}

/// Rounds to single precision, without negative zeros and noise around a scale of 1.
fn transform(translation: DVec3, rotation: DMat3, scale: DVec3) -> Transform {
    let unit = |scale: f64| {
        if (scale.abs() - 1.0).abs() <= UNIT_SCALE {
            scale.signum()
        } else {
            scale
        }
    };
    Transform {
        translation: translation.as_vec3() + Vec3::ZERO,
        rotation: quaternion(&rotation),
        scale: DVec3::new(unit(scale.x), unit(scale.y), unit(scale.z)).as_vec3() + Vec3::ZERO,
    }
}

/// The quaternion of a rotation whose last non-zero component, w first, is positive.
fn quaternion(rotation: &DMat3) -> Quat {
    let wide = DQuat::from_mat3(rotation).normalize();
    let parts = [wide.w, wide.z, wide.y, wide.x];
    let leading = parts.into_iter().find(|part| part.abs() > 1e-12);
    let wide = if leading.is_some_and(|part| part < 0.0) {
        -wide
    } else {
        wide
    };
    let [x, y, z, w] = wide.to_array().map(|part| part as f32 + 0.0);
    Quat::from_xyzw(x, y, z, w)
}

/// Factors of a matrix without shear: an orthogonal matrix, and the scales along its axes.
fn orthogonal(matrix: &DMat3) -> Option<(DMat3, DVec3)> {
    let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(direction);
    for (one, other) in [(0, 1), (1, 2), (2, 0)] {
        if let (Some(one), Some(other)) = (axes[one], axes[other])
            && one.dot(other).abs() > ORTHOGONAL
        {
            return None;
        }
    }
    let mut rotation = complete(axes);
    // Newton-Schulz steps towards the nearest orthogonal matrix; the error squares each time.
    for _ in 0..3 {
        rotation *= (DMat3::IDENTITY * 3.0 - rotation.transpose() * rotation) * 0.5;
    }
    let scale = DVec3::new(
        rotation.x_axis.dot(matrix.x_axis),
        rotation.y_axis.dot(matrix.y_axis),
        rotation.z_axis.dot(matrix.z_axis),
    );
    Some((rotation, scale))
}

fn direction(axis: DVec3) -> Option<DVec3> {
    let greatest = axis.abs().max_element();
    (greatest > 0.0).then(|| (axis / greatest).normalize())
}

/// Fills missing axes with unit axes perpendicular to the others.
fn complete(axes: [Option<DVec3>; 3]) -> DMat3 {
    let [x, y, z] = match axes {
        [Some(x), Some(y), Some(z)] => [x, y, z],
        [Some(x), Some(y), None] => [x, y, x.cross(y).normalize()],
        [Some(x), None, Some(z)] => [x, z.cross(x).normalize(), z],
        [None, Some(y), Some(z)] => [y.cross(z).normalize(), y, z],
        [Some(x), None, None] => {
            let y = square_to(x);
            [x, y, x.cross(y)]
        }
        [None, Some(y), None] => {
            let z = square_to(y);
            [y.cross(z), y, z]
        }
        [None, None, Some(z)] => {
            let x = square_to(z);
            [x, z.cross(x), z]
        }
        [None, None, None] => [DVec3::X, DVec3::Y, DVec3::Z],
    };
    DMat3::from_cols(x, y, z)
}

/// A unit vector perpendicular to a unit vector.
fn square_to(axis: DVec3) -> DVec3 {
    let size = axis.abs();
    let least = if size.x <= size.y && size.x <= size.z {
        DVec3::X
    } else if size.y <= size.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    axis.cross(least).normalize()
}

/// Turns a mirroring orthogonal matrix into a rotation by negating the axis, and its scale, that
/// leaves the least rotation.
fn unmirror(rotation: DMat3, scale: DVec3) -> (DMat3, DVec3) {
    if rotation.determinant() >= 0.0 {
        return (rotation, scale);
    }
    // A smaller angle has a larger trace; negating an axis reduces it by twice the axis's component.
    let diagonal = [rotation.x_axis.x, rotation.y_axis.y, rotation.z_axis.z];
    let (mut rotation, mut scale) = (rotation, scale);
    if diagonal[0] <= diagonal[1] && diagonal[0] <= diagonal[2] {
        rotation.x_axis = -rotation.x_axis;
        scale.x = -scale.x;
    } else if diagonal[1] <= diagonal[2] {
        rotation.y_axis = -rotation.y_axis;
        scale.y = -scale.y;
    } else {
        rotation.z_axis = -rotation.z_axis;
        scale.z = -scale.z;
    }
    (rotation, scale)
}

/// Rotation, scales and rotation whose product, the last one transposed, is the matrix: one-sided
/// Jacobi. A mirroring matrix has one negative scale.
fn singular_values(matrix: &DMat3) -> (DMat3, DVec3, DMat3) {
    let greatest = matrix
        .to_cols_array()
        .into_iter()
        .fold(0.0, |most: f64, part| most.max(part.abs()));
    let mut columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis / greatest);
    let mut right = [DVec3::X, DVec3::Y, DVec3::Z];
    // Convergence is quadratic: five rounds are usual, thirty a bound.
    for _ in 0..30 {
        let mut turned = false;
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            let dot = columns[one].dot(columns[other]);
            let lengths = (
                columns[one].length_squared(),
                columns[other].length_squared(),
            );
            if dot.abs() <= 1e-15 * (lengths.0 * lengths.1).sqrt() {
                continue;
            }
            turned = true;
            let ratio = (lengths.1 - lengths.0) / (2.0 * dot);
            let sign = if ratio < 0.0 { -1.0 } else { 1.0 };
            let tangent = sign / (ratio.abs() + (1.0 + ratio * ratio).sqrt());
            let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
            let sine = cosine * tangent;
            for basis in [&mut columns, &mut right] {
                let (first, second) = (basis[one], basis[other]);
                basis[one] = first * cosine - second * sine;
                basis[other] = first * sine + second * cosine;
            }
        }
        if !turned {
            break;
        }
    }
    // Directions of columns that consist of rounding errors are noise.
    let lengths = columns.map(DVec3::length);
    let longest = lengths.into_iter().fold(0.0, f64::max);
    let axes: [Option<DVec3>; 3] = std::array::from_fn(|axis| {
        (lengths[axis] > 1e-12 * longest).then(|| columns[axis] / lengths[axis])
    });
    let right = DMat3::from_cols(right[0], right[1], right[2]);
    let (left, scale) = unmirror(complete(axes), DVec3::from_array(lengths) * greatest);
    (left, scale, right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::matrix_from_rows;
    use proptest::prelude::*;

    fn close(one: &DMat4, other: &DMat4) -> bool {
        let size = other
            .to_cols_array()
            .into_iter()
            .fold(1e-30, |most: f64, part| most.max(part.abs()));
        one.abs_diff_eq(*other, size * 2e-4)
    }

    fn simple(rows: [[f32; 3]; 3]) -> Transform {
        let matrix = matrix_from_rows(rows, [0.0; 3]);
        match Placement::from_matrix(&matrix).unwrap() {
            Placement::Simple(transform) => transform,
            Placement::Sheared { .. } => panic!("no shear in {rows:?}"),
        }
    }

    #[test]
    fn rows_of_a_turn_about_the_vertical() {
        // A turn by 90 degrees takes +Z to +X; the rows are the images of the axes.
        let matrix = matrix_from_rows(
            [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
            [1.0, 2.0, 3.0],
        );
        let Placement::Simple(transform) = Placement::from_matrix(&matrix).unwrap() else {
            panic!("no shear");
        };
        let half = std::f32::consts::FRAC_1_SQRT_2;
        assert_eq!(transform.translation, Vec3::new(1.0, 2.0, 3.0));
        assert!(
            transform
                .rotation
                .abs_diff_eq(Quat::from_xyzw(0.0, half, 0.0, half), 1e-7)
        );
        assert_eq!(transform.scale, Vec3::ONE);
    }

    #[test]
    fn identity_and_mirrors_need_no_rotation() {
        let identity = simple([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        assert_eq!(identity, Transform::IDENTITY);
        for axis in 0..3 {
            let mut rows = [[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]];
            rows[axis][axis] *= -1.0;
            let mirrored = simple(rows);
            assert_eq!(mirrored.rotation, Quat::IDENTITY);
            assert_eq!(
                mirrored.scale,
                Vec3::new(rows[0][0], rows[1][1], rows[2][2])
            );
        }
    }

    #[test]
    fn flat_matrices_keep_their_zero_scales() {
        assert_eq!(simple([[0.0; 3]; 3]).scale, Vec3::ZERO);
        let flat = simple([[0.0, 0.0, 2.0], [0.0; 3], [0.0; 3]]);
        assert_eq!(flat.scale, Vec3::new(2.0, 0.0, 0.0));
        assert!(flat.rotation.mul_vec3(Vec3::X).abs_diff_eq(Vec3::Z, 1e-6));
        // Rank 1 with three parallel rows is shear.
        let matrix = matrix_from_rows([[1.0, 2.0, 3.0]; 3], [0.0; 3]);
        let placement = Placement::from_matrix(&matrix).unwrap();
        assert!(matches!(placement, Placement::Sheared { .. }));
        assert!(close(&placement.to_matrix(), &matrix));
    }

    #[test]
    fn what_is_not_finite_is_an_error() {
        let rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let nan = matrix_from_rows(rows, [f32::NAN, 0.0, 0.0]);
        assert_eq!(Placement::from_matrix(&nan), Err(NotFinite));
        let huge = matrix_from_rows(
            [[f32::MAX, f32::MAX, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [0.0; 3],
        );
        assert_eq!(Placement::from_matrix(&huge), Err(NotFinite));
    }

    fn rotation() -> impl Strategy<Value = DQuat> {
        prop::array::uniform4(-1.0..1.0_f64)
            .prop_map(DQuat::from_array)
            .prop_filter("no direction", |parts| parts.length() > 1e-3)
            .prop_map(|parts| parts.normalize())
    }

    fn is_rotation(rotation: Quat) -> bool {
        (rotation.as_dquat().length() - 1.0).abs() < 1e-6 && rotation.w >= 0.0
    }

    proptest! {
        #[test]
        fn any_matrix_is_put_together_again(
            rows in prop::array::uniform3(prop::array::uniform3(-10.0..10.0_f32)),
            translation in prop::array::uniform3(-1e5..1e5_f32),
            flat in 0..4_usize,
            exponent in -20..20_i32,
        ) {
            let mut rows = rows.map(|row| row.map(|part| part * 2.0_f32.powi(exponent)));
            if let Some(row) = rows.get_mut(flat) {
                *row = [0.0; 3];
            }
            let matrix = matrix_from_rows(rows, [0.0; 3]);
            let placement = Placement::from_matrix(&matrix).unwrap();
            prop_assert!(close(&placement.to_matrix(), &matrix), "{placement:?} of {matrix}");
            if let Placement::Sheared { outer, inner } = placement {
                prop_assert!(is_rotation(outer.rotation) && is_rotation(inner.rotation));
                prop_assert_eq!(inner.scale, Vec3::ONE);
            }
            let moved = matrix_from_rows(rows, translation);
            let placement = Placement::from_matrix(&moved).unwrap();
            prop_assert_eq!(placement.outer().translation.to_array(), translation.map(|part| part + 0.0));
        }

        #[test]
        fn no_shear_is_one_transform(
            rotation in rotation(),
            scale in prop::array::uniform3(prop_oneof![-4.0..-0.1_f64, 0.1..4.0_f64]),
        ) {
            let matrix = DMat4::from_scale_rotation_translation(
                DVec3::from_array(scale), rotation, DVec3::ZERO,
            );
            // Rounded, like a stored one.
            let matrix = DMat4::from_cols_array(&matrix.to_cols_array().map(|part| f64::from(part as f32)));
            let placement = Placement::from_matrix(&matrix).unwrap();
            let Placement::Simple(transform) = placement else {
                return Err(TestCaseError::fail("sheared"));
            };
            prop_assert!(is_rotation(transform.rotation));
            prop_assert!(placement.to_matrix().abs_diff_eq(matrix, 4e-6), "{transform:?} of {matrix}");
            let negative = transform.scale.to_array().iter().filter(|part| **part < 0.0).count();
            prop_assert_eq!(negative, usize::from(matrix.determinant() < 0.0));
        }
    }
}

//! Values over time: polynomials for places and scales, rotations by angles or by half-angle vectors.
//!
//! Times are seconds on the clock of the clip, in double precision. Sine and cosine are computed in
//! software, so that every machine gets the same bits.

use glam::{DMat3, DQuat, DVec3};

/// Minimum scale of a node that a motion shrinks.
pub(crate) const LEAST_SCALE: f64 = 0.001;

/// A time span with one rule for its value.
pub(crate) trait Segment: Clone {
    /// Type of its values.
    type Value: Copy + PartialEq + std::fmt::Debug;

    /// Time of its start.
    fn start(&self) -> f64;

    /// Time of its end, not before its start.
    fn end(&self) -> f64;

    /// The segment up to an earlier end.
    fn cut(self, end: f64) -> Self;

    /// The value at a time in seconds, clamped to the segment.
    fn at(&self, time: f64) -> Self::Value;
}

/// A vector of three polynomials of degree 3 in the seconds since the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Curve {
    pub start: f64,
    pub end: f64,
    /// Factors of 1, u, u², u³.
    pub terms: [DVec3; 4],
}

impl Curve {
    /// One value from a moment on.
    pub(crate) fn instant(start: f64, value: DVec3) -> Self {
        Self {
            start,
            end: start,
            terms: [value, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO],
        }
    }

    /// A straight line.
    pub(crate) fn line(start: f64, end: f64, from: DVec3, rate: DVec3) -> Self {
        Self {
            start,
            end,
            terms: [from, rate, DVec3::ZERO, DVec3::ZERO],
        }
    }

    /// Change per second.
    pub(crate) fn slope(&self, time: f64) -> DVec3 {
        let u = time.clamp(self.start, self.end) - self.start;
        let [_, one, two, three] = self.terms;
        one + (two * 2.0 + three * (3.0 * u)) * u
    }

    /// True if it is a straight line, or constant.
    pub(crate) fn is_straight(&self) -> bool {
        self.terms[2] == DVec3::ZERO && self.terms[3] == DVec3::ZERO
    }

    /// True if it is constant.
    pub(crate) fn is_still(&self) -> bool {
        self.start == self.end || (self.is_straight() && self.terms[1] == DVec3::ZERO)
    }

    /// The curve from a later start on.
    pub(crate) fn since(&self, start: f64) -> Self {
        let u = start - self.start;
        let [zero, one, two, three] = self.terms;
        Self {
            start,
            end: self.end,
            terms: [
                zero + (one + (two + three * u) * u) * u,
                one + (two * 2.0 + three * (3.0 * u)) * u,
                two + three * (3.0 * u),
                three,
            ],
        }
    }

    /// A curve of degree 2 or less with all components clamped to [`LEAST_SCALE`] or more, split where
    /// clamping starts or ends.
    pub(crate) fn floored(self) -> Vec<Self> {
        let mut cuts = vec![self.start, self.end];
        for axis in 0..3 {
            let [zero, one, two, _] = self.terms.map(|term| term[axis]);
            for root in roots(two, one, zero - LEAST_SCALE).into_iter().flatten() {
                let at = self.start + root;
                if at > self.start && at < self.end {
                    cuts.push(at);
                }
            }
        }
        cuts.sort_by(f64::total_cmp);
        let pieces = cuts.windows(2).filter(|pair| pair[0] < pair[1]);
        let mut curves: Vec<Self> = pieces
            .map(|pair| self.since(pair[0]).cut(pair[1]).floor_axes())
            .collect();
        if curves.is_empty() {
            curves.push(self.floor_axes());
        }
        curves
    }

    /// Clamps the axes that are below the minimum scale at the midpoint.
    fn floor_axes(mut self) -> Self {
        let middle = self.at((self.start + self.end) / 2.0);
        for axis in 0..3 {
            if middle[axis] < LEAST_SCALE {
                for (term, value) in self.terms.iter_mut().zip([LEAST_SCALE, 0.0, 0.0, 0.0]) {
                    term[axis] = value;
                }
            }
        }
        self
    }
}

/// Roots of a·u² + b·u + c.
fn roots(a: f64, b: f64, c: f64) -> [Option<f64>; 2] {
    if a == 0.0 {
        return [(b != 0.0).then(|| -c / b), None];
    }
    let inner = b * b - 4.0 * a * c;
    if inner < 0.0 {
        return [None, None];
    }
    // The form without cancellation.
    let sign = if b < 0.0 { -1.0 } else { 1.0 };
    let far = -0.5 * (b + sign * inner.sqrt());
    [Some(far / a), (far != 0.0).then(|| c / far)]
}

impl Segment for Curve {
    type Value = DVec3;

    fn start(&self) -> f64 {
        self.start
    }

    fn end(&self) -> f64 {
        self.end
    }

    fn cut(mut self, end: f64) -> Self {
        self.end = end.clamp(self.start, self.end);
        self
    }

    fn at(&self, time: f64) -> DVec3 {
        let u = time.clamp(self.start, self.end) - self.start;
        let [zero, one, two, three] = self.terms;
        if u == 0.0 {
            return zero;
        }
        zero + (one + (two + three * u) * u) * u
    }
}

/// A rotation, with the angles that it was made from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rotation {
    /// The rotation.
    pub quat: DQuat,
    angles: Option<DVec3>,
}

impl Rotation {
    /// About z, then x, then y, in radians.
    pub(crate) fn from_angles(angles: DVec3) -> Self {
        Self {
            quat: quat_of(angles),
            angles: Some(angles),
        }
    }

    /// A rotation with the Euler angles that it was made from.
    pub(crate) fn with_angles(quat: DQuat, angles: DVec3) -> Self {
        Self {
            quat,
            angles: Some(angles),
        }
    }

    /// A rotation without stored angles.
    pub(crate) fn from_quat(quat: DQuat) -> Self {
        Self { quat, angles: None }
    }

    /// The angles it was made from, or else angles computed from its matrix.
    pub(crate) fn angles(self) -> DVec3 {
        self.angles.unwrap_or_else(|| angles_of(self.quat))
    }
}

/// The rotation about z, then x, then y.
pub(crate) fn quat_of(angles: DVec3) -> DQuat {
    let about = |axis: DVec3, angle: f64| {
        let half = angle / 2.0;
        let (sine, cosine) = (libm::sin(half), libm::cos(half));
        DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
    };
    about(DVec3::Y, angles.y) * about(DVec3::X, angles.x) * about(DVec3::Z, angles.z)
}

/// The angles of a rotation: x within a quarter turn, z is 0 where x is one.
fn angles_of(quat: DQuat) -> DVec3 {
    let matrix = DMat3::from_quat(quat);
    let sine = (-matrix.z_axis.y).clamp(-1.0, 1.0);
    let x = libm::asin(sine);
    if sine.abs() > 1.0 - 1e-12 {
        let y = libm::atan2(-matrix.x_axis.z, matrix.x_axis.x);
        return DVec3::new(x, y, 0.0);
    }
    let y = libm::atan2(matrix.z_axis.x, matrix.z_axis.z);
    let z = libm::atan2(matrix.x_axis.y, matrix.y_axis.y);
    DVec3::new(x, y, z)
}

/// The rotation about a vector by twice its length.
pub(crate) fn exp_half(half: DVec3) -> DQuat {
    let length = half.length();
    let (sine, cosine) = (libm::sin(length), libm::cos(length));
    // sin(x)/x converges to 1.
    let factor = if length > 1e-9 { sine / length } else { 1.0 };
    let axis = half * factor;
    DQuat::from_xyzw(axis.x, axis.y, axis.z, cosine)
}

/// Continuation of a rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Turning {
    /// Angles that are polynomials in the seconds since the start.
    Angles([DVec3; 3]),
    /// A rotation, followed by one by a half-angle vector that is a polynomial without constant part: the factors
    /// of u, u², u³.
    Exp(DQuat, [DVec3; 3]),
}

/// A rotation over time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RotationCurve {
    pub start: f64,
    pub end: f64,
    pub turning: Turning,
}

impl RotationCurve {
    /// One rotation from a moment on.
    pub(crate) fn instant(start: f64, rotation: Rotation) -> Self {
        let turning = match rotation.angles {
            Some(angles) => Turning::Angles([angles, DVec3::ZERO, DVec3::ZERO]),
            None => Turning::Exp(rotation.quat, [DVec3::ZERO; 3]),
        };
        Self {
            start,
            end: start,
            turning,
        }
    }

    /// True if it is constant.
    pub(crate) fn is_still(&self) -> bool {
        let still = |terms: &[DVec3]| terms.iter().all(|term| *term == DVec3::ZERO);
        self.start == self.end
            || match &self.turning {
                Turning::Angles([_, rest @ ..]) => still(rest),
                Turning::Exp(_, terms) => still(terms),
            }
    }

    /// Upper bound of the radians that it rotates by between two times.
    pub(crate) fn sweep(&self, from: f64, to: f64) -> f64 {
        let (a, b) = (from - self.start, to - self.start);
        let sum = |term: DVec3| term.abs().element_sum();
        match &self.turning {
            Turning::Angles([_, one, two]) => (sum(*one) + sum(*two) * (a + b)) * (b - a),
            // The length of the derivative bounds the rotation; it is exact for a constant derivative.
            Turning::Exp(_, [one, two, three]) => {
                let bend = two.length() * (a + b) + three.length() * (a * a + a * b + b * b);
                2.0 * (one.length() + bend) * (b - a)
            }
        }
    }
}

impl Segment for RotationCurve {
    type Value = Rotation;

    fn start(&self) -> f64 {
        self.start
    }

    fn end(&self) -> f64 {
        self.end
    }

    fn cut(mut self, end: f64) -> Self {
        self.end = end.clamp(self.start, self.end);
        self
    }

    fn at(&self, time: f64) -> Rotation {
        let u = time.clamp(self.start, self.end) - self.start;
        match &self.turning {
            Turning::Angles([zero, one, two]) => {
                Rotation::from_angles(*zero + (*one + *two * u) * u)
            }
            Turning::Exp(base, [one, two, three]) => {
                let half = (*one + (*two + *three * u) * u) * u;
                Rotation::from_quat((exp_half(half) * *base).normalize())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(range: std::ops::Range<f64>) -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(range).prop_map(DVec3::from_array)
    }

    #[test]
    fn half_angles_turn_by_their_double() {
        let quarter = std::f64::consts::FRAC_PI_4;
        let turned = exp_half(DVec3::Y * quarter) * DVec3::Z;
        assert!(turned.abs_diff_eq(DVec3::X, 1e-12), "{turned}");
        assert_eq!(exp_half(DVec3::ZERO), DQuat::IDENTITY);
    }

    #[test]
    fn roll_comes_before_pitch_before_yaw() {
        let quarter = std::f64::consts::FRAC_PI_2;
        // Rolled, x points up; the pitch turns it to z, the yaw turns it to x.
        let turned = quat_of(DVec3::splat(quarter)) * DVec3::X;
        assert!(turned.abs_diff_eq(DVec3::X, 1e-12), "{turned}");
    }

    #[test]
    fn shrinking_stops_at_the_least_scale() {
        let scale = Curve::line(1.0, 5.0, DVec3::ONE, DVec3::new(-0.5, 0.0, -1.0));
        let pieces = scale.floored();
        let at = |time: f64| {
            let place = pieces.partition_point(|piece| piece.start <= time);
            pieces[place.max(1) - 1].at(time)
        };
        assert!(at(2.5).abs_diff_eq(DVec3::new(0.25, 1.0, LEAST_SCALE), 1e-12));
        assert!(at(1.5).abs_diff_eq(DVec3::new(0.75, 1.0, 0.5), 1e-12));
        assert!(at(5.0).abs_diff_eq(DVec3::new(LEAST_SCALE, 1.0, LEAST_SCALE), 1e-12));
    }

    proptest! {
        #[test]
        fn angles_survive_a_round_trip(angles in vector(-1.5..1.5)) {
            let back = Rotation::from_quat(quat_of(angles)).angles();
            prop_assert!(back.abs_diff_eq(angles, 1e-9), "{} {}", back, angles);
        }

        #[test]
        fn any_rotation_has_angles(angles in vector(-9.0..9.0)) {
            let quat = quat_of(angles);
            let back = quat_of(angles_of(quat));
            prop_assert!(back.dot(quat).abs() > 1.0 - 1e-9);
        }

        #[test]
        fn later_starts_change_nothing(terms in prop::array::uniform4(vector(-3.0..3.0)), at in 0.0..2.0) {
            let whole = Curve { start: 1.0, end: 3.0, terms };
            let late = whole.since(2.0);
            let time = 2.0 + at / 2.0;
            prop_assert!(late.at(time).abs_diff_eq(whole.at(time), 1e-9));
            prop_assert!(late.slope(time).abs_diff_eq(whole.slope(time), 1e-9));
        }

        #[test]
        fn sweeps_bound_what_is_turned(
            base in vector(-3.0..3.0), one in vector(-2.0..2.0), two in vector(-1.0..1.0),
            exp in any::<bool>(), from in 0.0..1.0, length in 0.0..1.0,
        ) {
            let turning = if exp { Turning::Exp(quat_of(base), [one, two, DVec3::ZERO]) } else { Turning::Angles([base, one, two]) };
            let turn = RotationCurve { start: 0.0, end: 2.0, turning };
            let (first, last) = (turn.at(from).quat, turn.at(from + length).quat);
            let angle = 2.0 * first.dot(last).abs().min(1.0).acos();
            prop_assert!(angle <= turn.sweep(from, from + length) + 1e-6);
        }
    }
}

//! Motions by physics: launch, flight, spin.
//!
//! Where a game draws lots, the middle of the range stands for all; where it waits for the ground, the
//! height of the launch does.

use glam::DVec3;

use crate::formats::codec::Vec3;
use crate::formats::zipper::anim::Version;
use crate::formats::zipper::anim::event::motion::{MotionFlags, ObjectMotion};

use super::schedule::LATEST;

/// Seconds after which the games give up waiting for the ground.
const LONGEST_FALL: f64 = 15.0;

/// Longest flight in seconds for motions with a search for obstacles.
const LONGEST_SEARCH: f64 = 35.0;

/// A vector of a file; what is not a number is 0.
pub(in crate::convert) fn vector(stored: Vec3) -> DVec3 {
    let parts = stored.to_array().map(|part| {
        if part.is_finite() {
            f64::from(part)
        } else {
            0.0
        }
    });
    DVec3::from_array(parts)
}

/// How something is launched, in the space of its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::convert) struct Launch {
    pub velocity: DVec3,
    pub acceleration: DVec3,
    /// Direction of the launch.
    pub direction: DVec3,
    /// The game draws lots.
    pub is_random: bool,
}

fn draws(it: &ObjectMotion) -> bool {
    it.flags
        .intersects(MotionFlags::TRANSLATION_RANGE_MIN | MotionFlags::TRANSLATION_RANGE_MAX)
}

/// The launch without gravity.
pub(in crate::convert) fn launch(it: &ObjectMotion, version: Version) -> Launch {
    if !draws(it) {
        let moves = it.flags.contains(MotionFlags::TRANSLATION);
        let of = |stored| if moves { vector(stored) } else { DVec3::ZERO };
        return Launch {
            velocity: of(it.velocity),
            acceleration: of(it.acceleration),
            direction: of(it.direction),
            is_random: false,
        };
    }
    let both = it.flags.contains(MotionFlags::TRANSLATION_RANGE_MAX);
    let nominal = |range: crate::formats::zipper::anim::Range| {
        let (least, most) = (f64::from(range.min.0), f64::from(range.max.0));
        let value = if both { (least + most) / 2.0 } else { least };
        if value.is_finite() { value } else { 0.0 }
    };
    let azimuth = nominal(it.range_azimuth).to_radians();
    let lift = nominal(it.range_elevation) / 90.0;
    let (sine, cosine) = (libm::sin(azimuth), libm::cos(azimuth));
    let level = match version {
        Version::CrimsonSkies => DVec3::new(cosine, 0.0, sine),
        _ => DVec3::new(-sine, 0.0, -cosine),
    };
    let direction = level * (1.0 - lift.abs()) + DVec3::Y * lift;
    Launch {
        velocity: direction * nominal(it.range_speed),
        acceleration: direction * nominal(it.range_acceleration),
        direction,
        is_random: both,
    }
}

/// Acceleration by gravity, upwards.
pub(in crate::convert) fn gravity(it: &ObjectMotion) -> f64 {
    let pull = f64::from(it.gravity.0);
    if it.flags.contains(MotionFlags::GRAVITY) && pull.is_finite() {
        pull
    } else {
        0.0
    }
}

/// Whether it only turns, and has no end.
pub(in crate::convert) fn is_endless_spin(it: &ObjectMotion) -> bool {
    let turns = MotionFlags::XYZ_ROTATION | MotionFlags::FORWARD_ROTATION_TIME;
    let others = MotionFlags::TRANSLATION
        | MotionFlags::TRANSLATION_RANGE_MIN
        | MotionFlags::TRANSLATION_RANGE_MAX
        | MotionFlags::GRAVITY
        | MotionFlags::IMPACT_FORCE
        | MotionFlags::SCALE
        | MotionFlags::MORPH
        | MotionFlags::RUN_TIME;
    it.flags.intersects(turns) && !it.flags.intersects(others)
}

/// Seconds until something that flies is back at the height of its launch, or the game gives up.
pub(in crate::convert) fn flight_time(it: &ObjectMotion, version: Version) -> f64 {
    let Launch {
        velocity,
        acceleration,
        ..
    } = launch(it, version);
    let pull = acceleration.y + gravity(it);
    if velocity.y > 0.0 && pull < 0.0 {
        return (-2.0 * velocity.y / pull).min(LATEST);
    }
    if it.flags.contains(MotionFlags::GRAVITY_DO_INTERSECTIONS) {
        LONGEST_SEARCH
    } else {
        LONGEST_FALL
    }
}

/// How the angles change: factors of u and u².
pub(in crate::convert) fn spin(it: &ObjectMotion, launch: &Launch) -> [DVec3; 2] {
    let mut rate = DVec3::ZERO;
    let mut bend = DVec3::ZERO;
    if it.flags.contains(MotionFlags::XYZ_ROTATION) {
        rate += vector(it.spin_rate);
        bend += vector(it.spin_acceleration) / 2.0;
    }
    let number = |stored: f32| {
        if stored.is_finite() {
            f64::from(stored)
        } else {
            0.0
        }
    };
    let forward = number(it.forward_rotation_rate.0);
    let about = |along: DVec3| DVec3::new(along.z, 0.0, -along.x);
    if it.flags.contains(MotionFlags::FORWARD_ROTATION_TIME) {
        let axis = about(launch.direction);
        rate += axis * forward;
        bend += axis * (number(it.forward_rotation_acceleration.0) / 2.0);
    } else if it.flags.contains(MotionFlags::FORWARD_ROTATION_DISTANCE) {
        // The distance grows with the velocity.
        rate += about(launch.velocity) * forward;
        bend += about(launch.acceleration) * (forward / 2.0);
    }
    [rate, bend]
}

/// Seconds of a full turn.
pub(in crate::convert) fn turn_time(spin: [DVec3; 2]) -> f64 {
    let [rate, bend] = spin.map(|term| term.abs().max_element());
    let turn = std::f64::consts::TAU;
    if rate > 0.0 {
        (turn / rate).min(LATEST)
    } else if bend > 0.0 {
        (turn / bend).sqrt().min(LATEST)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::codec::F32;
    use crate::formats::zipper::anim::Range;

    #[test]
    fn a_stone_falls_back_to_where_it_was_thrown() {
        let mut it = ObjectMotion {
            flags: MotionFlags::GRAVITY | MotionFlags::TRANSLATION,
            gravity: F32(-8.0),
            ..ObjectMotion::default()
        };
        it.velocity.y = F32(4.0);
        assert_eq!(flight_time(&it, Version::Recoil), 1.0);
        it.velocity.y = F32(-4.0);
        assert_eq!(flight_time(&it, Version::Recoil), LONGEST_FALL);
    }

    #[test]
    fn the_middle_of_a_range_stands_for_all_and_the_azimuth_is_the_games() {
        let range = |min, max| Range {
            min: F32(min),
            max: F32(max),
        };
        let mut it = ObjectMotion {
            flags: MotionFlags::TRANSLATION_RANGE_MIN | MotionFlags::TRANSLATION_RANGE_MAX,
            range_azimuth: range(60.0, 120.0),
            range_elevation: range(0.0, 90.0),
            range_speed: range(4.0, 6.0),
            ..ObjectMotion::default()
        };
        let made = launch(&it, Version::CrimsonSkies);
        assert!(made.is_random);
        assert!(made.velocity.abs_diff_eq(DVec3::new(0.0, 2.5, 2.5), 1e-12));
        let made = launch(&it, Version::MechWarrior);
        assert!(made.velocity.abs_diff_eq(DVec3::new(-2.5, 2.5, 0.0), 1e-12));
        it.flags = MotionFlags::TRANSLATION_RANGE_MIN;
        let made = launch(&it, Version::Recoil);
        assert!(!made.is_random && (made.velocity.length() - 4.0).abs() < 1e-12);
    }

    #[test]
    fn spins_alone_have_no_end_but_a_full_turn() {
        let mut it = ObjectMotion {
            flags: MotionFlags::XYZ_ROTATION,
            ..ObjectMotion::default()
        };
        it.spin_rate.y = F32(-std::f32::consts::PI);
        assert!(is_endless_spin(&it));
        let turn = turn_time(spin(&it, &launch(&it, Version::Recoil)));
        assert!((turn - 2.0).abs() < 1e-6);
        it.flags |= MotionFlags::GRAVITY;
        assert!(!is_endless_spin(&it));
    }
}

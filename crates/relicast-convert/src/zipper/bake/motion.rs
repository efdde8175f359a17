//! Motions by physics: launch, flight, spin.
//!
//! The middle of the range replaces a value that a game draws at random. The height of the launch replaces
//! the ground that a game waits for.

use glam::DVec3;

use relicast_codec::Vec3;
use relicast_formats::zipper::anim::event::motion::{MotionFlags, ObjectMotion};

use super::time::{LATEST, seconds};

/// Seconds after which the games stop waiting for the ground.
const MAX_FALL_SECONDS: f64 = 15.0;

/// Longest flight in seconds for motions with a search for obstacles.
const MAX_SEARCH_SECONDS: f64 = 35.0;

/// A vector of a file; values that are not numbers become 0.
pub(crate) fn vector(stored: Vec3) -> DVec3 {
    let parts = stored.to_array().map(|part| {
        if part.is_finite() {
            f64::from(part)
        } else {
            0.0
        }
    });
    DVec3::from_array(parts)
}

/// Launch of an object, in the space of its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Launch {
    pub velocity: DVec3,
    pub acceleration: DVec3,
    /// Direction of the launch.
    pub direction: DVec3,
    /// The game uses random values.
    pub is_random: bool,
}

fn draws(body: &ObjectMotion) -> bool {
    body.flags
        .intersects(MotionFlags::TRANSLATION_RANGE_MIN | MotionFlags::TRANSLATION_RANGE_MAX)
}

/// The launch without gravity.
///
/// The azimuth a is the direction (−sin a, 0, −cos a) in all games. The stored direction of Crimson Skies'
/// Barracuda, whose reader says 180°, is (8.742278e-8, 0, 1): that is −sin and −cos of π as a 32-bit number,
/// while (cos, 0, sin) of no angle near 90° has that remainder (page of OBJECT_MOTION in CSVM, docs/formats).
pub(crate) fn launch(body: &ObjectMotion) -> Launch {
    if !draws(body) {
        let moves = body.flags.contains(MotionFlags::TRANSLATION);
        let of = |stored| if moves { vector(stored) } else { DVec3::ZERO };
        return Launch {
            velocity: of(body.velocity),
            acceleration: of(body.acceleration),
            direction: of(body.direction),
            is_random: false,
        };
    }
    let both = body.flags.contains(MotionFlags::TRANSLATION_RANGE_MAX);
    let nominal = |range: relicast_formats::zipper::anim::Range| {
        let (least, most) = (f64::from(range.min.0), f64::from(range.max.0));
        let value = if both { (least + most) / 2.0 } else { least };
        if value.is_finite() { value } else { 0.0 }
    };
    let azimuth = nominal(body.range_azimuth).to_radians();
    let lift = nominal(body.range_elevation) / 90.0;
    let (sine, cosine) = (libm::sin(azimuth), libm::cos(azimuth));
    let level = DVec3::new(-sine, 0.0, -cosine);
    let direction = level * (1.0 - lift.abs()) + DVec3::Y * lift;
    Launch {
        velocity: direction * nominal(body.range_speed),
        acceleration: direction * nominal(body.range_acceleration),
        direction,
        is_random: both,
    }
}

/// Acceleration by gravity, upwards.
pub(crate) fn gravity(body: &ObjectMotion) -> f64 {
    let pull = f64::from(body.gravity.0);
    if body.flags.contains(MotionFlags::GRAVITY) && pull.is_finite() {
        pull
    } else {
        0.0
    }
}

/// True if it only turns, and has no end.
pub(crate) fn is_endless_spin(body: &ObjectMotion) -> bool {
    let turns = MotionFlags::XYZ_ROTATION | MotionFlags::FORWARD_ROTATION_TIME;
    let others = MotionFlags::TRANSLATION
        | MotionFlags::TRANSLATION_RANGE_MIN
        | MotionFlags::TRANSLATION_RANGE_MAX
        | MotionFlags::GRAVITY
        | MotionFlags::IMPACT_FORCE
        | MotionFlags::SCALE
        | MotionFlags::MORPH
        | MotionFlags::RUN_TIME;
    body.flags.intersects(turns) && !body.flags.intersects(others)
}

/// Seconds until a flying object is back at the height of its launch, or the game stops waiting.
pub(crate) fn flight_time(body: &ObjectMotion) -> f64 {
    let Launch {
        velocity,
        acceleration,
        ..
    } = launch(body);
    let pull = acceleration.y + gravity(body);
    if velocity.y > 0.0 && pull < 0.0 {
        return (-2.0 * velocity.y / pull).min(LATEST);
    }
    if body.flags.contains(MotionFlags::GRAVITY_DO_INTERSECTIONS) {
        MAX_SEARCH_SECONDS
    } else {
        MAX_FALL_SECONDS
    }
}

/// Change of the angles: factors of u and u².
pub(crate) fn spin(body: &ObjectMotion, launch: &Launch) -> [DVec3; 2] {
    let mut rate = DVec3::ZERO;
    let mut bend = DVec3::ZERO;
    if body.flags.contains(MotionFlags::XYZ_ROTATION) {
        rate += vector(body.spin_rate);
        bend += vector(body.spin_acceleration) / 2.0;
    }
    let number = |stored: f32| {
        if stored.is_finite() {
            f64::from(stored)
        } else {
            0.0
        }
    };
    let forward = number(body.forward_rotation_rate.0);
    let about = |along: DVec3| DVec3::new(along.z, 0.0, -along.x);
    if body.flags.contains(MotionFlags::FORWARD_ROTATION_TIME) {
        let axis = about(launch.direction);
        rate += axis * forward;
        bend += axis * (number(body.forward_rotation_acceleration.0) / 2.0);
    } else if body.flags.contains(MotionFlags::FORWARD_ROTATION_DISTANCE) {
        // The distance grows with the velocity.
        rate += about(launch.velocity) * forward;
        bend += about(launch.acceleration) * (forward / 2.0);
    }
    [rate, bend]
}

/// Duration of a full turn in seconds.
pub(crate) fn turn_time(spin: [DVec3; 2]) -> f64 {
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

/// Duration of a motion by physics in seconds; `None` for a spin without end.
pub(super) fn length(body: &ObjectMotion) -> Option<f64> {
    if body.flags.contains(MotionFlags::RUN_TIME) {
        return Some(seconds(body.run_time.0));
    }
    if is_endless_spin(body) {
        None
    } else {
        Some(flight_time(body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::F32;
    use relicast_formats::zipper::anim::Range;

    #[test]
    fn a_stone_falls_back_to_where_it_was_thrown() {
        let mut body = ObjectMotion {
            flags: MotionFlags::GRAVITY | MotionFlags::TRANSLATION,
            gravity: F32(-8.0),
            ..ObjectMotion::default()
        };
        body.velocity.y = F32(4.0);
        assert_eq!(flight_time(&body), 1.0);
        body.velocity.y = F32(-4.0);
        assert_eq!(flight_time(&body), MAX_FALL_SECONDS);
    }

    #[test]
    fn the_middle_of_a_range_is_taken_for_all_and_the_azimuth_is_the_games() {
        let range = |min, max| Range {
            min: F32(min),
            max: F32(max),
        };
        let mut body = ObjectMotion {
            flags: MotionFlags::TRANSLATION_RANGE_MIN | MotionFlags::TRANSLATION_RANGE_MAX,
            range_azimuth: range(60.0, 120.0),
            range_elevation: range(0.0, 90.0),
            range_speed: range(4.0, 6.0),
            ..ObjectMotion::default()
        };
        let launched = launch(&body);
        assert!(launched.is_random);
        // 90° and 45°: half of the speed goes up, half to the left.
        let expected = DVec3::new(-2.5, 2.5, 0.0);
        assert!(launched.velocity.abs_diff_eq(expected, 1e-12));
        body.flags = MotionFlags::TRANSLATION_RANGE_MIN;
        let launched = launch(&body);
        assert!(!launched.is_random && (launched.velocity.length() - 4.0).abs() < 1e-12);
    }

    #[test]
    fn an_azimuth_of_half_a_turn_is_the_direction_that_crimson_skies_stores() {
        let half = Range {
            min: F32(180.0),
            max: F32(180.0),
        };
        let body = ObjectMotion {
            flags: MotionFlags::TRANSLATION_RANGE_MIN,
            range_azimuth: half,
            range_speed: Range {
                min: F32(1.0),
                max: F32(1.0),
            },
            ..ObjectMotion::default()
        };
        let stored = DVec3::new(8.742_278e-8, 0.0, 1.0);
        assert!(launch(&body).direction.abs_diff_eq(stored, 1e-7));
    }

    #[test]
    fn spins_alone_have_no_end_but_a_full_turn() {
        let mut body = ObjectMotion {
            flags: MotionFlags::XYZ_ROTATION,
            ..ObjectMotion::default()
        };
        body.spin_rate.y = F32(-std::f32::consts::PI);
        assert!(is_endless_spin(&body));
        let turn = turn_time(spin(&body, &launch(&body)));
        assert!((turn - 2.0).abs() < 1e-6);
        body.flags |= MotionFlags::GRAVITY;
        assert!(!is_endless_spin(&body));
    }
}

//! Tracks as keys.
//!
//! A track that only jumps becomes STEP keys, one of straight lines becomes LINEAR keys, and any other
//! CUBICSPLINE keys, which represent polynomials of degree 3 exactly. Rotations are sampled: no step is
//! longer than a quarter turn, and no interpolated rotation differs from the true one by more than 0.0001
//! radians. A jump between two lines takes 0.0001 seconds.

use glam::{DQuat, DVec3, Quat, Vec3};

use relicast_limits as limits;
use relicast_scene::model::Interpolation;
use relicast_scene::model::clip::smooth_rotations;

use super::curve::{Curve, RotationCurve, Segment};
use super::track::{Span, SpanValue};

/// Seconds from a key to the next one where values jump.
const JUMP: f64 = 1e-4;

/// Maximum error of a sampled rotation in radians.
const STRAY: f64 = 1e-4;

/// Maximum step of a rotation in radians: a little less than a quarter turn.
const STEP: f64 = 1.57;

/// Maximum number of initial steps for one span of a rotation.
const MAX_STEPS: f64 = 2048.0;

/// Maximum number of times such a step is halved.
const MAX_HALVINGS: u32 = 10;

/// Maximum number of keys of one rotation.
const MAX_KEYS: usize = 1 << 17;

/// The keys of one property.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Keys<V> {
    pub times: Vec<f32>,
    pub interpolation: Interpolation,
    /// One per key; with [`Interpolation::Cubic`] three: slope before, value, slope after.
    pub values: Vec<V>,
}

/// Times in the precision of files, strictly increasing.
#[derive(Debug, Default)]
struct Clock {
    times: Vec<f32>,
}

impl Clock {
    fn last(&self) -> Option<f32> {
        self.times.last().copied()
    }

    /// The first time, not before `time`, whose 32-bit value differs from that of the last key.
    fn after(&self, time: f64) -> f32 {
        let wanted = time as f32;
        match self.last() {
            Some(last) if wanted <= last => last.next_up(),
            _ => wanted,
        }
    }
}

/// A key of a vector under construction.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Knot {
    before: DVec3,
    value: DVec3,
    after: DVec3,
}

impl Knot {
    fn still(value: DVec3) -> Self {
        Self {
            before: DVec3::ZERO,
            value,
            after: DVec3::ZERO,
        }
    }
}

fn is_same(one: DVec3, other: DVec3) -> bool {
    let size = one.abs().max(other.abs()).max_element();
    (one - other).abs().max_element() <= 1e-6 * size + 1e-5
}

fn is_still(span: &Span<Curve>) -> bool {
    match &span.content {
        SpanValue::Hold(_) => true,
        SpanValue::Move(curve) => curve.is_still(),
    }
}

fn slope(span: &Span<Curve>, time: f64) -> DVec3 {
    match &span.content {
        SpanValue::Hold(_) => DVec3::ZERO,
        SpanValue::Move(curve) => curve.slope(time),
    }
}

/// A stored time, clamped to a span.
fn within<S: Segment>(span: &Span<S>, time: f32) -> f64 {
    f64::from(time).clamp(span.from, span.to)
}

/// Keys of a vector.
pub(crate) fn vector_keys(spans: &[Span<Curve>]) -> Keys<Vec3> {
    limits::check();
    let narrow = |value: DVec3| value.as_vec3() + Vec3::ZERO;
    if spans.iter().all(is_still) {
        let stops = spans.iter().map(|span| (span.from, span.at(span.from)));
        let end = spans.last().map_or(0.0, |span| span.to);
        let (times, values) = steps(stops, end);
        return Keys {
            times,
            interpolation: Interpolation::Step,
            values: values.into_iter().map(narrow).collect(),
        };
    }
    let bends = spans
        .iter()
        .any(|span| matches!(&span.content, SpanValue::Move(curve) if !curve.is_straight()));
    let (times, knots) = knots(spans);
    let (interpolation, values) = if bends {
        let triples = knots.iter();
        let values = triples.flat_map(|knot| [knot.before, knot.value, knot.after]);
        (Interpolation::Cubic, values.map(narrow).collect())
    } else {
        let values = knots.iter().map(|knot| narrow(knot.value));
        (Interpolation::Linear, values.collect())
    };
    Keys {
        times,
        interpolation,
        values,
    }
}

/// Keys where values jump, and one at the end.
fn steps<V: Copy + PartialEq>(
    stops: impl Iterator<Item = (f64, V)>,
    end: f64,
) -> (Vec<f32>, Vec<V>) {
    let mut clock = Clock::default();
    let mut values: Vec<V> = Vec::new();
    for (from, value) in stops {
        if values.last() == Some(&value) {
            continue;
        }
        if let (Some(last), Some(held)) = (clock.last(), values.last_mut())
            && from as f32 <= last
        {
            *held = value;
            continue;
        }
        clock.times.push(from as f32);
        values.push(value);
    }
    if let (Some(last), Some(&value)) = (clock.last(), values.last())
        && last < end as f32
    {
        clock.times.push(end as f32);
        values.push(value);
    }
    (clock.times, values)
}

fn knots(spans: &[Span<Curve>]) -> (Vec<f32>, Vec<Knot>) {
    let mut clock = Clock::default();
    let mut knots: Vec<Knot> = Vec::new();
    for span in spans {
        let first = span.at(span.from);
        match knots.last_mut() {
            None => {
                clock.times.push(span.from as f32);
                knots.push(Knot {
                    after: slope(span, span.from),
                    ..Knot::still(first)
                });
            }
            Some(last) if is_same(last.value, first) => {
                last.value = first;
                last.after = slope(span, span.from);
            }
            Some(last) => {
                let time = clock.after(span.from + JUMP);
                let at = within(span, time);
                let gap = f64::from(time) - clock.last().map_or(0.0, f64::from);
                if f64::from(time) <= span.to || span.from == span.to {
                    let value = span.at(at);
                    let ramp = (value - last.value) / gap;
                    last.after = ramp;
                    knots.push(Knot {
                        before: ramp,
                        value,
                        after: slope(span, at),
                    });
                    clock.times.push(time);
                } else {
                    // Too short for a separate jump: one line to its end.
                    last.after = (span.at(span.to) - last.value) / (span.to - span.from).max(JUMP);
                }
            }
        }
        let end = span.to as f32;
        if clock.last().is_some_and(|last| last < end) {
            let at = within(span, end);
            let knot = Knot {
                before: slope(span, at),
                value: span.at(at),
                after: DVec3::ZERO,
            };
            // A constant needs no key between its ends.
            let rests = |one: &Knot| *one == Knot::still(knot.value);
            if let [.., one, two] = &*knots
                && one.value == knot.value
                && one.after == DVec3::ZERO
                && rests(two)
                && rests(&knot)
            {
                knots.pop();
                clock.times.pop();
            }
            knots.push(knot);
            clock.times.push(end);
        }
    }
    (clock.times, knots)
}

/// Radians between two rotations.
fn angle(one: DQuat, other: DQuat) -> f64 {
    let other = if one.dot(other) < 0.0 { -other } else { other };
    let chord = (one - other).length();
    4.0 * libm::asin((chord / 2.0).min(1.0))
}

/// Interpolates between two rotations along the shorter arc.
fn between(one: DQuat, other: DQuat, part: f64) -> DQuat {
    let other = if one.dot(other) < 0.0 { -other } else { other };
    let angle = libm::acos(one.dot(other).clamp(-1.0, 1.0));
    let sine = libm::sin(angle);
    if sine < 1e-9 {
        return (one * (1.0 - part) + other * part).normalize();
    }
    let (first, last) = (libm::sin((1.0 - part) * angle), libm::sin(part * angle));
    (one * (first / sine) + other * (last / sine)).normalize()
}

/// Rotation at a time in seconds.
#[derive(Clone, Copy)]
struct TurnSample {
    time: f64,
    turn: DQuat,
}

/// Samples of rotations under construction.
#[derive(Debug, Default)]
struct Samples {
    clock: Clock,
    values: Vec<DQuat>,
}

impl Samples {
    fn push(&mut self, time: f32, value: DQuat) {
        match self.clock.last() {
            Some(last) if time <= last => {}
            _ => {
                self.clock.times.push(time);
                self.values.push(value);
            }
        }
    }

    /// Adds samples after `from` up to and including `to`.
    fn refine(&mut self, turn: &RotationCurve, from: TurnSample, to: TurnSample, halvings: u32) {
        let middle = (from.time + to.time) / 2.0;
        let strays = |part: f64| {
            let time = from.time + (to.time - from.time) * part;
            let truth = turn.at(time).quat;
            angle(between(from.turn, to.turn, part), truth) > STRAY
        };
        let coarse = angle(from.turn, to.turn) > STEP || [0.5, 0.25, 0.75].into_iter().any(strays);
        let apart = (from.time as f32) < middle as f32 && (middle as f32) < to.time as f32;
        if coarse && apart && halvings > 0 && self.values.len() < MAX_KEYS {
            let half = TurnSample {
                time: middle,
                turn: turn.at(middle).quat,
            };
            self.refine(turn, from, half, halvings - 1);
            self.refine(turn, half, to, halvings - 1);
        } else {
            let time = to.time as f32;
            self.push(time, turn.at(f64::from(time).min(to.time)).quat);
        }
    }

    fn stretch(&mut self, turn: &RotationCurve, from: f64, to: f64) {
        let steps = (turn.sweep(from, to) / STEP).ceil().clamp(1.0, MAX_STEPS);
        let at = |step: f64| {
            let time = if step < steps {
                from + (to - from) * (step / steps)
            } else {
                to
            };
            TurnSample {
                time,
                turn: turn.at(time).quat,
            }
        };
        let mut step = 0.0;
        while step < steps {
            self.refine(turn, at(step), at(step + 1.0), MAX_HALVINGS);
            step += 1.0;
        }
    }
}

/// Keys of a rotation.
pub(crate) fn rotation_keys(spans: &[Span<RotationCurve>]) -> Keys<Quat> {
    limits::check();
    let still = |span: &Span<RotationCurve>| match &span.content {
        SpanValue::Hold(_) => true,
        SpanValue::Move(turn) => turn.is_still(),
    };
    let (times, values, interpolation) = if spans.iter().all(still) {
        let stops = spans
            .iter()
            .map(|span| (span.from, span.at(span.from).quat));
        let end = spans.last().map_or(0.0, |span| span.to);
        let (times, values) = steps(stops, end);
        (times, values, Interpolation::Step)
    } else {
        let samples = samples(spans);
        (samples.clock.times, samples.values, Interpolation::Linear)
    };
    let mut values: Vec<Quat> = values.into_iter().map(DQuat::as_quat).collect();
    smooth_rotations(&mut values);
    Keys {
        times,
        interpolation,
        values,
    }
}

fn samples(spans: &[Span<RotationCurve>]) -> Samples {
    let mut samples = Samples::default();
    for span in spans {
        let mut from = span.from;
        match samples.values.last() {
            None => samples.push(span.from as f32, span.at(span.from).quat),
            Some(&last) if angle(last, span.at(span.from).quat) <= STRAY => {}
            Some(_) => {
                let time = samples.clock.after(span.from + JUMP);
                if f64::from(time) <= span.to || span.from == span.to {
                    from = within(span, time);
                    samples.push(time, span.at(from).quat);
                }
            }
        }
        match &span.content {
            SpanValue::Move(turn) if !turn.is_still() => samples.stretch(turn, from, span.to),
            _ => samples.push(span.to as f32, span.at(span.to).quat),
        }
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::bake::curve::{Rotation, Turning};
    use crate::zipper::bake::track::{Order, Track};
    use proptest::prelude::*;

    /// Value that an engine shows at a time.
    fn shown(keys: &Keys<Vec3>, time: f64) -> DVec3 {
        let times: Vec<f64> = keys.times.iter().copied().map(f64::from).collect();
        let next = times.partition_point(|key| *key <= time);
        let key = next.max(1) - 1;
        let value = |key: usize, part: usize| match keys.interpolation {
            Interpolation::Cubic => keys.values[key * 3 + part].as_dvec3(),
            _ => keys.values[key].as_dvec3(),
        };
        if next == 0 || next == times.len() || keys.interpolation == Interpolation::Step {
            return value(key, 1);
        }
        let length = times[next] - times[key];
        let t = (time - times[key]) / length;
        match keys.interpolation {
            Interpolation::Cubic => {
                let (square, cube) = (t * t, t * t * t);
                value(key, 1) * (2.0 * cube - 3.0 * square + 1.0)
                    + value(key, 2) * length * (cube - 2.0 * square + t)
                    + value(next, 1) * (3.0 * square - 2.0 * cube)
                    + value(next, 0) * length * (cube - square)
            }
            _ => value(key, 1).lerp(value(next, 1), t),
        }
    }

    fn shown_turn(keys: &Keys<Quat>, time: f64) -> DQuat {
        let next = keys.times.partition_point(|key| f64::from(*key) <= time);
        let key = next.max(1) - 1;
        let value = |key: usize| keys.values[key].as_dquat().normalize();
        if next == 0 || next == keys.times.len() || keys.interpolation == Interpolation::Step {
            return value(key);
        }
        let (from, to) = (f64::from(keys.times[key]), f64::from(keys.times[next]));
        between(value(key), value(next), (time - from) / (to - from))
    }

    fn is_near_jump<S: Segment>(spans: &[Span<S>], time: f64) -> bool {
        let mut near = spans.iter().map(|span| (span.from - time).abs());
        near.any(|distance| distance < 3.0 * JUMP)
    }

    fn vector(range: std::ops::Range<f64>) -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(range).prop_map(DVec3::from_array)
    }

    #[test]
    fn jumps_between_lines_take_a_moment() {
        let mut track = Track::new(DVec3::ZERO);
        track.write(
            Order::new(0, 0),
            vec![Curve::line(1.0, 2.0, DVec3::X, DVec3::X)],
            9.0,
        );
        let keys = vector_keys(&track.spans(3.0));
        assert_eq!(keys.interpolation, Interpolation::Linear);
        assert_eq!(keys.times, [0.0, 1.0, 1.0001, 2.0, 3.0]);
        assert_eq!(keys.values[1], Vec3::ZERO);
        assert_eq!(keys.values[4], Vec3::X * 2.0);
    }

    #[test]
    fn what_only_jumps_becomes_steps_and_the_last_of_one_moment_counts() {
        let mut track = Track::new(DVec3::ZERO);
        for (place, value) in [DVec3::X, DVec3::Y].into_iter().enumerate() {
            track.write(Order::new(0, place), vec![Curve::instant(1.0, value)], 9.0);
        }
        let keys = vector_keys(&track.spans(2.0));
        assert_eq!(keys.interpolation, Interpolation::Step);
        assert_eq!(keys.times, [0.0, 1.0, 2.0]);
        assert_eq!(keys.values, [Vec3::ZERO, Vec3::Y, Vec3::Y]);
    }

    #[test]
    fn a_fast_turn_has_no_step_beyond_a_quarter() {
        let turning = Turning::Exp(DQuat::IDENTITY, [DVec3::Y * 20.0, DVec3::ZERO, DVec3::ZERO]);
        let turn = RotationCurve {
            start: 0.0,
            end: 2.0,
            turning,
        };
        let mut track = Track::new(Rotation::from_quat(DQuat::IDENTITY));
        track.write(Order::new(0, 0), vec![turn], 9.0);
        let keys = rotation_keys(&track.spans(2.0));
        let steps = keys.values.windows(2);
        let longest = steps.map(|pair| pair[0].dot(pair[1]).min(1.0).acos() * 2.0);
        assert!(longest.fold(0.0, f32::max) < 1.5709);
        // 80 radians in steps of a quarter turn.
        assert!((52..60).contains(&keys.times.len()), "{}", keys.times.len());
    }

    proptest! {
        #[test]
        fn keys_say_what_curves_say(
            pieces in prop::collection::vec((0.0..8.0, 0.01..3.0, prop::array::uniform4(vector(-5.0..5.0)), any::<bool>()), 1..6),
            times in prop::collection::vec(0.0..10.0, 30),
        ) {
            let mut track = Track::new(DVec3::NEG_ONE);
            for (place, (start, length, mut terms, straight)) in pieces.into_iter().enumerate() {
                if straight {
                    terms[2] = DVec3::ZERO;
                    terms[3] = DVec3::ZERO;
                }
                track.write(Order::new(0, place), vec![Curve { start, end: start + length, terms }], 99.0);
            }
            let spans = track.spans(12.0);
            let keys = vector_keys(&spans);
            prop_assert!(keys.times.windows(2).all(|pair| pair[0] < pair[1]));
            for time in times {
                // A jump takes a moment.
                if is_near_jump(&spans, time) {
                    continue;
                }
                let (found, truth) = (shown(&keys, time), track.at(time));
                let size = 1.0 + truth.abs().max_element();
                prop_assert!(found.abs_diff_eq(truth, 2e-4 * size), "{} {} at {}", found, truth, time);
            }
        }

        #[test]
        fn keys_say_what_turns_say(
            pieces in prop::collection::vec(
                (0.0..8.0, 0.01..3.0, vector(-4.0..4.0), vector(-6.0..6.0), vector(-2.0..2.0), any::<bool>()), 1..5),
            times in prop::collection::vec(0.0..10.0, 30),
        ) {
            let mut track = Track::new(Rotation::from_angles(DVec3::ONE));
            for (place, (start, length, base, one, two, exp)) in pieces.into_iter().enumerate() {
                let turning = if exp { Turning::Exp(Rotation::from_angles(base).quat, [one, two, DVec3::ZERO]) } else { Turning::Angles([base, one, two]) };
                track.write(Order::new(0, place), vec![RotationCurve { start, end: start + length, turning }], 99.0);
            }
            let spans = track.spans(12.0);
            let keys = rotation_keys(&spans);
            prop_assert!(keys.times.windows(2).all(|pair| pair[0] < pair[1]));
            for time in times {
                if is_near_jump(&spans, time) {
                    continue;
                }
                let found = angle(shown_turn(&keys, time), track.at(time).quat);
                prop_assert!(found < 1e-3, "{} at {}", found, time);
            }
        }
    }
}

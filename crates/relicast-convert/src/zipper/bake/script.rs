//! Scripts of frames as curves and rotations.

use glam::{DQuat, DVec3};

use relicast_codec::{F32, Vec3};
use relicast_formats::zipper::anim::{Frame, RotationChannel, VectorChannel};

use super::curve::{Curve, RotationCurve, Turning};
use super::time::{LATEST, seconds};

/// Use of the splines of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Splines {
    /// There are none, or stale memory.
    None,
    /// The file states that the frames are splines.
    Stated,
    /// The file does not state if the frames are splines.
    Unstated,
}

/// Maximum distance of the constant part of a spline from the base, relative to the base.
const SPLINE_FAULT: f64 = 1e-3;

/// Maximum size of a value or factor. Crimson Skies' pfighter11 has factors of 1.7e27, which are stale memory;
/// those of a jump of 1,000 m in a frame of 1/30 s are below 1e8.
const MAX_NUMBER: f64 = 1e12;

/// Returns true if all parts of a vector can be values of a movement.
fn is_sound(vector: DVec3) -> bool {
    vector.is_finite() && vector.abs().max_element() <= MAX_NUMBER
}

/// Motion that a script gives its node.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ScriptMotion {
    pub translation: Vec<Curve>,
    pub rotation: Vec<RotationCurve>,
    pub scale: Vec<Curve>,
    /// Frames left out: times or values that are not numbers, or times before the start.
    pub odd: usize,
    /// Channels of frames whose change is not a number or not a movement: they are played without it.
    pub invalid_changes: usize,
    /// Frames that are not played at their stored times, because the times go backwards.
    pub relaid: usize,
}

fn vector(stored: Vec3) -> DVec3 {
    DVec3::from_array(stored.to_array().map(f64::from))
}

/// The change of a value per second; zero where it is not a number, as in a frame of Crimson Skies' carneypkup_cam.
fn change(delta: Vec3) -> DVec3 {
    let delta = vector(delta);
    if is_sound(delta) { delta } else { DVec3::ZERO }
}

/// Factor of a power of the time, for each axis.
fn term(axes: [&[F32; 4]; 3], power: usize) -> DVec3 {
    DVec3::from_array(axes.map(|axis| f64::from(axis[power].0)))
}

fn spline_of_vector(channel: &VectorChannel) -> Option<[DVec3; 4]> {
    let axes = [&channel.spline_x, &channel.spline_y, &channel.spline_z];
    let terms = [0, 1, 2, 3].map(|power| term(axes, power));
    let base = vector(channel.base);
    let near =
        (terms[0] - base).abs().max_element() <= SPLINE_FAULT * (1.0 + base.abs().max_element());
    (near && terms.iter().all(|term| is_sound(*term))).then_some(terms)
}

fn spline_of_rotation(channel: &RotationChannel) -> Option<[DVec3; 3]> {
    let axes = [&channel.spline_x, &channel.spline_y, &channel.spline_z];
    let terms = [0, 1, 2, 3].map(|power| term(axes, power));
    let near = terms[0].abs().max_element() <= SPLINE_FAULT;
    let [_, one, two, three] = terms;
    (near && terms.iter().all(|term| is_sound(*term))).then_some([one, two, three])
}

/// True if the splines of a script are valid and not stale memory, for files that do not say so. Each spline
/// starts at the value of its frame, and splines of translations and scales end at the value of the next frame.
fn are_splines(frames: &[Frame]) -> bool {
    let mut any = false;
    for (place, frame) in frames.iter().enumerate() {
        let next = frames.get(place + 1);
        let length = f64::from(frame.end_time.0) - f64::from(frame.start_time.0);
        let pairs = [
            (
                &frame.translate,
                next.and_then(|next| next.translate.as_ref()),
            ),
            (&frame.scale, next.and_then(|next| next.scale.as_ref())),
        ];
        for (channel, next) in pairs {
            let Some(channel) = channel else { continue };
            let Some([zero, one, two, three]) = spline_of_vector(channel) else {
                return false;
            };
            let moves = [one, two, three].iter().any(|term| *term != DVec3::ZERO);
            any |= moves;
            if let Some(next) = next {
                let end = zero + (one + (two + three * length) * length) * length;
                let target = vector(next.base);
                let fault = (end - target).abs().max_element();
                let size = 1.0 + target.abs().max_element();
                if fault.total_cmp(&(SPLINE_FAULT * size)).is_gt() {
                    return false;
                }
            }
        }
        if let Some(rotate) = &frame.rotate {
            let Some(terms) = spline_of_rotation(rotate) else {
                return false;
            };
            any |= terms.iter().any(|term| *term != DVec3::ZERO);
        }
    }
    any
}

fn curve(channel: &VectorChannel, start: f64, end: f64, splines: bool) -> Option<Curve> {
    let base = vector(channel.base);
    if !is_sound(base) {
        return None;
    }
    let spline = splines.then(|| spline_of_vector(channel)).flatten();
    if let Some(terms) = spline {
        return Some(Curve { start, end, terms });
    }
    let delta = change(channel.delta);
    Some(Curve::line(start, end, base, delta))
}

fn turn(channel: &RotationChannel, start: f64, end: f64, splines: bool) -> Option<RotationCurve> {
    let base = channel.base;
    let [w, x, y, z] = [base.w, base.x, base.y, base.z].map(|part| f64::from(part.0));
    let base = DQuat::from_xyzw(x, y, z, w);
    let length = base.length();
    if !(length.is_finite() && length > 0.0) {
        return None;
    }
    let delta = change(channel.delta);
    let spline = splines.then(|| spline_of_rotation(channel)).flatten();
    let terms = spline.unwrap_or([delta, DVec3::ZERO, DVec3::ZERO]);
    Some(RotationCurve {
        start,
        end,
        turning: Turning::Exp(base / length, terms),
    })
}

/// A frame with the times at which it is played.
struct Timed<'f> {
    frame: &'f Frame,
    start: f64,
    end: f64,
}

/// The frames with the times at which they are played, and the number of frames whose times differ from the stored
/// ones.
///
/// Recoil's program plays frames whose end is before their start, in three events of its third mission, and
/// MechWarrior 3 has 456 such scripts: the cursor walks through the frames and compares no spans (zStudio, from the
/// program and the files). A frame that ends before it starts is reached at its start. Where starts go backwards,
/// too, the frames share the total time evenly, in stored order.
fn timed(frames: &[Frame]) -> (Vec<Timed<'_>>, usize) {
    let valid = frames.iter().filter_map(|frame| {
        let (start, end) = (f64::from(frame.start_time.0), f64::from(frame.end_time.0));
        let is_valid = (0.0..LATEST).contains(&start) && end.is_finite();
        is_valid.then_some(Timed { frame, start, end })
    });
    let mut valid: Vec<Timed<'_>> = valid.collect();
    let is_ascending = valid.windows(2).all(|pair| pair[0].start <= pair[1].start);
    let mut relaid = 0;
    if is_ascending {
        for timed in &mut valid {
            if timed.end < timed.start {
                timed.end = timed.start;
                relaid += 1;
            }
        }
        return (valid, relaid);
    }
    let times = || valid.iter().flat_map(|timed| [timed.start, timed.end]);
    let least = times().fold(LATEST, f64::min).max(0.0);
    let most = times().fold(0.0, f64::max).min(LATEST);
    let step = (most - least) / valid.len() as f64;
    relaid = valid.len();
    for (place, timed) in valid.iter_mut().enumerate() {
        timed.start = least + step * place as f64;
        timed.end = timed.start + step;
    }
    (valid, relaid)
}

/// The movement of a script that starts at a time.
pub(crate) fn play(frames: &[Frame], splines: Splines, from: f64) -> ScriptMotion {
    let mut motion = ScriptMotion::default();
    let use_splines = match splines {
        Splines::None => false,
        Splines::Stated => true,
        Splines::Unstated => are_splines(frames),
    };
    let (valid, relaid) = timed(frames);
    motion.odd = frames.len() - valid.len();
    motion.relaid = relaid;
    for (place, timed) in valid.iter().enumerate() {
        let Timed { frame, start, end } = *timed;
        // The next frame ends all channels when it starts, even those that it lacks.
        let next = valid.get(place + 1).map(|next| next.start);
        let end = next.map_or(end, |next| end.min(next));
        let (start, end) = (from + start, from + end.min(LATEST));
        motion.invalid_changes += invalid_changes(frame, use_splines);
        let mut keep = |found: Option<()>| motion.odd += usize::from(found.is_none());
        if let Some(channel) = &frame.translate {
            let found = curve(channel, start, end, use_splines);
            keep(found.map(|found| motion.translation.push(found)));
        }
        if let Some(channel) = &frame.rotate {
            let found = turn(channel, start, end, use_splines);
            keep(found.map(|found| motion.rotation.push(found)));
        }
        if let Some(channel) = &frame.scale {
            let found = curve(channel, start, end, use_splines);
            keep(found.map(|found| motion.scale.push(found)));
        }
    }
    motion
}

/// Number of channels of a frame whose change is not used, because it is not a number or not a movement.
fn invalid_changes(frame: &Frame, splines: bool) -> usize {
    let is_odd = |delta: Vec3, axes: [&[F32; 4]; 3]| {
        let terms = [0, 1, 2, 3].map(|power| term(axes, power));
        let has_spline = splines && terms.iter().any(|term| *term != DVec3::ZERO);
        match has_spline {
            true => !terms.iter().all(|term| is_sound(*term)),
            false => !is_sound(vector(delta)),
        }
    };
    let moved = [&frame.translate, &frame.scale].into_iter().flatten();
    let moved = moved.map(|channel| {
        is_odd(
            channel.delta,
            [&channel.spline_x, &channel.spline_y, &channel.spline_z],
        )
    });
    let turned = frame.rotate.iter();
    let turned = turned.map(|channel| {
        is_odd(
            channel.delta,
            [&channel.spline_x, &channel.spline_y, &channel.spline_z],
        )
    });
    moved.chain(turned).filter(|is_odd| *is_odd).count()
}

/// End of a script in seconds.
pub(super) fn length(frames: &[Frame]) -> f64 {
    frames.last().map_or(0.0, |frame| seconds(frame.end_time.0))
}

#[cfg(test)]
mod tests {
    use super::super::curve::Segment;
    use super::*;

    fn frame(start: f32, end: f32, base: [f32; 3]) -> Frame {
        Frame {
            start_time: F32(start),
            end_time: F32(end),
            translate: Some(Box::new(VectorChannel {
                base: base.into(),
                ..VectorChannel::default()
            })),
            ..Frame::default()
        }
    }

    fn starts(frames: &[Frame]) -> (Vec<(f64, f64, f64)>, usize, usize) {
        let motion = play(frames, Splines::None, 10.0);
        let curves = motion.translation.iter();
        let curves = curves.map(|curve| (curve.start, curve.end, curve.terms[0].x));
        (curves.collect(), motion.relaid, motion.odd)
    }

    #[test]
    fn changes_that_are_no_numbers_or_no_movement_are_left_out() {
        let mut nan = frame(0.0, 1.0, [1.0; 3]);
        nan.translate.as_mut().unwrap().delta = [f32::NAN; 3].into();
        let mut wild = frame(1.0, 2.0, [2.0; 3]);
        let channel = wild.translate.as_mut().unwrap();
        channel.delta = [0.5, 0.0, 0.0].into();
        channel.spline_x = [2.0, 1.7e27, 0.0, 0.0].map(F32);
        channel.spline_y = [2.0, 0.0, 0.0, 0.0].map(F32);
        channel.spline_z = channel.spline_y;
        let lost = frame(2.0, 3.0, [1.7e27, 0.0, 0.0]);
        let motion = play(&[nan, wild, lost], Splines::Stated, 0.0);
        let [held, line] = &*motion.translation else {
            panic!("{motion:?}")
        };
        assert_eq!(held.at(0.5), DVec3::ONE);
        // Base and change instead of the spline: 2 + 0.5 · 1 s.
        assert_eq!(line.at(2.0), DVec3::new(2.5, 2.0, 2.0));
        assert_eq!((motion.invalid_changes, motion.odd), (2, 1));
    }

    #[test]
    fn frames_that_end_before_they_start_are_played_at_their_start() {
        let frames = [
            frame(0.0, 1.0, [1.0; 3]),
            frame(2.0, 1.5, [2.0; 3]),
            frame(2.5, 3.0, [3.0; 3]),
        ];
        let expected = vec![(10.0, 11.0, 1.0), (12.0, 12.0, 2.0), (12.5, 13.0, 3.0)];
        assert_eq!(starts(&frames), (expected, 1, 0));
    }

    #[test]
    fn frames_whose_starts_go_backwards_keep_their_order_and_share_the_time() {
        let frames = [
            frame(4.0, 2.0, [1.0; 3]),
            frame(2.0, 1.0, [2.0; 3]),
            frame(1.0, 0.0, [3.0; 3]),
            frame(f32::NAN, 0.0, [4.0; 3]),
        ];
        // From 0 to 4 seconds.
        let step = 4.0 / 3.0;
        let (curves, relaid, odd) = starts(&frames);
        assert_eq!((curves.len(), relaid, odd), (3, 3, 1));
        for (place, (start, end, value)) in curves.into_iter().enumerate() {
            let place = f64::from(u8::try_from(place).unwrap());
            assert!((start - 10.0 - step * place).abs() < 1e-12);
            assert!((end - start - step).abs() < 1e-12);
            assert_eq!(value, place + 1.0);
        }
    }
}

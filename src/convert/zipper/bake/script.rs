//! Scripts of frames as curves and turns.

use glam::{DQuat, DVec3};

use crate::formats::codec::F32;
use crate::formats::zipper::anim::{Frame, RotationChannel, VectorChannel};

use super::curve::{Curve, RotationCurve, Turning};
use super::time::{LATEST, seconds};

/// Whether the splines of a script are to be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::convert) enum Splines {
    /// There are none, or stale memory.
    None,
    /// The file says that the frames are splines.
    Stated,
    /// The file does not say whether the frames are splines.
    Unstated,
}

/// How far the constant part of a spline may be from the base, in parts of the base.
const SPLINE_FAULT: f64 = 1e-3;

/// What a script does to its node.
#[derive(Debug, Default, PartialEq)]
pub(in crate::convert) struct ScriptMotion {
    pub translation: Vec<Curve>,
    pub rotation: Vec<RotationCurve>,
    pub scale: Vec<Curve>,
    /// Frames left out: times that are not in order, or values that are not numbers.
    pub odd: usize,
}

fn vector(stored: crate::formats::codec::Vec3) -> DVec3 {
    DVec3::from_array(stored.to_array().map(f64::from))
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
    (near && terms.iter().all(|term| term.is_finite())).then_some(terms)
}

fn spline_of_rotation(channel: &RotationChannel) -> Option<[DVec3; 3]> {
    let axes = [&channel.spline_x, &channel.spline_y, &channel.spline_z];
    let terms = [0, 1, 2, 3].map(|power| term(axes, power));
    let near = terms[0].abs().max_element() <= SPLINE_FAULT;
    let [_, one, two, three] = terms;
    (near && terms.iter().all(|term| term.is_finite())).then_some([one, two, three])
}

/// Whether the splines of a script are valid and no stale memory, for files that do not say so: each spline
/// starts at the value of its frame, and splines of translations and scales end at the value of the next
/// frame.
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
    if !base.is_finite() {
        return None;
    }
    let spline = splines.then(|| spline_of_vector(channel)).flatten();
    if let Some(terms) = spline {
        return Some(Curve { start, end, terms });
    }
    let delta = vector(channel.delta);
    let delta = if delta.is_finite() {
        delta
    } else {
        DVec3::ZERO
    };
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
    let delta = vector(channel.delta);
    let delta = if delta.is_finite() {
        delta
    } else {
        DVec3::ZERO
    };
    let spline = splines.then(|| spline_of_rotation(channel)).flatten();
    let terms = spline.unwrap_or([delta, DVec3::ZERO, DVec3::ZERO]);
    Some(RotationCurve {
        start,
        end,
        turning: Turning::Exp(base / length, terms),
    })
}

/// The movement of a script that starts at a time.
pub(in crate::convert) fn play(frames: &[Frame], splines: Splines, from: f64) -> ScriptMotion {
    let mut motion = ScriptMotion::default();
    let use_splines = match splines {
        Splines::None => false,
        Splines::Stated => true,
        Splines::Unstated => are_splines(frames),
    };
    let mut last = f64::NEG_INFINITY;
    for (place, frame) in frames.iter().enumerate() {
        let (start, end) = (f64::from(frame.start_time.0), f64::from(frame.end_time.0));
        if !(start >= last.max(0.0) && start < LATEST && end >= start && end.is_finite()) {
            motion.odd += 1;
            continue;
        }
        last = start;
        // The next frame takes over when it starts, also from channels that it lacks.
        let next = frames
            .get(place + 1)
            .map(|next| f64::from(next.start_time.0));
        let end = next
            .filter(|next| *next >= start)
            .map_or(end, |next| end.min(next));
        let (start, end) = (from + start, from + end.min(LATEST));
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

/// When a script ends.
pub(super) fn length(frames: &[Frame]) -> f64 {
    frames.last().map_or(0.0, |frame| seconds(frame.end_time.0))
}

//! Beams: a model one unit long along its -Z, stretched between two places.

use glam::DVec3;

use relicast_formats::zipper::anim::event::motion::{
    ConnectorFlags, ConnectorRamp, ObjectConnector,
};
use relicast_formats::zipper::anim::{NodeIndex, NodeTarget, ShortNodeIndex};

use super::curve::{Curve, Rotation, RotationCurve, Turning, quat_of};
use super::evaluate::{BakeContext, Timeline};
use super::motion::vector;
use super::schedule::Action;
use super::time::seconds;
use super::track::Order;

/// Number of segments for a beam whose ends move.
const PIECES: u32 = 16;

/// State of a beam at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Span {
    place: DVec3,
    /// Pitch, yaw, roll.
    angles: DVec3,
    length: f64,
}

/// A beam from `from` to `to`, of which the part from `start` to `end` is visible.
fn span(from: DVec3, to: DVec3, start: f64, end: f64) -> Span {
    let line = to - from;
    let level = (line.x * line.x + line.z * line.z).sqrt();
    Span {
        place: from + line * start,
        angles: DVec3::new(
            libm::atan2(line.y, level),
            libm::atan2(from.x - to.x, from.z - to.z),
            0.0,
        ),
        length: line.length() * (end - start),
    }
}

/// The equivalent angle that is nearest to another one.
fn unwound(angle: f64, near: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    angle + turn * ((near - angle) / turn).round()
}

/// A beam over time.
struct Beam<'b> {
    body: &'b ObjectConnector,
    /// Start and duration in seconds.
    start: f64,
    length: f64,
    /// The visible part of the line at the first and at the last time: its start and end.
    parts: [[f64; 2]; 2],
}

impl<'b> Beam<'b> {
    fn new(body: &'b ObjectConnector, start: f64) -> Self {
        let share = |stored: f32| {
            if stored.is_finite() {
                f64::from(stored)
            } else {
                0.0
            }
        };
        let part = |one, many, ramp: &ConnectorRamp, usual: f64| {
            if body.flags.contains(many) {
                [share(ramp.start.0), share(ramp.end.0)]
            } else if body.flags.contains(one) {
                [share(ramp.start.0); 2]
            } else {
                [usual; 2]
            }
        };
        use ConnectorFlags as Flags;
        Self {
            start,
            length: seconds(body.run_time.0),
            parts: [
                part(Flags::FROM_T, Flags::FROM_T_RANGE, &body.from_t, 0.0),
                part(Flags::TO_T, Flags::TO_T_RANGE, &body.to_t, 1.0),
            ],
            body,
        }
    }

    /// The times at which it is sampled.
    fn times(&self) -> impl Iterator<Item = f64> {
        let count = if self.length > 0.0 { PIECES } else { 0 };
        let (start, length) = (self.start, self.length);
        (0..=count).map(move |piece| start + length * f64::from(piece) / f64::from(count.max(1)))
    }

    /// Returns its state at a time. `None` when an end is passed at the start.
    fn at(&self, timeline: &Timeline, setting: &BakeContext<'_, '_>, time: f64) -> Option<Span> {
        let place = |by_position, offset, node| -> Option<DVec3> {
            let offset = vector(offset);
            match target_of(node) {
                NodeTarget::None => self.body.flags.contains(by_position).then_some(offset),
                target => {
                    let node = setting.names.node(target)?;
                    let at = timeline.in_world(setting.world, node, time);
                    let (_, turned, _) = at.to_scale_rotation_translation();
                    // The offset from a node rotates with it.
                    Some(at.w_axis.truncate() + turned * offset)
                }
            }
        };
        let part = if self.length > 0.0 {
            ((time - self.start) / self.length).clamp(0.0, 1.0)
        } else {
            1.0
        };
        let [start, end] = self
            .parts
            .map(|[first, last]| first + (last - first) * part);
        let ObjectConnector {
            from_position,
            from_node,
            to_position,
            to_node,
            ..
        } = *self.body;
        Some(span(
            place(ConnectorFlags::FROM_POSITION, from_position, from_node)?,
            place(ConnectorFlags::TO_POSITION, to_position, to_node)?,
            start,
            end,
        ))
    }
}

impl Timeline {
    /// Adds a beam.
    pub(super) fn connect(
        &mut self,
        setting: &BakeContext<'_, '_>,
        body: &ObjectConnector,
        action: &Action<'_>,
        order: Order,
    ) {
        let kind = "OBJECT_CONNECTOR";
        let Some(node) = self.target(setting, body.node, kind) else {
            return;
        };
        let beam = Beam::new(body, action.start);
        let times: Vec<f64> = beam.times().collect();
        let spans = times.iter().map(|&time| beam.at(self, setting, time));
        let Some(mut spans) = spans.collect::<Option<Vec<Span>>>() else {
            let why = "OBJECT_CONNECTOR: an end is handed over at the start";
            self.gaps.add_faults(why, 1);
            return;
        };
        if body.flags.contains(ConnectorFlags::MAX_LENGTH) {
            let what =
                "OBJECT_CONNECTOR that goes on while it is short enough: until its time is over";
            self.nominal.add_faults(what, 1);
        }
        let mut near = DVec3::ZERO;
        for span in &mut spans {
            span.angles.y = unwound(span.angles.y, near.y);
            near = span.angles;
        }
        self.write_beam(setting, node, &times, &spans, order, action.cut);
    }

    fn write_beam(
        &mut self,
        setting: &BakeContext<'_, '_>,
        node: super::evaluate::NodeKey,
        times: &[f64],
        spans: &[Span],
        order: Order,
        cut: f64,
    ) {
        let (mut places, mut turns, mut scales) = (Vec::new(), Vec::new(), Vec::new());
        let actor = self.actor(setting, node);
        let start = times.first().copied().unwrap_or_default();
        actor.leave_matrix(start);
        let wide = actor.scale.at(start);
        let scale = |span: &Span| DVec3::new(wide.x, wide.y, span.length);
        for (time, pair) in times.windows(2).zip(spans.windows(2)) {
            let ([from, to], [first, last]) = (time, pair) else {
                continue;
            };
            let line = |one: DVec3, other: DVec3| {
                Curve::line(*from, *to, one, (other - one) / (to - from))
            };
            places.push(line(first.place, last.place));
            scales.push(line(scale(first), scale(last)));
            let rate = (last.angles - first.angles) / (to - from);
            turns.push(RotationCurve {
                start: *from,
                end: *to,
                turning: Turning::Angles([first.angles, rate, DVec3::ZERO]),
            });
        }
        if let (Some(&end), Some(last)) = (times.last(), spans.last()) {
            places.push(Curve::instant(end, last.place));
            scales.push(Curve::instant(end, scale(last)));
            let turned = Rotation::with_angles(quat_of(last.angles), last.angles);
            turns.push(RotationCurve::instant(end, turned));
        }
        actor.translation.write(order, places, cut);
        actor.rotation.write(order, turns, cut);
        if !actor.rest.is_camera {
            actor.scale.write(order, scales, cut);
        }
    }
}

fn target_of(node: ShortNodeIndex) -> NodeTarget {
    NodeIndex::from(node).target()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beam_points_along_its_negative_z() {
        let (from, to) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(4.0, 6.0, -9.0));
        let beam = span(from, to, 0.25, 1.0);
        let turned = quat_of(beam.angles);
        let end = beam.place + turned * DVec3::new(0.0, 0.0, -beam.length);
        assert!(end.abs_diff_eq(to, 1e-9), "{end}");
        assert!(beam.place.abs_diff_eq(DVec3::new(1.75, 3.0, 0.0), 1e-12));
        assert!((beam.length - 13.0 * 0.75).abs() < 1e-12);
        assert_eq!(beam.angles.z, 0.0);
        // Straight up there is no yaw.
        let up = span(DVec3::ZERO, DVec3::Y, 0.0, 1.0);
        assert!((up.angles.x - std::f64::consts::FRAC_PI_2).abs() < 1e-12 && up.angles.y == 0.0);
    }

    #[test]
    fn angles_do_not_jump() {
        let turn = std::f64::consts::TAU;
        assert!((unwound(-3.1, 3.1) - (turn - 3.1)).abs() < 1e-12);
        assert_eq!(unwound(0.5, 0.25), 0.5);
    }
}

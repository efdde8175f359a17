//! Writes each event into the tracks of its nodes.

use glam::DVec3;

use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::anim::event::motion::{
    FromToFlags, MotionFlags, ObjectMotion, ObjectMotionFromTo, ScriptMotionHead,
};
use relicast_formats::zipper::anim::event::object::{
    ObjectOpacityFromTo, ObjectOpacityState, ObjectRotateState, ObjectTranslateState, RotationBasis,
};
use relicast_formats::zipper::anim::{EventBody, Frame, NodeTarget};
use relicast_scene::extras::zipper;

use crate::zipper::anim_documents::facts;

use super::annotations::name_of;
use super::curve::{Curve, Rotation, RotationCurve, Segment, Turning};
use super::evaluate::{BakeContext, NodeKey, Timeline, scalar};
use super::motion::{self, vector};
use super::schedule::Action;
use super::script;
use super::time::{LATEST, seconds};
use super::track::Order;

impl Timeline {
    /// Writes an event into the tracks of its nodes.
    pub(super) fn play(
        &mut self,
        setting: &BakeContext<'_, '_>,
        action: &Action<'_>,
        order: Order,
    ) {
        let kind = action.body.name().unwrap_or("UNKNOWN");
        let start = action.start;
        match action.body {
            EventBody::ObjectActiveState(body) => {
                if let Some(node) = self.target(setting, body.node, kind) {
                    let value = scalar(f64::from(u8::from(body.active.is_set())));
                    let instant = vec![Curve::instant(start, value)];
                    self.actor(setting, node)
                        .visibility
                        .write(order, instant, action.cut);
                }
            }
            EventBody::ObjectTranslateState(body) => self.translate(setting, body, action, order),
            EventBody::ObjectScaleState(body) => {
                if let Some(node) = self.target(setting, body.node, kind) {
                    let instant = vec![Curve::instant(start, vector(body.scale))];
                    let actor = self.actor(setting, node);
                    if !actor.rest.is_camera {
                        actor.leave_matrix(start);
                        actor.scale.write(order, instant, action.cut);
                    }
                }
            }
            EventBody::ObjectRotateState(body) => self.rotate(setting, body, action, order),
            EventBody::ObjectMotion(body) => self.fly(setting, body, action, order),
            EventBody::ObjectMotionFromTo(body) => self.ramp(setting, body, action, order),
            EventBody::ObjectMotionSiScript(body) => {
                self.script(setting, &body.head, &body.frames, action, order);
            }
            EventBody::ObjectMotionGroup(body) => {
                for motion in &body.motions {
                    self.script(setting, &motion.head, &[], action, order);
                }
            }
            EventBody::ObjectConnector(body) => self.connect(setting, body, action, order),
            EventBody::ObjectOpacityState(body) => self.opacity(setting, body, action, order),
            EventBody::ObjectOpacityFromTo(body) => self.fade(setting, body, action, order),
            EventBody::ObjectAddChild(body) => {
                self.reparent(setting, true, body.parent.into(), body.child.into(), action);
            }
            EventBody::ObjectDeleteChild(body) => {
                self.reparent(
                    setting,
                    false,
                    body.parent.into(),
                    body.child.into(),
                    action,
                );
            }
            EventBody::ObjectCycleTexture(body) => {
                let name = name_of(setting, body.node.into());
                let mark = zipper::Mark {
                    texture_frame: Some(body.frame.into()),
                    node: Some(name),
                    ..zipper::Mark::default()
                };
                self.mark(mark, start);
            }
            EventBody::CameraState(body) => self.lens(setting, body, start),
            EventBody::CameraFromTo(body) => self.lens_ramp(setting, body, start),
            other => match other.name() {
                Some(name) => {
                    self.gaps.add_event(name);
                    self.mark(facts(other, setting.definition), start);
                }
                None => self.gaps.add_faults("unknown event", 1),
            },
        }
        self.finish(action);
    }

    /// Extends the clip to the end of an event.
    fn finish(&mut self, action: &Action<'_>) {
        let timed = matches!(
            action.body,
            EventBody::ObjectMotion(_)
                | EventBody::ObjectMotionFromTo(_)
                | EventBody::ObjectMotionSiScript(_)
                | EventBody::ObjectMotionGroup(_)
                | EventBody::ObjectOpacityFromTo(_)
                | EventBody::ObjectConnector(_)
        );
        let is_long = timed && action.end >= LATEST;
        if is_long && !matches!(action.body, EventBody::ObjectMotion(_)) {
            let kind = action.body.name().unwrap_or("UNKNOWN");
            let why = format!("{kind}: lasts longer than a clip can");
            self.gaps.add_faults(&why, 1);
        }
        let end = if timed && !is_long {
            action.end.min(action.cut)
        } else {
            action.start
        };
        self.end = self.end.max(end);
    }

    fn translate(
        &mut self,
        setting: &BakeContext<'_, '_>,
        body: &ObjectTranslateState,
        action: &Action<'_>,
        order: Order,
    ) {
        let kind = "OBJECT_TRANSLATE_STATE";
        let Some(node) = self.target(setting, body.node, kind) else {
            return;
        };
        let value = vector(body.translate);
        let value = match body.at_node.target() {
            NodeTarget::None if body.relative.0 & 1 != 0 => {
                self.actor(setting, node).translation.at(action.start) + value
            }
            NodeTarget::None => value,
            _ => {
                let Some(other) = self.target(setting, body.at_node, kind) else {
                    return;
                };
                let place = self.in_world(setting.world, other, action.start).w_axis;
                place.truncate() + value
            }
        };
        let instant = vec![Curve::instant(action.start, value)];
        self.actor(setting, node)
            .translation
            .write(order, instant, action.cut);
    }

    fn rotate(
        &mut self,
        setting: &BakeContext<'_, '_>,
        body: &ObjectRotateState,
        action: &Action<'_>,
        order: Order,
    ) {
        let kind = "OBJECT_ROTATE_STATE";
        let Some(node) = self.target(setting, body.node, kind) else {
            return;
        };
        let time = action.start;
        let value = vector(body.rotate);
        let actor = self.actor(setting, node);
        actor.leave_matrix(time);
        let is_camera = actor.rest.is_camera;
        let rotation = match body.basis {
            RotationBasis::Relative => {
                Rotation::from_angles(actor.rotation.at(time).angles() + value)
            }
            RotationBasis::AtNodeAngles | RotationBasis::AtNodeMatrix if !is_camera => {
                let Some(other) = self.target(setting, body.at_node, kind) else {
                    return;
                };
                let angles = if body.basis == RotationBasis::AtNodeAngles {
                    let known = self.actors.get(&other);
                    let own = known.map_or_else(
                        || setting.world.rest(other).rotation,
                        |actor| actor.rotation.at(time),
                    );
                    own.angles()
                } else {
                    // The angles of the other node in the world, regardless of this node's ancestors.
                    let matrix = self.in_world(setting.world, other, time);
                    let (_, turned, _) = matrix.to_scale_rotation_translation();
                    Rotation::from_quat(turned).angles()
                };
                Rotation::from_angles(angles + value)
            }
            _ => Rotation::from_angles(value),
        };
        let instant = vec![RotationCurve::instant(time, rotation)];
        self.actor(setting, node)
            .rotation
            .write(order, instant, action.cut);
    }

    fn ramp(
        &mut self,
        setting: &BakeContext<'_, '_>,
        body: &ObjectMotionFromTo,
        action: &Action<'_>,
        order: Order,
    ) {
        let Some(node) = self.target(setting, body.node, "OBJECT_MOTION_FROM_TO") else {
            return;
        };
        let (start, length) = (action.start, seconds(body.run_time.0));
        let end = start + length;
        let line = |from: DVec3, to: DVec3| -> Vec<Curve> {
            if length == 0.0 {
                return vec![Curve::instant(start, to)];
            }
            let moving = Curve::line(start, end, from, (to - from) / length);
            vec![moving, Curve::instant(end, to)]
        };
        let actor = self.actor(setting, node);
        if body.flags.contains(FromToFlags::TRANSLATE) {
            let [from, to] = [body.translate.from, body.translate.to].map(vector);
            actor.translation.write(order, line(from, to), action.cut);
        }
        if body
            .flags
            .intersects(FromToFlags::ROTATE | FromToFlags::SCALE)
        {
            actor.leave_matrix(start);
        }
        if body.flags.contains(FromToFlags::ROTATE) {
            let [from, to] = [body.rotate.from, body.rotate.to].map(vector);
            let done = RotationCurve::instant(end, Rotation::from_angles(to));
            let rate = (to - from) / length;
            let turning = Turning::Angles([from, rate, DVec3::ZERO]);
            let curves = if length > 0.0 {
                vec![
                    RotationCurve {
                        start,
                        end,
                        turning,
                    },
                    done,
                ]
            } else {
                vec![done]
            };
            actor.rotation.write(order, curves, action.cut);
        }
        if body.flags.contains(FromToFlags::SCALE) && !actor.rest.is_camera {
            let [from, to] = [body.scale.from, body.scale.to].map(vector);
            let pieces = line(from, to).into_iter();
            let pieces = pieces.flat_map(|piece| {
                if piece.start < piece.end {
                    piece.floored()
                } else {
                    vec![piece]
                }
            });
            actor.scale.write(order, pieces.collect(), action.cut);
        }
        if body.flags.contains(FromToFlags::MORPH) {
            let [from, to] = [body.morph.from, body.morph.to].map(|end| scalar(unit(end.0)));
            actor.morph.write(order, line(from, to), action.cut);
        }
    }

    fn fly(
        &mut self,
        setting: &BakeContext<'_, '_>,
        body: &ObjectMotion,
        action: &Action<'_>,
        order: Order,
    ) {
        let kind = "OBJECT_MOTION";
        let Some(node) = self.target(setting, body.node, kind) else {
            return;
        };
        let flags = body.flags;
        let start = action.start;
        let launch = motion::launch(body);
        let spin = motion::spin(body, &launch);
        let is_turning = spin != [DVec3::ZERO; 2];
        let end = if motion::is_endless_spin(body) {
            start + motion::turn_time(spin)
        } else {
            action.end
        };
        self.end = self.end.max(end.min(action.cut));
        let down = self.gravity_axis(setting, node, flags, start);
        let pull = launch.acceleration + down * motion::gravity(body);
        let flies = launch.velocity != DVec3::ZERO || pull != DVec3::ZERO;
        self.note_nominal(flags, launch.is_random);
        let actor = self.actor(setting, node);
        if flies {
            let from = actor.translation.at(start);
            let terms = [from, launch.velocity, pull / 2.0, DVec3::ZERO];
            let curve = Curve { start, end, terms };
            actor.translation.write(order, vec![curve], action.cut);
        }
        if is_turning || flags.contains(MotionFlags::SCALE) {
            actor.leave_matrix(start);
        }
        if is_turning {
            let from = actor.rotation.at(start).angles();
            let turning = Turning::Angles([from, spin[0], spin[1]]);
            actor.rotation.write(
                order,
                vec![RotationCurve {
                    start,
                    end,
                    turning,
                }],
                action.cut,
            );
        }
        if flags.contains(MotionFlags::SCALE) && !actor.rest.is_camera {
            let from = actor.scale.at(start);
            let [rate, bend] = [body.scale_rate, body.scale_acceleration].map(vector);
            let terms = [from, rate, bend / 2.0, DVec3::ZERO];
            let curve = Curve { start, end, terms };
            actor.scale.write(order, curve.floored(), action.cut);
        }
        if flags.contains(MotionFlags::MORPH) && end > start {
            let from = actor.morph.at(start).x;
            let curves = morph(start, end, from, f64::from(body.morph.0));
            actor.morph.write(order, curves, action.cut);
        }
    }

    /// The axis of gravity of a motion: straight down, or, by a flag, rotated by the inverse of the node's rotation
    /// in the world, its own included.
    fn gravity_axis(
        &self,
        setting: &BakeContext<'_, '_>,
        node: NodeKey,
        flags: MotionFlags,
        time: f64,
    ) -> DVec3 {
        if !flags.contains(MotionFlags::GRAVITY_COMPLEX) {
            return DVec3::Y;
        }
        let own = self.in_world(setting.world, node, time);
        let (_, rotation, _) = own.to_scale_rotation_translation();
        let local = rotation.inverse() * DVec3::Y;
        if local.is_finite() { local } else { DVec3::Y }
    }

    /// Counts the parts of a motion that the substitute for the game's physics leaves out.
    fn note_nominal(&mut self, flags: MotionFlags, is_random: bool) {
        for (applies, what) in [
            (
                is_random,
                "OBJECT_MOTION with a random launch: the middle of its ranges",
            ),
            (
                flags.contains(MotionFlags::GRAVITY),
                "OBJECT_MOTION with gravity: no ground",
            ),
            (
                flags.contains(MotionFlags::IMPACT_FORCE),
                "OBJECT_MOTION with an impact: none",
            ),
        ] {
            if applies {
                self.nominal.add_faults(what, 1);
            }
        }
    }

    fn script(
        &mut self,
        setting: &BakeContext<'_, '_>,
        head: &ScriptMotionHead,
        own: &[Frame],
        action: &Action<'_>,
        order: Order,
    ) {
        let Some(node) = self.target(setting, head.node, "OBJECT_MOTION_SI_SCRIPT") else {
            return;
        };
        let (frames, splines) = setting.library.frames(setting.definition, head, own);
        if frames.is_empty() {
            self.gaps
                .add_faults("OBJECT_MOTION_SI_SCRIPT: no frames", 1);
            return;
        }
        let motion = script::play(frames, splines, action.start);
        if motion.odd > 0 {
            let odd = "frames of a script with invalid times or values, or that begin before it";
            self.gaps.add_faults(odd, motion.odd);
        }
        if motion.invalid_changes > 0 {
            let what = "frames of a script with an invalid change, played without it";
            self.gaps.add_faults(what, motion.invalid_changes);
        }
        if motion.relaid > 0 {
            let what = "scripts whose times go backwards: their frames in stored order";
            self.nominal.add_faults(what, 1);
        }
        let actor = self.actor(setting, node);
        actor
            .translation
            .write(order, motion.translation, action.cut);
        let turns = motion.rotation.iter().map(|turn| turn.start);
        let sizes = motion.scale.iter().map(|size| size.start);
        if let Some(first) = turns.chain(sizes).min_by(f64::total_cmp) {
            actor.leave_matrix(first);
        }
        actor.rotation.write(order, motion.rotation, action.cut);
        if !actor.rest.is_camera {
            actor.scale.write(order, motion.scale, action.cut);
        }
    }

    fn opacity(
        &mut self,
        setting: &BakeContext<'_, '_>,
        body: &ObjectOpacityState,
        action: &Action<'_>,
        order: Order,
    ) {
        let Some(node) = self.target(setting, body.node, "OBJECT_OPACITY_STATE") else {
            return;
        };
        let actor = self.actor(setting, node);
        if body.has_opacity.is_set() {
            actor.fade.0 = unit(body.opacity.0);
        }
        actor.fade.1 = body.enable.is_set();
        let value = if actor.fade.1 { actor.fade.0 } else { 1.0 };
        let instant = vec![Curve::instant(action.start, scalar(value))];
        actor.opacity.write(order, instant, action.cut);
    }

    fn fade(
        &mut self,
        setting: &BakeContext<'_, '_>,
        body: &ObjectOpacityFromTo,
        action: &Action<'_>,
        order: Order,
    ) {
        let Some(node) = self.target(setting, body.node, "OBJECT_OPACITY_FROM_TO") else {
            return;
        };
        let (start, length) = (action.start, seconds(body.run_time.0));
        let [from, to] = [body.opacity_from, body.opacity_to].map(|end| scalar(unit(end.0)));
        // Recoil draws a node without its own opacity as solid, regardless of the value.
        let is_recoil = setting.library.file.version == ZipperGame::Recoil;
        let last = match is_recoil && body.state_to == 0 {
            true => scalar(1.0),
            false => to,
        };
        let done = Curve::instant(start + length, last);
        let mut pieces = Vec::new();
        if length > 0.0 {
            let rate = (to - from) / length;
            pieces.push(Curve::line(start, start + length, from, rate));
        }
        pieces.push(done);
        let actor = self.actor(setting, node);
        actor.fade.0 = to.x;
        for state in [body.state_from, body.state_to] {
            if state >= 0 {
                actor.fade.1 = state != 0;
            }
        }
        actor.opacity.write(order, pieces, action.cut);
    }
}

/// 0 to 1; a value that is not a number becomes 0.
fn unit(value: f32) -> f64 {
    let wide = f64::from(value);
    if wide > 0.0 { wide.min(1.0) } else { 0.0 }
}

/// A morph weight that changes at `rate` per second until it is 0 or 1, and is then constant.
fn morph(start: f64, end: f64, from: f64, rate: f64) -> Vec<Curve> {
    let rate = if rate.is_finite() { rate } else { 0.0 };
    let limit = if rate > 0.0 { 1.0 } else { 0.0 };
    let length = if rate == 0.0 {
        0.0
    } else {
        (limit - from) / rate
    };
    let until = (start + length).clamp(start, end);
    let line = Curve::line(start, until, scalar(from), scalar(rate));
    let still = Curve::line(until, end, line.at(until), DVec3::ZERO);
    vec![line, still]
}

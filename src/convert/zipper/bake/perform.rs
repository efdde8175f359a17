//! What each event writes into the tracks of its nodes.

use glam::DVec3;
use serde_json::json;

use crate::formats::zipper::anim::event::motion::{
    FromToFlags, MotionFlags, ObjectMotion, ObjectMotionFromTo, ScriptMotionHead,
};
use crate::formats::zipper::anim::event::object::{
    ObjectOpacityFromTo, ObjectOpacityState, ObjectRotateState, ObjectTranslateState, RotationBasis,
};
use crate::formats::zipper::anim::{EventBody, Frame, NodeTarget};

use super::annotations::name_of;
use super::curve::{Curve, Rotation, RotationCurve, Segment, Turning};
use super::evaluate::{BakeContext, Timeline, scalar};
use super::motion::{self, vector};
use super::schedule::{Action, LATEST, seconds};
use super::script;
use super::track::Order;

impl Timeline {
    /// Lets an event write what it does into the tracks of its nodes.
    pub(super) fn play(
        &mut self,
        setting: &BakeContext<'_, '_>,
        action: &Action<'_>,
        order: Order,
    ) {
        let kind = action.body.name().unwrap_or("UNKNOWN");
        let start = action.start;
        match action.body {
            EventBody::ObjectActiveState(it) => {
                if let Some(node) = self.target(setting, it.node, kind) {
                    let value = scalar(f64::from(u8::from(it.active.is_set())));
                    let instant = vec![Curve::instant(start, value)];
                    self.actor(setting, node)
                        .visibility
                        .write(order, instant, action.cut);
                }
            }
            EventBody::ObjectTranslateState(it) => self.translate(setting, it, action, order),
            EventBody::ObjectScaleState(it) => {
                if let Some(node) = self.target(setting, it.node, kind) {
                    let instant = vec![Curve::instant(start, vector(it.scale))];
                    let actor = self.actor(setting, node);
                    if !actor.rest.is_camera {
                        actor.scale.write(order, instant, action.cut);
                    }
                }
            }
            EventBody::ObjectRotateState(it) => self.rotate(setting, it, action, order),
            EventBody::ObjectMotion(it) => self.fly(setting, it, action, order),
            EventBody::ObjectMotionFromTo(it) => self.ramp(setting, it, action, order),
            EventBody::ObjectMotionSiScript(it) => {
                self.script(setting, &it.head, &it.frames, action, order);
            }
            EventBody::ObjectMotionGroup(it) => {
                for one in &it.motions {
                    self.script(setting, &one.head, &[], action, order);
                }
            }
            EventBody::ObjectOpacityState(it) => self.opacity(setting, it, action, order),
            EventBody::ObjectOpacityFromTo(it) => self.fade(setting, it, action, order),
            EventBody::ObjectAddChild(it) => {
                self.reparent(
                    setting,
                    "addChild",
                    it.parent.into(),
                    it.child.into(),
                    action,
                );
            }
            EventBody::ObjectDeleteChild(it) => {
                self.reparent(
                    setting,
                    "deleteChild",
                    it.parent.into(),
                    it.child.into(),
                    action,
                );
            }
            EventBody::ObjectCycleTexture(it) => {
                let name = name_of(setting, it.node.into());
                let mark = json!({"textureFrame": it.frame, "node": name});
                self.mark(mark, start);
            }
            EventBody::CameraState(it) => self.lens(setting, it, start),
            EventBody::CameraFromTo(it) => self.lens_ramp(setting, it, start),
            other => match other.name() {
                Some(name) => self.gaps.add_event(name),
                None => self.gaps.add_faults("unknown event", 1),
            },
        }
        let timed = matches!(
            action.body,
            EventBody::ObjectMotion(_)
                | EventBody::ObjectMotionFromTo(_)
                | EventBody::ObjectMotionSiScript(_)
                | EventBody::ObjectMotionGroup(_)
                | EventBody::ObjectOpacityFromTo(_)
        );
        let is_long = timed && action.end >= LATEST;
        if is_long && !matches!(action.body, EventBody::ObjectMotion(_)) {
            let why = format!("{kind}: lasts longer than a clip can");
            self.gaps.add_faults(&why, 1);
        }
        let end = if timed && !is_long {
            action.end.min(action.cut)
        } else {
            start
        };
        self.end = self.end.max(end);
    }

    fn translate(
        &mut self,
        setting: &BakeContext<'_, '_>,
        it: &ObjectTranslateState,
        action: &Action<'_>,
        order: Order,
    ) {
        let kind = "OBJECT_TRANSLATE_STATE";
        let Some(node) = self.target(setting, it.node, kind) else {
            return;
        };
        let value = vector(it.translate);
        let value = match it.at_node.target() {
            NodeTarget::None if it.relative.0 & 1 != 0 => {
                self.actor(setting, node).translation.at(action.start) + value
            }
            NodeTarget::None => value,
            _ => {
                let Some(other) = self.target(setting, it.at_node, kind) else {
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
        it: &ObjectRotateState,
        action: &Action<'_>,
        order: Order,
    ) {
        let kind = "OBJECT_ROTATE_STATE";
        let Some(node) = self.target(setting, it.node, kind) else {
            return;
        };
        let time = action.start;
        let value = vector(it.rotate);
        let actor = self.actor(setting, node);
        let is_camera = actor.rest.is_camera;
        let rotation = match it.basis {
            RotationBasis::Relative => {
                Rotation::from_angles(actor.rotation.at(time).angles() + value)
            }
            RotationBasis::AtNodeAngles | RotationBasis::AtNodeMatrix if !is_camera => {
                let Some(other) = self.target(setting, it.at_node, kind) else {
                    return;
                };
                let other = self.actors.get(&other).map_or_else(
                    || setting.world.rest(other).rotation,
                    |actor| actor.rotation.at(time),
                );
                if it.basis == RotationBasis::AtNodeAngles {
                    Rotation::from_angles(other.angles() + value)
                } else {
                    self.nominal
                        .add_faults("OBJECT_ROTATE_STATE on another node's matrix", 1);
                    Rotation::from_quat(other.quat * Rotation::from_angles(value).quat)
                }
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
        it: &ObjectMotionFromTo,
        action: &Action<'_>,
        order: Order,
    ) {
        let Some(node) = self.target(setting, it.node, "OBJECT_MOTION_FROM_TO") else {
            return;
        };
        let (start, length) = (action.start, seconds(it.run_time.0));
        let end = start + length;
        let line = |from: DVec3, to: DVec3| -> Vec<Curve> {
            if length == 0.0 {
                return vec![Curve::instant(start, to)];
            }
            let moving = Curve::line(start, end, from, (to - from) / length);
            vec![moving, Curve::instant(end, to)]
        };
        let actor = self.actor(setting, node);
        if it.flags.contains(FromToFlags::TRANSLATE) {
            let [from, to] = [it.translate.from, it.translate.to].map(vector);
            actor.translation.write(order, line(from, to), action.cut);
        }
        if it.flags.contains(FromToFlags::ROTATE) {
            let [from, to] = [it.rotate.from, it.rotate.to].map(vector);
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
        if it.flags.contains(FromToFlags::SCALE) && !actor.rest.is_camera {
            let [from, to] = [it.scale.from, it.scale.to].map(vector);
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
        if it.flags.contains(FromToFlags::MORPH) {
            let [from, to] = [it.morph.from, it.morph.to].map(|end| scalar(unit(end.0)));
            actor.morph.write(order, line(from, to), action.cut);
        }
    }

    fn fly(
        &mut self,
        setting: &BakeContext<'_, '_>,
        it: &ObjectMotion,
        action: &Action<'_>,
        order: Order,
    ) {
        let kind = "OBJECT_MOTION";
        let Some(node) = self.target(setting, it.node, kind) else {
            return;
        };
        let flags = it.flags;
        let start = action.start;
        let launch = motion::launch(it, setting.library.file.version);
        let spin = motion::spin(it, &launch);
        let is_turning = spin != [DVec3::ZERO; 2];
        let end = if motion::is_endless_spin(it) {
            start + motion::turn_time(spin)
        } else {
            action.end
        };
        self.end = self.end.max(end.min(action.cut));
        let mut down = DVec3::Y;
        if flags.contains(MotionFlags::GRAVITY_COMPLEX)
            && let Some(parent) = setting.world.parent(node)
        {
            let above = self.in_world(setting.world, parent, start);
            let (_, rotation, _) = above.to_scale_rotation_translation();
            let local = rotation.inverse() * DVec3::Y;
            down = if local.is_finite() { local } else { DVec3::Y };
        }
        let pull = launch.acceleration + down * motion::gravity(it);
        let flies = launch.velocity != DVec3::ZERO || pull != DVec3::ZERO;
        for (flag, what) in [
            (
                launch.is_random,
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
            if flag {
                self.nominal.add_faults(what, 1);
            }
        }
        let actor = self.actor(setting, node);
        if flies {
            let from = actor.translation.at(start);
            let terms = [from, launch.velocity, pull / 2.0, DVec3::ZERO];
            let curve = Curve { start, end, terms };
            actor.translation.write(order, vec![curve], action.cut);
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
            let [rate, bend] = [it.scale_rate, it.scale_acceleration].map(vector);
            let terms = [from, rate, bend / 2.0, DVec3::ZERO];
            let curve = Curve { start, end, terms };
            actor.scale.write(order, curve.floored(), action.cut);
        }
        if flags.contains(MotionFlags::MORPH) && end > start {
            let from = actor.morph.at(start).x;
            let rate = f64::from(it.morph.0);
            let rate = if rate.is_finite() { rate } else { 0.0 };
            // Straight until it is full or empty.
            let limit = if rate > 0.0 { 1.0 } else { 0.0 };
            let full = start
                + if rate == 0.0 {
                    0.0
                } else {
                    (limit - from) / rate
                };
            let until = full.clamp(start, end);
            let line = Curve::line(start, until, scalar(from), scalar(rate));
            let still = Curve::line(until, end, line.at(until), DVec3::ZERO);
            actor.morph.write(order, vec![line, still], action.cut);
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
        let made = script::play(frames, splines, action.start);
        if made.odd > 0 {
            let odd = "frames of a script out of order or not numbers";
            self.gaps.add_faults(odd, made.odd);
        }
        let actor = self.actor(setting, node);
        actor.translation.write(order, made.translation, action.cut);
        actor.rotation.write(order, made.rotation, action.cut);
        if !actor.rest.is_camera {
            actor.scale.write(order, made.scale, action.cut);
        }
    }

    fn opacity(
        &mut self,
        setting: &BakeContext<'_, '_>,
        it: &ObjectOpacityState,
        action: &Action<'_>,
        order: Order,
    ) {
        let Some(node) = self.target(setting, it.node, "OBJECT_OPACITY_STATE") else {
            return;
        };
        let actor = self.actor(setting, node);
        if it.has_opacity.is_set() {
            actor.fade.0 = unit(it.opacity.0);
        }
        actor.fade.1 = it.enable.is_set();
        let value = if actor.fade.1 { actor.fade.0 } else { 1.0 };
        let instant = vec![Curve::instant(action.start, scalar(value))];
        actor.opacity.write(order, instant, action.cut);
    }

    fn fade(
        &mut self,
        setting: &BakeContext<'_, '_>,
        it: &ObjectOpacityFromTo,
        action: &Action<'_>,
        order: Order,
    ) {
        let Some(node) = self.target(setting, it.node, "OBJECT_OPACITY_FROM_TO") else {
            return;
        };
        let (start, length) = (action.start, seconds(it.run_time.0));
        let [from, to] = [it.opacity_from, it.opacity_to].map(|end| scalar(unit(end.0)));
        let done = Curve::instant(start + length, to);
        let mut pieces = Vec::new();
        if length > 0.0 {
            let rate = (to - from) / length;
            pieces.push(Curve::line(start, start + length, from, rate));
        }
        pieces.push(done);
        let actor = self.actor(setting, node);
        actor.fade.0 = to.x;
        for state in [it.state_from, it.state_to] {
            if state >= 0 {
                actor.fade.1 = state != 0;
            }
        }
        actor.opacity.write(order, pieces, action.cut);
    }
}

/// 0 to 1; what is not a number is 0.
fn unit(value: f32) -> f64 {
    let wide = f64::from(value);
    if wide > 0.0 { wide.min(1.0) } else { 0.0 }
}

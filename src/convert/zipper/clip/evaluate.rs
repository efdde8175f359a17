//! What events do to nodes: the state of each node as a function of time.
//!
//! Every property that something writes gets a track. Values are absolute in the space of the parent;
//! what an event adds to the present state is added to what the tracks say at that moment. The state
//! at the start is that of the world after the reset of the animation.

use std::collections::BTreeMap;

use glam::{DMat4, DQuat, DVec3};
use serde_json::{Value, json};

use crate::formats::codec::F32;
use crate::formats::zipper::anim::event::camera::{CameraFlags, CameraState};
use crate::formats::zipper::anim::event::motion::{
    FromToFlags, MotionFlags, ObjectMotion, ObjectMotionFromTo, ScriptMotionHead,
};
use crate::formats::zipper::anim::event::object::{
    ObjectOpacityFromTo, ObjectOpacityState, ObjectRotateState, ObjectTranslateState, RotationBasis,
};
use crate::formats::zipper::anim::{
    Definition, EventBody, FloatRamp, Frame, NodeIndex, NodeTarget,
};
use crate::scene::model::number;

use super::curve::{Curve, Rotation, Segment, Turn, Turning};
use super::motion::{self, vector};
use super::schedule::{Action, LATEST, Library, seconds};
use super::script;
use super::track::{Order, Track};

/// Deepest hierarchy that is followed upwards.
const DEEPEST: usize = 512;

/// A node by the place of its file among those that are searched, and its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::convert) struct NodeKey {
    /// Place of the file.
    pub forest: usize,
    /// Index in the file.
    pub index: usize,
}

/// A node before anything happens to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::convert) struct Rest {
    pub translation: DVec3,
    pub rotation: Rotation,
    pub scale: DVec3,
    pub is_active: bool,
    pub opacity: Option<f64>,
    pub morph: f64,
    pub is_camera: bool,
}

impl Rest {
    /// A node at its parent's place.
    pub(in crate::convert) fn plain() -> Self {
        Self {
            translation: DVec3::ZERO,
            rotation: Rotation::from_angles(DVec3::ZERO),
            scale: DVec3::ONE,
            is_active: true,
            opacity: None,
            morph: 0.0,
            is_camera: false,
        }
    }
}

/// Where nodes are when nothing has happened.
pub(in crate::convert) trait World {
    /// A node.
    fn rest(&self, node: NodeKey) -> Rest;

    /// The node above, the first if there are several.
    fn parent(&self, node: NodeKey) -> Option<NodeKey>;
}

/// What the names of a definition mean.
pub(in crate::convert) trait Names {
    /// A node.
    fn node(&self, target: NodeTarget) -> Option<NodeKey>;
}

/// The state of a node at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::convert) struct State {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
    /// Shown, with all below it.
    pub is_visible: bool,
    /// Opacity of all below it, 0 to 1.
    pub opacity: f64,
    /// Weight of the morph target.
    pub morph: f64,
}

/// A node to which something happens.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::convert) struct Actor {
    /// Before the reset.
    pub rest: Rest,
    pub translation: Track<Curve>,
    pub rotation: Track<Turn>,
    pub scale: Track<Curve>,
    /// 1 or 0 along x.
    pub visibility: Track<Curve>,
    /// Along x.
    pub opacity: Track<Curve>,
    /// Along x.
    pub morph: Track<Curve>,
    /// Opacity that is stored, and whether it acts.
    fade: (f64, bool),
}

fn scalar(value: f64) -> DVec3 {
    DVec3::new(value, 0.0, 0.0)
}

impl Actor {
    fn new(rest: Rest) -> Self {
        Self {
            rest,
            translation: Track::new(rest.translation),
            rotation: Track::new(rest.rotation),
            scale: Track::new(rest.scale),
            visibility: Track::new(scalar(f64::from(u8::from(rest.is_active)))),
            opacity: Track::new(scalar(rest.opacity.unwrap_or(1.0))),
            morph: Track::new(scalar(rest.morph)),
            fade: (rest.opacity.unwrap_or(1.0), rest.opacity.is_some()),
        }
    }

    /// Whether an event has written anything since the reset.
    pub(in crate::convert) fn is_touched(&self) -> bool {
        let curves = [
            &self.translation,
            &self.scale,
            &self.visibility,
            &self.opacity,
            &self.morph,
        ];
        !self.rotation.is_untouched() || curves.iter().any(|track| !track.is_untouched())
    }

    /// The state at a time.
    pub(in crate::convert) fn at(&self, time: f64) -> State {
        State {
            translation: self.translation.at(time),
            rotation: self.rotation.at(time).quat,
            scale: self.scale.at(time),
            is_visible: self.visibility.at(time).x > 0.5,
            opacity: self.opacity.at(time).x,
            morph: self.morph.at(time).x,
        }
    }

    /// The same node where all that was done so far is how it begins.
    fn settled(&self) -> Self {
        let rest = Rest {
            translation: self.translation.at(LATEST),
            rotation: self.rotation.at(LATEST),
            scale: self.scale.at(LATEST),
            is_active: self.visibility.at(LATEST).x > 0.5,
            opacity: Some(self.opacity.at(LATEST).x),
            morph: self.morph.at(LATEST).x,
            is_camera: self.rest.is_camera,
        };
        Self {
            rest: self.rest,
            fade: self.fade,
            ..Self::new(rest)
        }
    }
}

/// What was left out of the tracks, and why: a few words, and how often.
pub(in crate::convert) type Gaps = BTreeMap<String, usize>;

/// The nodes of a clip over time.
#[derive(Debug, Default)]
pub(in crate::convert) struct Performance {
    /// The nodes to which something happens.
    pub actors: BTreeMap<NodeKey, Actor>,
    /// What no track can say, in order: for people who build the scene again.
    pub marks: Vec<Value>,
    /// What was left out.
    pub gaps: Gaps,
    /// What was baked by a rule that stands in for the game's own.
    pub nominal: Gaps,
    /// The first lens that each camera gets.
    pub cameras: BTreeMap<NodeKey, CameraSetup>,
    /// Seconds until the last movement has ended.
    pub end: f64,
}

/// The lens of a camera, as far as an event sets it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::convert) struct CameraSetup {
    pub near: Option<f64>,
    pub far: Option<f64>,
    /// Radians from left to right.
    pub fov_h: Option<f64>,
    /// Radians from top to bottom.
    pub fov_v: Option<f64>,
}

/// What a performance is made from.
pub(in crate::convert) struct Setting<'s, 'f> {
    pub library: &'s Library<'f>,
    pub definition: &'f Definition,
    pub world: &'s dyn World,
    pub names: &'s dyn Names,
}

impl<'s, 'f> Setting<'s, 'f> {
    /// Plays events on nodes that a reset has put into their places.
    pub(in crate::convert) fn perform(
        &self,
        reset: &[Action<'f>],
        actions: &[Action<'f>],
    ) -> Performance {
        let mut before = Performance::default();
        for (ordinal, action) in reset.iter().enumerate() {
            before.play(self, action, (0, ordinal));
        }
        let actors = before.actors.iter();
        let mut performance = Performance {
            actors: actors.map(|(&key, actor)| (key, actor.settled())).collect(),
            gaps: before.gaps,
            ..Performance::default()
        };
        for (ordinal, action) in actions.iter().enumerate() {
            performance.play(self, action, (action.sequence, ordinal));
        }
        performance
    }
}

fn count(gaps: &mut Gaps, what: &str) {
    *gaps.entry(what.to_owned()).or_default() += 1;
}

impl Performance {
    /// The state of a node at a time.
    pub(in crate::convert) fn state(&self, world: &dyn World, node: NodeKey, time: f64) -> State {
        match self.actors.get(&node) {
            Some(actor) => actor.at(time),
            None => Actor::new(world.rest(node)).at(time),
        }
    }

    /// Place, rotation and scale of a node in the world.
    fn in_world(&self, world: &dyn World, node: NodeKey, time: f64) -> DMat4 {
        let mut matrix = DMat4::IDENTITY;
        let mut at = Some(node);
        for _ in 0..DEEPEST {
            let Some(node) = at else { break };
            let state = self.state(world, node, time);
            let local = DMat4::from_scale_rotation_translation(
                state.scale,
                state.rotation.normalize(),
                state.translation,
            );
            matrix = local * matrix;
            at = world.parent(node);
        }
        matrix
    }

    fn actor(&mut self, setting: &Setting<'_, '_>, node: NodeKey) -> &mut Actor {
        let actor = self.actors.entry(node);
        actor.or_insert_with(|| Actor::new(setting.world.rest(node)))
    }

    /// The node that an event acts on.
    fn target(
        &mut self,
        setting: &Setting<'_, '_>,
        node: impl Into<NodeIndex>,
        kind: &str,
    ) -> Option<NodeKey> {
        let target = node.into().target();
        let found = setting.names.node(target);
        if found.is_none() {
            let why = match target {
                NodeTarget::Input => format!("{kind}: acts on the node handed over at the start"),
                NodeTarget::Entry(place) => {
                    let nodes = &setting.definition.tables.nodes;
                    let name = nodes.get(place).map(|node| node.name.text());
                    format!("{kind}: no node {}", name.unwrap_or_default())
                }
                _ => format!("{kind}: no node"),
            };
            count(&mut self.gaps, &why);
        }
        found
    }

    fn play(&mut self, setting: &Setting<'_, '_>, action: &Action<'_>, order: Order) {
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
                    self.actor(setting, node)
                        .scale
                        .write(order, instant, action.cut);
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
                self.adopt(
                    setting,
                    "addChild",
                    it.parent.into(),
                    it.child.into(),
                    action,
                );
            }
            EventBody::ObjectDeleteChild(it) => {
                self.adopt(
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
            EventBody::CameraFromTo(it) => {
                let ramp = |flag, ramp: FloatRamp| {
                    let ends = [ramp.from.0, ramp.to.0].map(number);
                    it.flags.contains(flag).then(|| Value::from_iter(ends))
                };
                let fields = lens_fields(|flag| match flag {
                    CameraFlags::CLIP_NEAR => ramp(flag, it.clip_near),
                    CameraFlags::CLIP_FAR => ramp(flag, it.clip_far),
                    CameraFlags::LOD_MULTIPLIER => ramp(flag, it.lod_multiplier),
                    CameraFlags::FOV_H => ramp(flag, it.fov_h),
                    CameraFlags::FOV_V => ramp(flag, it.fov_v),
                    CameraFlags::ZOOM_H => ramp(flag, it.zoom_h),
                    _ => ramp(flag, it.zoom_v),
                });
                let name = name_of(setting, it.node);
                let seconds = number(it.run_time.0);
                self.mark(
                    json!({"camera": name, "fromTo": fields, "seconds": seconds}),
                    start,
                );
            }
            other => count(&mut self.gaps, other.name().unwrap_or("unknown event")),
        }
        let timed = matches!(
            action.body,
            EventBody::ObjectMotion(_)
                | EventBody::ObjectMotionFromTo(_)
                | EventBody::ObjectMotionSiScript(_)
                | EventBody::ObjectMotionGroup(_)
                | EventBody::ObjectOpacityFromTo(_)
        );
        let end = match timed && action.end < LATEST {
            true => action.end.min(action.cut),
            false => start,
        };
        self.end = self.end.max(end);
    }

    fn lens(&mut self, setting: &Setting<'_, '_>, it: &CameraState, start: f64) {
        let value = |flag, value: F32| it.flags.contains(flag).then_some(value.0);
        let fields = lens_fields(|flag| {
            let value = match flag {
                CameraFlags::CLIP_NEAR => value(flag, it.clip_near),
                CameraFlags::CLIP_FAR => value(flag, it.clip_far),
                CameraFlags::LOD_MULTIPLIER => value(flag, it.lod_multiplier),
                CameraFlags::FOV_H => value(flag, it.fov_h),
                CameraFlags::FOV_V => value(flag, it.fov_v),
                CameraFlags::ZOOM_H => value(flag, it.zoom_h),
                _ => value(flag, it.zoom_v),
            };
            value.map(number)
        });
        self.mark(
            json!({"camera": name_of(setting, it.node), "set": fields}),
            start,
        );
        if let Some(node) = setting.names.node(it.node.target()) {
            let wide = |flag, stored| value(flag, stored).map(f64::from);
            self.cameras.entry(node).or_insert(CameraSetup {
                near: wide(CameraFlags::CLIP_NEAR, it.clip_near),
                far: wide(CameraFlags::CLIP_FAR, it.clip_far),
                fov_h: wide(CameraFlags::FOV_H, it.fov_h),
                fov_v: wide(CameraFlags::FOV_V, it.fov_v),
            });
        }
    }

    fn mark(&mut self, mut mark: Value, time: f64) {
        if let Value::Object(fields) = &mut mark {
            fields.insert("time".to_owned(), number(time as f32));
        }
        self.marks.push(mark);
    }

    fn adopt(
        &mut self,
        setting: &Setting<'_, '_>,
        what: &str,
        parent: NodeIndex,
        child: NodeIndex,
        action: &Action<'_>,
    ) {
        let [parent, child] = [parent, child].map(|node| name_of(setting, node));
        self.mark(json!({what: child, "parent": parent}), action.start);
    }

    fn translate(
        &mut self,
        setting: &Setting<'_, '_>,
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
        setting: &Setting<'_, '_>,
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
                    count(
                        &mut self.nominal,
                        "OBJECT_ROTATE_STATE on another node's matrix",
                    );
                    Rotation::from_quat(other.quat * Rotation::from_angles(value).quat)
                }
            }
            _ => Rotation::from_angles(value),
        };
        let instant = vec![Turn::instant(time, rotation)];
        self.actor(setting, node)
            .rotation
            .write(order, instant, action.cut);
    }

    fn ramp(
        &mut self,
        setting: &Setting<'_, '_>,
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
            let done = Turn::instant(end, Rotation::from_angles(to));
            let rate = (to - from) / length;
            let turning = Turning::Angles([from, rate, DVec3::ZERO]);
            let turns = match length > 0.0 {
                true => vec![
                    Turn {
                        start,
                        end,
                        turning,
                    },
                    done,
                ],
                false => vec![done],
            };
            actor.rotation.write(order, turns, action.cut);
        }
        if it.flags.contains(FromToFlags::SCALE) {
            let [from, to] = [it.scale.from, it.scale.to].map(vector);
            let pieces = line(from, to).into_iter();
            let pieces = pieces.flat_map(|piece| match piece.start < piece.end {
                true => piece.floored(),
                false => vec![piece],
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
        setting: &Setting<'_, '_>,
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
        let turns = spin != [DVec3::ZERO; 2];
        let end = match motion::is_endless_spin(it) {
            true => start + motion::turn_time(spin),
            false => action.end,
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
                count(&mut self.nominal, what);
            }
        }
        let actor = self.actor(setting, node);
        if flies {
            let from = actor.translation.at(start);
            let terms = [from, launch.velocity, pull / 2.0, DVec3::ZERO];
            let curve = Curve { start, end, terms };
            actor.translation.write(order, vec![curve], action.cut);
        }
        if turns {
            let from = actor.rotation.at(start).angles();
            let turning = Turning::Angles([from, spin[0], spin[1]]);
            actor.rotation.write(
                order,
                vec![Turn {
                    start,
                    end,
                    turning,
                }],
                action.cut,
            );
        }
        if flags.contains(MotionFlags::SCALE) {
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
        setting: &Setting<'_, '_>,
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
            count(&mut self.gaps, "OBJECT_MOTION_SI_SCRIPT: no frames");
            return;
        }
        let made = script::play(frames, splines, action.start);
        if made.odd > 0 {
            let odd = "frames of a script out of order or not numbers";
            *self.gaps.entry(odd.to_owned()).or_default() += made.odd;
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
        setting: &Setting<'_, '_>,
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
        setting: &Setting<'_, '_>,
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

/// What an event says of a lens, by name.
fn lens_fields(value: impl Fn(CameraFlags) -> Option<Value>) -> Value {
    let flags = CameraFlags::all().iter_names();
    let fields = flags.filter_map(|(name, flag)| Some((name.to_lowercase(), value(flag)?)));
    Value::Object(fields.collect())
}

/// 0 to 1; what is not a number is 0.
fn unit(value: f32) -> f64 {
    let wide = f64::from(value);
    if wide > 0.0 { wide.min(1.0) } else { 0.0 }
}

/// What the file calls a node.
fn name_of(setting: &Setting<'_, '_>, node: NodeIndex) -> Value {
    match node.target() {
        NodeTarget::Entry(place) => {
            let nodes = &setting.definition.tables.nodes;
            let name = nodes.get(place).map(|node| node.name.text());
            name.map_or(Value::Null, Value::from)
        }
        NodeTarget::Root => Value::from(setting.definition.head.anim_root_name.text()),
        NodeTarget::Input => Value::from("INPUT_NODE"),
        NodeTarget::None | NodeTarget::Other(_) => Value::Null,
    }
}

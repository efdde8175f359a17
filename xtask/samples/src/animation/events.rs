//! Bodies of events, with only the values that the sample needs.

use relicast::formats::codec::{F32, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::event::camera::{
    CameraFlags, CameraFromTo, CameraState, FbfxColorFromTo,
};
use relicast::formats::zipper::anim::event::control::{
    AnimationCall, CallAnimation, CallFlags, Callback, Condition, ConditionKind, Loop, LoopLimit,
    Marker, SequenceCall, StopAnimation,
};
use relicast::formats::zipper::anim::event::light::{
    LightAnimation, LightFlags, LightKind, LightState,
};
use relicast::formats::zipper::anim::event::motion::{FromToFlags, ObjectMotionFromTo};
use relicast::formats::zipper::anim::event::object::{
    ObjectActiveState, ObjectOpacityFromTo, ObjectOpacityState, ObjectRotateState,
    ObjectScaleState, ObjectTranslateState,
};
use relicast::formats::zipper::anim::event::sound::Sound;
use relicast::formats::zipper::anim::{
    AnimationRefIndex, Bool16, Bool32, Color, Event, EventBody, FloatRamp, NodeIndex, Range,
    ShortNodeIndex, VectorRamp,
};

use super::maker::{Maker, padded};
use crate::Outcome;

/// The node that an animation was started with.
pub const INPUT: ShortNodeIndex = ShortNodeIndex(-200);
/// No node.
pub const NONE: ShortNodeIndex = ShortNodeIndex(0);

/// An event without a start time.
pub fn now(body: EventBody) -> Event {
    Event::new(body)
}

fn rate(from: f32, to: f32, seconds: f32) -> f32 {
    if from == to {
        0.0
    } else {
        (to - from) / seconds
    }
}

/// A number that changes from one value to another.
pub fn ramp(from: f32, to: f32, seconds: f32) -> FloatRamp {
    FloatRamp {
        from: F32(from),
        to: F32(to),
        delta: F32(rate(from, to, seconds)),
    }
}

fn vectors(from: [f32; 3], to: [f32; 3], seconds: f32) -> VectorRamp {
    VectorRamp {
        from: Vec3::from(from),
        to: Vec3::from(to),
        delta: Vec3::from([0, 1, 2].map(|axis| rate(from[axis], to[axis], seconds))),
    }
}

pub fn shows(node: ShortNodeIndex, shown: bool) -> EventBody {
    EventBody::ObjectActiveState(ObjectActiveState {
        active: Bool32(u32::from(shown)),
        node,
        ..ObjectActiveState::default()
    })
}

pub fn place(node: ShortNodeIndex, translate: [f32; 3]) -> EventBody {
    EventBody::ObjectTranslateState(ObjectTranslateState {
        translate: Vec3::from(translate),
        node,
        ..ObjectTranslateState::default()
    })
}

pub fn turn(node: ShortNodeIndex, rotate: [f32; 3]) -> EventBody {
    EventBody::ObjectRotateState(ObjectRotateState {
        rotate: Vec3::from(rotate),
        node,
        ..ObjectRotateState::default()
    })
}

pub fn scale(node: NodeIndex, scale: [f32; 3]) -> EventBody {
    EventBody::ObjectScaleState(ObjectScaleState {
        scale: Vec3::from(scale),
        node,
    })
}

/// A movement from one pose to another.
#[derive(Clone, Copy, Default)]
pub struct Move {
    pub translate: Option<[[f32; 3]; 2]>,
    pub rotate: Option<[[f32; 3]; 2]>,
    pub scale: Option<[[f32; 3]; 2]>,
    pub morph: Option<[f32; 2]>,
}

pub fn moves(node: NodeIndex, seconds: f32, channels: Move) -> EventBody {
    let mut event = ObjectMotionFromTo {
        node,
        run_time: F32(seconds),
        ..ObjectMotionFromTo::default()
    };
    for (flag, channel, field) in [
        (
            FromToFlags::TRANSLATE,
            channels.translate,
            &mut event.translate,
        ),
        (FromToFlags::ROTATE, channels.rotate, &mut event.rotate),
        (FromToFlags::SCALE, channels.scale, &mut event.scale),
    ] {
        if let Some([from, to]) = channel {
            event.flags |= flag;
            *field = vectors(from, to, seconds);
        }
    }
    if let Some([from, to]) = channels.morph {
        event.flags |= FromToFlags::MORPH;
        event.morph = ramp(from, to, seconds);
    }
    EventBody::ObjectMotionFromTo(Box::new(event))
}

pub fn opacity(node: ShortNodeIndex, opacity: Option<f32>) -> EventBody {
    EventBody::ObjectOpacityState(ObjectOpacityState {
        enable: Bool16(u16::from(opacity.is_some())),
        has_opacity: Bool16(u16::from(opacity.is_some())),
        opacity: F32(opacity.unwrap_or_default()),
        node,
        pad: 0,
    })
}

/// A fade; `states` say if opacity counts at its start and its end, -1 leaves that unchanged.
pub fn fade(node: NodeIndex, from: f32, to: f32, seconds: f32, states: [i16; 2]) -> EventBody {
    EventBody::ObjectOpacityFromTo(ObjectOpacityFromTo {
        node,
        state_from: states[0],
        state_to: states[1],
        opacity_from: F32(from),
        opacity_to: F32(to),
        opacity_delta: F32(rate(from, to, seconds)),
        run_time: F32(seconds),
    })
}

pub fn sound(maker: &mut Maker<'_>, name: &str, node: Option<&str>) -> Outcome<EventBody> {
    let placed = node.is_some();
    Ok(EventBody::Sound(Sound {
        sound: maker.sound(name)?,
        node: node.map_or(Ok(NONE), |node| maker.node(node))?,
        position: Vec3::from([0.0, if placed { 1.5 } else { 0.0 }, 0.0]),
    }))
}

/// A light of the definition itself, at a node.
pub fn lamp(maker: &mut Maker<'_>, name: &str, node: &str) -> Outcome<EventBody> {
    Ok(EventBody::LightState(Box::new(LightState {
        name: padded(name)?,
        light: maker.light(name)?,
        flags: LightFlags::AT_NODE | LightFlags::RANGE | LightFlags::COLOR | LightFlags::DIFFUSE,
        active: Bool32(1),
        kind: LightKind::Point,
        node: maker.wide(node)?,
        translate: Vec3::from([0.0, 3.0, 0.0]),
        range: Range {
            min: F32(4.0),
            max: F32(32.0),
        },
        color: Color {
            r: F32(1.0),
            g: F32(0.5),
            b: F32(0.25),
        },
        diffuse: F32(0.75),
        ..LightState::default()
    })))
}

pub fn lamp_off(maker: &mut Maker<'_>, name: &str) -> Outcome<EventBody> {
    Ok(EventBody::LightState(Box::new(LightState {
        name: padded(name)?,
        light: maker.light(name)?,
        kind: LightKind::Point,
        ..LightState::default()
    })))
}

/// A change of a light per second.
pub fn glow(maker: &mut Maker<'_>, name: &str, change: f32, seconds: f32) -> Outcome<EventBody> {
    Ok(EventBody::LightAnimation(Box::new(LightAnimation {
        name: padded(name)?,
        light: maker.light(name)?,
        range_a: Range {
            min: F32(0.0),
            max: F32(change * 8.0),
        },
        color_a: Color {
            r: F32(0.0),
            g: F32(change),
            b: F32(change / 2.0),
        },
        run_time: F32(seconds),
        ..LightAnimation::default()
    })))
}

pub fn repeat(passes: i16) -> EventBody {
    EventBody::Loop(Loop {
        limit: LoopLimit::Count {
            count: passes,
            pad: 0,
        },
    })
}

pub fn repeat_for(seconds: f32) -> EventBody {
    EventBody::Loop(Loop {
        limit: LoopLimit::RunTime(F32(seconds)),
    })
}

fn condition(kind: ConditionKind, node: NodeIndex, bits: u32) -> Condition {
    Condition {
        kind,
        node,
        bits,
        upper_bits: 0,
    }
}

pub fn when(kind: ConditionKind, bits: u32) -> EventBody {
    EventBody::If(condition(kind, NodeIndex(0), bits))
}

pub fn when_node(kind: ConditionKind, node: NodeIndex, value: f32) -> EventBody {
    EventBody::If(condition(kind, node, value.to_bits()))
}

pub fn or_when(kind: ConditionKind, bits: u32) -> EventBody {
    EventBody::ElseIf(condition(kind, NodeIndex(0), bits))
}

pub fn or_else() -> EventBody {
    EventBody::Else(Marker {})
}

pub fn end() -> EventBody {
    EventBody::EndIf(Marker {})
}

pub fn callback(code: u32) -> EventBody {
    EventBody::Callback(Callback { code })
}

fn sequence(name: &str) -> Outcome<SequenceCall> {
    Ok(SequenceCall {
        name: padded(name)?,
        index: -1,
    })
}

pub fn starts(name: &str) -> Outcome<EventBody> {
    Ok(EventBody::CallSequence(sequence(name)?))
}

pub fn ends(name: &str) -> Outcome<EventBody> {
    Ok(EventBody::StopSequence(sequence(name)?))
}

/// A call of another animation, with its place, and if the caller waits for its end.
pub fn call(
    maker: &mut Maker<'_>,
    name: &str,
    at: Option<ShortNodeIndex>,
    waits: bool,
) -> Outcome<EventBody> {
    let reference = maker.calls(name, None)?;
    let mut event = CallAnimation {
        name: padded(name)?,
        wait_index: AnimationRefIndex(-1),
        ..CallAnimation::default()
    };
    if let Some(node) = at {
        event.flags |= CallFlags::AT_NODE | CallFlags::POSITION;
        event.node = node;
        event.position = Vec3::from([0.0, 2.0, 0.0]);
    }
    if waits {
        event.flags |= CallFlags::WAIT_FOR_COMPLETION;
        event.wait_index = reference;
    }
    Ok(EventBody::CallAnimation(Box::new(event)))
}

pub fn stop(version: ZipperGame, name: &str) -> Outcome<EventBody> {
    let index = match version {
        ZipperGame::Recoil | ZipperGame::MechWarrior3 => 0,
        ZipperGame::PiratesMoon | ZipperGame::CrimsonSkies => -1,
    };
    Ok(EventBody::StopAnimation(StopAnimation {
        name: padded(name)?,
        reference_index: index,
        definition_index: index,
    }))
}

fn animation(name: &str) -> Outcome<AnimationCall> {
    Ok(AnimationCall {
        name: padded(name)?,
        definition_index: 0,
    })
}

pub fn reset(name: &str) -> Outcome<EventBody> {
    Ok(EventBody::ResetAnimation(animation(name)?))
}

pub fn invalidate(name: &str) -> Outcome<EventBody> {
    Ok(EventBody::InvalidateAnimation(animation(name)?))
}

/// Sets the field of view and the planes of a camera.
pub fn lens(camera: NodeIndex, fov: f32) -> EventBody {
    EventBody::CameraState(CameraState {
        flags: CameraFlags::CLIP_NEAR | CameraFlags::CLIP_FAR | CameraFlags::FOV_H,
        node: camera,
        clip_near: F32(1.0),
        clip_far: F32(1500.0),
        fov_h: F32(fov),
        ..CameraState::default()
    })
}

/// Changes the field of view of a camera.
pub fn zoom(camera: NodeIndex, from: f32, to: f32, seconds: f32) -> EventBody {
    EventBody::CameraFromTo(Box::new(CameraFromTo {
        flags: CameraFlags::FOV_H,
        node: camera,
        fov_h: ramp(from, to, seconds),
        run_time: F32(seconds),
        ..CameraFromTo::default()
    }))
}

pub fn tint(seconds: f32) -> EventBody {
    EventBody::FbfxColorFromTo(Box::new(FbfxColorFromTo {
        red: ramp(1.0, 1.0, seconds),
        green: ramp(0.5, 0.25, seconds),
        blue: ramp(0.0, 0.0, seconds),
        alpha: ramp(0.75, 0.0, seconds),
        run_time: F32(seconds),
    }))
}

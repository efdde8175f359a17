//! References of events, by type: entries of the definition's tables, and other animations.

use relicast_formats::zipper::anim::event::camera::WaveFlags;
use relicast_formats::zipper::anim::event::control::{CallAnimation, CallFlags};
use relicast_formats::zipper::anim::event::motion::{MotionFlags, ObjectMotion};
use relicast_formats::zipper::anim::{
    AnimationRefIndex, Definition, DynamicSoundIndex, EffectIndex, EventBody, LightIndex,
    NodeIndex, NodeTarget, PufferIndex, ShortNodeIndex, StaticSoundIndex,
};

/// Effect of an event on another animation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(in crate::zipper) enum Call {
    /// Starts it.
    Start,
    /// Starts it as a beam.
    Connect,
    /// Stops it.
    Stop,
    /// Runs its reset state.
    Reset,
    /// Lets it finish.
    Invalidate,
}

/// Reference of an event.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::zipper) enum Use {
    /// A node that must be given.
    Node(NodeIndex),
    /// A node, or none.
    OptionalNode(NodeIndex),
    Light(LightIndex),
    Puffer(PufferIndex),
    DynamicSound(DynamicSoundIndex),
    StaticSound(StaticSoundIndex),
    Effect(EffectIndex),
    AnimationRef(AnimationRefIndex),
    Animation(Call, String),
    /// A sequence of the same definition.
    Sequence(String),
}

fn node(index: ShortNodeIndex) -> Use {
    Use::Node(index.into())
}

fn maybe(index: ShortNodeIndex) -> Use {
    Use::OptionalNode(index.into())
}

/// References of a movement: its node, and the effects of its landing.
fn of_motion(body: &ObjectMotion) -> Vec<Use> {
    let mut uses = vec![node(body.node)];
    for bounce in [&body.bounce, &body.bounce_water, &body.bounce_lava] {
        if body.flags.contains(MotionFlags::BOUNCE_SOUND) && bounce.sound.0 != 0 {
            uses.push(Use::StaticSound(bounce.sound));
        }
        let sequence = bounce.sequence.text();
        if body.flags.contains(MotionFlags::BOUNCE_SEQUENCE) && !sequence.is_empty() {
            uses.push(Use::Sequence(sequence));
        }
    }
    uses
}

/// References of an event that starts another animation.
fn of_call(body: &CallAnimation) -> Vec<Use> {
    let mut uses = vec![
        Use::Animation(Call::Start, body.name.text()),
        maybe(body.operand_node),
        maybe(body.node),
    ];
    // Stale without its flag.
    if body.flags.contains(CallFlags::WAIT_FOR_COMPLETION) {
        uses.push(Use::AnimationRef(body.wait_index));
    }
    uses
}

/// References of an event, in the order of its fields.
pub(in crate::zipper) fn of(body: &EventBody) -> Vec<Use> {
    match body {
        EventBody::Sound(body) => vec![Use::StaticSound(body.sound), maybe(body.node)],
        EventBody::SoundNode(body) => {
            vec![Use::DynamicSound(body.sound), Use::OptionalNode(body.node)]
        }
        EventBody::Effect(body) => vec![Use::Effect(body.effect), node(body.node)],
        EventBody::LightState(body) => vec![Use::Light(body.light), Use::OptionalNode(body.node)],
        EventBody::LightAnimation(body) => vec![Use::Light(body.light)],
        EventBody::ObjectActiveState(body) => vec![maybe(body.node)],
        EventBody::ObjectTranslateState(body) => vec![node(body.node), maybe(body.at_node)],
        EventBody::ObjectScaleState(body) => vec![Use::Node(body.node)],
        EventBody::ObjectRotateState(body) => vec![node(body.node), maybe(body.at_node)],
        EventBody::ObjectMotion(body) => of_motion(body),
        EventBody::ObjectMotionFromTo(body) => vec![Use::Node(body.node)],
        EventBody::ObjectMotionSiScript(body) => vec![Use::Node(body.head.node)],
        EventBody::ObjectMotionGroup(body) => {
            let motions = body.motions.iter();
            motions.map(|motion| Use::Node(motion.head.node)).collect()
        }
        EventBody::ObjectOpacityState(body) => vec![node(body.node)],
        EventBody::ObjectOpacityFromTo(body) => vec![Use::Node(body.node)],
        EventBody::ObjectAddChild(body) => vec![node(body.parent), node(body.child)],
        EventBody::ObjectDeleteChild(body) => vec![node(body.parent), node(body.child)],
        EventBody::ObjectCycleTexture(body) => vec![node(body.node)],
        EventBody::ObjectConnector(body) => {
            vec![node(body.node), maybe(body.from_node), maybe(body.to_node)]
        }
        EventBody::CallObjectConnector(body) => vec![
            Use::Animation(Call::Connect, body.animation.text()),
            maybe(body.from_node),
            maybe(body.to_node),
            Use::AnimationRef(body.save_index),
        ],
        EventBody::CameraState(body) => vec![Use::Node(body.node)],
        EventBody::CameraFromTo(body) => vec![Use::Node(body.node)],
        EventBody::CallSequence(body) | EventBody::StopSequence(body) => {
            vec![Use::Sequence(body.name.text())]
        }
        EventBody::CallAnimation(body) => of_call(body),
        EventBody::StopAnimation(body) => vec![Use::Animation(Call::Stop, body.name.text())],
        EventBody::ResetAnimation(body) => vec![Use::Animation(Call::Reset, body.name.text())],
        EventBody::InvalidateAnimation(body) => {
            vec![Use::Animation(Call::Invalidate, body.name.text())]
        }
        EventBody::If(body) | EventBody::ElseIf(body) => vec![Use::OptionalNode(body.node)],
        EventBody::FbfxCsinwaveFromTo(body) if body.flags.contains(WaveFlags::AT_NODE) => {
            vec![node(body.node)]
        }
        EventBody::DetonateWeapon(body) => vec![node(body.node)],
        EventBody::PufferState(body) => {
            vec![Use::Puffer(body.puffer), Use::OptionalNode(body.node)]
        }
        EventBody::FogState(_)
        | EventBody::FbfxCsinwaveFromTo(_)
        | EventBody::FbfxColorFromTo(_)
        | EventBody::Loop(_)
        | EventBody::Else(_)
        | EventBody::EndIf(_)
        | EventBody::Marker(_)
        | EventBody::Callback(_)
        | EventBody::TextMessage(_)
        | EventBody::AnimVerbose(_)
        | EventBody::SoundAdjust(_)
        | EventBody::Unknown(_) => Vec::new(),
    }
}

/// The table, and the index that it has no entry for. Sequences are referred to by name and not checked.
pub(in crate::zipper) fn fault(used: &Use, definition: &Definition) -> Option<(&'static str, i32)> {
    let tables = &definition.tables;
    let check = |table, index: i32, first: usize, length: usize| {
        let place = usize::try_from(index).ok();
        let found = place.is_some_and(|place| (first..length).contains(&place));
        (!found).then_some((table, index))
    };
    let check_node = |index: NodeIndex, may_lack: bool| match index.target() {
        NodeTarget::None if may_lack => None,
        NodeTarget::Root | NodeTarget::Input => None,
        _ => check("nodes", index.0, 1, tables.nodes.len()),
    };
    match used {
        Use::Node(index) => check_node(*index, false),
        Use::OptionalNode(index) => check_node(*index, true),
        Use::Light(index) => check("lights", index.0, 1, tables.lights.len()),
        Use::Puffer(index) => check("puffers", index.0, 1, tables.puffers.len()),
        Use::DynamicSound(index) => {
            check("dynamic_sounds", index.0, 1, tables.dynamic_sounds.len())
        }
        Use::StaticSound(index) => {
            let sounds = tables.static_sounds.len();
            check("static_sounds", i32::from(index.0), 1, sounds)
        }
        Use::Effect(index) => check("effects", i32::from(index.0), 1, tables.effects.len()),
        Use::AnimationRef(AnimationRefIndex(-1)) => None,
        Use::AnimationRef(index) => {
            let animations = tables.animation_refs.len();
            check("animation_refs", i32::from(index.0), 0, animations)
        }
        Use::Sequence(_) | Use::Animation(..) => None,
    }
}

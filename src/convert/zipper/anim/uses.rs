//! What events refer to, type by type: entries of the definition's tables, and other animations.

use crate::formats::zipper::anim::event::camera::WaveFlags;
use crate::formats::zipper::anim::event::control::CallFlags;
use crate::formats::zipper::anim::event::motion::MotionFlags;
use crate::formats::zipper::anim::{
    AnimationRefIndex, Definition, DynamicSoundIndex, EffectIndex, EventBody, LightIndex,
    NodeIndex, NodeTarget, PufferIndex, ShortNodeIndex, StaticSoundIndex,
};

/// What an event does with another animation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Call {
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

/// Something that an event refers to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Use {
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

/// What an event refers to, in the order of its fields.
pub(super) fn of(body: &EventBody) -> Vec<Use> {
    match body {
        EventBody::Sound(it) => vec![Use::StaticSound(it.sound), maybe(it.node)],
        EventBody::SoundNode(it) => {
            vec![Use::DynamicSound(it.sound), Use::OptionalNode(it.node)]
        }
        EventBody::Effect(it) => vec![Use::Effect(it.effect), node(it.node)],
        EventBody::LightState(it) => vec![Use::Light(it.light), Use::OptionalNode(it.node)],
        EventBody::LightAnimation(it) => vec![Use::Light(it.light)],
        EventBody::ObjectActiveState(it) => vec![maybe(it.node)],
        EventBody::ObjectTranslateState(it) => vec![node(it.node), maybe(it.at_node)],
        EventBody::ObjectScaleState(it) => vec![Use::Node(it.node)],
        EventBody::ObjectRotateState(it) => vec![node(it.node), maybe(it.at_node)],
        EventBody::ObjectMotion(it) => {
            let mut uses = vec![node(it.node)];
            for bounce in [&it.bounce, &it.bounce_water, &it.bounce_lava] {
                if it.flags.contains(MotionFlags::BOUNCE_SOUND) && bounce.sound.0 != 0 {
                    uses.push(Use::StaticSound(bounce.sound));
                }
                let sequence = bounce.sequence.text();
                if it.flags.contains(MotionFlags::BOUNCE_SEQUENCE) && !sequence.is_empty() {
                    uses.push(Use::Sequence(sequence));
                }
            }
            uses
        }
        EventBody::ObjectMotionFromTo(it) => vec![Use::Node(it.node)],
        EventBody::ObjectMotionSiScript(it) => vec![Use::Node(it.head.node)],
        EventBody::ObjectMotionGroup(it) => {
            let motions = it.motions.iter();
            motions.map(|motion| Use::Node(motion.head.node)).collect()
        }
        EventBody::ObjectOpacityState(it) => vec![node(it.node)],
        EventBody::ObjectOpacityFromTo(it) => vec![Use::Node(it.node)],
        EventBody::ObjectAddChild(it) => vec![node(it.parent), node(it.child)],
        EventBody::ObjectDeleteChild(it) => vec![node(it.parent), node(it.child)],
        EventBody::ObjectCycleTexture(it) => vec![node(it.node)],
        EventBody::ObjectConnector(it) => {
            vec![node(it.node), maybe(it.from_node), maybe(it.to_node)]
        }
        EventBody::CallObjectConnector(it) => vec![
            Use::Animation(Call::Connect, it.animation.text()),
            maybe(it.from_node),
            maybe(it.to_node),
            Use::AnimationRef(it.save_index),
        ],
        EventBody::CameraState(it) => vec![Use::Node(it.node)],
        EventBody::CameraFromTo(it) => vec![Use::Node(it.node)],
        EventBody::CallSequence(it) | EventBody::StopSequence(it) => {
            vec![Use::Sequence(it.name.text())]
        }
        EventBody::CallAnimation(it) => {
            let mut uses = vec![
                Use::Animation(Call::Start, it.name.text()),
                maybe(it.operand_node),
                maybe(it.node),
            ];
            // Stale without its flag.
            if it.flags.contains(CallFlags::WAIT_FOR_COMPLETION) {
                uses.push(Use::AnimationRef(it.wait_index));
            }
            uses
        }
        EventBody::StopAnimation(it) => vec![Use::Animation(Call::Stop, it.name.text())],
        EventBody::ResetAnimation(it) => vec![Use::Animation(Call::Reset, it.name.text())],
        EventBody::InvalidateAnimation(it) => {
            vec![Use::Animation(Call::Invalidate, it.name.text())]
        }
        EventBody::If(it) | EventBody::ElseIf(it) => vec![Use::OptionalNode(it.node)],
        EventBody::FbfxCsinwaveFromTo(it) if it.flags.contains(WaveFlags::AT_NODE) => {
            vec![node(it.node)]
        }
        EventBody::DetonateWeapon(it) => vec![node(it.node)],
        EventBody::PufferState(it) => vec![Use::Puffer(it.puffer), Use::OptionalNode(it.node)],
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

/// The table that an index points at no entry of, with the index. Sequences go by name and are not
/// looked at.
pub(super) fn fault(used: &Use, definition: &Definition) -> Option<(&'static str, i32)> {
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

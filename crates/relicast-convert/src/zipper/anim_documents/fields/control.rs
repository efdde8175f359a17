//! Calls, conditions, loops, messages to the game's program.

use serde::Serialize;

use super::{Fields, put_unknown_bits};
use crate::zipper::anim_documents::names::Names;
use relicast_codec::F32;
use relicast_formats::zipper::anim::event::control::{
    AnimVerbose, AnimationCall, CallAnimation, CallFlags, Callback, Condition, ConditionKind,
    ConditionValue, Loop, LoopLimit, SequenceCall, StopAnimation, TextMessage,
};
use relicast_formats::zipper::anim::event::motion::{CallConnectorFlags, CallObjectConnector};

pub(in super::super) fn sequence<M: Fields>(
    map: &mut M,
    event: &SequenceCall,
) -> Result<(), M::Error> {
    map.put("sequence", event.name.text())
}

pub(in super::super) fn call<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &CallAnimation,
) -> Result<(), M::Error> {
    let has = |flag| event.flags.contains(flag);
    map.put("animation", event.name.text())?;
    let bound = event.operand_node.0 != 0;
    map.put_if(bound, "bound_to", names.node(event.operand_node))?;
    for (flag, key) in [
        (CallFlags::AT_NODE, "at_node"),
        (CallFlags::WITH_NODE, "with_node"),
    ] {
        map.put_if(has(flag), key, names.node(event.node))?;
    }
    map.put_if(has(CallFlags::POSITION), "offset", event.position)?;
    // One source interprets it as a rotation.
    map.put_if(
        has(CallFlags::TRANSLATE),
        "rotation_radians",
        event.translate,
    )?;
    let waits = has(CallFlags::WAIT_FOR_COMPLETION);
    map.put_if(waits, "waits_for", names.animation(event.wait_index))?;
    put_unknown_bits(
        map,
        u32::from(event.flags.bits()),
        u32::from(CallFlags::all().bits()),
    )
}

/// Position of an end of a called beam.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct BeamEnd<N, P> {
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<N>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node_position_only: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<P>,
}

pub(in super::super) fn call_connector<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &CallObjectConnector,
) -> Result<(), M::Error> {
    map.put("animation", event.animation.text())?;
    let saved = event.save_index.0 != -1;
    map.put_if(saved, "saved_as", names.animation(event.save_index))?;
    let bits = event.flags.bits();
    // The flags of the end are six bits above those of the start.
    let ends = [
        ("from", bits, event.from_node, event.from_position),
        ("to", bits >> 6, event.to_node, event.to_position),
    ];
    for (key, bits, node, position) in ends {
        let flags = CallConnectorFlags::from_bits_truncate(bits & 0x3F);
        let has = |flag| flags.contains(flag);
        let by_node =
            has(CallConnectorFlags::FROM_NODE) || has(CallConnectorFlags::FROM_NODE_POSITION);
        let input = [
            (CallConnectorFlags::FROM_INPUT_NODE, "node"),
            (
                CallConnectorFlags::FROM_INPUT_NODE_POSITION,
                "node_position",
            ),
            (CallConnectorFlags::FROM_INPUT_POSITION, "position"),
        ];
        let input = input.into_iter().find(|(flag, _)| has(*flag));
        let end = BeamEnd {
            node: by_node.then(|| names.node(node)),
            node_position_only: has(CallConnectorFlags::FROM_NODE_POSITION).then_some(true),
            input: input.map(|(_, what)| what),
            position: has(CallConnectorFlags::FROM_POSITION).then_some(position),
        };
        map.put_if(!flags.is_empty(), key, end)?;
    }
    put_unknown_bits(map, bits, CallConnectorFlags::all().bits())
}

pub(in super::super) fn stop<M: Fields>(
    map: &mut M,
    event: &StopAnimation,
) -> Result<(), M::Error> {
    map.put("animation", event.name.text())
}

pub(in super::super) fn animation<M: Fields>(
    map: &mut M,
    event: &AnimationCall,
) -> Result<(), M::Error> {
    map.put("animation", event.name.text())?;
    // Special indices of nodes are used here too.
    map.put_if(
        event.definition_index != 0,
        "stored_index",
        event.definition_index,
    )
}

/// Adds the condition that ends a loop.
pub(in super::super) fn repeat<M: Fields>(map: &mut M, event: &Loop) -> Result<(), M::Error> {
    match event.limit {
        LoopLimit::Count { count: -1 | 0, .. } => map.put("passes", "endless")?,
        LoopLimit::Count { count, .. } => map.put("passes", count)?,
        LoopLimit::RunTime(seconds) if seconds.0 < 0.0 => map.put("seconds", "endless")?,
        LoopLimit::RunTime(seconds) => map.put("seconds", seconds)?,
        LoopLimit::Other { flags, value } => {
            map.put("unknown_limit", flags)?;
            map.put("value", value)?;
        }
    }
    match event.limit {
        LoopLimit::Count { count, .. } => map.put_if(count < 1, "stored", count),
        LoopLimit::RunTime(seconds) => map.put_if(seconds.0 < 0.0, "stored", seconds),
        LoopLimit::Other { .. } => Ok(()),
    }
}

/// Comparison that a condition makes with its value.
fn meaning(kind: ConditionKind) -> &'static str {
    use ConditionKind as Kind;
    match kind {
        Kind::RandomWeight => "a random number from 0 to 1 is at most value",
        Kind::PlayerRange => "the squared distance of the player from the root is at most value",
        Kind::AnimationLod => "the detail setting is at least value",
        Kind::PlayerUndercover => "a probe from the player hits",
        Kind::NodeUndercover => {
            "a vertical probe of length value from the node hits; negative is down"
        }
        Kind::HwRender => "the hardware renderer is in use",
        Kind::PlayerFirstPerson => "the view is first person",
        Kind::PlayerBelowAltitude => "the player is below value",
        Kind::NodeBelowAltitude => "the node is below value",
        Kind::PlayerLinedUp => "the player is lined up within the squared angle",
        Kind::PlayerSpeed => "the speed of the player is between value and upper_value",
        Kind::AnimationHealth => "the health is at most value",
        Kind::AnimationHealthRange => "the health is between value and upper_value",
        Kind::NodeActive => "the node is active",
        Kind::Other(_) => "unknown",
    }
}

pub(in super::super) fn condition<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &Condition,
) -> Result<(), M::Error> {
    use ConditionKind::{AnimationHealthRange, NodeActive, PlayerSpeed};
    map.put("condition", event.kind)?;
    map.put_if(event.node.0 != 0, "node", names.node(event.node))?;
    let plain = event.kind != NodeActive || event.bits != 0;
    map.put_if(plain, "value", event.value())?;
    let upper = matches!(event.kind, PlayerSpeed | AnimationHealthRange) || event.upper_bits != 0;
    map.put_if(upper, "upper_value", event.upper_value())?;
    if let (ConditionKind::PlayerRange, ConditionValue::Number(squared)) =
        (event.kind, event.value())
        && squared.0 >= 0.0
    {
        map.put("distance", F32(squared.0.sqrt()))?;
    }
    map.put("holds_when", meaning(event.kind))
}

pub(in super::super) fn callback<M: Fields>(map: &mut M, event: &Callback) -> Result<(), M::Error> {
    map.put("code", event.code)
}

pub(in super::super) fn text<M: Fields>(map: &mut M, event: &TextMessage) -> Result<(), M::Error> {
    map.put("text_id", event.text)
}

pub(in super::super) fn verbose<M: Fields>(
    map: &mut M,
    event: &AnimVerbose,
) -> Result<(), M::Error> {
    map.put("on", event.on)
}

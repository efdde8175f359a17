//! Events as the reference spells them.

use relicast::formats::codec::F32;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::event::control::{
    CallFlags, Condition, ConditionKind, LoopLimit,
};
use relicast::formats::zipper::anim::{
    Definition, Event, EventBody, EventStart, FloatRamp, Frame, NodeIndex, NodeTarget, Sequence,
    ShortNodeIndex, StaticSoundIndex,
};
use serde_json::{Value, json};

use crate::anim::values::{float, named_vector};

pub fn when(flag: bool, value: impl FnOnce() -> Value) -> Value {
    if flag { value() } else { Value::Null }
}

pub fn from_to(ramp: FloatRamp, run_time: F32) -> Value {
    assert_delta(ramp.from, ramp.to, ramp.delta, run_time);
    json!({"from": float(ramp.from), "to": float(ramp.to)})
}

/// The reference shows a delta only when it differs from the rule.
pub fn assert_delta(from: F32, to: F32, delta: F32, run_time: F32) {
    let expected = match from.get() == to.get() {
        true => 0.0,
        false => (to.get() - from.get()) / run_time.get(),
    };
    assert!((expected - delta.get()).abs() <= expected.abs() * 1e-6);
}

/// Context of an event that the mapping of one definition needs.
pub struct Context<'a> {
    pub version: ZipperGame,
    pub definition: &'a Definition,
    /// Number of scripts met so far, for games that number them by appearance.
    pub scripts: &'a mut Vec<Vec<Frame>>,
}

impl Context<'_> {
    pub fn node(&self, index: NodeIndex) -> Value {
        match index.target() {
            NodeTarget::None => Value::Null,
            NodeTarget::Entry(position) => {
                json!(self.definition.tables.nodes[position].name.text())
            }
            NodeTarget::Input | NodeTarget::Root => json!("INPUT_NODE"),
            NodeTarget::Other(other) => panic!("node {other}"),
        }
    }

    pub fn short(&self, index: ShortNodeIndex) -> Value {
        self.node(index.into())
    }

    pub fn static_sound(&self, index: StaticSoundIndex) -> String {
        let sounds = &self.definition.tables.static_sounds;
        sounds[index.position().unwrap()].name.text()
    }

    pub fn condition(&self, condition: &Condition) -> Value {
        let number = || float(F32(f32::from_bits(condition.bits)));
        json!({"condition": match condition.kind {
            ConditionKind::RandomWeight => json!({"RandomWeight": number()}),
            ConditionKind::PlayerRange => json!({"PlayerRange": number()}),
            ConditionKind::AnimationLod => json!({"AnimationLod": condition.bits}),
            ConditionKind::HwRender => json!({"HwRender": condition.bits != 0}),
            ConditionKind::PlayerFirstPerson => json!({"PlayerFirstPerson": condition.bits != 0}),
            ConditionKind::NodeUndercover => json!({
                "NodeUndercover": {"node_index": condition.node.0, "distance": condition.bits}
            }),
            other => panic!("{other:?}"),
        }})
    }

    pub fn control(&self, body: &EventBody) -> Option<Value> {
        Some(match body {
            EventBody::CallSequence(event) => json!({"CallSequence": {"name": event.name.text()}}),
            EventBody::StopSequence(event) => json!({"StopSequence": {"name": event.name.text()}}),
            EventBody::CallAnimation(event) => {
                let has = |flag| event.flags.contains(flag);
                let position = when(has(CallFlags::POSITION), || named_vector(event.position));
                let translate = when(has(CallFlags::TRANSLATE), || named_vector(event.translate));
                json!({"CallAnimation": {
                    "name": event.name.text(),
                    "operand_node": self.short(event.operand_node),
                    "wait_for_completion": when(has(CallFlags::WAIT_FOR_COMPLETION), || {
                        json!(event.wait_index.0)
                    }),
                    "parameters": if has(CallFlags::AT_NODE) {
                        json!({"AtNode": {
                            "node": self.short(event.node),
                            "position": position,
                            "translate": translate,
                        }})
                    } else {
                        when(has(CallFlags::WITH_NODE), || json!({"WithNode": {
                            "node": self.short(event.node), "position": position,
                        }}))
                    },
                }})
            }
            EventBody::StopAnimation(event) => {
                json!({"StopAnimation": {"name": event.name.text()}})
            }
            EventBody::ResetAnimation(event) => {
                json!({"ResetAnimation": {"name": event.name.text()}})
            }
            EventBody::InvalidateAnimation(event) => {
                json!({"InvalidateAnimation": {"name": event.name.text()}})
            }
            EventBody::Loop(event) => json!({"Loop": match event.limit {
                LoopLimit::Count { count, .. } => json!({"Count": count}),
                LoopLimit::RunTime(seconds) => json!({"RunTime": float(seconds)}),
                LoopLimit::Other { .. } => panic!("{event:?}"),
            }}),
            EventBody::If(event) => json!({"If": self.condition(event)}),
            EventBody::ElseIf(event) => json!({"Elseif": self.condition(event)}),
            EventBody::Else(_) => json!({"Else": {}}),
            EventBody::EndIf(_) => json!({"Endif": {}}),
            EventBody::Callback(event) => json!({"Callback": {"value": event.code}}),
            EventBody::AnimVerbose(event) => json!({"AnimVerbose": {"on": event.on.is_set()}}),
            _ => return None,
        })
    }

    pub fn event(&mut self, event: &Event) -> Value {
        let body = &event.body;
        let data = self
            .motion(body)
            .or_else(|| self.object(body))
            .or_else(|| self.sound_and_light(body))
            .or_else(|| self.connector(body))
            .or_else(|| self.screen(body))
            .or_else(|| self.control(body))
            .unwrap_or_else(|| panic!("no mapping for {body:?}"));
        let start = when(!event.is_unstamped(), || {
            let offset = match event.start {
                EventStart::Animation => "Animation",
                EventStart::Sequence => "Sequence",
                EventStart::Event => "Event",
                EventStart::Other(other) => panic!("start {other}"),
            };
            json!({"offset": offset, "time": float(event.time)})
        });
        json!({"start": start, "data": data})
    }

    pub fn events(&mut self, sequence: &Sequence) -> Value {
        sequence
            .events
            .iter()
            .map(|event| self.event(event))
            .collect()
    }
}

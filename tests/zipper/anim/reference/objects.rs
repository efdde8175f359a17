//! Events that act on nodes, as the reference spells them.

use relicast::formats::codec::F32;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::event::motion::{
    Bounce, CallConnectorFlags, ConnectorFlags, ConnectorRamp, FromToFlags, MotionFlags,
};
use relicast::formats::zipper::anim::event::object::RotationBasis;
use relicast::formats::zipper::anim::{EventBody, VectorRamp};
use serde_json::{Value, json};

use super::events::{Context, assert_delta, from_to, when};
use crate::anim::values::{float, named_range, named_vector};

impl Context<'_> {
    pub fn bounce_sound(&self, bounce: &Bounce) -> Value {
        when(
            bounce.sound.0 > 0,
            || json!({"name": self.static_sound(bounce.sound), "volume": float(bounce.sound_speed)}),
        )
    }

    pub fn motion(&mut self, body: &EventBody) -> Option<Value> {
        Some(match body {
            EventBody::ObjectMotion(event) => {
                let has = |flag| event.flags.contains(flag);
                let bounce_sequence = |bounce: &Bounce| {
                    when(!bounce.sequence.text().is_empty(), || {
                        json!(bounce.sequence.text())
                    })
                };
                json!({"ObjectMotion": {
                    "node": self.short(event.node),
                    "impact_force": has(MotionFlags::IMPACT_FORCE),
                    "morph": when(has(MotionFlags::MORPH), || float(event.morph)),
                    "gravity": when(has(MotionFlags::GRAVITY), || json!({
                        "value": float(event.gravity),
                        "complex": has(MotionFlags::GRAVITY_COMPLEX),
                        "no_altitude": has(MotionFlags::GRAVITY_NO_ALTITUDE),
                    })),
                    "translation_range": when(has(MotionFlags::TRANSLATION_RANGE_MIN), || json!({
                        "xz": named_range(event.range_azimuth),
                        "y": named_range(event.range_elevation),
                        "initial": named_range(event.range_speed),
                        "delta": named_range(event.range_acceleration),
                    })),
                    "translation": when(has(MotionFlags::TRANSLATION), || json!({
                        "initial": named_vector(event.velocity),
                        "delta": named_vector(event.acceleration),
                        "rnd_xz": named_vector(event.direction),
                    })),
                    "forward_rotation": if has(MotionFlags::FORWARD_ROTATION_TIME) {
                        json!({"Time": {
                            "initial": float(event.forward_rotation_rate),
                            "delta": float(event.forward_rotation_acceleration),
                        }})
                    } else {
                        when(has(MotionFlags::FORWARD_ROTATION_DISTANCE), || json!({
                            "Distance": {"initial": float(event.forward_rotation_rate)}
                        }))
                    },
                    "xyz_rotation": when(has(MotionFlags::XYZ_ROTATION), || json!({
                        "initial": named_vector(event.spin_rate),
                        "delta": named_vector(event.spin_acceleration),
                    })),
                    "scale": when(has(MotionFlags::SCALE), || json!({
                        "initial": named_vector(event.scale_rate),
                        "delta": named_vector(event.scale_acceleration),
                    })),
                    "bounce_sequence": when(has(MotionFlags::BOUNCE_SEQUENCE), || json!({
                        "default": bounce_sequence(&event.bounce),
                        "water": bounce_sequence(&event.bounce_water),
                        "lava": bounce_sequence(&event.bounce_lava),
                    })),
                    "bounce_sound": when(has(MotionFlags::BOUNCE_SOUND), || json!({
                        "default": self.bounce_sound(&event.bounce),
                        "water": self.bounce_sound(&event.bounce_water),
                        "lava": self.bounce_sound(&event.bounce_lava),
                    })),
                    "run_time": when(has(MotionFlags::RUN_TIME), || float(event.run_time)),
                }})
            }
            EventBody::ObjectMotionFromTo(event) => {
                let ramp = |flag, ramp: VectorRamp| {
                    when(event.flags.contains(flag), || {
                        for ((from, to), delta) in ramp
                            .from
                            .to_array()
                            .into_iter()
                            .zip(ramp.to.to_array())
                            .zip(ramp.delta.to_array())
                        {
                            assert_delta(F32(from), F32(to), F32(delta), event.run_time);
                        }
                        json!({"from": named_vector(ramp.from), "to": named_vector(ramp.to)})
                    })
                };
                json!({"ObjectMotionFromTo": {
                    "name": self.node(event.node),
                    "run_time": float(event.run_time),
                    "morph": when(event.flags.contains(FromToFlags::MORPH), || {
                        from_to(event.morph, event.run_time)
                    }),
                    "translate": ramp(FromToFlags::TRANSLATE, event.translate),
                    "rotate": ramp(FromToFlags::ROTATE, event.rotate),
                    "scale": ramp(FromToFlags::SCALE, event.scale),
                    "translate_delta": null, "rotate_delta": null, "scale_delta": null,
                }})
            }
            EventBody::ObjectMotionSiScript(event) => {
                let index = match self.version {
                    ZipperGame::PiratesMoon => event.head.script as usize,
                    _ => {
                        self.scripts.push(event.frames.clone());
                        self.scripts.len() - 1
                    }
                };
                json!({"ObjectMotionSiScript": {
                    "name": self.node(event.head.node), "index": index,
                }})
            }
            _ => return None,
        })
    }

    pub fn object(&self, body: &EventBody) -> Option<Value> {
        Some(match body {
            EventBody::ObjectActiveState(event) => json!({"ObjectActiveState": {
                "node": self.short(event.node), "state": event.active.is_set(),
            }}),
            EventBody::ObjectTranslateState(event) => json!({"ObjectTranslateState": {
                "node": self.short(event.node),
                "relative": event.relative.is_set(),
                "state": named_vector(event.translate),
                "at_node": self.short(event.at_node),
            }}),
            EventBody::ObjectScaleState(event) => json!({"ObjectScaleState": {
                "name": self.node(event.node), "state": named_vector(event.scale),
            }}),
            EventBody::ObjectRotateState(event) => json!({"ObjectRotateState": {
                "name": self.short(event.node),
                "state": named_vector(event.rotate),
                "basis": match event.basis {
                    RotationBasis::Absolute => json!("Absolute"),
                    RotationBasis::Relative => json!("Relative"),
                    RotationBasis::AtNodeAngles => json!({"AtNodeXYZ": self.short(event.at_node)}),
                    RotationBasis::AtNodeMatrix => {
                        json!({"AtNodeMatrix": self.short(event.at_node)})
                    }
                    RotationBasis::Other(other) => panic!("basis {other}"),
                },
            }}),
            EventBody::ObjectOpacityState(event) => json!({"ObjectOpacityState": {
                "name": self.short(event.node),
                "state": event.enable.is_set(),
                "opacity": when(event.has_opacity.is_set(), || float(event.opacity)),
            }}),
            EventBody::ObjectOpacityFromTo(event) => {
                let end = |opacity, state: i16| json!({"opacity": float(opacity), "state": when(state >= 0, || json!(state == 1))});
                let (from, to) = (event.opacity_from, event.opacity_to);
                assert_delta(from, to, event.opacity_delta, event.run_time);
                json!({"ObjectOpacityFromTo": {
                    "name": self.node(event.node),
                    "opacity_from": end(from, event.state_from),
                    "opacity_to": end(to, event.state_to),
                    "run_time": float(event.run_time),
                    "opacity_delta": null,
                }})
            }
            EventBody::ObjectAddChild(event) => json!({"ObjectAddChild": {
                "parent": self.short(event.parent), "child": self.short(event.child),
            }}),
            EventBody::ObjectDeleteChild(event) => json!({"ObjectDeleteChild": {
                "parent": self.short(event.parent), "child": self.short(event.child),
            }}),
            EventBody::ObjectCycleTexture(event) => json!({"ObjectCycleTexture": {
                "name": self.short(event.node), "reset": event.frame,
            }}),
            _ => return None,
        })
    }

    pub fn connector(&self, body: &EventBody) -> Option<Value> {
        use CallConnectorFlags as Call;
        use ConnectorFlags as Flags;
        let input = || json!("INPUT_NODE");
        Some(match body {
            EventBody::ObjectConnector(event) => {
                let has = |flag| event.flags.contains(flag);
                let node = |node_flag, input_flag, index| match has(node_flag) {
                    true => self.short(index),
                    false => when(has(input_flag), input),
                };
                let place = |place_flag, input_flag, place| match has(place_flag) {
                    true => json!({"Pos": named_vector(place)}),
                    false => when(has(input_flag), || json!("Input")),
                };
                let ramp = |one, many, ramp: ConnectorRamp| match has(one) {
                    true => json!({"Scalar": float(ramp.start)}),
                    false => when(has(many), || {
                        assert_delta(ramp.start, ramp.end, ramp.delta, event.run_time);
                        json!({"Range": {"min": float(ramp.start), "max": float(ramp.end)}})
                    }),
                };
                json!({"ObjectConnector": {
                    "name": self.short(event.node),
                    "from_node": node(Flags::FROM_NODE, Flags::FROM_INPUT_NODE, event.from_node),
                    "to_node": node(Flags::TO_NODE, Flags::TO_INPUT_NODE, event.to_node),
                    "from_pos": place(
                        Flags::FROM_POSITION, Flags::FROM_INPUT_POSITION, event.from_position,
                    ),
                    "to_pos": place(Flags::TO_POSITION, Flags::TO_INPUT_POSITION, event.to_position),
                    "from_t": ramp(Flags::FROM_T, Flags::FROM_T_RANGE, event.from_t),
                    "to_t": ramp(Flags::TO_T, Flags::TO_T_RANGE, event.to_t),
                    "run_time": float(event.run_time),
                    "max_length": when(has(Flags::MAX_LENGTH), || float(event.max_length)),
                }})
            }
            EventBody::CallObjectConnector(event) => {
                let has = |flag| event.flags.contains(flag);
                let node = |[node, place, input_node, input_place]: [Call; 4], index| {
                    let name = match has(node) || has(place) {
                        true => self.short(index),
                        false => when(has(input_node) || has(input_place), input),
                    };
                    when(
                        !name.is_null(),
                        || json!({"name": name, "pos": has(place) || has(input_place)}),
                    )
                };
                let place = |place_flag, input_flag, place| match has(place_flag) {
                    true => json!({"Pos": named_vector(place)}),
                    false => when(has(input_flag), || json!("Input")),
                };
                json!({"CallObjectConnector": {
                    "name": event.animation.text(),
                    "save_index": when(event.save_index.0 >= 0, || json!(event.save_index.0)),
                    "from_node": node([
                        Call::FROM_NODE, Call::FROM_NODE_POSITION,
                        Call::FROM_INPUT_NODE, Call::FROM_INPUT_NODE_POSITION,
                    ], event.from_node),
                    "to_node": node([
                        Call::TO_NODE, Call::TO_NODE_POSITION,
                        Call::TO_INPUT_NODE, Call::TO_INPUT_NODE_POSITION,
                    ], event.to_node),
                    "from_pos": place(
                        Call::FROM_POSITION, Call::FROM_INPUT_POSITION, event.from_position,
                    ),
                    "to_pos": place(Call::TO_POSITION, Call::TO_INPUT_POSITION, event.to_position),
                }})
            }
            _ => return None,
        })
    }
}

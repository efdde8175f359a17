//! An event as an object: its type, start, duration and fields.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::fields::{Fields, control, effect, motion, object, world};
use super::names::Names;
use super::script::ScriptMotion;
use crate::zipper::anim_documents::timing::Span;
use relicast_codec::F32;
use relicast_formats::zipper::anim::{Definition, Event, EventBody, EventStart};
use relicast_scene::extras::{Stored, camel_case_keys, zipper};

/// An event with its indices resolved to names.
#[derive(Debug)]
pub(super) struct EventDocument<'d> {
    pub event: &'d Event,
    pub names: &'d Names,
    pub span: Span,
    /// Motions of scripts, for events that play any.
    pub scripts: Vec<ScriptMotion<'d>>,
}

/// The stored start time.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Stamp {
    clock: EventStart,
    time: F32,
}

impl EventDocument<'_> {
    /// Adds the entries of all events.
    fn put_header<M: Fields>(&self, map: &mut M) -> Result<(), M::Error> {
        let event = self.event;
        map.put("event", event.body.name())?;
        map.put("type", event.body.code())?;
        let stamp = Stamp {
            clock: event.start,
            time: event.time,
        };
        map.put_if(!event.is_unstamped(), "at", stamp)?;
        map.put_if(event.pad != 0, "pad", event.pad)?;
        // Sums are computed in 64 bits and have 32-bit precision.
        let start = self.span.start.map(|start| F32(start as f32));
        map.put_if(start.is_some(), "starts", start)?;
        let length = self.span.length.filter(|length| *length > 0.0);
        map.put_if(
            length.is_some(),
            "lasts",
            length.map(|length| F32(length as f32)),
        )
    }

    /// Adds all entries.
    pub(super) fn put_all<M: Fields>(&self, map: &mut M) -> Result<(), M::Error> {
        self.put_header(map)?;
        put_body(map, &self.event.body, self.names, &self.scripts)
    }

    /// True if the event has a table, which needs more than one line.
    pub(super) fn has_table(&self) -> bool {
        self.scripts.iter().any(|motion| motion.table.is_some())
    }
}

/// Adds the fields of an event.
fn put_body<M: Fields>(
    map: &mut M,
    body: &EventBody,
    names: &Names,
    scripts: &[ScriptMotion<'_>],
) -> Result<(), M::Error> {
    match body {
        EventBody::Sound(body) => effect::sound(map, names, body),
        EventBody::SoundNode(body) => effect::sound_node(map, names, body),
        EventBody::Effect(body) => effect::sprite(map, names, body),
        EventBody::LightState(body) => world::light(map, names, body),
        EventBody::LightAnimation(body) => world::light_change(map, names, body),
        EventBody::ObjectActiveState(body) => object::active(map, names, body),
        EventBody::ObjectTranslateState(body) => object::translate(map, names, body),
        EventBody::ObjectScaleState(body) => object::scale(map, names, body),
        EventBody::ObjectRotateState(body) => object::rotate(map, names, body),
        EventBody::ObjectMotion(body) => motion::physics(map, names, body),
        EventBody::ObjectMotionFromTo(body) => motion::from_to(map, names, body),
        EventBody::ObjectMotionSiScript(_) => match scripts {
            [one] => {
                map.put("node", one.node)?;
                map.put_if(one.script.is_some(), "script", &one.script)?;
                match &one.table {
                    Some(table) => table.put(map),
                    None => Ok(()),
                }
            }
            several => map.put("motions", several),
        },
        EventBody::ObjectMotionGroup(_) => map.put("motions", scripts),
        EventBody::ObjectOpacityState(body) => object::opacity(map, names, body),
        EventBody::ObjectOpacityFromTo(body) => object::opacity_change(map, names, body),
        EventBody::ObjectAddChild(body) => object::add_child(map, names, body),
        EventBody::ObjectDeleteChild(body) => object::delete_child(map, names, body),
        EventBody::ObjectCycleTexture(body) => object::cycle_texture(map, names, body),
        EventBody::ObjectConnector(body) => motion::connector(map, names, body),
        EventBody::CallObjectConnector(body) => control::call_connector(map, names, body),
        EventBody::CameraState(body) => world::camera(map, names, body),
        EventBody::CameraFromTo(body) => world::camera_change(map, names, body),
        EventBody::CallSequence(body) | EventBody::StopSequence(body) => {
            control::sequence(map, body)
        }
        EventBody::CallAnimation(body) => control::call(map, names, body),
        EventBody::StopAnimation(body) => control::stop(map, body),
        EventBody::ResetAnimation(body) | EventBody::InvalidateAnimation(body) => {
            control::animation(map, body)
        }
        EventBody::FogState(body) => world::fog(map, body),
        EventBody::Loop(body) => control::repeat(map, body),
        EventBody::If(body) | EventBody::ElseIf(body) => control::condition(map, names, body),
        EventBody::Else(_) | EventBody::EndIf(_) | EventBody::Marker(_) => Ok(()),
        EventBody::Callback(body) => control::callback(map, body),
        EventBody::FbfxColorFromTo(body) => world::tint(map, body),
        EventBody::FbfxCsinwaveFromTo(body) => world::wave(map, names, body),
        EventBody::TextMessage(body) => control::text(map, body),
        EventBody::AnimVerbose(body) => control::verbose(map, body),
        EventBody::DetonateWeapon(body) => effect::weapon(map, names, body),
        EventBody::PufferState(body) => effect::puffer(map, names, body),
        EventBody::SoundAdjust(body) => effect::adjust(map, body),
        EventBody::Unknown(body) => map.put("data", &body.data),
    }
}

/// Describes an event as an object, with names for its indices. The motion of scripts is left out.
pub(in crate::zipper) fn facts(body: &EventBody, definition: &Definition) -> zipper::Mark {
    struct EventJson<'d>(&'d EventBody, Names);
    impl Serialize for EventJson<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            map.put("event", self.0.name())?;
            put_body(&mut map, self.0, &self.1, &[])?;
            map.end()
        }
    }
    let value = serde_json::to_value(EventJson(body, Names::new(definition)));
    zipper::Mark {
        stored: match value {
            Ok(Value::Object(stored)) => camel_case_keys(stored),
            _ => Stored::new(),
        },
        ..zipper::Mark::default()
    }
}

relicast_codec::json_form!(@['a] EventDocument<'a> = {
    "description": "An event: its name, its times and its fields",
    "type": "object",
    "required": ["event"],
    "properties": {"event": {"type": "string"}}
});

impl Serialize for EventDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.put_all(&mut map)?;
        map.end()
    }
}

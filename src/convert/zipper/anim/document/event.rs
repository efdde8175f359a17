//! An event as an object: its type, when it starts, how long it takes, and its fields.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::fields::{Fields, control, effect, motion, object, world};
use super::names::Names;
use super::script::ScriptMotion;
use crate::convert::zipper::anim::timing::Span;
use crate::formats::codec::F32;
use crate::formats::zipper::anim::{Event, EventBody, EventStart};

/// An event with its indices resolved to names.
#[derive(Debug)]
pub(super) struct EventDocument<'d> {
    pub event: &'d Event,
    pub names: &'d Names,
    pub span: Span,
    /// What scripts move, for events that play any.
    pub scripts: Vec<ScriptMotion<'d>>,
}

/// The stored start time.
#[derive(Serialize)]
struct Stamp {
    clock: EventStart,
    time: F32,
}

impl EventDocument<'_> {
    /// Adds what all events have.
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
        // Sums are made in 64 bits and say no more than 32.
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
        let names = self.names;
        match &self.event.body {
            EventBody::Sound(it) => effect::sound(map, names, it),
            EventBody::SoundNode(it) => effect::sound_node(map, names, it),
            EventBody::Effect(it) => effect::sprite(map, names, it),
            EventBody::LightState(it) => world::light(map, names, it),
            EventBody::LightAnimation(it) => world::light_change(map, names, it),
            EventBody::ObjectActiveState(it) => object::active(map, names, it),
            EventBody::ObjectTranslateState(it) => object::translate(map, names, it),
            EventBody::ObjectScaleState(it) => object::scale(map, names, it),
            EventBody::ObjectRotateState(it) => object::rotate(map, names, it),
            EventBody::ObjectMotion(it) => motion::physics(map, names, it),
            EventBody::ObjectMotionFromTo(it) => motion::from_to(map, names, it),
            EventBody::ObjectMotionSiScript(_) => match &*self.scripts {
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
            EventBody::ObjectMotionGroup(_) => map.put("motions", &self.scripts),
            EventBody::ObjectOpacityState(it) => object::opacity(map, names, it),
            EventBody::ObjectOpacityFromTo(it) => object::opacity_change(map, names, it),
            EventBody::ObjectAddChild(it) => object::add_child(map, names, it),
            EventBody::ObjectDeleteChild(it) => object::delete_child(map, names, it),
            EventBody::ObjectCycleTexture(it) => object::cycle_texture(map, names, it),
            EventBody::ObjectConnector(it) => motion::connector(map, names, it),
            EventBody::CallObjectConnector(it) => control::call_connector(map, names, it),
            EventBody::CameraState(it) => world::camera(map, names, it),
            EventBody::CameraFromTo(it) => world::camera_change(map, names, it),
            EventBody::CallSequence(it) | EventBody::StopSequence(it) => control::sequence(map, it),
            EventBody::CallAnimation(it) => control::call(map, names, it),
            EventBody::StopAnimation(it) => control::stop(map, it),
            EventBody::ResetAnimation(it) | EventBody::InvalidateAnimation(it) => {
                control::animation(map, it)
            }
            EventBody::FogState(it) => world::fog(map, it),
            EventBody::Loop(it) => control::repeat(map, it),
            EventBody::If(it) | EventBody::ElseIf(it) => control::condition(map, names, it),
            EventBody::Else(_) | EventBody::EndIf(_) | EventBody::Marker(_) => Ok(()),
            EventBody::Callback(it) => control::callback(map, it),
            EventBody::FbfxColorFromTo(it) => world::tint(map, it),
            EventBody::FbfxCsinwaveFromTo(it) => world::wave(map, names, it),
            EventBody::TextMessage(it) => control::text(map, it),
            EventBody::AnimVerbose(it) => control::verbose(map, it),
            EventBody::DetonateWeapon(it) => effect::weapon(map, names, it),
            EventBody::PufferState(it) => effect::puffer(map, names, it),
            EventBody::SoundAdjust(it) => effect::adjust(map, it),
            EventBody::Unknown(it) => map.put("data", &it.data),
        }
    }

    /// Whether the event has a table, which needs more than a line.
    pub(super) fn has_table(&self) -> bool {
        self.scripts.iter().any(|motion| motion.table.is_some())
    }
}

impl Serialize for EventDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.put_all(&mut map)?;
        map.end()
    }
}

//! The event: header, type, payload; and the walk over the events of a sequence.

use serde::Serialize;

use super::camera::{CameraFromTo, CameraState, FbfxColorFromTo, FbfxCsinwaveFromTo};
use super::control::{
    AnimVerbose, AnimationCall, CallAnimation, Callback, Condition, Loop, Marker, SequenceCall,
    StopAnimation, TextMessage,
};
use super::light::{FogState, LightAnimation, LightState};
use super::motion::{
    CallObjectConnector, ObjectConnector, ObjectMotion, ObjectMotionFromTo, ObjectMotionGroup,
    ObjectMotionSiScript,
};
use super::object::{
    ObjectActiveState, ObjectAddChild, ObjectCycleTexture, ObjectDeleteChild, ObjectOpacityFromTo,
    ObjectOpacityState, ObjectRotateState, ObjectScaleState, ObjectTranslateState,
};
use super::puffer::PufferState;
use super::sound::{DetonateWeapon, Effect, Sound, SoundAdjust, SoundNode};
use crate::zipper::ZipperGame;
use crate::zipper::anim::values::{is_default, raw_bytes};
use crate::zipper::anim::version::{Peek, Versioned};
use relicast_codec::{Blob, F32, FixedSize, FormatError, Result};

relicast_codec::open_enum! {
    /// Clock for the start time of an event. The previous event must also have completed.
    pub enum EventStart: u8 {
        /// Time since the animation started. An event without a start time in its source has this
        /// clock and time 0.
        Animation = 1,
        /// Time since the sequence started.
        Sequence = 2,
        /// Time since the previous event completed.
        Event = 3,
    }
}

relicast_codec::record! {
    /// Header of an event.
    pub struct EventHeader[12, 12, 12, 12] in ZipperGame {
        /// Type of the event.
        kind: u8,
        /// Clock of the start time.
        start: EventStart,
        /// Padding.
        pad: u16 [always 0],
        /// Bytes of header and payload.
        size: u32,
        /// Start time in seconds.
        time: F32,
    }
}

impl EventHeader {
    const SIZE: usize = Self::size(ZipperGame::Recoil);
}

/// An event whose type is not known, or whose payload does not have the size of its type.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnknownEvent {
    /// Type of the event.
    pub kind: u8,
    /// The payload.
    pub data: Blob<'static>,
}

/// The versions whose programs know an event type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Games(u8);

impl Games {
    const RECOIL: Self = Self(1);
    const CRIMSON_SKIES: Self = Self(8);
    const ALL: Self = Self(15);
    const NOT_CRIMSON_SKIES: Self = Self(7);
    const NOT_RECOIL: Self = Self(14);
    const RECOIL_AND_PIRATES_MOON: Self = Self(5);

    const fn contain(self, version: ZipperGame) -> bool {
        self.0 & (1 << version as u8) != 0
    }
}

/// The type of a payload in [`EventBody`]: large ones are boxed.
macro_rules! payload {
    ($type:ident) => { $type };
    ($type:ident, boxed) => { Box<$type> };
}

/// Declares the payloads: type number, name in the source, variant, structure, games.
macro_rules! payloads {
    ($(
        $(#[$meta:meta])*
        $code:literal $name:literal $variant:ident($type:ident $(, $boxed:ident)?) $games:ident;
    )*) => {
        /// Effect of an event: one structure per event type.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum EventBody {
            $($(#[$meta])* $variant(payload!($type $(, $boxed)?)),)*
            /// Preserved.
            Unknown(UnknownEvent),
        }

        impl EventBody {
            /// The type number.
            pub fn code(&self) -> u8 {
                match self {
                    $(Self::$variant(_) => $code,)*
                    Self::Unknown(unknown) => unknown.kind,
                }
            }

            /// The name of the type in the source files, if it is known.
            pub fn name(&self) -> Option<&'static str> {
                match self {
                    $(Self::$variant(_) => Some($name),)*
                    Self::Unknown(_) => None,
                }
            }

            /// Bytes of the payload in a file of `version`.
            fn length(&self, version: ZipperGame) -> usize {
                match self {
                    $(Self::$variant(payload) => payload.length(version),)*
                    Self::Unknown(unknown) => unknown.data.len(),
                }
            }

            /// The empty body that fits `payload`, and a note if the payload is unusual.
            fn select(
                kind: u8,
                payload: &[u8],
                version: ZipperGame,
            ) -> (Self, Option<&'static str>) {
                match kind {
                    $($code if <$type>::fits(payload, version) => (
                        Self::$variant(Default::default()),
                        (!Games::$games.contain(version)).then_some("a type of other games"),
                    ),)*
                    $($code => (
                        Self::unknown(kind, payload),
                        Some(concat!("a payload that does not fit ", $name, "; preserved as raw bytes")),
                    ),)*
                    _ => (
                        Self::unknown(kind, payload),
                        Some("an unknown type; preserved as raw bytes"),
                    ),
                }
            }

            fn visit<'a, S: Peek<'a>>(&mut self, stream: &mut S, version: ZipperGame) -> Result<()> {
                match self {
                    $(Self::$variant(payload) => payload
                        .visit(stream, version)
                        .map_err(|error| error.inside($name)),)*
                    Self::Unknown(unknown) => {
                        let length = unknown.data.len();
                        raw_bytes(stream, "data", &mut unknown.data, length)
                    }
                }
            }
        }
    };
}

payloads! {
    /// Plays a sound.
    1 "SOUND" Sound(Sound) ALL;
    /// Switches and places a sound emitter.
    2 "SOUND_NODE" SoundNode(SoundNode, boxed) ALL;
    /// Starts a sprite.
    3 "EFFECT" Effect(Effect) NOT_CRIMSON_SKIES;
    /// Sets a light.
    4 "LIGHT_STATE" LightState(LightState, boxed) ALL;
    /// Changes a light over time.
    5 "LIGHT_ANIMATION" LightAnimation(LightAnimation, boxed) ALL;
    /// Shows or hides a node.
    6 "OBJECT_ACTIVE_STATE" ObjectActiveState(ObjectActiveState) ALL;
    /// Moves a node at once.
    7 "OBJECT_TRANSLATE_STATE" ObjectTranslateState(ObjectTranslateState) ALL;
    /// Scales a node at once.
    8 "OBJECT_SCALE_STATE" ObjectScaleState(ObjectScaleState) ALL;
    /// Rotates a node at once.
    9 "OBJECT_ROTATE_STATE" ObjectRotateState(ObjectRotateState) ALL;
    /// Moves a node by physics.
    10 "OBJECT_MOTION" ObjectMotion(ObjectMotion, boxed) ALL;
    /// Moves a node from one pose to another.
    11 "OBJECT_MOTION_FROM_TO" ObjectMotionFromTo(ObjectMotionFromTo, boxed) ALL;
    /// Moves a node by a script.
    12 "OBJECT_MOTION_SI_SCRIPT" ObjectMotionSiScript(ObjectMotionSiScript, boxed) ALL;
    /// Sets the opacity of a node.
    13 "OBJECT_OPACITY_STATE" ObjectOpacityState(ObjectOpacityState) ALL;
    /// Changes the opacity of a node over time.
    14 "OBJECT_OPACITY_FROM_TO" ObjectOpacityFromTo(ObjectOpacityFromTo) ALL;
    /// Gives a node a child.
    15 "OBJECT_ADD_CHILD" ObjectAddChild(ObjectAddChild) ALL;
    /// Removes a child from a node.
    16 "OBJECT_DELETE_CHILD" ObjectDeleteChild(ObjectDeleteChild) ALL;
    /// Jumps in a texture cycle.
    17 "OBJECT_CYCLE_TEXTURE" ObjectCycleTexture(ObjectCycleTexture) ALL;
    /// Draws a beam.
    18 "OBJECT_CONNECTOR" ObjectConnector(ObjectConnector, boxed) NOT_CRIMSON_SKIES;
    /// Calls an animation that draws a beam.
    19 "CALL_OBJECT_CONNECTOR" CallObjectConnector(CallObjectConnector, boxed) NOT_CRIMSON_SKIES;
    /// Sets a camera.
    20 "CAMERA_STATE" CameraState(CameraState) ALL;
    /// Changes a camera over time.
    21 "CAMERA_FROM_TO" CameraFromTo(CameraFromTo, boxed) NOT_CRIMSON_SKIES;
    /// Starts a sequence.
    22 "CALL_SEQUENCE" CallSequence(SequenceCall) ALL;
    /// Stops a sequence.
    23 "STOP_SEQUENCE" StopSequence(SequenceCall) ALL;
    /// Starts an animation.
    24 "CALL_ANIMATION" CallAnimation(CallAnimation, boxed) ALL;
    /// Stops an animation.
    25 "STOP_ANIMATION" StopAnimation(StopAnimation) ALL;
    /// Runs the reset state of an animation.
    26 "RESET_ANIMATION" ResetAnimation(AnimationCall) ALL;
    /// Lets an animation finish.
    27 "INVALIDATE_ANIMATION" InvalidateAnimation(AnimationCall) ALL;
    /// Sets the fog.
    28 "FOG_STATE" FogState(FogState, boxed) ALL;
    /// Starts the sequence again.
    30 "LOOP" Loop(Loop) ALL;
    /// Continues if a condition holds.
    31 "IF" If(Condition) ALL;
    /// Continues if no earlier condition held.
    32 "ELSE" Else(Marker) ALL;
    /// Continues if no earlier condition held and this one holds.
    33 "ELSEIF" ElseIf(Condition) ALL;
    /// Ends a condition.
    34 "ENDIF" EndIf(Marker) ALL;
    /// Calls the game's program.
    35 "CALLBACK" Callback(Callback) ALL;
    /// Tints the screen.
    36 "FBFX_COLOR_FROM_TO" FbfxColorFromTo(FbfxColorFromTo, boxed) ALL;
    /// Sends a wave over the screen.
    37 "FBFX_CSINWAVE_FROM_TO" FbfxCsinwaveFromTo(FbfxCsinwaveFromTo, boxed) RECOIL_AND_PIRATES_MOON;
    /// Shows a text; the name is ours.
    38 "TEXT_MESSAGE" TextMessage(TextMessage) RECOIL;
    /// Switches the program's log.
    39 "ANIM_VERBOSE" AnimVerbose(AnimVerbose) RECOIL_AND_PIRATES_MOON;
    /// Meaning unknown; the name is ours.
    40 "MARKER" Marker(Marker) RECOIL;
    /// Makes a weapon explode.
    41 "DETONATE_WEAPON" DetonateWeapon(DetonateWeapon) ALL;
    /// Sets a particle emitter.
    42 "PUFFER_STATE" PufferState(PufferState, boxed) NOT_RECOIL;
    /// Fades a sound; not decoded.
    46 "SOUND_ADJUST" SoundAdjust(SoundAdjust, boxed) CRIMSON_SKIES;
    /// Moves several nodes by scripts; the name is ours.
    47 "OBJECT_MOTION_SI_SCRIPT_ALL" ObjectMotionGroup(ObjectMotionGroup) CRIMSON_SKIES;
}

impl EventBody {
    fn unknown(kind: u8, payload: &[u8]) -> Self {
        Self::Unknown(UnknownEvent {
            kind,
            data: payload.to_vec().into(),
        })
    }
}

impl Default for EventBody {
    fn default() -> Self {
        Self::Unknown(UnknownEvent::default())
    }
}

/// One event of a sequence. It runs when the previous event has completed and its start time is reached.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Event {
    /// Clock of the start time.
    pub start: EventStart,
    /// Start time in seconds.
    pub time: F32,
    /// Padding of the header.
    #[serde(skip_serializing_if = "is_default")]
    pub pad: u16,
    /// Effect of the event.
    #[serde(flatten)]
    pub body: EventBody,
}

impl Event {
    /// Minimum size of an event in bytes: the header.
    pub const SMALLEST: usize = EventHeader::SIZE;

    /// An event without a start time.
    pub fn new(body: EventBody) -> Self {
        Self {
            start: EventStart::Animation,
            body,
            ..Self::default()
        }
    }

    /// True when the source gave no start time: the event starts when the previous one has completed.
    pub fn is_unstamped(&self) -> bool {
        self.start == EventStart::Animation && self.time.get() == 0.0
    }

    /// Bytes of header and payload in a file of `version`.
    pub fn length(&self, version: ZipperGame) -> usize {
        self.body.length(version).saturating_add(EventHeader::SIZE)
    }

    fn visit<'a, S: Peek<'a>>(&mut self, stream: &mut S, version: ZipperGame) -> Result<()> {
        let offset = stream.position();
        let mut header = EventHeader {
            kind: self.body.code(),
            start: self.start,
            pad: self.pad,
            time: self.time,
            ..EventHeader::default()
        };
        if !S::READING {
            header.size = u32::try_from(self.length(version)).map_err(|_| {
                FormatError::unencodable("size", offset, "an event of at most 4 GiB", "more")
            })?;
        }
        header.visit(stream, version)?;
        if S::READING {
            self.start = header.start;
            self.pad = header.pad;
            self.time = header.time;
            let length = (header.size as usize).saturating_sub(EventHeader::SIZE);
            let payload = stream.peek(length).ok_or_else(|| {
                FormatError::truncated("payload", offset, length, stream.remaining())
            })?;
            let (body, fault) = EventBody::select(header.kind, payload, version);
            self.body = body;
            if let Some(fault) = fault {
                stream.deviate(
                    "kind",
                    offset,
                    "an event type of this game",
                    format_args!("{}: {fault}", header.kind),
                );
            }
            if matches!(self.start, EventStart::Other(_)) {
                stream.deviate("start", offset, "1, 2 or 3", self.start.code());
            }
        }
        self.body.visit(stream, version)
    }
}

/// Number of events that tile the start of `bytes`, and number of bytes left over.
pub(in super::super) fn tile(bytes: &[u8]) -> (usize, usize) {
    let mut rest = bytes;
    let mut count = 0_usize;
    loop {
        let tail = rest
            .get(4..)
            .filter(|_| rest.len() >= EventHeader::SIZE)
            .and_then(u32::load)
            .map(|size| size as usize)
            .filter(|&size| size >= EventHeader::SIZE)
            .and_then(|size| rest.get(size..));
        match tail {
            Some(tail) => {
                rest = tail;
                count = count.saturating_add(1);
            }
            None => return (count, rest.len()),
        }
    }
}

/// Visits `count` events.
pub(in super::super) fn visit_events<'a, S: Peek<'a>>(
    stream: &mut S,
    events: &mut Vec<Event>,
    count: usize,
    version: ZipperGame,
) -> Result<()> {
    stream.list("events", events, count, Event::SMALLEST, |stream, event| {
        event.visit(stream, version)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::{Reader, Writer};

    fn event(kind: u8, payload: &[u8]) -> Vec<u8> {
        let size = u32::try_from(12 + payload.len()).unwrap();
        let mut bytes = vec![kind, 1, 0, 0];
        bytes.extend(size.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(payload);
        bytes
    }

    fn read(bytes: &[u8], version: ZipperGame) -> (Event, u64) {
        let mut reader = Reader::new(bytes);
        let mut value = Event::default();
        value.visit(&mut reader, version).unwrap();
        let deviations = reader.finish(()).deviations.total();
        let mut writer = Writer::default();
        value.visit(&mut writer, version).unwrap();
        assert_eq!(writer.into_bytes(), bytes);
        (value, deviations)
    }

    #[test]
    fn unknown_types_and_sizes_are_kept() {
        let (unknown, deviations) = read(&event(43, &[1, 2, 3]), ZipperGame::CrimsonSkies);
        assert_eq!(unknown.body.code(), 43);
        assert_eq!(deviations, 1);
        let (long, deviations) = read(&event(35, &[1; 8]), ZipperGame::Recoil);
        assert!(matches!(long.body, EventBody::Unknown(_)));
        assert_eq!(deviations, 1);
    }

    #[test]
    fn types_of_other_games_are_decoded_and_reported() {
        let (puffer, deviations) = read(&event(42, &[0; 580]), ZipperGame::Recoil);
        assert!(matches!(puffer.body, EventBody::PufferState(_)));
        assert_eq!(deviations, 1);
    }

    #[test]
    fn every_fixed_type_has_the_documented_size_in_each_game() {
        const FIXED: [(u8, [usize; 4]); 41] = [
            (1, [16; 4]),
            (2, [60; 4]),
            (3, [16; 4]),
            (4, [112, 120, 140, 140]),
            (5, [100; 4]),
            (6, [8; 4]),
            (7, [20; 4]),
            (8, [16; 4]),
            (9, [20; 4]),
            (10, [240, 320, 320, 320]),
            (11, [132; 4]),
            (12, [20, 24, 24, 64]),
            (13, [12; 4]),
            (14, [24; 4]),
            (15, [4; 4]),
            (16, [4; 4]),
            (17, [8; 4]),
            (18, [76; 4]),
            (19, [68; 4]),
            (20, [36; 4]),
            (21, [96; 4]),
            (22, [36; 4]),
            (23, [36; 4]),
            (24, [68; 4]),
            (25, [36; 4]),
            (26, [36; 4]),
            (27, [36; 4]),
            (28, [68; 4]),
            (30, [8; 4]),
            (31, [12, 12, 16, 16]),
            (32, [0; 4]),
            (33, [12, 12, 16, 16]),
            (34, [0; 4]),
            (35, [4; 4]),
            (36, [52; 4]),
            (37, [100; 4]),
            (38, [4; 4]),
            (39, [4; 4]),
            (41, [24; 4]),
            (42, [580, 580, 584, 584]),
            (46, [176; 4]),
        ];
        for (kind, sizes) in FIXED {
            for (version, size) in ZipperGame::ALL.into_iter().zip(sizes) {
                let payload = vec![0; size];
                let (body, _) = EventBody::select(kind, &payload, version);
                assert!(body.name().is_some(), "type {kind} in {version:?}");
                assert_eq!(body.length(version), size);
            }
        }
    }

    #[test]
    fn tiling_stops_at_sizes_that_cannot_be() {
        let good = event(34, &[]);
        let mut bytes = [good.clone(), good.clone()].concat();
        assert_eq!(tile(&bytes), (2, 0));
        bytes.extend([34, 1, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(tile(&bytes), (2, 12));
        let mut long = good;
        long[4..8].fill(0xFF);
        assert_eq!(tile(&long), (0, 12));
        assert_eq!(tile(&[]), (0, 0));
    }

    #[test]
    fn events_stay_small_compared_to_their_bytes() {
        assert!(size_of::<Event>() <= 8 * Event::SMALLEST);
    }
}

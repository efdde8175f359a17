//! Movement of nodes: physics, from-to, scripts, beams.
//!
//! ```
//! use relicast_formats::zipper::ZipperGame;
//! use relicast_formats::zipper::anim::event::{Event, EventBody};
//! use relicast_formats::zipper::anim::event::motion::ObjectMotion;
//!
//! let event = Event::new(EventBody::ObjectMotion(Box::new(ObjectMotion::default())));
//! assert_eq!(event.body.name(), Some("OBJECT_MOTION"));
//! assert_eq!(event.length(ZipperGame::Recoil), 12 + 240);
//! ```

use serde::Serialize;

use crate::zipper::ZipperGame;
use crate::zipper::anim::script::{Frame, frames_fit, frames_length, visit_frames};
use crate::zipper::anim::values::{
    AnimationRefIndex, FloatRamp, NodeIndex, Range, ShortNodeIndex, StaticSoundIndex, VectorRamp,
    is_default,
};
use crate::zipper::anim::version::{Peek, Versioned};
use relicast_codec::{self as codec, F32, FixedSize, FormatError, PaddedText, Vec3};

bitflags::bitflags! {
    /// Selects the fields of a [`ObjectMotion`] that are used.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct MotionFlags: u32 {
        /// `gravity` acts.
        const GRAVITY = 0x1;
        /// The owner's velocity is added.
        const IMPACT_FORCE = 0x2;
        /// `velocity`, `acceleration` and `direction` are used.
        const TRANSLATION = 0x4;
        /// The minimum values of the ranges are used.
        const TRANSLATION_RANGE_MIN = 0x8;
        /// The maximum values of the ranges are used.
        const TRANSLATION_RANGE_MAX = 0x10;
        /// `spin_rate` and `spin_acceleration` are used.
        const XYZ_ROTATION = 0x20;
        /// Rolls with the distance; excludes the next.
        const FORWARD_ROTATION_DISTANCE = 0x40;
        /// Rolls with time.
        const FORWARD_ROTATION_TIME = 0x80;
        /// `scale_rate` and `scale_acceleration` are used.
        const SCALE = 0x100;
        /// `morph` is used.
        const MORPH = 0x200;
        /// `run_time` is used.
        const RUN_TIME = 0x400;
        /// Bounce sequences are used.
        const BOUNCE_SEQUENCE = 0x800;
        /// Bounce sounds are used.
        const BOUNCE_SOUND = 0x1000;
        /// Gravity is rotated from the world into the parent's space.
        const GRAVITY_COMPLEX = 0x2000;
        /// Gravity without a test for the ground.
        const GRAVITY_NO_ALTITUDE = 0x4000;
        /// Gravity with intersection tests. Crimson Skies.
        const GRAVITY_DO_INTERSECTIONS = 0x8000;
    }
}
relicast_codec::plain_flags!(MotionFlags: u32);

relicast_codec::record! {
    /// Effects of a landing on one sort of surface, 40 bytes.
    pub struct Bounce[40]: FixedSize {
        /// Sequence that starts; empty is none.
        sequence: PaddedText<32>,
        /// Run-time cache of the sequence's index, normally -1.
        sequence_index: i16,
        /// Sound that plays; 0 is none.
        sound: StaticSoundIndex,
        /// Impact speed for full volume.
        sound_speed: F32,
    }
}

relicast_codec::record! {
    /// Type 10: moves a node by simple physics. Units: game units, radians and seconds.
    pub struct ObjectMotion[240, 320, 320, 320] in ZipperGame {
        /// Selects the fields that are used.
        flags: MotionFlags,
        /// The node.
        node: ShortNodeIndex,
        /// Padding.
        #[serde(skip_serializing_if = "is_default")]
        pad006: u16 [always 0],
        /// Zero.
        #[serde(skip_serializing_if = "is_default")]
        zero008: F32 [always F32(0.0)],
        /// Acceleration, negative downwards.
        gravity: F32,
        /// Change of the morph weight per second.
        morph: F32,
        /// Launch direction in the plane, degrees.
        range_azimuth: Range,
        /// Launch elevation, degrees.
        range_elevation: Range,
        /// Launch speed.
        range_speed: Range,
        /// Acceleration along the launch direction.
        range_acceleration: Range,
        /// Launch velocity.
        velocity: Vec3,
        /// Acceleration.
        acceleration: Vec3,
        /// Run-time state.
        #[serde(skip_serializing_if = "is_default")]
        velocity_live: Vec3 [always Vec3::default()],
        /// Run-time state.
        #[serde(skip_serializing_if = "is_default")]
        acceleration_live: Vec3 [always Vec3::default()],
        /// Compiled launch direction.
        direction: Vec3,
        /// Rolling, per second or per unit of distance.
        forward_rotation_rate: F32,
        /// Change of the rolling per second.
        forward_rotation_acceleration: F32,
        /// Run-time state.
        #[serde(skip_serializing_if = "is_default")]
        forward_rotation_live: F32 [always F32(0.0)],
        /// Change of the angles per second.
        spin_rate: Vec3,
        /// Change of the spin per second.
        spin_acceleration: Vec3,
        /// Run-time state.
        #[serde(skip_serializing_if = "is_default")]
        spin_live: Vec3 [always Vec3::default()],
        /// Change of the scale per second (probable).
        scale_rate: Vec3,
        /// Change of the scale rate per second (probable).
        scale_acceleration: Vec3,
        /// Run-time state.
        #[serde(skip_serializing_if = "is_default")]
        scale_live: Vec3 [always Vec3::default()],
        /// Landing on any surface.
        bounce: Bounce,
        /// Landing on water. Not in Recoil.
        bounce_water: Bounce [since MechWarrior3],
        /// Landing on lava. Not in Recoil.
        bounce_lava: Bounce [since MechWarrior3],
        /// Seconds; an upper bound.
        run_time: F32,
    }
}

bitflags::bitflags! {
    /// Selects the channels of a [`ObjectMotionFromTo`] that are used.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct FromToFlags: u32 {
        /// `translate` is used.
        const TRANSLATE = 0x1;
        /// `rotate` is used.
        const ROTATE = 0x2;
        /// `scale` is used.
        const SCALE = 0x4;
        /// `morph` is used.
        const MORPH = 0x8;
    }
}
relicast_codec::plain_flags!(FromToFlags: u32);

relicast_codec::record! {
    /// Type 11: moves a node from one pose to another, linearly in each component.
    pub struct ObjectMotionFromTo[132, 132, 132, 132] in ZipperGame {
        /// Selects the channels that are used.
        flags: FromToFlags,
        /// The node.
        node: NodeIndex,
        /// Morph weight, 0 to 1.
        morph: FloatRamp,
        /// Place in the parent's space.
        translate: VectorRamp,
        /// Angles in radians.
        rotate: VectorRamp,
        /// Scale along the node's axes.
        scale: VectorRamp,
        /// Seconds.
        run_time: F32,
    }
}

relicast_codec::record! {
    /// Fixed part of type 12.
    pub struct ScriptMotionHead[20, 24, 24, 64] in ZipperGame {
        /// Zero. Crimson Skies.
        #[serde(skip_serializing_if = "is_default")]
        zero00: u32 [since CrimsonSkies] [always 0],
        /// The node.
        node: NodeIndex,
        /// Recoil and MechWarrior 3: number of frames in the event, recomputed when writing.
        /// Pirate's Moon: index into the file's scripts (probable). Crimson Skies: index into the
        /// definition's script ids.
        script: u32,
        /// Zero. MechWarrior 3 and Pirate's Moon.
        #[serde(skip_serializing_if = "is_default")]
        unk08: F32 [since MechWarrior3] [until PiratesMoon] [always F32(0.0)],
        /// Run-time state. Not in Crimson Skies.
        #[serde(skip_serializing_if = "is_default")]
        script_time: F32 [until PiratesMoon] [always F32(0.0)],
        /// Run-time state. Not in Crimson Skies.
        #[serde(skip_serializing_if = "is_default")]
        script_position: u32 [until PiratesMoon] [always 0],
        /// Run-time state. Not in Crimson Skies.
        #[serde(skip_serializing_if = "is_default")]
        frame_index: u32 [until PiratesMoon] [always 0],
        /// Zero. Crimson Skies.
        #[serde(skip_serializing_if = "is_default")]
        zero12: [u32; 13] [since CrimsonSkies] [always [0; 13]],
    }
}

/// Type 12: moves a node by a script.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ObjectMotionSiScript {
    /// Node and script.
    pub head: ScriptMotionHead,
    /// The frames; Recoil and MechWarrior 3 only, the other games store them in the file's scripts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<Frame>,
}

impl ObjectMotionSiScript {
    /// Position of the frame count in the head of Recoil and MechWarrior 3.
    const COUNT_OFFSET: usize = 4;
}

impl Versioned for ObjectMotionSiScript {
    fn length(&self, version: ZipperGame) -> usize {
        ScriptMotionHead::size(version).saturating_add(frames_length(&self.frames, version))
    }

    fn fits(payload: &[u8], version: ZipperGame) -> bool {
        let Some(frames) = payload.get(ScriptMotionHead::size(version)..) else {
            return false;
        };
        let count = payload.get(Self::COUNT_OFFSET..).and_then(u32::load);
        let count = match version.has_script_pool() {
            true => Some(0),
            false => count,
        };
        count.is_some_and(|count| frames_fit(frames, count as usize, version))
    }

    fn visit<'a, S: Peek<'a>>(&mut self, stream: &mut S, version: ZipperGame) -> codec::Result<()> {
        let position = stream.position();
        if version.has_script_pool() {
            if !self.frames.is_empty() {
                return Err(FormatError::unencodable(
                    "frames",
                    position,
                    "frames in the file's scripts only",
                    self.frames.len(),
                ));
            }
            return self.head.visit(stream, version);
        }
        if !S::READING {
            self.head.script = u32::try_from(self.frames.len()).map_err(|_| {
                FormatError::unencodable("frames", position, "fewer frames", self.frames.len())
            })?;
        }
        self.head.visit(stream, version)?;
        visit_frames(stream, &mut self.frames, self.head.script as usize, version)
    }
}

relicast_codec::record! {
    /// Header of a type 12 event inside type 47, 12 bytes.
    pub struct GroupedHeader[12, 12, 12, 12] in ZipperGame {
        /// Event type.
        kind: u8 [always 12],
        /// Clock of the start time.
        start: u8 [always 1],
        /// Padding.
        #[serde(skip_serializing_if = "is_default")]
        pad: u16 [always 0],
        /// Bytes of the event.
        size: u32 [always 76],
        /// Start time.
        time: F32 [always F32(0.0)],
    }
}

/// One body of an [`ObjectMotionGroup`]: a whole event of type 12, 76 bytes.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupedMotion {
    /// The event's header.
    pub header: GroupedHeader,
    /// Node and script.
    pub head: ScriptMotionHead,
}

/// Type 47: moves several nodes by one script each, all from the same moment. Crimson Skies.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ObjectMotionGroup {
    /// One body a node.
    pub motions: Vec<GroupedMotion>,
}

impl ObjectMotionGroup {
    const fn motion_size(version: ZipperGame) -> usize {
        GroupedHeader::size(version) + ScriptMotionHead::size(version)
    }
}

impl Versioned for ObjectMotionGroup {
    fn length(&self, version: ZipperGame) -> usize {
        let motions = self
            .motions
            .len()
            .saturating_mul(Self::motion_size(version));
        motions.saturating_add(4)
    }

    fn fits(payload: &[u8], version: ZipperGame) -> bool {
        let count = u32::load(payload).map(|count| count as usize);
        let stated = count
            .and_then(|count| count.checked_mul(Self::motion_size(version)))
            .and_then(|length| length.checked_add(4));
        version.has_script_pool() && stated == Some(payload.len())
    }

    fn visit<'a, S: Peek<'a>>(&mut self, stream: &mut S, version: ZipperGame) -> codec::Result<()> {
        let count = stream.count("count", self.motions.len())?;
        let smallest = Self::motion_size(version);
        stream.list(
            "motions",
            &mut self.motions,
            count,
            smallest,
            |stream, motion| {
                motion.header.visit(stream, version)?;
                motion.head.visit(stream, version)
            },
        )
    }
}

bitflags::bitflags! {
    /// Selects the fields of a [`ObjectConnector`] that are used.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct ConnectorFlags: u32 {
        /// The beam starts at `from_node`.
        const FROM_NODE = 0x1;
        /// The beam starts at the input node.
        const FROM_INPUT_NODE = 0x2;
        /// The beam starts at `from_position`.
        const FROM_POSITION = 0x8;
        /// The beam starts at the input position.
        const FROM_INPUT_POSITION = 0x10;
        /// The beam ends at `to_node`.
        const TO_NODE = 0x20;
        /// The beam ends at the input node.
        const TO_INPUT_NODE = 0x40;
        /// The beam ends at `to_position`.
        const TO_POSITION = 0x100;
        /// The beam ends at the input position.
        const TO_INPUT_POSITION = 0x200;
        /// `from_t` is used and is one value.
        const FROM_T = 0x400;
        /// `from_t` is used and changes.
        const FROM_T_RANGE = 0x800;
        /// `to_t` is used and is one value.
        const TO_T = 0x1000;
        /// `to_t` is used and changes.
        const TO_T_RANGE = 0x2000;
        /// `max_length` is used.
        const MAX_LENGTH = 0x8000;
    }
}
relicast_codec::plain_flags!(ConnectorFlags: u32);

relicast_codec::record! {
    /// Position of an end of a beam on the line between its ends, 0 to 1; 16 bytes.
    pub struct ConnectorRamp[16]: FixedSize {
        /// At the start.
        start: F32,
        /// At the end.
        end: F32,
        /// Change per second.
        delta: F32,
        /// Run-time state, 0.
        live: F32,
    }
}

relicast_codec::record! {
    /// Type 18: stretches a node between two places, as a beam. Not in Crimson Skies.
    pub struct ObjectConnector[76, 76, 76, 76] in ZipperGame {
        /// Selects the fields that are used.
        flags: ConnectorFlags,
        /// The beam.
        node: ShortNodeIndex,
        /// Node that the beam starts at.
        from_node: ShortNodeIndex,
        /// Node that the beam ends at.
        to_node: ShortNodeIndex,
        /// Padding.
        #[serde(skip_serializing_if = "is_default")]
        pad: u16 [always 0],
        /// Place that the beam starts at.
        from_position: Vec3,
        /// Place that the beam ends at.
        to_position: Vec3,
        /// Start of the beam on its line; 0 unless flagged.
        from_t: ConnectorRamp,
        /// End of the beam on its line; 1 unless flagged.
        to_t: ConnectorRamp,
        /// Seconds.
        run_time: F32,
        /// Longest beam.
        max_length: F32,
    }
}

bitflags::bitflags! {
    /// Selects the fields of a [`CallObjectConnector`] that are used.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct CallConnectorFlags: u32 {
        /// The beam starts at `from_node`.
        const FROM_NODE = 0x1;
        /// The beam starts at the position of `from_node`.
        const FROM_NODE_POSITION = 0x2;
        /// The beam starts at the input node.
        const FROM_INPUT_NODE = 0x4;
        /// The beam starts at the position of the input node.
        const FROM_INPUT_NODE_POSITION = 0x8;
        /// The beam starts at `from_position`.
        const FROM_POSITION = 0x10;
        /// The beam starts at the input position.
        const FROM_INPUT_POSITION = 0x20;
        /// The beam ends at `to_node`.
        const TO_NODE = 0x40;
        /// The beam ends at the position of `to_node`.
        const TO_NODE_POSITION = 0x80;
        /// The beam ends at the input node.
        const TO_INPUT_NODE = 0x100;
        /// The beam ends at the position of the input node.
        const TO_INPUT_NODE_POSITION = 0x200;
        /// The beam ends at `to_position`.
        const TO_POSITION = 0x400;
        /// The beam ends at the input position.
        const TO_INPUT_POSITION = 0x800;
    }
}
relicast_codec::plain_flags!(CallConnectorFlags: u32);

relicast_codec::record! {
    /// Type 19: calls an animation that draws a beam. Not in Crimson Skies.
    pub struct CallObjectConnector[68, 68, 68, 68] in ZipperGame {
        /// Selects the fields that are used.
        flags: CallConnectorFlags,
        /// Name of the animation.
        animation: PaddedText<32> [padded, until PiratesMoon],
        /// Run-time cache.
        #[serde(skip_serializing_if = "is_default")]
        animation_index: i16 [always 0],
        /// Reference that stores the started animation.
        save_index: AnimationRefIndex,
        /// Node that the beam starts at.
        from_node: ShortNodeIndex,
        /// Node that the beam ends at.
        to_node: ShortNodeIndex,
        /// Place that the beam starts at.
        from_position: Vec3,
        /// Place that the beam ends at.
        to_position: Vec3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::Reader;

    #[test]
    fn a_group_must_fill_its_event() {
        let mut payload = vec![0; 4 + 2 * 76];
        payload[0] = 2;
        assert!(ObjectMotionGroup::fits(&payload, ZipperGame::CrimsonSkies));
        assert!(!ObjectMotionGroup::fits(
            &payload[1..],
            ZipperGame::CrimsonSkies
        ));
        payload[..4].fill(0xFF);
        assert!(!ObjectMotionGroup::fits(&payload, ZipperGame::CrimsonSkies));
        assert!(!ObjectMotionGroup::fits(&[], ZipperGame::CrimsonSkies));
    }

    #[test]
    fn inline_scripts_count_their_frames() {
        let mut payload = vec![0; 24 + 12];
        payload[4] = 1;
        assert!(ObjectMotionSiScript::fits(
            &payload,
            ZipperGame::MechWarrior3
        ));
        assert!(!ObjectMotionSiScript::fits(
            &payload,
            ZipperGame::PiratesMoon
        ));
        let mut motion = ObjectMotionSiScript::default();
        motion
            .visit(&mut Reader::new(&payload), ZipperGame::MechWarrior3)
            .unwrap();
        assert_eq!(motion.frames.len(), 1);
        assert_eq!(motion.length(ZipperGame::MechWarrior3), payload.len());
        payload[4] = 2;
        assert!(!ObjectMotionSiScript::fits(
            &payload,
            ZipperGame::MechWarrior3
        ));
    }
}

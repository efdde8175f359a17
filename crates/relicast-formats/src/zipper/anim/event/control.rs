//! Calls, conditions and loops.
//!
//! ```
//! use relicast_formats::zipper::ZipperGame;
//! use relicast_formats::zipper::anim::event::{Event, EventBody};
//! use relicast_formats::zipper::anim::event::control::Callback;
//!
//! let event = Event::new(EventBody::Callback(Callback { code: 5 }));
//! assert_eq!(event.body.name(), Some("CALLBACK"));
//! assert_eq!(event.length(ZipperGame::Recoil), 12 + 4);
//! ```

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::zipper::ZipperGame;
use crate::zipper::anim::values::{
    AnimationRefIndex, Bool32, NodeIndex, ShortNodeIndex, is_default,
};
use crate::zipper::anim::version::{Peek, Versioned};
use relicast_codec::{self as codec, F32, FixedSize, PaddedText, Vec3};

relicast_codec::record! {
    /// Types 22 and 23: starts or stops a sequence of the same definition.
    pub struct SequenceCall[36, 36, 36, 36] in ZipperGame {
        /// Name of the sequence.
        name: PaddedText<32> [padded, until PiratesMoon],
        /// Run-time cache of its index, -1.
        index: i32 [always -1, until PiratesMoon],
    }
}

bitflags::bitflags! {
    /// Options of a [`CallAnimation`]: the place of the called animation, and waiting for it.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct CallFlags: u16 {
        /// At the place of `node`.
        const AT_NODE = 0x1;
        /// `position` is used.
        const POSITION = 0x2;
        /// `translate` is used; only with the first.
        const TRANSLATE = 0x4;
        /// With `node`; excludes the first.
        const WITH_NODE = 0x8;
        /// The next event waits until the called animation has ended.
        const WAIT_FOR_COMPLETION = 0x10;
    }
}
relicast_codec::plain_flags!(CallFlags: u16);

relicast_codec::record! {
    /// Type 24: starts another animation.
    pub struct CallAnimation[68, 68, 68, 68] in ZipperGame {
        /// Name of the animation.
        name: PaddedText<32> [padded, until PiratesMoon],
        /// Node that the animation is bound to; 0 is none.
        operand_node: ShortNodeIndex,
        /// Selects the fields that are used.
        flags: CallFlags,
        /// Run-time cache.
        #[serde(skip_serializing_if = "is_default")]
        animation_index: i16 [always 0, until PiratesMoon],
        /// Reference to wait for; stale without its flag in some files.
        wait_index: AnimationRefIndex,
        /// Node that gives the place.
        node: ShortNodeIndex,
        /// Padding.
        #[serde(skip_serializing_if = "is_default")]
        pad: u16 [always 0],
        /// Offset from the node.
        position: Vec3,
        /// Angles in radians that are added to those of `node` in the world, for the root of the called
        /// animation.
        translate: Vec3,
    }
}

relicast_codec::record! {
    /// Type 25: stops an animation.
    pub struct StopAnimation[36, 36, 36, 36] in ZipperGame {
        /// Name of the animation.
        name: PaddedText<32> [padded, until PiratesMoon],
        /// Run-time cache: 0 in Recoil and MechWarrior 3, -1 in Pirate's Moon.
        reference_index: i16,
        /// Run-time cache: 0 in Recoil and MechWarrior 3, -1 in Pirate's Moon.
        definition_index: i16,
    }
}

relicast_codec::record! {
    /// Types 26 and 27: runs the reset state of an animation, or lets it finish.
    pub struct AnimationCall[36, 36, 36, 36] in ZipperGame {
        /// Name of the animation.
        name: PaddedText<32> [padded, until PiratesMoon],
        /// Run-time cache, 0; in Crimson Skies also -100.
        definition_index: i32 [always 0, until PiratesMoon],
    }
}

/// End condition of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LoopLimit {
    /// After this number of passes; -1 and 0 are endless.
    Count {
        /// Passes.
        count: i16,
        /// Padding, 0.
        #[serde(skip_serializing_if = "is_default")]
        pad: u16,
    },
    /// After this number of seconds; endless below 0 (probable).
    RunTime(F32),
    /// A limit of unknown meaning.
    Other {
        /// The flags.
        flags: u32,
        /// The value.
        value: u32,
    },
}

impl LoopLimit {
    const COUNT: u32 = 1;
    const RUN_TIME: u32 = 2;
}

impl Default for LoopLimit {
    fn default() -> Self {
        Self::Count { count: 0, pad: 0 }
    }
}

impl FixedSize for LoopLimit {
    const SIZE: usize = 8;

    fn load(bytes: &[u8]) -> Option<Self> {
        let (flags, value) = bytes.split_at_checked(4)?;
        Some(match u32::load(flags)? {
            Self::COUNT => Self::Count {
                count: i16::load(value)?,
                pad: u16::load(value.get(2..)?)?,
            },
            Self::RUN_TIME => Self::RunTime(F32::load(value)?),
            flags => Self::Other {
                flags,
                value: u32::load(value)?,
            },
        })
    }

    fn store(self, out: &mut Vec<u8>) {
        match self {
            Self::Count { count, pad } => {
                Self::COUNT.store(out);
                count.store(out);
                pad.store(out);
            }
            Self::RunTime(seconds) => {
                Self::RUN_TIME.store(out);
                seconds.store(out);
            }
            Self::Other { flags, value } => {
                flags.store(out);
                value.store(out);
            }
        }
    }
}

relicast_codec::record! {
    /// Type 30: starts the sequence again.
    pub struct Loop[8, 8, 8, 8] in ZipperGame {
        /// End condition of the loop.
        limit: LoopLimit,
    }
}

relicast_codec::open_enum! {
    /// Value that a [`Condition`] tests. Values are floats unless noted.
    pub enum ConditionKind: u32 {
        /// A random number from 0 to 1 is at most the value.
        RandomWeight = 0x1,
        /// The player's squared distance is at most the value.
        PlayerRange = 0x2,
        /// The detail setting is at least the value (integer).
        AnimationLod = 0x4,
        /// A probe from the player hits.
        PlayerUndercover = 0x8,
        /// A vertical probe of that length from the node hits; negative lengths go down.
        NodeUndercover = 0x10,
        /// The hardware renderer is in use (integer).
        HwRender = 0x20,
        /// The view is the first person's (integer).
        PlayerFirstPerson = 0x40,
        /// The player is below that altitude.
        PlayerBelowAltitude = 0x80,
        /// The node is below that altitude.
        NodeBelowAltitude = 0x100,
        /// The player is lined up within that squared angle.
        PlayerLinedUp = 0x200,
        /// The player's speed is between value and upper value.
        PlayerSpeed = 0x400,
        /// The health is at most the value.
        AnimationHealth = 0x800,
        /// The health is between value and upper value.
        AnimationHealthRange = 0x1000,
        /// The node is active (no value).
        NodeActive = 0x2000,
    }
}

/// Meaning of the bits of a condition's value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ConditionValue {
    /// A number.
    Number(F32),
    /// An integer.
    Integer(u32),
}

/// Types 31 and 33: continues with the next event if the condition holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Condition {
    /// Offset 0: kind of the test.
    pub kind: ConditionKind,
    /// Offset 4: the node that is tested, if any.
    pub node: NodeIndex,
    /// Offset 8: bits of the value, see [`Condition::value`].
    pub bits: u32,
    /// Offset 12: bits of the upper value. Pirate's Moon (0) and Crimson Skies.
    pub upper_bits: u32,
}

impl Condition {
    const fn size(version: ZipperGame) -> usize {
        if version.since(ZipperGame::PiratesMoon) {
            16
        } else {
            12
        }
    }

    fn interpret(&self, bits: u32) -> ConditionValue {
        use ConditionKind::{AnimationLod, HwRender, NodeActive, Other, PlayerFirstPerson};
        match self.kind {
            AnimationLod | HwRender | PlayerFirstPerson | NodeActive | Other(_) => {
                ConditionValue::Integer(bits)
            }
            _ => ConditionValue::Number(F32(f32::from_bits(bits))),
        }
    }

    /// The value that the test compares with.
    pub fn value(&self) -> ConditionValue {
        self.interpret(self.bits)
    }

    /// The upper value of tests with two.
    pub fn upper_value(&self) -> ConditionValue {
        self.interpret(self.upper_bits)
    }
}

relicast_codec::json_form!(Condition = {
    "description": "Test: its kind, the tested node, the value and the upper value of a range",
    "type": "object",
    "required": ["kind", "node", "value", "upper_value"],
    "properties": {"kind": {}, "node": {}, "value": {}, "upper_value": {}}
});

impl Serialize for Condition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Condition", 4)?;
        fields.serialize_field("kind", &self.kind)?;
        fields.serialize_field("node", &self.node)?;
        fields.serialize_field("value", &self.value())?;
        fields.serialize_field("upper_value", &self.upper_value())?;
        fields.end()
    }
}

impl Versioned for Condition {
    fn length(&self, version: ZipperGame) -> usize {
        Self::size(version)
    }

    fn fits(payload: &[u8], version: ZipperGame) -> bool {
        payload.len() == Self::size(version)
    }

    fn visit<'a, S: Peek<'a>>(&mut self, stream: &mut S, version: ZipperGame) -> codec::Result<()> {
        stream.value("kind", &mut self.kind)?;
        stream.value("node", &mut self.node)?;
        stream.value("value", &mut self.bits)?;
        if version.since(ZipperGame::PiratesMoon) {
            let offset = stream.position();
            stream.value("upper_value", &mut self.upper_bits)?;
            if version == ZipperGame::PiratesMoon {
                stream.always("upper_value", offset, self.upper_bits, 0);
            }
        }
        Ok(())
    }
}

relicast_codec::record! {
    /// An event without payload: types 32, 34 and 40.
    pub struct Marker[0, 0, 0, 0] in ZipperGame {}
}

relicast_codec::record! {
    /// Type 35: calls the game's program.
    pub struct Callback[4, 4, 4, 4] in ZipperGame {
        /// Code that is passed to the program.
        code: u32,
    }
}

relicast_codec::record! {
    /// Type 38: shows a text. Recoil (one source only).
    pub struct TextMessage[4, 4, 4, 4] in ZipperGame {
        /// Number of the text.
        text: u32,
    }
}

relicast_codec::record! {
    /// Type 39: switches the program's log. Recoil; Pirate's Moon accepts it.
    pub struct AnimVerbose[4, 4, 4, 4] in ZipperGame {
        /// Switches the log on.
        on: Bool32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loop_limits_are_read_by_their_flag() {
        let count = LoopLimit::load(&[1, 0, 0, 0, 0xFF, 0xFF, 0, 0]).unwrap();
        assert_eq!(count, LoopLimit::Count { count: -1, pad: 0 });
        let seconds = LoopLimit::load(&[2, 0, 0, 0, 0, 0, 0x90, 0x40]).unwrap();
        assert_eq!(seconds, LoopLimit::RunTime(F32(4.5)));
        let other = LoopLimit::load(&[3, 0, 0, 0, 9, 0, 0, 0]).unwrap();
        assert_eq!(other, LoopLimit::Other { flags: 3, value: 9 });
        for limit in [count, seconds, other] {
            let mut bytes = Vec::new();
            limit.store(&mut bytes);
            assert_eq!(LoopLimit::load(&bytes), Some(limit));
        }
    }

    #[test]
    fn condition_values_are_floats_or_integers_by_kind() {
        let mut condition = Condition {
            kind: ConditionKind::RandomWeight,
            bits: 0.25_f32.to_bits(),
            ..Condition::default()
        };
        assert_eq!(condition.value(), ConditionValue::Number(F32(0.25)));
        condition.kind = ConditionKind::AnimationLod;
        condition.bits = 2;
        let shown = serde_json::to_value(&condition).unwrap();
        assert_eq!(shown["value"], 2);
        assert_eq!(shown["kind"], "animation_lod");
    }
}

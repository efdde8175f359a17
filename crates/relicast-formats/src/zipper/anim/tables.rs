//! Reference tables of a definition. Events point at their entries by index.
//!
//! In the tables of objects, nodes, lights, puffers, sounds and effects entry 0 is reserved. It is read and stored
//! like the others, so that an event's index is the position in the list. Pointers are stale addresses of the
//! packer and preserved verbatim. In Crimson Skies those of objects and nodes are indices of nodes: all 136,048
//! resolve to a node of the name (CSVM, docs/formats, counted on retail data); those of lights, emitters and sounds
//! are addresses there, too.

use serde::Serialize;

use super::values::{Bool32, NodeName, is_default};
use super::version::{Peek, Versioned};
use crate::zipper::ZipperGame;
use relicast_codec::{Bytes, F32, FixedSize, PaddedText, Result};

relicast_codec::record! {
    /// One component of a node path, 36 bytes; Crimson Skies only (source key NAME1).
    pub struct PathRef[36, 36, 36, 36] in ZipperGame {
        /// Node name.
        name: PaddedText<32>,
        /// Pointer or node index.
        node: u32,
    }
}

relicast_codec::record! {
    /// A node whose state is probably saved for a reset, 96 or 92 bytes.
    pub struct ObjectRef[96, 96, 92, 92] in ZipperGame {
        /// Node name.
        name: NodeName,
        /// Zero after the name.
        #[serde(skip_serializing_if = "is_default")]
        zero32: u32 [always 0],
        /// Stale pointer; 0xFFFFFFFF in Pirate's Moon; in Crimson Skies the index of the node in the world,
        /// or from the base on (its number of nodes rounded up to a multiple of 2,500) in the aircraft.
        ptr: u32,
        /// Snapshot of the node's flags; Recoil and MechWarrior 3.
        #[serde(skip_serializing_if = "is_default")]
        flags: u32 [until MechWarrior3],
        /// Second snapshot of the flags; Recoil and MechWarrior 3.
        #[serde(skip_serializing_if = "is_default")]
        flags_merged: u32 [until MechWarrior3],
        /// Snapshot of flags; Pirate's Moon and Crimson Skies.
        #[serde(skip_serializing_if = "is_default")]
        short_flags: u16 [since PiratesMoon],
        /// Unknown index; 0 in Pirate's Moon.
        #[serde(skip_serializing_if = "is_default")]
        root_index: u16 [since PiratesMoon] [always 0, until PiratesMoon],
        /// Saved transform: 3 by 3 matrix row by row, then translation. May hold invalid floats.
        matrix: [F32; 12],
    }
}

relicast_codec::record! {
    /// A node that events name, 40 or 44 bytes. Names of the definition's own lights and sounds
    /// occur too, so a name need not be in the world.
    pub struct NodeRef[40, 40, 44, 44] in ZipperGame {
        /// Flags; Pirate's Moon and Crimson Skies.
        #[serde(skip_serializing_if = "is_default")]
        flags: u16 [since PiratesMoon],
        /// Unknown index; 0 in Pirate's Moon.
        #[serde(skip_serializing_if = "is_default")]
        root_index: u16 [since PiratesMoon] [always 0, until PiratesMoon],
        /// Node name.
        name: NodeName,
        /// Zero after the name.
        #[serde(skip_serializing_if = "is_default")]
        zero32: u32 [always 0],
        /// Stale pointer; 0xFFFFFFFF in Pirate's Moon; index of the node in Crimson Skies, as of objects.
        ptr: u32,
    }
}

relicast_codec::record! {
    /// A light that events name, 44 bytes.
    pub struct LightRef[44, 44, 44, 44] in ZipperGame {
        /// Name of the light.
        name: NodeName,
        /// Zero.
        #[serde(skip_serializing_if = "is_default")]
        flags: u32 [always 0, until PiratesMoon],
        /// Stale pointer.
        ptr: u32,
        /// Run-time state.
        #[serde(skip_serializing_if = "is_default")]
        in_world: u32 [always 0],
    }
}

relicast_codec::record! {
    /// A particle emitter that events name, 44 bytes; not in Recoil.
    pub struct PufferRef[44, 44, 44, 44] in ZipperGame {
        /// Name of the emitter.
        name: PaddedText<32> [padded, until PiratesMoon],
        /// Unknown; only the top byte is ever set.
        flags: u32,
        /// Stale pointer.
        ptr: u32,
        /// Run-time state.
        #[serde(skip_serializing_if = "is_default")]
        in_world: u32 [always 0],
    }
}

relicast_codec::record! {
    /// A sound emitter in the world that events name, 44 bytes.
    pub struct DynamicSoundRef[44, 44, 44, 44] in ZipperGame {
        /// Name of the emitter.
        name: NodeName,
        /// Zero.
        #[serde(skip_serializing_if = "is_default")]
        flags: u32 [always 0, until PiratesMoon],
        /// Stale pointer.
        ptr: u32,
        /// Run-time state.
        #[serde(skip_serializing_if = "is_default")]
        in_world: u32 [always 0],
    }
}

relicast_codec::record! {
    /// A sound that events play, 36 bytes, 40 in Crimson Skies.
    pub struct StaticSoundRef[36, 36, 36, 40] in ZipperGame {
        /// Name of the sound; stale bytes follow its NUL.
        name: PaddedText<32>,
        /// Zero; in Crimson Skies stale bytes of the name's buffer.
        #[serde(skip_serializing_if = "is_default")]
        tail32: Bytes<4> [always Bytes([0; 4]), until PiratesMoon],
        /// Stale bytes of the name's buffer; Crimson Skies only.
        #[serde(skip_serializing_if = "is_default")]
        tail36: Bytes<4> [since CrimsonSkies],
    }
}

relicast_codec::record! {
    /// A template of a cycled-texture sprite, 36 bytes; Recoil only.
    pub struct EffectRef[36, 36, 36, 36] in ZipperGame {
        /// Name of the template; stale bytes follow its NUL.
        name: PaddedText<32>,
        /// Unknown index, below 20.
        index: u32,
    }
}

relicast_codec::open_enum! {
    /// Kind of an activation prerequisite.
    pub enum PrerequisiteKind: u32 {
        /// Another animation must have run.
        Animation = 1,
        /// A node must be in a state.
        Object = 2,
        /// A parent of the node that follows: parents and an object form a node path.
        Parent = 3,
    }
}

/// A condition for the activation of a definition, 48 bytes.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Prerequisite {
    /// Offset 0: optional, in which case a minimum number of the optional ones must hold; else required.
    pub optional: Bool32,
    /// Offset 4: the kind.
    pub kind: PrerequisiteKind,
    /// Offset 8: state of the node; bit 0: active, bit 1: local scope (Crimson Skies). 0 for
    /// animations.
    pub active: u32,
    /// Name of the animation (offset 8) or node (offset 12).
    pub name: PaddedText<32>,
    /// Offset 44: stale pointer; 0 for animations.
    pub ptr: u32,
}

impl Prerequisite {
    /// Size in bytes.
    pub const SIZE: usize = 48;
}

impl Versioned for Prerequisite {
    fn length(&self, _version: ZipperGame) -> usize {
        Self::SIZE
    }

    fn fits(payload: &[u8], _version: ZipperGame) -> bool {
        payload.len() == Self::SIZE
    }

    /// Animations store the name first, so the word before the name is after it there.
    fn visit<'a, S: Peek<'a>>(&mut self, stream: &mut S, version: ZipperGame) -> Result<()> {
        stream.value("optional", &mut self.optional)?;
        let offset = stream.position();
        stream.value("kind", &mut self.kind)?;
        if S::READING && matches!(self.kind, PrerequisiteKind::Other(_)) {
            stream.deviate("kind", offset, "1, 2 or 3", self.kind.code());
        }
        if self.kind != PrerequisiteKind::Animation {
            stream.value("active", &mut self.active)?;
        }
        let offset = stream.position();
        stream.value("name", &mut self.name)?;
        if S::READING
            && version.until(ZipperGame::PiratesMoon)
            && let Some(fault) = self.name.fault()
        {
            stream.deviate("name", offset, "ASCII text, a NUL and zero padding", fault);
        }
        if self.kind == PrerequisiteKind::Animation {
            let offset = stream.position();
            stream.value("active", &mut self.active)?;
            stream.always("active", offset, self.active, 0);
        }
        let offset = stream.position();
        stream.value("ptr", &mut self.ptr)?;
        if self.kind == PrerequisiteKind::Animation {
            stream.always("ptr", offset, self.ptr, 0);
        }
        Ok(())
    }
}

/// The names of an animation reference, 64 bytes. Stale bytes follow their NULs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AnimationRefNames {
    /// Kind 0: the animation that a call names.
    Animation {
        /// Name of the animation.
        name: PaddedText<64>,
    },
    /// Kind 1: a connector call (Recoil), or a call with a local name (Crimson Skies).
    Local {
        /// Name of the animation.
        name: PaddedText<32>,
        /// Name that the caller uses for it.
        local_name: PaddedText<32>,
    },
    /// A kind of unknown meaning.
    Other {
        /// The kind.
        kind: u32,
        /// The 64 bytes.
        names: Bytes<64>,
    },
}

impl Default for AnimationRefNames {
    fn default() -> Self {
        Self::Animation {
            name: PaddedText::default(),
        }
    }
}

impl FixedSize for AnimationRefNames {
    const SIZE: usize = 68;

    fn load(bytes: &[u8]) -> Option<Self> {
        let (names, kind) = bytes.split_at_checked(64)?;
        Some(match u32::load(kind)? {
            0 => Self::Animation {
                name: PaddedText::load(names)?,
            },
            1 => {
                let (name, local_name) = names.split_at_checked(32)?;
                Self::Local {
                    name: PaddedText::load(name)?,
                    local_name: PaddedText::load(local_name)?,
                }
            }
            kind => Self::Other {
                kind,
                names: Bytes::load(names)?,
            },
        })
    }

    fn store(self, out: &mut Vec<u8>) {
        let kind = match self {
            Self::Animation { name } => {
                name.store(out);
                0_u32
            }
            Self::Local { name, local_name } => {
                name.store(out);
                local_name.store(out);
                1
            }
            Self::Other { kind, names } => {
                names.store(out);
                kind
            }
        };
        kind.store(out);
    }
}

relicast_codec::record! {
    /// An animation that an event calls, 72 bytes; one entry per event, duplicates occur.
    pub struct AnimationRef[72, 72, 72, 72] in ZipperGame {
        /// Names, and the kind that gives their number.
        names: AnimationRefNames,
        /// Stale pointer, always 0.
        #[serde(skip_serializing_if = "is_default")]
        ptr: u32 [always 0],
    }
}

impl AnimationRef {
    /// Name of the animation.
    pub fn name(&self) -> String {
        match &self.names {
            AnimationRefNames::Animation { name } => name.text(),
            AnimationRefNames::Local { name, .. } => name.text(),
            AnimationRefNames::Other { names, .. } => PaddedText(names.0).text(),
        }
    }
}

/// The tables of a definition, in file order.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tables {
    /// Node path; Crimson Skies only.
    pub paths: Vec<PathRef>,
    /// Nodes whose state is saved; entry 0 is reserved.
    pub objects: Vec<ObjectRef>,
    /// Nodes that events name; entry 0 is reserved.
    pub nodes: Vec<NodeRef>,
    /// Lights; entry 0 is reserved.
    pub lights: Vec<LightRef>,
    /// Particle emitters; entry 0 is reserved. Not in Recoil.
    pub puffers: Vec<PufferRef>,
    /// Sound emitters; entry 0 is reserved.
    pub dynamic_sounds: Vec<DynamicSoundRef>,
    /// Sounds; entry 0 is reserved.
    pub static_sounds: Vec<StaticSoundRef>,
    /// Sprite templates; entry 0 is reserved. Recoil only.
    pub effects: Vec<EffectRef>,
    /// Activation prerequisites.
    pub prerequisites: Vec<Prerequisite>,
    /// Called animations.
    pub animation_refs: Vec<AnimationRef>,
    /// Indices into the file's scripts, which script events address; Crimson Skies only.
    pub script_ids: Vec<u32>,
}

/// Visits `count` entries of one table.
pub(super) fn visit_table<'a, T: Versioned, S: Peek<'a>>(
    stream: &mut S,
    field: &'static str,
    table: &mut Vec<T>,
    count: usize,
    version: ZipperGame,
) -> Result<()> {
    let smallest = T::default().length(version);
    stream.list(field, table, count, smallest, |stream, entry| {
        entry.visit(stream, version)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::{Reader, Writer};

    fn read<T: Versioned>(bytes: &[u8], version: ZipperGame) -> T {
        let mut value = T::default();
        value.visit(&mut Reader::new(bytes), version).unwrap();
        let mut writer = Writer::default();
        value.visit(&mut writer, version).unwrap();
        assert_eq!(writer.into_bytes(), bytes);
        value
    }

    #[test]
    fn prerequisites_store_the_name_where_their_kind_says() {
        let mut bytes = [0_u8; 48];
        bytes[0] = 1;
        bytes[4] = 1;
        bytes[8..11].copy_from_slice(b"run");
        let animation: Prerequisite = read(&bytes, ZipperGame::Recoil);
        assert_eq!(animation.name.text(), "run");
        assert!(animation.optional.is_set());

        bytes[4] = 2;
        bytes[8..11].copy_from_slice(&[1, 0, 0]);
        bytes[12..16].copy_from_slice(b"door");
        bytes[44] = 9;
        let object: Prerequisite = read(&bytes, ZipperGame::Recoil);
        assert_eq!(
            (object.name.text().as_str(), object.active, object.ptr),
            ("door", 1, 9)
        );
    }

    #[test]
    fn animation_references_split_by_kind() {
        let mut bytes = [b'x'; 72];
        bytes[..5].copy_from_slice(b"call\0");
        bytes[32..38].copy_from_slice(b"local\0");
        bytes[64..].fill(0);
        let call: AnimationRef = read(&bytes, ZipperGame::CrimsonSkies);
        assert!(matches!(call.names, AnimationRefNames::Animation { .. }));
        bytes[64] = 1;
        let local: AnimationRef = read(&bytes, ZipperGame::CrimsonSkies);
        assert_eq!(local.name(), "call");
        let AnimationRefNames::Local { local_name, .. } = local.names else {
            panic!("kind 1 has two names");
        };
        assert_eq!(local_name.text(), "local");
        bytes[64] = 7;
        let other: AnimationRef = read(&bytes, ZipperGame::CrimsonSkies);
        assert!(matches!(
            other.names,
            AnimationRefNames::Other { kind: 7, .. }
        ));
    }
}

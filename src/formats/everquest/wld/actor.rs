//! Actors: models that can be placed, and the places.

use serde::Serialize;

use super::encoded_text::EncodedText;
use super::fields::{optional, optional_part};
use super::name::Name;
use super::reference::FragmentRef;
use crate::formats::codec::{F32, Result, Stream, Vec3, Walk};

bitflags::bitflags! {
    /// Which optional fields an actor or its definition has.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct ActorFlags: u32 {
        /// The current action.
        const ACTION = 1 << 0;
        /// A place.
        const PLACE = 1 << 1;
        /// Actor: a bounding radius.
        const RADIUS = 1 << 2;
        /// Actor: a scale.
        const SCALE = 1 << 3;
        /// Actor: a sound.
        const SOUND = 1 << 4;
        /// Definition: only the volume of the sprite counts.
        const SPRITE_VOLUME = 1 << 7;
        /// Actor: vertex colours.
        const COLOURS = 1 << 8;
        const _ = !0;
    }
}
crate::plain_flags!(ActorFlags: u32);

/// What an actor can do, with the distances of its levels of detail.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ActorAction {
    /// Meaning unknown.
    pub unk4: u32,
    /// Greatest distance at which each level is shown, mostly one of 1e30.
    pub distances: Vec<F32>,
}

impl<'a> Walk<'a> for ActorAction {
    const SMALLEST: usize = 8;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        let count = stream.count("lod_count", self.distances.len())?;
        stream.value("unk4", &mut self.unk4)?;
        stream.values("distances", &mut self.distances, count)
    }
}

crate::record! {
    /// Where something is.
    pub struct Placement[28]: FixedSize {
        /// Position in file axes.
        position: Vec3,
        /// Heading: 512ths of a turn about +Z, from +X towards +Y.
        rotation_z: F32,
        /// 512ths of a turn about +Y, negative sense, applied before the heading; mostly 0.
        rotation_y: F32,
        /// Always 0.
        rotation_x: F32,
        /// Always 0.
        unk24: u32,
    }
}

/// A model that can be placed (kind 0x14).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ActorDefinition {
    /// Which optional fields follow.
    pub flags: ActorFlags,
    /// Name of the code that drives it.
    pub callback: Name,
    /// A bounding volume, if any.
    pub bounds: FragmentRef,
    /// The action at first.
    pub current_action: Option<u32>,
    /// A place.
    pub place: Option<Placement>,
    /// What it can do.
    pub actions: Vec<ActorAction>,
    /// What is shown: an instance of a mesh, a skeleton, a sprite.
    pub sprites: Vec<FragmentRef>,
    /// Text of the tools.
    pub user_data: EncodedText,
}

impl<'a> Walk<'a> for ActorDefinition {
    const SMALLEST: usize = 24;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        self.callback.walk(stream, "callback")?;
        let actions = stream.count("action_count", self.actions.len())?;
        let sprites = stream.count("sprite_count", self.sprites.len())?;
        stream.value("bounds", &mut self.bounds)?;
        let flags = self.flags;
        let has = |flag| flags.contains(flag);
        optional(
            stream,
            has(ActorFlags::ACTION),
            "current_action",
            &mut self.current_action,
        )?;
        optional(stream, has(ActorFlags::PLACE), "place", &mut self.place)?;
        stream.records("actions", &mut self.actions, actions)?;
        stream.values("sprites", &mut self.sprites, sprites)?;
        self.user_data.walk32(stream, "user_data")
    }
}

/// A placed model (kind 0x15).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Actor {
    /// The model: the name of an actor definition, often of another file, or a fragment.
    pub model: Name,
    /// Which optional fields follow.
    pub flags: ActorFlags,
    /// A bounding sphere, if any.
    pub bounds: FragmentRef,
    /// The action at first.
    pub action: Option<u32>,
    /// Where it is.
    pub place: Option<Placement>,
    /// Bounding radius; equals the scale in every file seen.
    pub radius: Option<F32>,
    /// Uniform scale.
    pub scale: Option<F32>,
    /// Name of a sound.
    pub sound: Option<Name>,
    /// Baked light of its vertices.
    pub colours: Option<FragmentRef>,
    /// Text of the tools.
    pub user_data: EncodedText,
}

impl<'a> Walk<'a> for Actor {
    const SMALLEST: usize = 16;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        self.model.walk(stream, "model")?;
        stream.value("flags", &mut self.flags)?;
        stream.value("bounds", &mut self.bounds)?;
        let flags = self.flags;
        let has = |flag| flags.contains(flag);
        optional(stream, has(ActorFlags::ACTION), "action", &mut self.action)?;
        optional(stream, has(ActorFlags::PLACE), "place", &mut self.place)?;
        optional(stream, has(ActorFlags::RADIUS), "radius", &mut self.radius)?;
        optional(stream, has(ActorFlags::SCALE), "scale", &mut self.scale)?;
        optional_part(
            stream,
            has(ActorFlags::SOUND),
            "sound",
            &mut self.sound,
            |stream, sound| sound.walk(stream, "sound"),
        )?;
        optional(
            stream,
            has(ActorFlags::COLOURS),
            "colours",
            &mut self.colours,
        )?;
        self.user_data.walk32(stream, "user_data")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::codec::{decode, encode};

    #[test]
    fn every_optional_field_follows_its_flag() {
        let actor = Actor {
            flags: ActorFlags::from_bits_retain(0x32E | 0x11),
            action: Some(1),
            place: Some(Placement::default()),
            radius: Some(F32(2.0)),
            scale: Some(F32(2.0)),
            sound: Some(Name::default()),
            colours: Some(FragmentRef(9)),
            ..Actor::default()
        };
        let bytes = encode(&actor).unwrap();
        assert_eq!(bytes.len(), 16 - 4 + 4 + 28 + 4 + 4 + 4 + 4 + 4);
        assert_eq!(decode::<Actor>(&bytes).unwrap().value, actor);
    }

    #[test]
    fn a_field_against_the_flags_cannot_be_written() {
        let actor = Actor {
            scale: Some(F32(2.0)),
            ..Actor::default()
        };
        assert_eq!(encode(&actor).unwrap_err().field(), "scale");
        let actor = Actor {
            flags: ActorFlags::PLACE,
            ..Actor::default()
        };
        assert_eq!(encode(&actor).unwrap_err().field(), "place");
    }
}

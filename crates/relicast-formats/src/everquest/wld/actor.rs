//! Actors: models that can be placed, and the places.

use super::encoded_text::EncodedText;
use super::name::Name;
use super::reference::FragmentRef;
use relicast_codec::{F32, Vec3};

bitflags::bitflags! {
    /// Optional fields of an actor or its definition.
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
        /// Actor: vertex colors.
        const COLORS = 1 << 8;
        const _ = !0;
    }
}
relicast_codec::plain_flags!(ActorFlags: u32);

relicast_codec::record! {
    /// Action of an actor, with the distances of its levels of detail.
    pub struct ActorAction[8..] {
        /// Number of levels.
        lod_count: u32 [counts distances],
        /// Meaning unknown.
        unk4: u32,
        /// Maximum distance at which each level is shown, mostly one of 1e30.
        distances: Vec<F32> [count lod_count],
    }
}

relicast_codec::record! {
    /// Position and rotation.
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

relicast_codec::record! {
    /// A model that can be placed (kind 0x14).
    pub struct ActorDefinition[24..] {
        /// Flags of the optional fields that follow.
        flags: ActorFlags [bind],
        /// Name of the code that drives it.
        callback: Name [by |name, stream| name.walk(stream, "callback")],
        /// Number of actions.
        action_count: u32 [counts actions],
        /// Number of sprites.
        sprite_count: u32 [counts sprites],
        /// A bounding volume, if any.
        bounds: FragmentRef,
        /// The initial action.
        current_action: Option<u32> [if flags.contains(ActorFlags::ACTION)],
        /// A place.
        place: Option<Placement> [if flags.contains(ActorFlags::PLACE)],
        /// Actions of the actor.
        actions: Vec<ActorAction> [records action_count],
        /// Parts that are shown: an instance of a mesh, a skeleton, a sprite.
        sprites: Vec<FragmentRef> [count sprite_count],
        /// Text of the tools.
        user_data: EncodedText [by |text, stream| text.walk32(stream, "user_data")],
    }
}

relicast_codec::record! {
    /// A placed model (kind 0x15).
    pub struct Actor[16..] {
        /// The model: the name of an actor definition, often of another file, or a fragment.
        model: Name [by |name, stream| name.walk(stream, "model")],
        /// Flags of the optional fields that follow.
        flags: ActorFlags [bind],
        /// A bounding sphere, if any.
        bounds: FragmentRef,
        /// The initial action.
        action: Option<u32> [if flags.contains(ActorFlags::ACTION)],
        /// Placement of the actor.
        place: Option<Placement> [if flags.contains(ActorFlags::PLACE)],
        /// Bounding radius; equals the scale in every file seen.
        radius: Option<F32> [if flags.contains(ActorFlags::RADIUS)],
        /// Uniform scale.
        scale: Option<F32> [if flags.contains(ActorFlags::SCALE)],
        /// Name of a sound.
        sound: Option<Name> [if flags.contains(ActorFlags::SOUND)] [by |name, stream| name.walk(stream, "sound")],
        /// Baked light of its vertices.
        colors: Option<FragmentRef> [if flags.contains(ActorFlags::COLORS)],
        /// Text of the tools.
        user_data: EncodedText [by |text, stream| text.walk32(stream, "user_data")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::{decode, encode};

    #[test]
    fn every_optional_field_follows_its_flag() {
        let actor = Actor {
            flags: ActorFlags::from_bits_retain(0x32E | 0x11),
            action: Some(1),
            place: Some(Placement::default()),
            radius: Some(F32(2.0)),
            scale: Some(F32(2.0)),
            sound: Some(Name::default()),
            colors: Some(FragmentRef(9)),
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

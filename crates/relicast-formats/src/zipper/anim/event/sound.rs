//! Sounds, cycled-texture sprites and weapons.
//!
//! ```
//! use relicast_formats::zipper::ZipperGame;
//! use relicast_formats::zipper::anim::event::{Event, EventBody};
//! use relicast_formats::zipper::anim::event::sound::Sound;
//!
//! let event = Event::new(EventBody::Sound(Sound::default()));
//! assert_eq!(event.body.name(), Some("SOUND"));
//! assert_eq!(event.length(ZipperGame::Recoil), 12 + 16);
//! ```

use crate::zipper::ZipperGame;
use crate::zipper::anim::values::{
    Bool32, DynamicSoundIndex, EffectIndex, NodeIndex, ShortNodeIndex, StaticSoundIndex,
};
use relicast_codec::{Bytes, PaddedText, Vec3};

relicast_codec::record! {
    /// Type 1: plays a sound once.
    pub struct Sound[16, 16, 16, 16] in ZipperGame {
        /// The sound.
        sound: StaticSoundIndex,
        /// Node that it plays at; 0 is everywhere.
        node: ShortNodeIndex,
        /// Offset from the node.
        position: Vec3,
    }
}

bitflags::bitflags! {
    /// Selects the fields of a [`SoundNode`] that are used.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct SoundNodeFlags: u32 {
        /// `translate` is a place.
        const TRANSLATE_ABSOLUTE = 0x1;
        /// `translate` is an offset from `node`.
        const AT_NODE = 0x2;
    }
}
relicast_codec::plain_flags!(SoundNodeFlags: u32);

relicast_codec::record! {
    /// Type 2: switches and places a sound emitter.
    pub struct SoundNode[60, 60, 60, 60] in ZipperGame {
        /// Name of the emitter, as in its table entry.
        name: PaddedText<32> [padded, until PiratesMoon],
        /// The emitter.
        sound: DynamicSoundIndex,
        /// Selects the fields that are used.
        flags: SoundNodeFlags,
        /// Switches the emitter on or off.
        active: Bool32,
        /// The node it is placed at.
        node: NodeIndex,
        /// Place or offset.
        translate: Vec3,
    }
}

relicast_codec::record! {
    /// Type 3: starts a cycled-texture sprite. Recoil.
    pub struct Effect[16, 16, 16, 16] in ZipperGame {
        /// The template.
        effect: EffectIndex,
        /// The node it is placed at.
        node: ShortNodeIndex,
        /// Offset from the node.
        position: Vec3,
    }
}

relicast_codec::record! {
    /// Type 41: makes a weapon explode.
    pub struct DetonateWeapon[24, 24, 24, 24] in ZipperGame {
        /// Name of the weapon.
        weapon: PaddedText<10> [padded, until PiratesMoon],
        /// Node that it plays at.
        node: ShortNodeIndex,
        /// Offset from the node.
        position: Vec3,
    }
}

relicast_codec::record! {
    /// Type 46: series that fade volume, frequency and pan, not decoded. Crimson Skies.
    pub struct SoundAdjust[176, 176, 176, 176] in ZipperGame {
        /// The payload.
        data: Bytes<176>,
    }
}

//! Lights and fog.
//!
//! ```
//! use relicast_formats::zipper::ZipperGame;
//! use relicast_formats::zipper::anim::event::{Event, EventBody};
//! use relicast_formats::zipper::anim::event::light::LightState;
//!
//! let event = Event::new(EventBody::LightState(Box::new(LightState::default())));
//! assert_eq!(event.body.name(), Some("LIGHT_STATE"));
//! assert_eq!(event.length(ZipperGame::Recoil), 12 + 112);
//! ```

use crate::zipper::ZipperGame;
use crate::zipper::anim::values::{Bool32, Color, LightIndex, NodeIndex, Range, is_default};
use relicast_codec::{F32, PaddedText, Vec3};

bitflags::bitflags! {
    /// Selects the fields of a [`LightState`] that are used.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct LightFlags: u32 {
        /// `translate` is a place.
        const TRANSLATE_ABSOLUTE = 0x1;
        /// `translate` is an offset from `node`.
        const AT_NODE = 0x2;
        /// `orientation` is used.
        const ORIENTATION = 0x4;
        /// `range` is used.
        const RANGE = 0x8;
        /// `color` is used.
        const COLOR = 0x10;
        /// `ambient` is used.
        const AMBIENT = 0x20;
        /// `diffuse` is used.
        const DIFFUSE = 0x40;
        /// `directional` is used.
        const DIRECTIONAL = 0x80;
        /// `saturated` is used.
        const SATURATED = 0x100;
        /// `subdivide` is used.
        const SUBDIVIDE = 0x200;
        /// `is_static` is used.
        const STATIC = 0x400;
        /// `ambient_color` is used.
        const AMBIENT_COLOR = 0x800;
        /// `bicolored` is used.
        const BICOLORED = 0x1000;
        /// `lightmap` is used.
        const LIGHTMAP = 0x2000;
    }
}
relicast_codec::plain_flags!(LightFlags: u32);

relicast_codec::open_enum! {
    /// Kind of a light.
    pub enum LightKind: u32 {
        /// Parallel rays.
        Directed = 0,
        /// From one point.
        Point = 1,
    }
}

relicast_codec::record! {
    /// Type 4: sets properties of a light. Only flagged fields change it.
    pub struct LightState[112, 120, 140, 140] in ZipperGame {
        /// Name of the light, as in its table entry.
        name: PaddedText<32> [padded, until PiratesMoon],
        /// The light.
        light: LightIndex,
        /// Selects the fields that are used.
        flags: LightFlags,
        /// Switches the light on or off.
        active: Bool32,
        /// Kind of the light.
        kind: LightKind,
        /// Shines in one direction.
        directional: Bool32,
        /// Saturated colors.
        saturated: Bool32,
        /// Subdivides lit polygons. Not in Recoil.
        subdivide: Bool32 [since MechWarrior3],
        /// Uses light maps. Pirate's Moon and Crimson Skies.
        lightmap: Bool32 [since PiratesMoon],
        /// Does not move. Not in Recoil.
        is_static: Bool32 [since MechWarrior3],
        /// Has its own ambient color. Pirate's Moon and Crimson Skies.
        bicolored: Bool32 [since PiratesMoon],
        /// The node it is placed at.
        node: NodeIndex,
        /// Place or offset.
        translate: Vec3,
        /// Orientation; never set.
        orientation: Vec3,
        /// Near and far distance.
        range: Range,
        /// Color.
        color: Color,
        /// Ambient color. Pirate's Moon and Crimson Skies.
        ambient_color: Color [since PiratesMoon],
        /// Ambient part, 0 to 1.
        ambient: F32,
        /// Diffuse part, 0 to 1.
        diffuse: F32,
    }
}

relicast_codec::record! {
    /// Type 5: changes range and color of a light over time.
    pub struct LightAnimation[100, 100, 100, 100] in ZipperGame {
        /// Name of the light, as in its table entry.
        name: PaddedText<32> [padded, until PiratesMoon],
        /// The light.
        light: LightIndex,
        /// Change of near and far distance per second at the start; signed.
        range_a: Range,
        /// Growth of that change each second; nearly always zero.
        range_b: Range,
        /// Run-time state.
        #[serde(skip_serializing_if = "is_default")]
        range_live: Range [always Range::default()],
        /// Change of color per second at the start; signed.
        color_a: Color,
        /// Growth of that change each second.
        color_b: Color [always Color::default()],
        /// Run-time state.
        #[serde(skip_serializing_if = "is_default")]
        color_live: Color [always Color::default()],
        /// Seconds.
        run_time: F32,
    }
}

bitflags::bitflags! {
    /// Selects the fields of a [`FogState`] that are used.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct FogFlags: u32 {
        /// `kind` is used.
        const KIND = 0x1;
        /// `color` is used.
        const COLOR = 0x2;
        /// `altitude` is used.
        const ALTITUDE = 0x4;
        /// `range` is used.
        const RANGE = 0x8;
    }
}
relicast_codec::plain_flags!(FogFlags: u32);

relicast_codec::open_enum! {
    /// Kind of fog.
    pub enum FogKind: u32 {
        /// No fog.
        Off = 0,
        /// Linear between near and far; also stored when the kind is not used.
        Linear = 1,
        /// Exponential.
        Exponential = 2,
    }
}

relicast_codec::record! {
    /// Type 28: sets properties of the world's fog.
    pub struct FogState[68, 68, 68, 68] in ZipperGame {
        /// Name of the fog, normally `default_fog_name`.
        name: PaddedText<32> [padded, until PiratesMoon],
        /// Selects the fields that are used.
        flags: FogFlags,
        /// Kind of fog.
        kind: FogKind,
        /// Color.
        color: Color,
        /// Altitudes; may be reversed.
        altitude: Range,
        /// Near and far distance.
        range: Range,
    }
}

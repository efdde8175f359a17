//! Lights, and light baked into vertices.

use std::borrow::Cow;

use super::reference::{Bgra, FragmentRef};
use relicast_codec::{F32, Vec3, owned};

bitflags::bitflags! {
    /// Optional fields of a light.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct LightFlags: u32 {
        /// The current frame.
        const CURRENT_FRAME = 1 << 0;
        /// A time per frame.
        const SLEEP = 1 << 1;
        /// Levels.
        const LEVELS = 1 << 2;
        /// Frames may be skipped.
        const SKIP_FRAMES = 1 << 3;
        /// Colors.
        const COLORS = 1 << 4;
        const _ = !0;
    }
}
relicast_codec::plain_flags!(LightFlags: u32);

relicast_codec::record! {
    /// Color and level of a light (kind 0x1B).
    pub struct LightDefinition[8..] {
        /// Flags of the optional fields that follow.
        flags: LightFlags [bind],
        /// Number of frames.
        frame_count: u32 [bind],
        /// First frame shown.
        current_frame: Option<u32> [if flags.contains(LightFlags::CURRENT_FRAME)],
        /// Duration of a frame in milliseconds.
        sleep: Option<u32> [if flags.contains(LightFlags::SLEEP)],
        /// Level of each frame.
        levels: Option<Vec<F32>> [if flags.contains(LightFlags::LEVELS)] [count frame_count as usize],
        /// Red, green, blue of each frame, 0 to 1; white if there are none.
        colors: Option<Vec<Vec3>> [if flags.contains(LightFlags::COLORS)] [count frame_count as usize],
    }
}

bitflags::bitflags! {
    /// Properties of a placed light.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct PointLightFlags: u32 {
        /// Does not move.
        const STATIC = 1 << 5;
        /// Its influence does not change.
        const STATIC_INFLUENCE = 1 << 6;
        /// A list of regions follows (by a reference implementation).
        const REGIONS = 1 << 7;
        const _ = !0;
    }
}
relicast_codec::plain_flags!(PointLightFlags: u32);

relicast_codec::record! {
    /// A light with a position (kind 0x28).
    pub struct PointLight[24..] {
        /// The light.
        light: FragmentRef,
        /// Properties; 0x100 in every file seen.
        flags: PointLightFlags [bind],
        /// Position, in file axes.
        position: Vec3,
        /// Radius.
        radius: F32,
        /// The regions that it reaches.
        regions: Option<Vec<u32>> [if flags.contains(PointLightFlags::REGIONS)] [counted],
    }
}

relicast_codec::record! {
    /// A light of whole regions (kind 0x2A).
    pub struct AmbientLight[12..] {
        /// The light.
        light: FragmentRef,
        /// Unknown bits.
        flags: u32,
        /// Its regions, counted from 0.
        regions: Vec<u32> [counted],
    }
}

relicast_codec::record! {
    /// A directional light (kind 0x2B, by a reference implementation).
    pub struct DirectionalLight[24..] {
        /// The light.
        light: FragmentRef,
        /// Unknown bits.
        flags: u32,
        /// Its direction.
        normal: Vec3,
        /// Its regions, counted from 0.
        regions: Vec<u32> [counted],
    }
}

relicast_codec::record! {
    /// Ambient color of a zone (kind 0x35), 4 bytes; has no name.
    pub struct GlobalAmbientLight[4] {
        /// Offset 0: the color; opaque black in every file seen.
        color: Bgra,
    }
}

relicast_codec::record! {
    /// Baked light of a placed model, one color for each vertex of its mesh (kind 0x32).
    pub struct VertexColors<'a>[20..] {
        /// Always 1.
        unk0: u32,
        /// Number of colors.
        color_count: u32 [counts colors],
        /// Always 1.
        unk8: u32,
        /// Duration of a frame in milliseconds, 200.
        sleep: u32,
        /// Always 0.
        unk16: u32,
        /// The colors. Alpha is the strength of the ambient light on the vertex.
        colors: Cow<'a, [Bgra]> [count color_count],
    }
}

impl VertexColors<'_> {
    /// This light with owned colors, so that it outlives the file.
    pub(super) fn into_owned(self) -> VertexColors<'static> {
        VertexColors {
            unk0: self.unk0,
            unk8: self.unk8,
            sleep: self.sleep,
            unk16: self.unk16,
            colors: owned(self.colors),
        }
    }
}

//! Shading of the polygons of sprites and walls.

use super::reference::FragmentRef;
use relicast_codec::{F32, Vec2, Vec3};

bitflags::bitflags! {
    /// Optional fields of a [`Shading`].
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct ShadingFlags: u32 {
        /// A color.
        const PEN = 1 << 0;
        /// A brightness.
        const BRIGHTNESS = 1 << 1;
        /// A share of the ambient light.
        const SCALED_AMBIENT = 1 << 2;
        /// A texture.
        const TEXTURE = 1 << 3;
        /// Axes of the texture.
        const AXES = 1 << 4;
        /// Texture coordinates.
        const COORDINATES = 1 << 5;
        /// Back faces are drawn.
        const TWO_SIDED = 1 << 6;
        const _ = !0;
    }
}
relicast_codec::plain_flags!(ShadingFlags: u32);

relicast_codec::record! {
    /// Render information of a polygon.
    pub struct Shading[4..] {
        /// Flags of the fields that follow.
        flags: ShadingFlags [bind],
        /// A color.
        pen: Option<u32> [if flags.contains(ShadingFlags::PEN)],
        /// A brightness.
        brightness: Option<F32> [if flags.contains(ShadingFlags::BRIGHTNESS)],
        /// A share of the ambient light.
        scaled_ambient: Option<F32> [if flags.contains(ShadingFlags::SCALED_AMBIENT)],
        /// The texture.
        texture: Option<FragmentRef> [if flags.contains(ShadingFlags::TEXTURE)],
        /// Origin, u axis and v axis of the texture.
        axes: Option<[Vec3; 3]> [if flags.contains(ShadingFlags::AXES)],
        /// Texture coordinates.
        coordinates: Option<Vec<Vec2>> [if flags.contains(ShadingFlags::COORDINATES)] [counted],
    }
}

impl Shading {
    /// The texture, or the reference to nothing.
    pub fn texture(&self) -> FragmentRef {
        self.texture.unwrap_or_default()
    }
}

//! How polygons of sprites and walls are shaded.

use serde::Serialize;

use super::fields::{optional, optional_part};
use super::reference::FragmentRef;
use crate::formats::codec::{F32, Result, Stream, Vec2, Vec3, Walk};

bitflags::bitflags! {
    /// Which fields a [`Shading`] has.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct ShadingFlags: u32 {
        /// A colour.
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
crate::plain_flags!(ShadingFlags: u32);

/// Render information of a polygon.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Shading {
    /// Which fields follow.
    pub flags: ShadingFlags,
    /// A colour.
    pub pen: Option<u32>,
    /// A brightness.
    pub brightness: Option<F32>,
    /// A share of the ambient light.
    pub scaled_ambient: Option<F32>,
    /// The texture.
    pub texture: Option<FragmentRef>,
    /// Origin, u axis and v axis of the texture.
    pub axes: Option<[Vec3; 3]>,
    /// Texture coordinates.
    pub coordinates: Option<Vec<Vec2>>,
}

impl Shading {
    /// The texture, or the reference to nothing.
    pub fn texture(&self) -> FragmentRef {
        self.texture.unwrap_or_default()
    }
}

impl<'a> Walk<'a> for Shading {
    const SMALLEST: usize = 4;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        let flags = self.flags;
        let has = |flag| flags.contains(flag);
        optional(stream, has(ShadingFlags::PEN), "pen", &mut self.pen)?;
        optional(
            stream,
            has(ShadingFlags::BRIGHTNESS),
            "brightness",
            &mut self.brightness,
        )?;
        optional(
            stream,
            has(ShadingFlags::SCALED_AMBIENT),
            "scaled_ambient",
            &mut self.scaled_ambient,
        )?;
        optional(
            stream,
            has(ShadingFlags::TEXTURE),
            "texture",
            &mut self.texture,
        )?;
        optional(stream, has(ShadingFlags::AXES), "axes", &mut self.axes)?;
        optional_part(
            stream,
            has(ShadingFlags::COORDINATES),
            "coordinates",
            &mut self.coordinates,
            |stream, values| super::fields::counted(stream, "coordinates", values),
        )
    }
}

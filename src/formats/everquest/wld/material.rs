//! Materials: mesh → palette → material → texture instance → texture → bitmap → file name.

use serde::Serialize;

use super::encoded_text::EncodedText;
use super::fields::{counted, optional};
use super::reference::FragmentRef;
use crate::formats::codec::{F32, FixedSize, FormatError, Result, Stream, Walk};

/// Names of bitmap files (kind 0x03). The old form has one; in the new one the others are layers.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct BitmapInfo {
    /// File names, in upper case where the archive has lower case.
    pub files: Vec<EncodedText>,
}

impl<'a> Walk<'a> for BitmapInfo {
    const SMALLEST: usize = 6;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        let offset = stream.position();
        let mut last = match (S::READING, self.files.len().checked_sub(1)) {
            (true, _) => 0,
            (false, Some(last)) => u32::try_from(last).unwrap_or(u32::MAX),
            (false, None) => {
                return Err(FormatError::unencodable("files", offset, "at least one", 0));
            }
        };
        stream.value("last_file", &mut last)?;
        let count = (last as usize).saturating_add(1);
        stream.list("files", &mut self.files, count, 2, |stream, file| {
            file.walk16(stream, "file")
        })
    }
}

bitflags::bitflags! {
    /// Which optional fields a texture has. Bit 4 is always set and adds none.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct SpriteFlags: u32 {
        /// Frames may be skipped.
        const SKIP_FRAMES = 1 << 1;
        /// A time per frame is stored.
        const SLEEP = 1 << 3;
        /// The current frame is stored (by a reference implementation).
        const CURRENT_FRAME = 1 << 5;
        const _ = !0;
    }
}
crate::plain_flags!(SpriteFlags: u32);

/// A still or animated texture (kind 0x04).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SimpleSprite {
    /// Which optional fields follow.
    pub flags: SpriteFlags,
    /// First frame shown.
    pub current_frame: Option<u32>,
    /// Milliseconds that each frame is shown.
    pub sleep: Option<u32>,
    /// The frames, each a bitmap.
    pub frames: Vec<FragmentRef>,
}

impl<'a> Walk<'a> for SimpleSprite {
    const SMALLEST: usize = 8;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        let count = stream.count("frame_count", self.frames.len())?;
        let flags = self.flags;
        let has = |flag| flags.contains(flag);
        optional(
            stream,
            has(SpriteFlags::CURRENT_FRAME),
            "current_frame",
            &mut self.current_frame,
        )?;
        optional(stream, has(SpriteFlags::SLEEP), "sleep", &mut self.sleep)?;
        stream.values("frames", &mut self.frames, count)
    }
}

/// How a material is drawn. With bit 31 set the rest is a code of the artists' tools, otherwise a
/// set of bits for the renderer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
pub struct RenderMethod(pub u32);

impl FixedSize for RenderMethod {
    const SIZE: usize = u32::SIZE;
    #[inline]
    fn load(bytes: &[u8]) -> Option<Self> {
        u32::load(bytes).map(Self)
    }
    #[inline]
    fn store(self, out: &mut Vec<u8>) {
        self.0.store(out);
    }
}

/// What a [`RenderMethod`] comes to, by the groups of a reference implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Surface {
    /// Keeps players in; never drawn.
    Boundary,
    /// Not drawn.
    Invisible,
    /// Opaque.
    Diffuse,
    /// A quarter opaque.
    Transparent25,
    /// Half opaque.
    Transparent50,
    /// Three quarters opaque.
    Transparent75,
    /// Added to what is behind, lit.
    Additive,
    /// Added to what is behind, not lit: fire and spells.
    AdditiveUnlit,
    /// Holes where the texture has its key.
    Masked,
    /// The sky: opaque, not lit.
    SkyDiffuse,
    /// The sky: clouds, half opaque.
    SkyTransparent,
    /// The sky: added, not lit.
    SkyAdditive,
}

impl RenderMethod {
    /// Bit of a code of the artists' tools.
    const CODED: u32 = 1 << 31;

    /// The code of the artists' tools, or the bits of the renderer; they share one table.
    pub const fn code(self) -> u32 {
        self.0 & !Self::CODED
    }

    /// What it comes to on a material with or without a texture.
    pub const fn surface(self, textured: bool) -> Surface {
        match self.code() {
            0x00 => Surface::Boundary,
            0x03 | 0x4B | 0x53 => Surface::Invisible,
            0x05 => Surface::Transparent50,
            0x09 => Surface::Transparent25,
            0x0A => Surface::Transparent75,
            0x0B => Surface::AdditiveUnlit,
            0x17 => Surface::Additive,
            0x13 | 0x19 => Surface::Masked,
            0x0D => Surface::SkyDiffuse,
            0x0F => Surface::SkyTransparent,
            0x10 => Surface::SkyAdditive,
            0x01 | 0x02 | 0x07 | 0x12 | 0x14 | 0x15 | 0x1A | 0x31 | 0x553 => Surface::Diffuse,
            _ if textured => Surface::Diffuse,
            _ => Surface::Invisible,
        }
    }
}

bitflags::bitflags! {
    /// Properties of a material.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct MaterialFlags: u32 {
        /// Back faces are drawn.
        const TWO_SIDED = 1 << 0;
        /// Two more fields follow; set in every file seen.
        const PAIR = 1 << 1;
        const _ = !0;
    }
}
crate::plain_flags!(MaterialFlags: u32);

/// A material (kind 0x30).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Material {
    /// Properties.
    pub flags: MaterialFlags,
    /// How it is drawn.
    pub render_method: RenderMethod,
    /// A colour, byte order taken as blue, green, red; grey in every file seen.
    pub pen: u32,
    /// 0, 0.1, 0.5 or 1.
    pub brightness: F32,
    /// Mostly 0.75.
    pub scaled_ambient: F32,
    /// The texture, if any.
    pub texture: FragmentRef,
    /// Always (0, 0).
    pub pair: Option<(u32, F32)>,
}

impl Material {
    /// What its render method comes to.
    pub fn surface(&self) -> Surface {
        self.render_method.surface(self.texture.index().is_some())
    }
}

impl<'a> Walk<'a> for Material {
    const SMALLEST: usize = 24;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        stream.value("render_method", &mut self.render_method)?;
        stream.value("pen", &mut self.pen)?;
        stream.value("brightness", &mut self.brightness)?;
        stream.value("scaled_ambient", &mut self.scaled_ambient)?;
        stream.value("texture", &mut self.texture)?;
        let present = self.flags.contains(MaterialFlags::PAIR);
        super::fields::optional_part(stream, present, "pair", &mut self.pair, |stream, pair| {
            stream.value("pair.0", &mut pair.0)?;
            stream.value("pair.1", &mut pair.1)
        })
    }
}

/// The materials of a mesh (kind 0x31).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MaterialPalette {
    /// Always 0.
    pub flags: u32,
    /// The materials that face groups index.
    pub materials: Vec<FragmentRef>,
}

impl<'a> Walk<'a> for MaterialPalette {
    const SMALLEST: usize = 8;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        counted(stream, "materials", &mut self.materials)
    }
}

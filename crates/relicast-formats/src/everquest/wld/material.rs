//! Materials: mesh → palette → material → texture instance → texture → bitmap → file name.

use serde::Serialize;

use super::encoded_text::EncodedText;
use super::reference::FragmentRef;
use relicast_codec::{F32, FixedSize, FormatError, Result, Stream};

relicast_codec::record! {
    /// Names of bitmap files (kind 0x03). The old form has one; in the new one the others are layers.
    pub struct BitmapInfo[6..] {
        /// Number of files, less one.
        file_count: u32 [counts by Self::file_count],
        /// File names, in upper case although archives use lower case.
        files: Vec<EncodedText> [by |files, stream| stream.list("files", files, file_count, 2, |stream, file| file.walk16(stream, "file"))],
    }
}

impl BitmapInfo {
    /// The number of files, stored less one.
    fn file_count<'a, S: Stream<'a>>(&mut self, stream: &mut S) -> Result<usize> {
        let offset = stream.position();
        let mut last = match (S::READING, self.files.len().checked_sub(1)) {
            (true, _) => 0,
            (false, Some(last)) => u32::try_from(last).unwrap_or(u32::MAX),
            (false, None) => {
                return Err(FormatError::unencodable("files", offset, "at least one", 0));
            }
        };
        stream.value("last_file", &mut last)?;
        Ok((last as usize).saturating_add(1))
    }
}

bitflags::bitflags! {
    /// Optional fields of a texture. Bit 4 is always set and adds none.
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
relicast_codec::plain_flags!(SpriteFlags: u32);

relicast_codec::record! {
    /// A still or animated texture (kind 0x04).
    pub struct SimpleSprite[8..] {
        /// Flags of the optional fields that follow.
        flags: SpriteFlags [bind],
        /// Number of frames.
        frame_count: u32 [counts frames],
        /// First frame shown.
        current_frame: Option<u32> [if flags.contains(SpriteFlags::CURRENT_FRAME)],
        /// Duration of each frame in milliseconds.
        sleep: Option<u32> [if flags.contains(SpriteFlags::SLEEP)],
        /// The frames, each a bitmap.
        frames: Vec<FragmentRef> [count frame_count],
    }
}

/// Render method of a material. With bit 31 set the rest is a code of the artists' tools, otherwise a
/// set of bits for the renderer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// Effect of a [`RenderMethod`], by the groups of a reference implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Added to the background, lit.
    Additive,
    /// Added to the background, not lit: fire and spells.
    AdditiveUnlit,
    /// Holes where the texture has its color key.
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

    /// Surface for a material with or without a texture.
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
relicast_codec::plain_flags!(MaterialFlags: u32);

relicast_codec::record! {
    /// A material (kind 0x30).
    pub struct Material[24..] {
        /// Properties.
        flags: MaterialFlags [bind],
        /// Render method.
        render_method: RenderMethod,
        /// A color, byte order taken as blue, green, red; gray in every file seen.
        pen: u32,
        /// 0, 0.1, 0.5 or 1.
        brightness: F32,
        /// Mostly 0.75.
        scaled_ambient: F32,
        /// The texture, if any.
        texture: FragmentRef,
        /// Always (0, 0).
        pair: Option<(u32, F32)> [if flags.contains(MaterialFlags::PAIR)] [by |pair, stream| walk_pair(pair, stream)],
    }
}

impl Material {
    /// Surface that its render method gives.
    pub fn surface(&self) -> Surface {
        self.render_method.surface(self.texture.index().is_some())
    }
}

fn walk_pair<'a, S: Stream<'a>>(pair: &mut (u32, F32), stream: &mut S) -> Result<()> {
    stream.value("pair.0", &mut pair.0)?;
    stream.value("pair.1", &mut pair.1)
}

relicast_codec::record! {
    /// The materials of a mesh (kind 0x31).
    pub struct MaterialPalette[8..] {
        /// Always 0.
        flags: u32,
        /// The materials that face groups index.
        materials: Vec<FragmentRef> [counted],
    }
}

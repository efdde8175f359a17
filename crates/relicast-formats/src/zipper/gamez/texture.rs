//! Texture records: the names that materials refer to by index.

use crate::zipper::ZipperGame;
use relicast_codec::{Decoded, Field, Reader, Result, Stream, Writer, shown};

use super::name::TextureName;
use super::section::Section;

relicast_codec::open_enum! {
    /// State of a texture after the build tool.
    pub enum TextureState: u32 {
        /// An image was assigned to it (Pirate's Moon, Crimson Skies).
        Assigned = 1,
        /// It is in use.
        Used = 2,
    }
}

relicast_codec::record! {
    /// A texture: 36 · 40 · 44 bytes.
    pub struct Texture[36, 40, 44, 44] in ZipperGame {
        /// Offset 0: stale address of the image; null in Recoil and MechWarrior 3.
        image_ptr: u32 [zero, until MechWarrior3],
        /// Offset - · - · 4: always 0.
        field04: u32 [since PiratesMoon] [zero],
        /// Offset 4 · 4 · 8: always 0.
        surface_ptr: u32 [zero],
        /// Offset 8 · 8 · 12: file name.
        name: TextureName,
        /// Offset 28 · 28 · 32: state.
        state: TextureState,
        /// Offset - · 32 · 36: always 0.
        category: i32 [since MechWarrior3] [zero],
        /// Offset 32 · 36 · 40: index of the next smaller variant of the image, or -1.
        mip_index: i32,
    }
}

impl Texture {
    /// Index of the next smaller variant of the image.
    pub fn smaller(&self) -> Option<usize> {
        usize::try_from(self.mip_index).ok()
    }

    fn check<'a, S: Stream<'a>>(
        &self,
        stream: &mut S,
        version: ZipperGame,
        offset: usize,
        count: usize,
    ) {
        if let Some(fault) = self.name.fault() {
            stream.deviate("name", offset, "ASCII stem, NUL, suffix, zeros", fault);
        }
        let state = match version.since(ZipperGame::PiratesMoon) && self.image_ptr != 0 {
            true => TextureState::Assigned,
            false => TextureState::Used,
        };
        if self.state != state {
            let expected = shown(&state);
            stream.deviate("state", offset, expected, shown(&self.state));
        }
        if self.mip_index != -1 && self.smaller().is_none_or(|index| index >= count) {
            stream.deviate("mip_index", offset, "-1 or a texture", self.mip_index);
        }
    }
}

pub(super) fn decode(
    bytes: &[u8],
    version: ZipperGame,
    start: usize,
    end: usize,
    count: usize,
) -> Result<Decoded<Vec<Texture>>> {
    let mut section = Section::new(bytes, start, end)?;
    let textures = section.head(|reader: &mut Reader<'_>| {
        let mut textures: Vec<Texture> = Vec::new();
        reader.list(
            "",
            &mut textures,
            count,
            Texture::size(version),
            |reader, texture| {
                let offset = reader.position();
                texture.visit("", reader, version)?;
                texture.check(reader, version, offset, count);
                Ok(())
            },
        )?;
        Ok(textures)
    })?;
    section.finish(textures)
}

pub(super) fn encode(textures: &[Texture], version: ZipperGame) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    for (index, texture) in textures.iter().enumerate() {
        let mut texture = texture.clone();
        texture
            .visit("", &mut writer, version)
            .map_err(|error| error.within("textures", index))?;
    }
    Ok(writer.into_bytes())
}

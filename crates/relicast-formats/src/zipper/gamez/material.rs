//! Materials and the texture cycles of animated ones. `materials` has the whole section.

use bitflags::bitflags;
use serde::Serialize;

use crate::zipper::ZipperGame;
use relicast_codec::{self as codec, F32, Field, FormatError, NumericEq, Stream, Vec3, shown};

use super::lists::counted;

bitflags! {
    /// Flags of a material, 1 byte.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct MaterialFlags: u8 {
        /// Has a texture; otherwise a plain color.
        const TEXTURED = 0x01;
        /// Decals of hits are drawn on its texture (Recoil, Crimson Skies); unknown in the other games.
        const TAKES_DECALS = 0x02;
        /// Has a cycle of textures.
        const CYCLED = 0x04;
        /// Set on every used slot, except in Recoil.
        const ALWAYS = 0x10;
        /// Set on every free slot, except in Recoil.
        const FREE = 0x20;
    }
}

relicast_codec::plain_flags!(MaterialFlags: u8);

relicast_codec::open_enum! {
    /// Surface type of the ground. The first six are built into the engines, the others come from a list of each
    /// game, see [`Soil::label`].
    pub enum Soil: u32 {
        /// Default.
        Default = 0,
        /// Water.
        Water = 1,
        /// Sea floor.
        Seafloor = 2,
        /// Quicksand.
        Quicksand = 3,
        /// Lava.
        Lava = 4,
        /// Fire.
        Fire = 5,
    }
}

impl Soil {
    /// Largest id in any known file of the games.
    pub const LAST: u32 = 13;

    /// Name of the soil; `None` for ids without a name in the game's files. Recoil loads the names after the
    /// built-in ones at run time.
    pub fn label(self, version: ZipperGame) -> Option<&'static str> {
        let names: &[&str] = match version {
            ZipperGame::Recoil => &[],
            ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon => &[
                "dirt", "mud", "grass", "concrete", "snow", "mech", "silt", "noslip",
            ],
            ZipperGame::CrimsonSkies => &[
                "player",
                "enemy",
                "airstrip",
                "opensesame",
                "death",
                "buildings",
                "dzone",
                "dirt",
            ],
        };
        match self {
            Self::Default => Some("default"),
            Self::Water => Some("water"),
            Self::Seafloor => Some("seafloor"),
            Self::Quicksand => Some("quicksand"),
            Self::Lava => Some("lava"),
            Self::Fire => Some("fire"),
            Self::Other(id) => names.get(id.checked_sub(6)? as usize).copied(),
        }
    }
}

relicast_codec::record! {
    /// A material without its list links, 40 bytes.
    pub struct MaterialRecord[40, 40, 40, 40] in ZipperGame {
        /// Offset 0: opacity 0 to 255; 255 when textured.
        alpha: u8,
        /// Offset 1: flags.
        flags: MaterialFlags,
        /// Offset 2: 0x7FFF when textured, else 0.
        rgb: u16,
        /// Offset 4: red, green, blue, 0 to 255; white when textured.
        color: Vec3,
        /// Offset 16: index of the texture, 0 without one. In a mechlib (archive of 'mech models) a stale address,
        /// which means nothing.
        texture_index: i32,
        /// Offset 20: always 0.
        field20: F32 [zero],
        /// Offset 24: always 0.5.
        field24: F32 [always F32(0.5)],
        /// Offset 28: always 0.5.
        field28: F32 [always F32(0.5)],
        /// Offset 32: surface type of the ground.
        soil: Soil,
        /// Offset 36: non-null if and only if textures are cycled.
        cycle_ptr: u32,
    }
}

impl MaterialRecord {
    /// Returns true if the material has a texture.
    pub fn is_textured(&self) -> bool {
        self.flags.contains(MaterialFlags::TEXTURED)
    }

    /// Reports a deviation for each field of a used slot that breaks a known rule. `offset` is that of the record.
    pub(in super::super) fn check<'a, S: Stream<'a>>(
        &self,
        stream: &mut S,
        version: ZipperGame,
        offset: usize,
    ) {
        let always = match version {
            ZipperGame::Recoil => MaterialFlags::empty(),
            _ => MaterialFlags::ALWAYS,
        };
        let mut optional = MaterialFlags::TEXTURED;
        if self.is_textured() {
            optional |= MaterialFlags::TAKES_DECALS | MaterialFlags::CYCLED;
        }
        if self.flags.difference(optional) != always {
            let expected = format_args!(
                "{}, optionally with any of {}",
                shown(&always),
                shown(&optional)
            );
            stream.deviate("flags", offset, expected, shown(&self.flags));
        }
        let white = Vec3::from([255.0; 3]);
        if self.is_textured() {
            if self.alpha != 255 {
                stream.deviate("alpha", offset, 255, self.alpha);
            }
            if self.rgb != 0x7FFF {
                let found = format_args!("{:#X}", self.rgb);
                stream.deviate("rgb", offset, "0x7FFF", found);
            }
            if !self.color.same(&white) {
                stream.deviate("color", offset, shown(&white), shown(&self.color));
            }
        } else {
            if self.rgb != 0 {
                stream.deviate("rgb", offset, 0, self.rgb);
            }
            if !self
                .color
                .to_array()
                .iter()
                .all(|part| (0.0..=255.0).contains(part))
            {
                stream.deviate("color", offset, "0 to 255", shown(&self.color));
            }
        }
        if self.soil.code() > Soil::LAST {
            stream.deviate(
                "soil",
                offset,
                format_args!("0 to {}", Soil::LAST),
                self.soil.code(),
            );
        }
        if (self.cycle_ptr != 0) != self.flags.contains(MaterialFlags::CYCLED) {
            let found = format_args!("{:#x} with {}", self.cycle_ptr, shown(&self.flags));
            stream.deviate(
                "cycle_ptr",
                offset,
                "null if and only if CYCLED is not set",
                found,
            );
        }
    }
}

relicast_codec::record! {
    /// Neighbors in one of two doubly linked lists, 4 bytes: the list of used slots runs from high to low, that of
    /// free ones from low to high; -1 ends a list.
    pub struct Links[4, 4, 4, 4] in ZipperGame {
        /// Offset 0: the previous slot.
        prev: i16,
        /// Offset 2: the next slot.
        next: i16,
    }
}

impl Links {
    /// The links of used slot `index` of `count`; `None` when a slot number does not fit.
    pub fn used(index: usize, count: usize) -> Option<Self> {
        let next = i16::try_from(index).ok()?.checked_sub(1)?;
        Some(Self {
            prev: Self::slot_before_end(index.checked_add(1)?, count)?,
            next,
        })
    }

    /// The links of free slot `index`, the first free one being `first` and the array holding
    /// `slots`; `None` when a slot number does not fit.
    pub fn free(index: usize, first: usize, slots: usize) -> Option<Self> {
        let before = i16::try_from(index.saturating_sub(1)).ok()?;
        Some(Self {
            prev: if index == first { -1 } else { before },
            next: Self::slot_before_end(index.checked_add(1)?, slots)?,
        })
    }

    fn slot_before_end(index: usize, end: usize) -> Option<i16> {
        if index < end {
            i16::try_from(index).ok()
        } else {
            Some(-1)
        }
    }
}

relicast_codec::record! {
    /// Head of a texture cycle, 28 bytes.
    pub struct CycleRecord[28, 28, 28, 28] in ZipperGame {
        /// Offset 0: 1 if the cycle loops, else 0.
        looping: u32 [within 0..=1],
        /// Offset 4: number of the game's frame in which the cycle last advanced; not an index into the textures.
        current_frame: i32,
        /// Offset 8: position in the list at the start; 0 in every file seen.
        current_index: F32 [zero],
        /// Offset 12: textures per second; 0 where the game chooses the texture.
        speed: F32,
        /// Offset 16: number of textures; recomputed when writing.
        tex_map_count: i32 [within 1..],
        /// Offset 20: equal to `tex_map_count`.
        tex_map_index: i32,
        /// Offset 24: stale address.
        tex_map_ptr: u32 [nonzero],
    }
}

/// Texture cycle of a material. Before the cycle starts, the material shows its own texture.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cycle {
    /// Head of the list.
    pub record: CycleRecord,
    /// Texture indices in display order.
    pub textures: Vec<i32>,
}

impl Cycle {
    /// Visits the record and its lists.
    pub(super) fn visit<'a, S: Stream<'a>>(
        &mut self,
        name: &'static str,
        stream: &mut S,
        version: ZipperGame,
    ) -> codec::Result<()> {
        if !S::READING {
            self.record.tex_map_count = counted("tex_map_count", self.textures.len())?;
        }
        let offset = stream.position();
        self.record.visit(name, stream, version)?;
        let CycleRecord {
            tex_map_count,
            tex_map_index,
            ..
        } = self.record;
        let count = usize::try_from(tex_map_count).map_err(|_| {
            FormatError::malformed("tex_map_count", offset, "a count", tex_map_count)
        })?;
        if S::READING && tex_map_index != tex_map_count {
            stream.deviate("tex_map_index", offset, tex_map_count, tex_map_index);
        }
        stream.values("textures", &mut self.textures, count)
    }
}

/// A used slot.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Material {
    /// The material itself.
    pub record: MaterialRecord,
    /// Its neighbors in the list of used slots.
    pub links: Links,
    /// Texture cycle; present if and only if `record.cycle_ptr` is not null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<Cycle>,
}

impl Material {
    /// Index of the texture; `None` for a plain color.
    pub fn texture(&self) -> Option<usize> {
        let textured = self.record.is_textured();
        usize::try_from(self.record.texture_index)
            .ok()
            .filter(|_| textured)
    }
}

/// A free slot.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FreeMaterial {
    /// Its neighbors in the list of free slots.
    pub links: Links,
    /// Content of the slot, when it is not the blank record of a free slot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residue: Option<Box<MaterialRecord>>,
}

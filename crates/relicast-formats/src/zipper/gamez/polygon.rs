//! Polygons and the arrays that follow their records.

use std::fmt::{self, Debug};

use bitflags::bitflags;
use serde::{Serialize, Serializer};
use smallvec::{SmallVec, smallvec};

use crate::zipper::ZipperGame;
use relicast_codec::{
    Field, FixedSize, FormatError, NumericEq, Result, Sizes, Stream, Vec2, Vec3, shown,
};

use super::flags::{ByGame, GameFlags};
use super::lists::{counted, values_if};

bitflags! {
    /// Flags of a polygon.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct PolygonFlags: u32 {
        /// Visible from both sides.
        const SHOW_BACKFACE = 1;
        /// Normal indices follow.
        const NORMALS = 2;
        /// The corners form a triangle strip, otherwise one polygon. Not in Recoil.
        const TRI_STRIP = 4;
        /// Unknown; in Crimson Skies set for nodes named `…no_clutter…`. Pirate's Moon and later.
        const UNK3 = 8;
        /// Unknown. Pirate's Moon and later.
        const IN_OUT = 16;
    }
}

impl GameFlags for PolygonFlags {
    fn bits_in(version: ZipperGame) -> &'static [(Self, u32)] {
        match version {
            ZipperGame::Recoil => &[(Self::SHOW_BACKFACE, 1 << 8), (Self::NORMALS, 1 << 9)],
            ZipperGame::MechWarrior3 => &[
                (Self::SHOW_BACKFACE, 1 << 8),
                (Self::NORMALS, 1 << 9),
                (Self::TRI_STRIP, 1 << 10),
            ],
            ZipperGame::PiratesMoon | ZipperGame::CrimsonSkies => &[
                (Self::SHOW_BACKFACE, 1 << 10),
                (Self::UNK3, 1 << 11),
                (Self::NORMALS, 1 << 12),
                (Self::TRI_STRIP, 1 << 13),
                (Self::IN_OUT, 1 << 14),
            ],
        }
    }
}

/// First word of a polygon: number of corners and flags.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Corners {
    /// Number of corners; recomputed when writing.
    pub count: u32,
    /// Flags.
    pub flags: ByGame<PolygonFlags>,
}

impl Field<ZipperGame> for Corners {
    const SIZES: Sizes = [4; 4];

    #[inline]
    fn visit<'a, S: Stream<'a>>(
        &mut self,
        name: &'static str,
        stream: &mut S,
        version: ZipperGame,
    ) -> Result<()> {
        let at = stream.position();
        let mask = version.corner_mask();
        let mut word = 0_u32;
        if !S::READING {
            if self.count > mask {
                let expected = format_args!("at most {mask} corners");
                return Err(FormatError::unencodable(name, at, expected, self.count));
            }
            word = self.flags.encoded(name, at, version)? | self.count;
        }
        stream.value(name, &mut word)?;
        if S::READING {
            self.count = word & mask;
            self.flags = PolygonFlags::split(word & !mask, version);
            if self.flags.unknown != 0 || self.count < 3 {
                let expected = "at least 3 corners and known flags";
                stream.deviate(name, at, expected, format_args!("{word:#x}"));
            }
        }
        Ok(())
    }
}

/// Up to three zones, 4 bytes: their number, then one signed id a byte; -1 means any. Unused ids
/// are 0xFF.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ZoneSet(pub u32);

impl ZoneSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0xFFFF_FF00);

    /// The set of up to three zones; further ones are left out.
    pub fn new(zones: &[i8]) -> Self {
        let mut bytes = [0, 0xFF, 0xFF, 0xFF];
        let [count, ids @ ..] = &mut bytes;
        for (id, zone) in ids.iter_mut().zip(zones) {
            *id = zone.cast_unsigned();
            *count = u8::saturating_add(*count, 1);
        }
        Self(u32::from_le_bytes(bytes))
    }

    /// The zones.
    pub fn zones(self) -> impl Iterator<Item = i8> {
        let [count, ids @ ..] = self.0.to_le_bytes();
        ids.into_iter()
            .take(usize::from(count))
            .map(u8::cast_signed)
    }

    /// False when the count is above 3 or an unused id is not 0xFF.
    pub fn is_regular(self) -> bool {
        let [count, ids @ ..] = self.0.to_le_bytes();
        count <= 3 && ids.iter().skip(usize::from(count)).all(|&id| id == 0xFF)
    }
}

impl Default for ZoneSet {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Debug for ZoneSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_regular() {
            formatter.debug_list().entries(self.zones()).finish()
        } else {
            write!(formatter, "{:#010x}", self.0)
        }
    }
}

relicast_codec::json_form!(ZoneSet = {"description": "Numbers of the zones; the stored word where it is no set of zones", "anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "integer"}]});

impl Serialize for ZoneSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        if self.is_regular() {
            serializer.collect_seq(self.zones())
        } else {
            serializer.serialize_u32(self.0)
        }
    }
}

impl NumericEq for ZoneSet {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl FixedSize for ZoneSet {
    const SIZE: usize = 4;

    #[inline]
    fn load(bytes: &[u8]) -> Option<Self> {
        u32::load(bytes).map(Self)
    }

    #[inline]
    fn store(self, out: &mut Vec<u8>) {
        self.0.store(out);
    }
}

relicast_codec::record! {
    /// Record of a polygon: 28 · 36 · 40 bytes.
    pub struct PolygonRecord[28, 36, 40, 40] in ZipperGame {
        /// Offset 0: number of corners and flags.
        corners: Corners,
        /// Offset 4: priority among faces in one plane: the highest covers the others; -50 to 50.
        priority: i32 [within -50..=50],
        /// Offset 8: stale address.
        vertex_indices_ptr: u32 [nonzero],
        /// Offset 12: stale address, non-null if and only if there are normals.
        normal_indices_ptr: u32,
        /// Offset - · - · 16: number of materials; recomputed when writing.
        material_count: u32 [since PiratesMoon] [within 1..],
        /// Offset - · - · 20: stale address.
        materials_ptr: u32 [since PiratesMoon] [nonzero],
        /// Offset 16 · 16 · 24: stale address; texture coordinates follow if it is not null.
        uvs_ptr: u32,
        /// Offset - · 20 · 28: stale address.
        vertex_colors_ptr: u32 [since MechWarrior3] [nonzero],
        /// Offset - · 24 · 32: stale address, of a material reference in the later games.
        matl_refs_ptr: u32 [since MechWarrior3] [nonzero],
        /// Offset 20 · 28 · -: the only material; recomputed when writing.
        material_index: i32 [until MechWarrior3],
        /// Offset 24 · 32 · 36: zones that the polygon is in.
        zone_set: ZoneSet,
    }
}

/// Short list of a polygon, stored inline, because most polygons have three or four corners and one material, and a
/// world has hundreds of thousands of them.
pub type PerCorner<T> = SmallVec<[T; 4]>;

/// A polygon. Corners run counter-clockwise seen from the front.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Polygon {
    /// The record.
    pub record: PolygonRecord,
    /// One index into the model's vertices a corner.
    pub vertex_indices: PerCorner<u32>,
    /// One index into the model's normals a corner; empty without [`PolygonFlags::NORMALS`].
    pub normal_indices: PerCorner<u32>,
    /// Materials: the base, then overlays drawn over the same face. One in Recoil and MechWarrior 3.
    pub materials: PerCorner<i32>,
    /// Texture coordinates, v down: for each material in turn one pair per corner; empty when
    /// `record.uvs_ptr` is null.
    pub uvs: PerCorner<Vec2>,
    /// Baked light, red, green, blue, 0 to 255, one per corner; empty in Recoil.
    pub colors: PerCorner<Vec3>,
}

impl Polygon {
    /// The flags that have a name.
    pub fn flags(&self) -> PolygonFlags {
        self.record.corners.flags.known
    }

    /// Number of corners.
    pub fn corners(&self) -> usize {
        self.vertex_indices.len()
    }

    /// Each material with its texture coordinates, one pair per corner; none when the polygon has no
    /// coordinates.
    pub fn layers(&self) -> impl Iterator<Item = (i32, Option<&[Vec2]>)> {
        let corners = self.corners();
        self.materials
            .iter()
            .enumerate()
            .map(move |(layer, &material)| {
                let start = layer.saturating_mul(corners);
                let uvs = self.uvs.get(start..start.saturating_add(corners));
                (material, uvs.filter(|uvs| !uvs.is_empty()))
            })
    }

    pub(super) fn visit_record<'a, S: Stream<'a>>(
        &mut self,
        stream: &mut S,
        version: ZipperGame,
    ) -> Result<()> {
        if !S::READING {
            self.count_arrays(version)?;
        }
        let offset = stream.position();
        self.record.visit("", stream, version)?;
        if S::READING {
            let pointer = self.record.normal_indices_ptr;
            if self.flags().contains(PolygonFlags::NORMALS) != (pointer != 0) {
                let found = format_args!("{pointer:#x} with {}", shown(self.flags()));
                stream.deviate(
                    "normal_indices_ptr",
                    offset,
                    "null if and only if NORMALS is not set",
                    found,
                );
            }
            if !self.record.zone_set.is_regular() {
                let found = shown(&self.record.zone_set);
                stream.deviate("zone_set", offset, "up to 3 zones, then 0xFF", found);
            }
        }
        Ok(())
    }

    fn count_arrays(&mut self, version: ZipperGame) -> Result<()> {
        self.record.corners.count = counted("vertex_indices", self.vertex_indices.len())?;
        if version.since(ZipperGame::PiratesMoon) {
            self.record.material_count = counted("materials", self.materials.len())?;
        } else if let [material] = *self.materials {
            self.record.material_index = material;
        } else {
            let found = self.materials.len();
            return Err(FormatError::unencodable(
                "materials",
                0,
                "one material",
                found,
            ));
        }
        Ok(())
    }

    /// The arrays after all records of the model.
    pub(super) fn visit_arrays<'a, S: Stream<'a>>(
        &mut self,
        stream: &mut S,
        version: ZipperGame,
    ) -> Result<()> {
        let corners = self.record.corners.count as usize;
        let normals = self.flags().contains(PolygonFlags::NORMALS);
        stream.values("vertex_indices", &mut self.vertex_indices, corners)?;
        values_if(
            stream,
            normals,
            "normal_indices",
            &mut self.normal_indices,
            corners,
        )?;
        let layers = if version.since(ZipperGame::PiratesMoon) {
            let layers = self.record.material_count as usize;
            stream.values("materials", &mut self.materials, layers)?;
            layers
        } else {
            if S::READING {
                self.materials = smallvec![self.record.material_index];
            }
            1
        };
        let uvs = corners.saturating_mul(layers);
        values_if(stream, self.record.uvs_ptr != 0, "uvs", &mut self.uvs, uvs)?;
        values_if(
            stream,
            version.since(ZipperGame::MechWarrior3),
            "colors",
            &mut self.colors,
            corners,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zone_sets_pack_signed_ids_byte_by_byte() {
        assert_eq!(ZoneSet::new(&[]), ZoneSet::EMPTY);
        let set = ZoneSet::new(&[-1, 4]);
        assert_eq!(set.0.to_le_bytes(), [2, 0xFF, 4, 0xFF]);
        assert_eq!(set.zones().collect::<Vec<_>>(), [-1, 4]);
        assert!(set.is_regular());
        assert!(!ZoneSet(0).is_regular());
        assert!(!ZoneSet(9).is_regular());
    }

    #[test]
    fn flags_keep_bits_without_a_name() {
        for version in ZipperGame::ALL {
            for word in [0_u32, 3, 0x0000_1604, 0xFFFF_FFFF, 0x8000_7FFF] {
                let bytes = word.to_le_bytes();
                let mut reader = relicast_codec::Reader::new(&bytes);
                let mut corners = Corners::default();
                corners.visit("corners", &mut reader, version).unwrap();
                let mut writer = relicast_codec::Writer::default();
                corners.visit("corners", &mut writer, version).unwrap();
                assert_eq!(writer.into_bytes(), bytes);
            }
        }
    }

    #[test]
    fn a_game_without_a_flag_refuses_it() {
        let strip = ByGame::from(PolygonFlags::TRI_STRIP);
        assert_eq!(strip.word(ZipperGame::Recoil), None);
        assert_eq!(strip.word(ZipperGame::MechWarrior3), Some(0x400));
        assert_eq!(strip.word(ZipperGame::CrimsonSkies), Some(0x2000));
    }
}

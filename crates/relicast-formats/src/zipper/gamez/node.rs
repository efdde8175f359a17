//! The record that all nodes share.
//!
//! Several numbers, as in `16 · 16 · 12`, are those of Recoil, MechWarrior 3, and both later games (notation of
//! [`record!`](macro@relicast_codec::record#versions)). Worlds of version 13 are those of Recoil's demos, see
//! `EARLY_VERSION`.

use bitflags::bitflags;
use serde::{Serialize, Serializer};

use crate::zipper::ZipperGame;
use relicast_codec::{
    self as codec, self, Blob, Box3, F32, Field, FixedSize, FormatError, Sizes, Stream, Vec3,
};

use super::early::NodeBounds;
use super::model::gap_is_empty;
use super::name::NodeName;
use super::node_class::NodeClass;
use super::node_data::NodeData;

bitflags! {
    /// Flags of a node, the same in all games.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct NodeFlags: u32 {
        /// Drawn from the start; others are switched on later.
        const ACTIVE = 1 << 2;
        /// Ground for vehicles.
        const ALTITUDE_SURFACE = 1 << 3;
        /// Objects and shots collide with its polygons.
        const INTERSECT_SURFACE = 1 << 4;
        /// The box stands in for the polygons in collisions.
        const INTERSECT_BBOX = 1 << 5;
        /// Never set in files.
        const PROXIMITY = 1 << 6;
        /// Visible from any distance.
        const LANDMARK = 1 << 7;
        /// `node_bbox` is valid.
        const BBOX_NODE = 1 << 8;
        /// `model_bbox` is valid.
        const BBOX_MODEL = 1 << 9;
        /// `child_bbox` is valid.
        const BBOX_CHILD = 1 << 10;
        /// Foliage (Crimson Skies).
        const FLUFF = 1 << 12;
        /// Terrain.
        const TERRAIN = 1 << 15;
        /// Explosions may dent it.
        const CAN_MODIFY = 1 << 16;
        /// Clips the outlines of craters.
        const CLIP_TO = 1 << 17;
        /// Each ancestor has one parent, up to the world; set on nearly every node.
        const TREE_VALID = 1 << 19;
        /// Drawn after and over everything else, with its descendants.
        const OVERWRITE = 1 << 23;
        /// Queries of the ground's height test the node's zone.
        const ID_ZONE_CHECK = 1 << 24;
        /// State of the running engine: moved in this frame; set on nearly every object.
        const MOVED = 1 << 25;
        /// Unknown.
        const UNK28 = 1 << 28;
    }
}

relicast_codec::plain_flags!(NodeFlags: u32);

relicast_codec::open_enum! {
    /// The active box of a node.
    pub enum ActiveBox: u32 {
        /// `node_bbox`
        Node = 0,
        /// `model_bbox`
        Model = 1,
        /// `child_bbox`
        Child = 2,
    }
}

/// Zone of a node, 4 bytes of which only the low one is used. A node is drawn when its zone is -1 or the camera is
/// in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ZoneId(pub u32);

impl ZoneId {
    /// The zone that is always drawn.
    pub const ANY: Self = Self(0xFF);

    /// The zone; -1 for any.
    pub fn id(self) -> i8 {
        let [low, ..] = self.0.to_le_bytes();
        low.cast_signed()
    }
}

relicast_codec::json_form!(ZoneId = {"description": "Number of the zone; -1 for all", "type": "integer"});

impl Serialize for ZoneId {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.0 {
            0..=0xFF => serializer.serialize_i8(self.id()),
            word => serializer.serialize_u32(word),
        }
    }
}

impl FixedSize for ZoneId {
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

/// Cell of the world that a node is in: column from the left edge, row from the bottom edge (the largest z), two `i32`
/// in Recoil and MechWarrior 3 and two `i16` in later games; -1 for none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AreaPartition {
    /// Column, towards positive x.
    pub x: i32,
    /// Row; row 0 is at the largest z.
    pub z: i32,
}

impl AreaPartition {
    /// In no cell.
    pub const NONE: Self = Self { x: -1, z: -1 };

    /// Column and row; `None` unless both are at least 0.
    pub fn cell(self) -> Option<(usize, usize)> {
        Some((usize::try_from(self.x).ok()?, usize::try_from(self.z).ok()?))
    }
}

impl Field<ZipperGame> for AreaPartition {
    const SIZES: Sizes = [8, 8, 4, 4];

    fn visit<'a, S: Stream<'a>>(
        &mut self,
        name: &'static str,
        stream: &mut S,
        version: ZipperGame,
    ) -> codec::Result<()> {
        for part in [&mut self.x, &mut self.z] {
            if version.since(ZipperGame::PiratesMoon) {
                let at = stream.position();
                let mut short = if S::READING {
                    0
                } else {
                    i16::try_from(*part)
                        .map_err(|_| FormatError::unencodable(name, at, "16 bits", *part))?
                };
                stream.value(name, &mut short)?;
                *part = i32::from(short);
            } else {
                stream.value(name, part)?;
            }
        }
        Ok(())
    }
}

/// Numbers of parents and children of a node, 16 · 16 · 12 bytes. Except for empty nodes, writing
/// recomputes the counts from the index lists of [`Node`] where the file stores these lists.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Relations {
    /// Offset 84: number of parents; 16 bits in the later games.
    pub parent_count: u32,
    /// Offset 88: stale address, null without parents.
    pub parent_array_ptr: u32,
    /// Offset 92 · 92 · 86: number of children; 16 bits in the later games.
    pub child_count: u32,
    /// Offset 96 · 96 · 92: stale address, null without children.
    pub child_array_ptr: u32,
}

impl Field<ZipperGame> for Relations {
    const SIZES: Sizes = [16, 16, 12, 12];

    fn visit<'a, S: Stream<'a>>(
        &mut self,
        _name: &'static str,
        stream: &mut S,
        version: ZipperGame,
    ) -> codec::Result<()> {
        if version.until(ZipperGame::MechWarrior3) {
            stream.value("parent_count", &mut self.parent_count)?;
            stream.value("parent_array_ptr", &mut self.parent_array_ptr)?;
            stream.value("child_count", &mut self.child_count)?;
            return stream.value("child_array_ptr", &mut self.child_array_ptr);
        }
        for (name, count) in [
            ("parent_count", &mut self.parent_count),
            ("child_count", &mut self.child_count),
        ] {
            let at = stream.position();
            let mut short = if S::READING {
                0
            } else {
                u16::try_from(*count)
                    .map_err(|_| FormatError::unencodable(name, at, "16 bits", *count))?
            };
            stream.value(name, &mut short)?;
            *count = u32::from(short);
        }
        stream.value("parent_array_ptr", &mut self.parent_array_ptr)?;
        stream.value("child_array_ptr", &mut self.child_array_ptr)
    }
}

relicast_codec::record! {
    /// Record of a node: 192 · 208 · 208 bytes; 264 in worlds of version 13 (Recoil's demos).
    pub struct NodeRecord[192, 208, 208, 208] in ZipperGame {
        /// Offset 0: name; may repeat. The engines look names up from the highest slot down.
        name: NodeName,
        /// Offset 36: flags.
        flags: NodeFlags,
        /// Offset 40: always 0, except in Crimson Skies.
        field040: u32 [zero, until PiratesMoon],
        /// Offset 44: dirty bits of the engine.
        update_flags: u32,
        /// Offset 48: zone.
        zone_id: ZoneId,
        /// Offset 52: class of the node; follows from its data when writing.
        class: NodeClass,
        /// Offset 56: stale address, null for empty nodes.
        data_ptr: u32,
        /// Offset 60: slot of the model, -1 without one. In a mechlib (archive of 'mech models) a stale
        /// address: a model follows if it is not 0.
        model_index: i32,
        /// Offset 64: always 0.
        environment_data: u32 [zero],
        /// Offset 68: always 1.
        action_priority: u32 [always 1],
        /// Offset 72: always 0.
        action_callback: u32 [zero],
        /// Offset 76: cell of the world.
        area_partition: AreaPartition,
        /// Offset - · - · 80: column and row in the virtual grid, probably counted from 1;
        /// 0 for none.
        virtual_partition: [i16; 2] [since PiratesMoon],
        /// Offset 84: parents and children.
        relations: Relations,
        /// Offset 100 · 100 · 96: always 0.
        bbox_mid: Vec3 [zero],
        /// Offset 112 · 112 · 108: always 0.
        bbox_diag: F32 [zero],
        /// Offset - · - · 112: the active box.
        active_bbox: ActiveBox [since PiratesMoon],
        /// Offset 116: box of node and children. In worlds of version 13 its corners, so that all following fields
        /// are 72 bytes further on.
        node_bbox: NodeBounds,
        /// Offset 140: box of the model.
        model_bbox: Box3,
        /// Offset 164: box of the children.
        child_bbox: Box3,
        /// Offset 188: always 0.
        activation_ptr: u32 [zero],
        /// Offset - · 192 · 192: always 0.
        field192: i32 [since MechWarrior3] [zero],
        /// Offset - · 196 · 196: 160 for empty, object and detail nodes, else 0.
        field196: i32 [since MechWarrior3],
        /// Offset - · 200 · 200: always 0.
        field200: i32 [since MechWarrior3] [zero],
        /// Offset - · 204 · 204: always 0.
        field204: i32 [since MechWarrior3] [zero],
    }
}

/// A node.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Node {
    /// The record.
    pub record: NodeRecord,
    /// Stale link of a free list. Recoil and MechWarrior 3 store it for empty nodes only, where it
    /// most likely names the next free slot; mechlibs have none.
    pub link: u32,
    /// Unassigned bytes before the data; empty in every file seen.
    #[serde(skip_serializing_if = "gap_is_empty")]
    pub gap: Blob<'static>,
    /// Data of the class.
    pub data: NodeData,
    /// Indices of parents: none or one, rarely more. A node without parents that is in a partition belongs to the
    /// world, any other is a template for objects made at run time.
    pub parents: Vec<u32>,
    /// Indices of children.
    pub children: Vec<u32>,
}

impl Node {
    /// The name.
    pub fn name(&self) -> String {
        self.record.name.text()
    }

    /// The flags.
    pub fn flags(&self) -> NodeFlags {
        self.record.flags
    }

    /// The box around the node and its descendants, in its own space:
    ///
    /// - Recoil and MechWarrior 3: `node_bbox`;
    /// - Pirate's Moon and Crimson Skies: the box that `active_bbox` selects;
    /// - if that box is empty, the one of the three with the longest diagonal;
    /// - `None` if all three are empty.
    ///
    /// Worlds of version 13 store `node_bbox` in the space of the parent; for them, the box around the other two
    /// replaces it.
    pub fn bounds(&self, version: ZipperGame) -> Option<Box3> {
        let record = &self.record;
        let stored = record.node_bbox.stored_box();
        let node_bbox = stored.unwrap_or_else(|| joined(&record.model_bbox, &record.child_bbox));
        let all = [node_bbox, record.model_bbox, record.child_bbox];
        let diagonal = |bounds: &Box3| {
            let (min, max) = (bounds.min.to_array(), bounds.max.to_array());
            let sides = min
                .iter()
                .zip(max)
                .map(|(min, max)| f64::from(max) - f64::from(*min));
            let squared: f64 = sides.map(|side| side * side).sum();
            Some(squared).filter(|squared| squared.is_finite() && *squared > 0.0)
        };
        let picked = match (version, record.active_bbox) {
            (ZipperGame::Recoil | ZipperGame::MechWarrior3, _) | (_, ActiveBox::Node) => 0,
            (_, ActiveBox::Model) => 1,
            (_, ActiveBox::Child) => 2,
            (_, ActiveBox::Other(_)) => all.len(),
        };
        let picked = all.get(picked).filter(|bounds| diagonal(bounds).is_some());
        let largest = || {
            let filled = all.iter().filter(|bounds| diagonal(bounds).is_some());
            filled.max_by(|one, other| {
                let sizes = [one, other].map(|bounds| diagonal(bounds).unwrap_or_default());
                sizes[0].total_cmp(&sizes[1])
            })
        };
        picked.or_else(largest).copied()
    }

    /// Slot of the model; `None` without one. Not for mechlibs.
    pub fn model(&self) -> Option<usize> {
        usize::try_from(self.record.model_index).ok()
    }
}

/// The box around two boxes; empty ones are ignored.
fn joined(one: &Box3, other: &Box3) -> Box3 {
    let nothing = Box3::default();
    if *one == nothing || *other == nothing {
        return if *one == nothing { *other } else { *one };
    }
    let both = |pick: fn(f32, f32) -> f32, one: Vec3, other: Vec3| {
        let ([a, b, c], [d, e, f]) = (one.to_array(), other.to_array());
        Vec3::from([pick(a, d), pick(b, e), pick(c, f)])
    };
    Box3 {
        min: both(f32::min, one.min, other.min),
        max: both(f32::max, one.max, other.max),
    }
}

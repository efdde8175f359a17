//! Materials and the texture lists of animated ones.

use bitflags::bitflags;
use serde::Serialize;

use crate::formats::codec::{
    self, Decoded, F32, Field, FormatError, NumericEq, Reader, Stream, Vec3, Writer,
};
use crate::formats::zipper::ZipperGame;

use super::lists::counted;
use super::section::Section;

bitflags! {
    /// Flags of a material, 1 byte.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct MaterialFlags: u8 {
        /// Has a texture; otherwise a plain colour.
        const TEXTURED = 0x01;
        /// Unknown in three games; in Crimson Skies the surface takes bullet-hole decals.
        const UNK1 = 0x02;
        /// Has a list of textures to run through.
        const CYCLED = 0x04;
        /// Set on every used slot, except in Recoil.
        const ALWAYS = 0x10;
        /// Set on every free slot, except in Recoil.
        const FREE = 0x20;
    }
}

crate::plain_flags!(MaterialFlags: u8);

crate::open_enum! {
    /// What the ground is made of. The first six are built into the engines, the others come from
    /// a list of each game, see [`Soil::label`].
    pub enum Soil: u32 {
        /// 0
        Default = 0,
        /// 1
        Water = 1,
        /// 2
        Seafloor = 2,
        /// 3
        Quicksand = 3,
        /// 4
        Lava = 4,
        /// 5
        Fire = 5,
    }
}

impl Soil {
    /// Largest id seen.
    pub const LAST: u32 = 13;

    /// Name of the soil; `None` for ids that the game's files give no name. Recoil loads its
    /// names beyond the built-in ones at run time.
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

crate::record! {
    /// A material without its place in a list, 40 bytes.
    pub struct MaterialRecord[40, 40, 40, 40] in ZipperGame {
        /// Offset 0: opacity 0 to 255; 255 when textured.
        alpha: u8,
        /// Offset 1: flags.
        flags: MaterialFlags,
        /// Offset 2: 0x7FFF when textured, else 0.
        rgb: u16,
        /// Offset 4: red, green, blue, 0 to 255; white when textured.
        color: Vec3,
        /// Offset 16: index of the texture, 0 without one. In a mechlib a stale address.
        texture_index: i32,
        /// Offset 20: always 0.
        field20: F32 [zero],
        /// Offset 24: always 0.5.
        field24: F32 [always F32(0.5)],
        /// Offset 28: always 0.5.
        field28: F32 [always F32(0.5)],
        /// Offset 32: ground type.
        soil: Soil,
        /// Offset 36: not null exactly when textures are cycled.
        cycle_ptr: u32,
    }
}

impl MaterialRecord {
    /// Tells whether the material has a texture.
    pub fn is_textured(&self) -> bool {
        self.flags.contains(MaterialFlags::TEXTURED)
    }

    /// The constants of a used slot.
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
            optional |= MaterialFlags::UNK1 | MaterialFlags::CYCLED;
        }
        if self.flags.difference(optional) != always {
            let expected = format_args!("{always:?} and of {optional:?}");
            stream.deviate("flags", offset, expected, format_args!("{:?}", self.flags));
        }
        let white = Vec3::from([255.0; 3]);
        if self.is_textured() {
            if self.alpha != 255 || self.rgb != 0x7FFF || !self.color.same(&white) {
                let found = (self.alpha, self.rgb, self.color);
                stream.deviate("color", offset, "opaque white", format_args!("{found:?}"));
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
                stream.deviate(
                    "color",
                    offset,
                    "0 to 255",
                    format_args!("{:?}", self.color),
                );
            }
        }
        if self.soil.code() > Soil::LAST {
            stream.deviate(
                "soil",
                offset,
                format_args!("0..={}", Soil::LAST),
                self.soil.code(),
            );
        }
        if (self.cycle_ptr != 0) != self.flags.contains(MaterialFlags::CYCLED) {
            let found = format_args!("{:#x} with {:?}", self.cycle_ptr, self.flags);
            stream.deviate("cycle_ptr", offset, "null without CYCLED only", found);
        }
    }
}

crate::record! {
    /// Neighbours in one of two doubly linked lists, 4 bytes: used slots run from high to low,
    /// free ones from low to high; -1 ends a list.
    pub struct Links[4, 4, 4, 4] in ZipperGame {
        /// Offset 0: the slot before.
        prev: i16,
        /// Offset 2: the slot after.
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

crate::record! {
    /// Head of a list of textures to run through, 28 bytes.
    pub struct CycleRecord[28, 28, 28, 28] in ZipperGame {
        /// Offset 0: 1 when the list starts over.
        looping: u32 [within 0..=1],
        /// Offset 4: stamp of the frame in which the cycle last moved on; not a picture's number.
        current_frame: i32,
        /// Offset 8: position in the list at the start; 0 in every file seen.
        current_index: F32 [zero],
        /// Offset 12: frames per second; 0 where the game chooses the picture.
        speed: F32,
        /// Offset 16: number of textures; recomputed when writing.
        tex_map_count: i32 [within 1..],
        /// Offset 20: as the number of textures.
        tex_map_index: i32,
        /// Offset 24: stale address.
        tex_map_ptr: u32 [nonzero],
    }
}

/// Textures that a material runs through. At rest it shows its own texture.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Cycle {
    /// Head of the list.
    pub record: CycleRecord,
    /// Texture indices in order of show.
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
pub struct Material {
    /// The material itself.
    pub record: MaterialRecord,
    /// Its neighbours in the list of used slots.
    pub links: Links,
    /// Textures to run through; present exactly when `record.cycle_ptr` is not null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<Cycle>,
}

impl Material {
    /// Index of the texture; `None` for a plain colour.
    pub fn texture(&self) -> Option<usize> {
        let textured = self.record.is_textured();
        usize::try_from(self.record.texture_index)
            .ok()
            .filter(|_| textured)
    }
}

/// A free slot.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FreeMaterial {
    /// Its neighbours in the list of free slots.
    pub links: Links,
    /// What the slot holds, when it is not the blank record of a free slot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residue: Option<Box<MaterialRecord>>,
}

crate::record! {
    /// Head of the material section, 16 bytes.
    pub struct MaterialArray[16, 16, 16, 16] in ZipperGame {
        /// Offset 0: number of slots as stated. In worlds of Crimson Skies it may be the number of used
        /// ones; the free slots are stored all the same.
        array_size: i32,
        /// Offset 4: number of used slots; recomputed when writing.
        count: i32,
        /// Offset 8: first free slot.
        index_free: i32,
        /// Offset 12: last used slot.
        index_last: i32,
    }
}

/// The material section.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Materials {
    /// Head of the section.
    pub array: MaterialArray,
    /// Used slots.
    pub used: Vec<Material>,
    /// Free slots, which follow the used ones.
    pub free: Vec<FreeMaterial>,
}

const SLOT: usize = 44;

/// Most slots that links can number.
const MOST_SLOTS: usize = i16::MAX as usize;

/// How the number of stored slots is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// As the head states it.
    Stated,
    /// By the links: the list of free slots, which follow the used ones, ends with -1.
    Linked,
}

fn blank(version: ZipperGame) -> MaterialRecord {
    let mut record = MaterialRecord::default();
    if version != ZipperGame::Recoil {
        record.flags = MaterialFlags::FREE;
    }
    record
}

/// A slot as stored; the constants of used slots do not hold for free ones, so rules are checked
/// by the caller.
fn visit_slot<'a, S: Stream<'a>>(
    record: &mut MaterialRecord,
    links: &mut Links,
    stream: &mut S,
    version: ZipperGame,
) -> codec::Result<()> {
    record.visit("", stream, version)?;
    links.visit("", stream, version)
}

impl Materials {
    /// Checks used slot `index` of `count`.
    fn check<'a, S: Stream<'a>>(
        material: &Material,
        stream: &mut S,
        version: ZipperGame,
        offset: usize,
        (index, count, textures): (usize, usize, usize),
    ) {
        material.record.check(stream, version, offset);
        let found = material.record.texture_index;
        let fits = match material.record.is_textured() {
            true => usize::try_from(found).is_ok_and(|found| found < textures),
            false => found == 0,
        };
        if !fits {
            stream.deviate("texture_index", offset, "a texture of the file", found);
        }
        if Links::used(index, count).as_ref() != Some(&material.links) {
            stream.deviate(
                "links",
                offset,
                "the neighbours",
                format_args!("{:?}", material.links),
            );
        }
    }

    /// Number of slots that are stored.
    pub fn slots(&self) -> usize {
        self.used.len().saturating_add(self.free.len())
    }

    /// True when the head states the number of used slots in place of the stored ones, which are more.
    /// Worlds of Crimson Skies are said to do so.
    pub fn states_used_slots(&self) -> bool {
        !self.free.is_empty() && usize::try_from(self.array.array_size) == Ok(self.used.len())
    }

    fn read(
        reader: &mut Reader<'_>,
        version: ZipperGame,
        textures: usize,
        extent: Extent,
    ) -> codec::Result<Self> {
        let mut materials = Self::default();
        let offset = reader.position();
        materials.array.visit("array", reader, version)?;
        let MaterialArray {
            array_size, count, ..
        } = materials.array;
        let slots = match extent {
            Extent::Stated => usize::try_from(array_size)
                .map_err(|_| FormatError::malformed("array_size", offset, "a count", array_size))?,
            Extent::Linked => MOST_SLOTS,
        };
        let used = usize::try_from(count)
            .ok()
            .filter(|&used| used <= slots)
            .ok_or_else(|| {
                FormatError::malformed("count", offset, format_args!("0..={slots}"), count)
            })?;

        let mut index = 0_usize;
        reader.list("", &mut materials.used, used, SLOT, |reader, material| {
            let offset = reader.position();
            visit_slot(&mut material.record, &mut material.links, reader, version)?;
            Self::check(material, reader, version, offset, (index, used, textures));
            index = index.saturating_add(1);
            Ok(())
        })?;
        match extent {
            Extent::Stated => materials.read_free(reader, version, slots)?,
            Extent::Linked => materials.follow_free(reader, version)?,
        }
        materials.check_array(reader, version, offset);
        for (index, material) in materials.used.iter_mut().enumerate() {
            if material.record.cycle_ptr != 0 {
                let offset = reader.position();
                let mut cycle = Cycle::default();
                cycle
                    .visit("cycle", reader, version)
                    .map_err(|error| error.inside("cycle").within("", index))?;
                let known = |&texture: &i32| usize::try_from(texture).is_ok_and(|t| t < textures);
                if !cycle.textures.iter().all(known) {
                    reader.deviate("cycle.textures", offset, "textures of the file", "others");
                }
                material.cycle = Some(cycle);
            }
        }
        Ok(materials)
    }

    /// The head against the slots.
    fn check_array<'a, S: Stream<'a>>(&self, stream: &mut S, version: ZipperGame, offset: usize) {
        let MaterialArray {
            array_size,
            count,
            index_free,
            index_last,
        } = self.array;
        let free_head = if self.free.is_empty() { -1 } else { count };
        if index_free != free_head || index_last != count.saturating_sub(1) {
            let expected =
                format_args!("free from {free_head}, used to {}", count.saturating_sub(1));
            let found = format_args!("{index_free}, {index_last}");
            stream.deviate("array", offset, expected, found);
        }
        if self.free.is_empty() {
            stream.deviate("count", offset, "free slots at the end", count);
        }
        let known = version == ZipperGame::CrimsonSkies && self.states_used_slots();
        if usize::try_from(array_size) != Ok(self.slots()) && !known {
            let expected = format_args!("{}, the number of stored slots", self.slots());
            stream.deviate("array_size", offset, expected, array_size);
        }
    }

    /// Reads the slots from the first free one on to the last of `slots`.
    fn read_free(
        &mut self,
        reader: &mut Reader<'_>,
        version: ZipperGame,
        slots: usize,
    ) -> codec::Result<()> {
        let first = self.used.len();
        let free = slots.saturating_sub(first);
        let mut index = first;
        reader.list("free", &mut self.free, free, SLOT, |reader, slot| {
            let last = index.saturating_add(1) == slots;
            visit_free(reader, version, (index, first, last), slot)?;
            index = index.saturating_add(1);
            Ok(())
        })
    }

    /// Reads the slots from the first free one on to the one that ends their list, or to the end of the
    /// section.
    fn follow_free(&mut self, reader: &mut Reader<'_>, version: ZipperGame) -> codec::Result<()> {
        let first = self.used.len();
        for index in first..MOST_SLOTS {
            if reader.whole().len().saturating_sub(reader.position()) < SLOT {
                break;
            }
            let mut slot = FreeMaterial::default();
            let mut ahead = Reader::new(reader.whole());
            ahead.seek("", reader.position())?;
            visit_slot(
                &mut MaterialRecord::default(),
                &mut slot.links,
                &mut ahead,
                version,
            )?;
            let last = slot.links.next == -1;
            visit_free(reader, version, (index, first, last), &mut slot)
                .map_err(|error| error.within("free", index))?;
            self.free.push(slot);
            if last {
                break;
            }
        }
        Ok(())
    }
}

/// Reads free slot `index`, the first free one being `first`.
fn visit_free(
    reader: &mut Reader<'_>,
    version: ZipperGame,
    (index, first, last): (usize, usize, bool),
    slot: &mut FreeMaterial,
) -> codec::Result<()> {
    let offset = reader.position();
    let mut record = MaterialRecord::default();
    let mut quiet = Reader::new(reader.whole());
    quiet.seek("", offset)?;
    visit_slot(&mut record, &mut slot.links, &mut quiet, version)?;
    reader.seek("", quiet.position())?;
    if record != blank(version) {
        reader.deviate("free", offset, "a blank record", format_args!("{record:?}"));
        slot.residue = Some(Box::new(record));
    }
    let slots = index.saturating_add(if last { 1 } else { 2 });
    if Links::free(index, first, slots).as_ref() != Some(&slot.links) {
        let found = format_args!("{:?}", slot.links);
        reader.deviate("links", offset, "the neighbours", found);
    }
    Ok(())
}

/// Reads the section. Where the stated number of slots does not lead to `end`, slots are taken up to the
/// end of the list of free ones, be they fewer or more.
pub(super) fn decode(
    bytes: &[u8],
    version: ZipperGame,
    start: usize,
    end: usize,
    textures: usize,
) -> codec::Result<Decoded<Materials>> {
    let attempt = |extent| {
        let mut section = Section::new(bytes, start, end)?;
        let read = |reader: &mut Reader<'_>| Materials::read(reader, version, textures, extent);
        let materials = section.head(read)?;
        section.finish(materials)
    };
    attempt(Extent::Stated).or_else(|error| attempt(Extent::Linked).map_err(|_| error))
}

pub(super) fn encode(materials: &Materials, version: ZipperGame) -> codec::Result<Vec<u8>> {
    let mut writer = Writer::default();
    let mut array = materials.array.clone();
    array.count = counted("materials.count", materials.used.len())?;
    array.visit("array", &mut writer, version)?;
    for material in &materials.used {
        let (mut record, mut links) = (material.record.clone(), material.links.clone());
        visit_slot(&mut record, &mut links, &mut writer, version)?;
    }
    for slot in &materials.free {
        let mut record = slot
            .residue
            .as_deref()
            .cloned()
            .unwrap_or_else(|| blank(version));
        visit_slot(&mut record, &mut slot.links.clone(), &mut writer, version)?;
    }
    for (index, material) in materials.used.iter().enumerate() {
        if material.cycle.is_some() != (material.record.cycle_ptr != 0) {
            let at = writer.position();
            let expected = "a cycle exactly when its pointer is not null";
            return Err(FormatError::unencodable("cycle_ptr", at, expected, index));
        }
        if let Some(cycle) = &material.cycle {
            cycle.clone().visit("cycle", &mut writer, version)?;
        }
    }
    Ok(writer.into_bytes())
}

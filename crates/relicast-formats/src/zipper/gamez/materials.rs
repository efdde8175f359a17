//! The material section: used slots, then free ones, as linked lists.

use serde::Serialize;

use crate::zipper::ZipperGame;
use relicast_codec::{self as codec, Decoded, Field, FormatError, Reader, Stream, Writer, shown};

use super::lists::counted;
use super::material::{Cycle, FreeMaterial, Links, Material, MaterialFlags, MaterialRecord};
use super::section::Section;

relicast_codec::record! {
    /// Head of the material section, 16 bytes.
    pub struct MaterialArray[16, 16, 16, 16] in ZipperGame {
        /// Offset 0: number of slots as stated. In worlds of Crimson Skies it may be the number of used
        /// ones; the free slots are stored anyway.
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Materials {
    /// Head of the section.
    pub array: MaterialArray,
    /// Used slots.
    pub used: Vec<Material>,
    /// Free slots, which follow the used ones.
    pub free: Vec<FreeMaterial>,
}

const SLOT: usize = 44;

/// Maximum number of slots that links can address.
const MAX_SLOTS: usize = i16::MAX as usize;

/// Method of finding the number of stored slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// From the head.
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

/// A slot as stored. The constants of used slots do not hold for free ones, so the caller checks the rules.
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
        index: usize,
        count: usize,
        textures: usize,
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
            stream.deviate("links", offset, "the neighbors", shown(&material.links));
        }
    }

    /// The material that a polygon names; `None` for a free slot and one that does not exist.
    pub fn get(&self, index: i32) -> Option<&Material> {
        self.used.get(usize::try_from(index).ok()?)
    }

    /// Number of slots that are stored.
    pub fn slots(&self) -> usize {
        self.used.len().saturating_add(self.free.len())
    }

    /// True when the head states the number of used slots instead of the larger number of stored slots, as reported
    /// for worlds of Crimson Skies.
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
            Extent::Linked => MAX_SLOTS,
        };
        let used = usize::try_from(count)
            .ok()
            .filter(|&used| used <= slots)
            .ok_or_else(|| {
                FormatError::malformed("count", offset, format_args!("0 to {slots}"), count)
            })?;

        let mut index = 0_usize;
        reader.list("", &mut materials.used, used, SLOT, |reader, material| {
            let offset = reader.position();
            visit_slot(&mut material.record, &mut material.links, reader, version)?;
            Self::check(material, reader, version, offset, index, used, textures);
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

    /// Checks the head against the slots.
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
            visit_free(reader, version, index, first, last, slot)?;
            index = index.saturating_add(1);
            Ok(())
        })
    }

    /// Reads the slots from the first free one on to the one that ends their list, or to the end of the
    /// section.
    fn follow_free(&mut self, reader: &mut Reader<'_>, version: ZipperGame) -> codec::Result<()> {
        let first = self.used.len();
        for index in first..MAX_SLOTS {
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
            visit_free(reader, version, index, first, last, &mut slot)
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
    index: usize,
    first: usize,
    last: bool,
    slot: &mut FreeMaterial,
) -> codec::Result<()> {
    let offset = reader.position();
    let mut record = MaterialRecord::default();
    let mut quiet = Reader::new(reader.whole());
    quiet.seek("", offset)?;
    visit_slot(&mut record, &mut slot.links, &mut quiet, version)?;
    reader.seek("", quiet.position())?;
    if record != blank(version) {
        reader.deviate("free", offset, "a blank record", shown(&record));
        slot.residue = Some(Box::new(record));
    }
    let slots = index.saturating_add(if last { 1 } else { 2 });
    if Links::free(index, first, slots).as_ref() != Some(&slot.links) {
        let found = shown(&slot.links);
        reader.deviate("links", offset, "the neighbors", found);
    }
    Ok(())
}

/// Reads the section. Where the stated number of slots does not end at `end`, slots are read up to the end of the
/// free list.
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

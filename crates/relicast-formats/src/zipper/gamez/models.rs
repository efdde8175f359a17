//! The model section: an array of slots, then the data of the used ones.

use serde::Serialize;

use crate::depth::Depth;
use crate::zipper::ZipperGame;
use relicast_codec::{Blob, Decoded, Field, FormatError, Reader, Result, Stream, Writer};
use relicast_limits as limits;

use super::lists::counted;
use super::materials::Materials;
use super::model::{Model, ModelRecord};
use super::section::Section;

relicast_codec::record! {
    /// Head of the model section, 12 bytes.
    pub struct ModelArray[12, 12, 12, 12] in ZipperGame {
        /// Offset 0: number of slots; recomputed when writing.
        array_size: i32 [within 1..],
        /// Offset 4: number of used slots; recomputed when writing except in Crimson Skies.
        count: i32,
        /// Offset 8: first free slot, -1 without one.
        index_free: i32,
    }
}

/// A slot. Nodes refer to models by slot number.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ModelSlot {
    /// A model.
    Used(Box<Model>),
    /// No model.
    Free {
        /// The next free slot, -1 at the end.
        next: i32,
        /// Content of the slot, when that is not zeros.
        #[serde(skip_serializing_if = "Option::is_none")]
        residue: Option<Box<ModelRecord>>,
    },
}

/// The model section.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Models {
    /// Head of the section.
    pub array: ModelArray,
    /// Slots. Free ones follow the used ones, except in Crimson Skies, where they are anywhere.
    pub slots: Vec<ModelSlot>,
}

impl Models {
    /// The model in a slot; `None` for a free slot and one that does not exist.
    pub fn get(&self, slot: usize) -> Option<&Model> {
        match self.slots.get(slot)? {
            ModelSlot::Used(model) => Some(model),
            ModelSlot::Free { .. } => None,
        }
    }

    /// Every model with its slot number.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Model)> {
        let models = self.slots.iter().enumerate();
        models.filter_map(|(index, slot)| match slot {
            ModelSlot::Used(model) => Some((index, &**model)),
            ModelSlot::Free { .. } => None,
        })
    }

    /// Returns true if the free list visits every free slot once and ends.
    fn free_list_is_whole(&self) -> bool {
        let mut unseen = 0_usize;
        for slot in &self.slots {
            if matches!(slot, ModelSlot::Free { .. }) {
                unseen = unseen.saturating_add(1);
            }
        }
        let mut next = self.array.index_free;
        // A cyclic list never ends, so the loop stops when the list is too long.
        while let Ok(index) = usize::try_from(next) {
            match (self.slots.get(index), unseen.checked_sub(1)) {
                (Some(ModelSlot::Free { next: link, .. }), Some(left)) => {
                    next = *link;
                    unseen = left;
                }
                _ => return false,
            }
        }
        next == -1 && unseen == 0
    }
}

/// Removes the parts of a checked model that an outline does not have.
fn cut(model: &mut Model, depth: Depth) {
    if depth == Depth::Whole {
        return;
    }
    (model.normals, model.morphs, model.material_references) = Default::default();
    if model.polygons.len() > 1 {
        model.polygons = Vec::new();
    }
}

/// Models, and checks of the materials that their polygons name.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ReadModels {
    pub(super) models: Models,
    /// Slots of models whose polygons name unused materials.
    pub(super) misled: Vec<usize>,
}

pub(super) fn decode(
    bytes: &[u8],
    version: ZipperGame,
    start: usize,
    end: usize,
    materials: &Materials,
    depth: Depth,
) -> Result<Decoded<ReadModels>> {
    let mut section = Section::new(bytes, start, end)?;
    let (array, heads) = section.head(|reader| read_slots(reader, version))?;
    let mut models = Models {
        array,
        slots: Vec::with_capacity(heads.len()),
    };
    let mut misled = Vec::new();
    let size = ModelRecord::size(version).saturating_add(4);
    let first = start.saturating_add(ModelArray::size(version));
    let used_count = usize::try_from(models.array.count).unwrap_or_default();
    let is_used = |index: usize, head: &SlotHead| match version.scatters_models() {
        true => head.record.parent_count > 0,
        false => index < used_count,
    };
    let read = |section: &mut Section<'_>, index: usize, head: &SlotHead| {
        let offset = first.saturating_add(index.saturating_mul(size));
        let model = section.part(index, |reader| {
            read_model(reader, version, &head.record, offset, materials)
        });
        model.map(|mut model| {
            let is_misled = !names_used(&model, materials);
            cut(&mut model, depth);
            (Box::new(model), is_misled)
        })
    };
    let used = heads.iter().enumerate();
    let used: Vec<_> = used.filter(|(index, head)| is_used(*index, head)).collect();
    let mut ahead = Ahead::new(bytes, end, &used);
    for (index, head) in heads.iter().enumerate() {
        if !is_used(index, head) {
            let offset = first.saturating_add(index.saturating_mul(size));
            let blank = head.record == ModelRecord::default();
            if !blank {
                section.deviate(format!("[{index}]"), offset, "zeros", "a record");
            }
            models.slots.push(ModelSlot::Free {
                next: head.trailer.cast_signed(),
                residue: (!blank).then(|| Box::new(head.record.clone())),
            });
            continue;
        }
        let gap = section.jump(index, "data_offset", head.trailer)?;
        let (mut model, is_misled) = match ahead.next(read) {
            Some((ahead, model)) => section.resume(ahead, model),
            None => read(&mut section, index, head)?,
        };
        model.gap = gap;
        misled.extend(is_misled.then_some(index));
        models.slots.push(ModelSlot::Used(model));
    }
    if !models.free_list_is_whole() {
        let expected = "a free list through all free slots";
        section.deviate("index_free", start, expected, models.array.index_free);
    }
    let counted = models.iter().count();
    if version.scatters_models() && counted != used_count {
        section.deviate("count", start, counted, models.array.count);
    }
    section.finish(ReadModels { models, misled })
}

/// The model with the next data, without the bytes before them.
fn read_model(
    reader: &mut Reader<'_>,
    version: ZipperGame,
    record: &ModelRecord,
    offset: usize,
    materials: &Materials,
) -> Result<Model> {
    let mut model = Model {
        record: record.clone(),
        ..Model::default()
    };
    model.check_record(reader, version, offset);
    model.visit_data(reader, version)?;
    let is_cycled = |material| {
        let material = materials.get(material);
        material.is_some_and(|material| material.cycle.is_some())
    };
    if version.since(ZipperGame::PiratesMoon)
        && model.material_references != model.expected_references(version, false, is_cycled)
    {
        let expected = "the references that follow from the polygons";
        reader.deviate("material_references", reader.position(), expected, "others");
    }
    Ok(model)
}

/// True if the polygons of a model name only used materials.
fn names_used(model: &Model, materials: &Materials) -> bool {
    let mut named = model.polygons.iter().flat_map(|polygon| &polygon.materials);
    named.all(|&material| materials.get(material).is_some())
}

/// Minimum size of a section whose models are read in parallel.
const MIN_AHEAD: usize = 1 << 20;

/// Minimum bytes and maximum number of models that are read ahead. Each may have many deviations, of which the file
/// reports only a few.
const AHEAD: (usize, usize) = (32 << 20, 512);

/// A model, and true if its polygons name unused materials.
type Read = (Box<Model>, bool);

/// A model with the section that it was read from.
type ReadAhead<'a> = (Section<'a>, Read);

/// A used slot with its number, and the latest possible end of its model's data.
type Lying<'u> = (usize, &'u SlotHead, usize);

/// Models of used slots, read in parallel by idle threads, some megabytes at a time. Each model ends at the start
/// of the next one. Not used for few models, with a single thread, or where models are not in the order of their
/// slots.
struct Ahead<'a, 'u> {
    bytes: &'a [u8],
    /// Unread models, the last one first.
    left: Vec<Lying<'u>>,
    read: std::vec::IntoIter<Option<ReadAhead<'a>>>,
}

impl<'a, 'u> Ahead<'a, 'u> {
    fn new(bytes: &'a [u8], end: usize, used: &[(usize, &'u SlotHead)]) -> Self {
        let start = |&(_, head): &(usize, &SlotHead)| head.trailer as usize;
        let size = end.saturating_sub(used.first().map_or(end, start));
        let is_apart = size >= MIN_AHEAD && used.is_sorted_by_key(start);
        let ends = used.iter().skip(1).map(start).chain([end]);
        let lying = used.iter().zip(ends);
        let lying = lying.map(|(&(index, head), end)| (index, head, end));
        let mut left: Vec<Lying<'u>> = match is_apart && rayon::current_num_threads() > 1 {
            true => lying.collect(),
            false => Vec::new(),
        };
        left.reverse();
        Self {
            bytes,
            left,
            read: Vec::new().into_iter(),
        }
    }

    /// The model of the next used slot; `None` when it must be read in order, so that its error is reported there.
    fn next(
        &mut self,
        read: impl Fn(&mut Section<'a>, usize, &SlotHead) -> Result<Read> + Sync,
    ) -> Option<ReadAhead<'a>> {
        if self.read.len() == 0 && !self.left.is_empty() {
            let some = self.take_some();
            let read = limits::par_map(&some, |&(index, head, end)| {
                let mut own = Section::new(self.bytes, head.trailer as usize, end).ok()?;
                let model = read(&mut own, index, head).ok()?;
                Some((own, model))
            });
            self.read = read.into_iter();
        }
        self.read.next().flatten()
    }

    fn take_some(&mut self) -> Vec<Lying<'u>> {
        let (most_bytes, most) = AHEAD;
        let mut some = Vec::new();
        let mut size = 0_usize;
        while size < most_bytes
            && some.len() < most
            && let Some(lying) = self.left.pop()
        {
            size = size.saturating_add(lying.2.saturating_sub(lying.1.trailer as usize));
            some.push(lying);
        }
        some
    }
}

/// A slot as stored in the array; the meaning of its trailer depends on its use.
#[derive(Default)]
struct SlotHead {
    record: ModelRecord,
    trailer: u32,
}

fn read_slots(reader: &mut Reader<'_>, version: ZipperGame) -> Result<(ModelArray, Vec<SlotHead>)> {
    let offset = reader.position();
    let mut array = ModelArray::default();
    array.visit("array", reader, version)?;
    let slots = usize::try_from(array.array_size)
        .map_err(|_| FormatError::malformed("array_size", offset, "a count", array.array_size))?;
    let count = usize::try_from(array.count).ok();
    if !version.scatters_models() && count.is_none_or(|count| count > slots) {
        let expected = format_args!("0 to {slots}");
        return Err(FormatError::malformed(
            "count",
            offset,
            expected,
            array.count,
        ));
    }
    let size = ModelRecord::size(version).saturating_add(4);
    let mut heads: Vec<SlotHead> = Vec::new();
    reader.list("", &mut heads, slots, size, |reader, head| {
        head.record.visit("", reader, version)?;
        reader.value("trailer", &mut head.trailer)
    })?;
    Ok((array, heads))
}

/// Writes the section, which starts at `start` in the file.
pub(super) fn encode(models: &Models, version: ZipperGame, start: usize) -> Result<Vec<u8>> {
    let mut head = Writer::default();
    let mut data = Writer::default();
    let size = ModelRecord::size(version).saturating_add(4);
    let data_start = start
        .saturating_add(ModelArray::size(version))
        .saturating_add(models.slots.len().saturating_mul(size));
    let mut array = models.array.clone();
    array.array_size = counted("models.array_size", models.slots.len())?;
    if !version.scatters_models() {
        let used = models.iter().count();
        if models.iter().any(|(slot, _)| slot >= used) {
            let expected = "free slots after the used ones";
            return Err(FormatError::unencodable("models", start, expected, used));
        }
        array.count = counted("models.count", used)?;
    }
    array.visit("array", &mut head, version)?;
    for (index, slot) in models.slots.iter().enumerate() {
        match slot {
            ModelSlot::Free { next, residue } => {
                let mut record = residue.as_deref().cloned().unwrap_or_default();
                record.visit("", &mut head, version)?;
                head.value("next", &mut next.clone())?;
            }
            ModelSlot::Used(model) => {
                write_model(model, version, &mut head, &mut data, data_start)
                    .map_err(|error| error.within("models", index))?;
            }
        }
    }
    let mut bytes = head.into_bytes();
    bytes.append(&mut data.into_bytes());
    Ok(bytes)
}

fn write_model(
    model: &Model,
    version: ZipperGame,
    head: &mut Writer,
    data: &mut Writer,
    data_start: usize,
) -> Result<()> {
    let mut model = model.clone();
    model.count_lists()?;
    if version.scatters_models() && model.record.parent_count == 0 {
        let expected = "at least 1 for a used slot";
        return Err(FormatError::unencodable(
            "parent_count",
            head.position(),
            expected,
            0,
        ));
    }
    model.record.visit("", head, version)?;
    let Blob(mut gap) = std::mem::take(&mut model.gap);
    let length = gap.len();
    data.bytes("gap", &mut gap, length)?;
    let mut offset: u32 = counted("data_offset", data_start.saturating_add(data.position()))?;
    head.value("data_offset", &mut offset)?;
    model.visit_data(data, version)
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::*;
    use crate::zipper::gamez::{Material, PerCorner, Polygon};
    use relicast_codec::{F32, Vec3};

    const VERSION: ZipperGame = ZipperGame::MechWarrior3;
    const START: usize = 8;
    const MODELS: usize = 640;

    /// A section of so many models that they are read in parallel, in several runs.
    fn section() -> Vec<u8> {
        let polygon = |number: u32| {
            let mut polygon = Polygon {
                vertex_indices: PerCorner::from_slice(&[0, 1, number % 4]),
                // One names a material that does not exist.
                materials: PerCorner::from_elem(i32::from(number == 950), 1),
                colors: PerCorner::from_elem(Vec3::default(), 3),
                ..Polygon::default()
            };
            polygon.record.vertex_indices_ptr = number + 1;
            polygon
        };
        let model = |number: u32| {
            // Most are empty.
            let polygons = if number.is_multiple_of(40) {
                900 + number
            } else {
                0
            };
            let mut model = Model {
                vertices: vec![Vec3::default(); 4],
                polygons: (0..polygons).map(polygon).collect(),
                ..Model::default()
            };
            model.record.parent_count = number;
            model.record.morph_factor = F32(0.0);
            ModelSlot::Used(Box::new(model))
        };
        let models = Models {
            array: ModelArray {
                index_free: -1,
                ..ModelArray::default()
            },
            slots: (0..MODELS as u32).map(model).collect(),
        };
        let mut bytes = vec![0; START];
        bytes.extend(encode(&models, VERSION, START).unwrap());
        assert!(bytes.len() > MIN_AHEAD);
        bytes
    }

    fn read(bytes: &[u8], threads: usize, depth: Depth) -> Result<Decoded<ReadModels>> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let materials = Materials {
            used: vec![Material::default()],
            ..Materials::default()
        };
        let decode = || decode(bytes, VERSION, START, bytes.len(), &materials, depth);
        pool.unwrap().install(decode)
    }

    /// Parts of a model that an outline stores.
    fn outlined(slot: &ModelSlot) -> ModelSlot {
        let mut slot = slot.clone();
        if let ModelSlot::Used(model) = &mut slot {
            cut(model, Depth::Outline);
        }
        slot
    }

    #[test]
    fn models_read_side_by_side_are_those_read_one_after_the_other() {
        let mut bytes = section();
        let whole = read(&bytes, 2, Depth::Whole).unwrap().value;
        assert_eq!(whole.models.iter().count(), MODELS);
        let misled: Vec<usize> = (80..MODELS).step_by(40).collect();
        assert_eq!(whole.misled, misled);
        // Counts of polygons, offsets, and data here and there are damaged: the same models, or the same fault.
        let heads = START + ModelArray::size(VERSION);
        let (mut read_ones, mut faults) = (0, 0);
        for step in 0..40_usize {
            let record = heads + step * 40 % MODELS * (ModelRecord::size(VERSION) + 4);
            let place = match step % 4 {
                0 => record + 16,
                1 => record + ModelRecord::size(VERSION),
                _ => step.wrapping_mul(0x9E37_79B9) % bytes.len(),
            };
            let before = bytes[place];
            bytes[place] ^= 1 << (step % 8);
            let [one, two] = [1, 2].map(|threads| read(&bytes, threads, Depth::Whole));
            let outline = read(&bytes, 2, Depth::Outline);
            match (&one, &two, &outline) {
                (Ok(one), Ok(two), Ok(outline)) => {
                    assert!(one.value == two.value, "{place}");
                    assert_eq!(one.deviations, two.deviations, "{place}");
                    assert_eq!(one.deviations, outline.deviations, "{place}");
                    assert_eq!(one.value.misled, outline.value.misled, "{place}");
                    let [whole, outline] = [one, outline].map(|read| &read.value.models);
                    let whole: Vec<ModelSlot> = whole.slots.iter().map(outlined).collect();
                    assert!(whole == outline.slots, "{place}");
                    read_ones += 1;
                }
                (Err(one), Err(two), Err(outline)) => {
                    assert_eq!(one.to_string(), two.to_string());
                    assert_eq!(one.to_string(), outline.to_string());
                    faults += 1;
                }
                _ => panic!("{place}: {:?}, {:?}", one.err(), two.err()),
            }
            bytes[place] = before;
        }
        assert!(read_ones > 5 && faults > 5, "{read_ones}, {faults}");
    }
}

//! The buffer: views for each kind of data, written value by value in one pass, with its accessors.
//! Equal data is stored once, with a shared accessor.

use std::hash::BuildHasher;

use gltf_json as json;
use hashbrown::{DefaultHashBuilder, HashTable};
use json::accessor::{ComponentType, GenericComponentType, Type};
use json::buffer::{Stride, Target, View};
use json::validation::{Checked, USize64};
use json::{Accessor, Index};
use serde_json::Value;

use super::error::{GltfError, Part};
use super::values::index;
use relicast_scene::model::number;

/// Kinds of data, in the order of the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Section {
    /// Positions, normals and displacements: three floats.
    Vectors,
    /// Positions on a grid: three 16-bit integers, padded by two bytes.
    Grid,
    /// Normals: three 16-bit fractions, padded by two bytes.
    ShortNormals,
    /// Normals: three 8-bit fractions, padded by one byte.
    ByteNormals,
    /// Texture coordinates: two floats.
    Uvs,
    /// Colors: four 16-bit fractions.
    Colors,
    /// Joints: four 16-bit integers.
    Joints,
    /// Weights and tangents: four floats.
    Weights,
    /// Indices of 32 bits.
    WideIndices,
    /// Indices of 16 bits.
    Indices,
    /// Inverse bind matrices.
    Matrices,
    /// Key times and values.
    Keys,
    /// Boolean key values, one byte each.
    Switches,
    /// Transforms of the instances of a mesh.
    Instances,
}

const SECTIONS: usize = 14;

impl Section {
    const ALL: [Self; SECTIONS] = [
        Self::Vectors,
        Self::Grid,
        Self::ShortNormals,
        Self::ByteNormals,
        Self::Uvs,
        Self::Colors,
        Self::Joints,
        Self::Weights,
        Self::WideIndices,
        Self::Indices,
        Self::Matrices,
        Self::Keys,
        Self::Switches,
        Self::Instances,
    ];

    /// Bytes per vertex.
    fn stride(self) -> Option<usize> {
        match self {
            Self::Vectors => Some(12),
            Self::Grid | Self::ShortNormals | Self::Uvs | Self::Colors | Self::Joints => Some(8),
            Self::ByteNormals => Some(4),
            Self::Weights => Some(16),
            Self::WideIndices
            | Self::Indices
            | Self::Matrices
            | Self::Keys
            | Self::Switches
            | Self::Instances => None,
        }
    }

    fn target(self) -> Option<Checked<Target>> {
        match self {
            Self::WideIndices | Self::Indices => Some(Checked::Valid(Target::ElementArrayBuffer)),
            Self::Matrices | Self::Keys | Self::Switches | Self::Instances => None,
            _ => Some(Checked::Valid(Target::ArrayBuffer)),
        }
    }
}

/// Collects data. Until [`Binary::finish`], accessors have no view, and the view of an image is its own number
/// plus the number of sections.
#[derive(Debug, Default)]
pub(super) struct Binary {
    sections: [Vec<u8>; SECTIONS],
    images: Vec<Vec<u8>>,
    accessors: Vec<Accessor>,
    /// Position of each accessor's data.
    places: Vec<Place>,
    /// Hashes of the data of accessors, with their indices.
    known: HashTable<(u64, u32)>,
    hasher: DefaultHashBuilder,
}

/// Data of an accessor: its byte range in a section, and its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    section: Section,
    offset: usize,
    length: usize,
    component: ComponentType,
    kind: Type,
    bounds: Bounds,
}

impl Place {
    fn bytes(self, sections: &[Vec<u8>; SECTIONS]) -> &[u8] {
        let section = &sections[self.section as usize];
        section
            .get(self.offset..self.offset + self.length)
            .unwrap_or_default()
    }

    /// True if the same bytes are read in the same way.
    fn is_like(self, other: Self, sections: &[Vec<u8>; SECTIONS]) -> bool {
        let elsewhere = Self {
            offset: other.offset,
            ..self
        };
        elsewhere == other && self.bytes(sections) == other.bytes(sections)
    }
}

/// Replaces a negative zero by a positive one.
fn unsigned_zero(value: f32) -> f32 {
    value + 0.0
}

/// Decides if an accessor states the minimum and maximum of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bounds {
    Absent,
    Stated,
}

impl Binary {
    /// Reserves the memory for all data of a section at once, instead of repeated doubling.
    pub(super) fn reserve(&mut self, section: Section, bytes: usize) {
        relicast_limits::reserve(bytes);
        self.sections[section as usize].reserve_exact(bytes);
    }

    /// Reserves memory for one accessor per primitive.
    pub(super) fn expect(&mut self, primitives: usize) {
        self.accessors.reserve(primitives);
        self.places.reserve(primitives);
        self.known.reserve(primitives, |&(hash, _)| hash);
    }

    /// Writes rows of floats.
    pub(super) fn floats<const N: usize>(
        &mut self,
        section: Section,
        rows: &[[f32; N]],
        bounds: Bounds,
        (part, field): (Part, &'static str),
    ) -> Result<Index<Accessor>, GltfError> {
        let bytes = &mut self.sections[section as usize];
        let offset = bytes.len();
        bytes.resize(offset + rows.len() * N * 4, 0);
        let mut least = [f32::INFINITY; N];
        let mut greatest = [f32::NEG_INFINITY; N];
        let mut finite = true;
        let rows_out = bytes[offset..].chunks_exact_mut(N * 4).zip(rows);
        match bounds {
            Bounds::Absent => rows_out.for_each(|(out, row)| {
                for (out, value) in out.chunks_exact_mut(4).zip(row) {
                    finite &= value.is_finite();
                    out.copy_from_slice(&unsigned_zero(*value).to_le_bytes());
                }
            }),
            Bounds::Stated => rows_out.for_each(|(out, row)| {
                for (lane, (out, value)) in out.chunks_exact_mut(4).zip(row).enumerate() {
                    let value = unsigned_zero(*value);
                    finite &= value.is_finite();
                    least[lane] = if value < least[lane] {
                        value
                    } else {
                        least[lane]
                    };
                    greatest[lane] = if value > greatest[lane] {
                        value
                    } else {
                        greatest[lane]
                    };
                    out.copy_from_slice(&value.to_le_bytes());
                }
            }),
        }
        if !finite {
            return Err(GltfError::NotFinite { part, field });
        }
        let kind = match N {
            1 => Type::Scalar,
            2 => Type::Vec2,
            3 => Type::Vec3,
            4 => Type::Vec4,
            _ => Type::Mat4,
        };
        let bounds = (bounds == Bounds::Stated).then(|| (values(&least), values(&greatest)));
        Ok(self.accessor(
            section,
            offset,
            rows.len(),
            ComponentType::F32,
            kind,
            bounds,
        ))
    }

    /// Writes rows of 16-bit integers; colors are fractions.
    pub(super) fn shorts(&mut self, section: Section, rows: &[[u16; 4]]) -> Index<Accessor> {
        let bytes = &mut self.sections[section as usize];
        let offset = bytes.len();
        bytes.resize(offset + rows.len() * 8, 0);
        for (out, row) in bytes[offset..].chunks_exact_mut(8).zip(rows) {
            for (out, value) in out.chunks_exact_mut(2).zip(row) {
                out.copy_from_slice(&value.to_le_bytes());
            }
        }
        self.accessor(
            section,
            offset,
            rows.len(),
            ComponentType::U16,
            Type::Vec4,
            None,
        )
    }

    /// Writes positions on a grid, or normals, of 16 bits; a row has eight bytes.
    pub(super) fn short_vectors(
        &mut self,
        section: Section,
        rows: &[[i16; 3]],
        bounds: Bounds,
    ) -> Index<Accessor> {
        let bytes = &mut self.sections[section as usize];
        let offset = bytes.len();
        let mut least = [i16::MAX; 3];
        let mut greatest = [i16::MIN; 3];
        for row in rows {
            for (lane, &value) in row.iter().enumerate() {
                least[lane] = least[lane].min(value);
                greatest[lane] = greatest[lane].max(value);
                bytes.extend(value.to_le_bytes());
            }
            bytes.extend([0; 2]);
        }
        let bounds = (bounds == Bounds::Stated)
            .then(|| (Value::from(least.to_vec()), Value::from(greatest.to_vec())));
        let (component, kind) = (ComponentType::I16, Type::Vec3);
        self.accessor(section, offset, rows.len(), component, kind, bounds)
    }

    /// Writes normals of 8 bits; a row has four bytes.
    pub(super) fn byte_normals(&mut self, rows: &[[i8; 3]]) -> Index<Accessor> {
        let section = Section::ByteNormals;
        let bytes = &mut self.sections[section as usize];
        let offset = bytes.len();
        for &[x, y, z] in rows {
            bytes.extend([x, y, z, 0].map(i8::cast_unsigned));
        }
        let (component, kind) = (ComponentType::I8, Type::Vec3);
        self.accessor(section, offset, rows.len(), component, kind, None)
    }

    /// True if any attribute takes fewer bytes than in plain glTF.
    pub(super) fn is_quantized(&self) -> bool {
        let small = [Section::Grid, Section::ShortNormals, Section::ByteNormals];
        small
            .iter()
            .any(|&section| !self.sections[section as usize].is_empty())
    }

    /// Writes indices below `vertices`, as 16 bits if they fit. The greatest value of either width means
    /// primitive restart, so no index may have it.
    pub(super) fn indices(&mut self, indices: &[u32], vertices: usize) -> Index<Accessor> {
        let narrow = vertices <= usize::from(u16::MAX);
        let section = if narrow {
            Section::Indices
        } else {
            Section::WideIndices
        };
        let bytes = &mut self.sections[section as usize];
        let offset = bytes.len();
        let width = if narrow { 2 } else { 4 };
        bytes.resize(offset + indices.len() * width, 0);
        if narrow {
            for (out, &index) in bytes[offset..].chunks_exact_mut(2).zip(indices) {
                out.copy_from_slice(&(index as u16).to_le_bytes());
            }
        } else {
            for (out, &index) in bytes[offset..].chunks_exact_mut(4).zip(indices) {
                out.copy_from_slice(&index.to_le_bytes());
            }
        }
        let component = if narrow {
            ComponentType::U16
        } else {
            ComponentType::U32
        };
        self.accessor(
            section,
            offset,
            indices.len(),
            component,
            Type::Scalar,
            None,
        )
    }

    /// Writes booleans as 1 and 0.
    pub(super) fn switches(&mut self, values: &[bool]) -> Index<Accessor> {
        let section = Section::Switches;
        let bytes = &mut self.sections[section as usize];
        // Each accessor starts at a multiple of four, for readers of any kind.
        let offset = bytes.len().next_multiple_of(4);
        bytes.resize(offset, 0);
        bytes.extend(values.iter().map(|&value| u8::from(value)));
        let (component, kind) = (ComponentType::U8, Type::Scalar);
        self.accessor(section, offset, values.len(), component, kind, None)
    }

    /// Writes key times.
    pub(super) fn times(
        &mut self,
        times: &[f32],
        of: (Part, &'static str),
    ) -> Result<Index<Accessor>, GltfError> {
        let (rows, _) = times.as_chunks::<1>();
        self.floats(Section::Keys, rows, Bounds::Stated, of)
    }

    /// Adds the bytes of a picture.
    pub(super) fn image(&mut self, bytes: &[u8]) -> Index<View> {
        self.images.push(bytes.to_vec());
        index(SECTIONS + self.images.len() - 1)
    }

    /// Returns the accessor of the data that was written to a section from an offset on. If the same data exists
    /// already, its accessor is returned and the new data is removed.
    fn accessor(
        &mut self,
        section: Section,
        offset: usize,
        count: usize,
        component: ComponentType,
        kind: Type,
        bounds: Option<(Value, Value)>,
    ) -> Index<Accessor> {
        let Self {
            sections,
            places,
            known,
            hasher,
            ..
        } = self;
        let place = Place {
            section,
            offset,
            length: sections[section as usize].len() - offset,
            component,
            kind,
            bounds: match bounds {
                Some(_) => Bounds::Stated,
                None => Bounds::Absent,
            },
        };
        let hash = hasher.hash_one(place.bytes(sections));
        let same = known.find(hash, |&(other, number)| {
            let known = places.get(number as usize).filter(|_| other == hash);
            known.is_some_and(|&known| place.is_like(known, sections))
        });
        if let Some(&(_, same)) = same {
            sections[section as usize].truncate(offset);
            return Index::new(same);
        }
        let number = index::<Accessor>(self.accessors.len());
        known.insert_unique(hash, (hash, number.value() as u32), |&(hash, _)| hash);
        places.push(place);
        let (min, max) = bounds.unzip();
        self.accessors.push(Accessor {
            buffer_view: None,
            byte_offset: None,
            count: USize64::from(count),
            component_type: Checked::Valid(GenericComponentType(component)),
            extensions: None,
            extras: None,
            type_: Checked::Valid(kind),
            min,
            max,
            name: None,
            normalized: matches!(
                section,
                Section::Colors | Section::ShortNormals | Section::ByteNormals
            ),
            sparse: None,
        });
        number
    }

    /// Joins the sections, and adds the views and accessors to the file.
    pub(super) fn finish(mut self, root: &mut json::Root) -> Result<Vec<u8>, GltfError> {
        let cuts = self.cuts();
        let lengths = cuts.iter().flatten().map(|cut| cut.length);
        let images = self.images.iter().map(Vec::len);
        let total = lengths
            .chain(images)
            .map(|length| length.next_multiple_of(4))
            .sum::<usize>();
        if u32::try_from(total).is_err() {
            return Err(GltfError::TooLarge);
        }
        // The first section is in place, and all of it is in accessors of whole words.
        let mut bin = std::mem::take(&mut self.sections[Section::Vectors as usize]);
        let more = total.saturating_sub(bin.len());
        if more > bin.capacity() - bin.len() {
            relicast_limits::reserve(total);
            bin.reserve_exact(more);
        }
        let mut views = Vec::new();
        let mut view = |offset: usize, length: usize, stride: Option<usize>, target| {
            views.push(View {
                buffer: Index::new(0),
                byte_length: USize64::from(length),
                byte_offset: (offset > 0).then(|| USize64::from(offset)),
                byte_stride: stride.map(Stride),
                name: None,
                target,
                extensions: None,
                extras: None,
            });
            index::<View>(views.len() - 1)
        };
        let append = |bin: &mut Vec<u8>, bytes: &[u8]| {
            let offset = bin.len();
            bin.extend_from_slice(bytes);
            bin.resize(bin.len().next_multiple_of(4), 0);
            offset
        };
        let mut placed: [Vec<(usize, Index<View>)>; SECTIONS] = Default::default();
        for (section, cuts) in Section::ALL.into_iter().zip(cuts) {
            let bytes = std::mem::take(&mut self.sections[section as usize]);
            for Cut { start, length } in cuts {
                let offset = match section {
                    Section::Vectors => start,
                    _ => append(&mut bin, &bytes[start..start + length]),
                };
                let view = view(offset, length, section.stride(), section.target());
                placed[section as usize].push((start, view));
            }
        }
        for (place, accessor) in self.places.iter().zip(&mut self.accessors) {
            let views = &placed[place.section as usize];
            let next = views.partition_point(|(start, _)| *start <= place.offset);
            let found = next.checked_sub(1).and_then(|last| views.get(last));
            if let Some(&(start, view)) = found {
                accessor.buffer_view = Some(view);
                let offset = place.offset - start;
                accessor.byte_offset = (offset > 0).then(|| USize64::from(offset));
            }
        }
        let images: Vec<Index<View>> = std::mem::take(&mut self.images)
            .into_iter()
            .map(|image| view(append(&mut bin, &image), image.len(), None, None))
            .collect();
        for image in &mut root.images {
            let number = image.buffer_view.map(|view| view.value() - SECTIONS);
            image.buffer_view = number.and_then(|number| images.get(number).copied());
        }
        root.buffer_views = views;
        root.accessors = self.accessors;
        Ok(bin)
    }

    /// Divides each section into views: each accessor is in exactly one view, and not split.
    fn cuts(&self) -> [Vec<Cut>; SECTIONS] {
        let mut cuts: [Vec<Cut>; SECTIONS] = Default::default();
        for place in &self.places {
            let cuts = &mut cuts[place.section as usize];
            let end = place.offset + place.length;
            match cuts.last_mut() {
                Some(cut) if end - cut.start <= MAX_SHARED => cut.length = end - cut.start,
                _ => cuts.push(Cut {
                    start: place.offset,
                    length: place.length,
                }),
            }
        }
        cuts
    }
}

/// Largest size of a view that several accessors share. Godot copies the whole view for each of its
/// accessors, so the import time of long views grows with the square of a scene's size. A view for each
/// accessor makes the JSON long, and gains almost nothing more. Measured, see docs/performance.md.
const MAX_SHARED: usize = 4 << 10;

/// A piece of a section.
#[derive(Debug, Clone, Copy)]
struct Cut {
    start: usize,
    length: usize,
}

fn values(row: &[f32]) -> Value {
    row.iter().map(|&value| number(value)).collect()
}

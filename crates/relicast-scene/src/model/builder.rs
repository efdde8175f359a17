//! Builds primitives from corners of triangles.
//!
//! Equal corners become one vertex, triangles without area are removed, normals get length 1, and negative zeros
//! become positive.
//!
//! ```
//! use relicast_scene::model::{Corner, Layout, PrimitiveBuilder};
//!
//! let corner = |x: f32, y: f32| Corner { position: [x, y, 0.0], ..Corner::default() };
//! let [a, b, c] = [corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)];
//! let mut builder = PrimitiveBuilder::new(Layout { normals: true, ..Layout::default() });
//! assert!(builder.triangle([&a, &b, &c]));
//! assert!(!builder.triangle([&a, &a, &c]), "a triangle without area is left out");
//! let primitive = builder.finish();
//! assert_eq!(primitive.indices.len(), 3);
//! assert_eq!(primitive.normals[0], [0.0, 0.0, 1.0]);
//! ```

use glam::DVec3;
use hashbrown::{DefaultHashBuilder, HashTable, hash_table::Entry};
use std::hash::BuildHasher;
use std::sync::Arc;

use super::Primitive;

/// Triangles with less area, in square meters, are left out.
const MIN_AREA: f64 = 1e-12;

/// Attributes of the vertices of a primitive, except positions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Layout {
    /// Normals.
    pub normals: bool,
    /// Sets of texture coordinates.
    pub uv_sets: usize,
    /// Colors.
    pub colors: bool,
    /// Joints and weights.
    pub skin: bool,
    /// Displacements for morph targets.
    pub morph_targets: usize,
}

/// A corner of a triangle. Attributes that the layout lacks are ignored. Attributes that only the layout has become
/// the face normal, the texture origin, white, the first joint, or no displacement.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Corner<'a> {
    /// Position.
    pub position: [f32; 3],
    /// Direction of the normal, of any length; a zero vector becomes the face normal.
    pub normal: Option<[f32; 3]>,
    /// Texture coordinates, one for each set.
    pub uvs: &'a [[f32; 2]],
    /// Linear red, green, blue and alpha, 65535 = 1.
    pub color: Option<[u16; 4]>,
    /// Joints and their weights; they need not sum to 1 nor be in order.
    pub skin: Option<([u16; 4], [f32; 4])>,
    /// Displacement for each morph target.
    pub morphs: &'a [[f32; 3]],
}

/// Counts of the items that a builder left out or replaced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Triangles without area.
    pub degenerate: usize,
    /// Triangles with a position that is not finite, or too far away to have an area.
    pub not_finite: usize,
    /// Corners whose normal had no direction and was replaced by the face normal.
    pub normals: usize,
    /// Texture coordinates and displacements that were not finite and were replaced by 0.
    pub values: usize,
}

/// Collects the triangles of a primitive.
#[derive(Debug)]
pub struct PrimitiveBuilder {
    layout: Layout,
    words: usize,
    /// Words of all vertices, one vertex after the other.
    vertices: Vec<u32>,
    /// Vertex numbers by the hash of their words.
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    indices: Vec<u32>,
    scratch: Vec<u32>,
    dropped: Dropped,
}

impl PrimitiveBuilder {
    /// A builder without triangles.
    pub fn new(layout: Layout) -> Self {
        let words = 3
            + usize::from(layout.normals) * 3
            + layout.uv_sets * 2
            + usize::from(layout.colors) * 2
            + usize::from(layout.skin) * 6
            + layout.morph_targets * 3;
        Self {
            layout,
            words,
            vertices: Vec::new(),
            table: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            indices: Vec::new(),
            scratch: Vec::with_capacity(words),
            dropped: Dropped::default(),
        }
    }

    /// Adds a triangle, corners counter-clockwise seen from the front. False if it was left out.
    pub fn triangle(&mut self, corners: [&Corner<'_>; 3]) -> bool {
        self.triangle_by(corners, |builder, at, face| {
            corners.get(at).map(|corner| builder.vertex(corner, face))
        })
    }

    /// Adds a triangle of a face whose corners are shared by several triangles. `places` are their indices in the list
    /// of the face's corners; `known`, empty at first, caches a vertex per corner. False if it was left out.
    pub fn triangle_of(
        &mut self,
        corners: &[Corner<'_>],
        known: &mut [Option<u32>],
        places: [usize; 3],
    ) -> bool {
        let [Some(a), Some(b), Some(c)] = places.map(|place| corners.get(place)) else {
            return false;
        };
        self.triangle_by([a, b, c], |builder, at, face| {
            let place = *places.get(at)?;
            if let Some(&Some(index)) = known.get(place) {
                return Some(index);
            }
            let corner = corners.get(place)?;
            let before = builder.dropped;
            let index = builder.vertex(corner, face);
            // Replaced normals are counted each time, and may differ in the next triangle.
            let is_its_own = !builder.layout.normals || corner.normal.is_some();
            if let (true, Some(known)) = (
                is_its_own && before == builder.dropped,
                known.get_mut(place),
            ) {
                *known = Some(index);
            }
            Some(index)
        })
    }

    /// Adds a triangle; a function returns the vertex for the index of a corner and the face normal.
    fn triangle_by(
        &mut self,
        corners: [&Corner<'_>; 3],
        mut vertex: impl FnMut(&mut Self, usize, [f32; 3]) -> Option<u32>,
    ) -> bool {
        let [a, b, c] = corners.map(|corner| DVec3::from_array(corner.position.map(f64::from)));
        if !(a.is_finite() && b.is_finite() && c.is_finite()) {
            self.dropped.not_finite += 1;
            return false;
        }
        let across = (b - a).cross(c - a);
        let twice_area = across.length();
        if twice_area < MIN_AREA * 2.0 {
            self.dropped.degenerate += 1;
            return false;
        }
        let face = (across / twice_area).to_array().map(|part| part as f32);
        for at in 0..3 {
            let index = vertex(self, at, face);
            self.indices.extend(index);
        }
        true
    }

    /// True if there is no triangle yet.
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// Counts of the items that were left out or replaced so far.
    pub fn dropped(&self) -> Dropped {
        self.dropped
    }

    fn vertex(&mut self, corner: &Corner<'_>, face: [f32; 3]) -> u32 {
        let layout = self.layout;
        let dropped = &mut self.dropped;
        let words = &mut self.scratch;
        words.clear();
        words.extend(corner.position.map(float_word));
        if layout.normals {
            let normal = corner.normal.and_then(unit).unwrap_or_else(|| {
                dropped.normals += usize::from(corner.normal.is_some());
                face
            });
            words.extend(normal.map(float_word));
        }
        let mut finite = |value: f32| {
            if value.is_finite() {
                float_word(value)
            } else {
                dropped.values += 1;
                0
            }
        };
        for set in 0..layout.uv_sets {
            let uv = corner.uvs.get(set).copied().unwrap_or_default();
            words.extend(uv.map(&mut finite));
        }
        if layout.colors {
            let [red, green, blue, alpha] = corner.color.unwrap_or([u16::MAX; 4]);
            words.extend([pair(red, green), pair(blue, alpha)]);
        }
        if layout.skin {
            let (joints, weights) = corner.skin.map_or(FIRST_JOINT, tidy_skin);
            words.extend([pair(joints[0], joints[1]), pair(joints[2], joints[3])]);
            words.extend(weights.map(float_word));
        }
        for target in 0..layout.morph_targets {
            let delta = corner.morphs.get(target).copied().unwrap_or_default();
            words.extend(delta.map(&mut finite));
        }
        self.intern()
    }

    /// Number of the vertex whose words are in `scratch`.
    fn intern(&mut self) -> u32 {
        let Self {
            vertices,
            table,
            hasher,
            scratch,
            words,
            ..
        } = self;
        let words_of = |index: u32| {
            let start = index as usize * *words;
            &vertices[start..start + *words]
        };
        let entry = table.entry(
            hasher.hash_one(scratch.as_slice()),
            |&index| words_of(index) == scratch.as_slice(),
            |&index| hasher.hash_one(words_of(index)),
        );
        match entry {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                // A primitive of 2³² vertices would not fit in memory.
                let index = u32::try_from(vertices.len() / *words).unwrap_or(u32::MAX);
                free.insert(index);
                vertices.extend_from_slice(scratch);
                index
            }
        }
    }

    /// Returns the primitive, without material.
    pub fn finish(self) -> Primitive {
        let layout = self.layout;
        let count = self.vertices.len() / self.words;
        let of = |present: bool| if present { count } else { 0 };
        let mut positions = Vec::with_capacity(count);
        let mut normals = Vec::with_capacity(of(layout.normals));
        let mut uvs = lists(layout.uv_sets, count);
        let mut primitive = Primitive {
            indices: Arc::new(self.indices),
            colors: Vec::with_capacity(of(layout.colors)),
            joints: Vec::with_capacity(of(layout.skin)),
            weights: Vec::with_capacity(of(layout.skin)),
            morphs: lists(layout.morph_targets, count),
            ..Primitive::default()
        };
        for vertex in self.vertices.chunks_exact(self.words) {
            let mut words = vertex.iter().copied();
            let mut next = || words.next().unwrap_or_default();
            positions.push(floats(&mut next));
            if layout.normals {
                normals.push(floats(&mut next));
            }
            for set in &mut uvs {
                set.push(floats(&mut next));
            }
            if layout.colors {
                primitive.colors.push(quad(&mut next));
            }
            if layout.skin {
                primitive.joints.push(quad(&mut next));
                primitive.weights.push(floats(&mut next));
            }
            for target in &mut primitive.morphs {
                target.push(floats(&mut next));
            }
        }
        primitive.positions = Arc::new(positions);
        primitive.normals = Arc::new(normals);
        primitive.uvs = Arc::new(uvs);
        primitive
    }
}

/// Empty lists with capacity for `count` values each.
fn lists<T>(number: usize, count: usize) -> Vec<Vec<T>> {
    (0..number).map(|_| Vec::with_capacity(count)).collect()
}

const FIRST_JOINT: ([u16; 4], [f32; 4]) = ([0; 4], [1.0, 0.0, 0.0, 0.0]);

/// Bits of a float; negative zero has the bits of the positive one.
fn float_word(value: f32) -> u32 {
    (value + 0.0).to_bits()
}

fn pair(low: u16, high: u16) -> u32 {
    u32::from(low) | u32::from(high) << 16
}

fn floats<const N: usize>(next: &mut impl FnMut() -> u32) -> [f32; N] {
    std::array::from_fn(|_| f32::from_bits(next()))
}

fn quad(next: &mut impl FnMut() -> u32) -> [u16; 4] {
    let (first, second) = (next(), next());
    [
        first as u16,
        (first >> 16) as u16,
        second as u16,
        (second >> 16) as u16,
    ]
}

/// Normalizes a direction; `None` if it has none.
fn unit(direction: [f32; 3]) -> Option<[f32; 3]> {
    let wide = DVec3::from_array(direction.map(f64::from));
    let length = wide.length();
    (length.is_finite() && length > 0.0).then(|| (wide / length).to_array().map(|part| part as f32))
}

/// Weights that sum to 1, largest first, each joint once; unused places are joint 0 with weight 0.
fn tidy_skin((joints, weights): ([u16; 4], [f32; 4])) -> ([u16; 4], [f32; 4]) {
    let mut merged: [(u16, f64); 4] = [(0, 0.0); 4];
    for (joint, weight) in joints.into_iter().zip(weights) {
        if weight.is_finite() && weight > 0.0 {
            let known = merged
                .iter()
                .position(|&(other, sum)| other == joint && sum > 0.0);
            let place = known.or_else(|| merged.iter().position(|&(_, sum)| sum == 0.0));
            if let Some(place) = place {
                merged[place] = (joint, merged[place].1 + f64::from(weight));
            }
        }
    }
    let sum: f64 = merged.iter().map(|&(_, weight)| weight).sum();
    if sum <= 0.0 {
        return FIRST_JOINT;
    }
    let mut tidy = merged.map(|(joint, weight)| match (weight / sum) as f32 {
        weight if weight > 0.0 => (joint, weight),
        _ => (0, 0.0),
    });
    tidy.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    (tidy.map(|(joint, _)| joint), tidy.map(|(_, weight)| weight))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn corner(position: [f32; 3]) -> Corner<'static> {
        Corner {
            position,
            ..Corner::default()
        }
    }

    #[test]
    fn corners_of_a_face_are_the_same_looked_up_once_or_each_time() {
        let position = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let uvs = [[[0.0, 0.0]], [[1.0, f32::NAN]], [[1.0, 1.0]], [[0.0, 1.0]]];
        let normals = [
            Some([0.0, 0.0, 2.0]),
            None,
            Some([0.0; 3]),
            Some([1.0, 0.0, 1.0]),
        ];
        let corners: [Corner<'_>; 4] = std::array::from_fn(|at| Corner {
            position: [position[at][0], position[at][1], 0.0],
            normal: normals[at],
            uvs: &uvs[at],
            ..Corner::default()
        });
        let layout = Layout {
            normals: true,
            uv_sets: 1,
            ..Layout::default()
        };
        let [mut each, mut once] = [(); 2].map(|()| PrimitiveBuilder::new(layout));
        let mut known = [None; 4];
        for places in [[3, 0, 1], [3, 1, 2], [0, 1, 2], [2, 2, 3]] {
            let added = each.triangle(places.map(|place| &corners[place]));
            assert_eq!(once.triangle_of(&corners, &mut known, places), added);
        }
        assert!(known[0].is_some() && known[3].is_some());
        assert_eq!(each.dropped(), once.dropped());
        assert!(each.dropped().normals > 0 && each.dropped().values > 0);
        assert_eq!(each.finish(), once.finish());
    }

    #[test]
    fn equal_corners_are_one_vertex_for_either_sign_of_zero() {
        let mut builder = PrimitiveBuilder::new(Layout {
            uv_sets: 1,
            ..Layout::default()
        });
        let [a, b, c, d] = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
        ]
        .map(corner);
        let minus = corner([-0.0, 0.0, -0.0]);
        let elsewhere = Corner {
            uvs: &[[0.5, 0.5]],
            ..c
        };
        assert!(builder.triangle([&a, &b, &c]));
        assert!(builder.triangle([&minus, &elsewhere, &d]));
        let primitive = builder.finish();
        assert_eq!(*primitive.indices, [0, 1, 2, 0, 3, 4]);
        assert_eq!(primitive.positions.len(), 5);
        assert_eq!(
            *primitive.uvs,
            [[[0.0; 2], [0.0; 2], [0.0; 2], [0.5; 2], [0.0; 2]]]
        );
    }

    #[test]
    fn triangles_without_area_and_beyond_numbers_go() {
        let mut builder = PrimitiveBuilder::new(Layout::default());
        let [a, b, c] = [[0.0; 3], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]].map(corner);
        let lost = corner([0.0, f32::INFINITY, 0.0]);
        assert!(!builder.triangle([&a, &b, &c]));
        assert!(!builder.triangle([&a, &b, &a]));
        assert!(!builder.triangle([&a, &b, &lost]));
        assert!(builder.is_empty());
        assert_eq!(
            (builder.dropped().degenerate, builder.dropped().not_finite),
            (2, 1)
        );
        let far = [
            [f32::MAX, 0.0, 0.0],
            [0.0, f32::MAX, 0.0],
            [0.0, 0.0, -f32::MAX],
        ]
        .map(corner);
        assert!(builder.triangle([&far[0], &far[1], &far[2]]));
    }

    #[test]
    fn normals_have_length_one_or_are_the_face_normal() {
        let mut builder = PrimitiveBuilder::new(Layout {
            normals: true,
            ..Layout::default()
        });
        let at = |position, normal| Corner {
            position,
            normal,
            ..Corner::default()
        };
        let a = at([0.0; 3], Some([0.0, 3.0, 4.0]));
        let b = at([1.0, 0.0, 0.0], Some([0.0; 3]));
        let c = at([0.0, 1.0, 0.0], None);
        assert!(builder.triangle([&a, &b, &c]));
        assert_eq!(builder.dropped().normals, 1);
        assert_eq!(
            *builder.finish().normals,
            [[0.0, 0.6, 0.8], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]
        );
    }

    #[test]
    fn joints_are_merged_and_weights_sum_to_one() {
        assert_eq!(
            tidy_skin(([7, 3, 7, 9], [1.0, 1.0, 2.0, 0.0])),
            ([7, 3, 0, 0], [0.75, 0.25, 0.0, 0.0])
        );
        assert_eq!(
            tidy_skin(([7, 3, 7, 9], [f32::NAN, 0.0, -1.0, 0.0])),
            FIRST_JOINT
        );
    }

    proptest! {
        #[test]
        fn every_corner_comes_back(
            corners in prop::collection::vec((prop::array::uniform3(0..4_u8), prop::array::uniform2(0..2_u8), 0..3_u16), 3..60),
        ) {
            let layout = Layout { uv_sets: 2, colors: true, skin: true, morph_targets: 1, ..Layout::default() };
            let mut builder = PrimitiveBuilder::new(layout);
            let mut expected = Vec::new();
            for triangle in corners.chunks_exact(3) {
                let values: Vec<_> = triangle.iter().map(|&(position, uv, tag)| {
                    let position = position.map(f32::from);
                    (position, [uv.map(f32::from), [f32::from(tag), 1.0]], [tag; 4], [tag, 5, 0, 0], [position])
                }).collect();
                let corners: Vec<Corner<'_>> = values.iter().map(|value| Corner {
                    position: value.0,
                    normal: None,
                    uvs: &value.1,
                    color: Some(value.2),
                    skin: Some((value.3, [0.75, 0.25, 0.0, 0.0])),
                    morphs: &value.4,
                }).collect();
                if builder.triangle([&corners[0], &corners[1], &corners[2]]) {
                    expected.extend(values);
                }
            }
            let primitive = builder.finish();
            prop_assert_eq!(primitive.indices.len(), expected.len());
            let mut seen = std::collections::HashSet::new();
            for (&index, value) in primitive.indices.iter().zip(&expected) {
                let index = index as usize;
                prop_assert_eq!(primitive.positions[index], value.0);
                prop_assert_eq!([primitive.uvs[0][index], primitive.uvs[1][index]], value.1);
                prop_assert_eq!(primitive.colors[index], value.2);
                prop_assert_eq!(primitive.joints[index], value.3);
                prop_assert_eq!(primitive.weights[index], [0.75, 0.25, 0.0, 0.0]);
                prop_assert_eq!(primitive.morphs[0][index], value.0);
                seen.insert(index);
            }
            prop_assert_eq!(seen.len(), primitive.positions.len());
        }
    }
}

//! Vertices of a piece to rebuild: old ones where a corner matches one, and new ones.

use std::collections::{BTreeMap, HashMap};

use glam::DVec3;

use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::corner_change;
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::everquest::corners::to_file;
use crate::pack::scene::file::{SceneMesh, ScenePrimitive};

/// A corner of the edit, in file axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Corner {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub uvs: [Option<[f32; 2]>; 2],
}

/// A new vertex: the old vertex whose light and bones it takes, and its own values.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewVertex {
    pub like: usize,
    pub corner: Corner,
}

/// An original piece.
#[derive(Debug, Clone, Copy)]
pub(super) struct Old<'v> {
    /// The mesh that shows it.
    pub base: &'v SceneMesh,
    /// The vertices of the corners of the mesh.
    pub ids: &'v [Vec<usize>],
    /// Number of vertices.
    pub count: usize,
    /// V of texture coordinates increases upward.
    pub is_turned: bool,
    /// True if it has bones, whose weights new vertices would need.
    pub is_bound: bool,
}

/// The vertices of a piece that is being rebuilt.
#[derive(Debug)]
pub(super) struct Vertices<'v> {
    old: Old<'v>,
    tolerance: Tolerance,
    /// Original corners by the bits of their positions.
    places: HashMap<[u32; 3], Vec<(usize, usize)>>,
    /// Each vertex by a corner that shows it.
    all: Vec<([f32; 3], usize)>,
    /// New vertices.
    pub new: Vec<NewVertex>,
    known: HashMap<[u32; 10], usize>,
}

/// Bits of a position; negative zero becomes zero.
fn bits(place: [f32; 3]) -> [u32; 3] {
    place.map(|part| (part + 0.0).to_bits())
}

impl<'v> Vertices<'v> {
    /// Starts with the original vertices.
    pub(super) fn new(old: Old<'v>, tolerance: Tolerance) -> Self {
        let mut places: HashMap<[u32; 3], Vec<(usize, usize)>> = HashMap::new();
        let mut all: BTreeMap<usize, [f32; 3]> = BTreeMap::new();
        for (number, (part, ids)) in old.base.primitives.iter().zip(old.ids).enumerate() {
            for (corner, (&place, &id)) in part.positions.iter().zip(ids).enumerate() {
                places
                    .entry(bits(place))
                    .or_default()
                    .push((number, corner));
                all.entry(id).or_insert(place);
            }
        }
        Self {
            old,
            tolerance,
            places,
            all: all.into_iter().map(|(id, place)| (place, id)).collect(),
            new: Vec::new(),
            known: HashMap::new(),
        }
    }

    fn id(&self, part: usize, corner: usize) -> Option<usize> {
        self.old.ids.get(part)?.get(corner).copied()
    }

    /// The vertex of a corner of the edit; `twin` is the original corner.
    ///
    /// # Errors
    /// A new vertex cannot be made.
    pub(super) fn of(
        &mut self,
        part: &ScenePrimitive,
        at: usize,
        twin: Option<(usize, usize)>,
    ) -> Result<usize, Refusal> {
        let position = part.positions.get(at).copied().unwrap_or_default();
        let at_position = self.places.get(&bits(position)).into_iter().flatten();
        let found = twin
            .into_iter()
            .chain(at_position.copied())
            .find(|&(old, corner)| {
                self.old.base.primitives.get(old).is_some_and(|before| {
                    let mut change =
                        corner_change(before.corner(corner), part.corner(at), self.tolerance);
                    // The light of vertices does not change.
                    change.color = None;
                    !change.is_any()
                })
            });
        if let Some(id) = found.and_then(|(part, corner)| self.id(part, corner)) {
            return Ok(id);
        }
        if self.old.is_bound {
            refuse!("it would need new vertices, which cannot be added to a mesh that bones move");
        }
        let normal = part.normals.get(at).copied();
        let normal = normal.ok_or_else(|| refusal!("new triangles have no normals"))?;
        let has_uvs = self
            .old
            .base
            .primitives
            .iter()
            .any(|part| !part.uvs.is_empty());
        let uv = |set: usize| {
            let [u, v] = part.uvs.get(set)?.get(at).copied()?;
            Some([u, if self.old.is_turned { 1.0 - v } else { v }])
        };
        let uvs = [uv(0), uv(1)];
        if has_uvs && uvs[0].is_none() {
            refuse!("new triangles have no texture coordinates");
        }
        let parts = [position, normal].concat();
        let coordinates = uvs.into_iter().flat_map(Option::unwrap_or_default);
        let mut key = [0_u32; 10];
        for (key, part) in key.iter_mut().zip(parts.into_iter().chain(coordinates)) {
            if !part.is_finite() {
                refuse!("a value of a new vertex is not finite");
            }
            *key = (part + 0.0).to_bits();
        }
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let twin = twin.and_then(|(part, corner)| self.id(part, corner));
        let like = twin.or_else(|| self.nearest(position)).unwrap_or_default();
        let number = self.old.count.saturating_add(self.new.len());
        self.new.push(NewVertex {
            like,
            corner: Corner {
                position: to_file(position),
                normal: to_file(normal),
                uvs,
            },
        });
        self.known.insert(key, number);
        Ok(number)
    }

    /// The nearest vertex.
    fn nearest(&self, position: [f32; 3]) -> Option<usize> {
        let wide = |place: [f32; 3]| DVec3::from_array(place.map(f64::from));
        let far = |place: [f32; 3]| wide(place).distance_squared(wide(position));
        let nearest = self
            .all
            .iter()
            .min_by(|one, other| far(one.0).total_cmp(&far(other.0)));
        nearest.map(|(_, id)| *id)
    }
}

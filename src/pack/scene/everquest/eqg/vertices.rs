//! Vertices of a piece to rebuild: old ones where a corner matches one, and new ones.

use std::collections::{BTreeMap, HashMap};

use glam::DVec3;

use super::bones::{self, CornerWeights, is_same};
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::corner_change;
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::everquest::corners::to_file;
use crate::pack::scene::file::{SceneMesh, ScenePrimitive};
use relicast_formats::everquest::eqg::parts::VertexWeights;

/// A corner of the edit, in file axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Corner {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub uvs: [Option<[f32; 2]>; 2],
}

/// A new vertex: the old vertex whose light it takes, and its own values.
#[derive(Debug, Clone)]
pub(super) struct NewVertex {
    pub like: usize,
    pub corner: Corner,
    /// In a model with bones; without a value they are those of the old vertex.
    pub weights: Option<VertexWeights>,
    /// Linear, as drawn, if it is not that of the old vertex.
    pub color: Option<[f32; 3]>,
}

/// Values by which new vertices are found again: bits of numbers, bones with bits of weights, and the color.
type Key = ([u32; 10], Vec<(i32, u32)>, Option<[u32; 3]>);

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
    /// The bones of the original corners and of the edited ones, in a model with bones.
    pub bones: Option<&'v [CornerWeights; 2]>,
    /// The edited mesh.
    pub edited: &'v SceneMesh,
    /// It is the model of one placement alone, to which others may be joined: white corners are white, and new vertices
    /// without bones have those of the nearest one.
    pub is_own: bool,
    /// The colors of the mesh are those of one list of baked light of the archive.
    pub is_lit: bool,
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
    known: HashMap<Key, usize>,
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

    /// The color of a corner of the edit. Programs write white where new triangles have no colors.
    fn color(&self, part: &ScenePrimitive, at: usize, has_twin: bool) -> Option<[f32; 3]> {
        let color = part.colors.get(at).copied().filter(|_| self.old.is_lit);
        color.filter(|color| has_twin || self.old.is_own || *color != [1.0; 3])
    }

    /// The vertex of a corner of the edit, given by its primitive; `twin` is the original corner.
    ///
    /// # Errors
    /// A new vertex cannot be made.
    pub(super) fn of(
        &mut self,
        number: usize,
        at: usize,
        twin: Option<(usize, usize)>,
    ) -> Result<usize, Refusal> {
        let part = self.old.edited.primitives.get(number);
        let part = part.ok_or_else(|| refusal!("a primitive of it is missing"))?;
        let weights = self
            .old
            .bones
            .and_then(|[_, edited]| bones::at(edited, number, at));
        let position = part.positions.get(at).copied().unwrap_or_default();
        let color = self.color(part, at, twin.is_some());
        let at_position = self.places.get(&bits(position)).into_iter().flatten();
        let found = twin
            .into_iter()
            .chain(at_position.copied())
            .find(|&(old, corner)| {
                self.old.base.primitives.get(old).is_some_and(|before| {
                    let mut change =
                        corner_change(before.corner(corner), part.corner(at), self.tolerance);
                    let close =
                        corner_change(before.corner(corner), part.corner(at), Tolerance::FOREIGN);
                    change.color = close.color.filter(|_| color.is_some());
                    let own = self
                        .old
                        .bones
                        .and_then(|[base, _]| bones::at(base, old, corner));
                    let is_bound = own.zip(weights).is_none_or(|(own, new)| is_same(own, new));
                    is_bound && !change.is_any()
                })
            });
        if let Some(id) = found.and_then(|(part, corner)| self.id(part, corner)) {
            return Ok(id);
        }
        let is_bound = self.old.bones.is_some() && (weights.is_some() || !self.old.is_own);
        let weights = is_bound.then(|| bones::stored(weights)).transpose()?;
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
        let influences = weights.iter().flat_map(VertexWeights::influences);
        let influences = influences.map(|it| (it.bone, it.weight.get().to_bits()));
        let color_bits = color.map(|color| color.map(f32::to_bits));
        let key: Key = (key, influences.collect(), color_bits);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let twin = twin.and_then(|(part, corner)| self.id(part, corner));
        let like = twin.or_else(|| self.nearest(position)).unwrap_or_default();
        let number = self.old.count.saturating_add(self.new.len());
        self.new.push(NewVertex {
            like,
            weights,
            color,
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

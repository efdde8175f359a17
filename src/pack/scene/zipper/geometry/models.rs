//! Edited corners, packed into models: vertices, normals, texture coordinates and colors.

use std::collections::{BTreeMap, BTreeSet};

use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::CornerChange;
use crate::pack::scene::compare::triangles::is_near;
use relicast_codec::{Vec2, Vec3};
use relicast_convert::zipper::CornerSource;
use relicast_formats::zipper::gamez::Model;
use relicast_scene::space::vertex_color;

/// Changes to the corner of a polygon.
#[derive(Debug, Clone, Default)]
struct CornerEdit {
    /// Its movement from the position in the scene, and its new position.
    position: Option<([f32; 3], [f32; 3])>,
    normal: Option<[f32; 3]>,
    /// By layer.
    uvs: BTreeMap<usize, [f32; 2]>,
    color: Option<[f32; 3]>,
}

/// Polygon, corner, and its new position if it was moved.
type MovedCorner = (usize, usize, Option<[f32; 3]>);

/// Edits of a model, from all scenes that show it.
#[derive(Debug, Clone, Default)]
pub(super) struct ModelEdits {
    corners: BTreeMap<(usize, usize), CornerEdit>,
}

/// Reason to refuse a value that was edited in two ways.
const CONFLICT: &str = "a corner was moved apart, or edited scenes set different values for it";

fn set<T: PartialEq>(place: &mut Option<T>, value: T) -> Result<(), Refusal> {
    match place {
        Some(known) if *known != value => Err(Refusal::new(CONFLICT)),
        _ => {
            *place = Some(value);
            Ok(())
        }
    }
}

impl ModelEdits {
    /// Collects the changes of the corners of a mesh, which come from `sources`; `positions` are the original ones.
    ///
    /// # Errors
    /// Two edits set different values for a corner.
    pub(super) fn take(
        &mut self,
        sources: &[CornerSource],
        positions: &[[f32; 3]],
        changes: &[CornerChange],
    ) -> Result<(), Refusal> {
        for ((source, change), before) in sources.iter().zip(changes).zip(positions) {
            let key = (source.polygon, source.corner);
            let edit = self.corners.entry(key).or_default();
            if let Some(position) = change.position {
                let moved =
                    |(from, to): ([f32; 3], [f32; 3])| [0, 1, 2].map(|axis| to[axis] - from[axis]);
                let new = (*before, position);
                match edit.position {
                    Some(known) if is_near(&moved(known), &moved(new), 1e-5) => {}
                    _ => set(&mut edit.position, new)?,
                }
            }
            if let Some(normal) = change.normal {
                set(&mut edit.normal, normal)?;
            }
            if let Some(color) = change.color {
                set(&mut edit.color, color)?;
            }
            for (number, uv) in change.uvs.iter().enumerate() {
                let Some(uv) = *uv else { continue };
                let layer = source.layer.saturating_add(number);
                match edit.uvs.insert(layer, uv) {
                    Some(known) if known != uv => return Err(Refusal::new(CONFLICT)),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Applies the edits to the model.
    ///
    /// # Errors
    /// The format has no place for an edit.
    pub(super) fn apply(&self, model: &mut Model) -> Result<(), Refusal> {
        self.apply_positions(model)?;
        self.apply_normals(model)?;
        for (&(polygon, corner), edit) in &self.corners {
            let Some(polygon) = model.polygons.get_mut(polygon) else {
                continue;
            };
            let count = polygon.corners();
            for (&layer, &uv) in &edit.uvs {
                let place = layer.saturating_mul(count).saturating_add(corner);
                let stored = polygon
                    .uvs
                    .get_mut(place)
                    .ok_or_else(|| refusal!("a polygon has no texture coordinates to change"))?;
                *stored = changed_uv(*stored, uv);
            }
            if let Some(color) = edit.color {
                let stored = polygon.colors.get_mut(corner).ok_or_else(|| {
                    refusal!("its polygons have no colors at their corners in this game")
                })?;
                *stored = changed_color(*stored, color);
            }
        }
        model.record.vertex_count = u32::try_from(model.vertices.len()).unwrap_or(u32::MAX);
        Ok(())
    }

    /// Moves a vertex with all its corners; if some of them stay, the others get a separate vertex.
    fn apply_positions(&self, model: &mut Model) -> Result<(), Refusal> {
        let mut by_vertex: BTreeMap<usize, Vec<MovedCorner>> = BTreeMap::new();
        let mut moved = BTreeSet::new();
        for (&(polygon, corner), edit) in &self.corners {
            let vertex = model
                .polygons
                .get(polygon)
                .and_then(|polygon| polygon.vertex_indices.get(corner));
            let Some(vertex) = vertex.map(|&vertex| vertex as usize) else {
                continue;
            };
            let Some(stored) = model.vertices.get(vertex) else {
                continue;
            };
            let wanted = edit
                .position
                .map(|(before, after)| moved_to(*stored, before, after));
            if wanted.is_some() {
                moved.insert(vertex);
            }
            by_vertex
                .entry(vertex)
                .or_default()
                .push((polygon, corner, wanted));
        }
        for vertex in moved {
            let corners = by_vertex.remove(&vertex).unwrap_or_default();
            let bits = |wanted: &Option<[f32; 3]>| wanted.map(|at| at.map(f32::to_bits));
            let places: BTreeSet<_> = corners.iter().map(|(_, _, wanted)| bits(wanted)).collect();
            if places.len() == 1 {
                let wanted = corners.first().and_then(|(_, _, wanted)| *wanted);
                if let (Some(stored), Some(wanted)) = (model.vertices.get_mut(vertex), wanted) {
                    *stored = Vec3::from(wanted);
                }
                continue;
            }
            if !model.morphs.is_empty() {
                refuse!(
                    "corners that share a vertex were moved apart, which is not supported for a model with morph targets"
                );
            }
            let mut known: BTreeMap<[u32; 3], u32> = BTreeMap::new();
            for (polygon, corner, wanted) in corners {
                let Some(wanted) = wanted else { continue };
                let next = u32::try_from(model.vertices.len())
                    .map_err(|_| refusal!("it has too many vertices"))?;
                let index = *known.entry(wanted.map(f32::to_bits)).or_insert(next);
                if index == next {
                    model.vertices.push(Vec3::from(wanted));
                }
                let polygon = model.polygons.get_mut(polygon);
                if let Some(place) =
                    polygon.and_then(|polygon| polygon.vertex_indices.get_mut(corner))
                {
                    *place = index;
                }
            }
        }
        Ok(())
    }

    fn apply_normals(&self, model: &mut Model) -> Result<(), Refusal> {
        let mut users: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for (number, polygon) in model.polygons.iter().enumerate() {
            for (corner, &normal) in polygon.normal_indices.iter().enumerate() {
                users
                    .entry(normal as usize)
                    .or_default()
                    .push((number, corner));
            }
        }
        let edited = self
            .corners
            .iter()
            .filter_map(|(&place, edit)| Some((place, edit.normal?)));
        let mut wanted: BTreeMap<usize, BTreeMap<(usize, usize), [f32; 3]>> = BTreeMap::new();
        for ((polygon, corner), normal) in edited {
            // A polygon without stored normals gets the normals of its shape.
            let index = model
                .polygons
                .get(polygon)
                .and_then(|polygon| polygon.normal_indices.get(corner));
            if let Some(&index) = index {
                let all = wanted.entry(index as usize).or_default();
                all.insert((polygon, corner), normal);
            }
        }
        for (index, corners) in wanted {
            let Some(stored) = model.normals.get(index).copied() else {
                continue;
            };
            let length = stored
                .to_array()
                .iter()
                .map(|part| part * part)
                .sum::<f32>()
                .sqrt();
            // Some stored normals have another length than 1.
            let scale = if (length - 1.0).abs() < 1e-3 || length == 0.0 {
                1.0
            } else {
                length
            };
            let bits = |normal: &[f32; 3]| normal.map(f32::to_bits);
            let kinds: BTreeSet<_> = corners.values().map(bits).collect();
            let all = users.get(&index).map_or(0, Vec::len);
            if let (1, Some(normal)) = (kinds.len(), corners.values().next())
                && corners.len() == all
            {
                if let Some(place) = model.normals.get_mut(index) {
                    *place = Vec3::from(normal.map(|part| part * scale));
                }
                continue;
            }
            let mut known: BTreeMap<[u32; 3], u32> = BTreeMap::new();
            for ((polygon, corner), normal) in corners {
                let next = u32::try_from(model.normals.len())
                    .map_err(|_| refusal!("it has too many normals"))?;
                let index = *known.entry(bits(&normal)).or_insert(next);
                if index == next {
                    model
                        .normals
                        .push(Vec3::from(normal.map(|part| part * scale)));
                }
                let polygon = model.polygons.get_mut(polygon);
                if let Some(place) =
                    polygon.and_then(|polygon| polygon.normal_indices.get_mut(corner))
                {
                    *place = index;
                }
            }
        }
        Ok(())
    }
}

/// New position of a vertex; axes along which the corner was not moved keep their bits. Scenes may show faces a little
/// off their planes.
fn moved_to(stored: Vec3, before: [f32; 3], after: [f32; 3]) -> [f32; 3] {
    let mut place = stored.to_array();
    for ((place, before), after) in place.iter_mut().zip(before).zip(after) {
        if *place == before {
            if before != after {
                *place = after;
            }
        } else {
            *place += after - before;
        }
    }
    place
}

fn changed_uv(stored: Vec2, wanted: [f32; 2]) -> Vec2 {
    let mut parts = stored.to_array();
    for (part, wanted) in parts.iter_mut().zip(wanted) {
        if *part != wanted {
            *part = wanted;
        }
    }
    Vec2::from(parts)
}

/// A stored color, 0 to 255, that converts to a linear one; a whole number if there is one.
pub(super) fn changed_color(stored: Vec3, wanted: [f32; 3]) -> Vec3 {
    let mut channels = stored.to_array();
    let shorts = wanted.map(|part| (part.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16);
    for (channel, (wanted, short)) in channels.iter_mut().zip(wanted.into_iter().zip(shorts)) {
        let [found, ..] = vertex_color([*channel; 3], 1.0);
        if found == short {
            continue;
        }
        let exact = srgb(f64::from(wanted.clamp(0.0, 1.0))) * 255.0;
        let whole = exact.round();
        let [as_whole, ..] = vertex_color([whole as f32; 3], 1.0);
        *channel = match as_whole.abs_diff(short) <= 1 {
            true => whole as f32,
            false => exact as f32,
        };
    }
    Vec3::from(channels)
}

/// Display-referred color of a linear one, both 0 to 1.
fn srgb(linear: f64) -> f64 {
    if linear <= 0.003_130_8 {
        linear * 12.92
    } else {
        1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055
    }
}

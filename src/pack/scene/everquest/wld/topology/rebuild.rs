//! Tables of a mesh, rebuilt for other faces.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DMat4, DVec3};

use super::joints::Joint;
use super::parts::Parts;
use super::tables::{Bound, Light, Stored, Tables};
use crate::config::EverQuest;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::pairing::has_area;
use crate::pack::scene::everquest::colors::{is_drawn, stored_light};
use crate::pack::scene::everquest::corners::{to_file, to_scene};
use crate::pack::scene::everquest::wld::shapes::{Bones, packed_normal};
use crate::pack::scene::file::ScenePrimitive;
use relicast_formats::everquest::wld::{
    Bgra, Face, FaceFlags, Mesh, TextureCoordinates, VertexPiece,
};

/// A corner of a new face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Corner {
    /// Position in scene axes.
    pub shown: [f32; 3],
    /// Normal in scene axes.
    normal: Option<[f32; 3]>,
    /// With V upward.
    uv: Option<[f32; 2]>,
    /// Linear, as drawn.
    color: Option<[f32; 3]>,
    /// Its bone, if it has one.
    pub joint: Option<Joint>,
}

impl Corner {
    /// Reads a corner of a primitive.
    pub(super) fn new(part: &ScenePrimitive, corner: usize, joint: Option<Joint>) -> Self {
        let uv = part.uvs.first().and_then(|rows| rows.get(corner));
        let color = part.colors.get(corner).copied();
        Self {
            shown: part.positions.get(corner).copied().unwrap_or_default(),
            normal: part.normals.get(corner).copied(),
            uv: uv.map(|&[u, v]| [u, 1.0 - v]),
            // Programs write white where a mesh has no colors.
            color: color.filter(|color| *color != [1.0; 3]),
            joint,
        }
    }

    /// Position in file axes.
    pub(super) fn point(&self) -> DVec3 {
        DVec3::from_array(to_file(self.shown.map(f64::from)))
    }
}

/// A new face, clockwise.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewFace {
    /// Index of its material in the palette.
    pub slot: u16,
    /// True if it stops movement.
    pub is_solid: bool,
    pub corners: [Corner; 3],
}

impl NewFace {
    /// Direction to its visible side; faces are clockwise seen from there.
    pub(super) fn outwards(&self) -> [f64; 3] {
        let [a, b, c] = self.corners.each_ref().map(Corner::point);
        (c - a).cross(b - a).normalize_or_zero().to_array()
    }
}

/// The bones of a mesh.
#[derive(Debug)]
pub(super) struct Skeleton {
    pub bones: Bones,
    /// For each bone the transform from the space of the model.
    inverses: Vec<DMat4>,
}

impl Skeleton {
    pub(super) fn new(bones: Bones) -> Self {
        let inverses = bones.places.iter().map(DMat4::inverse).collect();
        Self { bones, inverses }
    }

    /// The bones of the vertices of the rebuilt mesh.
    pub(super) fn bones_of(&self, pieces: &[VertexPiece]) -> Bones {
        Bones {
            of: bones_of(pieces).into_iter().map(usize::from).collect(),
            ..self.bones.clone()
        }
    }

    /// The transform from the space of the model to that of a bone.
    fn inverse(&self, bone: u16) -> Result<DMat4, Refusal> {
        match self.inverses.get(usize::from(bone)) {
            Some(inverse) if inverse.is_finite() => Ok(*inverse),
            Some(_) => Err(refusal!("a bone of it has scale 0")),
            None => Err(refusal!(
                "a new vertex of it has a bone that its skeleton does not have"
            )),
        }
    }

    /// Largest size of a step of a mesh in the scene.
    fn size(&self) -> f64 {
        let size = |place: &DMat4| {
            // All axes may be off at once, and be rotated onto one.
            let axes = [place.x_axis, place.y_axis, place.z_axis];
            axes.map(|axis| axis.length()).into_iter().sum::<f64>()
        };
        self.bones.places.iter().map(size).fold(1.0, f64::max)
    }
}

/// The bones of vertices that are stored in runs.
fn bones_of(pieces: &[VertexPiece]) -> Vec<u16> {
    let runs = pieces.iter();
    runs.flat_map(|piece| std::iter::repeat_n(piece.bone, usize::from(piece.count)))
        .collect()
}

/// Changes of the faces of a mesh.
#[derive(Debug, Default)]
pub(super) struct Rebuild {
    /// Numbers of removed faces.
    pub removed: BTreeSet<usize>,
    pub added: Vec<NewFace>,
    /// Ambient light of the scene, which its colors include.
    pub ambient: [u8; 3],
    /// The bones in whose spaces its vertices are.
    pub skeleton: Option<Skeleton>,
    pub outcome: RebuildOutcome,
}

/// Result of a rebuilt mesh.
#[derive(Debug, Default)]
pub(super) struct RebuildOutcome {
    /// Half of the steps in which its positions are stored.
    pub slack: f64,
    /// Unedited vertices that are rounded too.
    pub rounded: usize,
    /// New corners with the baked light of the nearest vertex.
    pub relit: usize,
    /// New corners with weights of several bones.
    pub shared: usize,
    /// Triangles that have no area any more, because positions are rounded.
    pub without_area: usize,
    /// True if it had levels of detail.
    pub had_detail: bool,
    /// True if it has no normals for some vertices.
    pub has_free_normals: bool,
}

/// A corner of a new face in the space of its bone, in file axes.
#[derive(Debug, Clone, Copy, Default)]
struct BoundCorner {
    point: DVec3,
    normal: [f64; 3],
    uv: [f32; 2],
    bone: u16,
}

/// Form of the vertices of a mesh.
#[derive(Debug, Clone, Copy)]
struct Form {
    center: DVec3,
    /// Steps per unit.
    step: f64,
    /// True if texture coordinates are floats.
    is_float: bool,
}

impl Form {
    fn stored(&self, corner: &BoundCorner, color: Bgra) -> Result<Bound, Refusal> {
        let raw = ((corner.point - self.center) * self.step).to_array();
        let uv = match self.is_float {
            true => corner.uv.map(f32::to_bits),
            false => {
                let raw = corner.uv.map(|part| (f64::from(part) * 256.0).round());
                if !raw.into_iter().all(in_range) {
                    refuse!(
                        "its texture is repeated more than 128 times, which the format cannot hold"
                    );
                }
                raw.map(|part| (part as i32).cast_unsigned())
            }
        };
        let stored = Stored {
            position: raw.map(|part| part.round() as i16),
            uv,
            normal: packed_normal(corner.normal),
            color: Stored::color(color),
        };
        Ok((stored, corner.bone))
    }
}

fn in_range(part: f64) -> bool {
    (-32768.0..=32767.0).contains(&part)
}

impl Rebuild {
    /// Rebuilds the tables of a mesh. Returns the new triangles in file axes that are not parts of removed ones; `None`:
    /// no face is left, and the mesh is unchanged.
    ///
    /// # Errors
    /// The format cannot hold them.
    pub(super) fn put(
        &mut self,
        mesh: &mut Mesh,
        options: &EverQuest,
    ) -> Result<Option<Vec<[DVec3; 3]>>, Refusal> {
        let kept: Vec<(Face, Option<u16>)> = mesh
            .faces_with_materials()
            .enumerate()
            .filter(|(number, _)| !self.removed.contains(number))
            .map(|(_, (face, slot))| (*face, slot))
            .collect();
        if kept.is_empty() && self.added.is_empty() {
            return Ok(None);
        }
        if !mesh.pieces.is_empty() && kept.iter().any(|(_, slot)| slot.is_none()) {
            refuse!("bones move it, and some of its faces have no material");
        }
        let added = self.bound()?;
        let exponent = exponent(mesh, added.iter().flatten())?;
        let form = Form {
            center: DVec3::from_array(mesh.center.to_array().map(f64::from)),
            step: libm::exp2(f64::from(exponent)),
            is_float: matches!(mesh.texture_coordinates, TextureCoordinates::Float(_)),
        };
        let gone = self.removed_triangles(mesh);
        let old = self.old_vertices(mesh, exponent);
        let bones = bones_of(&mesh.pieces);
        let light = Light::new(mesh, &bones);
        let mut tables = Tables::default();
        let before = seen(mesh, kept.iter().map(|(face, _)| face.vertices)) + self.seen_added();
        let mut relit = 0;
        for slot in self.order(mesh, &kept) {
            let faces = kept.iter().filter(|(_, own)| *own == slot);
            tables.begin(slot);
            let used: BTreeSet<u16> = faces.clone().flat_map(|(face, _)| face.vertices).collect();
            let mut places: BTreeMap<u16, u16> = BTreeMap::new();
            for vertex in used {
                let stored = old.get(usize::from(vertex));
                let stored = stored.ok_or_else(|| refusal!("a face of it has no vertices"))?;
                let bone = bones.get(usize::from(vertex)).copied().unwrap_or_default();
                places.insert(vertex, tables.push((*stored, bone))?);
            }
            for (face, _) in faces {
                let vertices = face.vertices.map(|vertex| places.get(&vertex).copied());
                let vertices = vertices.map(Option::unwrap_or_default);
                tables.faces.push(Face { vertices, ..*face });
            }
            let new = self.added.iter().zip(&added);
            for (face, bound) in new.filter(|(face, _)| Some(face.slot) == slot) {
                let mut vertices = [0; 3];
                let corners = face.corners.iter().zip(bound);
                for (vertex, (corner, bound)) in vertices.iter_mut().zip(corners) {
                    let near = light.near(bound.bone, bound.point);
                    let color = self.color(corner, near, options, &mut relit)?;
                    *vertex = tables.find(form.stored(bound, color)?)?;
                }
                let flags = match face.is_solid {
                    true => FaceFlags::empty(),
                    false => FaceFlags::PASSABLE,
                };
                tables.new.push(vertices);
                tables.faces.push(Face { flags, vertices });
            }
            tables.end()?;
        }
        self.outcome.relit = relit;
        let size = self.skeleton.as_ref().map_or(1.0, Skeleton::size);
        self.outcome.slack = 0.5 / form.step * size;
        self.outcome.had_detail = !mesh.operations.is_empty();
        mesh.operations = Vec::new().into();
        let has_uvs = !mesh.texture_coordinates.is_empty() || self.has_uvs();
        mesh.scale_exponent = exponent;
        let new = tables.put(mesh, has_uvs)?;
        let after = seen(mesh, mesh.faces.iter().map(|face| face.vertices));
        self.outcome.without_area = before.saturating_sub(after);
        self.outcome.has_free_normals =
            mesh.normals.len() < mesh.positions.len() || mesh.normals.contains(&[0; 3]);
        let place = |vertex: u16| {
            let position = mesh.position(usize::from(vertex)).unwrap_or_default();
            DVec3::from_array(position.map(f64::from))
        };
        let new = new.iter().map(|face| face.map(place));
        let gone = Parts::new(gone, 2.0 / form.step);
        let is_outside = |face: &[DVec3; 3]| gone.of(*face).is_none();
        Ok(Some(new.filter(is_outside).collect()))
    }

    /// The number of new faces that have an area.
    fn seen_added(&self) -> usize {
        let corners = self.added.iter();
        let corners = corners.map(|face| face.corners.each_ref().map(Corner::point));
        corners.filter(|corners| has_area(*corners)).count()
    }

    /// The removed triangles of a mesh, in file axes.
    fn removed_triangles(&self, mesh: &Mesh) -> Vec<([DVec3; 3], ())> {
        let faces = self.removed.iter().filter_map(|&face| mesh.faces.get(face));
        let place = |vertex: u16| {
            let position = mesh.position(usize::from(vertex)).unwrap_or_default();
            DVec3::from_array(position.map(f64::from))
        };
        faces.map(|face| (face.vertices.map(place), ())).collect()
    }

    fn has_uvs(&self) -> bool {
        let corners = self.added.iter().flat_map(|face| &face.corners);
        corners.into_iter().any(|corner| corner.uv.is_some())
    }

    /// The corners of new faces in the spaces of their bones.
    fn bound(&mut self) -> Result<Vec<[BoundCorner; 3]>, Refusal> {
        let mut shared = 0;
        let mut all = Vec::with_capacity(self.added.len());
        for face in &self.added {
            let mut bound = [BoundCorner::default(); 3];
            for (bound, corner) in bound.iter_mut().zip(&face.corners) {
                let normal = corner.normal.map(|it| to_file(it.map(f64::from)));
                let normal = normal.unwrap_or_else(|| face.outwards());
                let uv = corner.uv.unwrap_or_default();
                *bound = BoundCorner {
                    point: corner.point(),
                    normal,
                    uv,
                    bone: 0,
                };
                let Some(skeleton) = &self.skeleton else {
                    continue;
                };
                let joint = corner.joint.ok_or_else(|| {
                    refusal!("a new vertex of it has no bone; assign it to the vertex group of one")
                })?;
                shared += usize::from(!joint.is_alone);
                let inverse = skeleton.inverse(joint.bone)?;
                let normal = DVec3::from_array(to_scene(normal));
                let normal = inverse.transform_vector3(normal).normalize_or_zero();
                bound.normal = to_file(normal.to_array());
                let point = DVec3::from_array(corner.shown.map(f64::from));
                let point = inverse.transform_point3(point);
                bound.point = DVec3::from_array(to_file(point.to_array()));
                bound.bone = joint.bone;
            }
            all.push(bound);
        }
        self.outcome.shared = shared;
        Ok(all)
    }

    /// The old vertices with the new steps.
    fn old_vertices(&mut self, mesh: &Mesh, exponent: u16) -> Vec<Stored> {
        let larger = libm::exp2(f64::from(mesh.scale_exponent - exponent));
        let vertices = mesh.positions.iter().enumerate();
        vertices
            .map(|(vertex, raw)| {
                let parts = raw.map(|part| f64::from(part) / larger);
                let is_rounded = parts.iter().any(|part| part.fract() != 0.0);
                self.outcome.rounded += usize::from(is_rounded);
                let uv = match &mesh.texture_coordinates {
                    TextureCoordinates::Fixed(rows) => {
                        let row = rows.get(vertex).copied().unwrap_or_default();
                        row.map(|part| i32::from(part).cast_unsigned())
                    }
                    TextureCoordinates::Float(rows) => {
                        let row = rows.get(vertex).copied().unwrap_or_default();
                        row.to_array().map(f32::to_bits)
                    }
                };
                let color = mesh.colors.get(vertex).copied().unwrap_or_default();
                Stored {
                    position: parts.map(|part| part.round() as i16),
                    uv,
                    normal: mesh.normals.get(vertex).copied().unwrap_or_default(),
                    color: Stored::color(color),
                }
            })
            .collect()
    }

    /// The materials in the old order, then new ones; last the faces without one.
    fn order(&self, mesh: &Mesh, kept: &[(Face, Option<u16>)]) -> Vec<Option<u16>> {
        let known = mesh.face_groups.iter().map(|group| group.material);
        let mut order: Vec<Option<u16>> = Vec::new();
        for slot in known.chain(self.added.iter().map(|face| face.slot)) {
            if !order.contains(&Some(slot)) {
                order.push(Some(slot));
            }
        }
        if kept.iter().any(|(_, slot)| slot.is_none()) {
            order.push(None);
        }
        order
    }

    /// The stored light of a new corner.
    fn color(
        &self,
        corner: &Corner,
        near: Option<Bgra>,
        options: &EverQuest,
        relit: &mut usize,
    ) -> Result<Bgra, Refusal> {
        let Some(near) = near else {
            return Ok(Bgra::default());
        };
        match corner.color {
            Some(color) => stored_light(near, color, self.ambient, options),
            None => {
                *relit += usize::from(!is_drawn(near, self.ambient, [1.0; 3], options));
                Ok(near)
            }
        }
    }
}

/// The number of faces of a mesh that have an area. Those between bones may have one.
fn seen(mesh: &Mesh, faces: impl Iterator<Item = [u16; 3]>) -> usize {
    let bones = bones_of(&mesh.pieces);
    let has_area = |vertices: &[u16; 3]| {
        let [a, b, c] = vertices.map(|vertex| {
            let raw = mesh.positions.get(usize::from(vertex)).copied();
            raw.unwrap_or_default().map(i64::from)
        });
        let bone = vertices.map(|vertex| bones.get(usize::from(vertex)));
        let side = |to: [i64; 3]| [0, 1, 2].map(|axis| to[axis] - a[axis]);
        let (one, other) = (side(b), side(c));
        let is_line = (0..3).all(|axis| {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            one[next] * other[last] == one[last] * other[next]
        });
        !is_line || bone[0] != bone[1] || bone[0] != bone[2]
    };
    faces.filter(has_area).count()
}

/// The finest steps, no finer than the old ones of a mesh, in which all positions can be stored.
fn exponent<'c>(
    mesh: &Mesh,
    corners: impl Iterator<Item = &'c BoundCorner> + Clone,
) -> Result<u16, Refusal> {
    let center = DVec3::from_array(mesh.center.to_array().map(f64::from));
    let fits = |exponent: &u16| {
        let step = libm::exp2(f64::from(*exponent));
        corners.clone().all(|corner| {
            let raw = (corner.point - center) * step;
            raw.to_array()
                .into_iter()
                .all(|part| in_range(part.round()))
        })
    };
    let exponent = (0..=mesh.scale_exponent.min(40)).rev().find(fits);
    exponent
        .ok_or_else(|| refusal!("a vertex is more than 32,767 units from the center of its mesh"))
}

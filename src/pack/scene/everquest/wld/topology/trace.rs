//! Faces of files behind the triangles of a scene.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::surface::Surface;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::pairing::Triangle;
use crate::pack::scene::everquest::corners::{VertexId, to_scene};
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::vertex_edits::ELSEWHERE;
use crate::pack::scene::everquest::wld::members::Members;
use crate::pack::scene::everquest::wld::probe::vertex_at;
use crate::pack::scene::everquest::wld::shapes::{Bones, posing_bones};
use crate::pack::scene::file::SceneMesh;
use relicast_formats::everquest::wld::{Body, FaceFlags, FragmentRef, Mesh};

/// The palette of a mesh: number of the file and reference to the fragment.
type Palette = (usize, FragmentRef);

/// Faces behind the triangles of a mesh of a scene.
#[derive(Debug, Default)]
pub(super) struct Trace {
    faces: HashMap<Triangle, (Place, usize)>,
    /// The meshes, each with its palette and true if its vertices are in place.
    pub meshes: BTreeMap<Place, (Palette, bool)>,
    /// The bones that move the vertices of meshes.
    pub bones: BTreeMap<Place, Bones>,
    /// Palette indices of the surfaces' materials.
    slots: HashMap<(Palette, usize), u16>,
}

/// Faces of a mesh by their vertices, the smallest number first, and by the fact that they stop movement; in reverse.
type Faces = HashMap<([u16; 3], bool), Vec<(usize, Option<u16>)>>;

fn faces_of(mesh: &Mesh<'_>) -> Faces {
    let mut faces = Faces::new();
    let all: Vec<_> = mesh.faces_with_materials().enumerate().collect();
    for (number, (face, slot)) in all.into_iter().rev() {
        let is_solid = !face.flags.contains(FaceFlags::PASSABLE);
        let key = (turned(face.vertices), is_solid);
        faces.entry(key).or_default().push((number, slot));
    }
    faces
}

/// The corners of a triangle with the smallest first.
fn turned(mut vertices: [u16; 3]) -> [u16; 3] {
    let least = (0..3).min_by_key(|&step| vertices[step]);
    vertices.rotate_left(least.unwrap_or_default());
    vertices
}

impl Trace {
    /// Traces the triangles of a mesh; `codes` is the same mesh with numbers in place of positions.
    ///
    /// # Errors
    /// A triangle is of another archive, or of an older mesh.
    pub(super) fn new(
        [base, codes]: [&SceneMesh; 2],
        surfaces: &[Surface],
        members: &Members<'_>,
    ) -> Result<Self, Refusal> {
        let elsewhere = || Refusal::new(ELSEWHERE);
        let mut trace = Self::default();
        let mut known: HashMap<Place, Faces> = HashMap::new();
        let mut posed: BTreeMap<Place, Vec<(usize, [f32; 3])>> = BTreeMap::new();
        let parts = base.primitives.iter().zip(&codes.primitives);
        for (primitive, ((part, codes), surface)) in parts.zip(surfaces).enumerate() {
            for first in (0..part.positions.len().saturating_sub(2)).step_by(3) {
                let corner = |step: usize| {
                    let before = part.positions.get(first + step)?;
                    let coded = codes.positions.get(first + step)?;
                    let id = vertex_at(*coded, members).filter(|_| coded != before)?;
                    Some((id, *before))
                };
                let corners = [corner(0), corner(2), corner(1)];
                let [Some(a), Some(b), Some(c)] = corners else {
                    return Err(elsewhere());
                };
                let place = a.0.mesh;
                let Some(Body::Mesh(mesh)) = members.body(place) else {
                    refuse!("it has the older mesh format, in which triangles cannot be changed");
                };
                let faces = known.entry(place).or_insert_with(|| faces_of(mesh));
                let vertices = [a, b, c].map(|(id, _)| id.vertex as u16);
                let found = faces.get_mut(&(turned(vertices), surface.is_solid));
                let (face, slot) = found.and_then(Vec::pop).ok_or_else(elsewhere)?;
                let palette = (place.member, mesh.palette);
                let (_, is_in_place) = trace.meshes.entry(place).or_insert((palette, true));
                let is_plain = |(id, shown): (VertexId, [f32; 3])| {
                    id.mesh == place && mesh.position(id.vertex).map(to_scene) == Some(shown)
                };
                *is_in_place &= [a, b, c].into_iter().all(is_plain);
                if !mesh.pieces.is_empty() || !*is_in_place {
                    let corners = [a, b, c].map(|(id, shown)| (id.vertex, shown));
                    posed.entry(place).or_default().extend(corners);
                }
                if let Some(slot) = slot {
                    let key = (palette, surface.material);
                    trace.slots.entry(key).or_insert(slot);
                }
                trace
                    .faces
                    .insert(Triangle { primitive, first }, (place, face));
            }
        }
        for (place, corners) in posed {
            let wld = members.files.get(place.member).map(|file| &file.body);
            let bones = wld.and_then(|wld| posing_bones(wld, place.index, &corners));
            trace.bones.extend(bones.map(|bones| (place, bones)));
        }
        Ok(trace)
    }

    /// The mesh and the number of the face behind a triangle.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn face(&self, triangle: Triangle) -> Result<(Place, usize), Refusal> {
        let face = self.faces.get(&triangle).copied();
        face.ok_or_else(|| Refusal::new(ELSEWHERE))
    }

    /// The numbers of the faces of a mesh that the scene shows.
    pub(super) fn shown(&self, place: Place) -> HashSet<usize> {
        let faces = self.faces.values();
        let own = faces.filter(|(own, _)| *own == place);
        own.map(|(_, face)| *face).collect()
    }

    /// The index of a material in the palette of a mesh.
    pub(super) fn slot(&self, place: Place, material: usize) -> Option<u16> {
        let (palette, _) = self.meshes.get(&place)?;
        self.slots.get(&(*palette, material)).copied()
    }

    /// Adds the index that a material gets in the palette of a mesh.
    pub(super) fn add_slot(&mut self, place: Place, material: usize, slot: u16) {
        if let Some((palette, _)) = self.meshes.get(&place) {
            self.slots.entry((*palette, material)).or_insert(slot);
        }
    }

    /// Reason why the triangles of a mesh cannot change.
    pub(super) fn fixed(&self, place: Place, members: &Members<'_>) -> Option<&'static str> {
        let Some(Body::Mesh(mesh)) = members.body(place) else {
            return Some("not supported for the older mesh format");
        };
        let is_in_place = self.meshes.get(&place).is_some_and(|(_, it)| *it);
        let is_bound = !mesh.pieces.is_empty() || !is_in_place;
        if is_bound && !self.bones.contains_key(&place) {
            Some(
                "not supported for a mesh whose vertices no skeleton of its file moves to where they are",
            )
        } else if mesh.animation.index().is_some() {
            Some("not supported for a mesh whose vertices are animated")
        } else {
            None
        }
    }
}

//! Tables of a mesh while they are made.

use std::collections::HashMap;

use glam::DVec3;

use crate::pack::edited::Refusal;
use crate::pack::scene::everquest::wld::meshes::{followed, reach};
use relicast_codec::{F32, Vec2, Vec3};
use relicast_formats::everquest::wld::{
    Bgra, Face, MaterialGroup, Mesh, MeshFlags, TextureCoordinates, VertexPiece,
};

/// A stored vertex; the same for corners that share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Stored {
    pub position: [i16; 3],
    /// Numbers of 16 bits, or bits of floats.
    pub uv: [u32; 2],
    pub normal: [i8; 3],
    /// Blue, green, red, alpha.
    pub color: [u8; 4],
}

impl Stored {
    /// Stored light in its order.
    pub(super) fn color(color: Bgra) -> [u8; 4] {
        [color.blue, color.green, color.red, color.alpha]
    }
}

/// A vertex with its bone; 0 in a mesh without bones.
pub(super) type Bound = (Stored, u16);

/// A vertex of the tables.
#[derive(Debug, Clone, Copy)]
struct Vertex {
    stored: Stored,
    bone: u16,
    /// Index of its material in the palette.
    slot: Option<u16>,
}

/// Tables of a mesh while they are made, one material after the other.
#[derive(Debug, Default)]
pub(super) struct Tables {
    vertices: Vec<Vertex>,
    pub faces: Vec<Face>,
    /// Vertices of new faces.
    pub new: Vec<[u16; 3]>,
    face_groups: Vec<MaterialGroup>,
    /// Vertices of the current material.
    places: HashMap<Bound, u16>,
    /// The current material.
    slot: Option<u16>,
    /// First face of the current material.
    first: usize,
}

fn many<E>(_: E) -> Refusal {
    refusal!("it has more than 65,535 vertices or triangles; add fewer, or move them apart")
}

impl Tables {
    /// Begins a material.
    pub(super) fn begin(&mut self, slot: Option<u16>) {
        self.places.clear();
        self.slot = slot;
        self.first = self.faces.len();
    }

    /// Appends a vertex.
    ///
    /// # Errors
    /// There are too many.
    pub(super) fn push(&mut self, vertex: Bound) -> Result<u16, Refusal> {
        let place = u16::try_from(self.vertices.len()).map_err(many)?;
        let (stored, bone) = vertex;
        self.vertices.push(Vertex {
            stored,
            bone,
            slot: self.slot,
        });
        self.places.entry(vertex).or_insert(place);
        Ok(place)
    }

    /// Finds a vertex, or appends it.
    ///
    /// # Errors
    /// There are too many.
    pub(super) fn find(&mut self, vertex: Bound) -> Result<u16, Refusal> {
        match self.places.get(&vertex) {
            Some(&place) => Ok(place),
            None => self.push(vertex),
        }
    }

    /// Ends a material.
    ///
    /// # Errors
    /// It has too many faces.
    pub(super) fn end(&mut self) -> Result<(), Refusal> {
        let count = self.faces.len() - self.first;
        if let Some(material) = self.slot.filter(|_| count > 0) {
            let count = u16::try_from(count).map_err(many)?;
            self.face_groups.push(MaterialGroup { count, material });
        }
        Ok(())
    }

    /// Sorts the vertices by their bones, in the order of a mesh, and by their materials.
    fn sort(&mut self, pieces: &[VertexPiece]) {
        let mut order: Vec<u16> = pieces.iter().map(|piece| piece.bone).collect();
        let mut others: Vec<u16> = self.vertices.iter().map(|vertex| vertex.bone).collect();
        others.sort_unstable();
        order.extend(others);
        let mut ranks: HashMap<u16, usize> = HashMap::new();
        for (rank, bone) in order.into_iter().enumerate() {
            ranks.entry(bone).or_insert(rank);
        }
        let mut sorted: Vec<(usize, Vertex)> = std::mem::take(&mut self.vertices)
            .into_iter()
            .enumerate()
            .collect();
        sorted.sort_by_key(|(_, vertex)| ranks.get(&vertex.bone).copied());
        let mut places = vec![0; sorted.len()];
        for (place, (old, _)) in sorted.iter().enumerate() {
            places[*old] = place as u16;
        }
        let place = |vertex: u16| places.get(usize::from(vertex)).copied().unwrap_or_default();
        for face in &mut self.faces {
            face.vertices = face.vertices.map(place);
        }
        for face in &mut self.new {
            *face = face.map(place);
        }
        self.vertices = sorted.into_iter().map(|(_, vertex)| vertex).collect();
    }

    /// Counts of successive vertices that have the same of something.
    fn runs<K: PartialEq>(&self, of: impl Fn(&Vertex) -> Option<K>) -> Vec<(u16, K)> {
        let runs = self.vertices.chunk_by(|one, next| of(one) == of(next));
        let runs = runs.filter_map(|run| Some((run.len() as u16, of(run.first()?)?)));
        runs.collect()
    }

    /// Puts the tables into a mesh. Returns the vertices of new faces.
    ///
    /// # Errors
    /// There are too many vertices or faces.
    pub(super) fn put(mut self, mesh: &mut Mesh, has_uvs: bool) -> Result<Vec<[u16; 3]>, Refusal> {
        u16::try_from(self.vertices.len().max(self.faces.len())).map_err(many)?;
        let before: Vec<[f32; 3]> = relative(mesh).collect();
        if !mesh.pieces.is_empty() {
            self.sort(&mesh.pieces);
            let pieces = self.runs(|vertex| Some(vertex.bone)).into_iter();
            mesh.pieces = pieces
                .map(|(count, bone)| VertexPiece { count, bone })
                .collect();
        }
        let vertices = || self.vertices.iter().map(|vertex| vertex.stored);
        mesh.texture_coordinates = match &mesh.texture_coordinates {
            TextureCoordinates::Float(_) => {
                let rows = vertices().map(|vertex| vertex.uv.map(f32::from_bits));
                let rows = rows.filter(|_| has_uvs);
                TextureCoordinates::Float(rows.map(Vec2::from).collect())
            }
            TextureCoordinates::Fixed(_) => {
                let rows = vertices().map(|vertex| vertex.uv.map(|it| it.cast_signed() as i16));
                TextureCoordinates::Fixed(rows.filter(|_| has_uvs).collect())
            }
        };
        if !mesh.normals.is_empty() {
            mesh.normals = vertices().map(|vertex| vertex.normal).collect();
        }
        if !mesh.colors.is_empty() {
            let color = |vertex: Stored| {
                let [blue, green, red, alpha] = vertex.color;
                Bgra {
                    blue,
                    green,
                    red,
                    alpha,
                }
            };
            mesh.colors = vertices().map(color).collect();
        }
        mesh.positions = vertices().map(|vertex| vertex.position).collect();
        let groups = self.runs(|vertex| vertex.slot).into_iter();
        mesh.vertex_groups = groups
            .map(|(count, material)| MaterialGroup { count, material })
            .collect();
        mesh.faces = self.faces.into();
        mesh.face_groups = self.face_groups.into();
        match mesh.pieces.is_empty() {
            true => bound(mesh),
            false => grow(mesh, &before),
        }
        Ok(self.new)
    }
}

/// The positions of a mesh relative to its center.
fn relative(mesh: &Mesh) -> impl Iterator<Item = [f32; 3]> {
    let step = libm::exp2(-f64::from(mesh.scale_exponent)) as f32;
    let positions = mesh.positions.iter();
    positions.map(move |raw| raw.map(|part| f32::from(part) * step))
}

/// Updates the radius of a mesh whose vertices are in the spaces of bones.
fn grow(mesh: &mut Mesh, before: &[[f32; 3]]) {
    let radii = [reach(before.iter().copied()), reach(relative(mesh))];
    mesh.radius = F32(followed(mesh.radius.get(), radii[0], radii[1], 1.0));
}

/// Computes radius and box anew.
fn bound(mesh: &mut Mesh) {
    let places: Vec<[f32; 3]> = relative(mesh).collect();
    mesh.radius = F32(reach(places.iter().copied()));
    if !mesh.flags.contains(MeshFlags::BOX) {
        return;
    }
    let corner = |pick: fn(f32, f32) -> f32| {
        let found = places.iter().copied();
        let found = found.reduce(|a, b| [0, 1, 2].map(|axis| pick(a[axis], b[axis])));
        Vec3::from(found.unwrap_or_default())
    };
    (mesh.min, mesh.max) = (corner(f32::min), corner(f32::max));
}

/// Stored light of a mesh by bone and position.
#[derive(Debug)]
pub(super) struct Light {
    vertices: Vec<(u16, DVec3, Bgra)>,
}

impl Light {
    /// The light of a mesh; empty without.
    pub(super) fn new(mesh: &Mesh, bones: &[u16]) -> Self {
        let places = mesh.all_positions().zip(mesh.colors.iter()).enumerate();
        let place = |at: [f32; 3]| DVec3::from_array(at.map(f64::from));
        let bone = |vertex: usize| bones.get(vertex).copied().unwrap_or_default();
        let vertices = places.map(|(vertex, (at, color))| (bone(vertex), place(at), *color));
        Self {
            vertices: vertices.collect(),
        }
    }

    /// The light of the nearest vertex, if there is one of the same bone.
    pub(super) fn near(&self, bone: u16, point: DVec3) -> Option<Bgra> {
        let mut best: Option<(f64, Bgra)> = None;
        for (_, at, color) in self.vertices.iter().filter(|(own, ..)| *own == bone) {
            let far = (*at - point).length_squared();
            if best.is_none_or(|(known, _)| far < known) {
                best = Some((far, *color));
            }
            if far == 0.0 {
                break;
            }
        }
        let any = self.vertices.first().map(|(.., color)| *color);
        best.map(|(_, color)| color).or(any)
    }
}

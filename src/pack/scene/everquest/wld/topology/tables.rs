//! Tables of a mesh while they are made.

use std::collections::HashMap;

use glam::DVec3;

use crate::pack::edited::Refusal;
use relicast_codec::{F32, Vec2, Vec3};
use relicast_formats::everquest::wld::{
    Bgra, Face, MaterialGroup, Mesh, MeshFlags, TextureCoordinates,
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

/// Tables of a mesh while they are made, one material after the other.
#[derive(Debug, Default)]
pub(super) struct Tables {
    vertices: Vec<Stored>,
    pub faces: Vec<Face>,
    /// Vertices of new faces.
    pub new: Vec<[u16; 3]>,
    face_groups: Vec<MaterialGroup>,
    vertex_groups: Vec<MaterialGroup>,
    /// Vertices of the current material.
    places: HashMap<Stored, u16>,
    /// First vertex and face of the current material.
    first: [usize; 2],
}

fn many<E>(_: E) -> Refusal {
    refusal!("it has more than 65,535 vertices or triangles; add fewer, or move them apart")
}

impl Tables {
    /// Begins a material.
    pub(super) fn begin(&mut self) {
        self.places.clear();
        self.first = [self.vertices.len(), self.faces.len()];
    }

    /// Appends a vertex.
    ///
    /// # Errors
    /// There are too many.
    pub(super) fn push(&mut self, vertex: Stored) -> Result<u16, Refusal> {
        let place = u16::try_from(self.vertices.len()).map_err(many)?;
        self.vertices.push(vertex);
        self.places.entry(vertex).or_insert(place);
        Ok(place)
    }

    /// Finds a vertex, or appends it.
    ///
    /// # Errors
    /// There are too many.
    pub(super) fn find(&mut self, vertex: Stored) -> Result<u16, Refusal> {
        match self.places.get(&vertex) {
            Some(&place) => Ok(place),
            None => self.push(vertex),
        }
    }

    /// Ends a material.
    ///
    /// # Errors
    /// It has too many vertices or faces.
    pub(super) fn end(&mut self, slot: Option<u16>) -> Result<(), Refusal> {
        let [vertex, face] = self.first;
        let Some(material) = slot.filter(|_| self.faces.len() > face) else {
            return Ok(());
        };
        let group = |count: usize| -> Result<MaterialGroup, Refusal> {
            let count = u16::try_from(count).map_err(many)?;
            Ok(MaterialGroup { count, material })
        };
        self.face_groups.push(group(self.faces.len() - face)?);
        self.vertex_groups
            .push(group(self.vertices.len() - vertex)?);
        Ok(())
    }

    /// Puts the tables into a mesh. Returns the vertices of new faces.
    ///
    /// # Errors
    /// There are too many vertices or faces.
    pub(super) fn put(self, mesh: &mut Mesh, has_uvs: bool) -> Result<Vec<[u16; 3]>, Refusal> {
        u16::try_from(self.vertices.len().max(self.faces.len())).map_err(many)?;
        let vertices = || self.vertices.iter();
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
            let color = |vertex: &Stored| {
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
        mesh.faces = self.faces.into();
        mesh.face_groups = self.face_groups.into();
        mesh.vertex_groups = self.vertex_groups.into();
        bound(mesh);
        Ok(self.new)
    }
}

/// Computes radius and box anew.
fn bound(mesh: &mut Mesh) {
    let step = libm::exp2(-f64::from(mesh.scale_exponent)) as f32;
    let places = mesh
        .positions
        .iter()
        .map(|raw| raw.map(|part| f32::from(part) * step));
    let places: Vec<[f32; 3]> = places.collect();
    let reach = places.iter().map(|[x, y, z]| x * x + y * y + z * z);
    mesh.radius = F32(reach.fold(0.0, f32::max).sqrt());
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

/// Stored light of a mesh by position.
#[derive(Debug)]
pub(super) struct Light {
    vertices: Vec<(DVec3, Bgra)>,
}

impl Light {
    /// The light of a mesh; empty without.
    pub(super) fn new(mesh: &Mesh) -> Self {
        let places = mesh.all_positions().zip(mesh.colors.iter());
        let place = |at: [f32; 3]| DVec3::from_array(at.map(f64::from));
        Self {
            vertices: places.map(|(at, color)| (place(at), *color)).collect(),
        }
    }

    /// The light of the nearest vertex.
    pub(super) fn near(&self, point: DVec3) -> Option<Bgra> {
        let far = |(at, _): &&(DVec3, Bgra)| (*at - point).length_squared();
        let mut vertices = self.vertices.iter();
        let first = vertices.next()?;
        let mut best = (far(&first), first.1);
        for vertex in vertices {
            if best.0 == 0.0 {
                break;
            }
            let far = far(&vertex);
            if far < best.0 {
                best = (far, vertex.1);
            }
        }
        Some(best.1)
    }
}

//! Meshes: terrain of one region, one object, or the skin of a creature.

use std::borrow::Cow;

use serde::Serialize;

use super::reference::{Bgra, FragmentRef};
use relicast_codec::{Bytes, F32, InPlace, Result, Stream, Vec2, Vec3, owned};

bitflags::bitflags! {
    /// Properties of a mesh.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct MeshFlags: u32 {
        /// The center is valid; always set.
        const CENTER = 1 << 0;
        /// The radius is valid; always set.
        const RADIUS = 1 << 1;
        /// The box is filled in.
        const BOX = 1 << 14;
        /// Only on terrain; meaning unknown.
        const TERRAIN = 1 << 15;
        /// `collision` holds the marker -2.
        const OWN_COLLISION = 1 << 16;
        const _ = !0;
    }
}
relicast_codec::plain_flags!(MeshFlags: u32);

bitflags::bitflags! {
    /// Properties of a face.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
    #[repr(transparent)]
    pub struct FaceFlags: u16 {
        /// Passable.
        const PASSABLE = 1 << 4;
        const _ = !0;
    }
}
relicast_codec::plain_flags!(FaceFlags: u16);

impl InPlace for FaceFlags {}

relicast_codec::record! {
    /// A triangle, clockwise when seen from outside.
    pub struct Face[8]: FixedSize + InPlace {
        /// Properties.
        flags: FaceFlags,
        /// Indices of its vertices.
        vertices: [u16; 3],
    }
}

relicast_codec::record! {
    /// The next `count` vertices belong to a bone and are in its space.
    pub struct VertexPiece[4]: FixedSize + InPlace {
        /// Number of vertices.
        count: u16,
        /// Index of the bone.
        bone: u16,
    }
}

relicast_codec::record! {
    /// The next `count` faces (or vertices) have a material.
    pub struct MaterialGroup[4]: FixedSize + InPlace {
        /// Number of faces or vertices.
        count: u16,
        /// Index in the mesh's palette.
        material: u16,
    }
}

relicast_codec::record! {
    /// A step of coarser detail: vertices that collapse. Its use is not known in detail.
    pub struct MeshOperation[6]: FixedSize + InPlace {
        /// Two indices or a threshold.
        payload: Bytes<4>,
        /// 0 to 2.
        parameter: u8,
        /// 1 to 4.
        kind: u8,
    }
}

/// Action of a [`MeshOperation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshAction {
    /// Kind 4: a threshold.
    Threshold(F32),
    /// Other kinds: two indices.
    Indices(u16, u16),
}

impl MeshOperation {
    /// Action of the operation.
    pub fn action(&self) -> MeshAction {
        let [a, b, c, d] = self.payload.0;
        match self.kind {
            4 => MeshAction::Threshold(F32(f32::from_le_bytes(self.payload.0))),
            _ => MeshAction::Indices(u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])),
        }
    }
}

/// Texture coordinates; V grows from the bottom of the picture to its top.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TextureCoordinates<'a> {
    /// The old version: 256ths of the picture.
    Fixed(Cow<'a, [[i16; 2]]>),
    /// The new version: pictures.
    Float(Cow<'a, [Vec2]>),
}

impl Default for TextureCoordinates<'_> {
    fn default() -> Self {
        Self::Fixed(Cow::default())
    }
}

impl<'a> TextureCoordinates<'a> {
    /// Number of pairs.
    pub fn len(&self) -> usize {
        match self {
            Self::Fixed(values) => values.len(),
            Self::Float(values) => values.len(),
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pair of one vertex, in pictures.
    pub fn get(&self, vertex: usize) -> Option<[f32; 2]> {
        match self {
            Self::Fixed(values) => {
                let pair = values.get(vertex)?;
                Some(pair.map(|value| f32::from(value) / 256.0))
            }
            Self::Float(values) => values.get(vertex).map(|pair| pair.to_array()),
        }
    }

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S, count: usize) -> Result<()> {
        match self {
            Self::Fixed(values) => stream.values("texture_coordinates", values, count),
            Self::Float(values) => stream.values("texture_coordinates", values, count),
        }
    }

    fn into_owned(self) -> TextureCoordinates<'static> {
        match self {
            Self::Fixed(values) => TextureCoordinates::Fixed(owned(values)),
            Self::Float(values) => TextureCoordinates::Float(owned(values)),
        }
    }
}

relicast_codec::record! {
    /// A mesh (kind 0x36).
    pub struct Mesh<'a>[100..] {
        /// Properties.
        flags: MeshFlags,
        /// Its materials.
        palette: FragmentRef,
        /// Its vertex animation, if any.
        animation: FragmentRef,
        /// Always 0.
        unk12: FragmentRef,
        /// A collision volume; 0 or -2 if the mesh itself collides.
        collision: FragmentRef,
        /// Added to every vertex.
        center: Vec3,
        /// On objects that give light, the position of the flame; otherwise zero.
        light_offset: Vec3,
        /// Radius of the vertices around the center.
        radius: F32,
        /// Smallest corner of the vertices, relative to the center; zero without its flag.
        min: Vec3,
        /// Largest corner.
        max: Vec3,
        /// Number of vertices.
        vertex_count: u16 [counts positions] [at counts],
        /// Number of texture coordinates.
        uv_count: u16 [counts texture_coordinates],
        /// Number of normals.
        normal_count: u16 [counts normals],
        /// Number of colors.
        color_count: u16 [counts colors],
        /// Number of faces.
        face_count: u16 [counts faces],
        /// Number of pieces.
        piece_count: u16 [counts pieces],
        /// Number of face groups.
        face_group_count: u16 [counts face_groups],
        /// Number of vertex groups.
        vertex_group_count: u16 [counts vertex_groups],
        /// Number of operations.
        meshop_count: u16 [counts operations],
        /// Positions are stored times two to this power.
        scale_exponent: u16,
        /// Positions as stored; see [`Mesh::position`].
        positions: Cow<'a, [[i16; 3]]> [count vertex_count],
        /// Texture coordinates, one for each vertex or none.
        texture_coordinates: TextureCoordinates<'a> [by |coordinates, stream| coordinates.walk(stream, uv_count)],
        /// Normals as stored, 127 long, pointing outwards; one for each vertex.
        normals: Cow<'a, [[i8; 3]]> [count normal_count],
        /// Baked light, one for each vertex or none. Alpha is the strength of the ambient light.
        colors: Cow<'a, [Bgra]> [count color_count],
        /// Triangles.
        faces: Cow<'a, [Face]> [count face_count],
        /// Bone of each vertex, in runs; none for a rigid mesh.
        pieces: Cow<'a, [VertexPiece]> [count piece_count],
        /// Material of each face, in runs.
        face_groups: Cow<'a, [MaterialGroup]> [count face_group_count],
        /// Material of each vertex, in runs.
        vertex_groups: Cow<'a, [MaterialGroup]> [count vertex_group_count],
        /// Steps of coarser detail.
        operations: Cow<'a, [MeshOperation]> [count meshop_count] [check Self::check, from counts],
    }
}

/// Two to the power of minus `exponent`, exact; 0 if a float cannot hold it.
pub(super) fn scale(exponent: u16) -> f32 {
    let biased = 127_u32.saturating_sub(u32::from(exponent));
    f32::from_bits(biased << 23)
}

impl Mesh<'_> {
    /// Position of a vertex in file axes; with pieces, in the space of its bone.
    pub fn position(&self, vertex: usize) -> Option<[f32; 3]> {
        let raw = self.positions.get(vertex)?;
        Some(placed(*raw, self.scale_exponent, self.center))
    }

    /// Unit normal of a vertex; `None` if it is missing or zero.
    pub fn normal(&self, vertex: usize) -> Option<[f32; 3]> {
        let [x, y, z] = self.normals.get(vertex)?.map(f32::from);
        let length = (x * x + y * y + z * z).sqrt();
        (length > 0.0).then(|| [x / length, y / length, z / length])
    }

    /// Positions of all vertices, as [`Mesh::position`] gives them.
    pub fn all_positions(&self) -> impl ExactSizeIterator<Item = [f32; 3]> {
        let stored = self.positions.iter();
        stored.map(|&raw| placed(raw, self.scale_exponent, self.center))
    }

    /// Runs of faces with the index of their material, in order; faces beyond the groups have none.
    pub fn faces_by_material(&self) -> impl Iterator<Item = (&[Face], Option<u16>)> {
        let groups = self.face_groups.iter();
        let groups = groups.map(|group| (usize::from(group.count), Some(group.material)));
        let mut left = &*self.faces;
        groups
            .chain([(usize::MAX, None)])
            .map(move |(count, material)| {
                let (faces, rest) = left.split_at(count.min(left.len()));
                left = rest;
                (faces, material)
            })
    }

    /// The faces with the index of their material, in order; faces beyond the groups have none.
    pub fn faces_with_materials(&self) -> impl Iterator<Item = (&Face, Option<u16>)> {
        let runs = self.faces_by_material();
        runs.flat_map(|(faces, material)| faces.iter().map(move |face| (face, material)))
    }
}

/// A stored position in units.
pub(super) fn placed(raw: [i16; 3], exponent: u16, center: Vec3) -> [f32; 3] {
    let scale = scale(exponent);
    let [x, y, z] = raw.map(|value| f32::from(value) * scale);
    let [a, b, c] = center.to_array();
    [x + a, y + b, z + c]
}

fn covered<'a>(counts: impl Iterator<Item = &'a u16>) -> usize {
    counts.map(|&count| usize::from(count)).sum()
}

impl Mesh<'_> {
    /// This mesh with owned lists, so that it outlives the file.
    pub(super) fn into_owned(self: Box<Self>) -> Box<Mesh<'static>> {
        let mesh = *self;
        Box::new(Mesh {
            flags: mesh.flags,
            palette: mesh.palette,
            animation: mesh.animation,
            unk12: mesh.unk12,
            collision: mesh.collision,
            center: mesh.center,
            light_offset: mesh.light_offset,
            radius: mesh.radius,
            min: mesh.min,
            max: mesh.max,
            scale_exponent: mesh.scale_exponent,
            positions: owned(mesh.positions),
            texture_coordinates: mesh.texture_coordinates.into_owned(),
            normals: owned(mesh.normals),
            colors: owned(mesh.colors),
            faces: owned(mesh.faces),
            pieces: owned(mesh.pieces),
            face_groups: owned(mesh.face_groups),
            vertex_groups: owned(mesh.vertex_groups),
            operations: owned(mesh.operations),
        })
    }

    /// Soft rules that hold for every mesh seen.
    fn check<'s, S: Stream<'s>>(&self, stream: &mut S, offset: usize) {
        let vertices = self.positions.len();
        let rules = [
            ("normals", self.normals.len(), vertices),
            (
                "face_groups",
                covered(self.face_groups.iter().map(|group| &group.count)),
                self.faces.len(),
            ),
            (
                "vertex_groups",
                covered(self.vertex_groups.iter().map(|group| &group.count)),
                vertices,
            ),
        ];
        for (field, found, expected) in rules {
            if found != expected {
                stream.deviate(field, offset, expected, found);
            }
        }
        let pieces = covered(self.pieces.iter().map(|piece| &piece.count));
        let all_or_none = [
            ("texture_coordinates", self.texture_coordinates.len()),
            ("colors", self.colors.len()),
            ("pieces", pieces),
        ];
        for (field, found) in all_or_none {
            if found != 0 && found != vertices {
                stream.deviate(field, offset, format_args!("0 or {vertices}"), found);
            }
        }
        let outside = |face: &&Face| {
            face.vertices
                .iter()
                .any(|&index| usize::from(index) >= vertices)
        };
        let outside = self.faces.iter().filter(outside).count();
        if outside > 0 {
            let expected = format_args!("indices below {vertices}");
            stream.deviate(
                "faces",
                offset,
                expected,
                format_args!("{outside} out of range"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::FixedSize;

    #[test]
    fn stored_numbers_become_units() {
        let mesh = Mesh {
            scale_exponent: 5,
            center: Vec3::from([100.0, -200.0, 10.0]),
            positions: vec![[2, -64, -3]].into(),
            texture_coordinates: TextureCoordinates::Fixed(vec![[64, -256]].into()),
            normals: vec![[30, 40, 117], [0, 0, 0]].into(),
            ..Mesh::default()
        };
        assert_eq!(mesh.position(0), Some([100.0625, -202.0, 9.906_25]));
        assert_eq!(mesh.texture_coordinates.get(0), Some([0.25, -1.0]));
        let normal = mesh.normal(0).unwrap();
        let length: f32 = normal.iter().map(|value| value * value).sum();
        assert!((length - 1.0).abs() < 1e-6);
        assert_eq!(mesh.normal(1), None);
        assert_eq!(mesh.position(1), None);
    }

    #[test]
    fn the_scale_is_exact_for_every_exponent() {
        assert_eq!(scale(0), 1.0);
        assert_eq!(scale(12), 1.0 / 4096.0);
        assert_eq!(scale(126), 2_f32.powi(-126));
        assert_eq!(scale(u16::MAX), 0.0);
    }

    #[test]
    fn faces_beyond_the_groups_have_no_material() {
        let mesh = Mesh {
            faces: vec![Face::default(); 3].into(),
            face_groups: vec![
                MaterialGroup {
                    count: 1,
                    material: 7,
                },
                MaterialGroup {
                    count: 1,
                    material: 2,
                },
            ]
            .into(),
            ..Mesh::default()
        };
        let materials: Vec<_> = mesh
            .faces_with_materials()
            .map(|(_, index)| index)
            .collect();
        assert_eq!(materials, [Some(7), Some(2), None]);
    }

    #[test]
    fn operations_say_what_their_kind_means() {
        let mut operation = MeshOperation::load(&[1, 0, 2, 0, 1, 3]).unwrap();
        assert_eq!(operation.action(), MeshAction::Indices(1, 2));
        operation.kind = 4;
        operation.payload = Bytes(1.5_f32.to_le_bytes());
        assert_eq!(operation.action(), MeshAction::Threshold(F32(1.5)));
    }
}

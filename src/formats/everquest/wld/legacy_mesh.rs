//! The older mesh, all floats. Only few files have one; the order of centre and collision follows
//! the reference implementation that gives sane values on them.

use serde::Serialize;

use super::fields::{count16, counted, optional, optional_part};
use super::mesh::{MaterialGroup, VertexPiece};
use super::reference::{Bgra, FragmentRef};
use crate::formats::codec::{Bytes, F32, FormatError, Result, Stream, Vec2, Vec3, Walk};

bitflags::bitflags! {
    /// Properties of an older mesh, and which lists follow it.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct LegacyMeshFlags: u32 {
        /// The centre is valid.
        const CENTRE = 1 << 0;
        /// The radius is valid.
        const RADIUS = 1 << 1;
        /// A list of words follows.
        const WORDS = 1 << 9;
        /// Vertex colours follow.
        const COLOURS = 1 << 10;
        /// Face groups follow.
        const FACE_GROUPS = 1 << 11;
        /// Vertex groups follow.
        const VERTEX_GROUPS = 1 << 12;
        /// A point follows (taken for a light's place).
        const POINT = 1 << 13;
        /// A box follows.
        const BOX = 1 << 14;
        const _ = !0;
    }
}
crate::plain_flags!(LegacyMeshFlags: u32);

crate::record! {
    /// A triangle.
    pub struct LegacyFace[16]: FixedSize {
        /// Unknown bits, 0x4B seen.
        flags: u16,
        /// Meaning unknown.
        unk2: u16,
        /// Index in the mesh's palette.
        material: u16,
        /// Meaning unknown.
        unk6: u16,
        /// Meaning unknown.
        unk8: u16,
        /// Indices of its vertices.
        vertices: [u16; 3],
    }
}

crate::record! {
    /// A step of coarser detail.
    pub struct LegacyMeshOperation[12]: FixedSize {
        /// 4 for a threshold.
        kind: u32,
        /// Kind 4: a float and a word; else a vertex (word) and two half words.
        payload: Bytes<8>,
    }
}

/// An older mesh (kind 0x2C).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LegacyMesh {
    /// Properties.
    pub flags: LegacyMeshFlags,
    /// Meaning unknown.
    pub unk26: i16,
    /// Its materials.
    pub palette: FragmentRef,
    /// Its vertex animation, if any.
    pub animation: FragmentRef,
    /// Always 0.
    pub unk40: u32,
    /// A collision volume, if any.
    pub collision: FragmentRef,
    /// Added to every vertex, if its flag is set.
    pub centre: Vec3,
    /// Bounding radius, if its flag is set.
    pub radius: F32,
    /// Positions.
    pub positions: Vec<Vec3>,
    /// Texture coordinates in pictures.
    pub texture_coordinates: Vec<Vec2>,
    /// Normals.
    pub normals: Vec<Vec3>,
    /// Words of unknown meaning; not plain colours.
    pub colour_words: Vec<u32>,
    /// Triangles.
    pub faces: Vec<LegacyFace>,
    /// Steps of coarser detail.
    pub operations: Vec<LegacyMeshOperation>,
    /// Which bone each vertex belongs to, in runs; `None` where the count is -1.
    pub pieces: Option<Vec<VertexPiece>>,
    /// Words of unknown meaning.
    pub words: Option<Vec<u32>>,
    /// Vertex colours.
    pub colours: Option<Vec<Bgra>>,
    /// Which material each face has, in runs.
    pub face_groups: Option<Vec<MaterialGroup>>,
    /// Which material each vertex has, in runs.
    pub vertex_groups: Option<Vec<MaterialGroup>>,
    /// A point.
    pub point: Option<Vec3>,
    /// Corners of a box.
    pub bounds: Option<[Vec3; 2]>,
}

impl LegacyMesh {
    /// Position of a vertex with the centre added.
    pub fn position(&self, vertex: usize) -> Option<[f32; 3]> {
        let [x, y, z] = self.positions.get(vertex)?.to_array();
        if !self.flags.contains(LegacyMeshFlags::CENTRE) {
            return Some([x, y, z]);
        }
        let [a, b, c] = self.centre.to_array();
        Some([x + a, y + b, z + c])
    }

    /// The number of pieces, or -1 for none.
    fn piece_count<'a, S: Stream<'a>>(&mut self, stream: &mut S) -> Result<usize> {
        let offset = stream.position();
        let mut count = match &self.pieces {
            None => u32::MAX,
            Some(pieces) => u32::try_from(pieces.len())
                .ok()
                .filter(|&count| count != u32::MAX)
                .ok_or_else(|| {
                    let expected = "less than 2^32 - 1";
                    FormatError::unencodable("pieces", offset, expected, pieces.len())
                })?,
        };
        stream.value("piece_count", &mut count)?;
        if S::READING {
            self.pieces = (count != u32::MAX).then(Vec::new);
        }
        Ok(count as usize)
    }
}

impl<'a> Walk<'a> for LegacyMesh {
    const SMALLEST: usize = 64;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        let vertices = stream.count("vertex_count", self.positions.len())?;
        let coordinates = stream.count("uv_count", self.texture_coordinates.len())?;
        let normals = stream.count("normal_count", self.normals.len())?;
        let colours = stream.count("color_count", self.colour_words.len())?;
        let faces = stream.count("face_count", self.faces.len())?;
        let operations = count16(stream, "meshop_count", self.operations.len())?;
        stream.value("unk26", &mut self.unk26)?;
        let pieces = self.piece_count(stream)?;
        stream.value("palette", &mut self.palette)?;
        stream.value("animation", &mut self.animation)?;
        stream.value("unk40", &mut self.unk40)?;
        stream.value("collision", &mut self.collision)?;
        stream.value("centre", &mut self.centre)?;
        stream.value("radius", &mut self.radius)?;
        stream.values("positions", &mut self.positions, vertices)?;
        stream.values(
            "texture_coordinates",
            &mut self.texture_coordinates,
            coordinates,
        )?;
        stream.values("normals", &mut self.normals, normals)?;
        stream.values("colour_words", &mut self.colour_words, colours)?;
        stream.values("faces", &mut self.faces, faces)?;
        stream.values("operations", &mut self.operations, operations)?;
        if let Some(values) = &mut self.pieces {
            stream.values("pieces", values, pieces)?;
        }
        let flags = self.flags;
        let has = |flag| flags.contains(flag);
        optional_part(
            stream,
            has(LegacyMeshFlags::WORDS),
            "words",
            &mut self.words,
            |stream, values| counted(stream, "words", values),
        )?;
        optional_part(
            stream,
            has(LegacyMeshFlags::COLOURS),
            "colours",
            &mut self.colours,
            |stream, values| counted(stream, "colours", values),
        )?;
        optional_part(
            stream,
            has(LegacyMeshFlags::FACE_GROUPS),
            "face_groups",
            &mut self.face_groups,
            |stream, values| counted(stream, "face_groups", values),
        )?;
        optional_part(
            stream,
            has(LegacyMeshFlags::VERTEX_GROUPS),
            "vertex_groups",
            &mut self.vertex_groups,
            |stream, values| counted(stream, "vertex_groups", values),
        )?;
        optional(
            stream,
            has(LegacyMeshFlags::POINT),
            "point",
            &mut self.point,
        )?;
        optional(
            stream,
            has(LegacyMeshFlags::BOX),
            "bounds",
            &mut self.bounds,
        )
    }
}

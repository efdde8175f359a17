//! The older mesh, all floats. Only few files have one; the order of center and collision is that of
//! the reference implementation that gives plausible values for them.

use super::mesh::{MaterialGroup, VertexPiece};
use super::reference::{Bgra, FragmentRef};
use relicast_codec::{Bytes, F32, FormatError, Result, Stream, Vec2, Vec3};

bitflags::bitflags! {
    /// Properties of an older mesh, and the lists that follow it.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct LegacyMeshFlags: u32 {
        /// The center is valid.
        const CENTER = 1 << 0;
        /// The radius is valid.
        const RADIUS = 1 << 1;
        /// A list of words follows.
        const WORDS = 1 << 9;
        /// Vertex colors follow.
        const COLORS = 1 << 10;
        /// Face groups follow.
        const FACE_GROUPS = 1 << 11;
        /// Vertex groups follow.
        const VERTEX_GROUPS = 1 << 12;
        /// A point follows (assumed to be the position of a light).
        const POINT = 1 << 13;
        /// A box follows.
        const BOX = 1 << 14;
        const _ = !0;
    }
}
relicast_codec::plain_flags!(LegacyMeshFlags: u32);

relicast_codec::record! {
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

relicast_codec::record! {
    /// A step of coarser detail.
    pub struct LegacyMeshOperation[12]: FixedSize {
        /// 4 for a threshold.
        kind: u32,
        /// Kind 4: a float and a word; else a vertex (word) and two half words.
        payload: Bytes<8>,
    }
}

relicast_codec::record! {
    /// An older mesh (kind 0x2C).
    pub struct LegacyMesh[64..] {
        /// Properties.
        flags: LegacyMeshFlags [bind],
        /// Number of vertices.
        vertex_count: u32 [counts positions],
        /// Number of texture coordinates.
        uv_count: u32 [counts texture_coordinates],
        /// Number of normals.
        normal_count: u32 [counts normals],
        /// Number of color words.
        color_count: u32 [counts color_words],
        /// Number of faces.
        face_count: u32 [counts faces],
        /// Number of operations.
        meshop_count: u16 [counts operations],
        /// Meaning unknown.
        unk26: i16,
        /// Number of pieces, or -1 for none.
        piece_count: u32 [counts by Self::piece_count],
        /// Its materials.
        palette: FragmentRef,
        /// Its vertex animation, if any.
        animation: FragmentRef,
        /// Always 0.
        unk40: u32,
        /// A collision volume, if any.
        collision: FragmentRef,
        /// Added to every vertex, if its flag is set.
        center: Vec3,
        /// Bounding radius, if its flag is set.
        radius: F32,
        /// Positions.
        positions: Vec<Vec3> [count vertex_count],
        /// Texture coordinates in pictures.
        texture_coordinates: Vec<Vec2> [count uv_count],
        /// Normals.
        normals: Vec<Vec3> [count normal_count],
        /// Words of unknown meaning; not plain colors.
        color_words: Vec<u32> [count color_count],
        /// Triangles.
        faces: Vec<LegacyFace> [count face_count],
        /// Steps of coarser detail.
        operations: Vec<LegacyMeshOperation> [count meshop_count],
        /// Bone of each vertex, in runs; `None` if the count is -1.
        pieces: Option<Vec<VertexPiece>> [if held] [count piece_count],
        /// Words of unknown meaning.
        words: Option<Vec<u32>> [if flags.contains(LegacyMeshFlags::WORDS)] [counted],
        /// Vertex colors.
        colors: Option<Vec<Bgra>> [if flags.contains(LegacyMeshFlags::COLORS)] [counted],
        /// Material of each face, in runs.
        face_groups: Option<Vec<MaterialGroup>> [if flags.contains(LegacyMeshFlags::FACE_GROUPS)] [counted],
        /// Material of each vertex, in runs.
        vertex_groups: Option<Vec<MaterialGroup>> [if flags.contains(LegacyMeshFlags::VERTEX_GROUPS)] [counted],
        /// A point.
        point: Option<Vec3> [if flags.contains(LegacyMeshFlags::POINT)],
        /// Corners of a box.
        bounds: Option<[Vec3; 2]> [if flags.contains(LegacyMeshFlags::BOX)],
    }
}

impl LegacyMesh {
    /// Position of a vertex with the center added.
    pub fn position(&self, vertex: usize) -> Option<[f32; 3]> {
        let [x, y, z] = self.positions.get(vertex)?.to_array();
        if !self.flags.contains(LegacyMeshFlags::CENTER) {
            return Some([x, y, z]);
        }
        let [a, b, c] = self.center.to_array();
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

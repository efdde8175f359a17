//! Vertex animations: flags in the wind, cloth, water.

use serde::Serialize;

use super::mesh::placed;
use crate::formats::codec::{Result, Stream, Vec3, Walk};

/// Vertex animation of a mesh (kind 0x37).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MeshAnimation {
    /// Unknown bits.
    pub flags: u32,
    /// Vertices of a frame, as many as the mesh has.
    pub vertex_count: u16,
    /// Number of frames.
    pub frame_count: u16,
    /// Milliseconds that each frame is shown.
    pub sleep: u16,
    /// Always 0.
    pub unk10: u16,
    /// Positions are stored times two to this power; not the mesh's own.
    pub scale_exponent: u16,
    /// Positions as stored, one frame after the other.
    pub positions: Vec<[i16; 3]>,
}

impl MeshAnimation {
    /// Position of a vertex in a frame; `centre` is the mesh's.
    pub fn position(&self, frame: usize, vertex: usize, centre: Vec3) -> Option<[f32; 3]> {
        let vertices = usize::from(self.vertex_count);
        if vertex >= vertices {
            return None;
        }
        let index = frame.checked_mul(vertices)?.checked_add(vertex)?;
        let raw = self.positions.get(index)?;
        Some(placed(*raw, self.scale_exponent, centre))
    }
}

impl<'a> Walk<'a> for MeshAnimation {
    const SMALLEST: usize = 14;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        stream.value("vertex_count", &mut self.vertex_count)?;
        stream.value("frame_count", &mut self.frame_count)?;
        stream.value("sleep", &mut self.sleep)?;
        let offset = stream.position();
        stream.value("unk10", &mut self.unk10)?;
        stream.always("unk10", offset, self.unk10, 0);
        stream.value("scale_exponent", &mut self.scale_exponent)?;
        let count = usize::from(self.vertex_count).saturating_mul(usize::from(self.frame_count));
        stream.values("positions", &mut self.positions, count)
    }
}

/// Vertex animation of an older mesh (kind 0x2E, by a reference implementation).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LegacyMeshAnimation {
    /// Unknown bits.
    pub flags: u32,
    /// Vertices of a frame.
    pub vertex_count: u32,
    /// Number of frames. More than the data has room for only when frames have no vertices.
    pub frame_count: u32,
    /// Milliseconds that each frame is shown.
    pub sleep: u32,
    /// Meaning unknown.
    pub unk16: u32,
    /// Positions of all frames, one frame after the other.
    pub positions: Vec<Vec3>,
}

impl LegacyMeshAnimation {
    /// Positions of each frame.
    pub fn frames(&self) -> impl Iterator<Item = &[Vec3]> {
        self.positions
            .chunks_exact((self.vertex_count as usize).max(1))
    }
}

impl<'a> Walk<'a> for LegacyMeshAnimation {
    const SMALLEST: usize = 20;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        stream.value("vertex_count", &mut self.vertex_count)?;
        stream.value("frame_count", &mut self.frame_count)?;
        stream.value("sleep", &mut self.sleep)?;
        stream.value("unk16", &mut self.unk16)?;
        let count = (self.vertex_count as usize).saturating_mul(self.frame_count as usize);
        stream.values("positions", &mut self.positions, count)
    }
}

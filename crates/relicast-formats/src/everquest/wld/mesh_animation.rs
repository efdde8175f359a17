//! Vertex animations: flags in the wind, cloth, water.

use std::borrow::Cow;

use super::mesh::placed;
use relicast_codec::{Vec3, owned};

relicast_codec::record! {
    /// Vertex animation of a mesh (kind 0x37).
    pub struct MeshAnimation<'a>[14..] {
        /// Unknown bits.
        flags: u32,
        /// Vertices of a frame, as many as the mesh has.
        vertex_count: u16 [bind],
        /// Number of frames.
        frame_count: u16 [bind],
        /// Duration of each frame in milliseconds.
        sleep: u16,
        /// Always 0.
        unk10: u16 [always 0],
        /// Positions are stored times two to this power; not the mesh's own.
        scale_exponent: u16,
        /// Positions as stored, frame after frame.
        positions: Cow<'a, [[i16; 3]]> [count usize::from(vertex_count).saturating_mul(usize::from(frame_count))],
    }
}

impl MeshAnimation<'_> {
    /// Position of a vertex in a frame; `center` is the mesh's.
    pub fn position(&self, frame: usize, vertex: usize, center: Vec3) -> Option<[f32; 3]> {
        let vertices = usize::from(self.vertex_count);
        if vertex >= vertices {
            return None;
        }
        let index = frame.checked_mul(vertices)?.checked_add(vertex)?;
        let raw = self.positions.get(index)?;
        Some(placed(*raw, self.scale_exponent, center))
    }

    /// This animation with owned positions, so that it outlives the file.
    pub(super) fn into_owned(self) -> MeshAnimation<'static> {
        MeshAnimation {
            flags: self.flags,
            vertex_count: self.vertex_count,
            frame_count: self.frame_count,
            sleep: self.sleep,
            unk10: self.unk10,
            scale_exponent: self.scale_exponent,
            positions: owned(self.positions),
        }
    }
}

relicast_codec::record! {
    /// Vertex animation of an older mesh (kind 0x2E, by a reference implementation).
    pub struct LegacyMeshAnimation[20..] {
        /// Unknown bits.
        flags: u32,
        /// Vertices of a frame.
        vertex_count: u32 [bind],
        /// Number of frames. It exceeds the data only if frames have no vertices.
        frame_count: u32 [bind],
        /// Duration of each frame in milliseconds.
        sleep: u32,
        /// Meaning unknown.
        unk16: u32,
        /// Positions of all frames, frame after frame.
        positions: Vec<Vec3> [count (vertex_count as usize).saturating_mul(frame_count as usize)],
    }
}

impl LegacyMeshAnimation {
    /// Positions of each frame.
    pub fn frames(&self) -> impl Iterator<Item = &[Vec3]> {
        self.positions
            .chunks_exact((self.vertex_count as usize).max(1))
    }
}

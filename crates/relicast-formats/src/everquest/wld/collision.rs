//! Volumes for collision and bounding.

use super::reference::FragmentRef;
use relicast_codec::{F32, Stream, Vec3};

relicast_codec::record! {
    /// A bounding sphere (kind 0x16), 4 bytes.
    pub struct Sphere[4] {
        /// Offset 0: radius.
        radius: F32,
    }
}

bitflags::bitflags! {
    /// Properties of a polyhedron.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct PolyhedronFlags: u32 {
        /// A scale follows.
        const SCALE = 1 << 0;
        const _ = !0;
    }
}
relicast_codec::plain_flags!(PolyhedronFlags: u32);

relicast_codec::record! {
    /// A face of a collision volume.
    pub struct CollisionFace[4..] {
        /// Indices of its vertices.
        vertices: Vec<u32> [counted],
    }
}

relicast_codec::record! {
    /// A collision volume (kind 0x17).
    pub struct PolyhedronDefinition[16..] {
        /// Properties; 1 in every file seen.
        flags: PolyhedronFlags [bind],
        /// Number of vertices.
        vertex_count: u32 [counts vertices],
        /// Number of faces.
        face_count: u32 [counts faces],
        /// Bounding radius.
        radius: F32,
        /// Factor of the size. Sources differ on whether it exists without its flag; the size of the
        /// fragment decides.
        scale: Option<F32> [if held or flags.contains(PolyhedronFlags::SCALE)],
        /// Corners.
        vertices: Vec<Vec3> [count vertex_count],
        /// Faces.
        faces: Vec<CollisionFace> [records face_count] [check Self::check_faces],
    }
}

impl PolyhedronDefinition {
    /// Soft rule: faces have existing corners. Reported at the end of the faces.
    fn check_faces<'a, S: Stream<'a>>(&self, stream: &mut S, _offset: usize) {
        let vertices = self.vertices.len();
        let indices = self.faces.iter().flat_map(|face| &face.vertices);
        let outside = indices.filter(|&&index| index as usize >= vertices).count();
        if outside > 0 {
            let offset = stream.position();
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

relicast_codec::record! {
    /// Instance of a collision volume (kind 0x18).
    pub struct Polyhedron[8..] {
        /// The volume.
        definition: FragmentRef,
        /// Properties.
        flags: PolyhedronFlags [bind],
        /// Factor of the size.
        scale: Option<F32> [if flags.contains(PolyhedronFlags::SCALE)],
    }
}

relicast_codec::record! {
    /// A sphere of a [`SphereList`].
    pub struct ListedSphere[16]: FixedSize {
        /// Center.
        center: Vec3,
        /// Radius.
        radius: F32,
    }
}

relicast_codec::record! {
    /// Spheres that bound something (kind 0x19, by a reference implementation).
    pub struct SphereList[12..] {
        /// Properties.
        flags: PolyhedronFlags [bind],
        /// Number of spheres.
        sphere_count: u32 [counts spheres],
        /// Radius of them all.
        radius: F32,
        /// Factor of the size.
        scale: Option<F32> [if flags.contains(PolyhedronFlags::SCALE)],
        /// The spheres.
        spheres: Vec<ListedSphere> [count sphere_count],
    }
}

//! Volumes for collision and bounding.

use serde::Serialize;

use super::fields::{counted, optional};
use super::reference::FragmentRef;
use crate::formats::codec::{F32, Result, Stream, Vec3, Walk};

crate::record! {
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
crate::plain_flags!(PolyhedronFlags: u32);

/// A face of a collision volume.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CollisionFace {
    /// Indices of its vertices.
    pub vertices: Vec<u32>,
}

impl<'a> Walk<'a> for CollisionFace {
    const SMALLEST: usize = 4;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        counted(stream, "vertices", &mut self.vertices)
    }
}

/// A collision volume (kind 0x17).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PolyhedronDefinition {
    /// Properties; 1 in every file seen.
    pub flags: PolyhedronFlags,
    /// Bounding radius.
    pub radius: F32,
    /// Factor of the size. Sources differ on whether it is there without its flag; the size of the
    /// fragment decides.
    pub scale: Option<F32>,
    /// Corners.
    pub vertices: Vec<Vec3>,
    /// Faces.
    pub faces: Vec<CollisionFace>,
}

impl<'a> Walk<'a> for PolyhedronDefinition {
    const SMALLEST: usize = 16;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        let vertices = stream.count("vertex_count", self.vertices.len())?;
        let faces = stream.count("face_count", self.faces.len())?;
        stream.value("radius", &mut self.radius)?;
        let present = self.flags.contains(PolyhedronFlags::SCALE) || self.scale.is_some();
        optional(stream, present, "scale", &mut self.scale)?;
        stream.values("vertices", &mut self.vertices, vertices)?;
        stream.records("faces", &mut self.faces, faces)?;
        if S::READING {
            let indices = self.faces.iter().flat_map(|face| &face.vertices);
            let outside = indices.filter(|&&index| index as usize >= vertices).count();
            if outside > 0 {
                let offset = stream.position();
                let expected = format_args!("indices below {vertices}");
                stream.deviate("faces", offset, expected, format_args!("{outside} others"));
            }
        }
        Ok(())
    }
}

/// Instance of a collision volume (kind 0x18).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Polyhedron {
    /// The volume.
    pub definition: FragmentRef,
    /// Properties.
    pub flags: PolyhedronFlags,
    /// Factor of the size.
    pub scale: Option<F32>,
}

impl<'a> Walk<'a> for Polyhedron {
    const SMALLEST: usize = 8;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("definition", &mut self.definition)?;
        stream.value("flags", &mut self.flags)?;
        let present = self.flags.contains(PolyhedronFlags::SCALE);
        optional(stream, present, "scale", &mut self.scale)
    }
}

crate::record! {
    /// A sphere of a [`SphereList`].
    pub struct ListedSphere[16]: FixedSize {
        /// Centre.
        centre: Vec3,
        /// Radius.
        radius: F32,
    }
}

/// Spheres that bound something (kind 0x19, by a reference implementation).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SphereList {
    /// Properties.
    pub flags: PolyhedronFlags,
    /// Radius of them all.
    pub radius: F32,
    /// Factor of the size.
    pub scale: Option<F32>,
    /// The spheres.
    pub spheres: Vec<ListedSphere>,
}

impl<'a> Walk<'a> for SphereList {
    const SMALLEST: usize = 12;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        let count = stream.count("sphere_count", self.spheres.len())?;
        stream.value("radius", &mut self.radius)?;
        let present = self.flags.contains(PolyhedronFlags::SCALE);
        optional(stream, present, "scale", &mut self.scale)?;
        stream.values("spheres", &mut self.spheres, count)
    }
}

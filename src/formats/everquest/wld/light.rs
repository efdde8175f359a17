//! Lights, and light baked into vertices.

use serde::Serialize;

use super::fields::{counted, optional, optional_part};
use super::reference::{Bgra, FragmentRef};
use crate::formats::codec::{F32, Result, Stream, Vec3, Walk};

bitflags::bitflags! {
    /// Which optional fields a light has.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct LightFlags: u32 {
        /// The current frame.
        const CURRENT_FRAME = 1 << 0;
        /// A time per frame.
        const SLEEP = 1 << 1;
        /// Levels.
        const LEVELS = 1 << 2;
        /// Frames may be skipped.
        const SKIP_FRAMES = 1 << 3;
        /// Colours.
        const COLOURS = 1 << 4;
        const _ = !0;
    }
}
crate::plain_flags!(LightFlags: u32);

/// Colour and level of a light (kind 0x1B).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LightDefinition {
    /// Which optional fields follow.
    pub flags: LightFlags,
    /// Number of frames.
    pub frame_count: u32,
    /// First frame shown.
    pub current_frame: Option<u32>,
    /// Milliseconds that each frame lasts.
    pub sleep: Option<u32>,
    /// Level of each frame.
    pub levels: Option<Vec<F32>>,
    /// Red, green, blue of each frame, 0 to 1; white where there are none.
    pub colours: Option<Vec<Vec3>>,
}

impl<'a> Walk<'a> for LightDefinition {
    const SMALLEST: usize = 8;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        stream.value("frame_count", &mut self.frame_count)?;
        let count = self.frame_count as usize;
        let flags = self.flags;
        let has = |flag| flags.contains(flag);
        optional(
            stream,
            has(LightFlags::CURRENT_FRAME),
            "current_frame",
            &mut self.current_frame,
        )?;
        optional(stream, has(LightFlags::SLEEP), "sleep", &mut self.sleep)?;
        optional_part(
            stream,
            has(LightFlags::LEVELS),
            "levels",
            &mut self.levels,
            |stream, levels| stream.values("levels", levels, count),
        )?;
        optional_part(
            stream,
            has(LightFlags::COLOURS),
            "colours",
            &mut self.colours,
            |stream, colours| stream.values("colours", colours, count),
        )
    }
}

bitflags::bitflags! {
    /// Properties of a placed light.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct PointLightFlags: u32 {
        /// Does not move.
        const STATIC = 1 << 5;
        /// Its influence does not change.
        const STATIC_INFLUENCE = 1 << 6;
        /// A list of regions follows (by a reference implementation).
        const REGIONS = 1 << 7;
        const _ = !0;
    }
}
crate::plain_flags!(PointLightFlags: u32);

/// A light at a place (kind 0x28).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PointLight {
    /// The light.
    pub light: FragmentRef,
    /// Properties; 0x100 in every file seen.
    pub flags: PointLightFlags,
    /// Where it is, in file axes.
    pub position: Vec3,
    /// How far it reaches.
    pub radius: F32,
    /// The regions it reaches.
    pub regions: Option<Vec<u32>>,
}

impl<'a> Walk<'a> for PointLight {
    const SMALLEST: usize = 24;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("light", &mut self.light)?;
        stream.value("flags", &mut self.flags)?;
        stream.value("position", &mut self.position)?;
        stream.value("radius", &mut self.radius)?;
        let present = self.flags.contains(PointLightFlags::REGIONS);
        optional_part(
            stream,
            present,
            "regions",
            &mut self.regions,
            |stream, regions| counted(stream, "regions", regions),
        )
    }
}

/// A light of whole regions (kind 0x2A).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct AmbientLight {
    /// The light.
    pub light: FragmentRef,
    /// Unknown bits.
    pub flags: u32,
    /// Its regions, counted from 0.
    pub regions: Vec<u32>,
}

impl<'a> Walk<'a> for AmbientLight {
    const SMALLEST: usize = 12;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("light", &mut self.light)?;
        stream.value("flags", &mut self.flags)?;
        counted(stream, "regions", &mut self.regions)
    }
}

/// A light from a direction (kind 0x2B, by a reference implementation).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DirectionalLight {
    /// The light.
    pub light: FragmentRef,
    /// Unknown bits.
    pub flags: u32,
    /// Its direction.
    pub normal: Vec3,
    /// Its regions, counted from 0.
    pub regions: Vec<u32>,
}

impl<'a> Walk<'a> for DirectionalLight {
    const SMALLEST: usize = 24;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("light", &mut self.light)?;
        stream.value("flags", &mut self.flags)?;
        stream.value("normal", &mut self.normal)?;
        counted(stream, "regions", &mut self.regions)
    }
}

crate::record! {
    /// Ambient colour of a zone (kind 0x35), 4 bytes; has no name.
    pub struct GlobalAmbientLight[4] {
        /// Offset 0: the colour; opaque black in every file seen.
        colour: Bgra,
    }
}

/// Baked light of a placed model, one colour for each vertex of its mesh (kind 0x32).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct VertexColours {
    /// Always 1.
    pub unk0: u32,
    /// Always 1.
    pub unk8: u32,
    /// Milliseconds that a frame lasts, 200.
    pub sleep: u32,
    /// Always 0.
    pub unk16: u32,
    /// The colours. Alpha is the strength of the ambient light on the vertex.
    pub colours: Vec<Bgra>,
}

impl<'a> Walk<'a> for VertexColours {
    const SMALLEST: usize = 20;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("unk0", &mut self.unk0)?;
        let count = stream.count("colour_count", self.colours.len())?;
        stream.value("unk8", &mut self.unk8)?;
        stream.value("sleep", &mut self.sleep)?;
        stream.value("unk16", &mut self.unk16)?;
        stream.values("colours", &mut self.colours, count)
    }
}

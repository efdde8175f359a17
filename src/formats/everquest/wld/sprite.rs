//! Sprites: pictures and solids that are not meshes.

use serde::Serialize;

use super::fields::optional;
use super::material::RenderMethod;
use super::reference::FragmentRef;
use super::shading::Shading;
use crate::formats::codec::{F32, FormatError, Result, Stream, Vec2, Vec3, Walk};

bitflags::bitflags! {
    /// Which fields a [`FlatSprite`] has.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct FlatSpriteFlags: u32 {
        /// A centre.
        const CENTRE = 1 << 0;
        /// A radius.
        const RADIUS = 1 << 1;
        /// The current frame.
        const CURRENT_FRAME = 1 << 2;
        /// A time per frame.
        const SLEEP = 1 << 3;
        /// A scale of depth.
        const DEPTH_SCALE = 1 << 7;
        const _ = !0;
    }
}
crate::plain_flags!(FlatSpriteFlags: u32);

/// The pictures for one direction of view.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FlatHeading {
    /// Limit of the direction.
    pub cap: u32,
    /// One bitmap for each frame of the sprite.
    pub frames: Vec<FragmentRef>,
}

/// The pictures for one height of view.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FlatPitch {
    /// Limit of the height.
    pub cap: i32,
    /// Top bit of the number of headings; meaning unknown.
    pub marked: bool,
    /// The pictures all around.
    pub headings: Vec<FlatHeading>,
}

/// A picture of fixed size that faces the camera (kind 0x06): coins, blood.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FlatSprite {
    /// Which optional fields follow.
    pub flags: FlatSpriteFlags,
    /// Frames of each heading.
    pub frame_count: u32,
    /// Width and height in units.
    pub size: Vec2,
    /// A bounding sphere, or 0.
    pub bounds: u32,
    /// Scale of depth.
    pub depth_scale: Option<F32>,
    /// Centre.
    pub centre: Option<Vec3>,
    /// Bounding radius.
    pub radius: Option<F32>,
    /// First frame shown.
    pub current_frame: Option<u32>,
    /// Milliseconds that each frame is shown.
    pub sleep: Option<u32>,
    /// The pictures by height of view.
    pub pitches: Vec<FlatPitch>,
    /// How it is drawn.
    pub render_method: RenderMethod,
    /// How it is shaded.
    pub shading: Shading,
}

impl<'a> Walk<'a> for FlatSprite {
    const SMALLEST: usize = 32;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        stream.value("frame_count", &mut self.frame_count)?;
        let count = stream.count("pitch_count", self.pitches.len())?;
        stream.value("size", &mut self.size)?;
        stream.value("bounds", &mut self.bounds)?;
        let flags = self.flags;
        let has = |flag| flags.contains(flag);
        optional(
            stream,
            has(FlatSpriteFlags::DEPTH_SCALE),
            "depth_scale",
            &mut self.depth_scale,
        )?;
        optional(
            stream,
            has(FlatSpriteFlags::CENTRE),
            "centre",
            &mut self.centre,
        )?;
        optional(
            stream,
            has(FlatSpriteFlags::RADIUS),
            "radius",
            &mut self.radius,
        )?;
        optional(
            stream,
            has(FlatSpriteFlags::CURRENT_FRAME),
            "current_frame",
            &mut self.current_frame,
        )?;
        optional(
            stream,
            has(FlatSpriteFlags::SLEEP),
            "sleep",
            &mut self.sleep,
        )?;
        let frames = self.frame_count as usize;
        stream.list("pitches", &mut self.pitches, count, 8, |stream, pitch| {
            pitch.walk(stream, frames)
        })?;
        stream.value("render_method", &mut self.render_method)?;
        stream.nested("shading", &mut self.shading)
    }
}

impl FlatPitch {
    const MARK: u32 = 1 << 31;

    fn walk<'a, S: Stream<'a>>(&mut self, stream: &mut S, frames: usize) -> Result<()> {
        stream.value("cap", &mut self.cap)?;
        let offset = stream.position();
        let length = self.headings.len();
        let mut word = match u32::try_from(length) {
            Ok(word) if word < Self::MARK => word | (u32::from(self.marked) << 31),
            _ => {
                let expected = "at most 2^31 - 1";
                return Err(FormatError::unencodable(
                    "headings", offset, expected, length,
                ));
            }
        };
        stream.value("heading_count", &mut word)?;
        self.marked = word & Self::MARK != 0;
        let count = (word & !Self::MARK) as usize;
        stream.list(
            "headings",
            &mut self.headings,
            count,
            4,
            |stream, heading| {
                stream.value("cap", &mut heading.cap)?;
                stream.values("frames", &mut heading.frames, frames)
            },
        )
    }
}

bitflags::bitflags! {
    /// Which fields a solid, a sequence or a cloud of points has.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct SolidSpriteFlags: u32 {
        /// A centre.
        const CENTRE = 1 << 0;
        /// A radius.
        const RADIUS = 1 << 1;
        /// The current frame (sequences).
        const CURRENT_FRAME = 1 << 2;
        /// A time per frame (sequences).
        const SLEEP = 1 << 3;
        /// A list of sprites (sequences).
        const SPRITES = 1 << 4;
        const _ = !0;
    }
}
crate::plain_flags!(SolidSpriteFlags: u32);

/// A node of a [`CameraSprite`]'s partition: one polygon.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CameraSpriteNode {
    /// Node in front of it.
    pub front: u32,
    /// Node behind it.
    pub back: u32,
    /// Indices of its vertices.
    pub vertices: Vec<u32>,
    /// How it is drawn.
    pub render_method: RenderMethod,
    /// How it is shaded.
    pub shading: Shading,
}

/// A solid of polygons (kind 0x08); in zones a dummy for the camera.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CameraSprite {
    /// Which optional fields follow.
    pub flags: SolidSpriteFlags,
    /// Bounding spheres, if any.
    pub bounds: FragmentRef,
    /// Centre.
    pub centre: Option<Vec3>,
    /// Bounding radius.
    pub radius: Option<F32>,
    /// Corners.
    pub vertices: Vec<Vec3>,
    /// Polygons.
    pub nodes: Vec<CameraSpriteNode>,
}

impl<'a> Walk<'a> for CameraSprite {
    const SMALLEST: usize = 16;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        let vertices = stream.count("vertex_count", self.vertices.len())?;
        let nodes = stream.count("node_count", self.nodes.len())?;
        stream.value("bounds", &mut self.bounds)?;
        let flags = self.flags;
        let has = |flag| flags.contains(flag);
        optional(
            stream,
            has(SolidSpriteFlags::CENTRE),
            "centre",
            &mut self.centre,
        )?;
        optional(
            stream,
            has(SolidSpriteFlags::RADIUS),
            "radius",
            &mut self.radius,
        )?;
        stream.values("vertices", &mut self.vertices, vertices)?;
        stream.list("nodes", &mut self.nodes, nodes, 20, |stream, node| {
            let count = stream.count("vertex_count", node.vertices.len())?;
            stream.value("front", &mut node.front)?;
            stream.value("back", &mut node.back)?;
            stream.values("vertices", &mut node.vertices, count)?;
            stream.value("render_method", &mut node.render_method)?;
            stream.nested("shading", &mut node.shading)
        })
    }
}

/// Sprites shown one after the other (kind 0x0A, by a reference implementation).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SpriteSequence {
    /// Which optional fields follow.
    pub flags: SolidSpriteFlags,
    /// Number of frames.
    pub frame_count: u32,
    /// A bounding volume, if any.
    pub bounds: FragmentRef,
    /// Centre.
    pub centre: Option<Vec3>,
    /// Bounding radius.
    pub radius: Option<F32>,
    /// First frame shown.
    pub current_frame: Option<u32>,
    /// Milliseconds that each frame is shown.
    pub sleep: Option<u32>,
    /// The frames.
    pub sprites: Option<Vec<FragmentRef>>,
}

impl<'a> Walk<'a> for SpriteSequence {
    const SMALLEST: usize = 12;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        stream.value("frame_count", &mut self.frame_count)?;
        stream.value("bounds", &mut self.bounds)?;
        let flags = self.flags;
        let has = |flag| flags.contains(flag);
        optional(
            stream,
            has(SolidSpriteFlags::CENTRE),
            "centre",
            &mut self.centre,
        )?;
        optional(
            stream,
            has(SolidSpriteFlags::RADIUS),
            "radius",
            &mut self.radius,
        )?;
        optional(
            stream,
            has(SolidSpriteFlags::CURRENT_FRAME),
            "current_frame",
            &mut self.current_frame,
        )?;
        optional(
            stream,
            has(SolidSpriteFlags::SLEEP),
            "sleep",
            &mut self.sleep,
        )?;
        let count = self.frame_count as usize;
        super::fields::optional_part(
            stream,
            has(SolidSpriteFlags::SPRITES),
            "sprites",
            &mut self.sprites,
            |stream, sprites| stream.values("sprites", sprites, count),
        )
    }
}

crate::record! {
    /// A picture used by particles and icons (kind 0x26), 12 bytes.
    pub struct BlitSprite[12] {
        /// Offset 0: unknown bits.
        flags: u32,
        /// Offset 4: the texture.
        texture: FragmentRef,
        /// Offset 8: how it is drawn.
        render_method: RenderMethod,
    }
}

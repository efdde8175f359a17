//! Sprites: pictures and solids that are not meshes.

use serde::Serialize;

use super::material::RenderMethod;
use super::reference::FragmentRef;
use super::shading::Shading;
use relicast_codec::{F32, FormatError, Result, Stream, Vec2, Vec3};

bitflags::bitflags! {
    /// Optional fields of a [`FlatSprite`].
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct FlatSpriteFlags: u32 {
        /// A center.
        const CENTER = 1 << 0;
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
relicast_codec::plain_flags!(FlatSpriteFlags: u32);

/// The pictures for one direction of view.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlatHeading {
    /// Limit of the direction.
    pub cap: u32,
    /// One bitmap for each frame of the sprite.
    pub frames: Vec<FragmentRef>,
}

/// The pictures for one height of view.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlatPitch {
    /// Limit of the height.
    pub cap: i32,
    /// Top bit of the number of headings; meaning unknown.
    pub marked: bool,
    /// The pictures all around.
    pub headings: Vec<FlatHeading>,
}

relicast_codec::record! {
    /// A picture of fixed size that faces the camera (kind 0x06): coins, blood.
    pub struct FlatSprite[32..] {
        /// Flags of the optional fields that follow.
        flags: FlatSpriteFlags [bind],
        /// Frames of each heading.
        frame_count: u32 [bind],
        /// Number of heights.
        pitch_count: u32 [counts pitches],
        /// Width and height in units.
        size: Vec2,
        /// A bounding sphere, or 0.
        bounds: u32,
        /// Scale of depth.
        depth_scale: Option<F32> [if flags.contains(FlatSpriteFlags::DEPTH_SCALE)],
        /// Center.
        center: Option<Vec3> [if flags.contains(FlatSpriteFlags::CENTER)],
        /// Bounding radius.
        radius: Option<F32> [if flags.contains(FlatSpriteFlags::RADIUS)],
        /// First frame shown.
        current_frame: Option<u32> [if flags.contains(FlatSpriteFlags::CURRENT_FRAME)],
        /// Duration of each frame in milliseconds.
        sleep: Option<u32> [if flags.contains(FlatSpriteFlags::SLEEP)],
        /// The pictures by height of view.
        pitches: Vec<FlatPitch> [by |pitches, stream| stream.list("pitches", pitches, pitch_count, 8, |stream, pitch| pitch.walk(stream, frame_count as usize))],
        /// Render method.
        render_method: RenderMethod,
        /// Shading.
        shading: Shading [nested],
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
    /// Optional fields of a solid, a sequence or a cloud of points.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct SolidSpriteFlags: u32 {
        /// A center.
        const CENTER = 1 << 0;
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
relicast_codec::plain_flags!(SolidSpriteFlags: u32);

relicast_codec::record! {
    /// A node of a [`CameraSprite`]'s partition: one polygon.
    pub struct CameraSpriteNode[20..] {
        /// Number of vertices.
        vertex_count: u32 [counts vertices],
        /// Node in front of it.
        front: u32,
        /// Node behind it.
        back: u32,
        /// Indices of its vertices.
        vertices: Vec<u32> [count vertex_count],
        /// Render method.
        render_method: RenderMethod,
        /// Shading.
        shading: Shading [nested],
    }
}

relicast_codec::record! {
    /// A solid of polygons (kind 0x08); in zones a dummy for the camera.
    pub struct CameraSprite[16..] {
        /// Flags of the optional fields that follow.
        flags: SolidSpriteFlags [bind],
        /// Number of vertices.
        vertex_count: u32 [counts vertices],
        /// Number of nodes.
        node_count: u32 [counts nodes],
        /// Bounding spheres, if any.
        bounds: FragmentRef,
        /// Center.
        center: Option<Vec3> [if flags.contains(SolidSpriteFlags::CENTER)],
        /// Bounding radius.
        radius: Option<F32> [if flags.contains(SolidSpriteFlags::RADIUS)],
        /// Corners.
        vertices: Vec<Vec3> [count vertex_count],
        /// Polygons.
        nodes: Vec<CameraSpriteNode> [records node_count],
    }
}

relicast_codec::record! {
    /// Sprites shown one after the other (kind 0x0A, by a reference implementation).
    pub struct SpriteSequence[12..] {
        /// Flags of the optional fields that follow.
        flags: SolidSpriteFlags [bind],
        /// Number of frames.
        frame_count: u32 [bind],
        /// A bounding volume, if any.
        bounds: FragmentRef,
        /// Center.
        center: Option<Vec3> [if flags.contains(SolidSpriteFlags::CENTER)],
        /// Bounding radius.
        radius: Option<F32> [if flags.contains(SolidSpriteFlags::RADIUS)],
        /// First frame shown.
        current_frame: Option<u32> [if flags.contains(SolidSpriteFlags::CURRENT_FRAME)],
        /// Duration of each frame in milliseconds.
        sleep: Option<u32> [if flags.contains(SolidSpriteFlags::SLEEP)],
        /// The frames.
        sprites: Option<Vec<FragmentRef>> [if flags.contains(SolidSpriteFlags::SPRITES)] [count frame_count as usize],
    }
}

relicast_codec::record! {
    /// A picture used by particles and icons (kind 0x26), 12 bytes.
    pub struct BlitSprite[12] {
        /// Offset 0: unknown bits.
        flags: u32,
        /// Offset 4: the texture.
        texture: FragmentRef,
        /// Offset 8: render method.
        render_method: RenderMethod,
    }
}

//! Data of each class of node except the world.

use bitflags::bitflags;
use serde::Serialize;

use crate::zipper::ZipperGame;
use relicast_codec::{self as codec, F32, Field, Stream, Vec3};

use super::affine::Affine;
use super::early::{EarlyTranslation, Revision};
use super::flags::{ByGame, GameFlags};
use super::lists::counted;
use super::node_class::NodeClass;
use super::polygon::ZoneSet;
use super::world::World;

relicast_codec::record! {
    /// A camera, 488 bytes. Nearly all of it is work space of the engine, zero in files.
    pub struct Camera[488, 488, 488, 488] in ZipperGame {
        /// Offset 0: node of the world.
        world_index: i32 [zero],
        /// Offset 4: node of the window.
        window_index: i32 [always 1, until PiratesMoon],
        /// Offset 8: node that follows the camera along all axes: the sky.
        focus_node_xy: i32 [always -1, until PiratesMoon],
        /// Offset 12: node that follows the camera along x and z.
        focus_node_xz: i32 [always -1],
        /// Offset 16.
        flags: u32 [zero],
        /// Offset 20.
        translate: Vec3 [zero],
        /// Offset 32.
        rotate: Vec3 [zero],
        /// Offset 44.
        world_translate: Vec3 [zero],
        /// Offset 56.
        world_rotate: Vec3 [zero],
        /// Offset 68.
        ancestor_matrix: Affine [zero],
        /// Offset 116.
        view_vector: Vec3 [zero],
        /// Offset 128.
        translate_matrix: Affine [zero],
        /// Offset 176: near plane.
        clip_near: F32,
        /// Offset 180: far plane.
        clip_far: F32,
        /// Offset 184.
        clip_in_world: [Vec3; 2] [zero],
        /// Offset 208: 1; 0 in Crimson Skies.
        lod_multiplier: F32,
        /// Offset 212: inverse square of the multiplier; 0 in Crimson Skies.
        lod_mul_inv_sq: F32,
        /// Offset 216.
        fov_h_scale: F32 [always F32(1.0)],
        /// Offset 220.
        fov_v_scale: F32 [always F32(1.0)],
        /// Offset 224: horizontal field of view; 0 in Crimson Skies.
        fov_h_base: F32,
        /// Offset 228: vertical field of view; 0 in Crimson Skies.
        fov_v_base: F32,
        /// Offset 232: base times scale.
        fov_scaled: [F32; 2],
        /// Offset 240: half of that.
        fov_half: [F32; 2],
        /// Offset 248.
        clip_recalc: i32 [always 1],
        /// Offset 252.
        clip_corners: [Vec3; 5] [zero],
        /// Offset 312.
        fov_recalc: i32 [always 1],
        /// Offset 316: directions of the planes.
        planes: [Vec3; 6] [zero],
        /// Offset 388.
        rotate_recalc: i32 [always 1],
        /// Offset 392: directions of the planes in the world.
        world_planes: [Vec3; 6] [zero],
        /// Offset 464.
        field464: i32 [zero],
        /// Offset 468: cotangents of the halves; 0 in Crimson Skies.
        fov_cot: [F32; 2],
        /// Offset 476.
        field476: i32 [zero],
        /// Offset 480.
        zone_set_valid: i32 [zero],
        /// Offset 484.
        zone_set: ZoneSet [always ZoneSet::EMPTY],
    }
}

relicast_codec::record! {
    /// The screen, 28 bytes.
    pub struct Display[28, 28, 28, 28] in ZipperGame {
        /// Offset 0.
        origin: [u32; 2] [zero],
        /// Offset 8: width and height in pixels.
        resolution: [u32; 2],
        /// Offset 16: background, red, green, blue, 0 to 1.
        clear_color: Vec3,
    }
}

relicast_codec::record! {
    /// A window of the screen, 248 bytes.
    pub struct Window[248, 248, 248, 248] in ZipperGame {
        /// Offset 0.
        origin: [i32; 2] [zero],
        /// Offset 8: width and height in pixels.
        resolution: [i32; 2],
        /// Offset 16: work space.
        clear_polygons: [[u32; 13]; 4] [zero],
        /// Offset 224.
        clear_polygon_count: i32 [zero],
        /// Offset 228.
        buffer_index: i32 [always -1],
        /// Offset 232.
        buffer_surface: u32 [zero],
        /// Offset 236: width, height, bit depth of a buffer.
        buffer_size: [u32; 3] [zero],
    }
}

bitflags! {
    /// Flags of a light. The names are those of the reference implementation; their effect in the engines was not
    /// checked.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct LightFlags: u32 {
        /// To be recomputed.
        const RECALC = 1;
        /// Fades between near and far; without it the light reaches everything (Recoil).
        const RANGED = 1 << 1;
        /// A cone: its strength follows the angle between its axis and the ray (Recoil).
        const DIRECTIONAL = 1 << 2;
        /// The sun: parallel light.
        const DIRECTED_SOURCE = 1 << 3;
        /// Shines from a place.
        const POINT_SOURCE = 1 << 4;
        /// Blends surfaces toward its color where others add to it (Recoil).
        const SATURATED = 1 << 5;
        /// Known by name only. Not in Recoil.
        const SUBDIVIDE = 1 << 6;
        /// Known by name only. Pirate's Moon and later.
        const LIGHT_MAP = 1 << 7;
        /// Known by name only. Not in Recoil.
        const STATIC = 1 << 8;
        /// Has a color. Not in Recoil.
        const COLOR = 1 << 9;
        /// Has two colors. Pirate's Moon and later.
        const BICOLORED = 1 << 10;
        /// State of the running engine: reaches the cell that is being drawn (Recoil).
        const REACHES_CELL = 1 << 11;
    }
}

impl GameFlags for LightFlags {
    fn bits_in(version: ZipperGame) -> &'static [(Self, u32)] {
        match version {
            ZipperGame::Recoil => &[],
            ZipperGame::MechWarrior3 => &[
                (Self::RECALC, 1),
                (Self::RANGED, 1 << 1),
                (Self::DIRECTIONAL, 1 << 2),
                (Self::DIRECTED_SOURCE, 1 << 3),
                (Self::POINT_SOURCE, 1 << 4),
                (Self::SATURATED, 1 << 5),
                (Self::SUBDIVIDE, 1 << 6),
                (Self::STATIC, 1 << 7),
                (Self::COLOR, 1 << 8),
                (Self::REACHES_CELL, 1 << 9),
            ],
            ZipperGame::PiratesMoon | ZipperGame::CrimsonSkies => &[
                (Self::RECALC, 1),
                (Self::RANGED, 1 << 1),
                (Self::DIRECTIONAL, 1 << 2),
                (Self::DIRECTED_SOURCE, 1 << 3),
                (Self::POINT_SOURCE, 1 << 4),
                (Self::SATURATED, 1 << 5),
                (Self::SUBDIVIDE, 1 << 6),
                (Self::LIGHT_MAP, 1 << 7),
                (Self::STATIC, 1 << 8),
                (Self::COLOR, 1 << 9),
                (Self::BICOLORED, 1 << 10),
                (Self::REACHES_CELL, 1 << 11),
            ],
        }
    }
}

relicast_codec::record! {
    /// Record of a light: 228 · 208 · 256 bytes.
    pub struct LightRecord[228, 208, 256, 256] in ZipperGame {
        /// Offset 0 · - · -: Recoil's flags are separate words.
        recalc: u32 [until Recoil] [within 0..=1],
        /// Offset 4 · - · -: see [`LightFlags::RANGED`].
        ranged: u32 [until Recoil] [within 0..=1],
        /// Offset 8 · 0 · 0: angles of the direction.
        orientation: Vec3,
        /// Offset 20 · 12 · 12: place.
        translate: Vec3,
        /// Offset 32 · 24 · 24.
        euler_angles: Vec3 [zero],
        /// Offset 44 · 36 · 36.
        world_translate: Vec3 [zero],
        /// Offset 56 · 48 · 48.
        transform: Affine [zero],
        /// Offset 104 · 96 · 96.
        world_point_source: Vec3 [zero],
        /// Offset 116 · 108 · 108.
        field108: Vec3 [zero],
        /// Offset 128 · 120 · 120.
        camera_point_source: Vec3 [zero],
        /// Offset 140 · 132 · 132.
        world_view_vector: Vec3 [equals Vec3::from([0.0, 1.0, 0.0])],
        /// Offset 152 · 144 · 144.
        camera_view_vector: Vec3 [zero],
        /// Offset 164 · 156 · 156: directed part, 0 to 1.
        diffuse: F32,
        /// Offset 168 · 160 · 160: ambient part, 0 to 1.
        ambient: F32,
        /// Offset 172 · 164 · 164: red, green, blue, 0 to 1.
        color: Vec3,
        /// Offset - · - · 176: ambient color.
        color_ambient: Vec3 [since PiratesMoon],
        /// Offset - · - · 188.
        color_diffuse_mixed: Vec3 [since PiratesMoon],
        /// Offset - · - · 200.
        color_ambient_mixed: Vec3 [since PiratesMoon],
        /// Offset - · - · 212.
        color_da_combined: Vec3 [since PiratesMoon],
        /// Offset 184 · - · -.
        directional: u32 [until Recoil] [within 0..=1],
        /// Offset 188 · - · -.
        directed_source: u32 [until Recoil] [within 0..=1],
        /// Offset 192 · - · -.
        point_source: u32 [until Recoil] [within 0..=1],
        /// Offset 196 · - · -.
        saturated: u32 [until Recoil] [within 0..=1],
        /// Offset 200 · - · -: see [`LightFlags::REACHES_CELL`].
        reaches_cell: u32 [until Recoil] [within 0..=1],
        /// Offset - · 176 · 224: flags, see [`Light::flags`].
        flags: ByGame<LightFlags> [since MechWarrior3],
        /// Offset 204 · 180 · 228: full strength up to here.
        range_near: F32,
        /// Offset 208 · 184 · 232: no light beyond.
        range_far: F32,
        /// Offset - · 188 · 236: square.
        range_near_sq: F32 [since MechWarrior3],
        /// Offset 212 · 192 · 240: square.
        range_far_sq: F32,
        /// Offset 216 · 196 · 244: 1 / (far - near).
        range_inv: F32,
        /// Offset 220 · 200 · 248: number of parents; recomputed when writing.
        parent_count: u32,
        /// Offset 224 · 204 · 252: stale address.
        parent_ptr: u32 [nonzero],
    }
}

/// A light.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Light {
    /// The record.
    pub record: LightRecord,
    /// Nodes that it lights; 0 is the world. They replace the node's list of parents.
    pub parents: Vec<u32>,
}

impl Light {
    /// The flags, from the fields of any game.
    pub fn flags(&self) -> LightFlags {
        let record = &self.record;
        let mut flags = record.flags.known;
        for (word, flag) in [
            (record.recalc, LightFlags::RECALC),
            (record.ranged, LightFlags::RANGED),
            (record.directional, LightFlags::DIRECTIONAL),
            (record.directed_source, LightFlags::DIRECTED_SOURCE),
            (record.point_source, LightFlags::POINT_SOURCE),
            (record.saturated, LightFlags::SATURATED),
            (record.reaches_cell, LightFlags::REACHES_CELL),
        ] {
            if word != 0 {
                flags.insert(flag);
            }
        }
        flags
    }
}

impl Light {
    /// Visits the record and its lists.
    pub(super) fn visit<'a, S: Stream<'a>>(
        &mut self,
        name: &'static str,
        stream: &mut S,
        version: ZipperGame,
    ) -> codec::Result<()> {
        if !S::READING {
            self.record.parent_count = counted("parents", self.parents.len())?;
        }
        self.record.visit(name, stream, version)?;
        let count = self.record.parent_count as usize;
        stream.values("light_parents", &mut self.parents, count)
    }
}

relicast_codec::record! {
    /// A level of detail, 80 · 80 · 92 bytes. Its children are shown from the near to the far distance; sibling
    /// nodes are the levels of one object.
    pub struct Lod[80, 80, 92, 92] in ZipperGame {
        /// Offset 0: 1 measures its own distance, 0 uses the distance of the level above or before it (Recoil).
        measures_distance: i32 [within 0..=1],
        /// Offset 4: square of the near distance, which is tested.
        range_near_sq: F32,
        /// Offset 8: far distance, for fades alone.
        range_far: F32,
        /// Offset 12: square of the far distance, which is tested.
        range_far_sq: F32,
        /// Offset 16: scaling toward the far end: width of its band along x, y and z (Recoil).
        scale_width: [F32; 3] [zero],
        /// Offset 28: squares of these widths; it scales where they are above 0.01.
        scale_gate: [F32; 3] [zero],
        /// Offset 40: the scale at the far end.
        scale_end: [F32; 3] [zero],
        /// Offset 52: fade at the near end: width of its band, and its square.
        fade_near: [F32; 2] [zero],
        /// Offset 60 · 60 · -: fade at the far end: width of its band, and its square.
        fade_far: [F32; 2] [until MechWarrior3],
        /// Offset - · - · 60.
        zero60: F32 [since PiratesMoon] [zero],
        /// Offset - · - · 64: a value and its square, perhaps of fading.
        field64: [F32; 2] [since PiratesMoon],
        /// Offset - · - · 72: a value and its square, perhaps of fading.
        field72: [F32; 2] [since PiratesMoon],
        /// Offset 68 · 68 · 80: the scale along x holds for all axes.
        uniform_scale: i32 [always 1],
        /// Offset 72 · 72 · -: descendant models morph toward the far end when not 0.
        morph: u32 [until MechWarrior3],
        /// Offset 76 · 76 · -: bits of a float: width of the band of morphing in squared distance.
        morph_band: u32 [until MechWarrior3],
        /// Offset - · - · 84.
        zero84: [u32; 2] [since PiratesMoon] [zero],
    }
}

impl Lod {
    /// Near and far distance, from the squares that the engines test. Without a valid square of the far distance,
    /// the stored distance.
    pub fn range(&self) -> (f32, f32) {
        let far = self.range_far_sq.0.sqrt();
        let far = if far.is_finite() {
            far
        } else {
            self.range_far.0
        };
        (self.range_near_sq.0.sqrt(), far)
    }

    /// Width of the morphing band, in squared distance, where models morph.
    pub fn morph_band(&self) -> Option<f32> {
        let band = f32::from_bits(self.morph_band);
        (self.morph != 0 && band.is_finite()).then_some(band)
    }
}

bitflags! {
    /// Flags of an object.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Object3dFlags: u32 {
        /// `opacity` is valid.
        const OPACITY = 1 << 1;
        /// `color` is valid.
        const COLOR = 1 << 2;
        /// The transform is the identity.
        const TRANSFORM_INITIAL = 1 << 3;
        /// The matrix is not made from angles (Recoil).
        const USE_MATRIX = 1 << 4;
        /// Always set.
        const ALWAYS = 1 << 5;
    }
}

relicast_codec::plain_flags!(Object3dFlags: u32);

relicast_codec::record! {
    /// An object, 144 bytes; 156 in worlds of version 13.
    pub struct Object3d[144, 144, 144, 144] in ZipperGame {
        /// Offset 0: flags.
        flags: Object3dFlags,
        /// Offset 4: opacity, 0 to 1; see [`Object3d::opacity`]. In Recoil it replaces the opacity of the ancestors.
        opacity: F32,
        /// Offset 8: red, green, blue; see [`Object3d::color`].
        color: Vec3,
        /// Offset 20: weight of the color, 0 to 1; 0 without one.
        tint_weight: F32,
        /// Offset 24: angles, see [`Rotation`](super::Rotation).
        rotate: Vec3,
        /// Offset 36: scale.
        scale: Vec3,
        /// Offset 48 in worlds of version 13 only; there all following fields are 12 bytes further on.
        #[serde(skip_serializing_if = "EarlyTranslation::is_none")]
        early_translation: EarlyTranslation,
        /// Offset 48: the final transform, which is used for drawing.
        transform: Affine,
        /// Offset 96: always 0.
        field096: Affine [zero],
    }
}

impl Object3d {
    /// Opacity, when the object has its own.
    pub fn opacity(&self) -> Option<f32> {
        let held = self.flags.contains(Object3dFlags::OPACITY);
        held.then_some(self.opacity.0)
    }

    /// Color, when the object has its own.
    pub fn color(&self) -> Option<[f32; 3]> {
        let held = self.flags.contains(Object3dFlags::COLOR);
        held.then(|| self.color.to_array())
    }
}

/// Data of the class of a node.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NodeData {
    /// A freed slot; nothing.
    #[default]
    Empty,
    /// A camera.
    Camera(Box<Camera>),
    /// The world.
    World(Box<World>),
    /// A window.
    Window(Box<Window>),
    /// The screen.
    Display(Display),
    /// An object.
    Object3d(Box<Object3d>),
    /// A level of detail.
    Lod(Box<Lod>),
    /// A light.
    Light(Box<Light>),
}

impl NodeData {
    /// Empty data of a class; `None` for a class that is never stored.
    pub(in super::super) fn of_class(class: NodeClass, revision: Revision) -> Option<Self> {
        Some(match class {
            NodeClass::Empty => Self::Empty,
            NodeClass::Camera => Self::Camera(Box::default()),
            NodeClass::World => Self::World(Box::default()),
            NodeClass::Window => Self::Window(Box::default()),
            NodeClass::Display => Self::Display(Display::default()),
            NodeClass::Object3d => Self::Object3d(Box::new(Object3d {
                early_translation: EarlyTranslation::of_revision(revision),
                ..Object3d::default()
            })),
            NodeClass::Lod => Self::Lod(Box::default()),
            NodeClass::Light => Self::Light(Box::default()),
            NodeClass::Other(_) => return None,
        })
    }

    /// The class that the data belong to.
    pub fn class(&self) -> NodeClass {
        match self {
            Self::Empty => NodeClass::Empty,
            Self::Camera(_) => NodeClass::Camera,
            Self::World(_) => NodeClass::World,
            Self::Window(_) => NodeClass::Window,
            Self::Display(_) => NodeClass::Display,
            Self::Object3d(_) => NodeClass::Object3d,
            Self::Lod(_) => NodeClass::Lod,
            Self::Light(_) => NodeClass::Light,
        }
    }

    /// Visits the data.
    pub(in super::super) fn visit<'a, S: Stream<'a>>(
        &mut self,
        stream: &mut S,
        version: ZipperGame,
    ) -> codec::Result<()> {
        match self {
            Self::Empty => Ok(()),
            Self::Camera(camera) => camera.visit("", stream, version),
            Self::World(world) => world.visit("", stream, version),
            Self::Window(window) => window.visit("", stream, version),
            Self::Display(display) => display.visit("", stream, version),
            Self::Object3d(object) => object.visit("", stream, version),
            Self::Lod(lod) => lod.visit("", stream, version),
            Self::Light(light) => light.visit("", stream, version),
        }
    }
}

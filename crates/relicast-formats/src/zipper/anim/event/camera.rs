//! Cameras and full-screen effects.
//!
//! ```
//! use relicast_formats::zipper::ZipperGame;
//! use relicast_formats::zipper::anim::event::{Event, EventBody};
//! use relicast_formats::zipper::anim::event::camera::CameraState;
//!
//! let event = Event::new(EventBody::CameraState(CameraState::default()));
//! assert_eq!(event.body.name(), Some("CAMERA_STATE"));
//! assert_eq!(event.length(ZipperGame::MechWarrior3), 12 + 36);
//! ```

use crate::zipper::ZipperGame;
use crate::zipper::anim::values::{FloatRamp, NodeIndex, ShortNodeIndex};
use relicast_codec::{F32, Vec3};

bitflags::bitflags! {
    /// Selects the fields of a [`CameraState`] or [`CameraFromTo`] that are used.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct CameraFlags: u32 {
        /// `clip_near` is used.
        const CLIP_NEAR = 0x1;
        /// `clip_far` is used.
        const CLIP_FAR = 0x2;
        /// `lod_multiplier` is used.
        const LOD_MULTIPLIER = 0x4;
        /// `fov_h` is used.
        const FOV_H = 0x8;
        /// `fov_v` is used.
        const FOV_V = 0x10;
        /// `zoom_h` is used.
        const ZOOM_H = 0x20;
        /// `zoom_v` is used.
        const ZOOM_V = 0x40;
    }
}
relicast_codec::plain_flags!(CameraFlags: u32);

relicast_codec::record! {
    /// Type 20: sets properties of a camera.
    pub struct CameraState[36, 36, 36, 36] in ZipperGame {
        /// Selects the fields that are used.
        flags: CameraFlags,
        /// The camera.
        node: NodeIndex,
        /// Distance of the near plane.
        clip_near: F32,
        /// Distance of the far plane.
        clip_far: F32,
        /// Factor on level-of-detail distances.
        lod_multiplier: F32,
        /// Horizontal field of view, radians.
        fov_h: F32,
        /// Vertical field of view, radians.
        fov_v: F32,
        /// Horizontal zoom.
        zoom_h: F32,
        /// Vertical zoom.
        zoom_v: F32,
    }
}

relicast_codec::record! {
    /// Type 21: changes properties of a camera over time. Not in Crimson Skies.
    pub struct CameraFromTo[96, 96, 96, 96] in ZipperGame {
        /// Selects the fields that are used.
        flags: CameraFlags,
        /// The camera.
        node: NodeIndex,
        /// Distance of the near plane.
        clip_near: FloatRamp,
        /// Distance of the far plane.
        clip_far: FloatRamp,
        /// Factor on level-of-detail distances.
        lod_multiplier: FloatRamp,
        /// Horizontal field of view, radians.
        fov_h: FloatRamp,
        /// Vertical field of view, radians.
        fov_v: FloatRamp,
        /// Horizontal zoom.
        zoom_h: FloatRamp,
        /// Vertical zoom.
        zoom_v: FloatRamp,
        /// Seconds.
        run_time: F32,
    }
}

relicast_codec::record! {
    /// Type 36: tints the screen over time.
    pub struct FbfxColorFromTo[52, 52, 52, 52] in ZipperGame {
        /// Red, 0 to 1.
        red: FloatRamp,
        /// Green, 0 to 1. (One source takes the third ramp of Recoil for alpha.)
        green: FloatRamp,
        /// Blue, 0 to 1.
        blue: FloatRamp,
        /// Weight of the tint, 0 to 1.
        alpha: FloatRamp,
        /// Seconds.
        run_time: F32,
    }
}

bitflags::bitflags! {
    /// Selects the fields of a [`FbfxCsinwaveFromTo`] that are used.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct WaveFlags: u16 {
        /// `screen_x` and `screen_y` are used.
        const SCREEN_POSITION = 0x1;
        /// `node` and `translate` are used.
        const AT_NODE = 0x2;
        /// `screen_radius` is used.
        const SCREEN_RADIUS = 0x4;
        /// `world_radius_from` and `world_radius_to` are used.
        const WORLD_RADIUS = 0x8;
    }
}
relicast_codec::plain_flags!(WaveFlags: u16);

relicast_codec::record! {
    /// Type 37: sends a wave over the screen. Recoil; Pirate's Moon accepts it.
    pub struct FbfxCsinwaveFromTo[100, 100, 100, 100] in ZipperGame {
        /// Selects the fields that are used.
        flags: WaveFlags,
        /// Node at the center.
        node: ShortNodeIndex,
        /// Offset from the node.
        translate: Vec3,
        /// Center on the screen.
        screen_x: FloatRamp,
        /// Center on the screen.
        screen_y: FloatRamp,
        /// Radius in the world at the start.
        world_radius_from: F32,
        /// Radius in the world at the end.
        world_radius_to: F32,
        /// Radius on the screen.
        screen_radius: FloatRamp,
        /// Extent of the wave.
        csin_x: FloatRamp,
        /// Frequency of the wave.
        csin_y: FloatRamp,
        /// Phase of the wave.
        csin_z: FloatRamp,
        /// Seconds.
        run_time: F32,
    }
}

//! Extras of lights and cameras.

use crate::extras::declare::facts;
use crate::extras::{Float, Float3};

facts! {
    /// A light.
    Light: "zipper" {
        /// Document that defines it.
        from: String,
        /// Flags, by name.
        flags: Vec<String>,
        /// Directed part, as stored.
        diffuse: Float,
        /// Ambient part, as stored.
        ambient: Float,
        /// True if that document switches it on.
        is_active: bool,
        /// Color as stored.
        color: Float3,
        /// Near end of the range.
        near: Float,
        /// Far end of the range.
        far: Float,
        /// True if the game fills it in at run time.
        unset: bool,
        /// Ambient light of the scene, 0 to 1.
        ambient_light: Float,
    }

    /// A camera.
    Camera: "zipper" {
        /// Stored vertical angle, if the game limits it.
        stored_vertical_angle: Float,
        /// Stored horizontal angle, if the game limits it.
        stored_horizontal_angle: Float,
        /// Stored near plane, if the game limits it.
        stored_near: Float,
        /// Number of the view of an aircraft.
        view: u32,
        /// Horizontal angle at 4:3, in degrees.
        horizontal_angle: f64,
        /// Pitch, in degrees.
        pitch: Float,
        /// The planes.
        planes: Planes,
        /// True if no file defines the lens.
        assumed_lens: bool,
    }

    /// Near and far plane.
    Planes {
        /// False for a guess.
        certain: bool,
    }
}

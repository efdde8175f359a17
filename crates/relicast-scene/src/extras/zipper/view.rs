//! Extras of lights and cameras.

use crate::extras::declare::facts;
use crate::extras::{Float, Float3};

facts! {
    /// A light.
    Light: "zipper" {
        /// The document that sets it.
        from: String,
        /// Flags, by name.
        flags: Vec<String>,
        /// Directed part, as stored.
        diffuse: Float,
        /// Part from everywhere, as stored.
        ambient: Float,
        /// Shines, by that document.
        is_active: bool,
        /// Color as stored.
        color: Float3,
        /// Near end of the range.
        near: Float,
        /// Far end of the range.
        far: Float,
        /// The game fills it in when it runs.
        unset: bool,
        /// Light from everywhere that the scene has with it, 0 to 1.
        ambient_light: Float,
    }

    /// A camera.
    Camera: "zipper" {
        /// Stored vertical angle, where the game limits it.
        stored_vertical_angle: Float,
        /// Stored horizontal angle, where the game limits it.
        stored_horizontal_angle: Float,
        /// Stored near plane, where the game limits it.
        stored_near: Float,
        /// Number of the view of an aircraft.
        view: u32,
        /// Horizontal angle at 4:3, in degrees.
        horizontal_angle: f64,
        /// Pitch, in degrees.
        pitch: Float,
        /// The planes.
        planes: Planes,
        /// No file tells the lens.
        assumed_lens: bool,
    }

    /// Near and far plane.
    Planes {
        /// False: a guess.
        certain: bool,
    }
}

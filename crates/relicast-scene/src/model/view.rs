//! Lights and cameras. Their direction is the -Z axis of their node.

use super::Extras;

/// A light.
#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    /// Name, need not be unique.
    pub name: String,
    /// Shape of the light.
    pub kind: LightKind,
    /// Linear red, green and blue, 0 to 1.
    pub color: [f32; 3],
    /// Lux for a directional light, candela for others; at least 0.
    pub intensity: f32,
    /// Range of a point or spot light in meters; more than 0.
    pub range: Option<f32>,
    /// Extras.
    pub extras: Extras,
}

/// Shape of a light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LightKind {
    /// Parallel, from infinitely far.
    Directional,
    /// From a point to all sides.
    Point,
    /// From a point into a cone. Radians from its axis, 0 ≤ inner < outer ≤ π/2.
    Spot {
        /// Angle at which the light begins to fade.
        inner: f32,
        /// Angle at which it has faded.
        outer: f32,
    },
}

/// A perspective camera.
#[derive(Debug, Clone, PartialEq)]
pub struct Camera {
    /// Name, need not be unique.
    pub name: String,
    /// Angle from the lower to the upper edge of the picture in radians, below π.
    pub vertical_angle: f32,
    /// Width over height of the picture.
    pub aspect: Option<f32>,
    /// Distance of the near plane in meters; more than 0.
    pub near: f32,
    /// Distance of the far plane in meters; more than `near`.
    pub far: Option<f32>,
    /// Extras.
    pub extras: Extras,
}

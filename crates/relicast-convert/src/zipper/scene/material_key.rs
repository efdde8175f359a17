//! Materials by their use in polygons.

use super::variants::VariantIndex;
use relicast_scene::space::{linear_from_srgb, srgb_from_linear};

/// Index of a material of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct MaterialIndex(pub usize);

/// A color that surfaces are mixed with, by bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Tint {
    /// Display-referred red, green, blue, 0 to 1.
    color: [u32; 3],
    /// Its share, 0 to 1.
    weight: u32,
}

impl Tint {
    /// `None` where a value is not a number, or the tint has no effect.
    pub(super) fn new(color: [f32; 3], weight: f32) -> Option<Self> {
        let is_valid = color.iter().all(|part| part.is_finite()) && weight.is_finite();
        (is_valid && weight > 0.0).then(|| Self {
            color: color.map(|part| part.clamp(0.0, 1.0).to_bits()),
            weight: weight.min(1.0).to_bits(),
        })
    }

    pub(super) fn color(self) -> [f32; 3] {
        self.color.map(f32::from_bits)
    }

    pub(super) fn weight(self) -> f32 {
        f32::from_bits(self.weight)
    }

    /// Mixes a color in linear light with the tint by display-referred values, as in the engine.
    pub(super) fn mixed(self, linear: [f32; 3]) -> [f32; 3] {
        let tint = self.color();
        std::array::from_fn(|at| {
            let own = linear.get(at).copied().map_or(0.0, srgb_from_linear);
            let other = tint.get(at).copied().unwrap_or_default();
            linear_from_srgb((own + (other - own) * self.weight()) * 255.0)
        })
    }
}

/// A tint with the place that stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Tinting {
    /// The colors of the material.
    Material(Tint),
    /// The colors of the vertices, with that of the material in them.
    Vertices,
}

/// A material with the properties of the polygons that use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct MaterialKey {
    /// The material; `None` if it does not exist.
    pub material: Option<MaterialIndex>,
    /// The polygons have texture coordinates.
    pub textured: bool,
    pub double_sided: bool,
    pub unlit: bool,
    /// Bits of the opacity.
    pub opacity: u32,
    /// The color that the surface is tinted with.
    pub tint: Option<Tinting>,
    /// All texture coordinates are between 0 and 1.
    pub inside: bool,
    /// Bits of the speeds of the texture along u and v.
    pub scroll: Option<[u32; 2]>,
    /// Overlay on another surface.
    pub overlay: bool,
    /// The material variant; `None` for the default.
    pub variant: Option<VariantIndex>,
}

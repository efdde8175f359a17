//! Materials and textures.
//!
//! ```
//! use relicast_scene::model::{Extras, Material, Sampler, Scene, Texture, TextureRef};
//!
//! let mut scene = Scene::default();
//! let texture = scene.add_texture(Texture {
//!     name: "brick".to_owned(),
//!     key: "textures/brick.png".to_owned(),
//!     sampler: Sampler::default(),
//!     extras: Extras::new(),
//! });
//! let material = Material { base_texture: Some(TextureRef::new(texture)), ..Material::default() };
//! assert_eq!(material.textures().count(), 1);
//! ```

use super::{Extras, TextureId};

/// Alpha mode.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum AlphaMode {
    /// Ignored.
    #[default]
    Opaque,
    /// Texels below the cutoff are not drawn, the others are opaque.
    Mask {
        /// Smallest alpha that is drawn.
        cutoff: f32,
    },
    /// Blended with the background.
    Blend,
}

/// A material.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Name, need not be unique.
    pub name: String,
    /// Linear red, green, blue and alpha, 0 to 1; multiplies texture and vertex color.
    pub base_color: [f32; 4],
    /// Base texture.
    pub base_texture: Option<TextureRef>,
    /// Alpha mode.
    pub alpha: AlphaMode,
    /// True if it is drawn from both sides.
    pub double_sided: bool,
    /// True if it is drawn with its plain color, without light.
    pub unlit: bool,
    /// 0 for dielectrics to 1 for metals.
    pub metallic: f32,
    /// 0 for a mirror to 1 for a fully rough surface.
    pub roughness: f32,
    /// Linear emitted light, 0 to 1.
    pub emissive: [f32; 3],
    /// Texture that multiplies the emitted light.
    pub emissive_texture: Option<TextureRef>,
    /// Normal map: x, y and z as red, green and blue, y up the picture.
    pub normal_texture: Option<TextureRef>,
    /// Texture whose alpha is the strength of the specular reflection.
    pub specular_texture: Option<TextureRef>,
    /// Extras.
    pub extras: Extras,
}

impl Default for Material {
    /// White, fully rough, not metallic.
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: [1.0; 4],
            base_texture: None,
            alpha: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
            metallic: 0.0,
            roughness: 1.0,
            emissive: [0.0; 3],
            emissive_texture: None,
            normal_texture: None,
            specular_texture: None,
            extras: Extras::new(),
        }
    }
}

impl Material {
    /// The textures of the material.
    pub fn textures(&self) -> impl Iterator<Item = &TextureRef> {
        let colors = self.base_texture.iter().chain(&self.emissive_texture);
        colors
            .chain(&self.normal_texture)
            .chain(&self.specular_texture)
    }

    /// The textures of the material, mutable.
    pub fn textures_mut(&mut self) -> impl Iterator<Item = &mut TextureRef> {
        let colors = self
            .base_texture
            .iter_mut()
            .chain(&mut self.emissive_texture);
        colors
            .chain(&mut self.normal_texture)
            .chain(&mut self.specular_texture)
    }

    /// Number of texture coordinate sets that a mesh needs for the material.
    pub fn uv_sets(&self) -> usize {
        self.textures()
            .map(|texture| texture.uv_set as usize + 1)
            .max()
            .unwrap_or(0)
    }
}

/// A texture on a material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureRef {
    /// The texture.
    pub texture: TextureId,
    /// Number of its texture coordinate set.
    pub uv_set: u32,
    /// Transform of the texture coordinates.
    pub transform: Option<UvTransform>,
}

impl TextureRef {
    /// A texture on the first set of coordinates, without transform.
    pub fn new(texture: TextureId) -> Self {
        Self {
            texture,
            uv_set: 0,
            transform: None,
        }
    }
}

/// Transform of texture coordinates: scale, then rotation, then offset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UvTransform {
    /// Added last.
    pub offset: [f32; 2],
    /// Radians, counter-clockwise about the origin of the picture.
    pub rotation: f32,
    /// Multiplied first.
    pub scale: [f32; 2],
}

impl Default for UvTransform {
    fn default() -> Self {
        Self {
            offset: [0.0; 2],
            rotation: 0.0,
            scale: [1.0; 2],
        }
    }
}

/// A picture with its sampler. Several textures may share a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// Name of the picture, need not be unique.
    pub name: String,
    /// Key under which the picture was written as PNG.
    pub key: String,
    /// Sampler.
    pub sampler: Sampler,
    /// Extras.
    pub extras: Extras,
}

/// Sampling of a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// Wrap mode at the left and right edge.
    pub wrap_u: Wrap,
    /// Wrap mode at the upper and lower edge.
    pub wrap_v: Wrap,
    /// Filter between texels.
    pub filter: Filter,
}

/// Wrap mode: the value outside a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The picture repeats.
    #[default]
    Repeat,
    /// The picture repeats, mirrored.
    Mirror,
    /// The texels of its edge repeat.
    Clamp,
}

/// Filter between texels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// Linear in the picture and between mipmap levels.
    #[default]
    Trilinear,
    /// Linear in the picture, without mipmaps.
    Bilinear,
    /// The nearest texel.
    Nearest,
}

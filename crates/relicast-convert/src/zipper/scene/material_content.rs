//! Comparison of materials by their whole content.

use relicast_scene::model::{AlphaMode, Material, TextureId, TextureRef, UvTransform};

/// The content of a material, for finding equal materials. Floats are compared by their bits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct MaterialContent {
    name: String,
    base_color: [u32; 4],
    base_texture: Option<TextureContent>,
    alpha: AlphaContent,
    double_sided: bool,
    unlit: bool,
    metallic: u32,
    roughness: u32,
    emissive: [u32; 3],
    emissive_texture: Option<TextureContent>,
    /// The extras as JSON.
    extras: String,
}

/// The content of an [`AlphaMode`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum AlphaContent {
    Opaque,
    Mask { cutoff: u32 },
    Blend,
}

/// The content of a [`TextureRef`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct TextureContent {
    texture: TextureId,
    uv_set: u32,
    transform: Option<TransformContent>,
}

/// The content of a [`UvTransform`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct TransformContent {
    offset: [u32; 2],
    rotation: u32,
    scale: [u32; 2],
}

/// The bits of a value, the same for all NaNs.
fn bits(value: f32) -> u32 {
    if value.is_nan() { f32::NAN } else { value }.to_bits()
}

impl From<&UvTransform> for TransformContent {
    fn from(transform: &UvTransform) -> Self {
        Self {
            offset: transform.offset.map(bits),
            rotation: bits(transform.rotation),
            scale: transform.scale.map(bits),
        }
    }
}

impl From<&TextureRef> for TextureContent {
    fn from(texture: &TextureRef) -> Self {
        Self {
            texture: texture.texture,
            uv_set: texture.uv_set,
            transform: texture.transform.as_ref().map(TransformContent::from),
        }
    }
}

impl From<&Material> for MaterialContent {
    fn from(material: &Material) -> Self {
        Self {
            name: material.name.clone(),
            base_color: material.base_color.map(bits),
            base_texture: material.base_texture.as_ref().map(TextureContent::from),
            alpha: match material.alpha {
                AlphaMode::Opaque => AlphaContent::Opaque,
                AlphaMode::Mask { cutoff } => AlphaContent::Mask {
                    cutoff: bits(cutoff),
                },
                AlphaMode::Blend => AlphaContent::Blend,
            },
            double_sided: material.double_sided,
            unlit: material.unlit,
            metallic: bits(material.metallic),
            roughness: bits(material.roughness),
            emissive: material.emissive.map(bits),
            emissive_texture: material.emissive_texture.as_ref().map(TextureContent::from),
            extras: serde_json::to_string(&material.extras).unwrap_or_default(),
        }
    }
}

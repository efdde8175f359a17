//! One scene in the making, with what was already made for it.

use std::collections::HashMap;

use crate::scene::model::{
    AlphaMode, FlipBook, Material, MaterialId, MeshId, NodeId, Sampler, Scene, Scroll, Texture,
    TextureId, TextureRef, UvTransform, VariantId, VariantMaterial,
};

use super::checks::Checks;
use super::material::{MaterialKey, Surfaces};

/// A model with the properties of the node that shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct MeshVariantKey {
    /// Number of the model.
    pub model: usize,
    /// Bits of the opacity.
    pub opacity: u32,
    /// Drawn without light.
    pub unlit: bool,
    /// A shape without materials.
    pub bare: bool,
}

/// Longest movement of a texture that is written as a clip, in seconds.
const LONGEST: f32 = 3600.0;

/// A scrolling texture with rates along u and v, in pictures per second. It lasts until both have moved by
/// whole pictures, or only the slower one if that takes too long.
fn scroll(material: MaterialId, [u, v]: [f32; 2]) -> Option<Scroll> {
    let slower = if u != 0.0 && (v == 0.0 || u.abs() < v.abs()) {
        u
    } else {
        v
    };
    let closes = |seconds: &f32| {
        [u, v].iter().all(|rate| {
            let pictures = rate.abs() * seconds;
            (pictures - pictures.round()).abs() < 1e-3
        })
    };
    let periods = (1_u8..=32).map(|pictures| f32::from(pictures) / slower.abs());
    let seconds = periods.clone().find(closes).or(periods.clone().next())?;
    let fits = seconds > 1e-3 && seconds < LONGEST;
    fits.then_some(Scroll {
        material,
        seconds,
        offset: [u * seconds, v * seconds],
    })
}

/// The content of a material, for telling equal materials. Floats are compared by their bits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct MaterialContent {
    name: String,
    base_colour: [u32; 4],
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

/// The bits of a value, the same for all that are no numbers.
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
            base_colour: material.base_colour.map(bits),
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

/// A node of a scene that stands for a node of the source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::convert) struct StoredNode {
    /// The node of the scene.
    pub node: NodeId,
    /// Index of the node in the file.
    pub index: usize,
}

/// A scene in the making.
#[derive(Debug, Default)]
pub(in crate::convert) struct SceneBuilder {
    /// The scene.
    pub scene: Scene,
    /// The nodes of the scene that are from the file, in the order of the scene.
    pub stored_nodes: Vec<StoredNode>,
    /// Meshes by key; `None` for a model without visible polygons.
    pub(super) meshes: HashMap<MeshVariantKey, Option<MeshId>>,
    textures: HashMap<(String, Sampler), TextureId>,
    materials: HashMap<MaterialKey, MaterialId>,
    /// Materials by their content, so that no two are equal.
    by_content: HashMap<MaterialContent, MaterialId>,
}

impl SceneBuilder {
    /// The texture of a picture and a sampler.
    pub(super) fn texture(
        &mut self,
        key: &str,
        sampler: Sampler,
        make: impl FnOnce() -> Texture,
    ) -> TextureId {
        let scene = &mut self.scene;
        let entry = self.textures.entry((key.to_owned(), sampler));
        *entry.or_insert_with(|| scene.add_texture(make()))
    }

    /// The scene materials of a key in each variant in which it differs.
    pub(super) fn variants(
        &mut self,
        material_key: MaterialKey,
        surfaces: &mut Surfaces<'_, '_>,
        checks: &mut Checks,
    ) -> Vec<VariantMaterial> {
        let changes = surfaces.variants_of(material_key.material);
        if let Some(variants) = surfaces
            .variants()
            .filter(|_| self.scene.variants.is_empty())
        {
            let names = variants.variants.iter().map(|look| look.name.clone());
            self.scene.variants.extend(names);
        }
        let mut variants = Vec::with_capacity(changes.len());
        for place in changes {
            let look = (place > 0).then_some(place);
            let material = self.material(
                MaterialKey {
                    look,
                    ..material_key
                },
                surfaces,
                checks,
            );
            let variant = VariantId::from(place);
            variants.push(VariantMaterial { variant, material });
        }
        variants
    }

    /// Adds a texture that no material uses.
    pub(super) fn keep(&mut self, key: &str, sampler: Sampler, make: impl FnOnce() -> Texture) {
        let texture = self.texture(key, sampler, make);
        let kept = &mut self.scene.kept_textures;
        if !kept.contains(&texture) {
            kept.push(texture);
        }
    }

    /// The scene material for a key.
    pub(super) fn material(
        &mut self,
        material_key: MaterialKey,
        surfaces: &mut Surfaces<'_, '_>,
        checks: &mut Checks,
    ) -> MaterialId {
        if let Some(&known) = self.materials.get(&material_key) {
            return known;
        }
        let (made, frame_times) = surfaces.make(&material_key, self, checks);
        let content = MaterialContent::from(&made);
        let id = match self.by_content.get(&content) {
            Some(&same) => same,
            None => {
                let transform = made.base_texture.and_then(|worn| worn.transform);
                let moves = transform.is_some();
                let id = self.scene.add_material(made);
                let rates = material_key.scroll.filter(|_| moves);
                let scroll = rates.and_then(|rates| scroll(id, rates.map(f32::from_bits)));
                self.scene.scrolls.extend(scroll);
                // One picture takes its share of the width.
                let book = frame_times.zip(transform).map(|(frame_times, transform)| {
                    let offset = |frame: &usize| [*frame as f32 * transform.scale[0], 0.0];
                    FlipBook {
                        material: id,
                        offsets: frame_times.frames.iter().map(offset).collect(),
                        times: frame_times.times,
                    }
                });
                self.scene.flip_books.extend(book);
                self.by_content.insert(content, id);
                id
            }
        };
        self.materials.insert(material_key, id);
        id
    }
}

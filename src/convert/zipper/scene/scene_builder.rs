//! One scene in the making, with what was already made for it.

use std::collections::HashMap;

use crate::scene::model::{
    FlipBook, MaterialId, MeshId, Sampler, Scene, Scroll, Texture, TextureId, VariantId,
    VariantMaterial,
};

use super::checks::Checks;
use super::material::{MaterialKey, Surfaces};

/// How a model looks where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct MeshVariantKey {
    /// Which model; nodes with the same number share it.
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

/// A movement of a texture at `rates` along u and v, in pictures a second, as long as it takes until
/// both show whole pictures, or the faster one does if that takes too many.
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
    let frame_times = (1_u8..=32).map(|pictures| f32::from(pictures) / slower.abs());
    let seconds = frame_times
        .clone()
        .find(closes)
        .or(frame_times.clone().next())?;
    let fits = seconds > 1e-3 && seconds < LONGEST;
    fits.then_some(Scroll {
        material,
        seconds,
        offset: [u * seconds, v * seconds],
    })
}

/// A scene in the making.
#[derive(Debug, Default)]
pub(in crate::convert) struct SceneBuilder {
    /// The scene.
    pub scene: Scene,
    /// Meshes by model and look; `None` for one that shows nothing.
    pub(super) meshes: HashMap<MeshVariantKey, Option<MeshId>>,
    textures: HashMap<(String, Sampler), TextureId>,
    materials: HashMap<MaterialKey, MaterialId>,
    /// Materials by all that they say, so that no two are equal.
    same: HashMap<String, MaterialId>,
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

    /// The surfaces of a material in the looks that it changes in.
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

    /// Adds a texture that no surface wears.
    pub(super) fn keep(&mut self, key: &str, sampler: Sampler, make: impl FnOnce() -> Texture) {
        let texture = self.texture(key, sampler, make);
        let kept = &mut self.scene.kept_textures;
        if !kept.contains(&texture) {
            kept.push(texture);
        }
    }

    /// The surface of a material as it is worn.
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
        let all = format!("{made:?}");
        let id = match self.same.get(&all) {
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
                self.same.insert(all, id);
                id
            }
        };
        self.materials.insert(material_key, id);
        id
    }
}

//! The materials of a scene under construction, each made once.

use super::checks::Checks;
use super::material::Surfaces;
use super::material_content::MaterialContent;
use super::material_key::MaterialKey;
use super::scene_builder::SceneBuilder;
use super::variants::VariantIndex;
use relicast_scene::model::{FlipBook, MaterialId, Scroll, VariantId, VariantMaterial};

/// Maximum duration of the clip of a moving texture, in seconds.
const MAX_SECONDS: f32 = 3600.0;

/// A scrolling texture with rates along u and v, in pictures per second. It ends when both have moved by whole
/// pictures, or only the slower one if that takes too long.
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
    let fits = seconds > 1e-3 && seconds < MAX_SECONDS;
    fits.then_some(Scroll {
        material,
        seconds,
        offset: [u * seconds, v * seconds],
    })
}

impl SceneBuilder {
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
            let names = variants.variants.iter().map(|variant| variant.name.clone());
            self.scene.variants.extend(names);
        }
        let mut variants = Vec::with_capacity(changes.len());
        for index in changes {
            let variant = Some(index).filter(|index| *index != VariantIndex::DEFAULT);
            let material = self.material(
                MaterialKey {
                    variant,
                    ..material_key
                },
                surfaces,
                checks,
            );
            let variant = VariantId::from(index.0);
            variants.push(VariantMaterial { variant, material });
        }
        variants
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
        let (surface, frame_times) = surfaces.make(&material_key, self, checks);
        let content = MaterialContent::from(&surface);
        let id = match self.by_content.get(&content) {
            Some(&same) => same,
            None => {
                let transform = surface.base_texture.and_then(|texture| texture.transform);
                let moves = transform.is_some();
                let id = self.scene.add_material(surface);
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

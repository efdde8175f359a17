//! The materials of a file, and scene materials made from them.

use std::collections::HashMap;

use crate::options::{SamplerRule, SceneFilter, Scenes};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{self, GameZ, MaterialRecord, Soil};
use relicast_formats::zipper::mechlib::MechMaterial;
use relicast_scene::extras::{Float, ObjectExtras, floats, zipper};
use relicast_scene::model::{Filter, Material, Sampler, Texture, TextureRef, UvTransform, Wrap};
use relicast_scene::space::linear_from_srgb;

use super::checks::Checks;
use super::material_draft::Draft;
use super::material_key::{MaterialIndex, MaterialKey};
use super::scene_builder::SceneBuilder;
use super::texture_library::{FoundTexture, TextureProvider};
use super::variants::{MaterialVariants, VariantIndex};
use crate::shared::atlas::{self, FrameTimes};

/// Display-referred gray, 0 to 255, of surfaces whose texture is missing.
const MISSING_GRAY: f32 = 128.0;

/// A material of any kind of file.
#[derive(Debug, Clone, Default)]
pub(crate) struct SourceMaterial {
    record: MaterialRecord,
    /// Stored name of its texture.
    texture: Option<String>,
    cycle: Option<Cycle>,
}

#[derive(Debug, Clone, Default)]
struct Cycle {
    speed: f32,
    looping: bool,
    start: i32,
    frames: Vec<String>,
}

impl Cycle {
    /// The first picture that is shown.
    fn first(&self) -> Option<&String> {
        let place = usize::try_from(self.start).ok()?;
        self.frames.get(place).or_else(|| self.frames.first())
    }
}

/// Number of the picture that a cycle starts with: the integer part of its position, from 0 up to the number of
/// pictures.
fn start_of(cycle: &gamez::Cycle) -> i32 {
    let count = i32::try_from(cycle.textures.len()).unwrap_or(i32::MAX);
    let position = cycle.record.current_index.0;
    if position.is_finite() {
        (position as i32).checked_rem_euclid(count).unwrap_or(0)
    } else {
        0
    }
}

impl SourceMaterial {
    /// Stored name of its texture.
    pub(crate) fn texture(&self) -> Option<&str> {
        self.texture.as_deref()
    }

    /// Name of its texture, or of its color.
    pub(super) fn label(&self) -> String {
        self.texture.clone().unwrap_or_else(|| {
            let mut draft = Draft {
                material: Material::default(),
                extras: zipper::Material::default(),
            };
            draft.apply_color(&self.record);
            draft.material.name
        })
    }

    /// Replaces its pictures by a sequence of others. Does nothing without pictures or a texture.
    pub(crate) fn animate(&mut self, frames: Vec<String>, speed: f32, looping: bool) {
        let Some(first) = frames.first().filter(|_| self.texture.is_some()) else {
            return;
        };
        self.texture = Some(first.clone());
        self.cycle = Some(Cycle {
            speed,
            looping,
            start: 0,
            frames,
        });
    }

    /// Its texture, and the pictures that the game chooses from: those of a cycle that does not run.
    pub(crate) fn chosen_pictures(&self) -> Option<(&str, &[String])> {
        let cycle = self.cycle.as_ref().filter(|cycle| cycle.speed == 0.0)?;
        Some((self.texture()?, &cycle.frames))
    }
}

/// The materials of a world.
pub(crate) fn of_world(gamez: &GameZ) -> Vec<SourceMaterial> {
    let name_of = |index: i32| {
        let texture = gamez.textures.get(usize::try_from(index).ok()?)?;
        Some(texture.name.stem())
    };
    let materials = gamez.materials.used.iter();
    materials
        .map(|material| {
            let cycle = material.cycle.as_ref().map(|cycle| Cycle {
                speed: cycle.record.speed.0,
                looping: cycle.record.looping != 0,
                start: start_of(cycle),
                frames: cycle.textures.iter().copied().filter_map(name_of).collect(),
            });
            let own = material.texture().map(|_| {
                let first = cycle.as_ref().and_then(Cycle::first);
                let named = first.cloned();
                named.or_else(|| name_of(material.record.texture_index))
            });
            SourceMaterial {
                record: material.record.clone(),
                // A texture that does not exist has no name; it is still counted as missing.
                texture: own.map(|name| {
                    let index = material.record.texture_index;
                    name.unwrap_or_else(|| format!("texture {index}"))
                }),
                cycle,
            }
        })
        .collect()
}

/// The materials of a model library.
pub(crate) fn of_library(materials: &[MechMaterial]) -> Vec<SourceMaterial> {
    let materials = materials.iter();
    materials
        .map(|material| SourceMaterial {
            record: material.record.clone(),
            texture: material.texture.as_ref().map(|name| name.text()),
            cycle: None,
        })
        .collect()
}

/// The appearance of a material. Materials with equal appearance are merged.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Appearance {
    texture: Option<String>,
    /// Color of a material without texture.
    paint: Option<Paint>,
    cycle: Option<CycleAppearance>,
    /// Code of the soil; 0 where soils are merged.
    soil: u32,
}

/// A plain color: bits of red, green and blue, and alpha from 0 to 255.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Paint {
    color: [u32; 3],
    alpha: u8,
}

/// A [`Cycle`] whose speed is compared by its bits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct CycleAppearance {
    speed: u32,
    looping: bool,
    start: i32,
    frames: Vec<String>,
}

impl SourceMaterial {
    fn appearance(&self, merge_soil: bool) -> Appearance {
        let record = &self.record;
        Appearance {
            texture: self.texture.clone(),
            paint: self.texture.is_none().then(|| Paint {
                color: record.color.to_array().map(f32::to_bits),
                alpha: record.alpha,
            }),
            cycle: self.cycle.as_ref().map(|cycle| CycleAppearance {
                speed: cycle.speed.to_bits(),
                looping: cycle.looping,
                start: cycle.start,
                frames: cycle.frames.clone(),
            }),
            soil: if merge_soil { 0 } else { record.soil.code() },
        }
    }
}

/// For each material the first with the same appearance.
fn first_of_appearance(materials: &[SourceMaterial], merge_soil: bool) -> Vec<MaterialIndex> {
    let mut known = HashMap::new();
    let places = materials.iter().enumerate();
    places
        .map(|(place, material)| {
            *known
                .entry(material.appearance(merge_soil))
                .or_insert(MaterialIndex(place))
        })
        .collect()
}

/// Makes scene materials. Each texture is looked up once.
#[derive(Debug)]
pub(crate) struct Surfaces<'l, 'a> {
    materials: &'l [SourceMaterial],
    first: Vec<MaterialIndex>,
    view: TextureProvider<'l, 'a>,
    version: ZipperGame,
    variants: Option<&'l MaterialVariants>,
    found: HashMap<String, Option<FoundTexture<'a>>>,
}

impl<'l, 'a> Surfaces<'l, 'a> {
    pub(crate) fn new(
        materials: &'l [SourceMaterial],
        view: TextureProvider<'l, 'a>,
        version: ZipperGame,
    ) -> Self {
        Self {
            materials,
            first: first_of_appearance(materials, view.options.scenes.merge_soil),
            view,
            version,
            variants: None,
            found: HashMap::new(),
        }
    }

    /// Sets the material variants of the model.
    pub(super) fn set_variants(&mut self, variants: &'l MaterialVariants) {
        self.variants = Some(variants).filter(|variants| !variants.variants.is_empty());
    }

    /// The material variants of the model.
    pub(super) fn variants(&self) -> Option<&'l MaterialVariants> {
        self.variants
    }

    /// Indices of the variants in which a material differs.
    pub(super) fn variants_of(&self, index: Option<MaterialIndex>) -> Vec<VariantIndex> {
        let material = self.source(index);
        let texture = material.and_then(|material| material.texture.as_deref());
        let variants = self.variants.zip(texture);
        variants.map_or(Vec::new(), |(variants, texture)| variants.of(texture))
    }

    pub(super) fn version(&self) -> ZipperGame {
        self.version
    }

    pub(super) fn options(&self) -> &'l Scenes {
        &self.view.options.scenes
    }

    /// The material of an index.
    fn source(&self, index: Option<MaterialIndex>) -> Option<&'l SourceMaterial> {
        self.materials.get(index?.0)
    }

    /// The color of a material without texture, in linear light.
    pub(super) fn plain_color(&self, index: Option<MaterialIndex>) -> Option<[f32; 3]> {
        let source = self
            .source(index)
            .filter(|source| source.texture.is_none())?;
        Some(source.record.color.to_array().map(linear_from_srgb))
    }

    /// The material of a stored index; the first one of several with the same appearance.
    pub(super) fn index(&self, material: i32) -> Option<MaterialIndex> {
        let index = usize::try_from(material).ok()?;
        self.first.get(index).copied()
    }

    /// Extras of the material of an additional layer, for users who blend the layers.
    pub(super) fn layer_facts(
        &mut self,
        index: Option<MaterialIndex>,
        checks: &mut Checks,
    ) -> Option<zipper::Layer> {
        let Some(source) = self.source(index) else {
            checks.unknown_materials += 1;
            return None;
        };
        Some(match &source.texture {
            Some(name) => zipper::Layer {
                texture: Some(name.clone()),
                picture: self.find(name, checks).map(|found| found.key.to_string()),
                ..zipper::Layer::default()
            },
            None => zipper::Layer {
                color: Some(floats(source.record.color.to_array())),
                alpha: Some(source.record.alpha.into()),
                ..zipper::Layer::default()
            },
        })
    }

    /// True if a material wants a texture.
    pub(super) fn is_textured(&self, index: Option<MaterialIndex>) -> bool {
        let material = self.source(index);
        material.is_some_and(|material| material.texture.is_some())
    }

    fn find(&mut self, name: &str, checks: &mut Checks) -> Option<&FoundTexture<'a>> {
        let view = self.view;
        let found = self.found.entry(name.to_owned()).or_insert_with(|| {
            let found = view.find(name);
            match &found {
                Some(found) => {
                    let source = found.source.to_owned();
                    checks.textures_found.insert(name.to_owned(), source);
                }
                None => checks.textures_missing.push(name.to_owned()),
            }
            found
        });
        found.as_ref()
    }

    /// The pictures of a cycle, if they fit in an atlas and the settings ask for it.
    fn frames(
        &mut self,
        cycle: &Cycle,
        material_key: &MaterialKey,
        checks: &mut Checks,
    ) -> Option<Vec<FoundTexture<'a>>> {
        let options = self.options();
        if !options.cycle_atlas {
            return None;
        }
        let names = cycle.frames.iter();
        let found: Option<Vec<FoundTexture<'a>>> =
            names.map(|name| self.find(name, checks).cloned()).collect();
        let can_move = material_key.textured
            && material_key.inside
            && material_key.scroll.is_none()
            && material_key.variant.is_none();
        let frames = found.filter(|frames| {
            can_move && atlas::fit(frames.iter().map(|frame| frame.size), options)
        });
        if frames.is_none() {
            checks.still_cycles += 1;
        }
        frames
    }

    /// The scene material for a key, with the frame times of its cycle.
    pub(super) fn make(
        &mut self,
        material_key: &MaterialKey,
        builder: &mut SceneBuilder,
        checks: &mut Checks,
    ) -> (Material, Option<FrameTimes>) {
        let source = self.source(material_key.material);
        let cycle = source.and_then(|source| source.cycle.as_ref());
        let frames = cycle.and_then(|cycle| self.frames(cycle, material_key, checks));
        let surface = self.surface(material_key, frames.as_deref(), builder, checks);
        let frame_times = cycle.zip(frames).and_then(|(cycle, frames)| {
            atlas::frame_times(frames.len(), cycle.speed, cycle.looping, cycle.start)
        });
        (surface, frame_times)
    }

    /// The material of a surface. The textures on it are added to the scene of `builder`.
    fn surface(
        &mut self,
        material_key: &MaterialKey,
        frames: Option<&[FoundTexture<'a>]>,
        builder: &mut SceneBuilder,
        checks: &mut Checks,
    ) -> Material {
        let source = self.source(material_key.material);
        let mut draft = Draft {
            material: Material {
                double_sided: material_key.double_sided,
                unlit: material_key.unlit,
                ..Material::default()
            },
            extras: zipper::Material::default(),
        };
        let Some(source) = source else {
            checks.unknown_materials += 1;
            "unknown".clone_into(&mut draft.material.name);
            return draft.material;
        };
        let mut opacity = f32::from_bits(material_key.opacity);
        match self.texture_name(source, material_key) {
            Some(name) => {
                self.apply_texture(&mut draft, name, material_key, frames, builder, checks);
            }
            None => opacity *= draft.apply_color(&source.record),
        }
        draft.apply_key(material_key, opacity);
        if let Some(cycle) = &source.cycle {
            self.apply_cycle(&mut draft, cycle, material_key, builder, checks);
        }
        let soil = source.record.soil;
        if soil != Soil::Default && !self.options().merge_soil {
            draft.apply_soil(soil, self.version);
        }
        Material {
            extras: draft.extras.extras(),
            ..draft.material
        }
    }

    /// Name of the texture of a material in the given variant; `None` for a plain color.
    fn texture_name(
        &self,
        source: &'l SourceMaterial,
        material_key: &MaterialKey,
    ) -> Option<&'l str> {
        let stored = source.texture.as_deref()?;
        let variants = self.variants.zip(material_key.variant);
        let other = variants.and_then(|(variants, index)| variants.texture(index, stored));
        Some(other.unwrap_or(stored))
    }

    /// Assigns a texture to a material, or the atlas of its cycle. A missing texture leaves a gray material.
    fn apply_texture(
        &mut self,
        draft: &mut Draft,
        name: &str,
        material_key: &MaterialKey,
        frames: Option<&[FoundTexture<'a>]>,
        builder: &mut SceneBuilder,
        checks: &mut Checks,
    ) {
        let options = self.options();
        let material = &mut draft.material;
        name.clone_into(&mut material.name);
        match (frames, self.find(name, checks)) {
            (Some(frames), Some(found)) => {
                let sampler = sampler(found, material_key, options);
                let keys: Vec<&str> = frames.iter().map(|frame| &*frame.key).collect();
                let key = atlas::key(&keys);
                let texture = builder.texture(&key, sampler, || Texture {
                    name: format!("{}_cycle", found.name),
                    key: key.clone(),
                    sampler,
                    extras: texture_facts(found),
                });
                let transform = UvTransform {
                    scale: [1.0 / frames.len() as f32, 1.0],
                    ..UvTransform::default()
                };
                material.base_texture = Some(TextureRef {
                    transform: Some(transform),
                    ..TextureRef::new(texture)
                });
                material.alpha = atlas::alpha(frames.iter().map(|frame| frame.alpha));
                draft.apply_blend(found);
            }
            (_, Some(found)) if material_key.textured => {
                let sampler = sampler(found, material_key, options);
                let texture =
                    builder.texture(&found.key, sampler, || plain_texture(found, sampler));
                let scrolls = material_key.scroll.is_some() && options.animate_uv;
                material.base_texture = Some(TextureRef {
                    transform: scrolls.then(UvTransform::default),
                    ..TextureRef::new(texture)
                });
                material.alpha = found.alpha;
                draft.apply_blend(found);
            }
            (_, Some(_)) => material.name.push_str("_plain"),
            (_, None) => {
                let gray = linear_from_srgb(MISSING_GRAY);
                material.base_color = [gray, gray, gray, 1.0];
                draft.extras.missing_texture = Some(name.to_owned());
            }
        }
    }

    /// Records a cycle in the extras of a material, and adds its pictures to the scene if the settings ask for it.
    fn apply_cycle(
        &mut self,
        draft: &mut Draft,
        cycle: &Cycle,
        material_key: &MaterialKey,
        builder: &mut SceneBuilder,
        checks: &mut Checks,
    ) {
        let options = self.options();
        for frame in &cycle.frames {
            if let Some(found) = self.find(frame, checks)
                && options.embed_cycles
            {
                let sampler = sampler(found, material_key, options);
                builder.keep(&found.key, sampler, || plain_texture(found, sampler));
            }
        }
        draft.extras.cycle = Some(zipper::Cycle {
            fps: Some(Float(cycle.speed)),
            r#loop: Some(cycle.looping),
            start: Some(cycle.start.into()),
            frames: Some(cycle.frames.clone()),
            // The game itself chooses the picture, as for damage or teams.
            selector: (cycle.speed == 0.0).then_some(true),
        });
    }
}

/// The texture of a single picture on a surface.
fn plain_texture(found: &FoundTexture<'_>, sampler: Sampler) -> Texture {
    Texture {
        name: found.name.clone(),
        key: found.key.clone().into_owned(),
        sampler,
        extras: texture_facts(found),
    }
}

fn texture_facts(found: &FoundTexture<'_>) -> relicast_scene::model::Extras {
    let facts = zipper::Texture {
        edge_mode: (found.edge_mode > 3).then_some(found.edge_mode),
        mips: (!found.smaller.is_empty()).then(|| found.smaller.clone()),
    };
    facts.extras()
}

/// When all coordinates are inside the texture, clamping and repeating differ only within half a texel of the edge,
/// where repeating shows a line of the opposite edge.
fn sampler(found: &FoundTexture<'_>, material_key: &MaterialKey, options: &Scenes) -> Sampler {
    let inside = material_key.inside && material_key.scroll.is_none();
    let wrap = |bit: u16| {
        let stored = options.sampler == SamplerRule::Stored && found.edge_mode & bit != 0;
        if inside || stored {
            Wrap::Clamp
        } else {
            Wrap::Repeat
        }
    };
    Sampler {
        wrap_u: wrap(1),
        wrap_v: wrap(2),
        filter: match options.filter {
            SceneFilter::Trilinear => Filter::Trilinear,
            SceneFilter::Bilinear => Filter::Bilinear,
            SceneFilter::Nearest => Filter::Nearest,
        },
    }
}

//! Materials of EQG files as surfaces of a scene.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value, json};

use crate::everquest::archive::{FoundTexture, glowing_key, stem_of};
use crate::everquest::scene_builder::{CUTOFF, Layers, MISSING_GRAY, SceneBuilder};
use crate::options::Shading;
use relicast_formats::everquest::eqg::parts::PropertyValue;
use relicast_formats::everquest::eqg::text;
use relicast_scene::extras::{ObjectExtras, everquest};
use relicast_scene::model::{AlphaMode, Material, MaterialId, TextureRef, number};
use relicast_scene::space::linear_from_srgb;

use super::models::Model;
use super::shader::{Blend, Shader};
use super::shader_material::{DIFFUSE, NORMAL, SHININESS, ShaderMaterial};

/// Names of properties.
const SECOND: &str = "e_TextureSecond0";
const GLOW: &str = "e_TextureGlow0";
const WATER_COLOR: &str = "e_fWaterColor1";
/// Start of the names of properties with pictures.
const PICTURE: &str = "e_texture";

/// A member of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Origin {
    /// Index of the archive.
    pub place: usize,
    /// The member.
    pub member: usize,
}

/// A surface of a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Resolved {
    /// The material.
    pub material: MaterialId,
    /// True if its picture is missing; texture coordinates are written for one that the user may add.
    pub lacks_picture: bool,
    /// True if second texture coordinates are needed by the extras.
    pub wants_second: bool,
    /// True if it shows several pictures in turn.
    pub cycles: bool,
}

/// The surfaces made so far, in the main scene and in the hidden scene.
#[derive(Debug, Default)]
pub(super) struct Surfaces {
    /// For each material of a model the first with its name.
    first: HashMap<Origin, Rc<Vec<usize>>>,
    known: [HashMap<(Origin, usize), Resolved>; 2],
    /// By name, for materials that several models share.
    named: [HashMap<String, Vec<Resolved>>; 2],
}

/// Maximum number of materials of a name that are compared.
const MAX_EQUAL: usize = 16;

impl Surfaces {
    /// For each material of a model the first one with its name.
    pub(super) fn first_of_name(&mut self, origin: Origin, model: &Model) -> Rc<Vec<usize>> {
        let first = self.first.entry(origin);
        Rc::clone(first.or_insert_with(|| Rc::new(model.first_of_name())))
    }

    /// The surface of a material, by its index in the list of the model.
    pub(super) fn resolve(
        &mut self,
        layers: &mut Layers<'_, '_>,
        hidden: bool,
        origin: Origin,
        model: &Model,
        place: usize,
    ) -> Option<Resolved> {
        // One scene may hold both.
        let hidden = hidden && !layers.is_single_scene();
        let [shown, other] = &mut self.known;
        let known = if hidden { other } else { shown };
        if let Some(&known) = known.get(&(origin, place)) {
            return Some(known);
        }
        let shader_material = model.shader_material(place)?;
        let builder = if hidden {
            layers.hidden()
        } else {
            &mut layers.main
        };
        let mut resolved = add(builder, origin.place, &shader_material);
        let [shown, other] = &mut self.named;
        let named = if hidden { other } else { shown };
        let equal = named.entry(shader_material.name).or_default();
        let materials = &mut builder.scene.materials;
        let same = equal.iter().find(|one| {
            let stored = materials.get(one.material.index());
            stored.is_some() && stored == materials.get(resolved.material.index())
        });
        if let Some(&same) = same.filter(|_| !resolved.cycles) {
            // It is the last one.
            materials.pop();
            resolved = same;
        } else if equal.len() < MAX_EQUAL {
            equal.push(resolved);
        }
        known.insert((origin, place), resolved);
        Some(resolved)
    }
}

/// Adds the surface of a material.
pub(super) fn add(
    builder: &mut SceneBuilder<'_, '_>,
    place: usize,
    shader_material: &ShaderMaterial,
) -> Resolved {
    let mut material = Maker {
        builder,
        place,
        shader_material,
        shader: Shader::new(&shader_material.shader),
        facts: everquest::Material::default(),
        frames: Default::default(),
    };
    let (made, lacks_picture) = material.make();
    let (sleep, frames) = std::mem::take(&mut material.frames);
    let wants_second =
        shader_material.picture(SECOND).is_some() || shader_material.shader.contains("2UV");
    let material = builder.scene.add_material(made);
    let cycles = frames.len() > 1;
    if cycles {
        builder.cycle(material, &frames, sleep);
    }
    Resolved {
        material,
        lacks_picture,
        wants_second,
        cycles,
    }
}

struct Maker<'b, 's, 'a> {
    builder: &'b mut SceneBuilder<'s, 'a>,
    place: usize,
    shader_material: &'b ShaderMaterial,
    shader: Shader,
    facts: everquest::Material,
    /// Milliseconds of each of the pictures that are shown in turn, and their names and keys.
    frames: (u32, Vec<Option<(String, String)>>),
}

/// Roughness of a surface with a specular exponent.
fn roughness(exponent: f32) -> f32 {
    let exponent = f64::from(exponent.max(0.0));
    libm::sqrt(2.0 / (exponent + 2.0)) as f32
}

/// A stored color as linear light and alpha.
fn linear([red, green, blue, alpha]: [u8; 4]) -> [f32; 4] {
    let [red, green, blue] = [red, green, blue].map(|part| linear_from_srgb(f32::from(part)));
    [red, green, blue, f32::from(alpha) / 255.0]
}

impl<'a> Maker<'_, '_, 'a> {
    /// The picture of a file name. A missing picture is reported, and so is one from another archive.
    fn find(&mut self, file: &str) -> Option<FoundTexture<'a>> {
        let set = self.builder.view().archive_set;
        let Some(found) = set.find(file, self.place) else {
            // A cube becomes a picture for each face, and none of them is the whole.
            if set.has_cube_map(file, self.place) {
                return None;
            }
            let missing = &mut self.builder.checks.missing_textures;
            let name = missing.entry(file.to_lowercase());
            name.or_insert_with(|| self.shader_material.name.clone());
            return None;
        };
        if !found.own {
            let path = found.source.to_owned();
            let borrowed = &mut self.builder.checks.borrowed_textures;
            borrowed.insert(found.name.clone(), path);
        }
        Some(found)
    }

    fn texture_ref(&mut self, name: &str, key: &str) -> TextureRef {
        TextureRef::new(self.builder.texture(name, key))
    }

    fn make(&mut self) -> (Material, bool) {
        let shader_material = self.shader_material;
        let blend = self.shader.blend;
        let options = self.builder.view().options;
        let mut material = Material {
            name: shader_material.name.clone(),
            alpha: match blend {
                Blend::Masked => AlphaMode::Mask { cutoff: CUTOFF },
                Blend::Additive | Blend::Alpha | Blend::Waterfall | Blend::Water => {
                    AlphaMode::Blend
                }
                Blend::Terrain | Blend::Lava | Blend::Lava2 | Blend::Opaque => AlphaMode::Opaque,
            },
            unlit: options.scenes.shading == Shading::Unlit,
            roughness: shader_material.number(SHININESS).map_or(1.0, roughness),
            ..Material::default()
        };
        self.facts.shader = Some(shader_material.shader.as_str().to_owned());
        let label = serde_json::to_value(blend).ok();
        self.facts.blend = label.and_then(|label| Some(label.as_str()?.to_owned()));
        self.facts.eq_blend = (blend == Blend::Additive).then(|| "additive".to_owned());
        let normal = shader_material
            .picture(NORMAL)
            .and_then(|file| self.find(file));
        if let Some(normal) = &normal {
            let key = normal.normal_key();
            material.normal_texture = Some(self.texture_ref(&normal.name, &key));
            if self.shader.shines {
                material.specular_texture = Some(self.texture_ref(&normal.name, normal.key));
            }
        }
        let water = match shader_material.property(WATER_COLOR) {
            Some(&PropertyValue::Color(color)) if blend == Blend::Water => Some(color),
            _ => None,
        };
        let mut lacks_picture = false;
        let diffuse = shader_material.picture(DIFFUSE);
        let found = diffuse.and_then(|file| self.find(file));
        match (water, &found, diffuse) {
            (Some(color), ..) => material.base_color = linear(color),
            (None, Some(found), _) => {
                let key = match blend {
                    Blend::Additive => found.additive_key(),
                    _ => found.key.to_owned(),
                };
                material.base_texture = Some(self.texture_ref(&found.name, &key));
            }
            (None, None, Some(file)) => {
                let gray = linear_from_srgb(MISSING_GRAY);
                material.base_color = [gray, gray, gray, 1.0];
                lacks_picture = true;
                self.facts.missing_texture = Some(file.to_owned());
            }
            (None, None, None) => {}
        }
        if let (None, Some(found)) = (water, &found) {
            self.animate(&found.name);
        }
        self.glow(&mut material, found.as_ref(), normal.as_ref());
        self.properties();
        material.extras = self.facts.extras();
        (material, lacks_picture)
    }

    /// Pictures that are shown in turn, if a text next to the picture lists any.
    fn animate(&mut self, name: &str) {
        let view = self.builder.view();
        let set = view.archive_set;
        let bytes = set.bytes(&format!("{}.txt", stem_of(name)), self.place);
        let text = bytes.and_then(|bytes| text::decode(&bytes).ok());
        let Some((sleep, names)) = text.and_then(|text| text.value.frames()) else {
            return;
        };
        let additive = self.shader.blend == Blend::Additive;
        let found: Vec<Option<(String, String)>> = names
            .iter()
            .map(|file| {
                let found = self.find(file)?;
                let key = match additive {
                    true => found.additive_key(),
                    false => found.key.to_owned(),
                };
                Some((found.name, key))
            })
            .collect();
        let frames = names.iter().zip(&found).map(|(file, found)| {
            let image = found.as_ref().map(|(_, key)| view.file_of(key));
            everquest::Frame {
                file: file.clone(),
                image: image.map(Into::into),
            }
        });
        let animation = everquest::TextureFrames {
            frames: Some(frames.collect()),
            sleep_ms: Some(sleep),
        };
        self.facts.texture_animation = Some(animation);
        self.frames = (sleep, found);
    }

    /// Light that a surface emits: lava with all of its picture, others by a mask.
    fn glow(
        &mut self,
        material: &mut Material,
        diffuse: Option<&FoundTexture<'a>>,
        normal: Option<&FoundTexture<'a>>,
    ) {
        if matches!(self.shader.blend, Blend::Lava | Blend::Lava2) {
            material.emissive = [1.0; 3];
            material.emissive_texture = material.base_texture;
            return;
        }
        let own = self
            .shader_material
            .picture(GLOW)
            .and_then(|file| self.find(file));
        if let Some(own) = own {
            material.emissive = [1.0; 3];
            material.emissive_texture = Some(self.texture_ref(&own.name, own.key));
        } else if let (true, Some(diffuse), Some(normal)) = (self.shader.glows, diffuse, normal) {
            let key = glowing_key(diffuse.key, normal.key);
            material.emissive = [1.0; 3];
            material.emissive_texture = Some(self.texture_ref(&diffuse.name, &key));
        }
    }

    /// All stored properties, with the pictures found.
    fn properties(&mut self) {
        let mut properties = Map::new();
        for (name, value) in &self.shader_material.properties {
            let is_picture = name.to_lowercase().starts_with(PICTURE);
            let value = match value {
                PropertyValue::Float(value) => number(value.get()),
                PropertyValue::Integer(value) => Value::from(*value),
                PropertyValue::Color(color) => json!(color),
                PropertyValue::Unknown(bits) => Value::from(*bits),
                PropertyValue::Text(file) if is_picture && !file.trim().is_empty() => {
                    let found = self.find(file);
                    json!(everquest::Frame {
                        file: file.clone(),
                        image: found.map(|found| found.key.to_owned()),
                    })
                }
                PropertyValue::Text(text) => Value::from(text.as_str()),
            };
            properties.entry(name.as_str()).or_insert(value);
        }
        self.facts.properties = (!properties.is_empty()).then_some(properties);
        if self.shader_material.picture(SECOND).is_some() {
            self.facts.second = Some(everquest::SecondPicture {
                uv_set: Some(1),
                operation: Some("2 × diffuse × second".to_owned()),
            });
        }
    }
}

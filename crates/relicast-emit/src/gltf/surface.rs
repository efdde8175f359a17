//! Materials, textures, samplers and pictures.

use std::collections::HashMap;

use gltf_json as json;
use json::Index;
use json::image::MimeType;
use json::material::{
    AlphaCutoff, AlphaMode as Mode, EmissiveFactor, PbrBaseColorFactor, PbrMetallicRoughness,
    StrengthFactor,
};
use json::texture::{MagFilter, MinFilter, WrappingMode};
use json::validation::Checked;
use serde_json::{Map, Value, json};

use super::binary::Binary;
use super::check::Used;
use super::error::{GltfError, Part};
use super::options::{Container, GltfOptions};
use super::uri::encode_path;
use super::values::{index, raw_extras};
use super::webp;
use relicast_scene::model::{
    AlphaMode, Filter, Material, Sampler, Scene, SceneNames, TextureRef, UvTransform, Wrap, number,
};

/// Signature of PNG.
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Writes the materials in use.
pub(super) fn materials(
    scene: &Scene,
    names: &SceneNames,
    used: &Used,
) -> Result<Vec<json::Material>, GltfError> {
    let ids = used.materials.list().iter().map(|&id| id as usize);
    ids.map(|id| {
        let name = names.materials[id].clone();
        material(&scene.materials[id], name, used, Part("material", id))
    })
    .collect()
}

fn material(
    material: &Material,
    name: String,
    used: &Used,
    part: Part,
) -> Result<json::Material, GltfError> {
    let unit = |field, values: &[f32]| {
        if values.iter().all(|value| (0.0..=1.0).contains(value)) {
            Ok(())
        } else {
            Err(GltfError::OutOfRange {
                part,
                field,
                rule: "0 to 1",
            })
        }
    };
    unit("base color", &material.base_color)?;
    unit("metallic", &[material.metallic])?;
    unit("roughness", &[material.roughness])?;
    unit("emissive", &material.emissive)?;
    let (alpha_mode, alpha_cutoff) = match material.alpha {
        AlphaMode::Opaque => (Mode::Opaque, None),
        AlphaMode::Mask { cutoff } => {
            unit("alpha cutoff", &[cutoff])?;
            (Mode::Mask, Some(AlphaCutoff(cutoff + 0.0)))
        }
        AlphaMode::Blend => (Mode::Blend, None),
    };
    let texture_info = |texture: &Option<TextureRef>| {
        texture
            .as_ref()
            .map(|texture| info(texture, used, part))
            .transpose()
    };
    let normal_texture =
        texture_info(&material.normal_texture)?.map(|info| json::material::NormalTexture {
            index: info.index,
            scale: 1.0,
            tex_coord: info.tex_coord,
            extensions: None,
            extras: None,
        });
    let mut others = Map::new();
    if let Some(info) = texture_info(&material.specular_texture)? {
        let specular = json!({ "specularTexture": info });
        others.insert("KHR_materials_specular".to_owned(), specular);
    }
    let extended = material.unlit || !others.is_empty();
    let extensions = extended.then(|| json::extensions::material::Material {
        unlit: material
            .unlit
            .then_some(json::extensions::material::Unlit {}),
        others,
    });
    Ok(json::Material {
        alpha_cutoff,
        alpha_mode: Checked::Valid(alpha_mode),
        double_sided: material.double_sided,
        name: Some(name),
        pbr_metallic_roughness: PbrMetallicRoughness {
            base_color_factor: PbrBaseColorFactor(material.base_color.map(|value| value + 0.0)),
            base_color_texture: texture_info(&material.base_texture)?,
            metallic_factor: StrengthFactor(material.metallic + 0.0),
            roughness_factor: StrengthFactor(material.roughness + 0.0),
            ..PbrMetallicRoughness::default()
        },
        emissive_texture: texture_info(&material.emissive_texture)?,
        emissive_factor: EmissiveFactor(material.emissive.map(|value| value + 0.0)),
        normal_texture,
        extensions,
        extras: raw_extras(&material.extras)?,
        ..json::Material::default()
    })
}

fn info(texture: &TextureRef, used: &Used, part: Part) -> Result<json::texture::Info, GltfError> {
    let place = used.textures.place(texture.texture.0);
    let target = Part("texture", texture.texture.index());
    let extensions = texture
        .transform
        .map(|transform| uv_transform(transform, part))
        .transpose()?;
    Ok(json::texture::Info {
        index: Index::new(place.ok_or(GltfError::Missing {
            holder: part,
            target,
        })?),
        tex_coord: texture.uv_set,
        extensions: extensions.map(|others| json::extensions::texture::Info {
            others,
            ..Default::default()
        }),
        extras: None,
    })
}

/// The extension `KHR_texture_transform`, without default values.
fn uv_transform(transform: UvTransform, part: Part) -> Result<Map<String, Value>, GltfError> {
    let UvTransform {
        offset,
        rotation,
        scale,
    } = transform;
    let numbers = [offset[0], offset[1], rotation, scale[0], scale[1]];
    if !numbers.iter().all(|value| value.is_finite()) {
        return Err(GltfError::NotFinite {
            part,
            field: "texture transform",
        });
    }
    let default = UvTransform::default();
    let mut fields = Map::new();
    if offset != default.offset {
        fields.insert("offset".to_owned(), offset.map(number).to_vec().into());
    }
    if rotation != default.rotation {
        fields.insert("rotation".to_owned(), number(rotation));
    }
    if scale != default.scale {
        fields.insert("scale".to_owned(), scale.map(number).to_vec().into());
    }
    let extension = json!({ "KHR_texture_transform": fields });
    Ok(match extension {
        Value::Object(extension) => extension,
        _ => Map::new(),
    })
}

/// The textures in use, with each sampler and each picture once.
pub(super) struct Pictures<'a> {
    pub(super) textures: Vec<json::Texture>,
    pub(super) samplers: Vec<json::texture::Sampler>,
    /// Keys and names.
    pub(super) images: Vec<(&'a str, &'a str)>,
}

impl<'a> Pictures<'a> {
    pub(super) fn new(
        scene: &'a Scene,
        names: &'a SceneNames,
        used: &Used,
    ) -> Result<Self, GltfError> {
        let mut pictures = Self {
            textures: Vec::new(),
            samplers: Vec::new(),
            images: Vec::new(),
        };
        let mut samplers: HashMap<Sampler, usize> = HashMap::new();
        let mut images: HashMap<&str, usize> = HashMap::new();
        for id in used.textures.list().iter().map(|&id| id as usize) {
            let texture = &scene.textures[id];
            let all = &mut pictures.samplers;
            let sampler = *samplers.entry(texture.sampler).or_insert_with(|| {
                all.push(self::sampler(texture.sampler));
                all.len() - 1
            });
            let all = &mut pictures.images;
            let image = *images.entry(&texture.key).or_insert_with(|| {
                all.push((&texture.key, &names.textures[id]));
                all.len() - 1
            });
            pictures.textures.push(json::Texture {
                name: None,
                sampler: Some(index(sampler)),
                source: index(image),
                extensions: None,
                extras: raw_extras(&texture.extras)?,
            });
        }
        Ok(pictures)
    }
}

fn sampler(sampler: Sampler) -> json::texture::Sampler {
    let wrap = |wrap| {
        Checked::Valid(match wrap {
            Wrap::Repeat => WrappingMode::Repeat,
            Wrap::Mirror => WrappingMode::MirroredRepeat,
            Wrap::Clamp => WrappingMode::ClampToEdge,
        })
    };
    let (mag, min) = match sampler.filter {
        Filter::Trilinear => (MagFilter::Linear, MinFilter::LinearMipmapLinear),
        Filter::Bilinear => (MagFilter::Linear, MinFilter::Linear),
        Filter::Nearest => (MagFilter::Nearest, MinFilter::Nearest),
    };
    json::texture::Sampler {
        mag_filter: Some(Checked::Valid(mag)),
        min_filter: Some(Checked::Valid(min)),
        wrap_s: wrap(sampler.wrap_u),
        wrap_t: wrap(sampler.wrap_v),
        ..json::texture::Sampler::default()
    }
}

const PNG: &str = "image/png";
const WEBP: &str = "image/webp";

/// True if an image is WebP.
pub(super) fn is_webp(image: &json::Image) -> bool {
    image.mime_type.as_ref().is_some_and(|kind| kind.0 == WEBP)
}

/// Writes a picture: as a reference, or embedded if it has no file or the container is `.glb`.
pub(super) fn image(
    key: &str,
    name: &str,
    options: &GltfOptions<'_>,
    binary: &mut Binary,
) -> Result<json::Image, GltfError> {
    let missing = || GltfError::Picture(key.to_owned());
    let beside = match options.container {
        Container::Gltf => options.images.path(key),
        Container::Glb => None,
    };
    let mut kind = PNG;
    let (buffer_view, uri) = match beside {
        Some(path) => (None, Some(encode_path(&path))),
        None => {
            let bytes = options.images.bytes(key).ok_or_else(missing)?;
            if !bytes.starts_with(PNG_SIGNATURE) {
                return Err(missing());
            }
            let webp = options.webp.then(|| webp::smaller(&bytes)).flatten();
            if webp.is_some() {
                kind = WEBP;
            }
            (Some(binary.image(webp.as_deref().unwrap_or(&bytes))), None)
        }
    };
    Ok(json::Image {
        buffer_view,
        mime_type: Some(MimeType(kind.to_owned())),
        name: Some(name.to_owned()),
        uri,
        extensions: None,
        extras: None,
    })
}

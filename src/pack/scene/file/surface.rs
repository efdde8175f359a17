//! Materials of a glTF file in the form that pack compares: the values that game files store, and everything else.

use relicast_emit::gltf::decode_uri;
use serde_json::{Map, Value, json};

use crate::pack::json::{index, items};

/// A material.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::pack::scene) struct Surface {
    pub name: String,
    /// Linear red, green and blue.
    pub color: [f32; 3],
    /// 0 to 1.
    pub opacity: f32,
    pub picture: Option<Picture>,
    pub is_double_sided: bool,
    pub is_unlit: bool,
    pub alpha: Alpha,
    /// Contents of `extras.zipper`; `None` where the file has no extras.
    pub facts: Option<Map<String, Value>>,
    /// Mapping of the picture on the surface: sampler, extras, transform.
    pub laid: Value,
    /// Everything else.
    pub others: Value,
}

/// A picture, as named by its file.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::pack::scene) struct Picture {
    /// Path relative to the scene, without percent encoding; `None` for one inside of a file.
    pub path: Option<String>,
    pub name: String,
}

/// Alpha mode.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::pack::scene) struct Alpha {
    pub mode: String,
    pub cutoff: Option<f32>,
}

/// The materials of a file.
pub(in crate::pack::scene) fn of(root: &Value) -> Vec<Surface> {
    let materials = items(root, "materials").iter();
    materials.map(|material| surface(root, material)).collect()
}

/// Numbers of the textures, images and samplers that the materials of a file name.
pub(in crate::pack::scene) fn named(root: &Value) -> [Vec<usize>; 3] {
    let textures: Vec<usize> = items(root, "materials")
        .iter()
        .filter_map(|material| index(base_texture(material)?.get("index")?))
        .collect();
    let of = |key: &str| {
        let numbers = textures.iter();
        numbers
            .filter_map(|&texture| index(entry(root, "textures", texture)?.get(key)?))
            .collect()
    };
    [textures.clone(), of("source"), of("sampler")]
}

fn entry<'v>(root: &'v Value, list: &str, index: usize) -> Option<&'v Value> {
    root.get(list)?.get(index)
}

fn base_texture(material: &Value) -> Option<&Value> {
    material
        .get("pbrMetallicRoughness")?
        .get("baseColorTexture")
}

fn surface(root: &Value, material: &Value) -> Surface {
    let text = |value: &Value, key: &str| {
        let text = value.get(key).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let pbr = material.get("pbrMetallicRoughness");
    let factor = pbr.and_then(|pbr| pbr.get("baseColorFactor"));
    let part = |at: usize| {
        let part = factor.and_then(|factor| factor.get(at)?.as_f64());
        part.map_or(1.0, |part| part as f32)
    };
    let mode = match text(material, "alphaMode") {
        mode if mode.is_empty() => "OPAQUE".to_owned(),
        mode => mode,
    };
    let cutoff = material.get("alphaCutoff").and_then(Value::as_f64);
    let is_masked = mode == "MASK";
    let (picture, laid) = picture(root, material);
    let extensions = material.get("extensions");
    let extras = material.get("extras");
    Surface {
        name: text(material, "name"),
        color: [part(0), part(1), part(2)],
        opacity: part(3),
        picture,
        is_double_sided: material
            .get("doubleSided")
            .is_some_and(|it| it.as_bool() == Some(true)),
        is_unlit: extensions.is_some_and(|all| all.get("KHR_materials_unlit").is_some()),
        alpha: Alpha {
            mode,
            cutoff: is_masked.then(|| cutoff.map_or(0.5, |cutoff| cutoff as f32)),
        },
        facts: extras.map(|extras| {
            let facts = extras.get("zipper").and_then(Value::as_object);
            facts.cloned().unwrap_or_default()
        }),
        laid,
        others: others(material),
    }
}

/// The image that is the picture of a material.
pub(in crate::pack::scene) fn image_of(root: &Value, material: usize) -> Option<&Value> {
    let info = base_texture(entry(root, "materials", material)?)?;
    let texture = entry(root, "textures", index(info.get("index")?)?)?;
    entry(root, "images", index(texture.get("source")?)?)
}

/// The picture of a material, and its mapping.
fn picture(root: &Value, material: &Value) -> (Option<Picture>, Value) {
    let Some(info) = base_texture(material) else {
        return (None, Value::Null);
    };
    let texture = info
        .get("index")
        .and_then(index)
        .and_then(|at| entry(root, "textures", at));
    let image = texture
        .and_then(|texture| index(texture.get("source")?))
        .and_then(|at| entry(root, "images", at));
    let sampler = texture
        .and_then(|texture| index(texture.get("sampler")?))
        .and_then(|at| entry(root, "samplers", at));
    let text = |key: &str| image.and_then(|image| image.get(key)?.as_str());
    let mut laid = info.clone();
    if let Some(laid) = laid.as_object_mut() {
        laid.remove("index");
    }
    let facts = texture.and_then(|texture| texture.get("extras"));
    let uri = text("uri").filter(|uri| !uri.starts_with("data:"));
    let path = uri.map(|uri| decode_uri(uri).unwrap_or_else(|| uri.to_owned()));
    // Without a name, that of its file.
    let file = path.as_deref().and_then(|path| path.rsplit('/').next());
    let file = file.map(|file| file.rsplit_once('.').map_or(file, |(stem, _)| stem));
    let name = text("name").or(file).unwrap_or_default().to_owned();
    let picture = Picture { path, name };
    (Some(picture), json!([laid, sampler, facts]))
}

/// A material without the values that are compared separately.
fn others(material: &Value) -> Value {
    let mut others = material.clone();
    let remove = |value: Option<&mut Value>, keys: &[&str]| {
        if let Some(map) = value.and_then(Value::as_object_mut) {
            for key in keys {
                map.remove(*key);
            }
        }
    };
    remove(
        Some(&mut others),
        &["name", "alphaMode", "alphaCutoff", "doubleSided"],
    );
    remove(
        others.get_mut("pbrMetallicRoughness"),
        &["baseColorFactor", "baseColorTexture"],
    );
    remove(others.get_mut("extensions"), &["KHR_materials_unlit"]);
    remove(others.get_mut("extras"), &["zipper"]);
    // Empty objects and lists are equal to none.
    if let Some(map) = others.as_object_mut() {
        map.retain(|_, value| value.as_object().is_none_or(|inner| !inner.is_empty()));
    }
    others
}

//! Materials: those of the original, with the edited values.

use std::collections::BTreeMap;

use base64::Engine as _;
use relicast_emit::gltf::decode_uri;
use relicast_scene::space::linear_from_srgb;
use serde_json::{Map, Value, json};

use super::builder::Builder;
use super::names::{SHORT, short};
use super::noise::{Change, Noise};
use super::pair::Pair;
use crate::pack::edited::Refusal;
use crate::pack::json::{index, items};
use crate::pack::scene::compare::leaves::is_near;
use crate::pack::scene::compare::matching::plain_name;
use crate::pack::scene::file::Document;

/// Puts the edited values into the materials of the original. Returns for each edited material its index in the restored
/// file; `None` for one that the program gave to surfaces without one.
///
/// # Errors
/// A copy of a material was edited, and the other one was not in the same way.
pub(super) fn restore(
    pair: Pair<'_>,
    builder: &mut Builder,
    noise: &mut Noise,
) -> Result<Vec<Option<usize>>, Refusal> {
    let old = items(&pair.base.json, "materials");
    let mut places = Vec::new();
    let mut edits: BTreeMap<usize, Vec<Map<String, Value>>> = BTreeMap::new();
    let edited_names: Vec<&str> = items(&pair.edited.json, "materials")
        .iter()
        .map(name)
        .collect();
    // Materials that may have been renamed: the game files have no names of materials that an edit could change.
    let is_kept = |known: &Value| {
        edited_names
            .iter()
            .any(|it| is_called(pair, it, name(known)))
    };
    let mut lost: Vec<usize> = (0..old.len()).filter(|&at| !is_kept(&old[at])).collect();
    for material in items(&pair.edited.json, "materials") {
        let mut wanted = normal(&pair.edited.json, material);
        if pair.exporter.encodes_emission {
            decode(&mut wanted["emissiveFactor"]);
        }
        if pair.exporter.repeats_textures {
            forget_wrapping(&mut wanted);
        }
        let name = name(material);
        let exact = old.iter().position(|known| self::name(known) == name);
        let named = || {
            old.iter()
                .position(|known| is_called(pair, name, self::name(known)))
        };
        let found = exact.or_else(named).or_else(|| {
            let is_it = |&at: &usize| {
                let known = normal(&pair.base.json, &old[at]);
                changed(pair, &known, &wanted, &mut Noise::default()).is_empty()
            };
            let at = lost.remove(lost.iter().position(is_it)?);
            let known = self::name(&old[at]);
            noise.put_unstored(format!("the new name of material {known}"));
            Some(at)
        });
        let Some(found) = found else {
            let is_made = name.is_empty() && pair.exporter.adds_materials;
            let new = (!is_made).then(|| imported(pair, material, builder));
            places.push(new.map(|new| builder.push("materials", new)));
            continue;
        };
        if edits.contains_key(&found) {
            noise.add(Change::Material, 1);
        }
        places.push(Some(found));
        let was = normal(&pair.base.json, &old[found]);
        let changed = changed(pair, &was, &wanted, noise);
        edits.entry(found).or_default().push(changed);
    }
    for (place, edits) in edits {
        let mut edits = edits.into_iter();
        let Some(first) = edits.next() else { continue };
        if edits.any(|other| other != first) {
            refuse!(
                "material {}: it and a copy of it, such as {0}.001, differ now; edit both in the same way, or give the copy a name of its own",
                name(&old[place])
            );
        }
        apply(pair, place, first, builder);
    }
    Ok(places)
}

fn name(material: &Value) -> &str {
    material["name"].as_str().unwrap_or_default()
}

/// True if a name is another one with a number, or shortened.
fn is_called(pair: Pair<'_>, name: &str, known: &str) -> bool {
    plain_name(name) == known
        || (name.len() > SHORT && short(name) == short(known))
        || (pair.exporter.numbers_names && pair.exporter.may_name(name, known))
}

/// Keys of extras that game files store.
const GAMES: [&str; 2] = ["zipper", "everquest"];

/// Extension of surfaces that show their color without light.
const UNLIT: &str = "KHR_materials_unlit";

/// Textures of a material.
const TEXTURES: [&str; 5] = [
    "baseColorTexture",
    "metallicRoughnessTexture",
    "normalTexture",
    "occlusionTexture",
    "emissiveTexture",
];

/// The values of a material with all defaults, in one map; textures with their pictures in place of indices.
fn normal(root: &Value, material: &Value) -> Map<String, Value> {
    let mut all = Map::new();
    for (key, value) in material.as_object().into_iter().flatten() {
        match &**key {
            "name" => {}
            "pbrMetallicRoughness" => {
                for (key, value) in value.as_object().into_iter().flatten() {
                    all.insert(key.clone(), value.clone());
                }
            }
            "extensions" => {
                for (key, value) in value.as_object().into_iter().flatten() {
                    all.insert(key.clone(), value.clone());
                }
            }
            _ => {
                all.insert(key.clone(), value.clone());
            }
        }
    }
    for (key, default) in [
        ("alphaMode", json!("OPAQUE")),
        ("doubleSided", json!(false)),
        ("emissiveFactor", json!([0.0, 0.0, 0.0])),
        ("baseColorFactor", json!([1.0, 1.0, 1.0, 1.0])),
        ("metallicFactor", json!(1.0)),
        ("roughnessFactor", json!(1.0)),
    ] {
        all.entry(key).or_insert(default);
    }
    match all["alphaMode"] == "MASK" {
        true => {
            all.entry("alphaCutoff").or_insert(json!(0.5));
        }
        false => {
            all.remove("alphaCutoff");
        }
    }
    for value in all.values_mut() {
        with_pictures(root, value);
    }
    for key in TEXTURES {
        if let Some(info) = all.get_mut(key) {
            *info = texture(root, info);
        }
    }
    all
}

/// Replaces the textures of an extension by their pictures.
fn with_pictures(root: &Value, extension: &mut Value) {
    for (key, value) in extension.as_object_mut().into_iter().flatten() {
        if key.ends_with("Texture") && !value["index"].is_null() {
            *value = texture(root, value);
        }
    }
}

/// A texture with its picture in place of its index, and with all defaults.
fn texture(root: &Value, info: &Value) -> Value {
    let texture = index(&info["index"]).map_or(&Value::Null, |at| &root["textures"][at]);
    let [image, sampler] = [("source", "images"), ("sampler", "samplers")]
        .map(|(key, list)| index(&texture[key]).map_or(&Value::Null, |at| &root[list][at]));
    let mut info = info.clone();
    if let Some(info) = info.as_object_mut() {
        info.remove("index");
        info.entry("texCoord").or_insert(json!(0));
        // Defaults of normal maps and of occlusion.
        info.retain(|key, value| !["scale", "strength"].contains(&&**key) || *value != json!(1.0));
    }
    let wrap = |key: &str| sampler[key].as_u64().unwrap_or(10_497);
    let is_nearest = sampler["magFilter"] == 9728;
    let of_image = match image["uri"]
        .as_str()
        .filter(|uri| !uri.starts_with("data:"))
    {
        Some(uri) => decode_uri(uri).unwrap_or_else(|| uri.to_owned()),
        None => String::new(),
    };
    json!({
        "info": info,
        "picture": of_image,
        "name": image["name"],
        "image": texture["source"],
        "wrap": [wrap("wrapS"), wrap("wrapT")],
        "nearest": is_nearest,
    })
}

/// The path of the picture of a texture; `None` for one inside of the file.
fn picture_path(texture: &Value) -> Option<&str> {
    texture["picture"].as_str().filter(|path| !path.is_empty())
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Endings of pictures beside glTF files. Others are part of the name, as in `wall.bmp.png`.
const PICTURES: [&str; 3] = ["png", "jpg", "jpeg"];

/// The name of a picture without the ending of its file.
pub(super) fn stem(name: &str) -> &str {
    let ending = name.rsplit_once('.');
    let known = ending.filter(|(_, ending)| PICTURES.contains(&&*ending.to_ascii_lowercase()));
    known.map_or(name, |(stem, _)| stem)
}

/// True if two textures show the same picture in the same way.
fn is_one_texture(one: &Value, other: &Value, slack: f64) -> bool {
    let is_one_picture = match (picture_path(one), picture_path(other)) {
        (Some(one), Some(other)) => file_name(one).eq_ignore_ascii_case(file_name(other)),
        // Programs name a picture inside of a file after the file that it was.
        (path, other_path) => {
            let names = |texture: &Value, path: Option<&str>| {
                let name = texture["name"].as_str().unwrap_or_default();
                let file = path.map_or("", file_name);
                [name, file].map(|name| stem(plain_name(name)).to_ascii_lowercase())
            };
            let (one, other) = (names(one, path), names(other, other_path));
            one.iter()
                .any(|name| !name.is_empty() && other.contains(name))
                || [one, other].iter().flatten().all(String::is_empty)
        }
    };
    is_one_picture
        && ["info", "wrap", "nearest"]
            .iter()
            .all(|key| other[key].is_null() || is_near(&one[key], &other[key], slack))
}

/// Leaves open whether textures repeat, so that they do as in the original.
fn forget_wrapping(values: &mut Map<String, Value>) {
    for value in values.values_mut().filter_map(Value::as_object_mut) {
        match value.contains_key("picture") {
            true => drop(value.insert("wrap".to_owned(), Value::Null)),
            false => forget_wrapping(value),
        }
    }
}

/// Decodes a color that was encoded twice as sRGB.
fn decode(color: &mut Value) {
    for part in color.as_array_mut().into_iter().flatten() {
        if let Some(value) = part.as_f64() {
            let once = linear_from_srgb(value as f32 * 255.0);
            *part = json!(linear_from_srgb(once * 255.0));
        }
    }
}

/// The values that differ, by key; null for those that are missing.
fn changed(
    pair: Pair<'_>,
    was: &Map<String, Value>,
    wanted: &Map<String, Value>,
    noise: &mut Noise,
) -> Map<String, Value> {
    let slack = pair.exporter.value;
    let is_unlit = |values: &Map<String, Value>| values.contains_key(UNLIT);
    let mut changed = Map::new();
    let keys = was
        .keys()
        .chain(wanted.keys().filter(|key| !was.contains_key(*key)));
    for key in keys {
        let [old, new] = [was, wanted].map(|values| values.get(key).unwrap_or(&Value::Null));
        let is_same = match &**key {
            "normalTexture" | "emissiveTexture"
                if pair.exporter.remakes_surfaces && !old.is_null() && !new.is_null() =>
            {
                noise.add(Change::Picture, 1);
                true
            }
            key if pair.exporter.remakes_surfaces && key.contains('_') && key != UNLIT => {
                new.is_null()
            }
            key if TEXTURES.contains(&key) && !old.is_null() && !new.is_null() => {
                is_one_texture(old, new, slack)
            }
            // Blender loses pictures inside of a file when it keeps the others where they are.
            key if TEXTURES.contains(&key)
                && new.is_null()
                && old["picture"] == ""
                && pair.exporter.drops_extras =>
            {
                noise.add(Change::Picture, 1);
                true
            }
            // Unlit surfaces have neither.
            "metallicFactor" | "roughnessFactor" if is_unlit(was) && is_unlit(wanted) => true,
            "extras" => {
                let merged = merged_extras(pair, old, new, noise, "a material");
                if new.is_null() && !old.is_null() && pair.exporter.drops_extras {
                    noise.add(Change::Extras, 1);
                }
                if merged != *old {
                    changed.insert(key.clone(), merged);
                }
                true
            }
            // Without a picture a surface of full opacity shows nothing of it.
            "alphaMode" | "alphaCutoff" if is_plain(was) && is_plain(wanted) => true,
            _ => is_one_value(old, new, slack),
        };
        if !is_same {
            changed.insert(key.clone(), new.clone());
        }
    }
    changed
}

/// True if a material has full opacity everywhere.
fn is_plain(values: &Map<String, Value>) -> bool {
    values.get("baseColorTexture").is_none() && values["baseColorFactor"][3] == 1.0
}

/// True if values of an extension are equal, and its textures show the same pictures.
fn is_one_value(old: &Value, new: &Value, slack: f64) -> bool {
    match (old, new) {
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| match other.get(key) {
                    Some(other) if !value["picture"].is_null() => {
                        is_one_texture(value, other, slack)
                    }
                    Some(other) => is_near(value, other, slack),
                    None => false,
                })
        }
        _ => is_near(old, new, slack),
    }
}

/// The extras of the edit with the numbers of the original where they are equal, and without facts of the program.
pub(super) fn merged_extras(
    pair: Pair<'_>,
    old: &Value,
    new: &Value,
    noise: &mut Noise,
    of: &str,
) -> Value {
    if new.is_null() && pair.exporter.drops_extras {
        return old.clone();
    }
    let mut new = new.clone();
    if let Some(map) = new.as_object_mut() {
        map.retain(|key, _| {
            let is_stored = old.get(key).is_some() || GAMES.contains(&&**key);
            if !is_stored && !key.starts_with("gltf2_") {
                noise.put_unstored(format!("custom property {key} of {of}"));
            }
            is_stored
        });
        if map.is_empty() && old.is_null() {
            return Value::Null;
        }
    }
    merged(old, &new)
}

/// A value of the edit with the parts of the original that are equal.
pub(super) fn merged(old: &Value, new: &Value) -> Value {
    let is_nothing = |value: &Value| match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    };
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let null = Value::Null;
            let mut all = Map::new();
            for (key, value) in old {
                match new.get(key) {
                    Some(other) => {
                        all.insert(key.clone(), merged(value, other));
                    }
                    // Programs store no empty lists.
                    None if is_nothing(value) => {
                        all.insert(key.clone(), value.clone());
                    }
                    None => {}
                }
            }
            for (key, value) in new {
                if !old.contains_key(key) {
                    all.insert(key.clone(), merged(&null, value));
                }
            }
            all.into()
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let pairs = one.iter().zip(other);
            pairs.map(|(one, other)| merged(one, other)).collect()
        }
        (Value::Number(one), Value::Number(other)) if !one.is_f64() && !other.is_f64() => {
            new.clone()
        }
        // Blender writes lists of mixed kinds, and what has them, as a text.
        (Value::Object(_) | Value::Array(_), Value::String(_)) => old.clone(),
        _ if is_near(old, new, 1e-6) || (is_nothing(old) && is_nothing(new)) => old.clone(),
        _ => new.clone(),
    }
}

/// Puts changed values into a material of the original.
fn apply(pair: Pair<'_>, place: usize, changed: Map<String, Value>, builder: &mut Builder) {
    for (key, value) in changed {
        let value = match TEXTURES.contains(&&*key) && !value.is_null() {
            true => own_texture(pair, &value, builder),
            false => {
                let mut value = value;
                for (key, inner) in value.as_object_mut().into_iter().flatten() {
                    if key.ends_with("Texture") && !inner["picture"].is_null() {
                        *inner = own_texture(pair, inner, builder);
                    }
                }
                value
            }
        };
        let Some(material) = builder.entry("materials", place) else {
            return;
        };
        let group = match &*key {
            "baseColorFactor"
            | "baseColorTexture"
            | "metallicFactor"
            | "roughnessFactor"
            | "metallicRoughnessTexture" => Some("pbrMetallicRoughness"),
            key if key.contains('_') => Some("extensions"),
            _ => None,
        };
        let map = match group {
            Some(group) => {
                let inner = material.entry(group).or_insert_with(|| json!({}));
                let Some(inner) = inner.as_object_mut() else {
                    return;
                };
                inner
            }
            None => material,
        };
        match value {
            Value::Null => {
                map.shift_remove(&key);
            }
            value => {
                map.insert(key, value);
            }
        }
    }
}

/// Reference to a texture of the restored file that shows a picture.
fn own_texture(pair: Pair<'_>, wanted: &Value, builder: &mut Builder) -> Value {
    let mut info = wanted["info"].clone();
    let textures = items(&pair.base.json, "textures").len();
    let found = (0..textures).find(|&at| {
        let mut known = texture(&pair.base.json, &json!({"index": at}));
        known["info"] = info.clone();
        is_one_texture(&known, wanted, 0.0)
    });
    let texture = found.unwrap_or_else(|| {
        let image = own_image(pair.edited, wanted);
        let image = builder.push("images", image);
        let mut sampler = json!({});
        if let [s, t] = items(wanted, "wrap") {
            sampler = json!({"wrapS": s, "wrapT": t});
        }
        if wanted["nearest"] == true {
            sampler["magFilter"] = 9728.into();
        }
        let sampler = builder.push("samplers", sampler);
        builder.push("textures", json!({"sampler": sampler, "source": image}))
    });
    if let Some(info) = info.as_object_mut() {
        info.insert("index".to_owned(), texture.into());
    }
    info
}

/// The picture of a texture of the edit; one inside of the file as a `data:` URI.
fn own_image(edited: &Document, wanted: &Value) -> Value {
    let image = index(&wanted["image"]).map_or(&Value::Null, |at| &edited.json["images"][at]);
    let mut own = json!({"name": image["name"], "mimeType": image["mimeType"]});
    own["uri"] = match (edited.embedded_image(image), image["uri"].as_str()) {
        (Some(bytes), _) => {
            let kind = image["mimeType"].as_str().unwrap_or("image/png");
            let text = base64::engine::general_purpose::STANDARD.encode(bytes);
            format!("data:{kind};base64,{text}").into()
        }
        (None, Some(uri)) => uri.into(),
        (None, None) => wanted["picture"].clone(),
    };
    if let Some(own) = own.as_object_mut() {
        own.retain(|_, value| !value.is_null());
    }
    own
}

/// A material that the original does not have.
fn imported(pair: Pair<'_>, material: &Value, builder: &mut Builder) -> Value {
    let mut material = material.clone();
    let mut import = |info: Option<&mut Value>| {
        if let Some(info) = info.filter(|info| !info.is_null()) {
            let wanted = texture(&pair.edited.json, info);
            *info = own_texture(pair, &wanted, builder);
        }
    };
    for key in TEXTURES {
        import(material.get_mut(key));
        let inner = material.get_mut("pbrMetallicRoughness");
        import(inner.and_then(|inner| inner.get_mut(key)));
    }
    let extensions = material
        .get_mut("extensions")
        .and_then(Value::as_object_mut);
    for extension in extensions.into_iter().flat_map(|all| all.values_mut()) {
        for (key, value) in extension.as_object_mut().into_iter().flatten() {
            if key.ends_with("Texture") {
                import(Some(value));
            }
        }
    }
    material
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_inside_of_a_file_are_found_by_the_names_of_their_files() {
        for (file, name, is_one) in [
            ("wall.png", "wall", true),
            ("wall.png", "Wall.001", true),
            ("wall.bmp.png", "wall.bmp", true),
            ("wall.additive.png", "wall.additive", true),
            ("wall.bmp.png", "wall", false),
            ("wall.png", "floor", false),
        ] {
            let was = json!({"picture": format!("../textures/{file}"), "name": "stored_bmp"});
            let wanted = json!({"picture": "", "name": name});
            assert_eq!(is_one_texture(&was, &wanted, 0.0), is_one, "{file}, {name}");
        }
    }
}

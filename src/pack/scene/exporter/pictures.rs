//! Pictures that were painted in the program that wrote the scene, and that it stored elsewhere than the original.

use std::collections::BTreeMap;

use image::RgbaImage;
use serde_json::Value;

use super::noise::Noise;
use super::pair::Pair;
use crate::pack::edited::Refusal;
use crate::pack::json::items;
use crate::pack::picture::opened::open;
use crate::pack::scene::file::Document;
use crate::pipeline::output::links::resolve;

/// Names the pictures of a scene at `path` that have other pixels than those of the original with their name. Pictures
/// are packed where the original has them. Ones that cannot be read are compared when they are packed.
pub(super) fn name_painted(
    pair: Pair<'_>,
    path: &str,
    load: &dyn Fn(&str) -> Result<Vec<u8>, Refusal>,
    noise: &mut Noise,
) {
    let mut known: BTreeMap<String, Vec<Shown<'_>>> = BTreeMap::new();
    for image in items(&pair.base.json, "images") {
        let shown = Shown::of(pair.base, image, path);
        known.entry(shown.stem.clone()).or_default().push(shown);
    }
    for image in items(&pair.edited.json, "images") {
        let new = Shown::of(pair.edited, image, path);
        let Some(originals) = known.get(&new.stem) else {
            continue;
        };
        let is_in_place = |old: &Shown<'_>| new.place.is_some() && old.place == new.place;
        if originals.iter().any(is_in_place) {
            continue;
        }
        let Some(bytes) = new.bytes(load) else {
            continue;
        };
        let mut all = originals.iter().filter_map(|old| old.bytes(load));
        if !all.any(|old| old == bytes || is_one_picture(&old, &bytes)) {
            let place = originals.iter().find_map(|old| old.place.as_deref());
            noise.put_unstored(match place {
                Some(place) => format!("other pixels of {}; paint them in {place}", new.stem),
                None => format!("other pixels of {}", new.stem),
            });
        }
    }
}

/// An image of a scene.
struct Shown<'f> {
    document: &'f Document,
    image: &'f Value,
    /// Name of its file without extension, in lower case.
    stem: String,
    /// Path in the folder of outputs; `None` for one inside of the file.
    place: Option<String>,
}

impl<'f> Shown<'f> {
    fn of(document: &'f Document, image: &'f Value, path: &str) -> Self {
        let uri = image["uri"]
            .as_str()
            .filter(|uri| !uri.starts_with("data:"));
        let place = uri.and_then(|uri| resolve(path, uri));
        let name = place
            .as_deref()
            .or(image["name"].as_str())
            .unwrap_or_default();
        let name = name.rsplit('/').next().unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        Self {
            document,
            image,
            stem: stem.to_ascii_lowercase(),
            place,
        }
    }

    fn bytes(&self, load: &dyn Fn(&str) -> Result<Vec<u8>, Refusal>) -> Option<Vec<u8>> {
        match &self.place {
            Some(place) => load(place).ok(),
            None => self.document.embedded_image(self.image),
        }
    }
}

/// True if two files show the same pixels, besides colors of transparent ones.
fn is_one_picture(one: &[u8], other: &[u8]) -> bool {
    let open = |bytes: &[u8]| Some(open(bytes).ok()?.picture.into_rgba8());
    let is_equal = |one: &RgbaImage, other: &RgbaImage| {
        let mut pairs = one.pixels().zip(other.pixels());
        one.dimensions() == other.dimensions()
            && pairs.all(|(one, other)| one == other || (one.0[3] == 0 && other.0[3] == 0))
    };
    match (open(one), open(other)) {
        (Some(one), Some(other)) => is_equal(&one, &other),
        _ => false,
    }
}

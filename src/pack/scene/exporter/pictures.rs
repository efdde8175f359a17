//! Pictures that were painted in the program that wrote the scene, and that it stored elsewhere than the original.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::materials::stem;

use super::model::Exporter;
use super::noise::Noise;
use super::pair::Pair;
use crate::pack::edited::Refusal;
use crate::pack::json::items;
use crate::pack::picture::copied::{Names, is_one_picture};
use crate::pack::scene::compare::matching::plain_name;
use crate::pack::scene::file::Document;
use crate::pipeline::output::links::resolve;

/// Files beside a scene.
#[derive(Clone, Copy)]
pub(in crate::pack::scene) struct Files<'f> {
    /// Returns the bytes of a file as it is now.
    pub load: &'f dyn Fn(&str) -> Result<Vec<u8>, Refusal>,
    /// True if an output had these bytes when it was written.
    pub is_original: &'f dyn Fn(&str, &[u8]) -> bool,
}

/// A picture of the original beside its scene.
struct Original {
    uri: String,
    place: String,
    names: Names,
}

impl Original {
    fn of(image: &Value, path: &str) -> Option<Self> {
        let uri = image["uri"].as_str()?;
        let place = resolve(path, uri)?;
        Some(Self {
            uri: uri.to_owned(),
            names: Names::of(&place, image["name"].as_str()),
            place,
        })
    }
}

/// Makes copies of the original's pictures, which programs write beside the scene under names of their own, refer to
/// the originals.
pub(super) fn refer_to_originals(
    base: &Document,
    edited: &mut Document,
    (path, exporter): (&str, &Exporter),
    files: Files<'_>,
) {
    let of_base = items(&base.json, "images").iter();
    let originals: Vec<Original> = of_base
        .filter_map(|image| Original::of(image, path))
        .collect();
    for at in 0..items(&edited.json, "images").len() {
        let image = &edited.json["images"][at];
        let place = image["uri"].as_str().and_then(|uri| resolve(path, uri));
        let (name, bytes) = match &place {
            Some(place) if originals.iter().any(|it| it.place == *place) => continue,
            Some(place) => (&**place, (files.load)(place).ok()),
            None => (
                image["name"].as_str().unwrap_or_default(),
                edited.embedded_image(image),
            ),
        };
        let Some(bytes) = bytes else {
            continue;
        };
        let is_copy = |original: &&Original| {
            (files.is_original)(&original.place, &bytes)
                || (files.load)(&original.place).is_ok_and(|it| is_one_picture(&it, &bytes))
        };
        let named = originals.iter().filter(|it| it.names.may_be_of(name));
        let (exact, numbered): (Vec<&Original>, Vec<&Original>) =
            named.partition(|it| it.names.are_exact(name));
        let others = originals.iter().filter(|_| exporter.numbers_names);
        let mut likely = exact.into_iter().chain(numbered).chain(others);
        if let Some(original) = likely.find(is_copy) {
            edited.json["images"][at] = json!({"name": image["name"], "uri": original.uri});
        }
    }
}

/// Names the pictures of a scene at `path` that have other pixels than those of the original with their name. Pictures
/// are packed where the original has them. Ones that cannot be read are compared when they are packed.
pub(super) fn name_painted(pair: Pair<'_>, path: &str, files: Files<'_>, noise: &mut Noise) {
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
        let Some(bytes) = new.bytes(files.load) else {
            continue;
        };
        let mut places = originals.iter().filter_map(|old| old.place.as_deref());
        if places.any(|place| (files.is_original)(place, &bytes)) {
            continue;
        }
        let mut all = originals.iter().filter_map(|old| old.bytes(files.load));
        if !all.any(|old| old == bytes || is_one_picture(&old, &bytes)) {
            let place = originals.iter().find_map(|old| old.place.as_deref());
            noise.put_unstored(match place {
                Some(place) => format!("other pixels of {}; paint them in {place}", new.stem),
                None => format!("other pixels of {}", new.stem),
            });
        }
    }
}

/// Makes the pictures inside of a scene at `path` refer to equal files of their name beside it.
pub(super) fn refer_to_files(document: &mut Document, path: &str, files: Files<'_>) {
    for at in 0..items(&document.json, "images").len() {
        let image = &document.json["images"][at];
        let Some(bytes) = document.embedded_image(image) else {
            continue;
        };
        let file = format!("{}.png", image["name"].as_str().unwrap_or_default());
        let beside = resolve(path, &file).and_then(|place| (files.load)(&place).ok());
        if beside.is_some_and(|beside| beside == bytes || is_one_picture(&beside, &bytes)) {
            document.json["images"][at] = json!({"uri": file.replace('%', "%25")});
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
        Self {
            document,
            image,
            stem: stem(plain_name(name)).to_ascii_lowercase(),
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

//! Pictures that were painted in the program that wrote the scene, and that it stored elsewhere than the original.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::materials::stem;

use super::noise::Noise;
use super::pair::Pair;
use crate::pack::edited::Refusal;
use crate::pack::json::items;
use crate::pack::picture::file_key;
use crate::pack::picture::opened::open;
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

/// Makes copies of the original's pictures, which programs write beside the scene under names of their own, refer to
/// the originals.
pub(super) fn refer_to_originals(
    base: &Document,
    edited: &mut Document,
    path: &str,
    files: Files<'_>,
) {
    let of_base = items(&base.json, "images").iter();
    let originals: Vec<(&str, String)> = of_base
        .filter_map(|image| {
            let uri = image["uri"].as_str()?;
            Some((uri, resolve(path, uri)?))
        })
        .collect();
    for image in edited.json["images"].as_array_mut().into_iter().flatten() {
        let place = image["uri"].as_str().and_then(|uri| resolve(path, uri));
        let Some(place) = place.filter(|place| !originals.iter().any(|(_, it)| it == place)) else {
            continue;
        };
        let Ok(bytes) = (files.load)(&place) else {
            continue;
        };
        let is_copy = |original: &&(&str, String)| {
            file_key(&original.1) == file_key(&place) && (files.is_original)(&original.1, &bytes)
        };
        let mut copied = originals.iter().filter(is_copy);
        let name = |path: &str| stem(path.rsplit('/').next().unwrap_or(path)).to_owned();
        let exact = copied.clone().find(|(_, it)| name(it) == name(&place));
        if let Some((uri, _)) = exact.or_else(|| copied.next()) {
            image["uri"] = json!(uri);
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

/// True if two files show the same pixels, besides colors of transparent ones.
fn is_one_picture(one: &[u8], other: &[u8]) -> bool {
    let open = |bytes: &[u8]| Some(open(bytes).ok()?.picture);
    let (Some(one), Some(other)) = (open(one), open(other)) else {
        return false;
    };
    // Programs leave out an alpha channel that their material does not use.
    let has_alpha = one.color().has_alpha() && other.color().has_alpha();
    let (one, other) = (one.into_rgba8(), other.into_rgba8());
    let mut pairs = one.pixels().zip(other.pixels());
    one.dimensions() == other.dimensions()
        && pairs.all(|(one, other)| match has_alpha {
            true => one == other || (one.0[3] == 0 && other.0[3] == 0),
            false => one.0[..3] == other.0[..3],
        })
}

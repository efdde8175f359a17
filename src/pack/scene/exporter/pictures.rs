//! Pictures of a scene that a program stored elsewhere than the original has them.

use serde_json::{Value, json};

use super::materials::stem;
use super::model::Exporter;
use crate::pack::edited::Refusal;
use crate::pack::json::items;
use crate::pack::picture::copied::{Names, file_key, is_one_picture, name_key};
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

/// A picture of the original.
struct Original<'f> {
    base: &'f Document,
    image: &'f Value,
    /// Reference in the scene, and path in the folder of outputs; `None` for one inside of the scene.
    file: Option<(String, String)>,
    names: Names,
}

impl<'f> Original<'f> {
    fn of(base: &'f Document, image: &'f Value, path: &str) -> Self {
        let uri = image["uri"].as_str();
        let file = uri.and_then(|uri| Some((uri.to_owned(), resolve(path, uri)?)));
        let place = file.as_ref().map(|(_, place)| &**place);
        Self {
            names: Names::of(place.unwrap_or_default(), image["name"].as_str()),
            base,
            image,
            file,
        }
    }

    fn is_at(&self, other: &str) -> bool {
        self.file.as_ref().is_some_and(|(_, place)| place == other)
    }

    /// True if a file shows its pixels, those of the picture that was converted or those that it has now.
    fn shows(&self, bytes: &[u8], files: Files<'_>) -> bool {
        let own = match &self.file {
            Some((_, place)) if (files.is_original)(place, bytes) => return true,
            Some((_, place)) => (files.load)(place).ok(),
            None => self.base.embedded_image(self.image),
        };
        own.is_some_and(|own| own == bytes || is_one_picture(&own, bytes))
    }
}

/// Makes copies of the original's pictures, which programs write into a scene at `path` or beside it under names of their
/// own, refer to the originals. Returns the painted ones, in words: pictures are packed where the original has them. Of a
/// file that a script changed in place, without `exporter`, only pictures inside of it are copies.
pub(super) fn refer_to_originals(
    base: &Document,
    edited: &mut Document,
    (path, exporter): (&str, Option<&Exporter>),
    files: Files<'_>,
) -> Vec<String> {
    let mut painted = Vec::new();
    let of_base = items(&base.json, "images").iter();
    let originals: Vec<Original> = of_base
        .map(|image| Original::of(base, image, path))
        .collect();
    for at in 0..items(&edited.json, "images").len() {
        let image = &edited.json["images"][at];
        let place = image["uri"].as_str().and_then(|uri| resolve(path, uri));
        let (key, bytes) = match &place {
            Some(place) if exporter.is_none() || originals.iter().any(|it| it.is_at(place)) => {
                continue;
            }
            Some(place) => (file_key(place), (files.load)(place).ok()),
            None => {
                let name = image["name"].as_str().unwrap_or_default();
                (
                    name_key(stem(plain_name(name))),
                    edited.embedded_image(image),
                )
            }
        };
        let Some(bytes) = bytes else {
            continue;
        };
        let named = originals.iter().filter(|it| it.names.may_be(&key));
        let (exact, numbered): (Vec<&Original>, Vec<&Original>) =
            named.partition(|it| it.names.are_exact(&key));
        let renames = exporter.is_some_and(|it| it.numbers_names);
        let others = originals.iter().filter(|_| renames);
        let likely = exact.iter().chain(&numbered).copied().chain(others);
        let copied = { likely }.find(|original| original.shows(&bytes, files));
        let called = exact.first().or(numbered.first().filter(|_| renames));
        let Some(original) = copied.or(called.copied()) else {
            continue;
        };
        if copied.is_none() {
            painted.push(match &original.file {
                Some((_, place)) => format!("other pixels of {key}; paint them in {place}"),
                None => format!("other pixels of {key}"),
            });
        }
        if let Some((uri, _)) = &original.file {
            edited.json["images"][at] = json!({"name": image["name"], "uri": uri});
        }
    }
    painted
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

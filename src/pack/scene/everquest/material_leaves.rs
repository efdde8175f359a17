//! Materials of scenes and their edits, the same for scenes of `.wld` files and for models in EQG format. Storing a
//! material is the task of [`materials`](super::wld::materials), and of `surfaces` of [`eqg`](super::eqg).

use serde_json::Value;

use super::scene::Scene;
use crate::pack::edited::Refusal;
use crate::pack::json::{index, items};
use crate::pack::scene::compare::leaves::{self, Leaf, changes, is_near, single};
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::file::Document;
use crate::pipeline::output::links::resolve;

/// The objects of a list of a document.
pub(super) fn list<'d>(document: &'d Document, key: &str) -> &'d [Value] {
    items(&document.json, key)
}

/// The path of the picture that a material shows, relative to the scene.
pub(super) fn picture<'d>(document: &'d Document, material: &Value) -> Option<&'d str> {
    picture_of(
        document,
        &material["pbrMetallicRoughness"]["baseColorTexture"],
    )
}

/// The path of the picture of a texture of a material.
fn picture_of<'d>(document: &'d Document, info: &Value) -> Option<&'d str> {
    let texture = index(&info["index"])?;
    let image = index(&list(document, "textures").get(texture)?["source"])?;
    list(document, "images").get(image)?["uri"].as_str()
}

/// Values of a material that differ in the edit; pictures by their paths.
fn leaves_of(scene: &Scene<'_>, old: &Value, new: &Value) -> Vec<Leaf> {
    let mut leaves = changes(old, new, 0.0);
    let is_picture = |leaf: &Leaf| {
        let path = "pbrMetallicRoughness.baseColorTexture";
        let is_whole = leaf.path == path || leaf.after.is_object();
        leaf.path.starts_with(path) && (leaf.path.ends_with("index") || is_whole)
    };
    leaves.retain(|leaf| !is_picture(leaf));
    let documents = [&scene.base_document, &scene.edited_document];
    let [before, after] = [(documents[0], old), (documents[1], new)];
    // Other textures follow the picture, or are those of before.
    let known = [picture(before.0, before.1), picture(after.0, after.1)];
    leaves.retain(|leaf| {
        let Some(texture) = leaf.path.strip_suffix(".index") else {
            return true;
        };
        let info = |(document, material)| picture_of(document, leaves::at(material, texture));
        let shown = info(after);
        shown.is_none() || (shown != info(before) && !known.contains(&shown))
    });
    if known[0] != known[1] {
        leaves.push(Leaf {
            path: "picture".to_owned(),
            before: known[0].into(),
            after: known[1].into(),
        });
    }
    let wrapping = [before, after].map(|(document, material)| wrapping(document, material));
    if known[1].is_some() && wrapping[0] != wrapping[1] {
        let [before, after] = wrapping.map(Value::from);
        let path = "wrapping".to_owned();
        leaves.push(Leaf {
            path,
            before,
            after,
        });
    }
    leaves
}

/// Codes of the way in which the picture of a material continues at its edges.
fn wrapping(document: &Document, material: &Value) -> Vec<u64> {
    let info = &material["pbrMetallicRoughness"]["baseColorTexture"];
    let texture = index(&info["index"]).and_then(|at| list(document, "textures").get(at));
    let sampler = texture.and_then(|texture| index(&texture["sampler"]));
    let sampler = sampler.and_then(|at| list(document, "samplers").get(at));
    let code = |key: &str| sampler.and_then(|it| it[key].as_u64()).unwrap_or(10_497);
    vec![code("wrapS"), code("wrapT")]
}

/// An edited material.
#[derive(Debug)]
pub(super) struct EditedMaterial<'s> {
    /// Its number in the original scene.
    pub number: usize,
    pub old: &'s Value,
    pub new: &'s Value,
    /// Values that differ.
    pub leaves: Vec<Leaf>,
}

/// Values that a format does not store: starts of their paths, and their names.
pub(super) type Unstored = [(&'static str, &'static str)];

/// The name of a value that the format does not store. Surfaces without light are stored.
fn unstored(leaf: &Leaf, all: &Unstored) -> Option<&'static str> {
    let keys = [&leaf.before, &leaf.after]
        .into_iter()
        .filter_map(Value::as_object);
    let mut keys = keys.flat_map(|map| map.keys());
    if leaf.path.contains("unlit") || keys.any(|key| key.contains("unlit")) {
        return None;
    }
    let mut all = all.iter();
    let is_whole = leaf.path == "extensions";
    let found = all.find(|(path, _)| {
        leaf.path.starts_with(path) || (is_whole && path.starts_with("extensions"))
    });
    found.map(|(_, name)| *name)
}

impl EditedMaterial<'_> {
    /// Edits of values that the format stores.
    pub(super) fn stored(&self, all: &Unstored) -> impl Iterator<Item = &Leaf> {
        self.leaves
            .iter()
            .filter(|leaf| unstored(leaf, all).is_none())
    }

    /// Edits of others, in words.
    pub(super) fn unstored(&self, all: &Unstored) -> Vec<String> {
        let names = self.leaves.iter().filter_map(|leaf| unstored(leaf, all));
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        names.dedup();
        let names = names.into_iter();
        names
            .map(|name| format!("not stored by the game: its {name}"))
            .collect()
    }
}

/// Returns the material of a number, where it was edited.
pub(super) fn edit_of<'s>(scene: &'s Scene<'_>, number: usize) -> Option<EditedMaterial<'s>> {
    let old = list(&scene.base_document, "materials").get(number)?;
    let new = list(&scene.edited_document, "materials").get(number)?;
    let leaves = leaves_of(scene, old, new);
    (!leaves.is_empty()).then_some(EditedMaterial {
        number,
        old,
        new,
        leaves,
    })
}

/// Returns the edited materials of a scene.
pub(super) fn edited<'s>(scene: &'s Scene<'_>) -> impl Iterator<Item = EditedMaterial<'s>> {
    let all = 0..list(&scene.base_document, "materials").len();
    all.filter_map(move |number| edit_of(scene, number))
}

/// Calls `take` with each edited material.
///
/// # Errors
/// Materials were removed; else the first refusal, with the name of the material.
pub(super) fn for_each_edited(
    scene: &Scene<'_>,
    mut take: impl FnMut(&EditedMaterial<'_>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let [before, after] =
        [&scene.base_document, &scene.edited_document].map(|document| list(document, "materials"));
    if after.len() < before.len() {
        refuse!("materials cannot be removed");
    }
    edited(scene).try_for_each(|material| {
        let name = material.old["name"].as_str().unwrap_or_default();
        take(&material).map_err(|refusal| refusal!("material {name}: {refusal}"))
    })
}

/// Reason to refuse a material that differs in the packed file.
pub(super) fn differs(material: &Value, what: &str) -> Refusal {
    let name = material["name"].as_str().unwrap_or_default();
    refusal!(
        "material {name}: {what} differs in the packed file: several scenes show it, or it is derived from other values"
    )
}

/// Checks that a packed material shows an edit, its color up to this difference.
///
/// # Errors
/// It does not.
pub(super) fn check(
    material: &EditedMaterial<'_>,
    packed: &Document,
    found: &Value,
    color_slack: f32,
    unstored: &Unstored,
) -> Result<(), Refusal> {
    let is_shown = |leaf: &&Leaf| match &*leaf.path {
        // New pictures are beside the scene, or elsewhere.
        "picture" => picture(packed, found).map(stem) == leaf.after.as_str().map(stem),
        // Default values are omitted in files.
        "doubleSided" => {
            let is_set = |value: &Value| value.as_bool().unwrap_or_default();
            is_set(&found["doubleSided"]) == is_set(&leaf.after)
        }
        path if path.starts_with("pbrMetallicRoughness.baseColorFactor") => {
            let mut pairs = factor(material.new).into_iter().zip(factor(found));
            pairs.all(|(one, other)| (one - other).abs() <= color_slack)
        }
        "alphaMode" => {
            let mode = |value: &Value| value.as_str().unwrap_or("OPAQUE").to_owned();
            mode(&found["alphaMode"]) == mode(&leaf.after)
        }
        path => is_near(&leaf.after, leaves::at(found, path), 1e-5),
    };
    match material.stored(unstored).find(|leaf| !is_shown(leaf)) {
        None => Ok(()),
        Some(leaf) => Err(differs(material.old, &leaf.path)),
    }
}

/// The file name of the picture at a path relative to a scene; the archive of the scene stores it.
pub(super) fn file_of(job: &Job<'_>, scene: &Scene<'_>, uri: &Value) -> Result<String, Refusal> {
    let uri = uri.as_str().ok_or_else(|| {
        refusal!(
            "its picture was removed, or is stored inside of the scene; link an Image Texture of a PNG that is saved beside the scene"
        )
    })?;
    if uri.starts_with("data:") {
        refuse!(
            "its new picture is inside of the scene; save it as a PNG of its name beside the scene"
        );
    }
    let path = resolve(&scene.output.path, uri).unwrap_or_default();
    let mut outputs = job.manifest.outputs.iter();
    let found = outputs.find(|output| output.path == path);
    let own = found
        .filter(|found| found.source == scene.output.source && found.input == scene.output.input);
    let stored = own.and_then(|own| own.member.clone());
    let stored = stored.or_else(|| job.added.get(&path).cloned());
    let baked = || scene.baked_member(&path).map(str::to_owned);
    stored.or_else(baked).ok_or_else(|| {
        refusal!(
            "{uri} is not a picture of the scene's archive; copy it beside the scene, and use it from there"
        )
    })
}

/// The color of a material, which is omitted in files if it is white.
pub(super) fn factor(material: &Value) -> [f32; 4] {
    let stored = &material["pbrMetallicRoughness"]["baseColorFactor"];
    [0, 1, 2, 3].map(|channel| single(&stored[channel]).unwrap_or(1.0))
}

/// The name of a file up to its first point, in lower case.
pub(super) fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    stem.to_ascii_lowercase()
}

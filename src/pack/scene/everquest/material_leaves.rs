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
fn picture<'d>(document: &'d Document, material: &Value) -> Option<&'d str> {
    let texture = index(&material["pbrMetallicRoughness"]["baseColorTexture"]["index"])?;
    let image = index(&list(document, "textures").get(texture)?["source"])?;
    list(document, "images").get(image)?["uri"].as_str()
}

/// Values of a material that differ in the edit; pictures by their paths.
fn leaves_of(scene: &Scene<'_>, old: &Value, new: &Value) -> Vec<Leaf> {
    let mut leaves = changes(old, new, 0.0);
    let is_picture = |leaf: &Leaf| {
        let path = "pbrMetallicRoughness.baseColorTexture";
        leaf.path.starts_with(path) && (leaf.path.ends_with("index") || leaf.after.is_object())
    };
    leaves.retain(|leaf| !is_picture(leaf));
    let (before, after) = (
        picture(&scene.base_document, old),
        picture(&scene.edited_document, new),
    );
    if before != after {
        leaves.push(Leaf {
            path: "picture".to_owned(),
            before: before.into(),
            after: after.into(),
        });
    }
    leaves
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
/// Materials were added or removed; else the first refusal, with the name of the material.
pub(super) fn for_each_edited(
    scene: &Scene<'_>,
    mut take: impl FnMut(&EditedMaterial<'_>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let [before, after] =
        [&scene.base_document, &scene.edited_document].map(|document| list(document, "materials"));
    if let Some(added) = after.get(before.len()) {
        let name = added["name"].as_str().unwrap_or_default();
        refuse!("material {name}: it was added, which is not supported; use one of the scene");
    }
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
    match material.leaves.iter().find(|leaf| !is_shown(leaf)) {
        None => Ok(()),
        Some(leaf) => Err(differs(material.old, &leaf.path)),
    }
}

/// The file name of the picture at a path relative to a scene; the archive of the scene stores it.
pub(super) fn file_of(job: &Job<'_>, scene: &Scene<'_>, uri: &Value) -> Result<String, Refusal> {
    let uri = uri.as_str().ok_or_else(|| {
        refusal!("its picture was removed, or embedded in the scene; refer to a picture file")
    })?;
    let path = resolve(&scene.output.path, uri).unwrap_or_default();
    let mut outputs = job.manifest.outputs.iter();
    let found = outputs.find(|output| output.path == path);
    let own = found
        .filter(|found| found.source == scene.output.source && found.input == scene.output.input);
    let stored = own.and_then(|own| own.member.clone());
    stored.or_else(|| job.added.get(&path).cloned()).ok_or_else(|| {
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
fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    stem.to_ascii_lowercase()
}

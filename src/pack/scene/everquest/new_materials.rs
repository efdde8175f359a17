//! Materials that an edit adds to a scene of EverQuest, the same for `.wld` files and for the EQG format.

use std::collections::BTreeMap;

use serde_json::Value;

use super::material_leaves::{factor, file_of, list, picture, stem};
use super::scene::Scene;
use crate::pack::edited::Refusal;
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::file::{Document, SceneFile};

/// Names of new materials in the packed scene, by their numbers in the edited one.
pub(super) type Names = BTreeMap<usize, String>;

/// A material that an edit adds.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewMaterial<'s> {
    /// Its number in the edited scene.
    pub number: usize,
    pub json: &'s Value,
}

/// The materials that a scene adds.
pub(super) fn all<'s>(scene: &'s Scene<'_>) -> impl Iterator<Item = NewMaterial<'s>> {
    let before = list(&scene.base_document, "materials").len();
    let after = list(&scene.edited_document, "materials").iter();
    let after = after.enumerate().skip(before);
    after.map(|(number, json)| NewMaterial { number, json })
}

/// Checks that faces have all new materials of a scene.
///
/// # Errors
/// None has one of them.
pub(super) fn check_use(scene: &Scene<'_>) -> Result<(), Refusal> {
    let meshes = scene.edited.meshes.iter();
    let meshes = meshes.chain(scene.recut.iter().map(|recut| &recut.mesh));
    let parts = meshes.flat_map(|mesh| &mesh.primitives);
    let used: Vec<usize> = parts.filter_map(|part| part.material).collect();
    match all(scene).find(|new| !used.contains(&new.number)) {
        Some(new) => Err(refusal!(
            "material {}: it is new, and no face has it; assign it to faces, or remove it",
            new.name()
        )),
        None => Ok(()),
    }
}

impl<'s> NewMaterial<'s> {
    pub(super) fn name(&self) -> &'s str {
        self.json["name"].as_str().unwrap_or_default()
    }

    /// The file name of its picture in the archive.
    ///
    /// # Errors
    /// It has none, or a color besides.
    pub(super) fn picture(&self, job: &Job<'_>, scene: &Scene<'_>) -> Result<String, Refusal> {
        let inside = |refusal: Refusal| refusal!("material {}: {refusal}", self.name());
        let [red, green, blue, _] = factor(self.json);
        if [red, green, blue] != [1.0; 3] {
            refuse!(
                "material {}: its picture is multiplied by a color, which the game does not do; paint the color into the picture, and link the picture alone",
                self.name()
            );
        }
        let uri = picture(&scene.edited_document, self.json);
        file_of(job, scene, &uri.into()).map_err(inside)
    }
}

/// Gives the materials of a packed scene the numbers that they have in the edit.
pub(super) fn align(after: &mut SceneFile, scene: &Scene<'_>, names: &Names) {
    if names.is_empty() {
        return;
    }
    let known = &scene.base.materials;
    let mut materials = scene.edited.materials.clone();
    let numbers: Vec<usize> = after
        .materials
        .iter()
        .enumerate()
        .map(|(number, name)| {
            let new = names.iter().find(|(_, stored)| *stored == name);
            let same = (known.get(number) == Some(name)).then_some(number);
            let found = new.map(|(&number, _)| number).or(same);
            found
                .or_else(|| known.iter().position(|known| known == name))
                .unwrap_or_else(|| {
                    materials.push(name.clone());
                    materials.len() - 1
                })
        })
        .collect();
    for part in after
        .meshes
        .iter_mut()
        .flat_map(|mesh| &mut mesh.primitives)
    {
        part.material = part
            .material
            .and_then(|number| numbers.get(number).copied());
    }
    after.materials = materials;
}

/// Checks that a packed scene shows the new materials of the edit. `check` compares a new and a packed one.
///
/// # Errors
/// It does not.
pub(super) fn check(
    scene: &Scene<'_>,
    packed: &Document,
    names: &Names,
    check: impl Fn(NewMaterial<'_>, &Value) -> bool,
) -> Result<(), Refusal> {
    for new in all(scene) {
        let stored = names.get(&new.number);
        let mut found = list(packed, "materials").iter();
        let found = found.find(|found| found["name"].as_str() == stored.map(String::as_str));
        let shows = |found: &Value| {
            let pictures = [(&scene.edited_document, new.json), (packed, found)];
            let [wanted, shown] = pictures.map(|(document, it)| picture(document, it).map(stem));
            wanted == shown && check(new, found)
        };
        if !found.is_some_and(shows) {
            refuse!(
                "material {}: the packed file does not show it as the edit does",
                new.name()
            );
        }
    }
    Ok(())
}

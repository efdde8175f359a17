//! Scenes of models: inherited from the imported file, with variants to choose from and a clip that runs.

use std::collections::BTreeMap;

use relicast_scene::extras::{Asset, MappedVariants, read};

use super::level::clip_name;
use super::material;
use super::text::{SceneText, quoted};
use crate::project::facts::{Project, stem};
use crate::project::files::Plan;
use crate::project::gltf::SceneFile;

/// Words in the names of clips that show a model at rest, the best first.
const AT_REST: [&str; 3] = ["stand", "idle", "passive"];

/// Adds the scene of a model if it has clips or variants, and returns the path that shows the model.
pub(super) fn add(_project: &Project<'_>, file: &SceneFile, plan: &mut Plan) -> String {
    let clips = file.list("animations").iter();
    let clips: Vec<String> = clips
        .filter_map(|clip| Some(clip_name(clip["name"].as_str()?)))
        .collect();
    let mut scene = SceneText::default();
    let skins = skins(file, &mut scene);
    if clips.is_empty() && skins.is_empty() {
        return file.path.clone();
    }
    let path = format!("{}.tscn", stem(&file.path));
    let model = scene.outside("PackedScene", &file.path);
    let mut properties = Vec::new();
    if !skins.is_empty() {
        properties.push(("script", scene.outside("Script", "relicast/skins.gd")));
        let skins = skins.iter().map(|(name, places)| {
            let places = places
                .iter()
                .map(|(place, material)| format!("{}: {material}", quoted(place)));
            format!(
                "{}: {{{}}}",
                quoted(name),
                places.collect::<Vec<_>>().join(", ")
            )
        });
        properties.push((
            "skins",
            format!("{{{}}}", skins.collect::<Vec<_>>().join(", ")),
        ));
    }
    let name = stem(&path).rsplit('/').next().unwrap_or("model").to_owned();
    let name = crate::project::gltf::godot_name(&name);
    scene.node(&name, &[("instance", model)], &properties);
    let at_rest = AT_REST
        .iter()
        .find_map(|word| clips.iter().find(|clip| clip.to_lowercase().contains(word)));
    if let Some(clip) = at_rest {
        scene.node(
            "AnimationPlayer",
            &[("parent", quoted("."))],
            &[("autoplay", format!("&{}", quoted(clip)))],
        );
    }
    plan.files.insert(path.clone(), scene.finish());
    path
}

/// For each variant, the materials by node and surface.
fn skins(file: &SceneFile, scene: &mut SceneText) -> BTreeMap<String, BTreeMap<String, String>> {
    let asset: Asset = read(&file.document["asset"]["extras"]["relicast"]);
    let names = asset.variants.unwrap_or_default();
    let mut skins: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut made: BTreeMap<(usize, bool), String> = BTreeMap::new();
    if names.is_empty() {
        return skins;
    }
    for node in file.nodes_of(0) {
        let Some(mesh) = file.node(node)["mesh"].as_u64() else {
            continue;
        };
        let primitives = file.list("meshes")[mesh as usize]["primitives"].as_array();
        for (surface, primitive) in primitives.into_iter().flatten().enumerate() {
            let mapped: MappedVariants = read(&primitive["extras"]["relicast"]);
            for mapping in mapped.variants.into_iter().flatten() {
                let Some(index) = mapping.material else {
                    continue;
                };
                let colored = material::has_colors(primitive);
                let material = made.entry((index, colored));
                let material = material
                    .or_insert_with(|| material::add(scene, file, index, colored))
                    .clone();
                for variant in mapping.variants.into_iter().flatten() {
                    let name = names.get(variant).cloned();
                    let places = skins.entry(name.unwrap_or_default()).or_default();
                    places.insert(format!("{}:{surface}", file.name(node)), material.clone());
                }
            }
        }
    }
    skins
}

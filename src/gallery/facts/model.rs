//! Facts about glTF files: sizes, clips, variants, scenes, and the pictures they use.

use std::collections::BTreeSet;

use relicast_emit::gltf::{Chunks, chunks};
use relicast_scene::extras::{ClipExtras, MaterialExtras, NodeExtras, SceneExtras};
use serde::Deserialize;
use serde_json::{Value, json};

use super::known::{Facts, LARGEST_DOCUMENT};
use super::mentions::Places;
use crate::gallery::entry::Entry;
use crate::gallery::kinds::{Mark, extension};
use crate::pipeline::output::links::resolve;
use crate::pipeline::report::converted::Converted;

/// Parts of a glTF file that are read.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Gltf {
    scenes: Vec<Scene>,
    nodes: Vec<Node>,
    meshes: Vec<Mesh>,
    accessors: Vec<Accessor>,
    animations: Vec<Clip>,
    materials: Vec<Material>,
    textures: Vec<serde::de::IgnoredAny>,
    images: Vec<Image>,
    skins: Vec<Skin>,
    cameras: Vec<serde::de::IgnoredAny>,
    extensions_used: Vec<String>,
    extensions: Extensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Extensions {
    #[serde(rename = "KHR_materials_variants")]
    variants: Option<Variants>,
    #[serde(rename = "KHR_lights_punctual")]
    lights: Option<Lights>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Variants {
    variants: Vec<Named>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Lights {
    lights: Vec<serde::de::IgnoredAny>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Named {
    name: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Scene {
    name: String,
    extras: SceneExtras,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Node {
    extras: NodeExtras,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Material {
    extras: MaterialExtras,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Mesh {
    primitives: Vec<Primitive>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Primitive {
    attributes: Attributes,
    indices: Option<usize>,
    mode: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "UPPERCASE")]
struct Attributes {
    position: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Accessor {
    count: u64,
    max: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Clip {
    name: String,
    samplers: Vec<Sampler>,
    extras: ClipExtras,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Sampler {
    input: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Image {
    uri: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Skin {
    joints: Vec<serde::de::IgnoredAny>,
}

/// Reads the glTF files of an asset. Drawn geometry is counted in the main one; references are collected from
/// all.
pub(super) fn read(
    converted: &Converted,
    entry: &Entry<'_>,
    places: &Places<'_>,
    facts: &mut Facts,
) {
    let mut lods = 0_u64;
    for (role, output) in &entry.outputs {
        let path = &*output.path;
        let ending = extension(path);
        lods += u64::from(role == "lod" && ending != "bin");
        if !matches!(ending, "gltf" | "glb" | "json") || role == "raw" {
            continue;
        }
        let Some(bytes) = converted.read(path, LARGEST_DOCUMENT) else {
            continue;
        };
        let Some(Chunks { json, .. }) = chunks(&bytes) else {
            continue;
        };
        places.collect(entry, json, facts);
        if ending == "json" {
            continue;
        }
        let Ok(gltf) = serde_json::from_slice::<Gltf>(json) else {
            continue;
        };
        for image in &gltf.images {
            let target = image.uri.as_deref().and_then(|uri| resolve(path, uri));
            facts
                .mentions
                .extend(target.and_then(|target| places.of_output(&target)));
        }
        if role == "main" {
            describe(&gltf, facts);
        }
    }
    facts.put("lods", lods);
}

fn describe(gltf: &Gltf, facts: &mut Facts) {
    let (mut triangles, mut vertices) = (0_u64, 0_u64);
    let mut counted = BTreeSet::new();
    for primitive in gltf.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let count = |index: Option<usize>| {
            let accessor = index.and_then(|index| gltf.accessors.get(index));
            accessor.map_or(0, |accessor| accessor.count)
        };
        let position = primitive.attributes.position;
        if counted.insert(position) {
            vertices = vertices.saturating_add(count(position));
        }
        let corners = count(primitive.indices.or(position));
        triangles = triangles.saturating_add(match primitive.mode {
            None | Some(4) => corners / 3,
            Some(5 | 6) => corners.saturating_sub(2),
            Some(_) => 0,
        });
    }
    facts.put("triangles", triangles);
    facts.put("vertices", vertices);
    facts.put("meshes", gltf.meshes.len());
    facts.put("materials", gltf.materials.len());
    facts.put("textures", gltf.textures.len());
    facts.put("nodes", gltf.nodes.len());
    facts.put("cameras", gltf.cameras.len());
    facts.put("skins", gltf.skins.len());
    let bones = gltf.skins.iter().map(|skin| skin.joints.len()).max();
    facts.put("bones", bones.unwrap_or_default());
    let lights = gltf.extensions.lights.as_ref();
    facts.put("lights", lights.map_or(0, |lights| lights.lights.len()));
    facts.put("extensions", gltf.extensions_used.clone());
    facts.numbers = [triangles, gltf.animations.len() as u64];
    facts.mark(Mark::Skinned, !gltf.skins.is_empty());
    describe_names(gltf, facts);
    describe_extras(gltf, facts);
}

/// Clips, variants and scenes.
fn describe_names(gltf: &Gltf, facts: &mut Facts) {
    let clips = gltf.animations.iter().map(|clip| {
        let times = clip.samplers.iter();
        let ends = times.filter_map(|sampler| gltf.accessors.get(sampler.input));
        let ends = ends.filter_map(|accessor| accessor.max.get(0)?.as_f64());
        let seconds = ends.fold(0.0, f64::max);
        let mut row = json!({"name": clip.name, "seconds": seconds});
        if clip.extras.everquest.r#loop == Some(true)
            && let Value::Object(row) = &mut row
        {
            row.insert("loop".to_owned(), Value::Bool(true));
        }
        row
    });
    facts.put("clips", clips.collect::<Vec<_>>());
    facts.mark(Mark::Clips, !gltf.animations.is_empty());
    let clips = gltf.animations.iter().map(|clip| clip.name.clone());
    facts.terms.extend(clips);
    let variants = gltf.extensions.variants.iter();
    let variants = variants.flat_map(|all| all.variants.iter().map(|one| one.name.clone()));
    let variants: Vec<String> = variants.collect();
    facts.mark(Mark::Variants, !variants.is_empty());
    facts.terms.extend(variants.iter().cloned());
    facts.put("variants", variants);
    let scenes: Vec<String> = gltf.scenes.iter().map(|it| it.name.clone()).collect();
    facts.mark(Mark::Scenes, scenes.len() > 1);
    facts.put("scenes", scenes);
}

fn describe_extras(gltf: &Gltf, facts: &mut Facts) {
    let hidden = gltf.nodes.iter().filter(|node| node.extras.is_hidden());
    let hidden = hidden.count();
    facts.put("hiddenNodes", hidden);
    facts.mark(Mark::Hidden, hidden > 0);
    let missing = gltf.materials.iter().flat_map(|material| {
        let MaterialExtras { zipper, everquest } = &material.extras;
        [&zipper.missing_texture, &everquest.missing_texture]
    });
    let missing: BTreeSet<String> = missing.flatten().cloned().collect();
    facts.mark(Mark::Missing, !missing.is_empty());
    facts.put("missingTextures", Vec::from_iter(missing));
    let Some(Scene { extras, .. }) = gltf.scenes.first() else {
        return;
    };
    let SceneExtras { zipper, everquest } = extras;
    let forward = zipper.forward.as_ref().or(everquest.forward.as_ref());
    facts.put("forward", json!(forward));
    let unit = everquest
        .space
        .as_ref()
        .and_then(|space| space.unit.as_ref());
    facts.put("unit", json!(unit));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_clips_and_variants_are_counted() {
        let gltf = json!({
            "scenes": [{"name": "m1", "extras": {"zipper": {"forward": "-Z"}}}],
            "nodes": [{"extras": {"zipper": {"hidden": true}}}, {}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}, {"attributes": {"POSITION": 0}, "mode": 1}]}],
            "accessors": [{"count": 4}, {"count": 6}, {"count": 2, "max": [1.25]}],
            "animations": [{"name": "walk", "samplers": [{"input": 2}], "extras": {"everquest": {"loop": true}}}],
            "materials": [{"extras": {"zipper": {"missingTexture": "lost"}}}],
            "extensions": {"KHR_materials_variants": {"variants": [{"name": "Rust"}]}},
        });
        let gltf: Gltf = serde_json::from_value(gltf).unwrap();
        let mut facts = Facts::default();
        describe(&gltf, &mut facts);
        assert_eq!(facts.numbers, [2, 1]);
        assert_eq!(facts.values["vertices"], 4);
        assert_eq!(
            facts.values["clips"],
            json!([{"name": "walk", "seconds": 1.25, "loop": true}])
        );
        assert_eq!(facts.values["variants"], json!(["Rust"]));
        assert_eq!(facts.values["missingTextures"], json!(["lost"]));
        assert_eq!(facts.values["forward"], "-Z");
        let expected = [Mark::Clips, Mark::Variants, Mark::Missing, Mark::Hidden];
        assert_eq!(
            facts.marks,
            expected.iter().fold(0, |all, mark| all | mark.bit())
        );
    }
}

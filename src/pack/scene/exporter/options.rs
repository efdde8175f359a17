//! Options of exporters that change every part of a scene, or leave out what edits need. Their effects would be taken for
//! edits, or for other ones; so they are named.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::pack::edited::Refusal;
use crate::pack::json::{index, items};
use crate::pack::picture::copied::{Names, name_key};

/// The component type of 32-bit floats.
const FLOAT: u32 = 5126;

/// Checks that a file was exported with what every edit needs.
///
/// # Errors
/// It was exported with an option whose effect looks like an edit.
pub(super) fn check(base: &Value, edited: &Value) -> Result<(), Refusal> {
    if is_rounded(edited) && !is_rounded(base) {
        refuse!(
            "its positions are quantized, so their exact values are lost; save the scene without quantization"
        );
    }
    if lacks_pictures(base, edited) {
        refuse!(
            "it was exported without pictures; export them (Blender: Material > Images > Automatic)"
        );
    }
    if has_photos(base, edited) {
        refuse!(
            "its pictures were exported as JPEG, which changes their pixels; export them as they are (Blender: Material > Images > Automatic)"
        );
    }
    if has_more_scenes(base, edited) {
        refuse!(
            "it has several scenes; export one of them (Blender: Include > Limit to > Active Scene)"
        );
    }
    if has_extension(edited, GPU_INSTANCES) && !has_extension(base, GPU_INSTANCES) {
        refuse!(
            "its objects were exported as instances of one node; export them as nodes (Blender: without Data > Scene Graph > GPU Instances)"
        );
    }
    if !is_nested(edited) && is_nested(base) {
        refuse!(
            "it was exported without parents of objects; export them (Blender: without Data > Scene Graph > Flatten Object Hierarchy)"
        );
    }
    if has_flat_bones(edited) && !has_flat_bones(base) {
        refuse!(
            "it was exported without parents of bones; export them (Blender: without Data > Armature > Flatten Bone Hierarchy)"
        );
    }
    if is_on_its_side(base, edited) {
        refuse!(
            "it was exported on its side; export it with y as the upward axis (Blender: Transform > +Y Up)"
        );
    }
    Ok(())
}

/// True if there are more scenes, or as many with most nodes twice: programs may read all scenes of a file into one.
fn has_more_scenes(base: &Value, edited: &Value) -> bool {
    let scenes = |root| {
        let scenes = items(root, "scenes").iter();
        scenes.filter(|it| !items(it, "nodes").is_empty()).count()
    };
    let nodes = |root| items(root, "nodes").len();
    scenes(edited) > 1
        && (scenes(edited) > scenes(base) || nodes(edited) >= nodes(base).saturating_mul(3) / 2)
}

const GPU_INSTANCES: &str = "EXT_mesh_gpu_instancing";

fn has_extension(root: &Value, name: &str) -> bool {
    items(root, "extensionsUsed").iter().any(|it| it == name)
}

fn is_rounded(root: &Value) -> bool {
    let mut positions = positions(root);
    positions.any(|(_, accessor)| accessor["componentType"] != FLOAT)
}

/// The accessors of positions, with the names of their meshes.
fn positions(root: &Value) -> impl Iterator<Item = (&str, &Value)> {
    items(root, "meshes").iter().flat_map(move |mesh| {
        let name = mesh["name"].as_str().unwrap_or_default();
        let primitives = items(mesh, "primitives").iter();
        let places = primitives.filter_map(|it| index(&it["attributes"]["POSITION"]));
        places.map(move |at| (name, &root["accessors"][at]))
    })
}

/// True if all pictures are gone. The only one may have been taken out of its material.
fn lacks_pictures(base: &Value, edited: &Value) -> bool {
    let has_picture = |it: &&Value| !it["pbrMetallicRoughness"]["baseColorTexture"].is_null();
    let pictured = items(base, "materials").iter().filter(has_picture).count();
    let has_none = items(edited, "images").is_empty();
    pictured > 1 && has_none && !items(edited, "materials").is_empty()
}

/// True if pictures are JPEG that have the names of others that were not: several, or all of the file.
fn has_photos(base: &Value, edited: &Value) -> bool {
    let is_photo = |image: &Value| {
        let is_named = |uri: &str| {
            let uri = uri.to_ascii_lowercase();
            uri.ends_with(".jpg") || uri.ends_with(".jpeg") || uri.starts_with("data:image/jpeg")
        };
        image["mimeType"] == "image/jpeg" || image["uri"].as_str().is_some_and(is_named)
    };
    let pictures = items(base, "images").iter().filter(|it| !is_photo(it));
    let known: Vec<Names> = pictures
        .map(|it| Names::of(it["uri"].as_str().unwrap_or_default(), it["name"].as_str()))
        .collect();
    let is_known = |image: &Value| {
        let key = name_key(image["name"].as_str().unwrap_or_default());
        known.iter().any(|names| names.are_exact(&key))
    };
    let images = items(edited, "images");
    let is_changed = |it: &&Value| is_photo(it) && is_known(it);
    let changed = images.iter().filter(is_changed).count();
    changed > 1 || (changed > 0 && changed == images.len())
}

/// True if a node has a parent.
fn is_nested(root: &Value) -> bool {
    let mut nodes = items(root, "nodes").iter();
    nodes.any(|it| !items(it, "children").is_empty())
}

/// True if there are skins, and no bone has a bone as its parent.
fn has_flat_bones(root: &Value) -> bool {
    let skins = items(root, "skins");
    let is_flat = |skin: &Value| {
        let joints = items(skin, "joints").iter().filter_map(index);
        let joints: BTreeSet<usize> = joints.collect();
        let mut below = joints
            .iter()
            .flat_map(|&at| items(&root["nodes"][at], "children"))
            .filter_map(index);
        joints.len() > 1 && !below.any(|it| joints.contains(&it))
    };
    skins.iter().any(is_flat)
}

/// Smallest difference of coordinates, relative to the larger of 1 and the number, that shows an axis.
const TOLERANCE: f64 = 1e-3;

/// True if z is the upward axis of most meshes whose boxes show it.
fn is_on_its_side(base: &Value, edited: &Value) -> bool {
    let (before, after) = (boxes(base), boxes(edited));
    let (mut upright, mut turned) = (0_usize, 0_usize);
    for (name, old) in &before {
        let Some(new) = after.get(name) else { continue };
        let lying = old.map(|[x, y, z]| [x, -z, y]);
        match (is_near(old, new), is_near(&ordered(lying), new)) {
            (true, false) => upright += 1,
            (false, true) => turned += 1,
            _ => {}
        }
    }
    turned > upright
}

/// The lowest and the highest corner of a box.
type Corners = [[f64; 3]; 2];

/// The boxes around meshes, by name.
fn boxes(root: &Value) -> BTreeMap<&str, Corners> {
    let mut boxes: BTreeMap<&str, Corners> = BTreeMap::new();
    for (name, accessor) in positions(root) {
        let corners = vector(&accessor["min"]).zip(vector(&accessor["max"]));
        let Some((low, high)) = corners else { continue };
        let whole = boxes.entry(name).or_insert([low, high]);
        let ([low, _], [_, high]) = (ordered([whole[0], low]), ordered([whole[1], high]));
        *whole = [low, high];
    }
    boxes
}

fn vector(value: &Value) -> Option<[f64; 3]> {
    let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(Value::as_f64).collect();
    numbers?.try_into().ok()
}

/// The lowest and the highest corner of the box around two points.
fn ordered([one, other]: Corners) -> Corners {
    let at = |axis: usize| {
        let (one, other) = (one[axis], other[axis]);
        (one.min(other), one.max(other))
    };
    let [x, y, z] = [0, 1, 2].map(at);
    [[x.0, y.0, z.0], [x.1, y.1, z.1]]
}

fn is_near(one: &Corners, other: &Corners) -> bool {
    let pairs = one.as_flattened().iter().zip(other.as_flattened());
    let mut far =
        pairs.filter(|(one, other)| (*one - *other).abs() > TOLERANCE * one.abs().max(1.0));
    far.next().is_none()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::check;

    /// A change of a scene.
    type Change = fn(&mut Value);

    fn scene() -> Value {
        json!({
            "scenes": [{"nodes": [0]}, {"nodes": [3]}],
            "nodes": [
                {"name": "world", "children": [1]},
                {"name": "hip", "children": [2]},
                {"name": "knee"},
                {"name": "world_2"},
            ],
            "skins": [{"joints": [1, 2]}],
            "meshes": [
                {"name": "house", "primitives": [{"attributes": {"POSITION": 0}}]},
                {"name": "ball", "primitives": [{"attributes": {"POSITION": 1}}]},
            ],
            "accessors": [
                {"componentType": 5126, "min": [-1.0, 0.0, -2.0], "max": [1.0, 3.0, 5.0]},
                {"componentType": 5126, "min": [-1.0, -1.0, -1.0], "max": [1.0, 1.0, 1.0]},
            ],
            "materials": [
                {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}},
                {"pbrMetallicRoughness": {"baseColorTexture": {"index": 1}}},
            ],
            "images": [{"name": "brick", "uri": "../brick.png"}, {"name": "brick_n", "uri": "../brick_n.png"}],
        })
    }

    /// The refusal of the scene with one change.
    fn said(change: Change) -> String {
        let mut edited = scene();
        edited["scenes"] = json!([{"nodes": [0, 3]}]);
        change(&mut edited);
        check(&scene(), &edited).map_or_else(|refusal| refusal.to_string(), |()| String::new())
    }

    #[test]
    fn options_that_change_every_part_are_named() {
        let changes: [(&str, Change); 8] = [
            ("quantized", |it| {
                it["accessors"][0]["componentType"] = json!(5123)
            }),
            ("without pictures", |it| it["images"] = json!([])),
            ("as JPEG", |it| {
                it["images"] = json!([{"name": "brick", "mimeType": "image/jpeg"}]);
            }),
            ("Active Scene", |it| {
                it["scenes"] = json!([{"nodes": [0, 3]}, {"nodes": [4, 7]}]);
                let nodes = it["nodes"].as_array_mut().unwrap();
                nodes.extend(nodes.clone());
            }),
            ("GPU Instances", |it| {
                it["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
            }),
            ("Flatten Object", |it| {
                it["nodes"] = json!([{"name": "world"}, {"name": "hip"}, {"name": "knee"}]);
                it["skins"] = json!([]);
            }),
            ("Flatten Bone", |it| {
                it["nodes"] = json!([{"children": [1, 2]}, {"name": "hip"}, {"name": "knee"}]);
            }),
            ("+Y Up", |it| {
                let accessor = &mut it["accessors"][0];
                accessor["min"] = json!([-1.0, -5.0, 0.0]);
                accessor["max"] = json!([1.0, 2.0, 3.0]);
            }),
        ];
        for (words, change) in changes {
            let said = said(change);
            assert!(said.contains(words), "{words}: {said}");
        }
    }

    #[test]
    fn edits_are_no_options() {
        let changes: [Change; 5] = [
            |_| {},
            |it| it["images"] = json!([{"name": "photo", "mimeType": "image/jpeg"}]),
            |it| {
                it["scenes"]
                    .as_array_mut()
                    .unwrap()
                    .push(json!({"name": "empty"}))
            },
            |it| it["accessors"][0]["max"] = json!([1.0, 9.0, 5.0]),
            |it| it["nodes"][0] = json!({"name": "world"}),
        ];
        for change in changes {
            assert_eq!(said(change), "");
        }
    }
}

//! Scenes as other programs write them: other orders of nodes and vertices, names with numbers, rounded numbers.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use relicast::asset::{AssetKind, Game};
use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::GAMES;
use crate::scenes::place::Place;
use crate::scenes::scene::{Dice, Scene};

/// Writes every primitive without sharing of vertices, nodes in another order, names with numbers, and no
/// hints of the program that wrote the file; with `shuffled`, triangles in another order too.
pub fn rewrite(scene: &mut Scene, shuffled: bool) {
    scene.json["asset"]["generator"] = "Khronos glTF Blender I/O v4.2.60".into();
    let mut dice = Dice(11);
    for mesh in 0..scene.json["meshes"].as_array().map_or(0, Vec::len) {
        let count = scene.json["meshes"][mesh]["primitives"]
            .as_array()
            .unwrap()
            .len();
        for primitive in 0..count {
            let mode = scene.json["meshes"][mesh]["primitives"][primitive]["mode"].as_u64();
            let Some(indices) = scene
                .attribute(mesh, primitive, "indices")
                .filter(|_| mode.unwrap_or(4) == 4)
            else {
                continue;
            };
            let indices = scene.indices(indices);
            let mut triangles: Vec<[u32; 3]> = indices.as_chunks::<3>().0.to_vec();
            if shuffled {
                for last in (1..triangles.len()).rev() {
                    triangles.swap(last, dice.roll(last + 1));
                }
                for triangle in &mut triangles {
                    triangle.rotate_left(dice.roll(3));
                }
            }
            let order: Vec<usize> = triangles.iter().flatten().map(|&at| at as usize).collect();
            let mut attributes = serde_json::Map::new();
            for name in ["POSITION", "NORMAL"] {
                if let Some(accessor) = scene.attribute(mesh, primitive, name) {
                    let rows = scene.floats::<3>(accessor);
                    let rows: Vec<_> = order.iter().map(|&at| rows[at]).collect();
                    attributes.insert(name.to_owned(), scene.add_floats(&rows).into());
                }
            }
            if let Some(accessor) = scene.attribute(mesh, primitive, "TEXCOORD_0") {
                let rows = scene.floats::<2>(accessor);
                // As a picture's v is turned over and over again.
                let rows: Vec<_> = order
                    .iter()
                    .map(|&at| [rows[at][0], 1.0 - (1.0 - rows[at][1])])
                    .collect();
                attributes.insert("TEXCOORD_0".to_owned(), scene.add_floats(&rows).into());
            }
            let count = u32::try_from(order.len()).unwrap();
            let indices = scene.add_indices(&(0..count).collect::<Vec<_>>());
            let primitive = &mut scene.json["meshes"][mesh]["primitives"][primitive];
            primitive["attributes"] = attributes.into();
            primitive["indices"] = indices.into();
        }
    }
    // Nodes the other way round.
    let count = scene.nodes().len();
    let turn = |list: &mut Value| {
        for node in list.as_array_mut().into_iter().flatten() {
            *node = (count - 1 - node.as_u64().unwrap() as usize).into();
        }
    };
    for (number, node) in scene.json["nodes"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .enumerate()
    {
        turn(&mut node["children"]);
        if node["children"].is_null() {
            node.as_object_mut().unwrap().remove("children");
        }
        if number % 3 == 0 {
            let name = node["name"].as_str().unwrap().to_owned();
            node["name"] = format!("{name}.{:03}", number % 1000).into();
        }
        if let Some(at) = node["translation"].as_array_mut() {
            for part in at {
                *part = (part.as_f64().unwrap() * (1.0 + 1e-8)).into();
            }
        }
    }
    for skin in scene.json["skins"].as_array_mut().into_iter().flatten() {
        turn(&mut skin["joints"]);
        let skeleton = skin["skeleton"].as_u64();
        if let Some(skeleton) = skeleton {
            skin["skeleton"] = (count - 1 - skeleton as usize).into();
        }
    }
    scene.json["nodes"].as_array_mut().unwrap().reverse();
    for other in scene.json["scenes"].as_array_mut().unwrap() {
        turn(&mut other["nodes"]);
    }
    let nodes = scene.nodes().len();
    for animation in scene.json["animations"]
        .as_array_mut()
        .into_iter()
        .flatten()
    {
        for channel in animation["channels"].as_array_mut().unwrap() {
            let node = channel["target"]["node"].as_u64().unwrap() as usize;
            channel["target"]["node"] = (nodes - 1 - node).into();
        }
    }
}

fn check(shuffled: bool, with_extras: bool) {
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        let output = place.scenes().into_iter().next().unwrap();
        let mut scene = Scene::open(&place.out(&output.path));
        let node = scene.objects().pop().unwrap();
        let index = scene.nodes()[node]["extras"]["zipper"]["index"].clone();
        let mut at = scene.vector(node, "translation", [0.0; 3]);
        at[1] += 2.0;
        scene.set(node, "translation", at);
        rewrite(&mut scene, shuffled);
        if !with_extras {
            for node in scene.json["nodes"].as_array_mut().unwrap() {
                node["extras"] = json!({});
            }
        }
        scene.save();
        let packed = place.pack();
        assert_eq!(packed.files.len(), 1, "{game:?}");
        place.convert_packed();
        place.convert("install", "before");
        let (before, after) = (
            Scene::open(&place.path("before").join(&output.path)),
            Scene::open(&place.path("after").join(&output.path)),
        );
        assert_eq!(
            before.bin, after.bin,
            "{game:?}: rounding changes no vertex"
        );
        for (old, new) in before.nodes().iter().zip(after.nodes()) {
            if new["extras"]["zipper"]["index"] == index {
                let found = new["translation"][1].as_f64().unwrap();
                assert!((found - f64::from(at[1])).abs() < 1e-4, "{game:?}");
            } else {
                assert_eq!(old, new, "{game:?}: other nodes keep their bits");
            }
        }
    }
}

#[test]
fn a_scene_that_another_program_wrote_is_packed() {
    check(false, true);
}

#[test]
fn triangles_in_another_order_are_found_again() {
    check(true, true);
}

#[test]
fn nodes_without_extras_are_found_by_name() {
    check(false, false);
}

#[test]
fn a_scene_that_was_only_written_anew_changes_no_file() {
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        for output in place.scenes() {
            let mut scene = Scene::open(&place.out(&output.path));
            rewrite(&mut scene, true);
            scene.save();
        }
        let packed = place.pack();
        assert!(
            !packed.unedited.is_empty() && packed.files.is_empty(),
            "{game:?}"
        );
    }
}

/// The scenes of worlds and models, also hidden ones.
fn all_scenes(place: &Place) -> Vec<PathBuf> {
    let outputs = place.manifest().outputs.into_iter();
    let scenes = outputs.filter(|output| {
        matches!(output.kind, AssetKind::Worlds | AssetKind::Models)
            && output.path.ends_with(".gltf")
    });
    scenes.map(|output| place.out(&output.path)).collect()
}

/// Copies the pictures of a scene beside it under the names that Blender gives them.
fn copy_pictures(scene: &mut Scene, path: &Path) {
    let folder = path.parent().unwrap();
    let mut seen = BTreeMap::<String, usize>::new();
    for image in scene.json["images"].as_array_mut().into_iter().flatten() {
        let Some(uri) = image["uri"].as_str() else {
            continue;
        };
        let from = folder.join(uri.replace("%20", " "));
        let stem = from
            .file_stem()
            .unwrap()
            .to_str()
            .unwrap()
            .replace('.', "_");
        let count = seen.entry(stem.clone()).or_default();
        let name = match *count {
            0 => format!("{stem}.png"),
            count => format!("{stem}-{count}.png"),
        };
        *count += 1;
        fs::copy(&from, folder.join(&name)).unwrap();
        image["uri"] = name.replace(' ', "%20").into();
    }
}

/// Checks that packing finds no edit, and takes no file for a new one.
fn assert_no_edit(place: &Place, game: Game) {
    let packed = place.pack();
    assert_eq!(packed.refused, [], "{game:?}");
    assert_eq!(packed.files, [], "{game:?}");
    assert_eq!(packed.strangers, [""; 0], "{game:?}");
    let edits: Vec<_> = packed.edits.iter().map(|edit| &edit.output).collect();
    assert!(edits.is_empty(), "{game:?}: {edits:?}");
}

#[test]
fn pictures_beside_a_scene_and_the_shape_of_rendered_pictures_are_no_edits() {
    for game in GAMES.into_iter().chain([Game::Eq]) {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        for path in all_scenes(&place) {
            let mut scene = Scene::open(&path);
            scene.json["asset"]["generator"] = "Khronos glTF Blender I/O v4.2.60".into();
            copy_pictures(&mut scene, &path);
            for camera in scene.json["cameras"].as_array_mut().into_iter().flatten() {
                camera["perspective"]["aspectRatio"] = json!(16.0 / 9.0);
            }
            scene.save();
        }
        assert_no_edit(&place, game);
    }
}

/// Removes what has no value, as pygltflib does.
fn remove_nulls(value: &mut Value) {
    if let Some(entries) = value.as_object_mut() {
        entries.retain(|_, entry| !entry.is_null());
        entries.values_mut().for_each(remove_nulls);
    }
    let list = value.as_array_mut().into_iter().flatten();
    list.for_each(remove_nulls);
}

#[test]
fn sparse_numbers_and_left_out_nulls_are_no_edits() {
    for game in GAMES.into_iter().chain([Game::Eq]) {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        for path in all_scenes(&place) {
            let mut scene = Scene::open(&path);
            scene.json["asset"]["generator"] = "glTF-Transform v4.5.1".into();
            for mesh in 0..scene.json["meshes"].as_array().map_or(0, Vec::len) {
                if let Some(accessor) = scene.attribute(mesh, 0, "POSITION") {
                    scene.make_sparse(accessor);
                }
            }
            remove_nulls(&mut scene.json);
            scene.save();
        }
        let packed = place.pack();
        assert_eq!(packed.refused, [], "{game:?}");
        assert_eq!(packed.files, [], "{game:?}");
        assert!(!packed.unedited.is_empty(), "{game:?}");
    }
}

/// Writes a scene as Godot does: pictures anew, with names of its own; positions in 16 bits; emission encoded twice;
/// textures that repeat; no extensions of surfaces but unlit ones; a root of its own; a material for surfaces without.
fn as_godot(scene: &mut Scene, path: &Path) {
    scene.json["asset"]["generator"] = "Godot Engine v4.6.3.stable".into();
    let folder = path.parent().unwrap();
    fs::create_dir_all(folder.join("textures")).unwrap();
    for image in scene.json["images"].as_array_mut().into_iter().flatten() {
        let Some(uri) = image["uri"].as_str() else {
            continue;
        };
        let from = folder.join(uri.replace("%20", " "));
        let picture = image::open(from).unwrap().into_rgba8();
        let names = (2..).map(|number| format!("{}{number}", image["name"].as_str().unwrap()));
        let file = |name: &String| folder.join("textures").join(format!("{name}.png"));
        let name = { names }.find(|name| !file(name).exists()).unwrap();
        picture.save(file(&name)).unwrap();
        *image = json!({"name": name, "uri": format!("textures%2F{name}.png").replace(' ', "%20")});
    }
    for sampler in scene.json["samplers"].as_array_mut().into_iter().flatten() {
        let sampler = sampler.as_object_mut().unwrap();
        sampler.retain(|key, _| !key.starts_with("wrap"));
    }
    let encode = |light: f64| match light <= 0.003_130_8 {
        true => light * 12.92,
        false => 1.055 * light.powf(1.0 / 2.4) - 0.055,
    };
    for material in scene.json["materials"].as_array_mut().into_iter().flatten() {
        for part in material["emissiveFactor"]
            .as_array_mut()
            .into_iter()
            .flatten()
        {
            *part = encode(encode(part.as_f64().unwrap())).into();
        }
        if let Some(extensions) = material["extensions"].as_object_mut() {
            extensions.retain(|name, _| name == "KHR_materials_unlit");
        }
    }
    let primitives = |scene: &Scene, mesh: usize| {
        scene.json["meshes"][mesh]["primitives"]
            .as_array()
            .map_or(0, Vec::len)
    };
    for mesh in 0..scene.json["meshes"].as_array().map_or(0, Vec::len) {
        for primitive in 0..primitives(scene, mesh) {
            let material = &scene.json["meshes"][mesh]["primitives"][primitive]["material"];
            if material.is_null() {
                let materials = &mut scene.json["materials"];
                if materials.is_null() {
                    *materials = json!([]);
                }
                let materials = materials.as_array_mut().unwrap();
                materials.push(json!({}));
                let own = materials.len() - 1;
                scene.json["meshes"][mesh]["primitives"][primitive]["material"] = own.into();
            }
            let Some(accessor) = scene.attribute(mesh, primitive, "POSITION") else {
                continue;
            };
            let mut rows = scene.floats::<3>(accessor);
            for axis in 0..3 {
                let parts = rows.iter().map(|row| row[axis]);
                let (least, most) = parts.fold((f32::MAX, f32::MIN), |(least, most), it| {
                    (least.min(it), most.max(it))
                });
                let size = (most - least).max(f32::MIN_POSITIVE);
                for row in &mut rows {
                    let steps = ((row[axis] - least) / size * 65535.0).floor();
                    row[axis] = least + steps / 65535.0 * size;
                }
            }
            let rounded = scene.add_floats(&rows);
            let primitive = &mut scene.json["meshes"][mesh]["primitives"][primitive];
            primitive["attributes"]["POSITION"] = rounded.into();
        }
    }
    let nodes = scene.nodes().len();
    let shown = scene.json["scene"].as_u64().unwrap_or(0) as usize;
    let roots = scene.json["scenes"][shown]["nodes"].take();
    let root = json!({"name": "root", "children": roots});
    scene.json["nodes"].as_array_mut().unwrap().push(root);
    scene.json["scenes"][shown]["nodes"] = json!([nodes]);
}

#[test]
fn what_godot_changes_by_itself_is_no_edit() {
    for game in GAMES.into_iter().chain([Game::Eq]) {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        for path in all_scenes(&place) {
            let mut scene = Scene::open(&path);
            as_godot(&mut scene, &path);
            scene.save();
        }
        assert_no_edit(&place, game);
    }
}

#[test]
fn edited_scenes_of_animations_name_their_documents() {
    for game in GAMES {
        let place = Place::new(&relicast_samples::files(game, 1).unwrap());
        let manifest = place.manifest();
        let mut paths = manifest.outputs.iter().map(|output| &*output.path);
        let path = paths
            .find(|path| path.starts_with("animations/") && path.ends_with("/house.gltf"))
            .unwrap();
        let mut scene = Scene::open(&place.out(path));
        rewrite(&mut scene, true);
        scene.save();
        let refused = place.refused();
        let buffer = path.replace(".gltf", ".bin");
        assert_eq!(
            refused.iter().map(|(path, _)| path).collect::<Vec<_>>(),
            [&buffer, path]
        );
        for (path, why) in refused {
            assert!(why.contains("edit the .json documents"), "{path}: {why}");
        }
    }
}

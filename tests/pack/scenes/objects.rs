//! Objects that are copied, added and deleted in worlds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use relicast::asset::Game;
use relicast::formats::zipper::gamez;
use relicast::pack::pack;
use relicast::pipeline::report::manifest::ManifestOutput;
use relicast_samples::SampleFile;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::common::files;
use crate::scenes::GAMES;
use crate::scenes::foreign::rewrite;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;
use crate::scenes::triangles::{Corner, WrittenTriangle, all, read, write};

pub(super) fn world_of(place: &Place) -> ManifestOutput {
    let mut scenes = place.scenes().into_iter();
    let world = scenes.find(|output| output.path.starts_with("worlds/"));
    world.unwrap()
}

pub(super) fn sample(game: Game) -> Vec<SampleFile> {
    relicast_samples::files(game, 1).unwrap()
}

pub(super) fn children(scene: &Scene, node: usize) -> Vec<usize> {
    let list = scene.nodes()[node]["children"].as_array();
    let numbers = list.into_iter().flatten();
    numbers.map(|it| it.as_u64().unwrap() as usize).collect()
}

pub(super) fn parent_of(scene: &Scene, node: usize) -> Option<usize> {
    (0..scene.nodes().len()).find(|&parent| children(scene, parent).contains(&node))
}

/// A node of the first scene by its name.
pub(super) fn find(scene: &Scene, name: &str) -> usize {
    let shown = scene.shown().into_iter();
    let mut named = shown.filter(|&node| scene.nodes()[node]["name"] == name);
    named.next().unwrap_or_else(|| panic!("there is a {name}"))
}

pub(super) fn add_child(scene: &mut Scene, parent: usize, child: usize) {
    let list = &mut scene.json["nodes"][parent]["children"];
    match list.as_array_mut() {
        Some(list) => list.push(child.into()),
        None => *list = json!([child]),
    }
}

/// Copies a node with all below it next to it, as programs do; names end in `ending`.
pub(super) fn duplicate(scene: &mut Scene, node: usize, ending: &str) -> usize {
    let copy = copy_tree(scene, node, ending);
    let parent = parent_of(scene, node).unwrap();
    add_child(scene, parent, copy);
    copy
}

fn copy_tree(scene: &mut Scene, node: usize, ending: &str) -> usize {
    let below = children(scene, node);
    let below: Vec<usize> = below
        .into_iter()
        .map(|child| copy_tree(scene, child, ending))
        .collect();
    let mut copy = scene.nodes()[node].clone();
    copy["name"] = format!("{}{ending}", copy["name"].as_str().unwrap()).into();
    if !below.is_empty() {
        copy["children"] = below.into();
    }
    let nodes = scene.json["nodes"].as_array_mut().unwrap();
    nodes.push(copy);
    nodes.len() - 1
}

/// Takes a node out of the first scene.
pub(super) fn delete(scene: &mut Scene, node: usize) {
    let parent = parent_of(scene, node).unwrap();
    let left: Vec<usize> = children(scene, parent)
        .into_iter()
        .filter(|child| *child != node)
        .collect();
    scene.json["nodes"][parent]["children"] = left.into();
}

pub(super) fn shift(scene: &mut Scene, node: usize, by: [f32; 3]) {
    let at: [f32; 3] = scene.vector(node, "translation", [0.0; 3]);
    let at: [f32; 3] = std::array::from_fn(|axis| at[axis] + by[axis]);
    scene.set(node, "translation", at);
}

/// Transform and triangles of a node and all below it. Names are of no account, the order of children is.
pub(super) fn shape(
    scene: &Scene,
    node: usize,
    meshes: &BTreeMap<String, Vec<WrittenTriangle>>,
) -> Vec<Value> {
    let value = &scene.nodes()[node];
    let mesh = value["mesh"].as_u64().map(|mesh| {
        let name = scene.json["meshes"][mesh as usize]["name"]
            .as_str()
            .unwrap();
        format!("{:?}", meshes[name])
    });
    let place: [f32; 3] = scene.vector(node, "translation", [0.0; 3]);
    let turn: [f32; 4] = scene.vector(node, "rotation", [0.0, 0.0, 0.0, 1.0]);
    let size: [f32; 3] = scene.vector(node, "scale", [1.0; 3]);
    let round = |part: f32| (part * 500.0).round() / 500.0;
    let numbers: Vec<f32> = place
        .into_iter()
        .chain(turn)
        .chain(size)
        .map(round)
        .collect();
    let mut all = vec![json!([mesh, numbers])];
    for child in children(scene, node) {
        all.extend(shape(scene, child, meshes));
    }
    all
}

/// Transforms and triangles of each node of the first scene, by its index in the game file.
pub(super) fn shown(scene: &Scene) -> BTreeMap<u64, Vec<Value>> {
    let meshes = all(scene);
    let mut found = BTreeMap::<u64, Vec<Value>>::new();
    for node in scene.shown() {
        let value = &scene.nodes()[node];
        let Some(index) = value["extras"]["zipper"]["index"].as_u64() else {
            continue;
        };
        if value["extras"]["zipper"]["class"] == "world" {
            continue;
        }
        found
            .entry(index)
            .or_default()
            .extend(shape(scene, node, &meshes));
    }
    found
}

pub(super) fn after(place: &Place, path: &str) -> Scene {
    place.convert_packed();
    Scene::open(&place.path("after").join(path))
}

/// Packs again from the packed game with the edit undone: the bytes are those of the install.
pub(super) fn assert_undone(place: &Place, path: &str, undo: impl FnOnce(&mut Scene)) {
    let back = place.again("modded");
    let mut scene = Scene::open(&back.out(path));
    undo(&mut scene);
    scene.save();
    back.pack();
    for path in files(&back.path("mod")) {
        if path.ends_with(".zbd") {
            let found = fs::read(back.path("mod").join(&path)).unwrap();
            let wanted = fs::read(place.path("install").join(&path)).unwrap();
            assert!(found == wanted, "{path}");
        }
    }
}

/// Deviations of the world of an install from the format.
fn deviations(place: &Place, folder: &str, source: &str) -> u64 {
    let bytes = fs::read(place.path(folder).join(source)).unwrap();
    gamez::decode(&bytes).unwrap().deviations.total() as u64
}

#[test]
fn a_copied_object_is_shown_and_deleted_again_leaves_the_bytes_of_the_install() {
    for game in GAMES {
        let place = Place::new(&sample(game));
        let output = world_of(&place);
        let mut scene = Scene::open(&place.out(&output.path));
        let before = shown(&scene);
        let fence = find(&scene, "fence_02");
        let copy = duplicate(&mut scene, fence, "_new");
        shift(&mut scene, copy, [6.0, 0.5, -3.0]);
        scene.save();
        let wanted = shape(&scene, copy, &all(&scene));
        let packed = place.pack();
        assert_eq!(packed.files.len(), 1, "{game:?}");
        let said = packed.edits[0].rounding.clone().unwrap();
        assert!(said.contains("added: fence_02_new"), "{said}");
        let scene = after(&place, &output.path);
        let found = find(&scene, "fence_02_new");
        assert_eq!(shape(&scene, found, &all(&scene)), wanted, "{game:?}");
        let mut now = shown(&scene);
        let index = scene.nodes()[found]["extras"]["zipper"]["index"]
            .as_u64()
            .unwrap();
        assert!(now.remove(&index).is_some());
        assert_eq!(now, before, "{game:?}: everything else is as it was");
        assert_eq!(
            deviations(&place, "install", &output.source),
            deviations(&place, "mod", &output.source),
            "{game:?}"
        );
        assert_undone(&place, &output.path, |scene| {
            let copy = find(scene, "fence_02_new");
            delete(scene, copy);
        });
    }
}

#[test]
fn a_copied_tree_has_all_its_parts() {
    for game in GAMES {
        for name in ["tower", "pole", "house"] {
            let place = Place::new(&sample(game));
            let output = world_of(&place);
            let mut scene = Scene::open(&place.out(&output.path));
            let before = shown(&scene);
            let node = find(&scene, name);
            let copy = duplicate(&mut scene, node, "");
            shift(&mut scene, copy, [-12.0, 0.0, 9.0]);
            scene.save();
            let wanted = shape(&scene, copy, &all(&scene));
            place.pack();
            let scene = after(&place, &output.path);
            let found = find(&scene, &format!("{name}_001"));
            let bytes = fs::read(place.path("mod").join(&*output.source)).unwrap();
            let stored = gamez::decode(&bytes).unwrap().value.nodes.used;
            let parts = |name: &str| {
                let mut nodes = stored.iter();
                let node = nodes.find(|node| node.name() == name).unwrap();
                node.children.len()
            };
            // With levels of detail that the scene does not show.
            assert_eq!(parts(name), parts(&format!("{name}_001")), "{game:?}");
            assert_eq!(
                shape(&scene, found, &all(&scene)),
                wanted,
                "{game:?} {name}"
            );
            let now = shown(&scene);
            for (index, parts) in before {
                assert_eq!(now[&index], parts, "{game:?} {name} {index}");
            }
        }
    }
}

#[test]
fn a_copy_by_another_program_is_packed_too() {
    for game in GAMES {
        let place = Place::new(&sample(game));
        let output = world_of(&place);
        let mut scene = Scene::open(&place.out(&output.path));
        let node = find(&scene, "fence_02");
        let copy = duplicate(&mut scene, node, "");
        shift(&mut scene, copy, [4.0, 0.0, 4.0]);
        let mesh = scene.nodes()[copy]["mesh"].as_u64().unwrap() as usize;
        // A mesh of its own with the same triangles, as Blender makes it.
        let meshes = scene.json["meshes"].as_array_mut().unwrap();
        let mut own = meshes[mesh].clone();
        own["name"] = format!("{}.001", own["name"].as_str().unwrap()).into();
        meshes.push(own);
        let number = meshes.len() - 1;
        scene.json["nodes"][copy]["mesh"] = number.into();
        let wanted = shape(&scene, copy, &all(&scene));
        rewrite(&mut scene, true);
        scene.save();
        place.pack();
        let scene = after(&place, &output.path);
        let is_copy = |node: &usize| {
            let name = scene.nodes()[*node]["name"].as_str().unwrap();
            name.starts_with("fence_02_")
        };
        let found = scene.shown().into_iter().find(is_copy).unwrap();
        assert_eq!(shape(&scene, found, &all(&scene)), wanted, "{game:?}");
        let shared = find(&scene, "fence_02");
        let mesh = |node: usize| &scene.nodes()[node]["mesh"];
        assert_eq!(mesh(found), mesh(shared), "{game:?}: the model is shared");
    }
}

/// Deletes an object of a sample. Returns false if something refers to it.
fn deleted(game: Game, name: &str) -> bool {
    let place = Place::new(&sample(game));
    let output = world_of(&place);
    let mut scene = Scene::open(&place.out(&output.path));
    let before = shown(&scene);
    let node = find(&scene, name);
    let mut gone = BTreeSet::new();
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        gone.extend(scene.nodes()[node]["extras"]["zipper"]["index"].as_u64());
        stack.extend(children(&scene, node));
    }
    delete(&mut scene, node);
    scene.save();
    let packed = pack(&place.request()).unwrap();
    if let [(_, refusal)] = &*packed.refused {
        let refusal = refusal.to_string();
        let is_used = refusal.contains("animation definition") || refusal.contains("camera");
        assert!(is_used, "{refusal}");
        return false;
    }
    let said = packed.edits[0].rounding.clone().unwrap();
    assert!(said.contains(&format!("deleted: {name}")), "{said}");
    let scene = after(&place, &output.path);
    let now = shown(&scene);
    for (index, parts) in before {
        match now.get(&index) {
            None => assert!(gone.contains(&index), "{game:?} {name} {index}"),
            Some(found) if !gone.contains(&index) => assert_eq!(*found, parts),
            // Another object has this part too.
            Some(found) => assert!(found.len() < parts.len(), "{game:?} {name} {index}"),
        }
    }
    let is_light = name == "sunlight";
    let report = fs::read_to_string(place.path("after/report.json")).unwrap();
    let note = "1 light that the world does not list, inactive: left out of scenes";
    assert_eq!(report.contains(note), is_light, "{game:?} {name}");
    // All known lights are active, but for those of Crimson Skies.
    let is_odd = is_light && game != Game::Cs;
    assert_eq!(
        deviations(&place, "install", &output.source) + u64::from(is_odd),
        deviations(&place, "mod", &output.source),
        "{game:?}"
    );
    true
}

#[test]
fn a_deleted_object_is_shown_no_more() {
    for game in GAMES {
        let names = [
            "fireflies",
            "fence_01",
            "pole",
            "ground_01",
            "lantern",
            "sunlight",
        ];
        let found: Vec<&str> = names
            .into_iter()
            .filter(|name| deleted(game, name))
            .collect();
        // Animations name the others.
        let wanted = ["fireflies", "ground_01", "lantern", "sunlight"];
        assert_eq!(found, wanted, "{game:?}");
    }
}

#[test]
fn objects_that_animations_name_are_not_deleted() {
    for game in GAMES {
        for name in ["house", "fence_01", "fence_02", "tower", "pole"] {
            let place = Place::new(&sample(game));
            let output = world_of(&place);
            let mut scene = Scene::open(&place.out(&output.path));
            let node = find(&scene, name);
            delete(&mut scene, node);
            scene.save();
            let reason = &place.refused()[0].1;
            assert!(
                reason.contains(&format!("node {name}")),
                "{game:?} {reason}"
            );
            let definition = reason.split("animation definition ").nth(1).unwrap();
            let definition = definition.split_whitespace().next().unwrap().as_bytes();
            let is_named = sample(game).iter().any(|file| {
                let path = file.path.to_ascii_lowercase();
                let mut places = file.bytes.windows(definition.len());
                path.ends_with("anim.zbd") && places.any(|place| place == definition)
            });
            assert!(is_named, "{game:?} {reason}");
        }
    }
}

/// A pyramid of a material of the scene, as a mesh of its own.
pub(super) fn pyramid(scene: &mut Scene, like: usize) -> usize {
    let known = read(scene, like, 0)[0];
    let corner = |at: [f32; 3]| Corner { at, ..known };
    let tip = [0.25, 2.0, 0.25];
    let ring = [
        [-1.0, 0.0, -1.0],
        [-1.0, 0.0, 1.5],
        [1.25, 0.0, 1.5],
        [1.0, 0.0, -1.0],
    ];
    let mut corners = Vec::new();
    for step in 0..4 {
        corners.extend([ring[step], ring[(step + 1) % 4], tip].map(corner));
    }
    let primitive = scene.json["meshes"][like]["primitives"][0].clone();
    let meshes = scene.json["meshes"].as_array_mut().unwrap();
    meshes.push(json!({"name": "pyramid", "primitives": [primitive]}));
    let mesh = meshes.len() - 1;
    write(scene, mesh, 0, &corners);
    mesh
}

#[test]
fn an_object_with_a_mesh_of_its_own_gets_a_model_of_its_own() {
    for game in GAMES {
        let place = Place::new(&sample(game));
        let output = world_of(&place);
        let mut scene = Scene::open(&place.out(&output.path));
        let before = shown(&scene);
        let like = find(&scene, "fence_02");
        let like = scene.nodes()[like]["mesh"].as_u64().unwrap() as usize;
        let mesh = pyramid(&mut scene, like);
        let nodes = scene.json["nodes"].as_array_mut().unwrap();
        nodes.push(json!({"name": "pyramid", "mesh": mesh, "translation": [77.0, 1.0, 66.0]}));
        let node = nodes.len() - 1;
        let world = find(&scene, "world1");
        add_child(&mut scene, world, node);
        scene.save();
        let wanted = shape(&scene, node, &all(&scene));
        let packed = place.pack();
        assert_eq!(packed.files.len(), 1, "{game:?}");
        let scene = after(&place, &output.path);
        let found = find(&scene, "pyramid");
        assert_eq!(shape(&scene, found, &all(&scene)), wanted, "{game:?}");
        let now = shown(&scene);
        for (index, parts) in before {
            assert_eq!(now[&index], parts, "{game:?} {index}");
        }
        assert_eq!(
            deviations(&place, "install", &output.source),
            deviations(&place, "mod", &output.source),
            "{game:?}"
        );
        assert_undone(&place, &output.path, |scene| {
            let node = find(scene, "pyramid");
            delete(scene, node);
        });
    }
}

#[test]
fn a_single_triangle_without_picture_is_shown_and_no_marker() {
    let place = Place::new(&sample(Game::Cs));
    let output = world_of(&place);
    let mut scene = Scene::open(&place.out(&output.path));
    let like = find(&scene, "lantern");
    let like = scene.nodes()[like]["mesh"].as_u64().unwrap() as usize;
    let mut mesh = scene.json["meshes"][like].clone();
    mesh["name"] = "shard".into();
    mesh["primitives"].as_array_mut().unwrap().truncate(1);
    let meshes = scene.json["meshes"].as_array_mut().unwrap();
    meshes.push(mesh);
    let mesh = meshes.len() - 1;
    let corners = read(&scene, like, 0);
    write(&mut scene, mesh, 0, &corners[..3]);
    let lantern = find(&scene, "lantern");
    let node = duplicate(&mut scene, lantern, "_shard");
    scene.json["nodes"][node]["mesh"] = mesh.into();
    scene.save();
    let wanted = shape(&scene, node, &all(&scene));
    place.pack();
    let scene = after(&place, &output.path);
    let found = find(&scene, "lantern_shard");
    assert_eq!(shape(&scene, found, &all(&scene)), wanted);
}

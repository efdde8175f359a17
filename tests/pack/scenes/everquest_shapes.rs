//! New shapes, moved ground, placements below other nodes, and scenes edited together with documents of their file, in
//! EverQuest.

use relicast::asset::Game;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::everquest_meshes::{sample, scenes};
use crate::scenes::everquest_topology::corners;
use crate::scenes::near;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

fn zone(place: &Place) -> (String, Scene) {
    let mut all = scenes(place, "dell.s3d").into_iter();
    let path = all
        .find(|path| path.starts_with("worlds/dell.gltf"))
        .unwrap();
    let scene = Scene::open(&place.out(&path));
    (path, scene)
}

fn node(scene: &Scene, name: &str) -> usize {
    let mut nodes = scene.nodes().iter();
    nodes.position(|node| node["name"] == name).unwrap()
}

fn ground(scene: &Scene) -> usize {
    scene.nodes()[node(scene, "terrain")]["mesh"]
        .as_u64()
        .unwrap() as usize
}

/// Adds a node with a mesh of one triangle, at a distance from the origin.
fn add_shape(scene: &mut Scene, parent: Option<&str>) {
    let material = scene.json["meshes"][ground(scene)]["primitives"][0]["material"].clone();
    let places = [[0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [2.0, 0.0, 0.0]];
    let attributes = json!({
        "POSITION": scene.add_floats(&places),
        "NORMAL": scene.add_floats(&[[0.0, 1.0, 0.0]; 3]),
        "TEXCOORD_0": scene.add_floats(&[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]),
    });
    let meshes = scene.json["meshes"].as_array_mut().unwrap();
    let mesh = meshes.len();
    let part = json!({"attributes": attributes, "material": material});
    meshes.push(json!({"name": "Plane", "primitives": [part]}));
    let nodes = scene.json["nodes"].as_array_mut().unwrap();
    let new = nodes.len();
    nodes.push(json!({"name": "Plane", "mesh": mesh, "translation": [4.0, 3.0, 5.0]}));
    let list = match parent {
        Some(parent) => {
            let parent = node(scene, parent);
            &mut scene.json["nodes"][parent]["children"]
        }
        None => &mut scene.json["scenes"][0]["nodes"],
    };
    list.as_array_mut().unwrap().push(new.into());
}

#[test]
fn a_new_shape_becomes_part_of_the_ground() {
    for parent in [None, Some("objects"), Some("dell")] {
        let place = sample();
        let (path, mut scene) = zone(&place);
        let before = corners(&scene, ground(&scene)).len();
        add_shape(&mut scene, parent);
        scene.save();
        let packed = place.pack();
        let reported = format!("{:?}", packed.edits);
        assert!(reported.contains("Plane joined"), "{reported}");
        place.convert_packed();
        let after = Scene::open(&place.path("after").join(&path));
        let found = corners(&after, ground(&after));
        assert_eq!(found.len(), before + 3);
        for corner in [[4.0, 3.0, 5.0], [4.0, 3.0, 7.0], [6.0, 3.0, 5.0]] {
            assert!(found.iter().any(|it| near(*it, corner, 0.01)), "{corner:?}");
        }
    }
}

#[test]
fn a_new_node_without_a_mesh_is_refused() {
    let place = sample();
    let (_, mut scene) = zone(&place);
    let nodes = scene.json["nodes"].as_array_mut().unwrap();
    let new = nodes.len();
    nodes.push(json!({"name": "Empty"}));
    let roots = scene.json["scenes"][0]["nodes"].as_array_mut().unwrap();
    roots.push(new.into());
    scene.save();
    let refused = place.refused();
    assert!(
        refused[0].1.contains("node Empty: it is new"),
        "{refused:?}"
    );
}

#[test]
fn a_new_shape_with_edges_that_no_face_has_is_refused() {
    let place = sample();
    let (_, mut scene) = zone(&place);
    add_shape(&mut scene, None);
    let positions = scene.add_floats(&[[0.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
    let mesh = scene.json["meshes"].as_array_mut().unwrap().last_mut();
    let parts = mesh.unwrap()["primitives"].as_array_mut().unwrap();
    let mut edge = json!({"attributes": {"POSITION": positions}, "mode": 1});
    edge["material"] = parts[0]["material"].clone();
    parts.push(edge);
    scene.save();
    let refused = place.refused();
    assert!(refused[0].1.contains("edges or points"), "{refused:?}");
}

#[test]
fn ground_that_was_moved_as_a_whole_is_packed() {
    let place = sample();
    let (path, mut scene) = zone(&place);
    let before = corners(&scene, ground(&scene));
    let moved = node(&scene, "terrain");
    scene.set(moved, "translation", [1.5, 0.5, -2.0]);
    scene.save();
    place.pack();
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(&path));
    let found = corners(&after, ground(&after));
    assert_eq!(found.len(), before.len());
    for (before, found) in before.into_iter().zip(found) {
        let [x, y, z] = before;
        assert!(
            near([x + 1.5, y + 0.5, z - 2.0], found, 0.01),
            "{before:?} {found:?}"
        );
    }
}

#[test]
fn a_placement_below_another_stays_where_the_edit_shows_it() {
    let place = sample();
    let (path, mut scene) = zone(&place);
    let (above, below) = (node(&scene, "ELM"), node(&scene, "ELM_2"));
    let objects = node(&scene, "objects");
    let list = scene.json["nodes"][objects]["children"]
        .as_array_mut()
        .unwrap();
    list.retain(|child| *child != below);
    scene.json["nodes"][above]["children"] = json!([below]);
    let [x, y, z] = scene.vector(above, "translation", [0.0; 3]);
    scene.set(above, "rotation", [0.0, 0.0, 0.0, 1.0]);
    scene.set(below, "translation", [2.0, 0.5, 1.0]);
    scene.save();
    place.pack();
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(&path));
    let found = after.vector(node(&after, "ELM_2"), "translation", [0.0; 3]);
    assert!(near(found, [x + 2.0, y + 0.5, z + 1.0], 0.01), "{found:?}");
}

/// A place with raw documents, in which a placement is moved in the scene.
fn with_documents() -> (Place, String) {
    let files = relicast_samples::files(Game::Eq, 1).unwrap();
    let place = Place::with(&files, |config| config.raw.enabled = true);
    let (path, mut scene) = zone(&place);
    let elm = node(&scene, "ELM");
    let [x, y, z] = scene.vector(elm, "translation", [0.0; 3]);
    scene.set(elm, "translation", [x + 2.0, y, z]);
    scene.save();
    (place, path)
}

/// Changes a value of a placement in the raw document.
fn edit_document(place: &Place, fragment: usize, edit: impl Fn(&mut Value)) -> String {
    let path = "worlds/dell/objects.raw.json";
    let text = std::fs::read(place.out(path)).unwrap();
    let mut document: Value = serde_json::from_slice(&text).unwrap();
    edit(&mut document["fragments"][fragment]["body"]["actor"]["place"]);
    std::fs::write(place.out(path), serde_json::to_vec(&document).unwrap()).unwrap();
    path.to_owned()
}

#[test]
fn a_scene_and_a_document_of_its_file_are_packed_together() {
    let (place, path) = with_documents();
    let document = edit_document(&place, 3, |actor| actor["unk24"] = 7.into());
    place.pack();
    place.convert_packed();
    let [wanted, after] = [place.out(&path), place.path("after").join(&path)];
    let [wanted, after] = [wanted, after].map(|path| Scene::open(&path));
    let moved = |scene: &Scene| scene.vector(node(scene, "ELM"), "translation", [0.0; 3]);
    assert!(near(moved(&after), moved(&wanted), 0.001));
    let text = std::fs::read(place.path("after").join(document)).unwrap();
    let document: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(
        document["fragments"][3]["body"]["actor"]["place"]["unk24"],
        7
    );
}

#[test]
fn a_document_that_changes_what_the_scene_shows_is_refused_with_the_reason() {
    let (place, _) = with_documents();
    edit_document(&place, 3, |actor| actor["position"]["x"] = 9.5.into());
    let refused = place.refused();
    let reason = "a document of the same file was edited too";
    assert!(
        refused.iter().any(|(_, said)| said.contains(reason)),
        "{refused:?}"
    );
}

#[test]
fn a_new_name_of_a_placement_is_named_as_not_stored() {
    let place = sample();
    let (_, mut scene) = zone(&place);
    let elm = node(&scene, "ELM");
    scene.json["nodes"][elm]["name"] = "old elm".into();
    let [x, y, z] = scene.vector(elm, "translation", [0.0; 3]);
    scene.set(elm, "translation", [x + 2.0, y, z]);
    scene.save();
    let reported = format!("{:?}", place.pack().edits);
    assert!(
        reported.contains("not stored by the game: the new name of ELM"),
        "{reported}"
    );
}

/// Doubles a placed model by its mesh alone, as "Apply" does in Blender.
fn apply_scale(scene: &mut Scene, placed: usize) {
    let mesh = scene.nodes()[placed]["mesh"].as_u64().unwrap() as usize;
    let mut own = scene.json["meshes"][mesh].clone();
    for part in own["primitives"].as_array_mut().unwrap() {
        let places = part["attributes"]["POSITION"].as_u64().unwrap() as usize;
        let rows = scene.floats::<3>(places).into_iter();
        let rows: Vec<[f32; 3]> = rows.map(|row| row.map(|part| part * 2.0)).collect();
        part["attributes"]["POSITION"] = scene.add_floats(&rows).into();
    }
    let meshes = scene.json["meshes"].as_array_mut().unwrap();
    meshes.push(own);
    scene.json["nodes"][placed]["mesh"] = (meshes.len() - 1).into();
}

#[test]
fn a_transform_applied_to_the_mesh_of_a_placement_is_that_of_the_placement() {
    let place = sample();
    let (path, mut scene) = zone(&place);
    let placed = node(&scene, "ELM");
    let before = scene.vector(placed, "scale", [1.0; 3]);
    apply_scale(&mut scene, placed);
    scene.save();
    let packed = place.pack();
    let said = format!("{:?}", packed.edits);
    assert!(said.contains("keeps the transform"), "{said}");
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(&path));
    let scale = after.vector(node(&after, "ELM"), "scale", [1.0; 3]);
    assert!(
        near(scale, before.map(|part| part * 2.0), 1e-4),
        "{scale:?}"
    );
}

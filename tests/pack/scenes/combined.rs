//! Edits of several kinds of one mesh, packed in one step.

use relicast::asset::Game;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::GAMES;
use crate::scenes::foreign::rewrite;
use crate::scenes::objects::{add_child, after, delete, find, parent_of, sample, shape, world_of};
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;
use crate::scenes::topology::subdivide;
use crate::scenes::triangles::{all, read, write};

/// The material of the first primitive of a node's mesh.
fn material<'s>(scene: &'s mut Scene, name: &str) -> &'s mut Value {
    let mesh = scene.nodes()[find(scene, name)]["mesh"].as_u64().unwrap();
    let part = &scene.json["meshes"][mesh as usize]["primitives"][0];
    let number = part["material"].as_u64().unwrap();
    &mut scene.json["materials"][number as usize]
}

/// Subdivides the walls of a house and edits their material; returns the material in the packed game.
fn packed(game: Game, edit: impl Fn(&mut Value)) -> Value {
    let place = Place::new(&sample(game));
    let output = world_of(&place);
    let mut scene = Scene::open(&place.out(&output.path));
    let node = find(&scene, "house_walls");
    let mesh = scene.nodes()[node]["mesh"].as_u64().unwrap();
    subdivide(&mut scene, mesh as usize);
    edit(material(&mut scene, "house_walls"));
    scene.save();
    place.pack();
    let mut shown = after(&place, &output.path);
    let count = |scene: &Scene| shape(scene, find(scene, "house_walls"), &all(scene)).len();
    assert_eq!(count(&shown), count(&scene), "{game:?}");
    material(&mut shown, "house_walls").clone()
}

#[test]
fn a_mesh_gets_other_triangles_and_its_material_other_sides() {
    for game in GAMES {
        let shown = packed(game, |material| material["doubleSided"] = true.into());
        assert_eq!(shown["doubleSided"], true, "{game:?} {shown}");
    }
}

#[test]
fn a_mesh_gets_other_triangles_and_its_material_loses_its_picture() {
    for game in GAMES {
        let shown = packed(game, |material| {
            let surface = material["pbrMetallicRoughness"].as_object_mut().unwrap();
            surface.remove("baseColorTexture");
            surface.insert("baseColorFactor".to_owned(), json!([0.25, 0.5, 0.125, 1.0]));
        });
        let surface = &shown["pbrMetallicRoughness"];
        assert!(surface["baseColorTexture"].is_null(), "{game:?} {shown}");
        let color = surface["baseColorFactor"][1].as_f64().unwrap();
        assert!((color - 0.5).abs() < 5e-3, "{game:?} {shown}");
    }
}

#[test]
fn an_object_gets_another_parent_and_another_shape_in_a_program() {
    let path = "models/zbd/mechlib/wanderer.gltf";
    let place = Place::new(&sample(Game::Pm));
    let mut scene = Scene::open(&place.out(path));
    let (body, gun) = (find(&scene, "torso_body"), find(&scene, "gun"));
    delete(&mut scene, body);
    add_child(&mut scene, gun, body);
    let mesh = scene.nodes()[body]["mesh"].as_u64().unwrap() as usize;
    let parts = scene.json["meshes"][mesh]["primitives"].as_array().unwrap();
    for part in 0..parts.len() {
        let mut corners = read(&scene, mesh, part);
        for corner in &mut corners {
            corner.at[1] *= 1.5;
        }
        write(&mut scene, mesh, part, &corners);
    }
    let wanted = shape(&scene, body, &all(&scene));
    rewrite(&mut scene, true);
    scene.save();
    place.pack();
    let shown = after(&place, path);
    let body = find(&shown, "torso_body");
    assert_eq!(shape(&shown, body, &all(&shown)), wanted);
    let parent = parent_of(&shown, body).unwrap();
    assert_eq!(shown.nodes()[parent]["name"], "gun");
}

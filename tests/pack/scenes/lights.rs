//! Lights and cameras of worlds.

use relicast::asset::Game;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::GAMES;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

fn lights(scene: &Scene) -> &Value {
    &scene.json["extensions"]["KHR_lights_punctual"]["lights"]
}

/// A place, and a world in it that has lights.
fn world(game: Game) -> (Place, String, Scene) {
    let place = Place::new(&relicast_samples::files(game, 1).unwrap());
    let mut scenes = place.scenes().into_iter().map(|output| {
        let scene = Scene::open(&place.out(&output.path));
        (output.path, scene)
    });
    let (path, scene) = scenes.find(|(_, scene)| lights(scene).is_array()).unwrap();
    (place, path, scene)
}

fn after(place: &Place, path: &str) -> Scene {
    place.convert_packed();
    Scene::open(&place.path("after").join(path))
}

fn is_near(one: &Value, other: f64) -> bool {
    (one.as_f64().unwrap() - other).abs() < 1e-3
}

#[test]
fn stored_values_of_lights_are_packed_in_every_game() {
    for game in GAMES {
        let (place, path, mut scene) = world(game);
        let facts =
            &mut scene.json["extensions"]["KHR_lights_punctual"]["lights"][0]["extras"]["zipper"];
        facts["diffuse"] = json!(0.375);
        facts["ambient"] = json!(0.25);
        facts["color"] = json!([0.5, 0.75, 1.0]);
        facts["far"] = json!(facts["far"].as_f64().unwrap() + 100.0);
        let wanted = facts.clone();
        scene.save();
        let packed = place.pack();
        assert_eq!(packed.files.len(), 1, "{game:?}");
        let scene = after(&place, &path);
        let found = &lights(&scene)[0]["extras"]["zipper"];
        assert_eq!(found["flags"], wanted["flags"]);
        for key in ["diffuse", "ambient", "far", "near"] {
            assert!(
                is_near(&found[key], wanted[key].as_f64().unwrap()),
                "{game:?} {key}"
            );
        }
        for (part, wanted) in [0.5, 0.75, 1.0].into_iter().enumerate() {
            assert!(is_near(&found["color"][part], wanted), "{game:?}");
        }
    }
}

#[test]
fn what_lights_shine_like_is_packed_and_they_move() {
    for game in [Game::Rc, Game::Mw, Game::Pm] {
        let (place, path, mut scene) = world(game);
        let node = (0..scene.nodes().len())
            .find(|&node| scene.nodes()[node]["extensions"]["KHR_lights_punctual"]["light"] == 0)
            .unwrap();
        let is_sun = lights(&scene)[0]["type"] == "directional";
        let light = &mut scene.json["extensions"]["KHR_lights_punctual"]["lights"][0];
        let wanted = light["intensity"].as_f64().unwrap() * 0.75;
        if is_sun {
            light["intensity"] = wanted.into();
        }
        if !is_sun || game != Game::Rc {
            light["color"] = json!([0.25, 0.5, 0.75]);
        }
        scene.set(node, "translation", [10.0, 20.0, -30.0]);
        let turned = [0.5_f32, 0.5, 0.5, 0.5];
        scene.set(node, "rotation", turned);
        scene.save();
        place.pack();
        let found = after(&place, &path);
        let light = &lights(&found)[0];
        assert!(!is_sun || is_near(&light["intensity"], wanted), "{game:?}");
        assert_eq!(
            light["color"],
            lights(&scene)[0]["color"],
            "{game:?} has its color"
        );
        let at = found.vector(node, "translation", [0.0; 3]);
        assert_eq!(at, [10.0, 20.0, -30.0]);
        let turn = found.vector(node, "rotation", [0.0, 0.0, 0.0, 1.0]);
        let cosine: f32 = turn.iter().zip(turned).map(|(a, b)| a * b).sum();
        assert!(cosine.abs() > 1.0 - 1e-5, "{game:?} {turn:?}");
    }
}

#[test]
fn cameras_are_packed() {
    let mut seen = 0;
    for game in GAMES {
        let (place, path, mut scene) = world(game);
        if scene.json["cameras"].as_array().is_none_or(Vec::is_empty) {
            continue;
        }
        seen += 1;
        let lens = &mut scene.json["cameras"][0]["perspective"];
        let aspect = lens["aspectRatio"].as_f64();
        lens["yfov"] = json!(0.625);
        lens["znear"] = json!(2.5);
        lens["zfar"] = json!(750.0);
        scene.save();
        assert_eq!(place.pack().files.len(), 1, "{game:?}");
        let found = after(&place, &path);
        let lens = &found.json["cameras"][0]["perspective"];
        assert!(is_near(&lens["yfov"], 0.625) && is_near(&lens["znear"], 2.5));
        assert!(is_near(&lens["zfar"], 750.0));
        assert!(aspect.is_none_or(|aspect| is_near(&lens["aspectRatio"], aspect)));
    }
    assert!(seen >= 3);
}

#[test]
fn a_range_nearer_than_its_start_moves_the_start_along() {
    let (place, path, mut scene) = world(Game::Cs);
    let light = &mut scene.json["extensions"]["KHR_lights_punctual"]["lights"][0];
    light["range"] = json!(20.0);
    let facts = light["extras"]["zipper"].clone();
    scene.save();
    place.pack();
    let found = after(&place, &path);
    let found = &lights(&found)[0]["extras"]["zipper"];
    let share = |facts: &Value| facts["near"].as_f64().unwrap() / facts["far"].as_f64().unwrap();
    assert!(is_near(&found["far"], 20.0), "{found}");
    assert!((share(found) - share(&facts)).abs() < 1e-3, "{found}");
}

#[test]
fn the_color_of_a_sun_of_recoil_is_named_and_the_rest_is_packed() {
    let (place, _, mut scene) = world(Game::Rc);
    let light = &mut scene.json["extensions"]["KHR_lights_punctual"]["lights"][0];
    assert_eq!(light["type"], "directional");
    light["color"] = json!([0.25, 0.5, 1.0]);
    light["extras"]["zipper"]["ambient"] = json!(0.125);
    scene.save();
    let packed = place.pack();
    let said = format!("{:?}", packed.edits);
    assert!(said.contains("not stored by the game: its color"), "{said}");
    assert_eq!(packed.files.len(), 1);
}

#[test]
fn views_of_an_aircraft_move_with_their_eye_and_their_values_are_named() {
    let places = |scene: &Scene| {
        ["cockpit_view", "nose_view", "cockpit_camera"].map(|name| {
            let nodes = scene.nodes();
            let node = nodes.iter().position(|node| node["name"] == name).unwrap();
            scene.vector(node, "translation", [0.0; 3])
        })
    };
    let path = "models/zbd/planes/heron.gltf";
    for moved in ["cockpit_view", "nose_view", "cockpit_camera"] {
        let place = Place::new(&relicast_samples::files(Game::Cs, 1).unwrap());
        let mut scene = Scene::open(&place.out(path));
        let before = places(&scene);
        let node = scene.nodes().iter().position(|node| node["name"] == moved);
        let node = node.unwrap();
        let [x, y, z] = scene.vector(node, "translation", [0.0; 3]);
        scene.json["nodes"][node]["translation"] = json!([x + 0.5, y + 1.0, z - 0.25]);
        scene.json["cameras"][0]["perspective"]["yfov"] = json!(0.5);
        scene.save();
        let packed = place.pack();
        let said = format!("{:?}", packed.edits);
        assert!(said.contains("not stored by the game: its angle"), "{said}");
        let shown = places(&after(&place, path));
        for (old, new) in before.iter().zip(shown) {
            let by = [0, 1, 2].map(|at| new[at] - old[at]);
            let wanted = [0.5, 1.0, -0.25];
            assert!(
                (0..3).all(|at| (by[at] - wanted[at]).abs() < 1e-4),
                "{moved} {by:?}"
            );
        }
    }
}

#[test]
fn views_at_one_eye_that_are_moved_apart_are_refused() {
    let place = Place::new(&relicast_samples::files(Game::Cs, 1).unwrap());
    let mut scene = Scene::open(&place.out("models/zbd/planes/heron.gltf"));
    for (name, y) in [("cockpit_view", 1.0), ("nose_view", 2.0)] {
        let node = scene.nodes().iter().position(|node| node["name"] == name);
        scene.json["nodes"][node.unwrap()]["translation"] = json!([0.0, y, 0.0]);
    }
    scene.save();
    let reason = &place.refused()[0].1;
    assert!(reason.contains("move both in the same way"), "{reason}");
}

#[test]
fn what_lights_do_not_have_is_refused() {
    let reason = |edit: fn(&mut Value)| {
        let (place, _, mut scene) = world(Game::Mw);
        edit(&mut scene.json);
        scene.save();
        place.refused()[0].1.clone()
    };
    let found = reason(|json| {
        json["extensions"]["KHR_lights_punctual"]["lights"][0]["name"] = "lamp".into();
    });
    assert!(found.contains("lights[0]: name"), "{found}");
    let found = reason(|json| {
        let facts = &mut json["extensions"]["KHR_lights_punctual"]["lights"][0]["extras"]["zipper"];
        facts["flags"] = json!(["shiny"]);
    });
    assert!(found.contains("shiny"), "{found}");
    let found = reason(|json| {
        let facts = &mut json["extensions"]["KHR_lights_punctual"]["lights"][0]["extras"]["zipper"];
        facts["near"] = json!(-1.0);
    });
    assert!(found.contains("less than"), "{found}");
    let found = reason(|json| {
        let lights = json["extensions"]["KHR_lights_punctual"]["lights"].as_array_mut();
        lights.unwrap().push(json!({"type": "point"}));
    });
    assert!(found.contains("cannot be added or removed"), "{found}");
}

/// Adds a node to the first scene, with the light of a number.
fn add_lamp(scene: &mut Scene, light: usize, copied: Option<usize>) {
    let mut node = copied.map_or(json!({}), |copied| scene.nodes()[copied].clone());
    node["name"] = "lamp".into();
    node["extensions"] = json!({"KHR_lights_punctual": {"light": light}});
    let nodes = scene.json["nodes"].as_array_mut().unwrap();
    nodes.push(node);
    let number = nodes.len() - 1;
    let roots = scene.json["scenes"][0]["nodes"].as_array_mut().unwrap();
    roots.push(number.into());
}

#[test]
fn new_and_copied_lights_are_refused_by_name() {
    for game in GAMES {
        let (place, _, mut scene) = world(game);
        let all = scene.json["extensions"]["KHR_lights_punctual"]["lights"].as_array_mut();
        let all = all.unwrap();
        all.push(json!({"type": "point"}));
        let last = all.len() - 1;
        add_lamp(&mut scene, last, None);
        scene.save();
        let found = &place.refused()[0].1;
        assert!(found.contains("light lamp: it is new"), "{game:?} {found}");
        // A linked copy has the light of its original.
        let (place, _, mut scene) = world(game);
        let nodes = scene.nodes().iter();
        let mut lights = nodes.map(|node| &node["extensions"]["KHR_lights_punctual"]["light"]);
        let own = lights.position(|light| *light == 0).unwrap();
        add_lamp(&mut scene, 0, Some(own));
        scene.save();
        let found = &place.refused()[0].1;
        assert!(found.contains("light lamp: it is new"), "{game:?} {found}");
    }
}

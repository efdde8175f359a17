//! Lights that an edit adds to zones of EverQuest: copies and new ones.

use relicast::asset::Game;
use relicast::config::LampLight;
use relicast::formats::everquest::wld::{self, Body};
use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::everquest_eqg;
use crate::scenes::everquest_meshes::{packed_and_original, sample, scenes};
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

const ZONE: &str = "worlds/dell.gltf";

fn position_of(scene: &Scene, name: &str) -> usize {
    let mut nodes = scene.nodes().iter();
    nodes.position(|node| node["name"] == name).unwrap()
}

/// Adds a node at the top of a scene.
fn add_node(scene: &mut Scene, node: Value) {
    let nodes = scene.json["nodes"].as_array_mut().unwrap();
    nodes.push(node);
    let number = nodes.len() - 1;
    let roots = scene.json["scenes"][0]["nodes"].as_array_mut().unwrap();
    roots.push(number.into());
}

/// Adds a node with a glTF light at the top of a scene, as Blender does.
fn add_light(scene: &mut Scene, name: &str, place: [f32; 3], light: Value) {
    let lights = &mut scene.json["extensions"]["KHR_lights_punctual"]["lights"];
    if lights.is_null() {
        *lights = json!([]);
    }
    let lights = lights.as_array_mut().unwrap();
    lights.push(light);
    let number = lights.len() - 1;
    let light = json!({"KHR_lights_punctual": {"light": number}});
    // Blender turns lights that shine in all directions.
    let turned = [-0.5_f32.sqrt(), 0.0, 0.0, 0.5_f32.sqrt()];
    add_node(
        scene,
        json!({"name": name, "translation": place, "rotation": turned, "extensions": light}),
    );
}

/// Copies a node of a light, moved.
fn copy(scene: &mut Scene, name: &str, place: [f32; 3]) -> Value {
    let mut copy = scene.nodes()[position_of(scene, name)].clone();
    copy["name"] = format!("{name}.001").into();
    copy["translation"] = json!(place);
    add_node(scene, copy.clone());
    copy
}

fn open(place: &Place, path: &str, edit: impl FnOnce(&mut Scene)) -> Scene {
    let mut scene = Scene::open(&place.out(path));
    edit(&mut scene);
    scene.save();
    scene
}

fn after(place: &Place, path: &str) -> (Scene, String) {
    let packed = place.pack();
    place.convert_packed();
    let scene = Scene::open(&place.path("after").join(path));
    (scene, format!("{:?}", packed.edits))
}

#[test]
fn a_copied_light_has_the_values_of_its_original_and_a_definition_of_its_own() {
    let place = sample();
    let mut wanted = Value::Null;
    open(&place, ZONE, |scene| {
        wanted = copy(scene, "L1", [4.0, 5.0, -6.0]);
    });
    let (after, said) = after(&place, ZONE);
    assert!(said.contains("1 light added"), "{said}");
    assert!(said.contains("baked into surfaces"), "{said}");
    let node = position_of(&after, "L1_001");
    assert_eq!(
        after.vector(node, "translation", [0.0; 3]),
        [4.0, 5.0, -6.0]
    );
    let facts = &after.nodes()[node]["extras"]["everquest"];
    for key in ["radius", "color", "levels", "flags"] {
        assert_eq!(facts[key], wanted["extras"]["everquest"][key], "{key}");
    }
    let [packed, original] = packed_and_original(&place, "dell.s3d");
    let [before, now] =
        [&original, &packed].map(|members| wld::decode(&members["lights.wld"]).unwrap().value);
    assert_eq!(now.fragments.len(), before.fragments.len() + 3);
    assert_eq!(now.fragments[..before.fragments.len()], before.fragments);
    let others = original
        .keys()
        .filter(|name| packed[*name] != original[*name]);
    assert_eq!(others.collect::<Vec<_>>(), ["lights.wld"]);
}

#[test]
fn a_copied_light_may_have_other_values() {
    let place = sample();
    open(&place, ZONE, |scene| {
        copy(scene, "L2", [1.0, 2.0, 3.0]);
        let facts = &mut scene.json["nodes"]
            .as_array_mut()
            .unwrap()
            .last_mut()
            .unwrap()["extras"];
        facts["everquest"]["radius"] = json!(25.5);
        facts["everquest"]["color"] = json!([0.25, 0.5, 0.75]);
        facts["everquest"]["levels"] = json!([0.5]);
    });
    let original = Scene::open(&place.out(ZONE));
    let (after, _) = after(&place, ZONE);
    let facts = |scene: &Scene, name: &str| {
        scene.nodes()[position_of(scene, name)]["extras"]["everquest"].clone()
    };
    let copied = facts(&after, "L2_001");
    assert_eq!(copied["radius"], json!(25.5));
    assert_eq!(copied["color"], json!([0.25, 0.5, 0.75]));
    assert_eq!(copied["levels"], json!([0.5]));
    assert_eq!(facts(&after, "L2"), facts(&original, "L2"));
}

#[test]
fn a_new_point_light_is_stored_with_its_range_color_and_strength() {
    let place = sample();
    open(&place, ZONE, |scene| {
        let light = json!({
            "type": "point", "range": 12.0, "intensity": 18.0, "color": [1.0, 0.5, 0.25],
        });
        add_light(scene, "Point", [3.0, 4.0, 5.0], light);
    });
    let (after, said) = after(&place, ZONE);
    assert!(said.contains("1 light added"), "{said}");
    let node = position_of(&after, "POINT");
    assert_eq!(after.vector(node, "translation", [0.0; 3]), [3.0, 4.0, 5.0]);
    let facts = &after.nodes()[node]["extras"]["everquest"];
    assert_eq!(facts["radius"], json!(12.0));
    assert_eq!(facts["color"], json!([1.0, 0.5, 0.25]));
    assert_eq!(facts["levels"], json!([0.5]));
    let [packed, _] = packed_and_original(&place, "dell.s3d");
    let lights = wld::decode(&packed["lights.wld"]).unwrap().value;
    let Some(Body::PointLight(light)) = lights.fragments.last().map(|it| &it.body) else {
        panic!("the light is the last fragment");
    };
    assert_eq!(light.flags.bits(), 0x100);
}

#[test]
fn a_new_light_without_a_range_gets_that_of_its_strength() {
    let place = sample();
    open(&place, ZONE, |scene| {
        let light = json!({"type": "point", "intensity": 100.0});
        add_light(scene, "Point", [3.0, 4.0, 5.0], light);
    });
    let (after, said) = after(&place, ZONE);
    assert!(said.contains("its radius of 20.0 follows"), "{said}");
    let facts = &after.nodes()[position_of(&after, "POINT")]["extras"]["everquest"];
    assert_eq!(
        (&facts["radius"], &facts["levels"]),
        (&json!(20.0), &json!([1.0]))
    );
}

#[test]
fn what_the_game_does_not_store_of_a_new_light_is_named() {
    let place = sample();
    open(&place, ZONE, |scene| {
        let cone = json!({"innerConeAngle": 0.25, "outerConeAngle": 0.5});
        let light = json!({"type": "spot", "range": 10.0, "intensity": 900.0, "spot": cone});
        add_light(scene, "Spot", [3.0, 4.0, 5.0], light);
    });
    let (after, said) = after(&place, ZONE);
    assert!(said.contains("the cone of light Spot"), "{said}");
    assert!(said.contains("the strength of light Spot above"), "{said}");
    position_of(&after, "SPOT");
}

#[test]
fn lights_are_added_and_removed_together() {
    let place = sample();
    open(&place, ZONE, |scene| {
        let gone = position_of(scene, "L1");
        copy(scene, "L2", [1.0, 2.0, 3.0]);
        let light = json!({"type": "point", "range": 8.0, "intensity": 16.0});
        add_light(scene, "L2", [9.0, 9.0, 9.0], light);
        for other in scene.json["nodes"].as_array_mut().unwrap() {
            if let Some(children) = other.get_mut("children").and_then(Value::as_array_mut) {
                children.retain(|child| *child != gone);
            }
        }
    });
    let (after, said) = after(&place, ZONE);
    assert!(said.contains("2 lights added"), "{said}");
    assert!(said.contains("1 light removed"), "{said}");
    let lights = after.nodes().iter();
    let lights = lights.filter(|node| node["extras"]["everquest"]["light"].is_string());
    let names: Vec<&Value> = lights.map(|node| &node["name"]).collect();
    assert_eq!(names, ["L2", "L2_001", "L2_1"]);
}

#[test]
fn lights_that_shine_are_copied_too() {
    let files = relicast_samples::files(Game::Eq, 1).unwrap();
    let place = Place::with(&files, |config| config.everquest.light = LampLight::Placed);
    open(&place, ZONE, |scene| {
        let node = position_of(scene, "L1");
        let own = &scene.nodes()[node]["extensions"]["KHR_lights_punctual"]["light"];
        let own = own.as_u64().unwrap() as usize;
        let mut light = scene.json["extensions"]["KHR_lights_punctual"]["lights"][own].clone();
        light["range"] = json!(20.0);
        light["intensity"] = json!(25.0);
        add_light(scene, "L1.001", [7.0, 8.0, 9.0], light);
    });
    let (after, _) = after(&place, ZONE);
    let node = &after.nodes()[position_of(&after, "L1_001")];
    let own = node["extensions"]["KHR_lights_punctual"]["light"]
        .as_u64()
        .unwrap() as usize;
    let light = &after.json["extensions"]["KHR_lights_punctual"]["lights"][own];
    assert_eq!(
        (&light["range"], &light["intensity"]),
        (&json!(20.0), &json!(25.0))
    );
    assert_eq!(light["extras"]["everquest"]["levels"], json!([0.25]));
}

#[test]
fn zones_in_eqg_format_get_lights() {
    let place = everquest_eqg::sample();
    let path = everquest_eqg::WORLD;
    open(&place, path, |scene| {
        copy(scene, "LIB_lamp", [1.0, 2.0, 3.0]);
        let light = json!({
            "type": "point", "range": 12.0, "intensity": 9.0, "color": [1.0, 0.5, 0.25],
        });
        add_light(scene, "Point", [3.0, 4.0, 5.0], light);
    });
    let (after, said) = after(&place, path);
    assert!(said.contains("2 lights added"), "{said}");
    assert!(
        said.contains("the strength of light Point, which follows from its radius"),
        "{said}"
    );
    let facts =
        |name: &str| after.nodes()[position_of(&after, name)]["extras"]["everquest"].clone();
    let (copied, own) = (facts("LIB_lamp_001"), facts("LIB_lamp"));
    assert_eq!(copied, own);
    let new = facts("LIB_Point");
    assert_eq!(
        (&new["radius"], &new["color"]),
        (&json!(12.0), &json!([1.0, 0.5, 0.25]))
    );
    // It is in no baked light.
    assert_eq!(new["lightsTerrain"], true);
    let place = position_of(&after, "LIB_Point");
    assert_eq!(
        after.vector(place, "translation", [0.0; 3]),
        [3.0, 4.0, 5.0]
    );
}

#[test]
fn lights_that_no_zone_can_have_are_refused_by_name() {
    let point = json!({"type": "point", "range": 12.0, "intensity": 9.0});
    let reason = |path: &str, edit: &dyn Fn(&mut Scene)| {
        let place = match path.contains("mill") {
            true => everquest_eqg::sample(),
            false => sample(),
        };
        open(&place, path, edit);
        place.refused()[0].1.clone()
    };
    let sun = |scene: &mut Scene| {
        add_light(scene, "Sun", [0.0; 3], json!({"type": "directional"}));
    };
    let found = reason(ZONE, &sun);
    assert!(found.contains("light Sun: it is a sun"), "{found}");
    let lamp = |scene: &mut Scene| add_light(scene, "Point", [0.0; 3], point.clone());
    let models = scenes(&sample(), "dell_chr.s3d");
    for path in [&*models[0], "models/mill/ox.gltf"] {
        let found = reason(path, &lamp);
        assert!(
            found.contains("light Point: it is new, and only zones"),
            "{found}"
        );
    }
    let found = reason(ZONE, &|scene| {
        add_light(scene, "Point", [0.0; 3], point.clone());
        let mesh = json!({"name": "below", "mesh": 0});
        let nodes = scene.json["nodes"].as_array_mut().unwrap();
        nodes.push(mesh);
        let below = nodes.len() - 1;
        nodes[below - 1]["children"] = json!([below]);
    });
    assert!(found.contains("has objects below it"), "{found}");
    let found = reason(ZONE, &|scene| {
        let light = json!({"type": "point", "intensity": 0.0});
        add_light(scene, "Point", [0.0; 3], light);
    });
    assert!(found.contains("it has no range"), "{found}");
}

//! Lights, surfaces, placements and clips of EverQuest.

use std::fs;

use relicast::asset::Game;
use relicast::config::LampLight;
use relicast::formats::everquest::wld;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::everquest_eqg;
use crate::scenes::everquest_meshes::{packed_and_original, sample, scenes};
use crate::scenes::place::Place;
use crate::scenes::scene::{Dice, Scene};

/// Scenes of an archive in which an edit has an effect, edited.
pub fn edited(
    place: &Place,
    archive: &str,
    mut edit: impl FnMut(&mut Scene) -> bool,
) -> Vec<(String, Scene)> {
    let mut all = Vec::new();
    for path in scenes(place, archive) {
        let mut scene = Scene::open(&place.out(&path));
        if edit(&mut scene) {
            scene.save();
            all.push((path, scene));
        }
    }
    assert!(!all.is_empty());
    all
}

/// Packs, converts again, and returns the scene.
pub fn after(place: &Place, path: &str) -> Scene {
    place.pack();
    place.convert_packed();
    Scene::open(&place.path("after").join(path))
}

/// Undoes the edits of some scenes in a copy of the packed install, and checks the bytes of its members.
fn undone(place: &Place, archive: &str, paths: &[String]) {
    let again = place.again("modded");
    place.convert("install", "before");
    for path in paths {
        for path in [path.clone(), path.replace(".gltf", ".bin")] {
            let from = place.path("before").join(&path);
            if from.exists() {
                fs::copy(from, again.out(&path)).unwrap();
            }
        }
    }
    again.pack();
    let [packed, _] = packed_and_original(&again, archive);
    let [_, original] = packed_and_original(place, archive);
    for (name, bytes) in &original {
        assert!(packed[name] == *bytes, "{name} is as it was");
    }
}

fn near(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| near(a, b))
        }
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= 1e-5 * a.abs().max(1.0)
        }
        (one, other) => one == other,
    }
}

#[test]
fn lights_that_do_not_shine_are_packed_by_their_facts() {
    let place = sample();
    let is_lamp = |node: &Value| {
        let facts = &node["extras"]["everquest"];
        facts["radius"].is_number() && facts["file"].is_null()
    };
    let mut all = edited(&place, "dell.s3d", |scene| {
        let mut any = false;
        for node in scene.json["nodes"].as_array_mut().unwrap() {
            if is_lamp(node) {
                node["extras"]["everquest"]["radius"] = json!(12.5);
                node["extras"]["everquest"]["color"] = json!([1.0, 0.25, 0.5]);
                node["translation"] = json!([4.0, 5.0, 6.0]);
                any = true;
            }
        }
        any
    });
    let (path, scene) = all.remove(0);
    let after = after(&place, &path);
    for (found, wanted) in after.nodes().iter().zip(scene.nodes()) {
        assert!(
            near(&found["extras"], &wanted["extras"]),
            "{found} {wanted}"
        );
        assert!(near(&found["translation"], &wanted["translation"]));
    }
    undone(&place, "dell.s3d", &[path]);
}

/// Takes a light out of a scene, as Blender does: nothing refers to its node any more.
fn take_light_out(
    place: &Place,
    path: &str,
    number: usize,
    is_light: fn(&Value) -> bool,
) -> String {
    let mut scene = Scene::open(&place.out(path));
    let nodes = scene.nodes().iter().enumerate();
    let mut lights = nodes.filter(|(_, node)| is_light(node));
    let (node, _) = lights.nth(number).unwrap();
    let name = scene.nodes()[node]["name"].as_str().unwrap().to_owned();
    for other in scene.json["nodes"].as_array_mut().unwrap() {
        if let Some(children) = other.get_mut("children").and_then(Value::as_array_mut) {
            children.retain(|child| *child != node);
        }
    }
    scene.save();
    name
}

#[test]
fn lights_are_removed_with_the_values_that_only_they_have() {
    let is_light: fn(&Value) -> bool = |node| node["extras"]["everquest"]["light"].is_string();
    for count in 1..=2 {
        let place = sample();
        let path = "worlds/dell.gltf";
        let names: Vec<String> = (0..count)
            .map(|number| take_light_out(&place, path, number, is_light))
            .collect();
        let packed = place.pack();
        let said = packed.edits[0].changed.clone().unwrap();
        assert!(said.starts_with(&format!("{count} light")), "{said}");
        place.convert_packed();
        let [before, after] =
            ["out", "after"].map(|folder| Scene::open(&place.path(folder).join(path)));
        let left = after.nodes().iter().filter(|node| is_light(node));
        assert_eq!(left.count(), 2 - count);
        let gone = |node: &&Value| names.iter().all(|name| node["name"] != **name);
        let kept = before.nodes().iter().filter(gone).count();
        assert!(kept - after.nodes().len() <= 1, "{kept}");
        let [packed, original] = packed_and_original(&place, "dell.s3d");
        let [before, after] =
            [&original, &packed].map(|members| wld::decode(&members["lights.wld"]).unwrap().value);
        assert_eq!(before.fragments.len() - after.fragments.len(), 3 * count);
        let others = original
            .keys()
            .filter(|name| packed[*name] != original[*name]);
        assert_eq!(others.collect::<Vec<_>>(), ["lights.wld"]);
    }
}

#[test]
fn a_light_of_a_zone_in_eqg_format_is_removed() {
    let place = everquest_eqg::sample();
    let path = everquest_eqg::WORLD;
    let is_light: fn(&Value) -> bool = |node| {
        let facts = &node["extras"]["everquest"];
        facts["radius"].is_number()
    };
    let name = take_light_out(&place, path, 0, is_light);
    assert_eq!(place.pack().files.len(), 1);
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(path));
    assert!(after.nodes().iter().all(|node| node["name"] != *name));
}

#[test]
fn lights_survive_a_round_trip() {
    let files = relicast_samples::files(Game::Eq, 1).unwrap();
    let place = Place::with(&files, |config| config.everquest.light = LampLight::Placed);
    let lights = |scene: &Scene| scene.json["extensions"]["KHR_lights_punctual"]["lights"].clone();
    let mut all = edited(&place, "dell.s3d", |scene| {
        let Some(count) = lights(scene).as_array().map(Vec::len) else {
            return false;
        };
        for number in 0..count {
            let light = &mut scene.json["extensions"]["KHR_lights_punctual"]["lights"][number];
            light["range"] = json!(25.5);
            light["color"] = json!([0.25, 0.5, 0.75]);
            light["extras"]["everquest"]["levels"] = json!([0.5]);
        }
        let shines: Vec<usize> = (0..scene.nodes().len())
            .filter(|&node| scene.nodes()[node]["extensions"]["KHR_lights_punctual"].is_object())
            .collect();
        for node in shines {
            let mut at = scene.vector(node, "translation", [0.0; 3]);
            at.iter_mut().for_each(|part| *part += 1.25);
            scene.set(node, "translation", at);
        }
        true
    });
    let (path, scene) = all.remove(0);
    let after = after(&place, &path);
    let (found, wanted) = (lights(&after), lights(&scene));
    for (found, wanted) in found
        .as_array()
        .unwrap()
        .iter()
        .zip(wanted.as_array().unwrap())
    {
        for key in ["range", "color"] {
            assert!(near(&found[key], &wanted[key]), "{found} {wanted}");
        }
        assert_eq!(found["extras"]["everquest"]["levels"], json!([0.5]));
    }
    for node in 0..scene.nodes().len() {
        let (found, wanted) = (&after.nodes()[node], &scene.nodes()[node]);
        assert!(near(&found["translation"], &wanted["translation"]));
    }
    undone(&place, "dell.s3d", &[path]);
}

#[test]
fn surfaces_survive_a_round_trip() {
    let place = sample();
    let material = |scene: &Scene, name: &str| {
        let materials = scene.json["materials"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        materials
            .iter()
            .position(|material| material["name"] == name)
    };
    let mut all = edited(&place, "dell.s3d", |scene| {
        let (Some(grass), Some(water)) =
            (material(scene, "GRASS_MDF"), material(scene, "WATER_MDF"))
        else {
            return false;
        };
        let path = scene.json["materials"][material(scene, "PATH_MDF").unwrap()]
            ["pbrMetallicRoughness"]["baseColorTexture"]
            .clone();
        let grass = &mut scene.json["materials"][grass];
        grass["doubleSided"] = true.into();
        grass["extras"]["everquest"]["brightness"] = json!(0.5);
        grass["pbrMetallicRoughness"]["baseColorTexture"] = path;
        let water = &mut scene.json["materials"][water];
        water["alphaMode"] = "OPAQUE".into();
        water["pbrMetallicRoughness"]["baseColorFactor"] = json!([1.0, 1.0, 1.0, 1.0]);
        true
    });
    let (path, scene) = all.remove(0);
    let after = after(&place, &path);
    let grass = material(&after, "GRASS_MDF").unwrap();
    assert_eq!(after.json["materials"][grass]["doubleSided"], true);
    assert_eq!(
        after.json["materials"][grass]["extras"]["everquest"]["brightness"],
        0.5
    );
    let picture = |scene: &Scene, material: usize| {
        let texture =
            &scene.json["materials"][material]["pbrMetallicRoughness"]["baseColorTexture"];
        let texture = texture["index"].as_u64().unwrap() as usize;
        let image = scene.json["textures"][texture]["source"].as_u64().unwrap() as usize;
        scene.json["images"][image]["uri"].clone()
    };
    assert_eq!(picture(&after, grass), picture(&scene, grass));
    let water = material(&after, "WATER_MDF").unwrap();
    let facts = &after.json["materials"][water]["extras"]["everquest"];
    assert_eq!(facts["renderMethod"], "0x80000001");
    undone(&place, "dell.s3d", &[path]);
}

#[test]
fn times_of_pictures_are_packed() {
    let place = sample();
    let mut count = 0;
    let all = edited(&place, "dell_obj.s3d", |scene| {
        let mut any = false;
        for material in scene.json["materials"].as_array_mut().into_iter().flatten() {
            let animation = &mut material["extras"]["everquest"]["textureAnimation"];
            if animation.is_object() {
                animation["sleepMs"] = 321.into();
                any = true;
                count += 1;
            }
        }
        any
    });
    assert!(count > 0);
    place.pack();
    place.convert_packed();
    for (path, _) in all {
        let after = Scene::open(&place.path("after").join(&path));
        let materials = after.json["materials"].as_array().unwrap();
        let mut animated = materials
            .iter()
            .map(|material| &material["extras"]["everquest"]["textureAnimation"])
            .filter(|animation| animation.is_object());
        assert!(
            animated.all(|animation| animation["sleepMs"] == 321),
            "{path}"
        );
    }
}

/// Placements of a zone by their fragments.
fn placed(scene: &Scene) -> Vec<usize> {
    let is_placed =
        |&node: &usize| scene.nodes()[node]["extras"]["everquest"]["file"] == "objects.wld";
    scene.shown().into_iter().filter(is_placed).collect()
}

#[test]
fn placements_are_copied_and_taken_out() {
    let place = sample();
    let mut all = edited(&place, "dell.s3d", |scene| {
        let nodes = placed(scene);
        let Some((&gone, &copied)) = nodes.first().zip(nodes.get(1)) else {
            return false;
        };
        let mut copy = scene.nodes()[copied].clone();
        copy["translation"] = json!([7.0, 2.0, -9.0]);
        copy.as_object_mut().unwrap().remove("children");
        scene.json["nodes"].as_array_mut().unwrap().push(copy);
        let number = scene.nodes().len() - 1;
        for node in scene.json["nodes"].as_array_mut().unwrap() {
            let children = node.get_mut("children").and_then(Value::as_array_mut);
            if let Some(children) = children
                && children.iter().any(|child| *child == gone)
            {
                children.retain(|child| *child != gone);
                children.push(number.into());
            }
        }
        true
    });
    let (path, scene) = all.remove(0);
    let (before, wanted) = (placed(&Scene::open(&place.out(&path))), placed(&scene));
    assert_eq!(before.len(), wanted.len());
    let packed = place.pack();
    let reported = format!("{:?}", packed.edits);
    assert!(
        reported.contains("baked light of") && reported.contains("sunk below the world"),
        "{reported}"
    );
    place.convert_packed();
    let after = Scene::open(&place.path("after").join(&path));
    let places = |scene: &Scene| -> Vec<String> {
        let nodes = placed(scene).into_iter();
        let mut all: Vec<String> = nodes
            .map(|node| {
                let at = scene.vector(node, "translation", [0.0; 3]);
                format!(
                    "{} {at:?}",
                    scene.nodes()[node]["extras"]["everquest"]["model"]
                )
            })
            .collect();
        all.sort();
        all
    };
    assert_eq!(places(&after), places(&scene));
}

/// Changes every key of the clips of a scene; a key that repeats one changes in the same way.
fn animate(scene: &mut Scene, dice: &mut Dice) -> bool {
    let clips = scene.json["animations"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let mut any = false;
    for clip in clips {
        for channel in clip["channels"].as_array().unwrap() {
            let sampler = &clip["samplers"][channel["sampler"].as_u64().unwrap() as usize];
            let output = sampler["output"].as_u64().unwrap() as usize;
            match channel["target"]["path"].as_str() {
                Some("translation") => {
                    let rows = scene.floats::<3>(output);
                    let way: [f32; 3] = [0; 3].map(|_| dice.part() * 0.1);
                    let rows: Vec<[f32; 3]> = rows
                        .into_iter()
                        .map(|row| [0, 1, 2].map(|axis| row[axis] + way[axis]))
                        .collect();
                    scene.put_floats(output, &rows);
                    any = true;
                }
                Some("rotation") => {
                    // A little turn about the first axis on top.
                    let (sine, cosine) = (dice.part() * 0.2).sin_cos();
                    let rows = scene.floats::<4>(output).into_iter();
                    let rows: Vec<[f32; 4]> = rows
                        .map(|[x, y, z, w]| {
                            [
                                cosine * x + sine * w,
                                cosine * y - sine * z,
                                cosine * z + sine * y,
                                cosine * w - sine * x,
                            ]
                        })
                        .collect();
                    scene.put_floats(output, &rows);
                    any = true;
                }
                _ => {}
            }
        }
    }
    any
}

#[test]
fn clips_are_packed_into_their_tracks_and_return() {
    for (archive, model) in [("dell_chr.s3d", "fdr"), ("dell_obj.s3d", "mill")] {
        let place = sample();
        let mut dice = Dice(4);
        let mut all = edited(&place, archive, |scene| {
            let text = scene.json["nodes"].to_string().to_lowercase();
            text.contains(model) && animate(scene, &mut dice)
        });
        let (path, scene) = all.remove(0);
        let after = after(&place, &path);
        let clips = scene.json["animations"].as_array().unwrap();
        for (number, clip) in clips.iter().enumerate() {
            let now = &after.json["animations"][number];
            for (at, channel) in clip["channels"].as_array().unwrap().iter().enumerate() {
                assert_eq!(channel["target"], now["channels"][at]["target"], "{path}");
                let output = |clip: &Value, channel: &Value| {
                    let sampler = &clip["samplers"][channel["sampler"].as_u64().unwrap() as usize];
                    sampler["output"].as_u64().unwrap() as usize
                };
                let (wanted, found) = (output(clip, channel), output(now, &now["channels"][at]));
                match channel["target"]["path"].as_str() {
                    Some("translation") => {
                        for (wanted, found) in scene
                            .floats::<3>(wanted)
                            .iter()
                            .zip(after.floats::<3>(found))
                        {
                            assert!(
                                crate::scenes::near(*wanted, found, 0.002),
                                "{wanted:?} {found:?}"
                            );
                        }
                    }
                    Some("rotation") => {
                        for (wanted, found) in scene
                            .floats::<4>(wanted)
                            .iter()
                            .zip(after.floats::<4>(found))
                        {
                            let along: f32 = wanted.iter().zip(found).map(|(a, b)| a * b).sum();
                            assert!(along.abs() > 0.999_999, "{wanted:?} {found:?}");
                        }
                    }
                    _ => {}
                }
            }
        }
        undone(&place, archive, &[path]);
    }
}

#[test]
fn what_cannot_be_packed_is_refused_by_name() {
    type Refused = (&'static str, fn(&mut Scene) -> bool, &'static str);
    let edits: [Refused; 4] = [
        (
            "dell.s3d",
            |scene| {
                let Some(material) = scene.json["materials"].get_mut(0) else {
                    return false;
                };
                material["emissiveFactor"] = json!([1.0, 0.0, 0.0]);
                true
            },
            "its emission",
        ),
        (
            "dell.s3d",
            |scene| {
                let Some(material) = scene.json["materials"].get_mut(0) else {
                    return false;
                };
                material["extras"]["everquest"]["surface"] = "foggy".into();
                true
            },
            "not a kind of surface",
        ),
        (
            "dell_chr.s3d",
            |scene| {
                let clips = scene.json["animations"].as_array_mut();
                clips.is_some_and(|clips| clips.pop().is_some())
            },
            "cannot be added or removed",
        ),
        (
            "dell.s3d",
            |scene| {
                let nodes = scene.json["nodes"].as_array_mut().unwrap();
                let lamp = nodes.iter_mut().find(|node| {
                    let facts = node.pointer("/extras/everquest/radius");
                    facts.is_some_and(Value::is_number)
                });
                lamp.is_some_and(|lamp| {
                    lamp["extras"]["everquest"]["flags"] = 1.into();
                    true
                })
            },
            "flags",
        ),
    ];
    for (archive, edit, reason) in edits {
        let place = Place::new(&relicast_samples::files(Game::Eq, 1).unwrap());
        edited(&place, archive, edit);
        let refused = place.refused();
        assert!(refused[0].1.contains(reason), "{refused:?}");
    }
}

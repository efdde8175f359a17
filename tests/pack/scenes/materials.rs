//! Materials: colors, opacity, sides, pictures, soils, cycles, and the polygons that use them.

use std::fs;

use relicast::asset::Game;
use relicast::formats::zipper::gamez::decode;
use relicast::pack::pack;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::common::files;
use crate::scenes::GAMES;
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;

fn place(game: Game) -> Place {
    Place::new(&relicast_samples::files(game, 1).unwrap())
}

fn materials(scene: &Scene) -> &[Value] {
    scene.json["materials"]
        .as_array()
        .map_or(&[], Vec::as_slice)
}

fn find(scene: &Scene, fits: impl Fn(&Value) -> bool) -> Option<usize> {
    materials(scene).iter().position(fits)
}

fn is_plain(material: &Value) -> bool {
    let name = material["name"].as_str().unwrap_or_default();
    material["pbrMetallicRoughness"]["baseColorTexture"].is_null()
        && name.starts_with("color_")
        && !name.contains("tint")
        && matches!(material["alphaMode"].as_str(), None | Some("OPAQUE"))
}

/// Edits the first scene that has something to edit, and returns its path.
fn edit(place: &Place, mut edit: impl FnMut(&mut Scene) -> bool) -> Option<String> {
    for output in place.scenes() {
        let mut scene = Scene::open(&place.out(&output.path));
        if edit(&mut scene) {
            scene.save();
            return Some(output.path);
        }
    }
    None
}

/// The scene after packing.
fn after(place: &Place, path: &str) -> Scene {
    place.convert_packed();
    Scene::open(&place.path("after").join(path))
}

/// Undoes an edit in the packed game, and checks that its bytes are the original ones.
fn undone(place: &Place, undo: impl FnMut(&mut Scene) -> bool) {
    let back = Place::copy_of(&place.path("modded"));
    edit(&back, undo).unwrap();
    back.pack();
    let packed = files(&back.path("mod"));
    let mut compared = 0;
    for path in packed.iter().filter(|path| path.ends_with(".zbd")) {
        let (found, wanted) = (
            back.path("mod").join(path),
            place.path("install").join(path),
        );
        assert_eq!(
            fs::read(found).unwrap(),
            fs::read(wanted).unwrap(),
            "{path}"
        );
        compared += 1;
    }
    assert_eq!(compared, 1);
}

#[test]
fn plain_colors_and_their_opacity_are_packed_in_every_game() {
    for game in GAMES {
        let place = place(game);
        let mut old = Value::Null;
        let path = edit(&place, |scene| {
            let Some(number) = find(scene, is_plain) else {
                return false;
            };
            let material = &mut scene.json["materials"][number];
            old = material["pbrMetallicRoughness"]["baseColorFactor"].clone();
            material["pbrMetallicRoughness"]["baseColorFactor"] = json!([0.5, 0.25, 0.125, 0.4]);
            material["alphaMode"] = "BLEND".into();
            true
        })
        .unwrap();
        place.pack();
        let is_new = |material: &Value| {
            let factor = &material["pbrMetallicRoughness"]["baseColorFactor"];
            let part = |at: usize| factor[at].as_f64().unwrap_or(1.0);
            (part(0) - 0.5).abs() < 1e-3
                && (part(1) - 0.25).abs() < 1e-3
                && (part(2) - 0.125).abs() < 1e-3
                && (part(3) - 0.4).abs() < 2e-3
                && material["alphaMode"] == "BLEND"
        };
        let scene = after(&place, &path);
        assert!(find(&scene, is_new).is_some(), "{game:?}");
        undone(&place, |scene| {
            let Some(number) = find(scene, is_new) else {
                return false;
            };
            let material = &mut scene.json["materials"][number];
            material["pbrMetallicRoughness"]["baseColorFactor"] = old.clone();
            material["alphaMode"] = "OPAQUE".into();
            true
        });
    }
}

#[test]
fn a_new_color_below_a_tint_is_mixed_back_or_the_nearest_one() {
    for (wanted, is_exact) in [([0.8, 0.19, 0.01], true), ([0.1, 0.1, 0.9], false)] {
        let place = place(Game::Cs);
        let path = "worlds/zbd/c1/gamez.gltf";
        let mut scene = Scene::open(&place.out(path));
        let is_lantern = |node: &&Value| node["name"] == "lantern";
        let node = scene.nodes().iter().find(is_lantern).unwrap();
        let mesh = node["mesh"].as_u64().unwrap() as usize;
        let list = scene.json["materials"].as_array_mut().unwrap();
        let color = [wanted[0], wanted[1], wanted[2], 1.0];
        list.push(json!({
            "name": "plain_new",
            "pbrMetallicRoughness": {"baseColorFactor": color, "metallicFactor": 0.0},
        }));
        let number = list.len() - 1;
        scene.json["meshes"][mesh]["primitives"][0]["material"] = number.into();
        scene.save();
        let packed = place.pack();
        let said = format!("{:?}", packed.edits);
        assert_eq!(!said.contains("nearest one"), is_exact, "{said}");
        let after = after(&place, path);
        let node = after.nodes().iter().find(is_lantern).unwrap();
        let mesh = node["mesh"].as_u64().unwrap() as usize;
        let shown = &after.json["meshes"][mesh]["primitives"][0]["material"];
        let shown = &materials(&after)[shown.as_u64().unwrap() as usize];
        let shown = shown["pbrMetallicRoughness"]["baseColorFactor"].as_array();
        let mut pairs = shown.unwrap().iter().zip(wanted);
        let is_near =
            |(shown, wanted): (&Value, f64)| (shown.as_f64().unwrap() - wanted).abs() < 5e-3;
        assert_eq!(pairs.all(is_near), is_exact);
    }
}

#[test]
fn the_color_of_a_tinted_object_is_that_of_its_tint() {
    for game in [Game::Mw, Game::Pm, Game::Cs] {
        let place = place(game);
        let is_tinted = |it: &Value| {
            let name = it["name"].as_str().unwrap();
            name.contains("_tint") && it["pbrMetallicRoughness"]["baseColorTexture"].is_null()
        };
        let colors = |scene: &Scene| -> Vec<Value> {
            let others = materials(scene).iter().filter(|it| !is_tinted(it));
            others
                .map(|it| it["pbrMetallicRoughness"].clone())
                .collect()
        };
        let wanted = [0.1, 0.6, 0.2];
        let mut before = Vec::new();
        let path = edit(&place, |scene| {
            let Some(number) = find(scene, is_tinted) else {
                return false;
            };
            before = colors(scene);
            let values = &mut scene.json["materials"][number]["pbrMetallicRoughness"];
            values["baseColorFactor"] = json!([wanted[0], wanted[1], wanted[2], 1.0]);
            true
        });
        place.pack();
        let after = after(&place, &path.unwrap());
        assert_eq!(
            colors(&after),
            before,
            "{game:?}: other objects keep their colors"
        );
        let found = find(&after, is_tinted).unwrap();
        let color = &materials(&after)[found]["pbrMetallicRoughness"]["baseColorFactor"];
        for (at, wanted) in wanted.into_iter().enumerate() {
            assert!(
                (color[at].as_f64().unwrap() - wanted).abs() < 1e-3,
                "{game:?}: {color}"
            );
        }
    }
}

#[test]
fn sides_are_packed_in_every_game() {
    for game in GAMES {
        let place = place(game);
        let mut name = String::new();
        let path = edit(&place, |scene| {
            let one_sided = |material: &Value| {
                material["doubleSided"] != true
                    && !material["name"].as_str().unwrap().contains("layer")
            };
            let Some(number) = find(scene, one_sided) else {
                return false;
            };
            let material = &mut scene.json["materials"][number];
            material["doubleSided"] = true.into();
            name = material["name"].as_str().unwrap().to_owned();
            true
        })
        .unwrap();
        place.pack();
        let scene = after(&place, &path);
        assert!(
            find(&scene, |material| material["name"] == *name).is_none(),
            "{game:?} {name}"
        );
    }
}

#[test]
fn soils_and_cycles_are_packed_into_worlds() {
    for game in GAMES {
        let place = place(game);
        let mut frames = Vec::new();
        let path = edit(&place, |scene| {
            let has = |key: &'static str| {
                move |material: &Value| !material["extras"]["zipper"][key].is_null()
            };
            let Some(number) = find(scene, has("cycle")) else {
                return false;
            };
            let facts = &mut scene.json["materials"][number]["extras"]["zipper"];
            facts["soil"] = json!({"id": 5});
            let cycle = &mut facts["cycle"];
            frames = cycle["frames"].as_array().unwrap().clone();
            frames.push(frames[0].clone());
            cycle["frames"] = frames.clone().into();
            cycle["fps"] = json!(7.5);
            cycle["loop"] = json!(false);
            true
        })
        .unwrap();
        let packed = place.pack();
        assert_eq!(packed.files.len(), 1, "{game:?}");
        let scene = after(&place, &path);
        let found = find(&scene, |material| {
            let facts = &material["extras"]["zipper"];
            facts["soil"]["id"] == 5 && facts["cycle"]["fps"] == 7.5
        });
        let facts = &materials(&scene)[found.unwrap()]["extras"]["zipper"]["cycle"];
        assert_eq!(facts["frames"], Value::from(frames), "{game:?}");
        assert_eq!(
            (&facts["loop"], &facts["start"]),
            (&json!(false), &json!(0))
        );
        let of = |folder: &str| {
            let bytes = fs::read(place.path(folder).join(&packed.files[0].0)).unwrap();
            format!("{:?}", decode(&bytes).unwrap().deviations)
        };
        assert_eq!(of("mod"), of("install"), "{game:?}: as regular as it was");
    }
}

#[test]
fn another_texture_is_chosen_in_every_game() {
    for game in GAMES {
        let place = place(game);
        let mut wanted = Value::Null;
        let path = edit(&place, |scene| {
            let textured = |material: &Value| {
                !material["pbrMetallicRoughness"]["baseColorTexture"].is_null()
                    && material["extras"]["zipper"]["cycle"].is_null()
            };
            let uri = |scene: &Scene, number: usize| {
                let texture = &materials(scene)[number]["pbrMetallicRoughness"]["baseColorTexture"];
                let texture = texture["index"].as_u64().unwrap() as usize;
                let image = scene.json["textures"][texture]["source"].as_u64().unwrap() as usize;
                (texture, scene.json["images"][image]["uri"].clone())
            };
            let all: Vec<usize> = (0..materials(scene).len())
                .filter(|&number| textured(&materials(scene)[number]))
                .collect();
            let pair = all
                .iter()
                .flat_map(|&one| all.iter().map(move |&other| (one, other)));
            let mut pair = pair.filter(|&(one, other)| uri(scene, one).1 != uri(scene, other).1);
            let Some((one, other)) = pair.next() else {
                return false;
            };
            let (texture, image) = uri(scene, other);
            wanted = image;
            let pbr = &mut scene.json["materials"][one]["pbrMetallicRoughness"];
            pbr["baseColorTexture"]["index"] = texture.into();
            true
        })
        .unwrap();
        let packed = place.pack();
        assert_eq!(packed.files.len(), 1, "{game:?}");
        let scene = after(&place, &path);
        let images = scene.json["images"].as_array().unwrap();
        assert!(
            images.iter().any(|image| image["uri"] == wanted),
            "{game:?}"
        );
    }
}

#[test]
fn primitives_take_another_material_of_the_scene() {
    for game in GAMES {
        let place = place(game);
        let mut wanted = Value::Null;
        let mut mesh_name = Value::Null;
        let path = edit(&place, |scene| {
            let Some(plain) = find(scene, is_plain) else {
                return false;
            };
            wanted = materials(scene)[plain]["pbrMetallicRoughness"]["baseColorFactor"].clone();
            let unlit = materials(scene)[plain]["extensions"]["KHR_materials_unlit"].is_object();
            let count = scene.json["meshes"].as_array().unwrap().len();
            for mesh in 0..count {
                let primitive = &scene.json["meshes"][mesh]["primitives"][0];
                let Some(assigned) = primitive["material"].as_u64().map(|it| it as usize) else {
                    continue;
                };
                let other = &materials(scene)[assigned];
                let fits = assigned != plain
                    && primitive["mode"].as_u64().unwrap_or(4) == 4
                    && other["extensions"]["KHR_materials_unlit"].is_object() == unlit
                    && other["alphaMode"] != "BLEND"
                    && !other["name"].as_str().unwrap().contains("tint")
                    && primitive["extensions"].is_null()
                    && scene.json["meshes"][mesh]["extras"]["zipper"]["facade"].is_null();
                if fits {
                    mesh_name = scene.json["meshes"][mesh]["name"].clone();
                    scene.json["meshes"][mesh]["primitives"][0]["material"] = plain.into();
                    return true;
                }
            }
            false
        });
        let Some(path) = path else { continue };
        place.pack();
        let scene = after(&place, &path);
        let meshes = scene.json["meshes"].as_array().unwrap();
        let mesh = meshes
            .iter()
            .find(|mesh| mesh["name"] == mesh_name)
            .unwrap();
        let assigned = mesh["primitives"].as_array().unwrap().iter().any(|part| {
            let material = part["material"].as_u64().unwrap() as usize;
            materials(&scene)[material]["pbrMetallicRoughness"]["baseColorFactor"] == wanted
        });
        assert!(assigned, "{game:?} {mesh_name}");
    }
}

#[test]
fn edits_that_disagree_or_have_no_place_are_refused() {
    let refused = |game: Game, change: &mut dyn FnMut(&mut Scene) -> bool| {
        let place = place(game);
        edit(&place, change).unwrap();
        let refused = place.refused();
        refused[0].1.clone()
    };
    for game in GAMES {
        let reason = refused(game, &mut |scene| {
            scene.json["materials"][0]["emissiveFactor"] = json!([0.5, 0.0, 0.0]);
            true
        });
        assert!(reason.contains("emissiveFactor was changed"), "{reason}");
        let reason = refused(game, &mut |scene| {
            let Some(number) = find(scene, is_plain) else {
                return false;
            };
            scene.json["materials"][number]["alphaMode"] = "MASK".into();
            true
        });
        assert!(reason.contains("alphaMode"), "{reason}");
        let reason = refused(game, &mut |scene| {
            let materials = scene.json["materials"].as_array_mut().unwrap();
            materials.push(json!({"name": "gold"}));
            true
        });
        assert!(reason.contains("cannot be added"), "{reason}");
    }
    let reason = refused(Game::Rc, &mut |scene| {
        let Some(number) = find(scene, is_plain) else {
            return false;
        };
        scene.json["materials"][number]["extras"]["zipper"] = json!({"soil": {"id": 99}});
        true
    });
    assert!(reason.contains("extras.zipper.soil"), "{reason}");
}

#[test]
fn what_the_games_do_not_store_is_named() {
    for game in GAMES {
        let place = place(game);
        edit(&place, |scene| {
            let values = &mut scene.json["materials"][0]["pbrMetallicRoughness"];
            (values["roughnessFactor"], values["metallicFactor"]) = (json!(0.5), json!(0.25));
            true
        });
        let packed = place.pack();
        let said = packed.edits[0].rounding.clone().unwrap();
        let wanted = "not stored by the game: its metalness, its roughness";
        assert!(said.contains(wanted), "{said}");
    }
}

#[test]
fn a_material_without_its_picture_has_its_color() {
    let mut tried = 0;
    for game in GAMES {
        let place = place(game);
        let path = edit(&place, |scene| {
            let is_simple = |it: &Value| {
                let has_picture = !it["pbrMetallicRoughness"]["baseColorTexture"].is_null();
                let is_opaque = matches!(it["alphaMode"].as_str(), None | Some("OPAQUE"));
                has_picture && is_opaque && it["extras"]["zipper"]["cycle"].is_null()
            };
            let Some(number) = find(scene, is_simple) else {
                return false;
            };
            let material = &mut scene.json["materials"][number];
            let values = &mut material["pbrMetallicRoughness"];
            values.as_object_mut().unwrap().remove("baseColorTexture");
            values["baseColorFactor"] = json!([0.2, 0.4, 0.6, 1.0]);
            true
        });
        let packed = pack(&place.request()).unwrap();
        if let [(_, refusal)] = &*packed.refused {
            // Some pictures are laid over others.
            assert!(
                refusal.to_string().contains("lays it over others"),
                "{refusal}"
            );
            continue;
        }
        tried += 1;
        let after = after(&place, &path.unwrap());
        let materials = materials(&after);
        let is_new = |it: &&Value| {
            let color = &it["pbrMetallicRoughness"]["baseColorFactor"];
            let part = |at: usize| color[at].as_f64().unwrap_or(1.0);
            (part(0) - 0.2).abs() < 0.01 && (part(2) - 0.6).abs() < 0.01
        };
        let found = materials.iter().find(is_new).unwrap();
        assert!(found["pbrMetallicRoughness"]["baseColorTexture"].is_null());
        // Where the picture is laid over others, it stays.
        let mut layers = materials.iter().filter(|it| {
            let name = it["name"].as_str().unwrap();
            name.contains("_layer")
        });
        let shows = |it: &Value| !it["pbrMetallicRoughness"]["baseColorTexture"].is_null();
        assert!(layers.all(shows), "{game:?}");
    }
    assert!(tried >= 3);
}

#[test]
fn colors_and_sides_of_another_program_are_packed() {
    for game in GAMES {
        let place = place(game);
        let path = edit(&place, |scene| {
            let lit = |it: &Value| is_plain(it) && it["extensions"].is_null();
            let Some(number) = find(scene, lit) else {
                return false;
            };
            scene.json["asset"]["generator"] = "Khronos glTF Blender I/O v4.2.60".into();
            for material in scene.json["materials"].as_array_mut().unwrap() {
                // As Blender rounds and writes it.
                material["pbrMetallicRoughness"]["roughnessFactor"] = json!(0.999_999_9);
                let name = material["name"].as_str().unwrap().to_owned();
                material["name"] = format!("{name}.001").into();
                let factor = &mut material["pbrMetallicRoughness"]["baseColorFactor"];
                for part in factor.as_array_mut().into_iter().flatten() {
                    *part = (part.as_f64().unwrap() * (1.0 + 1e-7)).min(1.0).into();
                }
            }
            let material = &mut scene.json["materials"][number];
            material["pbrMetallicRoughness"]["baseColorFactor"] = json!([0.25, 0.5, 0.75, 1.0]);
            material["doubleSided"] = true.into();
            true
        });
        let Some(path) = path else { continue };
        let packed = place.pack();
        assert_eq!(packed.files.len(), 1, "{game:?}");
        let scene = after(&place, &path);
        let found = find(&scene, |material| {
            let factor = &material["pbrMetallicRoughness"]["baseColorFactor"];
            let part = |at: usize| factor[at].as_f64().unwrap_or(1.0);
            (part(0) - 0.25).abs() < 3e-3
                && (part(1) - 0.5).abs() < 3e-3
                && material["doubleSided"] == true
        });
        assert!(found.is_some(), "{game:?}");
    }
}

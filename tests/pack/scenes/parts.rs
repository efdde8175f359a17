//! Parts of 'mechs, objects with other parents, and meshes that objects no longer share.

use relicast::asset::Game;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::archive;
use relicast::formats::zipper::mechlib;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::scenes::GAMES;
use crate::scenes::foreign::rewrite;
use crate::scenes::new_materials::png;
use crate::scenes::objects::{
    add_child, after, assert_undone, children, delete, duplicate, find, parent_of, sample, shape,
    shift, shown, world_of,
};
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;
use crate::scenes::topology::{assert_packed_shows, outputs, subdivide};
use crate::scenes::triangles::{all, read, write};

/// A 'mech of a game, its scene, and a part of it with a mesh.
fn mech(game: Game) -> (Place, String, String) {
    let place = Place::new(&sample(game));
    let mut scenes = place.scenes().into_iter();
    let output = scenes
        .find(|it| it.path.starts_with("models/zbd/mechlib/"))
        .unwrap();
    let scene = Scene::open(&place.out(&output.path));
    let animations = scene.json["animations"].as_array().unwrap();
    let channels = animations
        .iter()
        .flat_map(|it| it["channels"].as_array().unwrap());
    let moved: Vec<&Value> = channels.map(|channel| &channel["target"]["node"]).collect();
    let is_part = |node: &usize| {
        let has_mesh = !scene.nodes()[*node]["mesh"].is_null();
        has_mesh && children(&scene, *node).is_empty() && !moved.contains(&&json!(node))
    };
    let part = scene.shown().into_iter().find(is_part).unwrap();
    let name = scene.nodes()[part]["name"].as_str().unwrap().to_owned();
    (place, output.path, name)
}

const WITH_MECHS: [Game; 2] = [Game::Mw, Game::Pm];

/// Numbers of nodes change, names do not.
fn by_name(scene: &Scene) -> Vec<(String, Vec<Value>)> {
    let meshes = all(scene);
    let mut found: Vec<_> = scene
        .shown()
        .into_iter()
        .map(|node| {
            let name = scene.nodes()[node]["name"].as_str().unwrap().to_owned();
            let own = shape(scene, node, &meshes).into_iter().take(1);
            (name, own.collect())
        })
        .collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

#[test]
fn a_copied_part_of_a_mech_is_shown_and_deleted_again_leaves_the_bytes_of_the_install() {
    for game in WITH_MECHS {
        let (place, path, part) = mech(game);
        let mut scene = Scene::open(&place.out(&path));
        let before = by_name(&scene);
        let node = find(&scene, &part);
        let copy = duplicate(&mut scene, node, "_new");
        // The first of the children, so that all others get other numbers.
        let parent = parent_of(&scene, copy).unwrap();
        let mut list = children(&scene, parent);
        list.rotate_right(1);
        scene.json["nodes"][parent]["children"] = list.into();
        shift(&mut scene, copy, [1.0, 0.5, -2.0]);
        scene.save();
        let wanted = shape(&scene, copy, &all(&scene));
        let packed = place.pack();
        let said = packed.edits[0].rounding.clone().unwrap();
        let name = format!("{part}_new");
        assert!(said.contains(&format!("added: {name}")), "{said}");
        let scene = after(&place, &path);
        let found = find(&scene, &name);
        assert_eq!(shape(&scene, found, &all(&scene)), wanted, "{game:?}");
        let mut now = by_name(&scene);
        now.retain(|(name, _)| !name.ends_with("_new"));
        assert_eq!(now, before, "{game:?}: everything else is as it was");
        assert_undone(&place, &path, |scene| {
            let copy = find(scene, &name);
            delete(scene, copy);
        });
    }
}

#[test]
fn a_part_that_motions_move_is_not_deleted() {
    for game in WITH_MECHS {
        let (place, path, _) = mech(game);
        let mut scene = Scene::open(&place.out(&path));
        let moved = &scene.json["animations"][0]["channels"][0]["target"]["node"];
        let moved = moved.as_u64().unwrap() as usize;
        delete(&mut scene, moved);
        scene.save();
        let [(_, reason)] = &*place.refused() else {
            panic!("{game:?}: it is refused");
        };
        assert!(reason.contains("no longer moves"), "{reason}");
    }
}

#[test]
fn deleted_fire_points_are_named() {
    let place = Place::new(&sample(Game::Mw));
    let path = "models/zbd/mechlib/mech_strider_01.gltf";
    let mut scene = Scene::open(&place.out(path));
    let mut nodes = scene.shown().into_iter();
    let is_armed = |node: &usize| !scene.nodes()[*node]["extras"]["zipper"]["firepoint"].is_null();
    let node = nodes.find(is_armed).unwrap();
    let name = scene.nodes()[node]["name"].as_str().unwrap().to_owned();
    delete(&mut scene, node);
    scene.save();
    let packed = place.pack();
    let said = packed.edits[0].rounding.clone().unwrap();
    assert!(
        said.contains(&format!("fire points of weapons: {name}")),
        "{said}"
    );
}

#[test]
fn a_part_of_a_mech_gets_a_new_material() {
    for game in WITH_MECHS {
        for has_picture in [false, true] {
            let (place, path, part) = mech(game);
            let mut scene = Scene::open(&place.out(&path));
            let node = find(&scene, &part);
            let mesh = scene.nodes()[node]["mesh"].as_u64().unwrap() as usize;
            let folder = place.out(&path).parent().unwrap().to_owned();
            std::fs::write(folder.join("fresh.png"), png([200, 40, 40, 255])).unwrap();
            let mut material = json!({"name": "mine", "pbrMetallicRoughness": {}});
            let pbr = &mut material["pbrMetallicRoughness"];
            if has_picture {
                let push = |scene: &mut Scene, list: &str, value: Value| {
                    let list = scene.json[list].as_array_mut().unwrap();
                    list.push(value);
                    list.len() - 1
                };
                let image = push(&mut scene, "images", json!({"uri": "fresh.png"}));
                let texture = push(&mut scene, "textures", json!({"source": image}));
                pbr["baseColorTexture"] = json!({"index": texture});
            } else {
                pbr["baseColorFactor"] = json!([0.2, 0.4, 0.8, 1.0]);
            }
            let materials = scene.json["materials"].as_array_mut().unwrap();
            materials.push(material);
            let number = materials.len() - 1;
            scene.json["meshes"][mesh]["primitives"][0]["material"] = number.into();
            scene.save();
            let packed = place.pack();
            let said = packed.edits[0].rounding.clone().unwrap();
            assert!(said.contains("added: material"), "{said}");
            let scene = after(&place, &path);
            let node = find(&scene, &part);
            let mesh = scene.nodes()[node]["mesh"].as_u64().unwrap() as usize;
            let parts = scene.json["meshes"][mesh]["primitives"].as_array().unwrap();
            let shown = parts.iter().map(|part| {
                let material = part["material"].as_u64().unwrap() as usize;
                scene.json["materials"][material]["name"].as_str().unwrap()
            });
            let wanted = if has_picture { "fresh" } else { "color_" };
            assert!(
                shown.clone().any(|name| name.starts_with(wanted)),
                "{game:?}: {:?}",
                shown.collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn members_of_libraries_stay_trees_in_the_order_of_their_file() {
    let (place, path, part) = mech(Game::Mw);
    let mut scene = Scene::open(&place.out(&path));
    let node = find(&scene, &part);
    let copy = duplicate(&mut scene, node, "");
    duplicate(&mut scene, copy, "");
    scene.save();
    place.pack();
    let bytes = std::fs::read(place.path("mod/zbd/mechlib.zbd")).unwrap();
    let archive = archive::decode(&bytes).unwrap().value;
    for entry in archive
        .entries
        .iter()
        .filter(|it| it.name().ends_with(".flt"))
    {
        let model = mechlib::decode_model(&entry.data, ZipperGame::MechWarrior3).unwrap();
        assert_eq!(model.deviations.total(), 0, "{}", entry.name());
    }
}

/// Puts a node below another one.
fn adopt(scene: &mut Scene, node: usize, parent: usize) {
    delete(scene, node);
    add_child(scene, parent, node);
}

#[test]
fn an_object_below_another_one_is_packed_and_back_again_leaves_it_at_its_place() {
    for game in GAMES {
        let place = Place::new(&sample(game));
        let output = world_of(&place);
        let mut scene = Scene::open(&place.out(&output.path));
        let before = shown(&scene);
        let (node, parent) = (find(&scene, "lantern"), find(&scene, "ground_01"));
        let top = parent_of(&scene, node).unwrap();
        let top = scene.nodes()[top]["name"].as_str().unwrap().to_owned();
        adopt(&mut scene, node, parent);
        shift(&mut scene, node, [2.0, 1.0, 0.0]);
        scene.save();
        let wanted = shape(&scene, node, &all(&scene));
        let packed = place.pack();
        let said = packed.edits[0].rounding.clone().unwrap();
        assert!(said.contains("with another parent: lantern"), "{said}");
        let scene = after(&place, &output.path);
        let found = find(&scene, "lantern");
        let above = parent_of(&scene, found).unwrap();
        assert_eq!(scene.nodes()[above]["name"], "ground_01", "{game:?}");
        assert_eq!(shape(&scene, found, &all(&scene)), wanted, "{game:?}");
        let back = place.again("modded");
        let mut scene = Scene::open(&back.out(&output.path));
        let (node, top) = (find(&scene, "lantern"), find(&scene, &top));
        adopt(&mut scene, node, top);
        shift(&mut scene, node, [-2.0, -1.0, 0.0]);
        scene.save();
        back.pack();
        assert_eq!(shown(&after(&back, &output.path)), before, "{game:?}");
    }
}

#[test]
fn an_empty_object_takes_the_place_of_the_last_one_of_a_level_of_detail() {
    type Edit = fn(&mut Scene, usize);
    let edits: [Edit; 2] = [delete, |scene, body| {
        let gun = find(scene, "gun");
        adopt(scene, body, gun);
    }];
    let path = "models/zbd/mechlib/wanderer.gltf";
    for edit in edits {
        let place = Place::new(&sample(Game::Pm));
        let mut scene = Scene::open(&place.out(path));
        let body = find(&scene, "torso_body");
        edit(&mut scene, body);
        scene.save();
        place.pack();
        let [old, new] = ["install", "mod"].map(|folder| {
            let bytes = std::fs::read(place.path(folder).join("zbd/mechlib.zbd")).unwrap();
            let archive = archive::decode(&bytes).unwrap().value;
            let mut entries = archive.entries.iter();
            let entry = entries.find(|it| it.name() == "wanderer.flt").unwrap();
            let model = mechlib::decode_model(&entry.data, ZipperGame::PiratesMoon).unwrap();
            assert_eq!(model.deviations.total(), 0);
            model.value.nodes
        });
        let level = |nodes: &[mechlib::MechNode]| {
            let mut nodes = nodes.iter();
            let found = nodes.find(|it| it.node.name() == "torso_hi").unwrap();
            found.node.clone()
        };
        let (before, after) = (level(&old), level(&new));
        let empty = &new[after.children[0] as usize];
        assert_eq!(after.children.len(), 1);
        assert_eq!(empty.node.name(), "torso_hi_empty");
        assert!(empty.model.is_none() && empty.node.children.is_empty());
        // Distances of all levels may be measured from its center.
        assert_eq!(before.record.child_bbox, after.record.child_bbox);
    }
}

#[test]
fn an_object_gets_a_new_object_as_its_parent() {
    for game in GAMES {
        let place = Place::new(&sample(game));
        let output = world_of(&place);
        let mut scene = Scene::open(&place.out(&output.path));
        let fence = find(&scene, "fence_02");
        let copy = duplicate(&mut scene, fence, "_new");
        shift(&mut scene, copy, [3.0, 0.0, 3.0]);
        let node = find(&scene, "lantern");
        adopt(&mut scene, node, copy);
        scene.save();
        let wanted = shape(&scene, copy, &all(&scene));
        place.pack();
        let scene = after(&place, &output.path);
        let found = find(&scene, "fence_02_new");
        assert_eq!(shape(&scene, found, &all(&scene)), wanted, "{game:?}");
    }
}

#[test]
fn an_object_that_animations_find_below_its_parent_stays_there() {
    for game in GAMES {
        let place = Place::new(&sample(game));
        let output = world_of(&place);
        let mut scene = Scene::open(&place.out(&output.path));
        let (node, parent) = (find(&scene, "fence_02"), find(&scene, "sky"));
        adopt(&mut scene, node, parent);
        scene.save();
        let [(_, reason)] = &*place.refused() else {
            panic!("{game:?}: it is refused");
        };
        let is_said = reason.contains("animation definition") && reason.contains("parent");
        assert!(is_said, "{reason}");
    }
}

#[test]
fn a_shared_mesh_that_is_edited_on_one_object_becomes_a_mesh_of_its_own() {
    let mut tried = 0;
    for game in GAMES {
        for by_another_program in [false, true] {
            let place = Place::new(&sample(game));
            let output = world_of(&place);
            let mut scene = Scene::open(&place.out(&output.path));
            let Some((node, mesh)) = shared(&scene) else {
                continue;
            };
            tried += 1;
            let name = scene.nodes()[node]["name"].as_str().unwrap().to_owned();
            let before = shown(&scene);
            let meshes = scene.json["meshes"].as_array_mut().unwrap();
            let mut own = meshes[mesh].clone();
            own["name"] = format!("{}.001", own["name"].as_str().unwrap()).into();
            meshes.push(own);
            let number = meshes.len() - 1;
            let mut corners = read(&scene, number, 0);
            for corner in &mut corners {
                corner.at[1] *= 2.0;
            }
            write(&mut scene, number, 0, &corners);
            scene.json["nodes"][node]["mesh"] = number.into();
            let wanted = shape(&scene, node, &all(&scene));
            if by_another_program {
                rewrite(&mut scene, true);
            }
            scene.save();
            let packed = place.pack();
            let said = packed.edits[0].rounding.clone().unwrap();
            assert!(said.contains("1 model added"), "{said}");
            let scene = after(&place, &output.path);
            let found = find(&scene, &name);
            assert_eq!(shape(&scene, found, &all(&scene)), wanted, "{game:?}");
            let index = &scene.nodes()[found]["extras"]["zipper"]["index"];
            let mut now = shown(&scene);
            let own = now.insert(index.as_u64().unwrap(), Vec::new());
            let mut before = before;
            assert_ne!(before.insert(index.as_u64().unwrap(), Vec::new()), own);
            assert_eq!(now, before, "{game:?}: other objects are as they were");
        }
    }
    assert!(tried >= 4, "{tried}");
}

/// A shown node, and its mesh, which another node with another index shows too.
fn shared(scene: &Scene) -> Option<(usize, usize)> {
    let nodes = scene.nodes();
    let key = |node: usize| {
        let index = nodes[node]["extras"]["zipper"]["index"].as_u64()?;
        Some((nodes[node]["mesh"].as_u64()?, index))
    };
    let is_shared = |node: &usize| {
        let Some((mesh, index)) = key(*node) else {
            return false;
        };
        let mut all = (0..nodes.len()).filter_map(key);
        all.any(|(other, of)| other == mesh && of != index)
    };
    let shown = scene.shown().into_iter().filter(is_shared);
    let is_plain = |node: &usize| {
        let mesh = key(*node).unwrap().0 as usize;
        scene.attribute(mesh, 0, "indices").is_some()
    };
    let mut shown = shown.filter(is_plain);
    let node = shown.next()?;
    Some((node, key(node)?.0 as usize))
}

#[test]
fn objects_that_shared_a_mesh_may_all_be_edited_in_other_ways() {
    for game in [Game::Rc, Game::Mw, Game::Pm] {
        let place = Place::new(&sample(game));
        let output = world_of(&place);
        let mut scene = Scene::open(&place.out(&output.path));
        let nodes = ["fence_01", "fence_02"].map(|name| find(&scene, name));
        for (factor, node) in [1.5, 2.0].into_iter().zip(nodes) {
            let mesh = scene.nodes()[node]["mesh"].as_u64().unwrap() as usize;
            let meshes = scene.json["meshes"].as_array_mut().unwrap();
            meshes.push(meshes[mesh].clone());
            let number = meshes.len() - 1;
            meshes[number]["name"] = format!("own {factor}").into();
            let mut corners = read(&scene, number, 0);
            for corner in &mut corners {
                corner.at[1] *= factor;
            }
            write(&mut scene, number, 0, &corners);
            scene.json["nodes"][node]["mesh"] = number.into();
        }
        let shapes = |scene: &Scene| {
            let nodes = ["fence_01", "fence_02"].map(|name| find(scene, name));
            nodes.map(|node| shape(scene, node, &all(scene)))
        };
        let wanted = shapes(&scene);
        rewrite(&mut scene, true);
        scene.save();
        place.pack();
        assert_eq!(shapes(&after(&place, &output.path)), wanted, "{game:?}");
    }
}

#[test]
fn layers_over_surfaces_without_a_picture_are_subdivided_with_them() {
    let place = Place::new(&relicast_samples::files(Game::Pm, 1).unwrap());
    let mut scenes = Vec::new();
    for output in outputs(&place) {
        let mut scene = Scene::open(&place.out(&output.path));
        let meshes = scene.json["meshes"].as_array().unwrap();
        let has_layer = |mesh: &usize| {
            let parts = meshes[*mesh]["primitives"].as_array().unwrap();
            parts
                .iter()
                .any(|it| !it["extras"]["zipper"]["layer"].is_null())
        };
        let Some(mesh) = (0..meshes.len()).find(has_layer) else {
            continue;
        };
        subdivide(&mut scene, mesh);
        scene.save();
        scenes.push((output.path, all(&scene)));
    }
    assert!(!scenes.is_empty());
    assert_packed_shows(&place, scenes, "layers");
}

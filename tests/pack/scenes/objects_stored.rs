//! Records of added, copied and deleted objects in the packed worlds.

use std::collections::BTreeSet;
use std::fs;

use relicast::asset::Game;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{self, ActiveBox, GameZ, Node, NodeData, NodeFlags, World};
use relicast_testing::test;
use serde_json::json;

use crate::scenes::GAMES;
use crate::scenes::objects::{
    add_child, after, assert_undone, children, delete, duplicate, find, parent_of, pyramid, sample,
    shape, shift, world_of,
};
use crate::scenes::place::Place;
use crate::scenes::scene::Scene;
use crate::scenes::triangles::all;

/// A world of a sample with its scene.
struct Stage {
    place: Place,
    path: String,
    source: String,
    scene: Scene,
}

impl Stage {
    fn new(game: Game) -> Self {
        let place = Place::new(&sample(game));
        let output = world_of(&place);
        Self {
            scene: Scene::open(&place.out(&output.path)),
            path: output.path.clone(),
            source: output.source.to_string(),
            place,
        }
    }

    fn world(&self, folder: &str) -> GameZ {
        let bytes = fs::read(self.place.path(folder).join(&self.source)).unwrap();
        gamez::decode(&bytes).unwrap().value
    }

    /// Packs the edits; returns the world before and after.
    fn pack(&self) -> [GameZ; 2] {
        self.scene.save();
        self.place.pack();
        ["install", "mod"].map(|folder| self.world(folder))
    }

    fn has(&self, name: &str) -> bool {
        self.scene.nodes().iter().any(|node| node["name"] == name)
    }

    /// Adds an object without extras, with a mesh of its own.
    fn add_fresh(&mut self, name: &str, parent: usize, at: [f32; 3]) -> usize {
        let like = find(&self.scene, "fence_02");
        let like = self.scene.nodes()[like]["mesh"].as_u64().unwrap();
        let mesh = pyramid(&mut self.scene, like as usize);
        let nodes = self.scene.json["nodes"].as_array_mut().unwrap();
        nodes.push(json!({"name": name, "mesh": mesh, "translation": at}));
        let node = nodes.len() - 1;
        add_child(&mut self.scene, parent, node);
        node
    }
}

fn numbered<'g>(gamez: &'g GameZ, name: &str) -> (usize, &'g Node) {
    let mut nodes = gamez.nodes.used.iter().enumerate();
    let found = nodes.find(|(_, node)| node.name() == name);
    found.unwrap_or_else(|| panic!("there is a {name}"))
}

fn world(gamez: &GameZ) -> (&Node, &World) {
    let (index, world) = gamez.nodes.world().unwrap();
    (&gamez.nodes.used[index], world)
}

/// Cells that list a node.
fn cells(gamez: &GameZ, node: usize) -> BTreeSet<usize> {
    let cells = world(gamez).1.partitions.iter().enumerate();
    let listed = cells.filter(|(_, cell)| cell.entries.iter().any(|it| it.node as usize == node));
    listed.map(|(cell, _)| cell).collect()
}

/// True for a child of the world; for one in cells; for one that names the world as its parent.
fn listing(gamez: &GameZ, name: &str) -> [bool; 3] {
    let (index, node) = numbered(gamez, name);
    let (world_index, _) = gamez.nodes.world().unwrap();
    [
        world(gamez)
            .0
            .children
            .iter()
            .any(|&it| it as usize == index),
        !cells(gamez, index).is_empty(),
        node.parents.iter().any(|&it| it as usize == world_index),
    ]
}

/// The names of objects at the top of a world.
fn tops(scene: &Scene) -> Vec<String> {
    let below = children(scene, find(scene, "world1"));
    let objects = below
        .into_iter()
        .filter(|&node| scene.nodes()[node]["extras"]["zipper"]["class"] == "object3d");
    let names = objects.map(|node| scene.nodes()[node]["name"].as_str().unwrap().to_owned());
    names.collect()
}

#[test]
fn a_copy_is_in_the_same_list_of_the_world_as_its_original() {
    for game in GAMES {
        let mut stage = Stage::new(game);
        let names = tops(&stage.scene);
        for name in &names {
            let node = find(&stage.scene, name);
            duplicate(&mut stage.scene, node, "_new");
        }
        let [before, after] = stage.pack();
        for name in names {
            let copy = listing(&after, &format!("{name}_new"));
            assert_eq!(copy, listing(&before, &name), "{game:?} {name}");
            assert_eq!(listing(&after, &name), listing(&before, &name));
            assert!(copy[0] != copy[1], "{game:?} {name}: a child or in cells");
        }
        let (old, new) = (world(&before).0, world(&after).0);
        assert_eq!(old.record.flags, new.record.flags, "{game:?}");
        assert_eq!(old.record.child_bbox, new.record.child_bbox, "{game:?}");
        assert_eq!(old.record.active_bbox, new.record.active_bbox, "{game:?}");
    }
}

#[test]
fn a_copy_over_the_border_of_a_cell_is_in_the_cell_of_its_center_or_always_drawn() {
    for game in GAMES {
        let mut stage = Stage::new(game);
        let gamez = stage.world("install");
        let (_, record) = world(&gamez);
        let edge = f64::from(gamez.version.partition_edge());
        let left = f64::from(record.record.area_left.0);
        let tower = find(&stage.scene, "tower");
        let at: [f32; 3] = stage.scene.vector(tower, "translation", [0.0; 3]);
        // The border at the right of its cell, and distances of its center from it.
        let border = left + ((f64::from(at[0]) - left) / edge + 1.0).floor() * edge;
        let steps = [-40.0, -6.0, -4.5, -1.0, -0.25, 0.25, 1.0, 4.5, 6.0, 40.0];
        for (number, step) in steps.into_iter().enumerate() {
            let copy = duplicate(&mut stage.scene, tower, &format!("_{number}"));
            let x = (border + step) as f32 - at[0];
            shift(&mut stage.scene, copy, [x, 0.0, 0.0]);
        }
        let [before, after] = stage.pack();
        let columns = record.grid().unwrap().0;
        let (index, _) = numbered(&before, "tower");
        let [own] = cells(&before, index).into_iter().collect::<Vec<_>>()[..] else {
            panic!("{game:?}: the tower is in one cell");
        };
        let last = own % columns + 1 == columns;
        let slack = f64::from(record.record.inclusion_tolerance[0].0);
        for (number, step) in steps.into_iter().enumerate() {
            let (index, _) = numbered(&after, &format!("tower_{number}"));
            let found = cells(&after, index);
            // The tower reaches two meters to each side.
            let hangs_over = 2.0 - step.abs() > slack;
            let is_outside = step > 0.0 && last;
            let wanted = match (hangs_over, is_outside, step > 0.0) {
                (true, ..) | (_, true, _) => BTreeSet::new(),
                (_, _, true) => BTreeSet::from([own + 1]),
                (_, _, false) => BTreeSet::from([own]),
            };
            assert_eq!(found, wanted, "{game:?} {step}");
            assert_eq!(
                listing(&after, &format!("tower_{number}"))[0],
                wanted.is_empty()
            );
        }
    }
}

#[test]
fn an_object_below_another_gives_it_a_box_of_children_until_it_is_deleted() {
    for game in GAMES {
        let mut stage = Stage::new(game);
        let above = find(&stage.scene, "camp_fire");
        let child = stage.add_fresh("crate", above, [0.5, 0.0, 1.0]);
        let wanted = shape(&stage.scene, child, &all(&stage.scene));
        let [before, packed] = stage.pack();
        let (_, old) = numbered(&before, "camp_fire");
        let (number, new) = numbered(&packed, "camp_fire");
        let (_, made) = numbered(&packed, "crate");
        assert_eq!(made.parents, [number as u32], "{game:?}");
        assert!(old.children.is_empty() && new.children.len() == 1);
        let boxes = NodeFlags::BBOX_MODEL | NodeFlags::BBOX_CHILD | NodeFlags::BBOX_NODE;
        assert_eq!(
            old.record.flags - boxes,
            new.record.flags - boxes,
            "{game:?}"
        );
        assert!(
            new.record
                .flags
                .contains(NodeFlags::BBOX_CHILD | NodeFlags::BBOX_NODE)
        );
        assert!(
            !made.record.flags.contains(NodeFlags::BBOX_CHILD),
            "{game:?}"
        );
        // The pyramid is 2.25 × 2 × 2.5 meters.
        let holds = new.record.child_bbox;
        assert_eq!(holds.min.to_array(), [-0.5, 0.0, 0.0], "{game:?}");
        assert_eq!(holds.max.to_array(), [1.75, 2.0, 2.5], "{game:?}");
        if matches!(
            packed.version,
            ZipperGame::PiratesMoon | ZipperGame::CrimsonSkies
        ) {
            assert_eq!(new.record.active_bbox, ActiveBox::Node, "{game:?}");
            assert_eq!(made.record.active_bbox, ActiveBox::Model, "{game:?}");
        }
        let scene = after(&stage.place, &stage.path);
        let found = find(&scene, "crate");
        assert_eq!(shape(&scene, found, &all(&scene)), wanted, "{game:?}");
        assert_eq!(parent_of(&scene, found), Some(find(&scene, "camp_fire")));
        assert_undone(&stage.place, &stage.path, |scene| {
            let node = find(scene, "crate");
            delete(scene, node);
        });
    }
}

#[test]
fn an_object_of_another_world_is_a_new_object() {
    for game in GAMES {
        let mut stage = Stage::new(game);
        let top = find(&stage.scene, "world1");
        let plain = stage.add_fresh("plain", top, [70.0, 1.0, 66.0]);
        let foreign = stage.add_fresh("foreign", top, [70.0, 1.0, 66.0]);
        // It has the number of an object of this world that is in one zone only, but not its name.
        let fence = find(&stage.scene, "fence_01");
        let index = stage.scene.nodes()[fence]["extras"]["zipper"]["index"].clone();
        stage.scene.json["nodes"][foreign]["extras"] =
            json!({"zipper": {"index": index, "name": "boulder", "class": "object3d"}});
        assert_eq!(stage.scene.nodes()[plain]["extras"], json!(null));
        let [_, after] = stage.pack();
        let (plain, foreign) = (numbered(&after, "plain").1, numbered(&after, "foreign").1);
        assert_eq!(plain.record.flags, foreign.record.flags, "{game:?}");
        assert_eq!(plain.record.zone_id, foreign.record.zone_id, "{game:?}");
        assert_eq!(
            plain.record.model_bbox, foreign.record.model_bbox,
            "{game:?}"
        );
        let parts = |node: &Node| match &node.data {
            NodeData::Object3d(object) => (object.flags, object.scale, object.transform),
            _ => panic!("{game:?}: it is an object"),
        };
        assert_eq!(parts(plain), parts(foreign), "{game:?}");
    }
}

#[test]
fn objects_are_added_and_deleted_in_one_pack() {
    for game in GAMES {
        let mut stage = Stage::new(game);
        let fence = find(&stage.scene, "fence_02");
        let copy = duplicate(&mut stage.scene, fence, "_new");
        shift(&mut stage.scene, copy, [6.0, 0.5, -3.0]);
        let wanted = shape(&stage.scene, copy, &all(&stage.scene));
        let gone = find(&stage.scene, "fireflies");
        delete(&mut stage.scene, gone);
        stage.pack();
        let scene = after(&stage.place, &stage.path);
        assert_eq!(
            shape(&scene, find(&scene, "fence_02_new"), &all(&scene)),
            wanted
        );
        let is_there = |scene: &Scene, name: &str| {
            let shown = scene.shown().into_iter();
            shown
                .into_iter()
                .any(|node| scene.nodes()[node]["name"] == name)
        };
        assert!(!is_there(&scene, "fireflies"), "{game:?}");
        // The object that was added gives its slot to another one.
        let again = stage.place.again("modded");
        let mut scene = Scene::open(&again.out(&stage.path));
        let first = find(&scene, "fence_02_new");
        let second = duplicate(&mut scene, first, "er");
        shift(&mut scene, second, [2.0, 0.0, 1.0]);
        delete(&mut scene, first);
        scene.save();
        let wanted = shape(&scene, second, &all(&scene));
        again.pack();
        let scene = after(&again, &stage.path);
        assert!(!is_there(&scene, "fence_02_new"), "{game:?}");
        let found = find(&scene, "fence_02_newer");
        assert_eq!(shape(&scene, found, &all(&scene)), wanted, "{game:?}");
    }
}

#[test]
fn a_deleted_object_keeps_its_slot_and_others_keep_their_records() {
    for game in GAMES {
        let mut stage = Stage::new(game);
        let name = "fireflies";
        let node = find(&stage.scene, name);
        delete(&mut stage.scene, node);
        let [before, after] = stage.pack();
        let (index, old) = numbered(&before, name);
        let new = &after.nodes.used[index];
        assert_eq!(listing(&after, name), [false; 3], "{game:?}");
        assert!(new.parents.is_empty(), "{game:?}");
        let active = NodeFlags::ACTIVE;
        assert_eq!(new.record.flags, old.record.flags - active, "{game:?}");
        assert_eq!((new.name(), new.model()), (old.name(), old.model()));
        assert_eq!(new.data, old.data, "{game:?}");
        let world_index = world_of_nodes(&before);
        let pairs = before.nodes.used.iter().zip(&after.nodes.used).enumerate();
        for (number, (old, new)) in pairs {
            if number != index && number != world_index {
                assert_eq!(old, new, "{game:?} {number}");
            }
        }
        assert_eq!(before.nodes.used.len(), after.nodes.used.len());
        assert_eq!(before.models, after.models, "{game:?}");
        let others = |gamez: &GameZ| -> Vec<u32> {
            let all = world(gamez).0.children.iter().copied();
            all.filter(|&it| it as usize != index).collect()
        };
        assert_eq!(others(&before), world(&after).0.children, "{game:?}");
    }
}

fn world_of_nodes(gamez: &GameZ) -> usize {
    gamez.nodes.world().unwrap().0
}

/// The reason why an edit of a sample is refused.
fn refused(stage: &mut Stage, edit: impl FnOnce(&mut Stage)) -> String {
    edit(stage);
    stage.scene.save();
    let refused = stage.place.refused();
    refused[0].1.clone()
}

#[test]
fn objects_below_nodes_that_are_not_of_the_game_or_no_objects_are_refused() {
    let below = |game: Game, name: &str| {
        let mut stage = Stage::new(game);
        refused(&mut stage, |stage| {
            let parent = find(&stage.scene, name);
            stage.add_fresh("crate", parent, [1.0, 0.0, 0.0]);
        })
    };
    for game in GAMES {
        let reason = below(game, "sunlight");
        assert!(
            reason.contains("node crate") && reason.contains("put it below another"),
            "{reason}"
        );
        let reason = below(game, "pole");
        assert!(
            reason.contains("node crate") && reason.contains("below pole__shear"),
            "{reason}"
        );
        if Stage::new(game).has("clutter") {
            let reason = below(game, "clutter");
            assert!(
                reason.contains("node crate") && reason.contains("generated"),
                "{reason}"
            );
        }
    }
    assert!(Stage::new(Game::Cs).has("clutter"), "one has such a node");
}

#[test]
fn parts_of_a_deleted_object_do_not_become_copies() {
    for game in GAMES {
        let mut stage = Stage::new(game);
        let reason = refused(&mut stage, |stage| {
            let pole = find(&stage.scene, "pole");
            let banner = find(&stage.scene, "banner");
            delete(&mut stage.scene, banner);
            delete(&mut stage.scene, pole);
            let top = find(&stage.scene, "world1");
            add_child(&mut stage.scene, top, banner);
        });
        assert!(
            reason.contains("node banner") && reason.contains("Delete Hierarchy"),
            "{reason}"
        );
    }
}

#[test]
fn objects_are_nested_only_as_deep_as_the_games_can_have_them() {
    for game in GAMES {
        let mut stage = Stage::new(game);
        let reason = refused(&mut stage, |stage| {
            let mut parent = find(&stage.scene, "world1");
            for number in 0..5000 {
                let nodes = stage.scene.json["nodes"].as_array_mut().unwrap();
                nodes.push(json!({"name": format!("step {number}")}));
                let node = nodes.len() - 1;
                add_child(&mut stage.scene, parent, node);
                parent = node;
            }
        });
        assert!(
            reason.contains("node step 0") && reason.contains("make them flatter"),
            "{reason}"
        );
    }
}

#[test]
fn nothing_is_deleted_while_the_animations_of_a_world_cannot_be_read() {
    for game in GAMES {
        let mut files = sample(game);
        let mut broken = 0;
        for file in &mut files {
            if file.path.to_ascii_lowercase().ends_with("anim.zbd") {
                file.bytes.truncate(20);
                broken += 1;
            }
        }
        assert!(broken > 0, "{game:?}");
        let place = Place::new(&files);
        let path = world_of(&place).path;
        let mut scene = Scene::open(&place.out(&path));
        let node = find(&scene, "fireflies");
        delete(&mut scene, node);
        scene.save();
        let reason = &place.refused()[0].1;
        assert!(
            reason.contains("animations of the world cannot be read"),
            "{game:?} {reason}"
        );
        assert!(reason.contains("remove active"), "{game:?} {reason}");
    }
}

#[test]
fn an_empty_object_takes_the_place_of_the_last_one_that_a_world_always_draws() {
    for game in GAMES {
        let mut files = sample(game);
        // Nothing names an object, and the camera carries none.
        files.retain(|file| !file.path.to_ascii_lowercase().ends_with("anim.zbd"));
        let mut place = Place::new(&files);
        let source = world_of(&place).source.to_string();
        let bytes = fs::read(place.path("install").join(&source)).unwrap();
        let mut gamez = gamez::decode(&bytes).unwrap().value;
        for node in &mut gamez.nodes.used {
            if let NodeData::Camera(camera) = &mut node.data {
                (camera.focus_node_xy, camera.focus_node_xz) = (-1, -1);
            }
        }
        for file in &mut files {
            if file.path == source {
                file.bytes = gamez::encode(&gamez).unwrap();
            }
        }
        place = Place::new(&files);
        let output = world_of(&place);
        let mut scene = Scene::open(&place.out(&output.path));
        let drawn: Vec<String> = tops(&scene)
            .into_iter()
            .filter(|name| listing(&gamez, name)[0])
            .collect();
        for name in &drawn {
            let node = find(&scene, name);
            delete(&mut scene, node);
        }
        scene.save();
        let packed = place.pack();
        let said = format!("{:?}", packed.edits);
        assert!(said.contains("world1_empty"), "{game:?} {said}");
        let bytes = fs::read(place.path("mod").join(&source)).unwrap();
        let after = gamez::decode(&bytes).unwrap().value;
        let (index, node) = numbered(&after, "world1_empty");
        assert!(node.children.is_empty() && node.model().is_none());
        let others = world(&after).0.children.iter();
        let mut others = others.map(|&child| after.nodes.used[child as usize].name());
        assert!(others.all(|name| !drawn.contains(&name)), "{game:?}");
        assert!(world(&after).0.children.contains(&(index as u32)));
    }
}

//! Crimson Skies worlds against an older reference decoder's JSON, and against the words that it
//! lacks.

use relicast::formats::codec::Bytes;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    self, GameZ, MaterialFlags, ModelSlot, Node, NodeData, NodeFlags, Object3dFlags,
};
use relicast_testing::test;
use serde_json::Value;

use crate::gamez::classic::check_model;
use crate::gamez::fixtures::{
    WORLDS, expected, fixture, flag, float, int, ints, list, same_box, same_vec3, text, vec3,
};

#[test]
fn worlds_hold_what_the_older_reference_decoder_finds() {
    for path in WORLDS.into_iter().filter(|path| path.starts_with("cs")) {
        let bytes = fixture(path);
        let gamez = gamez::decode(&bytes).unwrap().value;
        assert_eq!(gamez.version, ZipperGame::CrimsonSkies);
        let raw = expected(path, "raw.json");
        check_raw(&gamez, &raw);
        let textures = expected(path, "textures.json");
        for (found, expected) in gamez.textures.iter().zip(textures.as_array().unwrap()) {
            assert_eq!(found.name.display(), text(expected, "original"));
            assert_eq!(i64::from(found.mip_index), int(expected, "mip"));
        }
        let materials = expected(path, "materials.json");
        let materials = materials.as_array().unwrap();
        assert_eq!(gamez.materials.used.len(), materials.len());
        for (found, expected) in gamez.materials.used.iter().zip(materials) {
            if let Some(expected) = expected.get("Colored") {
                same_vec3(found.record.color, &expected["color"], "color");
                assert_eq!(i64::from(found.record.alpha), int(expected, "alpha"));
            } else {
                let expected = &expected["Textured"];
                let marked = found.record.flags.contains(MaterialFlags::TAKES_DECALS);
                assert_eq!(marked, flag(expected, "flag"));
                assert_eq!(found.cycle.is_some(), expected["cycle"].is_object());
            }
        }
        let models = expected(path, "models.json");
        let models = models.as_array().unwrap();
        assert_eq!(gamez.models.slots.len(), models.len());
        for (slot, (found, expected)) in gamez.models.slots.iter().zip(models).enumerate() {
            match found {
                ModelSlot::Free { .. } => assert!(expected.is_null(), "{path} model {slot}"),
                ModelSlot::Used(found) => {
                    let what = format!("{path} model {slot}");
                    check_model(found, expected, gamez.version, &what);
                }
            }
        }
        let nodes = expected(path, "nodes.json");
        let nodes = nodes.as_array().unwrap();
        assert_eq!(gamez.nodes.used.len(), nodes.len());
        for (index, (found, expected)) in gamez.nodes.used.iter().zip(nodes).enumerate() {
            check_node(found, expected, &format!("{path} node {index}"));
        }
    }
}

fn check_raw(gamez: &GameZ, raw: &Value) {
    assert_eq!(i64::from(gamez.header.timestamp), int(raw, "timestamp"));
    assert_eq!(
        i64::from(gamez.header.node_last_free),
        int(raw, "node_last_free")
    );
    let textures = list(raw, "texture_entries");
    assert_eq!(gamez.textures.len(), textures.len());
    for (found, expected) in gamez.textures.iter().zip(textures) {
        assert_eq!(
            format!("{:?}", Bytes(found.name.0)),
            text(expected, "name_raw")
        );
        assert_eq!(i64::from(found.image_ptr), int(expected, "image_ptr"));
        assert_eq!(i64::from(found.state.code()), int(expected, "state"));
    }
    for (index, expected) in list(raw, "material_texture_indices").iter().enumerate() {
        let found = gamez.materials.used[index].texture();
        assert_eq!(
            found,
            expected.as_u64().map(|index| index as usize),
            "material {index}"
        );
    }
    for (index, expected) in raw["cycle_texture_indices"].as_object().unwrap() {
        let material = &gamez.materials.used[index.parse::<usize>().unwrap()];
        let found = serde_json::to_value(&material.cycle.as_ref().unwrap().textures).unwrap();
        assert_eq!(&found, expected);
    }
    assert_eq!(gamez.models.slots.len() as i64, int(raw, "model_slots"));
    assert_eq!(gamez.models.iter().count() as i64, int(raw, "models_used"));
    let mut next = gamez.models.array.index_free;
    for &expected in &ints(raw, "model_free_chain") {
        assert_eq!(i64::from(next), expected);
        match &gamez.models.slots[next as usize] {
            ModelSlot::Free { next: link, .. } => next = *link,
            ModelSlot::Used(_) => panic!("slot {next} is in use"),
        }
    }
    assert_eq!(next, -1);
    let words = raw["model_flag_words"].as_object().unwrap();
    assert_eq!(words.len(), gamez.models.iter().count());
    for (slot, word) in words {
        let model = gamez.models.get(slot.parse().unwrap()).unwrap();
        let found = model.record.flags.word(ZipperGame::CrimsonSkies).unwrap();
        assert_eq!(u64::from(found), word.as_u64().unwrap(), "model {slot}");
    }
}

fn check_node(found: &Node, expected: &Value, what: &str) {
    let (kind, expected) = expected.as_object().unwrap().iter().next().unwrap();
    let record = &found.record;
    if let Some(name) = expected["name"].as_str() {
        assert_eq!(found.name(), name, "{what}");
    }
    assert_eq!(
        i64::from(record.data_ptr),
        int(expected, "data_ptr"),
        "{what}"
    );
    if expected["node_index"].is_i64() {
        assert_eq!(
            i64::from(found.link & 0x00FF_FFFF),
            int(expected, "node_index"),
            "{what}"
        );
    }
    if matches!(found.data, NodeData::Lod(_) | NodeData::Object3d(_)) {
        let parents: Vec<i64> = found.parents.iter().map(|&parent| parent.into()).collect();
        let parent: Vec<i64> = expected["parent"].as_i64().into_iter().collect();
        assert_eq!(parents, parent, "{what}");
        assert_eq!(
            i64::from(record.zone_id.0),
            int(expected, "zone_id"),
            "{what}"
        );
        assert_eq!(
            i64::from(record.field040),
            int(expected, "unk040"),
            "{what}"
        );
        same_box(record.child_bbox, &expected["unk164"], what);
    }
    let children: Vec<i64> = found.children.iter().map(|&child| child.into()).collect();
    assert_eq!(children, ints(expected, "children"), "{what}");
    match &found.data {
        NodeData::Object3d(object) => {
            assert_eq!(kind, "Object3d", "{what}");
            assert_eq!(
                i64::from(record.flags.bits()),
                int(expected, "flags"),
                "{what}"
            );
            assert_eq!(
                i64::from(record.update_flags),
                int(expected, "unk044"),
                "{what}"
            );
            assert_eq!(
                i64::from(record.model_index),
                int(expected, "mesh_index"),
                "{what}"
            );
            assert_eq!(
                i64::from(record.active_bbox.code()),
                int(expected, "unk112"),
                "{what}"
            );
            same_box(
                record.node_bbox.stored_box().unwrap(),
                &expected["unk116"],
                what,
            );
            same_box(record.model_bbox, &expected["unk140"], what);
            let place = &expected["area_partition"];
            let found = (record.area_partition.x, record.area_partition.z);
            let cell = match place.is_object() {
                true => (int(place, "x") as i32, int(place, "y") as i32),
                false => (-1, -1),
            };
            assert_eq!(found, cell, "{what}");
            if place.is_object() {
                let grid = [int(place, "virtual_x"), int(place, "virtual_y")];
                assert_eq!(record.virtual_partition.map(i64::from), grid, "{what}");
            }
            let transform = &expected["transformation"];
            let initial = object.flags.contains(Object3dFlags::TRANSFORM_INITIAL);
            assert_eq!(initial, transform.is_null(), "{what}");
            if !initial {
                assert_eq!(
                    object.rotate.to_array(),
                    vec3(&transform["rotation"]),
                    "{what}"
                );
                let place = object.transform.translation.to_array();
                assert_eq!(place, vec3(&transform["translation"]), "{what}");
            }
        }
        NodeData::Lod(lod) => {
            assert_eq!(kind, "Lod", "{what}");
            let range = [
                float(&expected["range"]["min"]),
                float(&expected["range"]["max"]),
            ];
            assert_eq!(<[f32; 2]>::from(lod.range()), range, "{what}");
            assert_eq!(
                lod.measures_distance == 1,
                flag(expected, "level"),
                "{what}"
            );
            assert_eq!(lod.field64[0].0, float(&expected["unk64"]), "{what}");
            assert_eq!(lod.field72[0].0, float(&expected["unk72"]), "{what}");
            let landmark = record.flags.contains(NodeFlags::LANDMARK);
            assert_eq!(landmark, flag(expected, "flags_unk07"), "{what}");
        }
        NodeData::Light(light) => {
            assert_eq!(kind, "Light", "{what}");
            let range = [
                float(&expected["range"]["min"]),
                float(&expected["range"]["max"]),
            ];
            assert_eq!(
                [light.record.range_near.0, light.record.range_far.0],
                range,
                "{what}"
            );
        }
        NodeData::World(world) => {
            assert_eq!(kind, "World", "{what}");
            let area = &expected["area"];
            let sides = ["left", "top", "right", "bottom"].map(|side| float(&area[side]));
            let r = &world.record;
            let found = [r.area_left, r.area_top, r.area_right, r.area_bottom];
            assert_eq!(found.map(|side| side.0), sides);
            assert_eq!(
                i64::from(r.refresh_capacity),
                int(expected, "area_partition_count")
            );
            let rows = list(expected, "partitions");
            let cells: Vec<&Value> = rows
                .iter()
                .flat_map(|row| row.as_array().unwrap())
                .collect();
            assert_eq!(world.partitions.len(), cells.len());
            for (cell, expected) in world.partitions.iter().zip(cells) {
                let corner = [float(&expected["x"]), float(&expected["y"])];
                assert_eq!([cell.record.x.0, cell.record.z.0], corner);
                let heights = [float(&expected["z_min"]), float(&expected["z_max"])];
                assert_eq!([cell.record.min.y.0, cell.record.max.y.0], heights);
                let nodes = list(expected, "nodes");
                assert_eq!(cell.entries.len(), nodes.len());
                for (entry, expected) in cell.entries.iter().zip(nodes) {
                    assert_eq!(i64::from(entry.node), int(expected, "index"));
                    let range = [float(&expected["z_min"]), float(&expected["z_max"])];
                    assert_eq!(entry.y_range.to_array(), range);
                }
            }
        }
        NodeData::Camera(camera) => {
            assert_eq!(kind, "Camera", "{what}");
            assert_eq!(
                i64::from(camera.focus_node_xy),
                int(expected, "focus_node_xy")
            );
        }
        NodeData::Display(display) => {
            assert_eq!(kind, "Display", "{what}");
            let size = [int(expected, "resolution_x"), int(expected, "resolution_y")];
            assert_eq!(display.resolution.map(i64::from), size);
            same_vec3(display.clear_color, &expected["clear_color"], what);
        }
        NodeData::Window(window) => {
            assert_eq!(kind, "Window", "{what}");
            let size = [int(expected, "resolution_x"), int(expected, "resolution_y")];
            assert_eq!(window.resolution.map(i64::from), size);
        }
        NodeData::Empty => panic!("{what}: Crimson Skies has no empty nodes"),
    }
}

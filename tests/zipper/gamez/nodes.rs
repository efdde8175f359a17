//! Nodes against the reference decoder's JSON.

use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    self, ActiveBox, FogType, Light, LightFlags, Lod, Node, NodeData, NodeFlags, Object3d,
    Object3dFlags, World,
};
use serde_json::Value;

use crate::gamez::fixtures::{
    flag, float, int, ints, list, same_box, same_float, same_floats, same_vec3, text,
};

const NODE_FLAGS: [(&str, NodeFlags); 17] = [
    ("active", NodeFlags::ACTIVE),
    ("altitude_surface", NodeFlags::ALTITUDE_SURFACE),
    ("intersect_surface", NodeFlags::INTERSECT_SURFACE),
    ("intersect_bbox", NodeFlags::INTERSECT_BBOX),
    ("proximity", NodeFlags::PROXIMITY),
    ("landmark", NodeFlags::LANDMARK),
    ("bbox_node", NodeFlags::BBOX_NODE),
    ("bbox_model", NodeFlags::BBOX_MODEL),
    ("bbox_child", NodeFlags::BBOX_CHILD),
    ("terrain", NodeFlags::TERRAIN),
    ("can_modify", NodeFlags::CAN_MODIFY),
    ("clip_to", NodeFlags::CLIP_TO),
    ("tree_valid", NodeFlags::TREE_VALID),
    ("override", NodeFlags::OVERWRITE),
    ("id_zone_check", NodeFlags::ID_ZONE_CHECK),
    ("unk25", NodeFlags::MOVED),
    ("unk28", NodeFlags::UNK28),
];

/// A node but for its model, which worlds and mechlibs refer to differently.
pub fn check_node(found: &Node, expected: &Value, version: ZipperGame, what: &str) {
    let record = &found.record;
    assert_eq!(found.name(), text(expected, "name"), "{what}");
    for (name, bit) in NODE_FLAGS {
        assert_eq!(
            found.flags().contains(bit),
            flag(&expected["flags"], name),
            "{what} {name}"
        );
    }
    assert_eq!(
        i64::from(record.update_flags),
        int(expected, "update_flags"),
        "{what}"
    );
    assert_eq!(
        i64::from(record.zone_id.id()),
        int(expected, "zone_id"),
        "{what}"
    );
    let cell = record
        .area_partition
        .cell()
        .map(|(x, z)| (x as i64, z as i64));
    let area = &expected["area_partition"];
    assert_eq!(
        cell,
        area.is_object().then(|| (int(area, "x"), int(area, "z"))),
        "{what}"
    );
    let wide = |indices: &[u32]| {
        indices
            .iter()
            .map(|&index| index.into())
            .collect::<Vec<i64>>()
    };
    let parents = match found.data {
        // The reference takes the link of a freed node for its parent.
        NodeData::Empty => vec![found.link],
        _ => found.parents.clone(),
    };
    assert_eq!(wide(&parents), ints(expected, "parent_indices"), "{what}");
    assert_eq!(
        wide(&found.children),
        ints(expected, "child_indices"),
        "{what}"
    );
    if version == ZipperGame::PiratesMoon {
        let active = match record.active_bbox {
            ActiveBox::Node => "Node",
            ActiveBox::Model => "Model",
            ActiveBox::Child => "Child",
            ActiveBox::Other(_) => "?",
        };
        assert_eq!(active, text(expected, "active_bbox"), "{what}");
        let place = &expected["virtual_partition"];
        let place = if place.is_null() {
            [0, 0]
        } else {
            [int(place, "x"), int(place, "z")]
        };
        assert_eq!(record.virtual_partition.map(i64::from), place, "{what}");
    }
    same_box(
        record.node_bbox.stored_box().unwrap(),
        &expected["node_bbox"],
        what,
    );
    same_box(record.model_bbox, &expected["model_bbox"], what);
    same_box(record.child_bbox, &expected["child_bbox"], what);
    assert_eq!(
        i64::from(record.field196),
        int(expected, "field196"),
        "{what}"
    );
    assert_eq!(
        i64::from(record.data_ptr),
        int(expected, "data_ptr"),
        "{what}"
    );
    let data = &expected["data"];
    match &found.data {
        NodeData::Empty => assert_eq!(data, "Empty", "{what}"),
        NodeData::Camera(camera) => {
            let data = &data["Camera"];
            assert_eq!(i64::from(camera.window_index), int(data, "window_index"));
            for (found, field) in [
                (camera.clip_near, "clip_near"),
                (camera.clip_far, "clip_far"),
                (camera.lod_multiplier, "lod_multiplier"),
                (camera.fov_h_base, "fov_h_base"),
                (camera.fov_v_base, "fov_v_base"),
            ] {
                same_float(found, &data[field], field);
            }
        }
        NodeData::Display(display) => {
            let data = &data["Display"];
            let size = [int(data, "resolution_x"), int(data, "resolution_y")];
            assert_eq!(display.resolution.map(i64::from), size);
            same_vec3(display.clear_color, &data["clear_color"], what);
        }
        NodeData::Window(window) => {
            let data = &data["Window"];
            let size = [int(data, "resolution_x"), int(data, "resolution_y")];
            assert_eq!(window.resolution.map(i64::from), size);
        }
        NodeData::World(world) => check_world(world, &data["World"], version),
        NodeData::Object3d(object) => check_object(object, &data["Object3d"], what),
        NodeData::Lod(lod) => check_lod(lod, &data["Lod"], version, what),
        NodeData::Light(light) => check_light(light, &data["Light"], version),
    }
}

fn check_world(world: &World, expected: &Value, version: ZipperGame) {
    let record = &world.record;
    let fog = &expected["fog"];
    let kind = match record.fog_type {
        FogType::Off => "Off",
        FogType::Linear => "Linear",
        FogType::Exponential => "Exponential",
        FogType::Other(_) => "?",
    };
    assert_eq!(kind, text(fog, "fog_type"));
    same_vec3(record.fog_color, &fog["fog_color"], "fog");
    for (found, field) in [
        (record.fog_range, "fog_range"),
        (record.fog_altitude, "fog_altitude"),
    ] {
        let expected = &fog[field];
        same_floats(
            found.to_array(),
            [float(&expected["min"]), float(&expected["max"])],
            field,
        );
    }
    let area = &expected["area"];
    for (found, side) in [
        (record.area_left, "left"),
        (record.area_top, "top"),
        (record.area_right, "right"),
        (record.area_bottom, "bottom"),
    ] {
        assert_eq!(found.0, float(&area[side]), "{side}");
    }
    let wide = |indices: &[u32]| {
        indices
            .iter()
            .map(|&index| index.into())
            .collect::<Vec<i64>>()
    };
    assert_eq!(wide(&world.lights), ints(expected, "light_indices"));
    assert_eq!(wide(&world.sounds), ints(expected, "sound_indices"));
    assert_eq!(
        record.virtual_partition == 1,
        flag(expected, "virtual_partition")
    );
    let rows = list(expected, "partitions");
    let (columns, row_count) = world.grid().unwrap();
    assert_eq!(row_count, rows.len());
    let cells: Vec<&Value> = rows
        .iter()
        .flat_map(|row| row.as_array().unwrap())
        .collect();
    assert_eq!(
        (columns * row_count, world.partitions.len()),
        (cells.len(), cells.len())
    );
    for (found, expected) in world.partitions.iter().zip(cells) {
        assert_eq!(
            [found.record.x.0, found.record.z.0],
            [float(&expected["x"]), float(&expected["z"])]
        );
        same_vec3(found.record.min, &expected["min"], "min");
        same_vec3(found.record.max, &expected["max"], "max");
        if version == ZipperGame::PiratesMoon {
            let values = list(expected, "values");
            assert_eq!(found.entries.len(), values.len());
            for (found, expected) in found.entries.iter().zip(values) {
                assert_eq!(i64::from(found.node), int(expected, "node_index"));
                let range = [float(&expected["y_min"]), float(&expected["y_max"])];
                same_floats(found.y_range.to_array(), range, "y range");
            }
        } else {
            let nodes: Vec<u32> = found.entries.iter().map(|entry| entry.node).collect();
            assert_eq!(wide(&nodes), ints(expected, "node_indices"));
        }
    }
}

fn check_object(object: &Object3d, expected: &Value, what: &str) {
    assert_eq!(
        object.opacity(),
        expected["opacity"]
            .as_f64()
            .map(|_| float(&expected["opacity"]))
    );
    let color = &expected["color"];
    assert_eq!(object.color().is_some(), color.is_object(), "{what}");
    if color.is_object() {
        same_vec3(object.color, color, what);
    }
    let transform = &expected["transform"];
    let initial = object.flags.contains(Object3dFlags::TRANSFORM_INITIAL);
    assert_eq!(initial, transform == "Initial", "{what}");
    let matrix = object.transform.to_columns();
    if let Some(parts) = transform.get("RotateTranslateScale") {
        // The signs of zeros are listed apart, so zeros compare as equal here.
        assert_eq!(
            object.rotate.to_array(),
            crate::gamez::fixtures::vec3(&parts["rotate"]),
            "{what}"
        );
        assert_eq!(
            object.scale.to_array(),
            crate::gamez::fixtures::vec3(&parts["scale"]),
            "{what}"
        );
        let translate = crate::gamez::fixtures::vec3(&parts["translate"]);
        assert_eq!(matrix[12..15], translate, "{what}");
        let computed = gamez::Rotation(object.rotate).basis(object.scale);
        for (found, computed) in object.transform.basis.iter().zip(computed) {
            for (left, right) in found.to_array().into_iter().zip(computed.to_array()) {
                assert!((left - right).abs() < 1e-5, "{what}");
            }
        }
    } else if let Some(rows) = transform.get("Matrix") {
        assert!(object.flags.contains(Object3dFlags::USE_MATRIX), "{what}");
        for row in 0..4 {
            for column in 0..3 {
                let expected = float(&rows[format!("r{row}{column}")]);
                assert_eq!(matrix[4 * row + column], expected, "{what}");
            }
        }
    } else {
        assert_eq!(object.transform, gamez::Affine::identity(), "{what}");
    }
}

fn check_lod(lod: &Lod, expected: &Value, version: ZipperGame, what: &str) {
    let (near, far) = lod.range();
    let range = &expected["range"];
    assert_eq!(
        [near, far],
        [float(&range["min"]), float(&range["max"])],
        "{what}"
    );
    assert_eq!(
        i64::from(lod.measures_distance),
        int(expected, "field00"),
        "{what}"
    );
    if version == ZipperGame::PiratesMoon {
        same_float(lod.field64[0], &expected["field64"], what);
        same_float(lod.field72[0], &expected["field72"], what);
    } else {
        same_float(lod.fade_far[0], &expected["field60"], what);
        same_float(lod.fade_far[1], &expected["field64"], what);
    }
}

fn check_light(light: &Light, expected: &Value, version: ZipperGame) {
    for (name, bit) in [
        ("recalc", LightFlags::RECALC),
        ("unk1", LightFlags::RANGED),
        ("directional", LightFlags::DIRECTIONAL),
        ("directed_source", LightFlags::DIRECTED_SOURCE),
        ("point_source", LightFlags::POINT_SOURCE),
        ("saturated", LightFlags::SATURATED),
        ("subdivide", LightFlags::SUBDIVIDE),
        ("static", LightFlags::STATIC),
        ("color", LightFlags::COLOR),
        ("unk9", LightFlags::REACHES_CELL),
        ("light_map", LightFlags::LIGHT_MAP),
        ("bicolored", LightFlags::BICOLORED),
    ] {
        assert_eq!(
            light.flags().contains(bit),
            flag(&expected["flags"], name),
            "{name}"
        );
    }
    let record = &light.record;
    same_vec3(record.orientation, &expected["orientation"], "orientation");
    same_vec3(record.translate, &expected["translate"], "translate");
    same_vec3(record.color, &expected["color"], "color");
    same_float(record.diffuse, &expected["diffuse"], "diffuse");
    same_float(record.ambient, &expected["ambient"], "ambient");
    if version == ZipperGame::PiratesMoon {
        same_vec3(
            record.color_ambient,
            &expected["color_ambient"],
            "color_ambient",
        );
    }
    let range = [
        float(&expected["range"]["min"]),
        float(&expected["range"]["max"]),
    ];
    same_floats([record.range_near.0, record.range_far.0], range, "range");
    let parents: Vec<i64> = light.parents.iter().map(|&parent| parent.into()).collect();
    assert_eq!(parents, ints(expected, "parent_indices"));
}

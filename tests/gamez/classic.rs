//! Recoil, MechWarrior 3 and Pirate's Moon worlds against the reference decoder's JSON. Models and
//! nodes are also those of mechlibs, and models those of Crimson Skies.

use relicast_testing::test;
use std::collections::BTreeSet;

use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    self, ActiveBox, Facade, FogType, GameZ, Light, LightFlags, Lod, Material, MaterialFlags,
    Model, ModelFlags, ModelType, Node, NodeData, NodeFlags, Object3d, Object3dFlags, Polygon,
    PolygonFlags, Soil, World,
};
use serde_json::Value;

use crate::fixtures::{
    WORLDS, expected, fixture, flag, float, int, ints, list, same_box, same_float, same_floats,
    same_uvs, same_vec3, same_vec3s, text,
};

#[test]
fn fixtures_decode_without_deviation_and_encode_identically() {
    for path in WORLDS {
        let bytes = fixture(path);
        let decoded = gamez::decode(&bytes).unwrap();
        assert_eq!(decoded.deviations.described(), [], "{path}");
        assert_eq!(gamez::sniff(&bytes), Some(decoded.value.version));
        assert!(gamez::encode(&decoded.value).unwrap() == bytes, "{path}");
        let json = serde_json::to_value(&decoded.value).unwrap();
        assert!(
            json["nodes"]["used"]
                .as_array()
                .is_some_and(|nodes| !nodes.is_empty())
        );
    }
}

#[test]
fn worlds_hold_what_the_reference_decoder_finds() {
    let classic = WORLDS.into_iter().filter(|path| !path.starts_with("cs"));
    for (path, version) in classic.zip(ZipperGame::ALL) {
        let bytes = fixture(path);
        let gamez = gamez::decode(&bytes).unwrap().value;
        assert_eq!(gamez.version, version);
        check_metadata(&gamez, &expected(path, "metadata.json"));
        let textures = expected(path, "textures.json");
        let textures = textures.as_array().unwrap();
        assert_eq!(gamez.textures.len(), textures.len());
        for (found, expected) in gamez.textures.iter().zip(textures) {
            assert_eq!(found.name.display(), text(expected, "name"));
            let smaller = expected["mip_index"].as_i64().unwrap_or(-1);
            assert_eq!(i64::from(found.mip_index), smaller);
        }
        let materials = expected(path, "materials.json");
        let materials = materials.as_array().unwrap();
        assert_eq!(gamez.materials.used.len(), materials.len());
        for (found, expected) in gamez.materials.used.iter().zip(materials) {
            check_material(found, expected, version);
        }
        let models = expected(path, "models.json");
        let models = models.as_array().unwrap();
        assert_eq!(gamez.models.iter().count(), models.len());
        for ((slot, found), expected) in gamez.models.iter().zip(models) {
            check_model(found, expected, version, &format!("{path} model {slot}"));
        }
        let nodes = expected(path, "nodes.json");
        let nodes = nodes.as_array().unwrap();
        assert_eq!(gamez.nodes.used.len(), nodes.len());
        let mut classes = BTreeSet::new();
        for (index, (found, expected)) in gamez.nodes.used.iter().zip(nodes).enumerate() {
            let what = format!("{path} node {index}");
            assert_eq!(
                found.model().map_or(-1, |slot| slot as i64),
                int(expected, "model_index")
            );
            check_node(found, expected, version, &what);
            classes.insert(found.data.class().code());
        }
        assert!(classes.len() >= 7, "{classes:?}");
    }
}

fn check_metadata(gamez: &GameZ, expected: &Value) {
    let materials = gamez.materials.used.len() + gamez.materials.free.len();
    let nodes = gamez.nodes.used.len() + gamez.nodes.free.len();
    let found = [
        materials as i64,
        gamez.models.slots.len() as i64,
        nodes as i64,
        i64::from(gamez.header.node_last_free),
    ];
    let fields = [
        "material_array_size",
        "model_array_size",
        "node_array_size",
        "node_last_free",
    ];
    assert_eq!(found, fields.map(|field| int(expected, field)));
}

fn check_material(found: &Material, expected: &Value, version: ZipperGame) {
    let soil = |expected: &Value| {
        let name = text(expected, "soil").to_ascii_lowercase();
        match found.record.soil.label(version) {
            Some(label) => assert_eq!(label, name),
            None => assert!(matches!(found.record.soil, Soil::Other(6..=13))),
        }
    };
    if let Some(expected) = expected.get("Colored") {
        assert_eq!(found.texture(), None);
        same_vec3(found.record.color, &expected["color"], "colour");
        assert_eq!(i64::from(found.record.alpha), int(expected, "alpha"));
        soil(expected);
        return;
    }
    let expected = &expected["Textured"];
    assert_eq!(
        found.texture(),
        Some(int(expected, "texture_index") as usize)
    );
    assert_eq!(
        found.record.flags.contains(MaterialFlags::UNK1),
        flag(expected, "flag")
    );
    soil(expected);
    let cycle = &expected["cycle"];
    let Some(found) = &found.cycle else {
        return assert!(cycle.is_null());
    };
    let textures: Vec<i64> = found
        .textures
        .iter()
        .map(|&texture| texture.into())
        .collect();
    assert_eq!(textures, ints(cycle, "texture_indices"));
    assert_eq!(found.record.looping == 1, flag(cycle, "looping"));
    assert_eq!(
        i64::from(found.record.current_frame),
        int(cycle, "current_frame")
    );
    same_float(found.record.speed, &cycle["speed"], "speed");
}

/// A model; also of Crimson Skies, whose older decode lacks or renames some fields.
pub fn check_model(found: &Model, expected: &Value, version: ZipperGame, what: &str) {
    let record = &found.record;
    let kind = match record.model_type {
        ModelType::Default => "Default",
        ModelType::Facade => "Facade",
        ModelType::Points => "Points",
        ModelType::Other(_) => "?",
    };
    assert_eq!(kind, text(expected, "model_type"), "{what}");
    let facade = match found.facade() {
        Some(Facade::CylindricalY) => "CylindricalY",
        Some(Facade::SphericalY) => "SphericalY",
        Some(Facade::CylindricalX) => "CylindricalX",
        Some(Facade::CylindricalZ) => "CylindricalZ",
        Some(Facade::Other(_)) => "?",
        None => text(expected, "facade_mode"),
    };
    assert_eq!(facade, text(expected, "facade_mode"), "{what}");
    for (name, bit) in [
        ("lighting", ModelFlags::LIGHTING),
        ("fog", ModelFlags::FOG),
        ("texture_registered", ModelFlags::TEXTURE_REGISTERED),
        ("texture_scroll", ModelFlags::TEXTURE_SCROLL),
        ("clouds", ModelFlags::CLOUDS),
        ("facade_centroid", ModelFlags::FACADE_CENTROID),
    ] {
        assert_eq!(
            found.flags().contains(bit),
            flag(&expected["flags"], name),
            "{what} {name}"
        );
    }
    assert_eq!(
        i64::from(record.parent_count),
        int(expected, "parent_count"),
        "{what}"
    );
    same_float(record.tex_scroll_u, &expected["texture_scroll"]["u"], what);
    same_float(record.tex_scroll_v, &expected["texture_scroll"]["v"], what);
    same_vec3(record.bbox_mid, &expected["bbox_mid"], what);
    same_float(record.bbox_diag, &expected["bbox_diag"], what);
    assert_eq!(
        i64::from(record.polygons_ptr),
        int(expected, "polygons_ptr"),
        "{what}"
    );
    same_vec3s(&found.vertices, list(expected, "vertices"), what);
    same_vec3s(&found.normals, list(expected, "normals"), what);
    same_vec3s(&found.morphs, list(expected, "morphs"), what);

    let lights = list(expected, "lights");
    assert_eq!(found.lights.len(), lights.len(), "{what}");
    for (found, expected) in found.lights.iter().zip(lights) {
        let places = if expected.get("extra").is_some() {
            "extra"
        } else {
            "vertices"
        };
        same_vec3s(&found.vertices, list(expected, places), what);
        let record = &found.record;
        assert_eq!(i64::from(record.unk00), int(expected, "unk00"));
        assert_eq!(i64::from(record.unk04), int(expected, "unk04"));
        assert_eq!(i64::from(record.unk60), int(expected, "unk60"));
        assert_eq!(i64::from(record.flags), int(expected, "flags"));
        same_vec3(record.color, &expected["color"], what);
        for (found, field) in [
            (record.unk08, "unk08"),
            (record.unk48, "unk48"),
            (record.unk52, "unk52"),
            (record.unk56, "unk56"),
            (record.unk64, "unk64"),
            (record.unk68, "unk68"),
            (record.unk72, "unk72"),
        ] {
            same_float(found, &expected[field], field);
        }
    }
    let polygons = list(expected, "polygons");
    assert_eq!(found.polygons.len(), polygons.len(), "{what}");
    for (index, (found, expected)) in found.polygons.iter().zip(polygons).enumerate() {
        check_polygon(found, expected, version, &format!("{what} polygon {index}"));
    }
}

fn check_polygon(found: &Polygon, expected: &Value, version: ZipperGame, what: &str) {
    let flags = &expected["flags"];
    for (names, bit) in [
        (["show_backface"; 2], PolygonFlags::SHOW_BACKFACE),
        (["tri_strip", "triangle_strip"], PolygonFlags::TRI_STRIP),
        (["unk3"; 2], PolygonFlags::UNK3),
        (["in_out", "unk6"], PolygonFlags::IN_OUT),
    ] {
        let expected = names.into_iter().any(|name| flag(flags, name));
        assert_eq!(found.flags().contains(bit), expected, "{what} {names:?}");
    }
    assert_eq!(
        i64::from(found.record.priority),
        int(expected, "priority"),
        "{what}"
    );
    let zones: Vec<i64> = found.record.zone_set.zones().map(i64::from).collect();
    assert_eq!(zones, ints(expected, "zone_set"), "{what}");
    let wide = |indices: &[u32]| {
        indices
            .iter()
            .map(|&index| index.into())
            .collect::<Vec<i64>>()
    };
    assert_eq!(
        wide(&found.vertex_indices),
        ints(expected, "vertex_indices"),
        "{what}"
    );
    assert_eq!(
        wide(&found.normal_indices),
        ints(expected, "normal_indices"),
        "{what}"
    );
    let has_normals = !expected["normal_indices"].is_null();
    assert_eq!(
        found.flags().contains(PolygonFlags::NORMALS),
        has_normals,
        "{what}"
    );
    if version != ZipperGame::Recoil {
        same_vec3s(&found.colors, list(expected, "vertex_colors"), what);
    }
    let layers = list(expected, "materials");
    assert_eq!(found.layers().count(), layers.len(), "{what}");
    for ((material, uvs), expected) in found.layers().zip(layers) {
        assert_eq!(
            i64::from(material),
            int(expected, "material_index"),
            "{what}"
        );
        same_uvs(uvs.unwrap_or_default(), list(expected, "uv_coords"), what);
        assert_eq!(uvs.is_none(), expected["uv_coords"].is_null(), "{what}");
    }
    assert_eq!(
        i64::from(found.record.uvs_ptr),
        int(expected, "uvs_ptr"),
        "{what}"
    );
}

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
    ("override", NodeFlags::OVERRIDE),
    ("id_zone_check", NodeFlags::ID_ZONE_CHECK),
    ("unk25", NodeFlags::UNK25),
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
    same_box(record.node_bbox, &expected["node_bbox"], what);
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
            crate::fixtures::vec3(&parts["rotate"]),
            "{what}"
        );
        assert_eq!(
            object.scale.to_array(),
            crate::fixtures::vec3(&parts["scale"]),
            "{what}"
        );
        let translate = crate::fixtures::vec3(&parts["translate"]);
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
    assert_eq!(i64::from(lod.level), int(expected, "field00"), "{what}");
    if version == ZipperGame::PiratesMoon {
        same_float(lod.field64[0], &expected["field64"], what);
        same_float(lod.field72[0], &expected["field72"], what);
    } else {
        same_float(lod.field60[0], &expected["field60"], what);
        same_float(lod.field60[1], &expected["field64"], what);
    }
}

fn check_light(light: &Light, expected: &Value, version: ZipperGame) {
    for (name, bit) in [
        ("recalc", LightFlags::RECALC),
        ("unk1", LightFlags::UNK1),
        ("directional", LightFlags::DIRECTIONAL),
        ("directed_source", LightFlags::DIRECTED_SOURCE),
        ("point_source", LightFlags::POINT_SOURCE),
        ("saturated", LightFlags::SATURATED),
        ("subdivide", LightFlags::SUBDIVIDE),
        ("static", LightFlags::STATIC),
        ("color", LightFlags::COLOR),
        ("unk9", LightFlags::UNK9),
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

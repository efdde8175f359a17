//! Recoil, MechWarrior 3 and Pirate's Moon worlds against the reference decoder's JSON. Models and
//! nodes are also those of mechlibs, and models those of Crimson Skies.

use relicast_testing::test;
use std::collections::BTreeSet;

use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    self, Facade, GameZ, Material, MaterialFlags, Model, ModelFlags, ModelType, Polygon,
    PolygonFlags, Soil,
};
use serde_json::Value;

use crate::gamez::fixtures::{
    WORLDS, expected, fixture, flag, int, ints, list, same_float, same_uvs, same_vec3, same_vec3s,
    text,
};
use crate::gamez::nodes::check_node;

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
        same_vec3(found.record.color, &expected["color"], "color");
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
        found.record.flags.contains(MaterialFlags::TAKES_DECALS),
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
    // The expectations have the names of the older games for two bits of Crimson Skies.
    let (third, seventh) = match version {
        ZipperGame::CrimsonSkies => (ModelFlags::BAND_FOG, ModelFlags::AMBIENT_ONLY),
        _ => (ModelFlags::TEXTURE_REGISTERED, ModelFlags::FACADE_CENTROID),
    };
    for (name, bit) in [
        ("lighting", ModelFlags::LIGHTING),
        ("fog", ModelFlags::FOG),
        ("texture_registered", third),
        ("texture_scroll", ModelFlags::TEXTURE_SCROLL),
        ("clouds", ModelFlags::CLOUDS),
        ("facade_centroid", seventh),
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
        assert_eq!(i64::from(record.is_chaser), int(expected, "unk00"));
        assert_eq!(i64::from(record.behavior), int(expected, "unk04"));
        assert_eq!(i64::from(record.has_flare), int(expected, "unk60"));
        assert_eq!(i64::from(record.flags), int(expected, "flags"));
        same_vec3(record.color, &expected["color"], what);
        for (found, field) in [
            (record.interval_or_scale, "unk08"),
            (record.fade_from, "unk48"),
            (record.fade_to, "unk52"),
            (record.fade_rate, "unk56"),
            (record.largest_size, "unk64"),
            (record.flare_full, "unk68"),
            (record.flare_gone, "unk72"),
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

//! Cards of grass (`ZONE.dat`), and other files of later clients that are known by name.

use std::fs;

use relicast::formats::codec::{F32, Vec3};
use relicast::formats::everquest::grass::{Card, Grass, decode, encode};
use relicast::formats::kind::{Kind, sniff};
use relicast_samples::random::Random;
use relicast_testing::test;
use serde_json::{Value, json};

use crate::common;
use crate::whole::Install;

/// Twenty cards with two pictures.
fn cards() -> Vec<Card> {
    let mut random = Random::new(7);
    let card = |number: u32| {
        let start = [
            random.unit() * 90.0,
            random.unit() * 90.0,
            1.0 + random.unit(),
        ];
        Card {
            start: Vec3::from(start),
            end: Vec3::from([start[0] + 3.0, start[1] - 4.0, start[2] + 0.5]),
            height: F32(3.0),
            picture: 12 + number % 2,
        }
    };
    (0..20).map(card).collect()
}

fn file() -> Vec<u8> {
    let cards = cards();
    encode(&Grass {
        cards,
        ..Grass::default()
    })
    .unwrap()
}

#[test]
fn cards_survive_a_round_trip_and_are_detected_by_their_numbers() {
    let bytes = file();
    let decoded = decode(&bytes).unwrap();
    assert!(decoded.deviations.is_empty());
    assert_eq!(decoded.value.cards, cards());
    assert_eq!(encode(&decoded.value).unwrap(), bytes);
    assert_eq!(sniff(&bytes, "dell.dat"), Kind::GrassCards);
    assert_eq!(sniff(&bytes, "dell.bin"), Kind::Foreign);
    assert_ne!(
        sniff(&bytes[..bytes.len() - 1], "dell.dat"),
        Kind::GrassCards
    );
    assert_ne!(sniff(&vec![0; 320], "dell.dat"), Kind::GrassCards);
    let torn = decode(&bytes[..70]).unwrap();
    assert_eq!((torn.value.cards.len(), torn.deviations.total()), (2, 1));
    assert_eq!(encode(&torn.value).unwrap(), bytes[..70]);
}

#[test]
fn cards_are_a_document_and_on_request_instances_in_the_scene_of_their_zone() {
    let install = Install::new();
    fs::write(install.input().join("dell.dat"), file()).unwrap();
    let out = install.convert("out", "");
    let document = common::json(&out.join("worlds/dell.grass.json"));
    assert_eq!(document["count"], 20);
    assert_eq!(document["cards"][1]["picture"], 13);
    let zone = |out: &std::path::Path| common::json(&out.join("worlds/dell.gltf"));
    let named = |document: &Value, name: &str| {
        let nodes = document["nodes"].as_array().unwrap().clone();
        nodes
            .into_iter()
            .filter(|node| node["name"] == name)
            .collect::<Vec<_>>()
    };
    assert!(named(&zone(&out), "grass").is_empty());

    let out = install.convert("grass", "[everquest]\ngrass = true\n");
    let scene = zone(&out);
    let [grass] = &*named(&scene, "grass") else {
        panic!("one node of all grass");
    };
    assert_eq!(grass["children"].as_array().unwrap().len(), 2);
    let groups = scene["nodes"].as_array().unwrap().iter();
    let group = groups
        .into_iter()
        .find(|node| node["extras"]["everquest"]["picture"] == 12)
        .unwrap();
    let meshes = scene["meshes"].as_array().unwrap().iter();
    let solid: Vec<_> = meshes
        .filter(|mesh| mesh["name"].as_str().unwrap().starts_with("grass_"))
        .map(|mesh| mesh["primitives"][0]["extras"]["everquest"]["solid"].clone())
        .collect();
    assert_eq!(solid, [false, false], "one walks through grass");
    let places = group["children"].as_array().unwrap();
    assert_eq!(places.len(), 10);
    let card = &scene["nodes"][places[0].as_u64().unwrap() as usize];
    // The middle of the foot, in axes of the scene.
    let first = cards()[0];
    let [start, end] = [first.start, first.end].map(Vec3::to_array);
    for (axis, stored) in [1, 2, 0].into_iter().enumerate() {
        let found = card["translation"][axis].as_f64().unwrap();
        let wanted = f64::from((start[stored] + end[stored]) / 2.0);
        assert!((found - wanted).abs() < 1e-4, "{card}");
    }
    let width = (9.0_f64 + 16.0 + 0.25).sqrt();
    assert!(
        (card["scale"][0].as_f64().unwrap() - width).abs() < 1e-4,
        "{card}"
    );
    assert!(
        (card["scale"][1].as_f64().unwrap() - 3.0).abs() < 1e-6,
        "{card}"
    );

    let instanced = "[everquest]\ngrass = true\n[scenes]\ngpu_instancing = true\n";
    fs::write(install.input().join("dell.dat"), file().repeat(2)).unwrap();
    let scene = zone(&install.convert("instances", instanced));
    let instances = scene["nodes"].as_array().unwrap().iter().filter(|node| {
        node["extensions"]["EXT_mesh_gpu_instancing"].is_object()
            && node["name"]
                .as_str()
                .is_some_and(|name| name.starts_with("grass"))
    });
    assert_eq!(instances.count(), 2);
}

#[test]
fn texts_of_models_are_copied_and_caches_are_a_named_skip() {
    let install = Install::new();
    fs::write(
        install.input().join("dell.wld.txc"),
        b"\xEF\xBE\xED\xFE\x01\0\0\0DXT1",
    )
    .unwrap();
    fs::write(
        install.input().join("tree.mdf"),
        "MATERIAL \"BARK\"\r\nUSERDEFINED 20\r\n",
    )
    .unwrap();
    fs::write(install.input().join("bark.sps"), "SPRITE \"BARK\"\r\n").unwrap();
    fs::write(
        install.input().join("OnDemandResources.txt"),
        "mill.eqg^BARREL.MOD^BARREL_ACTORDEF^EQGM\r\n",
    )
    .unwrap();
    let out = install.convert("out", "");
    let files = common::files(&out);
    for name in [
        "loose/tree.mdf",
        "loose/bark.sps",
        // Members of an archive.
        "loose/dell_obj/trees.mdf",
        "loose/dell_obj/fire.sps",
    ] {
        assert!(files.iter().any(|path| path == name), "{name}: {files:?}");
    }
    let member = fs::read(out.join("loose/dell_obj/fire.sps")).unwrap();
    assert_eq!(member, b"SPRITE \"FIRE\"\r\nFRAMES 2\r\n");
    let report = common::json(&out.join("report.json"));
    let sources = report["sources"].as_array().unwrap();
    let cache = sources
        .iter()
        .find(|source| source["path"] == "dell.wld.txc")
        .unwrap();
    assert_eq!(cache["status"], "skipped");
    assert!(
        cache["reason"]["text"].as_str().unwrap().contains("cache"),
        "{cache}"
    );
    let table = files
        .iter()
        .find(|path| path.ends_with("ondemandresources.json"))
        .unwrap();
    let table = common::json(&out.join(table));
    assert_eq!(table["columns"], json!(["archive", "file", "tag", "type"]));
    assert_eq!(
        table["rows"],
        json!([["mill.eqg", "BARREL.MOD", "BARREL_ACTORDEF", "EQGM"]])
    );
}

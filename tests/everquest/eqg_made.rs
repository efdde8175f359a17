//! Files of the EQG format that the project makes itself, whole and damaged.

use std::fs;
use std::path::{Path, PathBuf};

use relicast::convert::ConvertOptions;
use relicast::convert::{self, Disposition, OpenContext};
use relicast::formats::decoded_file;
use relicast::formats::everquest::eqg::layers::{self, Layer, Layers};
use relicast::formats::everquest::eqg::parts::Strings;
use relicast::formats::everquest::pfs;
use relicast::formats::kind::{ArchiveContext, Kind, sniff_pfs_member};
use relicast_samples::minimal::eqg;
use relicast_testing::test;
use serde_json::Value;

use crate::common;
use crate::damaged::convert_all;
use crate::eqg::{linear, round_trips};
use crate::output::{converted, facts, load};
use crate::support::mutate;

fn packed(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let members = members
        .iter()
        .map(|(name, bytes)| (*name, bytes.as_slice()));
    let packed = pfs::pack(&members.collect::<Vec<_>>(), None, 1).unwrap();
    pfs::encode(&packed).unwrap()
}

#[test]
fn cube_maps_of_an_archive_are_not_reported_as_missing() {
    let mut strings = Strings::default();
    let layer = Layer {
        material: strings.add("C_CROW_S01_M01"),
        textures: [strings.add("sky_e.dds"), strings.add("lost_c.dds")],
        further: [u32::MAX; 3],
        ..Layer::default()
    };
    let layers = Layers {
        magic: layers::MAGIC,
        version: 4,
        strings,
        layers: vec![layer],
        ..Layers::default()
    };
    let mut members = eqg::mill();
    let (_, layer_file) = members
        .iter_mut()
        .find(|(name, _)| *name == "crow.lay")
        .unwrap();
    *layer_file = layers::encode(&layers).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("mill.eqg");
    fs::write(&archive, packed(&members)).unwrap();
    converted(&[archive], "", |out| {
        let report = fs::read_to_string(out.join("report.json")).unwrap();
        assert!(report.contains("no archive has the texture lost_c.dds"));
        assert!(!report.contains("no archive has the texture sky_e.dds"));
        assert!(out.join("textures/mill/sky_e_px.png").exists());
    });
}

#[test]
fn made_files_come_back_byte_for_byte() {
    for (name, bytes) in eqg::files() {
        round_trips(name, sniff_pfs_member(&bytes, name), &bytes);
    }
}

#[test]
fn corrupt_files_are_refused_or_come_back() {
    for (name, bytes) in eqg::files() {
        let kind = sniff_pfs_member(&bytes, name);
        // Ground is read with tiles of every size.
        let step = if kind == Kind::EqgTiles { 61 } else { 7 };
        let context = ArchiveContext::default();
        mutate(&bytes, step, |bytes| {
            let decoded = decoded_file::decode(kind, name, bytes, &context).unwrap();
            if let Ok(decoded) = decoded {
                assert_eq!(decoded.value.encode().unwrap().unwrap(), bytes, "{name}");
            }
        });
    }
}

#[test]
fn corrupt_members_become_sound_scenes_or_none() {
    let mut config = ConvertOptions::default();
    config.everquest.volumes = true;
    for members in [eqg::mill(), eqg::fen()] {
        let whole = convert_all(Kind::Pfs, &packed(&members), &config).unwrap();
        assert!(whole.scenes > 0 && whole.triangles > 0);
        for (place, (_, bytes)) in members.iter().enumerate() {
            mutate(bytes, (bytes.len() / 4) | 1, |bytes| {
                let mut members = members.clone();
                members[place].1 = bytes.to_vec();
                convert_all(Kind::Pfs, &packed(&members), &config);
            });
        }
    }
}

/// Converts made archives and a loose zone.
fn made_install(config: &str, check: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    let inputs: Vec<PathBuf> = [
        ("mill.eqg", packed(&eqg::mill())),
        ("mill.zon", eqg::loose_zone()),
        ("fen.eqg", packed(&eqg::fen())),
    ]
    .map(|(name, bytes)| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    })
    .to_vec();
    converted(&inputs, config, check);
}

#[test]
fn made_zones_and_models_become_scenes() {
    made_install("[everquest]\nlight = \"both\"\n", |out| {
        let scene = load(&out.join("worlds/mill.gltf"));
        assert!(scene.node("MILL").mesh().is_some());
        // One wheel has light of its own, so the two share no mesh.
        let meshes = ["WHEEL01", "WHEEL02"].map(|name| scene.node(name).mesh().unwrap().index());
        assert_ne!(meshes[0], meshes[1]);
        let lamp = scene.node("LIB_lamp");
        assert_eq!(lamp.transform().decomposed().0, [-1.0, 3.0, 2.0]);
        let tables = common::json(&out.join("worlds/mill.everquest.json"));
        assert_eq!(tables["loose"], "mill.zon");
        assert_eq!(tables["regions"][1]["index"], 3);
        let grass = scene
            .document
            .materials()
            .find(|one| one.name() == Some("grass"));
        let grass = grass.unwrap();
        assert!(grass.normal_texture().is_some() && grass.emissive_texture().is_some());
        assert!(facts(grass.extras())["properties"]["e_TextureDiffuse0"]["image"].is_string());
        let glow = scene
            .document
            .materials()
            .find(|one| one.name() == Some("glow"));
        let turns = facts(glow.unwrap().extras())["textureAnimation"].clone();
        assert_eq!(
            (&turns["sleepMs"], turns["frames"].as_array().unwrap().len()),
            (&Value::from(100), 2)
        );
        let crow = load(&out.join("models/mill/crow.gltf"));
        let clip = crow.document.animations().next().unwrap();
        assert_eq!(clip.name(), Some("stand"));
        assert_eq!(crow.document.variants().unwrap().count(), 1);
        assert_eq!(crow.document.skins().next().unwrap().joints().count(), 3);
        assert!(!facts(crow.node("BEAK").extras())["particles"].is_null());
        assert!(out.join("models/mill/ox.hidden.gltf").is_file());
        for path in common::files(&out.join("models")) {
            if path.ends_with(".hidden.gltf") {
                let hidden = load(&out.join("models").join(&path));
                assert!(hidden.document.nodes().count() > 0, "{path}");
            }
        }
        for face in ["px", "nx", "py", "ny", "pz", "nz"] {
            assert!(
                out.join(format!("textures/mill/sky_e_{face}.png"))
                    .is_file()
            );
        }
        let normal = image::open(out.join("textures/mill/grass_n.normal.png"))
            .unwrap()
            .to_rgb8();
        // Green is turned, and blue no longer the mask.
        assert_eq!(normal.get_pixel(4, 4).0, [128, 127, 255]);
        let mask = image::open(out.join("textures/mill/grass_n.glow.png"))
            .unwrap()
            .to_luma8();
        assert_eq!(mask.get_pixel(4, 4).0, [128]);
        let fen = load(&out.join("worlds/fen.gltf"));
        assert_eq!(fen.node("objects").children().count(), 4);
        assert_eq!(fen.node("water").children().count(), 2);
        let hidden = load(&out.join("worlds/fen.hidden.gltf"));
        assert!(hidden.node("fence").mesh().is_some());
    });
}

#[test]
fn settings_turn_normals_and_the_order_of_light() {
    let config =
        "[everquest]\nnormal_green = \"down\"\neqg_light_order = \"bgra\"\ndaylight = 0.0\n";
    made_install(config, |out| {
        let normal = image::open(out.join("textures/mill/grass_n.normal.png"))
            .unwrap()
            .to_rgb8();
        assert_eq!(normal.get_pixel(4, 4).0, [128, 128, 255]);
        let scene = load(&out.join("worlds/mill.gltf"));
        let parts = scene.parts(&scene.node("MILL").mesh().unwrap());
        let color = parts[0].vertices[0].color.unwrap();
        // Stored as 60, 70, 80: red is the third.
        let red = linear(80.0);
        assert!(
            (f32::from(color[0]) / 65535.0 - red).abs() < 1e-3,
            "{color:?}"
        );
    });
}

#[test]
fn unknown_versions_are_left_out_by_name() {
    let mut members = eqg::mill();
    for (name, bytes) in &mut members {
        if *name == "crow.mod" || *name == "stnd_ba_1_crow.ani" {
            bytes[4] = 77;
        }
    }
    let bytes = packed(&members);
    let opened = convert::open(OpenContext::new(Kind::Pfs, "mill.eqg", &bytes)).unwrap();
    let parts = opened.items(&ConvertOptions::default());
    let skipped: Vec<(String, String)> = parts
        .into_iter()
        .filter_map(|part| match part.verdict {
            Disposition::Skip(reason) => Some((part.member?, reason.to_string())),
            _ => None,
        })
        .collect();
    let reason = "version 77 is unknown".to_owned();
    let expected = ["crow.mod", "stnd_ba_1_crow.ani"].map(|name| (name.to_owned(), reason.clone()));
    let mut skipped = skipped;
    // Texts of the archive are left where they are.
    skipped.retain(|(member, _)| !member.ends_with(".txt"));
    skipped.sort();
    assert_eq!(skipped, expected);
}

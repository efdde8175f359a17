//! Facts of real archives of later clients, on an archive that the project makes itself.

use std::fs;
use std::path::Path;

use image::ImageFormat;
use relicast::formats::everquest::pfs;
use relicast::formats::kind::{Kind, sniff_pfs_member};
use relicast_samples::minimal::eqg_rookery::{PICTURES, palettised, picture, rookery};
use relicast_testing::test;
use serde_json::Value;

use crate::common;
use crate::output::{facts, load};

fn packed(members: &[(&str, &[u8])]) -> Vec<u8> {
    pfs::encode(&pfs::pack(members, None, 1).unwrap()).unwrap()
}

/// Converts an archive and looks at the outputs.
fn converting(name: &str, bytes: &[u8], check: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (folder.path().join("in"), folder.path().join("out"));
    fs::create_dir(&input).unwrap();
    fs::write(input.join(name), bytes).unwrap();
    common::convert(&input, &out, &["-q"]).assert().success();
    check(&out);
}

fn converting_rookery(check: impl FnOnce(&Path)) {
    let members = rookery();
    let members: Vec<(&str, &[u8])> = members
        .iter()
        .map(|(name, bytes)| (*name, &**bytes))
        .collect();
    converting("rookery.eqg", &packed(&members), check);
}

#[test]
fn pictures_are_known_by_their_content_and_bound_independent_of_their_names() {
    for (name, _) in PICTURES
        .into_iter()
        .filter(|(_, format)| *format != ImageFormat::Bmp)
    {
        let (_, format) = PICTURES
            .into_iter()
            .find(|(known, _)| *known == name)
            .unwrap();
        assert_eq!(
            sniff_pfs_member(&picture(format), name),
            Kind::Picture,
            "{name}"
        );
    }
    converting_rookery(|out| {
        let textures = out.join("textures/rookery");
        // A PNG is passed on byte for byte.
        for name in ["crow_c", "c_crow_s01_c"] {
            let written = fs::read(textures.join(format!("{name}.png"))).unwrap();
            assert!(written == picture(ImageFormat::Png), "{name}");
        }
        let targa = image::open(textures.join("grass_n.png"))
            .unwrap()
            .into_rgb8();
        assert_eq!(targa.get_pixel(3, 1).0, [96, 32, 128]);
        let jpeg = image::open(textures.join("c_crow_s00_c.png"))
            .unwrap()
            .into_rgb8();
        assert_eq!(jpeg.dimensions(), (8, 8));
        let indexed = image::open(textures.join("c_crow_s01_e.png"))
            .unwrap()
            .into_rgb8();
        assert_eq!(indexed.get_pixel(0, 0).0, [0, 255, 7]);
        assert_eq!(indexed.get_pixel(0, 7).0, [7, 248, 7]);
        let crow = load(&out.join("models/rookery/crow.gltf"));
        let own = crow.document.materials().next().unwrap();
        assert!(own.pbr_metallic_roughness().base_color_texture().is_some());
        for material in crow.document.materials() {
            assert!(facts(material.extras())["missingTexture"].is_null());
        }
    });
}

#[test]
fn variants_go_by_the_number_of_the_material() {
    converting_rookery(|out| {
        let crow = load(&out.join("models/rookery/crow.gltf"));
        let variants = crow.document.variants().unwrap();
        let names: Vec<&str> = variants.map(|variant| variant.name()).collect();
        assert_eq!(names, ["S00", "S01"]);
        let variants = crow.document.materials().skip(1);
        let shown: Vec<Value> = variants
            .map(|variant| facts(variant.extras())["properties"].clone())
            .collect();
        assert_eq!(shown[0]["e_TextureDiffuse0"]["file"], "C_CROW_S00_C.DDS");
        assert_eq!(shown[0]["e_TextureNormal0"]["file"], "GRASS_N.DDS");
        assert_eq!(shown[0]["e_fShininess0"], 40.0);
        assert!(shown[0]["e_TextureEnvironment0"].is_null());
        assert_eq!(shown[1]["e_TextureDiffuse0"]["file"], "C_CROW_S01_C.DDS");
        assert_eq!(shown[1]["e_TextureNormal0"]["file"], "C_CROW_S01_N.DDS");
        assert_eq!(
            shown[1]["e_TextureEnvironment0"]["file"],
            "C_CROW_S01_E.DDS"
        );
        assert_eq!(shown[1]["e_fEnvMapStrength0"], 1.5);
        let document = common::json(&out.join("models/rookery/crow.lay.json"));
        let first = &document["layers"][0];
        assert_eq!(
            (&first["variant"], &first["materialNumber"]),
            (&Value::from(1), &Value::from(1))
        );
        assert_eq!(first["normal"], "C_CROW_S01_N.DDS");
        assert_eq!(first["environmentStrength"], 1.5);
        // Normal maps of looks have files of their own.
        assert!(out.join("textures/rookery/grass_n.normal.png").is_file());
    });
}

#[test]
fn animations_of_another_name_belong_to_the_only_skeleton_that_has_their_joints() {
    converting_rookery(|out| {
        let crow = load(&out.join("models/rookery/crow.gltf"));
        let clips: Vec<&str> = (crow.document.animations())
            .map(|clip| clip.name().unwrap())
            .collect();
        assert_eq!(clips, ["stand", "walk"]);
        let report = fs::read_to_string(out.join("report.json")).unwrap();
        assert!(report.contains("added 2 animations with the name of another model (raven)"));
    });
}

#[test]
fn the_only_zone_of_an_archive_keeps_its_name_and_the_table_gives_way() {
    let files = relicast_samples::files(relicast::asset::Game::Eq, 1).unwrap();
    let dell = files
        .iter()
        .find(|file| file.path.ends_with("dell.s3d"))
        .unwrap();
    let archive = pfs::decode(&dell.bytes).unwrap().value;
    let zone = archive
        .entries
        .iter()
        .find(|entry| entry.label() == "dell.wld")
        .unwrap();
    let zone = zone.extract().unwrap().value;
    converting("dell.s3d", &packed(&[("dell.wld", &zone)]), |out| {
        assert!(out.join("worlds/dell.gltf").is_file());
        assert!(out.join("worlds/dell/archive.json").is_file());
        assert!(common::files(out).iter().all(|path| !path.contains("-1.")));
    });
}

/// A palettised surface stays readable where its pixels are cut short.
#[test]
fn palettised_surfaces_that_are_cut_short_are_refused() {
    let whole = palettised();
    for length in [whole.len() - 1, 128 + 1024, 128 + 10] {
        let decoded = relicast::formats::everquest::texture::decode(&whole[..length]);
        assert!(decoded.is_err(), "{length}");
    }
}

#[test]
fn every_line_of_both_versions_of_emitters_is_converted() {
    let files = relicast_samples::files(relicast::asset::Game::Eq, 1).unwrap();
    let emitters = files
        .iter()
        .find(|file| file.path.ends_with("dell.emt"))
        .unwrap();
    converting("dell.emt", &emitters.bytes, |out| {
        let document = common::json(&out.join("sounds/dell.json"));
        let emitters = document["emitters"].as_array().unwrap();
        let reported = emitters.iter().map(|one| {
            let environment = one.get("environment").and_then(Value::as_bool);
            (
                one["version"].as_i64().unwrap(),
                environment,
                one["random_radius"].as_f64().unwrap(),
            )
        });
        let expected = [
            (2, Some(true), 0.0),
            (2, Some(true), 25.0),
            (1, None, 0.0),
            (2, Some(false), 0.0),
        ];
        assert_eq!(reported.collect::<Vec<_>>(), expected);
        assert_eq!(emitters[3]["further"], serde_json::json!(["0", "1"]));
    });
}

#[test]
fn texts_of_which_nothing_can_be_read_fail() {
    for name in [
        "dell.emt",
        "dell_sndbnk.eff",
        "dell_environmentemitters.txt",
        "SkillCaps.txt",
        "sky.ini",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (input, out) = (folder.path().join("in"), folder.path().join("out"));
        fs::create_dir(&input).unwrap();
        fs::write(input.join(name), b"\x01\x02 garbage\r\n\x03\r\n").unwrap();
        common::convert(&input, &out, &["-q"]).assert().failure();
        let report = common::json(&out.join("report.json"));
        assert_eq!(report["totals"]["parts"]["failed"], 1, "{name}");
    }
}

#[test]
fn loose_pictures_of_an_install_become_png_or_are_copied() {
    let files = relicast_samples::files(relicast::asset::Game::Eq, 1).unwrap();
    let dell = files
        .iter()
        .find(|file| file.path.ends_with("dell.s3d"))
        .unwrap();
    for (setting, is_converted) in [("png", true), ("copy", false)] {
        let folder = tempfile::tempdir().unwrap();
        let (input, out) = (folder.path().join("in"), folder.path().join("out"));
        let interface = input.join("uifiles/default");
        fs::create_dir_all(&interface).unwrap();
        fs::write(input.join("dell.s3d"), &dell.bytes).unwrap();
        fs::write(interface.join("window.tga"), picture(ImageFormat::Tga)).unwrap();
        fs::write(interface.join("map.jpg"), picture(ImageFormat::Jpeg)).unwrap();
        // Nothing that can be read stays a copy.
        fs::write(interface.join("odd.tga"), b"no picture").unwrap();
        let settings = folder.path().join("settings.toml");
        fs::write(&settings, format!("[textures]\nloose = \"{setting}\"\n")).unwrap();
        let mut command = common::convert(&input, &out, &["-q"]);
        command.arg("--config").arg(&settings).assert().success();
        let made = out.join("textures/uifiles/default");
        for name in ["window", "map"] {
            assert_eq!(
                made.join(format!("{name}.png")).is_file(),
                is_converted,
                "{name}"
            );
        }
        let copies = out.join("loose/uifiles/default");
        assert_eq!(copies.join("window.tga").is_file(), !is_converted);
        assert!(copies.join("odd.tga").is_file());
        if is_converted {
            let window = image::open(made.join("window.png")).unwrap().into_rgb8();
            assert_eq!(window.get_pixel(3, 1).0, [96, 32, 128]);
        }
    }
}

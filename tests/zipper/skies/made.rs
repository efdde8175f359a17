//! The generated install: the outputs of its archives, liveries and saves.

use std::fs;
use std::path::Path;

use relicast::asset::Game;
use relicast_testing::test;
use serde_json::Value;

use crate::common::{convert, files, json, sample_installs};

/// Converts a sample install, and returns the folder of the outputs.
fn converted(game: Game, settings: &str) -> tempfile::TempDir {
    let root = sample_installs(&[game]);
    let input = root.path().join(relicast_samples::folder(game));
    fs::write(root.path().join("settings.toml"), settings).unwrap();
    convert(&input, &root.path().join("out"), &["-q", "--config"])
        .arg(root.path().join("settings.toml"))
        .assert()
        .success();
    root
}

fn picture(path: &Path) -> (u32, u32, Vec<u8>) {
    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut texels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut texels).unwrap();
    texels.truncate(info.buffer_size());
    (info.width, info.height, texels)
}

#[test]
fn resources_become_files_below_a_folder_of_the_archive() {
    let root = converted(Game::Cs, "");
    let out = root.path().join("out");
    let found = files(&out);
    for wanted in [
        "config/gosdata/assets/crimson/assets/layout.csv",
        "config/gosdata/assets/crimson/assets/layout.json",
        "config/gosdata/assets/crimson/assets/scripts/airframe.script",
        "config/gosdata/assets/crimptch/assets/scripts/airframe.script",
        "loose/gosdata/assets/crimson/assets/scripts/resource.h",
        "sounds/gosdata/assets/crimson/assets/sounds/click.wav",
        "textures/gosdata/assets/crimson.json",
        "textures/gosdata/assets/crimson/assets/graphics/hangar.png",
        "textures/gosdata/assets/crimson/assets/graphics/sketch.png",
        "textures/gosdata/assets/crimson/assets/graphics/fortune/fur_wing.png",
        "textures/gosdata/assets/crimson/assets/graphics/fortune/fur_wing.base.png",
        "textures/gosdata/assets/crimson/assets/graphics/fortune/fur_wing.mask.png",
        "textures/gosdata/assets/crimson/assets/graphics/fortune/fur_wing.overlay.png",
        "textures/gosdata/assets/crimson/assets/graphics/fortune/fur_wing.json",
    ] {
        assert!(
            found.iter().any(|path| path == wanted),
            "{wanted}: {found:#?}"
        );
    }
    let table = json(&out.join("textures/gosdata/assets/crimson.json"));
    let entries = table["entries"].as_array().unwrap();
    let script = entries
        .iter()
        .find(|entry| entry["path"] == "ASSETS/SCRIPTS/AIRFRAME.SCRIPT");
    assert_eq!(
        script.unwrap()["overridden_by"],
        "GOSDATA/ASSETS/crimptch.rof"
    );
    let patch = json(&out.join("textures/gosdata/assets/crimptch.json"));
    assert_eq!(
        patch["entries"][2]["overrides"],
        "GOSDATA/ASSETS/crimson.rof"
    );
    let layout = json(&out.join("config/gosdata/assets/crimson/assets/layout.json"));
    assert_eq!(layout["sections"][0]["macros"]["SHADE"], "200");
    // The rows of a Targa picture are turned, and its alpha is kept.
    let sketch = out.join("textures/gosdata/assets/crimson/assets/graphics/sketch.png");
    let (width, height, texels) = picture(&sketch);
    assert_eq!((width, height), (4, 2));
    assert_eq!(texels[..8], [0, 0, 0, 0, 0, 0, 255, 128]);
    // The report lists the differences from a retail install.
    let report = fs::read_to_string(out.join("report.json")).unwrap();
    assert!(
        report.contains("differs from the retail release"),
        "{report}"
    );
}

#[test]
fn aircraft_have_liveries_as_variants() {
    let root = converted(Game::Cs, "scenes.container = \"glb\"");
    let out = root.path().join("out");
    let scene = out.join("models/zbd/planes/player_finch.glb");
    let document = gltf::Gltf::open(&scene).unwrap().document;
    let names: Vec<&str> = document
        .variants()
        .unwrap()
        .map(|variant| variant.name())
        .collect();
    assert_eq!(
        names,
        [
            "unpainted",
            "blckswan",
            "blckswan 000000-302f27-c4c1ba",
            "blckswan Swan",
            "fortune",
            "fortune Green Test",
        ]
    );
    let mappings = document
        .meshes()
        .flat_map(|mesh| mesh.primitives())
        .flat_map(|primitive| primitive.mappings().collect::<Vec<_>>());
    let assigned: Vec<String> = mappings
        .filter_map(|mapping| mapping.material().name().map(str::to_owned))
        .collect();
    for wanted in ["fortune_fur_wing", "07tail_star"] {
        assert!(
            assigned.iter().any(|name| name.starts_with(wanted)),
            "{wanted}: {assigned:?}"
        );
    }
    assert!(document.images().count() > 5);
    // The picture keeps the alpha of the texture that it takes the place of.
    let painted = "textures/gosdata/assets/crimson/assets/graphics/fortune/fur_wing.png";
    let (width, height, texels) = picture(&out.join(painted));
    assert_eq!(texels.len(), (width * height * 4) as usize);
    assert_eq!((texels[3], texels[7]), (0, 255));
    let facts = json(&out.join(painted.replace(".png", ".json")));
    assert_eq!(facts["replaces"], "fur_wing");
    assert_eq!(facts["paints"][0], serde_json::json!([223, 0, 41]));
}

#[test]
fn scenes_next_to_their_pictures_name_the_painted_ones() {
    let root = converted(Game::Cs, "scenes.container = \"gltf\"");
    let out = root.path().join("out");
    let scene = json(&out.join("models/zbd/planes/player_finch.gltf"));
    let images = scene["images"].as_array().unwrap();
    let named: Vec<&str> = images
        .iter()
        .filter_map(|image| image["uri"].as_str())
        .collect();
    assert!(
        named
            .iter()
            .any(|uri| uri.ends_with("fortune/fur_wing.png")),
        "{named:?}"
    );
}

#[test]
fn paints_and_rule_are_settings() {
    let red = "liveries.paints = [\"fortune #ff0000 #ff0000 #ff0000\"]";
    let root = converted(Game::Cs, red);
    let painted = "out/textures/gosdata/assets/crimson/assets/graphics/fortune/blo_fin.png";
    let (_, _, texels) = picture(&root.path().join(painted));
    let reds = texels
        .chunks(3)
        .filter(|texel| texel[0] > 100 && texel[1] < 60);
    assert!(reds.count() > 10);
    let settings = root.path().join("wrong.toml");
    fs::write(&settings, "liveries.paints = [\"x\"]").unwrap();
    convert(
        &root.path().join("cs"),
        &root.path().join("wrong"),
        &["-q", "--config"],
    )
    .arg(settings)
    .assert()
    .failure();
}

fn sections(document: &Value) -> Vec<&str> {
    let sections = document["sections"].as_array().unwrap();
    sections
        .iter()
        .filter_map(|section| section["name"].as_str())
        .collect()
}

#[test]
fn a_save_is_one_document() {
    let root = converted(Game::Cs, "");
    let out = root.path().join("out");
    let status = json(&out.join("config/savedgames/sample/status.json"));
    assert_eq!(status["saved_by"], "crimson-skies");
    assert_eq!(
        sections(&status),
        ["zSaveHeader", "PilotStatus/PilotStatus", "UIData/UIData"]
    );
    let pilot = &status["sections"][2]["value"]["pilot"];
    assert_eq!(pilot["funds"], 2500);
    assert_eq!(pilot["results"][0]["latest"]["plane"], "Swan");
    let mission = json(&out.join("config/savedgames/sample/mission.102.json"));
    assert_eq!(sections(&mission)[1..], ["TurretList/tur1"; 2]);
    let plane = json(&out.join("config/planes/green test.json"));
    assert_eq!(plane["airframe_name"], "Fury");
    assert_eq!(plane["pattern_name"], "FORTUNE");
    let root = converted(Game::Rc, "");
    let save = json(&root.path().join("out/config/savedgames/ridge at dawn.json"));
    assert_eq!(save["saved_by"], "recoil");
    assert_eq!(save["sections"][5]["value"]["timer"], 123.25);
    let root = converted(Game::Mw, "");
    let save = json(&root.path().join("out/config/pilots/games/sample 1.json"));
    assert_eq!(save["saved_by"], "mechwarrior-3");
    assert_eq!(sections(&save).len(), 5);
}

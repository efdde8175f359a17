//! Whole fixture installs converted by the program, every output compared with the independent
//! decode.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

use crate::common;

use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::path::Path;

use common::{assert_same, convert, fixtures, json, relicast, sample_installs};
use relicast::asset::Game;
use serde_json::Value;
use sha2::{Digest, Sha256};

const GAMES: [&str; 4] = ["rc", "mw", "pm", "cs"];

/// Outputs of a run by source, in file order: path and member name.
type Outputs = BTreeMap<String, Vec<(String, Option<String>)>>;

fn outputs(out: &Path) -> Outputs {
    let manifest = json(&out.join("manifest.json"));
    let mut rows: Vec<(String, u64, String, Option<String>)> = Vec::new();
    for output in manifest["outputs"].as_array().unwrap() {
        let text = |name: &str| output[name].as_str().map(str::to_owned);
        rows.push((
            text("source").unwrap(),
            output["range"]["start"].as_u64().unwrap(),
            text("path").unwrap(),
            text("member"),
        ));
    }
    rows.sort();
    let mut outputs = Outputs::new();
    for (source, _, path, member) in rows {
        outputs.entry(source).or_default().push((path, member));
    }
    outputs
}

/// Calls `check` for every game with its fixture folder, expectations and converted outputs.
fn for_each_game(config: Option<&str>, check: impl Fn(&Path, &Path, &Outputs)) {
    let root = fixtures("zipper");
    for game in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let mut command = convert(&root.join(game), &out, &["-q", "--strict"]);
        if let Some(config) = config {
            let path = folder.path().join("config.toml");
            fs::write(&path, config).unwrap();
            command.arg("--config").arg(path);
        }
        command.assert().success();
        check(&root.join("expect").join(game), &out, &outputs(&out));
    }
}

fn members<'a>(outputs: &'a Outputs, source: &str) -> Vec<(&'a str, &'a str)> {
    outputs[source]
        .iter()
        .filter_map(|(path, member)| Some((&**path, member.as_deref()?)))
        .collect()
}

fn own_document(outputs: &Outputs, source: &str) -> String {
    let mut own = outputs[source]
        .iter()
        .filter(|(_, member)| member.is_none());
    let (path, _) = own.next().unwrap();
    path.clone()
}

/// Names of the expected folders below `expect` that hold a file called `name`.
fn expected_with(expect: &Path, name: &str) -> Vec<String> {
    common::files(expect)
        .into_iter()
        .filter_map(|path| path.strip_suffix(&format!("/{name}")).map(str::to_owned))
        .collect()
}

fn is_texture(manifest: &Value) -> bool {
    manifest.get("texture_infos").is_some()
}

fn rgba(path: &Path) -> image::RgbaImage {
    let bytes = fs::read(path).unwrap();
    image::load(Cursor::new(bytes), image::ImageFormat::Png)
        .unwrap()
        .to_rgba8()
}

fn stored_name(info: &Value) -> &str {
    let rename = info.get("rename").unwrap_or(&info["name"]);
    rename.as_str().unwrap()
}

/// Compares every picture; `exact` also compares the color of texels that cannot be seen.
fn compare_pictures(expect: &Path, out: &Path, outputs: &Outputs, exact: bool) -> usize {
    let mut compared = 0;
    for source in expected_with(expect, "manifest.json") {
        let expected = json(&expect.join(&source).join("manifest.json"));
        if !is_texture(&expected) {
            continue;
        }
        let infos = expected["texture_infos"].as_array().unwrap();
        let members = members(outputs, &source);
        assert_eq!(members.len(), infos.len(), "{source}");
        for ((path, member), info) in members.iter().zip(infos) {
            let name = stored_name(info);
            assert_eq!(*member, info["name"], "{source}");
            assert!(
                path.ends_with(&format!("/{}.png", name.to_lowercase())),
                "{path}"
            );
            let actual = rgba(&out.join(path));
            let wanted = rgba(&expect.join(&source).join(format!("{name}.png")));
            assert_eq!(actual.dimensions(), wanted.dimensions(), "{path}");
            let keyed_palette = info["alpha"] == "Simple" && info["palette"] != "None";
            for (actual, wanted) in actual.pixels().zip(wanted.pixels()) {
                if !keyed_palette {
                    assert_eq!(actual.0[3], wanted.0[3], "alpha in {path}");
                }
                if exact || keyed_palette || actual.0[3] > 0 {
                    assert_eq!(actual.0[..3], wanted.0[..3], "color in {path}");
                }
            }
            compared += 1;
        }
    }
    compared
}

#[test]
fn pictures_equal_the_independent_decode() {
    for_each_game(None, |expect, out, outputs| {
        assert!(compare_pictures(expect, out, outputs, false) > 20);
    });
}

#[test]
fn without_dilation_even_hidden_texels_are_equal() {
    let config = "[textures]\ndilate = false\npalette = \"expand\"\neffort = \"balanced\"\n";
    for_each_game(Some(config), |expect, out, outputs| {
        assert!(compare_pictures(expect, out, outputs, true) > 20);
    });
}

#[test]
fn palettes_stay_indexed_unless_a_plane_is_merged() {
    for_each_game(None, |expect, out, outputs| {
        for source in expected_with(expect, "manifest.json") {
            let expected = json(&expect.join(&source).join("manifest.json"));
            if !is_texture(&expected) {
                continue;
            }
            let infos = expected["texture_infos"].as_array().unwrap();
            for ((path, _), info) in members(outputs, &source).iter().zip(infos) {
                let bytes = fs::read(out.join(path)).unwrap();
                let decoder = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
                let color = decoder.info().color_type;
                let wanted = match (&info["palette"], info["alpha"].as_str().unwrap()) {
                    (palette, "None" | "Simple") if *palette != "None" => png::ColorType::Indexed,
                    (_, "None") => png::ColorType::Rgb,
                    _ => png::ColorType::Rgba,
                };
                assert_eq!(color, wanted, "{path}");
            }
        }
    });
}

#[test]
fn separate_planes_keep_indices_and_alpha_as_stored() {
    let config = "[textures]\nalpha_plane = \"separate\"\n";
    for_each_game(Some(config), |expect, out, outputs| {
        for source in expected_with(expect, "manifest.json") {
            let expected = json(&expect.join(&source).join("manifest.json"));
            for info in expected["texture_infos"].as_array().into_iter().flatten() {
                if info["alpha"] != "Full" {
                    continue;
                }
                let name = stored_name(info).to_lowercase();
                let find = |ending: &str| {
                    let ending = format!("/{name}{ending}");
                    let mut paths = members(outputs, &source).into_iter().map(|(path, _)| path);
                    out.join(paths.find(|path| path.ends_with(&ending)).unwrap())
                };
                let wanted = rgba(
                    &expect
                        .join(&source)
                        .join(format!("{}.png", stored_name(info))),
                );
                let colors = rgba(&find(".png"));
                let plane = rgba(&find(".alpha.png"));
                for ((color, alpha), wanted) in
                    colors.pixels().zip(plane.pixels()).zip(wanted.pixels())
                {
                    assert_eq!(color.0[..3], wanted.0[..3], "{source} {name}");
                    assert_eq!(alpha.0[0], wanted.0[3], "{source} {name}");
                }
            }
        }
    });
}

#[test]
fn package_facts_equal_the_independent_decode() {
    let stretch = |name: &str| match name {
        "None" => 0,
        "Vertical" => 1,
        "Horizontal" => 2,
        "Both" => 3,
        other => other.strip_prefix("Unk").unwrap().parse::<u64>().unwrap(),
    };
    for_each_game(None, |expect, out, outputs| {
        for source in expected_with(expect, "manifest.json") {
            let mut expected = json(&expect.join(&source).join("manifest.json"));
            if !is_texture(&expected) {
                continue;
            }
            for info in expected["texture_infos"].as_array_mut().unwrap() {
                info["stretch"] = stretch(info["stretch"].as_str().unwrap()).into();
            }
            if expected["global_palettes"] == Value::Array(Vec::new()) {
                expected.as_object_mut().unwrap().remove("global_palettes");
            }
            let actual = json(&out.join(own_document(outputs, &source)));
            assert_same(&actual, &expected, &source);
        }
    });
}

#[test]
fn archive_tables_equal_the_independent_decode() {
    for_each_game(None, |expect, out, outputs| {
        let mut compared = 0;
        for source in expected_with(expect, "manifest.json") {
            let mut expected = json(&expect.join(&source).join("manifest.json"));
            let Some(entries) = expected.as_array_mut() else {
                continue;
            };
            for entry in entries {
                if let Some(datetime) = entry["info"].pointer_mut("/Valid/datetime") {
                    let written = datetime.as_str().unwrap().replace(".0Z", "Z");
                    *datetime = written.into();
                }
            }
            let actual = json(&out.join(own_document(outputs, &source)));
            assert_same(&actual["entries"], &expected, &source);
            compared += 1;
        }
        assert!(compared > 3);
    });
}

#[test]
fn readers_equal_the_independent_decode() {
    for_each_game(None, |expect, out, outputs| {
        let mut compared = 0;
        for source in expected_with(expect, "manifest.json") {
            let expected = json(&expect.join(&source).join("manifest.json"));
            for (path, _) in outputs.get(&source).into_iter().flatten() {
                if !path.starts_with("config/") || expected.as_array().is_none() {
                    continue;
                }
                let Some(stem) = path.strip_suffix(".json") else {
                    continue;
                };
                let Some((_, stem)) = stem.split_once(&own_folder(outputs, &source)) else {
                    continue;
                };
                let stem = stem.trim_start_matches('/');
                if stem.is_empty() {
                    continue;
                }
                let names = common::files(&expect.join(&source));
                let wanted = format!("{stem}.zrd.json");
                let name = names.iter().find(|name| name.to_lowercase() == wanted);
                let name = name.unwrap_or_else(|| panic!("{source}: {wanted}"));
                let expected = json(&expect.join(&source).join(name));
                assert_same(&json(&out.join(path)), &expected, path);
                compared += 1;
            }
        }
        assert!(compared > 10);
    });
}

fn own_folder(outputs: &Outputs, source: &str) -> String {
    let own = own_document(outputs, source);
    own.strip_suffix(".json").unwrap().to_owned()
}

#[test]
fn motions_equal_the_independent_decode() {
    for_each_game(None, |expect, out, outputs| {
        for (source, rows) in outputs {
            for (path, member) in rows {
                let Some(member) = member
                    .as_deref()
                    .filter(|_| source.to_lowercase().ends_with("motion.zbd"))
                else {
                    continue;
                };
                let mut expected = json(&expect.join(source).join(format!("{member}.json")));
                for part in expected["parts"].as_array_mut().unwrap() {
                    for frame in part["frames"].as_array_mut().unwrap() {
                        // The reference labels the stored order w, x, y, z as x, y, z, w.
                        let labels = frame["rotation"].clone();
                        frame["rotation"] = serde_json::json!({
                            "w": labels["x"], "x": labels["y"], "y": labels["z"], "z": labels["w"],
                        });
                    }
                }
                assert_same(&json(&out.join(path)), &expected, path);
            }
        }
    });
}

#[test]
fn scripts_messages_and_maps_equal_the_independent_decode() {
    for_each_game(None, |expect, out, outputs| {
        for source in expected_with(expect, "interp.json") {
            let mut expected = json(&expect.join(&source).join("interp.json"));
            for script in expected.as_array_mut().unwrap() {
                let written = script["datetime"].as_str().unwrap().replace(".0Z", "Z");
                script["datetime"] = written.into();
            }
            let actual = json(&out.join(own_document(outputs, &source)));
            assert_same(&actual, &expected, &source);
        }
        for name in ["messages.json", "zmap.json"] {
            for source in expected_with(expect, name) {
                let expected = json(&expect.join(&source).join(name));
                let actual = json(&out.join(own_document(outputs, &source)));
                assert_same(&actual, &expected, &source);
            }
        }
    });
}

fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Samples of a WAV as little-endian bytes, read by another library.
fn samples(path: &Path) -> Vec<u8> {
    let mut reader = hound::WavReader::open(path).unwrap();
    let bits = reader.spec().bits_per_sample;
    let samples = reader.samples::<i32>().map(Result::unwrap);
    match bits {
        8 => samples.map(|sample| (sample + 128) as u8).collect(),
        _ => samples
            .flat_map(|sample| (sample as i16).to_le_bytes())
            .collect(),
    }
}

#[test]
fn sounds_equal_the_independent_decode() {
    for_each_game(None, |expect, out, outputs| {
        let mut compared = 0;
        for source in expected_with(expect, "wave_facts.json") {
            let facts = json(&expect.join(&source).join("wave_facts.json"));
            for (path, _) in &outputs[&source] {
                let Some(name) = path
                    .strip_suffix(".wav")
                    .and_then(|path| path.rsplit('/').next())
                else {
                    continue;
                };
                let (name, facts) = facts
                    .as_object()
                    .unwrap()
                    .iter()
                    .find(|(stored, _)| stored.to_lowercase() == format!("{name}.wav"))
                    .unwrap();
                let output = out.join(path);
                match facts["format"].as_str().unwrap() {
                    "pcm" => {
                        let stored = expect.join(&source).join(name);
                        assert_eq!(
                            fs::read(&output).unwrap(),
                            fs::read(stored).unwrap(),
                            "{path}"
                        );
                    }
                    _ => {
                        let digest = sha256(&samples(&output));
                        let accepted = facts
                            .as_object()
                            .unwrap()
                            .values()
                            .any(|fact| *fact == digest.as_str());
                        assert!(accepted, "{path}");
                    }
                }
                compared += 1;
            }
        }
        assert!(compared > 5);
    });
}

#[test]
fn every_container_of_the_fixtures_is_proved() {
    assert_proved(&fixtures("zipper"), |_| false);
}

#[test]
fn every_container_of_the_samples_is_proved() {
    let games = [Game::Rc, Game::Mw, Game::Pm, Game::Cs];
    let is_no_container = |path: &str| !path.ends_with(".zbd") && !path.ends_with(".zmap");
    assert_proved(sample_installs(&games).path(), is_no_container);
}

/// Proves the games below `root`; files that `passes_over` names may have any verdict.
fn assert_proved(root: &Path, passes_over: impl Fn(&str) -> bool) {
    for game in GAMES {
        let output = relicast()
            .args(["prove", "--json"])
            .arg(root.join(game))
            .assert()
            .success();
        let report: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
        for file in report["files"].as_array().unwrap() {
            let verdict = file["verdict"].as_str().unwrap();
            let path = file["path"].as_str().unwrap();
            if passes_over(path) {
                continue;
            }
            let expected = match path.ends_with(".dll") {
                true => "read-only",
                false => "identical",
            };
            assert_eq!(verdict, expected, "{game}/{path}");
        }
    }
}

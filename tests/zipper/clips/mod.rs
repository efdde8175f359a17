//! Clips of animation containers against the events that they were made from. Scenes are read back
//! with the `gltf` crate, events come from an independent decoder's JSON, and both sides are evaluated
//! here: nothing of the converter's own arithmetic is used.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common;

mod events;
mod hostile;
mod pointers;
mod scenes;

use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use self::events::{Channel, Evaluation, Lengths, Script};
use self::scenes::Scene;

/// Converts the fixtures of a game, and hands over their folder of expectations and the outputs.
fn with_game(game: &str, settings: &str, check: impl FnOnce(&Path, &Path)) {
    let root = common::fixtures("zipper");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let file = folder.path().join("settings.toml");
    fs::write(&file, settings).unwrap();
    let only = [
        "-q",
        "--strict",
        "--only",
        "*anim.zbd",
        "--only",
        "gamez.zbd",
    ];
    let mut command = common::convert(&root.join(game), &out, &only);
    command.arg("--config").arg(&file).assert().success();
    check(&root.join("expect").join(game), &out);
}

/// Compares a clip with an evaluation, at many times. Returns the number of values compared.
fn compare(scene: &Scene, clip: &str, expected_clips: &Evaluation) -> usize {
    let mut compared = 0;
    let length = scene.length(clip).max(0.1);
    let mut moments: Vec<f64> = (0..400)
        .map(|step| length * f64::from(step) / 399.0)
        .collect();
    moments.extend(expected_clips.moments().iter().map(|time| time + 0.01));
    for (node, channel) in expected_clips.written() {
        let jumps = expected_clips.jumps(&node);
        for &time in &moments {
            // A jump takes a ten-thousandth of a second.
            if time > length || jumps.iter().any(|jump| (jump - time).abs() < 3e-4) {
                continue;
            }
            let Some(expected) = expected_clips.at(&node, channel, time) else {
                continue;
            };
            let found = scene.at(clip, &node, channel, time);
            let place = format!("{clip}: {channel:?} of {node} at {time}");
            match channel {
                Channel::Rotation => {
                    let dot: f64 = found.iter().zip(&expected).map(|(a, b)| a * b).sum();
                    assert!(
                        dot.abs() > 1.0 - 2e-6,
                        "{place}: {found:?}, not {expected:?}"
                    );
                }
                _ => {
                    for (one, other) in found.iter().zip(&expected) {
                        let near = 2e-4 + 1e-5 * other.abs();
                        assert!(
                            (one - other).abs() < near,
                            "{place}: {found:?}, not {expected:?}"
                        );
                    }
                }
            }
            compared += 1;
        }
    }
    compared
}

/// The scripts of a decoded container, in order.
fn scripts(folder: &Path) -> Vec<Script> {
    let meta = common::json(&folder.join("metadata.json"));
    let names: Vec<String> = match meta["script_names"].as_array() {
        Some(names) => names
            .iter()
            .map(|name| name.as_str().unwrap().to_owned())
            .collect(),
        None => Vec::new(),
    };
    let file = |name: &String| folder.join(format!("{name}.json"));
    names
        .iter()
        .map(|name| Script::of_reference(&common::json(&file(name))))
        .collect()
}

fn check_reference(game: &str, container: &str, least: usize) {
    with_game(game, "", |expect, out| {
        let folder = expect.join(container);
        let scripts = scripts(&folder);
        let stem = container.to_lowercase().replace(".zbd", "");
        let mut compared = 0;
        let mut clips = 0;
        let files = fs::read_dir(&folder).unwrap();
        let definitions: Vec<Value> = files
            .map(|entry| common::json(&entry.unwrap().path()))
            .filter(|definition| definition.get("sequences").is_some())
            .collect();
        let lengths: Lengths = definitions
            .iter()
            .map(|definition| {
                let name = definition["anim_name"].as_str().unwrap().to_owned();
                let alone = Evaluation::of_reference(definition, &scripts, &Lengths::new());
                (name, alone.length)
            })
            .collect();
        for definition in &definitions {
            let root = definition["anim_root_name"].as_str().unwrap();
            let path = out.join(format!(
                "animations/{stem}/{}.gltf",
                root.trim_end_matches(".flt")
            ));
            if !path.exists() {
                continue;
            }
            let scene = Scene::load(&path);
            let clip = definition["anim_name"].as_str().unwrap();
            let expected_clips = Evaluation::of_reference(definition, &scripts, &lengths);
            compared += compare(&scene, clip, &expected_clips);
            clips += 1;
        }
        assert!(clips >= 5, "{clips} clips of {game}");
        assert!(compared > least, "{compared} values of {game}");
    });
}

#[test]
fn clips_of_mechwarrior_show_its_events() {
    check_reference("mw", "zbd/c1/anim.zbd", 4000);
}

#[test]
fn clips_of_pirates_moon_show_its_events() {
    check_reference("pm", "zbd/c1/anim.zbd", 3000);
}

#[test]
fn clips_of_recoil_show_its_events() {
    check_reference("rc", "zbd/m1/anim.zbd", 3000);
}

#[test]
fn clips_of_crimson_skies_show_its_events() {
    with_game("cs", "", |expect, out| {
        let mut compared = 0;
        for container in ["ZBD/C1/cam_anim.zbd", "ZBD/C1/M01/mis_anim.zbd"] {
            let file = common::json(&expect.join(container).join("anim.json"));
            let scripts: Vec<Script> = file["scripts"]
                .as_array()
                .unwrap()
                .iter()
                .map(Script::from_json)
                .collect();
            let stem = container.to_lowercase().replace(".zbd", "");
            for definition in file["definitions"].as_array().unwrap() {
                let root = definition["anim_root_name"].as_str().unwrap();
                let path = out.join(format!("animations/{stem}/{root}.gltf"));
                if !path.exists() {
                    continue;
                }
                let scene = Scene::load(&path);
                let clip = definition["anim_name"].as_str().unwrap();
                if scene.length(clip) == 0.0 {
                    continue;
                }
                let expected_clips = Evaluation::from_json(definition, &scripts);
                compared += compare(&scene, clip, &expected_clips);
            }
        }
        assert!(compared > 4000, "{compared} values");
    });
}

#[test]
fn camera_rides_are_cameras_that_move_with_what_they_show() {
    with_game("cs", "", |_, out| {
        let scene = Scene::load(&out.join("animations/zbd/c1/cam_anim/player_kestrel.gltf"));
        let cameras = scene.cameras();
        let (node, yfov) = &cameras["camera1"];
        assert!(*yfov > 0.1 && *yfov < 3.0);
        assert!(scene.moves("fly_by_01", node));
        assert!(scene.moves("fly_by_01", "body"));
        assert!(scene.moves("fly_by_01", "prop_spin"));
    });
}

#[test]
fn what_is_shown_and_hidden_is_reported_and_scaled_on_request() {
    let extras = |clip: &Value| -> BTreeMap<String, Value> {
        let list = clip["visibility"].as_array().unwrap();
        let named = list
            .iter()
            .map(|it| (it["node"].as_str().unwrap().to_owned(), it.clone()));
        named.collect()
    };
    let path = |out: &Path| -> PathBuf { out.join("animations/zbd/c1/m01/mis_anim/bldg000.gltf") };
    with_game("cs", "", |_, out| {
        let scene = Scene::load(&path(out));
        let written = extras(&scene.extras("burn_000"));
        // Two seconds of fading, then one building takes the place of the other.
        assert_eq!(written["healthy"]["shown"][0], true);
        assert_eq!(written["healthy"]["times"][1], 2.0);
        assert_eq!(written["healthy"]["shown"][1], false);
        assert_eq!(written["destroyed"]["shown"][0], false);
        assert_eq!(written["destroyed"]["shown"][1], true);
        let fade = &scene.extras("burn_000")["opacity"][0];
        assert_eq!(fade["opacity"][0], 1.0);
        assert_eq!(fade["opacity"][1], 0.0);
        assert!(!scene.has("destroyed__shown"));
    });
    with_game("cs", "[animations]\nvisibility = \"scale\"", |_, out| {
        let scene = Scene::load(&path(out));
        let shown = |node: &str, time: f64| scene.at("burn_000", node, Channel::Scale, time)[0];
        assert_eq!(shown("destroyed__shown", 1.0), 0.0);
        assert_eq!(shown("destroyed__shown", 2.5), 1.0);
        assert_eq!(shown("healthy__shown", 1.0), 1.0);
        assert_eq!(shown("healthy__shown", 2.5), 0.0);
        assert_eq!(scene.rest("destroyed__shown", Channel::Scale), [0.0; 3]);
    });
}

#[test]
fn endless_loops_are_one_pass_and_said_to_be() {
    with_game("mw", "", |_, out| {
        let scene = Scene::load(&out.join("animations/zbd/c1/anim/beacon01_seg01.gltf"));
        let written = &scene.extras("beacon01_spin")["loops"][0];
        assert_eq!(written["period"], 8.0);
        assert_eq!(written["passes"], Value::Null);
        assert!((scene.length("beacon01_spin") - 8.0).abs() < 1e-6);
    });
}

#[test]
fn no_clips_where_none_are_wanted() {
    with_game("rc", "[animations]\nclips = \"none\"", |_, out| {
        let files = common::files(out);
        let scenes = files.iter().filter(|path| {
            path.starts_with("animations/")
                && Path::new(path)
                    .extension()
                    .is_some_and(|extension| extension == "gltf")
        });
        assert_eq!(scenes.count(), 0);
        assert!(out.join("animations/zbd/m1/anim.json").exists());
    });
}

#[test]
fn worlds_have_the_clips_inside_on_request() {
    with_game("mw", "[animations]\nclips = \"world\"", |_, out| {
        let world = Scene::load(&out.join("worlds/zbd/c1/gamez.gltf"));
        let alone = Scene::load(&out.join("animations/zbd/c1/anim/truck01.gltf"));
        for step in 0..80 {
            let time = f64::from(step) / 10.0;
            for channel in [Channel::Translation, Channel::Rotation] {
                let inside = world.at("truck01_drive", "truck01", channel, time);
                assert_eq!(inside, alone.at("truck01_drive", "truck01", channel, time));
            }
        }
        assert!(world.moves("truck01_drive", "truck01"));
    });
}

#[test]
fn worlds_have_the_clips_of_their_missions_too() {
    let root = common::fixtures("zipper");
    let folder = tempfile::tempdir().unwrap();
    let source = root.join("cs/ZBD/C1");
    let world = folder.path().join("in/ZBD/C1");
    for mission in ["M01", "M02"] {
        fs::create_dir_all(world.join(mission)).unwrap();
        let target = world.join(mission).join("mis_anim.zbd");
        fs::copy(source.join("M01/mis_anim.zbd"), target).unwrap();
    }
    for file in ["gamez.zbd", "cam_anim.zbd"] {
        fs::copy(source.join(file), world.join(file)).unwrap();
    }
    let settings = folder.path().join("settings.toml");
    fs::write(&settings, "[animations]\nclips = \"world\"").unwrap();
    let out = folder.path().join("out");
    let mut command = common::convert(&folder.path().join("in"), &out, &["-q"]);
    command.arg("--config").arg(&settings).assert().success();
    let scene = Scene::load(&out.join("worlds/zbd/c1/gamez.gltf"));
    let clips = scene.clips();
    let has = |clip: &str| clips.iter().any(|it| it == clip);
    // The container of the world comes first and keeps its names; clips of missions that others have too
    // contain the mission. Files have no points in names.
    for clip in [
        "mill_turn",
        "M01_mill_turn",
        "M02_mill_turn",
        "M01_burn_000",
        "M02_burn_000",
    ] {
        assert!(has(clip), "{clip} is not in {clips:?}");
    }
    assert!(!has("burn_000"));
    assert_eq!(scene.extras("M01_burn_000"), scene.extras("M02_burn_000"));
    assert!(scene.length("M01_mill_turn") > 0.0);
}

#[test]
fn animations_of_mechs_move_their_parts() {
    for game in ["mw", "pm"] {
        with_game(game, "", |_, out| {
            let scene = Scene::load(&out.join("animations/zbd/c1/anim/bushwhacker.gltf"));
            for part in ["hip", "torso", "lshin"] {
                assert!(scene.moves("bushwhacker_fall", part), "{part} of {game}");
            }
        });
    }
}

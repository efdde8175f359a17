//! The commands of docs/modding.md, run word by word on the sample that it names.
#![cfg(unix)]

use relicast_testing::test;
use std::fs;
use std::path::Path;
use std::process::Command;

use relicast::asset::Game;

use crate::common::{files, json};
use crate::place::{Place, picture};

const TUTORIAL: &str = include_str!("../../docs/modding.md");

/// The blocks of commands, in order.
fn blocks() -> Vec<&'static str> {
    let parts = TUTORIAL.split("```sh\n").skip(1);
    parts
        .map(|part| part.split("```").next().unwrap())
        .collect()
}

fn run(folder: &Path, commands: &str) {
    let program = Path::new(env!("CARGO_BIN_EXE_relicast"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let output = Command::new("sh")
        .args(["-eu", "-c", commands])
        .current_dir(folder)
        .env("PATH", path)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{commands}{message}");
}

#[test]
fn every_step_does_what_it_says() {
    let place = Place::empty();
    let folder = place.path("");
    let sample = relicast_samples::files(Game::Mw, 1).unwrap();
    relicast_samples::write_files(&folder.join("games/mw"), &sample).unwrap();
    let before: Vec<_> = files(&folder.join("games/mw"))
        .into_iter()
        .map(|path| {
            (
                path.clone(),
                fs::read(folder.join("games/mw").join(path)).unwrap(),
            )
        })
        .collect();
    let blocks = blocks();
    assert!(blocks.len() > 8, "{}", blocks.len());
    for block in &blocks {
        run(&folder, block);
    }
    // What was packed converts to the edits.
    run(
        &folder,
        "cp -r games/mw modded && cp -r mod/* modded/ && relicast convert modded --out after",
    );
    let out = |folder: &str, path: &str| place.path(folder).join(path);
    let texture = "textures/zbd/rmechtex/fence.png";
    assert!(picture(&out("after", texture)) == picture(&out("converted", texture)));
    let sound = "sounds/zbd/soundsh/blip.wav";
    let samples = |folder: &str| -> Vec<i32> {
        let reader = hound::WavReader::open(out(folder, sound)).unwrap();
        reader.into_samples().map(Result::unwrap).collect()
    };
    assert_eq!(samples("after"), samples("converted"));
    let text = fs::read_to_string(out("after", "text/mech3msg.de.json")).unwrap();
    assert!(text.contains("Nehmen Sie so bald wie moeglich"));
    let world = json(&out("after", "worlds/zbd/c1/gamez.gltf"));
    let nodes = world["nodes"].as_array().unwrap();
    let house = nodes.iter().find(|node| node["name"] == "house").unwrap();
    assert_eq!(house["translation"][0], 155.0);
    let gate = json(&out(
        "after",
        "animations/zbd/c1/anim/fence_01-fence_slides.json",
    ));
    let event = &gate["sequences"][0]["events"][0];
    assert_eq!(
        (&event["run_time"], &event["lasts"]),
        (&3.0.into(), &3.0.into())
    );
    assert!(
        event["translation"].get("stored_rate").is_none(),
        "the gate arrives where it did"
    );
    // The patch made the same files, and the game is as it was.
    let packed = files(&folder.join("mod")).into_iter();
    for path in packed.filter(|path| !path.contains("relicast")) {
        let read = |folder: &str| fs::read(out(folder, &path)).unwrap();
        assert!(read("mod") == read("theirs"), "{path}");
    }
    for (path, bytes) in before {
        assert!(
            fs::read(folder.join("games/mw").join(&path)).unwrap() == bytes,
            "{path}"
        );
    }
}

//! Comparison of two output folders, installs and files.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

use crate::common;
use crate::install;
use relicast_testing::test;

use std::fs;
use std::path::Path;

use common::{convert, files, relicast};
use install::{Install, sounds, textures};
use relicast::golden::diff::change::{Change, Contents};
use serde_json::Value as Json;

/// Two installs that differ in a texture, a sound, a value and the folder of a file; each has one file of its
/// own.
fn two() -> (Install, Install) {
    let (one, other) = (Install::new(), Install::new());
    other.write("ZBD/soundsH.zbd", &sounds(9));
    let mut texels = textures();
    let leaf = [0, 0, 0xE0, 0x07, 0x00, 0xF8, 0x1F, 0x00];
    let place = texels.windows(8).position(|window| window == leaf).unwrap();
    texels[place + 7] = 0xF8;
    other.write("ZBD/C1/rtexture.zbd", &texels);
    one.write("a<b>.zrd", b"( A 1 ( B 2 ) )");
    other.write("a<b>.zrd", b"( A 1 ( B 3 ) )");
    one.write("here.zrd", b"( HERE 1 )");
    other.write("there.zrd", b"( THERE 2 )");
    fs::remove_file(other.input().join("readme.txt")).unwrap();
    other.write("docs/readme.txt", b"hello");
    (one, other)
}

/// Runs `diff --json` and returns its output; checks its exit code.
fn diff(before: &Path, after: &Path, code: i32) -> Json {
    let mut command = relicast();
    command.arg("diff").arg(before).arg(after).arg("--json");
    let output = command.assert().code(code);
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

fn check_two(difference: &Json) {
    let changed = difference["changed"].as_array().unwrap();
    let change = |member: &str| -> &Json {
        let mut found = changed
            .iter()
            .filter(|one| one["after"]["member"] == member);
        &found
            .next()
            .unwrap_or_else(|| panic!("no {member} in {difference:#}"))["change"]
    };
    // The transparent pixel has the color of its neighbors, one of which is another now.
    let leaf = change("leaf");
    assert_eq!(
        (&leaf["sort"], &leaf["pixels"]),
        (&"picture".into(), &2.into()),
        "{leaf}"
    );
    assert!(leaf["largest"].as_u64().unwrap() > 0);
    let beep = change("beep.wav");
    assert_eq!(beep["sort"], "sound");
    assert_eq!(
        (&beep["samples"], &beep["largest"]),
        (&64.into(), &8.into())
    );
    let source = changed
        .iter()
        .find(|one| one["after"]["source"] == "a<b>.zrd")
        .unwrap();
    let values = &source["change"];
    assert_eq!(
        (&values["sort"], &values["total"]),
        (&"document".into(), &1.into()),
        "{values}"
    );
    assert_eq!(
        (&values["first"][0]["before"], &values["first"][0]["after"]),
        (&"2".into(), &"3".into())
    );
    let moved = difference["moved"].as_array().unwrap();
    assert!(
        moved
            .iter()
            .any(|one| one["after"]["source"] == "docs/readme.txt"),
        "{moved:?}"
    );
    let only = |side: &str| -> Vec<&str> {
        let all = difference[side].as_array().unwrap().iter();
        all.map(|one| one["source"].as_str().unwrap()).collect()
    };
    assert!(
        only("only_before")
            .iter()
            .all(|source| *source == "here.zrd"),
        "{difference:#}"
    );
    assert!(
        only("only_after")
            .iter()
            .all(|source| *source == "there.zrd"),
        "{difference:#}"
    );
    assert!(!only("only_before").is_empty() && !only("only_after").is_empty());
    assert!(difference["same"].as_u64().unwrap() > 0);
}

#[test]
fn installs_and_their_outputs_differ_in_the_same() {
    let (one, other) = two();
    check_two(&diff(&one.input(), &other.input(), 2));
    let (a, b) = (one.out("out"), other.out("out"));
    convert(&one.input(), &a, &["-q"]).assert().success();
    convert(&other.input(), &b, &["-q"]).assert().success();
    check_two(&diff(&a, &b, 2));
    // An install and its own outputs are the same; nothing was written beside it.
    let before = files(one.folder.path());
    let difference = diff(&one.input(), &a, 0);
    assert_eq!(difference["changed"].as_array().unwrap().len(), 0);
    diff(&a, &a, 0);
    diff(&one.input(), &one.input(), 0);
    assert_eq!(files(one.folder.path()), before);
}

#[test]
fn flac_is_compared_by_its_samples() {
    let (one, other) = two();
    let config = one.out("flac.toml");
    fs::write(&config, "[sounds]\nformat = \"flac\"\n").unwrap();
    let (a, b) = (one.out("out"), other.out("out"));
    let arguments = ["-q", "--config", config.to_str().unwrap()];
    convert(&one.input(), &a, &arguments).assert().success();
    convert(&other.input(), &b, &arguments).assert().success();
    let difference = diff(&a, &b, 2);
    let changed = difference["changed"].as_array().unwrap().iter();
    let mut sounds =
        changed.filter(|one| one["after"]["path"].as_str().unwrap().ends_with(".flac"));
    let beep = &sounds.next().unwrap()["change"];
    assert_eq!(
        (&beep["samples"], &beep["largest"]),
        (&64.into(), &8.into()),
        "{beep}"
    );
}

#[test]
fn what_is_there_is_compared_and_not_what_was_written() {
    let install = Install::new();
    let (a, b) = (install.out("a"), install.out("b"));
    convert(&install.input(), &a, &["-q"]).assert().success();
    convert(&install.input(), &b, &["-q"]).assert().success();
    let all = files(&b);
    let document = all.iter().find(|path| path.ends_with("a.json")).unwrap();
    fs::write(b.join(document), "[]").unwrap();
    let picture = all.iter().find(|path| path.ends_with("leaf.png")).unwrap();
    fs::remove_file(b.join(picture)).unwrap();
    let difference = diff(&a, &b, 2);
    assert_eq!(difference["changed"].as_array().unwrap().len(), 1);
    assert_eq!(difference["after"]["missing"][0], **picture);
    let mut command = relicast();
    let output = command.arg("diff").arg(&a).arg(&b).assert().code(2);
    let said = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert!(said.contains(&format!("changed  {document}")), "{said}");
    assert!(
        said.contains("1 changed, 1 only in A, 0 only in B"),
        "{said}"
    );
    relicast()
        .arg("diff")
        .arg(&a)
        .arg(install.out("none"))
        .assert()
        .code(1);
    fs::write(b.join("manifest.json"), "{").unwrap();
    relicast().arg("diff").arg(&a).arg(&b).assert().code(1);
}

#[test]
fn a_page_holds_both_pictures_and_names_stay_in_their_place() {
    let (one, other) = two();
    let page = one.out("diff.html");
    let mut command = relicast();
    command
        .arg("diff")
        .arg(one.input())
        .arg(other.input())
        .arg("--html")
        .arg(&page);
    command.arg("-q").assert().code(2);
    let html = fs::read_to_string(&page).unwrap();
    assert_eq!(
        html.matches("src=\"data:image/png;base64,").count(),
        2,
        "{html}"
    );
    assert!(
        html.contains("a&lt;b&gt;.zrd") && !html.contains("a<b>"),
        "{html}"
    );
    assert!(!html.contains("http"), "{html}");
}

#[test]
fn vertices_are_compared_in_order() {
    let scene = |name: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"uri":"{name}","byteLength":24}}],
            "bufferViews":[{{"buffer":0,"byteLength":24}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"type":"VEC3","count":2}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}]}}"#
        )
    };
    let positions = |x: f32| -> Vec<u8> {
        let all = [0.0, 0.0, 0.0, x, 4.0, 0.0];
        all.iter()
            .flat_map(|number: &f32| number.to_le_bytes())
            .collect()
    };
    let side = |x: f32| {
        move |path: &str| match path {
            "models/a.gltf" => Some(scene("a%20b.bin").into_bytes()),
            "models/a b.bin" => Some(positions(x)),
            _ => None,
        }
    };
    let (before, after) = (side(0.0), side(3.0));
    let (one, other) = (
        Contents::new("models/a.gltf", &before),
        Contents::new("models/a.gltf", &after),
    );
    let Change::Scene(change) = Change::between(&one, &other) else {
        panic!("no scene");
    };
    assert_eq!((change.vertices, change.vertices_before), (1, 2));
    assert_eq!(
        (change.largest, change.accessors, change.values.total),
        (3.0, 1, 0)
    );
}

#[test]
fn other_encodings_of_the_same_content_say_so() {
    let one = |_: &str| Some(br#"{"a":1}"#.to_vec());
    let other = |_: &str| Some(br#"{ "a": 1 }"#.to_vec());
    let change = Change::between(
        &Contents::new("x.json", &one),
        &Contents::new("x.json", &other),
    );
    assert!(
        matches!(
            change,
            Change::Bytes {
                same_content: true,
                ..
            }
        ),
        "{change}"
    );
    let change = Change::between(
        &Contents::new("x.png", &one),
        &Contents::new("x.png", &other),
    );
    assert!(
        matches!(
            change,
            Change::Bytes {
                same_content: false,
                first: 1,
                ..
            }
        ),
        "{change}"
    );
    let none = |_: &str| None;
    assert_eq!(
        Change::between(
            &Contents::new("x.png", &one),
            &Contents::new("x.png", &none)
        ),
        Change::Unread
    );
}

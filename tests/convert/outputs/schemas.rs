//! Documents and the schemas that they name.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use jsonschema::Validator;
use relicast::asset::Game;
use serde_json::{Value, json};

use crate::common::{self, files, relicast, sample_installs};

const SETTINGS: &str = "[documents]\nschemas = true\n[raw]\nenabled = true\n";

/// Converts the samples of `games`, each document with its schema.
fn converted(games: &[Game]) -> (tempfile::TempDir, tempfile::TempDir) {
    let installs = sample_installs(games);
    let out = tempfile::tempdir().unwrap();
    let settings = out.path().join("settings.toml");
    fs::write(&settings, SETTINGS).unwrap();
    let to = out.path().join("out");
    let mut convert = common::convert(installs.path(), &to, &["--quiet", "--config"]);
    convert.arg(&settings).assert().success();
    (installs, out)
}

#[test]
fn every_document_of_the_samples_is_what_its_schema_says() {
    let (_installs, out) = converted(&[Game::Rc, Game::Mw, Game::Pm, Game::Cs, Game::Eq]);
    let out = out.path().join("out");
    let manifest = common::json(&out.join("manifest.json"));
    let mut validators: BTreeMap<String, Validator> = BTreeMap::new();
    let mut lists = 0;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for output in manifest["outputs"].as_array().unwrap() {
        let path = output["path"].as_str().unwrap();
        if !path.ends_with(".json") || path.ends_with(".facts.json") && path.starts_with("video/") {
            continue;
        }
        let document = common::json(&out.join(path));
        let Some(place) = document.get("$schema").and_then(Value::as_str) else {
            // Only objects have a place for it.
            assert!(!document.is_object(), "{path} names no schema");
            let is_known = [
                "reader",
                "readers",
                "scripts",
                "lines",
                "raw-emitter-text",
                "library-materials",
            ]
            .iter()
            .any(|kind| {
                let schema = common::json(&out.join(format!("schemas/{kind}.schema.json")));
                jsonschema::is_valid(&schema, &document)
            });
            assert!(is_known, "{path} is of no kind");
            lists += 1;
            continue;
        };
        let file = out.join(path).parent().unwrap().join(place);
        let name = Path::new(place)
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let validator = validators.entry(name.clone()).or_insert_with(|| {
            let schema = common::json(&file);
            jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{name}: {error}"))
        });
        *counts.entry(name.clone()).or_default() += 1;
        if let Some(fault) = validator.iter_errors(&document).next() {
            let text: String = fault.to_string().chars().take(300).collect();
            wrong.push(format!(
                "{path} ({name}): at {}: {text}",
                fault.instance_path()
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of them:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(counts.len() > 35, "kinds that were seen: {counts:?}");
    let untyped = counts.get("values.schema.json").copied().unwrap_or(0);
    assert!(
        untyped < 25,
        "{untyped} documents have no form of their own: {counts:?}"
    );
    assert!(lists > 30, "{lists} lists");
}

#[test]
fn schemas_refuse_what_documents_never_hold() {
    let schema = |kind: &str| -> Value {
        let run = relicast().args(["schema", kind]).assert().success();
        serde_json::from_slice(&run.get_output().stdout).unwrap()
    };
    let motion = jsonschema::validator_for(&schema("motion")).unwrap();
    let good = json!({"$schema": "x", "loop_time": 1.0, "frame_count": 0, "parts": []});
    assert!(motion.is_valid(&good));
    for (key, value) in [
        ("loop_time", json!("soon")),
        ("frame_count", json!(-1)),
        ("parts", json!({})),
    ] {
        let mut bad = good.clone();
        bad[key] = value;
        assert!(!motion.is_valid(&bad), "{key}");
    }
    let mut lacking = good;
    lacking.as_object_mut().unwrap().remove("parts");
    assert!(!motion.is_valid(&lacking));

    let listed = relicast().arg("schema").assert().success();
    let listed = String::from_utf8(listed.get_output().stdout.clone()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    relicast()
        .args(["schema", "--to"])
        .arg(folder.path())
        .assert()
        .success();
    assert_eq!(files(folder.path()).len(), listed.lines().count());
    for line in listed.lines() {
        let kind = line.split_whitespace().next().unwrap();
        let stored = common::json(&folder.path().join(format!("{kind}.schema.json")));
        assert_eq!(stored["$id"], format!("urn:relicast:{kind}:1"));
        assert!(jsonschema::meta::is_valid(&stored), "{kind}");
    }
    let unknown = relicast().args(["schema", "motoin"]).assert().code(1);
    let said = String::from_utf8_lossy(&unknown.get_output().stderr).into_owned();
    assert!(said.contains("did you mean motion?"), "{said}");
}

#[test]
fn documents_that_name_their_schema_are_packed_like_others() {
    let (installs, out) = converted(&[Game::Mw]);
    let out = out.path().join("out");
    let to = tempfile::tempdir().unwrap();
    let pack = || {
        let mut pack = relicast();
        pack.arg("pack")
            .arg(&out)
            .arg("--from")
            .arg(installs.path());
        pack.arg("--to").arg(to.path().join("mod"));
        pack
    };
    pack().assert().success();
    assert!(!to.path().join("mod").exists(), "nothing was edited");

    let motion = files(&out).into_iter().find(|path| {
        path.starts_with("animations/")
            && path.contains("motion")
            && path.ends_with(".json")
            && common::json(&out.join(path)).get("loop_time").is_some()
    });
    let messages = files(&out).into_iter().find(|path| {
        let schema = path
            .ends_with(".json")
            .then(|| common::json(&out.join(path)));
        let schema = schema.and_then(|document| document.get("$schema").cloned());
        schema.is_some_and(|schema| schema.as_str().unwrap().ends_with("messages.schema.json"))
    });
    let edit = |path: &str, from: &str, to: &str| {
        let path = out.join(path);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{}: no {from}", path.display());
        let text = text.replacen(from, to, 1);
        fs::remove_file(&path).unwrap();
        fs::write(&path, text).unwrap();
    };
    let motion = motion.unwrap();
    let time = common::json(&out.join(&motion))["loop_time"].to_string();
    edit(
        &motion,
        &format!("\"loop_time\": {time}"),
        "\"loop_time\": 7.5",
    );
    let messages = messages.unwrap();
    let document = common::json(&out.join(&messages));
    let mut texts = document["entries"].as_array().unwrap().iter();
    let text = texts.find_map(|entry| {
        let text = entry["value"].as_str()?;
        (text.len() > 5 && text.is_ascii() && !text.contains(['"', '\\', '\n', '\r']))
            .then_some(text)
    });
    edit(
        &messages,
        &format!("\"{}\"", text.unwrap()),
        "\"edited beside a schema\"",
    );
    pack().assert().success();
    assert!(!files(&to.path().join("mod")).is_empty());
}

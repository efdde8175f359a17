//! Manifests that somebody changed.

use relicast_testing::test;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{convert, json, relicast};
use crate::install::{Install, contents, predicate};

fn outputs(manifest: &mut Value) -> &mut Vec<Value> {
    manifest["outputs"].as_array_mut().unwrap()
}

/// Changes the text of the manifest, and leaves its seal.
fn tamper(out: &Path, change: impl FnOnce(&mut Value)) {
    let path = out.join("manifest.json");
    let mut manifest = json(&path);
    change(&mut manifest);
    let mut text = serde_json::to_string_pretty(&manifest).unwrap();
    text.push('\n');
    fs::write(path, text).unwrap();
}

type Change = fn(&mut Value);

const CHANGES: [(&str, Change); 7] = [
    ("a false hash", |manifest| {
        outputs(manifest)[0]["blake3"] = "0".repeat(64).into();
    }),
    ("an output twice", |manifest| {
        let first = outputs(manifest)[0].clone();
        outputs(manifest).insert(0, first);
    }),
    ("an output less", |manifest| {
        outputs(manifest).remove(1);
    }),
    ("a false source", |manifest| {
        outputs(manifest)[0]["source"] = "no/such.zbd".into();
    }),
    ("a false key", |manifest| {
        outputs(manifest)[0]["key"] = "f".repeat(32).into();
    }),
    ("a false hash of a source", |manifest| {
        manifest["sources"][0]["blake3"] = "1".repeat(64).into();
    }),
    ("keys of two outputs exchanged", |manifest| {
        let outputs = outputs(manifest);
        let last = outputs.len() - 1;
        let [first, other] = [0, last].map(|at| outputs[at]["key"].clone());
        (outputs[0]["key"], outputs[last]["key"]) = (other, first);
    }),
];

#[test]
fn a_manifest_that_was_changed_is_noticed_and_made_anew() {
    let install = Install::new();
    let (out, fresh) = (install.out("out"), install.out("fresh"));
    convert(&install.input(), &fresh, &[]).assert().success();
    let expected = contents(&fresh);
    convert(&install.input(), &out, &[]).assert().success();
    for (what, change) in CHANGES {
        tamper(&out, change);
        relicast()
            .arg("verify")
            .arg(&out)
            .assert()
            .code(2)
            .stdout(predicate("manifest.json: changed since a run wrote it"));
        let run = convert(&install.input(), &out, &[]).assert().success();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(
            said.contains("manifest.json or report.json was edited"),
            "{what}: {said}"
        );
        assert!(contents(&out) == expected, "{what}");
        relicast().arg("verify").arg(&out).assert().success();
        let again = convert(&install.input(), &out, &[]).assert().success();
        again.stdout(predicate("nothing to do"));
    }
}

#[test]
fn outputs_that_are_listed_twice_are_counted_once_and_reported() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let count = outputs(&mut json(&out.join("manifest.json"))).len();
    tamper(&out, |manifest| {
        let first = outputs(manifest)[0].clone();
        outputs(manifest).insert(0, first);
    });
    let verified = relicast().arg("verify").arg(&out).assert().code(2);
    let said = String::from_utf8_lossy(&verified.get_output().stdout).into_owned();
    assert!(
        said.contains(": the manifest lists it more than once"),
        "{said}"
    );
    assert!(
        said.contains(&format!("{count} as written, 0 missing, 0 changed")),
        "{said}"
    );
}

/// A row that names a foreign file, with its right hash: no source makes it, but it must not be deleted.
#[test]
fn a_row_that_was_added_deletes_nothing() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    fs::write(out.join("mine.txt"), "mine").unwrap();
    tamper(&out, |manifest| {
        let mut row = outputs(manifest)[0].clone();
        row["path"] = "mine.txt".into();
        row["size"] = 4.into();
        row["blake3"] = blake3::hash(b"mine").to_hex().as_str().into();
        outputs(manifest).push(row);
    });
    convert(&install.input(), &out, &[]).assert().success();
    assert_eq!(fs::read(out.join("mine.txt")).unwrap(), b"mine");
}

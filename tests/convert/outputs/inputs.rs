//! Several inputs, one after the other, in one output folder.

use relicast_testing::test;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{convert, files, json, relicast};
use crate::install::{Install, contents, predicate, sounds, textures, with_status};

/// Two installs in one folder, with some names in common and some not.
pub struct Two {
    pub install: Install,
}

impl Two {
    pub fn new() -> Self {
        let install = Install::new();
        let two = Self { install };
        two.write("zbd/soundsh.zbd", &sounds(7));
        two.write("zbd/rimage.zbd", &textures());
        two
    }

    pub fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.second().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn first(&self) -> PathBuf {
        self.install.input()
    }

    pub fn second(&self) -> PathBuf {
        self.install.folder.path().join("second")
    }
}

/// The outputs of a folder without its documents.
pub fn outputs(out: &Path) -> Vec<(String, Vec<u8>)> {
    let mut outputs = contents(out);
    outputs.retain(|(path, _)| path != "manifest.json");
    outputs
}

fn verified(out: &Path) {
    relicast().arg("verify").arg(out).assert().success();
}

#[test]
fn a_second_input_leaves_the_first_alone() {
    let two = Two::new();
    let out = two.install.out("out");
    convert(&two.first(), &out, &[]).assert().success();
    let alone = outputs(&out);
    convert(&two.second(), &out, &[]).assert().success();
    let both = outputs(&out);
    assert!(alone.iter().all(|output| both.contains(output)));
    let fresh = two.install.out("fresh");
    convert(&two.second(), &fresh, &[]).assert().success();
    assert_eq!(both.len(), alone.len() + outputs(&fresh).len());
    let manifest = json(&out.join("manifest.json"));
    assert_eq!(manifest["inputs"].as_array().unwrap().len(), 2);
    assert_eq!(manifest["outputs"].as_array().unwrap().len(), both.len());
    verified(&out);
    // Each again, in both orders: nothing moves.
    let whole = contents(&out);
    for input in [two.second(), two.first(), two.first(), two.second()] {
        convert(&input, &out, &[])
            .assert()
            .success()
            .stdout(predicate("nothing to do"));
        assert_eq!(contents(&out), whole);
    }
    for input in [two.first(), two.second()] {
        convert(&input, &out, &["--force"]).assert().success();
        assert_eq!(contents(&out), whole);
    }
}

#[test]
fn inputs_without_paths_in_common_keep_the_paths_they_have_alone() {
    let two = Two::new();
    fs::remove_file(two.second().join("zbd/soundsh.zbd")).unwrap();
    let (out, fresh) = (two.install.out("out"), two.install.out("fresh"));
    convert(&two.first(), &out, &[]).assert().success();
    convert(&two.second(), &out, &[]).assert().success();
    convert(&two.second(), &fresh, &[]).assert().success();
    let both = outputs(&out);
    assert!(outputs(&fresh).iter().all(|output| both.contains(output)));
}

#[test]
fn stale_outputs_go_with_their_own_input_only_and_are_counted() {
    let two = Two::new();
    let out = two.install.out("out");
    convert(&two.first(), &out, &[]).assert().success();
    convert(&two.second(), &out, &[]).assert().success();
    fs::remove_file(two.first().join("ZBD/C1/rtexture.zbd")).unwrap();
    fs::remove_file(two.second().join("zbd/rimage.zbd")).unwrap();
    let before = files(&out);
    convert(&two.second(), &out, &["--keep"])
        .assert()
        .success()
        .stdout(predicate("3 outputs of an earlier run preserved"));
    assert_eq!(files(&out), before);
    verified(&out);
    convert(&two.second(), &out, &[])
        .assert()
        .success()
        .stdout(predicate("3 stale outputs deleted"));
    assert!(out.join("textures/zbd/c1/rtexture/leaf.png").exists());
    assert_eq!(files(&out).len(), before.len() - 3);
    convert(&two.first(), &out, &[]).assert().success();
    assert!(!out.join("textures/zbd/c1").exists());
    verified(&out);
}

#[test]
fn inputs_given_together_live_with_each_of_them_alone() {
    let two = Two::new();
    let out = two.install.out("out");
    let together = || {
        let mut command = relicast();
        command.arg("convert").args([two.first(), two.second()]);
        command.arg("--out").arg(&out).assert().success()
    };
    together();
    let whole = contents(&out);
    convert(&two.first(), &out, &[]).assert().success();
    assert_eq!(outputs(&out), {
        let mut whole = whole.clone();
        whole.retain(|(path, _)| path != "manifest.json");
        whole
    });
    assert!(with_status(&out, "converted").is_empty());
    two.write("zbd/more.zbd", &sounds(9));
    together();
    assert!(out.join("sounds/second/zbd/more/beep.wav").exists());
    assert!(whole.iter().all(|(path, _)| out.join(path).exists()));
    verified(&out);
}

#[test]
fn a_moved_input_is_known_again() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let before = contents(&out);
    let moved = install.out("elsewhere");
    fs::rename(install.input(), &moved).unwrap();
    fs::remove_file(moved.join("ZBD/C1/rtexture.zbd")).unwrap();
    convert(&moved, &out, &[]).assert().success();
    assert_eq!(contents(&out).len(), before.len() - 3);
    let manifest = json(&out.join("manifest.json"));
    assert_eq!(manifest["inputs"].as_array().unwrap().len(), 1);
}

#[cfg(unix)]
#[test]
fn what_could_not_be_looked_for_is_not_deleted() {
    use std::os::unix::fs::PermissionsExt;

    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let whole = outputs(&out);
    let folder = install.input().join("ZBD/C1");
    let hidden = install.out("hidden");
    // A folder that cannot be entered; for root, who enters all, a link in a circle.
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o0)).unwrap();
    let is_closed = fs::read_dir(&folder).is_err();
    if !is_closed {
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(&folder, &hidden).unwrap();
        std::os::unix::fs::symlink("C1", &folder).unwrap();
    }
    convert(&install.input(), &out, &[]).assert().code(2);
    if is_closed {
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    } else {
        fs::remove_file(&folder).unwrap();
        fs::rename(&hidden, &folder).unwrap();
    }
    assert_eq!(outputs(&out), whole);
    verified(&out);
    convert(&install.input(), &out, &[]).assert().success();
    assert_eq!(outputs(&out), whole);
}

#[test]
fn an_input_that_is_suddenly_empty_loses_nothing() {
    let two = Two::new();
    let out = two.install.out("out");
    let together = || {
        let mut command = relicast();
        command.arg("convert").args([two.first(), two.second()]);
        command.arg("--out").arg(&out).assert()
    };
    together().success();
    let whole = outputs(&out);
    let away = two.install.out("away");
    fs::rename(two.second(), &away).unwrap();
    fs::create_dir(two.second()).unwrap();
    together().success();
    assert_eq!(outputs(&out), whole);
    verified(&out);
}

#[test]
fn a_manifest_of_version_0_1_is_migrated() {
    let install = Install::new();
    let (out, fresh) = (install.out("out"), install.out("fresh"));
    convert(&install.input(), &out, &[]).assert().success();
    for name in ["manifest.json", "report.json"] {
        let mut document = json(&out.join(name));
        let fields = document.as_object_mut().unwrap();
        fields.remove("inputs");
        fields.insert("converter".to_owned(), "0.1.0".into());
        fs::write(out.join(name), document.to_string()).unwrap();
    }
    // What that version left of a source that is gone belongs to the same input.
    fs::remove_file(install.input().join("ZBD/C1/rtexture.zbd")).unwrap();
    convert(&install.input(), &out, &[]).assert().success();
    convert(&install.input(), &fresh, &[]).assert().success();
    assert_eq!(contents(&out), contents(&fresh));
    assert_eq!(
        json(&out.join("report.json"))["edited"],
        serde_json::Value::Null
    );
}

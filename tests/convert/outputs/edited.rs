//! Files that a person changed or added in the output folder.

use relicast_testing::test;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::common::{convert, json};
use crate::install::{Install, contents, predicate};

const SIGN: &str = "textures/zbd/c1/rtexture/sign.png";
const LEAF: &str = "textures/zbd/c1/rtexture/leaf.png";

/// Changes a file after the last run, for any resolution of the file system's clock.
pub fn edit(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
    let file = fs::File::options().append(true).open(path).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(5))
        .unwrap();
}

#[test]
fn an_edited_output_is_moved_aside_and_reported() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let before = contents(&out);
    edit(&out.join(SIGN), b"mine");
    convert(&install.input(), &out, &[])
        .assert()
        .success()
        .stdout(predicate("1 changed file moved aside"));
    let aside = out.join(format!("{SIGN}.edited-1"));
    assert_eq!(fs::read(&aside).unwrap(), b"mine");
    let report = json(&out.join("report.json"));
    assert_eq!(report["edited"][0]["path"], SIGN);
    assert_eq!(report["edited"][0]["moved_to"], format!("{SIGN}.edited-1"));
    edit(&out.join(SIGN), b"mine again");
    convert(&install.input(), &out, &[]).assert().success();
    let second = out.join(format!("{SIGN}.edited-2"));
    assert_eq!(fs::read(&second).unwrap(), b"mine again");
    fs::remove_file(aside).unwrap();
    fs::remove_file(second).unwrap();
    assert_eq!(contents(&out), before);
}

#[test]
fn force_overwrites_edited_outputs() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let before = contents(&out);
    edit(&out.join(SIGN), b"mine");
    convert(&install.input(), &out, &["--force"])
        .assert()
        .success();
    assert_eq!(contents(&out), before);
}

#[test]
fn an_edited_output_that_nothing_makes_any_more_stays() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    edit(&out.join(SIGN), b"mine");
    fs::remove_file(install.input().join("ZBD/C1/rtexture.zbd")).unwrap();
    convert(&install.input(), &out, &["--force"])
        .assert()
        .success()
        .stdout(predicate("1 edited stale output preserved"));
    assert_eq!(fs::read(out.join(SIGN)).unwrap(), b"mine");
    assert!(!out.join(LEAF).exists());
}

#[test]
fn a_file_that_no_run_wrote_is_never_overwritten() {
    let install = Install::new();
    let out = install.out("out");
    for (path, bytes) in [
        (SIGN, "my sign"),
        ("manifest.json", "{\"name\": \"my app\"}"),
        ("report.json", "my report"),
    ] {
        let place = out.join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, bytes).unwrap();
    }
    convert(&install.input(), &out, &[]).assert().success();
    let kept = |path: &str| fs::read_to_string(out.join(format!("{path}.edited-1"))).unwrap();
    assert_eq!(kept(SIGN), "my sign");
    assert_eq!(kept("manifest.json"), "{\"name\": \"my app\"}");
    assert_eq!(kept("report.json"), "my report");
    assert_eq!(json(&out.join("manifest.json"))["complete"], true);
    let report = json(&out.join("report.json"));
    assert_eq!(report["edited"].as_array().unwrap().len(), 3);
}

#[test]
fn an_edit_of_equal_size_and_time_is_found_by_hash() {
    let install = Install::new();
    let out = install.out("out");
    let config = install.out("pipeline.toml");
    fs::write(&config, "[run]\nunchanged = \"hash\"\n").unwrap();
    let arguments = ["--config", config.to_str().unwrap()];
    convert(&install.input(), &out, &arguments)
        .assert()
        .success();
    let time = fs::metadata(out.join(SIGN)).unwrap().modified().unwrap();
    let written = fs::read(out.join(SIGN)).unwrap();
    let mut bytes = written.clone();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(out.join(SIGN), &bytes).unwrap();
    let file = fs::File::options()
        .append(true)
        .open(out.join(SIGN))
        .unwrap();
    file.set_modified(time).unwrap();
    drop(file);
    convert(&install.input(), &out, &arguments)
        .assert()
        .success();
    assert_eq!(fs::read(out.join(SIGN)).unwrap(), written);
    assert_eq!(
        fs::read(out.join(format!("{SIGN}.edited-1"))).unwrap(),
        bytes
    );
}

#[test]
fn an_edit_before_the_run_of_another_input_is_found_after_it() {
    let install = Install::new();
    let other = install.out("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("more.zbd"), crate::install::sounds(5)).unwrap();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    std::thread::sleep(Duration::from_millis(30));
    let mut bytes = fs::read(out.join(SIGN)).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(out.join(SIGN), &bytes).unwrap();
    std::thread::sleep(Duration::from_millis(30));
    convert(&other, &out, &[]).assert().success();
    convert(&install.input(), &out, &[]).assert().success();
    assert_eq!(
        fs::read(out.join(format!("{SIGN}.edited-1"))).unwrap(),
        bytes
    );
}

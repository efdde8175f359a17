//! Outputs that a second run makes again.

use relicast_testing::test;
use std::fs;
use std::time::{Duration, SystemTime};

use crate::common::{convert, files, json};
use crate::install::{Install, contents, predicate, sounds, statuses, with_status};

#[test]
fn a_second_run_converts_nothing_and_says_so() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let before = contents(&out);
    let report = fs::read(out.join("report.json")).unwrap();
    let second = convert(&install.input(), &out, &[]).assert().success();
    let said = String::from_utf8_lossy(&second.get_output().stdout).into_owned();
    assert!(said.contains("nothing to do"), "{said}");
    assert_eq!(contents(&out), before);
    assert_eq!(fs::read(out.join("report.json")).unwrap(), report);
}

#[test]
fn a_changed_source_redoes_exactly_its_own_outputs() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    install.write("ZBD/soundsH.zbd", &sounds(9));
    convert(&install.input(), &out, &[]).assert().success();
    let redone: Vec<String> = statuses(&out)
        .into_iter()
        .filter(|(_, status)| status == "converted" || status == "copied")
        .map(|(name, _)| name)
        .collect();
    assert_eq!(redone.len(), 5, "{redone:?}");
    assert!(
        redone
            .iter()
            .all(|name| name.starts_with("ZBD/soundsH.zbd:"))
    );
    assert!(with_status(&out, "unchanged").contains(&"ZBD/interp.zbd:".to_owned()));
}

#[test]
fn a_touched_source_with_the_same_bytes_is_not_redone() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let file = fs::File::options()
        .append(true)
        .open(install.input().join("ZBD/interp.zbd"))
        .unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(60))
        .unwrap();
    convert(&install.input(), &out, &[]).assert().success();
    assert!(with_status(&out, "converted").is_empty());
    convert(&install.input(), &out, &[])
        .assert()
        .success()
        .stdout(predicate("nothing to do"));
}

#[test]
fn a_changed_setting_redoes_exactly_what_it_touches() {
    let install = Install::new();
    let out = install.out("out");
    let config = install.out("pipeline.toml");
    convert(&install.input(), &out, &[]).assert().success();
    fs::write(&config, "[textures]\npalette = \"expand\"\n").unwrap();
    let arguments = ["--config", config.to_str().unwrap()];
    convert(&install.input(), &out, &arguments)
        .assert()
        .success();
    let redone = with_status(&out, "converted");
    assert_eq!(
        redone,
        ["ZBD/C1/rtexture.zbd:leaf", "ZBD/C1/rtexture.zbd:sign"]
    );
    assert!(with_status(&out, "copied").is_empty());
}

#[test]
fn lost_and_altered_outputs_are_made_again() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let before = contents(&out);
    fs::remove_file(out.join("textures/zbd/c1/rtexture/leaf.png")).unwrap();
    let altered = out.join("sounds/zbd/soundsh/beep.wav");
    let mut bytes = fs::read(&altered).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    // Later than the manifest, for any resolution of the file system's clock.
    fs::write(&altered, &bytes).unwrap();
    let file = fs::File::options().append(true).open(&altered).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(5))
        .unwrap();
    convert(&install.input(), &out, &[]).assert().success();
    let kept = out.join("sounds/zbd/soundsh/beep.wav.edited-1");
    assert_eq!(fs::read(&kept).unwrap(), bytes);
    fs::remove_file(kept).unwrap();
    assert_eq!(contents(&out), before);
    assert_eq!(with_status(&out, "converted"), ["ZBD/C1/rtexture.zbd:leaf"]);
    assert_eq!(with_status(&out, "copied"), ["ZBD/soundsH.zbd:beep.wav"]);
}

#[test]
fn outputs_of_a_source_that_is_gone_are_deleted() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    fs::write(out.join("mine.txt"), "not an output").unwrap();
    fs::remove_file(install.input().join("ZBD/C1/rtexture.zbd")).unwrap();
    convert(&install.input(), &out, &[]).assert().success();
    assert!(!out.join("textures").exists());
    assert!(out.join("mine.txt").exists());
    let report = json(&out.join("report.json"));
    assert_eq!(report["removed"].as_array().unwrap().len(), 3);
}

#[test]
fn a_partial_run_keeps_the_rest() {
    let install = Install::new();
    let out = install.out("out");
    let only = ["--only", "**/interp.zbd"];
    convert(&install.input(), &out, &only).assert().success();
    assert_eq!(
        files(&out),
        ["config/zbd/interp.json", "manifest.json", "report.json"]
    );
    convert(&install.input(), &out, &[]).assert().success();
    assert_eq!(with_status(&out, "unchanged"), ["ZBD/interp.zbd:"]);
    let whole = contents(&out);
    convert(&install.input(), &out, &["--only", "*.txt"])
        .assert()
        .success();
    assert_eq!(contents(&out), whole);
    convert(&install.input(), &out, &[]).assert().success();
    assert!(with_status(&out, "converted").is_empty());
    assert!(with_status(&out, "copied").is_empty());
}

#[test]
fn force_redoes_everything() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    convert(&install.input(), &out, &["--force"])
        .assert()
        .success();
    assert!(with_status(&out, "unchanged").is_empty());
}

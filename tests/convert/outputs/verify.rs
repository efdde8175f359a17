//! `verify` against the manifest, and what it calls changed.

use relicast_testing::test;
use std::fs;

use crate::common::{convert, relicast};
use crate::install::Install;

#[test]
fn every_output_is_checked_against_the_manifest() {
    let install = Install::new();
    let out = install.out("out");
    let check = || relicast().arg("verify").arg(&out).assert();
    check().code(1);
    convert(&install.input(), &out, &[]).assert().success();
    check().success();
    fs::write(out.join("mine.txt"), "mine").unwrap();
    let said = check().success();
    let said = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
    assert!(said.contains("extra      mine.txt"), "{said}");
    fs::write(out.join("config/zbd/interp.json"), "{}").unwrap();
    let sound = out.join("sounds/zbd/soundsh/beep.wav");
    let mut bytes = fs::read(&sound).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&sound, bytes).unwrap();
    fs::remove_file(out.join("textures/zbd/c1/rtexture/leaf.png")).unwrap();
    let said = check().code(2);
    let said = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
    for line in [
        "missing    textures/zbd/c1/rtexture/leaf.png",
        "changed    config/zbd/interp.json: 2 bytes,",
        "changed    sounds/zbd/soundsh/beep.wav: its content changed",
        "1 missing, 2 changed, 1 extra",
    ] {
        assert!(said.contains(line), "{line}\nnot in\n{said}");
    }
    relicast()
        .arg("verify")
        .arg(&out)
        .arg("--bless")
        .assert()
        .code(1);
}

#[test]
fn a_changed_buffer_or_flac_is_not_called_the_same() {
    let install = Install::new();
    let config = install.out("pipeline.toml");
    fs::write(&config, "[sounds]\nformat = \"flac\"\n").unwrap();
    let out = install.out("out");
    convert(
        &install.input(),
        &out,
        &["--config", config.to_str().unwrap()],
    )
    .assert()
    .success();
    fs::write(out.join("scene.bin"), [1, 2, 3]).unwrap();
    let golden = install.out("golden.json");
    let verify = |more: &[&str]| {
        let mut command = relicast();
        command.arg("verify").arg(&out).arg("--golden").arg(&golden);
        command.args(more).assert()
    };
    verify(&["--bless"]).success();
    fs::write(out.join("scene.bin"), [1, 2, 4]).unwrap();
    let sound = out.join("sounds/zbd/soundsh/beep.flac");
    let mut bytes = fs::read(&sound).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&sound, bytes).unwrap();
    let said = verify(&[]).code(2);
    let said = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
    assert!(said.contains("different  scene.bin: content"), "{said}");
    assert!(said.contains("beep.flac: frames"), "{said}");
    assert!(!said.contains("the content is the same"), "{said}");
}

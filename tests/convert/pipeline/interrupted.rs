//! Runs that were killed or stopped.

use relicast_testing::test;
use std::fs;
use std::time::Duration;

use crate::common::{convert, json};
use crate::install::{Install, contents, textures, with_status};
use serde_json::Value as Json;

#[test]
fn a_killed_run_goes_on_from_its_journal() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let whole = contents(&out);
    // What a killed process leaves: outputs and journal, neither manifest nor report.
    let manifest = json(&out.join("manifest.json"));
    let finished: Vec<&Json> = manifest["outputs"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|output| output["path"].as_str().unwrap().ends_with("leaf.png"))
        .collect();
    let line = serde_json::json!({
        "key": finished[0]["key"],
        "outputs": finished,
        "report": {"member": "leaf", "asset": "textures", "status": "converted",
                   "outputs": [finished[0]["path"]]},
    });
    fs::create_dir_all(out.join(".relicast")).unwrap();
    let journal = format!("{line}\n{{\"key\": \"cut sh");
    fs::write(out.join(".relicast/journal.jsonl"), journal).unwrap();
    fs::remove_file(out.join("manifest.json")).unwrap();
    fs::remove_file(out.join("report.json")).unwrap();
    let half = out.join("textures/zbd/c1/rtexture/.0123456789abcdef.relicast-part");
    fs::write(half, "half").unwrap();
    convert(&install.input(), &out, &[]).assert().success();
    assert_eq!(with_status(&out, "unchanged"), ["ZBD/C1/rtexture.zbd:leaf"]);
    assert!(!out.join(".relicast").exists());
    assert_eq!(contents(&out), whole);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_with_130_and_can_go_on() {
    use std::process::{Command, Stdio};

    let install = Install::new();
    for number in 0..400 {
        install.write(&format!("ZBD/more/rtexture{number}.zbd"), &textures());
    }
    let out = install.out("out");
    let program = assert_cmd::cargo::cargo_bin!("relicast");
    let mut child = Command::new(program)
        .arg("convert")
        .arg(install.input())
        .args(["-q", "--jobs", "1", "--out"])
        .arg(&out)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !out.join(".relicast").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    let status = child.wait().unwrap();
    assert!(
        matches!(status.code(), Some(0 | 130)),
        "a run that was over before the signal ends with 0: {status}"
    );
    let manifest = json(&out.join("manifest.json"));
    assert_eq!(manifest["complete"], status.code() == Some(0));
    for output in manifest["outputs"].as_array().unwrap() {
        let bytes = fs::read(out.join(output["path"].as_str().unwrap())).unwrap();
        assert_eq!(output["blake3"], blake3::hash(&bytes).to_hex().as_str());
    }
    let done = manifest["outputs"].as_array().unwrap().len();
    convert(&install.input(), &out, &["-q"]).assert().success();
    let fresh = install.out("fresh");
    convert(&install.input(), &fresh, &["-q"])
        .assert()
        .success();
    assert_eq!(contents(&out), contents(&fresh));
    if status.code() == Some(130) {
        let reused = with_status(&out, "unchanged").len();
        assert_eq!(reused, done, "what was finished is not done again");
    }
}

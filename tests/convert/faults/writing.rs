//! Outputs that cannot be written, or must not be.

use relicast_testing::test;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::common::{convert, files, json};
use crate::install::{Install, contents, riff_of_nothing, with_status};

/// Reasons of all failed items.
fn failures(out: &Path) -> Vec<String> {
    let report = json(&out.join("report.json"));
    let sources = report["sources"].as_array().unwrap().clone();
    let parts = sources
        .iter()
        .flat_map(|source| source["parts"].as_array().cloned().unwrap_or_default());
    parts
        .filter(|part| part["status"] == "failed")
        .map(|part| part["reason"]["text"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_linked_folder_is_neither_written_through_nor_replaced() {
    let install = Install::new();
    let out = install.out("out");
    let elsewhere = install.out("elsewhere");
    fs::create_dir_all(elsewhere.join("zbd/c1")).unwrap();
    fs::create_dir(&out).unwrap();
    symlink(&elsewhere, out.join("textures")).unwrap();
    convert(&install.input(), &out, &[]).assert().code(2);
    assert_eq!(files(&elsewhere), [""; 0]);
    assert!(
        fs::symlink_metadata(out.join("textures"))
            .unwrap()
            .is_symlink()
    );
    let failed = failures(&out);
    assert_eq!(failed.len(), 3, "{failed:?}");
    for reason in &failed {
        assert!(reason.contains("textures is a link"), "{reason}");
    }
    assert!(out.join("sounds/zbd/soundsh/beep.wav").is_file());
}

#[test]
fn a_planted_link_with_the_name_of_an_output_on_its_way_is_harmless() {
    let install = Install::new();
    let fresh = install.out("fresh");
    convert(&install.input(), &fresh, &[]).assert().success();
    let out = install.out("out");
    let victim = install.out("victim");
    fs::write(&victim, "mine").unwrap();
    for path in files(&fresh) {
        let planted = out.join(format!("{path}.relicast-part"));
        fs::create_dir_all(planted.parent().unwrap()).unwrap();
        symlink(&victim, planted).unwrap();
    }
    // Output and link of the same name: the link goes, what it leads to stays.
    symlink(&victim, out.join("manifest.json")).unwrap();
    convert(&install.input(), &out, &["--force"])
        .output()
        .unwrap();
    assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
}

#[test]
fn a_linked_journal_is_not_written_to() {
    let install = Install::new();
    let victim = install.out("victim");
    fs::create_dir(&victim).unwrap();
    fs::write(victim.join("journal.jsonl"), "mine").unwrap();
    let links = [
        (victim.clone(), ".relicast"),
        (victim.join("journal.jsonl"), ".relicast/journal.jsonl"),
    ];
    for (number, (target, name)) in links.into_iter().enumerate() {
        let out = install.out(&format!("out{number}"));
        fs::create_dir_all(out.join(name).parent().unwrap()).unwrap();
        symlink(target, out.join(name)).unwrap();
        convert(&install.input(), &out, &[]).assert().code(1);
        assert_eq!(files(&victim), ["journal.jsonl"]);
        let text = fs::read_to_string(victim.join("journal.jsonl")).unwrap();
        assert_eq!(text, "mine");
    }
}

/// The target of a link has the name of an output, and is not moved out of its way.
#[test]
fn what_is_behind_a_link_stays_where_it_is() {
    let install = Install::new();
    let out = install.out("out");
    let elsewhere = install.out("elsewhere");
    fs::create_dir_all(elsewhere.join("zbd/c1/rtexture")).unwrap();
    fs::write(elsewhere.join("zbd/c1/rtexture/leaf.png"), "mine").unwrap();
    fs::create_dir(&out).unwrap();
    symlink(&elsewhere, out.join("textures")).unwrap();
    for force in [&[][..], &["--force"]] {
        convert(&install.input(), &out, force).assert().code(2);
        assert_eq!(files(&elsewhere), ["zbd/c1/rtexture/leaf.png"]);
        let text = fs::read_to_string(elsewhere.join("zbd/c1/rtexture/leaf.png"));
        assert_eq!(text.unwrap(), "mine");
    }
}

#[test]
fn leftovers_behind_links_are_not_ours_to_delete() {
    let install = Install::new();
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let elsewhere = install.out("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let left = format!(".{}.relicast-part", "0a".repeat(8));
    fs::write(elsewhere.join(&left), "theirs").unwrap();
    symlink(&elsewhere, out.join("linked")).unwrap();
    fs::write(out.join("sounds").join(&left), "ours").unwrap();
    fs::write(out.join("sounds/notes.relicast-part"), "a person's").unwrap();
    fs::create_dir(out.join(".relicast")).unwrap();
    fs::write(out.join(".relicast/journal.jsonl"), "").unwrap();
    convert(&install.input(), &out, &["--force"])
        .assert()
        .success();
    assert!(elsewhere.join(&left).is_file());
    assert!(!out.join("sounds").join(&left).exists());
    assert!(out.join("sounds/notes.relicast-part").is_file());
}

#[test]
fn a_folder_that_cannot_be_made_fails_its_files_only() {
    let install = Install::new();
    let out = install.out("out");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("textures"), "a person's").unwrap();
    convert(&install.input(), &out, &[]).assert().code(2);
    let failed = failures(&out);
    assert_eq!(failed.len(), 3, "{failed:?}");
    assert!(
        failed
            .iter()
            .all(|it| it.contains("textures is not a folder"))
    );
    assert_eq!(
        fs::read_to_string(out.join("textures")).unwrap(),
        "a person's"
    );
    assert!(out.join("sounds/zbd/soundsh/beep.wav").is_file());
    // A folder is in the place of an output: that output fails, and leaves nothing.
    fs::remove_file(out.join("textures")).unwrap();
    fs::create_dir_all(out.join("textures/zbd/c1/rtexture/leaf.png/x")).unwrap();
    convert(&install.input(), &out, &[]).assert().code(2);
    assert_eq!(failures(&out).len(), 1);
    assert!(out.join("textures/zbd/c1/rtexture/sign.png").is_file());
    assert!(
        !files(&out)
            .iter()
            .any(|path| path.ends_with("relicast-part"))
    );
}

/// A sound with a chunk of 2 MiB more than a player needs.
pub fn large_wave() -> Vec<u8> {
    let mut wave = riff_of_nothing();
    wave.extend_from_slice(b"junk\x00\x00\x20\x00");
    wave.resize(wave.len() + (2 << 20), 0);
    let size = u32::try_from(wave.len() - 8).unwrap();
    wave[4..8].copy_from_slice(&size.to_le_bytes());
    wave
}

/// A limit on the size of files acts as a full disk: writing fails in the middle of a file.
#[test]
fn a_full_disk_leaves_no_half_file_and_no_leftover() {
    let install = Install::new();
    install.write("big.wav", &large_wave());
    let out = install.out("out");
    let program = assert_cmd::cargo::cargo_bin!("relicast");
    let status = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 1024; exec \"$@\"", "sh"])
        .arg(program)
        .arg("convert")
        .arg(install.input())
        .arg("--out")
        .arg(&out)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
    let failed = failures(&out);
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0].contains("sounds/big.wav"), "{failed:?}");
    assert_eq!(with_status(&out, "failed").len(), 1);
    assert!(
        !files(&out)
            .iter()
            .any(|path| path.ends_with("relicast-part"))
    );
    assert!(!out.join("sounds/big.wav").exists());
    // There is room again.
    convert(&install.input(), &out, &[]).assert().success();
    let fresh = install.out("fresh");
    convert(&install.input(), &fresh, &[]).assert().success();
    assert_eq!(contents(&out), contents(&fresh));
}

#[test]
fn every_policy_of_syncing_gives_the_same_outputs() {
    let install = Install::new();
    let mut all = Vec::new();
    for policy in ["none", "manifest", "all"] {
        let config = install.out("sync.toml");
        fs::write(&config, format!("[run]\nsync = \"{policy}\"\n")).unwrap();
        let out = install.out(policy);
        convert(
            &install.input(),
            &out,
            &["--config", config.to_str().unwrap()],
        )
        .assert()
        .success();
        all.push(contents(&out));
    }
    assert!(all[0] == all[1] && all[1] == all[2]);
}

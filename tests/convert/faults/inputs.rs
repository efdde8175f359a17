//! Inputs that are no files, are empty, or have names that some system treats as equal.

use relicast_testing::{skip, test};
use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use crate::common::{convert, files, json};
use crate::install::{Install, predicate, riff_of_nothing, textures};

fn source(out: &Path, path: &str) -> Value {
    let report = json(&out.join("report.json"));
    let sources = report["sources"].as_array().unwrap();
    let found = sources.iter().find(|source| source["path"] == path);
    found
        .unwrap_or_else(|| panic!("{path} is not reported"))
        .clone()
}

#[test]
fn an_empty_container_is_a_copy_that_failed() {
    let install = Install::new();
    let lost = [
        "ZBD/gamez.zbd",
        "gfaydark.s3d",
        "Mech3Msg.dll",
        "ZBD/anim.zbd",
        "a.wav",
    ];
    for path in lost {
        install.write(path, b"");
    }
    install.write("notes.txt", b"");
    install.write("zone_sndbnk.eff", b"");
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().code(2);
    for path in lost {
        let source = source(&out, path);
        assert_eq!(source["status"], "failed", "{path}");
        let reason = source["reason"]["text"].as_str().unwrap();
        assert!(reason.contains("empty file"), "{path}: {reason}");
        assert!(reason.contains("probably incomplete"), "{path}: {reason}");
    }
    for path in ["notes.txt", "zone_sndbnk.eff"] {
        let source = source(&out, path);
        assert_eq!(source["status"], "skipped", "{path}");
        assert_eq!(source["reason"]["code"], "empty", "{path}");
        assert_eq!(source["reason"]["text"], "the file is empty", "{path}");
    }
    // An install of nothing else is one, too.
    let alone = tempfile::tempdir().unwrap();
    fs::write(alone.path().join("gamez.zbd"), "").unwrap();
    convert(alone.path(), &install.out("alone"), &[])
        .assert()
        .code(2);
}

#[test]
fn bytes_behind_a_texture_package_are_reported() {
    let install = Install::new();
    let whole = textures();
    let mut more = whole.clone();
    more.extend_from_slice(b"abc");
    install.write("ZBD/C2/rtexture.zbd", &more);
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let reported = source(&out, "ZBD/C2/rtexture.zbd")["deviations"].to_string();
    assert!(
        reported.contains("trailing") && reported.contains("3 more bytes"),
        "{reported}"
    );
    assert!(
        reported.contains(&format!("{:#x}", whole.len()))
            || reported.contains(&whole.len().to_string())
    );
    let clean = source(&out, "ZBD/C1/rtexture.zbd")["deviations"].to_string();
    assert!(!clean.contains("trailing"), "{clean}");
    let strict = install.out("strict");
    convert(&install.input(), &strict, &["--strict"])
        .assert()
        .code(2);
}

#[test]
fn names_that_differ_only_by_normal_form_get_outputs_of_their_own() {
    use unicode_normalization::UnicodeNormalization;

    let install = Install::new();
    for name in ["caf\u{e9}.wav", "cafe\u{301}.wav"] {
        install.write(name, &riff_of_nothing());
    }
    if fs::read_dir(install.input()).unwrap().count() != 5 {
        skip("the file system takes both names for the same");
    }
    let out = install.out("out");
    convert(&install.input(), &out, &[]).assert().success();
    let sounds = files(&out.join("sounds"));
    let mut same: Vec<String> = sounds.iter().map(|path| path.nfc().collect()).collect();
    same.retain(|path| path.starts_with("caf"));
    same.sort();
    same.dedup();
    assert_eq!(same.len(), 2, "{sounds:?}");
}

#[test]
fn jobs_are_capped() {
    let install = Install::new();
    convert(
        &install.input(),
        &install.out("out"),
        &["--jobs", "1000000"],
    )
    .timeout(Duration::from_secs(120))
    .assert()
    .success()
    .stderr(predicate("too many for"));
}

#[cfg(unix)]
mod special {
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    use relicast_testing::test;

    use super::*;
    use crate::common::relicast;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn pipe(path: &Path) {
        let made = Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    }

    #[test]
    fn pipes_sockets_and_devices_are_skipped_by_name() {
        let install = Install::new();
        pipe(&install.input().join("pipe.zbd"));
        let _socket = UnixListener::bind(install.input().join("socket.wav")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", install.input().join("zero.zbd")).unwrap();
        let out = install.out("out");
        let mut run = convert(&install.input(), &out, &[]);
        run.timeout(PATIENCE).assert().success();
        for (path, what) in [
            ("pipe.zbd", "a named pipe, not a file"),
            ("socket.wav", "a socket, not a file"),
            ("zero.zbd", "a device, not a file"),
        ] {
            let source = source(&out, path);
            assert_eq!(source["status"], "skipped", "{path}");
            assert_eq!(source["reason"]["code"], "not_a_file");
            assert_eq!(source["reason"]["text"], what);
        }
    }

    #[test]
    fn a_pipe_as_input_keeps_no_one_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let (path, out) = (folder.path().join("a.zbd"), folder.path().join("out"));
        pipe(&path);
        convert(&path, &out, &[]).timeout(PATIENCE).assert().code(1);
        for command in ["inspect", "prove"] {
            let mut run = relicast();
            let status = run.arg(command).arg(&path).timeout(PATIENCE).output();
            assert!(status.unwrap().status.code().is_some_and(|code| code != 0));
        }
    }

    #[test]
    fn a_golden_file_is_a_file() {
        let install = Install::new();
        let out = install.out("out");
        convert(&install.input(), &out, &[]).assert().success();
        let golden = install.out("golden.json");
        pipe(&golden);
        for golden in [&*golden, Path::new("/dev/zero")] {
            let mut run = relicast();
            run.arg("verify").arg(&out).arg("--golden").arg(golden);
            run.timeout(PATIENCE)
                .assert()
                .code(1)
                .stderr(predicate("not a regular file"));
        }
    }
}

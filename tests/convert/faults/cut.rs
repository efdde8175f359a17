//! Files that are cut while a run reads them. A fake ffmpeg, which the run calls for a video, cuts them.

use relicast_testing::test;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use relicast::formats::codec::Blob;
use relicast::formats::riff::{self, Format, Wave};
use relicast::formats::zipper::archive::{self, Archive};
use serde_json::Value;

use crate::common::{convert, files, json};
use crate::install::{Install, contents, entry};

const MEMBERS: usize = 24;

/// An archive with so many sounds that their conversion takes a while.
fn large() -> Vec<u8> {
    let wave = |number: usize| {
        let samples = (0..200_000_usize).map(|at| (at * (number + 7) / 97 % 251) as u8);
        let samples = Blob::from(samples.collect::<Vec<u8>>());
        let wave = Wave::new(&Format::pcm(1, 11_025, 8), Vec::new(), samples).unwrap();
        entry(&format!("s{number:02}.wav"), riff::encode(&wave).unwrap())
    };
    let archive = Archive {
        entries: (0..MEMBERS).map(wave).collect(),
        ..Archive::default()
    };
    archive::encode(&archive).unwrap()
}

/// Settings with an ffmpeg that runs `script` for each video, and fails.
fn config(install: &Install, script: &str) -> String {
    let program = install.out("ffmpeg");
    let text = format!(
        "#!/bin/sh\ncase \"$*\" in *-version*) echo 'ffmpeg version fake-1 Copyright'; exit 0;; esac\n\
         {script}\nexit 1\n"
    );
    fs::write(&program, text).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = install.out("cut.toml");
    let text = format!("[sounds]\nformat = \"flac\"\n[video]\nffmpeg = {program:?}\n");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn source(report: &Value, path: &str) -> Value {
    let sources = report["sources"].as_array().unwrap();
    let found = sources.iter().find(|source| source["path"] == path);
    found.unwrap().clone()
}

#[test]
fn a_file_that_is_cut_while_it_is_converted_is_one_failed_file() {
    let install = Install::new();
    let bytes = large();
    install.write("ZBD/big/sounds.zbd", &bytes);
    install.write("a.mpg", &[0, 0, 1, 0xBA, 0, 0, 0, 0]);
    let (input, out) = (install.input(), install.out("out"));
    let target = input.join("ZBD/big/sounds.zbd");
    // Cut as soon as the first of its outputs is there.
    let script = format!(
        "tries=0; while [ $tries -lt 600 ] && ! ls '{}' 2>/dev/null | grep -q flac$; do sleep 0.05; \
         tries=$((tries+1)); done; truncate -s 5000 '{}'",
        out.join("sounds/zbd/big/sounds").display(),
        target.display()
    );
    let config = config(&install, &script);
    let run = convert(&input, &out, &["--config", &config, "--jobs", "2"])
        .assert()
        .code(2);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("ZBD/big/sounds.zbd"), "{said}");
    let report = json(&out.join("report.json"));
    let cut = source(&report, "ZBD/big/sounds.zbd");
    assert_eq!(cut["status"], "failed");
    let parts = cut["parts"].as_array().unwrap();
    assert_eq!(parts.len(), MEMBERS + 1);
    for part in parts {
        assert_eq!(part["status"], "failed", "{part}");
        let reason = part["reason"]["text"].as_str().unwrap();
        // Its bytes were read before it was cut; the file is looked at once more when it is done.
        assert!(reason.contains("changed while it was read"), "{reason}");
    }
    let discarded = parts
        .iter()
        .filter(|part| part.to_string().contains("was discarded"));
    assert!(discarded.count() > 0, "discarded items are reported");
    // Nothing of it is left, and everything else is there.
    let left = files(&out);
    assert!(
        !left.iter().any(|path| path.contains("zbd/big")),
        "{left:?}"
    );
    assert!(left.iter().any(|path| path.starts_with("textures/zbd/c1")));
    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    assert!(!manifest.contains("sounds/zbd/big"));
    // Once it is whole again, so are its outputs.
    fs::remove_file(input.join("a.mpg")).unwrap();
    fs::write(&target, &bytes).unwrap();
    convert(&input, &out, &["--config", &config])
        .assert()
        .success();
    let fresh = install.out("fresh");
    convert(&input, &fresh, &["--config", &config])
        .assert()
        .success();
    assert!(contents(&out) == contents(&fresh));
}

#[test]
fn a_file_that_is_cut_before_its_turn_is_one_failed_file() {
    let install = Install::new();
    let bytes = large();
    install.write("ZBD/big/sounds.zbd", &bytes);
    install.write("a.mpg", &[0, 0, 1, 0xBA, 0, 0, 0, 0]);
    let (input, out) = (install.input(), install.out("out"));
    // Videos come first, so nothing else has been opened for conversion.
    let cut = |path: &str| format!("truncate -s 5000 '{}'\n", input.join(path).display());
    let script = cut("ZBD/big/sounds.zbd") + &cut("ZBD/C1/rtexture.zbd");
    let config = config(&install, &script);
    convert(&input, &out, &["--config", &config, "--jobs", "1"])
        .assert()
        .code(2);
    let report = json(&out.join("report.json"));
    for path in ["ZBD/big/sounds.zbd", "ZBD/C1/rtexture.zbd"] {
        let cut = source(&report, path);
        assert_eq!(cut["status"], "failed", "{path}");
        assert!(cut.to_string().contains("changed while"), "{cut}");
    }
    let left = files(&out);
    assert!(
        !left.iter().any(|path| path.contains("zbd/big")),
        "{left:?}"
    );
    assert!(
        left.iter().any(|path| path.starts_with("config/")),
        "{left:?}"
    );
}

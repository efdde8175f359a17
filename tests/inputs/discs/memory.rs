//! Large files on their way through a run, which must not stay in memory.
#![cfg(target_os = "linux")]

use relicast_testing::test;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use relicast::source::disc::sector::USER;

use super::watching::watch;
use super::{image_of, write_tree};

/// Bytes of each of the two files.
const LARGE: usize = 32 << 20;

/// Bytes that a run may use beyond those for a small file: half of one of the large ones.
const ALLOWED: u64 = (LARGE as u64) / 2;

/// Largest memory of a conversion with as many threads as files.
fn peak(input: &Path, out: &Path) -> u64 {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("relicast"));
    command.arg("convert").arg(input).arg("--out").arg(out);
    command.args(["--quiet", "--jobs", "2"]);
    let child = command.stdin(Stdio::null()).spawn().unwrap();
    let ended = watch(child, u64::MAX, Duration::MAX);
    assert_eq!(ended.status.code(), Some(0));
    assert!(ended.peak > 0);
    ended.peak
}

#[test]
fn large_files_pass_through_from_any_container() {
    let files: Vec<(String, Vec<u8>)> = [3_u8, 5]
        .map(|step| {
            let bytes = (0..LARGE).map(|place| (place / 4096) as u8 ^ step);
            (format!("manual{step}.pdf"), bytes.collect())
        })
        .into_iter()
        .chain([(
            "control.zrd".to_owned(),
            b"(MISSION (NAME \"one\" 1))".to_vec(),
        )])
        .collect();
    let scratch = tempfile::tempdir().unwrap();
    let place = |name: &str| scratch.path().join(name);
    write_tree(&place("small"), &files[2..]);
    let usual = peak(&place("small"), &place("out"));
    fs::remove_dir_all(place("out")).unwrap();
    write_tree(&place("folder"), &files);
    let image = image_of(&files);
    fs::write(place("plain.iso"), &image).unwrap();
    // Sectors whose user data are not together, and that have no codes to compute.
    let headless: Vec<u8> = image
        .chunks(USER)
        .flat_map(|user| [&[0; 8], user, &[0; 280]].concat())
        .collect();
    fs::write(place("headless.bin"), headless).unwrap();
    let sheet = "FILE headless.bin BINARY\nTRACK 01 MODE2/2336\nINDEX 01 00:00:00\n";
    fs::write(place("headless.cue"), sheet).unwrap();
    for input in ["folder", "plain.iso", "headless.cue"] {
        let out = place("out");
        let peak = peak(&place(input), &out);
        let [peak, usual] = [peak, usual].map(|bytes| bytes >> 10);
        assert!(
            peak < usual + (ALLOWED >> 10),
            "{input}: {peak} KiB, {usual} KiB"
        );
        for (name, bytes) in &files[..2] {
            let copy = fs::read(out.join("loose").join(name)).unwrap();
            assert!(copy == *bytes, "{input}: {name}");
        }
        fs::remove_dir_all(&out).unwrap();
    }
}

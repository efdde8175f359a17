//! Golden hashes of videos: the source's frames, never the movie's bytes.

use relicast_testing::test;
use std::fs;
use std::path::Path;

use crate::common::{convert, relicast};
use crate::video::support::{folder, movie, needs_ffmpeg, settings};

fn verify(out: &Path, golden: &Path) -> (bool, String) {
    let mut command = relicast();
    let output = command
        .arg("verify")
        .arg(out)
        .arg("--golden")
        .arg(golden)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    (output.status.success(), said)
}

#[test]
fn another_encoder_is_equal_and_another_frame_is_not() {
    needs_ffmpeg();
    let input = folder(&["a.avi"]);
    let out = tempfile::tempdir().unwrap();
    let clip = input.path().join("a.avi");
    let golden = input.path().join("golden.json");
    convert(&clip, out.path(), &[]).assert().code(0);
    relicast()
        .arg("verify")
        .arg(out.path())
        .arg("--golden")
        .arg(&golden)
        .arg("--bless")
        .assert()
        .code(0);
    let before = fs::read(out.path().join("video/a.mp4")).unwrap();

    let small = settings(input.path(), "[video]\ncrf = 40\naudio_bitrate = 32\n");
    convert(&clip, out.path(), &["--config", &small])
        .assert()
        .code(0);
    assert_ne!(before, fs::read(out.path().join("video/a.mp4")).unwrap());
    let (same, said) = verify(out.path(), &golden);
    assert!(same, "{said}");

    // A movie that is not the one that was written.
    let written = fs::read(out.path().join("video/a.mp4")).unwrap();
    fs::write(
        out.path().join("video/a.mp4"),
        &written[..written.len() / 2],
    )
    .unwrap();
    let (same, said) = verify(out.path(), &golden);
    assert!(!same && said.contains("altered"), "{said}");

    // One pixel of one frame of the source.
    let mut bytes = movie(48, 32, 10);
    let frames: Vec<usize> = bytes
        .windows(4)
        .enumerate()
        .filter(|(_, name)| *name == b"00db")
        .map(|(at, _)| at)
        .collect();
    bytes[frames[3] + 100] ^= 0x10;
    fs::write(&clip, bytes).unwrap();
    convert(&clip, out.path(), &[]).assert().code(0);
    let (same, said) = verify(out.path(), &golden);
    assert!(!same && said.contains("a.mp4: frame 3\n"), "{said}");
}

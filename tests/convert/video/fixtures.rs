//! The clips of the fixtures, compared with the description by their maker.

use relicast_testing::test;
use std::fs;

use relicast::formats::riff::avi;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::common::{convert, files, fixtures, json};
use crate::video::support::{decode, grid, needs_ffmpeg, probe};

/// Largest difference between an area's mean and the source's: H.264 halves the resolution of colors.
const TOLERANCE: f64 = 14.0;

#[test]
fn clips_become_movies_of_the_same_length_size_and_colors() {
    let discs = fixtures("discs");
    needs_ffmpeg();
    let out = tempfile::tempdir().unwrap();
    let run = convert(&discs.join("avi"), out.path(), &[])
        .assert()
        .code(2);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(
        said.contains("empty.avi") && said.contains("incomplete"),
        "{said}"
    );
    let expected_facts = json(&discs.join("truth.json"));
    for (name, facts) in expected_facts["avi"].as_object().unwrap() {
        if facts["expect"] != "ok" {
            continue;
        }
        let stem = name.to_lowercase().replace(".avi", "");
        let movie = out.path().join(format!("video/{stem}.mp4"));
        let streams = probe(&movie);
        let (video, stored) = (&streams[0], &facts["video"]);
        assert_eq!(video["codec_name"], "h264", "{name}");
        assert_eq!(video["pix_fmt"], "yuv420p", "{name}");
        assert_eq!(
            (&video["width"], &video["height"]),
            (&stored["width"], &stored["height"])
        );
        assert_eq!(video["avg_frame_rate"], stored["rate"], "{name}");
        let frames = stored["frames"].as_u64().unwrap();
        assert_eq!(video["nb_read_frames"], frames.to_string(), "{name}");
        assert_eq!(
            streams.len(),
            if facts["audio"].is_null() { 1 } else { 2 },
            "{name}"
        );
        let seconds = |stream: &Value| stream["duration"].as_str().unwrap().parse::<f64>().unwrap();
        for stream in &streams {
            assert!(
                (seconds(stream) - frames as f64 / 15.0).abs() < 1.0 / 15.0,
                "{name}"
            );
        }
        assert_colors(
            name,
            &decode(&movie, &["-f", "rawvideo", "-pix_fmt", "rgb24"]),
            stored,
        );
        let written = json(&movie.with_extension("json"));
        let decoded = &written["decoded"];
        assert_eq!(decoded["streams"][0]["codec"], stored["codec"], "{name}");
        assert_eq!(decoded["frames"].as_array().unwrap().len() as u64, frames);
        assert_sound(
            name,
            &fs::read(discs.join("avi").join(name)).unwrap(),
            facts,
            decoded,
        );
    }
}

fn assert_colors(name: &str, pictures: &[u8], stored: &Value) {
    let size = |key: &str| stored[key].as_u64().unwrap() as usize;
    let (width, height) = (size("width"), size("height"));
    for (number, expected) in stored["grid_4x4_rgb"].as_object().unwrap() {
        let number: usize = number.parse().unwrap();
        let length = width * height * 3;
        let areas = grid(&pictures[number * length..][..length], width, height);
        let expected = expected.as_str().unwrap();
        for (at, mean) in areas.iter().flatten().enumerate() {
            let byte = u8::from_str_radix(&expected[at * 2..at * 2 + 2], 16).unwrap();
            let away = (mean - f64::from(byte)).abs();
            assert!(
                away < TOLERANCE,
                "{name}: frame {number}, value {at}: {mean} for {byte}"
            );
        }
    }
}

/// The stored sound is that of the source, and all of it.
fn assert_sound(name: &str, bytes: &[u8], facts: &Value, decoded: &Value) {
    let sound = avi::stream_chunks(bytes).filter(|(stream, _)| *stream == 1);
    let sound: Vec<u8> = sound.flat_map(|(_, data)| data).copied().collect();
    if facts["audio"].is_null() {
        assert!(sound.is_empty() && decoded["sound"].is_null(), "{name}");
        return;
    }
    let hex: String = Sha256::digest(&sound)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(
        hex,
        facts["audio"]["pcm_sha256"].as_str().unwrap(),
        "{name}"
    );
    assert_eq!(decoded["sound"]["bytes"], sound.len(), "{name}");
    assert_eq!(
        decoded["streams"][1]["codec"], facts["audio"]["codec"],
        "{name}"
    );
}

#[test]
fn a_clip_that_is_cut_gives_what_is_there_and_says_so() {
    let discs = fixtures("discs");
    needs_ffmpeg();
    let clip = discs.join("avi/truncated.avi");
    let out = tempfile::tempdir().unwrap();
    convert(&clip, out.path(), &[]).assert().code(0);
    let expected_facts = json(&discs.join("truth.json"));
    let frames = &expected_facts["avi"]["truncated.avi"]["frames_a_common_decoder_gets"];
    let facts = json(&out.path().join("video/truncated.json"));
    assert_eq!(
        facts["decoded"]["frames"].as_array().unwrap().len() as u64,
        frames.as_u64().unwrap()
    );
    let report = json(&out.path().join("report.json"));
    let faults = report["sources"][0]["deviations"]["first"].to_string();
    assert!(
        faults.contains("30 frames") && faults.contains("found 11"),
        "{faults}"
    );
    let strict = tempfile::tempdir().unwrap();
    convert(&clip, strict.path(), &["--strict"])
        .assert()
        .code(2);
}

#[test]
fn an_empty_clip_fails_alone() {
    let discs = fixtures("discs");
    let out = tempfile::tempdir().unwrap();
    let clip = discs.join("avi/empty.avi");
    convert(&clip, out.path(), &[]).assert().code(2);
    assert_eq!(files(out.path()), ["manifest.json", "report.json"]);
    let report = json(&out.path().join("report.json"));
    assert_eq!(report["sources"][0]["status"], "failed");
}

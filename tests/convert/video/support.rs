//! Third-party programs, and generated videos.

use std::fs;
use std::path::Path;
use std::process::Command;

use relicast::formats::riff::Format;
use relicast::formats::riff::avi::write::{Movie, write};
use serde_json::Value;

/// Skips the running test if ffmpeg or ffprobe is missing.
pub fn needs_ffmpeg() {
    for program in ["ffmpeg", "ffprobe"] {
        relicast_testing::needs_program(program, &["-version"]);
    }
}

/// True if ffmpeg has an encoder.
pub fn has_encoder(name: &str) -> bool {
    let output = Command::new("ffmpeg")
        .args(["-hide_banner", "-encoders"])
        .output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    text.lines()
        .any(|line| line.split_whitespace().nth(1) == Some(name))
}

/// A movie whose left half is red and whose right half is blue, with a white bar that moves, and a tone.
pub fn movie(width: u16, height: u16, frames: u16) -> Vec<u8> {
    let frame = |number: u16| -> Vec<u8> {
        let pixel = move |x: u16| match (x, x < width / 2) {
            (x, _) if x / 4 == number % (width / 4) => [255, 255, 255],
            (_, true) => [220, 30, 30],
            _ => [30, 30, 220],
        };
        let row: Vec<u8> = (0..width).flat_map(pixel).collect();
        row.repeat(height.into())
    };
    let sound = (0..u32::from(frames) * 800).map(|at| if at / 20 % 2 == 0 { 90 } else { 160 });
    write(&Movie {
        width,
        height,
        rate: 10,
        frames: (0..frames).map(frame).collect(),
        sound: Some((Format::pcm(1, 8_000, 8), sound.collect())),
        sound_name: Some("Sound Forge 4.0 Audio"),
        software: Some("relicast's tests"),
    })
    .unwrap()
}

/// A folder with one movie for each name.
pub fn folder(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (number, name) in (2_u16..).zip(names) {
        fs::write(folder.path().join(name), movie(48, 32, number * 5)).unwrap();
    }
    folder
}

/// Returns the streams that ffprobe finds in a file.
pub fn probe(path: &Path) -> Vec<Value> {
    let mut command = Command::new("ffprobe");
    command.args([
        "-v",
        "error",
        "-show_streams",
        "-count_frames",
        "-of",
        "json",
    ]);
    let output = command.arg(path).output().unwrap();
    assert!(output.status.success(), "{}", path.display());
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    value["streams"].as_array().unwrap().clone()
}

/// Bytes that ffmpeg makes of a file with `arguments`.
pub fn decode(path: &Path, arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::new("ffmpeg");
    command
        .args(["-v", "error", "-i"])
        .arg(path)
        .args(arguments)
        .arg("-");
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

/// Averages of the areas of a 4 by 4 grid over a frame of 8-bit RGB.
pub fn grid(frame: &[u8], width: usize, height: usize) -> Vec<[f64; 3]> {
    let mut areas = Vec::new();
    for area in 0..16 {
        let (column, row) = (area % 4, area / 4);
        let mut sum = [0.0; 3];
        let mut count = 0.0;
        for y in row * height / 4..(row + 1) * height / 4 {
            for x in column * width / 4..(column + 1) * width / 4 {
                let at = (y * width + x) * 3;
                for (sum, value) in sum.iter_mut().zip(&frame[at..at + 3]) {
                    *sum += f64::from(*value);
                }
                count += 1.0;
            }
        }
        areas.push(sum.map(|sum| sum / count));
    }
    areas
}

/// A file with settings.
pub fn settings(folder: &Path, text: &str) -> String {
    let path = folder.join("settings.toml");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

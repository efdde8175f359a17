//! Space that a store saves.

use relicast_testing::test;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use relicast::asset::Game;
use relicast::pipeline::reuse::store::upkeep;
use relicast_samples::SampleFile;

use super::{left, store_of};
use crate::common::files;

/// Bytes that files take, each inode once.
fn room(folders: &[PathBuf]) -> u64 {
    use std::os::unix::fs::MetadataExt;

    let mut seen = std::collections::HashSet::new();
    let mut bytes = 0;
    for folder in folders {
        for path in files(folder) {
            let metadata = fs::metadata(folder.join(path)).unwrap();
            if seen.insert(metadata.ino()) {
                bytes += metadata.len();
            }
        }
    }
    bytes
}

/// Measures the space that a store saves for six editions of a sample game. Prints figures.
#[test]
#[ignore = "a measurement"]
fn measure_six_editions() {
    let scale = std::env::var("SCALE").map_or(40, |text| text.parse().unwrap());
    let root = tempfile::tempdir().unwrap();
    let files = relicast_samples::files(Game::Mw, scale).unwrap();
    let inputs: Vec<PathBuf> = (0..6)
        .map(|number| {
            let folder = root.path().join(format!("edition-{number}/mw"));
            let changed = files.iter().map(|file| {
                let mut file = file.clone();
                let name = file.path.to_lowercase();
                // The texts of a language, and one archive of sounds in every second edition.
                let is_own = name.ends_with(".txt") || (name.ends_with(".wav") && number % 2 == 1);
                if is_own && number > 0 {
                    file.bytes.extend(format!("{number}").into_bytes());
                }
                file
            });
            let changed: Vec<SampleFile> = changed.collect();
            relicast_samples::write_files(&folder, &changed).unwrap();
            folder
        })
        .collect();
    let timed = |kind: &str, store: Option<&Path>| -> (Vec<PathBuf>, Vec<Duration>) {
        inputs
            .iter()
            .enumerate()
            .map(|(number, input)| {
                let out = root.path().join(format!("{kind}-{number}"));
                let mut command =
                    std::process::Command::new(std::env::var("RELICAST").unwrap_or_else(|_| {
                        assert_cmd::cargo::cargo_bin!("relicast")
                            .display()
                            .to_string()
                    }));
                command
                    .arg("convert")
                    .arg(input)
                    .arg("--out")
                    .arg(&out)
                    .arg("--quiet");
                if let Some(store) = store {
                    command.arg("--store").arg(store);
                }
                let start = Instant::now();
                assert!(command.status().unwrap().success());
                (out, start.elapsed())
            })
            .unzip()
    };
    let store_at = root.path().join("store");
    let (plain, plain_times) = timed("plain", None);
    let (shared, shared_times) = timed("shared", Some(&store_at));
    for (one, other) in plain.iter().zip(&shared) {
        assert!(left(one) == left(other));
    }
    let mut all = shared.clone();
    all.push(store_at.clone());
    let (before, after) = (room(&plain), room(&all));
    let seconds = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64();
    println!("six editions: {before} bytes without a store, {after} bytes with one");
    println!(
        "time: {:.2} s without, {:.2} s with",
        seconds(&plain_times),
        seconds(&shared_times)
    );
    println!("each: {plain_times:.2?} / {shared_times:.2?}");
    println!("last: {}", store_of(&shared[5]));
    println!("{:?}", upkeep::stats(&store_at).unwrap());
}

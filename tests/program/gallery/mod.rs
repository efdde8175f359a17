//! The gallery: the catalog of the samples, the server's answers and refusals, static files, and the report
//! as a page.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

mod catalog;
mod files;
mod hostile;
mod kills;
mod report;
mod resources;
mod serve;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use relicast_samples::{SampleFile, write_files};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{json, relicast};

/// A converted folder.
struct Converted {
    folder: TempDir,
}

impl Converted {
    /// Converts an install of these files.
    fn new(installs: &[(&str, Vec<SampleFile>)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, files) in installs {
            write_files(&folder.path().join("in").join(name), files).unwrap();
        }
        let converted = Self { folder };
        let mut convert = relicast();
        convert
            .arg("convert")
            .arg(converted.folder.path().join("in"));
        convert.arg("--out").arg(converted.out()).arg("--quiet");
        let settings = converted.folder.path().join("settings.toml");
        fs::write(&settings, "[video]\nenabled = false\n").unwrap();
        convert.arg("--config").arg(settings).assert().success();
        converted
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn place(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Runs `relicast gallery` with more arguments.
    fn gallery(&self, arguments: &[&str]) -> assert_cmd::assert::Assert {
        let mut command = relicast();
        command
            .arg("gallery")
            .arg(self.out())
            .args(arguments)
            .assert()
    }
}

/// Samples of two games, and the hostile one. Tests read it and change nothing.
static SAMPLES: LazyLock<Converted> = LazyLock::new(|| {
    Converted::new(&[
        (
            "mw",
            relicast_samples::files(relicast::asset::Game::Mw, 1).unwrap(),
        ),
        (
            "eq",
            relicast_samples::files(relicast::asset::Game::Eq, 1).unwrap(),
        ),
        ("disc", relicast_samples::disc::files().unwrap()),
        ("hostile", relicast_samples::hostile::files().unwrap()),
    ])
});

/// The static gallery of the samples, in a folder of its own.
static GALLERY: LazyLock<PathBuf> = LazyLock::new(|| {
    let place = SAMPLES.place("gallery-of-samples");
    let to = place.to_str().unwrap();
    SAMPLES
        .gallery(&["--to", to, "--embed", "models"])
        .success();
    place
});

/// All details of a gallery in order.
fn details(gallery: &Path) -> Vec<Value> {
    let index = json(&gallery.join("data/index.json"));
    let chunks = 0..index["detail"]["count"].as_u64().unwrap();
    let chunks = chunks.map(|chunk| json(&gallery.join(format!("data/detail/{chunk}.json"))));
    chunks
        .flat_map(|chunk| chunk["assets"].as_array().unwrap().clone())
        .collect()
}

/// Every file below a folder with its bytes.
fn files_below(folder: &Path) -> Vec<(String, Vec<u8>)> {
    fn walk(folder: &Path, base: &Path, files: &mut Vec<(String, Vec<u8>)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, base, files);
            } else {
                let name = path
                    .strip_prefix(base)
                    .unwrap()
                    .to_string_lossy()
                    .replace('\\', "/");
                files.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    let mut files = Vec::new();
    walk(folder, folder, &mut files);
    files.sort();
    files
}

//! An install with its outputs, to edit and to pack.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use image::RgbaImage;
use relicast::asset::Game;
use relicast::config::Config;
use relicast::pack::{Packed, Request as PackRequest, pack};
use relicast::pipeline::progress::Unobserved;
use relicast::pipeline::report::manifest::{Manifest, ManifestOutput};
use relicast::pipeline::request::Request;
use relicast::pipeline::run::convert;
use relicast_samples::SampleFile;
use tempfile::TempDir;

use crate::common::{files, json};
use crate::converted;

/// The configuration of conversions that set nothing else.
fn usual() -> Config {
    let mut config = Config::default();
    config.video.enabled = false;
    config
}

/// An install with its outputs.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn empty() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub fn new(files: &[SampleFile]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        converted::write(folder.path(), files, usual());
        Self { folder }
    }

    pub fn of(game: Game) -> Self {
        Self::new(&relicast_samples::files(game, 1).unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn convert(&self, install: &str, out: &str) {
        self.convert_with(install, out, |_| {});
    }

    pub fn convert_with(&self, install: &str, out: &str, set: impl FnOnce(&mut Config)) {
        let mut config = usual();
        set(&mut config);
        let request = Request {
            inputs: vec![self.path(install)],
            out: self.path(out),
            config,
            ..Request::default()
        };
        convert(&request, &Unobserved, &AtomicBool::new(false)).unwrap();
    }

    pub fn manifest(&self) -> Manifest {
        serde_json::from_value(json(&self.path("out/manifest.json"))).unwrap()
    }

    pub fn outputs(&self, wanted: impl Fn(&ManifestOutput) -> bool) -> Vec<ManifestOutput> {
        let outputs = self.manifest().outputs.into_iter();
        let found: Vec<_> = outputs.filter(wanted).collect();
        assert!(!found.is_empty(), "the sample has something to edit");
        found
    }

    pub fn request(&self) -> PackRequest {
        PackRequest::new(&self.path("out"), &self.path("install"), &self.path("mod"))
    }

    pub fn pack(&self) -> Packed {
        let packed = pack(&self.request()).unwrap();
        assert_eq!(packed.refused, []);
        packed
    }

    /// Converts the install with the packed files in it.
    pub fn convert_packed(&self) {
        self.convert_packed_with(|_| {});
    }

    pub fn convert_packed_with(&self, set: impl FnOnce(&mut Config)) {
        self.add_packed("mod");
        self.convert_with("modded", "after", set);
    }

    /// Converts the install with the packed files of a folder in it.
    pub fn convert_with_packed(&self, folder: &str, out: &str) {
        self.add_packed(folder);
        self.convert("modded", out);
    }

    /// Copies the install, with the packed files of a folder in it.
    fn add_packed(&self, folder: &str) {
        for path in files(&self.path("install")) {
            let to = self.path("modded").join(&path);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            let modded = self.path(folder).join(&path);
            let from = if modded.exists() {
                modded
            } else {
                self.path("install").join(&path)
            };
            fs::copy(from, to).unwrap();
        }
    }

    pub fn edit(&self, path: &str, edit: impl FnOnce(Vec<u8>) -> Vec<u8>) {
        let path = self.path("out").join(path);
        let bytes = fs::read(&path).unwrap();
        fs::write(path, edit(bytes)).unwrap();
    }

    /// All outputs but the edited ones, and tables of places and sizes, are as they were.
    pub fn assert_others_unchanged(&self, edited: &[ManifestOutput]) {
        let before = contents(&self.path("out"), &self.manifest());
        let after = contents(&self.path("after"), &self.manifest());
        for output in self.manifest().outputs {
            let is_edited = edited.iter().any(|edited| edited.path == output.path);
            // What takes from an edited file, besides its own members, may show the edit.
            let takes = takes_from(&self.manifest(), &output, edited);
            if !is_edited && !is_table(&output) && !takes {
                assert!(
                    before[&output.path] == after[&output.path],
                    "{} changed",
                    output.path
                );
            }
        }
    }
}

/// True if an output is made of more than its source, and an edited file is among the rest.
pub fn takes_from(manifest: &Manifest, output: &ManifestOutput, edited: &[ManifestOutput]) -> bool {
    let sources = output
        .made_from
        .iter()
        .map(|&at| &*manifest.sources[at as usize].path);
    let others = sources
        .filter(|path| *path != output.source)
        .collect::<Vec<_>>();
    edited
        .iter()
        .any(|edited| others.contains(&&*edited.source))
}

pub fn contents(folder: &Path, manifest: &Manifest) -> BTreeMap<String, Vec<u8>> {
    let outputs = manifest.outputs.iter();
    let read = |output: &ManifestOutput| {
        let bytes = fs::read(folder.join(&output.path));
        (
            output.path.clone(),
            bytes.unwrap_or_else(|error| panic!("{}: {error}", output.path)),
        )
    };
    outputs.map(read).collect()
}

/// True if it contains offsets and lengths of members, which follow from these.
pub fn is_table(output: &ManifestOutput) -> bool {
    output.member.is_none() && output.path.ends_with(".json")
}

pub fn picture(path: &Path) -> RgbaImage {
    image::open(path).unwrap().into_rgba8()
}

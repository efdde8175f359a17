//! An install with its outputs, in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use relicast::asset::AssetKind;
use relicast::config::{Config, RestPose};
use relicast::pack::{Packed, Request as PackRequest, pack};
use relicast::pipeline::progress::Unobserved;
use relicast::pipeline::report::manifest::{Manifest, ManifestOutput};
use relicast::pipeline::request::Request;
use relicast::pipeline::run::convert;
use relicast_samples::SampleFile;
use tempfile::TempDir;

use crate::common::{files, json};
use crate::converted;

/// The configuration of all conversions of a place.
fn configured(adjust: fn(&mut Config)) -> Config {
    let mut config = Config::default();
    config.video.enabled = false;
    // Parts of 'mechs are not stored where motions have them.
    config.models.rest_pose = RestPose::Stored;
    adjust(&mut config);
    config
}

pub struct Place {
    folder: TempDir,
    /// Changes of the usual settings.
    adjust: fn(&mut Config),
}

impl Place {
    pub fn new(files: &[SampleFile]) -> Self {
        Self::with(files, |_| {})
    }

    /// With other settings.
    pub fn with(files: &[SampleFile], adjust: fn(&mut Config)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        converted::write(folder.path(), files, configured(adjust));
        Self { folder, adjust }
    }

    /// A copy of an install.
    pub fn copy_of(install: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for path in files(install) {
            let to = folder.path().join("install").join(&path);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(install.join(&path), to).unwrap();
        }
        let place = Self {
            folder,
            adjust: |_| {},
        };
        place.convert("install", "out");
        place
    }

    /// A folder of this place as an install of its own, with the same settings.
    pub fn again(&self, folder: &str) -> Self {
        let files: Vec<SampleFile> = files(&self.path(folder))
            .into_iter()
            .map(|path| SampleFile {
                bytes: fs::read(self.path(folder).join(&path)).unwrap(),
                path,
            })
            .collect();
        Self::with(&files, self.adjust)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn convert(&self, install: &str, out: &str) {
        let request = Request {
            inputs: vec![self.path(install)],
            out: self.path(out),
            config: configured(self.adjust),
            ..Request::default()
        };
        convert(&request, &Unobserved, &AtomicBool::new(false)).unwrap();
    }

    pub fn manifest(&self) -> Manifest {
        serde_json::from_value(json(&self.path("out/manifest.json"))).unwrap()
    }

    /// Main scenes of worlds and models.
    pub fn scenes(&self) -> Vec<ManifestOutput> {
        let outputs = self.manifest().outputs.into_iter();
        let found: Vec<_> = outputs
            .filter(|output| {
                matches!(output.kind, AssetKind::Worlds | AssetKind::Models)
                    && output.path.ends_with(".gltf")
                    && !output.path.ends_with(".hidden.gltf")
                    && output.source.ends_with(".zbd")
            })
            .collect();
        assert!(!found.is_empty(), "there is something to edit");
        found
    }

    pub fn out(&self, path: &str) -> PathBuf {
        self.path("out").join(path)
    }

    pub fn request(&self) -> PackRequest {
        PackRequest::new(&self.path("out"), &self.path("install"), &self.path("mod"))
    }

    pub fn pack(&self) -> Packed {
        let packed = pack(&self.request()).unwrap();
        assert_eq!(packed.refused, []);
        packed
    }

    /// Refused edits, as text.
    pub fn refused(&self) -> Vec<(String, String)> {
        let packed = pack(&self.request()).unwrap();
        assert!(packed.files.is_empty(), "{:?}", packed.edits);
        assert!(!self.path("mod").exists(), "nothing is written");
        let refused = packed.refused.into_iter();
        refused
            .map(|(path, refusal)| (path, refusal.to_string()))
            .collect()
    }

    /// Converts the install with the packed files in it.
    pub fn convert_packed(&self) {
        for path in files(&self.path("install")) {
            let to = self.path("modded").join(&path);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            let modded = self.path("mod").join(&path);
            let from = match modded.exists() {
                true => modded,
                false => self.path("install").join(&path),
            };
            fs::copy(from, to).unwrap();
        }
        self.convert("modded", "after");
    }
}

//! A converted folder: its manifest, its report, and its outputs, read only.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::error::{GalleryError, access};
use crate::pipeline::documents::is_output;
use crate::pipeline::manifest::{self, Manifest};
use crate::pipeline::report::{self, Report};

/// An output folder with what its last run said.
#[derive(Debug)]
pub(super) struct Converted {
    /// The folder, links resolved.
    pub root: PathBuf,
    /// Its manifest.
    pub manifest: Manifest,
    /// Its report.
    pub report: Report,
}

impl Converted {
    /// Reads manifest and report of a folder.
    pub fn open(out: &Path) -> Result<Self, GalleryError> {
        let root = out.canonicalize().map_err(access(out))?;
        Ok(Self {
            manifest: document(&root.join(manifest::FILE_NAME))?,
            report: document(&root.join(report::FILE_NAME))?,
            root,
        })
    }

    /// The bytes of an output that is a regular file of at most `limit` bytes. Nothing outside the folder is read,
    /// whatever its documents say.
    pub fn read(&self, path: &str, limit: u64) -> Option<Vec<u8>> {
        let place = place_of(&self.root, path)?;
        let mut file = File::open(place).ok()?;
        let length = file.metadata().ok()?.len();
        if length > limit {
            return None;
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).ok()?);
        file.by_ref().take(limit).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// The first bytes of an output.
    pub fn head(&self, path: &str, length: u64) -> Option<Vec<u8>> {
        let place = place_of(&self.root, path)?;
        let mut bytes = Vec::new();
        let file = File::open(place).ok()?;
        file.take(length).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}

/// Where the regular file at `path` below `root` lies, which has no links left in it; `None` when there is none, or a
/// link leads out of the folder.
pub(super) fn place_of(root: &Path, path: &str) -> Option<PathBuf> {
    if !is_output(path) {
        return None;
    }
    let place = root.join(path).canonicalize().ok()?;
    let is_inside = place.starts_with(root) && place.metadata().ok()?.is_file();
    is_inside.then_some(place)
}

fn document<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, GalleryError> {
    let bytes = std::fs::read(path).map_err(access(path))?;
    serde_json::from_slice(&bytes).map_err(|error| GalleryError::Document {
        path: path.to_owned(),
        error,
    })
}

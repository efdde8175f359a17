//! Converted folder: its manifest, report and outputs, read only.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::document_file::{self, Unread};
use super::documents::is_output;
use super::manifest::{self, Manifest};
use crate::pipeline::output::folder::{Durability, OutputFolder};
use crate::pipeline::report::{self, Report};

/// Reason why a folder is not a converted one.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A file cannot be read.
    #[error("cannot access {}: {error}", path.display())]
    Access {
        /// The file.
        path: PathBuf,
        /// Error.
        error: std::io::Error,
    },
    /// A document of the run is invalid.
    #[error("{} is not a valid relicast document: {error}", path.display())]
    Document {
        /// The file.
        path: PathBuf,
        /// Error.
        error: serde_json::Error,
    },
}

fn access(path: &Path) -> impl FnOnce(std::io::Error) -> OpenError {
    let path = path.to_owned();
    move |error| OpenError::Access { path, error }
}

/// Output folder with the documents of its last run.
#[derive(Debug)]
pub struct Converted {
    /// The folder, links resolved.
    pub root: PathBuf,
    /// Its manifest.
    pub manifest: Manifest,
    /// Its report.
    pub report: Report,
}

impl Converted {
    /// Reads manifest and report of a folder.
    ///
    /// # Errors
    /// They cannot be read, or are invalid.
    pub fn open(out: &Path) -> Result<Self, OpenError> {
        let root = out.canonicalize().map_err(access(out))?;
        Ok(Self {
            manifest: document(&root.join(manifest::FILE_NAME))?,
            report: document(&root.join(report::FILE_NAME))?,
            root,
        })
    }

    /// Bytes of an output that is a regular file of at most `limit` bytes. Nothing outside the folder is read,
    /// regardless of the documents.
    pub fn read(&self, path: &str, limit: u64) -> Option<Vec<u8>> {
        let mut file = open_output(&self.root, path)?;
        let length = file.metadata().ok()?.len();
        if length > limit {
            return None;
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).ok()?);
        file.by_ref().take(limit).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// First bytes of an output.
    pub fn head(&self, path: &str, length: u64) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = open_output(&self.root, path)?;
        file.take(length).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}

/// Resolved path of the regular file at `path` below `root`, without links; `None` if it does not exist, or a
/// link points outside the folder.
pub fn place_of(root: &Path, path: &str) -> Option<PathBuf> {
    if !is_output(path) {
        return None;
    }
    let place = root.join(path).canonicalize().ok()?;
    let is_inside = place.starts_with(root) && place.metadata().ok()?.is_file();
    is_inside.then_some(place)
}

/// Opens the regular file at `path` below `root`. A link that replaces it or a parent folder between the check
/// and the opening is not followed.
pub fn open_output(root: &Path, path: &str) -> Option<File> {
    let place = place_of(root, path)?;
    let below = place.strip_prefix(root).ok()?.to_str()?.replace('\\', "/");
    let folder = OutputFolder::open(root, Durability::System).ok()?;
    folder.read(&below).ok()
}

fn document<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, OpenError> {
    match document_file::read(path) {
        Ok((document, _)) => Ok(document),
        Err(Unread::Access(error)) => Err(access(path)(error)),
        Err(Unread::Json(error)) => Err(OpenError::Document {
            path: path.to_owned(),
            error,
        }),
    }
}

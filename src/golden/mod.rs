//! Golden hashes: the expected content of an output folder, and which kind of content differs.
//!
//! A golden file keeps the BLAKE3 hash of every output, and beside it short hashes of its *content_digest*:
//! size and pixels of a picture, samples and chunks of a sound, subtrees of a document, accessors of a scene.
//! When a file differs, the content digest shows where.
//!
//! The bytes of a video depend on the installed encoder and are not compared. Instead its decoded streams and
//! frames are, and that the file is unchanged since it was written.

mod compare;
mod content_digest;
mod video;
mod written;

pub use written::{Checked, Fault, check_written};

pub use compare::{Comparison, Difference, compare};
pub use content_digest::content_digest;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

use crate::pipeline::journal::WORK_FOLDER;
use crate::pipeline::output::write_atomically;
use crate::pipeline::{manifest, report};

/// Hashes of all outputs of a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    /// Outputs by path, forward slashes. `manifest.json` and `report.json` are not among them: they
    /// describe a run.
    pub outputs: BTreeMap<String, GoldenOutput>,
}

/// Hashes of one output.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoldenOutput {
    /// BLAKE3 of its bytes, hexadecimal; of a video's content_digest and frames.
    pub blake3: String,
    /// Size in bytes; 0 for a video.
    pub size: u64,
    /// Content digest by name: short values as they are, long ones as short hashes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub content_digest: BTreeMap<String, String>,
    /// Short digests of the decoded frames of a video's source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
}

/// Why golden hashes cannot be read or made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GoldenError {
    /// A file cannot be read or written.
    #[error("cannot access {path}: {error}")]
    Access {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The manifest is not one.
    #[error("{path} is no manifest: {error}")]
    Manifest {
        /// The file.
        path: PathBuf,
        /// Why.
        error: serde_json::Error,
    },
    /// The golden file is not one.
    #[error("{path} is no golden file: {error}")]
    Parse {
        /// The file.
        path: PathBuf,
        /// Why.
        error: serde_json::Error,
    },
}

fn access(path: &Path) -> impl FnOnce(io::Error) -> GoldenError {
    let path = path.to_owned();
    move |error| GoldenError::Access { path, error }
}

/// Every output in a folder by its path, forward slashes, and where it lies. Links are not followed.
fn outputs_in(out: &Path) -> Result<Vec<(String, PathBuf)>, GoldenError> {
    let mut paths = Vec::new();
    for entry in WalkDir::new(out).sort_by_file_name() {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(out).to_owned();
            access(&path)(error.into())
        })?;
        if entry.file_type().is_file() {
            let relative = entry.path().strip_prefix(out).unwrap_or(entry.path());
            let parts: Vec<_> = relative
                .components()
                .map(|part| part.as_os_str().to_string_lossy())
                .collect();
            paths.push((parts.join("/"), entry.into_path()));
        }
    }
    paths.retain(|(path, _)| {
        path != manifest::FILE_NAME
            && path != report::FILE_NAME
            && !path.starts_with(&format!("{WORK_FOLDER}/"))
    });
    Ok(paths)
}

impl Golden {
    /// Hashes every output in `out`.
    ///
    /// # Errors
    /// The folder or a file in it cannot be read.
    pub fn of_folder(out: &Path) -> Result<Self, GoldenError> {
        std::fs::read_dir(out).map_err(access(out))?;
        let paths = outputs_in(out)?;
        let manifest = video::Written::load(out);
        let outputs = paths
            .into_par_iter()
            .map(|(path, location)| {
                if video::is_video(&path) {
                    let output = video::golden(&path, &location, &manifest);
                    return Ok((path, output.map_err(access(&location))?));
                }
                let bytes = std::fs::read(&location).map_err(access(&location))?;
                let output = GoldenOutput {
                    blake3: blake3::hash(&bytes).to_hex().to_string(),
                    size: bytes.len() as u64,
                    content_digest: content_digest(&path, &bytes, location.parent()),
                    frames: Vec::new(),
                };
                Ok((path, output))
            })
            .collect::<Result<_, GoldenError>>()?;
        Ok(Self { outputs })
    }

    /// Reads a golden file.
    ///
    /// # Errors
    /// It cannot be read, or is no golden file.
    pub fn load(path: &Path) -> Result<Self, GoldenError> {
        // A pipe or a device may have no end.
        let is_file = std::fs::metadata(path).map_err(access(path))?.is_file();
        if !is_file {
            let fault = std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a regular file");
            return Err(access(path)(fault));
        }
        let bytes = std::fs::read(path).map_err(access(path))?;
        serde_json::from_slice(&bytes).map_err(|error| GoldenError::Parse {
            path: path.to_owned(),
            error,
        })
    }

    /// Writes a golden file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), GoldenError> {
        let mut bytes = serde_json::to_vec_pretty(self).map_err(|error| GoldenError::Parse {
            path: path.to_owned(),
            error,
        })?;
        bytes.push(b'\n');
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(access(folder))?;
        }
        write_atomically(path, &bytes).map_err(access(path))
    }
}

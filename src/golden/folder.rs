//! Golden hashes of a folder, and the files that store them.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use walkdir::WalkDir;

use super::content_digest::content_digest;
use super::error::{GoldenError, access};
use super::hashes::{Golden, GoldenOutput};
use super::video;
use crate::pipeline::output::atomic::write_atomically;
use crate::pipeline::output::written_list::ProgramFiles;
use crate::pipeline::report::documents::WORK_FOLDER;
use crate::pipeline::report::{self, manifest};

/// Every output in a folder by its path, with forward slashes, and its location. Links are not followed. Unchanged
/// files of a gallery or project in the folder are not outputs.
pub(super) fn outputs_in(out: &Path) -> Result<Vec<(String, PathBuf)>, GoldenError> {
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
    let program_files = ProgramFiles::new(out);
    paths.retain(|(path, _)| !program_files.has(path));
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
    /// It cannot be read, or is not a golden file.
    pub fn load(path: &Path) -> Result<Self, GoldenError> {
        // A pipe or a device may be endless.
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

    /// Writes a golden file. It replaces only a golden file.
    ///
    /// # Errors
    /// Another file is there, or it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), GoldenError> {
        let mut bytes = serde_json::to_vec_pretty(self).map_err(|error| GoldenError::Parse {
            path: path.to_owned(),
            error,
        })?;
        bytes.push(b'\n');
        if std::fs::symlink_metadata(path).is_ok() {
            Self::load(path)?;
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(access(folder))?;
        }
        write_atomically(path, &bytes).map_err(access(path))
    }
}

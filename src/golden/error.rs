//! Reasons why golden hashes cannot be read or made.

use std::io;
use std::path::{Path, PathBuf};

/// Reason why golden hashes cannot be read or made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GoldenError {
    /// A file cannot be read or written.
    #[error("cannot access {path}: {error}")]
    Access {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The manifest is invalid.
    #[error("{path} is not a valid manifest: {error}")]
    Manifest {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: serde_json::Error,
    },
    /// The golden file is invalid.
    #[error("{path} is not a golden file: {error}")]
    Parse {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: serde_json::Error,
    },
}

/// Adds the path of the file to an error.
pub(super) fn access(path: &Path) -> impl FnOnce(io::Error) -> GoldenError {
    let path = path.to_owned();
    move |error| GoldenError::Access { path, error }
}

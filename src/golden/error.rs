//! Why golden hashes cannot be read or made.

use std::io;
use std::path::{Path, PathBuf};

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

/// Names the file that a fault is about.
pub(super) fn access(path: &Path) -> impl FnOnce(io::Error) -> GoldenError {
    let path = path.to_owned();
    move |error| GoldenError::Access { path, error }
}

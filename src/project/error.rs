//! Why there is no project.

use std::io;
use std::path::{Path, PathBuf};

use crate::pipeline::report::converted::OpenError;

/// Why there is no project.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectError {
    /// The folder is no converted one.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A file cannot be read or written.
    #[error("cannot access {}: {error}", path.display())]
    Access {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// Names the file that a fault is about.
pub(super) fn access(path: &Path) -> impl FnOnce(io::Error) -> ProjectError {
    let path = path.to_owned();
    move |error| ProjectError::Access { path, error }
}

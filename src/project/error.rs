//! Errors of engine projects.

use std::io;
use std::path::{Path, PathBuf};

use crate::pipeline::report::converted::OpenError;

/// Reason why a project cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectError {
    /// The folder is not a converted one.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A file cannot be read or written.
    #[error("cannot access {}: {error}", path.display())]
    Access {
        /// The file.
        path: PathBuf,
        /// Error.
        error: io::Error,
    },
}

/// Adds the path of the file to an error.
pub(super) fn access(path: &Path) -> impl FnOnce(io::Error) -> ProjectError {
    let path = path.to_owned();
    move |error| ProjectError::Access { path, error }
}

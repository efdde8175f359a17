//! Why nothing was packed.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::golden::GoldenError;

/// Why nothing was packed.
#[derive(Debug, Error)]
pub enum PackError {
    /// The output folder cannot be compared with its manifest.
    #[error(transparent)]
    Golden(#[from] GoldenError),
    /// The manifest is none.
    #[error("cannot read the manifest: {0}")]
    Manifest(#[from] serde_json::Error),
    /// The install is not the one that the outputs were made from.
    #[error(
        "{} is not the file that the outputs were made from: its BLAKE3 is {found}, expected {expected}",
        path.display()
    )]
    OtherInstall {
        /// The game file.
        path: PathBuf,
        /// BLAKE3 by the manifest.
        expected: String,
        /// BLAKE3 of the file.
        found: String,
    },
    /// A source of the manifest leads out of the install.
    #[error("the manifest names a source outside the install: {0}")]
    Path(String),
    /// The folder for the game files is, holds, or lies in the install or the output folder.
    #[error("{} is the install or the output folder, holds one, or lies in one", .0.display())]
    Inside(PathBuf),
    /// Something that we did not write, or that was changed since, lies where a game file is to go.
    #[error("{} was not written by relicast pack, or was changed since; nothing was written", .0.display())]
    Foreign(PathBuf),
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
pub(super) fn access(path: &Path) -> impl FnOnce(io::Error) -> PackError {
    let path = path.to_owned();
    move |error| PackError::Access { path, error }
}

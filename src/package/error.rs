//! Reasons why there is no package.

use std::io;
use std::path::{Path, PathBuf};

use crate::golden::{Fault, GoldenError};

/// Reason why there is no package.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackageError {
    /// The output folder or its manifest cannot be read.
    #[error(transparent)]
    Golden(#[from] GoldenError),
    /// Outputs changed since a run wrote them.
    #[error("outputs that do not match the manifest: {}; convert again first", .0.len())]
    Altered(Vec<Fault>),
    /// An output changed while it was copied.
    #[error("{0} changed while it was packaged")]
    Changed(String),
    /// The last run was not finished.
    #[error("the last run in {} was interrupted; finish it before packaging", .0.display())]
    Interrupted(PathBuf),
    /// The folder holds a shard of a run.
    #[error("{} holds a shard; join the shards with `relicast merge` first", .0.display())]
    Shard(PathBuf),
    /// A document of the run is invalid.
    #[error("{} is not a valid relicast document: {error}", path.display())]
    Document {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: serde_json::Error,
    },
    /// Something is at the path of the package.
    #[error("{} exists, and packages replace nothing; choose another name with --name", .0.display())]
    Exists(PathBuf),
    /// The package would be in the output folder.
    #[error("{} is in the output folder; choose a folder outside it", .0.display())]
    Inside(PathBuf),
    /// The folder is an install of a game, or in one.
    #[error("{} is inside a game install (found {}); choose a folder outside of it", to.display(), file.display())]
    Install {
        /// The folder.
        to: PathBuf,
        /// A file of the game.
        file: PathBuf,
    },
    /// The name is not valid for a package.
    #[error("\"{0}\" is not a valid name for a package; choose one with --name")]
    Name(String),
    /// An output has the name of a file that describes the package.
    #[error("the output {0} has the name of a file that describes the package")]
    Reserved(String),
    /// A file cannot be read or written.
    #[error("cannot access {}: {error}", path.display())]
    Access {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The metadata cannot be written as JSON.
    #[error("cannot write metadata: {0}")]
    Metadata(#[from] serde_json::Error),
}

/// Adds the path of the file to an error.
pub(super) fn access(path: &Path) -> impl FnOnce(io::Error) -> PackageError {
    let path = path.to_owned();
    move |error| PackageError::Access { path, error }
}

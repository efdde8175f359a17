//! Errors of the gallery.

use std::io;
use std::path::{Path, PathBuf};

use crate::pipeline::report::converted::OpenError;

/// Reason why a gallery cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GalleryError {
    /// A file cannot be read or written.
    #[error("cannot access {}: {error}", path.display())]
    Access {
        /// The file.
        path: PathBuf,
        /// Error.
        error: io::Error,
    },
    /// A document of the run is invalid.
    #[error("{} is not a valid relicast document: {error}", path.display())]
    Document {
        /// The file.
        path: PathBuf,
        /// Error.
        error: serde_json::Error,
    },
    /// Foreign files are at the paths of the gallery's files.
    #[error(
        "{} contains files that this gallery did not write or that were changed, so nothing was written: {}",
        folder.display(),
        shown(files)
    )]
    Foreign {
        /// Folder of the gallery.
        folder: PathBuf,
        /// Paths of the files below it.
        files: Vec<String>,
    },
    /// The gallery would be among the outputs.
    #[error("{} is in the output folder; without --to the gallery is written to its folder `gallery`", .0.display())]
    Inside(PathBuf),
    /// The folder is an install of a game, or in one.
    #[error("{} is inside a game install (found {}); choose a folder outside of it", to.display(), file.display())]
    Install {
        /// The folder.
        to: PathBuf,
        /// File of the game.
        file: PathBuf,
    },
    /// The output folder is inside the gallery's folder.
    #[error("{} contains the output folder; choose another folder", .0.display())]
    Around(PathBuf),
    /// The catalog cannot be written as JSON.
    #[error("cannot write the catalog: {0}")]
    Catalog(#[from] serde_json::Error),
    /// The server cannot listen.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Address and port.
        address: String,
        /// Error.
        error: io::Error,
    },
}

impl From<OpenError> for GalleryError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Access { path, error } => Self::Access { path, error },
            OpenError::Document { path, error } => Self::Document { path, error },
        }
    }
}

/// First of these names.
fn shown(files: &[String]) -> String {
    let more = files.len().saturating_sub(5);
    let mut text = files.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

/// Adds the path of the file to an error.
pub(super) fn access(path: &Path) -> impl FnOnce(io::Error) -> GalleryError {
    let path = path.to_owned();
    move |error| GalleryError::Access { path, error }
}

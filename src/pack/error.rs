//! Reasons why nothing was packed.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::golden::GoldenError;

/// Reason why nothing was packed.
#[derive(Debug, Error)]
pub enum PackError {
    /// The output folder cannot be compared with its manifest.
    #[error(transparent)]
    Golden(#[from] GoldenError),
    /// The manifest is invalid.
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
    /// The install has no such game file.
    #[error("there is no {}; --from expects the install that the outputs were made from", .0.display())]
    NotThere(PathBuf),
    /// A source of the manifest is outside the install.
    #[error("the manifest names a source outside the install: {0}")]
    Path(String),
    /// The folder for the game files is, contains or is inside the install or the output folder.
    #[error("{} is, contains or is inside the install or the output folder; choose another folder", .0.display())]
    Inside(PathBuf),
    /// A file that pack did not write, or that was changed since, is at the path of a game file.
    #[error("{} was not written by relicast pack, or was changed since; nothing was written", .0.display())]
    Foreign(PathBuf),
    /// Another run changes the game files.
    #[error("another run is writing to {}, or has just done so; run the same command again", .0.display())]
    Busy(PathBuf),
    /// The stored copy of an edit that stays packed is missing or damaged.
    #[error(
        "the stored copy of the earlier edit of {0} is missing or damaged; name this output with --only too, or pack \
         without --only"
    )]
    LostEdit(String),
    /// An output was changed while it was packed.
    #[error("{} was changed while it was packed; run the same command again", .0.display())]
    Changing(PathBuf),
    /// A glob matches no output.
    #[error("--only {0} matches no output; `relicast verify` lists the edited ones")]
    NothingMatches(String),
    /// A game file that holds more than is to be packed was not packed from outputs.
    #[error(
        "{} was changed by a patch, or by an older version of relicast: packing only some outputs would undo that; \
         pack without --only, or restore it first",
        .0.display()
    )]
    OtherwiseMade(PathBuf),
    /// A game file is in a disc image or a cabinet, and is to be changed there.
    #[error("{} is in a disc image or a cabinet, which relicast does not modify; write to a folder (--to)", .0.display())]
    Packaged(PathBuf),
    /// The install is not the one that a patch is for.
    #[error(
        "the patch is for {}: files that differ or are missing here: {}, such as {}",
        wanted(editions),
        paths.len(),
        paths.first().map(|path| path.display().to_string()).unwrap_or_default()
    )]
    OtherEdition {
        /// The files that differ or are missing.
        paths: Vec<PathBuf>,
        /// Editions that the patch was made for, the best first.
        editions: Vec<String>,
    },
    /// A file is not a patch, or is damaged.
    #[error("not a readable patch: {0}")]
    NoPatch(#[from] zip::result::ZipError),
    /// The patch is of another version of this program.
    #[error("the patch has format version {0}, which this version of relicast does not support")]
    PatchVersion(u32),
    /// A game file cannot be stored in a patch, or made from it.
    #[error("{path}: {reason}")]
    Patch {
        /// The game file.
        path: String,
        /// The reason.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("cannot access {}: {error}", path.display())]
    Access {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
}

/// Names the editions that a patch was made for.
fn wanted(editions: &[String]) -> String {
    match editions {
        [] => "another install (of an unknown edition)".to_owned(),
        editions => editions.join(" or "),
    }
}

/// Adds the path of the file to an error.
pub(super) fn access(path: &Path) -> impl FnOnce(io::Error) -> PackError {
    let path = path.to_owned();
    move |error| PackError::Access { path, error }
}

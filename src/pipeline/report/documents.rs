//! Validates documents of earlier runs and the files that they list. Either may have been edited.

use std::fs;
use std::io::Read;
use std::path::Path;

use serde::de::DeserializeOwned;
use tracing::warn;

use super::document_file::{self, Unread};
use super::manifest::{self, ManifestOutput};
use crate::pipeline::output::hash::hash_file;
use crate::pipeline::report;
use relicast_source::bytes::open_regular;
use relicast_source::own_output;

/// Folder for work in progress, inside the output folder.
pub const WORK_FOLDER: &str = own_output::WORK_FOLDER;

/// Returns whether a file is unchanged since it was written. Reads the file.
pub(in crate::pipeline) fn is_as_written(path: &Path, output: &ManifestOutput) -> bool {
    fs::symlink_metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.len() == output.size)
        && hash_file(path).is_ok_and(|hashed| hashed.blake3 == output.blake3)
}

/// Returns whether a path from a document is valid for an output: below the output folder on every system, and
/// not one of the files that describe a run.
pub(crate) fn is_output(path: &str) -> bool {
    let mut parts = path.split('/');
    !path.contains(['\\', ':', '\0'])
        && parts.all(|part| !matches!(part, "" | "." | ".."))
        && path != manifest::FILE_NAME
        && path != report::FILE_NAME
        && path.split('/').next() != Some(WORK_FOLDER)
}

/// Document of a run, or the file at its path.
pub(in crate::pipeline) enum Document<T> {
    Absent,
    Ours(T),
    /// Written by a program of another version, or damaged.
    Unreadable,
    /// Not written by this program.
    Stranger,
}

impl<T: DeserializeOwned> Document<T> {
    /// Reads the file at `path`, and returns whether its seal is valid, if it has one.
    pub(in crate::pipeline) fn read(path: &Path) -> (Self, Option<bool>) {
        if fs::symlink_metadata(path).is_err() {
            return (Self::Absent, None);
        }
        match document_file::read(path) {
            Ok((document, seal)) => (Self::Ours(document), seal),
            Err(Unread::Json(_)) if is_of_a_run(path) => (Self::Unreadable, None),
            Err(Unread::Json(_)) => (Self::Stranger, None),
            Err(Unread::Access(error)) => {
                warn!("cannot read {}: {error}", path.display());
                (Self::Stranger, None)
            }
        }
    }
}

/// Returns whether a file starts like a document: with the version of the program.
fn is_of_a_run(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = open_regular(path).and_then(|file| file.take(64).read_to_end(&mut start));
    let start = String::from_utf8_lossy(&start);
    let start: String = start.split_whitespace().collect();
    read.is_ok() && start.starts_with("{\"converter\":")
}

//! Validation of documents of earlier runs, and of the files that they list. Either may have been edited.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::hash::hash_file;
use super::manifest::{self, ManifestOutput};
use super::report;
use super::seal::is_sealed;
use crate::source::own_output;

/// Folder for work in progress, inside the output folder.
pub const WORK_FOLDER: &str = own_output::WORK_FOLDER;

/// Whether a file is what was written there. It is read.
pub(super) fn is_as_written(path: &Path, output: &ManifestOutput) -> bool {
    fs::symlink_metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.len() == output.size)
        && hash_file(path).is_ok_and(|hashed| hashed.blake3 == output.blake3)
}

/// Whether a path from a document is one that outputs can have: below the output folder on every system,
/// and none of the files that describe a run.
pub(crate) fn is_output(path: &str) -> bool {
    let mut parts = path.split('/');
    !path.contains(['\\', ':', '\0'])
        && parts.all(|part| !matches!(part, "" | "." | ".."))
        && path != manifest::FILE_NAME
        && path != report::FILE_NAME
        && path.split('/').next() != Some(WORK_FOLDER)
}

/// A document of a run, or what lies in its place.
pub(super) enum Document<T> {
    Absent,
    Ours(T),
    /// Written by a program of another version, or damaged.
    Unreadable,
    /// Nothing that this program writes.
    Stranger,
}

impl<T: for<'de> Deserialize<'de>> Document<T> {
    /// Reads the file at `path`, and whether its seal fits, if it has one.
    pub(super) fn read(path: &Path) -> (Self, Option<bool>) {
        if fs::symlink_metadata(path).is_err() {
            return (Self::Absent, None);
        }
        match crate::source::bytes::read_document(path) {
            Ok(bytes) => (Self::of(&bytes), is_sealed(&bytes)),
            Err(_) => (Self::Stranger, None),
        }
    }

    /// The document that a file holds.
    fn of(bytes: &[u8]) -> Self {
        if let Ok(document) = serde_json::from_slice(bytes) {
            return Self::Ours(document);
        }
        // Each document starts with the version of the program that wrote it.
        let start: String = String::from_utf8_lossy(bytes.get(..64).unwrap_or(bytes))
            .split_whitespace()
            .collect();
        if start.starts_with("{\"converter\":") {
            Self::Unreadable
        } else {
            Self::Stranger
        }
    }
}

//! Edited outputs as they were packed, stored beside the game files.
//!
//! A game file is written as a whole. A later run for other outputs makes it again from the original, its own edits, and
//! the stored ones. So an edit stays packed even if its output was edited further, restored or moved since. The files in
//! the folder are named by their BLAKE3.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::{PackError, access};
use super::whole_file::{is_whole, write_over};
use crate::pipeline::output::folder::OutputFolder;
use relicast_source::tree::EDITS_FOLDER;

/// Output files to read: those of the output folder, except outputs that stay as they were packed earlier.
#[derive(Debug, Default)]
pub(super) struct OutputFiles {
    folder: PathBuf,
    /// Stored files by the path of the output.
    stored: BTreeMap<String, PathBuf>,
    /// Files of the folder that are read in place of outputs.
    exported: BTreeMap<String, String>,
}

impl OutputFiles {
    /// Output files of `folder`; `stored` has the BLAKE3 of outputs that stay, which are stored below `root`.
    ///
    /// # Errors
    /// A stored file is missing or damaged.
    pub(super) fn new(
        folder: &Path,
        root: &Path,
        stored: &BTreeMap<String, String>,
    ) -> Result<Self, PackError> {
        let mut files = Self {
            folder: folder.to_owned(),
            ..Self::default()
        };
        for (path, blake3) in stored {
            let place = root.join(EDITS_FOLDER).join(blake3);
            // A lost copy is no loss while the output still is what was packed.
            let current = folder.join(path);
            if is_whole(&place, blake3) {
                files.stored.insert(path.clone(), place);
            } else if !is_whole(&current, blake3) {
                return Err(PackError::LostEdit(path.clone()));
            }
        }
        Ok(files)
    }

    /// Reads other files of the folder in place of outputs, by the path of the output.
    pub(super) fn reading<'s>(self, files: impl Iterator<Item = (&'s str, &'s str)>) -> Self {
        let owned = |(output, file): (&str, &str)| (output.to_owned(), file.to_owned());
        Self {
            exported: files.map(owned).collect(),
            ..self
        }
    }

    /// The file of the folder that is read in place of an output.
    pub(super) fn exported(&self, output: &str) -> Option<&str> {
        self.exported.get(output).map(String::as_str)
    }

    /// True if the file of an output that stays is another one now.
    pub(super) fn is_outdated(&self, path: &str) -> bool {
        let stored = self.stored.get(path);
        let blake3 = stored.and_then(|place| place.file_name()?.to_str());
        blake3.is_some_and(|blake3| !is_whole(&self.current(path), blake3))
    }

    /// The file with the bytes of an output.
    pub(super) fn join(&self, path: impl AsRef<str>) -> PathBuf {
        let path = path.as_ref();
        let stored = self.stored.get(path).cloned();
        stored.unwrap_or_else(|| self.current(path))
    }

    fn current(&self, path: &str) -> PathBuf {
        self.folder.join(self.exported(path).unwrap_or(path))
    }
}

/// Stores edits, each by its BLAKE3 and the file to copy, below `root`, which `folder` is.
///
/// # Errors
/// A file was changed since it was packed, or cannot be read or written.
pub(super) fn store(
    folder: &OutputFolder,
    root: &Path,
    edits: &BTreeMap<String, PathBuf>,
) -> Result<(), PackError> {
    for (blake3, from) in edits {
        let path = format!("{EDITS_FOLDER}/{blake3}");
        let place = root.join(&path);
        if is_whole(&place, blake3) {
            continue;
        }
        let bytes = relicast_source::bytes::read_document(from).map_err(access(from))?;
        if super::digest::hash(&bytes) != *blake3 {
            return Err(PackError::Changing(from.clone()));
        }
        write_over(folder, &path, &place, &bytes, |_| true)?;
    }
    Ok(())
}

/// Deletes the stored edits that no game file is made from any more.
///
/// # Errors
/// One cannot be deleted.
pub(super) fn clean(
    folder: &OutputFolder,
    root: &Path,
    used: &BTreeSet<&String>,
) -> Result<(), PackError> {
    let edits = root.join(EDITS_FOLDER);
    let entries = match fs::read_dir(&edits) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(access(&edits)(error)),
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_ours = name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_ours && !used.contains(&name) {
            let path = format!("{EDITS_FOLDER}/{name}");
            folder.remove_file(&path).map_err(access(&entry.path()))?;
            folder.drop_empty_folders(&path);
        }
    }
    Ok(())
}

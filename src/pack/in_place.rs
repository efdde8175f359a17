//! Game files changed in the install itself, with the originals stored in it, and their restoration.
//!
//! The folder `.relicast-originals` in the install holds a list and a copy of every game file that was changed. The
//! list comes first, the copies next, the game files last, each as a whole: a run that is killed leaves every game file
//! in its old or in its new state, and the next run, or [`restore`], continues from there.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::digest::hash;
use super::error::{PackError, access};
use super::inside::Inside;
use super::lock::Lock;
use super::new_files::NewFiles;
use super::selection::{EarlierFiles, Outputs};
use super::stored_edits;
use super::whole_file::{read_regular, write_over};
use crate::pipeline::output::folder::{Durability, OutputFolder, delete_unfinished};
use crate::pipeline::report::documents::is_output;
use relicast_source::bytes::open_regular;
use relicast_source::tree::{ORIGINALS_FOLDER, Opening};

/// Name of the list.
const FILE_NAME: &str = "originals.json";

/// Name of the lock beside it, while a run changes game files.
const LOCK: &str = "lock";

/// A game file that was changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Changed {
    /// BLAKE3 of the game file before.
    original: String,
    /// BLAKE3 of its replacement; while a run goes on, of every file that may be there.
    written: BTreeSet<String>,
    /// The outputs that it was made from, where that is known.
    #[serde(rename = "made_from", default, skip_serializing_if = "Option::is_none")]
    outputs: Option<Outputs>,
}

impl Changed {
    /// True if a file with this BLAKE3 may be replaced: it is the original, or pack wrote it.
    fn is_known(&self, blake3: &str) -> bool {
        self.original == blake3 || self.written.contains(blake3)
    }
}

/// The list of game files that were changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    files: BTreeMap<String, Changed>,
}

impl Record {
    /// Reads the list of the install at `install`; empty without one.
    fn new(install: &Path) -> Result<Self, PackError> {
        let list = install.join(ORIGINALS_FOLDER).join(FILE_NAME);
        let record: Self = match relicast_source::bytes::read_document(&list) {
            Ok(bytes) => {
                serde_json::from_slice(&bytes).map_err(|_| PackError::Foreign(list.clone()))?
            }
            Err(error) if is_absent(&error) => Self::default(),
            Err(error) => return Err(access(&list)(error)),
        };
        match record.files.keys().find(|path| !is_output(path)) {
            Some(path) => Err(PackError::Path(path.clone())),
            None => Ok(record),
        }
    }
}

/// The original game files of an install, before anything was packed into it.
#[derive(Debug)]
pub(super) struct Originals {
    install: PathBuf,
    record: Record,
    inside: Inside,
    /// BLAKE3 of the originals that were read from disk, by path. New files were made from these.
    read: RefCell<BTreeMap<String, String>>,
}

/// Reason why files in a disc image or a cabinet are not changed in place.
pub(super) const PACKAGED: &str =
    "it is in a disc image or a cabinet, which relicast does not modify; pack into a folder (--to)";

/// An original game file.
#[derive(Debug)]
pub(super) struct Original {
    /// Its path below the install; for a file in a disc image or cabinet, its path there.
    pub place: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// True if it is in a disc image or a cabinet.
    pub is_packaged: bool,
}

impl Originals {
    /// Opens the originals of the install at `install`.
    ///
    /// # Errors
    /// Its list is damaged or cannot be read.
    pub(super) fn new(install: &Path) -> Result<Self, PackError> {
        Ok(Self {
            install: install.to_owned(),
            record: Record::new(install)?,
            inside: Inside::new(install),
            read: RefCell::default(),
        })
    }

    /// The game files that earlier runs changed, with the outputs that they were made from.
    pub(super) fn earlier(&self) -> EarlierFiles {
        let files = self.record.files.iter();
        let files = files.map(|(path, changed)| (path.clone(), changed.outputs.clone()));
        files.collect()
    }

    /// Opens images and cabinets with the options that the outputs were made with.
    pub(super) fn opening(mut self, opening: Opening) -> Self {
        self.inside.opening(opening);
        self
    }

    /// True if `path` is a disc image or a file of one.
    ///
    /// # Errors
    /// The install cannot be listed.
    pub(super) fn is_image(&self, path: &str) -> Result<bool, PackError> {
        self.inside.is_image(path)
    }

    /// The original game file at `path`, on disk or in a disc image or a cabinet of the install; if there are two, the
    /// one for which `is_it` is true.
    ///
    /// # Errors
    /// It cannot be read, or there is none.
    pub(super) fn find(
        &self,
        path: &str,
        is_it: impl Fn(&[u8]) -> bool,
    ) -> Result<Original, PackError> {
        let on_disk = match self.read_from_disk(path) {
            Ok(bytes) => {
                let found = Original {
                    place: path.to_owned(),
                    bytes,
                    is_packaged: false,
                };
                if is_it(&found.bytes) {
                    return Ok(found);
                }
                Ok(found)
            }
            Err(PackError::Access { error, path }) if is_absent(&error) => {
                Err(PackError::NotThere(path))
            }
            Err(error) => return Err(error),
        };
        match self.inside.read(path)? {
            Some(packaged) if on_disk.is_err() || is_it(&packaged.bytes) => Ok(Original {
                place: packaged.path,
                bytes: packaged.bytes,
                is_packaged: true,
            }),
            _ => on_disk,
        }
    }

    /// The original game file at `path`.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn read(&self, path: &str) -> Result<Vec<u8>, PackError> {
        self.find(path, |_| true).map(|found| found.bytes)
    }

    /// The original of the game file on disk. The file there is the original or was written by pack.
    fn read_from_disk(&self, path: &str) -> Result<Vec<u8>, PackError> {
        let place = self.install.join(path);
        let mut bytes = Vec::new();
        let read = open_regular(&place).and_then(|mut file| file.read_to_end(&mut bytes));
        read.map_err(access(&place))?;
        let found = hash(&bytes);
        let note = |blake3: String| {
            let mut read = self.read.borrow_mut();
            read.entry(path.to_owned()).or_insert(blake3);
        };
        let changed = self.record.files.get(path);
        // Pack did not write it, so somebody else changed it: the caller reports that.
        let Some(changed) = changed.filter(|changed| changed.written.contains(&found)) else {
            note(found);
            return Ok(bytes);
        };
        let original = self.read_original(path, changed)?;
        note(changed.original.clone());
        Ok(original)
    }

    /// The stored original of a game file.
    ///
    /// # Errors
    /// It cannot be read, or does not match the list.
    fn read_original(&self, path: &str, changed: &Changed) -> Result<Vec<u8>, PackError> {
        let original_path = self.original_path(path);
        let original = read_regular(&original_path)?
            .ok_or_else(|| access(&original_path)(io::ErrorKind::NotFound.into()))?;
        match hash(&original) == changed.original {
            true => Ok(original),
            false => Err(PackError::Foreign(original_path)),
        }
    }

    fn original_path(&self, path: &str) -> PathBuf {
        self.install.join(ORIGINALS_FOLDER).join(path)
    }

    /// Hash of the file at `path` now; `None` if there is no file.
    fn now(&self, path: &str) -> Result<Option<String>, PackError> {
        let place = self.install.join(path);
        Ok(read_regular(&place)?.map(|bytes| hash(&bytes)))
    }

    /// Checks that game files may be changed to `files`: each is the original, or was written by pack.
    ///
    /// # Errors
    /// Another file is there, or another run has changed the install since its list was read.
    pub(super) fn check(&self, files: NewFiles<'_>) -> Result<(), PackError> {
        for (path, changed) in &self.record.files {
            let is_written = files.bytes.contains_key(path);
            if !is_written && (files.is_retained)(path) {
                continue;
            }
            let is_known = match self.now(path)? {
                Some(now) => changed.is_known(&now),
                // A deleted file may be restored.
                None => !is_written,
            };
            if !is_known {
                // A run that wrote it since the list was read has written its own list first.
                return Err(if Record::new(&self.install)? == self.record {
                    PackError::Foreign(self.install.join(path))
                } else {
                    PackError::Busy(self.install.clone())
                });
            }
        }
        Ok(())
    }

    /// Writes the game files, and restores the originals of all others that do not stay. Returns the restored ones.
    ///
    /// # Errors
    /// Another run is working in the install or has changed it since it was read, or another file is there, and nothing
    /// was changed; or something cannot be written, and every game file is in its old or its new state.
    pub(super) fn write(&self, files: NewFiles<'_>) -> Result<Vec<String>, PackError> {
        let install = &*self.install;
        let originals = install.join(ORIGINALS_FOLDER);
        if files.bytes.is_empty() && !originals.is_dir() {
            return self.check(files).map(|()| Vec::new());
        }
        if fs::symlink_metadata(&originals).is_ok_and(|metadata| !metadata.is_dir()) {
            return Err(PackError::Foreign(originals));
        }
        let _lock = Lock::take(&originals, LOCK)?.with_folder(&originals);
        if Record::new(install)? != self.record {
            return Err(PackError::Busy(install.to_owned()));
        }
        self.check(files)?;
        self.change(files)
    }

    /// Changes the game files while no other run does.
    fn change(&self, files: NewFiles<'_>) -> Result<Vec<String>, PackError> {
        let install = &*self.install;
        delete_unfinished(install);
        let folder = OutputFolder::open(install, Durability::default()).map_err(access(install))?;
        let list = format!("{ORIGINALS_FOLDER}/{FILE_NAME}");
        if files.bytes.is_empty() && self.record.files.is_empty() {
            // A run was killed before it wrote its list, or after it had restored everything.
            self.clean(&folder, &self.record)?;
            return forget(&folder, &list, install).map(|()| Vec::new());
        }
        let mut originals = BTreeMap::new();
        let mut record = self.record.clone();
        for (path, bytes) in files.bytes {
            let made_from = self.read.borrow().get(path).cloned();
            let original = self.read(path)?;
            let changed = record.files.entry(path.clone()).or_default();
            changed.original = hash(&original);
            if made_from.as_ref() != Some(&changed.original) {
                return Err(PackError::Foreign(install.join(path)));
            }
            changed.written.insert(hash(bytes));
            changed.outputs = match (changed.outputs.take(), files.outputs.get(path)) {
                (Some(mut before), Some(new)) => {
                    before.extend(new.clone());
                    Some(before)
                }
                (_, new) => new.cloned(),
            };
            originals.insert(path, original);
        }
        stored_edits::store(&folder, install, files.edits)?;
        write_list(&folder, install, &record)?;
        for (path, original) in originals {
            self.keep(&folder, path, &original)?;
        }
        for (path, bytes) in files.bytes {
            if let Some(changed) = record.files.get(path) {
                self.replace(&folder, path, bytes, changed)?;
            }
        }
        let is_over = |path: &String| !files.bytes.contains_key(path) && !(files.is_retained)(path);
        let over: Vec<&String> = self
            .record
            .files
            .keys()
            .filter(|path| is_over(path))
            .collect();
        let mut restored = Vec::new();
        for &path in &over {
            if self.restore(&folder, path)? {
                restored.push(path.clone());
            }
        }
        // Copies are deleted before the list that names them, so that no unlisted file remains.
        for &path in &over {
            forget(&folder, &format!("{ORIGINALS_FOLDER}/{path}"), install)?;
        }
        record.files.retain(|path, _| !over.contains(&path));
        for (path, bytes) in files.bytes {
            if let Some(changed) = record.files.get_mut(path) {
                changed.written = BTreeSet::from([hash(bytes)]);
                changed.outputs = files.outputs.get(path).cloned();
            }
        }
        self.clean(&folder, &record)?;
        match record.files.is_empty() {
            true => forget(&folder, &list, install)?,
            false => write_list(&folder, install, &record)?,
        }
        Ok(restored)
    }

    /// Deletes the stored edits that no file in the list is made from.
    fn clean(&self, folder: &OutputFolder, record: &Record) -> Result<(), PackError> {
        let outputs = record.files.values();
        let outputs = outputs.filter_map(|changed| changed.outputs.as_ref());
        let made_from = outputs.flat_map(BTreeMap::values);
        let used = made_from.flat_map(|made_from| made_from.files.values());
        stored_edits::clean(folder, &self.install, &used.collect())
    }

    /// Stores an original unless it is stored already. A stored original is never replaced.
    fn keep(&self, folder: &OutputFolder, path: &str, original: &[u8]) -> Result<(), PackError> {
        let original_path = self.original_path(path);
        match read_regular(&original_path)? {
            Some(found) if found == original => Ok(()),
            Some(_) => Err(PackError::Foreign(original_path)),
            None => {
                let below = format!("{ORIGINALS_FOLDER}/{path}");
                write_over(folder, &below, &original_path, original, |_| false)
            }
        }
    }

    /// Replaces a game file that is the original, or was written by pack.
    fn replace(
        &self,
        folder: &OutputFolder,
        path: &str,
        bytes: &[u8],
        changed: &Changed,
    ) -> Result<(), PackError> {
        let place = self.install.join(path);
        write_over(folder, path, &place, bytes, |found| changed.is_known(found))
    }

    /// Restores an original. Returns true if it had been replaced.
    fn restore(&self, folder: &OutputFolder, path: &str) -> Result<bool, PackError> {
        let Some(changed) = self.record.files.get(path) else {
            return Ok(false);
        };
        if self.now(path)?.as_ref() == Some(&changed.original) {
            return Ok(false);
        }
        let original = self.read_original(path, changed)?;
        self.replace(folder, path, &original, changed)?;
        Ok(true)
    }
}

/// A path below an install or on a disc, if it does not leave it.
///
/// # Errors
/// It leaves it.
pub(super) fn place_of(path: &str) -> Result<String, PackError> {
    let is_plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    match path.split('/').all(is_plain) && !path.contains(['\\', '\0', ':']) {
        true => Ok(path.to_owned()),
        false => Err(PackError::Path(path.to_owned())),
    }
}

/// True if the error says that the file or its folder does not exist.
pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn write_list(folder: &OutputFolder, install: &Path, record: &Record) -> Result<(), PackError> {
    let mut text = serde_json::to_string_pretty(record)?;
    text.push('\n');
    let path = format!("{ORIGINALS_FOLDER}/{FILE_NAME}");
    folder
        .write_durably(&path, text.as_bytes())
        .map_err(access(&install.join(&path)))
}

/// Deletes a file of ours that is not needed any more, and the folders that become empty.
fn forget(folder: &OutputFolder, path: &str, install: &Path) -> Result<(), PackError> {
    match folder.remove_file(path) {
        Ok(()) => {
            folder.drop_empty_folders(path);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(access(&install.join(path))(error)),
    }
}

/// Result of restoring, or of a dry run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restored {
    /// The game files that would be restored, or were.
    pub files: Vec<String>,
    /// Game files that were left as they are, each with the reason.
    pub left: Vec<(String, String)>,
}

/// Restores the game files that nobody else changed.
///
/// # Errors
/// Another run is working in the install, or something cannot be read or written.
pub fn restore(install: &Path, check: bool) -> Result<Restored, PackError> {
    let originals = Originals::new(install)?;
    let mut restored = Restored::default();
    for (path, changed) in &originals.record.files {
        let now = originals.now(path)?;
        let reason = match originals.read_original(path, changed) {
            _ if now.as_ref() == Some(&changed.original) => continue,
            Ok(_) if now.is_some_and(|now| !changed.is_known(&now)) => {
                "another program changed it since; to undo that too, copy its original from .relicast-originals over \
                 it, and restore again"
            }
            Err(_) => {
                "its stored original in .relicast-originals is missing or damaged; install this file of the game \
                 again, and restore again"
            }
            Ok(_) => {
                restored.files.push(path.clone());
                continue;
            }
        };
        restored.left.push((path.clone(), reason.to_owned()));
    }
    if !check {
        let is_left = |path: &str| restored.left.iter().any(|(left, _)| left == path);
        restored.files = originals.write(NewFiles {
            bytes: &BTreeMap::new(),
            outputs: &BTreeMap::new(),
            edits: &BTreeMap::new(),
            is_retained: &is_left,
            earlier: None,
        })?;
    }
    Ok(restored)
}

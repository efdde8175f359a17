//! Game files changed in the install itself, with the originals kept beside, and the way back.
//!
//! The folder `.relicast-originals` in the install holds a list and a copy of every game file that was changed. The list
//! comes first, the copies next, the game files last, each as a whole: a run that is killed leaves every game file as it was or as it
//! is to be, and the next run, or [`restore`], goes on from there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::digest::hash;
use super::error::{PackError, access};
use super::inside::Inside;
use super::whole_file::read_regular;
use crate::pipeline::documents::is_output;
use crate::pipeline::folder::{Durability, OutputFolder, delete_unfinished};
use crate::source::tree::{ORIGINALS_FOLDER, Opening};

/// Name of the list.
const FILE_NAME: &str = "originals.json";

/// A game file that was changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Changed {
    /// BLAKE3 of the game file before.
    original: String,
    /// BLAKE3 of what was put in its place; of all that may be there, while a run goes on.
    written: BTreeSet<String>,
}

/// The list of game files that were changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    files: BTreeMap<String, Changed>,
}

/// The game files of an install as they were before anything was packed into it.
#[derive(Debug)]
pub(super) struct Originals {
    install: PathBuf,
    record: Record,
    inside: Inside,
}

/// Why what lies in a disc image or a cabinet is not changed in place.
pub(super) const PACKAGED: &str =
    "it lies in a disc image or a cabinet, which are not written; pack into a folder (--to)";

/// A game file as it was.
#[derive(Debug)]
pub(super) struct Original {
    /// Its path below the install; that on the disc or in the cabinet, where it lies in one.
    pub place: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether it lies in a disc image or a cabinet.
    pub is_packaged: bool,
}

impl Originals {
    /// Those of the install at `install`.
    ///
    /// # Errors
    /// Its list is damaged or cannot be read.
    pub(super) fn of(install: &Path) -> Result<Self, PackError> {
        let list = install.join(ORIGINALS_FOLDER).join(FILE_NAME);
        let record: Record = match fs::read(&list) {
            Ok(bytes) => {
                serde_json::from_slice(&bytes).map_err(|_| PackError::Foreign(list.clone()))?
            }
            Err(error) if is_absent(&error) => Record::default(),
            Err(error) => return Err(access(&list)(error)),
        };
        match record.files.keys().find(|path| !is_output(path)) {
            Some(path) => Err(PackError::Path(path.clone())),
            None => Ok(Self {
                install: install.to_owned(),
                record,
                inside: Inside::of(install),
            }),
        }
    }

    /// With images and cabinets opened as the outputs were made.
    pub(super) fn opening(mut self, opening: Opening) -> Self {
        self.inside.opening(opening);
        self
    }

    /// Whether an image of a disc lies at `path`, or is made of what lies there.
    ///
    /// # Errors
    /// The install cannot be listed.
    pub(super) fn is_image(&self, path: &str) -> Result<bool, PackError> {
        self.inside.is_image(path)
    }

    /// The game file at `path` as it was, on disk or in a disc image or a cabinet of the install; the one that `is_it`, if
    /// there are two.
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
                Err(PackError::Access { error, path })
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

    /// The game file at `path` as it was.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn read(&self, path: &str) -> Result<Vec<u8>, PackError> {
        self.find(path, |_| true).map(|found| found.bytes)
    }

    /// The game file on disk as it was. What is there now is that, or what we put in its place.
    fn read_from_disk(&self, path: &str) -> Result<Vec<u8>, PackError> {
        let place = self.install.join(path);
        let bytes = fs::read(&place).map_err(access(&place))?;
        let Some(changed) = self.record.files.get(path) else {
            return Ok(bytes);
        };
        // What we did not write was changed by others: let the caller see that.
        match changed.written.contains(&hash(&bytes)) {
            false => Ok(bytes),
            true => {
                let kept = self.kept(path);
                fs::read(&kept).map_err(access(&kept))
            }
        }
    }

    fn kept(&self, path: &str) -> PathBuf {
        self.install.join(ORIGINALS_FOLDER).join(path)
    }

    /// What is at `path` now: its hash; none when nothing is there.
    fn now(&self, path: &str) -> Result<Option<String>, PackError> {
        let place = self.install.join(path);
        Ok(read_regular(&place)?.map(|bytes| hash(&bytes)))
    }

    /// Checks that game files may be changed to `files`: each is the original, or what we put in its place.
    ///
    /// # Errors
    /// Another file is there.
    pub(super) fn check(&self, files: &BTreeMap<String, Vec<u8>>) -> Result<(), PackError> {
        for path in files.keys().chain(self.record.files.keys()) {
            let Some(changed) = self.record.files.get(path) else {
                continue;
            };
            let now = self.now(path)?;
            if !now.is_some_and(|now| now == changed.original || changed.written.contains(&now)) {
                return Err(PackError::Foreign(self.install.join(path)));
            }
        }
        Ok(())
    }

    /// Makes the game files `files`, and puts the originals of all others back. Tells which were put back.
    ///
    /// # Errors
    /// Another file is there, and nothing was changed; or something cannot be written, and every game file is as it was
    /// or as it is to be.
    pub(super) fn write(
        &self,
        files: &BTreeMap<String, Vec<u8>>,
    ) -> Result<Vec<String>, PackError> {
        self.check(files)?;
        let install = &*self.install;
        let has_begun = install.join(ORIGINALS_FOLDER).is_dir();
        if files.is_empty() && !has_begun {
            return Ok(Vec::new());
        }
        if has_begun {
            delete_unfinished(install);
        }
        let folder = OutputFolder::open(install, Durability::default()).map_err(access(install))?;
        let list = format!("{ORIGINALS_FOLDER}/{FILE_NAME}");
        if files.is_empty() && self.record.files.is_empty() {
            // A run was killed before it wrote its list, or after it had put everything back.
            forget(&folder, &list, install)?;
            folder.drop_empty_folders(&list);
            return Ok(Vec::new());
        }
        let mut originals = BTreeMap::new();
        let mut record = self.record.clone();
        for (path, bytes) in files {
            let original = self.read(path)?;
            let changed = record.files.entry(path.clone()).or_default();
            changed.original = hash(&original);
            changed.written.insert(hash(bytes));
            originals.insert(path, original);
        }
        write_list(&folder, install, &record)?;
        for (path, original) in originals {
            let kept = self.kept(path);
            if read_regular(&kept)?.as_ref() != Some(&original) {
                folder
                    .write_durably(&format!("{ORIGINALS_FOLDER}/{path}"), &original)
                    .map_err(access(&kept))?;
            }
        }
        for (path, bytes) in files {
            folder
                .write_durably(path, bytes)
                .map_err(access(&install.join(path)))?;
        }
        let mut restored = Vec::new();
        for path in self.record.files.keys() {
            if !files.contains_key(path) && self.put_back(&folder, path)? {
                restored.push(path.clone());
            }
        }
        // Copies go before the list that tells of them: nothing is left that no list tells of.
        for path in self.record.files.keys() {
            if !files.contains_key(path) {
                forget(&folder, &format!("{ORIGINALS_FOLDER}/{path}"), install)?;
            }
        }
        record.files.retain(|path, _| files.contains_key(path));
        for (path, bytes) in files {
            if let Some(changed) = record.files.get_mut(path) {
                changed.written = BTreeSet::from([hash(bytes)]);
            }
        }
        match record.files.is_empty() {
            true => forget(&folder, &list, install)?,
            false => write_list(&folder, install, &record)?,
        }
        Ok(restored)
    }

    /// Puts an original back, and tells whether it was away.
    fn put_back(&self, folder: &OutputFolder, path: &str) -> Result<bool, PackError> {
        let Some(changed) = self.record.files.get(path) else {
            return Ok(false);
        };
        if self.now(path)?.as_ref() == Some(&changed.original) {
            return Ok(false);
        }
        let kept = self.kept(path);
        let original = fs::read(&kept).map_err(access(&kept))?;
        if hash(&original) != changed.original {
            return Err(PackError::Foreign(kept));
        }
        folder
            .write_durably(path, &original)
            .map_err(access(&self.install.join(path)))?;
        Ok(true)
    }
}

/// A path below an install or on a disc, when it leads nowhere else.
///
/// # Errors
/// It does.
pub(super) fn place_of(path: &str) -> Result<String, PackError> {
    let is_plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    match path.split('/').all(is_plain) && !path.contains(['\\', '\0', ':']) {
        true => Ok(path.to_owned()),
        false => Err(PackError::Path(path.to_owned())),
    }
}

/// Whether an error tells that nothing is there: no such file, or no such folder.
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

/// Deletes a file of ours that is not needed any more, and the folders that are empty then.
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

/// The game files that would be put back, or were.
///
/// # Errors
/// A game file was changed by others since: nothing is put back then; or something cannot be read or written.
pub fn restore(install: &Path, check: bool) -> Result<Vec<String>, PackError> {
    let originals = Originals::of(install)?;
    let none = BTreeMap::new();
    if !check {
        return originals.write(&none);
    }
    originals.check(&none)?;
    let mut away = Vec::new();
    for (path, changed) in &originals.record.files {
        if originals.now(path)?.as_ref() != Some(&changed.original) {
            away.push(path.clone());
        }
    }
    Ok(away)
}

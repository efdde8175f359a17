//! What earlier runs wrote into the folder of changed game files: only that is replaced or deleted.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::digest::hash;
use super::error::{PackError, access};
use crate::pipeline::folder::{Durability, OutputFolder};

/// Name of the list in the folder.
const FILE_NAME: &str = "relicast-pack.json";

/// The list.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Record {
    /// BLAKE3 of each file by its path; of what may be there, while a run goes on.
    files: BTreeMap<String, Vec<String>>,
}

/// Writes the files, deletes those that earlier runs wrote and that are not among them, and tells these.
///
/// # Errors
/// The folder is the install or the outputs, other files lie in the places of ours, or it cannot be written. In the
/// first two cases nothing was changed.
pub(super) fn write(
    to: &Path,
    from: &Path,
    out: &Path,
    files: &BTreeMap<String, Vec<u8>>,
) -> Result<Vec<String>, PackError> {
    let place = whole(to)?;
    for other in [from, out] {
        let other = whole(other)?;
        if place.starts_with(&other) || other.starts_with(&place) {
            return Err(PackError::Inside(to.to_owned()));
        }
    }
    let list = to.join(FILE_NAME);
    let earlier: Record = match fs::read(&list) {
        Ok(bytes) => {
            serde_json::from_slice(&bytes).map_err(|_| PackError::Foreign(list.clone()))?
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Record::default(),
        Err(error) => return Err(access(&list)(error)),
    };
    for path in files.keys().chain(earlier.files.keys()) {
        let place = to.join(path);
        match fs::symlink_metadata(&place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(access(&place)(error)),
            Ok(metadata) if !metadata.is_file() => return Err(PackError::Foreign(place)),
            Ok(_) => {}
        }
        let bytes = fs::read(&place).map_err(access(&place))?;
        let listed = earlier.files.get(path);
        if !listed.is_some_and(|listed| listed.contains(&hash(&bytes))) {
            return Err(PackError::Foreign(place));
        }
    }
    if files.is_empty() && earlier.files.is_empty() {
        return Ok(Vec::new());
    }
    fs::create_dir_all(to).map_err(access(to))?;
    let folder = OutputFolder::open(to, Durability::default()).map_err(access(to))?;
    let mut record = Record::default();
    for (path, bytes) in files {
        record.files.insert(path.clone(), vec![hash(bytes)]);
    }
    // The list comes first, with what is there as well: a run that is killed leaves nothing that no list tells of.
    let mut both = Record::default();
    both.files.extend(earlier.files.clone());
    for (path, new) in &record.files {
        let listed = both.files.entry(path.clone()).or_default();
        listed.extend(new.iter().cloned());
        listed.dedup();
    }
    let write = |record: &Record| -> Result<(), PackError> {
        let mut text = serde_json::to_string_pretty(record)?;
        text.push('\n');
        folder
            .write_durably(FILE_NAME, text.as_bytes())
            .map_err(access(&list))
    };
    write(&both)?;
    for (path, bytes) in files {
        folder
            .write_durably(path, bytes)
            .map_err(access(&to.join(path)))?;
    }
    let mut removed = Vec::new();
    for path in earlier.files.keys() {
        if files.contains_key(path) || !to.join(path).exists() {
            continue;
        }
        folder.remove_file(path).map_err(access(&to.join(path)))?;
        folder.drop_empty_folders(path);
        removed.push(path.clone());
    }
    write(&record)?;
    Ok(removed)
}

/// The path without links, as far as it exists.
fn whole(path: &Path) -> Result<PathBuf, PackError> {
    let absolute = std::path::absolute(path).map_err(access(path))?;
    let mut rest = Vec::new();
    let mut known = &*absolute;
    loop {
        if let Ok(found) = fs::canonicalize(known) {
            return Ok(rest.iter().rev().fold(found, |path, part| path.join(part)));
        }
        match (known.parent(), known.file_name()) {
            (Some(parent), Some(name)) => {
                rest.push(name.to_owned());
                known = parent;
            }
            _ => return Ok(absolute),
        }
    }
}

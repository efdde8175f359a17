//! What earlier runs wrote into the folder of changed game files: only that is replaced or deleted.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::digest::hash;
use super::error::{PackError, access};
use super::whole_file::read_regular;
use crate::pipeline::documents::is_output;
use crate::pipeline::folder::{Durability, OutputFolder, delete_unfinished};
use crate::source::names::whole;

/// Name of the list in the folder.
const FILE_NAME: &str = "relicast-pack.json";

/// The list.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Record {
    /// BLAKE3 of each file by its path; of what may be there, while a run goes on.
    files: BTreeMap<String, Vec<String>>,
}

/// Checks that the files may be written to the folder `to`, and tells what earlier runs wrote there.
///
/// # Errors
/// The folder is one of `others`, lies in one or holds one, or other files lie in the places of ours.
pub(super) fn check(
    to: &Path,
    others: &[&Path],
    files: &BTreeMap<String, Vec<u8>>,
) -> Result<Earlier, PackError> {
    let place = whole(to);
    for other in others {
        let other = whole(other);
        if place.starts_with(&other) || other.starts_with(&place) {
            return Err(PackError::Inside(to.to_owned()));
        }
    }
    let list = to.join(FILE_NAME);
    let earlier: Record = match read_regular(&list)? {
        Some(bytes) => {
            serde_json::from_slice(&bytes).map_err(|_| PackError::Foreign(list.clone()))?
        }
        None => Record::default(),
    };
    if let Some(path) = earlier.files.keys().find(|path| !is_output(path)) {
        return Err(PackError::Path(path.clone()));
    }
    for path in files.keys().chain(earlier.files.keys()) {
        let place = to.join(path);
        let Some(bytes) = read_regular(&place)? else {
            continue;
        };
        let listed = earlier.files.get(path);
        if !listed.is_some_and(|listed| listed.contains(&hash(&bytes))) {
            return Err(PackError::Foreign(place));
        }
    }
    Ok(Earlier(earlier))
}

/// What earlier runs wrote.
#[derive(Debug)]
pub(super) struct Earlier(Record);

/// Writes the files, deletes those that earlier runs wrote and that are not among them, and tells these.
///
/// # Errors
/// As [`check`], and nothing was changed; or the folder cannot be written.
pub(super) fn write(
    to: &Path,
    others: &[&Path],
    files: &BTreeMap<String, Vec<u8>>,
) -> Result<Vec<String>, PackError> {
    let Earlier(earlier) = check(to, others, files)?;
    let list = to.join(FILE_NAME);
    if to.is_dir() {
        // Of runs that were killed.
        delete_unfinished(to);
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

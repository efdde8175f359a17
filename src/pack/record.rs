//! Record of the files that earlier runs wrote into the destination: only those are replaced or deleted.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::digest::hash;
use super::error::{PackError, access};
use super::lock::Lock;
use super::new_files::NewFiles;
use super::selection::{EarlierFiles, Outputs};
use super::stored_edits;
use super::whole_file::{read_regular, write_over};
use crate::pipeline::output::folder::{Durability, OutputFolder, delete_unfinished};
use crate::pipeline::output::hash::hash_reader;
use crate::pipeline::report::documents::is_output;
use relicast_source::names::whole;
use relicast_source::tree::PACK_LIST;

/// Name of the lock in the folder, while a run writes there.
const LOCK: &str = ".relicast-lock";

/// The list.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    /// BLAKE3 of each file by its path; while a run goes on, of every file that may be there.
    files: BTreeMap<String, Vec<String>>,
    /// The outputs that each file was made from, if known.
    #[serde(
        rename = "made_from",
        default,
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    outputs: BTreeMap<String, Outputs>,
}

/// Reads the list in the folder `to`; empty without one.
fn read(to: &Path) -> Result<Record, PackError> {
    let list = to.join(PACK_LIST);
    let record: Record = match read_regular(&list)? {
        Some(bytes) => {
            serde_json::from_slice(&bytes).map_err(|_| PackError::Foreign(list.clone()))?
        }
        None => Record::default(),
    };
    match record.files.keys().find(|path| !is_output(path)) {
        Some(path) => Err(PackError::Path(path.clone())),
        None => Ok(record),
    }
}

/// The files that earlier runs wrote to the folder `to`, with the outputs that they were made from.
///
/// # Errors
/// The list of them is damaged or cannot be read.
pub(super) fn earlier(to: &Path) -> Result<EarlierFiles, PackError> {
    read(to).map(|record| record.made_from())
}

impl Record {
    /// The outputs that each file was made from.
    fn made_from(&self) -> EarlierFiles {
        let files = self.files.keys();
        let made_from = |path: &String| (path.clone(), self.outputs.get(path).cloned());
        files.map(made_from).collect()
    }
}

/// Checks that the files may be written to the folder `to`. Returns the record of earlier runs there.
///
/// # Errors
/// The folder is, contains or is inside one of `others`, other files are at the paths of ours, or another run is
/// writing there.
pub(super) fn check(
    to: &Path,
    others: &[&Path],
    files: NewFiles<'_>,
) -> Result<Earlier, PackError> {
    let place = whole(to);
    for other in others {
        let other = whole(other);
        if place.starts_with(&other) || other.starts_with(&place) {
            return Err(PackError::Inside(to.to_owned()));
        }
    }
    let earlier = read(to)?;
    let left = earlier
        .files
        .keys()
        .filter(|path| !(files.is_retained)(path));
    for path in files.bytes.keys().chain(left) {
        let place = to.join(path);
        let Some(bytes) = read_regular(&place)? else {
            continue;
        };
        let listed = earlier.files.get(path);
        if !listed.is_some_and(|listed| listed.contains(&hash(&bytes))) {
            // A run that wrote it since the list was read has written its own list first.
            return Err(if read(to)? == earlier {
                PackError::Foreign(place)
            } else {
                PackError::Busy(to.to_owned())
            });
        }
    }
    Ok(Earlier(earlier))
}

/// Files that earlier runs wrote.
#[derive(Debug)]
pub(super) struct Earlier(Record);

/// Writes the files. Deletes files of earlier runs that neither are among them nor stay, and returns these.
///
/// # Errors
/// As for [`check`], and nothing was changed; or another run writes there, or the folder cannot be written.
pub(super) fn write(
    to: &Path,
    others: &[&Path],
    files: NewFiles<'_>,
) -> Result<Vec<String>, PackError> {
    let Earlier(earlier) = check(to, others, files)?;
    if files.bytes.is_empty() && earlier.files.is_empty() && !to.is_dir() {
        return Ok(Vec::new());
    }
    if let Some(parent) = to.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent).map_err(access(parent))?;
    }
    let _lock = Lock::take(to, LOCK)?;
    // Another run may have written there since.
    let Earlier(earlier) = check(to, others, files)?;
    if (files.earlier).is_some_and(|known| *known != earlier.made_from()) {
        return Err(PackError::Busy(to.to_owned()));
    }
    // Left by runs that were killed.
    delete_unfinished(to);
    let folder = OutputFolder::open(to, Durability::default()).map_err(access(to))?;
    if files.bytes.is_empty() && earlier.files.is_empty() {
        return clean(&folder, to, &Record::default()).map(|()| Vec::new());
    }
    stored_edits::store(&folder, to, files.edits)?;
    let stays = |path: &String| !files.bytes.contains_key(path) && (files.is_retained)(path);
    let mut record = Record::default();
    for (path, listed) in earlier.files.iter().filter(|(path, _)| stays(path)) {
        record.files.insert(path.clone(), listed.clone());
        let outputs = earlier.outputs.get(path).cloned();
        record
            .outputs
            .extend(outputs.map(|outputs| (path.clone(), outputs)));
    }
    for (path, bytes) in files.bytes {
        record.files.insert(path.clone(), vec![hash(bytes)]);
        let outputs = files.outputs.get(path).cloned();
        record
            .outputs
            .extend(outputs.map(|outputs| (path.clone(), outputs)));
    }
    // The list is written first, and includes the existing files: a run that is killed leaves no unlisted file.
    let mut both = Record {
        files: earlier.files.clone(),
        outputs: earlier.outputs.clone(),
    };
    for (path, new) in &record.files {
        let listed = both.files.entry(path.clone()).or_default();
        listed.extend(new.iter().cloned());
        listed.dedup();
    }
    for (path, new) in &record.outputs {
        let listed = both.outputs.entry(path.clone()).or_default();
        listed.extend(new.clone());
    }
    write_list(&folder, to, &both)?;
    for (path, bytes) in files.bytes {
        let listed = earlier.files.get(path);
        let is_ours = |found: &str| {
            let mut listed = listed.into_iter().flatten();
            listed.any(|listed| listed == found)
        };
        write_over(&folder, path, &to.join(path), bytes, is_ours)?;
    }
    let mut removed = Vec::new();
    for (path, listed) in &earlier.files {
        if record.files.contains_key(path) || !to.join(path).exists() {
            continue;
        }
        let is_ours = |file: &fs::File| Ok(listed.contains(&hash_reader(file)?.blake3));
        let place = to.join(path);
        if !folder.remove_known(path, is_ours).map_err(access(&place))? {
            return Err(PackError::Foreign(place));
        }
        folder.drop_empty_folders(path);
        removed.push(path.clone());
    }
    write_list(&folder, to, &record)?;
    clean(&folder, to, &record)?;
    Ok(removed)
}

/// Deletes the stored edits that no file in the list is made from.
fn clean(folder: &OutputFolder, to: &Path, record: &Record) -> Result<(), PackError> {
    let outputs = record.outputs.values().flat_map(BTreeMap::values);
    let used = outputs.flat_map(|made_from| made_from.files.values());
    stored_edits::clean(folder, to, &used.collect())
}

fn write_list(folder: &OutputFolder, to: &Path, record: &Record) -> Result<(), PackError> {
    let mut text = serde_json::to_string_pretty(record)?;
    text.push('\n');
    folder
        .write_durably(PACK_LIST, text.as_bytes())
        .map_err(access(&to.join(PACK_LIST)))
}

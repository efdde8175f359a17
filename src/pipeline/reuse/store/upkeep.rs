//! Maintenance of a store: counts its contents, verifies them, and deletes unused ones.
//!
//! ```
//! use relicast::pipeline::reuse::store::{StoreError, upkeep};
//!
//! let folder = tempfile::tempdir()?;
//! assert!(matches!(upkeep::verify(folder.path()), Err(StoreError::Absent(_))));
//! # Ok::<(), std::io::Error>(())
//! ```

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;
use walkdir::WalkDir;

use super::objects::path_of;
use super::{Access, DAMAGED, ITEMS, OBJECTS, Store, StoreError, access, entries, objects, place};
use crate::pipeline::output::folder::{Durability, delete_unfinished, is_unfinished};
use crate::pipeline::output::hash::hash_file;
use crate::pipeline::report::document_file::{self, Unread};
use crate::pipeline::report::documents::WORK_FOLDER;
use crate::pipeline::report::manifest::{self, Manifest};

/// Contents of a store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Objects.
    pub objects: u64,
    /// Total bytes of the objects.
    pub bytes: u64,
    /// Results of items.
    pub items: u64,
    /// Damaged objects.
    pub damaged: u64,
    /// Files that are links to objects; 0 if the system does not count links.
    pub linked: u64,
    /// Additional bytes that these would use as files of their own, without the store.
    pub saved: u64,
}

/// Result of verifying a store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Objects that are unchanged.
    pub equal: u64,
    /// Objects with other bytes, or that cannot be read.
    pub damaged: Vec<String>,
    /// Items whose entry is damaged.
    pub damaged_items: Vec<String>,
    /// Files that do not belong to the store.
    pub foreign: Vec<String>,
}

/// Objects and entries that were deleted, or would be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Collected {
    /// Objects that a listed output folder uses.
    pub kept: u64,
    /// Bytes of these objects.
    pub kept_bytes: u64,
    /// Objects that no folder uses, and damaged ones.
    pub deleted: u64,
    /// Bytes of these objects. Outputs that are links to them keep the bytes on disk.
    pub deleted_bytes: u64,
    /// Results of items with missing outputs.
    pub deleted_items: u64,
}

/// File of the store.
struct Stored {
    /// Name, which is a hash.
    name: String,
    path: PathBuf,
    metadata: Metadata,
}

/// Files in a folder of the store, sorted, and the paths of other files there.
fn stored(
    root: &Path,
    folder: &str,
    digits: usize,
) -> Result<(Vec<Stored>, Vec<String>), StoreError> {
    let (mut found, mut foreign) = (Vec::new(), Vec::new());
    let base = root.join(folder);
    if !base.is_dir() {
        return Ok((found, foreign));
    }
    for entry in WalkDir::new(&base).sort_by_file_name() {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(&base).to_owned();
            access(&path)(error.into())
        })?;
        if entry.file_type().is_dir() {
            continue;
        }
        // Unfinished files of a running or killed run do not count.
        if entry.file_name().to_str().is_some_and(is_unfinished) {
            continue;
        }
        let path = entry.path().to_owned();
        let metadata = fs::symlink_metadata(&path).map_err(access(&path))?;
        let below = path.strip_prefix(&base).unwrap_or(&path);
        let name: String = below.iter().map(|part| part.to_string_lossy()).collect();
        let expected = place(folder, &name, digits).map(|path| root.join(path));
        match metadata.is_file() && expected.as_ref() == Some(&path) {
            true => found.push(Stored {
                name,
                path,
                metadata,
            }),
            false => {
                let shown = path.strip_prefix(root).unwrap_or(&path);
                foreign.push(shown.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    Ok((found, foreign))
}

#[cfg(unix)]
fn links(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata).saturating_sub(1)
}

#[cfg(not(unix))]
fn links(_: &Metadata) -> u64 {
    0
}

fn open(root: &Path, who: Access) -> Result<Store, StoreError> {
    Store::open_present(root, Durability::System, who)
}

/// Counts the contents of the store.
///
/// # Errors
/// There is no store, or it cannot be read.
pub fn stats(root: &Path) -> Result<Stats, StoreError> {
    let _store = open(root, Access::Shared)?;
    let mut stats = Stats::default();
    for object in stored(root, OBJECTS, objects::DIGITS)?.0 {
        let (size, links) = (object.metadata.len(), links(&object.metadata));
        stats.objects += 1;
        stats.bytes += size;
        stats.linked += links;
        stats.saved += size * links.saturating_sub(1);
    }
    stats.items = stored(root, ITEMS, entries::DIGITS)?.0.len() as u64;
    stats.damaged = aside(root)?.len() as u64;
    Ok(stats)
}

/// Damaged objects that were moved aside.
fn aside(root: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let folder = root.join(DAMAGED);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut paths = Vec::new();
    for entry in fs::read_dir(&folder).map_err(access(&folder))? {
        let path = entry.map_err(access(&folder))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let is_ours = name.is_some_and(|name| path_of(name).is_some());
        if is_ours && fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file()) {
            paths.push(path);
        }
    }
    Ok(paths)
}

/// Reads every object and compares it with its name. Changes nothing.
///
/// # Errors
/// There is no store, or it cannot be listed.
pub fn verify(root: &Path) -> Result<Verified, StoreError> {
    let _store = open(root, Access::Shared)?;
    let (found, mut foreign) = stored(root, OBJECTS, objects::DIGITS)?;
    let (items, more) = stored(root, ITEMS, entries::DIGITS)?;
    foreign.extend(more);
    let damaged: Vec<String> = found
        .par_iter()
        .filter(|object| !hash_file(&object.path).is_ok_and(|hashed| hashed.blake3 == object.name))
        .map(|object| object.name.clone())
        .collect();
    let damaged_items = items
        .par_iter()
        .filter(|item| {
            let text = fs::read_to_string(&item.path);
            text.map_or(true, |text| entries::parse(&text).is_none())
        })
        .map(|item| item.name.clone())
        .collect();
    Ok(Verified {
        equal: (found.len() - damaged.len()) as u64,
        damaged,
        damaged_items,
        foreign,
    })
}

/// Deletes objects that no output in the folders in `keep` uses, and results of items with missing outputs. A
/// folder of output folders stands for all of them.
///
/// # Errors
/// A run uses the store, or the contents in use cannot be determined: nothing is deleted then.
pub fn collect(root: &Path, keep: &[PathBuf], dry_run: bool) -> Result<Collected, StoreError> {
    let _store = open(root, Access::Alone)?;
    let mut used: HashSet<String> = HashSet::new();
    for out in keep {
        for out in homes(out)? {
            used.extend(hashes_of(&out)?);
        }
    }
    let mut collected = Collected::default();
    if !dry_run {
        delete_unfinished(root);
    }
    let delete = |path: &Path| match dry_run {
        true => Ok(()),
        false => fs::remove_file(path).map_err(access(path)),
    };
    // Entries first, so that an interruption leaves no entry with missing objects.
    for item in stored(root, ITEMS, entries::DIGITS)?.0 {
        let text = fs::read_to_string(&item.path).unwrap_or_default();
        let is_used = entries::parse(&text).is_some_and(|entry| {
            let mut outputs = entry.outputs.iter();
            outputs.all(|output| used.contains(&output.blake3))
        });
        if !is_used {
            delete(&item.path)?;
            collected.deleted_items += 1;
        }
    }
    for object in stored(root, OBJECTS, objects::DIGITS)?.0 {
        let size = object.metadata.len();
        if used.contains(&object.name) {
            collected.kept += 1;
            collected.kept_bytes += size;
        } else {
            delete(&object.path)?;
            collected.deleted += 1;
            collected.deleted_bytes += size;
        }
    }
    for path in aside(root)? {
        let size = fs::symlink_metadata(&path).map_or(0, |metadata| metadata.len());
        delete(&path)?;
        collected.deleted += 1;
        collected.deleted_bytes += size;
    }
    Ok(collected)
}

/// Output folder, or the output folders in a folder.
fn homes(out: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let is_home = |folder: &Path| {
        folder.join(manifest::FILE_NAME).exists() || folder.join(WORK_FOLDER).exists()
    };
    if is_home(out) {
        return Ok(vec![out.to_owned()]);
    }
    let mut homes = BTreeSet::new();
    for entry in fs::read_dir(out).map_err(access(out))? {
        let path = entry.map_err(access(out))?.path();
        if path.is_dir() && is_home(&path) {
            homes.insert(path);
        }
    }
    match homes.is_empty() {
        true => Err(StoreError::Keep {
            out: out.to_owned(),
            reason: "not an output folder, and contains none".to_owned(),
        }),
        false => Ok(homes.into_iter().collect()),
    }
}

/// Hashes of the outputs in a folder.
fn hashes_of(out: &Path) -> Result<Vec<String>, StoreError> {
    let unknown = |reason: String| StoreError::Keep {
        out: out.to_owned(),
        reason,
    };
    if out.join(WORK_FOLDER).exists() {
        let reason = "a run is active or was killed there; finish it first";
        return Err(unknown(reason.to_owned()));
    }
    let read = document_file::read::<Manifest>(&out.join(manifest::FILE_NAME));
    let (manifest, _) = read.map_err(|unread| match unread {
        Unread::Access(error) => unknown(format!("cannot read the manifest: {error}")),
        Unread::Json(error) => unknown(format!("the manifest is invalid: {error}")),
    })?;
    let outputs = manifest.outputs.into_iter();
    Ok(outputs.map(|output| output.blake3).collect())
}

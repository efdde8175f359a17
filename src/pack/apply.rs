//! A patch applied to an install.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::destination::Destination;
use super::error::{PackError, access};
use super::in_place::Originals;
use super::new_files::NewFiles;
use super::patch::Patch;

/// Result of applying a patch, or of a dry run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Applied {
    /// The game files that change: path below the install, and size.
    pub files: Vec<(String, u64)>,
    /// Files of earlier runs that no longer change: deleted from the folder, or restored in the install.
    pub removed: Vec<String>,
}

/// Applies the patch at `patch` to the install `from`, which holds the originals.
///
/// # Errors
/// The install is another one, the patch is damaged, or something cannot be read or written. Each file that has been
/// written by then is complete.
pub fn apply(
    patch: &Path,
    from: &Path,
    to: &Destination,
    check: bool,
) -> Result<Applied, PackError> {
    let bytes = relicast_source::bytes::read_document(patch).map_err(access(patch))?;
    let patch = Patch::decode(&bytes)?;
    let originals = Originals::new(from)?;
    let mut files = BTreeMap::new();
    let mut other: Vec<PathBuf> = Vec::new();
    for file in &patch.document.files {
        let found = originals.find(&file.path, |bytes| file.before.is_of(bytes));
        let original = match found {
            Ok(original) => original,
            Err(PackError::NotThere(path)) => {
                other.push(path);
                continue;
            }
            Err(error) => return Err(error),
        };
        if original.is_packaged && *to == Destination::InPlace {
            return Err(PackError::Packaged(from.join(&file.path)));
        }
        match file.before.is_of(&original.bytes) {
            true => {
                files.insert(file.path.clone(), patch.make(file, &original.bytes)?);
            }
            false => other.push(from.join(&file.path)),
        }
    }
    if !other.is_empty() {
        return Err(PackError::OtherEdition {
            paths: other,
            editions: patch.document.editions,
        });
    }
    let new = NewFiles {
        bytes: &files,
        outputs: &BTreeMap::new(),
        edits: &BTreeMap::new(),
        is_retained: &|_| false,
        earlier: None,
    };
    let removed = match check {
        true => to.check(from, &[], new).map(|()| Vec::new())?,
        false => to.write(from, &[], new, &originals)?,
    };
    let files = files
        .iter()
        .map(|(path, bytes)| (path.clone(), bytes.len() as u64));
    Ok(Applied {
        files: files.collect(),
        removed,
    })
}

//! Complete files at output paths; links and folders are refused.

use std::fs;
use std::io;
use std::path::Path;

use super::error::{PackError, access};
use crate::pipeline::output::folder::OutputFolder;
use crate::pipeline::output::hash::hash_reader;
use relicast_source::bytes::open_regular;

/// The bytes of the regular file at `place`; `None` when there is nothing.
///
/// # Errors
/// Something else is there, or it cannot be read.
pub(super) fn read_regular(place: &Path) -> Result<Option<Vec<u8>>, PackError> {
    match fs::symlink_metadata(place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(access(place)(error)),
        Ok(metadata) if !metadata.is_file() => Err(PackError::Foreign(place.to_owned())),
        Ok(_) => fs::read(place).map(Some).map_err(access(place)),
    }
}

/// BLAKE3 of the regular file at `place`.
///
/// # Errors
/// Something else is there, or it cannot be read.
pub(super) fn hashed(place: &Path) -> io::Result<String> {
    open_regular(place)
        .and_then(hash_reader)
        .map(|hashed| hashed.blake3)
}

/// True if there is a regular file with this BLAKE3 at `place`.
pub(super) fn is_whole(place: &Path, blake3: &str) -> bool {
    hashed(place).is_ok_and(|hashed| hashed == blake3)
}

/// Writes a complete file at the path `path` below the folder, which is `place`, if there is no file, or one whose
/// BLAKE3 `is_ours` accepts.
///
/// # Errors
/// Another file is there, even if it appeared a moment ago; or it cannot be written.
pub(super) fn write_over(
    folder: &OutputFolder,
    path: &str,
    place: &Path,
    bytes: &[u8],
    is_ours: impl Fn(&str) -> bool,
) -> Result<(), PackError> {
    let is_known = |file: &fs::File| Ok(is_ours(&hash_reader(file)?.blake3));
    match folder.write_over(path, bytes, is_known) {
        Ok(true) => Ok(()),
        Ok(false) => Err(PackError::Foreign(place.to_owned())),
        Err(error) => Err(access(place)(error)),
    }
}

//! Files in places where we write: read as a whole, links and folders refused.

use std::fs;
use std::io;
use std::path::Path;

use super::error::{PackError, access};

/// The bytes of the regular file at `place`; none when nothing is there.
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

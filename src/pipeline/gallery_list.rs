//! The list of what a gallery wrote, kept in the gallery's own folder. Here lives only the list, so that checks of an
//! output folder know these files; `gallery` makes the files.
//!
//! ```
//! use relicast::pipeline::gallery_list::GalleryList;
//!
//! let folder = tempfile::tempdir()?;
//! assert_eq!(GalleryList::load(folder.path())?, GalleryList::default());
//! # Ok::<(), std::io::Error>(())
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::documents::is_output;
use super::hash::hash_file;

/// Folder of a gallery inside the output folder, unless it is told to go elsewhere.
pub const FOLDER: &str = "gallery";

/// Name of the list in the folder of a gallery.
pub const FILE_NAME: &str = "gallery-files.json";

/// A file that a gallery wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Size in bytes.
    pub size: u64,
    /// BLAKE3 of its bytes, hexadecimal.
    pub blake3: String,
}

/// What a gallery wrote into its folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GalleryList {
    /// Version of the program.
    pub gallery: String,
    /// Files of a run that was not finished: these paths were free when it began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<String>,
    /// The files by path below the folder.
    pub files: BTreeMap<String, Listed>,
}

impl GalleryList {
    /// The list in the folder of a gallery; an empty one when there is none.
    ///
    /// # Errors
    /// It cannot be read, or is no such list.
    pub fn load(folder: &Path) -> io::Result<Self> {
        let bytes = match fs::read(folder.join(FILE_NAME)) {
            Ok(bytes) => bytes,
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(fault) => return Err(fault),
        };
        let list: Self = serde_json::from_slice(&bytes)?;
        let paths = list.files.keys().chain(&list.unfinished);
        match paths.into_iter().all(|path| is_output(path)) {
            true => Ok(list),
            false => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the list leads out of its folder",
            )),
        }
    }

    /// Whether the file at `path` below `folder` is what the gallery wrote there. It is read.
    pub fn is_as_written(&self, folder: &Path, path: &str) -> bool {
        let Some(listed) = self.files.get(path) else {
            return false;
        };
        let place = folder.join(path);
        fs::symlink_metadata(&place)
            .is_ok_and(|metadata| metadata.is_file() && metadata.len() == listed.size)
            && hash_file(&place).is_ok_and(|hashed| hashed.blake3 == listed.blake3)
    }
}

/// Whether the file at `path` below the output folder `out` belongs to the gallery there and is as it was written;
/// `list` is the list of that gallery.
pub fn is_of_gallery(out: &Path, list: &GalleryList, path: &str) -> bool {
    let below = path.strip_prefix(FOLDER);
    let Some(inner) = below.and_then(|rest| rest.strip_prefix('/')) else {
        return false;
    };
    // A folder without a list is no gallery.
    !list.gallery.is_empty() && (inner == FILE_NAME || list.is_as_written(&out.join(FOLDER), inner))
}

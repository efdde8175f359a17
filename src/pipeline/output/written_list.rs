//! Lists of files written next to the outputs: the gallery in its folder, and the files of an engine project.
//! Only the lists are here, so that checks of an output folder know these files; `gallery` and `project` write
//! them.
//!
//! ```
//! use relicast::pipeline::output::written_list::{GALLERY, WrittenList};
//!
//! let folder = tempfile::tempdir()?;
//! assert_eq!(WrittenList::load(folder.path(), GALLERY)?, WrittenList::default());
//! # Ok::<(), std::io::Error>(())
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::hash::hash_file;
use crate::pipeline::report::documents::is_output;

/// Default folder of a gallery inside the output folder.
pub const GALLERY_FOLDER: &str = "gallery";

/// Name of the list in the folder of a gallery.
pub const GALLERY: &str = "gallery-files.json";

/// Name of the list of a project, in the output folder.
pub const PROJECT: &str = "project-files.json";

/// Folder of a project that belongs to the user.
pub const USER_FOLDER: &str = "user";

/// Entry for a written file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Size in bytes.
    pub size: u64,
    /// BLAKE3 of its bytes, hexadecimal.
    pub blake3: String,
}

impl Listed {
    /// Entry for a file with these bytes.
    pub fn new(bytes: &[u8]) -> Self {
        Self {
            size: bytes.len() as u64,
            blake3: blake3::hash(bytes).to_hex().to_string(),
        }
    }
}

/// List of the files written into a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenList {
    /// Version of the program.
    #[serde(alias = "gallery")]
    pub converter: String,
    /// Files of an unfinished run: these paths were free when it began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<String>,
    /// True if a run wrote them because of its settings: a run with other settings removes them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_run: bool,
    /// The files by path below the folder.
    pub files: BTreeMap<String, Listed>,
}

impl WrittenList {
    /// Loads the list with this name from a folder; empty if it does not exist.
    ///
    /// # Errors
    /// It cannot be read, or is not such a list.
    pub fn load(folder: &Path, name: &str) -> io::Result<Self> {
        let bytes = match relicast_source::bytes::read_document(folder.join(name)) {
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
                "the list contains a path outside its folder",
            )),
        }
    }

    /// Returns whether the file at `path` below `folder` is unchanged. Reads the file.
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

/// Files in an output folder that are not outputs.
#[derive(Debug)]
pub struct ProgramFiles {
    out: PathBuf,
    gallery: WrittenList,
    project: WrittenList,
}

impl ProgramFiles {
    /// Reads the lists of an output folder. Without a readable list, no file belongs to a gallery or project.
    pub fn new(out: &Path) -> Self {
        let gallery = WrittenList::load(&out.join(GALLERY_FOLDER), GALLERY);
        Self {
            out: out.to_owned(),
            gallery: gallery.unwrap_or_default(),
            project: WrittenList::load(out, PROJECT).unwrap_or_default(),
        }
    }

    /// Returns whether the file at `path` below the output folder is an unchanged file of the gallery or
    /// project, belongs to the user, or is one of the engine's own files.
    pub fn has(&self, path: &str) -> bool {
        self.is_of_gallery(path) || self.is_of_project(path)
    }

    fn is_of_gallery(&self, path: &str) -> bool {
        let below = path.strip_prefix(GALLERY_FOLDER);
        let Some(inner) = below.and_then(|rest| rest.strip_prefix('/')) else {
            return false;
        };
        // A folder without a list is not a gallery.
        let folder = self.out.join(GALLERY_FOLDER);
        !self.gallery.converter.is_empty()
            && (inner == GALLERY || self.gallery.is_as_written(&folder, inner))
    }

    fn is_of_project(&self, path: &str) -> bool {
        let first = path.split('/').next().unwrap_or_default();
        !self.project.converter.is_empty()
            && (path == PROJECT
                || first == USER_FOLDER
                || is_of_engine(path)
                || self.project.is_as_written(&self.out, path))
    }
}

/// Returns whether the file at `path` in a project is one that Godot or Unity adds or completes next to others.
pub fn is_of_engine(path: &str) -> bool {
    path.starts_with(".godot/")
        || [".import", ".uid", ".meta"]
            .iter()
            .any(|ending| path.ends_with(ending))
}

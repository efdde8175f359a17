//! The output folder. Everything that is written to it or deleted from it goes through here: links below the
//! folder are never followed, files appear under their names only when they are complete, and unfinished
//! files are deleted.
//!
//! - `unix` — folders as open handles, so that no other process can replace a folder of a path by a link.
//! - `portable` — folders as paths that are checked before each use.

#[cfg(any(not(unix), test))]
mod portable;
mod unfinished;
#[cfg(unix)]
mod unix;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

#[cfg(not(unix))]
use portable::Handle;
#[cfg(unix)]
use unix::Handle;

pub use unfinished::{Unfinished, delete_unfinished, is_unfinished};

/// Folders that are kept open at once.
const MOST_OPEN: usize = 64;

/// What becomes of outputs before they get their names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Durability {
    /// The system writes them to the disk when it likes.
    #[default]
    System,
    /// They are on the disk.
    Disk,
}

/// The output folder.
#[derive(Debug)]
pub struct OutputFolder {
    root: PathBuf,
    base: Arc<Handle>,
    /// Folders below it by path.
    open: Mutex<HashMap<String, Arc<Handle>>>,
    durability: Durability,
    synced: AtomicU64,
}

impl OutputFolder {
    /// Opens a folder that exists. Links on the way to it are its owner's business and are followed.
    ///
    /// # Errors
    /// It is no folder or cannot be opened.
    pub fn open(root: &Path, durability: Durability) -> io::Result<Self> {
        // A path without a name of its own is the folder that the program works in.
        let root = if root.as_os_str().is_empty() {
            Path::new(".")
        } else {
            root
        };
        Ok(Self {
            root: root.to_owned(),
            base: Arc::new(Handle::open(root)?),
            open: Mutex::new(HashMap::new()),
            durability,
            synced: AtomicU64::new(0),
        })
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Number of files and folders that were synchronised to the disk so far.
    pub fn synced(&self) -> u64 {
        self.synced.load(Ordering::Relaxed)
    }

    /// Starts a file at `path`, below the folder and with forward slashes; folders on the way are made.
    ///
    /// # Errors
    /// The path leaves the folder, a part of it is a link or a file, or nothing can be made there.
    pub fn begin(&self, path: &str) -> io::Result<Unfinished<'_>> {
        let (folder, name) = split(path)?;
        match self.begin_in(folder, name) {
            // A folder that is open may have been deleted meanwhile.
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
                self.opened().clear();
                self.begin_in(folder, name)
            }
            begun => begun,
        }
    }

    fn begin_in(&self, folder: &str, name: &str) -> io::Result<Unfinished<'_>> {
        Unfinished::create(self, self.folder(folder, true)?, folder, name)
    }

    /// Whether a file may be made at `path`: no link and no file stands in place of a folder on the way, as
    /// far as the way is there.
    ///
    /// # Errors
    /// It may not.
    pub fn reach(&self, path: &str) -> io::Result<()> {
        let (folder, _) = split(path)?;
        match self.folder(folder, false) {
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(()),
            reached => reached.map(|_| ()),
        }
    }

    /// Writes a whole file.
    ///
    /// # Errors
    /// As [`begin`](Self::begin), or it cannot be written; nothing is left then.
    pub fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.begin(path)?;
        file.write_all(bytes)?;
        file.finish()
    }

    /// Writes a whole file, and returns when it is on the disk under its name, whatever goes for others.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_durably(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let (folder, _) = split(path)?;
        let mut file = self.begin(path)?;
        file.write_all(bytes)?;
        file.sync()?;
        file.finish()?;
        self.folder(folder, false)?.sync()?;
        self.count_sync();
        Ok(())
    }

    /// Opens a regular file for reading.
    ///
    /// # Errors
    /// There is none, or a link is on the way or in its place.
    pub fn read(&self, path: &str) -> io::Result<File> {
        let (folder, name) = split(path)?;
        let file = self.folder(folder, false)?.read(name)?;
        if file.metadata()?.is_file() {
            Ok(file)
        } else {
            Err(not_a_file(path))
        }
    }

    /// Deletes a regular file.
    ///
    /// # Errors
    /// There is none, a link is on the way or in its place, or it cannot be deleted.
    pub fn remove_file(&self, path: &str) -> io::Result<()> {
        let (folder, name) = split(path)?;
        let folder = self.folder(folder, false)?;
        if folder.is_file(name)? {
            folder.remove_file(name)
        } else {
            Err(not_a_file(path))
        }
    }

    /// Deletes the folders on the way to `path` that are empty, innermost first.
    pub fn drop_empty_folders(&self, path: &str) {
        let mut rest = path.rsplit_once('/').map(|(folder, _)| folder);
        while let Some(path) = rest {
            let dropped = split(path).and_then(|(folder, name)| {
                let outer = self.folder(folder, false)?;
                self.opened().remove(path);
                outer.remove_folder(name)
            });
            if dropped.is_err() {
                return;
            }
            rest = path.rsplit_once('/').map(|(folder, _)| folder);
        }
    }

    /// The folder at `path`; the empty path is the output folder itself.
    fn folder(&self, path: &str, make: bool) -> io::Result<Arc<Handle>> {
        if path.is_empty() {
            return Ok(Arc::clone(&self.base));
        }
        if let Some(open) = self.opened().get(path) {
            return Ok(Arc::clone(open));
        }
        let (outer, name) = path.rsplit_once('/').unwrap_or(("", path));
        let handle = self.folder(outer, make)?.child(name, make);
        let handle = Arc::new(handle.map_err(|fault| at(path, fault))?);
        let mut open = self.opened();
        if open.len() >= MOST_OPEN {
            open.clear();
        }
        open.insert(path.to_owned(), Arc::clone(&handle));
        Ok(handle)
    }

    fn opened(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Handle>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count_sync(&self) {
        self.synced.fetch_add(1, Ordering::Relaxed);
    }
}

/// Folder and name of a relative path without `.`, `..` or empty parts.
fn split(path: &str) -> io::Result<(&str, &str)> {
    let is_name = |part: &str| {
        let mut components = Path::new(part).components();
        let first = components.next();
        matches!(first, Some(std::path::Component::Normal(whole)) if whole == part)
            && components.next().is_none()
            && !part.contains('\0')
    };
    if path.split('/').all(is_name) {
        Ok(path.rsplit_once('/').unwrap_or(("", path)))
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{path} leads out of the output folder"),
        ))
    }
}

fn not_a_file(path: &str) -> io::Error {
    let text = format!("{path} is not a regular file and was left alone");
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

/// A fault with the folder that it is about.
fn at(path: &str, fault: io::Error) -> io::Error {
    match fault.get_ref() {
        // It names its folder already.
        Some(_) => fault,
        None => io::Error::new(fault.kind(), format!("folder {path}: {fault}")),
    }
}

/// An error for something that is no folder.
fn in_the_way(name: &str, is_link: bool) -> io::Error {
    let what = if is_link {
        "a link, and links in the output folder are not followed"
    } else {
        "not a folder"
    };
    io::Error::new(io::ErrorKind::NotADirectory, format!("{name} is {what}"))
}

#[cfg(test)]
mod tests;

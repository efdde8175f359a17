//! The output folder itself: paths below it, step by step through open folders.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::Handle;
use super::faults::{at, not_a_file};
use super::unfinished::{Durability, Ground, Unfinished, Way};

/// Folders that are kept open at once.
pub(super) const MOST_OPEN: usize = 64;

/// The output folder.
#[derive(Debug)]
pub struct OutputFolder {
    ground: Ground,
    base: Arc<Handle>,
    /// Folders below it by path.
    open: Mutex<HashMap<String, Arc<Handle>>>,
}

impl OutputFolder {
    /// Opens a folder that exists. Links on the way to it are its owner's business and are followed.
    ///
    /// # Errors
    /// It is no folder or cannot be opened.
    pub fn open(root: &Path, durability: Durability) -> io::Result<Self> {
        // A path without a name of its own is the folder that the program works in.
        let root = match root.as_os_str().is_empty() {
            true => Path::new("."),
            false => root,
        };
        Ok(Self {
            ground: Ground::new(root, durability),
            base: Arc::new(Handle::open(root)?),
            open: Mutex::new(HashMap::new()),
        })
    }

    /// Number of files and folders that were synchronised to the disk so far.
    #[cfg(test)]
    pub fn synced(&self) -> u64 {
        self.ground.synced()
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
        Unfinished::create(&self.ground, self.folder(folder, true)?, folder, name)
    }

    /// Starts a file at `path` with the bytes of a file in another folder: as a link to it, as a clone that shares its
    /// blocks, or as a copy, in this order of what the system can do.
    ///
    /// # Errors
    /// As [`begin`](Self::begin), or there is no such file in the other folder.
    pub fn begin_as(
        &self,
        path: &str,
        other: &Self,
        of: &str,
    ) -> io::Result<(Unfinished<'_>, Way)> {
        let (folder, name) = split(path)?;
        let (from, from_name) = split(of)?;
        let begin = || {
            let source = other.folder(from, false)?;
            let folder_handle = self.folder(folder, true)?;
            let of = (&*source, from_name);
            Unfinished::create_as(&self.ground, folder_handle, folder, name, of)
        };
        match begin() {
            // A folder that is open may have been deleted meanwhile.
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
                self.opened().clear();
                other.opened().clear();
                begin()
            }
            begun => begun,
        }
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

    /// Writes a whole file whose name may be taken: `make_way` is asked before anything is replaced.
    ///
    /// # Errors
    /// As [`write`](Self::write), or what `make_way` says.
    pub fn write_where_free<T>(
        &self,
        path: &str,
        bytes: &[u8],
        make_way: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<(Option<T>, io::Result<()>)> {
        let mut file = self.begin(path)?;
        file.write_all(bytes)?;
        Ok(match file.finish_if_free()? {
            None => (None, Ok(())),
            Some(file) => (Some(make_way()?), file.finish()),
        })
    }

    /// Writes a whole file, and returns when it is on the disk under its name, whatever goes for others.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_durably(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.begin(path)?;
        file.write_all(bytes)?;
        self.finish_durably(file, path)
    }

    /// Finishes a file that was begun at `path`, and returns when it is on the disk under its name, whatever goes for others.
    ///
    /// # Errors
    /// As [`Unfinished::finish`].
    pub fn finish_durably(&self, file: Unfinished<'_>, path: &str) -> io::Result<()> {
        let (folder, _) = split(path)?;
        file.sync()?;
        file.finish()?;
        self.folder(folder, false)?.sync()?;
        self.ground.count_sync();
        Ok(())
    }

    /// Opens a regular file for reading.
    ///
    /// # Errors
    /// There is none, or a link is on the way or in its place.
    pub fn read(&self, path: &str) -> io::Result<std::fs::File> {
        let (folder, name) = split(path)?;
        let file = self.folder(folder, false)?.read(name)?;
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(not_a_file(path)),
        }
    }

    /// Deletes a regular file.
    ///
    /// # Errors
    /// There is none, a link is on the way or in its place, or it cannot be deleted.
    pub fn remove_file(&self, path: &str) -> io::Result<()> {
        let (folder, name) = split(path)?;
        let folder = self.folder(folder, false)?;
        match folder.is_file(name)? {
            true => folder.remove_file(name),
            false => Err(not_a_file(path)),
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

    pub(super) fn opened(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Handle>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
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
    match path.split('/').all(is_name) {
        true => Ok(path.rsplit_once('/').unwrap_or(("", path))),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{path} leads out of the output folder"),
        )),
    }
}

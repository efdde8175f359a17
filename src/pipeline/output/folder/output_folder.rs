//! The output folder: paths below it are resolved step by step through open folders.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::Handle;
use super::faults::{at, not_a_file};
use super::unfinished::{Durability, Ground, Unfinished, Way, scratch_name};

/// Maximum number of open folders in the cache.
pub(super) const MOST_OPEN: usize = 64;

/// The output folder.
#[derive(Debug)]
pub struct OutputFolder {
    ground: Ground,
    base: Arc<Handle>,
    /// Open folders by path.
    open: Mutex<HashMap<String, Arc<Handle>>>,
}

impl OutputFolder {
    /// Opens an existing folder. Links on the way to it belong to its owner and are followed.
    ///
    /// # Errors
    /// It is not a folder or cannot be opened.
    pub fn open(root: &Path, durability: Durability) -> io::Result<Self> {
        // A path without a name is the working directory.
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

    /// Number of files and folders that were synchronized to the disk so far.
    #[cfg(test)]
    pub fn synced(&self) -> u64 {
        self.ground.synced()
    }

    /// Creates a file at `path`, below the folder and with forward slashes; parent folders are created.
    ///
    /// # Errors
    /// The path leaves the folder, a component is a link or a file, or nothing can be created there.
    pub fn begin(&self, path: &str) -> io::Result<Unfinished<'_>> {
        let (folder, name) = split(path)?;
        self.check_length(path)?;
        match self.begin_in(folder, name) {
            // An open folder may have been deleted meanwhile.
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
                self.opened().clear();
                self.begin_in(folder, name)
            }
            begun => begun,
        }
    }

    /// Checks that programs that use whole paths can open the file at `path`.
    fn check_length(&self, path: &str) -> io::Result<()> {
        let root = std::path::absolute(self.ground.root())?;
        let found = root.as_os_str().len() + 1 + path.len();
        if found <= MAX_LENGTH {
            return Ok(());
        }
        let what = format!(
            "path: expected at most {MAX_LENGTH} bytes with the output folder, found {found}; choose an output folder with a \
             shorter path"
        );
        Err(io::Error::new(io::ErrorKind::InvalidFilename, what))
    }

    fn begin_in(&self, folder: &str, name: &str) -> io::Result<Unfinished<'_>> {
        Unfinished::create(&self.ground, self.folder(folder, true)?, folder, name)
    }

    /// Creates a file at `path` with the bytes of a file in another folder: as a hard link, as a clone with
    /// shared blocks, or as a copy. The first method that works is used.
    ///
    /// # Errors
    /// As [`begin`](Self::begin), or the other file does not exist.
    pub fn begin_as(
        &self,
        path: &str,
        other: &Self,
        of: &str,
    ) -> io::Result<(Unfinished<'_>, Way)> {
        let (folder, name) = split(path)?;
        let (from, from_name) = split(of)?;
        self.check_length(path)?;
        let begin = || {
            let source = other.folder(from, false)?;
            let folder_handle = self.folder(folder, true)?;
            Unfinished::create_as(
                &self.ground,
                folder_handle,
                folder,
                name,
                &source,
                from_name,
            )
        };
        match begin() {
            // An open folder may have been deleted meanwhile.
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
                self.opened().clear();
                other.opened().clear();
                begin()
            }
            begun => begun,
        }
    }

    /// Checks that a file may be created at `path`: no existing parent is a link or a file.
    ///
    /// # Errors
    /// A parent is a link or a file.
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
    /// As [`begin`](Self::begin), or writing fails; the file is then deleted.
    pub fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.begin(path)?;
        file.write_all(bytes)?;
        file.finish()
    }

    /// Writes a whole file whose name may be in use: `make_way` is called before anything is replaced.
    ///
    /// # Errors
    /// As [`write`](Self::write), or an error of `make_way`.
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

    /// Writes a whole file and synchronizes it and its name to the disk, even if other files are not
    /// synchronized.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_durably(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.begin(path)?;
        file.write_all(bytes)?;
        self.finish_durably(file, path)
    }

    /// Writes a whole file to a free name, or over a file for which `is_known` returns true, and synchronizes
    /// it. Returns false if an unknown file exists, which is preserved.
    ///
    /// # Errors
    /// As [`write`](Self::write), or the existing file cannot be read.
    pub fn write_over(
        &self,
        path: &str,
        bytes: &[u8],
        is_known: impl Fn(&std::fs::File) -> io::Result<bool>,
    ) -> io::Result<bool> {
        let mut file = self.begin(path)?;
        file.write_all(bytes)?;
        file.sync()?;
        let is_written = match file.finish_if_free()? {
            None => true,
            Some(file) => file.finish_over(is_known)?,
        };
        let (folder, _) = split(path)?;
        self.folder(folder, false)?.sync()?;
        self.ground.count_sync();
        Ok(is_written)
    }

    /// Finishes a file created at `path` and synchronizes it and its name to the disk, even if other files are
    /// not synchronized.
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
    /// It does not exist, or it or a parent is a link.
    pub fn read(&self, path: &str) -> io::Result<std::fs::File> {
        let (folder, name) = split(path)?;
        let file = self.folder(folder, false)?.read(name)?;
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(not_a_file(path)),
        }
    }

    /// Renames `path` to `name` in the same folder if that name is free. Returns false otherwise.
    ///
    /// # Errors
    /// `path` does not exist, or cannot be renamed.
    pub fn rename_to_free(&self, path: &str, name: &str) -> io::Result<bool> {
        let (folder, old) = split(path)?;
        let folder = self.folder(folder, false)?;
        if folder.rename_to_free(old, name)? {
            return Ok(true);
        }
        // In use, or the system has no atomic check.
        match folder.is_free(name)? {
            true => folder.rename(old, name).map(|()| true),
            false => Ok(false),
        }
    }

    /// Deletes a regular file.
    ///
    /// # Errors
    /// It does not exist, it or a parent is a link, or it cannot be deleted.
    pub fn remove_file(&self, path: &str) -> io::Result<()> {
        let (folder, name) = split(path)?;
        let folder = self.folder(folder, false)?;
        match folder.is_file(name)? {
            true => folder.remove_file(name),
            false => Err(not_a_file(path)),
        }
    }

    /// Deletes a regular file for which `is_known` returns true. It is renamed first, so that a file that
    /// another program creates in its place meanwhile is not deleted. Returns false and preserves the file if
    /// it is unknown.
    ///
    /// # Errors
    /// As [`remove_file`](Self::remove_file), or it cannot be read.
    pub fn remove_known(
        &self,
        path: &str,
        is_known: impl Fn(&std::fs::File) -> io::Result<bool>,
    ) -> io::Result<bool> {
        let (folder, name) = split(path)?;
        let folder = self.folder(folder, false)?;
        if !folder.is_file(name)? {
            return Err(not_a_file(path));
        }
        if !is_known(&folder.read(name)?)? {
            return Ok(false);
        }
        let scratch = scratch_name()?;
        folder.rename(name, &scratch)?;
        let known = folder.read(&scratch).and_then(|file| is_known(&file));
        if let Ok(true) = known {
            return folder.remove_file(&scratch).map(|()| true);
        }
        // If the name is in use again, the newer file stays.
        let is_taken = || folder.read(name).is_ok();
        match folder.rename_to_free(&scratch, name)? || is_taken() {
            true => {}
            false => folder.rename(&scratch, name)?,
        }
        known
    }

    /// Deletes empty parent folders of `path`, innermost first.
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

    /// Folder at `path`; the empty path is the output folder itself.
    fn folder(&self, path: &str, make: bool) -> io::Result<Arc<Handle>> {
        if path.is_empty() {
            return Ok(Arc::clone(&self.base));
        }
        if let Some(open) = self.opened().get(path) {
            return Ok(Arc::clone(open));
        }
        // Starts at the innermost open folder. Not recursive, because paths are as deep as the inputs.
        let mut ends: Vec<usize> = path.match_indices('/').map(|(end, _)| end).collect();
        ends.push(path.len());
        let known = ends.iter().enumerate().rev().find_map(|(step, &end)| {
            let handle = self.opened().get(path.get(..end)?).map(Arc::clone)?;
            Some((step + 1, handle))
        });
        let (first, mut handle) = known.unwrap_or_else(|| (0, Arc::clone(&self.base)));
        for &end in ends.get(first..).unwrap_or_default() {
            let below = path.get(..end).unwrap_or(path);
            let name = below.rsplit_once('/').map_or(below, |(_, name)| name);
            let inner = handle.child(name, make);
            handle = Arc::new(inner.map_err(|fault| at(below, fault))?);
            let mut open = self.opened();
            if open.len() >= MOST_OPEN {
                open.clear();
            }
            open.insert(below.to_owned(), Arc::clone(&handle));
        }
        Ok(handle)
    }

    pub(super) fn opened(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Handle>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Maximum depth of folders around an output.
const MAX_DEPTH: usize = 256;

/// Maximum length of an output's path in bytes, including the output folder: systems do not open longer ones
/// (`PATH_MAX`).
const MAX_LENGTH: usize = 4095;

/// Checks that an output is not in more nested folders than any command can open, and that its path is not too
/// long.
///
/// # Errors
/// The path is too deep or too long.
pub fn check_depth(path: &str) -> io::Result<()> {
    let folders = path.bytes().filter(|byte| *byte == b'/').count();
    let what = if folders > MAX_DEPTH {
        format!("path: expected at most {MAX_DEPTH} folders, found {folders}")
    } else if path.len() > MAX_LENGTH {
        let found = path.len();
        format!("path: expected at most {MAX_LENGTH} bytes, found {found}")
    } else {
        return Ok(());
    };
    Err(io::Error::new(io::ErrorKind::InvalidFilename, what))
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
    check_depth(path)?;
    match path.split('/').all(is_name) {
        true => Ok(path.rsplit_once('/').unwrap_or(("", path))),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{path} is outside the output folder"),
        )),
    }
}

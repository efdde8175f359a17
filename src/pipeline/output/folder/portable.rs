//! Folders as paths, for systems without folder handles. Each component is checked before use: an existing link
//! is detected, one created in between is not.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::faults::in_the_way;

/// Folder identified by its path.
#[derive(Debug)]
pub(super) struct Handle(PathBuf);

impl Handle {
    /// Opens the folder at `path`; links are followed.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() {
            Ok(Self(path.to_owned()))
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    /// Opens the child folder `name`.
    pub(super) fn child(&self, name: &str, make: bool) -> io::Result<Self> {
        let path = self.0.join(name);
        let found = match fs::symlink_metadata(&path) {
            Err(fault) if fault.kind() == io::ErrorKind::NotFound && make => {
                match fs::create_dir(&path) {
                    // Another thread may have created it.
                    Err(fault) if fault.kind() != io::ErrorKind::AlreadyExists => {
                        return Err(fault);
                    }
                    _ => fs::symlink_metadata(&path)?,
                }
            }
            found => found?,
        };
        if found.is_dir() {
            Ok(Self(path))
        } else {
            Err(in_the_way(name, found.is_symlink()))
        }
    }

    /// Creates a new file.
    pub(super) fn create_new(&self, name: &str) -> io::Result<File> {
        File::create_new(self.0.join(name))
    }

    /// Opens a file for reading.
    pub(super) fn read(&self, name: &str) -> io::Result<File> {
        if self.is_file(name)? {
            File::open(self.0.join(name))
        } else {
            Err(io::ErrorKind::InvalidInput.into())
        }
    }

    /// Hard-links a file of this folder as `new` in the folder `to`.
    pub(super) fn link(&self, name: &str, to: &Self, new: &str) -> io::Result<()> {
        fs::hard_link(self.0.join(name), to.0.join(new))
    }

    /// Cloning files is not supported.
    pub(super) fn clone_file(_: &File, _: &File) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Renames a file in this folder, replacing an existing one.
    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    /// Always returns false, because there is no atomic rename to a free name.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "as on other systems"
    )]
    pub(super) fn rename_to_free(&self, _from: &str, _to: &str) -> io::Result<bool> {
        Ok(false)
    }

    /// Always returns false, because there is no atomic exchange.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "as on other systems"
    )]
    pub(super) fn exchange(&self, _one: &str, _other: &str) -> io::Result<bool> {
        Ok(false)
    }

    /// Returns whether `name` refers to this open file; only called after an exchange.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "as on other systems"
    )]
    pub(super) fn is_same(&self, _name: &str, _file: &File) -> io::Result<bool> {
        Ok(true)
    }

    /// Deletes a file.
    pub(super) fn remove_file(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    /// Deletes an empty folder.
    pub(super) fn remove_folder(&self, name: &str) -> io::Result<()> {
        let path = self.0.join(name);
        if fs::symlink_metadata(&path)?.is_dir() {
            fs::remove_dir(path)
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    /// Returns whether `name` is a regular file and not a link.
    pub(super) fn is_file(&self, name: &str) -> io::Result<bool> {
        Ok(fs::symlink_metadata(self.0.join(name))?.is_file())
    }

    /// Returns whether no file has this name.
    pub(super) fn is_free(&self, name: &str) -> io::Result<bool> {
        match fs::symlink_metadata(self.0.join(name)) {
            Ok(_) => Ok(false),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(true),
            Err(fault) => Err(fault),
        }
    }

    /// Names are not synchronized.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "as on other systems"
    )]
    pub(super) fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

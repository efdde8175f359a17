//! Folders as paths, for systems without handles to open files in. Each part is looked at before it is
//! used: a link that was there is found; one that is put there in between is not.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::faults::in_the_way;

/// A folder by its path.
#[derive(Debug)]
pub(super) struct Handle(PathBuf);

impl Handle {
    /// The folder at `path`, through links if need be.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() {
            Ok(Self(path.to_owned()))
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    /// The folder called `name` in this one.
    pub(super) fn child(&self, name: &str, make: bool) -> io::Result<Self> {
        let path = self.0.join(name);
        let found = match fs::symlink_metadata(&path) {
            Err(fault) if fault.kind() == io::ErrorKind::NotFound && make => {
                match fs::create_dir(&path) {
                    // Another thread may have been faster.
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

    /// Gives a file of this folder another name, in the folder `to`.
    pub(super) fn link(&self, name: &str, to: &Self, new: &str) -> io::Result<()> {
        fs::hard_link(self.0.join(name), to.0.join(new))
    }

    /// Files are not cloned here.
    pub(super) fn clone_file(_: &File, _: &File) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Renames a file in this folder, over what is there.
    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    /// As if the name were taken: there is no such step here.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "as on other systems"
    )]
    pub(super) fn rename_to_free(&self, _from: &str, _to: &str) -> io::Result<bool> {
        Ok(false)
    }

    /// Never done: there is no such step here.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "as on other systems"
    )]
    pub(super) fn exchange(&self, _one: &str, _other: &str) -> io::Result<bool> {
        Ok(false)
    }

    /// Whether `name` is the name of this open file; only asked after an exchange.
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

    /// Whether `name` is a regular file, and no link to one.
    pub(super) fn is_file(&self, name: &str) -> io::Result<bool> {
        Ok(fs::symlink_metadata(self.0.join(name))?.is_file())
    }

    /// Whether nothing has this name.
    pub(super) fn is_free(&self, name: &str) -> io::Result<bool> {
        match fs::symlink_metadata(self.0.join(name)) {
            Ok(_) => Ok(false),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(true),
            Err(fault) => Err(fault),
        }
    }

    /// Names are the file system's own business here.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "as on other systems"
    )]
    pub(super) fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

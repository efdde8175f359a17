//! Folders as open handles.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, linkat, mkdirat, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;

use super::faults::in_the_way;

/// Folder handle, which stays valid when the folder is moved.
#[derive(Debug)]
pub(super) struct Handle(OwnedFd);

/// Flags for every file and folder that is opened.
const ALWAYS: OFlags = OFlags::CLOEXEC.union(OFlags::NOFOLLOW);

/// Read and write for all, restricted by the umask.
const FILE_MODE: Mode = Mode::from_raw_mode(0o666);

/// Like [`FILE_MODE`], plus search permission.
const FOLDER_MODE: Mode = Mode::from_raw_mode(0o777);

impl Handle {
    /// Opens the folder at `path`; links are followed.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::CLOEXEC | OFlags::DIRECTORY | OFlags::RDONLY;
        Ok(Self(rustix::fs::open(path, flags, Mode::empty())?))
    }

    /// Opens the child folder `name`.
    pub(super) fn child(&self, name: &str, make: bool) -> io::Result<Self> {
        let flags = ALWAYS | OFlags::DIRECTORY | OFlags::RDONLY;
        let open = || openat(&self.0, name, flags, Mode::empty());
        let opened = match open() {
            Err(Errno::NOENT) if make => match mkdirat(&self.0, name, FOLDER_MODE) {
                // Another thread may have created it.
                Ok(()) | Err(Errno::EXIST) => open(),
                Err(fault) => Err(fault),
            },
            opened => opened,
        };
        match opened {
            Ok(folder) => Ok(Self(folder)),
            // Systems differ in the error number for a link.
            Err(Errno::LOOP | Errno::NOTDIR | Errno::MLINK) => {
                Err(in_the_way(name, self.file_type(name)? == FileType::Symlink))
            }
            Err(fault) => Err(fault.into()),
        }
    }

    /// Creates a new file.
    pub(super) fn create_new(&self, name: &str) -> io::Result<File> {
        let flags = ALWAYS | OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        Ok(openat(&self.0, name, flags, FILE_MODE)?.into())
    }

    /// Opens a file for reading. Does not block on FIFOs or devices.
    pub(super) fn read(&self, name: &str) -> io::Result<File> {
        let flags = ALWAYS | OFlags::RDONLY | OFlags::NONBLOCK;
        Ok(openat(&self.0, name, flags, Mode::empty())?.into())
    }

    /// Hard-links a file of this folder as `new` in the folder `to`.
    pub(super) fn link(&self, name: &str, to: &Self, new: &str) -> io::Result<()> {
        Ok(linkat(&self.0, name, &to.0, new, AtFlags::empty())?)
    }

    /// Lets `to` share the blocks of `from`, where the file system supports it.
    pub(super) fn clone_file(from: &File, to: &File) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            Ok(rustix::fs::ioctl_ficlone(to, from)?)
        }
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        {
            let _ = (from, to);
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    /// Renames a file in this folder, replacing an existing one.
    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(renameat(&self.0, from, &self.0, to)?)
    }

    /// Renames a file in this folder if the name is free. Returns false if it is in use, or if the system has
    /// no atomic check.
    pub(super) fn rename_to_free(&self, from: &str, to: &str) -> io::Result<bool> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        {
            use rustix::fs::{RenameFlags, renameat_with};
            match renameat_with(&self.0, from, &self.0, to, RenameFlags::NOREPLACE) {
                Ok(()) => Ok(true),
                // In use; or errors of file systems and kernels without support.
                Err(Errno::EXIST | Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
                Err(fault) => Err(fault.into()),
            }
        }
        #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
        {
            let _ = (from, to);
            Ok(false)
        }
    }

    /// Exchanges the names of two files in this folder. Returns false if the system has no atomic exchange.
    pub(super) fn exchange(&self, one: &str, other: &str) -> io::Result<bool> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        {
            use rustix::fs::{RenameFlags, renameat_with};
            match renameat_with(&self.0, one, &self.0, other, RenameFlags::EXCHANGE) {
                Ok(()) => Ok(true),
                // Errors of file systems and kernels without support.
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
                Err(fault) => Err(fault.into()),
            }
        }
        #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
        {
            let _ = (one, other);
            Ok(false)
        }
    }

    /// Returns whether `name` refers to this open file.
    pub(super) fn is_same(&self, name: &str, file: &File) -> io::Result<bool> {
        let named = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let open = rustix::fs::fstat(file)?;
        Ok((named.st_dev, named.st_ino) == (open.st_dev, open.st_ino))
    }

    /// Deletes a file.
    pub(super) fn remove_file(&self, name: &str) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Deletes an empty folder.
    pub(super) fn remove_folder(&self, name: &str) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    /// Returns whether `name` is a regular file and not a link.
    pub(super) fn is_file(&self, name: &str) -> io::Result<bool> {
        Ok(self.file_type(name)? == FileType::RegularFile)
    }

    /// Returns whether no file has this name.
    pub(super) fn is_free(&self, name: &str) -> io::Result<bool> {
        match statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Ok(false),
            Err(Errno::NOENT) => Ok(true),
            Err(fault) => Err(fault.into()),
        }
    }

    /// Synchronizes the names in the folder to the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        match rustix::fs::fsync(&self.0) {
            // Some file systems do not support it for folders.
            Ok(()) | Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
            Err(fault) => Err(fault.into()),
        }
    }

    fn file_type(&self, name: &str) -> io::Result<FileType> {
        let found = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(FileType::from_raw_mode(found.st_mode))
    }
}

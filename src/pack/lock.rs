//! A lock on a folder in which game files are changed: one run at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tracing::warn;

use super::error::{PackError, access};

/// Most attempts to lock a file that another run is just deleting.
const MAX_TRIES: usize = 100;

/// A held lock. Dropping it deletes the lock file, and the folder that was made for it if that is empty.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    file: Option<File>,
    /// Folder to delete when it is empty.
    folder: Option<PathBuf>,
}

impl Lock {
    /// Locks `folder`, whose parent exists, by a file of this name in it.
    ///
    /// # Errors
    /// Another run holds the lock, something else is at the path of the folder or the file, or they cannot be created.
    pub(super) fn take(folder: &Path, name: &str) -> Result<Self, PackError> {
        let path = folder.join(name);
        let mut is_made = false;
        for _ in 0..MAX_TRIES {
            match fs::create_dir(folder) {
                Ok(()) => is_made = true,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(access(folder)(error)),
            }
            if fs::metadata(folder).is_ok_and(|metadata| !metadata.is_dir()) {
                return Err(PackError::Foreign(folder.to_owned()));
            }
            if fs::symlink_metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
                return Err(PackError::Foreign(path));
            }
            let mut options = OpenOptions::new();
            let file = match options.create(true).truncate(false).write(true).open(&path) {
                Ok(file) => file,
                // The previous run has just deleted the folder, or is deleting the file.
                Err(error) if is_passing(&error) => continue,
                Err(error) => return Err(access(&path)(error)),
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(PackError::Busy(folder.to_owned())),
                Err(TryLockError::Error(error)) => return Err(access(&path)(error)),
            }
            if is_named(&path, &file) {
                return Ok(Self {
                    path,
                    file: Some(file),
                    folder: is_made.then(|| folder.to_owned()),
                });
            }
        }
        Err(PackError::Busy(folder.to_owned()))
    }

    /// The same, with a folder that is deleted when it is empty, even if another run created it.
    pub(super) fn with_folder(mut self, folder: &Path) -> Self {
        self.folder = Some(folder.to_owned());
        self
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The file is deleted while it is locked: a run that opened it meanwhile sees that it has no name any more.
        if cfg!(windows) {
            self.file = None;
        }
        if let Err(fault) = fs::remove_file(&self.path)
            && fault.kind() != io::ErrorKind::NotFound
        {
            warn!("cannot delete {}: {fault}", self.path.display());
        }
        if let Some(folder) = &self.folder {
            // It stays when something is in it.
            fs::remove_dir(folder).ok();
        }
        self.file = None;
    }
}

/// True if the file could not be opened because another run is deleting it.
fn is_passing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
        || (cfg!(windows) && error.kind() == io::ErrorKind::PermissionDenied)
}

/// True if `path` still names this open file.
fn is_named(path: &Path, file: &File) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let named = fs::symlink_metadata(path).map(place);
        matches!((named, file.metadata().map(place)), (Ok(named), Ok(open)) if named == open)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_locked_once_and_left_as_it_was() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("folder");
        let lock = Lock::take(&folder, "lock").unwrap();
        let other = Lock::take(&folder, "lock");
        assert!(matches!(other, Err(PackError::Busy(_))), "{other:?}");
        assert!(folder.join("lock").exists());
        drop(lock);
        assert!(!folder.exists());
        fs::create_dir(&folder).unwrap();
        drop(Lock::take(&folder, "lock").unwrap());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        drop(Lock::take(&folder, "lock").unwrap().with_folder(&folder));
        assert!(!folder.exists());
    }

    #[test]
    fn many_threads_never_hold_it_at_once() {
        use std::sync::atomic::{AtomicU32, Ordering};
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("folder");
        let (held, taken) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        match Lock::take(&folder, "lock") {
                            Ok(lock) => {
                                assert_eq!(held.fetch_add(1, Ordering::SeqCst), 0);
                                taken.fetch_add(1, Ordering::SeqCst);
                                held.fetch_sub(1, Ordering::SeqCst);
                                drop(lock.with_folder(&folder));
                            }
                            Err(PackError::Busy(_)) => {}
                            Err(error) => panic!("{error}"),
                        }
                    }
                });
            }
        });
        assert!(taken.into_inner() > 0);
        assert!(!folder.exists());
    }

    #[test]
    fn a_link_in_its_place_is_not_followed() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("folder");
        fs::create_dir(&folder).unwrap();
        fs::create_dir(folder.join("lock")).unwrap();
        let refused = Lock::take(&folder, "lock");
        assert!(matches!(refused, Err(PackError::Foreign(_))), "{refused:?}");
        assert!(folder.join("lock").is_dir());
    }
}

//! Size and time stamps, which reveal that files on disk changed while a run read them.
//!
//! A run reads a file several times: to detect its kind, to hash it, to convert it. If another program overwrites a
//! file meanwhile and restores it later, the bytes that were read in between are wrong. So the run notes size and times
//! of each file before it reads it, and compares them when its outputs are made.
//!
//! ```
//! use relicast_source::stamp::Stamps;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("notes.txt");
//! std::fs::write(&path, b"a line")?;
//! let stamps = Stamps::default();
//! stamps.note(&path, &path.metadata()?);
//! assert!(stamps.is_unchanged(&path));
//! std::fs::write(&path, b"another line")?;
//! assert!(!stamps.is_unchanged(&path));
//! # Ok::<(), std::io::Error>(())
//! ```

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Age at which a change of a file is sure to be visible: clocks of file systems tick every 1 to 10 ms.
const SETTLED: Duration = Duration::from_millis(20);

/// Number of waits for a file that changes continually.
const MAX_WAITS: usize = 5;

/// Size and times of a file. The inode is left out: some file systems renumber files at any time, and a file that
/// replaces another one has another time of status change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    size: u64,
    /// Last change of its bytes, since 1970.
    modified: Option<Duration>,
    /// Last change of its bytes or properties, since 1970. Programs cannot set it; not every system has it.
    changed: Option<Duration>,
}

impl Stamp {
    fn new(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok();
        let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Self {
            size: metadata.len(),
            modified,
            changed: changed(metadata),
        }
    }

    /// Time until a later change is sure to give another stamp.
    fn unsettled(&self) -> Option<Duration> {
        let last = self.changed.or(self.modified)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        let age = now.checked_sub(last)?;
        SETTLED.checked_sub(age).filter(|left| !left.is_zero())
    }
}

#[cfg(unix)]
fn changed(metadata: &Metadata) -> Option<Duration> {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(metadata.ctime()).ok()?;
    let nanoseconds = u32::try_from(metadata.ctime_nsec()).ok()?;
    Some(Duration::new(seconds, nanoseconds))
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> Option<Duration> {
    None
}

/// Stamps of files on disk, from before they were read.
#[derive(Debug, Default)]
pub struct Stamps(RwLock<HashMap<PathBuf, Option<Stamp>>>);

impl Stamps {
    /// Notes a file that has not been read yet. Waits for a file that was changed a moment ago, so that every later
    /// change is visible.
    pub fn note(&self, path: &Path, metadata: &Metadata) {
        let mut stamp = Some(Stamp::new(metadata));
        let mut waits = 0;
        while let Some(left) = stamp.and_then(|stamp| stamp.unsettled()) {
            if waits == MAX_WAITS {
                // It changes continually, so it counts as changed.
                stamp = None;
                break;
            }
            sleep(left);
            stamp = read(path);
            waits += 1;
        }
        let mut stamps = self.0.write().unwrap_or_else(PoisonError::into_inner);
        stamps.insert(path.to_owned(), stamp);
    }

    /// True if a file is as recorded. A file without a record is recorded now.
    pub fn is_unchanged(&self, path: &Path) -> bool {
        let noted = self.0.read().unwrap_or_else(PoisonError::into_inner);
        match noted.get(path) {
            Some(before) => read(path) == *before,
            None => {
                drop(noted);
                if let Ok(metadata) = fs::metadata(path) {
                    self.note(path, &metadata);
                }
                true
            }
        }
    }
}

fn read(path: &Path) -> Option<Stamp> {
    fs::metadata(path).ok().as_ref().map(Stamp::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(bytes: &[u8]) -> (tempfile::TempDir, PathBuf, Stamps) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, bytes).unwrap();
        let stamps = Stamps::default();
        stamps.note(&path, &path.metadata().unwrap());
        (folder, path, stamps)
    }

    #[test]
    fn an_untouched_file_is_unchanged() {
        let (_folder, path, stamps) = noted(b"bytes");
        assert!((0..3).all(|_| stamps.is_unchanged(&path)));
        assert!(stamps.is_unchanged(&path.with_extension("none")));
        fs::remove_file(&path).unwrap();
        assert!(!stamps.is_unchanged(&path));
    }

    #[cfg(unix)]
    #[test]
    fn restored_bytes_and_times_are_detected() {
        for by_rename in [false, true] {
            let (_folder, path, stamps) = noted(b"right");
            let time = path.metadata().unwrap().modified().unwrap();
            let put = |bytes: &[u8]| {
                let to = match by_rename {
                    true => path.with_extension("new"),
                    false => path.clone(),
                };
                fs::write(&to, bytes).unwrap();
                let file = fs::File::options().append(true).open(&to).unwrap();
                file.set_modified(time).unwrap();
                if by_rename {
                    fs::rename(to, &path).unwrap();
                }
            };
            put(b"wrong");
            put(b"right");
            assert_eq!(path.metadata().unwrap().modified().unwrap(), time);
            assert!(!stamps.is_unchanged(&path), "by rename: {by_rename}");
        }
    }
}

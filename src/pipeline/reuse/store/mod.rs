//! A store of outputs that many runs share: each content once, by its BLAKE3, and what items were converted to.
//!
//! - `objects` — the contents. An object is never changed; files are linked, cloned or copied from it.
//! - `entries` — what an item was converted to, by the digest of everything that it was made from.
//! - [`upkeep`] — what `relicast store` does: check, count, delete what nothing uses.
//!
//! ```text
//! relicast-store.json   says that the folder is a store
//! lock                  shared by runs; alone for whoever deletes
//! objects/ab/cdef…      a content, read-only
//! items/ab/cdef…        what an item was converted to
//! damaged/              objects that are no longer what they were
//! ```
//!
//! Runs work with a store at once: objects appear whole under their names, or not at all. Outputs are written as without
//! a store, and are the same; the store only decides which of them share their bytes on the disk.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use relicast::pipeline::progress::Unobserved;
//! use relicast::pipeline::request::Request;
//! use relicast::pipeline::run::convert;
//! use relicast::pipeline::reuse::store::upkeep;
//!
//! let folder = tempfile::tempdir()?;
//! let at = |name: &str| folder.path().join(name);
//! std::fs::create_dir(at("install"))?;
//! std::fs::write(at("install").join("detail.zrd"), "( DETAIL 3 )")?;
//! for out in ["one", "two"] {
//!     let mut request = Request { inputs: vec![at("install")], out: at(out), ..Request::default() };
//!     request.config.run.store = at("store");
//!     convert(&request, &Unobserved, &AtomicBool::new(false))?;
//! }
//! assert_eq!(upkeep::stats(&at("store"))?.objects, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod entries;
mod objects;
pub mod upkeep;

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::pipeline::output::folder::{Durability, OutputFolder, Way, is_unfinished};
use crate::pipeline::report::StoreReport;
use relicast_source::names::whole;

pub(in crate::pipeline) use entries::{Entry, EntryOutput};

/// Name of the file that says that a folder is a store.
const MARK: &str = "relicast-store.json";

/// What stands in it.
const MARK_TEXT: &str = "{\"relicast_store\": 1}\n";

/// Name of the lock.
const LOCK: &str = "lock";

/// Folder of the objects.
const OBJECTS: &str = "objects";

/// Folder of what items were converted to.
const ITEMS: &str = "items";

/// Folder of objects that are no longer what they were.
const DAMAGED: &str = "damaged";

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The folder holds other things.
    #[error("{} is no store of this program, and not empty", .0.display())]
    Foreign(PathBuf),
    /// There is no store.
    #[error("there is no store in {}", .0.display())]
    Absent(PathBuf),
    /// The store and another folder of the run lie in one another.
    #[error("the store {} and {} lie in one another; choose another place", store.display(), other.display())]
    Place {
        /// The store.
        store: PathBuf,
        /// An input or the output folder.
        other: PathBuf,
    },
    /// A run works with the store.
    #[error("{} is in use by a run; try again when that has ended", .0.display())]
    Busy(PathBuf),
    /// It is not known what is still used.
    #[error("{}: {reason}; nothing was deleted", out.display())]
    Keep {
        /// The folder whose outputs were to be kept.
        out: PathBuf,
        /// Why they are not known.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("cannot access {}: {error}", path.display())]
    Access {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// Names the file that a fault is about.
fn access(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |error| StoreError::Access { path, error }
}

/// A store that is open. Nobody deletes anything from it meanwhile.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    folder: OutputFolder,
    /// Objects that were read and found to be as they were written.
    known: Mutex<HashSet<String>>,
    counts: Counts,
    _lock: File,
}

/// What a run did with the store.
#[derive(Debug, Default)]
struct Counts {
    items: AtomicU64,
    linked: AtomicU64,
    cloned: AtomicU64,
    copied: AtomicU64,
    bytes: AtomicU64,
    saved: AtomicU64,
    added: AtomicU64,
    added_bytes: AtomicU64,
    damaged: AtomicU64,
    faults: AtomicU64,
}

/// Who may use the store at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Others too, as long as they delete nothing.
    Shared,
    /// Nobody else.
    Alone,
}

impl Store {
    /// Opens the store in a folder; a folder that is empty or missing becomes one.
    ///
    /// # Errors
    /// The folder holds other things, or cannot be written.
    pub fn open(root: &Path, durability: Durability) -> Result<Self, StoreError> {
        make(root)?;
        Self::open_present(root, durability, Access::Shared)
    }

    fn open_present(root: &Path, durability: Durability, who: Access) -> Result<Self, StoreError> {
        if !is_store(root) {
            return Err(StoreError::Absent(root.to_owned()));
        }
        let path = root.join(LOCK);
        if fs::symlink_metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(StoreError::Foreign(root.to_owned()));
        }
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(access(&path))?;
        match who {
            Access::Shared => lock.lock_shared().map_err(access(&path))?,
            Access::Alone => lock.try_lock().map_err(|error| match error {
                fs::TryLockError::WouldBlock => StoreError::Busy(root.to_owned()),
                fs::TryLockError::Error(error) => access(&path)(error),
            })?,
        }
        Ok(Self {
            root: root.to_owned(),
            folder: OutputFolder::open(root, durability).map_err(access(root))?,
            known: Mutex::default(),
            counts: Counts::default(),
            _lock: lock,
        })
    }

    /// What the run did with the store so far.
    pub fn report(&self) -> StoreReport {
        let value = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let counts = &self.counts;
        StoreReport {
            items: value(&counts.items),
            linked: value(&counts.linked),
            cloned: value(&counts.cloned),
            copied: value(&counts.copied),
            bytes: value(&counts.bytes),
            bytes_saved: value(&counts.saved),
            added: value(&counts.added),
            added_bytes: value(&counts.added_bytes),
            damaged: value(&counts.damaged),
            faults: value(&counts.faults),
        }
    }

    /// Counts an output that was taken from the store.
    pub(in crate::pipeline) fn count_output(&self, way: Way, size: u64) {
        let count = match way {
            Way::Link => &self.counts.linked,
            Way::Clone => &self.counts.cloned,
            Way::Copy => &self.counts.copied,
        };
        count.fetch_add(1, Ordering::Relaxed);
        self.counts.bytes.fetch_add(size, Ordering::Relaxed);
        if way != Way::Copy {
            self.counts.saved.fetch_add(size, Ordering::Relaxed);
        }
    }

    /// Counts an item that was not converted again.
    pub(in crate::pipeline) fn count_item(&self) {
        self.counts.items.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts something that could not be shared, and was done without the store.
    pub(in crate::pipeline) fn count_fault(&self) {
        self.counts.faults.fetch_add(1, Ordering::Relaxed);
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a folder is a store.
fn is_store(root: &Path) -> bool {
    let path = root.join(MARK);
    fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file())
        && fs::read_to_string(&path).is_ok_and(|text| text == MARK_TEXT)
}

/// Makes a store of a folder that is empty or not there.
fn make(root: &Path) -> Result<(), StoreError> {
    if is_store(root) {
        return Ok(());
    }
    fs::create_dir_all(root).map_err(access(root))?;
    for entry in fs::read_dir(root).map_err(access(root))? {
        let name = entry.map_err(access(root))?.file_name();
        let name = name.to_str().unwrap_or_default();
        // Another run may be making it a store right now.
        if !is_unfinished(name) && name != MARK {
            return match is_store(root) {
                true => Ok(()),
                false => Err(StoreError::Foreign(root.to_owned())),
            };
        }
    }
    if fs::symlink_metadata(root.join(MARK)).is_ok() {
        return match is_store(root) {
            true => Ok(()),
            false => Err(StoreError::Foreign(root.to_owned())),
        };
    }
    let folder = OutputFolder::open(root, Durability::System).map_err(access(root))?;
    let Err(error) = folder.write(MARK, MARK_TEXT.as_bytes()) else {
        return Ok(());
    };
    // Windows does not replace a file that another run reads, which then has made the store.
    for _ in 0..MOST_LOOKS {
        if is_store(root) {
            return Ok(());
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
    Err(access(root)(error))
}

/// How often one looks whether another run has made a store, and how long lies between.
const MOST_LOOKS: usize = 20;
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The path of what has this name, below a folder of the store; none when the name is no hash of this many digits.
fn place(folder: &str, hash: &str, digits: usize) -> Option<String> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if hash.len() != digits || !hash.bytes().all(is_digit) {
        return None;
    }
    let (first, rest) = hash.split_at_checked(2)?;
    Some(format!("{folder}/{first}/{rest}"))
}

/// A store lies neither in an input or output folder, nor around one.
///
/// # Errors
/// It does.
pub(in crate::pipeline) fn check_place(
    store: &Path,
    inputs: &[PathBuf],
    out: &Path,
) -> Result<(), StoreError> {
    let place = whole(store);
    let mut others = inputs.iter().map(PathBuf::as_path).chain([out]);
    let clash = others.find(|other| {
        let other = whole(other);
        place.starts_with(&other) || other.starts_with(&place)
    });
    match clash {
        None => Ok(()),
        Some(other) => Err(StoreError::Place {
            store: store.to_owned(),
            other: other.to_owned(),
        }),
    }
}

//! Store of outputs that many runs share: each content once, by its BLAKE3, and the results of items.
//!
//! - `objects` — the contents. An object is never changed; files are linked, cloned or copied from it.
//! - `entries` — results of items, by the digest of everything they were made from.
//! - [`upkeep`] — implements `relicast store`: check, count, delete unused contents.
//!
//! ```text
//! relicast-store.json   marks the folder as a store
//! lock                  shared by runs, exclusive for deletion
//! objects/ab/cdef…      a content, read-only
//! items/ab/cdef…        the result of an item
//! damaged/              objects that were changed
//! ```
//!
//! Several runs can use a store at once: objects appear atomically. Outputs are the same as without a store; it
//! only determines which of them share their bytes on disk.
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

/// Name of the file that marks a folder as a store.
const MARK: &str = "relicast-store.json";

/// Content of that file.
const MARK_TEXT: &str = "{\"relicast_store\": 1}\n";

/// Name of the lock.
const LOCK: &str = "lock";

/// Folder of the objects.
const OBJECTS: &str = "objects";

/// Folder of the results of items.
const ITEMS: &str = "items";

/// Folder of changed objects.
const DAMAGED: &str = "damaged";

/// Reason why a store cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The folder holds other things.
    #[error("{} is not a relicast store, and not empty; choose an empty folder or an existing store", .0.display())]
    Foreign(PathBuf),
    /// There is no store.
    #[error("there is no store in {}; give the folder that `convert --store` used", .0.display())]
    Absent(PathBuf),
    /// The store and another folder of the run contain one another.
    #[error("the store {} and {} contain one another; choose another folder", store.display(), other.display())]
    Place {
        /// The store.
        store: PathBuf,
        /// An input or the output folder.
        other: PathBuf,
    },
    /// A run works with the store.
    #[error("{} is in use by a run; try again when it has ended", .0.display())]
    Busy(PathBuf),
    /// The contents in use cannot be determined.
    #[error("{}: {reason}; nothing was deleted", out.display())]
    Keep {
        /// Output folder whose contents were to be preserved.
        out: PathBuf,
        /// Reason.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("cannot access {}: {error}", path.display())]
    Access {
        /// The file.
        path: PathBuf,
        /// Error.
        error: io::Error,
    },
}

/// Adds the path of the file to an error.
fn access(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |error| StoreError::Access { path, error }
}

/// Open store. Nothing is deleted from it meanwhile.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    folder: OutputFolder,
    /// Objects that were verified.
    known: Mutex<HashSet<String>>,
    counts: Counts,
    _lock: File,
}

/// Use of the store in a run.
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

/// Kind of access to the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Shared with others that delete nothing.
    Shared,
    /// Exclusive.
    Alone,
}

impl Store {
    /// Opens the store in a folder; an empty or missing folder becomes one.
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

    /// Use of the store so far.
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

    /// Counts an item that was reused.
    pub(in crate::pipeline) fn count_item(&self) {
        self.counts.items.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts something that could not be shared and was processed without the store.
    pub(in crate::pipeline) fn count_fault(&self) {
        self.counts.faults.fetch_add(1, Ordering::Relaxed);
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns whether a folder is a store.
fn is_store(root: &Path) -> bool {
    let path = root.join(MARK);
    fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file())
        && fs::read_to_string(&path).is_ok_and(|text| text == MARK_TEXT)
}

/// Creates a store in an empty or missing folder.
fn make(root: &Path) -> Result<(), StoreError> {
    if is_store(root) {
        return Ok(());
    }
    fs::create_dir_all(root).map_err(access(root))?;
    for entry in fs::read_dir(root).map_err(access(root))? {
        let name = entry.map_err(access(root))?.file_name();
        let name = name.to_str().unwrap_or_default();
        // Another run may be creating the store.
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
    // Windows does not replace a file that another run reads; that run has created the store.
    for _ in 0..MAX_ATTEMPTS {
        if is_store(root) {
            return Ok(());
        }
        std::thread::sleep(ATTEMPT_DELAY);
    }
    Err(access(root)(error))
}

/// Number of checks whether another run has created the store, and the time between them.
const MAX_ATTEMPTS: usize = 20;
const ATTEMPT_DELAY: Duration = Duration::from_millis(20);

/// Path of an object in a folder of the store; `None` if the name is not a hash with this many digits.
fn place(folder: &str, hash: &str, digits: usize) -> Option<String> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if hash.len() != digits || !hash.bytes().all(is_digit) {
        return None;
    }
    let (first, rest) = hash.split_at_checked(2)?;
    Some(format!("{folder}/{first}/{rest}"))
}

/// Checks that the store and the input and output folders do not contain one another.
///
/// # Errors
/// They do.
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

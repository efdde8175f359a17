//! Differences between two output folders, installs, disc images or files: by content and stored name.
//!
//! - `side` — one of the two, with its bytes.
//! - `pairs` — matching of the outputs of both sides.
//! - [`change`] — difference between two outputs; `picture`, `sound`, `document`, `geometry` — by sort of content.
//! - [`result`] — result of a comparison.
//! - [`page`] — the comparison as one HTML file.
//!
//! Installs are compared by the outputs that a run with the default settings would produce; nothing is written.
//!
//! ```
//! use relicast::golden::diff::diff;
//!
//! let folder = tempfile::tempdir()?;
//! let (one, other) = (folder.path().join("1"), folder.path().join("2"));
//! for (place, text) in [(&one, "( DETAIL 3 )"), (&other, "( DETAIL 4 )")] {
//!     std::fs::create_dir(place)?;
//!     std::fs::write(place.join("detail.zrd"), text)?;
//! }
//! assert!(diff(&one, &one)?.is_same());
//! assert_eq!(diff(&one, &other)?.changed.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod change;
mod document;
mod geometry;
pub mod page;
mod pairs;
pub(crate) mod picture;
pub mod result;
mod side;
pub(crate) mod sound;

use std::collections::HashSet;
use std::path::Path;

use rayon::prelude::*;

use self::change::{Change, Contents};
use self::pairs::{Pair, pair};
use self::result::{Changed, Diff, DiffError, Moved, Named};
use self::side::{Entry, Side};

/// Compares two output folders, installs, disc images or files.
///
/// # Errors
/// One of them cannot be read at all.
pub fn diff(before: &Path, after: &Path) -> Result<Diff, DiffError> {
    diff_with(before, after, |_, _, _| {})
}

/// Compares, and passes the bytes of changed outputs to `see`, in the order of the result.
fn diff_with(
    before: &Path,
    after: &Path,
    mut see: impl FnMut(&Changed, Option<&[u8]>, Option<&[u8]>),
) -> Result<Diff, DiffError> {
    let (mut one, mut other) = (Side::open(before)?, Side::open(after)?);
    let Pair {
        same,
        moved,
        changed,
        only_before,
        only_after,
    } = pair(&one.entries, &other.entries);
    let wanted = |paths: Vec<&Entry>| -> HashSet<String> {
        paths.into_iter().map(|entry| entry.path.clone()).collect()
    };
    let (firsts, seconds) = changed.iter().copied().unzip();
    let (firsts, seconds) = (wanted(firsts), wanted(seconds));
    let changed: Vec<(Entry, Entry)> = changed
        .into_iter()
        .map(|(one, other)| (one.clone(), other.clone()))
        .collect();
    let named = |entries: Vec<&Entry>| entries.into_iter().map(Named::from).collect::<Vec<_>>();
    let moved: Vec<Moved> = moved
        .into_iter()
        .map(|(before, after)| Moved {
            before: before.into(),
            after: after.into(),
        })
        .collect();
    let (only_before, only_after) = (named(only_before), named(only_after));
    one.fetch(firsts)?;
    other.fetch(seconds)?;
    let changes: Vec<Change> = changed
        .par_iter()
        .map(|(before, after)| {
            let read_one = |path: &str| one.read(path);
            let read_other = |path: &str| other.read(path);
            Change::between(
                &Contents::new(&before.path, &read_one),
                &Contents::new(&after.path, &read_other),
            )
        })
        .collect();
    let changed: Vec<Changed> = changed
        .iter()
        .zip(changes)
        .map(|((before, after), change)| Changed {
            before: before.into(),
            after: after.into(),
            change,
        })
        .collect();
    for one_change in &changed {
        if matches!(one_change.change, Change::Picture(_)) {
            let first = one.read(&one_change.before.path);
            let second = other.read(&one_change.after.path);
            see(one_change, first.as_deref(), second.as_deref());
        }
    }
    Ok(Diff {
        before: one.compared(before),
        after: other.compared(after),
        same,
        moved,
        changed,
        only_before,
        only_after,
    })
}

/// Compares, and also makes one HTML file, which shows pictures that differ next to each other.
///
/// # Errors
/// As for [`diff`].
pub fn diff_page(before: &Path, after: &Path) -> Result<(Diff, String), DiffError> {
    let mut pictures = page::Pictures::default();
    let diff = diff_with(before, after, |changed, first, second| {
        pictures.add(&changed.before.path, first, second);
    })?;
    let page = page::page(&diff, &pictures);
    Ok((diff, page))
}

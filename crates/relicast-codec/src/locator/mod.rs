//! Map of the fields of a decoded value to their bytes: the third use of a declaration, next to reading and writing.
//!
//! [`locate`] decodes and records every field that a [`Reader`](super::Reader) reads on the way: its path, its byte
//! range, and its encoding. Decoders open readers for nested sections and do not pass them on. So every reader on the
//! thread that calls `locate` records its fields in a thread-local during the call; otherwise readers record nothing.
//!
//! ```
//! use relicast_codec::{Encoding, Segment, decode, locate};
//!
//! relicast_codec::record! {
//!     /// A number and where it is.
//!     pub struct Mark[8] {
//!         /// Offset 0: number.
//!         number: u32,
//!         /// Offset 4: where it is.
//!         place: [i16; 2],
//!     }
//! }
//! let bytes = [1, 0, 0, 0, 5, 0, 6, 0];
//! let (_, map) = locate(&bytes, || decode::<Mark>(&bytes));
//! let mut found = None;
//! map.visit(|path, range, encoding| {
//!     if path == [Segment::Name("place"), Segment::Index(1)] {
//!         found = Some((range, encoding));
//!     }
//! });
//! assert_eq!(found, Some((6..8, Encoding::Integer)));
//! ```

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::ops::Range;

use super::layout::{Encoding, Layout, Segment};
use super::number::FixedSize;

/// Consecutive fields of one type.
#[derive(Debug, Clone)]
struct Run {
    /// Structure that contains them, as its index among the scopes.
    scope: Option<usize>,
    field: &'static str,
    position: usize,
    stored: Stored,
}

/// Content of a run.
#[derive(Debug, Clone, Copy)]
enum Stored {
    Value(fn(&mut Layout<'_>)),
    /// Number of values; the segment of each is its index.
    Values(fn(&mut Layout<'_>), usize),
    Bytes(usize),
}

/// Map of fields to their bytes in a file.
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    /// Structures and items of lists: the parent of each, and its own segment.
    scopes: Vec<(Option<usize>, Segment)>,
    runs: Vec<Run>,
}

impl SourceMap {
    /// Visits all fields in the order in which they were read; fields that were read twice are visited twice.
    pub fn visit(&self, mut visit: impl FnMut(&[Segment], Range<usize>, Encoding)) {
        for run in &self.runs {
            let mut path = vec![Segment::Name(run.field)];
            let mut scope = run.scope;
            while let Some((outer, segment)) = scope.and_then(|at| self.scopes.get(at)) {
                path.push(*segment);
                scope = *outer;
            }
            path.reverse();
            let mut layout = Layout::new(path, run.position, &mut visit);
            match run.stored {
                Stored::Value(describe_layout) => describe_layout(&mut layout),
                Stored::Values(describe_layout, count) => {
                    for index in 0..count {
                        layout.part(Segment::Index(index), describe_layout);
                    }
                }
                Stored::Bytes(length) => layout.leaf(length, Encoding::Opaque),
            }
        }
    }
}

/// Recorder of the fields of one file.
#[derive(Debug)]
struct Locator {
    /// Address range of its bytes.
    addresses: Range<usize>,
    /// Structure or item that is being read.
    scope: Option<usize>,
    map: SourceMap,
}

thread_local! {
    // The functions that record are `#[cold]`: ordinary decodes never call them.
    static LOCATOR: RefCell<Option<Locator>> = const { RefCell::new(None) };
}

/// Restores the previous recorder, also if the decoder panics.
struct Outer(Option<Locator>);

impl Drop for Outer {
    fn drop(&mut self) {
        LOCATOR.set(self.0.take());
    }
}

/// Decodes something in `bytes`, and returns the byte ranges of the fields that the calling thread read.
pub fn locate<T>(bytes: &[u8], decode: impl FnOnce() -> T) -> (T, SourceMap) {
    let start = bytes.as_ptr().addr();
    let locator = Locator {
        addresses: start..start.saturating_add(bytes.len()),
        scope: None,
        map: SourceMap::default(),
    };
    let outer = Outer(LOCATOR.replace(Some(locator)));
    let decoded = decode();
    let map = LOCATOR.take().map(|locator| locator.map);
    drop(outer);
    (decoded, map.unwrap_or_default())
}

/// Offset of `bytes` in the file whose fields are located; `None` when they are not part of it, or no file is located.
pub(super) fn base(bytes: &[u8]) -> Option<usize> {
    LOCATOR.with_borrow(|locator| {
        let addresses = &locator.as_ref()?.addresses;
        let start = bytes.as_ptr().addr();
        let end = start.saturating_add(bytes.len());
        let is_part = addresses.contains(&start) && end <= addresses.end;
        is_part.then(|| start.saturating_sub(addresses.start))
    })
}

/// Records a value.
#[cold]
pub(super) fn value<T: FixedSize>(field: &'static str, position: usize) {
    keep(field, position, Stored::Value(T::describe_layout));
}

/// Records `count` consecutive values.
#[cold]
pub(super) fn values<T: FixedSize>(field: &'static str, position: usize, count: usize) {
    keep(field, position, Stored::Values(T::describe_layout, count));
}

/// Records bytes.
#[cold]
pub(super) fn bytes(field: &'static str, position: usize, length: usize) {
    keep(field, position, Stored::Bytes(length));
}

fn keep(field: &'static str, position: usize, stored: Stored) {
    LOCATOR.with_borrow_mut(|locator| {
        if let Some(locator) = locator {
            locator.map.runs.push(Run {
                scope: locator.scope,
                field,
                position,
                stored,
            });
        }
    });
}

/// Visits a structure, or an item of a list.
#[cold]
pub(super) fn scope<R>(segments: &[Segment], visit: impl FnOnce() -> R) -> R {
    let enter = |locator: &mut Option<Locator>| {
        let locator = locator.as_mut()?;
        let outer = locator.scope;
        for segment in segments {
            let scopes = &mut locator.map.scopes;
            scopes.push((locator.scope, *segment));
            locator.scope = scopes.len().checked_sub(1);
        }
        outer
    };
    let outer = LOCATOR.with_borrow_mut(enter);
    let visited = visit();
    LOCATOR.with_borrow_mut(|locator| {
        if let Some(locator) = locator {
            locator.scope = outer;
        }
    });
    visited
}

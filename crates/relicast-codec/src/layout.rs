//! Layout of values of fixed size: their fields, and the encoding of each.

use std::fmt::{self, Debug, Formatter};
use std::ops::Range;

/// A segment of the path to a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Segment {
    /// A field, by its name in the declaration.
    Name(&'static str),
    /// An item of a list.
    Index(usize),
}

/// Encoding of a value in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Little-endian integer.
    Integer,
    /// Little-endian 32-bit float.
    Float,
    /// Text, or bytes that the codec does not interpret.
    Opaque,
}

/// Visitor of a field: its path, its byte range, and its encoding.
type Visit<'v> = &'v mut dyn FnMut(&[Segment], Range<usize>, Encoding);

/// Layout of a value of fixed size. [`FixedSize::describe_layout`](super::FixedSize::describe_layout) adds its fields
/// in stored order.
pub struct Layout<'v> {
    path: Vec<Segment>,
    position: usize,
    visit: Visit<'v>,
}

impl<'v> Layout<'v> {
    /// A value at the end of `path`, whose first byte is at `position`.
    pub(super) fn new(path: Vec<Segment>, position: usize, visit: Visit<'v>) -> Self {
        Self {
            path,
            position,
            visit,
        }
    }

    /// Adds the value itself: `size` bytes.
    pub fn leaf(&mut self, size: usize, encoding: Encoding) {
        let end = self.position.saturating_add(size);
        (self.visit)(&self.path, self.position..end, encoding);
        self.position = end;
    }

    /// Adds a field of it, described by the function of its type.
    pub fn part(&mut self, segment: Segment, describe_layout: fn(&mut Layout<'_>)) {
        self.path.push(segment);
        describe_layout(self);
        self.path.pop();
    }
}

impl Debug for Layout<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Layout");
        shown.field("path", &self.path);
        shown.field("position", &self.position);
        shown.finish_non_exhaustive()
    }
}

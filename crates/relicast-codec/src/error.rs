//! Reports of bytes that break a rule: errors for hard rules, deviations for soft ones.

use std::fmt::{self, Display};

use serde::Serialize;

use crate::quantity::counted;
use relicast_limits::Exceeded;

/// Result of every codec.
pub type Result<T> = std::result::Result<T, FormatError>;

/// Sort of hard rule that was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// The data ends before the field does.
    Truncated,
    /// A value makes further reading impossible.
    Malformed,
    /// The value is legal, but this program does not know the variant.
    Unsupported,
    /// A safety limit (depth, count) was reached.
    Limit,
    /// A value cannot be written in this format.
    Unencodable,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Fault {
    kind: FaultKind,
    field: String,
    offset: u64,
    expected: String,
    found: String,
}

/// A broken hard rule: this value cannot be read (or written).
///
/// Offsets count bytes from the start of the slice passed to the decoder: the file, or the member
/// when an archive member is decoded. The pipeline adds the names of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError(Box<Fault>);

impl FormatError {
    /// Creates an error of `kind` in `field` at byte `offset`.
    pub fn new(
        kind: FaultKind,
        field: impl Into<String>,
        offset: usize,
        expected: impl Display,
        found: impl Display,
    ) -> Self {
        Self(Box::new(Fault {
            kind,
            field: field.into(),
            offset: offset as u64,
            expected: expected.to_string(),
            found: found.to_string(),
        }))
    }

    /// Shorthand for [`FaultKind::Malformed`].
    pub fn malformed(
        field: impl Into<String>,
        offset: usize,
        expected: impl Display,
        found: impl Display,
    ) -> Self {
        Self::new(FaultKind::Malformed, field, offset, expected, found)
    }

    /// Shorthand for [`FaultKind::Unsupported`].
    pub fn unsupported(
        field: impl Into<String>,
        offset: usize,
        expected: impl Display,
        found: impl Display,
    ) -> Self {
        Self::new(FaultKind::Unsupported, field, offset, expected, found)
    }

    /// Error of reading `wanted` bytes at `offset` with `remaining` bytes left.
    pub fn truncated(
        field: impl Into<String>,
        offset: usize,
        wanted: impl Display,
        remaining: usize,
    ) -> Self {
        let wanted = wanted.to_string();
        let noun = if wanted == "1" { "byte" } else { "bytes" };
        Self::new(
            FaultKind::Truncated,
            field,
            offset,
            format_args!("{wanted} {noun}"),
            format_args!("{remaining} left"),
        )
    }

    /// Error of a value that the format cannot represent; only writers return it.
    pub fn unencodable(
        field: impl Into<String>,
        offset: usize,
        expected: impl Display,
        found: impl Display,
    ) -> Self {
        Self::new(FaultKind::Unencodable, field, offset, expected, found)
    }

    /// Prefixes the field path with the list and index that holds it.
    #[must_use]
    pub fn within(mut self, list: &str, index: usize) -> Self {
        self.0.field = join(list, Some(index), &self.0.field);
        self
    }

    /// Prefixes the field path with the structure that holds it.
    #[must_use]
    pub fn inside(mut self, structure: &str) -> Self {
        self.0.field = join(structure, None, &self.0.field);
        self
    }

    /// Adds `base` to the offset, for a decoder that received a part of a larger slice.
    #[must_use]
    pub fn shifted(mut self, base: usize) -> Self {
        self.0.offset = self.0.offset.saturating_add(base as u64);
        self
    }

    /// Kind of the broken rule.
    pub fn kind(&self) -> FaultKind {
        self.0.kind
    }

    /// Dotted path of the field, as in `entries[3].length`.
    pub fn field(&self) -> &str {
        &self.0.field
    }

    /// Byte offset from the start of the decoded slice.
    pub fn offset(&self) -> u64 {
        self.0.offset
    }

    /// Expected value.
    pub fn expected(&self) -> &str {
        &self.0.expected
    }

    /// Value that was found.
    pub fn found(&self) -> &str {
        &self.0.found
    }
}

impl From<Exceeded> for FormatError {
    fn from(exceeded: Exceeded) -> Self {
        let Exceeded {
            field,
            expected,
            found,
        } = exceeded;
        Self::new(FaultKind::Limit, field, 0, expected, found)
    }
}

impl Display for FormatError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault {
            field,
            offset,
            expected,
            found,
            ..
        } = &*self.0;
        write!(
            formatter,
            "{field} at byte {offset} ({offset:#x}): expected {expected}, found {found}"
        )
    }
}

impl std::error::Error for FormatError {}

crate::json_form!(FormatError = {"type": "string"});

impl Serialize for FormatError {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A broken soft rule: the value was accepted and reading continued.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Deviation {
    /// Byte offset from the start of the decoded slice.
    pub offset: u64,
    /// Dotted path of the field.
    pub field: String,
    /// The rule.
    pub expected: String,
    /// Accepted value.
    pub found: String,
}

impl Display for Deviation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            offset,
            field,
            expected,
            found,
        } = self;
        write!(
            formatter,
            "{field} at byte {offset} ({offset:#x}): expected {expected}, found {found}"
        )
    }
}

/// Deviations of one decode, and separately the known oddities of real files. All are counted; the first
/// [`Deviations::MAX_DESCRIBED`] of each sort are described.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deviations {
    broken: Described,
    usual: Described,
}

/// The first deviations of one sort, and their number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Described {
    list: Vec<Deviation>,
    total: u64,
}

impl Described {
    fn push(
        &mut self,
        field: impl Into<String>,
        offset: usize,
        expected: impl Display,
        found: impl Display,
    ) {
        self.total = self.total.saturating_add(1);
        if self.list.len() < Deviations::MAX_DESCRIBED {
            self.list.push(Deviation {
                offset: offset as u64,
                field: field.into(),
                expected: expected.to_string(),
                found: found.to_string(),
            });
        }
    }

    fn absorb_from<'s>(&mut self, other: Self, part: &impl Fn(&str) -> (Option<&'s str>, usize)) {
        self.total = self.total.saturating_add(other.total);
        for mut deviation in other.list {
            if self.list.len() < Deviations::MAX_DESCRIBED {
                let (structure, base) = part(&deviation.field);
                if let Some(structure) = structure {
                    deviation.field = join(structure, None, &deviation.field);
                }
                deviation.offset = deviation.offset.saturating_add(base as u64);
                self.list.push(deviation);
            }
        }
    }

    fn prefix_from(&mut self, first: usize, list: &str, index: usize) {
        for deviation in self.list.iter_mut().skip(first) {
            deviation.field = join(list, Some(index), &deviation.field);
        }
    }
}

impl Deviations {
    /// Number of deviations of one decode that are described in full; a hostile file could hold millions.
    pub const MAX_DESCRIBED: usize = 64;

    /// Records a broken soft rule.
    pub fn push(
        &mut self,
        field: impl Into<String>,
        offset: usize,
        expected: impl Display,
        found: impl Display,
    ) {
        self.broken.push(field, offset, expected, found);
    }

    /// Records a known oddity of real files: the rule is broken, but healthy files of the games break it, too. It is
    /// not a deviation and becomes a note of the report.
    pub fn push_usual(
        &mut self,
        field: impl Into<String>,
        offset: usize,
        expected: impl Display,
        found: impl Display,
    ) {
        self.usual.push(field, offset, expected, found);
    }

    /// Adds the deviations of a part that starts at `base` and is called `structure`.
    pub fn absorb(&mut self, structure: &str, base: usize, other: Self) {
        self.absorb_from(other, |_| (Some(structure), base));
    }

    /// Adds the deviations of several parts. `part` returns the name of a field's part (`None`: the field is the
    /// name) and its start.
    pub fn absorb_from<'s>(
        &mut self,
        other: Self,
        part: impl Fn(&str) -> (Option<&'s str>, usize),
    ) {
        self.broken.absorb_from(other.broken, &part);
        self.usual.absorb_from(other.usual, &part);
    }

    /// Moves every deviation to `offset`, the source of the bytes: bytes that were inflated or computed have no
    /// offsets of their own in the file.
    #[must_use]
    pub fn gathered_at(mut self, offset: usize) -> Self {
        let every = self.broken.list.iter_mut().chain(&mut self.usual.list);
        for deviation in every {
            deviation.offset = offset as u64;
        }
        self
    }

    /// Described deviations, in the order of the file.
    pub fn described(&self) -> &[Deviation] {
        &self.broken.list
    }

    /// Described known oddities, in the order of the file.
    pub fn usual(&self) -> &[Deviation] {
        &self.usual.list
    }

    /// Notes for people about the known oddities.
    pub fn usual_notes(&self) -> Vec<String> {
        let described = self.usual.list.iter();
        let mut notes: Vec<String> = described
            .map(|oddity| format!("{oddity}; usual in files of the games"))
            .collect();
        let more = self.usual.total.saturating_sub(notes.len() as u64);
        if more > 0 {
            let more = counted(more, "more oddity", "more oddities");
            notes.push(format!("{more} usual in files of the games"));
        }
        notes
    }

    /// Number of all deviations, described or not; known oddities do not count.
    pub fn total(&self) -> u64 {
        self.broken.total
    }

    /// True if no soft rule was broken, except for known oddities.
    pub fn is_empty(&self) -> bool {
        self.broken.total == 0
    }

    /// True if there is neither a deviation nor a known oddity.
    pub fn is_spotless(&self) -> bool {
        self.is_empty() && self.usual.total == 0
    }

    /// Number of described deviations and oddities.
    pub(super) fn mark(&self) -> [usize; 2] {
        [self.broken.list.len(), self.usual.list.len()]
    }

    /// Prefixes everything described since `mark` with its list and index.
    pub(super) fn prefix_from(&mut self, mark: [usize; 2], list: &str, index: usize) {
        let [broken, usual] = mark;
        self.broken.prefix_from(broken, list, index);
        self.usual.prefix_from(usual, list, index);
    }
}

/// A decoded value with its deviations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Decoded<T> {
    /// The value.
    pub value: T,
    /// Broken soft rules.
    pub deviations: Deviations,
}

fn join(head: &str, index: Option<usize>, tail: &str) -> String {
    let dot = if tail.is_empty() || tail.starts_with('[') {
        ""
    } else {
        "."
    };
    match index {
        Some(index) => format!("{head}[{index}]{dot}{tail}"),
        None => format!("{head}{dot}{tail}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_read_from_the_outside_in() {
        let error = FormatError::malformed("length", 8, "at most 4", 9)
            .within("entries", 3)
            .inside("archive");
        assert_eq!(error.field(), "archive.entries[3].length");
        assert_eq!(
            error.to_string(),
            "archive.entries[3].length at byte 8 (0x8): expected at most 4, found 9"
        );
    }

    #[test]
    fn deviations_are_counted_past_the_described_ones() {
        let mut deviations = Deviations::default();
        for index in 0..200_usize {
            deviations.push("field", index, 0, 1);
        }
        assert_eq!(deviations.total(), 200);
        assert_eq!(deviations.described().len(), Deviations::MAX_DESCRIBED);
    }

    #[test]
    fn known_oddities_are_notes_and_no_deviations() {
        let mut inner = Deviations::default();
        inner.push_usual("riff_size", 4, 10, 11);
        let mut deviations = Deviations::default();
        deviations.absorb("sound", 100, inner);
        assert!(deviations.is_empty() && !deviations.is_spotless());
        assert_eq!((deviations.total(), deviations.described()), (0, &[][..]));
        assert_eq!(
            deviations.usual_notes(),
            [
                "sound.riff_size at byte 104 (0x68): expected 10, found 11; usual in files of the games"
            ]
        );
    }
}

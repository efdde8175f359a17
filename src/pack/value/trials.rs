//! Finds the byte change of a source that produces an edited JSON value.
//!
//! A document is converted for each candidate. Most candidates do not affect the value, so many are changed at once: if
//! the value stays as it was, none of them is right.

use std::collections::BTreeMap;

use relicast_codec::SourceMap;
use serde_json::Value;

use super::leaf;
use super::rates;
use super::stored::Change;
use super::view::View;

/// A value that was edited.
#[derive(Debug)]
pub(super) struct Wanted {
    pub pointer: String,
    pub old: Value,
    pub new: Value,
    /// Index of the value among those of the document, and their number.
    pub index: (usize, usize),
}

/// A source in which the value has its edited state.
#[derive(Debug)]
pub(super) struct Found {
    pub bytes: Vec<u8>,
    /// Its document.
    pub shown: Value,
    /// Number of other values that changed with it, and not to their edited values.
    others: usize,
}

/// Most changes that are made at once.
const MAX_AT_ONCE: usize = 4096;

/// Trials of changes for one value of the document `now` of a source.
#[derive(Debug)]
pub(super) struct Trials<'t> {
    pub view: &'t View<'t>,
    pub bytes: &'t [u8],
    pub now: &'t Value,
    /// Map of its fields.
    pub map: &'t SourceMap,
    pub wanted: &'t Wanted,
    /// The document with all edits.
    pub edited: &'t Value,
    /// Number of documents that may still be made.
    pub left: &'t mut usize,
}

impl Trials<'_> {
    /// The first change that gives the value its edited state and changes nothing else; else the change with the fewest
    /// other differences, if they are no more than `most`.
    pub(super) fn of(&mut self, changes: &[Change], most: usize) -> Option<Found> {
        let mut best: Option<Found> = None;
        let mut rest = changes;
        // The most likely one is tried first, and alone.
        let mut at_once = 1;
        while !rest.is_empty() && *self.left > 0 {
            let (group, after) = rest.split_at(apart(rest, at_once));
            rest = after;
            let met = self.group(group, most, &mut best);
            if best.as_ref().is_some_and(|best| best.others == 0) {
                break;
            }
            at_once = match met {
                true => (at_once / 4).max(1),
                false => (at_once * 8).min(MAX_AT_ONCE),
            };
        }
        best
    }

    /// Tries a group and, unless all of it is certainly wrong, its halves. Returns true unless it is certain.
    fn group(&mut self, group: &[Change], most: usize, best: &mut Option<Found>) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        *self.left = left;
        let tried = self.with(group);
        let shown = self.view.show(&tried).ok();
        if let [_] = group {
            let found = shown.and_then(|shown| self.found(tried, shown));
            let met = found.is_some();
            let found = found.filter(|found| found.others <= most);
            *best = [best.take(), found]
                .into_iter()
                .flatten()
                .min_by_key(|found| found.others);
            return met;
        }
        if shown.is_some_and(|shown| self.is_shown(&shown, &self.wanted.old)) {
            return false;
        }
        let (near, far) = group.split_at(group.len() / 2);
        for half in [near, far] {
            self.group(half, most, best);
            if best.as_ref().is_some_and(|best| best.others == 0) {
                break;
            }
        }
        true
    }

    /// Returns true if a document has its shape, and this value in place of the wanted one.
    fn is_shown(&self, shown: &Value, value: &Value) -> bool {
        let found = shown.pointer(&self.wanted.pointer);
        found.is_some_and(|found| leaf::same(found, value)) && leaf::same_shape(shown, self.now)
    }

    /// Converts a changed source. Returns it if it shows the new value, with consistent derived values.
    fn found(&self, mut bytes: Vec<u8>, mut shown: Value) -> Option<Found> {
        let new = &self.wanted.new;
        if !leaf::same(shown.pointer(&self.wanted.pointer)?, new) {
            return None;
        }
        if let Some(settled) = rates::in_step(self.view.kind, self.bytes, &bytes) {
            shown = self.view.show(&settled).ok()?;
            bytes = settled;
        }
        self.is_shown(&shown, new).then(|| Found {
            others: leaf::strayed(&shown, self.now, self.edited),
            bytes,
            shown,
        })
    }

    /// The source with these changes, which do not overlap.
    fn with(&self, changes: &[Change]) -> Vec<u8> {
        let mut ordered: Vec<&Change> = changes.iter().collect();
        ordered.sort_by_key(|change| std::cmp::Reverse(change.range.start));
        let mut tried = self.bytes.to_vec();
        for change in ordered {
            tried.splice(change.range.clone(), change.new.iter().copied());
        }
        tried
    }
}

/// Number of the first changes that are apart from each other, up to `most`; at least one.
fn apart(changes: &[Change], most: usize) -> usize {
    let mut taken = BTreeMap::new();
    let is_apart = |change: &&Change| {
        let range = &change.range;
        let before = taken.range(..range.end).next_back();
        let is_apart = before.is_none_or(|(_, end)| *end <= range.start);
        taken.insert(range.start, range.end);
        is_apart
    };
    let clear = changes.iter().take(most).take_while(is_apart);
    clear.count().max(1)
}

#[cfg(test)]
mod tests {
    use super::{Change, apart};

    #[test]
    fn simultaneous_changes_are_apart() {
        let change = |start: usize, end: usize| Change {
            range: start..end,
            new: vec![0; end - start],
        };
        let changes = [change(4, 8), change(0, 4), change(8, 9), change(7, 9)];
        assert_eq!(apart(&changes, 9), 3);
        assert_eq!(apart(&changes, 2), 2);
        assert_eq!(apart(&changes[2..], 9), 1);
        assert_eq!(apart(&changes[..1], 9), 1);
    }
}

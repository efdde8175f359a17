//! Which of many possible changes of a source makes a value of its document what it is to be.
//!
//! A document is made for each; but most places have nothing to do with the value, so many are changed at once, and when the
//! value stays as it was, none of them is the one.

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
    /// Which value of the document it is, and of how many.
    pub index: (usize, usize),
}

/// A value that is looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal<'g> {
    pub wanted: &'g Wanted,
    /// The document with all edits.
    pub edited: &'g Value,
    /// How many places are tried.
    pub most: usize,
}

/// A source in which the value is as it is to be.
#[derive(Debug)]
pub(super) struct Found {
    pub bytes: Vec<u8>,
    /// Its document.
    pub shown: Value,
    /// How many other values changed with it, and not to what the edit has.
    others: usize,
}

/// Most changes that are made at once.
const MOST_AT_ONCE: usize = 64;

/// Trials of changes for one value.
#[derive(Debug)]
pub(super) struct Trials<'t> {
    view: &'t View<'t>,
    bytes: &'t [u8],
    now: &'t Value,
    wanted: &'t Wanted,
    edited: &'t Value,
    /// How many documents may still be made.
    left: &'t mut usize,
}

impl<'t> Trials<'t> {
    /// For the value `wanted` of the document `now` of a source.
    pub(super) fn new(
        view: &'t View<'t>,
        bytes: &'t [u8],
        now: &'t Value,
        goal: &Goal<'t>,
        left: &'t mut usize,
    ) -> Self {
        Self {
            view,
            bytes,
            now,
            wanted: goal.wanted,
            edited: goal.edited,
            left,
        }
    }

    /// The first change by which the value becomes the new one and nothing else changes; else the one by which least
    /// else does, if that is no more than `most`.
    pub(super) fn of(&mut self, changes: &[Change], most: usize) -> Option<Found> {
        let mut best: Option<Found> = None;
        let mut rest = changes;
        // The likeliest comes first, and alone.
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
                false => (at_once * 2).min(MOST_AT_ONCE),
            };
        }
        best
    }

    /// Tries a group and, when it is not clear that none of it is the one, its halves. Whether it was not.
    fn group(&mut self, group: &[Change], most: usize, best: &mut Option<Found>) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        *self.left = left;
        let tried = self.with(group);
        let shown = self.view.show(&tried).ok();
        let value = |shown: &Value, as_in: &Value| {
            let shown = shown.pointer(&self.wanted.pointer);
            shown.is_some_and(|shown| leaf::same(shown, as_in))
        };
        if let [_] = group {
            let shown = shown.filter(|shown| value(shown, &self.wanted.new));
            let whole = shown.and_then(|shown| self.in_step(tried, shown));
            let found = whole.filter(|(_, shown)| {
                leaf::same_shape(shown, self.now) && value(shown, &self.wanted.new)
            });
            let found = found.map(|(bytes, shown)| Found {
                others: leaf::strayed(&shown, self.now, self.edited),
                bytes,
                shown,
            });
            let is_better = |found: &Found| {
                found.others <= most && best.as_ref().is_none_or(|best| found.others < best.others)
            };
            let met = found.is_some();
            if let Some(found) = found.filter(is_better) {
                *best = Some(found);
            }
            return met;
        }
        let is_as_before =
            |shown: &Value| leaf::same_shape(shown, self.now) && value(shown, &self.wanted.old);
        if shown.as_ref().is_some_and(is_as_before) {
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

    /// The source with these changes, which lie apart.
    fn with(&self, changes: &[Change]) -> Vec<u8> {
        let mut ordered: Vec<&Change> = changes.iter().collect();
        ordered.sort_by_key(|change| std::cmp::Reverse(change.range.start));
        let mut tried = self.bytes.to_vec();
        for change in ordered {
            tried.splice(change.range.clone(), change.new.iter().copied());
        }
        tried
    }

    /// A source that was tried, with what follows from the change in step, and its document.
    fn in_step(&self, tried: Vec<u8>, shown: Value) -> Option<(Vec<u8>, Value)> {
        match rates::in_step(self.view.kind, self.bytes, &tried) {
            None => Some((tried, shown)),
            Some(settled) => {
                let shown = self.view.show(&settled).ok()?;
                Some((settled, shown))
            }
        }
    }
}

/// How many of the first changes lie apart from each other, up to `most`; at least one.
fn apart(changes: &[Change], most: usize) -> usize {
    let overlap = |one: &Change, other: &Change| {
        one.range.start < other.range.end && other.range.start < one.range.end
    };
    let first = changes.iter().take(most).enumerate();
    let mut clear = first.skip_while(|(at, change)| {
        let before = changes.get(..*at).unwrap_or_default();
        !before.iter().any(|before| overlap(before, change))
    });
    let length = clear.next().map_or(changes.len().min(most), |(at, _)| at);
    length.max(1)
}

#[cfg(test)]
mod tests {
    use super::{Change, apart};

    #[test]
    fn changes_at_once_lie_apart() {
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

//! Fields of a source that may hold a value, by the decoder's map of fields, and their new contents.

use std::cmp::Reverse;
use std::ops::Range;

use relicast_codec::{Encoding, Segment, SourceMap};
use serde_json::Value;

use super::stored::{Change, Search, notations};
use super::trials::Wanted;

/// The fields of a source.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'f> {
    pub bytes: &'f [u8],
    pub map: &'f SourceMap,
    /// Range of the values of the document.
    pub range: &'f Range<usize>,
    /// Approximate position of the wanted value.
    pub near: usize,
}

/// Most fields with other names that are tried where one has the name of the value.
const MAX_OTHERS: usize = 250;

/// Distance of a field from a value: first if it is outside the item, then by the length of the common path.
type Rank = (bool, Reverse<usize>);

impl Fields<'_> {
    /// Changes that may give a value of the document `now` its new value, the most likely first.
    pub(super) fn changes(&self, now: &Value, wanted: &Wanted) -> Vec<Change> {
        let keys = Key::of(now, &wanted.pointer);
        let notations = match (&wanted.old, &wanted.new) {
            (Value::Number(old), Value::Number(new)) => notations(old, new),
            _ => Vec::new(),
        };
        let mut found: Vec<(Rank, Change)> = Vec::new();
        self.map.visit(|path, range, encoding| {
            let stored = self.bytes.get(range.clone()).unwrap_or_default();
            // Types with their own form are numbers, too.
            let mut fitting = notations.iter().filter(|notation| {
                notation.old == stored
                    && (notation.encoding == encoding || encoding == Encoding::Opaque)
            });
            let changes = match (&wanted.old, &wanted.new, encoding) {
                (Value::String(old), Value::String(new), Encoding::Opaque) => {
                    Search::binary(self.bytes, range.clone()).texts(old, new)
                }
                _ => Vec::from_iter(fitting.next().map(|notation| Change {
                    range: range.clone(),
                    new: notation.new.clone(),
                })),
            };
            if !changes.is_empty() {
                let rank = self.rank(path, &range, &keys);
                found.extend(changes.into_iter().map(|change| (rank, change)));
            }
        });
        found.sort_by_key(|(rank, change)| (*rank, change.range.start.abs_diff(self.near)));
        let is_named = |(rank, _): &&(Rank, Change)| !rank.0 && rank.1.0 >= keys.len();
        match found.iter().take_while(is_named).count() {
            0 => {}
            named => found.truncate(named.saturating_add(MAX_OTHERS)),
        }
        let changes = found.into_iter();
        changes
            .map(|(_, change)| change.trimmed(self.bytes))
            .collect()
    }

    /// Bytes of numbers that may be flags or the code of a name, the most likely first.
    pub(super) fn numbers(&self, now: &Value, wanted: &Wanted) -> Vec<usize> {
        let keys = Key::of(now, &wanted.pointer);
        let mut found: Vec<(Rank, Range<usize>)> = Vec::new();
        self.map.visit(|path, range, encoding| {
            if encoding == Encoding::Integer || (encoding == Encoding::Opaque && range.len() <= 8) {
                found.push((self.rank(path, &range, &keys), range));
            }
        });
        found.sort_by_key(|(rank, range)| (*rank, range.start.abs_diff(self.near)));
        found.into_iter().flat_map(|(_, range)| range).collect()
    }

    fn rank(&self, path: &[Segment], range: &Range<usize>, keys: &[Key<'_>]) -> Rank {
        let is_elsewhere = range.start < self.range.start || self.range.end < range.end;
        (is_elsewhere, Reverse(likeness(path, keys)))
    }
}

/// A part of the pointer of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key<'k> {
    Name(&'k str),
    /// The index of an item in its list. A list that omits some items has keys with their numbers.
    Item(usize),
}

/// Keys with the number of an item, in lists that omit some.
const NUMBERS: [&str; 2] = ["id", "index"];

impl<'k> Key<'k> {
    /// The parts of the pointer of a value of the document `now`.
    fn of(now: &Value, pointer: &'k str) -> Vec<Self> {
        let mut inner = Some(now);
        let parts = pointer.split('/').skip(1);
        let keys = parts.map(|part| {
            let index = part.parse().ok();
            inner = inner.and_then(|value| match index {
                Some(index) if value.is_array() => value.get::<usize>(index),
                _ => value.get(part),
            });
            let number = |key: &&str| inner?.get(*key)?.as_u64();
            let number = NUMBERS.iter().find_map(number);
            let number = number.and_then(|number| usize::try_from(number).ok());
            index.map_or(Self::Name(part), |index| {
                Self::Item(number.unwrap_or(index))
            })
        });
        keys.collect()
    }

    fn name(&self) -> Option<&'k str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Item(_) => None,
        }
    }
}

/// Length of the common path of a field and a value, in the same order; the name of the field counts most.
fn likeness(path: &[Segment], keys: &[Key<'_>]) -> usize {
    let mut rest = keys.iter();
    let mut met = 0_usize;
    for segment in path {
        let mut ahead = rest.clone();
        let is_same = |key: &Key<'_>| match (segment, key) {
            (Segment::Name(name), Key::Name(key)) => name == key,
            (Segment::Index(index), Key::Item(item)) => index == item,
            _ => false,
        };
        if ahead.any(is_same) {
            met = met.saturating_add(1);
            rest = ahead;
        }
    }
    let own = path.iter().rev().find_map(|segment| match segment {
        Segment::Name(name) => Some(*name),
        Segment::Index(_) => None,
    });
    let is_named = own.is_some() && own == keys.iter().rev().find_map(Key::name);
    met.saturating_add(if is_named { keys.len() } else { 0 })
}

#[cfg(test)]
mod tests {
    use relicast_codec::Segment::{Index, Name};
    use serde_json::json;

    use super::{Key, likeness};

    #[test]
    fn a_field_is_known_by_its_name_then_by_what_it_is_in() {
        let document = json!({"spells": [{"mana": 1}, {"id": 9, "mana": 1}]});
        let keys = Key::of(&document, "/spells/1/mana");
        let of = |path: &[_]| likeness(path, &keys);
        let exact = of(&[Name("spells"), Index(9), Name("head"), Name("mana")]);
        let beside = of(&[Name("spells"), Index(1), Name("head"), Name("mana")]);
        let other = of(&[Name("spells"), Index(9), Name("head"), Name("range")]);
        assert!(exact > beside && beside > other, "{exact} {beside} {other}");
    }
}

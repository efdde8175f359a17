//! Matches the outputs of two sides: by path, then by content, then by stored name.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use super::side::Entry;
use relicast_formats::asset::AssetKind;
use relicast_source::names::fold;

/// The outputs of two sides, matched.
#[derive(Debug, Default)]
pub(super) struct Pair<'a> {
    pub(super) same: usize,
    pub(super) moved: Vec<(&'a Entry, &'a Entry)>,
    pub(super) changed: Vec<(&'a Entry, &'a Entry)>,
    pub(super) only_before: Vec<&'a Entry>,
    pub(super) only_after: Vec<&'a Entry>,
}

/// Stored name, name of the source without folders, kind and extension.
type StoredName = (String, String, AssetKind, String);

fn stored_name(entry: &Entry) -> StoredName {
    let source = entry.source.rsplit('/').next().unwrap_or_default();
    let name = entry.path.rsplit('/').next().unwrap_or_default();
    let ending = name.split_once('.').map_or("", |(_, ending)| ending);
    (
        fold(entry.member.as_deref().unwrap_or_default()),
        fold(source),
        entry.kind,
        fold(ending),
    )
}

/// Matches the outputs.
pub(super) fn pair<'a>(before: &'a [Entry], after: &'a [Entry]) -> Pair<'a> {
    let mut pair = Pair::default();
    let places: HashMap<String, &Entry> = after
        .iter()
        .map(|entry| (fold(&entry.path), entry))
        .collect();
    let mut met: HashSet<&str> = HashSet::new();
    let mut rest: Vec<&Entry> = Vec::new();
    for entry in before {
        match places.get(&fold(&entry.path)) {
            Some(other) => {
                met.insert(&other.path);
                match entry.blake3 == other.blake3 {
                    true => pair.same += 1,
                    false => pair.changed.push((entry, other)),
                }
            }
            None => rest.push(entry),
        }
    }
    let mut others: Vec<&Entry> = after
        .iter()
        .filter(|entry| !met.contains(&*entry.path))
        .collect();
    take_moved(&mut pair, &mut rest, &mut others);
    take_renamed(&mut pair, &mut rest, &mut others);
    pair.changed.sort_by(|a, b| a.0.path.cmp(&b.0.path));
    pair.only_before = rest;
    pair.only_after = others;
    pair
}

/// The same content at another path: outputs with the same stored name first.
fn take_moved<'a>(pair: &mut Pair<'a>, rest: &mut Vec<&'a Entry>, others: &mut Vec<&'a Entry>) {
    let mut by_content: HashMap<&str, VecDeque<&Entry>> = HashMap::new();
    for entry in others.iter() {
        by_content
            .entry(&entry.blake3)
            .or_default()
            .push_back(entry);
    }
    let mut taken: HashSet<&str> = HashSet::new();
    rest.retain(|entry| {
        let Some(equal) = by_content.get_mut(&*entry.blake3) else {
            return true;
        };
        let named = equal
            .iter()
            .position(|other| stored_name(other) == stored_name(entry));
        match equal.remove(named.unwrap_or(0)) {
            Some(other) => {
                taken.insert(&other.path);
                pair.moved.push((entry, other));
                false
            }
            None => true,
        }
    });
    others.retain(|entry| !taken.contains(&*entry.path));
}

/// Other content under the same stored name, if the name is unique on both sides.
fn take_renamed<'a>(pair: &mut Pair<'a>, rest: &mut Vec<&'a Entry>, others: &mut Vec<&'a Entry>) {
    let mut names: BTreeMap<StoredName, (Vec<&'a Entry>, Vec<&'a Entry>)> = BTreeMap::new();
    for entry in rest.iter() {
        names.entry(stored_name(entry)).or_default().0.push(entry);
    }
    for entry in others.iter() {
        names.entry(stored_name(entry)).or_default().1.push(entry);
    }
    let mut taken: [HashSet<&str>; 2] = Default::default();
    for sides in names.values() {
        if let ([one], [other]) = (&*sides.0, &*sides.1) {
            pair.changed.push((one, other));
            let [ours, theirs] = &mut taken;
            ours.insert(&one.path);
            theirs.insert(&other.path);
        }
    }
    let [ours, theirs] = &taken;
    rest.retain(|entry| !ours.contains(&*entry.path));
    others.retain(|entry| !theirs.contains(&*entry.path));
}
